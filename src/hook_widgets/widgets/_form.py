"""The form of the calculator: what each input is called, what it means, and what its slider goes through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import RateLimitError
from hook_widgets.ratelimit import ladders, quantity
from hook_widgets.ratelimit.inputs import share
from hook_widgets.ratelimit.ladders import Ladder

Values = Mapping[str, Any]
Read = Callable[[quantity.Quantity, str], Fraction | int]


@dataclass(frozen=True, slots=True)
class Field:
    """One input that is entered as text.

    Attributes:
        name: its trait, and the argument of `scenario`.
        label: its name for people.
        group: the group it stands in: ``"limit"``, ``"traffic"``, ``"clients"`` or ``"run"``.
        help: what it means, in one line.
        placeholder: what an empty text means; an example only where a text has to be, because a field that is
            locked and empty shows it, too.
        read: reads its text.
        steps: the steps of its slider for these inputs, or None for no slider.
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
        """What the front end needs to draw it."""
        return {
            "name": self.name,
            "label": self.label,
            "group": self.group,
            "help": self.help,
            "placeholder": self.placeholder,
            "optional": self.optional,
        }


def _limits(values: Values) -> Ladder:
    return ladders.rates(ladders.unit_of(first_limit(values)))


def _rates(values: Values) -> Ladder:
    return ladders.rates(ladders.unit_of(str(values["steady"]) or first_limit(values)))


FIELDS: Final = (
    Field(
        "capacity",
        "Bucket or queue size",
        "limit",
        "How many requests may come at once: tokens of a bucket, "
        "places of a queue; of several limits, of the one that binds. Empty: ten times the limit per second.",
        "planned",
        quantity.whole,
        lambda _: ladders.counts(6),
    ),
    Field(
        "cushion",
        "Cushion below the limit",
        "limit",
        "How far to stay below the published limit; 10 to 20 % is usual.",
        "15 %",
        share,
        lambda _: ladders.shares(50),
        optional=False,
    ),
    Field(
        "in_flight",
        "In flight at most",
        "limit",
        "How many requests the API works on at a time, of all clients together. Empty: no such limit.",
        "no limit",
        quantity.whole,
        lambda _: ladders.counts(4),
    ),
    Field(
        "steady",
        "Steady traffic",
        "traffic",
        "Mean rate of all clients together, such as 18/s.",
        "none",
        quantity.rate,
        _rates,
    ),
    Field(
        "burst",
        "Burst, requests",
        "traffic",
        "How many requests come on top in a burst.",
        "none",
        quantity.whole,
        lambda _: ladders.counts(5, zero=True),
    ),
    Field(
        "burst_window_s",
        "Burst within",
        "traffic",
        "The time in which they come; 0 for all at once.",
        "0 s",
        quantity.duration,
        lambda _: ladders.times("10 ms", "1 h", zero=True),
    ),
    Field(
        "burst_every_s",
        "Burst every",
        "traffic",
        "How often a burst comes. Empty: once.",
        "once",
        quantity.duration,
        lambda _: ladders.times("1 s", "1 day"),
    ),
    Field(
        "clients",
        "Clients sharing the limit",
        "clients",
        "Programs or workers that use the same key.",
        "1",
        quantity.whole,
        lambda _: ladders.counts(4),
    ),
    Field(
        "weights",
        "Weights of the clients",
        "clients",
        "Instead of equal shares: one weight for each client, such as web 3, batch 1.",
        "equal",
        quantity.number,
    ),
    Field(
        "concurrency",
        "Calls in flight each",
        "clients",
        "How many calls a client may have open.",
        "not limited",
        quantity.whole,
        lambda _: ladders.counts(3),
    ),
    Field(
        "latency_s",
        "A call takes",
        "clients",
        "From request to answer, such as 250 ms.",
        "not given",
        quantity.duration,
        lambda _: ladders.times("1 ms", "1 min"),
    ),
    Field(
        "timeout_s",
        "Clients wait at most",
        "clients",
        "The timeout, which bounds the queue, such as 30 s.",
        "not given",
        quantity.duration,
        lambda _: ladders.times("100 ms", "1 h"),
    ),
    Field(
        "retries",
        "Retries after a refusal",
        "clients",
        "How often a client tries again.",
        "none",
        quantity.whole,
        lambda _: ladders.counts(1, zero=True),
    ),
    Field(
        "duration_s",
        "Watched for",
        "run",
        "How long the run lasts. Empty: two bursts or two windows.",
        "planned",
        quantity.duration,
        lambda _: ladders.times("100 ms", "30 day"),
    ),
    Field(
        "seed", "Seed", "run", "The same seed gives the same traffic.", "7", quantity.whole, optional=False
    ),
)
BY_NAME: Final = {field.name: field for field in FIELDS}
LIMIT: Final = "limits.0"
USUAL_LIMIT: Final = "100000/hour"
EXAMPLE: Final[Mapping[str, str]] = {
    "steady": "18/s", "burst": "400", "burst_every_s": "1 min", "clients": "12", "concurrency": "4",
    "latency_s": "250 ms", "timeout_s": "30 s",
}  # fmt: skip
"""What a calculator without arguments begins with: bursts that do not quite fit."""


def first_limit(values: Values) -> str:
    """The limit of the first row, as it is written."""
    return str(values["limits"][0][1]) if values["limits"] else ""


def all_steps(values: Values) -> dict[str, Ladder]:
    """The steps of every slider for these inputs."""
    makers = {LIMIT: _limits} | {field.name: field.steps for field in FIELDS if field.steps is not None}
    found = {}
    for name, make in makers.items():
        with suppress(
            RateLimitError
        ):  # a unit that is not known: the frame says so, the slider stays as it was
            found[name] = make(values)
    return found
