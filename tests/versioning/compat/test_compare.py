"""compare(): kinds and arguments, and no exception other than our own."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hook_widgets.errors import InvalidDocument, VersioningError
from hook_widgets.versioning.compat import RULES, Change, Comparison, Direction, DocumentKind, compare
from hook_widgets.versioning.compat.change import CHANGE_COLUMNS
from tests.support.extent import extent
from tests.versioning.compat.documents.test_loading import JSON
from tests.versioning.compat.json_schema.schemas import SCHEMAS, keywords

REFERENCE = "#/components/schemas/Order"
OPENAPI = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {}}


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ({"type": "object"}, {"properties": {"a": {}}}, DocumentKind.SCHEMA),
        (True, {"$ref": "#"}, DocumentKind.SCHEMA),
        ({}, {"enum": [1]}, DocumentKind.SCHEMA),
        ({"anyOf": [{"type": "string"}]}, {"type": ["null", "string"]}, DocumentKind.SCHEMA),
        ({"id": 1, "type": "order"}, {"id": 2, "type": "order"}, DocumentKind.EXAMPLE),
        ({"properties": [1]}, {"items": [{"id": 1}]}, DocumentKind.EXAMPLE),
        ([1], [2], DocumentKind.EXAMPLE),
        ({}, {"id": 1}, DocumentKind.EXAMPLE),
        (OPENAPI, OPENAPI, DocumentKind.OPENAPI),
    ],
)
def test_the_kind_of_the_documents_is_found(old, new, kind):
    assert kind is compare(json.dumps(old), new).kind


def test_documents_of_two_kinds_are_rejected_with_advice():
    with pytest.raises(InvalidDocument, match="kind=") as caught:
        compare({"type": "object"}, {"id": 1})

    assert "new" == caught.value.field


def test_the_kind_can_be_said():
    assert DocumentKind.EXAMPLE is compare({"type": "object"}, {"type": "array"}, kind="example").kind


@pytest.mark.parametrize(("argument", "value"), [("kind", "openapy"), ("direction", "up"), ("kind", 7)])
def test_an_unknown_word_is_rejected_with_a_hint(argument, value):
    with pytest.raises(InvalidDocument, match=f"{argument} is") as caught:
        compare({}, {}, **{argument: value})

    assert argument == caught.value.field


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "strin"}, "/type"),
        ({"properties": {"a": {"minLength": -1}}}, "/properties/a/minLength"),
        ({"properties": {"a": 3}}, "/properties/a"),
        ({"allOf": []}, "/allOf"),
        ({"items": {"required": "a"}}, "/items/required"),
        ({"$defs": {"a/b": {"enum": 1}}}, "/$defs/a~1b/enum"),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 3}, "/exclusiveMinimum"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "multipleOf": 0}, "/multipleOf"),
        ({"$schema": "https://example.com/mine"}, "example.com/mine"),
    ],
)
def test_a_schema_that_its_draft_does_not_allow_is_rejected_with_the_place(schema, place):
    with pytest.raises(InvalidDocument, match="new document") as caught:
        compare({"$schema": "https://json-schema.org/draft/2020-12/schema"}, schema, kind="schema")

    assert place in str(caught.value)
    assert "new" == caught.value.field


def test_breaking_changes_come_first_and_make_a_new_major_version_necessary():
    old = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    new = {"title": "x", "properties": {"a": {"type": "string", "title": "A"}, "b": {"type": "integer"}}}
    comparison = compare(old, new)

    assert [True, False, False] == [change.breaking for change in comparison.changes]
    assert comparison.changes[:1] == comparison.breaking
    assert comparison.needs_major
    assert not compare(old, old).needs_major


def test_a_comparison_is_a_table_and_a_text():
    comparison = compare({"type": "string"}, {"type": "integer"})

    assert ("breaking", "rule", "location", "detail", "path") == CHANGE_COLUMNS
    assert (
        ("yes", "type-changed", "", "The type was string and is now integer.", "/type"),
    ) == comparison.rows()
    assert str(comparison).startswith(
        "1 difference, 1 breaking: this needs a new major version.\n- breaking: "
    )
    assert "No difference." == str(Comparison(DocumentKind.SCHEMA))


def test_every_rule_says_what_it_is_and_why():
    for name, rule in RULES.items():
        assert name == rule.id
        assert rule.title
        assert rule.reason.endswith("."), rule


def test_a_rule_that_depends_on_the_direction_breaks_in_both_together():
    rule = RULES["enum-value-added"]

    assert [False, True, True] == [rule.breaks_in(way) for way in Direction]
    assert isinstance(compare({"enum": [1]}, {"enum": [1, 2]}).changes[0], Change)


@settings(max_examples=extent(30, 300), suppress_health_check=list(HealthCheck))
@given(SCHEMAS)
def test_a_schema_does_not_differ_from_itself(schema):
    if isinstance(schema, dict):
        schema = {**schema, "$defs": {"x": {"type": "string"}}}

    assert () == compare(schema, json.dumps(schema), kind="schema").changes


NONSENSE = st.dictionaries(
    st.sampled_from(
        ["$ref", "$id", "id", "type", "enum", "items", "allOf", "properties", "required", "minimum"]
    )
    | keywords(st.booleans()).map(lambda pair: pair[0]),
    st.recursive(
        JSON, lambda inner: st.dictionaries(st.sampled_from(["$ref", "type", "a", "not"]), inner, max_size=3)
    ),
    max_size=4,
)


@settings(max_examples=extent(60, 600), suppress_health_check=list(HealthCheck))
@given(NONSENSE | JSON, NONSENSE | JSON, st.sampled_from([None, *DocumentKind]))
def test_whatever_the_documents_only_our_error_comes_out(old, new, kind):
    try:
        compare(old, new, kind=kind)
    except VersioningError:
        return


def test_a_megabyte_is_compared_without_reading_a_shared_schema_twice():
    """The work grows with the document, not with the references: each of 300 schemas refers to ten others."""
    shared = {
        f"t{n}": {
            "type": "object",
            "properties": {f"f{m}": {"$ref": f"#/$defs/t{(n * 7 + m) % 300}"} for m in range(10)},
        }
        for n in range(300)
    }
    old = {"properties": {f"p{n}": {"$ref": f"#/$defs/t{n}"} for n in range(300)}, "$defs": shared}
    new = json.loads(json.dumps(old))
    new["$defs"]["t5"]["properties"]["f3"] = {"type": "integer"}

    assert ["type-changed"] == [change.rule for change in compare(old, new, direction="response").changes]


def test_a_change_that_many_places_share_can_be_reported_once():
    one = Change(
        rule="type-changed",
        breaking=True,
        path="/$defs/t/type",
        location="a",
        detail="The type was string and is now integer.",
    )
    places = tuple(
        Change(rule=one.rule, breaking=True, path=one.path, location=where, detail=one.detail)
        for where in ("a", "b", "c")
    )
    other = Change(rule="type-changed", breaking=True, path="/type", location="d", detail=one.detail)

    assert ["a and 2 more places", "d"] == [
        change.location for change in Comparison(DocumentKind.SCHEMA, (*places, other)).distinct()
    ]
    assert ["a and 1 more place"] == [
        change.location for change in Comparison(DocumentKind.SCHEMA, places[:2]).distinct()
    ]


@pytest.mark.parametrize("version", ["swagger: 2.0", "openapi: 3.0", "openapi: 3.1"])
def test_a_version_that_yaml_reads_as_a_number_is_one_of_openapi(version):
    old = f"{version}\npaths: {{/orders: {{get: {{responses: {{200: {{description: ok}}}}}}}}}}"
    new = f"{version}\npaths: {{}}"

    comparison = compare(old, new)

    assert DocumentKind.OPENAPI is comparison.kind
    assert ["endpoint-removed"] == [change.rule for change in comparison.breaking]


def test_documents_of_two_kinds_are_rejected_with_the_argument_in_a_note():
    with pytest.raises(InvalidDocument, match="compare documents of one kind") as caught:
        compare({"total": 1}, {"type": "integer"})

    assert "kind=" not in str(caught.value)
    assert ["if they are of one kind, name it with kind="] == caught.value.__notes__


def test_a_payload_that_looks_like_a_broken_schema_is_rejected_with_a_way_out():
    feature = {"type": "Feature", "properties": {"address": {}}}

    with pytest.raises(InvalidDocument) as caught:
        compare(feature, feature)

    assert "kind=" not in str(caught.value)
    assert ['for an example payload pass kind="example"'] == caught.value.__notes__
    assert () == compare(feature, feature, kind="example").changes


def test_a_word_that_is_nearly_right_is_named_as_it_is_written():
    with pytest.raises(InvalidDocument, match="did you mean 'response'"):
        compare({}, {}, direction="responce")


def test_nullable_says_nothing_outside_of_openapi_and_is_reported_as_an_unknown_word():
    (change,) = compare({"type": "string"}, {"type": "string", "nullable": True}).changes

    assert ("keyword-changed", False) == (change.rule, change.breaking)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ({"unevaluatedProperties": False}, "/unevaluatedProperties"),
        ({"const": {"a": 1}}, "/const"),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"]}},
            "/dependencies/a",
        ),
    ],
)
def test_the_pointer_leads_to_the_word_that_is_written(words, path):
    old = {"type": "object", **{word: value for word, value in words.items() if word == "$schema"}}

    assert path in {change.path for change in compare(old, {**old, **words}, kind="schema").changes}


def test_a_reference_that_leads_nowhere_is_listed_with_its_place():
    schema = {"$ref": "#/components/schemas/Order"}
    answer = {"description": "ok", "content": {"application/json": {"schema": schema}}}
    document = {"openapi": "3.1.0", "paths": {"/orders": {"get": {"responses": {"200": answer}}}}}

    comparison = compare(document, {**document, "components": {"schemas": {"Order": {"type": "string"}}}})

    assert ["component-changed"] == [change.rule for change in comparison.changes]
    assert ["$ref '#/components/schemas/Order'"] == [each.construct for each in comparison.not_compared]
    assert not comparison.needs_major


def test_what_many_endpoints_share_is_one_line_of_the_printed_comparison():
    def service(kind):
        answer = {"description": "ok", "content": {"application/json": {"schema": {"$ref": REFERENCE}}}}
        paths = {f"/{name}": {"get": {"responses": {"200": answer}}} for name in ("a", "b", "c")}
        schema = {"type": "object", "properties": {"total": {"type": kind}}}
        return {"openapi": "3.1.0", "paths": paths, "components": {"schemas": {"Order": schema}}}

    comparison = compare(service("integer"), service("string"))

    assert 3 == len(comparison.changes)
    first, second = str(comparison).splitlines()
    assert "3 differences, 3 breaking: this needs a new major version." == first
    assert second.startswith("- breaking: GET /a, response 200, total and 2 more places: The type was")


def test_a_missing_library_is_named_and_nothing_else(monkeypatch):
    monkeypatch.setitem(sys.modules, "jsonschema", None)

    with pytest.raises(InvalidDocument) as caught:
        compare({"type": "string"}, {"type": "integer"})
    assert str(caught.value).endswith('install "hook-widgets[openapi]"')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string"}, {"const": 1}),
        ({"enum": ["a"]}, {"type": "object"}),
        ({"type": ["string", "null"]}, {"type": "object"}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "integer"}),
    ],
)
def test_another_type_is_reported_once_without_what_goes_with_it(old, new):
    for before, after in ((old, new), (new, old)):
        assert ["type-changed"] == [change.rule for change in compare(before, after, kind="schema").changes]


@pytest.mark.parametrize("direction", ["request", "response"])
def test_a_longer_tuple_is_wider_and_is_reported_once(direction):
    text, whole = {"type": "string"}, {"type": "integer"}
    one, two = ({"type": "array", "prefixItems": items, "items": False} for items in ([text], [text, whole]))
    longer, shorter = (compare(*sides, direction=direction).changes for sides in ((one, two), (two, one)))

    assert [("bounds-widened", direction == "response")] == [(each.rule, each.breaking) for each in longer]
    assert [("bounds-narrowed", direction == "request")] == [(each.rule, each.breaking) for each in shorter]
