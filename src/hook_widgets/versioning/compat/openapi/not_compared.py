"""List the constructs of OpenAPI that differ and that no rule compares: some of 3.2, and extensions.

Names and places are those of the OpenAPI Specification 3.2.0. What is not listed here is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.change import NotCompared
from hook_widgets.versioning.compat.documents.references import escape

_MEDIA = ("prefixEncoding", "itemEncoding")
_WHOLE = ("info", "tags", "externalDocs", "xml")  # compared as a whole
_DATA = ("example", "examples", "default", "const", "enum")  # values, not constructs
_MAPS = (
    "$defs", "additionalOperations", "callbacks", "content", "definitions", "dependencies",
    "dependentRequired", "dependentSchemas", "encoding", "headers", "links", "mapping", "mediaTypes",
    "parameters", "pathItems", "paths", "patternProperties", "properties", "requestBodies", "responses",
    "schemas", "scopes", "security", "securityDefinitions", "securitySchemes", "variables", "webhooks",
)  # fmt: skip
"""Objects whose names are free, so that ``default`` is the name of a response and no value."""
_COMPARED_EXTENSIONS = ("x-nullable", "x-sunset")


def find_not_compared(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[NotCompared, ...]:
    """Return the constructs that are in one document only, or have another value in the other.

    Extensions (``x-``) are listed only in objects that both documents have.

    >>> document = {"openapi": "3.2.0", "$self": "https://a.example/openapi"}
    >>> print(*find_not_compared(document, {"openapi": "3.2.0"}))
    not compared: $self at /$self
    """
    before, after = dict(_walk(old, "", "")), dict(_walk(new, "", ""))
    keys = dict.fromkeys([*after, *before])
    return tuple(
        NotCompared(name, pointer)
        for name, pointer in keys
        if before.get((name, pointer)) != after.get((name, pointer))
        and (not name.startswith("x-") or (_extends(old, pointer) and _extends(new, pointer)))
    )


def _extends(document: object, pointer: str) -> bool:
    """Return True if a document has the object of which this is the pointer to a member."""
    value: object = document
    for step in pointer.split("/")[1:-1]:
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        elif isinstance(value, Mapping):
            value = next((item for key, item in value.items() if escape(str(key)) == step), None)
        else:
            return False
    return isinstance(value, Mapping)


def _walk(value: object, pointer: str, parent: str) -> Iterator[tuple[tuple[str, str], str]]:
    spend(1)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, f"{pointer}/{index}", parent if parent == "security" else "")
        return
    if not isinstance(value, Mapping):
        return
    for key, member in value.items():
        name = str(key)
        inside = f"{pointer}/{escape(name)}"
        free = parent in _MAPS
        if not free and name in (*_DATA, *_WHOLE):
            continue
        if name.startswith("x-") and (not free or _is_extended(parent, pointer)):
            if name not in _COMPARED_EXTENSIONS:
                yield (name, inside), repr(member)
        elif not free and _is_not_compared(name, pointer, parent):
            yield (name, inside), repr(member)
        else:
            yield from _walk(member, inside, "" if free else name)


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
