"""Compare simulations with queueing theory, which is independent of this code.

Every comparison has a confidence interval of 99.9 % from 40 batch means (Student's t with 39 degrees of
freedom: 3.56 standard errors); the seeds are fixed. Limiters serve at a constant rate, or do not queue: their
theory is M/D/1 and Erlang's loss formula. Queues with random service, which plans also use, are simulated
here by a separate short function with our traffic.
"""

from __future__ import annotations

import random
from bisect import bisect_right, insort
from math import exp, factorial, sqrt
from statistics import mean, stdev

import pytest

from hook_widgets.ratelimit import Arrivals, Concurrency, FixedWindow, LeakyBucket, TokenBucket, simulate
from tests.ratelimit.queueing_oracles import erlang_c, mm1k_loss, mmc_wait_s

BATCHES = 40
T_999 = 3.56


def estimate(values: list[float]) -> tuple[float, float]:
    """Return a mean and the half width of its confidence interval."""
    size = len(values) // BATCHES
    means = [mean(values[k * size : (k + 1) * size]) for k in range(BATCHES)]
    return mean(means), T_999 * stdev(means) / sqrt(BATCHES)


def assert_agrees(theory: float, values: list[float], *, resolution: float = 0.0) -> None:
    mean, half_width = estimate(values)

    assert abs(mean - theory) <= half_width + resolution, f"{mean} ± {half_width}, theory {theory}"


def refused(run) -> list[float]:
    return [float(not ok) for ok in run.admitted]


def erlang_b(servers: int, load: float) -> float:
    """Return the share of lost calls (Erlang 1917), by its recursion."""
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked


MD1C_LOSS = {
    0.8: {1: 0.444444, 2: 0.199570, 5: 0.0352904, 10: 0.00363923, 20: 4.827e-5, 100: 0.0},
    0.9: {1: 0.473684, 2: 0.234637, 5: 0.0643619, 10: 0.0166317, 20: 0.00185318, 100: 1.2e-10},
    1.0: {1: 0.5, 2: 0.268941, 5: 0.103449, 10: 0.0508475, 20: 0.0252101, 100: 0.00500835},
    1.2: {1: 0.545455, 2: 0.333864, 5: 0.199147, 10: 0.170911, 20: 0.166763, 100: 0.166667},
    2.0: {1: 0.666667, 2: 0.531689, 5: 0.500253, 10: 0.5, 20: 0.5, 100: 0.5},
}
"""Loss of an M/D/1 queue with C places, by load and C."""


@pytest.mark.parametrize("load", MD1C_LOSS)
def test_poisson_traffic_loses_at_a_token_bucket_what_it_loses_at_an_md1c_queue(load):
    arrivals = Arrivals.poisson(1000 * load, 200 / load, seed=17)
    for capacity, loss in MD1C_LOSS[load].items():
        assert_agrees(loss, refused(simulate(TokenBucket(capacity, 1000), arrivals)), resolution=5e-6)


@pytest.mark.parametrize("load", [0.5, 0.8, 0.9])
def test_poisson_traffic_waits_at_a_leaky_bucket_as_in_an_md1_queue(load):
    """The mean wait before service is rho / (2 mu (1 - rho)); leaving takes one service longer."""
    arrivals = Arrivals.poisson(1000 * load, 200, seed=3)
    before_service = load / (2 * 1000 * (1 - load))

    waits, sojourns = (
        [wait for wait in simulate(LeakyBucket(10**6, 1000, start), arrivals).wait_s if wait is not None]
        for start in ("immediate", "service")
    )

    assert_agrees(before_service, waits)
    assert_agrees(before_service + 1 / 1000, sojourns)


@pytest.mark.parametrize(
    ("mean_per_window", "limit", "loss"),
    [(80, 100, 0.000647), (100, 100, 0.039861), (16, 20, 0.0229615), (8, 10, 0.053233)],
)
def test_poisson_traffic_loses_at_a_fixed_window_what_exceeds_the_limit(mean_per_window, limit, loss):
    arrivals = Arrivals.poisson(mean_per_window, 200_000 / mean_per_window, seed=5)

    assert_agrees(loss, refused(simulate(FixedWindow(limit, 1), arrivals)), resolution=1e-6)


