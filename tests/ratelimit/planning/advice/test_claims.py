"""No sentence of a plan is refuted by the simulation of that plan: each claim is run."""

from __future__ import annotations

import heapq
import math
import random
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import pytest

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
from hook_widgets.ratelimit.planning.advice.claims import AdviceRole, Claim, ClaimKind
from hook_widgets.ratelimit.planning.levels import in_turn
from hook_widgets.ratelimit.planning.plan import Plan, plan
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.units import NS_PER_S
from tests.support.extent import extent

NUMBERS = range(extent(100, 2_000))
_REQUESTS = 3_000  # of a simulation


def random_arguments(number: int) -> dict[str, Any]:
    """Return the arguments of one plan; as a person would enter them, alone and together."""
    dice = random.Random(f"plan {number}")
    limit = dice.choice(
        ["1000/hour", "100/s", "60/min", "10000/s", "5/s", "190/10 s", "2/s", "1/min", "github-user",
         "stripe-live", "aws-api-gateway", "kubernetes-client", "shopify-rest", "slack-posting",
         "hubspot-professional"]
    )  # fmt: skip
    per_s = float(plan(limit).binding.rate_per_s)
    choices: dict[str, Callable[[], Any]] = {
        "burst_allowance": lambda: dice.choice([1, 5, 40, 150, 5_000]),
        "capacity": lambda: dice.choice([1, 3, 10, 150, 2_000]),
        "cushion": lambda: dice.choice([0, 0.05, 0.1, 0.2, 0.3]),
        "steady": lambda: f"{per_s * dice.choice([0.1, 0.5, 0.7, 0.83, 0.9, 1, 1.2, 3]):.9f}/s",
        "burst": lambda: dice.choice([1, 2, 7, 30, 200, 1_000]),
        "burst_window_s": lambda: dice.choice([0, 0.5, 2, 20]),
        "clients": lambda: dice.choice([2, 3, 12, 100]),
        "timeout_s": lambda: dice.choice([0.1, 1, 10, 30, 300]),
        "retries": lambda: dice.randrange(5),
    }
    arguments = {name: choose() for name, choose in choices.items() if dice.random() < 0.45}
    if dice.random() < 0.4:
        arguments["latency_s"] = dice.choice([0.01, 0.25, 2])
        if dice.random() < 0.6:
            arguments["concurrency"] = dice.choice([1, 2, 10, 50])
        if dice.random() < 0.4:
            arguments["in_flight"] = dice.choice([1, 5, 100])
    if dice.random() < 0.2:
        arguments.pop("clients", None)
        arguments["weights"] = {"web": 7, "batch": 2, "cron": 1}
    if dice.random() < 0.35:
        arguments |= random_levels(dice)
        limit = arguments.pop("limit")
    return {"limit": limit, **arguments}


def random_levels(dice: random.Random) -> dict[str, Any]:
    """Return limits of which some are kept for each user, IP address or endpoint, and their numbers."""
    limits = dice.sample(
        ["100/min per user", "1000/hour per ip", "20/s per user", "5/s per endpoint", "30/10 s per IP",
         "10/min per user", "2/s per ip"],
        dice.choice([1, 1, 2]),
    )  # fmt: skip
    if dice.random() < 0.6:
        limits.insert(dice.randrange(2), dice.choice(["1000/min", "10000/hour", "100/s"]))
    choices = {
        "users": lambda: dice.choice([1, 2, 3, 7, 12, 100]),
        "ips": lambda: dice.choice([1, 2, 5, 40]),
        "endpoints": lambda: dice.choice([2, 3, 10]),
    }
    arguments: dict[str, Any] = {name: choose() for name, choose in choices.items() if dice.random() < 0.7}
    if dice.random() < 0.4:  # at least two of each, so that a half is not too little
        arguments["busiest_share"] = dice.choice([0.5, 0.6, 2 / 3, 0.75, 0.9, 1])
        arguments |= {name: max(arguments.get(name, 2), 2) for name in choices}
    per_s = float(plan(limits, **arguments).binding.rate_per_s)
    if dice.random() < 0.7:
        arguments["steady"] = f"{per_s * dice.choice([0.3, 0.7, 0.83, 1, 1.3, 3]):.9f}/s"
    return {"limit": limits, **arguments}


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
    """Whether the API of this plan rejects anything of it by one of the algorithms."""
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
    """At the whole of a limit a sliding counter, which estimates, rejects some of it."""
    exact = [each for each in LimitAlgorithm if each is not LimitAlgorithm.SLIDING_COUNTER]
    below = rate_per_s < planned.binding.rate_per_s
    return not rejected_by_any(planned, evenly(rate_per_s, 1_500), LimitAlgorithm if below else exact)


