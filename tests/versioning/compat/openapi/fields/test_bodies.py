from __future__ import annotations

from typing import Any

import pytest

from tests.versioning.compat.openapi.descriptions import (
    NUMBER,
    OK,
    TEXT,
    answering,
    changes_of,
    post,
    receiving,
    rules,
    summarize,
)

ORDER: dict[str, Any] = {"type": "object", "properties": {"total": NUMBER, "note": TEXT}}
JSON = "application/json"


def body(**media):
    return post({**OK, "requestBody": {"content": {name.replace("_", "/"): {} for name in media}}})


def bodies(*media):
    return post({**OK, "requestBody": {"content": {name: {"schema": TEXT} for name in media}}})


def test_an_added_body_breaks_only_when_it_is_required():
    assert [("optional-request-body-added", False, "POST /orders, request body")] == summarize(
        post(), receiving()
    )
    must = receiving(required=True)
    assert [("required-request-body-added", True, "POST /orders, request body")] == summarize(post(), must)


def test_a_removed_body_breaks():
    assert [("request-body-removed", True, "POST /orders, request body")] == summarize(receiving(), post())


def test_a_body_that_becomes_required_breaks_and_one_that_becomes_optional_does_not():
    may, must = receiving(), receiving(required=True)
    assert [("request-body-required", True)] == rules(may, must)
    assert [("request-body-optional", False)] == rules(must, may)


def test_a_removed_media_type_breaks_and_an_added_one_does_not():
    one, two = bodies(JSON), bodies(JSON, "application/xml")
    assert [("request-media-type-added", False)] == rules(one, two)
    assert [("request-media-type-removed", True)] == rules(two, one)


@pytest.mark.parametrize("other", ["Application/JSON", "application/json ; charset=UTF-8"])
def test_a_media_type_may_be_written_in_another_way(other):
    broken = [change for change in rules(bodies(JSON), bodies(other)) if change[1]]
    assert [] == broken


def test_the_order_of_parameters_of_a_media_type_does_not_count():
    assert [] == rules(bodies("text/csv; header=present; a=1"), bodies("text/csv;a=1;header=present"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f'{JSON};v="1.0"', f"{JSON}; v=1.0"),
        (f'{JSON};profile="https://example.com/a;b"', f'{JSON}; Profile="https://example.com/a\\;b"'),
        (f"{JSON};charset=UTF-8", f'{JSON};charset="utf-8"'),
    ],
)
def test_quotes_around_a_parameter_of_a_media_type_mean_nothing(old, new):
    assert [] == rules(bodies(old), bodies(new))


@pytest.mark.parametrize("name", ["v", "version", "profile"])
def test_another_value_of_a_parameter_is_another_media_type(name):
    old, new = (bodies(f"{JSON};{name}={value}") for value in ("1.0", "2.0"))
    both = bodies(f"{JSON};{name}=2.0", f"{JSON};{name}=1.0")
    assert [("request-media-type-removed", True), ("request-media-type-added", False)] == rules(old, new)
    assert [("request-media-type-added", False)] == rules(old, both)


def test_parameters_of_a_media_type_are_reported():
    old, new = bodies(JSON), bodies("application/json;charset=utf-8")
    assert [("media-type-parameters-changed", False)] == rules(old, new)


@pytest.mark.parametrize("wide", ["*/*", "application/*"])
def test_a_range_that_covers_the_type_is_harmless_and_one_type_of_a_range_breaks(wide):
    assert [("media-type-widened", False)] == rules(bodies(JSON), bodies(wide))
    assert [("media-type-narrowed", True)] == rules(bodies(wide), bodies(JSON))
    assert ("request-media-type-removed", True) in rules(bodies("text/plain"), bodies("application/*"))[:1]


def test_a_narrower_field_breaks_and_a_wider_one_does_not():
    narrow = {**ORDER, "required": ["total"]}
    where = "POST /orders, request body, total"
    assert [("property-required", True, where)] == summarize(receiving(ORDER), receiving(narrow))
    assert [("property-optional", False, where)] == summarize(receiving(narrow), receiving(ORDER))


def test_with_several_media_types_the_place_names_the_one():
    schemas = ({"schema": NUMBER}, {"schema": {**NUMBER, "minimum": 1}})
    old, new = (
        post({**OK, "requestBody": {"content": {JSON: media, "text/plain": {"schema": TEXT}}}})
        for media in schemas
    )
    assert [("bounds-narrowed", True, "POST /orders, request body (application/json)")] == summarize(old, new)


