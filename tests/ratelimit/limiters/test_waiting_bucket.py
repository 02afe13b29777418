"""A token bucket whose requests wait for their tokens."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Chunk,
    Layers,
    Limiter,
    PerClient,
    TokenBucket,
    simulate,
    simulate_chunks,
)
from hook_widgets.ratelimit.limiters.buckets import WaitingBucket
from tests.ratelimit.random_traffic import any_times
from tests.ratelimit.waits import waits_of


def test_it_is_created_from_a_rate_in_words():
    assert WaitingBucket(10, "5/s", name="qps") == Limiter.of(
        "5/s", "token_bucket_wait", burst=10, name="qps"
    )
    assert WaitingBucket(5, "5/s") == Limiter.of("5/s", "token_bucket_wait")
    with pytest.raises(InvalidLimit, match="token_bucket_wait"):
        Limiter.of("5/s", "token_bucket_waits")


def any_bucket(rng: random.Random) -> tuple[int, int]:
    return rng.choice([1, 2, 5]), rng.choice([1, 3, 7])


@pytest.mark.parametrize("seed", range(50))
def test_the_waits_are_those_of_x_time_rate(seed):
    rng = random.Random(seed)
    capacity, rate = any_bucket(rng)
    times = any_times(rng, 60)
    run, running = simulate(WaitingBucket(capacity, rate), times), WaitingBucket(capacity, rate).begin()
    known = waits_of(times, rate, capacity)

    assert all(run.admitted)
    per_s = run.record.per_s
    ticks = pytest.approx([float(wait * per_s) for wait in waits_of(
        [Fraction(at, 10**9) for at in run.arrivals.times_ns], rate, capacity)])  # fmt: skip
    assert ticks == run.record.waits
    assert [float(wait) for wait in known] == pytest.approx(run.wait_s, abs=1e-8)
    assert run.wait_s == [float(running.decide(t).wait_s or 0) for t in times]


@pytest.mark.parametrize("seed", range(50))
def test_each_request_leaves_when_a_bucket_that_rejects_admits_it_first(seed):
    """A queue in front of a token bucket, first come, first served."""
    rng = random.Random(seed)
    capacity, rate = any_bucket(rng)
    times, bucket, sent = any_times(rng, 40), TokenBucket(capacity, rate).begin(), Fraction(0)
    run = simulate(WaitingBucket(capacity, rate), times)

    for at, wait in zip(times, run.wait_s, strict=True):
        free = bucket.free_at(max(at, sent))
        assert free is not None
        sent = Fraction(ceil_ns(free), 10**9)
        assert bucket.decide(sent)
        assert wait == pytest.approx(float(sent - at), abs=1e-6)


def ceil_ns(at_s: Fraction) -> int:
    return -int(-at_s * 10**9 // 1)


def test_its_most_in_a_window_and_its_rate_are_those_of_the_bucket():
    waiting, rejecting = WaitingBucket(10, "5/s"), TokenBucket(10, "5/s")

    assert waiting.max_admitted("1 s") == rejecting.max_admitted("1 s")
    assert waiting.sustained_rate == rejecting.sustained_rate
    assert "WaitingBucket(capacity=10, refill_rate=5)" == repr(waiting)
    assert rejecting == waiting.as_token_bucket()


@pytest.mark.parametrize("capacity", [0, 1.5, -1])
def test_a_capacity_that_is_no_positive_whole_number_is_rejected(capacity):
    with pytest.raises(InvalidLimit, match="capacity"):
        WaitingBucket(capacity, "5/s")


def test_nobody_but_waiting_requests_is_in_its_queue():
    run = simulate(WaitingBucket(10, "5/s"), [0] * 12 + [10])

    assert [2, 1, 0, 0] == [run.queue_depth(t) for t in (0, 0.2, 0.4, 10)]
    assert [-2, -1, 0] == [run.tokens(t) for t in (0, 0.2, 0.4)], "as in x/time/rate"
    assert 10 == run.tokens(9)
    running = WaitingBucket(10, "5/s").begin()
    assert [(10,), (0,)] == [running.remaining_by_layer(0), running.full_at_by_layer(0)]
    for _ in range(12):
        running.decide(0)
    assert [(0,), (Fraction(12, 5),)] == [running.remaining_by_layer(0), running.full_at_by_layer(0)]
    assert 0 == running.free_at(0), "it is never rejected"


def test_each_client_has_a_queue_of_its_own():
    run = simulate(PerClient("user", WaitingBucket(1, "1/s")), [0, 0, 0], clients={"user": ["a", "a", "b"]})

    assert [0, 1, 0] == run.wait_s


def test_with_another_limit_that_rejects():
    run = simulate(Layers(WaitingBucket(1, "1/s"), TokenBucket(2, "1/s")), [0, 0, 0, 0.5])

    assert [0, 1, None, None] == run.wait_s


def test_in_chunks_the_waits_are_the_same():
    numpy = pytest.importorskip("numpy")
    limiter, times = WaitingBucket(3, "7/s"), Arrivals.poisson("9/s", 40, seed=3)
    whole = simulate(limiter, times)
    parts = [Chunk(Arrivals(times.times_ns[k : k + 50])) for k in range(0, len(times), 50)]
    summary = simulate_chunks(limiter, parts).summary()

    assert numpy is not None
    assert (whole.summary().rejected, whole.summary().peak_depth) == (summary.rejected, summary.peak_depth)
    assert whole.summary().wait_mean_s == pytest.approx(summary.wait_mean_s)
    assert whole.summary().wait_max_s == pytest.approx(summary.wait_max_s)
