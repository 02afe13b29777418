"""JSON Schema of HAR 1.2, written from the specification: http://www.softwareishard.com/blog/har-12-spec/.

Fields that it does not call optional are required; fields that begin with ``_`` are allowed anywhere.
"""

from __future__ import annotations

from typing import Any

import jsonschema

_TEXT = {"type": "string"}
_SIZE = {"type": "integer", "minimum": -1}
_TIME = {"type": "number", "minimum": 0}
_OPTIONAL_TIME = {"type": "number", "minimum": -1}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {}), "comment": _TEXT},
        "required": list(required),
        "patternProperties": {"^_": {}},
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_PAIR = _object({"name": _TEXT, "value": _TEXT})
_COOKIE = _object(
    {"name": _TEXT, "value": _TEXT},
    {
        "path": _TEXT,
        "domain": _TEXT,
        "expires": _TEXT,
        "httpOnly": {"type": "boolean"},
        "secure": {"type": "boolean"},
        "sameSite": _TEXT,  # of browsers, not of the specification
    },
)
_PROGRAM = _object({"name": _TEXT, "version": _TEXT})
_PARAM = _object({"name": _TEXT}, {"value": _TEXT, "fileName": _TEXT, "contentType": _TEXT})
_POST = _object({"mimeType": _TEXT, "params": _list(_PARAM)}, {"text": _TEXT, "encoding": _TEXT})
_MESSAGE = {
    "httpVersion": _TEXT,
    "cookies": _list(_COOKIE),
    "headers": _list(_PAIR),
    "headersSize": _SIZE,
    "bodySize": _SIZE,
}
_REQUEST = _object(
    {"method": _TEXT, "url": _TEXT, "queryString": _list(_PAIR), **_MESSAGE}, {"postData": _POST}
)
_CONTENT = _object(
    {"size": _SIZE, "mimeType": _TEXT}, {"compression": {"type": "integer"}, "text": _TEXT, "encoding": _TEXT}
)
_RESPONSE = _object(
    {
        "status": {"type": "integer"},
        "statusText": _TEXT,
        "content": _CONTENT,
        "redirectURL": _TEXT,
        **_MESSAGE,
    }
)
_TIMINGS = _object(
    {"send": _OPTIONAL_TIME, "wait": _OPTIONAL_TIME, "receive": _OPTIONAL_TIME},
    {"blocked": _OPTIONAL_TIME, "dns": _OPTIONAL_TIME, "connect": _OPTIONAL_TIME, "ssl": _OPTIONAL_TIME},
)
_MOMENT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
_ENTRY = _object(
    {
        "startedDateTime": _MOMENT,
        "time": _TIME,
        "request": _REQUEST,
        "response": _RESPONSE,
        "cache": {"type": "object"},
        "timings": _TIMINGS,
    },
    {"pageref": _TEXT, "serverIPAddress": _TEXT, "connection": _TEXT},
)
_PAGE = _object(
    {"startedDateTime": _MOMENT, "id": _TEXT, "title": _TEXT, "pageTimings": {"type": "object"}},
)
_LOG = _object(
    {"version": {"const": "1.2"}, "creator": _PROGRAM, "entries": _list(_ENTRY)},
    {"browser": _PROGRAM, "pages": _list(_PAGE)},
)
SCHEMA = _object({"log": _LOG})


def check(har: Any) -> None:
    """Raise an error if it is not HAR 1.2."""
    jsonschema.Draft202012Validator(SCHEMA).validate(har)
