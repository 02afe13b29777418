"""Parse limits, weights and counts: the inputs of a plan that are more than one number with a unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit, LimitModelError, nearest
from hook_widgets.ratelimit.limiters.presets import Preset, preset, presets
from hook_widgets.ratelimit.planning.levels import LEVELS, split_level
from hook_widgets.ratelimit.planning.metrics import PublishedLimit
from hook_widgets.ratelimit.rate_text import parse_number
from hook_widgets.ratelimit.units import Quantity, check_plausible, number, share, whole

Limits = Quantity | Preset | Mapping[str, Quantity] | Sequence[Quantity]
"""A limit, the name of a preset, a preset, or several limits that all apply together, listed or by name."""

Weights = Mapping[str, Quantity] | Iterable[Quantity] | str

_WEIGHT = re.compile(r"(.*?)[\s=:]*([^\s=:]+)")


@contextmanager
def error_field(field: str) -> Iterator[None]:
    """Set the field of a `LimitModelError` raised inside to this input, unless it is set already."""
    try:
        yield
    except LimitModelError as error:
        error.field = error.field or field
        raise


def limits_of(limit: Limits) -> tuple[PublishedLimit, ...]:
    """Return the limits that an argument denotes.

    Raises:
        InvalidLimit: the argument is neither a limit nor the name of a preset.
    """
    named = preset_of(limit)
    if named is not None:
        if not named.limits:
            raise InvalidLimit(
                f"the limit of {named.title} is agreed with each customer; give it, such as '250000/hour'"
            )
        limit = named.limits
    assert not isinstance(limit, Preset)
    if isinstance(limit, bytes):
        raise InvalidLimit("must be a number or text such as '100/s', not bytes", subject="limit")
    if isinstance(limit, Sequence) and not isinstance(limit, str):
        names = names_of(
            [("", split_level(each if isinstance(each, str) else shown(each))[1]) for each in limit]
        )
        limit = dict(zip(names, limit, strict=True))
    if isinstance(limit, Mapping):
        if not limit:
            raise InvalidLimit("there is no limit; give at least one, such as {'hourly': '1000/hour'}")
        for name in list[object](limit):
            if not isinstance(name, str):
                raise InvalidLimit(f"the name of a limit must be text, not {type(name).__name__}")
        return tuple(PublishedLimit.of(name, value) for name, value in limit.items())
    return (PublishedLimit.of("", limit),)


def names_of(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the name of each limit: its own, that of its level, or its number if there are several.

    Args:
        rows: the name and the level of each limit; both may be empty.
    """
    levels = [level for _, level in rows]
    for i, (name, level) in enumerate(rows, 1):
        unique = level and levels.count(level) == 1
        numbered = f"per {LEVELS[level]}" if unique else f"limit {i}" if len(rows) > 1 else ""
        yield name.strip() or numbered


def preset_of(limit: Limits) -> Preset | None:
    """Return the preset that an argument denotes; None for a limit of its own.

    Raises:
        InvalidLimit: there is no preset of this name.
    """
    if not isinstance(limit, str):
        return limit if isinstance(limit, Preset) else None
    name = limit.strip()
    is_rate = any(char.isdigit() for char in name) and name not in presets()  # "slack-tier-3" is a preset
    if not name or is_rate:
        return None
    if name not in presets():
        hint = nearest(name, presets())
        raise InvalidLimit(f"there is no preset {name!r}, and a rate is written as '100/s'; {hint}")
    return preset(name)


def published_of(limit: Limits, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the inputs that a preset publishes beside its limits; those of concurrency need a latency."""
    named = preset_of(limit)
    if named is None:
        return {}
    published: dict[str, object] = {"burst_allowance": named.burst_allowance}
    if arguments.get("latency_s") is not None:
        published["in_flight"] = named.concurrency
    return published


def is_published_bucket(limit: Limits, burst_allowance: object) -> bool:
    """Return True if a limit is a preset with a published bucket, and the burst allowance is that of it."""
    named = preset_of(limit)
    return named is not None and named.has_bucket and burst_allowance == named.burst_allowance


def is_waited_for(limit: Limits) -> bool:
    """Return True if a limit is a preset whose requests above it wait, instead of being rejected."""
    named = preset_of(limit)
    return named is not None and named.enforcement == "queue"


def named_weights(weights: Weights, name: str) -> tuple[tuple[str, Fraction], ...]:
    """Parse the name and weight of each client.

    Raises:
        InvalidLimit: there is no weight, one is not a positive number, or two clients have the same name.
    """
    if isinstance(weights, str):
        weights = _weights_from_text(weights)
    if not isinstance(weights, Iterable):
        raise InvalidLimit(
            "must be one number for each client, such as [3, 1], {'web': 3, 'batch': 1} or 'web 3, batch 1'",
            subject=name,
        )
    named = weights.items() if isinstance(weights, Mapping) else enumerate(weights, 1)
    shares = tuple(_weight(client, weight) for client, weight in named)
    if not shares:
        raise InvalidLimit("is empty; give one number for each client, or leave it out", subject=name)
    return shares


def busiest_or_none(value: Quantity, name: str) -> Fraction | None:
    """Parse the share of the busiest user, IP or endpoint: above zero, at most one.

    Raises:
        InvalidLimit: the value is not such a share.
    """
    if isinstance(value, str) and not value.strip():
        return None
    fraction = share(value, name)
    if not 0 < fraction <= 1:
        raise InvalidLimit(
            f"is {shown(value)}; give a share above 0 and up to 1, such as 0.3 or '30%'", subject=name
        )
    return fraction


def cushion_share(value: Quantity, name: str) -> Fraction:
    """Parse a safety margin: a fraction below one.

    Raises:
        InvalidLimit: the value is not a fraction below one.
    """
    fraction = share(value, name)
    if fraction >= 1:
        raise InvalidLimit(
            f"is {shown(value)}, which leaves nothing; give a share below 1: 0.15 or '15%'", subject=name
        )
    return fraction


def at_least_one(value: Quantity, name: str) -> int:
    """Parse a positive whole number.

    Raises:
        InvalidLimit: the value is not a positive whole number.
    """
    return whole(value, name, positive=True)


def _weight(client: object, weight: Quantity) -> tuple[str, Fraction]:
    subject = f"the weight of {client!r}" if isinstance(client, str) else f"weight {client}"
    parsed = number(weight, subject, positive=True)
    check_plausible(parsed, weight, subject)
    return client if isinstance(client, str) else f"client {client}", parsed


def _weights_from_text(text: str) -> dict[str | int, str]:
    """Parse pairs such as ``"web 3, batch 1"``; the key of a client without a name is its number.

    Weights are relative, so percent signs change nothing.
    """
    parts = [part.strip(" \t\r=:") for part in re.split(r"[,;\n]", text.replace("%", ""))]
    pairs = [match.groups() for match in map(_WEIGHT.fullmatch, parts) if match]
    weights: dict[str | int, str] = {}
    for i, (name, weight) in enumerate(pairs, 1):
        if len(pairs) == 1 and None not in (parse_number(name), parse_number(weight)):
            raise InvalidLimit(
                f"is {text!r}, which may be two weights; write them with a comma: '{name}, {weight}'",
                subject="weights",
            )
        key = name or i
        if key in weights:
            raise InvalidLimit(f"two clients are called {key!r}; give each a name of its own")
        weights[key] = weight
    return weights
