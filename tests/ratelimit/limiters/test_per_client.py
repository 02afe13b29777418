"""Test limits per client, alone and combined with shared limits."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Layers,
    LeakyBucket,
    PerClient,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.http.responses import build_response
from tests.ratelimit import reference
from tests.ratelimit.random_traffic import SINGLE, any_of

USERS = ["ann", "bob", "eve"]
IPS = ["192.0.2.1", "192.0.2.2"]
NOTHING = Fraction(0)


def crowd(rng: random.Random, count: int = 40):
    """Return times on a coarse grid, and the client of each request."""
    times = sorted(Fraction(rng.randrange(60), 10) for _ in range(count))
    return times, [rng.choice(USERS) for _ in times], [rng.choice(IPS) for _ in times]


def decided(limits, times, who):
    """Decide requests one by one with the reference, from the history that each limit sees."""
    history: list[tuple[reference.Seen, dict[str, str]]] = []
    for i, t in enumerate(times):
        me = {key: clients[i] for key, clients in who.items()}
        fits = all(
            reference.fits(
                limit, [request for request, they in history if not key or they[key] == me[key]], t, 1
            )
            for key, limit in limits
        )
        history.append((reference.Seen(t, 1, NOTHING, fits), me))
    return [request.admitted for request, _ in history]


@pytest.mark.parametrize("kind", SINGLE)
def test_each_client_is_judged_as_if_it_were_alone(kind):
    rng = random.Random(kind)
    for _ in range(60):
        limit = any_of(rng, kind)
        times, users, _ = crowd(rng)
        run = simulate(PerClient("user", limit), times, clients={"user": users})

        for user in set(users):
            mine = [i for i, who in enumerate(users) if who == user]
            alone = simulate(limit, [times[i] for i in mine])
            assert alone.admitted == [run.admitted[i] for i in mine]
            assert alone.wait_s == [run.wait_s[i] for i in mine]
            moment = rng.choice(times) + Fraction(1, 20)
            assert alone.tokens(moment) == run.tokens(moment, client={"user": user})
            assert alone.free_at(moment) == run.free_at(moment, client={"user": user})


@pytest.mark.parametrize("seed", range(6))
def test_limits_for_all_and_for_each_are_charged_all_or_nothing(seed):
    rng = random.Random(seed)
    for _ in range(40):
        keys = rng.choices(["", "user", "ip"], k=3)
        limits = [(key, any_of(rng, rng.choice(SINGLE))) for key in keys]
        times, users, ips = crowd(rng)
        who = {key: clients for key, clients in (("user", users), ("ip", ips)) if key in keys}
        layers = Layers(*(PerClient(key, limit) if key else limit for key, limit in limits))

        assert decided(limits, times, who) == simulate(layers, times, clients=who).admitted


def test_the_limit_that_rejected_is_named_and_others_are_not_charged():
    limits = Layers(
        FixedWindow(2, 60, name="global"), PerClient("user", TokenBucket(1, "1/min"), name="each user")
    )
    run = simulate(limits, [0, 0, 0, 0], clients={"user": ["ann", "ann", "bob", "eve"]})

    assert [None, "each user", None, "global"] == run.limited_by
    assert [0, 0, 1] == [
        int(run.tokens_by_layer(0, client={"user": user})[1]) for user in ("ann", "bob", "eve")
    ]
    assert (("each user", 1), ("global", 1)) == run.summary().limited_by


def test_a_client_that_never_came_has_everything_left():
    run = simulate(PerClient("user", SlidingLog(3, 1)), [0], clients={"user": ["ann"]})

    assert [2, 3] == [int(run.tokens(0, client={"user": user})) for user in ("ann", "zoe")]


def test_several_limits_of_each_client_are_taken_apart():
    limits = PerClient("ip", Layers(FixedWindow(1, 1, name="second"), FixedWindow(2, 60, name="minute")))
    run = simulate(limits, [0, 0, 1, 2], clients={"ip": "192.0.2.1"})

    assert [None, "second", None, "minute"] == run.limited_by
    assert ["second", "minute"] == [layer.name for layer in limits.layers]


def test_limits_of_each_client_without_a_name_are_distinguished_by_number():
    limits = PerClient("user", Layers(FixedWindow(1, 1), FixedWindow(2, 60)))

    assert [None, "per user 1", None, "per user 2"] == simulate(
        limits, [0, 0, 1, 2], clients={"user": "ann"}
    ).limited_by


def test_queues_and_requests_in_flight_are_kept_for_each_client():
    queues = simulate(
        PerClient("user", LeakyBucket(2, "1/s")), [0, 0, 0, 0], clients={"user": ["ann", "ann", "bob", "ann"]}
    )
    assert [1.0, 2.0, 1.0, None] == queues.wait_s
    assert 3 == queues.queue_depth(0)

    flights = simulate(
        PerClient("user", Concurrency(1)),
        [0, 0, 0, 2],
        clients={"user": ["ann", "bob", "ann", "ann"]},
        service_s=1,
    )
    assert [True, True, False, True] == flights.admitted


def test_the_response_to_each_client_is_about_its_own_limit():
    run = simulate(
        PerClient("user", TokenBucket(2, "1/s"), name="calls"),
        [0, 0, 0],
        clients={"user": ["ann", "ann", "bob"]},
    )

    fields = [dict(build_response(run, i).headers)["RateLimit"] for i in range(3)]
    assert ['"calls";r=0;t=1', '"calls";r=0;t=1', '"calls";r=1'] == fields


def test_a_run_knows_whom_its_requests_came_from():
    run = simulate(PerClient("user", TokenBucket(1, 1)), [0, 0], clients={"user": ["ann", "bob"]})

    assert [{"user": "ann"}, {"user": "bob"}] == [run.client(0), run.client(1)]


def test_what_one_client_may_do_bounds_no_window_for_all():
    each = PerClient("user", FixedWindow(10, 1))

    assert 20 == each.max_admitted(1)
    assert 200 == Layers(FixedWindow(100, 1), each).max_admitted(1)
    with pytest.raises(InvalidLimit, match="of each client, bound no window"):
        Layers(each, Concurrency(3)).max_admitted(1)


def test_a_crowd_of_clients_keeps_the_limit_for_all_and_each_its_own():
    arrivals = Arrivals.poisson(100, 50, seed=1)
    users = [i % 1000 for i in range(len(arrivals))]
    run = simulate(
        Layers(TokenBucket(50, 50), PerClient("user", SlidingLog(2, 10))), arrivals, clients={"user": users}
    )

    assert sum(run.admitted) <= TokenBucket(50, 50).max_admitted(50)
    admitted = [
        (t, user) for t, user, passed in zip(arrivals.times_s, users, run.admitted, strict=True) if passed
    ]
    for t, user in admitted:
        assert sum(t - 10 < then <= t for then, other in admitted if other == user) <= 2


@pytest.mark.parametrize(
    ("limiter", "clients", "problem"),
    [
        (
            PerClient("user", TokenBucket(1, 1)),
            {},
            "'per user' is kept for each user; give clients={'user': ...}, one for each request",
        ),
        (
            PerClient("user", TokenBucket(1, 1)),
            {"user": ["ann"]},
            "there are 2 arrivals and 1 clients of 'user'; give one for each arrival",
        ),
        (
            PerClient("user", TokenBucket(1, 1)),
            {"user": "ann", "usr": "ann"},
            "has no clients by 'usr'; ",
        ),
        (TokenBucket(1, 1), {"user": "ann"}, "has no clients by 'user'; "),
    ],
)
def test_clients_that_are_missing_or_of_no_use_are_an_error(limiter, clients, problem):
    with pytest.raises(InvalidArrivals) as caught:
        simulate(limiter, [0, 0], clients=clients)

    assert problem in str(caught.value)


def test_who_asks_must_be_said():
    run = simulate(PerClient("user", TokenBucket(1, 1)), [0], clients={"user": "ann"})

    for ask in (run.tokens, run.free_at):
        with pytest.raises(InvalidArrivals, match=r"give client=\{'user': \.\.\.\}"):
            ask(0)


@pytest.mark.parametrize("odd", [["bob"], ("bob", ["of", "HR"])])
def test_a_client_that_cannot_be_distinguished_from_others_is_an_error(odd):
    users: list[Any] = ["ann", odd]

    with pytest.raises(InvalidArrivals, match="a client of 'user' is a list"):
        simulate(PerClient("user", TokenBucket(1, 1)), [0, 0], clients={"user": users})


@pytest.mark.parametrize("key", ["", None])
def test_what_tells_clients_apart_is_a_text(key):
    with pytest.raises(InvalidLimit, match="name what tells clients apart"):
        PerClient(key, TokenBucket(1, 1))


@pytest.mark.parametrize("key", ["two words", "costs", "admitted", "self", "class"])
def test_any_text_tells_clients_apart(key):
    run = simulate(PerClient(key, TokenBucket(1, 1)), [0, 0, 0], clients={key: ["a", "b", "a"]})

    assert [True, True, False] == run.admitted
    assert 0 == run.tokens(0, client={key: "a"}) < run.tokens(0, client={key: "new"})


@pytest.mark.parametrize("limit", ["10/s", PerClient("ip", TokenBucket(1, 1)), None])
def test_each_client_has_a_limit_of_another_kind(limit):
    with pytest.raises(InvalidLimit, match="give a limiter that is not PerClient itself"):
        PerClient("user", limit)
