"""Guess which other timestamp was signed: another unit, or a time from another place in the request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, in_utc_range, write_moment

TimeGuess = tuple[tuple[CauseRef, ...], str]
"""Causes, and the timestamp that they lead to."""

_DIGITS = re.compile(r"1[0-9]{9}(?:[0-9]{3})?(?:\.[0-9]+)?")
_ISO = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:.]+(?:Z|[+-][0-9:]{5})?")
_NAMED = re.compile(r"time|date|created|^ts$|sent|occurred", re.IGNORECASE)
_MAX_PLACES = 6  # times elsewhere in the request that are tried


def times(text: str, headers: Headers, body: bytes) -> Iterator[TimeGuess]:
    """Yield timestamps that differ in one way, the likeliest first. The same may be yielded again.

    Args:
        text: the timestamp that belongs to the signature; "" if there is none.
        headers: the request's headers.
        body: the request's body.
    """
    yield from _rewritten(text)
    for place, other in list(places_of_time(headers, body))[:_MAX_PLACES]:
        if other != text:
            yield (CauseRef("timestamp-elsewhere", place),), other


def places_of_time(headers: Headers, body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the places of a request that hold a time, in words, each with the text of the time."""
    for name, value in headers.multi_items():
        text = value.strip()
        if _DIGITS.fullmatch(text) or _ISO.fullmatch(text):
            yield f"the header {name}", text
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
        text = str(value) if isinstance(value, str | int | float) else ""
        if _NAMED.search(name) and (_DIGITS.fullmatch(text) or _ISO.fullmatch(text)):
            yield f"the body's {name!r}", text


def moment_of(text: str) -> datetime | None:
    """Parse Unix seconds, milliseconds, ISO 8601 or an HTTP date; None for any other text."""
    if _DIGITS.fullmatch(text):
        number = int(text.partition(".")[0])
        return datetime.fromtimestamp(number if number < 10**11 else number / 1000, UTC)
    try:
        return in_utc_range(datetime.fromisoformat(text))
    except OverflowError:
        return None
    except ValueError:
        return _date(text)


def _rewritten(text: str) -> Iterator[TimeGuess]:
    moment = moment_of(text)
    if moment is None:
        return
    if "." in text and _DIGITS.fullmatch(text):
        yield (CauseRef("timestamp-fraction"),), text.partition(".")[0]
    for cause, unit in (
        ("timestamp-ms", TimestampUnit.MILLISECONDS),
        ("timestamp-s", TimestampUnit.SECONDS),
        ("timestamp-iso", TimestampUnit.ISO8601),
        ("timestamp-iso", TimestampUnit.ISO8601_MS),
    ):
        yield (CauseRef(cause),), write_moment(moment, unit)
    yield (CauseRef("timestamp-iso"),), moment.isoformat()
    if text.isdigit():
        yield (CauseRef("timestamp-fraction-lost"),), text + ".0"


def _date(text: str) -> datetime | None:
    try:
        return in_utc_range(parsedate_to_datetime(text))
    except (ValueError, TypeError, OverflowError):
        return None
