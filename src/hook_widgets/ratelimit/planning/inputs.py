"""Parse and validate the inputs of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from hook_widgets.errors import InvalidLimit, LimitModelError
from hook_widgets.ratelimit.limiters.presets import Preset, preset
from hook_widgets.ratelimit.planning.metrics import Limit
from hook_widgets.ratelimit.units import Quantity, duration, number, rate, shown, usual, whole

Limits = Quantity | Preset | Mapping[str, Quantity]
"""A limit, the name of a preset, a preset, or several limits by name that all apply together."""

Weights = Mapping[str, Quantity] | Iterable[Quantity] | str

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The exact inputs of a plan; omitted inputs are None.

    Attributes:
        limits: the limits, in the order of the argument.
        clients: number of clients that share them.
        weights: name and weight of each client, or empty if all are equal.
        cushion: safety margin below the limit, as a fraction of the limit.
        steady: steady requests per second of all clients together.
        burst: requests of a burst on top of the steady traffic.
        burst_window_s: duration of the burst in seconds; 0 if all its requests arrive at once.
        latency_s: duration of a call in seconds.
        concurrency: calls in flight per client.
        timeout_s: longest time that a client waits, in seconds.
        retries: further attempts after a rejection.
        capacity: tokens of the bucket.
    """

    limits: tuple[Limit, ...]
    clients: int
    weights: tuple[tuple[str, Fraction], ...]
    cushion: Fraction
    steady: Fraction | None
    burst: Fraction | None
    burst_window_s: Fraction
    latency_s: Fraction | None
    concurrency: int | None
    timeout_s: Fraction | None
    retries: int | None
    capacity: int | None

    @property
    def binding(self) -> Limit:
        """The limit with the lowest sustained rate; the first of equals."""
        return min(self.limits, key=lambda limit: limit.rate_per_s)

    @property
    def safe_rate(self) -> Fraction:
        """The rate of the binding limit minus the cushion, in requests per second."""
        return self.binding.rate_per_s * (1 - self.cushion)


def read_inputs(
    *,
    limit: Limits,
    clients: Quantity | None,
    weights: Weights | None,
    cushion: Quantity,
    steady: Quantity | None,
    burst: Quantity | None,
    burst_window_s: Quantity,
    latency_s: Quantity | None,
    concurrency: Quantity | None,
    timeout_s: Quantity | None,
    retries: Quantity | None,
    capacity: Quantity | None,
) -> Inputs:
    """Convert the arguments of `plan` to exact numbers.

    Raises:
        InvalidLimit: an input is invalid; the message names the input and a remedy.
    """
    with blaming("weights"):
        shares = _weights(weights)
    count = optional("clients", clients, at_least_one) or len(shares) or 1
    if shares and count != len(shares):
        raise InvalidLimit(
            f"There are {count} clients, but weights for {len(shares)}. Leave the number of clients out.",
            field="clients",
        )
    if concurrency is not None and latency_s is None:
        raise InvalidLimit(
            "What concurrency allows depends on how long a call takes. Give latency_s, too.",
            field="latency_s",
        )
    with blaming("limit"):
        limits = limits_of(limit)
    with blaming("cushion"):
        margin = _cushion(cushion)
    with blaming("burst_window_s"):
        burst_window = duration(burst_window_s, "burst_window_s", positive=False)
        usual(burst_window, burst_window_s, "burst_window_s")
    return Inputs(
        limits=limits,
        clients=count,
        weights=shares,
        cushion=margin,
        steady=optional("steady", steady, rate),
        burst=optional("burst", burst, _positive),
        burst_window_s=burst_window,
        latency_s=optional("latency_s", latency_s, duration),
        concurrency=optional("concurrency", concurrency, at_least_one),
        timeout_s=optional("timeout_s", timeout_s, duration),
        retries=optional("retries", retries, whole),
        capacity=optional("capacity", capacity, at_least_one),
    )


