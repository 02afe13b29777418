from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from hook_widgets.errors import InvalidApi
from tests.versioning.compat.openapi.descriptions import OK, api, changes_of, get, rules, summarize

ENDED = {**OK, "deprecated": True, "x-sunset": "2026-06-30"}
AT = datetime(2026, 7, 1, tzinfo=UTC)


def test_a_removed_path_breaks_and_an_added_one_does_not():
    assert [("endpoint-removed", True, "GET /orders")] == summarize(get(), api())
    assert [("endpoint-added", False, "GET /orders")] == summarize(api(), get())


def test_a_removed_method_of_a_path_that_stays_breaks():
    both = api({"/orders": {"get": OK, "delete": OK}})
    assert [("endpoint-removed", True, "DELETE /orders")] == summarize(both, get())


def test_a_removal_points_into_the_old_document_and_an_addition_into_the_new_one():
    moved = changes_of(get(path="/a/b"), get(path="/c"))
    assert ["/paths/~1a~1b/get", "/paths/~1c/get"] == [change.path for change in moved]


def test_a_removed_endpoint_names_the_one_that_has_its_operation_id_now():
    named = {**OK, "operationId": "listOrders"}
    removed = changes_of(get(named), get(named, path="/purchases"))[0]
    assert "The endpoint GET /orders was removed; GET /purchases has its operationId now." == removed.detail


@pytest.mark.parametrize(
    "sunset",
    [
        "2026-06-30",
        "2026-07-01",
        "2026-07-01T02:00:00+03:00",
        "Tue, 30 Jun 2026 23:59:59 GMT",
        date(2026, 6, 30),
        AT,
    ],
)
def test_a_deprecated_endpoint_may_go_when_its_announced_end_has_come(sunset):
    old = get({**ENDED, "x-sunset": sunset})
    assert [("endpoint-removed-after-sunset", False)] == rules(old, api(), as_of=AT)


@pytest.mark.parametrize(
    "operation",
    [
        {**ENDED, "x-sunset": "2026-07-02"},
        {**ENDED, "x-sunset": "soon"},
        {**ENDED, "x-sunset": 2026},
        {**ENDED, "x-sunset": "0001-01-01T00:00:00+20:00", "deprecated": False},
        {**OK, "deprecated": True},
        {**ENDED, "deprecated": False},
    ],
)
def test_an_endpoint_whose_end_was_not_announced_or_has_not_come_may_not_go(operation):
    assert [("endpoint-removed", True)] == rules(get(operation), api(), as_of=AT)


@pytest.mark.parametrize(
    ("operation", "at", "message"),
    [
        (ENDED, None, "it was deprecated, with 2026-06-30 as its end; pass as_of= to check that date."),
        ({**ENDED, "x-sunset": "2026-07-02"}, AT, "it was deprecated, but until 2026-07-02."),
        ({**OK, "deprecated": True}, AT, "it was deprecated, but no end was announced in x-sunset."),
        ({**ENDED, "x-sunset": "soon"}, AT, "it was deprecated, but its x-sunset is no date."),
    ],
)
def test_a_removal_that_comes_too_early_says_why(operation, at, message):
    removed = changes_of(get(operation), api(), as_of=at)[0]
    assert f"The endpoint GET /orders was removed; {message}" == removed.detail
    assert removed.breaking


def test_an_end_that_is_no_date_is_reported():
    unreadable = get({**ENDED, "x-sunset": "soon"})
    (deprecated,) = changes_of(get(), unreadable)
    (changed,) = changes_of(get(ENDED), unreadable)
    assert "The endpoint is deprecated now, but its x-sunset is no date." == deprecated.detail
    assert "The announced end was 2026-06-30 and cannot be read now." == changed.detail


def test_a_time_without_a_zone_is_rejected():
    with pytest.raises(InvalidApi, match="no time zone") as refusal:
        changes_of(get(), get(), as_of=datetime(2026, 7, 1))  # noqa: DTZ001
    assert "as_of" == refusal.value.field


