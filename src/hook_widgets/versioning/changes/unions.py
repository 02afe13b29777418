"""Alternatives that can be written without: those of different types, and those that only list values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from hook_widgets.versioning.changes.forms import NUMBERS, Form, Node, Objects

_MOST = 12
"""So many alternatives are looked at; longer lists are lists of objects."""
_COUNTED = {"string": "Length", "array": "Items", "object": "Properties"}


def union(nodes: tuple[Node, ...], read: Callable[[Node], Form], *, exclusive: bool) -> Form | None:
    """One form for all alternatives, or None when no form says exactly that.

    Args:
        nodes: the alternatives.
        read: reads one of them.
        exclusive: only one of them may hold (``oneOf``).
    """
    if len(nodes) > _MOST and not all(_listing(node) for node in nodes):
        return None
    if any(_branching(node) for node in nodes):
        return None
    forms = [read(node) for node in nodes]
    if not all(form.plain and form.effective() for form in forms):
        return None
    return _listed(forms, exclusive=exclusive) or _typed(forms)


def _schema(node: Node) -> object:
    return node[0].target().schema if len(node) == 1 else None


def _listing(node: Node) -> bool:
    schema = _schema(node)
    return isinstance(schema, dict) and ("const" in schema or "enum" in schema)


def _branching(node: Node) -> bool:
    schema = _schema(node)
    return not isinstance(schema, dict) or any(word in schema for word in ("anyOf", "oneOf", "allOf", "$ref"))


def _listed(forms: list[Form], *, exclusive: bool) -> Form | None:
    """Alternatives that only list values: one list."""
    values: dict[str, object] = {}
    count = 0
    for form in forms:
        if form.enum is None or not _bare(form):
            return None
        fitting = {key: value for key, value in form.enum.items() if _fits(form, value)}
        values |= fitting
        count += len(fitting)
    if exclusive and count > len(values):
        return None
    return Form(enum=values, aside=tuple(part for form in forms for part in form.parts))


def _fits(form: Form, value: object) -> bool:
    from hook_widgets.versioning.changes.values import admits

    return admits(form, value) is not False


def _bare(form: Form) -> bool:
    free = Form(
        types=form.types,
        enum=form.enum,
        parts=form.parts,
        aside=form.aside,
        notes=form.notes,
        unknown=form.unknown,
    )
    return form == free


def _typed(forms: list[Form]) -> Form | None:
    """Alternatives of different types: each keyword is about the type of the one that has it."""
    kinds = [form.effective() for form in forms]
    if any(one & other for one, other in combinations(kinds, 2)):
        return None
    if sum(bool(kind & NUMBERS) for kind in kinds) > 1 or sum(bool(form.formats) for form in forms) > 1:
        return None
    if any(form.formats and kind & NUMBERS for form, kind in zip(forms, kinds, strict=True)) and any(
        "string" in kind and not kind & NUMBERS for kind in kinds
    ):
        return None
    if any(form.formats and "string" in kind for form, kind in zip(forms, kinds, strict=True)) and any(
        kind & NUMBERS and "string" not in kind for kind in kinds
    ):
        return None  # a format is about texts and numbers alike
    enum = _enum(forms, kinds)
    if enum is None and any(form.enum is not None for form in forms):
        return None
    found = Form(
        types=frozenset().union(*kinds), enum=enum, aside=tuple(part for form in forms for part in form.parts)
    )
    for form, kind in zip(forms, kinds, strict=True):
        _take(found, form, kind)
    return found


def _enum(forms: list[Form], kinds: Iterable[frozenset[str]]) -> dict[str, object] | None:
    """The values of all alternatives, when each is a list of values, null or a boolean."""
    values: dict[str, object] = {}
    for form, kind in zip(forms, kinds, strict=True):
        if form.enum is not None:
            values |= {key: value for key, value in form.enum.items() if _fits(form, value)}
        elif kind == {"null"}:
            values["null"] = None
        else:
            return None
    return values


def _take(found: Form, form: Form, kind: frozenset[str]) -> None:
    """Put what an alternative says of its types into the union."""
    if kind & NUMBERS:
        found.lower, found.upper, found.multiples = form.lower, form.upper, form.multiples
    if "string" in kind:
        found.patterns, found.encodings = form.patterns, form.encodings
    found.formats += form.formats
    for name, word in _COUNTED.items():
        if name in kind:
            found.counts |= {key: value for key, value in form.counts.items() if key.endswith(word)}
    if "array" in kind:
        found.arrays, found.contains, found.unique = form.arrays, form.contains, form.unique
    if "object" in kind:
        found.objects, found.required, found.names = form.objects, form.required, form.names
        found.dependent, found.dependent_schemas = form.dependent, form.dependent_schemas
    found.unknown = {**form.unknown, **found.unknown}


def apart(one: Form, other: Form, read: Callable[[Node], Form], *, deep: int = 2) -> bool:
    """Whether it is sure that no value fits both: by type, fixed values, or a field that tells them apart."""
    had, has = one.effective(), other.effective()
    if not had & has:
        return True
    if one.enum is not None and other.enum is not None:
        return not one.enum.keys() & other.enum.keys()
    if had & has != {"object"}:
        return False
    for form, against in ((one, other), (other, one)):
        for name in form.required:
            if name not in against.objects.properties and _closed(against.objects, name, read):
                return True
    return deep > 0 and any(
        name in other.required
        and name in one.objects.properties
        and name in other.objects.properties
        and apart(
            read(one.objects.properties[name]), read(other.objects.properties[name]), read, deep=deep - 1
        )
        for name in one.required
    )


def _closed(objects: Objects, name: str, read: Callable[[Node], Form]) -> bool:
    node = objects.of(name)
    return bool(node) and not read(node).types


def all_apart(nodes: tuple[Node, ...], read: Callable[[Node], Form]) -> bool:
    """Whether at most one of the alternatives can hold, whatever the value."""
    if len(nodes) > 4 * _MOST:
        return False
    forms = [read(node) for node in nodes]
    return all(apart(one, other, read) for one, other in combinations(forms, 2))
