"""Test limiters that decide one request after another: as `simulate` does, keeping only what they need."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    PerClient,
    Replicas,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.limiters import running
from hook_widgets.ratelimit.limiters.hold_off import inner_limit
from tests.ratelimit.random_traffic import GRID, KINDS, SINGLE, any_of, any_times, limiters, times
from tests.support.extent import extent

USERS = ["ann", "bob", "eve"]


def compared(limiter, at, costs=None, services=None, clients=None):
    """Decide requests one by one, and compare every decision and wait with those of a run."""
    run = simulate(limiter, at, costs, service_s=services, clients=clients)
    live = limiter.begin()
    for i, t in enumerate(at):
        who = {key: values[i] for key, values in (clients or {}).items()}
        decision = live.decide(t, costs and costs[i], services and services[i], **who)

        assert run.admitted[i] == decision.admitted == bool(decision), (limiter, at, i)
        assert run.limited_by[i] == decision.limited_by
        assert run.wait_s[i] == (None if decision.wait_s is None else float(decision.wait_s))
    return run, live


@given(limiters(*KINDS), times(40), st.randoms(use_true_random=False))
def test_one_by_one_the_decisions_are_those_of_a_run(limiter, at, rng):
    in_flight = any(isinstance(layer, Concurrency) for layer in limiter.layers)
    most = min((most for layer in limiter.layers if (most := layer._max_cost) is not None), default=0)

    compared(
        limiter,
        at,
        costs=[rng.randint(1, most) for _ in at] if most and rng.random() < 0.5 else None,
        services=[rng.choice([GRID, Fraction(1, 4), 1]) for _ in at] if in_flight else None,
    )


@pytest.mark.parametrize("seed", range(4))
def test_one_by_one_the_decisions_about_clients_and_layers_are_those_of_a_run(seed):
    rng = random.Random(f"running {seed}")
    refused = 0
    for _ in range(extent(60, 600)):
        keys = rng.choices(["", "user", "ip"], k=3)
        limits = [(key, any_of(rng, rng.choice([*SINGLE, "hold-off"]))) for key in keys]
        layers = Layers(*(PerClient(key, limit) if key else limit for key, limit in limits))
        at = any_times(rng, 40)
        clients = {key: [rng.choice(USERS) for _ in at] for key in keys if key}

        run, _ = compared(layers, at, clients=clients)

        refused += run.admitted.count(False)
    assert refused > extent(300, 3000)


@pytest.mark.parametrize("routing", ["round_robin", "random"])
def test_replicas_are_chosen_as_in_a_run(routing):
    fleet = Replicas(3, Layers(TokenBucket(2, 1), FixedWindow(3, 10)), routing, seed=5)

    compared(Layers(SlidingLog(20, 5), fleet), [k / 4 for k in range(60)])
    compared(fleet, [0, 0, 0], clients={"replica": [2, 2, 2]})


@pytest.mark.parametrize("kind", [*SINGLE, "hold-off"])
def test_what_is_forgotten_is_never_needed_again(kind, monkeypatch):
    monkeypatch.setattr(running, "_FORGET", 3)
    rng = random.Random(f"forgotten by {kind}")
    for _ in range(20):
        limiter, t = any_of(rng, kind), Fraction(0)
        at: list[Fraction] = []
        for _ in range(200):
            t += rng.choice([0, 0, 1, 1, 3, 30]) * GRID
            at.append(t)

        _, live = compared(limiter, at)

        (partition,) = live._partitions.values()
        assert len(partition.times) <= max(40, 2 * len([s for s in at if s >= t - 3]))


@given(limiters(*KINDS), times(20), st.integers(0, 35), st.integers(1, 5))
def test_when_a_request_is_free_and_how_many_are_left_is_what_a_run_tells(limiter, at, probe, cost):
    """A run counts fractions of a token; whole ones of those are what can be spent."""
    bounds = [most for layer in limiter.layers if (most := layer._max_cost) is not None]
    in_flight = any(isinstance(layer, Concurrency) for layer in limiter.layers)
    t, cost = max([probe * GRID, *at]), min([cost, *bounds]) if bounds and min(bounds) else 1
    services = [Fraction(1, 4)] * len(at) if in_flight else None
    run, live = compared(limiter, at, services=services)
    charge = cost if bounds and min(bounds) else None

    assert run.free_at_by_layer(t, cost if charge else 1) == live.free_at_by_layer(t, charge)
    assert run.free_at(t, cost if charge else 1) == live.free_at(t, charge)
    rules = [getattr(inner_limit(layer), "rule", "") for layer in limiter.layers]
    for left, whole, rule in zip(run.tokens_by_layer(t), live.remaining_by_layer(t), rules, strict=True):
        # A sliding counter that goes by an estimate below the limit admits one for any fraction left.
        assert whole == max(0, -int(-left // 1) if rule == "lt" else int(left // 1))
    more: list[Any] | None = None if services is None else [*services, 1]
    admitted = simulate(limiter, [*at, t], service_s=more).admitted[-1]
    assert admitted == live.decide(t, None, 1 if in_flight else None).admitted


def test_a_place_in_flight_is_free_from_the_moment_at_which_a_request_ends():
    limit = Concurrency(2).begin()
    assert limit.decide(0, None, 3).admitted

    assert [1, 2] == [limit.remaining_by_layer(t)[0] for t in ("2.999999999", 3)]


def test_asking_changes_nothing_and_keeps_no_state_of_unknown_clients():
    live = PerClient("user", TokenBucket(1, 1)).begin()

    assert 5 == live.free_at(5, user="ann")
    assert (1,) == live.remaining_by_layer(5, user="ann")
    assert {} == live._partitions
    assert [True, False] == [bool(live.decide(t, user="ann")) for t in (5, 5.5)]
    assert 6 == live.free_at(5.5, user="ann")
    assert (0,) == live.remaining_by_layer(5.5, user="ann")


def test_a_limit_that_never_admits_is_never_free():
    never = (FixedWindow(0, 1), LeakyBucket(0, 1), Concurrency(0))

    assert [None] * 3 == [limit.begin().free_at(1) for limit in never]
    assert (0,) == HoldOff(LeakyBucket(0, 1), 1).begin().remaining_by_layer(0)


def test_a_queue_tells_how_long_a_request_waits():
    live = LeakyBucket(2, "3/s").begin()

    assert [Fraction(1, 3), Fraction(2, 3), None] == [live.decide(0).wait_s for _ in range(3)]


def test_any_text_tells_clients_apart():
    live = PerClient("cost", TokenBucket(1, 1)).begin()

    assert [True, True] == [bool(live.decide(0, cost=who)) for who in ("a", "b")]


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda: TokenBucket(1, 1).begin().decide(-1), "t 0 is negative"),
        (lambda: TokenBucket(1, 1).begin().decide("soon"), "t 0 cannot be read"),
        (lambda: TokenBucket(2, 1).begin().decide(0, 3), "cost is 3, but .* never admits more than 2"),
        (lambda: TokenBucket(2, 1).begin().decide(0, 0), "cost is zero; give at least 1"),
        (lambda: TokenBucket(2, 1).begin().decide(0, 1.5), "cost must be a whole number"),
        (lambda: LeakyBucket(2, 1).begin().decide(0, 1), "counts requests, not their cost; leave cost out"),
        (lambda: Concurrency(2).begin().decide(0), "give service_s"),
        (lambda: Concurrency(2).begin().decide(0, None, -1), "service_s 0 is negative"),
        (lambda: Gcra(2, 1).begin().decide(0, None, 1), "leave service_s out"),
        (lambda: Gcra(2, 1).begin().decide(0, user="ann"), "has no clients by 'user'"),
        (lambda: PerClient("user", Gcra(2, 1)).begin().decide(0), "is kept for each user; give user="),
        (
            lambda: PerClient("user", Gcra(2, 1)).begin().decide(0, user=cast(Any, [])),
            "an unhashable value; give a text",
        ),
        (lambda: Replicas(2, Gcra(2, 1)).begin().free_at(0), "is kept for each replica; give replica="),
    ],
)
def test_requests_that_cannot_be_are_rejected(ask, complaint):
    with pytest.raises(InvalidArrivals, match=complaint):
        ask()


def test_time_does_not_go_back():
    live = SlidingCounter(1, 1).begin()
    live.decide(2)

    for ask in (live.decide, live.free_at, live.remaining_by_layer):
        with pytest.raises(InvalidArrivals, match="t is 1, earlier than the request before it"):
            ask(1)


def test_a_rejected_call_charges_nothing():
    live = PerClient("user", TokenBucket(1, 1)).begin()
    with pytest.raises(InvalidArrivals):
        live.decide(5, 7, user="ann")

    assert live.decide(0, user="ann").admitted


def test_a_long_run_is_decided_as_at_once():
    at = Arrivals.poisson(50, 200, seed=3)
    run, live = compared(Layers(SlidingLog(40, 1), TokenBucket(20, 30)), list(at))

    assert 1000 < run.admitted.count(True) < 9000
    assert all(len(partition.times) < 3000 for partition in live._partitions.values())


@pytest.mark.parametrize("kind", [*SINGLE, "hold-off"])
def test_asked_after_every_request_when_one_is_free_is_what_a_run_tells(kind, monkeypatch):
    monkeypatch.setattr(running, "_FORGET", 3)
    rng = random.Random(f"asked of {kind}")
    for _ in range(extent(2, 50)):
        limiter, t = any_of(rng, kind), Fraction(0)
        at: list[Fraction] = []
        in_flight = isinstance(limiter, Concurrency)
        live = limiter.begin()
        for _ in range(40):
            t += rng.choice([0, 0, 1, 1, 3, 30]) * GRID
            at.append(t)
            live.decide(t, None, *([Fraction(1, 4)] if in_flight else []))
            run = simulate(limiter, at, service_s=Fraction(1, 4) if in_flight else None)

            for probe in (t + 2 * GRID, t, t + GRID):
                free_at: Any = run.free_at(probe)
                assert free_at == live.free_at(probe), (limiter, at, probe)
                per_s = live._trace.ticks_per_ns * 10**9
                steps = live._free_after(int(probe * per_s), per_s, {})
                assert steps == (None if free_at is None else -(-(free_at - probe) // 1))


@pytest.mark.parametrize("seed", range(3))
def test_a_bucket_takes_cost_back_and_keeps_no_more_than_it_holds(seed):
    """Beside a level computed in fractions, as the points of a GraphQL API."""
    rng = random.Random(f"refund {seed}")
    capacity, rate = Fraction(rng.randint(5, 20)), Fraction(rng.randint(1, 9), rng.randint(1, 3))
    bucket = rng.choice([TokenBucket(capacity, rate), Gcra(1 / rate, (capacity - 1) / rate)]).begin()
    level, t, decisions = capacity, Fraction(0), []
    for _ in range(400):
        gap = Fraction(rng.choice([0, 0, 1, 8]), 8)
        t, level = t + gap, min(capacity, level + gap * rate)
        cost = rng.randint(1, 5)
        if rng.random() < 0.3:
            bucket.refund(t, cost)
            level = min(capacity, level + cost)
            continue
        decisions.append(bool(bucket.decide(t, cost)))
        assert (level >= cost) == decisions[-1]
        level -= cost * decisions[-1]
        assert int(level) == bucket.remaining_by_layer(t)[0]
    assert {True, False} == set(decisions)


def test_only_buckets_take_cost_back_and_of_the_client_who_paid():
    shop = Layers(PerClient("shop", TokenBucket(10, 1)), Concurrency(5)).begin()
    shop.decide(0, 8, 1, shop="a")
    shop.refund(0, 8, shop="a")

    assert (10, 4) == shop.remaining_by_layer(0, shop="a")
    mixed = Layers(TokenBucket(10, 1), FixedWindow(10, 1, name="quota")).begin()
    mixed.decide(0, 6)
    with pytest.raises(InvalidArrivals, match="quota gives no cost back; use a TokenBucket"):
        mixed.refund(0, 6)
    assert (4, 4) == mixed.remaining_by_layer(0)
