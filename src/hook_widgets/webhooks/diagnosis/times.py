"""What may have been signed in place of a timestamp: another unit, or a time from another place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme.moments import TimestampUnit, write_moment

TimeGuess = tuple[tuple[Mention, ...], str]
"""Causes, and the timestamp that was signed if they are what happened."""

_DIGITS = re.compile(r"1[0-9]{9}(?:[0-9]{3})?(?:\.[0-9]+)?")
_ISO = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:.]+(?:Z|[+-][0-9:]{5})?")
_NAMED = re.compile(r"time|date|created|^ts$|sent|occurred", re.IGNORECASE)
_PLACES = 6  # other places of a time that are tried


def times(text: str, headers: Headers, body: bytes) -> Iterator[TimeGuess]:
    """Timestamps that differ in one way, the likeliest first. The same may come more than once.

    Args:
        text: the timestamp that the signature's own header names; "" when there is none.
        headers: the request's headers.
        body: the request's body.
    """
    yield from _rewritten(text)
    for place, other in list(places_of_time(headers, body))[:_PLACES]:
        if other != text:
            yield (Mention("timestamp-elsewhere", place),), other


def places_of_time(headers: Headers, body: bytes) -> Iterator[tuple[str, str]]:
    """Where a request names a time, in words, and the time as it stands there."""
    for name, value in headers.pairs:
        found = value.strip()
        if _DIGITS.fullmatch(found) or _ISO.fullmatch(found):
            yield f"the header {name}", found
    date = _date(headers.get("Date", ""))
    if date is not None:
        yield "the header Date", str(int(date.timestamp()))
    if len(body) > 1 << 20 or body[:1] != b"{":
        return
    try:
        members = json.loads(body)
    except (ValueError, RecursionError):
        return
    for name, value in members.items():
        written = str(value) if isinstance(value, str | int | float) else ""
        if _NAMED.search(name) and (_DIGITS.fullmatch(written) or _ISO.fullmatch(written)):
            yield f"the body's {name!r}", written


def moment_of(text: str) -> datetime | None:
    """The time that a text looks like: Unix seconds, milliseconds or ISO 8601; None for anything else."""
    if _DIGITS.fullmatch(text):
        whole = int(text.partition(".")[0])
        return datetime.fromtimestamp(whole if whole < 10**11 else whole / 1000, UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _date(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _rewritten(text: str) -> Iterator[TimeGuess]:
    moment = moment_of(text)
    if moment is None:
        return
    if "." in text and _DIGITS.fullmatch(text):
        yield (Mention("timestamp-fraction"),), text.partition(".")[0]
    for cause, unit in (
        ("timestamp-ms", TimestampUnit.MILLISECONDS),
        ("timestamp-s", TimestampUnit.SECONDS),
        ("timestamp-iso", TimestampUnit.ISO8601),
        ("timestamp-iso", TimestampUnit.ISO8601_MS),
    ):
        yield (Mention(cause),), write_moment(moment, unit)
    yield (Mention("timestamp-iso"),), moment.isoformat()
    if text.isdigit():
        yield (Mention("timestamp-fraction-lost"),), text + ".0"


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
