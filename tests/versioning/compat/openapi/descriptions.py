"""Builders for minimal OpenAPI documents, and summaries of their comparison."""

from __future__ import annotations

from typing import Any

from hook_widgets.versioning.compat import Change
from hook_widgets.versioning.compat.openapi import compare_openapi

INFO = {"title": "Shop", "version": "1"}
OK: dict[str, Any] = {"responses": {"200": {"description": "All is well."}}}
TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}


def api(paths: Any = None, *, openapi: str = "3.0.3", **more: Any) -> dict[str, Any]:
    return {"openapi": openapi, "info": INFO, "paths": paths or {}, **more}


def get(operation: Any = OK, *, path: str = "/orders", **more: Any) -> dict[str, Any]:
    """Return a document with one operation."""
    return api({path: {"get": operation}}, **more)


def post(operation: Any = OK, *, path: str = "/orders", **more: Any) -> dict[str, Any]:
    return api({path: {"post": operation}}, **more)


def accepting(*parameters: Any, **more: Any) -> dict[str, Any]:
    return get({**OK, "parameters": list(parameters)}, **more)


def query(name: str = "limit", schema: Any = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": NUMBER if schema is None else schema, **more}


def receiving(schema: Any = TEXT, *, media: str = "application/json", **body: Any) -> dict[str, Any]:
    return post({**OK, "requestBody": {"content": {media: {"schema": schema}}, **body}})


def answering(
    schema: Any = TEXT, *, status: str = "200", media: str = "application/json", **response: Any
) -> dict[str, Any]:
    content = {media: {"schema": schema}}
    return get(
        {"responses": {**OK["responses"], status: {"description": "", "content": content, **response}}}
    )


def changes_of(old: Any, new: Any, **options: Any) -> list[Change]:
    return list(compare_openapi(old, new, **options).changes)


def summarize(old: Any, new: Any, **options: Any) -> list[tuple[str, bool, str]]:
    """Return rule, breaking and place of every change, each once."""
    changes = changes_of(old, new, **options)
    return list(dict.fromkeys((change.rule, change.breaking, change.location) for change in changes))


def rules(old: Any, new: Any, **options: Any) -> list[tuple[str, bool]]:
    """Return rule and breaking of every change, each once."""
    return list(dict.fromkeys(change[:2] for change in summarize(old, new, **options)))
