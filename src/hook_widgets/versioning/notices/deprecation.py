"""Build and parse the ``Deprecation`` field (RFC 9745): the past or future date of a resource's deprecation.

The field is a Structured Field Item whose value is a Date (RFC 9651 section 3.3.7): an ``@`` and the seconds
since 1970.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from hook_widgets._structured_fields import MalformedField, parse_parameters
from hook_widgets.errors import InvalidNotice, excerpt
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.notices.header_fields import invalid, only_line
from hook_widgets.versioning.notices.httpdate import parse_http_date

NAME: Final = "Deprecation"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)
_DATE: Final = re.compile(r"@(-?[0-9]{1,15})(?![0-9.])")
_COMMA: Final = re.compile(r" *+,")


def build_deprecation(moment: datetime) -> str:
    """Return the field's value. A moment in the future announces the deprecation in advance.

    Fractions of a second are truncated, so the date is never later than the moment.

    Args:
        moment: an aware datetime.

    Raises:
        InvalidNotice: no time zone, or outside the years 1 to 9999 in UTC.

    >>> build_deprecation(datetime(2023, 6, 30, 23, 59, 59, tzinfo=UTC))
    '@1688169599'
    """
    utc = instant(moment, f"{NAME}: the date", field=NAME.lower(), error=InvalidNotice)
    return f"@{(utc - _EPOCH) // _SECOND}"


def parse_deprecation(value: str | Iterable[str]) -> datetime:
    """Parse the field strictly. Return the moment in UTC.

    Parameters must be well formed; RFC 9745 defines none, so all are ignored.

    Args:
        value: the field's value, or one string for each field line.

    Raises:
        InvalidNotice: not a Structured Field Date, outside the years 1 to 9999, or more than one value. For
            the values of earlier drafts (``true``, an HTTP-date) the message names the correct value.

    >>> parse_deprecation("@1688169599")
    datetime.datetime(2023, 6, 30, 23, 59, 59, tzinfo=datetime.timezone.utc)
    """
    text = only_line(NAME, value).strip(" ")
    match = _DATE.match(text)
    if match is None:
        raise invalid(NAME, f"is {excerpt(text)}, {_advice(text)}")
    _check_parameters(text, match.end())
    seconds = int(match[1])
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        hint = "are these milliseconds? Send seconds" if seconds > 0 else "send seconds since 1970"
        raise invalid(NAME, f"is @{seconds}, outside the years 1 to 9999; {hint}") from None


def _check_parameters(text: str, at: int) -> None:
    try:
        _, at = parse_parameters(text, at)
        if _COMMA.match(text, at):
            raise invalid(NAME, "has several values; it has one date, so send it once")
        if at < len(text):
            raise MalformedField(text, at, "a parameter such as ';name=1' or the end")
    except MalformedField as error:
        raise invalid(NAME, str(error)) from None


def _advice(text: str) -> str:
    instead = "send seconds since 1970 such as '@1688169599' (RFC 9745)"
    if text.lower() in {"true", "?1"}:
        return f"as drafts before RFC 9745 had it; {instead}, the date from which the resource is deprecated"
    if text.lower() in {"false", "?0"}:
        return f"which is no date; leave the field out of what is not deprecated, else {instead}"
    if re.fullmatch(r"-?[0-9]{1,11}", text):  # more are milliseconds
        return f"seconds without their '@'; send '@{int(text)}'"
    if re.match(r"@-?[0-9]{1,15}\.", text):
        return f"but a Date has no fraction; {instead}"
    try:
        moment = parse_http_date(text)
    except InvalidNotice:
        return f"which is no Structured Field Date; {instead}"
    return f"an HTTP-date as drafts before RFC 9745 had it; send '{build_deprecation(moment)}'"
