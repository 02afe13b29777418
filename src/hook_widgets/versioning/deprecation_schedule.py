"""Compute the four dates of a deprecation: announcement, reminder, final notice and removal.

The reminder and the final notice are at one and two thirds of the period: by default the dates are at 0, 6,
12 and 18 months. Each date is counted from the announcement in calendar months, so a short month does not
shift the later ones: from 31 August the steps are 28 February and 31 August.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.brownouts import MAX_USUAL_BROWNOUT, Brownout, check_brownouts
from hook_widgets.versioning.dates.business_days import DAYS, WEEKEND, is_business_day, next_business_day
from hook_widgets.versioning.dates.instants import in_zone, instant, latest, shown
from hook_widgets.versioning.dates.months import add_months

MIN_MONTHS: Final = 12
"""Shorter periods get an `Advisory`, because users plan by the year."""

MAX_USUAL_MONTHS: Final = 24
"""Longer periods get an `Advisory`: the version must be maintained, and users have no reason to hurry."""

_MIN_THIRDS_MONTHS: Final = 3  # the thirds of a shorter period are counted in days
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
        months: the promised period in whole calendar months; 0 if it is shorter than one.
        advisories: points to review; each names the attribute that it concerns.
        brownouts: planned outages between the announcement and the removal, in order of time.

    Raises:
        InvalidApi: a date has no zone, the dates are out of order, the period is shorter than promised, or a
            brownout is outside of it or overlaps another one; `field` names the attribute.
    """

    deprecated: datetime
    reminder: datetime
    final_notice: datetime
    sunset: datetime
    months: int
    advisories: tuple[Advisory, ...] = ()
    brownouts: tuple[Brownout, ...] = ()

    def __post_init__(self) -> None:
        _check_months(self.months, least=0)
        _check_after(self.deprecated, self.sunset)
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
        brownouts = check_brownouts(self.brownouts, self.deprecated, self.sunset)
        object.__setattr__(self, "brownouts", brownouts)

    @property
    def short_notice(self) -> bool:
        """True if the period is under the 12 months that users need to migrate."""
        return self.months < MIN_MONTHS


def lifecycle(
    deprecated: datetime,
    *,
    months: int = 18,
    sunset: datetime | None = None,
    holidays: Container[date] = (),
    weekend: Container[int] = WEEKEND,
    brownouts: Iterable[Brownout] = (),
) -> Lifecycle:
    """Compute the dates of a deprecation from its announcement.

    All dates have the local time of `deprecated` in its zone, also across daylight saving changes. A date on
    a weekend or a holiday moves to the next business day, never to an earlier one, because the period is a
    minimum. For the same reason a skipped local time moves forward, and of an ambiguous one the second is
    used.

    Args:
        deprecated: the announcement, with its zone.
        months: the period, at least 1. Its thirds are rounded down to whole months (to days in a period under
            3 months), so that notices are early rather than late. Ignored if `sunset` is given.
        sunset: the removal, if already fixed. It is not moved; if it is not a business day, that is listed in
            `Lifecycle.advisories`.
        holidays: the days to avoid, as in `hook_widgets.versioning.is_business_day`.
        weekend: the days of the week to avoid, Monday being 0.
        brownouts: planned outages before the removal. They are not moved.

    Raises:
        InvalidApi: no zone, a removal that is not after the announcement, dates beyond the year 9999,
            holidays that leave no business day, or a brownout before the announcement or after the removal;
            `field` is ``"deprecated"``, ``"months"``, ``"sunset"``, ``"holidays"`` or ``"brownouts"``.

    >>> from zoneinfo import ZoneInfo
    >>> dates = lifecycle(datetime(2026, 8, 31, 9, tzinfo=ZoneInfo("Europe/Berlin")))
    >>> str(dates.reminder), str(dates.sunset)
    ('2027-03-01 09:00:00+01:00', '2028-02-29 09:00:00+01:00')
    >>> print(*dates.advisories)
    The reminder moves from Sunday 2027-02-28 to Monday 2027-03-01, the next business day.
    """
    instant(deprecated, "the announcement", field="deprecated")
    deprecated = _existing(deprecated)
    zone = deprecated.tzinfo
    advisories = _no_business_day("deprecated", deprecated, holidays, weekend)
    if sunset is None:
        _check_months(months)
        due = _wall(deprecated, months)
        removal = _on_business_day(due, zone, "the removal", holidays, weekend)
        last = _moved("sunset", due, removal)
    else:
        _check_after(deprecated, sunset)
        months, removal = _whole_months(deprecated, sunset), sunset
        last = _no_business_day("sunset", sunset, holidays, weekend)
    notices = []
    thirds = _thirds(deprecated, removal, months)
    for field, due in zip(("reminder", "final_notice"), thirds, strict=True):
        name = f"the {_NAMES[field]}"
        moment = _on_business_day(due, zone, name, holidays, weekend)
        if instant(moment, name) > instant(removal, "the removal"):  # better on a day off than too late
            moment = latest(due, zone, name, field="months")
            advisories += _no_business_day(field, moment, holidays, weekend)
        else:
            advisories += _moved(field, due, moment)
        notices.append(moment)
    reminder, final_notice = notices
    advisories += last
    if months < MIN_MONTHS:
        period = f"{months} month{'s' * (months != 1)}" if months else "less than a month"
        text = f"The notice period is {period}; users need {MIN_MONTHS} months or more to migrate."
        advisories.append(Advisory("sunset", text))
    outages = check_brownouts(brownouts, deprecated, removal)
    advisories += _of_brownouts(outages, holidays, weekend)
    over = months > MAX_USUAL_MONTHS
    if sunset is not None and months == MAX_USUAL_MONTHS:
        limit = _after(deprecated, MAX_USUAL_MONTHS)
        over = instant(removal, "the removal") > instant(limit, "the removal")
    if over:
        question = f"who keeps the version running until {_day(removal)}?"
        advisories.append(Advisory("sunset", f"The period is over {MAX_USUAL_MONTHS} months: {question}"))
    return Lifecycle(
        deprecated=deprecated,
        reminder=reminder,
        final_notice=final_notice,
        sunset=removal,
        months=months,
        advisories=tuple(advisories),
        brownouts=outages,
    )


