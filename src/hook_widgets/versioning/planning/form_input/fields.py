"""Inputs of the form: labels, help texts, placeholders and defaults.

The texts are data, in ``fields.json`` in this package.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from typing import Any, Final

from hook_widgets.versioning.dates.business_days import next_business_day
from hook_widgets.versioning.dates.months import add_months


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


_ROWS: Final = json.loads((files(__package__) / "fields.json").read_text(encoding="utf-8"))


def _fields(rows: list[dict[str, Any]]) -> tuple[FormField, ...]:
    return tuple(FormField(**row | {"choices": tuple(map(tuple, row.get("choices", ())))}) for row in rows)


FORM_FIELDS: Final = _fields(_ROWS["fields"])
"""Inputs other than the versions, in the order of the form."""

FORM_COLUMNS: Final = _fields(_ROWS["columns"])
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
