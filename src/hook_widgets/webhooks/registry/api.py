"""The registry of all known providers, by id.

Providers come from this package, from installed packages, and from the user's own files, next to the notebook
or at the paths given to `add_providers`. The user's files are checked for changes at every call, so an edit
takes effect at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hook_widgets.errors import CatalogError
from hook_widgets.webhooks.registry import sources
from hook_widgets.webhooks.registry.compiled_catalog import compiled_provider
from hook_widgets.webhooks.registry.lazy_registry import Registry
from hook_widgets.webhooks.registry.sources import Source
from hook_widgets.webhooks.requests.provider import Provider

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_T = TypeVar("_T")

_added: list[Path] = []
_registries: list[Registry] = []  # the current one, once it was loaded


def providers() -> tuple[Provider, ...]:
    """Return every usable provider, sorted by title; the same tuple until a file changes."""
    return _registry().providers


def provider(name: str) -> Provider:
    """Return the provider with that id.

    Args:
        name: its id, such as ``"stripe"``; capitals and spaces do not count.

    Raises:
        UnknownName: there is none; the message suggests the nearest id.
        CatalogError: its data is wrong; the message names file, lines and fields.
    """
    return _registry().provider(name)


def per_registry(compute: Callable[[tuple[Provider, ...]], _T]) -> Callable[[], _T]:
    """Decorate a function of all providers, whose result is kept until `providers` changes."""
    cache: list[tuple[tuple[Provider, ...], _T]] = []  # one entry: the providers, and their result

    def current() -> _T:
        known = providers()
        if not cache or cache[0][0] is not known:
            cache[:] = [(known, compute(known))]
        return cache[0][1]

    return current


def problems() -> tuple[tuple[str, str], ...]:
    """Return the place of each user's or installed provider that cannot be used, and the reason."""
    return _registry().problems


def add_providers(path: str | PathLike[str]) -> tuple[str, ...]:
    """Add the providers at a path until the end of this Python process, and return their ids.

    A provider with wrong data does not affect the others; see `problems`.

    Args:
        path: a provider's folder, an ``….provider.toml`` file, or a folder with several of them.

    Raises:
        CatalogError: there is no provider.
    """
    place = Path(path).expanduser().resolve()
    added = sources.sources_at(place)
    if not added:
        raise CatalogError(
            f"{place}: there is no provider; name a folder with provider.toml in it, "
            f"a file such as acme{sources.SUFFIX}, or a folder that holds some"
        )
    if place not in _added:
        _added.append(place)
    return tuple(source.name for source in added)


def read_provider(place: Traversable) -> Provider:
    """Load the provider of one folder or file, which may inherit from providers of the registry.

    Raises:
        CatalogError: the data is wrong; the message names file, lines and fields.
    """
    source = sources.source_at(place)
    if source is None:
        raise CatalogError(f"{place}: there is no provider.toml in it, and it is no …{sources.SUFFIX} file")
    from hook_widgets.webhooks.registry.loading import load

    return load(source, _registry().source, bodies=True)


def _registry() -> Registry:
    try:
        folder: Path | None = Path.cwd()
    except OSError:  # the working directory was deleted
        folder = None
    if not _registries or not _registries[0].is_current(folder, _added):
        _registries[:] = [Registry(built_in(), _built_in_provider, folder, _added)]
    return _registries[0]


@cache
def built_in() -> dict[str, Source]:
    """Return the sources of this package's providers, by id."""
    return {source.name: source for source in sources.sources_in(_root())}


def _root() -> Traversable:
    folder = Path(__file__).parent.parent / "data"
    if folder.is_dir():
        return folder
    from importlib.resources import files  # takes longer, and also finds a package in an archive

    return files("hook_widgets.webhooks") / "data"


@cache
def _built_in_provider(name: str) -> Provider:
    provider = compiled_provider(name, built_in().__getitem__)
    if provider is None:
        from hook_widgets.webhooks.registry.loading import load

        provider = load(built_in()[name], built_in().__getitem__)
    return provider
