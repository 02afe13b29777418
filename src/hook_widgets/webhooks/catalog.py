"""The catalogue: every provider that is known, by its id."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from hook_widgets.errors import UnknownName, nearest
from hook_widgets.webhooks.loading import load
from hook_widgets.webhooks.provider import DEFAULT_URL, Provider

__all__ = ["DEFAULT_URL", "Provider", "provider", "providers", "read_provider"]


@cache
def providers() -> tuple[Provider, ...]:
    """Every provider, sorted by title."""
    return tuple(sorted((provider(name) for name in _names()), key=lambda p: p.title.lower()))


def provider(name: str) -> Provider:
    """The provider of that id.

    Raises:
        UnknownName: there is none; names the nearest.
        CatalogError: its data is wrong.
    """
    _check_name(name)
    return _provider(name)


@cache
def _provider(name: str) -> Provider:
    return read_provider(_folder(name))


def read_provider(folder: Traversable) -> Provider:
    """The provider whose data stands in `folder`; it may inherit from those of the catalogue.

    Raises:
        CatalogError: the data is wrong; names file and field.
    """
    return load(folder, _known_folder)


def _known_folder(name: str) -> Traversable:
    _check_name(name)
    return _folder(name)


def _check_name(name: object) -> None:
    if name not in _names():
        raise UnknownName(f"there is no provider {name!r}. {nearest(str(name), _names())}")


def _root() -> Traversable:
    return files("hook_widgets.webhooks") / "providers"


def _folder(name: str) -> Traversable:
    return _root() / name


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(f.name for f in _root().iterdir() if (f / "provider.toml").is_file()))
