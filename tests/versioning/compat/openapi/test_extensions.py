"""Changed extensions (``x-``) and a changed dialect are listed as not compared; names with ``x-`` are not.

Where extensions may stand: OpenAPI Specification 3.1.0, "This object MAY be extended with Specification
Extensions". Maps, such as of headers or properties, and the Security Requirement Object may not.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from hook_widgets.versioning import compare
from hook_widgets.versioning.compat import NotCompared
from tests.versioning.compat.openapi.members import with_member

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1", "x-logo": {"url": "a.png"}},
    "servers": [{"url": "https://a.example", "x-region": "eu"}],
    "tags": [{"name": "all", "x-order": 1}],
    "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
    "x-tagGroups": [{"name": "all"}],
    "paths": {
        "x-owner": "shop",
        "/orders": {
            "x-internal": False,
            "get": {
                "x-codegen": "orders",
                "security": [{"x-key": []}],
                "responses": {
                    "x-retry": 3,
                    "200": {
                        "description": "ok",
                        "headers": {"x-request-id": {"schema": {"type": "string"}}},
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "properties": {"x-name": {"type": "string", "x-faker": "name"}},
                                }
                            }
                        },
                    },
                },
            },
        },
    },
    "components": {
        "responses": {"x-error": {"description": "an error"}},
        "securitySchemes": {"x-key": {"type": "apiKey", "in": "header", "name": "x-key", "x-docs": "none"}},
    },
}
RESPONSE = "/paths/~1orders/get/responses/200"
SCHEMA = f"{RESPONSE}/content/application~1json/schema"
EXTENSIONS = [
    "/servers/0/x-region",
    "/jsonSchemaDialect",
    "/x-tagGroups",
    "/paths/x-owner",
    "/paths/~1orders/x-internal",
    "/paths/~1orders/get/x-codegen",
    "/paths/~1orders/get/responses/x-retry",
    f"{SCHEMA}/properties/x-name/x-faker",
    "/components/securitySchemes/x-key/x-docs",
]
NAMES = [
    f"{RESPONSE}/headers/x-request-id",
    f"{SCHEMA}/properties/x-name",
    "/paths/~1orders/get/security/0/x-key",
    "/components/responses/x-error",
    "/components/securitySchemes/x-key",
]


changed = partial(with_member, DOCUMENT)


@pytest.mark.parametrize("pointer", EXTENSIONS)
@pytest.mark.parametrize("value", [None, "https://a.example/other"])
def test_a_difference_in_an_extension_or_the_dialect_is_listed(pointer, value):
    expected = NotCompared(pointer.rpartition("/")[2], pointer)
    for old, new in ((DOCUMENT, changed(pointer, value)), (changed(pointer, value), DOCUMENT)):
        comparison = compare(old, new)

        assert (expected,) == comparison.not_compared
        assert "No difference in what was compared." == str(comparison).splitlines()[0]


@pytest.mark.parametrize("pointer", NAMES)
def test_a_name_that_begins_like_an_extension_is_none(pointer):
    for old, new in ((DOCUMENT, changed(pointer)), (changed(pointer), DOCUMENT)):
        assert () == compare(old, new).not_compared


@pytest.mark.parametrize("pointer", ["/info/x-logo", "/tags/0/x-order"])
def test_an_extension_in_what_is_compared_as_a_whole_is_a_difference(pointer):
    comparison = compare(DOCUMENT, changed(pointer))

    assert () == comparison.not_compared
    assert ["documentation-changed"] == [change.rule for change in comparison.changes]


def test_extensions_of_what_was_added_or_removed_are_not_listed():
    without = changed("/paths/~1orders")

    for old, new in ((DOCUMENT, without), (without, DOCUMENT)):
        assert () == compare(old, new).not_compared
    assert ["endpoint-removed"] == [change.rule for change in compare(DOCUMENT, without).breaking]


@pytest.mark.parametrize("extension", ["x-sunset", "x-nullable"])
def test_an_extension_that_is_compared_is_not_listed(extension):
    if extension == "x-sunset":
        new = changed("/paths/~1orders/get/x-sunset", "2027-01-01")
    else:
        new = changed(f"{SCHEMA}/properties/x-name/x-nullable", value=True)

    assert () == compare(DOCUMENT, new).not_compared
