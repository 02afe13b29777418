"""Scenarios: an API's limit and its traffic, with the plan and the simulations for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final, Unpack

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit.limiters.algorithm import WAITING, LimitAlgorithm
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, parse_enum
from hook_widgets.ratelimit.limiters.buckets import LeakyBucket, WaitingBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.layers import Concurrency, Layers, all_of
from hook_widgets.ratelimit.planning.input_parsing import Limits, error_field, preset_of
from hook_widgets.ratelimit.planning.inputs import ScenarioArguments, ScenarioInputs, with_inputs
from hook_widgets.ratelimit.planning.levels import in_turn
from hook_widgets.ratelimit.planning.metrics import PublishedLimit
from hook_widgets.ratelimit.planning.plan import Plan
from hook_widgets.ratelimit.planning.sizing import api_allowance
from hook_widgets.ratelimit.simulation.chunks import Chunk
from hook_widgets.ratelimit.simulation.engine import simulate
from hook_widgets.ratelimit.simulation.log_bounds import all_at_once
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.summary import Summary
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.traffic.workload import CallsInFlight, TrafficPattern, build_traffic
from hook_widgets.ratelimit.units import Quantity, number

# Bounds of the number of requests when the duration is derived from the other inputs.
_MIN_REQUESTS: Final = 500  # fewer show too little
_TYPICAL_REQUESTS: Final = 20_000  # the usual maximum
_MAX_REQUESTS: Final = 100_000  # allowed if otherwise no burst would fall into the run
_ROUND_DURATIONS_S: Final = tuple(
    Fraction(n) * unit
    for unit in (Fraction(1, 1000), Fraction(1), Fraction(60), Fraction(3600), Fraction(86_400))
    for n in (1, 2, 5, 10, 20, 30, 60, 100, 120, 200, 500)
)
_USUAL_TIMEOUT_S: Final = Fraction(30)

QUEUE_NAME: Final = "queue (preview, if throttled)"
"""Title of `Scenario.queue` in pictures: the run is sent without a throttle, even if one is entered."""

UNKNOWN: Final = "unknown"
"""In place of an algorithm that is not published: results are ranges over all of `LimitAlgorithm`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Scenario:
    """A limit and its traffic, with the plan and the simulation results. Created by `scenario`.

    Attributes:
        inputs: the exact inputs.
        plan: the plan for these inputs.
        algorithm: the algorithm of the API; None if it is not known.
        arrivals: the requests that reach the API, steady traffic with a client's calls in flight at most.
        demand: the requests as they come to the clients, before any waits for a call in flight.
        duration_s: duration of the simulated period in seconds.
        burst_every_s: seconds between two bursts; None for a single burst, or for user-supplied traffic.
    """

    inputs: ScenarioInputs
    plan: Plan
    algorithm: LimitAlgorithm | None
    arrivals: Arrivals
    demand: Arrivals
    duration_s: Fraction
    burst_every_s: Fraction | None = None

    @classmethod
    def of(
        cls, inputs: ScenarioInputs, *, algorithm: str, pattern: str, arrivals: Arrivals | None
    ) -> Scenario:
        """Return the scenario of these inputs.

        Args:
            inputs: the exact inputs.
            algorithm: the algorithm of the API, one of `LimitAlgorithm`, `WAITING` or `UNKNOWN`.
            pattern: the pattern of the steady traffic, one of `Pattern`.
            arrivals: your own traffic instead of steady traffic and bursts, or None.

        Raises:
            InvalidLimit: unknown algorithm or pattern.
            InvalidArrivals: `arrivals` is of another type, or there would be too many requests.
        """
        if not isinstance(arrivals, Arrivals | None):
            raise InvalidArrivals(
                "must be Arrivals, such as Arrivals.from_log(path) or Arrivals.from_times([0, 0.5]), "
                f"not {type(arrivals).__name__}",
                subject="arrivals",
                field="arrivals",
            )
        parsed_algorithm = _parsed_algorithm(algorithm)
        with error_field("pattern"):
            parsed_pattern = parse_enum(TrafficPattern, pattern, "pattern")
        if algorithm == WAITING:
            inputs = replace(inputs, waits=True, bucket=inputs.bucket or inputs.in_flight is None)
        elif inputs.waits:
            inputs = replace(inputs, as_meter=True)
        plan = Plan.of(inputs)
        duration_s = inputs.duration_s or _default_duration_s(plan, inputs, arrivals)
        burst_every_s = inputs.burst_every_s if arrivals is None else None
        demand = arrivals
        if demand is None or arrivals is None:
            with error_field("duration_s"):
                demand, arrivals = (
                    build_traffic(
                        parsed_pattern,
                        rate_per_s=inputs.steady,
                        burst=inputs.burst or 0,
                        burst_window_s=inputs.burst_window_s,
                        burst_every_s=burst_every_s,
                        duration_s=duration_s,
                        seed=inputs.seed,
                        in_flight=in_flight,
                    )
                    for in_flight in (None, _calls_in_flight(inputs))
                )
        return cls(
            inputs=inputs,
            plan=plan,
            algorithm=parsed_algorithm,
            arrivals=arrivals,
            demand=demand,
            duration_s=duration_s,
            burst_every_s=burst_every_s,
        )

    @property
    def mean_per_s(self) -> Fraction:
        """Requests per second on average: of steady traffic, and of bursts if they repeat."""
        return _mean_per_s(self.inputs, self.burst_every_s)

    @property
    def utilisation(self) -> Fraction:
        """The share of the limit that the traffic uses on average; above 1 if it exceeds the limit."""
        return self.mean_per_s / self.inputs.binding.rate_per_s

    @property
    def planned(self) -> Mapping[str, Fraction]:
        """The value of each omitted input for which the scenario computes one."""
        keyed = {limit.per: limit for limit in self.inputs.limits if limit.per}
        names = {"user": "users", "ip": "ips", "endpoint": "endpoints"}
        busiest = {"busiest_share": max(limit.share for limit in keyed.values())} if keyed else {}
        return {
            "burst_allowance": Fraction(api_allowance(self.inputs, self.inputs.binding)),
            "capacity": Fraction(self.plan["capacity"].value),
            "duration_s": self.duration_s,
            **{names[level]: Fraction(limit.keys) for level, limit in keyed.items()},
            **busiest,
        }

    @property
    def suggested(self) -> Mapping[str, Fraction]:
        """A first value of inputs that are often added: a burst, the size of our throttle, and a timeout.

        The burst takes what the API admits at once, as far as that can be simulated quickly.
        """
        planned = self.planned
        burst = min(planned["burst_allowance"], Fraction(_TYPICAL_REQUESTS))
        return {"burst": burst, "capacity": planned["capacity"], "timeout_s": _USUAL_TIMEOUT_S}

    def limiter(self, algorithm: LimitAlgorithm | None = None) -> Limiter:
        """Return the API's limiter, with another algorithm or that of `run`.

        A bucket holds the burst allowance, which belongs to the binding limit; otherwise the whole quota.
        Its requests wait if the preset or the algorithm says so.
        """
        chosen = algorithm or self.algorithm
        if chosen is None:
            return self.run.limiter
        queued = self.inputs.queued and chosen is LimitAlgorithm.TOKEN_BUCKET
        limiters: list[Limiter] = [
            _limiter(None if queued else chosen, limit, api_allowance(self.inputs, limit))
            for limit in self.inputs.limits
        ]
        if self.inputs.in_flight is not None:
            limiters.append(Concurrency(self.inputs.in_flight, name="in flight"))
        return all_of(limiters)

    def candidate(self, quota: Quantity, algorithm: LimitAlgorithm | None = None) -> Limiter:
        """Return the API's limiter with another quota in the binding limit, to compare limits with `sweep`.

        It is the limiter of a scenario in which that limit is entered. Requests in flight are not limited,
        since a sweep does not simulate how long a request takes.

        Args:
            quota: requests per window of the binding limit, more than 0; of each one if it is kept for each.
            algorithm: the algorithm; None for that of the API.

        Returns:
            Layers with the name of the algorithm.

        Raises:
            InvalidLimit: the quota is invalid, or the algorithm is not known.
        """
        chosen = algorithm or self.algorithm
        if chosen is None:
            raise InvalidLimit(
                "is not known; give one such as LimitAlgorithm.TOKEN_BUCKET", subject="algorithm"
            )
        binding = replace(self.inputs.binding, quota=number(quota, "quota", positive=True))
        limits = tuple(binding if each is self.inputs.binding else each for each in self.inputs.limits)
        inputs = replace(self.inputs, limits=limits, in_flight=None)
        return Layers(replace(self, inputs=inputs).limiter(chosen), name=chosen.label)

    @property
    def requests(self) -> Chunk:
        """The requests that reach the API, with their users, IP addresses or endpoints, for `sweep`."""
        return Chunk(self.arrivals, clients=self.keys_of_requests)

    @cached_property
    def run(self) -> Run:
        """The simulated decisions of the API; with an unknown algorithm, of the one that rejects most."""
        if self.algorithm is None:
            return max(self.all_runs.values(), key=lambda run: run.summary().rejected)
        return self._simulate(self.algorithm)

    @cached_property
    def queue(self) -> Run | None:
        """The simulation of a queue in front of the API that sends at the safe rate.

        The queue has the size of the plan if there is a timeout, otherwise it holds all requests. A request
        waits until it is sent. The value is None if the timeout leaves no time to wait. If requests wait for
        the limiter itself, it is `run`.
        """
        if self.inputs.queued:
            return self.run
        size = len(self.demand)
        if self.inputs.timeout_s is not None:
            size = min(size, int(self.plan["queue_size"].value))
        if not size and self.demand.times_ns:
            return None
        return _queued(self.demand, size, self.inputs.usable_rate)

    @cached_property
    def summary(self) -> Summary:
        """Summary figures of `run`."""
        return self.run.summary()

    @cached_property
    def queue_summary(self) -> Summary | None:
        """Summary figures of `queue`, or None without a queue."""
        return None if self.queue is None else self.queue.summary()

    @cached_property
    def all_runs(self) -> Mapping[LimitAlgorithm, Run]:
        """The simulated decisions of each of the five algorithms on the same requests.

        Of one whose requests wait, of that alone.
        """
        return {
            algorithm: self.run if algorithm is self.algorithm else self._simulate(algorithm)
            for algorithm in LimitAlgorithm
            if algorithm is self.algorithm or not self.inputs.queued
        }

    @property
    def rejected_range(self) -> tuple[float, float]:
        """The lowest and the highest share of rejected requests that the possible algorithms give."""
        runs = [self.run] if self.algorithm is not None else self.all_runs.values()
        shares = [run.summary().rejected_fraction for run in runs]
        return min(shares), max(shares)

    @cached_property
    def rejected_of_log(self) -> tuple[float, float] | None:
        """The range of rejected shares of a log with whole seconds, spread evenly or all at once.

        None if its times are finer, or if the range is that of `rejected_range`.
        """
        together = None if self.inputs.queued else all_at_once(self.arrivals)
        if together is None:
            return None
        algorithms = self.all_runs if self.algorithm is None else (self.algorithm,)
        runs = [self._simulate(algorithm, together) for algorithm in algorithms]
        shares = [*self.rejected_range, *(run.summary().rejected_fraction for run in runs)]
        bounds = min(shares), max(shares)
        return None if bounds == self.rejected_range else bounds

    def _simulate(self, algorithm: LimitAlgorithm, arrivals: Arrivals | None = None) -> Run:
        return simulate(
            self.limiter(algorithm),
            self.arrivals if arrivals is None else arrivals,
            service_s=None if self.inputs.in_flight is None else self.inputs.latency_s,
            clients=self.keys_of_requests,
        )

    @property
    def busiest(self) -> Mapping[str, str]:
        """The number of the busiest user, IP address or endpoint, by level; only of levels with a limit."""
        return {limit.per: "1" for limit in self.inputs.limits if limit.per}

    @cached_property
    def keys_of_requests(self) -> Mapping[str, tuple[str, ...]]:
        """The number of the user, IP address or endpoint of each request, by level; the busiest is "1"."""
        count = len(self.arrivals)
        return {
            limit.per: tuple(str(key + 1) for key in in_turn(count, limit.keys, limit.share))
            for limit in self.inputs.limits
            if limit.per
        }


