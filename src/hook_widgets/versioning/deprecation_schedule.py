"""Compute the four dates of a deprecation: announcement, reminder, final notice and removal.

The reminder and the final notice are at one and two thirds of the period: by default the dates are at 0, 6,
12 and 18 months. Each date is counted from the announcement in calendar months, so a short month does not
shift the later ones: from 31 August the steps are 28 February and 31 August.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.dates.business_days import DAYS, WEEKEND, is_business_day, next_business_day
from hook_widgets.versioning.dates.instants import in_zone, instant, latest, shown
from hook_widgets.versioning.dates.months import add_months

MIN_MONTHS: Final = 12
"""Minimum period, because users plan by the year."""

MAX_USUAL_MONTHS: Final = 24
"""Longer periods get an `Advisory`: the version must be maintained, and users have no reason to hurry."""

_MAX_MONTHS: Final = 12 * 9999
_NAMES: Final = {
    "deprecated": "announcement",
    "reminder": "reminder",
    "final_notice": "final notice",
    "sunset": "removal",
}


@dataclass(frozen=True, slots=True)
class Advisory:
    """A point to review; not an error.

    Attributes:
        field: the attribute or input that it concerns, such as ``"sunset"``.
        text: the point, as a sentence.
    """

    field: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """The dates of a version's deprecation.

    Attributes:
        deprecated: the announcement, and the date in the ``Deprecation`` field.
        reminder: the reminder, after a third of the period.
        final_notice: the final notice, after two thirds of the period.
        sunset: the removal, and the date in the ``Sunset`` field.
        months: the promised period in calendar months.
        advisories: points to review; each names the attribute that it concerns.

    Raises:
        InvalidApi: a date has no zone, the dates are out of order, or the period is under 12 months or
            shorter than promised; `field` names the attribute.
    """

    deprecated: datetime
    reminder: datetime
    final_notice: datetime
    sunset: datetime
    months: int
    advisories: tuple[Advisory, ...] = ()

    def __post_init__(self) -> None:
        _check_months(self.months)
        _check_period(self.deprecated, self.sunset, self.months)
        steps = ("deprecated", "reminder", "final_notice", "sunset")
        moments = [instant(getattr(self, name), f"the date '{name}'", field=name) for name in steps]
        for i in range(1, len(steps)):
            if moments[i] < moments[i - 1]:
                raise InvalidApi(
                    f"'{steps[i]}' is before '{steps[i - 1]}': {shown(moments[i])} and "
                    f"{shown(moments[i - 1])}; put the dates in order",
                    field=steps[i],
                )


def lifecycle(
    deprecated: datetime,
    *,
    months: int = 18,
    sunset: datetime | None = None,
    holidays: Container[date] = (),
    weekend: Container[int] = WEEKEND,
) -> Lifecycle:
    """Compute the dates of a deprecation from its announcement.

    All dates have the local time of `deprecated` in its zone, also across daylight saving changes. A date on
    a weekend or a holiday moves to the next business day, never to an earlier one, because the period is a
    minimum. For the same reason a skipped local time moves forward, and of an ambiguous one the second is
    used.

    Args:
        deprecated: the announcement, with its zone.
        months: the period. Its thirds are rounded down to whole months, so that notices are early rather than
            late. Ignored if `sunset` is given.
        sunset: the removal, if already fixed. It is not moved; if it is not a business day, that is listed in
            `Lifecycle.advisories`.
        holidays: the days to avoid, as in `hook_widgets.versioning.is_business_day`.
        weekend: the days of the week to avoid, Monday being 0.

    Raises:
        InvalidApi: no zone, a period under 12 calendar months, dates beyond the year 9999, or holidays that
            leave no business day; `field` is ``"deprecated"``, ``"months"``, ``"sunset"`` or ``"holidays"``.

    >>> from zoneinfo import ZoneInfo
    >>> dates = lifecycle(datetime(2026, 8, 31, 9, tzinfo=ZoneInfo("Europe/Berlin")))
    >>> str(dates.reminder), str(dates.sunset)
    ('2027-03-01 09:00:00+01:00', '2028-02-29 09:00:00+01:00')
    >>> print(*dates.advisories)
    The reminder moves from Sunday 2027-02-28 to Monday 2027-03-01, the next business day.
    """
    instant(deprecated, "the announcement", field="deprecated")
    deprecated = _existing(deprecated)
    fixed = sunset is not None
    if sunset is None:
        _check_months(months)
    else:
        _check_period(deprecated, sunset, MIN_MONTHS)
        months = _whole_months(deprecated, sunset)
    advisories = _no_business_day("deprecated", deprecated, holidays, weekend)
    moments = []
    for field, after in ("reminder", months // 3), ("final_notice", months * 2 // 3), ("sunset", months):
        name = _NAMES[field]
        if sunset is not None and field == "sunset":
            advisories += _no_business_day(field, sunset, holidays, weekend)
            moments.append(sunset)
            continue
        due = _wall(deprecated, after)
        moment = _on_business_day(due, deprecated.tzinfo, f"the {name}", holidays, weekend)
        moments.append(moment)
        if moment.date() != due.date():
            text = f"The {name} moves from {_day(due)} to {_day(moment)}, the next business day."
            advisories.append(Advisory(field, text))
    reminder, final_notice, removal = moments
    if months > MAX_USUAL_MONTHS or (fixed and months == MAX_USUAL_MONTHS and _later(removal, deprecated)):
        question = f"who keeps the version running until {_day(removal)}?"
        advisories.append(Advisory("sunset", f"The period is over {MAX_USUAL_MONTHS} months: {question}"))
    if instant(final_notice, "the final notice") > instant(removal, "the removal"):
        raise InvalidApi(
            f"the holidays push the final notice to {_day(final_notice)}, after the removal on "
            f"{_day(removal)}; leave business days before it",
            field="holidays",
        )
    return Lifecycle(
        deprecated=deprecated,
        reminder=reminder,
        final_notice=final_notice,
        sunset=removal,
        months=months,
        advisories=tuple(advisories),
    )


def _check_months(months: object) -> None:
    if isinstance(months, bool) or not isinstance(months, int):
        raise InvalidApi(
            f"must be a whole number, not {type(months).__name__}; 18 is usual",
            field="months",
            subject="months",
        )
    if abs(months) > _MAX_MONTHS:
        raise InvalidApi(
            "must lead to a date before the year 10000; 18 is usual", field="months", subject="months"
        )
    if months < MIN_MONTHS:
        raise InvalidApi(
            f"a period of {months} months is too short, as users need {MIN_MONTHS} or more to "
            "migrate; 18 is usual",
            field="months",
        )


def _check_period(deprecated: datetime, sunset: datetime, months: int) -> None:
    removal = instant(sunset, "the removal", field="sunset")
    least = _after(deprecated, months)
    if removal < instant(least, "the removal", field="months"):
        raise InvalidApi(
            f"the removal at {shown(sunset)} is less than {months} months after the announcement at "
            f"{shown(deprecated)}; use {shown(least)} or later",
            field="sunset",
        )


def _existing(moment: datetime) -> datetime:
    """Return the moment itself, or the one after the gap if its local time is skipped."""
    before, after = moment.replace(fold=0).utcoffset(), moment.replace(fold=1).utcoffset()
    if before is None or after is None or before >= after:
        return moment
    return latest(moment.replace(tzinfo=None), moment.tzinfo, "the announcement", field="deprecated")


def _wall(deprecated: datetime, months: int) -> datetime:
    """Return the local time after a number of calendar months, without a zone."""
    instant(deprecated, "the announcement", field="deprecated")
    try:
        return add_months(deprecated.replace(tzinfo=None), months)
    except (ValueError, OverflowError):
        raise InvalidApi(
            f"{months} months after {shown(deprecated)} is beyond the year 9999; use an earlier date",
            field="months",
        ) from None


def _after(deprecated: datetime, months: int) -> datetime:
    wall = _wall(deprecated, months)
    return latest(wall, deprecated.tzinfo, f"the date after {months} months", field="months")


def _whole_months(deprecated: datetime, sunset: datetime) -> int:
    local = in_zone(sunset, deprecated.tzinfo, "the removal", field="sunset")
    months = (local.year - deprecated.year) * 12 + local.month - deprecated.month
    while instant(_after(deprecated, months), "the removal") > instant(sunset, "the removal"):
        months -= 1
    return months


def _later(removal: datetime, deprecated: datetime) -> bool:
    limit = _after(deprecated, MAX_USUAL_MONTHS)
    return instant(removal, "the removal") > instant(limit, "the removal")


def _on_business_day(
    wall: datetime, zone: tzinfo | None, name: str, holidays: Container[date], weekend: Container[int]
) -> datetime:
    # Choose the day before the time: a local time skipped on Sunday must not be shifted on Monday too.
    # Repeat, because a whole day can be skipped: Samoa went from 29 December 2011 to Saturday the 31st.
    while True:
        day = next_business_day(wall.date(), holidays=holidays, weekend=weekend)
        moment = latest(datetime.combine(day, wall.time()), zone, name, field="months")
        if moment.date() == day:
            return moment
        wall = moment.replace(tzinfo=None)


def _no_business_day(
    field: str, moment: datetime, holidays: Container[date], weekend: Container[int]
) -> list[Advisory]:
    if is_business_day(moment.date(), holidays=holidays, weekend=weekend):
        return []
    return [Advisory(field, f"The {_NAMES[field]} is on {_day(moment)}, which is not a business day.")]


def _day(moment: datetime) -> str:
    return f"{DAYS[moment.weekday()]} {moment.date()}"
