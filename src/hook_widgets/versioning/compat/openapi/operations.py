"""Compare operations: parameters, bodies and responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hook_widgets.versioning.compat.budget import charge_text
from hook_widgets.versioning.compat.change import Change, Direction
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import Section
from hook_widgets.versioning.compat.openapi.fields.media_types import compare_contents
from hook_widgets.versioning.compat.openapi.fields.parameters import compare_parameters, parameters_of
from hook_widgets.versioning.compat.openapi.responses import compare_responses

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The members of a path item that are operations (``query`` since OpenAPI 3.2)."""
_ADDITIONAL = "additionalOperations"  # operations by other methods, since OpenAPI 3.2


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An operation and its path.

    Attributes:
        method: in lower case; as written for a method of ``additionalOperations``, where case matters.
        path: the path as written; for callbacks the expression, for webhooks the name.
        item: the members of the path item.
        place: the operation.
    """

    method: str
    path: str
    item: Mapping[str, Place]
    place: Place

    @property
    def verb(self) -> str:
        """The method as it is sent in requests."""
        return self.method.upper() if self.method in METHODS else self.method

    @property
    def servers(self) -> Place | None:
        """The servers of the operation or its path; None if those of the document apply."""
        own = self.place.at("servers")
        return own if own.exists else self.item.get("servers")

    @property
    def source_text(self) -> str:
        """The operation and its shared members as text, to detect identical operations."""
        shared = {
            name: place.value for name, place in self.item.items() if name not in (*METHODS, _ADDITIONAL)
        }
        return charge_text(repr((self.path, shared, self.place.value)))


def operations_of(path: str, place: Place) -> dict[str, Operation]:
    """Return the operations of a path by method; members beside a ``$ref`` override those of its target."""
    target = place.followed()
    item = target.members()
    if target is not place:
        item |= {name: member for name, member in place.members(follow=False).items() if name != "$ref"}
    operations = {}
    for method, operation in item.items():
        if method in METHODS:
            operation.members(follow=False)  # raises unless it is an object
            operations[method] = Operation(method, path, item, operation)
    if _ADDITIONAL in item:
        for name, operation in item[_ADDITIONAL].members().items():
            # A method with a member of its own must not be here; documents older than `query` have it here.
            method = name.lower() if name.isupper() and name.lower() in METHODS else name
            operation.members(follow=False)
            operations.setdefault(method, Operation(method, path, item, operation))
    return operations


def compare_exchange(section: Section, old: Operation, new: Operation) -> Iterator[Change]:
    """Compare requests and responses of two operations; the section has the direction of the requests."""
    is_request = section.direction is Direction.REQUEST
    back = replace(section, direction=Direction.RESPONSE if is_request else Direction.REQUEST)
    before, after = old.place, new.place
    parameters = parameters_of(old.item, before), parameters_of(new.item, after)
    yield from compare_parameters(section, *parameters, paths=(old.path, new.path))
    yield from _body(
        section.inside("request body"), before.member("requestBody"), after.member("requestBody")
    )
    yield from compare_responses(back, before.at("responses"), after.at("responses"))
    yield from section.documentation(before, after, ("tags", "summary", "description", "externalDocs"))


def _body(section: Section, old: Place, new: Place) -> Iterator[Change]:
    if not old.exists and not new.exists:
        return
    if not new.exists:
        yield section.change("request-body-removed", old, "The request body was removed.")
        return
    word = "required" if new.flag("required") else "optional"
    if not old.exists:
        yield section.change(f"{word}-request-body-added", new, f"The {word} request body was added.")
        return
    if old.flag("required") != new.flag("required"):
        yield section.change(f"request-body-{word}", new, f"The request body is {word} now.")
    yield from compare_contents(section, old.at("content"), new.at("content"))
    yield from section.documentation(old, new, ("description",))
