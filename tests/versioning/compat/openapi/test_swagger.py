from __future__ import annotations

import pytest

from hook_widgets.errors import InvalidDocument
from tests.versioning.compat.openapi.descriptions import INFO, NUMBER, TEXT, changes_of, rules, summarize

ORDER = {"type": "object", "properties": {"total": {"type": "integer"}}}
LIST = {"type": "array", "items": TEXT}


def swagger(operation=None, *, method="post", **more):
    paths = {"/orders": {method: {"responses": {"200": {"description": ""}}} | (operation or {})}}
    return {"swagger": "2.0", "info": INFO, "paths": paths, **more}


def openapi(operation=None, *, method="post", **more):
    return swagger(operation, method=method, **more) | {"openapi": "3.0.3", "swagger": None}


def with_parameter(**parameter):
    return swagger({"parameters": [parameter]})


WHOLE = swagger(
    {
        "consumes": ["application/json"],
        "parameters": [
            {"name": "order", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Order"}},
            {"name": "tags", "in": "query", "type": "array", "items": TEXT, "collectionFormat": "pipes"},
            {"$ref": "#/parameters/Limit"},
        ],
        "responses": {
            "200": {
                "description": "",
                "schema": {"$ref": "#/definitions/Order"},
                "headers": {"X-Left": {"type": "integer"}},
            },
            "default": {"$ref": "#/responses/Error"},
        },
        "security": [{"login": []}, {"oauth": ["read"]}],
    },
    host="api.example.com",
    basePath="/v1",
    schemes=["https"],
    definitions={"Order": ORDER},
    parameters={"Limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 9}},
    responses={"Error": {"description": "", "schema": TEXT}},
    securityDefinitions={
        "login": {"type": "basic"},
        "oauth": {"type": "oauth2", "flow": "application", "tokenUrl": "https://id", "scopes": {"read": ""}},
    },
)
SAME = openapi(
    {
        "parameters": [
            {"name": "tags", "in": "query", "schema": LIST, "style": "pipeDelimited", "explode": False},
            {"name": "limit", "in": "query", "schema": {**NUMBER, "maximum": 9}},
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": ORDER}}},
        "responses": {
            "200": {
                "description": "",
                "content": {"application/json": {"schema": ORDER}},
                "headers": {"X-Left": {"schema": {"type": "integer"}}},
            },
            "default": {"description": "", "content": {"application/json": {"schema": TEXT}}},
        },
        "security": [{"login": []}, {"oauth": ["read"]}],
    },
    servers=[{"url": "https://api.example.com/v1"}],
    components={
        "schemas": {"Order": ORDER},
        "securitySchemes": {
            "login": {"type": "http", "scheme": "basic"},
            "oauth": {
                "type": "oauth2",
                "flows": {"clientCredentials": {"tokenUrl": "https://id", "scopes": {"read": ""}}},
            },
        },
    },
)


def test_a_document_and_its_conversion_to_3_0_are_the_same():
    assert [] == rules(WHOLE, SAME)
    assert [] == rules(SAME, WHOLE)
    assert [] == rules(WHOLE, WHOLE)


def test_a_field_of_a_form_is_a_field_of_the_body():
    name = {"name": "name", "in": "formData", "type": "string"}
    may, must = with_parameter(**name), with_parameter(**name, required=True)
    where = "POST /orders, request body"
    assert [
        ("request-body-required", True, where),
        ("property-required", True, f"{where}, name"),
    ] == summarize(may, must)
    conversion = openapi(
        {
            "requestBody": {
                "required": False,
                "content": {
                    "application/x-www-form-urlencoded": {
                        "schema": {"type": "object", "properties": {"name": TEXT}}
                    }
                },
            }
        }
    )
    assert [] == rules(may, conversion)


def test_a_file_makes_a_form_of_several_parts():
    file = with_parameter(name="photo", **{"in": "formData"}, type="file")
    photo = {"type": "object", "properties": {"photo": {"type": "string", "format": "binary"}}}
    assert [] == rules(
        file, openapi({"requestBody": {"content": {"multipart/form-data": {"schema": photo}}}})
    )


def test_a_file_in_an_answer_is_bytes():
    old = swagger(
        {"produces": ["image/png"], "responses": {"200": {"description": "", "schema": {"type": "file"}}}}
    )
    content = {"image/png": {"schema": {"type": "string", "format": "binary"}}}
    assert [] == rules(old, openapi({"responses": {"200": {"description": "", "content": content}}}))


@pytest.mark.parametrize(
    ("separator", "style"),
    [
        (None, {"style": "form", "explode": False}),
        ("csv", {"style": "form", "explode": False}),
        ("multi", {"style": "form", "explode": True}),
        ("ssv", {"style": "spaceDelimited", "explode": False}),
    ],
)
def test_a_separator_of_lists_is_a_style(separator, style):
    parameter = {"name": "tags", "in": "query", "type": "array", "items": TEXT}
    old = with_parameter(**parameter, **({"collectionFormat": separator} if separator else {}))
    new = openapi({"parameters": [{"name": "tags", "in": "query", "schema": LIST, **style}]})
    assert [] == rules(old, new)


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [("multi", "csv", True), ("csv", "ssv", True), ("csv", "multi", True), (None, "csv", False)],
)
def test_a_separator_of_lists_is_a_style_of_a_form_too(old, new, breaking):
    # Swagger 2.0, Parameter Object, collectionFormat: "multi" is valid only in query or formData
    before, after = (
        with_parameter(
            name="tags",
            **{"in": "formData"},
            type="array",
            items=TEXT,
            **({"collectionFormat": separator} if separator else {}),
        )
        for separator in (old, new)
    )
    assert [("serialization-changed", True)] * breaking == rules(before, after)


def test_a_separator_of_lists_is_a_style_of_a_header_too():
    # Swagger 2.0, Header Object, collectionFormat
    old, new = (
        swagger({"responses": {"200": {"description": "", "headers": {"X-Tags": header}}}})
        for header in (
            {"type": "array", "items": TEXT, "collectionFormat": separator} for separator in ("csv", "pipes")
        )
    )
    assert [("serialization-changed", True)] == rules(old, new)


def test_the_description_of_a_field_of_a_form_is_documentation():
    old, new = (
        with_parameter(name="note", **{"in": "formData"}, type="string", description=text) for text in "ab"
    )
    assert [("documentation-changed", False)] == rules(old, new)


def test_schemes_of_an_operation_replace_those_of_the_document():
    # pb33f/libopenapi, operation_test.go, TestCompareOperations_V2_Modify_ProducesConsumesSchemes: breaking
    both, one = {"schemes": ["http", "https"]}, {"schemes": ["https"]}
    removed = [("server-removed", True, "POST /orders")]
    host = {"host": "api.example.com"}
    assert removed == summarize(swagger(both, **host), swagger(one, **host))
    assert removed == summarize(swagger(**both, **host), swagger(one, **both, **host))
    assert [] == rules(swagger(one, **host), swagger(**one, **host))
    (change,) = changes_of(swagger(both, **host), swagger(one, **host))
    assert "/paths/~1orders/post/schemes/0" == change.path
    assert [] == rules(swagger(both), swagger(one))


def test_changes_point_into_the_document_as_it_is_written():
    def body(schema):
        return with_parameter(name="order", **{"in": "body"}, schema=schema)

    changed = {"type": "object", "properties": {"total": {"type": "string"}}}
    (change,) = changes_of(body(ORDER), body(changed))
    assert change.path.startswith("/paths/~1orders/post/parameters/0/schema/properties/total")
    old, new = (with_parameter(name="limit", **{"in": "query"}, **schema) for schema in (NUMBER, TEXT))
    (change,) = changes_of(old, new)
    assert change.path.startswith("/paths/~1orders/post/parameters/0")
    assert "/schema" not in change.path
    other = {"name": "limit", "in": "query", "type": "integer"}
    order = {"name": "order", "in": "body", "schema": ORDER}
    empty = {**order, "schema": {"type": "object"}}
    (change,) = changes_of(swagger({"parameters": [other, order]}), swagger({"parameters": [empty, other]}))
    assert "/paths/~1orders/post/parameters/1/schema/properties/total" == change.path
    (change, *_) = changes_of(swagger(host="a.example"), swagger(host="b.example"))
    assert ("server-removed", "/host/0") == (change.rule, change.path)


def test_media_types_of_the_document_count_where_an_operation_names_none():
    body = {"parameters": [{"name": "order", "in": "body", "schema": ORDER}]}
    old, new = swagger(body, consumes=["application/xml"]), swagger({**body, "consumes": ["application/xml"]})
    assert [] == rules(old, new)
    assert ("request-media-type-removed", True) in rules(old, swagger(body))


@pytest.mark.parametrize(
    "damage",
    [
        {"paths": {"/orders": {"post": {"parameters": "all"}}}},
        {"paths": {"/orders": {"post": {"produces": [1], "responses": {"200": {"schema": {}}}}}}},
        {"securityDefinitions": []},
        {"schemes": "https", "host": "a.example"},
    ],
)
def test_a_document_that_cannot_be_read_is_rejected_with_its_place(damage):
    with pytest.raises(InvalidDocument, match="the new document, /"):
        changes_of(swagger(), swagger(**damage) if "paths" not in damage else swagger() | damage)
