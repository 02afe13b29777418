"""The media types of a body, and what each of them carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import Sides, documented, joined, told

_PART = ("contentType", "style", "explode", "allowReserved", "headers")
_SCHEMAS = ("schema", "itemSchema")


@dataclass(frozen=True, slots=True)
class _Pair:
    old: str
    new: str
    rule: str = ""


def contents(
    sides: Sides, old: Place, new: Place, *, direction: Direction, where: str, answer: bool = False
) -> Iterator[Change]:
    """The differences between two maps of media types.

    Args:
        sides: both documents.
        old: the ``content`` of the old body.
        new: the ``content`` of the new body.
        direction: who writes the body.
        where: the body in words.
        answer: the body is an answer, whose media type is negotiated.
    """
    before, after = old.members(), new.members()
    pairs, removed, added = _matched(before, after)
    kind = "response" if answer else "request"
    for name in removed:
        detail = f"Media type {name} was removed."
        yield told(f"{kind}-media-type-removed", before[name], where, detail, direction=direction)
    for pair in pairs:
        if pair.rule:
            detail = f"Media type {pair.old} became {pair.new}."
            yield told(pair.rule, after[pair.new], where, detail, direction=direction)
        named = f"{where} ({pair.new})" if len(after) > 1 else where
        yield from _media(sides, before[pair.old], after[pair.new], direction, named)
    for name in added:
        detail = f"Media type {name} was added."
        yield told(f"{kind}-media-type-added", after[name], where, detail, direction=direction)


def _matched(
    before: Mapping[str, Place], after: Mapping[str, Place]
) -> tuple[list[_Pair], list[str], list[str]]:
    """Which media types belong together, which are gone, and which are new."""
    pairs: list[_Pair] = []
    left, right = list(before), list(after)
    for key, rule in ((_exact, ""), (_essence, "media-type-parameters-changed")):
        for name in list(left):
            twins = [other for other in right if key(other) == key(name)]
            if twins:
                pairs.append(_Pair(name, twins[0], rule))
                left.remove(name)
                right.remove(twins[0])
    used = set[str]()
    for name in list(left):
        wider = next((other for other in after if _covers(other, name)), None)
        narrower = [other for other in right if _covers(name, other)]
        if wider is not None:
            pairs.append(_Pair(name, wider, "media-type-widened"))
            used.add(wider)
        elif narrower:
            pairs += [_Pair(name, other, "media-type-narrowed") for other in narrower]
            used |= set(narrower)
        if wider is not None or narrower:
            left.remove(name)
    return pairs, left, [name for name in right if name not in used]


def _media(sides: Sides, old: Place, new: Place, direction: Direction, where: str) -> Iterator[Change]:
    for name in _SCHEMAS:
        before, after = old.at(name), new.at(name)
        if before.exists or after.exists:
            yield from sides.schemas(before, after, direction=direction, where=where)
    before, after = old.member("encoding"), new.member("encoding")
    if before.exists or after.exists:
        parts, others = before.members(), after.members()
        for name in dict.fromkeys([*parts, *others]):
            was, is_ = (_part(found.get(name)) for found in (parts, others))
            changed = [word for word in _PART if was.get(word) != is_.get(word)]
            if changed:
                place = others.get(name, after if after.exists else new)
                detail = f"Part {name} is written otherwise: {', '.join(changed)} changed."
                yield told("serialization-changed", place, joined(where, name), detail, direction=direction)
    yield from documented(old, new, ("example", "examples"), where)


def _part(place: Place | None) -> dict[str, object]:
    if place is None:
        return {}
    return {word: member.value for word, member in place.members(follow=False).items()}


def _exact(name: str) -> str:
    """Type and parameters, written one way; names are case-insensitive (RFC 9110 section 8.3.1)."""
    essence, *parameters = (part.strip().lower() for part in name.split(";"))
    return ";".join([essence, *sorted(parameters)])


def _essence(name: str) -> str:
    return name.partition(";")[0].strip().lower()


def _covers(range_: str, name: str) -> bool:
    """Whether a media range such as ``text/*`` includes a type (or a narrower range), and is not the same."""
    wide, narrow = _essence(range_), _essence(name)
    if wide == narrow or not wide.endswith("/*"):
        return False
    return wide == "*/*" or narrow.startswith(wide[:-1])
