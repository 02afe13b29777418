"""Test streams: however they are divided into chunks, the result is that of the whole run."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Chunk,
    ChunkedRun,
    Concurrency,
    FixedWindow,
    HoldOff,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Replicas,
    SlidingLog,
    TokenBucket,
    simulate,
    simulate_chunks,
)
from hook_widgets.ratelimit.limiters import CalendarWindow
from hook_widgets.ratelimit.limiters.base import max_cost
from hook_widgets.ratelimit.simulation.machine_code import numba_backend
from tests.ratelimit.random_traffic import SINGLE, any_of
from tests.support.extent import extent

numpy = pytest.importorskip("numpy")

ABOUT = ("wait_p50_s", "wait_p95_s", "wait_p99_s")


def any_traffic(rng: random.Random, limiter: Limiter, count: int, begin_ns: int = 0) -> Chunk:
    """Times that hit boundaries, some a nanosecond beside them, with gaps; costs and clients."""
    step, times, t = rng.choice([10**7, 10**8, 10**9 // 3, 10**9]), [], begin_ns
    for _ in range(count):
        t += rng.choice([0, 0, 0, 1, step - 1, step, step, step + 1, rng.randrange(4 * step)])
        t += 20 * 10**9 * (rng.random() < 0.01)
        times.append(t)
    most = max_cost(limiter)
    costs = [rng.randint(1, most) for _ in times] if most and rng.random() < 0.5 else None
    keys = {layer.key for layer in limiter.layers if isinstance(layer, PerClient)}
    clients = {"user": [rng.choice("abcdefgh") for _ in times], "ip": [rng.randrange(3) for _ in times]}
    return Chunk(Arrivals(tuple(times)), costs, {key: clients[key] for key in keys})


def any_limiter(rng: random.Random) -> Limiter:
    limits: list[Limiter] = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        limit, key = any_of(rng, rng.choice([*SINGLE, "hold-off"])), rng.choice(["", "", "user", "ip"])
        limits.append(PerClient(key, limit) if key else limit)
    return Layers(*limits) if len(limits) > 1 else limits[0]


def divided(rng: random.Random, whole: Chunk, most: int = 40):
    """Yield the requests in chunks of random sizes, some of them empty."""
    costs: Any = whole.costs
    clients: Any = whole.clients
    begin, count = 0, len(whole.arrivals)
    while begin < count:
        stop = begin + rng.randint(0, most)
        yield Chunk(
            whole.arrivals[begin:stop],
            None if costs is None else costs[begin:stop],
            {key: who[begin:stop] for key, who in clients.items()},
        )
        begin = stop


def facts(run: ChunkedRun) -> tuple:
    layers = range(len(run.limiter.layers))
    return repr(run.summary()), run.columns, [run.remaining(k) for k in layers]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("in_machine_code", [False, True])
def test_a_stream_in_chunks_is_decided_as_a_whole(seed, in_machine_code, monkeypatch):
    monkeypatch.setattr(numba_backend, "is_available", lambda: in_machine_code)
    monkeypatch.setattr(numba_backend, "is_loaded", lambda: in_machine_code)
    rng = random.Random(f"chunks {seed}")
    refused = 0
    for _ in range(extent(10, 300)):
        limiter = any_limiter(rng)
        whole = any_traffic(rng, limiter, 400, rng.choice([0, 10**9, 10**15]))
        run = simulate(limiter, whole.arrivals, whole.costs, clients=whole.clients)

        at_once = simulate_chunks(limiter, [whole], columns=16)
        in_chunks = simulate_chunks(limiter, divided(rng, whole), columns=16)

        assert facts(at_once) == facts(in_chunks), limiter
        exact, theirs = run.summary(), in_chunks.summary()
        for name in ABOUT:
            ours = getattr(exact, name)
            assert ours is None or ours * 0.999 <= getattr(theirs, name) <= ours
        assert dataclasses.replace(exact, **{name: getattr(theirs, name) for name in ABOUT}) == theirs, (
            limiter
        )
        refused += theirs.rejected
    assert refused > 1_000


@pytest.mark.parametrize("kind", SINGLE)
@pytest.mark.parametrize("in_machine_code", [False, True])
def test_the_curve_has_the_level_after_each_charge_it_shows(kind, in_machine_code, monkeypatch):
    monkeypatch.setattr(numba_backend, "is_available", lambda: in_machine_code)
    monkeypatch.setattr(numba_backend, "is_loaded", lambda: in_machine_code)
    rng = random.Random(f"curve of {kind}")
    compared = 0
    for _ in range(20):
        limiter = any_of(rng, kind)
        whole = any_traffic(rng, limiter, 100)
        run = simulate(limiter, whole.arrivals, whole.costs)

        curve = simulate_chunks(limiter, divided(rng, whole), columns=8).remaining()

        if curve is None:
            assert run.record.charge_log(0, {}).times in ([], ())
            continue
        charged, per_s = Counter(run.record.charge_log(0, {}).times), run.record.per_s
        for t, then, after in zip(curve.times[::2], curve.times[1::2], curve.values[1::2], strict=True):
            assert t == then
            ticks = [tick for tick in (round(Fraction(t) * per_s),) if charged[tick] == 1]
            for tick in ticks:
                assert after == pytest.approx(float(run.record.remaining(0, {})(tick)), abs=1e-9)
                compared += 1
    assert compared > 50


def test_columns_count_the_requests_of_a_stretch_and_the_curve_shows_each_dip():
    limits = Layers(TokenBucket(10, "1/s", name="burst"), FixedWindow(60, 60, name="quota"))
    arrivals = Arrivals.bursts(15, 30, 3600, spread_s=1, seed=2)
    run = simulate(limits, arrivals)

    chunked = simulate_chunks(limits, (arrivals[i : i + 100] for i in range(0, 1800, 100)), columns=40)

    assert 20 < len(chunked.columns) <= 40
    for column in chunked.columns:
        inside = [i for i, t in enumerate(arrivals.times_s) if column.begin_s <= t < column.end_s]
        assert len(inside) == column.offered
        assert [run.admitted[i] for i in inside].count(True) == column.admitted
        labels = [run.limited_by[i] for i in inside]
        assert (labels.count("burst"), labels.count("quota")) == column.rejected_by
    curve = chunked.remaining(0)
    assert curve is not None
    assert min(curve.values) == pytest.approx(min(float(run.tokens_by_layer(t)[0]) for t in arrivals.times_s))
    assert "<ChunkedRun of Layers(" in repr(chunked)


def test_what_has_no_single_level_has_no_curve():
    limits = Layers(PerClient("user", TokenBucket(1, 1)), HoldOff(FixedWindow(1, 1), 2), FixedWindow(9, 1))

    run = simulate_chunks(limits, [Chunk(Arrivals((0, 0)), clients={"user": "ann"})])

    assert [None, None] == [run.remaining(0), run.remaining(1)]
    assert run.remaining(2) is not None


@pytest.mark.parametrize("routing", ["round_robin", "random"])
def test_requests_are_routed_on_from_chunk_to_chunk(routing):
    limits = Replicas(3, TokenBucket(2, "1/s"), routing)
    arrivals = Arrivals.poisson(8, 20, seed=3)

    chunked = simulate_chunks(limits, (arrivals[i : i + 7] for i in range(0, len(arrivals), 7)))

    assert simulate(limits, arrivals).summary() == chunked.summary()


@pytest.mark.parametrize(
    "users",
    [
        [numpy.array([0, 1, 1]), numpy.array([1, 0, 70_000])],
        [numpy.array([0, 1, 1]), [1, 0, 70_000]],
        [numpy.array([0, 1, 1]), numpy.array([1, 0, 2**50])],
        [numpy.array([-1, 1, 1]), numpy.array([1, -1, 2])],
        [["a", "b", "b"], ["b", "a", "c"]],
    ],
    ids=["whole numbers", "then a list", "then large ones", "negative ones", "texts"],
)
def test_a_client_is_known_again_in_the_next_chunk(users):
    limit = PerClient("user", FixedWindow(2, 10))
    chunks = [Chunk(Arrivals((0, 0, 0)), clients={"user": who}) for who in users]

    assert (("per user", 1),) == simulate_chunks(limit, chunks).summary().limited_by


def test_a_stream_may_be_empty():
    empty: list[list[Arrivals]] = [[], [Arrivals(())]]
    for chunks in empty:
        run = simulate_chunks(LeakyBucket(2, 1), chunks)
        assert simulate(LeakyBucket(2, 1), []).summary() == run.summary()
        assert () == run.columns
        assert run.remaining() is None


def test_a_stream_may_be_of_one_chunk():
    arrivals = Arrivals((0, 0, 1))

    for stream in (arrivals, Chunk(arrivals)):
        assert (3, 1) == (
            simulate_chunks(TokenBucket(1, 1), stream).summary().offered,
            simulate_chunks(TokenBucket(1, 1), stream).summary().admitted,
        )


def test_a_stream_is_read_chunk_by_chunk():
    """So that an endless one needs no memory: each chunk is decided before the next one is asked for."""
    alive = []

    def endless():
        for k in range(10**9):
            alive.append(k)
            yield Arrivals.from_ns(numpy.arange(k * 100, k * 100 + 100))

    run = simulate_chunks(SlidingLog(5, "1 us"), islice(endless(), 50))

    assert 50 == len(alive)
    assert 5_000 == run.summary().offered
    assert 25 == run.summary().admitted


@pytest.mark.parametrize(
    ("limiter", "chunks", "error", "problem"),
    [
        (Layers(Concurrency(1), TokenBucket(1, 1)), [], InvalidLimit, "has a concurrency limit"),
        (
            CalendarWindow(1, "day", "UTC", datetime(2026, 1, 1, tzinfo=UTC)),
            [],
            InvalidLimit,
            "calendar window",
        ),
        ("10/s", [], InvalidLimit, "'10/s' is no limiter"),
        (
            TokenBucket(1, 1),
            [[0, 1]],
            InvalidArrivals,
            "a chunk of the traffic is .*; give Arrivals, or Chunk",
        ),
        (TokenBucket(1, 1), None, InvalidArrivals, "the traffic is None; give Arrivals"),
        (FixedWindow(2**70, 1), [Chunk(Arrivals((0,)), [2**65])], InvalidArrivals, "64 bits"),
        (
            FixedWindow(2**61, 10, align="renewed"),
            [Chunk(Arrivals(tuple(range(8))), [2**61] * 8)],
            InvalidArrivals,
            "64 bits",
        ),
        (TokenBucket(1, 1), [Arrivals((5,)), Arrivals((4,))], InvalidArrivals, "sort the chunks"),
        (TokenBucket(1, 1), [Arrivals((10**20,))], InvalidArrivals, "64 bits; begin at time 0"),
        (TokenBucket(1, 10**9 + 7), [Arrivals((10**18,))], InvalidArrivals, "64 bits; begin at time 0"),
        (
            FixedWindow(2**61, 10, align="renewed"),
            [Chunk(Arrivals((k,)), [2**61]) for k in range(4)],
            InvalidArrivals,
            "64 bits",
        ),
        (TokenBucket(1, 1), [Chunk(Arrivals((0,)), [2])], InvalidArrivals, "never admits more than 1"),
        (TokenBucket(1, 1), [Chunk(Arrivals((0,)), [1, 1])], InvalidArrivals, "1 arrivals and 2 costs"),
        (PerClient("user", TokenBucket(1, 1)), [Arrivals((0,))], InvalidArrivals, "is kept for each user"),
    ],
)
def test_a_stream_that_cannot_be_decided_is_an_error(limiter, chunks, error, problem):
    with pytest.raises(error, match=problem):
        simulate_chunks(limiter, chunks)


@pytest.mark.parametrize("columns", [0, 1, -3, 2.5, "many"])
def test_there_are_at_least_two_columns(columns):
    with pytest.raises(InvalidArrivals, match="columns"):
        simulate_chunks(TokenBucket(1, 1), [], columns=columns)
