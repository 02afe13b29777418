"""What a plan is asked for, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from hook_widgets.errors import InvalidLimit, RateLimitError
from hook_widgets.ratelimit.facts import Limit
from hook_widgets.ratelimit.presets import Preset, preset
from hook_widgets.ratelimit.quantity import Quantity, duration, number, rate, shown, usual, whole

Limits = Quantity | Preset | Mapping[str, Quantity]
"""A limit, the name of a preset, a preset, or several limits by name that all hold at once."""

Weights = Mapping[str, Quantity] | Iterable[Quantity] | str

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The numbers of a plan, exactly; None for what was not given.

    Attributes:
        limits: all the limits, in the order given.
        clients: how many share them.
        weights: name and weight of each client, or empty when all are equal.
        cushion: how far to stay below the limit, a share of one.
        steady: steady requests per second of all clients together.
        burst: requests that come on top.
        burst_window_s: within this time; 0 for all at once.
        latency_s: how long a call takes.
        concurrency: calls in flight per client.
        timeout_s: how long a client waits at most.
        retries: further attempts after a refusal.
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
        """The limit that allows the least in the long run; the first of equals."""
        return min(self.limits, key=lambda limit: limit.rate_per_s)

    @property
    def safe_rate(self) -> Fraction:
        """The binding limit less the cushion."""
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
    """The inputs as exact numbers.

    Raises:
        InvalidLimit: one of them cannot be; says which and what to do.
    """
    with blaming("weights"):
        shares = _weights(weights)
    count = given("clients", clients, at_least_one) or len(shares) or 1
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
        kept_free = _cushion(cushion)
    with blaming("burst_window_s"):
        within = duration(burst_window_s, "burst_window_s", positive=False)
        usual(within, burst_window_s, "burst_window_s")
    return Inputs(
        limits=limits,
        clients=count,
        weights=shares,
        cushion=kept_free,
        steady=given("steady", steady, rate),
        burst=given("burst", burst, _positive),
        burst_window_s=within,
        latency_s=given("latency_s", latency_s, duration),
        concurrency=given("concurrency", concurrency, at_least_one),
        timeout_s=given("timeout_s", timeout_s, duration),
        retries=given("retries", retries, whole),
        capacity=given("capacity", capacity, at_least_one),
    )


@contextmanager
def blaming(field: str) -> Iterator[None]:
    """Say of an error that this input is at fault."""
    try:
        yield
    except RateLimitError as error:
        error.field = error.field or field
        raise


def given(name: str, value: Quantity | None, read: Callable[[Quantity, str], T]) -> T | None:
    """An input that may be left out, read by one of the readers of `quantity`.

    Raises:
        InvalidLimit: as `read` does, with `name` as the field at fault.
    """
    if value is None:
        return None
    with blaming(name):
        found = read(value, name)
        if isinstance(found, Fraction | int):
            usual(found, value, name)
        return found


def share(value: Quantity, what: str) -> Fraction:
    """A share of one, such as 0.15 or ``"15 %"``.

    Raises:
        InvalidLimit: as `number` does.
    """
    text = value.strip() if isinstance(value, str) else ""
    return number(text[:-1], what) / 100 if text.endswith("%") else number(value, what)


def limits_of(limit: Limits) -> tuple[Limit, ...]:
    """The limits that an argument stands for.

    Raises:
        InvalidLimit: it is no limit, or the name of no preset.
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
    shares = tuple(
        (
            name if isinstance(name, str) else f"client {name}",
            number(
                weight,
                f"the weight of {name!r}" if isinstance(name, str) else f"weight {name}",
                positive=True,
            ),
        )
        for name, weight in named
    )
    if not shares:
        raise InvalidLimit("weights is empty. Give one number for each client, or leave it out.")
    return shares


def _named_weights(text: str) -> dict[str | int, str]:
    """The pairs of ``"web 3, batch 1"``; a client without a name has its number."""
    pairs = [part.strip().rpartition(" ") for part in text.split(",") if part.strip()]
    found: dict[str | int, str] = {}
    for i, (name, _, weight) in enumerate(pairs, 1):
        called = name.strip(" =:") or i
        if called in found:
            raise InvalidLimit(f"Two clients are called {called!r}. Give each a name of its own.")
        found[called] = weight
    return found


def _cushion(cushion: Quantity) -> Fraction:
    found = share(cushion, "cushion")
    if found >= 1:
        raise InvalidLimit(
            f"cushion is {shown(cushion)}, which leaves nothing. Give a share below 1: 0.15 or '15 %'."
        )
    return found


def _positive(value: Quantity, what: str) -> Fraction:
    return number(value, what, positive=True)


def at_least_one(value: Quantity, what: str) -> int:
    """A whole number above zero.

    Raises:
        InvalidLimit: it is none.
    """
    count = whole(value, what)
    if count == 0:
        raise InvalidLimit(f"{what} is zero. Give at least 1.")
    return count
