"""The steps of a slider can be entered as they are, rise, and lie near every value."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import slider_scale
from hook_widgets.ratelimit.units import duration, number, rate, share

ALL = {
    "rates": (slider_scale.rates("hour"), rate),
    "odd rates": (slider_scale.rates("10 s"), rate),
    "counts": (slider_scale.counts(4, zero=True), number),
    "shares": (slider_scale.shares(50), share),
    "times": (slider_scale.times("1 ms", "30 day"), duration),
}


@pytest.mark.parametrize("name", ALL)
def test_steps_rise_and_read_as_their_values(name):
    scale, read = ALL[name]

    assert list(scale.values) == [read(step, "") for step in scale.steps]
    assert all(low < high for low, high in pairwise(scale.values))


def test_a_slider_goes_from_the_shortest_to_the_longest_time():
    scale = slider_scale.times("10 ms", "1 h", zero=True)

    assert ("0 s", "10 ms", "1 h") == (scale.steps[0], scale.steps[1], scale.steps[-1])


@given(name=st.sampled_from(list(ALL)), value=st.fractions(0, 10**8))
def test_no_step_is_nearer_than_the_nearest(name, value):
    scale, _ = ALL[name]
    nearest = scale.nearest(value)

    assert min(abs(step - value) for step in scale.values) == abs(scale.values[nearest] - value)


@pytest.mark.parametrize("unit", ["hour", "min", "10 s"])
def test_a_step_of_its_own_value_is_found_again(unit):
    scale = slider_scale.rates(unit)

    assert list(range(len(scale.steps))) == [scale.nearest(value) for value in scale.values]
    assert Fraction(1) / duration(unit if unit[0].isdigit() else f"1 {unit}", "") == scale.values[0]


def test_an_unknown_unit_has_no_steps():
    with pytest.raises(InvalidLimit, match="no unit of time"):
        slider_scale.rates("fortnight")


def test_what_is_kept_for_units_that_were_typed_has_an_end():
    for tenths in range(200):
        slider_scale.rates(f"{1 + tenths / 10} s")

    assert slider_scale.rates.cache_info().currsize <= 64
