"""Lazily loaded registry of providers, valid until a source file changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from hook_widgets.errors import CatalogError, UnknownName, nearest
from hook_widgets.webhooks.registry import sources
from hook_widgets.webhooks.registry.popularity import popular
from hook_widgets.webhooks.registry.sources import Source
from hook_widgets.webhooks.requests.provider import Provider


class Registry:
    """The providers of this package, of installed packages and of the user.

    Args:
        built_in: the sources of this package, by id.
        read_built_in: loads a provider of this package.
        notebook: the folder of the notebook, if there is one.
        added: other paths that the user added.
    """

    def __init__(
        self,
        built_in: Mapping[str, Source],
        read_built_in: Callable[[str], Provider],
        notebook: Path | None,
        added: Sequence[Path],
    ) -> None:
        self._built_in = built_in
        self._read_built_in = read_built_in
        self._places = _places(notebook, added)
        self._own = [
            source for place in ([notebook] if notebook else []) for source in sources.beside_notebook(place)
        ]
        self._own += [source for place in added for source in sources.sources_at(place)]
        self._watched = [*self._places, *(path for source in self._own for path in _paths(source))]
        self._stamp = sources.stamp(self._watched)
        self._loaded: dict[str, Provider | str] = {}

    def is_current(self, notebook: Path | None, added: Sequence[Path]) -> bool:
        """Return True if no file of the user was changed, added or removed."""
        return self._places == _places(notebook, added) and self._stamp == sources.stamp(self._watched)

    def source(self, name: object) -> Source:
        """Return the source of a provider.

        Raises:
            UnknownName: there is none; the message suggests the nearest id.
        """
        # Installed packages are searched only for other ids, as that takes as long as loading a provider.
        if (
            isinstance(name, str)
            and name in self._built_in
            and not any(source.name == name for source in self._own)
        ):
            return self._built_in[name]
        known = self._index.sources
        if not isinstance(name, str):
            raise UnknownName(f"there is no provider {name!r}; {nearest(str(name), known)}")
        if name in known:
            return known[name]
        written = re.sub(r"[\s_.]+", "-", name.strip().lower())
        if written in known:  # "Stripe", "Standard Webhooks"
            return known[written]
        raise UnknownName(f"there is no provider {name!r}; {_suggestion(written, known)}")

    def provider(self, name: str) -> Provider:
        """Return the provider with that id; see `hook_widgets.webhooks.registry.provider`."""
        source = self.source(name)
        name = source.name
        if source is self._built_in.get(name):
            return self._read_built_in(name)
        if name not in self._loaded:
            from hook_widgets.webhooks.registry.loading import load

            try:
                self._loaded[name] = load(source, self.source, bodies=True)
            except CatalogError as error:
                self._loaded[name] = str(error)
        provider = self._loaded[name]
        if isinstance(provider, str):
            raise CatalogError(provider)
        return provider

    @cached_property
    def providers(self) -> tuple[Provider, ...]:
        """The usable providers, sorted by title."""
        usable = []
        for name, source in self._index.sources.items():
            try:
                usable.append(self.provider(name))
            except CatalogError:
                if source is self._built_in.get(name):
                    raise  # `problems` reports the others
        return tuple(sorted(usable, key=lambda provider: provider.title.lower()))

    @property
    def problems(self) -> tuple[tuple[str, str], ...]:
        """The place of each provider that cannot be used, and the reason."""
        _ = self.providers  # loads them all
        results = ((str(self._index.sources[name].file), result) for name, result in self._loaded.items())
        errors = ((place, error) for place, error in results if isinstance(error, str))
        return (*self._index.unusable, *errors)

    @cached_property
    def _index(self) -> _Index:
        others, unusable = sources.installed()
        index = _Index(dict(self._built_in), list(unusable))
        for source in (*others, *self._own):
            index.put(source)
        return index


def _suggestion(name: str, known: Collection[str]) -> str:
    """Return a hint: the best known provider whose id begins so, else the nearest id."""
    ranked = [*popular(), *sorted(known)]
    begun = [other for other in ranked if other in known and len(name) > 1 and other.startswith(name)]
    return f"did you mean {begun[0]!r}?" if begun else nearest(name, known)


@dataclass(frozen=True)
class _Index:
    """The assignment of ids to sources."""

    sources: dict[str, Source]
    unusable: list[tuple[str, str]]  # the place of each source that has no id, and the reason

    def put(self, source: Source) -> None:
        """Add a source; it replaces another of the same id if it declares so."""
        known = self.sources.get(source.name)
        if known is None:
            self.sources[source.name] = source
        elif known.file == source.file:
            return  # the same file, by two paths
        elif source.replaces:
            self.sources[source.name] = replace(source, below=known)
        else:
            or_else = "" if source.installed else ", or write replaces = true to use this one in its place"
            text = f"there is a provider {source.name!r} already; choose another id{or_else}"
            self.unusable.append((str(source.file), f"{source.label}: {text}"))


def _places(notebook: Path | None, added: Sequence[Path]) -> list[Path]:
    return [*([notebook, notebook / sources.FOLDER] if notebook else []), *added]


def _paths(source: Source) -> list[Path]:
    """Return the paths that change with a user's provider: its TOML file and the folder of its bodies."""
    events = [Path(str(source.folder)) / "events"] if source.folder is not None else []
    return [Path(str(source.file)), *events]
