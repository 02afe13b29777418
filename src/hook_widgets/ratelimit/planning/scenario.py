"""Scenarios: an API's limit and its traffic, with the plan and the simulations for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, parse_enum
from hook_widgets.ratelimit.limiters.buckets import LeakyBucket, TokenBucket
from hook_widgets.ratelimit.limiters.layers import Concurrency, Layers
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.planning.inputs import Inputs, Limits, at_least_one, blaming, optional
from hook_widgets.ratelimit.planning.metrics import Limit
from hook_widgets.ratelimit.planning.plan import Plan, plan
from hook_widgets.ratelimit.simulation.engine import simulate
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.summary import Summary
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.traffic.workload import Pattern, traffic
from hook_widgets.ratelimit.units import Quantity, duration, rate, whole

# Bounds of the number of requests when the duration is derived from the other inputs.
_MIN_REQUESTS: Final = 500  # fewer show too little
_TYPICAL_REQUESTS: Final = 20_000  # the usual maximum
_MAX_REQUESTS: Final = 100_000  # allowed if otherwise no burst would fall into the run
_ROUND_DURATIONS_S: Final = tuple(
    Fraction(n) * unit
    for unit in (Fraction(1, 1000), Fraction(1), Fraction(60), Fraction(3600), Fraction(86_400))
    for n in (1, 2, 5, 10, 20, 30, 60, 100, 120, 200, 500)
)


class Algorithm(StrEnum):
    """Rate limiting algorithm of an API."""

    TOKEN_BUCKET = "token_bucket"
    LEAKY_BUCKET = "leaky_bucket"
    FIXED_WINDOW = "fixed_window"
    SLIDING_LOG = "sliding_log"
    SLIDING_COUNTER = "sliding_counter"

    @property
    def label(self) -> str:
        """The display name."""
        return self.value.replace("_", " ").capitalize()


@dataclass(frozen=True, eq=False)
class Scenario:
    """A limit and its traffic, with the plan and the simulation results. Created by `scenario`.

    Attributes:
        plan: the plan for these limits.
        algorithm: the algorithm of the API.
        in_flight: number of concurrent requests that the API allows, or None.
        arrivals: the requests that reach the API.
        duration_s: duration of the simulated period in seconds.
        burst_every_s: seconds between two bursts; None for a single burst, or for user-supplied traffic.
    """

    plan: Plan
    algorithm: Algorithm
    in_flight: int | None
    arrivals: Arrivals
    duration_s: Fraction
    burst_every_s: Fraction | None = None

    def limiter(self, algorithm: Algorithm | None = None) -> Limiter:
        """Return the API's limiter, with the scenario's algorithm or another one.

        A bucket has the capacity of the plan. With several limits, this applies to the binding one; buckets
        of the other limits hold ten times their rate per second.
        """
        limiters: list[Limiter] = [
            _limiter(algorithm or self.algorithm, limit, self._capacity(i))
            for i, limit in enumerate(self.plan.inputs.limits)
        ]
        if self.in_flight is not None:
            limiters.append(Concurrency(self.in_flight, name="in flight"))
        return limiters[0] if len(limiters) == 1 else Layers(*limiters)

    @cached_property
    def run(self) -> Run:
        """The simulated decisions of the API on the traffic."""
        return self._simulate(self.algorithm)

    @cached_property
    def queue(self) -> Run | None:
        """The simulation of a queue in front of the API that sends at the safe rate.

        The queue has the size of the plan if there is a timeout, otherwise it holds all requests. The value
        is None if the timeout leaves no time to wait.
        """
        size = len(self.arrivals)
        if self.plan.inputs.timeout_s is not None:
            size = min(size, int(self.plan["queue_size"].value))
        if not size and self.arrivals.times_ns:
            return None
        return _queued(self.arrivals, size, self.plan.inputs.safe_rate)

    @cached_property
    def summary(self) -> Summary:
        """Summary figures of `run`."""
        return self.run.summary()

    @cached_property
    def queue_summary(self) -> Summary | None:
        """Summary figures of `queue`, or None without a queue."""
        return None if self.queue is None else self.queue.summary()

    @cached_property
    def all_runs(self) -> Mapping[Algorithm, Run]:
        """The simulated decisions of each of the five algorithms on the same requests."""
        return {
            algorithm: self.run if algorithm is self.algorithm else self._simulate(algorithm)
            for algorithm in Algorithm
        }

    def _simulate(self, algorithm: Algorithm) -> Run:
        service = None if self.in_flight is None else self.plan.inputs.latency_s
        return simulate(self.limiter(algorithm), self.arrivals, service_s=service)

    def _capacity(self, i: int) -> int:
        inputs, limit = self.plan.inputs, self.plan.inputs.limits[i]
        if limit is inputs.binding:
            return int(self.plan["capacity"].value)
        return max(1, math.ceil(10 * limit.rate_per_s))


def scenario(
    limit: Limits,
    *,
    algorithm: str = "token_bucket",
    pattern: str = "poisson",
    burst: Quantity | None = None,
    burst_window_s: Quantity = 0,
    burst_every_s: Quantity | None = None,
    in_flight: Quantity | None = None,
    duration_s: Quantity | None = None,
    seed: Quantity = 0,
    arrivals: Arrivals | None = None,
    **plan_options: Any,
) -> Scenario:
    """Create a scenario from quantities as a user enters them.

    Args:
        limit: as for `plan`.
        algorithm: the algorithm of the API, one of `Algorithm`.
        pattern: the pattern of the steady traffic, one of `Pattern`.
        burst: requests in each burst; none if omitted or 0.
        burst_window_s: duration of a burst.
        burst_every_s: time between two bursts; a single burst if omitted.
        in_flight: number of concurrent requests that the API allows; requires `latency_s`.
        duration_s: duration of the run; if omitted, long enough to show bursts and windows.
        seed: seed of the random arrival times.
        arrivals: your own traffic, such as ``Arrivals.from_log(path)``, instead of steady traffic and bursts.
        plan_options: the other arguments of `plan`.

    Raises:
        InvalidLimit: an input is invalid; the error's `field` is the name of the argument.
        InvalidArrivals: there would be too many requests.

    >>> example = scenario("100/s", steady="80/s", burst=300, burst_every_s=60, capacity=200, seed=7)
    >>> example.limiter(), example.run.summary().rejected > 0
    (TokenBucket(capacity=200, refill_rate=100, name='default'), True)
    """
    with blaming("burst"):
        count = 0 if burst is None else whole(burst, "burst")
    with blaming("algorithm"):
        parsed_algorithm = parse_enum(Algorithm, algorithm, "algorithm")
    with blaming("pattern"):
        parsed_pattern = parse_enum(Pattern, pattern, "pattern")
    with blaming("steady"):
        steady = plan_options.get("steady")
        if steady is not None and not rate(steady, "steady", positive=False):
            plan_options["steady"] = None  # no steady traffic
    result = plan(limit, burst=count or None, burst_window_s=burst_window_s, **plan_options)
    period_s = optional("burst_every_s", burst_every_s, duration)
    length_s = optional("duration_s", duration_s, duration) or _default_duration_s(result, period_s, arrivals)
    concurrency = optional("in_flight", in_flight, at_least_one)
    if concurrency is not None and result.inputs.latency_s is None:
        raise InvalidLimit(
            "What a limit on requests in flight allows depends on how long calls take. Give latency_s, too.",
            field="latency_s",
        )
    with blaming("seed"):
        parsed_seed = whole(seed, "seed")
    with blaming("duration_s"):
        requests = arrivals
        if requests is None:
            requests = traffic(
                parsed_pattern,
                rate_per_s=result.inputs.steady or None,
                burst=count,
                burst_window_s=result.inputs.burst_window_s,
                burst_every_s=period_s,
                duration_s=length_s,
                seed=parsed_seed,
            )
    burst_period_s = period_s if arrivals is None else None
    return Scenario(result, parsed_algorithm, concurrency, requests, length_s, burst_period_s)


# Most moves of a slider do not change the arguments. One entry only: the run of a user's log may be large.
@lru_cache(maxsize=1)
def _queued(arrivals: Arrivals, size: int, rate_per_s: Fraction) -> Run:
    return simulate(LeakyBucket(size, rate_per_s, name="queue at the safe rate"), arrivals)


def _limiter(algorithm: Algorithm, limit: Limit, capacity: int) -> Limiter:
    name = limit.name or "default"  # as in the IETF draft of the RateLimit fields
    quota, window_s = math.floor(limit.quota), limit.window_s
    match algorithm:
        case Algorithm.TOKEN_BUCKET:
            return TokenBucket(capacity, limit.rate_per_s, name=name)
        case Algorithm.LEAKY_BUCKET:
            return LeakyBucket(capacity, limit.rate_per_s, name=name)
        case Algorithm.FIXED_WINDOW:
            return FixedWindow(quota, window_s, name=name)
        case Algorithm.SLIDING_LOG:
            return SlidingLog(quota, window_s, name=name)
        case Algorithm.SLIDING_COUNTER:
            return SlidingCounter(quota, window_s, name=name)


def _default_duration_s(
    base_plan: Plan, burst_every_s: Fraction | None, arrivals: Arrivals | None
) -> Fraction:
    """Return a duration that shows two bursts, or one burst with its recovery, or two windows.

    The duration is limited by the number of requests, and rounded down to a round number.
    """
    if arrivals is not None:
        return Fraction(max(arrivals.times_ns, default=0), 10**9)
    inputs: Inputs = base_plan.inputs
    target = 2 * inputs.binding.window_s
    if inputs.steady is not None:
        target = max(target, _MIN_REQUESTS / inputs.steady)
    if inputs.burst is not None:
        recover = base_plan["burst_recover_s"].value
        single = 4 * (inputs.burst_window_s + (Fraction(recover) if recover != math.inf else target))
        target = 2 * burst_every_s if burst_every_s is not None else single
    per_s = (inputs.steady or 0) + (inputs.burst / burst_every_s if inputs.burst and burst_every_s else 0)
    longest = Fraction(_TYPICAL_REQUESTS) / per_s if per_s else target
    length = min(target, longest)
    if inputs.burst and burst_every_s is not None and burst_every_s * per_s <= _MAX_REQUESTS:
        length = max(length, burst_every_s)  # a burst comes in the middle of its period
    return max((rounded for rounded in _ROUND_DURATIONS_S if rounded <= length), default=length)
