"""Read a parsed document as an OpenAPI 3 document."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.openapi.document.located import Place, Root
from hook_widgets.versioning.compat.openapi.swagger import convert_swagger

_VERSION = re.compile(r"3\.([0-9]+)(?:\.[0-9]+)?(?:-.+)?")


def parse_description(document: object, name: str) -> Root:
    """Read a document by the version of OpenAPI that it declares.

    >>> parse_description({"openapi": "3.1.0"}, "new").version
    '3.1'
    """
    if not isinstance(document, Mapping):
        raise InvalidDocument(
            f"the {name} document is not an OpenAPI document: it must be an object", field=name
        )
    version = document.get("openapi", document.get("swagger"))
    # YAML reads `swagger: 2.0` and `openapi: 3.1` as numbers.
    text = version if isinstance(version, str) else str(version) if isinstance(version, float) else ""
    if "openapi" not in document and text == "2.0":
        return convert_swagger(document, name)
    match = _VERSION.fullmatch(text.strip())
    if match is None or "openapi" not in document:
        raise InvalidDocument(
            f"the {name} document is not a supported OpenAPI document: its version is {version!r:.40}; "
            'it must have "openapi": "3.0.x" or "3.1.x", or "swagger": "2.0"',
            field=name,
        )
    root = Root(document, name, "3.0" if match[1] == "0" else "3.1", {})
    for member in ("paths", "webhooks", "components"):
        Place(document, "", root).at(member).members(follow=False)
    return root
