"""Object fields: added, removed, renamed and required ones, in both directions."""

from __future__ import annotations

import pytest

from hook_widgets.versioning.compat import compare
from tests.versioning.compat.json_schema.schema_rules import only, rules


def fields(required=(), **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


@pytest.mark.parametrize("direction", ["request", "response", "both"])
def test_a_removed_field_breaks_in_every_direction(direction):
    assert ["!property-removed"] == rules(fields(a=TEXT, b=WHOLE), fields(a=TEXT), direction)


@pytest.mark.parametrize("direction", ["request", "response", "both"])
def test_an_added_optional_field_never_breaks(direction):
    assert ["property-added"] == rules(fields(a=TEXT), fields(a=TEXT, b=WHOLE), direction)


def test_an_added_required_field_breaks_requests_only():
    old, new = fields(a=TEXT), fields(["b"], a=TEXT, b=WHOLE)

    assert ["!required-property-added"] == rules(old, new, "request")
    assert ["required-property-added"] == rules(old, new, "response")


def test_a_newly_required_field_breaks_requests_and_one_no_longer_required_breaks_responses():
    loose, strict = fields(a=TEXT), fields(["a"], a=TEXT)

    assert ["!property-required"] == rules(loose, strict, "request")
    assert ["property-required"] == rules(loose, strict, "response")
    assert ["property-optional"] == rules(strict, loose, "request")
    assert ["!property-optional"] == rules(strict, loose, "response")


def test_a_field_that_is_only_required_and_not_declared_counts_too():
    assert ["!property-required"] == rules(
        {"type": "object"}, {"type": "object", "required": ["a"]}, "request"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("name", "full_name"), ("createdAt", "created_at"), ("colour", "color"), ("total", "sum")],
)
def test_a_rename_is_one_change_by_a_similar_name_or_the_same_place(old, new):
    change = only(fields(id=WHOLE, **{old: TEXT}), fields(id=WHOLE, **{new: TEXT}))

    assert ("property-renamed", True) == (change.rule, change.breaking)
    assert f"Field {old} was renamed to {new}." == change.detail
    assert f"/properties/{new}" == change.path


def test_fields_of_another_type_are_not_a_rename():
    assert ["!property-removed", "property-added"] == rules(fields(total=TEXT), fields(totals=WHOLE))


def test_of_several_candidates_the_most_similar_name_is_the_rename():
    old = fields(first_name=TEXT, last_name=TEXT)
    new = fields(lastname=TEXT, firstname=TEXT)
    details = {change.detail for change in compare(old, new).changes}

    assert {
        "Field first_name was renamed to firstname.",
        "Field last_name was renamed to lastname.",
    } == details


def test_the_place_is_said_in_words_and_as_a_pointer():
    inner = {"type": "array", "items": fields(**{"a/b": TEXT})}
    wider = {"type": "array", "items": fields(**{"a/b": WHOLE})}
    change = only(fields(orders=inner), fields(orders=wider))

    assert "orders[].a/b" == change.location
    assert "/properties/orders/items/properties/a~1b/type" == change.path


def test_what_was_removed_is_found_in_the_old_document():
    change = only(fields(a=TEXT, b=WHOLE), fields(b=WHOLE))

    assert ("/properties/a", "a") == (change.path, change.location)


def test_a_field_declared_where_others_had_a_schema_is_compared_with_that():
    old = {"type": "object", "additionalProperties": TEXT}
    new = {"type": "object", "additionalProperties": TEXT, "properties": {"a": WHOLE}}

    assert ["!type-changed", "property-added"] == rules(old, new)


def test_closing_an_object_breaks_requests_and_opening_it_breaks_nobody():
    closed = {**fields(a=TEXT), "additionalProperties": False}

    assert ["!additional-properties-closed"] == rules(fields(a=TEXT), closed, "request")
    assert ["additional-properties-opened"] == rules(closed, fields(a=TEXT))


