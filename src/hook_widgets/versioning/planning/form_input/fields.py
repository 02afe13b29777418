"""Inputs of the form: labels, help texts, placeholders and defaults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from dateutil.relativedelta import relativedelta

from hook_widgets.versioning.dates.business_days import next_business_day


@dataclass(frozen=True, slots=True)
class Field:
    """One text input.

    Attributes:
        name: key in the values of the form, or name of a column.
        label: display name.
        group: ``"api"``, ``"dates"``, ``"view"`` or ``"row"``.
        help: explanation in one line.
        placeholder: meaning of an empty text. Use an example only for required fields, since a locked empty
            field shows it too.
        default: initial value.
    """

    name: str
    label: str
    group: str
    help: str
    placeholder: str
    default: str = ""

    def wire(self) -> dict[str, str]:
        """Return the data that a front end needs to draw it."""
        return {
            "name": self.name,
            "label": self.label,
            "group": self.group,
            "help": self.help,
            "placeholder": self.placeholder,
        }


FIELDS: Final = (
    Field(
        "name",
        "Name of the API",
        "api",
        "As announcements and calendars call it.",
        "Orders API",
        "Orders API",
    ),
    Field(
        "base_url",
        "Base URL",
        "api",
        "Where the API is, as in https://api.example.com, for full addresses in announcements and 410 "
        "answers. Empty: paths only.",
        "paths only",
    ),
    Field("prefix", "Path prefix", "api", "What stands before the version in a path.", "/api", "/api"),
    Field(
        "vendor",
        "Vendor",
        "api",
        "The name in the media type: application/vnd.<vendor>.v2+json.",
        "example",
        "example",
    ),
    Field(
        "migration_guide",
        "Migration guide",
        "api",
        "Its address, as in https://example.com/docs/v{old}-v{new}; {old} and {new} become the numbers of "
        "the versions. Empty: no link to one.",
        "no guide",
    ),
    Field(
        "zone",
        "Time zone",
        "dates",
        "The zone of all dates that are entered here without an offset.",
        "Europe/Berlin",
        "UTC",
    ),
    Field(
        "months",
        "Months until removal",
        "dates",
        "From the announcement to the removal, in calendar months: at least 12, usually 18.",
        "18",
        "18",
    ),
    Field(
        "holidays",
        "Holidays",
        "dates",
        "Days besides Saturday and Sunday on which nothing is announced or removed, as in "
        "2026-12-25, 2027-01-01.",
        "none",
    ),
    Field("at", "Date shown", "view", "The time for which to show status and headers. Empty: now.", "now"),
    Field(
        "version",
        "Version shown",
        "view",
        "Whose headers and texts to show. Empty: the oldest one with a removal ahead.",
        "v1",
    ),
)
"""Inputs other than the versions, in the order of the form."""

COLUMNS: Final = (
    Field("version", "Version", "row", "The major number.", "3"),
    Field(
        "released",
        "Released",
        "row",
        "A day, as in 2026-01-31. Empty: it has always been there.",
        "always there",
    ),
    Field(
        "deprecated",
        "Deprecated",
        "row",
        "The day of the announcement. Empty: not deprecated.",
        "not deprecated",
    ),
    Field(
        "removed", "Removed", "row", "Empty: worked out from the announcement and the months.", "not removed"
    ),
    Field("stage", "Stage", "row", "stable, or preview: never the default.", "stable", "stable"),
)
"""Five texts in the row of a version."""

LABELS: Final = {field.name: field.label for field in FIELDS}


def example(now: datetime) -> dict[str, object]:
    """Return the initial values of a form: one version deprecated, one active and one planned.

    Args:
        now: the present time, which the dates are close to.

    >>> example(datetime.fromisoformat("2026-11-20T09:00Z"))["versions"]
    [['1', '2023-11-01', '2026-06-01', '', 'stable'], ['2', '2025-11-01', '', '', 'stable'], \
['3', '2027-06-01', '', '', 'stable']]
    """
    first = date(now.year, now.month, 1)
    near = [first + relativedelta(months=months) for months in (-36, -5, -12, 7)]
    released, deprecated, second, third = (
        day.isoformat() for day in (near[0], next_business_day(near[1]), *near[2:])
    )
    values: dict[str, object] = {field.name: field.default for field in FIELDS}
    values["base_url"] = "https://api.example.com"
    values["migration_guide"] = "https://api.example.com/docs/migrate-v{old}-to-v{new}"
    values["versions"] = [
        ["1", released, deprecated, "", "stable"],
        ["2", second, "", "", "stable"],
        ["3", third, "", "", "stable"],
    ]
    return values
