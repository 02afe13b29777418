"""Parameters, matched by place and name; those of a path by their position in the template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.matching import renamed
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import Sides, joined, told
from hook_widgets.versioning.changes.openapi.sunset import has_ended, unended
from hook_widgets.versioning.changes.openapi.values import values

Parameters = Mapping[tuple[str, str], Place]
"""By ``in`` and name; names of headers in lower case."""

_NAMES = re.compile(r"\{([^{}]*)\}")
_PLACES = ("path", "query", "header", "cookie", "querystring")
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})
"""Headers that are described elsewhere and passed over as parameters (OpenAPI 3.1 section 4.8.12.2.1)."""


def parameters_of(path_item: Mapping[str, Place], operation: Place) -> dict[tuple[str, str], Place]:
    """All parameters of an operation: its own before those of its path.

    Raises:
        InvalidDocument: one has no name or no known place.
    """
    found: dict[tuple[str, str], Place] = {}
    shared = path_item.get("parameters")
    own = operation.at("parameters")
    for parameter in [*(shared.items() if shared else []), *own.items()]:
        located, name = parameter.text("in"), parameter.text("name")
        if located not in _PLACES:
            raise parameter.at("in").wrong(f"one of {', '.join(_PLACES[:4])}")
        if not name:
            raise parameter.at("name").wrong("the parameter's name")
        if located == "header":
            name = name.lower()
            if name in _NOT_PARAMETERS:
                continue
        found[located, name] = parameter
    return found


def parameters(
    sides: Sides,
    old: Parameters,
    new: Parameters,
    *,
    paths: tuple[str, str] = ("", ""),
    direction: Direction,
    where: str,
) -> Iterator[Change]:
    """The differences between the parameters of two operations.

    Args:
        sides: both documents.
        old: the old operation's.
        new: the new operation's.
        paths: the old and the new path template.
        direction: who sends them.
        where: the operation in words.
    """
    twins = _path_names(old, new, paths)
    removed = [key for key in old if key not in new and key not in twins]
    added = [key for key in new if key not in old and key not in twins.values()]
    moved = {
        key: other
        for key in removed
        for other in added
        if key[0] != other[0] and key[1].lower() == other[1].lower()
    }
    rest = [key for key in removed if key not in moved], [key for key in added if key not in moved.values()]
    again = _renamed(old, new, rest)
    for key, place in old.items():
        name = place.text("name")
        said = f"Parameter {name}"
        if key in moved:
            twin = new[moved[key]]
            detail = f"{said} moved from {key[0]} to {moved[key][0]}."
            yield told("parameter-moved", twin, joined(where, twin.text("name")), detail)
        elif key in again:
            twin = new[again[key]]
            detail = f"{said} in {key[0]} was renamed to {twin.text('name')}."
            yield told("parameter-renamed", twin, joined(where, name), detail)
        elif key in removed:
            yield _removed(place, key[0], joined(where, name), sides.today)
        else:
            yield from _both(sides, place, new[twins.get(key, key)], direction, where)
    for key in rest[1]:
        if key not in again.values():
            yield _added(new[key], key[0], direction, where)


def _both(sides: Sides, old: Place, new: Place, direction: Direction, where: str) -> Iterator[Change]:
    name, located = new.text("name"), new.text("in")
    inside = joined(where, name)
    said = f"Parameter {name}"
    if located == "path" and old.text("name") != name:
        detail = f"Path parameter {old.text('name')} is named {name} now."
        yield told("path-parameter-renamed", new, inside, detail)
    was, is_ = _required(old), _required(new)
    if was != is_:
        word = "required" if is_ else "optional"
        yield told(f"parameter-{word}", new, inside, f"{said} is {word} now.", direction=direction)
    yield from values(sides, old, new, located=located, noun=said, direction=direction, where=inside)


def _removed(place: Place, located: str, where: str, today: date | None) -> Change:
    detail = f"Parameter {place.text('name')} in {located} was removed"
    if has_ended(place, today):
        said = f"{detail}; its end was announced for {place.at('x-sunset').value}."
        return told("parameter-removed-after-sunset", place, where, said)
    if place.flag("deprecated"):
        detail += f"; it was deprecated, {unended(place, today)}"
    return told("parameter-removed", place, where, f"{detail}.")


def _added(place: Place, located: str, direction: Direction, where: str) -> Change:
    name = place.text("name")
    word = "required" if _required(place) else "optional"
    detail = f"The {word} parameter {name} in {located} was added."
    return told(f"{word}-parameter-added", place, joined(where, name), detail, direction=direction)


def _required(place: Place) -> bool:
    return place.text("in") == "path" or place.flag("required")


def _path_names(
    old: Parameters, new: Parameters, paths: tuple[str, str]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Old and new keys of the parameters that stand at the same position of a template."""
    before, after = (_NAMES.findall(path) for path in paths)
    pairs = {("path", was): ("path", is_) for was, is_ in zip(before, after, strict=False)}
    return {was: is_ for was, is_ in pairs.items() if was in old and is_ in new}


def _renamed(
    old: Parameters, new: Parameters, rest: tuple[list[tuple[str, str]], list[tuple[str, str]]]
) -> dict[tuple[str, str], tuple[str, str]]:
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    for located in dict.fromkeys(key[0] for key in rest[0] if key[0] != "path"):
        before, after = (
            {key[1]: side[key] for key in keys if key[0] == located}
            for side, keys in zip((old, new), rest, strict=True)
        )
        names = renamed(before, after, before=before.__getitem__, after=after.__getitem__)
        pairs |= {(located, was): (located, is_) for was, is_ in names.items()}
    return pairs
