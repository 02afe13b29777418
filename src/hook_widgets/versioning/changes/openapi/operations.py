"""One operation against another: everything between a method and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.contents import contents
from hook_widgets.versioning.changes.openapi.parameters import parameters, parameters_of
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.responses import responses
from hook_widgets.versioning.changes.openapi.sides import Sides, documented, joined, told

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The members of a path that are operations (``query`` since OpenAPI 3.2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An operation and the path it stands in.

    Attributes:
        method: in lower case.
        path: the path as it is written; for callbacks their expression, for webhooks their name.
        item: the members of the path.
        place: the operation.
    """

    method: str
    path: str
    item: Mapping[str, Place]
    place: Place

    @property
    def written(self) -> str:
        """Everything that is written of it and beside it, to see whether two are the same."""
        shared = {name: place.value for name, place in self.item.items() if name not in METHODS}
        return repr((self.path, shared, self.place.value))


def operations_of(path: str, place: Place) -> dict[str, Operation]:
    """The operations of a path by method; members beside a ``$ref`` win over the ones it leads to.

    Raises:
        InvalidDocument: the path is no object, or a reference leads nowhere.
    """
    target = place.followed()
    item = target.members()
    if target is not place:
        item |= {name: member for name, member in place.members(follow=False).items() if name != "$ref"}
    found = {}
    for method, operation in item.items():
        if method in METHODS:
            operation.members(follow=False)  # it must be an object
            found[method] = Operation(method, path, item, operation)
    return found


def interplay(
    sides: Sides, old: Operation, new: Operation, *, asking: Direction, where: str
) -> Iterator[Change]:
    """The differences in what is sent and what is answered.

    Args:
        sides: both documents.
        old: the old operation.
        new: the new one.
        asking: who writes the request: a client (``REQUEST``), or in callbacks and webhooks the service.
        where: the operation in words.
    """
    answering = Direction.RESPONSE if asking is Direction.REQUEST else Direction.REQUEST
    before, after = old.place, new.place
    yield from parameters(
        sides,
        parameters_of(old.item, before),
        parameters_of(new.item, after),
        paths=(old.path, new.path),
        direction=asking,
        where=where,
    )
    yield from _body(sides, before.member("requestBody"), after.member("requestBody"), asking, where)
    yield from responses(
        sides, before.at("responses"), after.at("responses"), direction=answering, where=where
    )
    yield from documented(before, after, ("tags", "summary", "description", "externalDocs"), where)


def _body(sides: Sides, old: Place, new: Place, direction: Direction, where: str) -> Iterator[Change]:
    inside = joined(where, "request body")
    if not old.exists and not new.exists:
        return
    if not new.exists:
        yield told("request-body-removed", old, inside, "The request body was removed.")
        return
    word = "required" if new.flag("required") else "optional"
    if not old.exists:
        detail = f"The {word} request body was added."
        yield told(f"{word}-request-body-added", new, inside, detail, direction=direction)
        return
    if old.flag("required") != new.flag("required"):
        detail = f"The request body is {word} now."
        yield told(f"request-body-{word}", new, inside, detail, direction=direction)
    yield from contents(sides, old.at("content"), new.at("content"), direction=direction, where=inside)
    yield from documented(old, new, ("description",), inside)
