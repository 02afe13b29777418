"""Pairs of documents that the specifications read alike are no change; pairs that look alike may be one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.versioning.compat.openapi.descriptions import INFO, OK, changes_of

OBJECT = {"type": "object", "properties": {"x": {"type": "string"}}}
NULL = {"type": "null"}
REF = {"$ref": "#/components/schemas/S"}
TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
LETTERS = {"type": "string", "enum": ["a", "b"]}
SITE, V1 = "https://a.example", "https://a.example/v1"
BODY = {"description": "ok", "content": {"application/json": {"schema": OBJECT}}}
SCHEMES = {
    "a": {"type": "http", "scheme": "basic"},
    "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "o": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": V1, "scopes": {"r": "read", "w": "write"}}},
    },
}


def document(paths: Any, version: str = "3.1.0", **more: Any) -> dict[str, Any]:
    return {"openapi": version, "info": INFO, "paths": paths, **more}


def operation(**members: Any) -> dict[str, Any]:
    components = {"securitySchemes": SCHEMES, "parameters": {"A": query()}}
    return document({"/f": {"get": {**OK, **members}}}, components=components)


def query(name: str = "a", **members: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", **(members or {"schema": TEXT})}


def deep(**members: Any) -> dict[str, Any]:
    return query(schema=OBJECT, style="deepObject", **members)


def parts(**encoding: Any) -> dict[str, Any]:
    """Return a document with a form of three parts: a text, an object and a file."""
    file = {"type": "string", "format": "binary"}
    schema = {"type": "object", "properties": {"x": TEXT, "y": OBJECT, "file": file}}
    media = {"schema": schema, "encoding": encoding} if encoding else {"schema": schema}
    return document({"/f": {"put": {"requestBody": {"content": {"multipart/form-data": media}}, **OK}}})


def served(*urls: str, path: str = "/f", item: str = "", own: str = "") -> dict[str, Any]:
    get = OK | ({"servers": [{"url": own}]} if own else {})
    members = {"get": get} | ({"servers": [{"url": item}]} if item else {})
    return document({path: members}) | ({"servers": [{"url": url} for url in urls]} if urls else {})


def carrying(schema: Any, target: Any, version: str, *, request: bool) -> dict[str, Any]:
    """Return a document with a schema in a request or a response, with `target` as what `REF` names."""
    content = {"application/json": {"schema": schema}}
    body: dict[str, Any] = {"requestBody": {"required": True, "content": content}, **OK}
    if not request:
        body = {"responses": {"200": {"description": "ok", "content": content}}}
    return document({"/f": {"put": body}}, version, components={"schemas": {"S": target}})


def breaking(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [str(change) for change in changes_of(old, new) if change.breaking]


NULLABLE = [
    (OBJECT, {"nullable": True, "allOf": [REF]}, {"oneOf": [REF, NULL]}),
    (OBJECT, {"nullable": True, "allOf": [REF]}, {"anyOf": [NULL, REF]}),
    (OBJECT, {"nullable": True, "allOf": [REF]}, {**OBJECT, "type": ["object", "null"]}),
    (OBJECT, {"type": "object", "nullable": True, "allOf": [REF]}, {"oneOf": [REF, NULL]}),
    (OBJECT, {"nullable": True, "allOf": [REF], "title": "t"}, {"oneOf": [REF, NULL], "title": "t"}),
    (OBJECT, {**OBJECT, "nullable": True}, {"oneOf": [OBJECT, NULL]}),
    (OBJECT, {"nullable": True, "anyOf": [REF, LETTERS]}, {"anyOf": [REF, LETTERS, NULL]}),
    (LETTERS, {"nullable": True, "allOf": [REF]}, {"oneOf": [REF, NULL]}),
    (LETTERS, {"nullable": True, "allOf": [REF]}, {"type": ["string", "null"], "enum": ["a", "b", None]}),
    ({"oneOf": [OBJECT, LETTERS]}, {"nullable": True, "allOf": [REF]}, {"anyOf": [REF, NULL]}),
    (
        TEXT,
        {"nullable": True, "allOf": [{"maxLength": 5}, REF]},
        {"type": ["string", "null"], "maxLength": 5},
    ),
    (TEXT, {"nullable": True, "oneOf": [TEXT, WHOLE]}, {"type": ["string", "integer", "null"]}),
    (
        TEXT,
        {"type": "array", "items": {"nullable": True, "allOf": [REF]}},
        {"type": "array", "items": {"anyOf": [NULL, REF]}},
    ),
    (TEXT, {"type": "string", "nullable": False}, TEXT),
    (TEXT, {**WHOLE, "minimum": 0, "exclusiveMinimum": True}, {**WHOLE, "exclusiveMinimum": 0}),
    (TEXT, {**TEXT, "example": "a"}, {**TEXT, "examples": ["a"]}),
]
"""The target of the reference, a schema of OpenAPI 3.0 and the same schema of 3.1."""

SCHEMAS = [
    ({**NUMBER, "multipleOf": 1}, WHOLE),
    ({**NUMBER, "multipleOf": 5}, {**WHOLE, "multipleOf": 5.0}),
    ({"allOf": [NUMBER, {"multipleOf": 2}]}, {**WHOLE, "multipleOf": 2}),
    ({"type": ["number", "null"], "multipleOf": 1}, {"type": ["integer", "null"]}),
    ({**NUMBER, "multipleOf": 1, "exclusiveMinimum": 0}, {**WHOLE, "minimum": 1}),
    ({**WHOLE, "minimum": 0.5}, {**WHOLE, "minimum": 1}),
    ({**WHOLE, "minimum": 1, "maximum": 3}, {**WHOLE, "enum": [3, 2, 1]}),
    ({**WHOLE, "minimum": 5, "maximum": 5}, {"const": 5}),
    ({**WHOLE, "format": "int32"}, {**WHOLE, "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1}),
    # discord/discord-api-spec, specs/openapi.json, rate_limit_per_user: the format came to bounds that it has
    ({**WHOLE, "minimum": 0, "maximum": 21600}, {**WHOLE, "format": "int32", "minimum": 0, "maximum": 21600}),
    ({**WHOLE, "minimum": 0, "maximum": 9, "format": "int64"}, {**WHOLE, "enum": list(range(10))}),
    ({"const": "a"}, {"enum": ["a"]}),
    ({"enum": ["a", "b"]}, {"type": "string", "enum": ["b", "a"]}),
    ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, LETTERS),
    ({"oneOf": [TEXT, {"const": None}]}, {"type": ["string", "null"]}),
    ({"oneOf": [TEXT, {"enum": [None]}]}, {"type": ["string", "null"]}),
    ({"type": ["boolean", "null"]}, {"enum": [None, True, False]}),
    ({"anyOf": [TEXT, WHOLE]}, {"type": ["string", "integer"]}),
    ({"anyOf": [{"anyOf": [TEXT, WHOLE]}, NULL]}, {"anyOf": [TEXT, WHOLE, NULL]}),
    (
        {"oneOf": [{"oneOf": [OBJECT, {"required": ["q"]}]}, TEXT]},
        {"oneOf": [OBJECT, {"required": ["q"]}, TEXT]},
    ),
    ({"anyOf": [OBJECT]}, OBJECT),
    ({"allOf": [REF]}, OBJECT),
    (REF, OBJECT),
    ({"not": {"not": TEXT}}, TEXT),
    ({**OBJECT, "additionalProperties": {"not": {}}}, {**OBJECT, "additionalProperties": False}),
    ({**OBJECT, "patternProperties": {"^x-": {}}}, OBJECT),
    ({**OBJECT, "required": []}, {**OBJECT, "additionalProperties": True}),
    ({**OBJECT, "required": ["x"], "minProperties": 1}, {**OBJECT, "required": ["x"]}),
    (
        {**OBJECT, "dependentRequired": {"x": ["y"]}},
        {**OBJECT, "dependentSchemas": {"x": {"required": ["y"]}}},
    ),
    ({"type": "array", "items": {}, "minItems": 0, "uniqueItems": False}, {"type": "array"}),
    ({"type": "array", "items": False}, {"type": "array", "maxItems": 0}),
    (
        {"type": "array", "prefixItems": [TEXT], "unevaluatedItems": False},
        {"type": "array", "prefixItems": [TEXT], "items": False},
    ),
    (
        {"type": "array", "items": False, "maxItems": 5, "prefixItems": [TEXT]},
        {"type": "array", "items": TEXT, "maxItems": 1},
    ),
    ({**TEXT, "format": "x-thing"}, TEXT),
    ({**TEXT, "format": "password"}, TEXT),
    ({**WHOLE, "format": "uuid", "maxLength": 5}, WHOLE),
    ({**TEXT, "deprecated": False, "readOnly": False, "minLength": 0}, TEXT),
    ({**TEXT, "format": "base64url"}, {**TEXT, "contentEncoding": "base64url"}),
    # "content transferred with base64 encoding" (OpenAPI 3.0.0 to 3.0.3, section 4.7.14.2)
    ({**TEXT, "format": "base64"}, {**TEXT, "contentEncoding": "base64"}),
    ({"required": ["a"]}, {"required": ["a"], "properties": {"a": {}}}),
    ({**WHOLE, "allOf": [{"multipleOf": 2}, {"multipleOf": 3}]}, {**WHOLE, "multipleOf": 6}),
    ({"type": "object", "patternProperties": {".*": TEXT}}, {"type": "object", "additionalProperties": TEXT}),
    ({"type": "object", "propertyNames": TEXT}, {"type": "object"}),
    ({**TEXT, "if": {"maxLength": 3}, "then": {}, "else": True}, TEXT),
    ({**TEXT, "contentEncoding": "BASE64"}, {**TEXT, "format": "byte"}),
    ({**TEXT, "contentMediaType": "Application/JSON"}, {**TEXT, "contentMediaType": "application/json"}),
]
"""Two schemas of OpenAPI 3.1 that accept the same values."""

DIFFERENT = [
    ({**WHOLE, "allOf": [{"multipleOf": 4}, {"multipleOf": 6}]}, {**WHOLE, "multipleOf": 24}),
    ({"required": ["a"], "properties": {"a": TEXT}}, {"required": ["a"]}),
    ({**TEXT, "if": {"maxLength": 3}, "then": {"minLength": 1}}, TEXT),
    ({"oneOf": [REF, NULL]}, REF),
    ({**NUMBER, "multipleOf": 0.5}, WHOLE),
    ({**NUMBER, "multipleOf": 2}, WHOLE),
    ({"const": "a"}, LETTERS),
    ({"enum": [1]}, {"enum": ["1"]}),
    ({"enum": [None, "a"]}, NULL),
    ({**WHOLE, "minimum": 1, "maximum": 3}, {**WHOLE, "enum": [1, 2]}),
    ({**WHOLE, "format": "int32"}, {**WHOLE, "format": "int32", "maximum": 2**31 - 2}),
    ({**WHOLE, "minimum": 0, "maximum": 2**31}, {**WHOLE, "format": "int32", "minimum": 0, "maximum": 2**31}),
    ({**NUMBER, "minimum": 0, "maximum": 9}, {**NUMBER, "format": "int32", "minimum": 0, "maximum": 9}),
    ({**WHOLE, "maximum": 9}, {**WHOLE, "format": "int32", "maximum": 9}),
    ({**NUMBER, "exclusiveMinimum": 0}, {**NUMBER, "minimum": 0}),
    ({"anyOf": [{"anyOf": [TEXT, WHOLE]}, NULL]}, {"anyOf": [TEXT, NULL]}),
    ({**OBJECT, "required": ["x"], "minProperties": 2}, {**OBJECT, "required": ["x"]}),
    ({**TEXT, "format": "date"}, {**TEXT, "format": "date-time"}),
    ({**TEXT, "format": "x-thing"}, {**TEXT, "format": "date"}),
    (
        {**OBJECT, "patternProperties": {"^x-": {}}, "additionalProperties": False},
        {**OBJECT, "patternProperties": {"^x-": TEXT}, "additionalProperties": False},
    ),
    ({**TEXT, "contentEncoding": "base64"}, {**TEXT, "contentEncoding": "base32"}),
    (
        {"type": "array", "items": False, "maxItems": 2, "prefixItems": [TEXT, TEXT]},
        {"type": "array", "items": TEXT, "maxItems": 1},
    ),
    (
        {"type": "array", "items": TEXT, "maxItems": 2},
        {"type": "array", "prefixItems": [TEXT], "maxItems": 2},
    ),
]

BASE = {"url": "https://{h}/v1", "variables": {"h": {"default": "a.example", "enum": ["a.example"]}}}
TWO = {"/f": {"get": OK}, "/g": {"get": OK}}

DOCUMENTS = [
    (served(V1), served(item=V1)),
    (served(V1), served(own=V1)),
    (served(V1), served("https://old.example", item=V1)),
    (served(V1), served(path="/v1/f", item=SITE)),
    (served(item=V1), served(path="/v1/f", item=SITE)),
    (served(own=V1), served(SITE, path="/v1/f")),
    (
        document(TWO, servers=[{"url": V1}]),
        document(
            {"/f": {"get": OK}, "/v1/g": {"servers": [{"url": SITE}], "get": OK}}, servers=[{"url": V1}]
        ),
    ),
    (served(), served("/")),
    (served("HTTPS://A.example:443/v1/"), served(V1)),
    (document({"/f": {"get": OK}}, servers=[BASE]), served(V1)),
    (operation(parameters=[query(), query("b")]), operation(parameters=[query("b"), query()])),
    (operation(parameters=[{"$ref": "#/components/parameters/A"}]), operation(parameters=[query()])),
    (document({"/f": {"get": OK, "parameters": [query()]}}), operation(parameters=[query()])),
    (
        operation(
            parameters=[query(schema=TEXT, required=False, deprecated=False, style="form", explode=True)]
        ),
        operation(parameters=[query()]),
    ),
    (operation(parameters=[], tags=["b", "a"], deprecated=False), operation(tags=["a", "b"])),
    (operation(security=[{"a": []}, {"o": ["r", "w"]}]), operation(security=[{"o": ["w", "r"]}, {"a": []}])),
    (operation(security=[]), operation(security=[{}])),
    (
        operation(security=[{"o": ["r"]}, {"k": []}]),
        document(
            {"/f": {"get": {**OK, "security": [{"p": ["r"]}, {"q": []}]}}},
            components={
                "securitySchemes": {
                    "p": {
                        "type": "oauth2",
                        "flows": {"clientCredentials": {"tokenUrl": V1, "scopes": {"w": "W", "r": ""}}},
                    },
                    "q": {"type": "apiKey", "in": "header", "name": "x-key"},
                }
            },
        ),
    ),
    (
        operation(responses={200: {"description": "ok"}}),
        operation(responses={"200": {"description": "ok", "content": {}}}),
    ),
    (operation(parameters=[deep()]), operation(parameters=[deep(explode=True)])),
    (parts(), parts(x={"contentType": "text/plain"}, y={"contentType": "Application/JSON"})),
    (parts(), parts(file={"contentType": "application/octet-stream"})),
    (parts(), parts(x={"style": "form", "explode": True, "allowReserved": False})),
    (operation(responses={"2xx": BODY}), operation(responses={"2XX": BODY})),
    (operation(responses={"200": BODY, "default": BODY}), operation(responses={"default": BODY})),
    (
        operation(responses={"200": BODY, "4XX": BODY, "5XX": BODY}),
        operation(responses={"200": BODY, "default": BODY}),
    ),
]

OTHER_DOCUMENTS = [
    (parts(), parts(x={"contentType": "text/csv"})),
    (parts(), parts(x={"explode": False})),
    (served(V1), served(V1, item="https://b.example/v1")),
    (served(SITE), served(SITE, own="https://a.example/v2")),
    (
        document(TWO, servers=[{"url": V1}]),
        document({"/f": {"get": OK}, "/v1/g": {"get": OK}}, servers=[{"url": V1}]),
    ),
    (served("https://a.example/V1"), served(V1)),
    (operation(parameters=[query()]), operation(parameters=[query("A")])),
    (operation(security=[{"a": []}, {"k": []}]), operation(security=[{"a": [], "k": []}])),
    (operation(responses={"200": BODY}), operation(responses={"201": BODY})),
]


@pytest.mark.parametrize("request_", [True, False])
@pytest.mark.parametrize(("target", "old", "new"), NULLABLE)
def test_a_schema_of_30_and_its_spelling_in_31_are_one(
    target: Any, old: Any, new: Any, request_: bool
) -> None:
    sides = [carrying({"properties": {"p": old}}, target, "3.0.3", request=request_)]
    sides.append(carrying({"properties": {"p": new}}, target, "3.1.0", request=request_))

    assert [] == breaking(*sides)
    assert [] == breaking(*reversed(sides))


@pytest.mark.parametrize(("old", "new"), SCHEMAS)
def test_schemas_that_accept_the_same_values_are_one(old: Any, new: Any) -> None:
    for request in (True, False):
        sides = [
            carrying({"properties": {"p": each}}, OBJECT, "3.1.0", request=request) for each in (old, new)
        ]

        assert [] == breaking(*sides)
        assert [] == breaking(*reversed(sides))


@pytest.mark.parametrize(("old", "new"), DIFFERENT)
def test_schemas_that_differ_break_one_direction(old: Any, new: Any) -> None:
    sides = [carrying({"properties": {"p": each}}, OBJECT, "3.1.0", request=True) for each in (old, new)]

    assert breaking(*sides) or breaking(*reversed(sides))


@pytest.mark.parametrize(("old", "new"), DOCUMENTS)
def test_documents_of_the_same_addresses_and_answers_are_one(old: Any, new: Any) -> None:
    assert [] == breaking(old, new)
    assert [] == breaking(new, old)


@pytest.mark.parametrize(("old", "new"), OTHER_DOCUMENTS)
def test_documents_of_other_addresses_or_answers_break(old: Any, new: Any) -> None:
    assert breaking(old, new)


def test_null_that_is_gone_is_reported_of_a_nullable_combination() -> None:
    nullable = {"nullable": True, "allOf": [REF]}
    sides = [carrying(schema, OBJECT, "3.0.3", request=True) for schema in (nullable, REF)]

    assert "null-removed" in breaking(*sides)[0]


def test_an_alternative_of_a_nested_list_is_reported_at_its_own_place() -> None:
    old = {"anyOf": [{"anyOf": [OBJECT, {"type": "object", "required": ["q"]}]}, TEXT]}
    new = {"anyOf": [OBJECT, TEXT]}
    sides = [carrying(schema, OBJECT, "3.1.0", request=True) for schema in (old, new)]

    (change,) = [change for change in changes_of(*sides) if change.breaking]

    assert change.path.endswith("/schema/anyOf/0/anyOf/1")
