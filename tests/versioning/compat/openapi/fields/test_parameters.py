from __future__ import annotations

import pytest

from hook_widgets.errors import InvalidDocument
from tests.versioning.compat.openapi.descriptions import (
    NUMBER,
    OK,
    TEXT,
    accepting,
    api,
    changes_of,
    get,
    query,
    rules,
    summarize,
)
from tests.versioning.compat.openapi.test_endpoints import AT

LIST = {"type": "array", "items": TEXT}
PLACES = ("query", "header", "cookie")


def in_(located, name="limit", **more):
    return {**query(name, **more), "in": located}


@pytest.mark.parametrize("located", PLACES)
def test_a_removed_parameter_breaks_and_an_added_optional_one_does_not(located):
    assert [("parameter-removed", True, "GET /orders, limit")] == summarize(accepting(in_(located)), get())
    assert [("optional-parameter-added", False, "GET /orders, limit")] == summarize(
        get(), accepting(in_(located))
    )


@pytest.mark.parametrize("located", PLACES)
def test_an_added_required_parameter_breaks(located):
    required = accepting(in_(located, required=True))
    assert [("required-parameter-added", True, "GET /orders, limit")] == summarize(get(), required)


def test_a_deprecated_parameter_may_go_when_its_announced_end_has_come():
    old = accepting(query(deprecated=True, **{"x-sunset": "2026-06-30"}))
    assert [("parameter-removed-after-sunset", False)] == rules(old, get(), as_of=AT)
    assert [("parameter-removed", True)] == rules(old, get())
    detail = "Parameter limit in query was removed; it was deprecated, with 2026-06-30 as its end; "
    assert f"{detail}pass as_of= to check that date." == changes_of(old, get())[0].detail


def test_a_parameter_that_becomes_required_breaks_and_one_that_becomes_optional_does_not():
    may, must = accepting(query()), accepting(query(required=True))
    assert [("parameter-required", True, "GET /orders, limit")] == summarize(may, must)
    assert [("parameter-optional", False, "GET /orders, limit")] == summarize(must, may)


def test_a_parameter_of_a_path_is_always_required():
    plain, must = (
        get({**OK, "parameters": [{"name": "id", "in": "path", "schema": TEXT, **more}]}, path="/orders/{id}")
        for more in ({}, {"required": True})
    )
    assert [] == rules(plain, must)


def test_a_parameter_that_moves_is_reported_as_one_change():
    old, new = accepting(query("Limit")), accepting(in_("header"))
    assert [("parameter-moved", True, "GET /orders, limit")] == summarize(old, new)
    assert "Parameter Limit moved from query to header." == changes_of(old, new)[0].detail


def test_a_renamed_parameter_is_recognised_by_its_name_and_schema():
    old, new = accepting(query("page_size")), accepting(query("pageSize"))
    assert [("parameter-renamed", True, "GET /orders, page_size")] == summarize(old, new)
    assert "Parameter page_size in query was renamed to pageSize." == changes_of(old, new)[0].detail


@pytest.mark.parametrize("other", [query("pageSize", TEXT), query("sort"), query("pageSize", required=True)])
def test_parameters_that_differ_in_more_than_the_name_are_two(other):
    told_rules = [rule for rule, _ in rules(accepting(query("page_size")), accepting(other))]
    assert "parameter-removed" in told_rules
    assert "parameter-renamed" not in told_rules


def test_among_very_many_names_no_renames_are_looked_for():
    old, new = (accepting(*(query(f"{word}{index}") for index in range(60))) for word in ("page_", "page-"))
    assert [("parameter-removed", True), ("optional-parameter-added", False)] == rules(old, new)


def test_each_new_name_stands_for_one_old_name():
    old = accepting(query("page_size"), query("pagesize2"))
    new = accepting(query("pageSize"))
    assert [("parameter-renamed", True), ("parameter-removed", True)] == rules(old, new)


def test_parameters_of_the_path_belong_to_its_operations_which_may_override_them():
    shared = api({"/orders": {"parameters": [query()], "get": OK}})
    assert [] == rules(accepting(query()), shared)
    own = api({"/orders": {"parameters": [query(schema=TEXT)], "get": {**OK, "parameters": [query()]}}})
    assert [] == rules(accepting(query()), own)


@pytest.mark.parametrize("name", ["Accept", "content-type", "AUTHORIZATION"])
def test_headers_that_are_described_elsewhere_are_no_parameters(name):
    assert [] == rules(get(), accepting(in_("header", name, required=True)))


