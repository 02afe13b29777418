"""An API's limit and the traffic that meets it, as a person enters them: the plan and the simulations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.buckets import LeakyBucket, TokenBucket
from hook_widgets.ratelimit.facts import Limit
from hook_widgets.ratelimit.inputs import Inputs, Limits, at_least_one, blaming, given
from hook_widgets.ratelimit.layers import Concurrency, Layers
from hook_widgets.ratelimit.limiter import Limiter, chosen
from hook_widgets.ratelimit.plan import Plan, plan
from hook_widgets.ratelimit.quantity import Quantity, duration, rate, whole
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.simulate import simulate
from hook_widgets.ratelimit.summary import Summary
from hook_widgets.ratelimit.traffic import Pattern, traffic
from hook_widgets.ratelimit.windows import FixedWindow, SlidingCounter, SlidingLog

_FEW_REQUESTS: Final = 500  # show less than a run should
_ENOUGH_REQUESTS: Final = 20_000  # of which a run is made when nobody says how long it lasts
_MOST_REQUESTS: Final = 100_000  # to see one burst at least
_LENGTHS_S: Final = tuple(
    Fraction(n) * unit
    for unit in (Fraction(1, 1000), Fraction(1), Fraction(60), Fraction(3600), Fraction(86_400))
    for n in (1, 2, 5, 10, 20, 30, 60, 100, 120, 200, 500)
)


class Algorithm(StrEnum):
    """How an API counts."""

    TOKEN_BUCKET = "token_bucket"
    LEAKY_BUCKET = "leaky_bucket"
    FIXED_WINDOW = "fixed_window"
    SLIDING_LOG = "sliding_log"
    SLIDING_COUNTER = "sliding_counter"

    @property
    def label(self) -> str:
        """Its name for people."""
        return self.value.replace("_", " ").capitalize()


@dataclass(frozen=True, eq=False)
class Scenario:
    """A limit, its traffic, and what comes of them. Made by `scenario`.

    Attributes:
        plan: the plan for these limits.
        algorithm: how the API counts.
        in_flight: requests in flight that the API allows, or None.
        arrivals: the requests that reach the API.
        duration_s: how long it is watched, in seconds.
        burst_every_s: how often a burst comes, in seconds; None for once, or for traffic of your own.
    """

    plan: Plan
    algorithm: Algorithm
    in_flight: int | None
    arrivals: Arrivals
    duration_s: Fraction
    burst_every_s: Fraction | None = None

    def limiter(self, algorithm: Algorithm | None = None) -> Limiter:
        """The API's limiter, with this algorithm or another one.

        A bucket is as large as the plan says; with several limits, that is the bucket of the one that binds
        in the long run. The others hold ten times their rate a second.
        """
        made = [
            _limiter(algorithm or self.algorithm, limit, self._capacity(i))
            for i, limit in enumerate(self.plan.inputs.limits)
        ]
        if self.in_flight is not None:
            made.append(Concurrency(self.in_flight, name="in flight"))
        return made[0] if len(made) == 1 else Layers(*made)

    @cached_property
    def run(self) -> Run:
        """What the API does to the traffic as it comes."""
        return self._simulated(self.algorithm)

    @cached_property
    def queue(self) -> Run | None:
        """What a queue in front of the API makes of it, which sends at the safe rate.

        As long as the plan says when there is a timeout, otherwise as long as it takes; None when there is no
        time to wait at all.
        """
        size = len(self.arrivals)
        if self.plan.inputs.timeout_s is not None:
            size = min(size, int(self.plan["queue_size"].value))
        if not size and self.arrivals.times_ns:
            return None
        return _queued(self.arrivals, size, self.plan.inputs.safe_rate)

    @cached_property
    def summary(self) -> Summary:
        """`run` in numbers."""
        return self.run.summary()

    @cached_property
    def queue_summary(self) -> Summary | None:
        """`queue` in numbers."""
        return None if self.queue is None else self.queue.summary()

    @cached_property
    def all_runs(self) -> Mapping[Algorithm, Run]:
        """What each of the five algorithms does to the very same requests."""
        return {
            algorithm: self.run if algorithm is self.algorithm else self._simulated(algorithm)
            for algorithm in Algorithm
        }

    def _simulated(self, algorithm: Algorithm) -> Run:
        service = None if self.in_flight is None else self.plan.inputs.latency_s
        return simulate(self.limiter(algorithm), self.arrivals, service_s=service)

    def _capacity(self, i: int) -> int:
        given, limit = self.plan.inputs, self.plan.inputs.limits[i]
        if limit is given.binding:
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
    **planned: Any,
) -> Scenario:
    """Read what a person entered.

    Args:
        limit: as in `plan`.
        algorithm: how the API counts, one of `Algorithm`.
        pattern: how the steady traffic comes, one of `Pattern`.
        burst: requests in each burst; none when left out or 0.
        burst_window_s: within this time the requests of a burst come.
        burst_every_s: a burst comes every so often; just one when left out.
        in_flight: requests in flight that the API allows; `latency_s` is then needed.
        duration_s: how long the run lasts; when left out, as long as it takes to see what matters.
        seed: of the random times.
        arrivals: traffic of your own, such as ``Arrivals.from_log(path)``, in place of steady and bursts.
        planned: the other arguments of `plan`.

    Raises:
        InvalidLimit: an input cannot be; its `field` is the name of the argument.
        InvalidArrivals: there would be too many requests.

    >>> found = scenario("100/s", steady="80/s", burst=300, burst_every_s=60, capacity=200, seed=7)
    >>> found.limiter(), found.run.summary().rejected > 0
    (TokenBucket(capacity=200, refill_rate=100, name='default'), True)
    """
    with blaming("burst"):
        count = 0 if burst is None else whole(burst, "burst")
    with blaming("algorithm"):
        counted = chosen(Algorithm, algorithm, "algorithm")
    with blaming("pattern"):
        comes = chosen(Pattern, pattern, "pattern")
    with blaming("steady"):
        if planned.get("steady") is not None and not rate(planned["steady"], "steady", positive=False):
            planned["steady"] = None  # no steady traffic
    made = plan(limit, burst=count or None, burst_window_s=burst_window_s, **planned)
    every = given("burst_every_s", burst_every_s, duration)
    length = given("duration_s", duration_s, duration) or _length(made, every, arrivals)
    allowed = given("in_flight", in_flight, at_least_one)
    if allowed is not None and made.inputs.latency_s is None:
        raise InvalidLimit(
            "What a limit on requests in flight allows depends on how long calls take. Give latency_s, too.",
            field="latency_s",
        )
    with blaming("seed"):
        of = whole(seed, "seed")
    with blaming("duration_s"):
        requests = arrivals
        if requests is None:
            requests = traffic(
                comes,
                rate_per_s=made.inputs.steady or None,
                burst=count,
                burst_window_s=made.inputs.burst_window_s,
                burst_every_s=every,
                duration_s=length,
                seed=of,
            )
    return Scenario(made, counted, allowed, requests, length, every if arrivals is None else None)


@lru_cache(maxsize=1)  # most moves of a slider leave it as it is; of a log of one's own it may be large
def _queued(arrivals: Arrivals, size: int, rate_per_s: Fraction) -> Run:
    return simulate(LeakyBucket(size, rate_per_s, name="queue at the safe rate"), arrivals)


def _limiter(algorithm: Algorithm, limit: Limit, capacity: int) -> Limiter:
    name = limit.name or "default"  # as the draft of the RateLimit fields calls a policy without a name
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


def _length(made: Plan, every_s: Fraction | None, arrivals: Arrivals | None) -> Fraction:
    """Two bursts, or one and what it takes to work it off, or two windows; not more than can be seen."""
    if arrivals is not None:
        return Fraction(max(arrivals.times_ns, default=0), 10**9)
    inputs: Inputs = made.inputs
    wanted = 2 * inputs.binding.window_s
    if inputs.steady is not None:
        wanted = max(wanted, _FEW_REQUESTS / inputs.steady)
    if inputs.burst is not None:
        recover = made["burst_recover_s"].value
        one = 4 * (inputs.burst_window_s + (Fraction(recover) if recover != math.inf else wanted))
        wanted = 2 * every_s if every_s is not None else one
    per_s = (inputs.steady or 0) + (inputs.burst / every_s if inputs.burst and every_s else 0)
    most = Fraction(_ENOUGH_REQUESTS) / per_s if per_s else wanted
    length = min(wanted, most)
    if inputs.burst and every_s is not None and every_s * per_s <= _MOST_REQUESTS:
        length = max(length, every_s)  # a burst comes in the middle of its period
    return max((known for known in _LENGTHS_S if known <= length), default=length)
