"""Each keyword by itself, with its effect on the accepted values (draft 2020-12 validation)."""

from __future__ import annotations

import pytest

from hook_widgets.versioning.compat import compare
from tests.versioning.compat.json_schema.schema_rules import only, rules

NUMBER, STRING, ARRAY = {"type": "number"}, {"type": "string"}, {"type": "array"}

NARROWED = [
    # types: section 6.1.1; an integer is a number whose fraction is zero
    ({"type": "number"}, {"type": "integer"}, "type-narrowed"),
    ({"type": ["string", "integer"]}, {"type": "string"}, "type-narrowed"),
    ({"type": ["string", "null"]}, {"type": "string"}, "null-removed"),
    ({}, {"type": ["number", "string", "boolean", "object", "array"]}, "null-removed"),
    ({}, {"type": "string"}, "type-narrowed"),
    (True, False, "type-narrowed"),
    # fixed values: sections 6.1.2 and 6.1.3
    (STRING, {"type": "string", "enum": ["a"]}, "enum-added"),
    ({"enum": ["a", "b"]}, {"enum": ["a"]}, "enum-value-removed"),
    ({"enum": ["a", "b"]}, {"const": "a"}, "enum-value-removed"),
    ({"enum": ["a", None]}, {"enum": ["a"]}, "null-removed"),
    # numbers: section 6.2
    (NUMBER, {"type": "number", "minimum": 0}, "bounds-narrowed"),
    ({"minimum": 0}, {"minimum": 0.5}, "bounds-narrowed"),
    ({"maximum": 9}, {"maximum": 8}, "bounds-narrowed"),
    ({"minimum": 0}, {"exclusiveMinimum": 0}, "bounds-narrowed"),
    ({"maximum": 9}, {"exclusiveMaximum": 9}, "bounds-narrowed"),
    (NUMBER, {"type": "number", "multipleOf": 0.01}, "multiple-of-narrowed"),
    ({"multipleOf": 2}, {"multipleOf": 6}, "multiple-of-narrowed"),
    # strings: section 6.3
    (STRING, {"type": "string", "maxLength": 3}, "bounds-narrowed"),
    ({"minLength": 1}, {"minLength": 2}, "bounds-narrowed"),
    (STRING, {"type": "string", "pattern": "^a"}, "pattern-added"),
    (STRING, {"type": "string", "format": "date"}, "format-narrowed"),
    ({"type": "integer", "format": "int64"}, {"type": "integer", "format": "int32"}, "format-narrowed"),
    (STRING, {"type": "string", "contentEncoding": "base64"}, "encoding-added"),
    # arrays: section 6.4
    ({"maxItems": 4}, {"maxItems": 3}, "bounds-narrowed"),
    (ARRAY, {"type": "array", "minItems": 1}, "bounds-narrowed"),
    (ARRAY, {"type": "array", "uniqueItems": True}, "unique-items-added"),
    (ARRAY, {"type": "array", "contains": {"const": 1}}, "contains-added"),
    (
        {"contains": {"const": 1}, "minContains": 1},
        {"contains": {"const": 1}, "minContains": 2},
        "bounds-narrowed",
    ),
    ({"contains": {"const": 1}}, {"contains": {"const": 1}, "maxContains": 2}, "bounds-narrowed"),
    ({"items": {"type": "number"}}, {"items": {"type": "integer"}}, "type-narrowed"),
    ({"prefixItems": [{}]}, {"prefixItems": [{"type": "string"}]}, "type-narrowed"),
    # objects: section 6.5
    ({"type": "object"}, {"type": "object", "maxProperties": 3}, "bounds-narrowed"),
    ({"type": "object"}, {"type": "object", "dependentRequired": {"a": ["b"]}}, "dependency-added"),
    ({"type": "object"}, {"type": "object", "propertyNames": {"maxLength": 3}}, "bounds-narrowed"),
    ({"type": "object"}, {"type": "object", "additionalProperties": False}, "additional-properties-closed"),
    (
        {"additionalProperties": {"type": "number"}},
        {"additionalProperties": {"type": "integer"}},
        "type-narrowed",
    ),
    (
        {"type": "object"},
        {"patternProperties": {"^x": {"type": "string"}}, "type": "object"},
        "pattern-properties-added",
    ),
    ({"type": "object"}, {"type": "object", "unevaluatedProperties": False}, "additional-properties-closed"),
    ({"type": "object"}, {"type": "object", "properties": {"a": False}}, "property-forbidden"),
    # conditions: core sections 10.2.1 and 10.2.2
    ({}, {"not": {"const": 1}}, "constraint-added"),
    ({"not": {"type": "integer"}}, {"not": {"type": "number"}}, "type-narrowed"),
    ({"not": {"minimum": 5}}, {"not": {"minimum": 4}}, "constraint-added"),
    ({}, {"if": {"type": "integer"}, "then": {"minimum": 1}}, "constraint-added"),
    (
        {"if": {"type": "string"}, "then": {"minLength": 1}},
        {"if": {"type": "string"}, "then": {"minLength": 2}},
        "constraint-added",
    ),
    (
        {"type": "object"},
        {"type": "object", "dependentSchemas": {"a": {"minProperties": 2}}},
        "constraint-added",
    ),
]
"""Old schema, new schema, and the rule that reports the narrowing."""