def limit_suffices(planned: Plan, limit_per_s: Any, steady_per_s: Any) -> bool:
    """What goes to the busiest key is what the limit admits, less the cushion; a lower one does not."""
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
    """Each client tries again at a random time; counted are attempts, at a limit of one per second."""
    load, dice = float(Fraction(steady_per_s) / planned.binding.rate_per_s), random.Random(7)
    if load < 1.1:
        return True  # near full load a run would have to be longer
    spread_s, tokens, last_s, attempts = 100.0, 1.0, 0.0, 0
    due = [(t_ns / NS_PER_S, 0) for t_ns in poisson(load, 10_000).times_ns]
    end_s = due[-1][0]
    begin_s = end_s / 2
    while due:
        at_s, tried = heapq.heappop(due)
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


def burst_exceeds(planned: Plan, requests: Any, quota: Any, window_s: Any) -> bool:
    rejected = {}
    for limit in planned.inputs.limits:
        order = list(in_turn(int(requests), limit.keys, limit.share))
        windows = PerClient("key", FixedWindow(math.floor(limit.quota), limit.window_s))
        run = simulate(windows, Arrivals((0,) * int(requests)), clients={"key": order})
        rejected[limit.quota, limit.window_s] = run.summary().rejected
    binding = planned.binding
    return rejected[quota, window_s] > 0 and not rejected[binding.quota, binding.window_s]


def too_many_at_once(planned: Plan, capacity: Any, rate_per_s: Any) -> bool:
    if any(limit.whole_quota > 1_500 for limit in planned.inputs.limits):
        return True  # a run would have to be longer
    return not never_rejected(planned, capacity, rate_per_s)


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
    limit, allowance = planned.binding, planned.inputs.burst_allowance
    assert planned.inputs.bucket
    assert allowance is not None
    greedy = Arrivals((0,) * int(capacity) + evenly(rate_per_s, 1_500).times_ns[1:])
    for asked in (greedy, poisson(float(rate_per_s), 1_500), poisson(3 * float(rate_per_s), 1_500)):
        throttle = simulate(TokenBucket(int(capacity), rate_per_s), asked)
        passed = Arrivals(tuple(t for t, ok in zip(asked.times_ns, throttle.admitted, strict=True) if ok))
        if not all(simulate(TokenBucket(allowance, limit.rate_per_s), passed).admitted):
            return False
    return True


def never_rejected(planned: Plan, capacity: Any, rate_per_s: Any) -> bool:
    """The throttle lets pass all that it can, first at once, then evenly; no algorithm rejects any."""
    asked = Arrivals((0,) * int(capacity) + evenly(rate_per_s, 1_500).times_ns[1:])
    throttle = simulate(TokenBucket(int(capacity), rate_per_s), asked)
    passed = Arrivals(tuple(t for t, ok in zip(asked.times_ns, throttle.admitted, strict=True) if ok))
    assert len(passed) > 1_000
    return not rejected_by_any(planned, passed)


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


def refuted(planned: Plan) -> list[tuple[str, Claim]]:
    """Return the sentences that the simulation refutes."""
    return [
        (each.text, claim)
        for each in planned.advice
        for claim in each.claims
        if not CHECKS[claim.kind](planned, **claim.values)
    ]


def test_no_claim_of_random_plans_is_refuted_and_each_kind_occurs():
    wrong, kinds = [], set()
    for number in NUMBERS:
        arguments = random_arguments(number)
        planned = plan(**arguments)
        kinds |= {claim.kind for each in planned.advice for claim in each.claims}
        wrong += [(arguments, *each) for each in refuted(planned)]

    assert [] == wrong
    assert set(ClaimKind) == kinds


GUIDANCE = (
    "is below the usual 10 to 20%",
    "is above the usual 10 to 20%",
    "at which to raise an alert",
    "is not planned",
    "Guideline for an API's own bucket",
    "No burst allowance is given",
    "are in the table",
    "no client gets a response, even without a queue",
)


def test_each_sentence_carries_its_claim_unless_it_is_a_guideline():
    """What a simulation cannot confirm: customs, what is not computed, and a comparison of two inputs."""
    sentences = [each for number in range(600) for each in plan(**random_arguments(number)).advice]
    bare = [each.text for each in sentences if not each.claims]

    assert [] == [text for text in bare if not any(part in text for part in GUIDANCE)]
    assert len(bare) < len(sentences) / 6


def test_a_plan_has_one_verdict_then_at_most_three_actions_then_reasons():
    for number in NUMBERS:
        roles = [each.role for each in plan(**random_arguments(number)).advice]
        actions = roles.count(AdviceRole.ACTION)

        assert [
            AdviceRole.VERDICT,
            *[AdviceRole.ACTION] * actions,
            *[AdviceRole.REASON] * (len(roles) - actions - 1),
        ] == roles
        assert 1 <= actions <= 3


