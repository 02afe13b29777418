from __future__ import annotations

from typing import Any

import pytest

from tests.versioning.compat.openapi.descriptions import (
    NUMBER,
    OK,
    TEXT,
    answering,
    changes_of,
    get,
    rules,
    summarize,
)

ERROR: dict[str, Any] = {"type": "object", "properties": {"code": TEXT, "message": TEXT}}
OTHER = {"type": "object", "properties": {"error": NUMBER}}
JSON = "application/json"


def statuses(*names, **more):
    return get({"responses": {name: {"description": ""} for name in names} | more})


def content(schema, media=JSON):
    return {"description": "", "content": {media: {"schema": schema}}}


def headed(**headers):
    return get({"responses": {"200": {"description": "", "headers": headers}}})


def test_the_name_of_a_header_may_begin_with_x():
    whole, text = {"schema": {"type": "integer"}}, {"schema": {"type": "string"}}
    named = headed(**{"x-rate-limit": whole})
    assert [] == rules(headed(**{"X-Rate-Limit": whole}), named)
    assert [("header-removed", True)] == rules(named, headed(**{"x-other-name": text}))[:1]
    assert ("type-widened", True) in rules(named, headed(**{"x-rate-limit": text}))


def test_a_removed_success_breaks_and_an_added_one_does_not():
    one, two = statuses("200"), statuses("200", "202")
    assert [("success-status-removed", True, "GET /orders, response 202")] == summarize(two, one)
    assert [("success-status-added", False, "GET /orders, response 202")] == summarize(one, two)


@pytest.mark.parametrize("status", ["404", "500", "4XX", "default"])
def test_an_error_that_comes_or_goes_breaks_nobody(status):
    one, two = statuses("200"), statuses("200", status)
    assert [("error-status-removed", False, f"GET /orders, response {status}")] == summarize(two, one)
    assert [("error-status-added", False, f"GET /orders, response {status}")] == summarize(one, two)


@pytest.mark.parametrize("status", ["400", "404", "503", "4XX", "5xx", "default"])
def test_another_error_format_breaks(status):
    old, new = answering(ERROR, status=status), answering(OTHER, status=status)
    changes = rules(old, new)
    assert ("error-format-changed", True) in changes
    assert {"error-format-changed"} == {rule for rule, breaking in changes if breaking}


def test_another_media_type_of_an_error_breaks():
    old, new = (
        answering(ERROR, status="400"),
        answering(ERROR, status="400", media="application/problem+json"),
    )
    where = "GET /orders, response 400"
    assert [
        ("error-format-changed", True, where),
        ("response-media-type-added", False, where),
    ] == summarize(old, new)


def test_a_new_field_of_an_error_breaks_nobody():
    wider = {**ERROR, "properties": {**ERROR["properties"], "hint": TEXT}}
    changes = summarize(answering(ERROR, status="400"), answering(wider, status="400"))
    assert [("property-added", False, "GET /orders, response 400, hint")] == changes


def test_default_is_the_success_where_no_other_is_listed():
    old, new = (get({"responses": {"default": content(schema)}}) for schema in (TEXT, NUMBER))
    assert [("type-changed", True, "GET /orders, response default")] == summarize(old, new)


@pytest.mark.parametrize("cover", ["default", "4XX"])
def test_an_error_that_was_covered_until_now_must_keep_the_format(cover):
    covered = statuses("200", **{cover: content(ERROR)})
    same = statuses("200", **{cover: content(ERROR), "404": content(ERROR)})
    other = statuses("200", **{cover: content(ERROR), "404": content(OTHER)})
    more = {**ERROR, "properties": {**ERROR["properties"], "hint": TEXT}}
    wider = statuses("200", **{cover: content(ERROR), "404": content(more)})
    narrower = statuses("200", **{cover: content(more), "404": content(ERROR)})
    assert [("error-status-added", False)] == rules(covered, wider)
    assert [("error-status-removed", False)] == rules(narrower, statuses("200", **{cover: content(more)}))
    assert [("error-status-added", False)] == rules(covered, same)
    assert ("error-format-changed", True) in rules(covered, other)
    assert [("error-status-removed", False)] == rules(same, covered)
    assert ("error-format-changed", True) in rules(other, covered)


def test_a_range_of_successes_may_be_listed_one_by_one_and_back():
    ranged, single = (get({"responses": {status: content(TEXT)}}) for status in ("2XX", "200"))
    assert [("success-status-added", False)] == rules(ranged, single)
    assert not any(breaking for _, breaking in rules(ranged, single))
    wider = get({"responses": {"200": content({"type": ["string"], "description": "Wider"})}})
    assert [("success-status-added", False)] == rules(ranged, wider)
    changed = get({"responses": {"200": content(NUMBER)}})
    assert ("type-changed", True) in rules(ranged, changed)


