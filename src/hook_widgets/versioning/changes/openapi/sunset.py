"""``deprecated`` and ``x-sunset``: whether the end of an endpoint or parameter was announced and has come."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.changes.change import Change
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import told


def day_of(at: datetime | None) -> date | None:
    """The day in UTC at which dates are judged.

    Raises:
        InvalidApi: the time has no zone.

    >>> day_of(datetime.fromisoformat("2026-07-01T00:30:00+02:00"))
    datetime.date(2026, 6, 30)
    """
    if at is None:
        return None
    if at.utcoffset() is None:
        raise InvalidApi("at has no time zone; pass a time such as datetime.now(UTC)", field="at")
    return at.astimezone(UTC).date()


def has_ended(place: Place, today: date | None) -> bool:
    """Whether something was deprecated with a date, and that date has come.

    >>> from hook_widgets.versioning.changes.openapi.place import Root
    >>> old = Place({"deprecated": True, "x-sunset": "2026-06-30"}, "", Root({}, "old", "3.1", {}))
    >>> has_ended(old, date(2026, 6, 30)), has_ended(old, date(2026, 6, 29)), has_ended(old, None)
    (True, False, False)
    """
    end = _end(place)
    return today is not None and end is not None and place.flag("deprecated") and end <= today


def unended(place: Place, today: date | None) -> str:
    """Why something that was deprecated has not ended, in words."""
    end = _end(place)
    if end is None:
        return "but no end was announced in x-sunset"
    return f"with {end} as its end; pass at= to judge that date" if today is None else f"but until {end}"


def endpoint_life(old: Place, new: Place, where: str) -> Iterator[Change]:
    """The differences in ``deprecated`` and ``x-sunset`` of an operation."""
    was, is_ = old.flag("deprecated"), new.flag("deprecated")
    if is_ and not was:
        end = _end(new)
        when = f" and ends on {end}" if end else ""
        yield told("endpoint-deprecated", new, where, f"The endpoint is deprecated now{when}.")
    elif was and not is_:
        yield told("endpoint-reactivated", new, where, "The endpoint is no longer deprecated.")
    else:
        yield from _promise(old, new, where)


def deprecation(old: Place, new: Place, noun: str, where: str) -> Iterator[Change]:
    """The differences in ``deprecated`` and ``x-sunset`` of a parameter or header."""
    if old.flag("deprecated") != new.flag("deprecated"):
        mark = "is deprecated now" if new.flag("deprecated") else "is no longer deprecated"
        yield told("deprecated-changed", new, where, f"{noun} {mark}.")
    else:
        yield from _promise(old, new, where)


def _promise(old: Place, new: Place, where: str) -> Iterator[Change]:
    before, after = _end(old), _end(new)
    if before is not None and (after is None or after < before):
        now = "is no longer said" if after is None else f"is {after} now"
        yield told("sunset-earlier", new, where, f"The announced end was {before} and {now}.")
    elif after is not None and before != after:
        then = f", after {before}" if before else ""
        yield told("sunset-later", new, where, f"The announced end is {after} now{then}.")


def _end(place: Place) -> date | None:
    """The date in ``x-sunset``, as a date or date-time of RFC 3339; None when there is none to be read."""
    value = place.at("x-sunset").value
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):  # YAML reads dates
        return value
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    try:
        return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()
    except OverflowError:
        return moment.date()
