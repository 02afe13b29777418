"""List the constructs of OpenAPI that differ and that no rule compares: some of 3.2, and extensions.

Names and places are those of the OpenAPI Specification 3.2.0. What is not listed here is compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.change import NotCompared
from hook_widgets.versioning.compat.documents.references import escape

_MEDIA = ("prefixEncoding", "itemEncoding")
_WHOLE = frozenset({"info", "tags", "externalDocs", "xml"})  # compared as a whole
_DATA = frozenset({"example", "examples", "default", "const", "enum"})  # values, not constructs
_MAPS = frozenset({
    "$defs", "additionalOperations", "callbacks", "content", "definitions", "dependencies",
    "dependentRequired", "dependentSchemas", "encoding", "headers", "links", "mapping", "mediaTypes",
    "parameters", "pathItems", "paths", "patternProperties", "properties", "requestBodies", "responses",
    "schemas", "scopes", "security", "securityDefinitions", "securitySchemes", "variables", "webhooks",
})  # fmt: skip
"""Objects whose names are free, so that ``default`` is the name of a response and no value."""
_SHARED = ("callbacks", "headers", "mediaTypes", "parameters", "pathItems", "requestBodies", "responses")
"""Shared parts that are compared where an endpoint uses them; in Swagger 2.0 they are at the top."""
_COMPARED_EXTENSIONS = ("x-nullable", "x-sunset")


def find_not_compared(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[NotCompared, ...]:
    """Return the constructs that are in one document only, or have another value in the other.

    Extensions (``x-``) are listed only in objects that both documents have.

    >>> document = {"openapi": "3.2.0", "$self": "https://a.example/openapi"}
    >>> print(*find_not_compared(document, {"openapi": "3.2.0"}))
    not compared: $self at /$self
    """
    is_library = not any(side.get(name) for side in (old, new) for name in ("paths", "webhooks"))
    before, after = ({**_constructs(side), **(_shared(side) if is_library else {})} for side in (old, new))
    keys, both = dict.fromkeys([*after, *before]), before.keys() & after.keys()
    return tuple(
        NotCompared(name, pointer)
        for name, pointer in keys
        if before.get((name, pointer)) != after.get((name, pointer))
        and (("", pointer.rpartition("/")[0]) in both if name.startswith("x-") else name)
    )


def _shared(document: Mapping[str, object]) -> dict[tuple[str, str], str]:
    return {
        (kind, f"{folder}/{kind}/{escape(str(name))}"): repr(part)
        for folder, kinds in (("", document), ("/components", document.get("components")))
        for kind in _SHARED
        if isinstance(kinds, Mapping) and isinstance(parts := kinds.get(kind), Mapping)
        for name, part in parts.items()
    }


def _constructs(document: Mapping[str, object]) -> dict[tuple[str, str], str]:
    constructs: dict[tuple[str, str], str] = {}
    _collect(document, "", "", constructs)
    return constructs


def _collect(
    value: Mapping[str, object] | list[object],
    pointer: str,
    parent: str,
    constructs: dict[tuple[str, str], str],
) -> None:
    spend(1 + len(value))
    if isinstance(value, list):
        inside_security = parent if parent == "security" else ""
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                _collect(item, f"{pointer}/{index}", inside_security, constructs)
        return
    constructs["", pointer] = ""
    free = parent in _MAPS
    for key, member in value.items():
        name = str(key)
        if not free and (name in _DATA or name in _WHOLE):
            continue
        inside = f"{pointer}/{escape(name)}"
        if name.startswith("x-") and (not free or _is_extended(parent, pointer)):
            if name not in _COMPARED_EXTENSIONS:
                constructs[name, inside] = repr(member)
        elif not free and _is_not_compared(name, pointer, parent):
            constructs[name, inside] = repr(member)
        elif isinstance(member, dict | list):
            _collect(member, inside, "" if free else name, constructs)


def _is_extended(parent: str, pointer: str) -> bool:
    """Return True for a map that may have extensions among its names: paths, responses of an operation."""
    return parent == "paths" or (
        parent == "responses" and pointer not in ("/components/responses", "/responses")
    )


def _is_not_compared(name: str, pointer: str, parent: str) -> bool:
    if name in ("$self", "jsonSchemaDialect"):
        return not pointer
    if name == "defaultMapping":
        return parent == "discriminator"
    if name == "deprecated":
        return pointer.startswith("/components/securitySchemes/")
    if name == "encoding":  # nested in an Encoding Object; the one of a Media Type Object is compared
        return pointer.split("/")[-2:-1] == ["encoding"]
    return name in _MEDIA
