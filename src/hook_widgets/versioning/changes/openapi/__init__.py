"""OpenAPI documents against each other: endpoints, parameters, bodies, answers, authentication."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.change import Change
from hook_widgets.versioning.changes.openapi.components import components
from hook_widgets.versioning.changes.openapi.describing import described
from hook_widgets.versioning.changes.openapi.endpoints import endpoints
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.rules import OPENAPI_RULES
from hook_widgets.versioning.changes.openapi.servers import servers
from hook_widgets.versioning.changes.openapi.sides import Sides, documented
from hook_widgets.versioning.changes.openapi.sunset import day_of

__all__ = ["OPENAPI_RULES", "compare_openapi"]


def compare_openapi(
    old: Mapping[str, object], new: Mapping[str, object], *, at: datetime | None = None
) -> list[Change]:
    """The differences between two OpenAPI documents (2.0, 3.0 or 3.1, also of different versions).

    Args:
        old: the old document, parsed.
        new: the new document, parsed.
        at: the time at which the dates in ``x-sunset`` are judged: an endpoint or parameter that was
            deprecated and whose date has come may be removed. None: no date has come.

    Returns:
        The differences in the order of the documents; the same one may be told more than once.

    Raises:
        InvalidDocument: a document is no OpenAPI document, or a reference in it leads nowhere.
        InvalidApi: `at` has no time zone.

    >>> empty = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}}
    >>> orders = {**empty, "paths": {"/orders": {"get": {"responses": {"200": {"description": "all"}}}}}}
    >>> print(*compare_openapi(orders, empty))
    breaking: GET /orders: The endpoint GET /orders was removed. [endpoint-removed]
    """
    today = day_of(at)
    try:
        before, after = described(old, "old"), described(new, "new")
        roots = Place(before.value, "", before), Place(after.value, "", after)
        sides = Sides.of(before, after, today=today)
        return [
            *servers(roots[0].at("servers"), roots[1].at("servers"), ""),
            *endpoints(sides, *roots),
            *components(*roots),
            *documented(*roots, ("info", "tags", "externalDocs"), ""),
        ]
    except RecursionError:
        raise InvalidDocument("A document is nested too deeply to be compared; flatten it.") from None
