"""Compare operations: parameters, bodies and responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.change import Change, Direction
from hook_widgets.versioning.compat.openapi.document.located import Place, same_content
from hook_widgets.versioning.compat.openapi.document.pair import Section
from hook_widgets.versioning.compat.openapi.fields.media_types import compare_contents
from hook_widgets.versioning.compat.openapi.fields.parameters import compare_parameters, parameters_of
from hook_widgets.versioning.compat.openapi.fields.values import compare_field_values
from hook_widgets.versioning.compat.renames import match_renamed

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


def compare_responses(section: Section, old: Place, new: Place) -> Iterator[Change]:
    """Compare the ``responses`` of two operations."""
    before, after = _by_status(old), _by_status(new)
    names_success = not _no_success(before)
    for status, place in before.items():
        inside = section.inside(f"response {status}")
        error = _is_error(status, names_success=names_success)
        if status in after:
            yield from _compare_one(inside, place, after[status], error=error)
            continue
        spend(len(after) // 4 if status.endswith("XX") else 1)
        if status.endswith("XX") and any(other[:1] == status[:1] and other not in before for other in after):
            continue  # the new document lists the statuses of the range, which are compared below
        ranged = None if error else _cover(after, status, error=False)
        if ranged is not None:  # a success in the range is one still
            yield from _compare_one(inside, place, ranged, error=error)
            continue
        # The default names no status that a client could expect.
        word = "error" if error or status == "default" else "success"
        yield inside.change(f"{word}-status-removed", place, f"The response {status} was removed.")
        cover = _cover(after, status, error=error)
        if cover is not None:
            yield from _only_breaking(_compare_one(inside, place, cover, error=error))
    for status, place in after.items():
        if status in before:
            continue
        inside = section.inside(f"response {status}")
        error = _is_error(status, names_success=names_success)
        word = "error" if error else "success"
        yield inside.change(f"{word}-status-added", place, f"The response {status} was added.")
        cover = _cover(before, status, error=error)
        if cover is not None:
            yield from _only_breaking(_compare_one(inside, cover, place, error=error))


def _compare_one(section: Section, old: Place, new: Place, *, error: bool) -> Iterator[Change]:
    yield from compare_headers(section, old.at("headers"), new.at("headers"))
    for change in compare_contents(section, old.at("content"), new.at("content"), is_response=True):
        yield replace(change, rule="error-format-changed") if error and change.breaking else change
    yield from section.documentation(old, new, ("summary", "description", "links"))


def _only_breaking(changes: Iterator[Change]) -> Iterator[Change]:
    """Drop changes that break nothing, because another status covered this one before."""
    return (change for change in changes if change.breaking)


def _by_status(place: Place) -> dict[str, Place]:
    return {status.upper() if status != "default" else status: at for status, at in place.members().items()}


def _no_success(statuses: Mapping[str, Place]) -> bool:
    spend(len(statuses) // 4)
    return not any(status[:1] in ("1", "2", "3") for status in statuses)


def _is_error(status: str, *, names_success: bool) -> bool:
    return status[:1] in ("4", "5") or (status == "default" and names_success)


def _cover(statuses: Mapping[str, Place], status: str, *, error: bool) -> Place | None:
    """Return the response that covers a status without its own entry: its range, or the default.

    The default covers errors, and successes if no success status is listed.
    """
    if status == "default":
        return None
    ranged = statuses.get(f"{status[:1]}XX")
    if ranged is not None or not (error or _no_success(statuses)):
        return ranged
    return statuses.get("default")


def compare_headers(section: Section, old: Place, new: Place) -> Iterator[Change]:
    """Compare the ``headers`` of two responses."""
    before, after = _named(old), _named(new)
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    pairs = match_renamed(removed, added, lambda was, is_: same_content(before[was][1], after[is_][1]))
    for name, (label, place) in before.items():
        inside = section.inside(f"header {label}")
        now, twin = after.get(pairs.get(name, name), ("", None))
        if twin is None:
            detail = f"The {_requirement(place)} header {label} was removed."
            yield inside.change("header-removed", place, detail)
        elif name in pairs:
            yield inside.change("header-renamed", twin, f"Header {label} was renamed to {now}.")
        else:
            noun, word = f"Header {label}", _requirement(twin)
            if word != _requirement(place):
                yield inside.change(f"header-{word}", twin, f"{noun} is {word} now.")
            yield from compare_field_values(inside, place, twin, location="header", noun=noun)
    for name in added:
        if name not in pairs.values():
            label, place = after[name]
            word = _requirement(place)
            detail = f"The {word} header {label} was added."
            yield section.inside(f"header {label}").change(f"{word}-header-added", place, detail)


def _requirement(place: Place) -> str:
    return "required" if place.flag("required") else "optional"


def _named(place: Place) -> dict[str, tuple[str, Place]]:
    """Return the headers by lower-case name, except ``Content-Type``, which media types cover."""
    return {
        name.lower(): (name, header)
        for name, header in place.entries().items()
        if name.lower() != "content-type"
    }
