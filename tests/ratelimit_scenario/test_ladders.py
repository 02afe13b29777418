"""The steps of a slider can be entered as they are, rise, and lie near every value."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import ladders
from hook_widgets.ratelimit.inputs import share
from hook_widgets.ratelimit.quantity import duration, number, rate

ALL = {
    "rates": (ladders.rates("hour"), rate),
    "odd rates": (ladders.rates("10 s"), rate),
    "counts": (ladders.counts(4, zero=True), number),
    "shares": (ladders.shares(50), share),
    "times": (ladders.times("1 ms", "30 day"), duration),
}


@pytest.mark.parametrize("name", ALL)
def test_steps_rise_and_read_as_their_values(name):
    ladder, read = ALL[name]

    assert list(ladder.values) == [read(step, "") for step in ladder.steps]
    assert all(low < high for low, high in pairwise(ladder.values))


def test_a_slider_goes_from_the_shortest_to_the_longest_time():
    found = ladders.times("10 ms", "1 h", zero=True)

    assert ("0 s", "10 ms", "1 h") == (found.steps[0], found.steps[1], found.steps[-1])


@given(name=st.sampled_from(list(ALL)), value=st.fractions(0, 10**8))
def test_no_step_is_nearer_than_the_nearest(name, value):
    ladder, _ = ALL[name]
    found = ladder.nearest(value)

    assert min(abs(step - value) for step in ladder.values) == abs(ladder.values[found] - value)


@pytest.mark.parametrize("unit", ["hour", "min", "10 s"])
def test_a_step_of_its_own_value_is_found_again(unit):
    ladder = ladders.rates(unit)

    assert list(range(len(ladder.steps))) == [ladder.nearest(value) for value in ladder.values]
    assert Fraction(1) / duration(unit if unit[0].isdigit() else f"1 {unit}", "") == ladder.values[0]


def test_an_unknown_unit_has_no_steps():
    with pytest.raises(InvalidLimit, match="no unit of time"):
        ladders.rates("fortnight")


def test_what_is_kept_for_units_that_were_typed_has_an_end():
    for tenths in range(200):
        ladders.rates(f"{1 + tenths / 10} s")

    assert ladders.rates.cache_info().currsize <= 64
