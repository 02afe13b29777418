"""Parse the values of rate limit fields leniently: lists, numbers, durations, times and policies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final, NamedTuple, NoReturn

from hook_widgets._access_logs.log_times import NotATime, calendar_ns
from hook_widgets._access_logs.log_zones import NAMED_ZONES
from hook_widgets._mail_dates import read_mail_date
from hook_widgets.errors import InvalidHeader, InvalidLimit
from hook_widgets.ratelimit.formatting import seconds
from hook_widgets.ratelimit.http.retry_after import parse_retry_after
from hook_widgets.ratelimit.http.rounding import epoch_s
from hook_widgets.ratelimit.rate_text import UNITS_S, both_readings
from hook_widgets.ratelimit.rate_text import parse_number as plain_number
from hook_widgets.ratelimit.units import check_plausible, quota_and_window

_MAX_LENGTH: Final = 100  # of a number, a duration or a time
_MAX_MEMBERS: Final = 100
# A comma separates members, but not the day of the week from the rest of an HTTP-date, nor the year from the
# day before it.
_COMMA: Final = re.compile(
    r"(?i:(?<!Mon)(?<!Tue)(?<!Wed)(?<!Thu)(?<!Fri)(?<!Sat)(?<!Sun)(?<!day)),(?! [0-9]{4} [0-9]{1,2}:)"
)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,40}+(?:\.[0-9]++)?(?:[eE][+-]?[0-9]{1,2})?")
_QUOTA_IN: Final = re.compile(r"([0-9]{1,15}+):([0-9]{1,15}+)(?::[0-9]{1,15}+)?")  # and a penalty
_CLOCK: Final = re.compile(r"([0-9]{1,4}+):([0-9]{2}):([0-9]{2}(?:\.[0-9]++)?)")
_PART: Final = re.compile(r"\s*([0-9]{1,18}+(?:\.[0-9]++)?)\s*([a-zµμ]++)")
_ISO_DURATION: Final = re.compile(
    r"p(?=[0-9t])(?:([0-9]{1,9})d)?(?:t(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,18}(?:\.[0-9]++)?)s)?)?"
)
_UNITS_S: Final = (
    UNITS_S
    | {f"{unit}ly": UNITS_S[unit] for unit in ("second", "minute", "hour", "week")}
    | {"daily": UNITS_S["day"]}
)
_NAMED_ZONE: Final = re.compile(r" (?!UTC|GMT|[AP]M)([A-Z]{1,5})$", re.IGNORECASE)
_POLICY: Final = re.compile(r'\s*([0-9]{1,15}+)\s*((?:;(?:"[^"]*+"|[^",;])*+)*+)')
_WINDOW: Final = re.compile(r";\s*+(?:w|window)\s*+=\s*+([0-9]{1,15}+)\s*+(?=;|$)")
_UNIT: Final = re.compile(r";\s*+q?u\s*+=\s*+\"?([A-Za-z][\w-]{0,40}+)")
_QUOTED: Final = re.compile(r"=\s*+\"[^\";]*+;[^\"]*+\"")  # a value that has other parameters in it
_UNITS: Final = {"request": "requests", "token": "tokens"}
# No API asks for a wait of thirty years: a number from 10**9 on is a time since 1970. From then on each unit
# has three digits more than the one before.
MIN_TIMESTAMP_S: Final = 10**9
_DAY_S: Final = 86_400
_MAX_AHEAD_S: Final = 3660 * _DAY_S
_MAX_SHARE: Final = 2
_LONG_WAIT_S: Final = 10_000
_SURE_S: Final = 10  # a wait of thousands of seconds is no multiple of a shorter reset by chance
_TIMESTAMP_UNITS: Final = ((10**18, 10**9), (10**15, 10**6), (10**12, 1000), (MIN_TIMESTAMP_S, 1))


class Policy(NamedTuple):
    """A limit of a field: its quota, its window in seconds if it is stated, and what it counts."""

    quota: Fraction
    window_s: Fraction | None
    unit: str = "requests"


def members(lines: Iterable[str]) -> list[str]:
    """Return the members of a field, which may be repeated (RFC 9110 section 5.3), without repetitions.

    >>> members(["120, 120"]), members(["Thu, 04 Apr 2019 12:59:05 GMT"])
    (['120'], ['Thu, 04 Apr 2019 12:59:05 GMT'])

    Raises:
        InvalidHeader: it has no member, or too many.
    """
    parts = [_unquoted(part) for line in lines for part in _COMMA.split(line, maxsplit=_MAX_MEMBERS)]
    values = [part for part in parts if part]
    if not values:
        raise InvalidHeader("the field is empty")
    if len(parts) > _MAX_MEMBERS:
        raise InvalidHeader(f"the field has more than {_MAX_MEMBERS} members")
    return values[:1] if len(set(values)) == 1 else values


def parse_number(text: str) -> Fraction:
    """Parse a number with any number of decimals; one below zero is zero.

    Raises:
        InvalidHeader: it is no number, or out of range.

    >>> parse_number("-1")
    Fraction(0, 1)
    """
    if len(text) > _MAX_LENGTH or not _NUMBER.fullmatch(text):
        raise InvalidHeader(f"{text[:40]!r} is no number")
    return max(Fraction(0), Fraction(text))


def _parse_amount(text: str) -> Fraction:
    if readings := both_readings(text):
        raise InvalidHeader(f"{text[:40]!r} may mean {' or '.join(readings)}")
    return parse_number(text)


def parse_share(text: str) -> Fraction:
    """Parse a share of a quota, such as 0.42; it may be a little more than all of it.

    Raises:
        InvalidHeader: it is no number, or out of range.

    >>> parse_share("0.42")
    Fraction(21, 50)
    """
    share = parse_number(text)
    if share > _MAX_SHARE:
        raise InvalidHeader(f"{text[:40]!r} is no share of a quota")
    return share


def parse_count(text: str) -> Fraction:
    """Parse a number of requests, with or without a window behind it (Docker Hub, Riot).

    Raises:
        InvalidHeader: it is no number, or out of range.

    >>> parse_count("76;w=21600"), parse_count("19:120")
    (Fraction(76, 1), Fraction(19, 1))
    """
    return _parse_amount(text.partition(";")[0].partition(":")[0].strip())


def parse_quota(text: str) -> Policy:
    """Parse a quota, and the window in seconds if one is stated.

    Raises:
        InvalidHeader: it is no quota.

    >>> parse_quota("60").window_s, parse_quota("100:120").window_s, parse_quota("10 per 1 minute").window_s
    (None, Fraction(120, 1), Fraction(60, 1))
    """
    if pair := _QUOTA_IN.fullmatch(text):
        return Policy(Fraction(pair[1]), Fraction(pair[2]))
    if text.startswith("-"):
        no_limit(text)
    try:
        return Policy(_parse_amount(text), None)
    except InvalidHeader:
        with suppress(InvalidLimit):
            quota, window_s = quota_and_window(text, "")
            check_plausible(quota, text, "")
            check_plausible(window_s, text, "")
            if plain_number(text) is None:  # else it has no window
                return Policy(quota, window_s)
        raise


def parse_wait(text: str, *, now_s: Fraction) -> Fraction:
    """Parse a wait, a duration or a time; return the seconds from now.

    Read are seconds; the time since 1970 in s, ms, us or ns, told apart by magnitude; durations such as
    ``6m0s``, ``00:06:00`` and ``PT6M``; an HTTP-date; and a date of RFC 3339, in UTC if it has no zone.

    Args:
        text: the value.
        now_s: the time of the response, in seconds since 1970.

    Raises:
        InvalidHeader: it is none of these.

    >>> parse_wait("6m0s", now_s=Fraction(0))
    Fraction(360, 1)
    """
    if len(text) <= _MAX_LENGTH:
        if _NUMBER.fullmatch(text):
            number = parse_number(text)
            per_s = next((per_s for least, per_s in _TIMESTAMP_UNITS if number >= least), None)
            if per_s is None:
                return number
            wait_s = number / per_s - now_s
            if now_s >= MIN_TIMESTAMP_S and wait_s > _MAX_AHEAD_S:
                raise InvalidHeader(f"{text[:40]!r} would be a time in more than ten years")
            if number / per_s < 10**12:
                return max(Fraction(0), wait_s)
        elif (duration_s := parse_duration(text)) is not None:
            return duration_s
        elif (time_s := _time_s(text, now_s)) is not None:
            return max(Fraction(0), time_s - now_s)
    raise InvalidHeader(f"{text[:40]!r} is no number, duration or date")


def no_limit(text: str) -> NoReturn:
    """Reject a number below zero, which many APIs use for a limit that does not exist.

    Raises:
        InvalidHeader: always.
    """
    raise InvalidHeader(f"{text[:40]!r} is below zero, which may mean that there is no limit")


def not_below_zero(parse: Callable[[str], Fraction]) -> Callable[[str], Fraction]:
    """Return a parser that rejects what is below zero, as clients do with ``Retry-After: -1``."""

    def checked(text: str) -> Fraction:
        if text.startswith("-"):
            raise InvalidHeader(f"{text[:40]!r} is below zero")
        return parse(text)

    return checked


def parse_duration(text: str) -> Fraction | None:
    """Parse a duration with units; return it in seconds, or None if it is none.

    >>> parse_duration("2m59.56s"), parse_duration("minute"), parse_duration("PT1M30S")
    (Fraction(4489, 25), Fraction(60, 1), Fraction(90, 1))
    """
    lower = text.strip().lower()
    if len(lower) > _MAX_LENGTH:
        return None
    if lower in _UNITS_S:
        return _UNITS_S[lower]
    if clock := _CLOCK.fullmatch(lower):
        return 3600 * int(clock[1]) + 60 * int(clock[2]) + Fraction(clock[3])
    if iso := _ISO_DURATION.fullmatch(lower):
        days, hours, minutes, seconds = (Fraction(part or 0) for part in iso.groups())
        return 86_400 * days + 3600 * hours + 60 * minutes + seconds
    total, at = Fraction(0), 0
    while at < len(lower):
        part = _PART.match(lower, at)
        if part is None or part[2] not in _UNITS_S:
            return None
        total += Fraction(part[1]) * _UNITS_S[part[2]]
        at = part.end()
    return total if at else None


def parse_date_field(text: str, now_s: Fraction | None = None) -> Fraction | None:
    """Return the seconds since 1970 of an HTTP-date, or None if it is none.

    Args:
        text: the value.
        now_s: the time of the response; without it, a year of two digits is none.
    """
    try:
        date = parse_retry_after(text, now=now_s)
    except InvalidHeader:
        return None
    return epoch_s(date) if isinstance(date, datetime) else None


def parse_policies(text: str) -> list[Policy]:
    """Parse the policies of drafts 00 to 07, also with a unit (Helicone).

    Raises:
        InvalidHeader: the value is malformed.

    >>> parse_policies('100;w=60;comment="a, b", 1000;w=3600;u=cents')[1]
    Policy(quota=Fraction(1000, 1), window_s=Fraction(3600, 1), unit='cents')
    """
    policies, at = list[Policy](), 0
    while (match := _POLICY.match(text, at)) and len(policies) < _MAX_MEMBERS:
        parameters = _QUOTED.sub("=", match[2])
        window, unit = _WINDOW.search(parameters), _UNIT.search(parameters)
        name = unit[1].lower() if unit else "requests"
        policies.append(
            Policy(Fraction(match[1]), Fraction(window[1]) if window else None, _UNITS.get(name, name))
        )
        at = match.end() + 1
        if text[at - 1 : at] != ",":
            break
    if match is None or at <= len(text):
        raise InvalidHeader(f"{text[:40]!r} is no list of quotas such as 100;w=60")
    return policies


def unit_of(
    reset_s: Fraction | int, window_s: Fraction | None, waits_s: Iterable[Fraction] = (), *, standard: bool
) -> int:
    """Return the units per second of a reset that is a whole number: 1 or 1000; 0 if that is not sure.

    Args:
        reset_s: the reset, if it is in seconds.
        window_s: the window of the limit, if it is known.
        waits_s: the waits that the response asks for.
        standard: the field is that of the IETF drafts, which have seconds.

    >>> unit_of(59, Fraction(60), standard=False), unit_of(59873, Fraction(60), standard=False)
    (1, 1000)
    """
    if window_s is None:
        in_ms = any(wait_s >= _SURE_S and _is_near(Fraction(reset_s) / 1000, wait_s) for wait_s in waits_s)
        return 1000 if in_ms else int(standard or reset_s <= _DAY_S)
    if reset_s <= 2 * window_s:  # some servers reject for longer than a window
        return 1
    return 1000 if window_s / 10 <= Fraction(reset_s) / 1000 <= window_s else 0


def unit_assumed(
    reset_s: Fraction,
    window_s: Fraction | None,
    waits_s: Iterable[Fraction],
    units: Iterable[int],
    *,
    standard: bool,
) -> str:
    """Return what is assumed of the unit of a reset that `unit_of` told; empty if it is usual.

    >>> unit_assumed(Fraction(59873), None, [], [1], standard=False)
    '59873 is read as seconds; in milliseconds it would be 59.9 s'
    """
    number = f"{float(reset_s):.15g}"
    if 1000 in units:
        sign = "Retry-After says so" if window_s is None else "the window is shorter"
        if window_s is not None and reset_s <= window_s:
            sign = "another reset is"
        return f"{number} is read as milliseconds, as {sign}"
    if standard or window_s is not None or not reset_s or any(_is_near(reset_s, s) for s in waits_s):
        return ""
    return _read_as_seconds(reset_s)


def wait_unit_assumed(stated_s: Fraction | None, used_s: Fraction | None) -> str:
    """Return what `in_seconds` assumed of the unit of a wait; empty if it is usual.

    >>> wait_unit_assumed(Fraction(60_000), Fraction(60_000))
    '60000 is read as seconds; in milliseconds it would be 1 min'
    """
    if stated_s is None or used_s is None:
        return ""
    number = f"{float(stated_s):.15g}"
    if stated_s != used_s:
        return f"{number} is read as milliseconds, as the reset says so"
    if stated_s < _LONG_WAIT_S or stated_s % 1000 or not stated_s % 3600:
        return ""
    return _read_as_seconds(stated_s)


def _read_as_seconds(stated: Fraction) -> str:
    return f"{float(stated):.15g} is read as seconds; in milliseconds it would be {seconds(stated / 1000)}"


def _is_near(a: Fraction, b: Fraction) -> bool:
    return abs(a - b) <= max(Fraction(1), b / 10)


def in_seconds(wait_s: Fraction | None, resets_s: Iterable[Fraction | None]) -> Fraction | None:
    """Return a wait in seconds. One about a thousand times a reset is in milliseconds (Fastify, Discord).

    Fastify repeats its window there, and cuts the reset to whole seconds.

    >>> in_seconds(Fraction(60_000), [Fraction(58)]), in_seconds(Fraction(3600), [Fraction(58)])
    (Fraction(60, 1), Fraction(3600, 1))
    """
    if wait_s is None:
        return None
    whole = wait_s >= 1000 and not wait_s % 1000
    in_ms = any(
        abs(wait_s / 1000 - reset_s) <= reset_s / 10
        if reset_s >= _SURE_S
        else whole and 0 <= wait_s / 1000 - reset_s <= 1
        for reset_s in resets_s
        if reset_s is not None
    )
    return wait_s / 1000 if in_ms else wait_s


def _unquoted(part: str) -> str:
    text = part.strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text


def _time_s(text: str, now_s: Fraction) -> Fraction | None:
    """Return the seconds since 1970 of an HTTP-date or a date of RFC 3339, or None if it is neither."""
    if (date_s := parse_date_field(text, now_s)) is not None:
        return date_s
    zone = _NAMED_ZONE.search(text)
    if zone is None or zone[1] in NAMED_ZONES:  # a line of a log may have any name
        with suppress(NotATime):
            return Fraction(calendar_ns(text), 10**9)
    try:
        if text[4:5] == "-":
            moment = datetime.fromisoformat(text.removesuffix(" UTC").removesuffix(" GMT"))
        else:  # as in mail, also with one digit for the day or the name of a zone
            moment = read_mail_date(text)
        return epoch_s(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (OverflowError, ValueError):
        return None
