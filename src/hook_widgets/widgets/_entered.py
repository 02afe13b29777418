"""From what was entered into the calculator to the scenario it stands for, and from arguments to inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from hook_widgets.errors import InvalidLimit, RateLimitError
from hook_widgets.ratelimit import quantity
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.facts import Limit
from hook_widgets.ratelimit.inputs import Limits, Weights, blaming, limits_of
from hook_widgets.ratelimit.presets import Preset, preset
from hook_widgets.ratelimit.scenario import Scenario, scenario
from hook_widgets.widgets._form import BY_NAME, EXAMPLE, FIELDS, LIMIT, USUAL_LIMIT, Values


def read(values: Values, arrivals: Arrivals | None) -> Scenario:
    """The scenario that these inputs stand for.

    Raises:
        InvalidLimit: an input cannot be used; its `field` is the trait at fault.
        InvalidArrivals: there would be too many requests.
    """
    given = {f.name: text for f in FIELDS if (text := str(values[f.name]).strip())}
    for field in FIELDS:
        if not field.optional and field.name not in given:
            raise InvalidLimit(
                f"{field.label} is empty. Write one such as {field.placeholder}.", field=field.name
            )
    return scenario(
        _limits(values["limits"]),
        algorithm=values["algorithm"],
        pattern=values["pattern"],
        arrivals=arrivals,
        **given,
    )


def as_text(name: str, value: quantity.Quantity | Weights) -> str:
    """A value given in Python as a person would enter it."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):  # weights
        return ", ".join(f"{client} {weight}" for client, weight in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Fraction) and value.denominator != 1:
        if BY_NAME[name].read is quantity.rate:  # exactly
            return f"{value.numerator} per {value.denominator} s"
        value = float(value)
    if BY_NAME[name].read is quantity.duration:
        return f"{value} s"
    if BY_NAME[name].read is quantity.rate:
        return f"{value}/s"
    return str(value)


def of_limit(limit: Limits, *, latency_s: str) -> dict[str, Any]:
    """The inputs that the argument `limit` of `scenario` stands for.

    Raises:
        InvalidLimit: it is no limit, or names a preset that does not exist or has none.
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
    """Traffic to begin with when none is given: bursts for the usual limit, steady traffic for others."""
    rows = inputs.get("limits", [])
    if rows == [["", USUAL_LIMIT]]:
        return EXAMPLE
    with suppress(RateLimitError):
        least = min((Limit.of("", text) for _, text in rows), key=lambda limit: limit.rate_per_s)
        many = f"{float(least.quota * 65 / 100):.12g}"
        span = float(least.window_s)
        unit = {1.0: "s", 60.0: "min", 3600.0: "hour", 86_400.0: "day"}.get(span)
        return {"steady": f"{many}/{unit}" if unit else f"{many} per {span:g} s"}
    return {}


def in_words(error: RateLimitError) -> str:
    """An error in the words of the form: labels for names of arguments."""
    text = str(error)
    for field in FIELDS:
        if "_" in field.name or text.startswith(f"{field.name} "):
            text = text.replace(field.name, field.label, 1)
    return text[:1].upper() + text[1:]


def of_preset(name: str, *, latency_s: str) -> dict[str, Any]:
    """The inputs that a preset stands for; those it does not speak of are left out.

    Args:
        name: the preset.
        latency_s: the latency that was entered: a limit on requests in flight needs one.

    Raises:
        InvalidLimit: there is none of that name.
    """
    found = preset(name)
    inputs: dict[str, Any] = {"preset": found.id}
    if found.limits:
        inputs["limits"] = [[limit, text] for limit, text in found.limits.items()]
        inputs["capacity"] = "" if found.capacity is None else str(found.capacity)
        inputs["in_flight"] = "" if found.concurrency is None else str(found.concurrency)
        if found.concurrency is not None and not latency_s:
            inputs["latency_s"] = EXAMPLE["latency_s"]
    return inputs


def _limits(rows: Sequence[Sequence[str]]) -> dict[str, str] | str:
    found: dict[str, str] = {}
    if not rows:
        raise InvalidLimit("There is no limit. Write one such as 1000/hour.", field=LIMIT)
    for i, (name, text) in enumerate(rows):
        with blaming(f"limits.{i}"):
            Limit.of(name, text)
            called = name.strip() or (f"limit {i + 1}" if len(rows) > 1 else "")
            if called in found:
                raise InvalidLimit(f"Two limits are called {called!r}. Give each a name of its own.")
            found[called] = text
    return found[""] if list(found) == [""] else found
