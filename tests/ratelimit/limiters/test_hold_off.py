"""Test limits that hold clients off, and limits in several replicas."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    HoldOff,
    Layers,
    LeakyBucket,
    PerClient,
    Replicas,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.http import build_response, policy_of


def test_a_rejection_begins_a_hold_that_later_requests_do_not_extend():
    run = simulate(HoldOff(TokenBucket(2, 1), "5 s"), [0, 0, 0, 2, 4.9, 5, 5, 5])

    assert [True, True, False, False, False, True, True, False] == run.admitted
    held = simulate(HoldOff(TokenBucket(2, 1), "5 s"), [0, 0, 0])
    assert [0, 0, 2, 2] == [held.tokens(t) for t in (0, 4.999999999, 5, 9)]
    assert 10 == run.free_at(6)


def test_who_comes_when_a_hold_ends_does_not_change_when_it_is_free():
    run = simulate(HoldOff(SlidingLog(2, 1), 5), [0, 0, 0.5, 5.5, 5.5])

    assert [5.5, 5.5] == [run.free_at(1, cost) for cost in (1, 2)]


def test_a_hold_of_another_layer_is_not_begun_by_a_rejection():
    limits = Layers(FixedWindow(1, 1, name="second"), HoldOff(FixedWindow(2, 10, name="ten"), 60))
    run = simulate(limits, [0, 0.5, 1, 2, 70])

    assert [None, "second", None, "ten", None] == run.limited_by
    assert [1, 0, 0, 1] == [run.tokens_by_layer(t)[1] for t in (0.5, 1, 61.9, 70)]
    assert [60 + 2] == [int(at or 0) for at in run.free_at_by_layer(3)[1:]]


def test_clients_are_held_off_one_by_one():
    run = simulate(
        PerClient("ip", HoldOff(SlidingLog(1, 1), 10)), [0, 0, 0, 5], clients={"ip": ["a", "a", "b", "a"]}
    )

    assert [True, False, True, False] == run.admitted
    assert [0, 1] == [int(run.tokens(9, client={"ip": ip})) for ip in ("a", "b")]


def test_the_rejection_of_one_client_holds_no_other_off():
    limit = PerClient("ip", HoldOff(SlidingLog(1, 1), 10))
    run = simulate(limit, [0, 0, 0, 1], clients={"ip": ["a", "a", "b", "b"]})

    assert [True, False, True, True] == run.admitted
    assert 1 == run.tokens(5, client={"ip": "b"})


def test_the_response_to_a_client_that_is_held_off_says_until_when():
    run = simulate(HoldOff(TokenBucket(1, 1, name="calls"), 10), [0, 0, 3])

    headers = dict(build_response(run, 2, x_reset="delta").headers)

    assert ("7", '"calls";r=0;t=7', "7") == (
        headers["Retry-After"],
        headers["RateLimit"],
        headers["X-RateLimit-Reset"],
    )
    assert policy_of(run.limiter) == policy_of(TokenBucket(1, 1, name="calls"))


def test_those_that_wait_in_a_queue_go_on_while_others_are_held_off():
    run = simulate(HoldOff(LeakyBucket(2, 1), 10), [0, 0, 0, 5, 10])

    assert [1.0, 2.0, None, None, 1.0] == run.wait_s


def test_requests_go_to_replicas_in_turn():
    run = simulate(Replicas(3, FixedWindow(1, 10)), Arrivals((0,) * 5))

    assert [True, True, True, False, False] == run.admitted
    assert [{"replica": 0}, {"replica": 1}, {"replica": 2}, {"replica": 0}] == [
        run.client(i) for i in range(4)
    ]
    assert (6, 6) == (run.limiter.max_admitted(10), Layers(run.limiter, FixedWindow(50, 10)).max_admitted(10))
    assert Fraction(3, 10) == run.limiter.sustained_rate
    assert Replicas(3, Concurrency(1)).sustained_rate is None


def test_random_routing_loses_requests_that_routing_in_turn_admits():
    arrivals = Arrivals.steady("90/s", "100 s")
    fleet = Layers(TokenBucket(3, "10/s"), SlidingLog(25, 1))

    in_turn, at_random, again = (
        simulate(Replicas(10, fleet, routing, seed=seed), arrivals)
        for routing, seed in (("round_robin", 0), ("random", 1), ("random", 1))
    )

    assert [True] * 9000 == in_turn.admitted
    assert again.admitted == at_random.admitted
    assert 0.8 < at_random.admitted.count(True) / 9000 < 0.97


def test_own_routing_is_given_as_clients():
    run = simulate(Replicas(2, FixedWindow(1, 10)), [0, 0, 0], clients={"replica": [0, 0, 1]})

    assert [True, False, True] == run.admitted


def test_one_request_cannot_be_routed_in_two_ways():
    two, three = Replicas(2, FixedWindow(1, 1)), Replicas(3, TokenBucket(1, 1))

    with pytest.raises(InvalidArrivals, match="routed in two ways; give one of the Replicas another key"):
        simulate(Layers(two, three), [0])

    inner = Replicas(3, TokenBucket(1, 1), key="cell")
    assert [True, True, False] == simulate(Layers(two, inner), [0, 0, 0]).admitted


def test_a_hold_bounds_no_more_than_its_limit():
    assert 20 == HoldOff(FixedWindow(10, 1), 5).max_admitted(1)
    assert 10 == HoldOff(FixedWindow(10, 1), 5).sustained_rate
    with pytest.raises(InvalidLimit, match="give a single limit"):
        HoldOff(HoldOff(FixedWindow(10, 1), 5), 5)
