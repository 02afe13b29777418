"""All providers there are while no file changes, each read when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hook_widgets.errors import CatalogError, UnknownName, nearest
from hook_widgets.webhooks.catalog import sources
from hook_widgets.webhooks.catalog.loading import load
from hook_widgets.webhooks.catalog.sources import Source
from hook_widgets.webhooks.provider import Provider


class Shelf:
    """The providers of this package, of installed packages and of the user.

    Args:
        built_in: the sources of this package.
        read_built_in: reads one of those.
        here: the folder of the notebook, if there is one.
        added: other places of the user's.
    """

    def __init__(
        self,
        built_in: Mapping[str, Source],
        read_built_in: Callable[[str], Provider],
        here: Path | None,
        added: Sequence[Path],
    ) -> None:
        self._built_in = built_in
        self._read_built_in = read_built_in
        self._places = _places(here, added)
        self._own = [
            source for place in ([here] if here else []) for source in sources.beside_notebook(place)
        ]
        self._own += [source for place in added for source in sources.sources_at(place)]
        self._watched = [*self._places, *(path for source in self._own for path in _paths(source))]
        self._stamp = sources.stamp(self._watched)
        self._read: dict[str, Provider | str] = {}

    def is_current(self, here: Path | None, added: Sequence[Path]) -> bool:
        """Whether no file of the user's has changed, come or gone."""
        return self._places == _places(here, added) and self._stamp == sources.stamp(self._watched)

    def source(self, name: object) -> Source:
        """The data of a provider.

        Raises:
            UnknownName: there is none; names the nearest.
        """
        # Packages are looked through only for what is not ours: it takes as long as a provider takes to read.
        if (
            isinstance(name, str)
            and name in self._built_in
            and not any(source.name == name for source in self._own)
        ):
            return self._built_in[name]
        known = self._index.sources
        if not isinstance(name, str) or name not in known:
            raise UnknownName(f"there is no provider {name!r}. {nearest(str(name), known)}")
        return known[name]

    def provider(self, name: str) -> Provider:
        """The provider of that id; see `hook_widgets.webhooks.catalog.provider`."""
        source = self.source(name)
        if source is self._built_in.get(name):
            return self._read_built_in(name)
        if name not in self._read:
            try:
                self._read[name] = load(source, self.source, bodies=True)
            except CatalogError as error:
                self._read[name] = str(error)
        found = self._read[name]
        if isinstance(found, str):
            raise CatalogError(found)
        return found

    @cached_property
    def providers(self) -> tuple[Provider, ...]:
        """Those that can be used, sorted by title."""
        found = []
        for name, source in self._index.sources.items():
            try:
                found.append(self.provider(name))
            except CatalogError:
                if source is self._built_in.get(name):
                    raise  # of the others `problems` tells
        return tuple(sorted(found, key=lambda provider: provider.title.lower()))

    @property
    def problems(self) -> tuple[tuple[str, str], ...]:
        """Where a provider stands that cannot be used, and why."""
        _ = self.providers  # reads them all
        wrong = ((str(self._index.sources[name].file), said) for name, said in self._read.items())
        return (*self._index.unusable, *((where, said) for where, said in wrong if isinstance(said, str)))

    @cached_property
    def _index(self) -> _Index:
        others, unusable = sources.installed()
        index = _Index(dict(self._built_in), list(unusable))
        for source in (*others, *self._own):
            index.put(source)
        return index


@dataclass(frozen=True)
class _Index:
    """Who has which id.

    Attributes:
        sources: id to source.
        unusable: where others stand, and why they have none.
    """

    sources: dict[str, Source]
    unusable: list[tuple[str, str]]

    def put(self, source: Source) -> None:
        """Add a source, in the place of another if it says so."""
        known = self.sources.get(source.name)
        if known is None:
            self.sources[source.name] = source
        elif known.file == source.file:
            return  # found in two ways
        elif source.replaces:
            self.sources[source.name] = source.over(known)
        else:
            or_else = "" if source.installed else ", or write replaces = true to use this one in its place"
            text = f"there is a provider {source.name!r} already; choose another id{or_else}"
            self.unusable.append((str(source.file), f"{source.label}: {text}"))


def _places(here: Path | None, added: Sequence[Path]) -> list[Path]:
    return [*([here, here / sources.FOLDER] if here else []), *added]


def _paths(source: Source) -> list[Path]:
    """What a change of a user's provider is seen by: its TOML and the folder of its bodies."""
    events = [Path(str(source.folder)) / "events"] if source.folder is not None else []
    return [Path(str(source.file)), *events]
