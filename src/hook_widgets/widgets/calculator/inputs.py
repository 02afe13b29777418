"""Convert the calculator's inputs to a scenario, and arguments to inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import InvalidLimit, LimitModelError
from hook_widgets.ratelimit.limiters.presets import Preset, preset, presets
from hook_widgets.ratelimit.planning.input_parsing import (
    Limits,
    Weights,
    error_field,
    limits_of,
    names_of,
    preset_of,
)
from hook_widgets.ratelimit.planning.inputs import Input, ScenarioInputs, inputs_of
from hook_widgets.ratelimit.planning.metrics import PublishedLimit
from hook_widgets.ratelimit.planning.scenario import Scenario, usual_algorithm
from hook_widgets.ratelimit.reporting.measured import limit_text
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import Quantity, exact_seconds
from hook_widgets.widgets.calculator.form import LIMIT, Values

DEFAULT_LIMIT: Final = "100000/hour"
EXAMPLE: Final[Mapping[str, str]] = {
    "burst_allowance": "300", "steady": "18/s", "burst": "400", "burst_every_s": "1 min", "clients": "12",
    "concurrency": "4",
    "latency_s": "250 ms", "timeout_s": "30 s",
}  # fmt: skip
"""Initial traffic of a calculator without arguments: bursts that do not quite fit."""


def read(record: type[ScenarioInputs], values: Values, arrivals: Arrivals | None) -> Scenario:
    """Return the scenario of these inputs.

    Raises:
        InvalidLimit: an input is invalid; `field` names its trait.
        InvalidArrivals: too many requests.
    """
    texts = {name: text for name in inputs_of(record) if (text := str(values[name]).strip())}
    for name, entry in inputs_of(record).items():
        if entry.initial and name not in texts:
            raise InvalidLimit(f"is empty; write one such as {entry.initial}", subject=name, field=name)
    named = presets().get(str(values["preset"]))
    if named is not None and [[*row] for row in named.limits.items()] != [[*row] for row in values["limits"]]:
        named = None
    if named and "latency_s" not in texts and texts.get("in_flight") == str(named.concurrency):
        del texts["in_flight"]  # the plan says that it is not counted
    inputs = record.of(_limits(values["limits"]), texts)
    if named:
        inputs = inputs.published_as(named)
    return Scenario.of(
        inputs,
        algorithm=values["algorithm"],
        pattern=values["pattern"],
        arrivals=arrivals,
    )


def argument_text(name: str, value: Any, entry: Input) -> str:
    """Convert an argument to the text that a person would enter.

    Raises:
        InvalidLimit: its type is not that of the input.
    """
    if not isinstance(value, str):
        entry.read(name, value)
    return as_text(value, entry.unit)


def as_text(value: Quantity | Weights | timedelta, unit: str) -> str:
    """Convert a Python value to the text that a person would enter."""
    if isinstance(value, str):
        return value
    if isinstance(value, timedelta):
        value = exact_seconds(value)
    if isinstance(value, Mapping):  # weights
        return ", ".join(f"{client} {weight}" for client, weight in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Fraction) and value.denominator != 1:
        if unit == "1/s":  # stays exact
            return f"{value.numerator} per {value.denominator} s"
        value = float(value)
    suffix = {"s": " s", "1/s": "/s"}.get(unit, "")
    return f"{value}{suffix}"


def of_limit(limit: Limits) -> dict[str, Any]:
    """Convert the argument `limit` of `scenario` to inputs.

    Raises:
        InvalidLimit: not a limit, or the name of a preset that does not exist or has no limit.
    """
    limits_of(limit)
    named = preset_of(limit)
    if named is not None:
        return of_preset(named.id)
    assert not isinstance(limit, Preset)
    if isinstance(limit, Mapping):
        return {"limits": [[name, as_text(text, "1/s")] for name, text in limit.items()]}
    if isinstance(limit, Sequence) and not isinstance(limit, str):
        return {"limits": [["", as_text(text, "1/s")] for text in limit]}
    return {"limits": [["", as_text(limit, "1/s")]]}


def is_rows(value: object) -> bool:
    """Return True for limits as rows of name and text, as a form has them."""
    return isinstance(value, Sequence) and all(
        isinstance(row, list | tuple) and len(row) == 2 and all(isinstance(cell, str) for cell in row)
        for row in value
    )


def example_for(inputs: Mapping[str, Any]) -> Mapping[str, str]:
    """Return initial traffic if none is set: bursts for the default limit, steady traffic for others."""
    rows = inputs.get("limits", [])
    if rows == [["", DEFAULT_LIMIT]]:
        return EXAMPLE
    with suppress(LimitModelError):
        least = min((PublishedLimit.of("", text) for _, text in rows), key=lambda limit: limit.rate_per_s)
        return {"steady": limit_text(least.quota * 65 / 100, least.window_s)}
    return {}


def of_preset(name: str) -> dict[str, Any]:
    """Return the inputs that a preset sets.

    Raises:
        InvalidLimit: no preset of that name.
    """
    chosen = preset(name)
    inputs: dict[str, Any] = {"preset": chosen.id}
    if chosen.limits:
        inputs["limits"] = [[limit, text] for limit, text in chosen.limits.items()]
        inputs["algorithm"] = usual_algorithm(chosen)
        allowance = chosen.burst_allowance
        inputs["burst_allowance"] = "" if allowance is None else str(allowance)
        inputs["in_flight"] = "" if chosen.concurrency is None else str(chosen.concurrency)
    return inputs


def _limits(rows: Sequence[Sequence[str]]) -> tuple[PublishedLimit, ...]:
    if not rows:
        raise InvalidLimit("there is no limit; write one such as 1000/hour", field=LIMIT)
    limits = []
    for i, (name, text) in enumerate(rows):
        with error_field(f"limits.{i}"):
            limits.append(PublishedLimit.of(name, text))
    names = list(names_of([(limit.name, limit.per) for limit in limits]))
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InvalidLimit(
                f"two limits are called {name!r}; give each a name of its own", field=f"limits.{i}"
            )
    return tuple(replace(limit, name=name) for limit, name in zip(limits, names, strict=True))
