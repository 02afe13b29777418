"""List the constructs of OpenAPI 3.2 that differ and that no rule compares.

Names and places are those of the OpenAPI Specification 3.2.0. What is not listed here is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.change import NotCompared
from hook_widgets.versioning.compat.documents.references import escape

_MEDIA = ("prefixEncoding", "itemEncoding")
_DATA = ("example", "examples", "default", "const", "enum")  # values, not constructs
_MAPS = (
    "$defs", "additionalOperations", "callbacks", "content", "dependentSchemas", "encoding", "headers",
    "links", "mapping", "mediaTypes", "parameters", "pathItems", "paths", "patternProperties",
    "properties", "requestBodies", "responses", "schemas", "scopes", "securitySchemes", "variables",
    "webhooks",
)  # fmt: skip
"""Objects whose names are free, so that ``default`` is the name of a response and no value."""


def find_not_compared(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[NotCompared, ...]:
    """Return the constructs that are in one document only, or have another value in the other.

    >>> document = {"openapi": "3.2.0", "$self": "https://a.example/openapi"}
    >>> print(*find_not_compared(document, {"openapi": "3.2.0"}))
    not compared: $self at /$self
    """
    before, after = dict(_walk(old, "", "")), dict(_walk(new, "", ""))
    keys = dict.fromkeys([*after, *before])
    return tuple(NotCompared(*key) for key in keys if before.get(key) != after.get(key))


def _walk(value: object, pointer: str, parent: str) -> Iterator[tuple[tuple[str, str], str]]:
    spend(1)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, f"{pointer}/{index}", "")
        return
    if not isinstance(value, Mapping):
        return
    for key, member in value.items():
        name = str(key)
        inside = f"{pointer}/{escape(name)}"
        free = parent in _MAPS
        if not free and (name in _DATA or name.startswith("x-")):
            continue
        if not free and _is_not_compared(name, pointer, parent):
            yield (name, inside), repr(member)
        else:
            yield from _walk(member, inside, "" if free else name)


def _is_not_compared(name: str, pointer: str, parent: str) -> bool:
    if name == "$self":
        return not pointer
    if name == "defaultMapping":
        return parent == "discriminator"
    if name == "deprecated":
        return pointer.startswith("/components/securitySchemes/")
    if name == "encoding":  # nested in an Encoding Object; the one of a Media Type Object is compared
        return pointer.split("/")[-2:-1] == ["encoding"]
    return name in _MEDIA
