"""Test the constructs of OpenAPI 3.2.0: compared by a rule, or listed as not compared; never passed over."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest

from hook_widgets.versioning import compare
from hook_widgets.versioning.compat import NotCompared
from tests.versioning.compat.openapi.members import with_member

OK: dict[str, Any] = {"responses": {"200": {"description": "ok"}}}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.2.0",
    "$self": "https://a.example/openapi.json",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://a.example", "name": "main"}],
    "tags": [{"name": "orders", "summary": "Orders", "kind": "nav", "parent": "all"}, {"name": "all"}],
    "paths": {
        "/orders": {
            "query": {
                "parameters": [
                    {
                        "in": "querystring",
                        "name": "filter",
                        "content": {"application/json": {"schema": {"type": "object"}}},
                    }
                ],
                "responses": {
                    "200": {
                        "summary": "All",
                        "description": "ok",
                        "content": {
                            "application/jsonl": {
                                "itemSchema": {
                                    "type": "object",
                                    "discriminator": {"propertyName": "kind", "defaultMapping": "Order"},
                                    "oneOf": [{"$ref": "#/components/schemas/Order"}],
                                },
                                "itemEncoding": {"contentType": "application/json"},
                                "prefixEncoding": [{"contentType": "text/plain"}],
                            },
                            "multipart/form-data": {
                                "schema": {
                                    "type": "object",
                                    "properties": {"itemEncoding": {"type": "string"}},
                                },
                                "encoding": {
                                    "part": {
                                        "contentType": "multipart/mixed",
                                        "encoding": {"inner": {"contentType": "text/plain"}},
                                        "itemEncoding": {"contentType": "text/plain"},
                                    }
                                },
                            },
                            "text/csv": {"$ref": "#/components/mediaTypes/Csv"},
                        },
                    }
                },
            },
            "additionalOperations": {"COPY": {**OK, "operationId": "copyOrder"}, "Purge": OK},
        }
    },
    "components": {
        "schemas": {
            "Order": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string"},
                    "id": {"type": "string", "xml": {"nodeType": "text"}},
                },
            }
        },
        "mediaTypes": {"Csv": {"schema": {"type": "string"}}},
        "securitySchemes": {
            "device": {
                "type": "oauth2",
                "deprecated": True,
                "oauth2MetadataUrl": "https://a.example/oauth",
                "flows": {
                    "deviceAuthorization": {
                        "deviceAuthorizationUrl": "https://a.example/device",
                        "tokenUrl": "https://a.example/token",
                        "scopes": {},
                    }
                },
            }
        },
    },
    "security": [{"device": []}],
}
CONTENT = "/paths/~1orders/query/responses/200/content"
NOT_COMPARED = {
    "$self": "/$self",
    "defaultMapping": f"{CONTENT}/application~1jsonl/itemSchema/discriminator/defaultMapping",
    "itemEncoding": f"{CONTENT}/application~1jsonl/itemEncoding",
    "prefixEncoding": f"{CONTENT}/application~1jsonl/prefixEncoding",
    "encoding": f"{CONTENT}/multipart~1form-data/encoding/part/encoding",
    "deprecated": "/components/securitySchemes/device/deprecated",
}
COMPARED = [
    "/servers/0/name",
    "/tags/0/summary",
    "/tags/0/kind",
    "/tags/0/parent",
    "/paths/~1orders/query/parameters/0/in",
    "/paths/~1orders/query/responses/200/summary",
    f"{CONTENT}/application~1jsonl/itemSchema/oneOf",
    "/paths/~1orders/additionalOperations",
    "/paths/~1orders/additionalOperations/COPY",
    "/paths/~1orders/additionalOperations/Purge/responses/200",
    "/components/mediaTypes/Csv/schema/type",
    "/components/schemas/Order/properties/id/xml/nodeType",
    "/components/securitySchemes/device/oauth2MetadataUrl",
    "/components/securitySchemes/device/flows/deviceAuthorization/deviceAuthorizationUrl",
]


changed = partial(with_member, DOCUMENT)


def other(pointer: str) -> dict[str, Any]:
    """Return the document with another parameter location where one is required, else without the member."""
    return changed(pointer, "query" if pointer.endswith("/in") else None)


def test_the_same_document_has_no_difference():
    assert "No difference." == str(compare(DOCUMENT, copy.deepcopy(DOCUMENT)))


@pytest.mark.parametrize("pointer", [*COMPARED, *NOT_COMPARED.values()])
def test_no_construct_is_passed_over_silently(pointer):
    for old, new in ((DOCUMENT, other(pointer)), (other(pointer), DOCUMENT)):
        comparison = compare(old, new)
        assert "No difference." != str(comparison)
        assert bool(comparison.changes) == (pointer in COMPARED)
        assert bool(comparison.not_compared) == (pointer not in COMPARED)


@pytest.mark.parametrize("construct", NOT_COMPARED)
def test_what_is_not_compared_is_listed_with_its_place(construct):
    comparison = compare(DOCUMENT, other(NOT_COMPARED[construct]))

    assert (NotCompared(construct, NOT_COMPARED[construct]),) == comparison.not_compared
    assert "No difference in what was compared." == str(comparison).splitlines()[0]
    assert f"- not compared: {construct} at {NOT_COMPARED[construct]}" in str(comparison).splitlines()


def test_a_removed_additional_operation_breaks():
    for name in ("COPY", "Purge"):
        comparison = compare(DOCUMENT, changed(f"/paths/~1orders/additionalOperations/{name}"))
        (change,) = comparison.changes
        assert ("endpoint-removed", True, f"{name} /orders") == (
            change.rule,
            change.breaking,
            change.location,
        )
        assert f"/paths/~1orders/additionalOperations/{name}" == change.path


def test_a_changed_additional_operation_is_compared():
    required = {"in": "query", "name": "to", "required": True, "schema": {"type": "string"}}
    new = changed("/paths/~1orders/additionalOperations/COPY/parameters", [required])

    assert ["COPY /orders, to"] == [change.location for change in compare(DOCUMENT, new).breaking]


def test_methods_are_case_sensitive_and_query_may_move_from_the_additional_ones():
    lower = changed("/paths/~1orders/additionalOperations/purge", OK)
    del lower["paths"]["/orders"]["additionalOperations"]["Purge"]
    assert [True] == [change.breaking for change in compare(DOCUMENT, lower).changes if change.breaking]
    before = {**DOCUMENT, "paths": {"/a": {"additionalOperations": {"QUERY": OK}}}}
    after = {**DOCUMENT, "paths": {"/a": {"query": OK}}}
    assert () == compare(before, after).changes


def test_a_removed_query_breaks():
    comparison = compare(DOCUMENT, changed("/paths/~1orders/query"))

    assert ["QUERY /orders"] == [change.location for change in comparison.breaking]


@pytest.mark.parametrize("status", ["200", "default"])
def test_what_is_not_compared_is_found_under_any_name(status):
    def document(content_type):
        media = {"itemSchema": {"type": "string"}, "itemEncoding": {"contentType": content_type}}
        response = {"description": "ok", "content": {"multipart/mixed": media}}
        return {**DOCUMENT, "paths": {"/a": {"get": {"responses": {status: response}}}}}

    pointer = f"/paths/~1a/get/responses/{status}/content/multipart~1mixed/itemEncoding"
    comparison = compare(document("text/plain"), document("text/html"))
    assert ((), (NotCompared("itemEncoding", pointer),)) == (comparison.changes, comparison.not_compared)


def test_names_and_values_that_look_like_a_construct_are_not_listed():
    def document(text):
        schema = {"type": "object", "properties": {"itemEncoding": {"type": "string", "default": text}}}
        return {**DOCUMENT, "components": {**DOCUMENT["components"], "schemas": {"Order": schema}}}

    assert () == compare(document("a"), document("b")).not_compared
