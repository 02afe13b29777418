"""Inputs of the form: labels, help texts, placeholders and defaults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from hook_widgets.versioning.brownouts import BrownoutResponse
from hook_widgets.versioning.dates.business_days import next_business_day
from hook_widgets.versioning.dates.months import add_months
from hook_widgets.versioning.release import HeadersBegin


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One text input.

    Attributes:
        name: key in the values of the form, or name of a column.
        label: display name.
        group: ``"api"``, ``"dates"``, ``"view"`` or ``"row"``.
        help: explanation in one line.
        placeholder: meaning of an empty text. Use an example only for required fields, since a locked empty
            field shows it too.
        default: initial value.
        choices: values to choose from, with their titles; empty for free text.
    """

    name: str
    label: str
    group: str
    help: str
    placeholder: str
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    def wire(self) -> dict[str, Any]:
        """Return the data that a front end needs to draw it."""
        return {
            "name": self.name,
            "label": self.label,
            "group": self.group,
            "help": self.help,
            "placeholder": self.placeholder,
            "choices": [{"id": value, "title": title} for value, title in self.choices],
        }


FORM_FIELDS: Final = (
    FormField(
        name="name", label="API name", group="api",
        help="As announcements and calendars call it.",
        placeholder="Orders API", default="Orders API",
    ),
    FormField(
        name="base_url", label="Base URL", group="api",
        help="As in https://api.example.com, for full URLs in notices and responses. Empty: paths only.",
        placeholder="paths only",
    ),
    FormField(
        name="prefix", label="Path prefix", group="api",
        help="The part of the path before the version.",
        placeholder="/api", default="/api",
    ),
    FormField(
        name="vendor", label="Vendor", group="api",
        help="The name in the media type: application/vnd.<vendor>.v2+json.",
        placeholder="example", default="example",
    ),
    FormField(
        name="migration_guide", label="Migration guide", group="api",
        help='URL; {old} and {new} become the version numbers. Link; rel="deprecation" needs it.',
        placeholder="no guide, no link",
    ),
    FormField(
        name="zone", label="Time zone", group="dates",
        help="Applies to all dates entered without an offset. A date without a time means 10:00 there (up to "
        "14:00 in zones far ahead of UTC), so that headers, which are in UTC, name the same day.",
        placeholder="Europe/Berlin", default="UTC",
    ),
    FormField(
        name="months", label="Notice period (months)", group="dates",
        help="Calendar months from announcement to removal, usually 18. Users need 12 or more.",
        placeholder="18", default="18",
    ),
    FormField(
        name="holidays", label="Holidays", group="dates",
        help="Weekdays on which nothing is announced or removed, as in 2026-12-25, 2027-01-01.",
        placeholder="none",
    ),
    FormField(
        name="headers_begin", label="Deprecation headers", group="dates",
        help="When responses begin to carry Deprecation, Sunset and Link: with the announcement, or at once.",
        placeholder="from the announcement", default=HeadersBegin.ANNOUNCEMENT.value,
        choices=(
            (HeadersBegin.ANNOUNCEMENT.value, "From the announcement"),
            (HeadersBegin.AT_ONCE.value, "At once"),
        ),
    ),
    FormField(
        name="warn", label="Warning: 299", group="dates",
        help="Also send the Warning header, which RFC 9111 has made obsolete but some clients still log.",
        placeholder="not sent", default="no",
        choices=(("no", "Not sent"), ("yes", "Sent")),
    ),
    FormField(
        name="brownout_response", label="During brownouts", group="dates",
        help="503 with Retry-After, which clients may wait for, or 410, as after the removal.",
        placeholder="503 Service Unavailable", default=BrownoutResponse.UNAVAILABLE.value,
        choices=(
            (BrownoutResponse.UNAVAILABLE.value, "503 Service Unavailable"),
            (BrownoutResponse.GONE.value, "410 Gone"),
        ),
    ),
    FormField(
        name="at", label="As of", group="view",
        help="Show status and headers at this time. Empty: now.",
        placeholder="now",
    ),
    FormField(
        name="version", label="Version shown", group="view",
        help="Show headers and texts of this version. Empty: the oldest version with a scheduled removal.",
        placeholder="v1",
    ),
)  # fmt: skip
"""Inputs other than the versions, in the order of the form."""

FORM_COLUMNS: Final = (
    FormField(
        name="version", label="Version", group="row",
        help="The major version number.",
        placeholder="3",
    ),
    FormField(
        name="released", label="Released", group="row",
        help="A date, as in 2026-01-31. Empty: always available.",
        placeholder="always available",
    ),
    FormField(
        name="deprecated", label="Deprecated", group="row",
        help="Date of the announcement. Empty: not deprecated.",
        placeholder="not deprecated",
    ),
    FormField(
        name="removed", label="Removed", group="row",
        help="Empty: calculated from the announcement and the notice period.",
        placeholder="not removed",
    ),
    FormField(
        name="stage", label="Channel", group="row",
        help="stable, or preview: only served to requests that name it.",
        placeholder="stable", default="stable",
    ),
    FormField(
        name="brownouts", label="Brownouts", group="row",
        help="Planned outages before the removal, separated by semicolons: 2027-03-01 10:00 for 1h.",
        placeholder="none; such as 2027-03-01 10:00 for 1h; 2027-04-01 10:00 to 14:00",
    ),
)  # fmt: skip
"""Six texts in the row of a version; without the last one a row has no brownouts."""

FORM_LABELS: Final = {field.name: field.label for field in FORM_FIELDS}


def example_form(now: datetime) -> dict[str, object]:
    """Return the initial values of a form: one version deprecated, one active and one planned.

    >>> example_form(datetime.fromisoformat("2026-11-20T09:00Z"))["versions"]
    [['1', '2023-11-01', '2026-06-01', '', 'stable', ''], ['2', '2025-11-01', '', '', 'stable', ''], \
['3', '2027-06-01', '', '', 'stable', '']]
    """
    first = date(now.year, now.month, 1)
    near = [add_months(first, months) for months in (-36, -5, -12, 7)]
    released, deprecated, second, third = (
        day.isoformat() for day in (near[0], next_business_day(near[1]), *near[2:])
    )
    values: dict[str, object] = {field.name: field.default for field in FORM_FIELDS}
    values["base_url"] = "https://api.example.com"
    values["migration_guide"] = "https://api.example.com/docs/migrate-v{old}-to-v{new}"
    values["versions"] = [
        ["1", released, deprecated, "", "stable", ""],
        ["2", second, "", "", "stable", ""],
        ["3", third, "", "", "stable", ""],
    ]
    return values
