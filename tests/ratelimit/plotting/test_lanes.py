"""A pointer reads the values of the run off a picture, and a part of a picture shows that part."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.ratelimit import (
    Arrivals,
    FixedWindow,
    LeakyBucket,
    Run,
    SlidingCounter,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.plotting.mpl import RunPicture
from hook_widgets.ratelimit.plotting.view_model.lanes import part_within
from hook_widgets.ratelimit.plotting.view_model.scale import time_ticks
from hook_widgets.ratelimit.units import NS_PER_S
from tests.ratelimit.plotting.scenes import scenes

ARRIVALS = Arrivals(tuple(sorted((*Arrivals.poisson("12/s", 20, seed=3).times_ns, *[10 * NS_PER_S] * 60))))
LIMITERS = {
    "token bucket": TokenBucket(40, "10/s"),
    "leaky bucket": LeakyBucket(40, "10/s"),
    "fixed window": FixedWindow(50, 5),
    "sliding counter": SlidingCounter(50, 5),
}
SCENES = scenes()
PARTS = {"whole": (0.0, 20.0), "burst": (9.5, 11.0)}


def drawn(run: Run, part_s: tuple[float, float]) -> RunPicture:
    """Return a picture that has drawn a part of a run of 20 s."""
    picture = RunPicture(width_px=420, height_px=300)
    if part_s == PARTS["whole"]:
        picture.full(run, until_s=20)
    else:
        picture.part(run, part_s, until_s=20)
    return picture


@pytest.mark.parametrize(("kind", "part"), list(product(LIMITERS, PARTS)))
def test_the_values_of_each_column_are_those_of_the_run(kind: str, part: str):
    run = simulate(LIMITERS[kind], ARRIVALS)
    begin_s, end_s = PARTS[part]
    lane = drawn(run, PARTS[part]).lanes()[0]
    (series,) = lane.series
    step = Fraction(end_s - begin_s) / len(series.values)
    moments = [Fraction(begin_s) + (k + Fraction(1, 2)) * step for k in range(len(series.values))]
    expected = [max(float(run.tokens(at)), 0.0) for at in moments]  # nothing left is the least

    assert int(lane.place[2]) == len(series.values)
    # A curve that is thinned to pixels may be off within a column where it jumps.
    wrong = sum(abs(a - b) > 0.3 for a, b in zip(expected, series.values, strict=True))
    assert wrong <= len(series.values) / 25


@pytest.mark.parametrize("part", PARTS)
def test_bins_count_the_requests_of_the_part(part: str):
    run = simulate(LIMITERS["token bucket"], ARRIVALS)
    picture = drawn(run, PARTS[part])
    view = picture.view
    admitted, rejected = (series.values for series in picture.lanes()[1].series)
    first, last = view.bin_begin_s, view.bin_begin_s + view.bin_s * len(admitted)
    inside = [ok for t, ok in zip(run.arrivals.times_s, run.admitted, strict=True) if first <= t < last]

    assert (inside.count(True), inside.count(False)) == (sum(admitted), sum(rejected))
    assert first <= PARTS[part][0]
    assert last >= PARTS[part][1]
    begin, end = PARTS[part]
    shown = [ok for t, ok in zip(run.arrivals.times_s, run.admitted, strict=True) if begin <= t <= end]
    assert (shown.count(True), shown.count(False)) == view.counts


def test_the_queue_of_a_long_run_has_whole_requests():
    run = simulate(LeakyBucket(60, "10/s", "immediate"), Arrivals.poisson("9.5/s", 1_000, seed=3))
    picture = RunPicture(width_px=420, height_px=300)
    picture.full(run, until_s=1_000)
    (series,) = picture.lanes()[2].series

    assert all(value.is_integer() for value in series.values)
    assert run.summary().peak_depth / 2 < max(series.values) <= run.summary().peak_depth


def test_the_queue_of_a_part_is_that_of_the_run():
    run = simulate(LIMITERS["leaky bucket"], ARRIVALS)
    lanes = drawn(run, (9.5, 11.0)).lanes()
    (series,) = lanes[2].series
    step = Fraction(3, 2) / len(series.values)
    expected = [
        run.queue_depth(Fraction(19, 2) + (k + Fraction(1, 2)) * step) for k in range(len(series.values))
    ]

    assert "Queue" == series.label
    assert max(expected) == max(series.values) > 20
    assert sum(a != b for a, b in zip(expected, series.values, strict=True)) <= len(expected) / 25


@pytest.mark.parametrize("part", PARTS)
def test_a_band_holds_the_level_of_every_run_and_touches_the_outermost(part: str):
    runs = [simulate(limiter, ARRIVALS) for limiter in LIMITERS.values()]
    picture = RunPicture(width_px=420, height_px=300)
    if part == "whole":
        picture.full(runs[0], until_s=20, possible=runs)
    else:
        picture.part(runs[0], PARTS[part], until_s=20, possible=runs)
    lane, requests, *_ = picture.lanes()
    least, most = (series.values for series in lane.series)
    begin_s, end_s = PARTS[part]
    step = Fraction(end_s - begin_s) / len(least)
    outside = loose = 0
    for k, (low, high) in enumerate(zip(least, most, strict=True)):
        at = Fraction(begin_s) + (k + Fraction(1, 2)) * step
        levels = [max(float(100 * run.tokens(at) / (40 if i < 2 else 50)), 0.0) for i, run in enumerate(runs)]
        outside += not low - 0.5 <= min(levels) <= max(levels) <= high + 0.5
        loose += min(levels) - low > 3 or high - max(levels) > 3  # a column is wider than a moment

    assert outside <= len(least) / 100  # as above, at a jump
    assert loose < len(least) / 4
    assert ("Least left, %", "Most left, %") == tuple(series.label for series in lane.series)
    assert "Strictest" == requests.title


def test_a_comparison_has_a_lane_for_each_run():
    runs = {kind: simulate(limiter, ARRIVALS) for kind, limiter in LIMITERS.items()}
    picture = RunPicture(width_px=420, height_px=500)
    picture.full(runs)

    assert list(runs) == [lane.title for lane in picture.lanes()]
    assert {"Rejected"} == {lane.series[-1].label for lane in picture.lanes()}


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_has_lanes_inside_the_picture_that_do_not_overlap(scene: str):
    picture = RunPicture(width_px=420, height_px=300)
    picture.full(SCENES[scene])
    lower = 0.0
    for lane in picture.lanes():
        left, top, width, height = lane.place
        assert 0 < left < left + width < 420
        assert lower <= top < top + height
        lower = top + height
    assert lower < 300


def test_after_a_part_the_whole_picture_has_its_usual_bytes():
    run = simulate(LIMITERS["token bucket"], ARRIVALS)
    picture = drawn(run, (9.5, 11.0))
    part, again = picture.part(run, (9.5, 11.0), until_s=20), picture.full(run, until_s=20)

    assert again == RunPicture(width_px=420, height_px=300).full(run, until_s=20)
    assert part != again
    assert part == RunPicture(width_px=420, height_px=300).part(run, (9.5, 11.0), until_s=20)
    quick = picture.quick(run, until_s=20)
    picture.part(run, (0.0, 11.0), until_s=20)
    assert quick == picture.quick(run, until_s=20)


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_a_part_lies_within_its_axis(begin: float, end: float, whole: float):
    low, high = part_within((begin, end), whole)

    assert 0 <= low < high <= whole * (1 + 1e-9)


@example(1_000_000.0, 0.001953125)
@given(st.floats(0, 1e6), st.floats(1e-3, 1e5))
def test_the_ticks_of_a_part_lie_in_it_and_have_different_labels(begin: float, length: float):
    marks, texts = time_ticks(begin + length, 8, begin)

    assert all(begin * (1 - 1e-9) - 1e-9 <= mark <= (begin + length) * (1 + 1e-9) for mark in marks)
    assert len(texts) == len(set(texts))
