"""A parsed document as a description in the terms of OpenAPI 3."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.openapi.place import Place, Root
from hook_widgets.versioning.changes.openapi.swagger import converted

_VERSION = re.compile(r"3\.([0-9]+)(?:\.[0-9]+)?(?:-.+)?")


def described(document: object, name: str) -> Root:
    """The document, read as the version of OpenAPI that it names.

    Args:
        document: the parsed document.
        name: ``"old"`` or ``"new"``.

    Raises:
        InvalidDocument: it is no OpenAPI document, or one of a version that is not known.

    >>> described({"openapi": "3.1.0"}, "new").version
    '3.1'
    """
    if not isinstance(document, Mapping):
        raise InvalidDocument(f"The {name} document is no OpenAPI document: it is no object.", field=name)
    version = document.get("openapi", document.get("swagger"))
    # YAML reads `swagger: 2.0` and `openapi: 3.1` as numbers.
    text = version if isinstance(version, str) else str(version) if isinstance(version, float) else ""
    if "openapi" not in document and text == "2.0":
        return converted(document, name)
    found = _VERSION.fullmatch(text.strip())
    if found is None or "openapi" not in document:
        raise InvalidDocument(
            f"The {name} document is no OpenAPI document that can be read: its version is {version!r:.40}; "
            'it must have "openapi": "3.0.x" or "3.1.x", or "swagger": "2.0".',
            field=name,
        )
    root = Root(document, name, "3.0" if found[1] == "0" else "3.1", {})
    for member in ("paths", "webhooks", "components"):
        Place(document, "", root).at(member).members(follow=False)
    return root