OPPOSITE = {
    "type-narrowed": "type-widened",
    "null-removed": "null-added",
    "enum-added": "enum-removed",
    "enum-value-removed": "enum-value-added",
    "bounds-narrowed": "bounds-widened",
    "multiple-of-narrowed": "multiple-of-widened",
    "pattern-added": "pattern-removed",
    "format-narrowed": "format-widened",
    "encoding-added": "encoding-removed",
    "unique-items-added": "unique-items-removed",
    "contains-added": "contains-removed",
    "dependency-added": "dependency-removed",
    "constraint-added": "constraint-removed",
    "additional-properties-closed": "additional-properties-opened",
    "property-forbidden": "property-allowed",
    "pattern-properties-added": "type-widened",
}
READERS_PASS_OVER = {"additional-properties-opened", "property-allowed"}


@pytest.mark.parametrize(("old", "new", "rule"), NARROWED)
def test_a_narrowing_breaks_requests_and_not_responses(old, new, rule):
    assert [f"!{rule}"] == rules(old, new, "request")
    assert [rule] == rules(old, new, "response")
    assert [f"!{rule}"] == rules(old, new)


@pytest.mark.parametrize(("new", "old", "rule"), NARROWED)
def test_a_widening_breaks_responses_and_not_requests(old, new, rule):
    opposite = OPPOSITE[rule]
    mark = "" if opposite in READERS_PASS_OVER else "!"

    assert [mark + opposite] == rules(old, new, "response")
    assert [opposite] == rules(old, new, "request")
    assert [mark + opposite] == rules(old, new)


CHANGED = [
    ({"type": "string"}, {"type": "integer"}, "type-changed"),
    ({"type": "integer"}, {"type": ["string", "null"]}, "type-changed"),
    ({"multipleOf": 4}, {"multipleOf": 6}, "multiple-of-changed"),
    ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}, "pattern-changed"),
    ({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}, "format-changed"),
    (
        {"type": "string", "contentEncoding": "base64"},
        {"type": "string", "contentEncoding": "base16"},
        "encoding-changed",
    ),
    ({"not": {"required": ["a"]}}, {"not": {"required": ["b"]}}, "undecided"),
    ({"if": {"required": ["a"]}, "then": False}, {"if": {"required": ["b"]}, "then": False}, "undecided"),
]


@pytest.mark.parametrize("direction", ["request", "response"])
@pytest.mark.parametrize(("old", "new", "rule"), CHANGED)
def test_what_neither_includes_the_other_breaks_both(old, new, rule, direction):
    assert f"!{rule}" in rules(old, new, direction)


