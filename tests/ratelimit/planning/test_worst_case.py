"""Worst-case bounds against a brute-force bucket, and retries against the fixed point they solve."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.planning.worst_case import (
    on_off_capacity,
    retry_amplification,
)

rates = st.fractions(Fraction(1, 10), 50, max_denominator=20)


def admitted(capacity: Fraction, refill: Fraction, times: list[Fraction]) -> list[bool]:
    """A token bucket in exact arithmetic, as plainly as it can be written."""
    level, last, decisions = capacity, Fraction(0), []
    for time in times:
        level = min(capacity, level + refill * (time - last))
        last = time
        decisions.append(level >= 1)
        level -= decisions[-1]
    return decisions


@given(peak=rates, refill=rates, on_s=st.fractions(Fraction(1, 10), 5, max_denominator=10))
def test_a_bucket_for_an_on_off_burst_loses_nothing_and_one_token_less_loses(
    peak: Fraction, refill: Fraction, on_s: Fraction
) -> None:
    capacity = on_off_capacity(peak, refill, on_s)
    times: list[Fraction] = []
    while len(times) / peak < on_s:
        times.append(len(times) / peak)

    assert all(admitted(Fraction(capacity), refill, times))
    assert capacity == 1 or not all(admitted(Fraction(capacity - 1), refill, times))


def test_the_burst_of_the_published_example_needs_61_tokens() -> None:
    times = [Fraction(n, 40) for n in range(80)]

    assert 61 == on_off_capacity("40/s", "10/s", "2 s")
    assert 79 == sum(admitted(Fraction(60), Fraction(10), times))


@given(load=st.floats(1.001, 20), retries=st.integers(0, 30))
def test_retries_solve_their_fixed_point_and_serve_no_one_more(load: float, retries: int) -> None:
    attempts = retry_amplification(load, retries)
    refused = 1 - 1 / attempts

    assert attempts == pytest.approx(load * sum(refused**n for n in range(retries + 1)), rel=1e-9)
    assert 1 / load == pytest.approx(1 - refused ** (retries + 1), rel=1e-9)


def test_retries_are_those_of_the_table() -> None:
    expected = {0: 2.00, 1: 3.41, 3: 6.29, 5: 9.17, 10: 16.4}

    assert expected == {n: float(f"{retry_amplification(2, n):.3g}") for n in expected}


def test_below_the_limit_nothing_is_retried() -> None:
    assert 0.8 == retry_amplification(0.8, 10)


@pytest.mark.parametrize(
    ("call", "arguments", "problem"),
    [
        (on_off_capacity, ("40/s", "10/s", 0), "on_s is zero"),
        (on_off_capacity, ("many", "10/s", 1), "peak_rate cannot be read"),
        (on_off_capacity, (1, 0, 1), "refill_rate is zero"),
        (retry_amplification, (2, 1.5), "retries must be a whole number"),
        (retry_amplification, (float("nan"), 1), "load is nan"),
    ],
)
def test_a_number_that_cannot_be_is_rejected(
    call: Callable[..., Any], arguments: tuple[Any, ...], problem: str
) -> None:
    with pytest.raises(InvalidLimit, match=problem):
        call(*arguments)
