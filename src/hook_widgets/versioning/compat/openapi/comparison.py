"""Compare OpenAPI documents: endpoints, parameters, bodies, responses and authentication."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.change import Change, Comparison, Direction, DocumentKind, sort_changes
from hook_widgets.versioning.compat.documents.loading import nested_too_deeply
from hook_widgets.versioning.compat.openapi.document.located import Place, Root
from hook_widgets.versioning.compat.openapi.document.pair import (
    DocumentPair,
    build_change,
    documentation_changes,
)
from hook_widgets.versioning.compat.openapi.endpoints import compare_endpoints
from hook_widgets.versioning.compat.openapi.not_compared import find_not_compared
from hook_widgets.versioning.compat.openapi.sunset import utc_date
from hook_widgets.versioning.compat.openapi.swagger import convert_swagger

_VERSION = re.compile(r"3\.([0-9]+)(?:\.[0-9]+)?(?:-.+)?")


def compare_openapi(
    old: Mapping[str, object], new: Mapping[str, object], *, as_of: datetime | None = None
) -> Comparison:
    """Compare two OpenAPI documents (2.0, 3.0, 3.1 or 3.2, also of different versions).

    Args:
        old: the old document, parsed.
        new: the new document, parsed.
        as_of: the time with which the dates in ``x-sunset`` are compared. An endpoint or parameter that was
            deprecated and whose date has been reached may be removed. None: no date has been reached.

    Raises:
        InvalidDocument: a document is no OpenAPI document.
        InvalidApi: `as_of` has no time zone.

    >>> empty = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}}
    >>> orders = {**empty, "paths": {"/orders": {"get": {"responses": {"200": {"description": "all"}}}}}}
    >>> print(compare_openapi(orders, empty))
    1 difference, 1 breaking: this needs a new major version.
    - breaking: GET /orders: The endpoint GET /orders was removed. [endpoint-removed]
    """
    today = utc_date(as_of)
    try:
        before, after = parse_description(old, "old"), parse_description(new, "new")
        roots = Place(before.value, "", before), Place(after.value, "", after)
        documents = DocumentPair.of(before, after, today=today)
        changes = [
            *compare_endpoints(documents, *roots),
            *_components(documents, *roots),
            *documentation_changes(*roots, ("info", "tags", "externalDocs"), ""),
        ]
        unknown = documents.not_compared()
        # A list of parameters is compared without those that are unknown.
        inside = tuple(f"{each.path}/" for each in unknown if not each.path.endswith("/parameters"))
        changes = (
            [change for change in changes if not f"{change.path}/".startswith(inside)] if inside else changes
        )
        listed = [*unknown, *find_not_compared(old, new)]
        return sort_changes(DocumentKind.OPENAPI, changes, listed, documents.diff.new.outside(new))
    except RecursionError:
        raise nested_too_deeply(old, new) from None


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


def _components(documents: DocumentPair, old: Place, new: Place) -> Iterator[Change]:
    """Report schemas that came or went, or changed unused; compare them in documents without endpoints."""
    before, after = _schemas(old), _schemas(new)
    read = documents.diff.schemas_read()
    is_library = not any(side.at(name).value for side in (old, new) for name in ("paths", "webhooks"))
    for name, place in (before | after).items():
        where, same = f"schema {name}", name in before and name in after
        if same and (before[name].value == place.value or id(place.value) in read):
            continue
        if same and is_library:
            yield from documents.schemas(before[name], place, direction=Direction.BOTH, where=where)
            continue
        word = "changed" if same else "removed" if name in before else "added"
        yield build_change("component-changed", place, where, f"The schema {name} was {word}.")


def _schemas(root: Place) -> dict[str, Place]:
    # Swagger 2.0 has them at the top level.
    own = root.at("components").at("schemas").members(follow=False)
    return own or root.at("definitions").members(follow=False)
