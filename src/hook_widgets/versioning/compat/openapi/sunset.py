"""Compare ``deprecated`` and ``x-sunset``: announced ends of endpoints and parameters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime

from hook_widgets._mail_dates import read_mail_date
from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import build_change


def utc_date(as_of: datetime | None) -> date | None:
    """Return the day in UTC with which sunset dates are compared.

    >>> utc_date(datetime.fromisoformat("2026-07-01T00:30:00+02:00"))
    datetime.date(2026, 6, 30)
    """
    if as_of is None:
        return None
    if as_of.utcoffset() is None:
        raise InvalidApi("as_of has no time zone; pass a time such as datetime.now(UTC)", field="as_of")
    return as_of.astimezone(UTC).date()


def has_ended(place: Place, today: date | None) -> bool:
    """Return True if a place was deprecated with a date that has been reached.

    >>> from hook_widgets.versioning.compat.openapi.document.located import Root
    >>> old = Place({"deprecated": True, "x-sunset": "2026-06-30"}, "", Root({}, "old", "3.1", {}))
    >>> has_ended(old, date(2026, 6, 30)), has_ended(old, date(2026, 6, 29)), has_ended(old, None)
    (True, False, False)
    """
    end = _end(place)
    return today is not None and end is not None and place.flag("deprecated") and end <= today


def removal(rule: str, place: Place, detail: str, today: date | None) -> tuple[str, str]:
    """Return the rule and the sentence for a removal, with the announced end of what was removed."""
    end = _end(place)
    if has_ended(place, today):
        return f"{rule}-after-sunset", f"{detail}; its end was announced for {place.at('x-sunset').value}."
    if not place.flag("deprecated"):
        return rule, f"{detail}."
    if end is None:
        reason = f"but {_fault(place) or 'no end was announced in x-sunset'}"
    else:
        reason = f"but until {end}" if today else f"with {end} as its end; pass as_of= to check that date"
    return rule, f"{detail}; it was deprecated, {reason}."


def compare_lifecycle(old: Place, new: Place, where: str) -> Iterator[Change]:
    """Compare ``deprecated`` and ``x-sunset`` of two operations."""
    was, is_ = old.flag("deprecated"), new.flag("deprecated")
    if is_ and not was:
        end, fault = _end(new), _fault(new)
        when = f" and ends on {end}" if end else fault and f", but {fault}"
        yield build_change("endpoint-deprecated", new, where, f"The endpoint is deprecated now{when}.")
    elif was and not is_:
        yield build_change("endpoint-reactivated", new, where, "The endpoint is no longer deprecated.")
    else:
        yield from _compare_sunset(old, new, where)


def compare_deprecation(old: Place, new: Place, noun: str, where: str) -> Iterator[Change]:
    """Compare ``deprecated`` and ``x-sunset`` of two parameters or headers."""
    if old.flag("deprecated") != new.flag("deprecated"):
        mark = "is deprecated now" if new.flag("deprecated") else "is no longer deprecated"
        yield build_change("deprecated-changed", new, where, f"{noun} {mark}.")
    else:
        yield from _compare_sunset(old, new, where)


def _compare_sunset(old: Place, new: Place, where: str) -> Iterator[Change]:
    before, after = _end(old), _end(new)
    if before is not None and (after is None or after < before):
        now = f"is {after} now" if after else "cannot be read now" if _fault(new) else "is no longer said"
        yield build_change("sunset-earlier", new, where, f"The announced end was {before} and {now}.")
    elif after is not None and before != after:
        then = f", after {before}" if before else ""
        yield build_change("sunset-later", new, where, f"The announced end is {after} now{then}.")


def _fault(place: Place) -> str:
    return "its x-sunset is no date" if place.at("x-sunset").value and _end(place) is None else ""


def _end(place: Place) -> date | None:
    """Return the date in ``x-sunset``, of RFC 3339 or of HTTP; None if there is no valid one."""
    text = str(place.at("x-sunset").value).strip()  # some YAML parsers return dates
    for parse in (datetime.fromisoformat, read_mail_date):
        with suppress(ValueError):
            instant = parse(text)
            has_utc = instant.tzinfo and 1 < instant.year < 9999
            return (instant.astimezone(UTC) if has_utc else instant).date()
    return None
