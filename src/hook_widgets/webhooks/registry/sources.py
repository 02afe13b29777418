"""The sources of providers: this package, installed packages, and the user's own files."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hook_widgets.errors import CatalogError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

#: The entry point group in which installed packages name the folder of their providers.
GROUP = "hook_widgets.providers"
#: ends of the names of the folders where a package's metadata is
METADATA = (".dist-info", ".egg-info", "EGG-INFO")
#: The folder next to a notebook whose folders and files are providers.
FOLDER = "webhook_providers"
SUFFIX = ".provider.toml"

_REPLACES = re.compile(r"^\s*replaces\s*=\s*true\b", re.MULTILINE)
_RECENT_NS = 2_000_000_000  # two writes within one tick of a file system's clock have the same time


@dataclass(frozen=True, kw_only=True)
class Source:
    """The files of one provider, not yet loaded.

    Attributes:
        name: the id, from the name of its folder or file.
        file: its TOML file.
        folder: its folder, with ``events/``; None for a single file.
        installed: the name of the installed package that contains it; "" for the user's own file.
        below: the source that it replaces.
    """

    name: str
    file: Traversable
    folder: Traversable | None = None
    installed: str = ""
    below: Source | None = field(default=None, compare=False)

    @property
    def label(self) -> str:
        """The name of its file in messages."""
        return self.file.name if self.folder is None else f"{self.folder.name}/{self.file.name}"

    @property
    def replaces(self) -> bool:
        """True if it declares that it replaces another; also known for a file that is not valid TOML."""
        try:
            return not self.installed and bool(_REPLACES.search(self.text()))
        except CatalogError:
            return False

    def text(self) -> str:
        """Read its TOML text.

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


def source_at(path: Traversable) -> Source | None:
    """Return the source at a path, a folder or a file; None if there is none."""
    if (path / "provider.toml").is_file():
        return Source(name=path.name, file=path / "provider.toml", folder=path)
    if path.name.endswith(SUFFIX) and path.is_file():
        return Source(name=path.name.removesuffix(SUFFIX), file=path)
    return None


def sources_in(folder: Traversable) -> list[Source]:
    """Return the sources in a folder, sorted by name; none if it cannot be listed."""
    try:
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError:
        return []
    return [source for path in paths if (source := source_at(path)) is not None]


def sources_at(path: Traversable) -> list[Source]:
    """Return the source at a path, or those in that folder."""
    source = source_at(path)
    return [source] if source is not None else sources_in(path)


def beside_notebook(folder: Path) -> list[Source]:
    """Return the sources that a notebook in this folder uses automatically."""
    try:
        # The folder may be large, so of the other files only the names are read.
        with os.scandir(folder) as entries:
            files = sorted(entry.name for entry in entries if entry.name.endswith(SUFFIX))
    except OSError:
        files = []
    single_files = [source for name in files if (source := source_at(folder / name)) is not None]
    return single_files + sources_in(folder / FOLDER)


@cache
def installed() -> tuple[tuple[Source, ...], tuple[tuple[str, str], ...]]:
    """Return the sources of installed packages, and the place and reason of each entry point without any.

    No code of such a package is run: the value of its entry point is a folder in it, written with dots.
    """
    if not _any_entry_points():
        return (), ()
    from importlib.metadata import entry_points

    all_sources: list[Source] = []
    problems: list[tuple[str, str]] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        package = point.dist.name if point.dist else point.value
        sources = [
            replace(source, installed=package) for folder in _folders(point) for source in sources_in(folder)
        ]
        all_sources += sources
        if not sources:
            place = f"entry point {point.name} of {package}"
            text = f"there is no folder {point.value.replace('.', '/')} with providers in it"
            problems.append((place, f"{text}; name one with data, such as acme_hooks.providers"))
    return tuple(all_sources), tuple(problems)


def _any_entry_points() -> bool:
    """Return False if surely no installed package has such an entry point.

    `importlib.metadata` takes 40 ms to find that out; most users have none.
    """
    for place in sys.path:
        try:
            with os.scandir(place or ".") as entries:
                folders = [entry.path for entry in entries if entry.name.endswith(METADATA)]
        except NotADirectoryError:
            return True  # an archive
        except OSError:
            continue
        for folder in folders:
            try:
                text = Path(folder, "entry_points.txt").read_bytes()
            except OSError:
                continue
            if GROUP.encode() in text:
                return True
    return False


def _folders(point: EntryPoint) -> Iterator[Traversable]:
    from importlib.util import find_spec

    package, *steps = point.value.strip().split(".")
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return
    if spec is None or spec.submodule_search_locations is None:
        return
    reader = getattr(spec.loader, "get_resource_reader", None)
    # A folder without __init__.py has no loader, but may exist in several places.
    folders: list[Traversable] = (
        [reader(spec.name).files()] if reader else [Path(place) for place in spec.submodule_search_locations]
    )
    for folder in folders:
        for step in steps:
            folder = folder / step  # noqa: PLW2901
        if folder.is_dir():
            yield folder


def stamp(paths: Iterable[Path]) -> tuple[object, ...]:
    """Return a value that differs if one of these paths has changed, and always for a path just written."""
    return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> object:
    try:
        stat = path.stat()
    except OSError:
        return None
    recent = abs(time.time_ns() - stat.st_mtime_ns) < _RECENT_NS
    return object() if recent else (stat.st_mtime_ns, stat.st_size, stat.st_ino)