def test_a_schema_where_there_was_none_narrows():
    none = post({**OK, "requestBody": {"content": {JSON: {}}}})
    assert any(breaking for _, breaking in rules(none, receiving()))
    assert not any(breaking for _, breaking in rules(receiving(), none))


def test_fields_that_only_the_service_sets_are_no_part_of_a_request():
    own = {**ORDER, "properties": {**ORDER["properties"], "id": {**NUMBER, "readOnly": True}}}
    must = {**own, "required": ["id"]}
    assert not any(breaking for _, breaking in rules(receiving(ORDER), receiving(must)))
    assert not any(breaking for _, breaking in rules(receiving(must), receiving(ORDER)))


@pytest.mark.parametrize(
    "encoding", [{"contentType": "image/png"}, {"style": "pipeDelimited"}, {"explode": False}]
)
def test_a_part_of_a_form_that_is_written_otherwise_breaks(encoding):
    plain, other = (
        post({**OK, "requestBody": {"content": {"multipart/form-data": {"schema": ORDER, **more}}}})
        for more in ({}, {"encoding": {"note": encoding}})
    )
    where = "POST /orders, request body, note"
    assert [("serialization-changed", True, where)] == summarize(plain, other)
    assert [("serialization-changed", True, where)] == summarize(other, plain)


def parts(properties, **encoding):
    schema = {"type": "object", "properties": properties}
    media = {"schema": schema, "encoding": {name: {"contentType": text} for name, text in encoding.items()}}
    return post({**OK, "requestBody": {"content": {"multipart/form-data": media}}})


def test_a_part_that_comes_or_goes_is_only_a_field():
    # OpenAPI 3.0.3 section 4.7.15: the encoding describes how a field of the schema is written
    note, photo = {"note": TEXT}, {"photo": {**TEXT, "format": "binary"}}
    old, new = parts(note), parts(note | photo, photo="image/png")
    assert [("property-added", False)] == rules(old, new)
    assert [("property-removed", True)] == rules(new, old)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [("image/png", "image/png, image/jpeg"), ("image/png,IMAGE/JPEG", "image/*"), ("image/gif", "*/*")],
)
def test_a_part_of_more_types_than_before_is_wider(narrow, wide):
    # OpenAPI 3.0.3 section 4.7.15.1, contentType: a type, a wildcard, or a comma-separated list of the two
    photo = {"photo": {**TEXT, "format": "binary"}}
    old, new = parts(photo, photo=narrow), parts(photo, photo=wide)
    where = "POST /orders, request body, photo"
    assert [("media-type-widened", False, where)] == summarize(old, new)
    assert [("media-type-narrowed", True, where)] == summarize(new, old)
    assert [] == rules(parts(photo, photo="image/a,image/b"), parts(photo, photo="image/b, image/a"))


@pytest.mark.parametrize(
    ("media", "breaking"),
    [
        ("application/xml", True),
        ("text/XML; charset=utf-8", True),
        ("application/atom+xml", True),
        (JSON, False),
    ],
)
def test_the_names_of_xml_are_what_clients_write_and_read(media, breaking):
    # pb33f/libopenapi, what-changed/model/xml_test.go: name, namespace, attribute and wrapped break
    old, new = ({"properties": {"a": {**TEXT, "xml": {"name": name}}}} for name in ("first", "second"))
    rule = "serialization-changed" if breaking else "documentation-changed"
    for both in (receiving, answering):
        assert [(rule, breaking)] == rules(both(old, media=media), both(new, media=media))


def test_examples_and_words_are_documentation():
    old, new = (
        post(
            {**OK, "requestBody": {"description": text, "content": {JSON: {"schema": TEXT, "example": text}}}}
        )
        for text in ("a", "b")
    )
    assert [("documentation-changed", False)] == rules(old, new)


def test_items_of_a_stream_are_compared():
    old, new = (
        post({**OK, "requestBody": {"content": {"application/jsonl": {"itemSchema": schema}}}})
        for schema in (NUMBER, {**NUMBER, "minimum": 1})
    )
    assert [("bounds-narrowed", True)] == rules(old, new)


def test_the_pointer_leads_to_what_changed():
    changed = {**ORDER, "properties": {**ORDER["properties"], "note": {"type": "integer"}}}
    old, new = receiving(ORDER), receiving(changed)
    (change,) = changes_of(old, new)
    pointer = "/paths/~1orders/post/requestBody/content/application~1json/schema/properties/note"
    assert change.path.startswith(pointer)
