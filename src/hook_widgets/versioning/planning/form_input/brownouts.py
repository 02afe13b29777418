"""Parse planned outages as people enter them: 2027-03-01 10:00 for 1h; 2027-04-01 10:00 to 14:00."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from hook_widgets.errors import InvalidApi, excerpt
from hook_widgets.versioning.brownouts import MAX_BROWNOUTS, Brownout
from hook_widgets.versioning.planning.date_formatting import local
from hook_widgets.versioning.planning.form_input.dates import read_moment, written

_EXPECTED: Final = "write it as 2027-03-01 10:00 for 1h, or 2027-03-01 10:00 to 11:00"
_MAX_LENGTH: Final = 4000
_MAX_PIECE_LENGTH: Final = 100
_LENGTH_AFTER: Final = re.compile(r"\s+for\s+", re.IGNORECASE)
_END_AFTER: Final = re.compile(r"\s+(?:to|until|till)\s+|\s*[–—]\s*|\s+-\s+", re.IGNORECASE)
_OFFSET: Final = "Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?"
_CLOCK: Final = re.compile(rf"([0-9]{{1,2}}:[0-9]{{2}})(?: ?(?:{_OFFSET}))?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[;\n]|(?:,|\band\b)\s*(?=[0-9]{4}\S[0-9]{1,2}\S[0-9])", re.IGNORECASE)
_DAY: Final = re.compile(r"[0-9]{4}\S[0-9]{1,2}\S[0-9]{1,2}")
_PART: Final = re.compile(r"([0-9]{1,6}(?:[.,][0-9]{1,3})?)\s*([a-zA-Z]+)\s*(?:,|and)?\s*")
_UNITS_S: Final = {
    unit: seconds
    for seconds, units in {
        60: "m min mins minute minutes",
        3600: "h hr hrs hour hours",
        86_400: "d day days",
    }.items()
    for unit in units.split()
}


def read_brownouts(text: str, zone: ZoneInfo, subject: str) -> tuple[Brownout, ...]:
    """Parse outages that are separated by semicolons, commas or lines, in the order entered.

    A length is a length also across a change of clocks. An end without a date is on the day of the beginning,
    or on the next one if it would not be after it.

    Raises:
        InvalidApi: a piece cannot be read; the message names it.

    >>> [str(each.length) for each in read_brownouts(
    ...     "2027-03-01 10:00 for 90 min; 2027-04-01 22:00 to 02:00", ZoneInfo("UTC"), "v1")]
    ['1:30:00', '4:00:00']
    """
    pieces = [" ".join(piece.split()) for piece in _BETWEEN.split(text) if piece.strip()]
    if len(text) > _MAX_LENGTH or len(pieces) > MAX_BROWNOUTS:
        raise InvalidApi(
            f"{subject} has more than {MAX_BROWNOUTS} brownouts; keep those that clients will notice"
        )
    return tuple(_read(piece, zone, subject) for piece in pieces)


def brownout_texts(brownouts: Iterable[Brownout], zone: ZoneInfo) -> str:
    """Return the text that `read_brownouts` reads as these outages.

    >>> brownout_texts(read_brownouts("2027-03-01 10:00 for 60 min", ZoneInfo("UTC"), "v1"), ZoneInfo("UTC"))
    '2027-03-01 10:00 for 1h'
    """
    return "; ".join(_written(each, zone) for each in brownouts)


def _read(piece: str, zone: ZoneInfo, subject: str) -> Brownout:
    label = f"the brownout {excerpt(piece, 60)} of {subject}"
    if len(piece) > _MAX_PIECE_LENGTH:
        raise InvalidApi(f"{label} is too long; {_EXPECTED}")
    by_length, by_end = _LENGTH_AFTER.split(piece), _END_AFTER.split(piece)
    if len(by_length) == 2:
        starts = read_moment(by_length[0], zone, label)
        length = _length(by_length[1], label)
        ends = _later(starts, length, zone, label)
    elif len(by_end) == 2:
        starts = read_moment(by_end[0], zone, label)
        ends = _end(by_end[1], starts, zone, label)
    else:
        cause = "has no end" if _DAY.match(piece) else "cannot be read"
        raise InvalidApi(f"{label} {cause}; {_EXPECTED}")
    if ends.timestamp() <= starts.timestamp():
        raise InvalidApi(f"{label} does not end after it starts; use a later end")
    return Brownout(starts, ends)


def _length(text: str, label: str) -> timedelta:
    """Parse a length such as 1h, 90 min or 1 hour 30 minutes."""
    seconds, at = Fraction(), 0
    while match := _PART.match(text, at):
        unit = _UNITS_S.get(match[2].lower())
        if unit is None:
            break
        seconds += Fraction(match[1].replace(",", ".")) * unit
        at = match.end()
    if at < len(text) or not text:
        raise InvalidApi(f"{label} has the length {excerpt(text, 60)}; write it as 1h, 90 min or 1h 30min")
    if not seconds:
        raise InvalidApi(f"{label} takes no time; write a length such as 1h")
    return timedelta(microseconds=int(seconds * 1_000_000))


def _end(text: str, starts: datetime, zone: ZoneInfo, label: str) -> datetime:
    if _CLOCK.fullmatch(text) is None:
        return read_moment(text, zone, label)
    end = read_moment(f"{starts.date()} {text}", zone, label)
    if end.timestamp() > starts.timestamp():
        return end
    return read_moment(f"{starts.date() + timedelta(days=1)} {text}", zone, label)


def _later(starts: datetime, length: timedelta, zone: ZoneInfo, label: str) -> datetime:
    try:
        return local(starts.astimezone(UTC) + length, zone)
    except OverflowError:
        raise InvalidApi(f"{label} ends after the year 9999; use a shorter one") from None


def _written(brownout: Brownout, zone: ZoneInfo) -> str:
    begin, length = written(brownout.starts, zone), brownout.length
    if _DAY.fullmatch(begin):  # the hour of an outage matters
        begin = f"{begin} {local(brownout.starts, zone):%H:%M}"
    minutes, rest = divmod(length, timedelta(minutes=1))
    if rest:
        return f"{begin} to {written(brownout.ends, zone)}"
    parts = ((minutes // 60, "h"), (minutes % 60, "min"))
    return f"{begin} for {' '.join(f'{count}{unit}' for count, unit in parts if count)}"
