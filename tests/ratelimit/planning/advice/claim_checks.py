"""For each kind of claim what a simulation of the plan says of it."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    LeakyBucket,
    PerClient,
    Run,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.buckets import WaitingBucket
from hook_widgets.ratelimit.planning.advice.claims import ClaimKind
from hook_widgets.ratelimit.planning.levels import in_turn
from hook_widgets.ratelimit.planning.plan import Plan
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.units import NS_PER_S

_REQUESTS = 3_000  # of a simulation


def evenly(rate_per_s: Any, count: int) -> Arrivals:
    """Return requests at equal distances, never faster than the rate."""
    gap_ns = math.ceil(NS_PER_S / Fraction(rate_per_s))
    return Arrivals(tuple(k * gap_ns for k in range(count)))


def poisson(rate_per_s: float, requests: int = _REQUESTS) -> Arrivals:
    """Return about so many random requests."""
    return Arrivals.poisson(rate_per_s, requests / rate_per_s, seed=7)


def share(run: Run) -> float:
    """Return the share of rejected requests."""
    return run.summary().rejected_fraction


def burst_of(planned: Plan) -> Arrivals:
    """Return the burst with the steady traffic in it, evenly."""
    inputs = planned.inputs
    assert inputs.burst is not None
    if not inputs.burst_window_s:
        return Arrivals((0,) * inputs.burst)
    peak = (inputs.steady or 0) + inputs.burst / inputs.burst_window_s
    count = math.ceil(peak * inputs.burst_window_s)
    return Arrivals(tuple(math.floor(k * NS_PER_S / peak) for k in range(count)))


def long_run_rejected(planned: Plan, steady_per_s: Any, share: Any) -> bool:
    limit = planned.binding
    count = max(_REQUESTS, 20 * math.floor(limit.whole_quota))
    arrivals = evenly(steady_per_s, min(count, 200_000))
    bucket = TokenBucket(1, limit.rate_of_one_per_s)
    if limit.per:
        run = simulate(
            PerClient("key", bucket),
            arrivals,
            clients={"key": list(in_turn(len(arrivals), limit.keys, limit.share))},
        )
    else:
        run = simulate(bucket, arrivals)
    return run.summary().rejected_fraction >= float(share) - 0.01


def rejected_by_any(
    planned: Plan, arrivals: Arrivals, algorithms: Iterable[LimitAlgorithm] = LimitAlgorithm
) -> bool:
    """Return True if the API of this plan rejects anything of it by one of the algorithms."""
    inputs = planned.inputs
    limits = {
        each.name or "limit": f"{each.quota} per {each.window_s} s{each.level}" for each in inputs.limits
    }
    names = (
        "burst_allowance", "users", "ips", "endpoints", "busiest_share", "clients", "in_flight", "latency_s"
    )  # fmt: skip
    arguments: dict[str, Any] = {name: getattr(inputs, name) for name in names}
    if inputs.weights:
        arguments["weights"] = dict(inputs.weights)
    return any(
        scenario(limits, algorithm=algorithm, arrivals=arrivals, **arguments).run.summary().rejected
        for algorithm in algorithms
    )


def steady_fits(planned: Plan, rate_per_s: Any) -> bool:
    algorithms = [LimitAlgorithm.TOKEN_BUCKET] if planned.inputs.bucket else LimitAlgorithm
    return not rejected_by_any(planned, evenly(rate_per_s, 1_500), algorithms)


def fits_in_long_run(planned: Plan, rate_per_s: Any) -> bool:
    arrivals = evenly(rate_per_s, 5_000)
    return not any(
        keyed_run(arrivals, each.keys + 2, each.rate_of_one_per_s, each.keys, each.share).summary().rejected
        for each in planned.inputs.limits
    )


def limit_suffices(planned: Plan, limit_per_s: Any, steady_per_s: Any) -> bool:
    """A limit admits what goes to its busiest key, less the cushion; one that is 2% lower does not."""
    of_one = Fraction(steady_per_s) * planned.binding.share / (1 - planned.inputs.cushion)
    higher = simulate(TokenBucket(1, limit_per_s), evenly(of_one, 500)).summary().rejected
    lower = simulate(TokenBucket(1, limit_per_s * Fraction(98, 100)), evenly(of_one, 500)).summary().rejected
    return not higher and lower > 0


def queue_grows(planned: Plan, steady_per_s: Any, rate_per_s: Any) -> bool:
    """So many more than are sent have come: after each of two times."""
    growth = 1 - Fraction(rate_per_s) / Fraction(steady_per_s)
    for count in (2_000, 4_000):
        run = simulate(LeakyBucket(count, rate_per_s), evenly(steady_per_s, count))
        waiting = run.queue_depth(run.arrivals.times_ns[-1] / NS_PER_S)
        if abs(waiting - growth * count) > 2 or not growth:
            return False
    return True


def retries_add(planned: Plan, steady_per_s: Any, retries: Any, factor: Any) -> bool:
    """Each client tries again at a random time; counted are attempts, at a limit of one per second.

    An attempt waits until a call is free, if the concurrency is known.
    """
    inputs, limit_per_s = planned.inputs, planned.binding.rate_per_s
    calls_end = [0.0] * (inputs.clients * inputs.concurrency if inputs.concurrency else 0)
    latency = float((inputs.latency_s or 0) * limit_per_s)
    load, dice = float(Fraction(steady_per_s) / limit_per_s), random.Random(7)
    if load < 1.1:
        return True  # near full load a run would have to be longer
    spread_s, tokens, last_s, attempts = 100 / load, 1.0, 0.0, 0
    due = [(t_ns / NS_PER_S, 0) for t_ns in poisson(load, 10_000).times_ns]
    end_s = due[-1][0]
    begin_s = end_s / 2
    while due:
        at_s, tried = heapq.heappop(due)
        if calls_end:
            at_s = max(at_s, calls_end[0])
            heapq.heapreplace(calls_end, at_s + latency)
        attempts += begin_s <= at_s < end_s
        tokens, last_s = min(tokens + at_s - last_s, 5.0), at_s
        if tokens >= 1:
            tokens -= 1
        elif tried < retries:
            heapq.heappush(due, (at_s + dice.uniform(0, spread_s), tried + 1))
    return abs(attempts / (end_s - begin_s) / float(factor) - 1) < 0.1


def budget_fits(planned: Plan, rate_per_s: Any, count: Any) -> bool:
    """All begin at the same moment."""
    together = tuple(t for t in evenly(rate_per_s, 20).times_ns for _ in range(int(count)))
    throttle = TokenBucket(int(count), planned.inputs.usable_rate)
    return not simulate(throttle, Arrivals(together)).summary().rejected


def burst_exceeds(planned: Plan, at_once: Any, quota: Any, window_s: Any) -> bool:
    rejected = {}
    for limit in planned.inputs.limits:
        order = list(in_turn(int(at_once), limit.keys, limit.share))
        windows = PerClient("key", FixedWindow(math.floor(limit.quota), limit.window_s))
        run = simulate(windows, Arrivals((0,) * int(at_once)), clients={"key": order})
        rejected[limit.quota, limit.window_s] = run.summary().rejected
    binding = planned.binding
    return rejected[quota, window_s] > rejected[binding.quota, binding.window_s]


def too_many_at_once(planned: Plan, capacity: Any, rate_per_s: Any) -> bool:
    if any(limit.whole_quota > 1_500 for limit in planned.inputs.limits):
        return True  # a run would have to be longer
    most = TokenBucket(int(capacity), rate_per_s)
    at_both_ends = any(
        most.max_admitted(limit.window_s, closed=True) > limit.whole_quota for limit in planned.inputs.limits
    )
    return at_both_ends or not never_rejected(planned, capacity, rate_per_s)


def burst_waiting(planned: Plan, rate_per_s: Any, requests: Any) -> bool:
    """The fluid model is off by the request that is being sent and by one arrival."""
    burst = burst_of(planned)
    run = simulate(LeakyBucket(len(burst), rate_per_s), burst)
    return abs(run.queue_depth(burst.times_ns[-1] / NS_PER_S) - requests) <= 2


def queue_too_slow(planned: Plan, rate_per_s: Any, timeout_s: Any) -> bool:
    run = simulate(LeakyBucket(1, rate_per_s, "immediate"), Arrivals((0, 0)))
    return (run.summary().wait_max_s or 0) + float(planned.inputs.latency_s or 0) > timeout_s


def longer_queue(planned: Plan, places: Any, rate_per_s: Any, share: Any) -> bool:
    steady = planned.inputs.steady
    assert steady is not None
    if places > _REQUESTS / 20:
        return True  # a run would have to be longer than it can be
    longer = LeakyBucket(2 * int(places), rate_per_s, "immediate")
    rejected = simulate(longer, poisson(float(steady), 20 * _REQUESTS)).summary().rejected_fraction
    return abs(rejected - share) < 0.02


def bucket_admits(planned: Plan, capacity: Any, rate_per_s: Any) -> bool:
    """The throttle lets pass all that it can, at once, evenly, at random; the bucket rejects none."""
    limit = planned.binding
    allowance = planned.inputs.burst_allowance or limit.whole_quota  # the help text: the whole quota
    assert planned.inputs.bucket
    greedy = Arrivals((0,) * int(capacity) + evenly(rate_per_s, 1_500).times_ns[1:])
    for asked in (greedy, poisson(float(rate_per_s), 1_500), poisson(3 * float(rate_per_s), 1_500)):
        throttle = simulate(TokenBucket(int(capacity), rate_per_s), asked)
        passed = Arrivals(tuple(t for t, ok in zip(asked.times_ns, throttle.admitted, strict=True) if ok))
        if not all(simulate(TokenBucket(allowance, limit.rate_per_s), passed).admitted):
            return False
    return True


def never_rejected(planned: Plan, capacity: Any, rate_per_s: Any) -> bool:
    """The throttle lets pass all that it can, first at once, then evenly; no algorithm rejects any.

    A limiter whose requests wait is a token bucket, so only that one counts for it.
    """
    asked = Arrivals((0,) * int(capacity) + evenly(rate_per_s, 1_500).times_ns[1:])
    throttle = simulate(TokenBucket(int(capacity), rate_per_s), asked)
    passed = Arrivals(tuple(t for t, ok in zip(asked.times_ns, throttle.admitted, strict=True) if ok))
    assert len(passed) > 1_000
    algorithms = [LimitAlgorithm.TOKEN_BUCKET] if planned.inputs.queued else LimitAlgorithm
    if places := planned.inputs.uncounted_in_flight:  # and calls as long as the sentence allows
        latency_s = (places + 1 - capacity) / rate_per_s
        if simulate(Concurrency(places), passed, service_s=latency_s).summary().rejected:
            return False
    return not rejected_by_any(planned, passed, algorithms)


def keyed_run(arrivals: Arrivals, allowance: int, one_per_s: Any, keys: int, share: Any) -> Run:
    """Return the run of a bucket for each of so many keys that come in turn."""
    limiter = PerClient("key", TokenBucket(allowance, one_per_s))
    return simulate(limiter, arrivals, clients={"key": list(in_turn(len(arrivals), keys, Fraction(share)))})


def level_admits(planned: Plan, rate_per_s: Any, one_per_s: Any, keys: Any, share: Any) -> bool:
    """At that rate a small bucket for each rejects nothing; at a rate 2% higher one empties."""
    count = 400 * int(keys)
    at, above = (evenly(Fraction(rate_per_s) * more, count) for more in (1, Fraction(102, 100)))
    admitted = keyed_run(at, 3, one_per_s, keys, share).summary()
    return not admitted.rejected and keyed_run(above, 3, one_per_s, keys, share).summary().rejected > 0


def most_of_one(planned: Plan, requests: Any, of_one: Any, keys: Any, share: Any) -> bool:
    """Counted in every run of requests, wherever it begins; a long run begins anywhere in a period."""
    requests = int(requests)
    order = list(in_turn(requests + 200, int(keys), Fraction(share)))
    counts = [order[begin : begin + requests].count(key) for begin in range(0, 200, 7) for key in (0, 1)]
    return max(counts) <= of_one


def level_burst_rejected(
    planned: Plan, allowance: Any, one_per_s: Any, keys: Any, share: Any, requests: Any
) -> bool:
    return keyed_run(burst_of(planned), allowance, one_per_s, keys, share).summary().rejected == requests


def most_in_window(planned: Plan, capacity: Any, rate_per_s: Any, requests: Any, window_s: Any) -> bool:
    return TokenBucket(int(capacity), rate_per_s).max_admitted(window_s, closed=True) == requests


def burst_rejected(planned: Plan, capacity: Any, rate_per_s: Any, requests: Any) -> bool:
    run = simulate(TokenBucket(int(capacity), rate_per_s), burst_of(planned))
    return run.summary().rejected == requests


def burst_waits(planned: Plan, capacity: Any, rate_per_s: Any, requests: Any) -> bool:
    waiting = simulate(WaitingBucket(int(capacity), rate_per_s), burst_of(planned)).at_once.count(False)
    exact = not planned.inputs.burst_window_s or not requests
    return waiting == requests if exact else waiting >= requests


def burst_in_flight(planned: Plan, calls: Any, latency_s: Any, requests: Any) -> bool:
    run = simulate(Concurrency(int(calls)), burst_of(planned), service_s=latency_s)
    return run.summary().rejected == requests


def most_in_flight(planned: Plan, capacity: Any, rate_per_s: Any, calls: Any, latency_s: Any) -> bool:
    """The throttle lets pass all that it can: so many places are enough, and one less is not."""
    passed = Arrivals((0,) * int(capacity) + evenly(rate_per_s, 1_500).times_ns[1:])
    runs = (simulate(Concurrency(int(calls) - less), passed, service_s=latency_s) for less in (0, 1))
    return [False, True] == [run.summary().rejected > 0 for run in runs]


def burst_not_queued(planned: Plan, places: Any, rate_per_s: Any, requests: Any) -> bool:
    run = simulate(LeakyBucket(int(places), rate_per_s, "immediate"), burst_of(planned))
    return run.summary().rejected == requests


def burst_drained(planned: Plan, rate_per_s: Any, after_s: Any) -> bool:
    """The fluid model is off by one service and one arrival at most."""
    inputs, steady = planned.inputs, planned.inputs.steady
    burst = burst_of(planned).times_ns
    after = Fraction(after_s) + inputs.burst_window_s
    if steady and after * steady > 50_000:
        return True  # too long to run; the shorter ones have the same formula
    more = evenly(steady, math.ceil(after * steady)).times_ns if steady else ()
    end = int(inputs.burst_window_s * NS_PER_S)
    arrivals = Arrivals((*burst, *(end + t for t in more if end + t >= burst[-1])))
    run = simulate(LeakyBucket(len(arrivals), rate_per_s), arrivals)
    spare = Fraction(rate_per_s) - (steady or 0)
    return run.queue_depth(after + 2 / spare + 2 / Fraction(rate_per_s)) <= 2


def queue_wait(planned: Plan, places: Any, rate_per_s: Any, wait_s: Any) -> bool:
    run = simulate(
        LeakyBucket(int(places), rate_per_s, "immediate"), Arrivals((0,) * int(min(places + 2, 5_000)))
    )
    longest = run.summary().wait_max_s or 0.0
    inputs = planned.inputs
    assert inputs.timeout_s is not None
    return longest <= float(wait_s) * (1 + 1e-9) and wait_s + (inputs.latency_s or 0) <= inputs.timeout_s


def queue_loss(planned: Plan, places: Any, rate_per_s: Any, share: Any, mean_s: Any) -> bool:
    steady = planned.inputs.steady
    assert steady is not None
    load = steady / Fraction(rate_per_s)
    if places > _REQUESTS / 20 or load > 20:
        return True  # a run would have to be longer than it can be
    slowly = 0.9 < load < 1.1  # near full load the queue changes slowly, a long one most of all
    requests = _REQUESTS * (120 if slowly and places > 100 else 15 if slowly else 1)
    run = simulate(LeakyBucket(int(places), rate_per_s, "immediate"), poisson(float(steady), requests))
    summary = run.summary()
    near = abs(summary.rejected_fraction - float(share)) < 0.05
    return near and abs((summary.wait_mean_s or 0.0) - float(mean_s)) < 0.35 * float(mean_s) + 3 / float(
        rate_per_s
    )


def bucket_loss(planned: Plan, capacity: Any, load: Any, share: Any) -> bool:
    if capacity == math.inf or capacity > _REQUESTS / 20:
        return True  # a run would have to be longer than it can be to empty this bucket
    rejected = simulate(TokenBucket(int(capacity), 1), poisson(float(load))).summary().rejected_fraction
    return rejected <= float(share) + 0.02 + 0.3 * float(share)


def concurrency_enough(planned: Plan, calls: Any, latency_s: Any, rate_per_s: Any) -> bool:
    run = simulate(Concurrency(int(calls)), evenly(rate_per_s, 500), service_s=latency_s)
    return not run.summary().rejected


def concurrency_short(planned: Plan, calls: Any, latency_s: Any, rate_per_s: Any) -> bool:
    run = simulate(Concurrency(int(calls)), evenly(rate_per_s, 20 * int(calls) + 500), service_s=latency_s)
    return run.summary().rejected > 0


def together_rejected(planned: Plan, rate_per_s: Any, share: Any) -> bool:
    return long_run_rejected(planned, rate_per_s, share)


CHECKS: Mapping[ClaimKind, Callable[..., bool]] = {
    ClaimKind.STEADY_FITS: steady_fits,
    ClaimKind.FITS_IN_LONG_RUN: fits_in_long_run,
    ClaimKind.LIMIT_SUFFICES: limit_suffices,
    ClaimKind.QUEUE_GROWS: queue_grows,
    ClaimKind.RETRIES_ADD: retries_add,
    ClaimKind.BUDGET_FITS: budget_fits,
    ClaimKind.BURST_EXCEEDS: burst_exceeds,
    ClaimKind.TOO_MANY_AT_ONCE: too_many_at_once,
    ClaimKind.BURST_WAITING: burst_waiting,
    ClaimKind.QUEUE_TOO_SLOW: queue_too_slow,
    ClaimKind.LONGER_QUEUE: longer_queue,
    ClaimKind.LONG_RUN_REJECTED: long_run_rejected,
    ClaimKind.NEVER_REJECTED: never_rejected,
    ClaimKind.BUCKET_ADMITS: bucket_admits,
    ClaimKind.MOST_IN_WINDOW: most_in_window,
    ClaimKind.BURST_REJECTED: burst_rejected,
    ClaimKind.BURST_WAITS: burst_waits,
    ClaimKind.BURST_IN_FLIGHT: burst_in_flight,
    ClaimKind.MOST_IN_FLIGHT: most_in_flight,
    ClaimKind.BURST_NOT_QUEUED: burst_not_queued,
    ClaimKind.BURST_DRAINED: burst_drained,
    ClaimKind.QUEUE_WAIT: queue_wait,
    ClaimKind.QUEUE_LOSS: queue_loss,
    ClaimKind.BUCKET_LOSS: bucket_loss,
    ClaimKind.CONCURRENCY_ENOUGH: concurrency_enough,
    ClaimKind.CONCURRENCY_SHORT: concurrency_short,
    ClaimKind.TOGETHER_REJECTED: together_rejected,
    ClaimKind.LEVEL_ADMITS: level_admits,
    ClaimKind.MOST_OF_ONE: most_of_one,
    ClaimKind.LEVEL_BURST_REJECTED: level_burst_rejected,
}