SAME = [
    ({"type": ["string", "null"]}, {"type": ["null", "string"]}),
    ({"type": "integer", "exclusiveMinimum": 5}, {"type": "integer", "minimum": 6}),
    ({"type": "integer", "maximum": 5.5}, {"type": "integer", "maximum": 5}),
    ({"type": "integer", "multipleOf": 1}, {"type": "integer"}),
    ({"const": 1}, {"enum": [1.0]}),
    ({"type": "string", "enum": ["a", 1]}, {"enum": ["a"]}),
    ({"type": "string", "minLength": 0}, {"type": "string"}),
    ({"type": "string", "maximum": 3}, {"type": "string", "maximum": 4}),
    ({"enum": [1, 2, 30], "maximum": 9}, {"enum": [1, 2]}),
    ({"items": True}, {}),
    ({"additionalProperties": {}}, {"additionalProperties": True}),
    ({"allOf": [{"minimum": 1}, {"minimum": 2}]}, {"minimum": 2}),
    ({"anyOf": [{"type": "string"}]}, {"type": "string"}),
    (
        {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
        {"type": ["string", "null"], "maxLength": 3},
    ),
    ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, {"enum": ["a", "b"]}),
    ({"then": {"minimum": 1}}, {}),
    ({"contains": {"const": 1}, "minContains": 0}, {}),
    ({"type": "string", "pattern": ".*"}, {"type": "string"}),
    ({"contains": True}, {"minItems": 1}),
    ({"contains": {}, "minContains": 2, "maxContains": 5}, {"minItems": 2, "maxItems": 5}),
    ({"contains": True, "minContains": 0}, {}),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
    (
        {"if": {"required": ["a"]}, "then": {"properties": {"b": {"minimum": 1}}}},
        {"dependentSchemas": {"a": {"properties": {"b": {"minimum": 1}}}}},
    ),
    ({"if": True, "then": {"minimum": 1}, "else": {"minimum": 2}}, {"minimum": 1}),
    ({"if": False, "then": {"minimum": 1}, "else": {"minimum": 2}}, {"minimum": 2}),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_demand_in_other_words_breaks_nobody(old, new):
    assert not compare(old, new, kind="schema").breaking
    assert not compare(new, old, kind="schema").breaking


def test_items_that_are_counted_are_evaluated():
    counted = {"allOf": [{"contains": True}], "unevaluatedItems": False}

    assert compare(counted, {"minItems": 1, "maxItems": 0}, kind="schema").breaking


def test_a_sentence_names_the_old_and_the_new_value():
    assert "maximum was 9 and is now 8.5." == only({"maximum": 9}, {"maximum": 8.5}).detail
    assert 'Newly accepted: "c".' == only({"enum": ["a"]}, {"enum": ["a", "c"]}).detail
    assert "minLength was 2 and is no longer set." == only({"minLength": 2}, {}).detail


def test_a_bound_of_draft_4_is_read_with_its_mark():
    old = {"$schema": "http://json-schema.org/draft-04/schema#", "type": "number", "minimum": 0}
    new = {**old, "exclusiveMinimum": True}

    assert ["!bounds-narrowed"] == rules(old, new)
    assert "minimum was 0 and is now 0 (excluded)." == only(old, new).detail
    assert "/exclusiveMinimum" == only(old, new).path


def test_drafts_can_be_compared_with_each_other():
    old = {"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 5, "exclusiveMaximum": True}
    new = {"$schema": "https://json-schema.org/draft/2020-12/schema", "exclusiveMaximum": 5}

    assert not compare(old, new).breaking


def test_items_by_place_are_read_as_each_draft_writes_them():
    old = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "items": [{"type": "string"}],
        "additionalItems": False,
    }
    new = {"prefixItems": [{"type": "string"}], "items": False}

    assert not compare(old, new).breaking
