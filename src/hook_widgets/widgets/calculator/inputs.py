"""Convert the calculator's inputs to a scenario, and arguments to inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from hook_widgets.errors import InvalidLimit, LimitModelError
from hook_widgets.ratelimit import units
from hook_widgets.ratelimit.limiters.presets import Preset, preset
from hook_widgets.ratelimit.planning.inputs import Limits, Weights, blaming, limits_of
from hook_widgets.ratelimit.planning.metrics import Limit
from hook_widgets.ratelimit.planning.scenario import Scenario, scenario
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.widgets.calculator.fields import BY_NAME, EXAMPLE, FIELDS, LIMIT, USUAL_LIMIT, Values


def read(values: Values, arrivals: Arrivals | None) -> Scenario:
    """Return the scenario of these inputs.

    Raises:
        InvalidLimit: an input is invalid; `field` names its trait.
        InvalidArrivals: too many requests.
    """
    texts = {f.name: text for f in FIELDS if (text := str(values[f.name]).strip())}
    for field in FIELDS:
        if not field.optional and field.name not in texts:
            raise InvalidLimit(
                f"{field.label} is empty. Write one such as {field.placeholder}.", field=field.name
            )
    return scenario(
        _limits(values["limits"]),
        algorithm=values["algorithm"],
        pattern=values["pattern"],
        arrivals=arrivals,
        **texts,
    )


def as_text(name: str, value: units.Quantity | Weights) -> str:
    """Convert a Python value to the text that a person would enter."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):  # weights
        return ", ".join(f"{client} {weight}" for client, weight in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Fraction) and value.denominator != 1:
        if BY_NAME[name].read is units.rate:  # stays exact
            return f"{value.numerator} per {value.denominator} s"
        value = float(value)
    if BY_NAME[name].read is units.duration:
        return f"{value} s"
    if BY_NAME[name].read is units.rate:
        return f"{value}/s"
    return str(value)


def of_limit(limit: Limits, *, latency_s: str) -> dict[str, Any]:
    """Convert the argument `limit` of `scenario` to inputs.

    Raises:
        InvalidLimit: not a limit, or the name of a preset that does not exist or has no limit.
    """
    limits_of(limit)
    if isinstance(limit, Preset):
        return of_preset(limit.id, latency_s=latency_s)
    if isinstance(limit, str) and not any(char.isdigit() for char in limit):
        return of_preset(limit.strip(), latency_s=latency_s)
    if isinstance(limit, Mapping):
        return {"limits": [[name, as_text("steady", text)] for name, text in limit.items()]}
    return {"limits": [["", as_text("steady", limit)]]}


def example_for(inputs: Mapping[str, Any]) -> Mapping[str, str]:
    """Return initial traffic if none is set: bursts for the default limit, steady traffic for others."""
    rows = inputs.get("limits", [])
    if rows == [["", USUAL_LIMIT]]:
        return EXAMPLE
    with suppress(LimitModelError):
        least = min((Limit.of("", text) for _, text in rows), key=lambda limit: limit.rate_per_s)
        many = f"{float(least.quota * 65 / 100):.12g}"
        span = float(least.window_s)
        unit = {1.0: "s", 60.0: "min", 3600.0: "hour", 86_400.0: "day"}.get(span)
        return {"steady": f"{many}/{unit}" if unit else f"{many} per {span:g} s"}
    return {}


def in_words(error: LimitModelError) -> str:
    """Return the message of an error, with labels of the form for the names of arguments."""
    text = str(error)
    for field in FIELDS:
        if "_" in field.name or text.startswith(f"{field.name} "):
            text = text.replace(field.name, field.label, 1)
    return text[:1].upper() + text[1:]


def of_preset(name: str, *, latency_s: str) -> dict[str, Any]:
    """Return the inputs that a preset sets.

    Args:
        name: the preset.
        latency_s: the latency input; a limit on requests in flight needs a latency.

    Raises:
        InvalidLimit: no preset of that name.
    """
    chosen = preset(name)
    inputs: dict[str, Any] = {"preset": chosen.id}
    if chosen.limits:
        inputs["limits"] = [[limit, text] for limit, text in chosen.limits.items()]
        inputs["capacity"] = "" if chosen.capacity is None else str(chosen.capacity)
        inputs["in_flight"] = "" if chosen.concurrency is None else str(chosen.concurrency)
        if chosen.concurrency is not None and not latency_s:
            inputs["latency_s"] = EXAMPLE["latency_s"]
    return inputs


def _limits(rows: Sequence[Sequence[str]]) -> dict[str, str] | str:
    limits: dict[str, str] = {}
    if not rows:
        raise InvalidLimit("There is no limit. Write one such as 1000/hour.", field=LIMIT)
    for i, (name, text) in enumerate(rows):
        with blaming(f"limits.{i}"):
            Limit.of(name, text)
            limit_name = name.strip() or (f"limit {i + 1}" if len(rows) > 1 else "")
            if limit_name in limits:
                raise InvalidLimit(f"Two limits are called {limit_name!r}. Give each a name of its own.")
            limits[limit_name] = text
    return limits[""] if list(limits) == [""] else limits