@with_inputs(ScenarioInputs)
def scenario(
    limit: Limits,
    *,
    algorithm: str = "",
    pattern: str = "poisson",
    arrivals: Arrivals | None = None,
    **inputs: Unpack[ScenarioArguments],
) -> Scenario:
    """Create a scenario from quantities as a user enters them.

    Args:
        limit: as for `plan`.
        algorithm: the algorithm of the API, one of `LimitAlgorithm`, ``"token_bucket_wait"`` for a token
            bucket whose requests wait, or ``"unknown"`` for ranges over all that reject. If omitted: what a
            preset publishes, or a token bucket for a limit of your own.
        pattern: the pattern of the steady traffic, one of `TrafficPattern`.
        arrivals: your own traffic, such as ``Arrivals.from_log(path)``, instead of steady traffic and bursts.
        inputs: {inputs}

    Raises:
        InvalidLimit: an input is invalid; the error's `field` is the name of the argument.
        InvalidArrivals: there would be too many requests.

    >>> example = scenario("100/s", steady="80/s", burst=300, burst_every_s=60, burst_allowance=200, seed=7)
    >>> example.limiter(), example.run.summary().rejected > 0
    (TokenBucket(capacity=200, refill_rate=100, name='default'), True)
    """
    exact = ScenarioInputs.read(limit, inputs)
    return Scenario.of(
        exact, algorithm=algorithm or usual_algorithm(limit), pattern=pattern, arrivals=arrivals
    )