def test_a_read_only_field_is_no_part_of_requests_nor_a_write_only_one_of_responses():
    old = fields(id={**WHOLE, "readOnly": True}, password={**TEXT, "writeOnly": True})
    new = fields(id={**TEXT, "readOnly": True}, password={**WHOLE, "writeOnly": True})

    assert [True] == [change.breaking for change in compare(old, new, direction="request").breaking]
    assert ["password"] == [change.location for change in compare(old, new, direction="request").breaking]
    assert ["id"] == [change.location for change in compare(old, new, direction="response").breaking]


def test_a_field_that_becomes_read_only_breaks_requests_only():
    old, new = fields(id=WHOLE), fields(id={**WHOLE, "readOnly": True})

    assert ["!became-read-only"] == rules(old, new, "request")
    assert ["became-read-only"] == rules(old, new, "response")
    assert ["no-longer-read-only"] == rules(new, old, "request")


def test_a_required_field_that_requests_newly_carry_breaks_them():
    old = fields(["id"], id={**WHOLE, "readOnly": True})

    assert ["!required-property-added"] == rules(old, fields(["id"], id=WHOLE), "request")


def test_fields_of_merged_schemas_are_one_set_of_fields():
    base = fields(["id"], id=WHOLE)
    merged = {"allOf": [base, fields(note=TEXT)]}
    flat = fields(["id"], id=WHOLE, note=TEXT)

    assert ["rewritten"] == rules(merged, flat)


def test_schemas_that_cannot_be_merged_are_not_guessed_at():
    closed = {"properties": {"a": TEXT}, "patternProperties": {"^x": TEXT}, "additionalProperties": False}
    old = {"allOf": [closed, {"patternProperties": {"^y": TEXT}}]}
    new = {"allOf": [closed, {"patternProperties": {"^y": WHOLE}}]}

    assert "!undecided" in rules(old, new, "request")
    assert not rules(old, old)


def test_keywords_as_names_of_fields_are_names():
    old = fields(properties=TEXT, items=TEXT, **{"$ref": TEXT})

    assert not rules(old, old)
    assert ["!type-changed"] == rules(old, fields(properties=TEXT, items=WHOLE, **{"$ref": TEXT}))


NOTES = [
    ({"title": "a"}, {"title": "b"}, "documentation-changed"),
    ({}, {"description": "b"}, "documentation-changed"),
    ({"examples": [1]}, {}, "documentation-changed"),
    ({"default": 1}, {"default": 2}, "default-changed"),
    ({}, {"deprecated": True}, "deprecated-changed"),
    ({"x-order": 1}, {"x-order": 2}, "keyword-changed"),
]


@pytest.mark.parametrize("direction", ["request", "response", "both"])
@pytest.mark.parametrize(("old", "new", "rule"), NOTES)
def test_what_does_not_touch_the_data_breaks_nobody(old, new, rule, direction):
    assert [rule] == rules({"type": "string", **old}, {"type": "string", **new}, direction)


def test_a_change_of_a_field_that_the_direction_does_not_carry_is_reported_and_breaks_nobody():
    old = fields(id={**WHOLE, "readOnly": True})
    new = fields(id={**TEXT, "readOnly": True}, made={**TEXT, "readOnly": True})

    assert ["hidden-field-changed", "type-changed"] == sorted(rules(old, new, "request"))
    assert ["!type-changed", "property-added"] == rules(old, new, "response")


def test_a_field_that_was_required_without_a_declaration_can_become_optional_too():
    old, new = {"type": "object", "required": ["a"]}, fields(a=False)

    assert ["!property-optional", "property-forbidden"] == rules(old, new, "response")


def test_a_pattern_of_names_replaces_what_was_said_of_all_other_fields():
    old = {"type": "object", "additionalProperties": {"type": "integer"}}
    new = {**old, "patternProperties": {"^x-": {"type": "string"}}}

    assert ["!type-changed"] == rules(old, new, "response")
