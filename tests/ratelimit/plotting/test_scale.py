"""Test the round numbers of axes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.ratelimit.plotting.view_model.scale import (
    axis_unit,
    ceil_nice,
    ceil_span,
    compact,
    floor_nice,
    in_its_unit,
    level_ticks,
    quantised,
    rounded_end,
    time_ticks,
)

positive = st.floats(1e-9, 1e12)


@given(positive)
def test_a_rounded_end_is_a_little_later_and_never_earlier(end):
    assert end * (1 - 1e-9) <= rounded_end(end) <= end * 1.031


@given(positive)
def test_a_quantised_axis_holds_the_value_and_is_not_much_longer(value):
    assert value * (1 - 1e-9) <= quantised(value) <= value * 1.5


def test_there_are_few_quantised_axes():
    assert 7 == len({quantised(100 + k) for k in range(901)} - {100.0})


@given(positive)
def test_nice_numbers_enclose_a_value(value):
    assert floor_nice(value) <= value * (1 + 1e-9)
    assert ceil_nice(value) >= value * (1 - 1e-9)
    assert ceil_nice(value) <= 2.5 * floor_nice(value) * (1 + 1e-9)


@given(end=positive, most=st.integers(2, 20))
def test_marks_of_time_are_even_begin_at_nothing_and_have_room(end, most):
    marks, texts = time_ticks(end, most)

    assert 0.0 == marks[0]
    assert marks[-1] <= end * (1 + 1e-6)
    assert 1 <= len(marks) == len(set(texts)) <= most + 1
    steps = [b - a for a, b in pairwise(marks)]
    assert steps == pytest.approx(steps[:1] * len(steps))


@pytest.mark.parametrize(
    ("end", "last"),
    [
        (2e-6, "2 µs"),
        (0.04, "40 ms"),
        (120, "120 s"),
        (600, "10 min"),
        (6 * 3600, "6 h"),
        (14 * 86_400, "14 d"),
    ],
)
def test_time_is_marked_in_a_unit_that_makes_small_numbers(end, last):
    assert last == time_ticks(end, 5)[1][-1]


@pytest.mark.parametrize(
    ("days", "most", "texts"),
    [
        (3, 8, ["0 h", "12 h", "24 h", "36 h", "48 h", "60 h", "72 h"]),
        (3, 5, ["0 d", "1 d", "2 d", "3 d"]),
        (5, 3, ["0 d", "4 d"]),
        (7, 3, ["0 d", "7 d"]),
    ],
)
def test_days_are_marked_whole_or_in_hours(days, most, texts):
    assert texts == time_ticks(days * 86_400, most)[1]


@given(high=st.floats(1, 1e12), most=st.integers(1, 12))
def test_marks_of_counts_are_whole_numbers_from_nothing_on(high, most):
    marks = level_ticks(0.0, high, most)

    assert 0.0 == marks[0]
    assert len(marks) >= 2
    assert all(mark == round(mark) and mark <= high * (1 + 1e-8) for mark in marks)


def test_a_span_is_one_that_people_count_in():
    asked = (0.0003, 0.3, 0.9, 4, 12, 45, 700, 4000, 30_000)

    assert [0.0005, 0.5, 1, 5, 15, 60, 900, 7200, 43_200] == [ceil_span(seconds) for seconds in asked]


def test_a_time_is_rounded_in_the_unit_of_its_axis():
    assert 21 * 86_400 == in_its_unit(20.99 * 86_400, rounded_end)


@given(st.floats(-1e12, 1e12))
def test_a_compact_number_is_short_and_near(value):
    text = compact(value)
    factor = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    number = float(text.rstrip("kMGT").replace(",", "")) * factor.get(text[-1], 1)

    assert len(text) <= 7 or abs(value) < 0.1  # leading zeros
    assert number == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize(
    ("days", "unit"), [(3, ("h", 3600.0, 2)), (13, ("h", 3600.0, 1)), (30, ("d", 86_400.0, 2))]
)
def test_a_time_of_some_days_is_read_in_hours(days, unit):
    assert unit == axis_unit(days * 86_400)