def usual_algorithm(limit: Limits) -> str:
    """Return what a preset publishes, `UNKNOWN` if that is nothing; a token bucket for other limits."""
    named = preset_of(limit)
    if named is None or named.kind == "tier":
        return LimitAlgorithm.TOKEN_BUCKET
    if named.enforcement == "queue" and named.algorithm == LimitAlgorithm.TOKEN_BUCKET:
        return WAITING
    return named.algorithm or UNKNOWN


def _parsed_algorithm(name: str) -> LimitAlgorithm | None:
    if name == UNKNOWN:
        return None
    if name == WAITING:
        return LimitAlgorithm.TOKEN_BUCKET
    with error_field("algorithm"):
        return parse_enum(LimitAlgorithm, name, "algorithm", others=(WAITING, UNKNOWN))


# Most moves of a slider do not change the arguments. One entry only: the run of a user's log may be large.
@lru_cache(maxsize=1)
def _queued(arrivals: Arrivals, size: int, rate_per_s: Fraction) -> Run:
    return simulate(LeakyBucket(size, rate_per_s, "immediate", name=QUEUE_NAME), arrivals)


def _limiter(algorithm: LimitAlgorithm | None, limit: PublishedLimit, capacity: int) -> Limiter:
    """Return the limiter of a limit; None for a bucket whose requests wait."""
    if limit.per:
        named = limit.level.strip() in limit.name
        name = limit.name if named else f"{limit.name}{limit.level}".strip()
        return PerClient(limit.per, _limiter_of_one(algorithm, limit, capacity, name), name=name)
    name = limit.name or "default"  # as in the IETF draft of the RateLimit fields
    return _limiter_of_one(algorithm, limit, capacity, name)


