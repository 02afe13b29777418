"""Inputs of the calculator: labels, help texts, placeholders, parsers and slider steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit import units
from hook_widgets.ratelimit.planning.inputs import share
from hook_widgets.ratelimit.reporting import slider_scale
from hook_widgets.ratelimit.reporting.slider_scale import Ladder

Values = Mapping[str, Any]
Read = Callable[[units.Quantity, str], Fraction | int]


@dataclass(frozen=True, slots=True)
class Field:
    """One text input.

    Attributes:
        name: name of its trait, and of the argument of `scenario`.
        label: display name.
        group: ``"limit"``, ``"traffic"``, ``"clients"`` or ``"run"``.
        help: explanation in one line.
        placeholder: meaning of an empty text. Use an example only for required fields, since a locked empty
            field shows it too.
        read: parser of its text.
        steps: function that returns the steps of its slider for these inputs; None for no slider.
        optional: whether it may be empty.
    """

    name: str
    label: str
    group: str
    help: str
    placeholder: str
    read: Read
    steps: Callable[[Values], Ladder] | None = None
    optional: bool = True

    def wire(self) -> dict[str, Any]:
        """Return the data that the front end needs to draw it."""
        return {
            "name": self.name,
            "label": self.label,
            "group": self.group,
            "help": self.help,
            "placeholder": self.placeholder,
            "optional": self.optional,
        }


def _limits(values: Values) -> Ladder:
    return slider_scale.rates(slider_scale.unit_of(first_limit(values)))


def _rates(values: Values) -> Ladder:
    return slider_scale.rates(slider_scale.unit_of(str(values["steady"]) or first_limit(values)))


FIELDS: Final = (
    Field(
        "capacity",
        "Bucket or queue size",
        "limit",
        "How many requests may come at once: tokens of a bucket, "
        "places of a queue; of several limits, of the one that binds. Empty: ten times the limit per second.",
        "planned",
        units.whole,
        lambda _: slider_scale.counts(6),
    ),
    Field(
        "cushion",
        "Cushion below the limit",
        "limit",
        "How far to stay below the published limit; 10 to 20 % is usual.",
        "15 %",
        share,
        lambda _: slider_scale.shares(50),
        optional=False,
    ),
    Field(
        "in_flight",
        "In flight at most",
        "limit",
        "How many requests the API works on at a time, of all clients together. Empty: no such limit.",
        "no limit",
        units.whole,
        lambda _: slider_scale.counts(4),
    ),
    Field(
        "steady",
        "Steady traffic",
        "traffic",
        "Mean rate of all clients together, such as 18/s.",
        "none",
        units.rate,
        _rates,
    ),
    Field(
        "burst",
        "Burst, requests",
        "traffic",
        "How many requests come on top in a burst.",
        "none",
        units.whole,
        lambda _: slider_scale.counts(5, zero=True),
    ),
    Field(
        "burst_window_s",
        "Burst within",
        "traffic",
        "The time in which they come; 0 for all at once.",
        "0 s",
        units.duration,
        lambda _: slider_scale.times("10 ms", "1 h", zero=True),
    ),
    Field(
        "burst_every_s",
        "Burst every",
        "traffic",
        "How often a burst comes. Empty: once.",
        "once",
        units.duration,
        lambda _: slider_scale.times("1 s", "1 day"),
    ),
    Field(
        "clients",
        "Clients sharing the limit",
        "clients",
        "Programs or workers that use the same key.",
        "1",
        units.whole,
        lambda _: slider_scale.counts(4),
    ),
    Field(
        "weights",
        "Weights of the clients",
        "clients",
        "Instead of equal shares: one weight for each client, such as web 3, batch 1.",
        "equal",
        units.number,
    ),
    Field(
        "concurrency",
        "Calls in flight each",
        "clients",
        "How many calls a client may have open.",
        "not limited",
        units.whole,
        lambda _: slider_scale.counts(3),
    ),
    Field(
        "latency_s",
        "A call takes",
        "clients",
        "From request to answer, such as 250 ms.",
        "not given",
        units.duration,
        lambda _: slider_scale.times("1 ms", "1 min"),
    ),
    Field(
        "timeout_s",
        "Clients wait at most",
        "clients",
        "The timeout, which bounds the queue, such as 30 s.",
        "not given",
        units.duration,
        lambda _: slider_scale.times("100 ms", "1 h"),
    ),
    Field(
        "retries",
        "Retries after a refusal",
        "clients",
        "How often a client tries again.",
        "none",
        units.whole,
        lambda _: slider_scale.counts(1, zero=True),
    ),
    Field(
        "duration_s",
        "Watched for",
        "run",
        "How long the run lasts. Empty: two bursts or two windows.",
        "planned",
        units.duration,
        lambda _: slider_scale.times("100 ms", "30 day"),
    ),
    Field("seed", "Seed", "run", "The same seed gives the same traffic.", "7", units.whole, optional=False),
)
BY_NAME: Final = {field.name: field for field in FIELDS}
LIMIT: Final = "limits.0"
USUAL_LIMIT: Final = "100000/hour"
EXAMPLE: Final[Mapping[str, str]] = {
    "steady": "18/s", "burst": "400", "burst_every_s": "1 min", "clients": "12", "concurrency": "4",
    "latency_s": "250 ms", "timeout_s": "30 s",
}  # fmt: skip
"""Initial traffic of a calculator without arguments: bursts that do not quite fit."""


def first_limit(values: Values) -> str:
    """Return the text of the limit in the first row."""
    return str(values["limits"][0][1]) if values["limits"] else ""


def all_steps(values: Values) -> dict[str, Ladder]:
    """Return the steps of every slider for these inputs."""
    factories = {LIMIT: _limits} | {field.name: field.steps for field in FIELDS if field.steps is not None}
    scales = {}
    for name, factory in factories.items():
        with suppress(LimitModelError):  # unknown unit: the frame reports it, the slider keeps its steps
            scales[name] = factory(values)
    return scales
