"""References: resolved inside the document in every way of JSON Schema, never fetched, never endless."""

from __future__ import annotations

import json

import pytest

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import compare
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
    ("ref", "message"),
    [
        ("#/$defs/nothing", "nothing at that place"),
        ("#nowhere", "nothing at that place"),
        ("https://example.com/x.json", "nothing is fetched"),
        ("common.yaml#/a", "nothing is fetched"),
        ("file:///etc/passwd", "nothing is fetched"),
    ],
)
def test_a_reference_that_leads_nowhere_or_out_is_rejected_with_its_place(ref, message):
    with pytest.raises(InvalidDocument, match=message) as caught:
        compare({"properties": {"a": TEXT}}, {"properties": {"a": {"$ref": ref}}})

    assert "/properties/a/$ref" == caught.value.field
    assert "new document" in str(caught.value)


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
