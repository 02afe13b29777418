"""The inputs of a plan and of a scenario, each declared once.

Keyword arguments, traits, form fields, error labels and the table in the documentation follow from these
records. To add an input, add a field with `Input.field`, and its type to the arguments below the record.
"""

# ruff: noqa: RUF009 -- Input.field returns a dataclass field

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Self, TypedDict, TypeVar

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.planning.input_parsing import (
    Limits,
    Weights,
    at_least_one,
    busiest_or_none,
    cushion_share,
    error_field,
    is_published_bucket,
    is_waited_for,
    limits_of,
    named_weights,
    preset_of,
    published_of,
)
from hook_widgets.ratelimit.planning.levels import LEVELS
from hook_widgets.ratelimit.planning.metrics import PublishedLimit
from hook_widgets.ratelimit.slider_scale import SliderScale, counts, rates, shares, times
from hook_widgets.ratelimit.units import Duration, Quantity, check_plausible, duration, rate, whole

Function = TypeVar("Function", bound=Callable[..., Any])

GROUPS: Final = MappingProxyType(
    {"limit": "API limiter", "clients": "Our clients", "traffic": "Our traffic", "run": "Run"}
)
"""Title of each group of inputs, in display order."""


@dataclass(frozen=True, slots=True)
class Input:
    """Label, unit, parser, slider and help text of one input.

    Attributes:
        label: display name.
        group: a key of `GROUPS`.
        unit: ``"s"``, ``"1/s"``, ``"share"`` (of one), ``"requests"``, ``"clients"``, ``"times"`` or empty.
        parse: parser of a value, which also takes the name for its error messages.
        help: explanation in one or two sentences.
        placeholder: meaning of an empty text, shown in its place.
        initial: text at the start, for an input that must not be empty.
        scale: slider scale for the unit of time of the limit; None for no slider.
        level: the level of the limits that the input is for, as `PublishedLimit.per`; ``"any"`` for all.
        add: title of a button that sets the input to its value of `Scenario.suggested`; empty for no button.
    """

    label: str
    group: str
    unit: str
    parse: Callable[[Any, str], Any]
    help: str
    _: KW_ONLY
    placeholder: str = ""
    initial: str = ""
    scale: Callable[[str], SliderScale] | None = None
    level: str = ""
    add: str = ""

    def read(self, name: str, value: Any) -> Any:
        """Parse a value.

        Raises:
            InvalidLimit: the value is invalid; `field` is the name of the input.
        """
        with error_field(name):
            parsed = self.parse(value, name)
            if isinstance(parsed, Fraction | int):
                check_plausible(parsed, value, name)
            return parsed

    def field(self, default: Any = None) -> Any:
        """Return a field of a record; the value of an omitted input is its initial one, or the default."""
        value = self.read("", self.initial) if self.initial else default
        return field(default=value, metadata={"input": self})


