"""References: resolved inside the document in every way of JSON Schema, never fetched, never endless."""

from __future__ import annotations

import json

import pytest

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import NotCompared, compare
from hook_widgets.versioning.compat.documents.references import Dialect, Scope
from tests.versioning.compat.json_schema.schema_rules import only, rules

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def by_pointer(target):
    return {"properties": {"a": {"$ref": "#/$defs/t"}}, "$defs": {"t": target}}


def by_anchor(target):
    return {"properties": {"a": {"$ref": "#here"}}, "$defs": {"t": {"$anchor": "here", **target}}}


def by_id(target):
    return {
        "$id": "https://example.com/root",
        "properties": {"a": {"$ref": "other"}},
        "$defs": {"t": {"$id": "https://example.com/other", **target}},
    }


def inside_an_id(target):
    other = {
        "$id": "https://example.com/other",
        "properties": {"a": {"$ref": "#/$defs/t"}},
        "$defs": {"t": target},
    }
    return {"$ref": "https://example.com/other", "$defs": {"other": other}}


def dynamically(target):
    return {
        "properties": {"a": {"$dynamicRef": "#here"}},
        "$defs": {"t": {"$dynamicAnchor": "here", **target}},
    }


def in_draft_4(target):
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {"a": {"$ref": "#/definitions/t%20x"}},
        "definitions": {"t x": target},
    }


WAYS = [by_pointer, by_anchor, by_id, inside_an_id, dynamically, in_draft_4]


@pytest.mark.parametrize("way", WAYS)
def test_a_change_behind_a_reference_is_found_where_it_stands(way):
    change = only(way(TEXT), way(WHOLE))
    at: object = way(WHOLE)
    for step in change.path.split("/")[1:]:
        at = at[step]  # type: ignore[index]

    assert ("type-changed", "a", "integer") == (change.rule, change.location, at)


@pytest.mark.parametrize("way", WAYS)
def test_a_schema_moved_behind_a_reference_is_the_same_schema(way):
    assert not rules(way(TEXT), {"properties": {"a": TEXT}}, "request")


def test_siblings_of_a_reference_count_since_2019_and_not_before():
    """Draft 7 core section 8.3; draft 2019-09 core section 8.2.4.1."""
    plain = {"$ref": "#/definitions/t", "definitions": {"t": TEXT}}
    more = {**plain, "maxLength": 3}
    old, new = ({"$schema": Dialect.DRAFT7.value, **schema} for schema in (plain, more))

    assert not rules(old, new)
    assert ["!bounds-narrowed"] == rules(plain, more)


def test_schemas_that_contain_themselves_end():
    tree = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}, "name": TEXT},
    }
    other = json.loads(json.dumps(tree).replace("string", "integer"))

    assert not rules(tree, tree)
    assert ["!type-changed"] == rules(tree, other)


def test_a_tree_and_the_same_tree_unrolled_are_the_same():
    tree = {"properties": {"next": {"$ref": "#"}}, "type": "object"}
    unrolled = {
        "properties": {"next": {"type": "object", "properties": {"next": {"$ref": "#"}}}},
        "type": "object",
    }

    assert not rules(tree, unrolled)


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}, {"not": {"$ref": "#"}}])
def test_a_schema_that_is_only_itself_does_not_hang(schema):
    assert not rules(schema, schema)


@pytest.mark.parametrize(
    "ref",
    ["#/$defs/nothing", "#nowhere", "https://example.com/x.json", "common.yaml#/a", "file:///etc/passwd"],
)
@pytest.mark.parametrize(
    ("around", "place"),
    [
        (lambda schema: schema, "/properties/a"),
        (lambda schema: {"items": schema}, "/properties/a/items"),
        (lambda schema: {"allOf": [schema, {"required": ["b"]}]}, "/properties/a"),
        (lambda schema: {"$ref": "#/properties/c", "x": schema}, "/properties/a"),
    ],
)
def test_a_schema_behind_a_reference_that_leads_nowhere_or_out_is_not_compared(ref, around, place):
    def document(schema, *, other=TEXT):
        return {"properties": {"a": around(schema), "b": other, "c": schema}}

    lost = {"$ref": ref}
    # The file of an equal reference may differ, so only one into the document itself is no change.
    named = () if ref.startswith("#") else (f"$ref {ref!r}",)
    assert named == tuple(each.construct for each in compare(document(lost), document(lost)).not_compared)
    same = compare(document(lost), document(lost, other=WHOLE))
    assert ["type-changed"] == [change.rule for change in same.changes]
    assert named == tuple(each.construct for each in same.not_compared)
    for sides in ((TEXT, lost), (lost, TEXT)):
        comparison = compare(*map(document, sides))
        assert not comparison.changes
        assert NotCompared(f"$ref {ref!r}", place) in comparison.not_compared
        assert "No difference in what was compared.\n- not compared: " in str(comparison)
    other = compare(document(lost), document({"$ref": "other.json"}))
    assert {f"$ref {ref!r}", "$ref 'other.json'"} == {each.construct for each in other.not_compared}


@pytest.mark.parametrize("keyword", ["not", "if"])
def test_a_condition_behind_a_reference_that_leads_nowhere_is_undecided(keyword):
    old, new = ({"then": False, keyword: each} for each in ({"required": ["a"]}, {"$ref": "#/$defs/gone"}))

    assert ["!undecided"] == rules(old, new)
    assert not rules(new, new)


def test_an_alternative_behind_a_reference_that_leads_nowhere_covers_no_other():
    gone = {"$ref": "#/$defs/gone"}

    assert ["!alternative-added"] == rules({"anyOf": [gone, TEXT]}, {"anyOf": [gone, TEXT, WHOLE]})


def test_conditions_within_conditions_without_end_are_rejected_in_words():
    deep: object = {"required": ["a"]}
    for _ in range(45):
        deep = {"not": {"properties": {"a": deep}}}

    with pytest.raises(InvalidDocument, match="nested"):
        compare(deep, {**deep, "title": "other"})  # type: ignore[dict-item]


def test_alternatives_that_are_nested_deeply_and_are_the_same_differ_in_nothing():
    deep: object = {"required": ["a"]}
    for _ in range(45):
        deep = {"anyOf": [deep, {"minProperties": 2, "required": ["b"]}]}

    assert ["documentation-changed"] == [each.rule for each in compare(deep, {**deep, "title": "b"}).changes]  # type: ignore[dict-item]


def test_a_scope_says_which_dialect_it_reads():
    assert Dialect.DRAFT2020 is Scope({}).dialect
    assert Dialect.DRAFT4 is Scope({"$schema": "http://json-schema.org/draft-04/schema#"}).dialect
    assert Dialect.OPENAPI30 is Scope({}, dialect=Dialect.OPENAPI30).dialect