def _limiter_of_one(
    algorithm: LimitAlgorithm | None, limit: PublishedLimit, capacity: int, name: str
) -> SingleLimiter:
    if algorithm is None:
        return WaitingBucket(capacity, limit.rate_of_one_per_s, name=name)
    quota = math.floor(limit.quota)
    return algorithm.limiter(
        quota, limit.window_s, rate_per_s=limit.rate_of_one_per_s, burst=capacity, name=name
    )


def _default_duration_s(plan: Plan, inputs: ScenarioInputs, arrivals: Arrivals | None) -> Fraction:
    """Return a duration that shows two bursts, or one burst with its recovery, or two windows.

    Traffic above the limit is shown until the allowance is used up, and after that. The duration is limited
    by the number of requests, and rounded down to a round number, by a factor of at most 2.5.
    """
    if arrivals is not None:
        return Fraction(max(arrivals.times_ns, default=0), 10**9)
    burst_every_s, limit = inputs.burst_every_s, inputs.binding
    target = 2 * limit.window_s
    if inputs.sent_rate is not None:
        target = max(target, _MIN_REQUESTS / inputs.sent_rate)
    if inputs.burst is not None:
        recover = plan["burst_recover_s"].value
        single = 4 * (inputs.burst_window_s + (Fraction(recover) if recover != math.inf else target))
        target = 2 * burst_every_s if burst_every_s is not None else single
    per_s = _mean_per_s(inputs, burst_every_s)
    if per_s > limit.rate_per_s:
        used_up_s = api_allowance(inputs, limit) / limit.share / (per_s - limit.rate_per_s)
        target = max(target, 2 * limit.window_s, 3 * used_up_s)
    demand_per_s = per_s - (inputs.sent_rate or 0) + (inputs.steady or 0)
    longest = Fraction(_TYPICAL_REQUESTS) / demand_per_s if demand_per_s else target
    length = min(target, longest)
    if inputs.burst and burst_every_s is not None and burst_every_s * per_s <= _MAX_REQUESTS:
        length = max(length, burst_every_s)  # a burst comes in the middle of its period
    return max((rounded for rounded in _ROUND_DURATIONS_S if rounded <= length), default=length)


def _mean_per_s(inputs: ScenarioInputs, burst_every_s: Fraction | None) -> Fraction:
    bursts = inputs.burst / burst_every_s if inputs.burst and burst_every_s else Fraction(0)
    return (inputs.sent_rate or Fraction(0)) + bursts


def _calls_in_flight(inputs: ScenarioInputs) -> CallsInFlight | None:
    if inputs.concurrency is None or inputs.latency_s is None:
        return None
    shares = inputs.shares or (Fraction(1),)  # equal clients take turns, as one with the calls of all would
    calls = inputs.concurrency * inputs.clients // len(shares)
    return CallsInFlight(calls, inputs.latency_s, shares)