def _check_months(months: object, *, least: int = 1) -> None:
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
    if months < least:
        raise InvalidApi(
            f"a period of {months} months leaves no time to migrate; 18 is usual",
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


def _check_after(deprecated: datetime, sunset: datetime) -> None:
    announced = instant(deprecated, "the announcement", field="deprecated")
    if instant(sunset, "the removal", field="sunset") <= announced:
        raise InvalidApi(
            f"the removal at {shown(sunset)} is not after the announcement at {shown(deprecated)}; "
            "use a later date",
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
    while months and instant(_after(deprecated, months), "the removal") > instant(sunset, "the removal"):
        months -= 1
    return months


def _thirds(deprecated: datetime, removal: datetime, months: int) -> tuple[datetime, datetime]:
    """Return the local times at one and two thirds of the period, without a zone."""
    if months >= _MIN_THIRDS_MONTHS:
        return _wall(deprecated, months // 3), _wall(deprecated, months * 2 // 3)
    days = (
        in_zone(removal, deprecated.tzinfo, "the removal", field="sunset").date() - deprecated.date()
    ).days
    wall = deprecated.replace(tzinfo=None, fold=0)
    return wall + timedelta(days=days // 3), wall + timedelta(days=days * 2 // 3)


def _moved(field: str, due: datetime, moment: datetime) -> list[Advisory]:
    if moment.date() == due.date():
        return []
    text = f"The {_NAMES[field]} moves from {_day(due)} to {_day(moment)}, the next business day."
    return [Advisory(field, text)]


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


def _of_brownouts(
    brownouts: Iterable[Brownout], holidays: Container[date], weekend: Container[int]
) -> list[Advisory]:
    """Return the points to review: an outage that nobody notices, and one that is too long."""
    advisories = []
    for each in brownouts:
        day = each.starts.date()
        if not is_business_day(day, holidays=holidays, weekend=weekend):
            text = f"The brownout on {_day(each.starts)} is not on a business day, so few will notice it."
            advisories.append(Advisory("brownouts", text))
        if each.length > MAX_USUAL_BROWNOUT:
            hours = MAX_USUAL_BROWNOUT // timedelta(hours=1)
            text = f"The brownout on {_day(each.starts)} takes over {hours} hours; users may take it for the "
            text += "removal."
            advisories.append(Advisory("brownouts", text))
    return advisories


def _day(moment: datetime) -> str:
    return f"{DAYS[moment.weekday()]} {moment.date()}"