def test_a_path_parameter_of_another_name_is_the_same_path():
    old = get({**OK, "parameters": [{"name": "id", "in": "path", "required": True}]}, path="/orders/{id}")
    new = get({**OK, "parameters": [{"name": "key", "in": "path", "required": True}]}, path="/orders/{key}")
    assert [("path-parameter-renamed", False, "GET /orders/{key}, key")] == summarize(old, new)


def test_names_that_swap_their_positions_are_reported_by_position():
    names = [
        {"name": name, "in": "path", "required": True, "schema": {"type": kind}}
        for name, kind in (("a", "string"), ("b", "integer"))
    ]
    old = get({**OK, "parameters": names}, path="/{a}/{b}")
    new = get({**OK, "parameters": names}, path="/{b}/{a}")
    assert [
        ("type-narrowed", True, "GET /{b}/{a}, b"),
        ("path-parameter-renamed", False, "GET /{b}/{a}, b"),
        ("path-parameter-renamed", False, "GET /{b}/{a}, a"),
        ("type-widened", False, "GET /{b}/{a}, a"),
    ] == summarize(old, new)


def test_a_path_that_is_the_same_to_the_letter_is_preferred():
    old = api({"/a/{x}": {"get": OK}, "/a/{y}": {"post": OK}})
    new = api({"/a/{y}": {"post": OK, "get": OK}})
    assert [] == rules(old, new)


def test_deprecation_is_a_notice_and_can_be_taken_back():
    marked = get({**OK, "deprecated": True})
    assert [("endpoint-deprecated", False, "GET /orders")] == summarize(get(), marked)
    assert [("endpoint-reactivated", False, "GET /orders")] == summarize(marked, get())


@pytest.mark.parametrize("earlier", [{"x-sunset": "2026-06-29"}, {"x-sunset": "at once"}, {"x-sunset": None}])
def test_an_announced_end_may_move_back_but_not_forward(earlier):
    moved = get({**ENDED, **earlier})
    assert [("sunset-earlier", True)] == rules(get(ENDED), moved)
    assert [("sunset-later", False)] == rules(moved, get(ENDED))


def test_the_operation_id_never_travels():
    named = get({**OK, "operationId": "listOrders"})
    assert [("operation-id-changed", False, "GET /orders")] == summarize(get(), named)
    assert [("operation-id-changed", False, "GET /orders")] == summarize(named, get())


@pytest.mark.parametrize(
    "texts",
    [
        {"summary": "All"},
        {"description": "All of them"},
        {"tags": ["orders"]},
        {"externalDocs": {"url": "https://docs.example.com"}},
    ],
)
def test_words_about_an_operation_are_documentation(texts):
    changes = changes_of(get(), get({**OK, **texts}))
    assert [("documentation-changed", False)] == [(change.rule, change.breaking) for change in changes]
    assert f"The documentation changed: {next(iter(texts))}." == changes[0].detail


def test_words_about_a_path_and_the_document_are_documentation():
    old, new = get(), get(tags=[{"name": "orders"}])
    new["paths"]["/orders"]["description"] = "Orders"
    assert [("documentation-changed", False, "/orders"), ("documentation-changed", False, "")] == summarize(
        old, new
    )


def test_schemas_that_nothing_uses_come_and_go_and_change_as_they_like():
    none, one = get(), get(components={"schemas": {"Order": {"type": "object"}}})
    assert [("component-changed", False, "schema Order")] == summarize(none, one)
    assert [("component-changed", False, "schema Order")] == summarize(one, none)
    other = get(components={"schemas": {"Order": {"type": "string"}}})
    assert [("component-changed", False, "schema Order")] == summarize(one, other)


def test_extensions_do_not_count():
    new = get({**OK, "x-internal": True}, **{"x-from": "generator"}, components={"x-more": 1})
    assert [] == rules(get(), new)