def test_a_default_may_be_listed_as_statuses_and_back():
    default, single = (get({"responses": {status: content(TEXT)}}) for status in ("default", "200"))
    assert [("error-status-removed", False), ("success-status-added", False)] == rules(default, single)
    assert ("type-changed", True) in rules(default, get({"responses": {"200": content(NUMBER)}}))
    assert [("error-status-removed", False)] == rules(default, get({"responses": {}}))


def test_default_does_not_stand_for_a_success_that_is_gone():
    old, new = statuses("200", "201", "default"), statuses("200", "default")
    assert [("success-status-removed", True)] == rules(old, new)


def test_statuses_may_be_numbers_as_yaml_reads_them():
    assert [] == rules(statuses("200"), get({"responses": {200: {"description": ""}}}))


def test_a_wider_answer_breaks_and_a_narrower_one_does_not():
    order = {
        "type": "object",
        "properties": {"lines": {"type": "array", "items": {"properties": {"price": NUMBER}}}},
    }
    old, new = answering({**order}), answering({**order, "required": ["lines"]})
    where = "GET /orders, response 200, lines"
    assert [("property-required", False, where)] == summarize(old, new)
    assert [("property-optional", True, where)] == summarize(new, old)


def test_the_place_names_fields_of_items():
    def lines(price):
        item = {"type": "object", "properties": {"price": price}}
        return answering({"type": "object", "properties": {"lines": {"type": "array", "items": item}}})

    changes = summarize(lines(NUMBER), lines(TEXT))
    assert [("type-changed", True, "GET /orders, response 200, lines[].price")] == changes


def test_fields_that_only_clients_write_are_no_part_of_an_answer():
    secret = {"type": "object", "properties": {"name": TEXT, "password": {**TEXT, "writeOnly": True}}}
    plain = {"type": "object", "properties": {"name": TEXT}}
    assert not any(breaking for _, breaking in rules(answering(secret), answering(plain)))


def test_a_removed_media_type_breaks_and_an_added_one_does_not():
    both = get({"responses": {"200": {"description": "", "content": {JSON: {}, "text/csv": {}}}}})
    one = get({"responses": {"200": {"description": "", "content": {JSON: {}}}}})
    assert [("response-media-type-removed", True, "GET /orders, response 200")] == summarize(both, one)
    assert [("response-media-type-added", False, "GET /orders, response 200")] == summarize(one, both)


def test_a_media_range_that_widens_breaks_and_one_that_narrows_does_not():
    wide, narrow = answering(media="application/*"), answering(media=JSON)
    assert [("media-type-widened", True)] == rules(narrow, wide)
    assert [("media-type-narrowed", False)] == rules(wide, narrow)


@pytest.mark.parametrize(("flag", "word"), [({}, "optional"), ({"required": True}, "required")])
def test_a_removed_header_breaks_and_an_added_one_does_not(flag, word):
    some, none = headed(**{"X-Total": {"schema": NUMBER, **flag}}), headed()
    where = "GET /orders, response 200, header X-Total"
    assert [("header-removed", True, where)] == summarize(some, none)
    assert [(f"{word}-header-added", False, where)] == summarize(none, some)


def test_a_header_that_may_be_missing_breaks_and_one_that_is_always_there_does_not():
    may, must = (headed(**{"X-Total": {"schema": NUMBER, "required": flag}}) for flag in (False, True))
    assert [("header-optional", True)] == rules(must, may)
    assert [("header-required", False)] == rules(may, must)


def test_a_renamed_header_is_recognised():
    old, new = headed(**{"X-Total-Count": {"schema": NUMBER}}), headed(**{"Total-Count": {"schema": NUMBER}})
    changes = changes_of(old, new)
    assert [("header-renamed", True)] == [(change.rule, change.breaking) for change in changes]
    assert "Header X-Total-Count was renamed to Total-Count." == changes[0].detail


def test_names_of_headers_are_case_insensitive_and_content_type_is_none():
    old, new = (
        headed(ETag={"schema": TEXT}),
        headed(etag={"schema": TEXT}, **{"content-type": {"schema": TEXT}}),
    )
    assert [] == rules(old, new)


def test_a_wider_header_breaks_and_a_narrower_one_does_not():
    text, number = (headed(**{"X-Left": {"schema": schema}}) for schema in (TEXT, NUMBER))
    assert [("type-narrowed", False)] == rules(text, number)
    assert [("type-widened", True)] == rules(number, text)
    narrow, wide = (headed(**{"X-Left": {"schema": schema}}) for schema in ({**NUMBER, "maximum": 9}, NUMBER))
    where = "GET /orders, response 200, header X-Left"
    assert [("bounds-widened", True, where)] == summarize(narrow, wide)
    assert [("bounds-narrowed", False, where)] == summarize(wide, narrow)


def test_words_and_links_are_documentation():
    old, new = (
        get({"responses": {"200": {"description": text, "links": {text: {"operationId": "a"}}}}})
        for text in "ab"
    )
    changes = changes_of(old, new)
    assert ["The documentation changed: description, links."] == [change.detail for change in changes]
    assert [] == changes_of(get(OK), get(OK))
