"""Bring a collection of Postman into the form of HAR."""

from __future__ import annotations

from typing import Any

from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS
from hook_widgets.webhooks.recordings.structures.mappings import Pairs


def is_disabled(item: Any) -> bool:
    """Return True for a header or parameter that Postman or Insomnia keeps, but does not send."""
    return isinstance(item, Pairs) and item.first("disabled") is True


def collection(items: Any) -> Pairs | None:
    """Return the requests of a collection of Postman, with those in folders, as HAR; None if it has none."""
    if not isinstance(items, list):
        return None
    entries: list[Any] = []
    waiting = items[::-1]
    while waiting and len(entries) <= MAX_HEADERS:
        item = waiting.pop()
        if not isinstance(item, Pairs):
            continue
        if isinstance(inner := item.first("item"), list):
            waiting.extend(inner[::-1])
        request = item.first("request")
        if isinstance(request, Pairs):
            url = request.first("url")
            members = [
                ("method", request.first("method")),
                ("url", url.first("raw") if isinstance(url, Pairs) else url),
                ("headers", request.first("header") or []),
            ]
            if isinstance(body := request.first("body"), Pairs) and body:
                members.append(("postData", _post_data(body)))
            entries.append(Pairs([("request", Pairs(members))]))
    return Pairs([("log", Pairs([("entries", entries)]))]) if entries else None


def _post_data(body: Pairs) -> Pairs:
    """Return the body of Postman as that of HAR, which has no text for a file and for GraphQL."""
    mode, params = body.first("mode"), body.first("urlencoded")
    if mode == "urlencoded" and isinstance(params, list):
        sent = [param for param in params if not is_disabled(param)]
        named = [Pairs([("name", p.first("key")), *p]) for p in sent if isinstance(p, Pairs)]
        return Pairs([("params", named)])
    mime_type = "multipart/form-data" if mode == "formdata" else ""
    return Pairs([("mimeType", mime_type), ("text", body.first("raw"))])
