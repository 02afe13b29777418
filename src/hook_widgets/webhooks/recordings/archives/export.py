"""Export exchanges as HAR 1.2 and as JSON, without credentials."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from hook_widgets._version import __version__
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.archives.masking import masked
from hook_widgets.webhooks.recordings.exchange import Exchange, RecordedRequest, RecordedResponse

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def to_har(exchanges: Iterable[Exchange]) -> dict[str, Any]:
    r"""Return a HAR 1.2 log, without credentials, ready for `json.dump`.

    A body that is not UTF-8 is base64, as in responses. A request without a response has the status 0, as
    browsers write it. Provider and event are in ``_provider`` and ``_event``. A time that is unknown is 1970,
    because the format requires one.

    Args:
        exchanges: the exchanges, in order.

    >>> from hook_widgets.webhooks.recordings import read_recording
    >>> log = to_har(read_recording("POST /hook HTTP/1.1\nHost: example.com\n\n{}").exchanges)["log"]
    >>> log["version"], log["entries"][0]["request"]["url"]
    ('1.2', 'https://example.com/hook')
    """
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "hook_widgets", "version": __version__},
            "entries": [_entry(masked(exchange)) for exchange in exchanges],
        }
    }


def to_json(exchanges: Iterable[Exchange]) -> str:
    """Return the exchanges as JSON, without credentials, with the notes on what is not known.

    Args:
        exchanges: the exchanges, in order.
    """
    return (
        json.dumps([_plain(masked(exchange)) for exchange in exchanges], indent=2, ensure_ascii=False) + "\n"
    )


def _entry(exchange: Exchange) -> dict[str, Any]:
    milliseconds = 0.0 if exchange.duration_s is None else round(exchange.duration_s * 1000, 3)
    entry = {
        "startedDateTime": (exchange.started or _EPOCH).isoformat(timespec="milliseconds"),
        "time": milliseconds,
        "request": _request(exchange.request),
        "response": _response(exchange.response),
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
    }
    more = {"_provider": exchange.provider, "_event": exchange.event, "_error": exchange.error}
    entry |= {name: value for name, value in more.items() if value}
    if exchange.request.notes:
        entry["comment"] = "; ".join(exchange.request.notes)
    return entry


def _request(request: RecordedRequest) -> dict[str, Any]:
    result: dict[str, Any] = {
        "method": request.method or "POST",
        "url": request.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(request.headers),
        "queryString": _query(request.url),
        "headersSize": -1,
        "bodySize": -1 if request.body is None else len(request.body),
    }
    if request.body:
        result["postData"] = {
            "mimeType": request.headers.get("Content-Type", ""),
            **_text(request.body),
            "params": [],
        }
    return result


def _query(url: str) -> list[dict[str, str]]:
    try:
        query = urlsplit(url).query
    except ValueError:  # a recorded URL may be anything
        return []
    return [{"name": name, "value": value} for name, value in parse_qsl(query, keep_blank_values=True)]


def _response(response: RecordedResponse | None) -> dict[str, Any]:
    known = response or RecordedResponse(status=0)
    body = known.body
    content: dict[str, Any] = {"size": len(body or b""), "mimeType": known.headers.get("Content-Type", "")}
    return {
        "status": known.status,
        "statusText": known.reason,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(known.headers),
        "content": content | ({} if body is None else _text(body)),
        "redirectURL": known.headers.get("Location", ""),
        "headersSize": -1,
        "bodySize": -1,
    }


def _pairs(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.multi_items()]


def _text(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode(), "encoding": "base64"}


def _plain(exchange: Exchange) -> dict[str, Any]:
    request, response = exchange.request, exchange.response
    return {
        "started": exchange.started and exchange.started.isoformat(timespec="milliseconds"),
        "duration_s": exchange.duration_s,
        "provider": exchange.provider,
        "event": exchange.event,
        "error": exchange.error,
        "request": {
            "method": request.method,
            "url": request.url,
            "headers": [list(pair) for pair in request.headers.multi_items()],
            **_plain_body(request.body),
            "notes": list(request.notes),
        },
        "response": response
        and {
            "status": response.status,
            "reason": response.reason,
            "headers": [list(pair) for pair in response.headers.multi_items()],
            **_plain_body(response.body),
        },
    }


def _plain_body(body: bytes | None) -> dict[str, str | None]:
    if body is None:
        return {"body": None}
    text = _text(body)
    if "encoding" in text:
        return {"body": text["text"], "bodyEncoding": "base64"}
    return {"body": text["text"]}
