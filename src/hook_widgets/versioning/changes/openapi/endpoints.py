"""Paths, webhooks and callbacks: which endpoints are gone, which are new, and what changed in the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.operations import Operation, interplay, operations_of
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.security import Security
from hook_widgets.versioning.changes.openapi.servers import servers
from hook_widgets.versioning.changes.openapi.sides import Sides, documented, joined, told
from hook_widgets.versioning.changes.openapi.sunset import endpoint_life, has_ended, unended

_NAMES = re.compile(r"\{[^{}]*\}")

Key = tuple[str, str]
"""Path and method."""


def endpoints(sides: Sides, old: Place, new: Place) -> Iterator[Change]:
    """The differences between all paths and webhooks of two documents.

    Args:
        sides: both documents.
        old: the root of the old document.
        new: the root of the new document.
    """
    security = Security(old, new)
    before, after = _all(old.at("paths")), _all(new.at("paths"))
    pairs = _paired(before, after)
    ids = {name: operation for operation in after.values() if (name := operation.place.text("operationId"))}
    for key, operation in before.items():
        if key not in pairs:
            yield _removed(sides, operation, ids)
            continue
        other = after[pairs[key]]
        where = f"{other.method.upper()} {other.path}"
        yield from security.endpoint(operation.place, other.place, where)
        if not (sides.same_parts and operation.written == other.written):
            yield from _endpoint(sides, operation, other, where)
    known = set(pairs.values())
    for key, operation in after.items():
        if key not in known:
            where = f"{operation.method.upper()} {operation.path}"
            yield told("endpoint-added", operation.place, where, f"The endpoint {where} was added.")
    yield from security.schemes()
    yield from _hooks(sides, old.at("webhooks"), new.at("webhooks"), "webhook", "")


def _endpoint(sides: Sides, old: Operation, new: Operation, where: str) -> Iterator[Change]:
    before, after = old.place, new.place
    yield from endpoint_life(before, after, where)
    was, is_ = before.text("operationId"), after.text("operationId")
    if was != is_:
        detail = f"The operationId was {was or 'missing'} and is {is_ or 'missing'} now."
        yield told("operation-id-changed", after, where, detail)
    own = _servers(old), _servers(new)
    if own[0] is not None or own[1] is not None:
        roots = (Place(root.value, "", root).at("servers") for root in (sides.old, sides.new))
        lists = [mine if mine is not None else whole for mine, whole in zip(own, roots, strict=True)]
        yield from servers(lists[0], lists[1], where)
    yield from interplay(sides, old, new, asking=Direction.REQUEST, where=where)
    items = [
        Place(_texts(side.item), side.place.pointer.rpartition("/")[0], side.place.root)
        for side in (old, new)
    ]
    yield from documented(items[0], items[1], ("summary", "description"), new.path)
    yield from _callbacks(sides, before, after, where)


def _callbacks(sides: Sides, old: Place, new: Place, where: str) -> Iterator[Change]:
    before, after = old.at("callbacks").members(), new.at("callbacks").members()
    for name in dict.fromkeys([*before, *after]):
        nothing = Place(None, f"{new.pointer}/callbacks", new.root)
        lists = before.get(name, nothing), after.get(name, nothing)
        yield from _hooks(sides, *lists, f"callback {name}", where)


def _hooks(sides: Sides, old: Place, new: Place, noun: str, where: str) -> Iterator[Change]:
    """Requests that the service sends: who writes and who reads is turned round."""
    before, after = _all(old), _all(new)
    for key, operation in before.items():
        inside = joined(where, f"{noun} {operation.path}, {operation.method.upper()}")
        if key not in after:
            ended = has_ended(operation.place, sides.today)
            rule = "endpoint-removed-after-sunset" if ended else "callback-removed"
            yield told(rule, operation.place, inside, f"The {noun} {operation.path} was removed.")
            continue
        other = after[key]
        if sides.same_parts and operation.written == other.written:
            continue
        yield from endpoint_life(operation.place, other.place, inside)
        yield from interplay(sides, operation, other, asking=Direction.RESPONSE, where=inside)
        pair = operation.place.pointer, other.place.pointer
        if pair not in sides.nested:  # references can make callbacks within callbacks endless
            sides.nested.add(pair)
            yield from _callbacks(sides, operation.place, other.place, inside)
    for key, operation in after.items():
        if key not in before:
            inside = joined(where, f"{noun} {operation.path}, {operation.method.upper()}")
            detail = f"The {noun} {operation.path} was added."
            yield told("callback-added", operation.place, inside, detail)


def _removed(sides: Sides, operation: Operation, ids: Mapping[str, Operation]) -> Change:
    where = f"{operation.method.upper()} {operation.path}"
    detail = f"The endpoint {where} was removed"
    if has_ended(operation.place, sides.today):
        said = f"{detail}; its end was announced for {operation.place.at('x-sunset').value}."
        return told("endpoint-removed-after-sunset", operation.place, where, said)
    moved = ids.get(operation.place.text("operationId"))
    if moved is not None:
        detail += f"; {moved.method.upper()} {moved.path} has its operationId now"
    elif operation.place.flag("deprecated"):
        detail += f"; it was deprecated, {unended(operation.place, sides.today)}"
    return told("endpoint-removed", operation.place, where, f"{detail}.")


def _all(place: Place) -> dict[Key, Operation]:
    return {
        (path, method): operation
        for path, item in place.members(follow=False).items()
        for method, operation in operations_of(path, item).items()
    }


def _paired(before: Mapping[Key, Operation], after: Mapping[Key, Operation]) -> dict[Key, Key]:
    """Endpoints of the same path and method; the names of path parameters do not count."""
    pairs = {key: key for key in before if key in after}
    left: dict[Key, Key] = {}
    for key in after:
        if key not in pairs:
            left.setdefault((_NAMES.sub("{}", key[0]), key[1]), key)
    for key in before:
        if key not in pairs:
            twin = left.pop((_NAMES.sub("{}", key[0]), key[1]), None)
            if twin is not None:
                pairs[key] = twin
    return pairs


def _servers(operation: Operation) -> Place | None:
    own = operation.place.at("servers")
    return own if own.exists else operation.item.get("servers")


def _texts(item: Mapping[str, Place]) -> dict[str, object]:
    return {name: item[name].value for name in ("summary", "description") if name in item}
