"""Test a run in which requests give back a part of their cost when they end."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Concurrency, FixedWindow, Gcra, Layers, PerClient, TokenBucket, simulate
from hook_widgets.ratelimit.simulation.series import level


@pytest.mark.parametrize("seed", range(8))
def test_a_run_gives_back_what_requests_did_not_cost(seed):
    """Beside levels computed in fractions: each end of a request before the arrivals of its instant."""
    rng = random.Random(f"actual {seed}")
    capacity, rate = Fraction(rng.randint(5, 20)), Fraction(rng.randint(1, 9), rng.randint(1, 3))
    step = Fraction(0)
    if seed % 4 == 1:
        step, rate = Fraction(1, 2), Fraction(rng.randint(1, 5) * 2)
    bucket: TokenBucket | Gcra = TokenBucket(capacity, rate, refill_every_s=step or None)
    if seed % 4 == 2:
        bucket = Gcra(1 / rate, (capacity - 1) / rate)
    count = 300
    times = sorted(Fraction(rng.randrange(8 * count // 3), 8) for _ in range(count))
    costs = [rng.randint(1, 5) for _ in times]
    actual = [rng.randint(0, cost) for cost in costs]
    services = [Fraction(rng.choice([0, 1, 3, 20]), 8) for _ in times]
    shops = [rng.choice("ab") if seed % 4 == 3 else "a" for _ in times]
    limiter = Layers(PerClient("shop", bucket), Concurrency(6)) if seed % 4 == 3 else bucket
    run = simulate(
        limiter,
        times,
        costs,
        service_s=services,
        actual_costs=actual,
        clients={"shop": shops} if seed % 4 == 3 else None,
    )
    tokens, last = dict.fromkeys("ab", capacity), dict.fromkeys("ab", Fraction(0))
    in_flight: list[tuple[Fraction, int]] = []

    def at(shop, t):
        steps = t // step - last[shop] // step if step else (t - last[shop]) / 1
        tokens[shop] = min(capacity, tokens[shop] + rate * (steps * step if step else steps))
        last[shop] = t

    decisions, levels = [], []
    for i, (t, cost, shop) in enumerate(zip(times, costs, shops, strict=True)):
        for end, j in sorted(each for each in in_flight if each[0] <= t):
            at(shops[j], end)
            tokens[shops[j]] = min(capacity, tokens[shops[j]] + costs[j] - actual[j])
        in_flight = [each for each in in_flight if each[0] > t]
        at(shop, t)
        fits = seed % 4 != 3 or len(in_flight) < 6
        decisions.append(fits and tokens[shop] >= cost)
        if decisions[-1]:
            tokens[shop] -= cost
            in_flight.append((t + services[i], i))
        if t not in times[i + 1 :] and not any(end == t for end, _ in in_flight):
            levels.append((run.tokens_by_layer(t, client={"shop": shop})[0], tokens[shop]))

    assert decisions == run.admitted
    assert {True, False} == set(decisions)
    assert [mine for _, mine in levels] == [ours for ours, _ in levels]
    assert len(levels) > 50
    drawn = level(run, 0, 100.0)
    assert 0 <= min(drawn.values) <= max(drawn.values) <= capacity


def test_two_queries_of_shopify_pass_with_their_refund():
    points = TokenBucket(1000, "50/s")
    run = simulate(points, [0, 0.5], [600, 600], service_s=0.1, actual_costs=[100, 100])

    assert [True, True] == run.admitted
    assert [True, False] == simulate(points, [0, 0.5], [600, 600]).admitted
    assert [400, 900] == [run.tokens(0), run.tokens("100 ms") - 5]
    assert 200 / (50 * 0.5) == run.summary().utilisation


@pytest.mark.parametrize(
    ("limiter", "options", "message"),
    [
        (FixedWindow(9, 1), {"service_s": 1}, "gives no cost back; use a TokenBucket or Gcra"),
        (TokenBucket(9, 1), {}, "an actual cost needs to know how long requests are in flight"),
        (TokenBucket(9, 1), {"service_s": 1, "actual_costs": [1]}, "2 arrivals and 1 actual costs"),
        (TokenBucket(9, 1), {"service_s": 1, "actual_costs": [1, 4]}, "is 4, more than the 3 of costs"),
    ],
)
def test_an_impossible_refund_of_a_run_is_an_error(limiter, options, message):
    with pytest.raises(InvalidArrivals, match=message):
        simulate(limiter, [0, 1], [3, 3], **{"actual_costs": [1, 1], **options})
