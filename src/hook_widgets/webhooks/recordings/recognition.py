"""Recognise the event of a recorded request."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hook_widgets.webhooks.recordings.exchange import RecordedRequest
from hook_widgets.webhooks.requests.provider import Provider


def event_of(provider: Provider, request: RecordedRequest) -> str:
    """Return the event whose name a header or a value of the body is; empty if none is.

    The parts of a name such as ``issues.opened`` may be two of these texts.
    """
    texts = set(_texts(request))
    names = (event.name for event in provider.all_events)
    return next((name for name in names if name in texts or texts.issuperset(name.split("."))), "")


def _texts(request: RecordedRequest) -> Iterator[str]:
    yield from request.headers.values()
    try:
        body = json.loads(request.body or b"")
    except (ValueError, RecursionError):
        return
    if isinstance(body, dict):
        yield from (value for value in body.values() if isinstance(value, str))