def test_names_of_headers_are_case_insensitive_and_other_names_are_not():
    assert [] == rules(accepting(in_("header", "X-Key")), accepting(in_("header", "x-key")))
    assert ("parameter-renamed", True) in rules(accepting(query("Key")), accepting(query("key")))


def test_a_narrower_schema_breaks_and_a_wider_one_does_not():
    wide, narrow = accepting(query()), accepting(query(schema={**NUMBER, "maximum": 100}))
    assert [("bounds-narrowed", True, "GET /orders, limit")] == summarize(wide, narrow)
    assert [("bounds-widened", False, "GET /orders, limit")] == summarize(narrow, wide)


@pytest.mark.parametrize(
    ("old", "new"),
    [(NUMBER, {**NUMBER, "default": 20}), ({**NUMBER, "default": 20}, {**NUMBER, "default": 50})],
)
def test_another_default_of_a_parameter_breaks_both_ways_and_is_reported_once(old, new):
    for before, after in ((old, new), (new, old)):
        changes = summarize(accepting(query(schema=before)), accepting(query(schema=after)))
        assert [("parameter-default-changed", True, "GET /orders, limit")] == changes


def test_the_default_of_a_parameter_that_is_always_sent_says_nothing():
    old, new = (accepting(query(schema={**NUMBER, "default": at}, required=True)) for at in (1, 2))
    assert [("default-changed", False)] == rules(old, new)
    old, new = (
        get(
            {**OK, "parameters": [{"name": "id", "in": "path", "schema": {**NUMBER, "default": at}}]},
            path="/{id}",
        )
        for at in (1, 2)
    )
    assert [("default-changed", False)] == rules(old, new)


def test_the_default_of_a_field_inside_a_parameter_is_only_said():
    old, new = ({"type": "object", "properties": {"a": {**NUMBER, "default": at}}} for at in (1, 2))
    changes = rules(accepting(query(schema=old)), accepting(query(schema=new)))
    assert [("default-changed", False)] == changes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (query(schema=LIST), query(schema=LIST, explode=False)),
        (query(schema=LIST), query(schema=LIST, style="pipeDelimited")),
        (query(schema={"type": "object"}), query(schema={"type": "object"}, style="deepObject")),
        (query(), query(allowReserved=True)),
        (query(), {"name": "limit", "in": "query", "content": {"application/json": {"schema": NUMBER}}}),
    ],
)
def test_a_value_that_is_written_otherwise_breaks_both_ways(old, new):
    for before, after in ((old, new), (new, old)):
        changes = rules(accepting(before), accepting(after))
        assert [("serialization-changed", True)] == changes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (query(schema=LIST), query(schema=LIST, style="form", explode=True)),
        (query(), query(explode=False)),
        (in_("header", schema=LIST), in_("header", schema=LIST, style="simple", explode=False)),
    ],
)
def test_a_style_that_writes_the_same_text_is_no_change(old, new):
    assert [] == rules(accepting(old), accepting(new))


def test_a_scalar_in_a_path_is_written_otherwise_in_another_style():
    paths = [
        get({**OK, "parameters": [{**in_("path", "id", required=True), **style}]}, path="/orders/{id}")
        for style in ({}, {"style": "matrix"})
    ]
    assert [("serialization-changed", True, "GET /orders/{id}, id")] == summarize(*paths)


def test_one_value_of_a_query_is_a_list_of_one_where_each_item_is_written_by_itself():
    one, many = accepting(query(schema=TEXT)), accepting(query(schema=LIST))
    assert [("type-widened", False, "GET /orders, limit")] == summarize(one, many)
    assert any(breaking for _, breaking in rules(many, one))


@pytest.mark.parametrize(
    "many",
    [
        query(schema={**LIST, "minItems": 2}),
        query(schema={**LIST, "maxItems": 0}),
        query(schema=LIST, explode=False),
        query(schema=LIST, style="pipeDelimited"),
        query(schema={"type": "array", "items": {"type": "object"}}),
        query(schema={**LIST, "items": {"type": "string", "maxLength": 3}}),
    ],
)
def test_other_lists_than_those_of_one_such_value_break(many):
    assert any(breaking for _, breaking in rules(accepting(query(schema=TEXT)), accepting(many)))


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [TEXT, {"anyOf": [NUMBER, {"type": ["boolean", "null"]}]}]},
        {"enum": ["a", 1]},
        {"$ref": "#/components/schemas/Name"},
    ],
)
def test_alternatives_of_single_values_are_written_in_one_way(schema):
    names = {"schemas": {"Name": TEXT}}
    plain, split = (
        accepting({**query(schema=schema), **style}, components=names) for style in ({}, {"explode": False})
    )
    assert [] == rules(plain, split)


