"""Reading a provider from its data, and saying where that is wrong.

The data is a ``provider.toml`` (see `hook_widgets.webhooks.scheme` for its records) with the event bodies in
``events/`` beside it, or a single TOML file with the bodies in it; either is sent byte for byte.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import ValidationError

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks.catalog.bodyrules import body_faults
from hook_widgets.webhooks.catalog.faults import Fault, faults_of, report
from hook_widgets.webhooks.catalog.rules import faults
from hook_widgets.webhooks.catalog.sources import Source
from hook_widgets.webhooks.catalog.tomllines import TomlLines
from hook_widgets.webhooks.handshake import NO_BODY
from hook_widgets.webhooks.provider import Provider

# What a provider takes over from the one that it inherits from.
_INHERITED = ("key", "schemes", "parts")
_OF_BODIES = ("params", "handshakes", "events")  # and these when it has no events of its own
_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def load(source: Source, parent: Callable[[str], Source], *, bodies: bool = False) -> Provider:
    """The provider whose data `source` is.

    Args:
        source: where its data stands.
        parent: finds the source of a provider that this one may inherit from; raises `UnknownName`.
        bodies: read the bodies, too, and hold them against the rest.

    Raises:
        CatalogError: the data is wrong; names file, lines and fields.
    """
    text = source.text()
    data = _toml(source, text)

    def check(found: Iterator[Fault] | list[Fault]) -> None:
        wrong = list(found)
        if wrong:
            raise CatalogError(report(source.label, wrong, TomlLines(text)))

    chain = _inherit(data, source, parent, check)
    try:
        # By way of JSON, because there a strict record takes names for enums and lists for tuples.
        found = Provider.model_validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        check(faults_of(error, Provider, data))
        raise CatalogError(f"{source.label}: {error}") from None  # a kind of error that is new to us
    found._folders = tuple(each.folder for each in chain if each.folder is not None)
    check([*_name_faults(found, source), *faults(found), *_missing_bodies(found, source)])
    if bodies:
        check(body_faults(found))
    return found


def _inherit(
    data: dict[str, Any],
    source: Source,
    parent: Callable[[str], Source],
    check: Callable[[list[Fault]], None],
) -> list[Source]:
    """Fill in what the data takes over; the sources that it all comes from, its own first."""
    chain, own, base = [source], frozenset(data), data.get("inherits")
    while isinstance(base, str):
        below = chain[-1].below if base == chain[-1].name else None
        try:
            chain.append(below or parent(base))
        except UnknownName as error:
            check([Fault(("inherits",), str(error))])
        if chain[-1] in chain[:-1]:
            check([Fault(("inherits",), f"{base!r} inherits from this provider itself")])
        try:
            heir = _toml(chain[-1], chain[-1].text())
        except CatalogError as error:
            check([Fault(("inherits",), str(error))])
        for table in _INHERITED if "events" in own else _INHERITED + _OF_BODIES:
            if table in heir:
                data.setdefault(table, heir[table])
        base = heir.get("inherits")
    return chain


def _toml(source: Source, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, at = str(error), _AT_LINE.search(str(error))
        line = at[1] if at else len(text.rstrip().splitlines())
        said = f"{said[: at.start()]}, at column {at[2]}" if at else said
        raise CatalogError(f"{source.label}, line {line}: it is not TOML: {said}") from None


def _name_faults(found: Provider, source: Source) -> Iterator[Fault]:
    if found.id != source.name:
        what = "folder" if source.folder is not None else "file"
        yield Fault(("id",), f"it is {found.id!r}, but the {what} is named for {source.name!r}")
    if source.below is not None and not found.replaces:
        yield Fault(
            ("id",), f"there is a provider {found.id!r} already; write replaces = true among the first fields"
        )


def _missing_bodies(found: Provider, source: Source) -> Iterator[Fault]:
    there = {path.name for folder in found._folders for path in _files(folder / "events")}
    for number, event in enumerate(found.events):
        if event.body is None and event.body_file not in there | {NO_BODY}:
            inside = "write it here as body = '''…'''"
            text = f"{inside}, or to events/{event.body_file}" if source.folder is not None else inside
            yield Fault(("events", number), f"the body of {event.name!r} is missing; {text}")


def _files(folder: Traversable) -> list[Traversable]:
    return list(folder.iterdir()) if folder.is_dir() else []
