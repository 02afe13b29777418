"""The catalogue: every provider that is known, by its id.

The providers of this package, those of installed packages, and files of the user's own: beside the notebook
or where `add_providers` says. The user's files are looked at whenever the catalogue is asked, so that an edit
counts at once.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path

from hook_widgets.errors import CatalogError
from hook_widgets.webhooks.catalog import sources
from hook_widgets.webhooks.catalog.loading import load
from hook_widgets.webhooks.catalog.shelf import Shelf
from hook_widgets.webhooks.catalog.sources import Source
from hook_widgets.webhooks.provider import DEFAULT_URL, Provider

__all__ = ["DEFAULT_URL", "Provider", "add_providers", "problems", "provider", "providers", "read_provider"]

_added: list[Path] = []
_shelves: list[Shelf] = []  # the current one, once there is one


def providers() -> tuple[Provider, ...]:
    """Every provider that can be used, sorted by title; the same tuple until a file changes."""
    return _shelf().providers


def provider(name: str) -> Provider:
    """The provider of that id.

    Args:
        name: its id, such as ``"stripe"``.

    Raises:
        UnknownName: there is none; names the nearest.
        CatalogError: its data is wrong; names file, lines and fields.
    """
    return _shelf().provider(name)


def problems() -> tuple[tuple[str, str], ...]:
    """The user's and the installed providers that cannot be used: where each stands, and why."""
    return _shelf().problems


def add_providers(path: str | PathLike[str]) -> tuple[str, ...]:
    """Use the providers that stand at a path, until this Python ends; the ids found there.

    Data that is wrong does not stop the others; see `problems`.

    Args:
        path: a provider's folder, an ``….provider.toml`` file, or a folder with several of them.

    Raises:
        CatalogError: there is no provider.
    """
    place = Path(path).expanduser().resolve()
    found = sources.sources_at(place)
    if not found:
        raise CatalogError(
            f"{place}: there is no provider; name a folder with provider.toml in it, "
            f"a file such as acme{sources.SUFFIX}, or a folder that holds some"
        )
    if place not in _added:
        _added.append(place)
    return tuple(source.name for source in found)


def read_provider(place: Traversable) -> Provider:
    """The provider of one folder or file, which need not be in the catalogue but may inherit from it.

    Raises:
        CatalogError: the data is wrong; names file, lines and fields.
    """
    source = sources.source_at(place)
    if source is None:
        raise CatalogError(f"{place}: there is no provider.toml in it, and it is no …{sources.SUFFIX} file")
    return load(source, _shelf().source, bodies=True)


def _shelf() -> Shelf:
    try:
        here: Path | None = Path.cwd()
    except OSError:  # the working directory was deleted
        here = None
    if not _shelves or not _shelves[0].is_current(here, _added):
        _shelves[:] = [Shelf(_built_in(), _built_in_provider, here, _added)]
    return _shelves[0]


def _root() -> Traversable:
    return files("hook_widgets.webhooks") / "providers"


@cache
def _built_in() -> dict[str, Source]:
    return {source.name: source for source in sources.sources_in(_root())}


@cache
def _built_in_provider(name: str) -> Provider:
    return load(_built_in()[name], _built_in().__getitem__)
