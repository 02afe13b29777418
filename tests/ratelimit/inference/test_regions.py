"""Regions worked out by hand from the definitions of the algorithms, and classes that are named together."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.ratelimit import FixedWindow, Gcra, LeakyBucket, Limiter, SlidingLog, TokenBucket, simulate
from hook_widgets.ratelimit.inference import BucketRegion, infer
from tests.ratelimit.inference.hidden_limiters import BUCKET


def at(*decisions):
    """Return observations at exact times in seconds: "." for an admitted request, "x" for a rejected one."""
    return [(t, t, 200 if mark == "." else 429) for t, mark in decisions]


def regions(observations, **options):
    result = infer(observations, clock_step_s=0, **options)
    return {region.algorithm: region for each in result.classes for region in each.regions}


# Two requests at 0 and 1, none at 2 and 5, one at 6.
TWO = at((0, "."), (1, "."), (2, "x"), (5, "x"), (6, "."))
# A log of 2 forgets the request at 0 after 5 and by 6; a window that this request opened ends then.
WINDOWS = {
    "sliding log": (2, 5, 6),
    "fixed window from the first request": (2, 5, 6),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_are_bounded_by_the_decisions(name):
    region = regions(TWO)[name]
    limit, low, high = WINDOWS[name]
    assert region.limit == limit
    assert region.window_s == pytest.approx((low, high), abs=1e-4)


def test_latency_widens_a_region_by_itself():
    # The request at 0 was decided from 0 to 0.25, the one at 5 from 5 on, the one at 6 by 6.25.
    late = [(sent, sent + 0.25, status) for sent, _, status in TWO]
    assert regions(late)["sliding log"].window_s == pytest.approx((4.75, 6.25), abs=1e-4)


def test_a_log_that_counts_rejected_requests_is_distinguished():
    # It rejects at 5 because of the requests at 1 and 2, so its window is longer than 4. Then those at 5 and
    # at 6 are in the window of a request at 6.5.
    assert "sliding log that counts rejected requests" not in regions([*TWO, (6.5, 6.5, 200)])


def test_the_region_of_a_bucket_is_a_polygon():
    # Capacity 2 and a token every 3 s: full at 0; two at once, a third is free at 3.
    region = regions(at((0, "."), (0, "."), (0, "x"), (2, "x"), (4, "."), (4, "x")))[BUCKET]
    assert isinstance(region, BucketRegion)
    # D < 3 I (third at 0), D < 3 I - 2 (at 2), D >= 3 I - 4 (at 4), D < 4 I - 4 (again at 4), D >= 2 I.
    for interval, low, high in region.corners:
        assert low == pytest.approx(max(2 * interval, 3 * interval - 4), abs=1e-4)
        assert high == pytest.approx(min(3 * interval - 2, 4 * interval - 4), abs=1e-4)
    assert region.refill_rate[1] == pytest.approx(1 / 2, abs=1e-4)  # 2 I <= 3 I - 2
    assert region.capacity[0] == pytest.approx(2, abs=1e-4)


@pytest.mark.parametrize(
    "limiter",
    [TokenBucket(3, "1/s"), Gcra("1 s", "2 s"), LeakyBucket(3, "1/s"), LeakyBucket(2, "1/s", "immediate")],
    ids=lambda limiter: type(limiter).__name__,
)
def test_buckets_with_the_same_decisions_are_one_class(limiter: Limiter):
    times = [0, 0, 0, 0, 0.5, 1.5, 1.6, 2.6, 2.7, 9, 9, 9, 9, 10.5, 10.6]
    admitted = simulate(limiter, times).admitted
    result = infer([(t, t, 200 if passed else 429) for t, passed in zip(times, admitted, strict=True)])
    assert result.classes[0].algorithms == (BUCKET,)
    assert result.classes[0].example == TokenBucket(3, "1/s")


@pytest.mark.parametrize("limiter", [FixedWindow(1, 10, "first"), SlidingLog(1, 10), TokenBucket(1, "0.1/s")])
def test_one_request_at_a_time_is_one_class(limiter: Limiter):
    # They decide alike for any requests (facts of the algorithms: each waits 10 s after an admitted one).
    times = [0, 1, 5, 9.9, 10.1, 15, 20, 20.2, 25, 30.1, 30.3, 55, 56, 65.1, 65.2, 75.3]
    admitted = simulate(limiter, times).admitted
    result = infer([(t, t, 200 if passed else 429) for t, passed in zip(times, admitted, strict=True)])
    names = set(result.classes[0].algorithms)
    assert {BUCKET, "sliding log", "fixed window from the first request"} <= names


def test_the_example_has_simple_numbers_of_the_region():
    limiter = SlidingLog(5, 60)
    times = [0, 1, 2, 30, 31, 32, 59.5, 60.2, 61.1, 61.2, 90, 90.1, 91.2]
    admitted = simulate(limiter, times).admitted
    result = infer([(t, t, 200 if passed else 429) for t, passed in zip(times, admitted, strict=True)])
    assert limiter in [each.example for each in result.classes]
    assert Fraction(60) == limiter.window_s


def test_no_rejection_tells_no_limit():
    result = infer([(t, t, 200) for t in range(10)])
    assert result.classes == ()
    assert result.contradiction is None
    assert "no limit was reached" in str(result)


def test_other_statuses_can_be_rejections():
    observations = [(0, 0, 200), (1, 1, 503), (2, 2, 503), (9, 9, 200)]
    assert infer(observations).rejections == 0
    assert infer(observations, rejected=(429, 503)).rejections == 2


def test_more_observations_extend_an_inference():
    whole = infer(TWO, clock_step_s=0)
    parts = infer(TWO[:3], clock_step_s=0).extend(TWO[3:])
    assert str(parts) == str(whole)