@pytest.mark.parametrize("schema", [{}, True, {"oneOf": [TEXT, LIST]}, {"enum": [["a"]]}, {"type": []}])
def test_what_may_be_a_list_is_written_otherwise_in_another_style(schema):
    plain, split = (accepting({**query(schema=schema), **style}) for style in ({}, {"explode": False}))
    assert ("serialization-changed", True) in rules(plain, split)


@pytest.mark.parametrize("kind", ["integer", "number", "boolean"])
def test_a_number_is_a_text_where_everything_is_text(kind):
    number, text = accepting(query(schema={"type": kind})), accepting(query(schema=TEXT))
    assert [("type-widened", False)] == rules(number, text)
    assert [("type-narrowed", True)] == rules(text, number)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"type": "integer", "enum": [1, 2]}, {"type": "string", "enum": ["1", "2"]}, None),
        ({"type": "boolean"}, {"type": "string", "enum": ["true", "false"]}, None),
        ({"type": "integer", "enum": [1]}, {"type": "string", "enum": ["1", "2"]}, ("type-widened", False)),
        ({"type": "string", "enum": ["1", "2"]}, {"type": "integer"}, ("type-widened", False)),
        ({"type": "number"}, {"type": "string", "enum": ["1", "2.5"]}, ("type-narrowed", True)),
        ({"type": "string", "enum": ["1", "x"]}, {"type": "integer"}, ("type-changed", True)),
        ({"type": "string", "enum": ["01"]}, {"type": "integer"}, ("type-changed", True)),
        ({"type": "string", "enum": ["1"]}, {"type": "integer", "maximum": 0}, ("type-changed", True)),
    ],
)
def test_values_are_compared_as_the_texts_that_are_sent(one, other, expected):
    old, new = (accepting(query(schema=schema)) for schema in (one, other))

    assert ([expected] if expected else []) == rules(old, new)


def test_inside_of_an_object_in_a_query_types_are_reported_as_they_are():
    def filtered(kind):
        return accepting(query(schema={"type": "object", "properties": {"a": {"type": kind}}}))

    assert [("type-changed", True, "GET /orders, limit, a")] == summarize(
        filtered("integer"), filtered("string")
    )


def test_a_number_beside_text_is_no_other_text():
    both, text = (
        accepting(query(schema={"type": kind}), openapi="3.1.0") for kind in (["string", "integer"], "string")
    )
    assert [] == rules(both, text)
    assert [] == rules(text, both)
    many = accepting(query(schema=LIST), openapi="3.1.0")
    assert [("type-widened", False)] == rules(both, many)


def test_a_number_is_not_every_text_of_some_form():
    number, code = accepting(query()), accepting(query(schema={**TEXT, "pattern": "^[A-Z]+$"}))
    assert any(breaking for _, breaking in rules(number, code))


def test_the_announced_end_of_a_parameter_may_move_back_but_not_forward():
    old, new = (
        accepting(query(deprecated=True, **{"x-sunset": day})) for day in ("2027-06-30", "2027-01-01")
    )
    assert [("sunset-earlier", True, "GET /orders, limit")] == summarize(old, new)
    assert [("sunset-later", False, "GET /orders, limit")] == summarize(new, old)


def test_a_parameter_that_is_written_by_a_media_type_is_compared_by_it():
    old, new = (
        accepting({"name": "filter", "in": "query", "content": {"application/json": {"schema": schema}}})
        for schema in (NUMBER, {**NUMBER, "minimum": 1})
    )
    assert [("bounds-narrowed", True, "GET /orders, filter")] == summarize(old, new)


def test_an_empty_value_may_be_allowed_but_not_rejected():
    plain, empty = accepting(query()), accepting(query(allowEmptyValue=True))
    assert [("empty-value-allowed", False, "GET /orders, limit")] == summarize(plain, empty)
    assert [("empty-value-rejected", True, "GET /orders, limit")] == summarize(empty, plain)


def test_deprecation_and_words_break_nobody():
    old, new = accepting(query()), accepting(query(deprecated=True, description="At most"))
    assert [("deprecated-changed", False), ("documentation-changed", False)] == rules(old, new)
    assert [("deprecated-changed", False), ("documentation-changed", False)] == rules(new, old)


@pytest.mark.parametrize(
    "parameter",
    [{"in": "query"}, {"name": "limit"}, {"name": "limit", "in": "body"}, {"name": 3}, "limit", None],
)
def test_a_parameter_without_a_name_or_place_is_rejected_with_its_place(parameter):
    with pytest.raises(InvalidDocument, match="the new document, /paths/~1orders/get/parameters/0"):
        changes_of(get(), accepting(parameter))
