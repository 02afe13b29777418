"""Middlewares that put the versions of an API in front of an application, for ASGI and for WSGI.

The application sees the path after the version and the version's number. The removed part of the path is
passed on as ASGI and WSGI define it (``root_path``, ``SCRIPT_NAME``), so that its redirects and links stay in
the version.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote, unquote, unquote_to_bytes
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from hook_widgets.versioning.negotiation.responses import HeaderPairs

if TYPE_CHECKING:
    from hook_widgets.versioning.api import Api

AsgiMessage: TypeAlias = MutableMapping[str, Any]
AsgiReceive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
AsgiSend: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]
AsgiApplication: TypeAlias = Callable[[AsgiMessage, AsgiReceive, AsgiSend], Awaitable[None]]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class VersionedAsgi:
    """Choose the version, respond to requests for removed ones, and add notices to other responses.

    For any ASGI application (Starlette, FastAPI, Django, Quart); the version is ``scope["api_version"]``. A
    WebSocket is passed through unchanged.

    Args:
        app: the application.
        api: the API.
        now: returns the present, with its zone.
    """

    def __init__(self, app: AsgiApplication, api: Api, *, now: Callable[[], datetime] = _utc_now) -> None:
        self._app, self._api, self._now = app, api, now

    async def __call__(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        """Respond to one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path = scope.get("raw_path") or quote(scope["path"]).encode()
        query = scope["query_string"]
        target = (path + b"?" + query if query else path).decode("utf-8", "surrogateescape")
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        decision = self._api.negotiate(target, headers, at=self._now())
        if response := decision.response:
            length = (b"content-length", str(len(response.body)).encode())
            fields = [*_encoded(response.headers), length]
            await send({"type": "http.response.start", "status": response.status, "headers": fields})
            return await send({"type": "http.response.body", "body": response.body})
        route = decision.route
        if route is None:  # not under the prefix: /health, /docs
            return await self._app(scope, receive, send)

        async def send_with_notices(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *_encoded(route.headers)]}
            await send(message)

        base = self._api.base_path(route.major)  # in ASGI the path begins with root_path
        path, _, query = route.target.partition("?")
        inner = {
            "root_path": base,
            "path": base + unquote(path),
            "raw_path": (base + path).encode("utf-8", "surrogateescape"),
            "query_string": query.encode("utf-8", "surrogateescape"),
            "api_version": route.major,
        }
        return await self._app({**scope, **inner}, receive, send_with_notices)


class VersionedWsgi:
    """Choose the version, respond to requests for removed ones, and add notices to other responses.

    For any WSGI application (Flask, Django, Pyramid, Bottle); the version is ``environ["api.version"]``.

    Args:
        app: the application.
        api: the API.
        now: returns the present, with its zone.
    """

    def __init__(self, app: WSGIApplication, api: Api, *, now: Callable[[], datetime] = _utc_now) -> None:
        self._app, self._api, self._now = app, api, now

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Respond to one request."""
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        target = quote(path.encode("latin-1"), safe="/:@!$&'()*+,;=")
        if environ.get("QUERY_STRING"):
            target += "?" + environ["QUERY_STRING"]
        headers = [(n[5:].replace("_", "-"), value) for n, value in environ.items() if n.startswith("HTTP_")]
        decision = self._api.negotiate(target, headers, at=self._now())
        if response := decision.response:
            fields = [*response.headers, ("Content-Length", str(len(response.body)))]
            start_response(f"{response.status} {HTTPStatus(response.status).phrase}", fields)
            return [response.body]
        route = decision.route
        if route is None:  # not under the prefix: /health, /docs
            return self._app(environ, start_response)

        def start_with_notices(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            return start_response(status, [*headers, *route.headers], *exc_info)

        path, _, query = route.target.partition("?")
        inner = {
            "SCRIPT_NAME": self._api.base_path(route.major),
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "api.version": route.major,
        }
        return self._app({**environ, **inner}, start_with_notices)


def _encoded(headers: HeaderPairs) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers]
