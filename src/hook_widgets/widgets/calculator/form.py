"""The form of the calculator: traits, fields and slider steps of a record of inputs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit import slider_scale
from hook_widgets.ratelimit.planning.inputs import GROUPS, PlanInputs, inputs_of
from hook_widgets.ratelimit.planning.levels import LEVELS, split_level
from hook_widgets.ratelimit.slider_scale import SliderScale
from hook_widgets.widgets._plot_widget import Text

Values = Mapping[str, Any]
Record = type[PlanInputs]

LIMIT: Final = "limits.0"


def traits(record: Record) -> dict[str, Text]:
    """Return a text trait for each input."""
    return {name: Text(entry.initial).tag(sync=True) for name, entry in inputs_of(record).items()}


def labels(record: Record) -> dict[str, str]:
    """Return the label of each input."""
    return {name: entry.label for name, entry in inputs_of(record).items()}


def fields(record: Record) -> dict[str, Any]:
    """Return the data from which the front end draws the form."""
    return {
        "groups": [{"id": name, "title": title} for name, title in GROUPS.items()],
        "levels": [{"id": level, "title": f"each {title}"} for level, title in LEVELS.items()],
        "fields": [
            {
                "name": name,
                "label": entry.label,
                "group": entry.group,
                "help": entry.help,
                "placeholder": entry.placeholder,
                "optional": not entry.initial,
                "level": entry.level,
                "add": entry.add,
            }
            for name, entry in inputs_of(record).items()
        ],
    }


def steps(record: Record, values: Values) -> dict[str, SliderScale]:
    """Return the steps of every slider for these inputs."""
    unit = slider_scale.unit_of(first_limit(values))
    scales = {}
    with suppress(LimitModelError):  # unknown unit: the frame reports it, the slider keeps its steps
        scales[LIMIT] = slider_scale.rates(unit)
    for name, entry in inputs_of(record).items():
        if entry.scale is not None:
            own = slider_scale.unit_of(str(values[name])) if entry.unit == "1/s" and values[name] else unit
            with suppress(LimitModelError):
                scales[name] = entry.scale(own)
    return scales


def first_limit(values: Values) -> str:
    """Return the rate of the limit in the first row, without its level."""
    return split_level(str(values["limits"][0][1]))[0] if values["limits"] else ""


def message(record: Record, error: LimitModelError) -> str:
    """Return the message of an error, about the label of an input in place of its name."""
    subject = {"limit": "Rate limit", **labels(record)}.get(error.subject, error.subject)
    text = f"{subject} {error.problem}".strip()
    return text[:1].upper() + text[1:]
