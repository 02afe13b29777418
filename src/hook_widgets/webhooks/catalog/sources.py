"""Where providers come from: this package, installed packages, and files of the user's own."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from hook_widgets.errors import CatalogError

#: Installed packages name the folder of their providers in this group.
GROUP = "hook_widgets.providers"
#: The folder beside a notebook whose folders and files are providers.
FOLDER = "webhook_providers"
SUFFIX = ".provider.toml"

_REPLACES = re.compile(r"^\s*replaces\s*=\s*true\b", re.MULTILINE)
_YOUNG_NS = 2_000_000_000  # two writes within one tick of a file system's clock look like one


@dataclass(frozen=True)
class Source:
    """The data of one provider, not yet read.

    Attributes:
        name: the id that its folder or file is named for.
        file: its TOML.
        folder: its folder, with ``events/``; None when it is a single file.
        installed: the package that brings it; "" for a file of the user's own.
        below: what it takes the place of.
    """

    name: str
    file: Traversable
    folder: Traversable | None = None
    installed: str = ""
    below: Source | None = field(default=None, compare=False)

    @property
    def label(self) -> str:
        """Its file as messages name it."""
        return self.file.name if self.folder is None else f"{self.folder.name}/{self.file.name}"

    @property
    def replaces(self) -> bool:
        """Whether it says that it takes the place of another; told even when it cannot be read as TOML."""
        try:
            return not self.installed and bool(_REPLACES.search(self.text()))
        except CatalogError:
            return False

    def text(self) -> str:
        """Its TOML text.

        Raises:
            CatalogError: it cannot be read, or is not UTF-8.
        """
        try:
            return self.file.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise CatalogError(
                f"{self.label}, line {line}: it is not UTF-8; save the file as UTF-8"
            ) from None
        except OSError as error:
            raise CatalogError(f"{self.label}: it cannot be read: {error.strerror or error}") from None

    def over(self, other: Source) -> Source:
        """This source as the one that takes the place of another."""
        return replace(self, below=other)


def source_at(path: Traversable) -> Source | None:
    """The source that a folder or file is; None when it is none."""
    if (path / "provider.toml").is_file():
        return Source(path.name, path / "provider.toml", path)
    if path.name.endswith(SUFFIX) and path.is_file():
        return Source(path.name.removesuffix(SUFFIX), path)
    return None


def sources_in(folder: Traversable) -> list[Source]:
    """The provider folders and files in a folder, sorted by name; none when it cannot be listed."""
    try:
        inside = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError:
        return []
    return [source for path in inside if (source := source_at(path)) is not None]


def sources_at(path: Traversable) -> list[Source]:
    """The source that a path is, or those in that folder."""
    found = source_at(path)
    return [found] if found is not None else sources_in(path)


def beside_notebook(folder: Path) -> list[Source]:
    """The providers that a notebook in this folder finds without being told."""
    try:
        # the folder may be large, so the other files cost no more than their names
        with os.scandir(folder) as inside:
            files = sorted(entry.name for entry in inside if entry.name.endswith(SUFFIX))
    except OSError:
        files = []
    found = [source for name in files if (source := source_at(folder / name)) is not None]
    return found + sources_in(folder / FOLDER)


@cache
def installed() -> tuple[tuple[Source, ...], tuple[tuple[str, str], ...]]:
    """The providers of installed packages; and for those that cannot be had, where and why.

    No code of such a package is run: its entry point's value is a folder in it, written with dots.
    """
    found: list[Source] = []
    problems: list[tuple[str, str]] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        package = point.dist.name if point.dist else point.value
        sources = [
            replace(source, installed=package) for folder in _folders(point) for source in sources_in(folder)
        ]
        found += sources
        if not sources:
            where = f"entry point {point.name} of {package}"
            text = f"there is no folder {point.value.replace('.', '/')} with providers in it"
            problems.append((where, f"{text}; name one with data, such as acme_hooks.providers"))
    return tuple(found), tuple(problems)


def _folders(point: EntryPoint) -> Iterator[Traversable]:
    package, *steps = point.value.strip().split(".")
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return
    if spec is None or spec.submodule_search_locations is None:
        return
    reader = getattr(spec.loader, "get_resource_reader", None)
    # a folder without __init__.py has no loader, but may be in several places
    folders: list[Traversable] = (
        [reader(spec.name).files()] if reader else [Path(place) for place in spec.submodule_search_locations]
    )
    for folder in folders:
        for step in steps:
            folder = folder / step  # noqa: PLW2901
        if folder.is_dir():
            yield folder


def stamp(paths: Iterable[Path]) -> tuple[object, ...]:
    """Differs when one of these files or folders has changed since; always while one was just written."""
    return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> object:
    try:
        stat = path.stat()
    except OSError:
        return None
    young = abs(time.time_ns() - stat.st_mtime_ns) < _YOUNG_NS
    return object() if young else (stat.st_mtime_ns, stat.st_size, stat.st_ino)
