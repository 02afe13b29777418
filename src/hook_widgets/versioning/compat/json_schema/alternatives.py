"""Compare ``anyOf`` and ``oneOf``: match old and new alternatives, and report added and removed ones."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.documents.references import Part
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.json_schema.normalized import Group, NormalizedSchema, SchemaSet
from hook_widgets.versioning.compat.json_schema.pair import SchemaPair
from hook_widgets.versioning.compat.json_schema.unions import all_disjoint
from hook_widgets.versioning.compat.rules import Effect

_MIN_LIKENESS = 0.5
_Normalizer = Callable[[SchemaSet], NormalizedSchema]
_Key = Callable[[SchemaSet, _Normalizer], object]


def compare_wrapped(pair: SchemaPair) -> bool:
    """Compare a schema that became one of several alternatives, or the other way round.

    Returns:
        True if this is such a pair; then the comparison is complete.
    """
    old, new = pair.old, pair.new
    if _same_when_distributed(pair):
        return True
    if len(old.groups) + len(new.groups) != 1 or not old.effective() or not new.effective():
        return False
    form, node = (new, pair.new_node) if new.groups else (old, pair.old_node)
    if not _divisible(form, node):
        return False
    group = form.groups[0]
    other = old if new.groups else new
    rest = _rest(form, group, drop_discriminator="discriminator" not in other.annotations)
    alternatives = tuple(rest + alternative for alternative in group.nodes)
    olds, news = ((pair.old_node,), alternatives) if new.groups else (alternatives, (pair.new_node,))
    matched = _match(pair, olds, news)
    if not matched:
        return False
    exclusive = _exclusive(pair, group, old=bool(old.groups))
    _report(pair, group.keyword, olds, news, matched, group.nodes)
    if exclusive:
        _undecided(pair)
    return True


def _same_when_distributed(pair: SchemaPair) -> bool:
    """Return True if both sides have the same alternatives once what applies to all is part of each.

    A schema with alternatives, X and (A or B), is (X and A) or (X and B); so it is with ``oneOf``.
    """
    old, new = pair.old, pair.new
    if len(old.groups) != 1 or len(new.groups) != 1 or old.groups[0].keyword != new.groups[0].keyword:
        return False
    if old.objects.properties.keys() == new.objects.properties.keys() and old.required == new.required:
        return False  # no property was moved: the usual comparison is more precise
    sides = (old, pair.old_node), (new, pair.new_node)
    if not all(_divisible(*side) for side in sides):
        return False
    olds, news = (
        [_rest(form, form.groups[0], drop_discriminator=True) + node for node in form.groups[0].nodes]
        for form, _ in sides
    )
    with pair.comparer.limit_pairs(len(olds) * len(news)) as complete:
        if not complete or len(olds) != len(news):
            return False
        for alternative in olds:
            same = (k for k, other in enumerate(news) if pair.effect(alternative, other) is Effect.NONE)
            k = next(same, None)
            if k is None:
                return False
            del news[k]
    return True


def _divisible(form: NormalizedSchema, node: SchemaSet) -> bool:
    """Return True if a schema can be split into alternatives and what applies to all of them."""
    return (
        len(node) == 1  # one split before may contain itself, which would recurse endlessly
        and not form.opaque
        and all(isinstance(part.schema, dict) for part in form.parts)
        and form.unevaluated_properties is None
        and form.unevaluated_items is None
    )


def _rest(form: NormalizedSchema, group: Group, *, drop_discriminator: bool) -> SchemaSet:
    """Return the schemas of a form without the alternatives, references and ``allOf``."""
    rest: list[Part] = []
    for part in form.parts:
        schema = part.schema
        assert isinstance(schema, dict)
        if "$ref" in schema and not part.scope.dialect.keeps_siblings:
            continue
        keywords = {"allOf", "$ref", "$dynamicRef", "$recursiveRef", "$id", "id"}
        # A discriminator belongs to the alternatives and is compared with them.
        keywords |= (
            {group.keyword, *({"discriminator"} if drop_discriminator else ())}
            if part is group.part
            else set()
        )
        # Alternatives that were merged into the form stay in the schema and are normalized again.
        rest.append(part.without(frozenset(keywords)))
    return tuple(rest)


def compare_groups(pair: SchemaPair) -> None:
    """Compare the alternatives of two schemas, keyword by keyword."""
    for old, new in zip_longest(pair.old.groups, pair.new.groups):
        keyword = (old or new).keyword
        if not pair.added_or_removed(keyword, keyword, old=old, new=new):
            _compare_group(pair, old, new)


def _compare_group(pair: SchemaPair, old: Group, new: Group) -> None:
    matched = _match(pair, old.nodes, new.nodes)
    only, now_only = _exclusive(pair, old, old=True), _exclusive(pair, new, old=False)
    _report(pair, new.keyword, old.nodes, new.nodes, matched, new.nodes)
    if only and now_only:
        if len(matched) < max(len(old.nodes), len(new.nodes)) or not all(
            pair.equal(old.nodes[number], new.nodes[other]) for number, other in matched.items()
        ):
            _undecided(pair)
    elif now_only:
        pair.report("constraint-added", "Only one of the alternatives may hold now.", new.keyword)
    elif only:
        pair.report("constraint-removed", "More than one of the alternatives may hold now.", new.keyword)


def _undecided(pair: SchemaPair) -> None:
    pair.report(
        "undecided",
        "oneOf has changed: a value may now fit two alternatives, which is not allowed, or no longer two.",
        "oneOf",
    )


def _exclusive(pair: SchemaPair, group: Group, *, old: bool) -> bool:
    if group.keyword != "oneOf" or group.part.scope.dialect.is_openapi:
        return False
    return not all_disjoint(group.nodes, pair.comparer.normalize_old if old else pair.comparer.normalize_new)


def _report(
    pair: SchemaPair,
    keyword: str,
    old: tuple[SchemaSet, ...],
    new: tuple[SchemaSet, ...],
    matched: dict[int, int],
    named: tuple[SchemaSet, ...],
) -> None:
    for number, other in matched.items():
        at = other if len(named) == len(new) else number
        step = f" (alternative {_label(pair.comparer.normalize_new(new[other]), named[at], at)})"
        pair.add_child(step, old[number], new[other], keyword, str(at))
    taken = set(matched.values())
    removed = [number for number in range(len(old)) if number not in matched]
    added = [number for number in range(len(new)) if number not in taken]
    with pair.comparer.limit_pairs(len(removed) * len(new)) as complete:
        for number in removed:
            if not (complete and _inside(pair, old[number], new, Effect.NARROWS, old_side=True)):
                labelled = named[number] if len(named) == len(old) != len(new) else old[number]
                label = _label(pair.comparer.normalize_old(old[number]), labelled, number)
                detail, pointer = f"Alternative {label} was removed.", _pointer(old[number])
                pair.report("alternative-removed", detail, keyword, pointer=pointer, removed=True)
    with pair.comparer.limit_pairs(len(added) * len(old)) as complete:
        for number in added:
            if not (complete and _inside(pair, new[number], old, Effect.WIDENS, old_side=False)):
                labelled = named[number] if len(named) == len(new) else new[number]
                label = _label(pair.comparer.normalize_new(new[number]), labelled, number)
                detail, pointer = f"Alternative {label} was added.", _pointer(new[number])
                pair.report("alternative-added", detail, keyword, pointer=pointer)
    with pair.comparer.limit_pairs(len(matched) * len(added)) as complete:
        if keyword == "oneOf" and complete:
            _overlaps(pair, old, new, matched, added)


def _pointer(node: SchemaSet) -> str:
    return node[-1].pointer if node else ""


def _overlaps(
    pair: SchemaPair,
    old: tuple[SchemaSet, ...],
    new: tuple[SchemaSet, ...],
    matched: dict[int, int],
    added: list[int],
) -> None:
    """Report if all values of an alternative are now rejected, since they match two in ``oneOf``."""
    for number, other in matched.items():
        overlaps = any(_inside(pair, old[number], (new[place],), Effect.NARROWS) for place in added)
        if overlaps and _inside(pair, old[number], (new[other],), Effect.NARROWS):
            detail = "What was accepted now fits more than one alternative of oneOf, and so is rejected."
            pair.report("constraint-added", detail, "oneOf")
            return


def _match(pair: SchemaPair, old: tuple[SchemaSet, ...], new: tuple[SchemaSet, ...]) -> dict[int, int]:
    """Match old and new alternatives by reference, by meaning and then by similarity."""
    matches: dict[int, int] = {}
    _match_by_key(pair, matches, old, new, lambda node, _: _reference(node))
    left, free = len(old) - len(matches), len(new) - len(matches)
    with pair.comparer.limit_pairs(left * free) as complete:
        if complete:
            _match_by_test(pair, matches, old, new, SchemaPair.alike)
            _match_by_test(pair, matches, old, new, lambda *sides: _likeness(*sides) >= _MIN_LIKENESS)
        else:
            for key in (_canonical, _fixed_values, _field_names):
                _match_by_key(pair, matches, old, new, key)
    return matches


def _match_by_test(
    pair: SchemaPair,
    matches: dict[int, int],
    old: tuple[SchemaSet, ...],
    new: tuple[SchemaSet, ...],
    same: Callable[[SchemaPair, SchemaSet, SchemaSet], bool],
) -> None:
    """Match each remaining old alternative with the first new one that passes a test."""
    for number, node in enumerate(old):
        if number in matches:
            continue
        taken = matches.values()
        others = (other for other in range(len(new)) if other not in taken)
        other = next((other for other in others if same(pair, node, new[other])), None)
        if other is not None:
            matches[number] = other


def _match_by_key(
    pair: SchemaPair,
    matches: dict[int, int],
    old: tuple[SchemaSet, ...],
    new: tuple[SchemaSet, ...],
    key: _Key,
) -> None:
    """Match the remaining alternatives by equal keys, in their order; skip those without a key."""
    taken = set(matches.values())
    free: dict[object, list[int]] = {}
    for other in reversed(range(len(new))):
        if other not in taken:
            free.setdefault(key(new[other], pair.comparer.normalize_new), []).append(other)
    free.pop(None, None)
    for number, node in enumerate(old):
        if number not in matches and (same := free.get(key(node, pair.comparer.normalize_old))):
            matches[number] = same.pop()


def _canonical(node: SchemaSet, _: _Normalizer) -> object:
    return canonical([part.schema for part in node])


def _fixed_values(node: SchemaSet, normalize: _Normalizer) -> object:
    """Return the fixed values of an alternative and of its fields, which distinguish alternatives."""
    form = normalize(node)
    spend(len(form.objects.properties))
    named = [
        (name, canonical(part.schema.get("const", part.schema.get("enum"))))
        for name, parts in form.objects.properties.items()
        for part in parts
        if isinstance(part.schema, dict) and ("const" in part.schema or "enum" in part.schema)
    ]
    return (tuple(form.enum or ()), tuple(named)) if form.enum or named else None


def _field_names(node: SchemaSet, normalize: _Normalizer) -> object:
    form = normalize(node)
    return form.effective(), frozenset(form.objects.properties)


def _reference(node: SchemaSet) -> str | None:
    schema = node[-1].schema if node else None
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    return reference if isinstance(reference, str) else None


def _likeness(pair: SchemaPair, old_node: SchemaSet, new_node: SchemaSet) -> float:
    old, new = pair.comparer.normalize_old(old_node), pair.comparer.normalize_new(new_node)
    old_types, new_types = old.effective(), new.effective()
    if not old_types & new_types:
        return 0.0
    names, others = old.objects.properties.keys(), new.objects.properties.keys()
    if names or others:
        return len(names & others) / len(names | others)
    return len(old_types & new_types) / len(old_types | new_types)


def _inside(
    pair: SchemaPair, node: SchemaSet, others: tuple[SchemaSet, ...], lost: Effect, *, old_side: bool = True
) -> bool:
    for other in others:
        effect, certain = pair.comparer.effect(
            *((node, other) if old_side else (other, node)), pair.direction
        )
        if certain and lost not in effect:
            return True
    return False


def _label(form: NormalizedSchema, node: SchemaSet, number: int) -> str:
    reference = _reference(node)
    if reference is not None:
        return reference.rsplit("/", 1)[-1]
    title = form.annotations.get("title")
    return title if isinstance(title, str) and title else str(number + 1)