OPPOSITES = (
    ("; it fits", "Slow down"),
    ("a queue would only grow", "Queue or spread"),
    ("never drains", "Queue or spread"),
    ("Reject at once instead of queueing", "Queue or spread"),
    ("Use a smaller cushion", "enlarge the cushion"),
    ("Use a smaller cushion", "only a larger cushion"),
)


def contradicting(planned: Plan) -> list[tuple[str, str]]:
    return [pair for pair in OPPOSITES if all(part in str(planned) for part in pair)]


def test_no_plan_says_a_thing_and_its_opposite():
    for number in range(extent(600, 2_000)):  # of a plan alone, which is quick
        assert [] == contradicting(plan(**random_arguments(number))), random_arguments(number)


_REJECTED = re.compile(r"rejects (?:about |at least )?([\d,]+)(?![\d,.]*%)(?: of (?:the )?([\d,]+))?")
_REQUESTS_BEFORE = re.compile(r"(?:burst of|Of the) ([\d,]+)")


def miscounted(planned: Plan) -> list[str]:
    """Return the sentences whose rejected requests are not a part of the requests that they name."""
    wrong = []
    for sentence in planned.advice:
        rejected = _REJECTED.search(sentence.text)
        if rejected is None:
            continue
        named = rejected[2] or _REQUESTS_BEFORE.findall(sentence.text[: rejected.start()])[-1]
        part, whole = (int(number.replace(",", "")) for number in (rejected[1], named))
        if part > whole or whole != len(burst_of(planned)):
            wrong.append(sentence.text)
    return wrong


def test_rejected_requests_are_a_part_of_those_that_the_sentence_names():
    sentences = 0
    for number in NUMBERS:
        planned = plan(**random_arguments(number))
        sentences += any(_REJECTED.search(each.text) for each in planned.advice)

        assert [] == miscounted(planned)
    assert sentences > len(NUMBERS) / 10


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (ClaimKind.NEVER_REJECTED, {"capacity": 300, "rate_per_s": Fraction(850, 3600)}),
        (ClaimKind.BURST_REJECTED, {"capacity": 9, "rate_per_s": Fraction(850, 3600), "requests": 190}),
        (ClaimKind.BUCKET_LOSS, {"capacity": 1, "load": 0.8, "share": 0.01}),
        (ClaimKind.CONCURRENCY_ENOUGH, {"calls": 1, "latency_s": 2, "rate_per_s": 1}),
        (ClaimKind.LONG_RUN_REJECTED, {"steady_per_s": Fraction(1, 2), "share": 0.9}),
        (ClaimKind.BURST_IN_FLIGHT, {"calls": 20, "latency_s": 1, "requests": 181}),
        (ClaimKind.MOST_IN_FLIGHT, {"capacity": 10, "rate_per_s": 1, "calls": 12, "latency_s": 1.5}),
        (ClaimKind.STEADY_FITS, {"rate_per_s": Fraction(3, 10)}),
        (ClaimKind.LIMIT_SUFFICES, {"limit_per_s": Fraction(1), "steady_per_s": Fraction(1)}),
        (ClaimKind.QUEUE_GROWS, {"rate_per_s": 1, "steady_per_s": 1}),
        (ClaimKind.RETRIES_ADD, {"steady_per_s": Fraction(2000, 3600), "retries": 3, "factor": 4}),
        (ClaimKind.BUDGET_FITS, {"rate_per_s": Fraction(900, 3600), "count": 1}),
        (ClaimKind.BURST_WAITING, {"rate_per_s": 1, "requests": 150}),
        (ClaimKind.QUEUE_TOO_SLOW, {"rate_per_s": 1, "timeout_s": 2}),
    ],
)  # fmt: skip
def test_a_wrong_claim_is_refuted(kind: ClaimKind, values: dict[str, Any]):
    """The control."""
    assert not CHECKS[kind](plan("1000/hour", burst=200), **values)


@pytest.mark.parametrize(
    ("preset", "burst", "capacity"),
    [("shopify-rest", 40, 40), ("aws-api-gateway", 4_000, 4_000), ("kubernetes-client", 10, 10)],
)
def test_a_published_bucket_is_in_the_plan(preset: str, burst: int, capacity: int):
    planned = plan(preset, burst=burst)
    claims = [each for sentence in planned.advice for each in sentence.claims]

    assert (capacity, 0) == (planned["capacity"].value, planned["burst_rejected"].value)
    assert ClaimKind.BUCKET_ADMITS in {each.kind for each in claims}
    assert bucket_admits(planned, capacity, planned.inputs.usable_rate)
    assert not bucket_admits(planned, 2 * capacity + 2_000, planned.inputs.usable_rate), "the control"


def test_another_burst_allowance_is_not_the_published_bucket():
    assert plan("kubernetes-client", burst=10, burst_allowance=3).inputs.bucket is False
    assert plan("5/s", burst=10, burst_allowance=10).inputs.bucket is False