@contextmanager
def blaming(field: str) -> Iterator[None]:
    """Set the field of a `LimitModelError` raised inside to this input, unless it is set already."""
    try:
        yield
    except LimitModelError as error:
        error.field = error.field or field
        raise


def optional(name: str, value: Quantity | None, parse: Callable[[Quantity, str], T]) -> T | None:
    """Parse an optional input with a parser such as those of `hook_widgets.ratelimit.units`.

    Raises:
        InvalidLimit: as raised by `parse`, with `name` as the error's field.
    """
    if value is None:
        return None
    with blaming(name):
        parsed = parse(value, name)
        if isinstance(parsed, Fraction | int):
            usual(parsed, value, name)
        return parsed


def share(value: Quantity, name: str) -> Fraction:
    """Parse a fraction of one, such as 0.15 or ``"15 %"``.

    Raises:
        InvalidLimit: as raised by `number`.
    """
    text = value.strip() if isinstance(value, str) else ""
    return number(text[:-1], name) / 100 if text.endswith("%") else number(value, name)


def limits_of(limit: Limits) -> tuple[Limit, ...]:
    """Return the limits that an argument denotes.

    Raises:
        InvalidLimit: the argument is neither a limit nor the name of a preset.
    """
    if isinstance(limit, str) and not any(char.isdigit() for char in limit) and limit.strip():
        limit = preset(limit.strip())
    if isinstance(limit, Preset):
        if not limit.limits:
            raise InvalidLimit(
                f"The limit of {limit.title} is agreed with each customer. Give it, such as '250000/hour'."
            )
        limit = limit.limits
    if isinstance(limit, Mapping):
        if not limit:
            raise InvalidLimit("There is no limit. Give at least one, such as {'hourly': '1000/hour'}.")
        return tuple(Limit.of(name, value) for name, value in limit.items())
    return (Limit.of("", limit),)


def _weights(weights: object) -> tuple[tuple[str, Fraction], ...]:
    if weights is None:
        return ()
    if isinstance(weights, str):
        weights = _named_weights(weights)
    if not isinstance(weights, Iterable):
        raise InvalidLimit(
            "weights must be one number for each client, such as [3, 1], {'web': 3, 'batch': 1} "
            "or 'web 3, batch 1'."
        )
    named = weights.items() if isinstance(weights, Mapping) else enumerate(weights, 1)
    shares = tuple(_weight(name, weight) for name, weight in named)
    if not shares:
        raise InvalidLimit("weights is empty. Give one number for each client, or leave it out.")
    return shares


def _weight(name: object, weight: Quantity) -> tuple[str, Fraction]:
    label = f"the weight of {name!r}" if isinstance(name, str) else f"weight {name}"
    parsed = number(weight, label, positive=True)
    usual(parsed, weight, label)
    return name if isinstance(name, str) else f"client {name}", parsed


def _named_weights(text: str) -> dict[str | int, str]:
    """Parse pairs such as ``"web 3, batch 1"``; the key of a client without a name is its number."""
    pairs = [part.strip().rpartition(" ") for part in text.split(",") if part.strip()]
    weights: dict[str | int, str] = {}
    for i, (name, _, weight) in enumerate(pairs, 1):
        key = name.strip(" =:") or i
        if key in weights:
            raise InvalidLimit(f"Two clients are called {key!r}. Give each a name of its own.")
        weights[key] = weight
    return weights


def _cushion(cushion: Quantity) -> Fraction:
    fraction = share(cushion, "cushion")
    if fraction >= 1:
        raise InvalidLimit(
            f"cushion is {shown(cushion)}, which leaves nothing. Give a share below 1: 0.15 or '15 %'."
        )
    return fraction


def _positive(value: Quantity, name: str) -> Fraction:
    return number(value, name, positive=True)


def at_least_one(value: Quantity, name: str) -> int:
    """Parse a positive whole number.

    Raises:
        InvalidLimit: the value is not a positive whole number.
    """
    count = whole(value, name)
    if count == 0:
        raise InvalidLimit(f"{name} is zero. Give at least 1.")
    return count