@dataclass(frozen=True, kw_only=True)  # no slots, for the rates that are computed once
class PlanInputs:
    """The exact inputs of a plan: its limits, in the order of the argument, and all other inputs by name.

    Durations are seconds, rates requests per second. An omitted input has its default. The arguments of
    `RateLimitCalculator` explain each input.

    Attributes:
        limits: the published limits.
        bucket: True if the binding limit is known to be a token bucket of the burst allowance: the API
            publishes it, or its requests wait.
        waits: True if requests above the limits wait, by what a preset publishes or by the algorithm.
        as_meter: True if they are nevertheless simulated as limits that reject, as with another algorithm.
        uncounted_in_flight: requests in flight that a preset allows, if they lack a latency.
    """

    limits: tuple[PublishedLimit, ...]
    bucket: bool = False
    waits: bool = False
    as_meter: bool = False
    uncounted_in_flight: int | None = None

    burst_allowance: int | None = Input(
        "Burst allowance", "limit", "requests", at_least_one,
        "Requests that the API admits at once: the capacity of its bucket; with several limits, of the one "
        "that binds. If omitted: the whole quota, such as 1,000 of 1000/hour.",
        placeholder="the quota", scale=lambda _: counts(6),
    ).field()  # fmt: skip
    in_flight: int | None = Input(
        "Max concurrency (API)", "limit", "requests", at_least_one,
        "Requests that the API works on at a time, of all clients together; needs the latency.",
        placeholder="no limit", scale=lambda _: counts(4),
    ).field()  # fmt: skip
    steady: Fraction | None = Input(
        "Steady traffic", "traffic", "1/s", lambda value, name: rate(value, name, positive=False) or None,
        "Mean rate of all clients together, such as 18/s.",
        placeholder="none", scale=rates,
    ).field()  # fmt: skip
    burst: int | None = Input(
        "Burst, requests", "traffic", "requests", lambda value, name: whole(value, name) or None,
        "Requests of a burst on top of the steady traffic.",
        placeholder="none", scale=lambda _: counts(5, zero=True), add="Add a burst",
    ).field()  # fmt: skip
    burst_window_s: Fraction = Input(
        "Burst duration", "traffic", "s", lambda value, name: duration(value, name, positive=False),
        "Time in which the requests of a burst arrive; 0 for all at once.",
        placeholder="0 s", scale=lambda _: times("10 ms", "1 h", zero=True),
    ).field(Fraction(0))  # fmt: skip
    users: int | None = Input(
        "Users", "traffic", "clients", at_least_one,
        "Users that the traffic comes from, for limits per user. If omitted: as many as clients.",
        placeholder="as clients", scale=lambda _: counts(4), level="user",
    ).field()  # fmt: skip
    ips: int | None = Input(
        "IP addresses", "traffic", "clients", at_least_one,
        "IP addresses that the traffic comes from, for limits per IP. If omitted: as many as clients.",
        placeholder="as clients", scale=lambda _: counts(4), level="ip",
    ).field()  # fmt: skip
    endpoints: int = Input(
        "Endpoints", "traffic", "clients", at_least_one,
        "Endpoints that the traffic goes to, for limits per endpoint. If omitted: 1.",
        placeholder="1", scale=lambda _: counts(3), level="endpoint",
    ).field(1)  # fmt: skip
    busiest_share: Fraction | None = Input(
        "Share of the busiest", "traffic", "share", busiest_or_none,
        "Share of the traffic of the busiest user, IP address or endpoint, for limits of each; the others "
        "take the rest in turn. If omitted: all have the same.",
        placeholder="even", scale=lambda _: shares(100), level="any",
    ).field()  # fmt: skip
    clients: int = Input(
        "Clients sharing the limit", "clients", "clients", at_least_one,
        "Programs or workers that use the same key.",
        placeholder="1", scale=lambda _: counts(4),
    ).field(1)  # fmt: skip
    cushion: Fraction = Input(
        "Cushion below the limit", "clients", "share", cushion_share,
        "Safety margin of our clients below the published limit; 10 to 20% is usual.",
        placeholder="15%", initial="15%", scale=lambda _: shares(50),
    ).field()  # fmt: skip
    capacity: int | None = Input(
        "Throttle bucket size", "clients", "requests", at_least_one,
        "Requests that our own throttle, a token bucket refilled at the safe rate, lets pass at once. If "
        "omitted: what the traffic needs, but never more than the API always admits.",
        placeholder="planned", scale=lambda _: counts(6), add="Add a throttle",
    ).field()  # fmt: skip
    weights: tuple[tuple[str, Fraction], ...] = Input(
        "Weights of the clients", "clients", "", named_weights,
        "One number for each client instead of equal shares, such as web 3, batch 1.",
        placeholder="equal",
    ).field(())  # fmt: skip
    concurrency: int | None = Input(
        "Concurrency per client", "clients", "requests", at_least_one,
        "Maximum number of calls in flight per client.",
        placeholder="not limited", scale=lambda _: counts(3),
    ).field()  # fmt: skip
    latency_s: Fraction | None = Input(
        "Latency", "clients", "s", duration,
        "Time from request to response, such as 250 ms.",
        placeholder="not set", scale=lambda _: times("1 ms", "1 min"),
    ).field()  # fmt: skip
    timeout_s: Fraction | None = Input(
        "Client timeout", "clients", "s", duration,
        "Longest time that a client waits for a response, such as 30 s; it bounds the queue.",
        placeholder="not set", scale=lambda _: times("100 ms", "1 h"), add="Limit the queue",
    ).field()  # fmt: skip
    retries: int | None = Input(
        "Retries after a rejection", "clients", "times", whole,
        "Further attempts of a client after a rejection.",
        placeholder="none", scale=lambda _: counts(1, zero=True),
    ).field()  # fmt: skip

    @property
    def queued(self) -> bool:
        """True if requests above the limits wait in the simulation, which needs a limiter on its own."""
        return self.waits and not self.as_meter and self.in_flight is None

    @cached_property
    def binding(self) -> PublishedLimit:
        """The limit with the lowest sustained rate; the first of equals."""
        return min(self.limits, key=lambda limit: limit.rate_per_s)

    @cached_property
    def safe_rate(self) -> Fraction:
        """The rate of the binding limit minus the cushion, in requests per second."""
        return self.binding.rate_per_s * (1 - self.cushion)

    @property
    def largest_share(self) -> Fraction:
        """The share of the traffic that the client with the largest weight sends."""
        return max(self.shares, default=Fraction(1, self.clients))

    @property
    def smallest_share(self) -> Fraction:
        """The share of the traffic that the client with the smallest weight sends."""
        return min(self.shares, default=Fraction(1, self.clients))

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The share of the traffic that each client sends, if they have weights; otherwise empty."""
        total = sum(weight for _, weight in self.weights)
        return tuple(weight / total for _, weight in self.weights)

    @property
    def peak_rate(self) -> Fraction | None:
        """The rate of all requests while a burst arrives; None if it arrives at once."""
        if not self.burst_window_s:
            return None
        return (self.steady or 0) + (self.burst or 0) / self.burst_window_s

    @property
    def burst_requests(self) -> int:
        """The requests that arrive while a burst does, with the steady traffic of that time."""
        return math.ceil(self.peak_rate * self.burst_window_s) if self.peak_rate else self.burst or 0

    @property
    def client_concurrency_rate(self) -> Fraction | None:
        """The rate of one client that has all its calls in flight; None if unlimited."""
        if self.concurrency is None or self.latency_s is None:
            return None
        return self.concurrency / self.latency_s

    @property
    def sent_rate(self) -> Fraction | None:
        """The steady traffic that the clients send: less than `steady` if all calls of one are in flight."""
        steady, most = self.steady, self.client_concurrency_rate
        if steady is None or most is None:
            return steady
        shares = self.shares or (Fraction(1, self.clients),)
        return sum(min(share * steady, most) for share in shares) * Fraction(self.clients, len(shares))

    @property
    def concurrency_rate(self) -> Fraction | None:
        """The rate at which the largest client has all its calls in flight; None if unlimited."""
        rate_of_one = self.client_concurrency_rate
        return None if rate_of_one is None else rate_of_one / self.largest_share

    @property
    def api_concurrency_rate(self) -> Fraction | None:
        """The rate at which the API works on as many requests as it allows; None if unlimited."""
        if self.in_flight is None or self.latency_s is None:
            return None
        return self.in_flight / self.latency_s

    @cached_property
    def usable_rate(self) -> Fraction:
        """The rate that all clients can keep up: the safe rate, or less if concurrency binds first."""
        bounds = (self.safe_rate, self.concurrency_rate, self.api_concurrency_rate)
        return min(bound for bound in bounds if bound is not None)

    @classmethod
    def read(cls, limit: Limits, arguments: Mapping[str, Any]) -> Self:
        """Convert a limit and the other arguments to exact numbers; None is the same as omitting one.

        Raises:
            InvalidLimit: an input is invalid; `field` is its name.
            TypeError: there is no input of that name.
        """
        with error_field("limit"):
            limits = limits_of(limit)
        inputs = cls.of(limits, {**published_of(limit, arguments), **arguments})
        return inputs.published_as(limit)

    def published_as(self, limit: Limits) -> Self:
        """Return these inputs with how the preset, if the limit is one, enforces it."""
        named = preset_of(limit)
        uncounted = named.concurrency if named and self.in_flight is None and self.latency_s is None else None
        return replace(
            self,
            bucket=is_published_bucket(limit, self.burst_allowance),
            waits=is_waited_for(limit),
            uncounted_in_flight=uncounted,
        )

    @classmethod
    def of(cls, limits: tuple[PublishedLimit, ...], arguments: Mapping[str, Any]) -> Self:
        """Convert arguments to exact numbers, for limits that were parsed before; see `read`."""
        entries = inputs_of(cls)
        for name in arguments:
            if name not in entries:
                raise TypeError(f"there is no argument {name!r}; {nearest(name, ['limit', *entries])}")
        values = {
            name: entries[name].read(name, value) for name, value in arguments.items() if value is not None
        }
        weights = values.get("weights")
        if weights and values.setdefault("clients", len(weights)) != len(weights):
            raise _invalid(
                "weights",
                f"must be one number for each of the {values['clients']} clients, not {len(weights)}; "
                "correct them, or leave out the number of clients",
            )
        if "latency_s" not in values and values.keys() & {"concurrency", "in_flight"}:
            raise _invalid("latency_s", "is missing, but what concurrency allows depends on it; give it too")
        inputs = cls(limits=limits, **values)
        return replace(inputs, limits=tuple(map(inputs._spread, limits)))

    def keys(self, level: str) -> int:
        """Return the number of users, IP addresses or endpoints that the traffic has.

        Args:
            level: ``"user"``, ``"ip"`` or ``"endpoint"``.
        """
        counts = {"user": self.users, "ip": self.ips, "endpoint": self.endpoints}
        return counts[level] or self.clients

    def _spread(self, limit: PublishedLimit) -> PublishedLimit:
        """Return a limit with the number of users, IPs or endpoints, and the share of the busiest."""
        if not limit.per:
            return limit
        keys, share = self.keys(limit.per), self.busiest_share
        if share is not None and share * keys < 1:
            raise _invalid(
                "busiest_share",
                f"is less than an even part of {keys} ({LEVELS[limit.per]}); give at least "
                f"{math.ceil(Fraction(1000, keys)) / 10:g}%, or leave it out",
            )
        is_client = limit.per != "endpoint" and keys == self.clients
        even = self.largest_share if is_client else Fraction(1, keys)
        return replace(limit, keys=keys, share=Fraction(1) if keys == 1 else share or even)


def _invalid(name: str, problem: str) -> InvalidLimit:
    return InvalidLimit(problem, subject=name, field=name)


class PlanArguments(TypedDict, total=False):
    """The keyword arguments of `PlanInputs`, for type checkers and editors."""

    burst_allowance: Quantity | None
    in_flight: Quantity | None
    capacity: Quantity | None
    cushion: Quantity | None
    steady: Quantity | None
    burst: Quantity | None
    burst_window_s: Duration | None
    users: Quantity | None
    ips: Quantity | None
    endpoints: Quantity | None
    busiest_share: Quantity | None
    clients: Quantity | None
    weights: Weights | None
    concurrency: Quantity | None
    latency_s: Duration | None
    timeout_s: Duration | None
    retries: Quantity | None


@dataclass(frozen=True, kw_only=True)
class ScenarioInputs(PlanInputs):
    """The exact inputs of a scenario: those of its plan, and of the simulation."""

    burst_every_s: Fraction | None = Input(
        "Burst every", "traffic", "s", duration,
        "Time between two bursts. If omitted: a single burst.",
        placeholder="once", scale=lambda _: times("1 s", "1 day"),
    ).field()  # fmt: skip
    duration_s: Fraction | None = Input(
        "Duration", "run", "s", duration,
        "Length of the simulated run. If omitted: long enough for two windows, two bursts, or one burst "
        "until it is drained.",
        placeholder="planned", scale=lambda _: times("100 ms", "30 day"),
    ).field()  # fmt: skip
    seed: int = Input(
        "Seed", "run", "", whole,
        "Seed of the random arrival times; equal seeds give equal traffic.",
        placeholder="7", initial="7",
    ).field()  # fmt: skip


class ScenarioArguments(PlanArguments, total=False):
    """The keyword arguments of `ScenarioInputs`, for type checkers and editors."""

    burst_every_s: Duration | None
    duration_s: Duration | None
    seed: Quantity | None


def inputs_of(record: type[PlanInputs]) -> Mapping[str, Input]:
    """Return the inputs of a record by name, in display order: group by group."""
    declared = {each.name: each.metadata["input"] for each in fields(record) if each.metadata}
    order = list(GROUPS)
    return MappingProxyType(dict(sorted(declared.items(), key=lambda item: order.index(item[1].group))))


def with_inputs(record: type[PlanInputs]) -> Callable[[Function], Function]:
    """Return a decorator that lists a record's inputs in the signature and docstring of ``f(**inputs)``.

    Type checkers take these arguments from a `TypedDict`; Jupyter, `help` and the reference from here. In the
    docstring of the function or class they replace the line ``inputs: {inputs}``.
    """
    defaults = {each.name: each.default for each in fields(record)}

    def decorate(function: Function) -> Function:
        target: Any = vars(function)["__init__"] if isinstance(function, type) else function
        signature = inspect.signature(target)
        others = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_plain(defaults[name]))
            for name in inputs_of(record)
        ]
        target.__signature__ = signature.replace(parameters=[*others, *keywords])
        explained = "\n    ".join(
            textwrap.fill(f"{name}: {entry.help}", 100, subsequent_indent=" " * 8)
            for name, entry in inputs_of(record).items()
        )
        function.__doc__ = inspect.cleandoc(function.__doc__ or "").replace("inputs: {inputs}", explained)
        return function

    return decorate


def _plain(default: Any) -> Any:
    """Return a default as a caller would write it."""
    return float(default) if isinstance(default, Fraction) else None if default == () else default