@pytest.mark.parametrize("law", ["exponential", "constant"])
@pytest.mark.parametrize(("servers", "load", "blocked"), [(10, 7, 0.0787409), (100, 90, 0.0269574)])
def test_a_concurrency_limit_blocks_what_erlang_says_however_service_times_are_spread(
    servers, load, blocked, law
):
    assert blocked == pytest.approx(erlang_b(servers, load), rel=1e-5)
    arrivals, rng = Arrivals.poisson(load, 80_000 / load, seed=11), random.Random(13)
    services = [rng.expovariate(1.0) if law == "exponential" else 1.0 for _ in range(len(arrivals))]

    assert_agrees(blocked, refused(simulate(Concurrency(servers), arrivals, service_s=services)))


def queue(arrivals: Arrivals, services: list[float], servers: int, places: int) -> list[float | None]:
    """Return the wait of each request in a FIFO queue; None for one that finds `places` requests inside."""
    ends: list[float] = []  # of those inside, sorted: the last `servers` of them are when servers are free
    waits: list[float | None] = []
    for t, service in zip(arrivals, services, strict=True):
        del ends[: bisect_right(ends, t)]
        if len(ends) >= places:
            waits.append(None)
            continue
        start = ends[-servers] if len(ends) >= servers else t
        insort(ends, start + service)
        waits.append(start - t)
    return waits


def exponential(count: int, seed: int) -> list[float]:
    rng = random.Random(seed)
    return [rng.expovariate(1.0) for _ in range(count)]


@pytest.mark.parametrize(("load", "places"), [(0.8, 5), (0.9, 10), (1.5, 4)])
def test_a_queue_with_random_service_loses_and_waits_as_mm1k_says(load, places):
    """The probability of n inside is proportional to load^n; each one ahead adds a mean service."""
    arrivals = Arrivals.poisson(load, 120_000 / load, seed=19)
    inside = [load**n for n in range(places + 1)]
    mean_wait = sum(n * p for n, p in enumerate(inside[:-1])) / sum(inside[:-1])

    waits = queue(arrivals, exponential(len(arrivals), seed=23), 1, places)

    assert mm1k_loss(load, places) == pytest.approx(inside[-1] / sum(inside))
    assert_agrees(mm1k_loss(load, places), [float(wait is None) for wait in waits])
    assert_agrees(mean_wait, [wait for wait in waits if wait is not None])


@pytest.mark.parametrize(("servers", "load"), [(1, 0.7), (4, 3.0), (10, 8.0)])
def test_who_must_wait_for_one_of_several_servers_and_how_long_is_what_erlang_c_says(servers, load):
    arrivals = Arrivals.poisson(load, 160_000 / load, seed=29)

    waits = queue(arrivals, exponential(len(arrivals), seed=31), servers, 10**9)

    known = [wait for wait in waits if wait is not None]
    assert_agrees(erlang_c(load, servers), [float(wait > 0) for wait in known])
    assert_agrees(mmc_wait_s(load, 1.0, servers), known)


def test_littles_law_holds_for_requests_in_flight():
    arrivals = Arrivals.poisson(50, 400, seed=2)

    summary = simulate(Concurrency(1000), arrivals, service_s="200 ms").summary()

    assert summary.rejected == 0
    assert summary.offered_per_s
    assert summary.mean_depth
    assert summary.mean_depth == pytest.approx(summary.offered_per_s * 0.2)
    assert summary.utilisation == pytest.approx(summary.mean_depth / 1000)


def test_a_burst_needs_the_bucket_that_network_calculus_says():
    """40/s for 2 s into 10/s: (40 - 10) * 2 + 10/40, so 61 tokens lose nothing and 60 lose one."""
    arrivals = Arrivals.on_off(40, 2, 10, 12, even=True)

    assert [0, 1] == [simulate(TokenBucket(c, 10), arrivals).summary().rejected for c in (61, 60)]


def test_the_chance_that_poisson_counts_stay_below_a_limit_is_what_the_pattern_makes():
    """Compare the generator's counts per second with the Poisson distribution."""
    arrivals = Arrivals.poisson(4, 20_000, seed=1)
    counts = [0] * 20_000
    for t in arrivals:
        counts[int(t)] += 1
    for k in range(9):
        assert_agrees(exp(-4) * 4**k / factorial(k), [float(count == k) for count in counts])
