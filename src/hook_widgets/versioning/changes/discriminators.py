"""``discriminator`` of OpenAPI: which value of a field says which schema an object has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.forms import Form
from hook_widgets.versioning.changes.pair import Pair, listed, shown
from hook_widgets.versioning.changes.refs import Part
from hook_widgets.versioning.changes.rules import Effect

_WORD = "discriminator"
_COMPONENTS = "#/components/schemas/"


def compare_discriminators(pair: Pair) -> None:
    """Tell what changed in a discriminator; values of alternatives that came or went are told with these."""
    old, new = pair.old.notes.get(_WORD), pair.new.notes.get(_WORD)
    if not isinstance(old, dict) or not isinstance(new, dict):
        if old is None:
            pair.tell("discriminator-added", f"discriminator is now {shown(new)} and was not set.", _WORD)
        else:
            after = "no longer set" if new is None else f"now {shown(new)}"
            detail = f"discriminator was {shown(old)} and is {after}."
            pair.tell("discriminator-changed", detail, _WORD, gone=new is None)
        return
    had, has = _mapping(old), _mapping(new)
    field = str(new.get("propertyName"))
    if old.get("propertyName") != new.get("propertyName"):
        detail = (
            f"The field that tells the types apart was {shown(old.get('propertyName'))} "
            f"and is now {shown(new.get('propertyName'))}."
        )
        pair.tell("discriminator-changed", detail, _WORD, "propertyName")
    were, are = list(_alternatives(pair.old)), list(_alternatives(pair.new))
    # Where some went and others came they may be the same under new names, so their values are told too.
    renamed = bool(set(were) - set(are) and set(are) - set(were))
    lost = _missing(had, were, has, are, all_=renamed)
    gained = _missing(has, are, had, were, all_=renamed)
    moved = [value for value, name in had.items() if value in has and not _same(pair, name, has[value])]
    if lost:
        detail = f"The field {field} no longer names a schema by {listed(lost)}."
        pair.tell("discriminator-changed", detail, _WORD, "mapping")
    if moved:
        detail = f"The field {field} names another schema by {listed(moved)}."
        pair.tell("discriminator-changed", detail, _WORD, "mapping")
    if gained:
        detail = f"The field {field} also names a schema by {listed(gained)}."
        pair.tell("discriminator-added", detail, _WORD, "mapping")


def _missing(
    had: Mapping[str, object],
    before: list[str],
    has: Mapping[str, object],
    after: list[str],
    *,
    all_: bool,
) -> list[str]:
    """Values that named a schema and no longer do; a component that nothing maps is named by its own name."""
    mapped = {_target(name) for name in had.values()}
    named = {**{_own_name(target): target for target in before if target not in mapped}, **had}
    known = {*has, *(_own_name(target) for target in after)}
    return [
        value
        for value, name in named.items()
        if value not in known and (all_ or _target(name) not in before or _target(name) in after)
    ]


def _own_name(target: str) -> str:
    return target.rsplit("/", 1)[-1]


def _mapping(discriminator: Mapping[str, object]) -> dict[str, object]:
    found = discriminator.get("mapping")
    return found if isinstance(found, dict) else {}


def _target(name: object) -> str:
    """The reference that an entry stands for: it may also be the mere name of a component."""
    text = str(name)
    return text if "#" in text or "/" in text or "." in text else _COMPONENTS + text


def _alternatives(form: Form) -> Iterator[str]:
    for group in form.groups:
        for node in group.nodes:
            schema = node[0].schema if len(node) == 1 else None
            if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
                yield schema["$ref"]


def _same(pair: Pair, old: object, new: object) -> bool:
    """Whether an entry leads to the same schema; one that has only another name is the same."""
    if _target(old) == _target(new):
        return True
    one, two = _part(pair.old_node[0], old), _part(pair.new_node[0], new)
    return one is not None and two is not None and pair.effect((one,), (two,)) is Effect.NONE


def _part(part: Part, name: object) -> Part | None:
    try:
        return part.scope.follow(part, _target(name))
    except InvalidDocument:
        return None  # an entry may lead to another file; then only its text is compared
