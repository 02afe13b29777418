"""Worst-case bounds against a brute-force bucket, and retries against the fixed point they solve."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.bounds import (
    backlog_bound,
    delay_bound_s,
    gcra_burst,
    most_admitted,
    on_off_capacity,
    output_burst,
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


@given(
    capacity=st.integers(1, 20),
    rate=rates,
    gaps=st.lists(st.fractions(0, 1, max_denominator=10), max_size=60),
)
def test_no_trace_gets_more_through_a_bucket_than_the_bound(
    capacity: int, rate: Fraction, gaps: list[Fraction]
) -> None:
    times = [sum(gaps[:n], Fraction(0)) for n in range(1, len(gaps) + 1)]
    passed = sum(admitted(Fraction(capacity), rate, times))

    assert passed <= most_admitted(capacity, rate, times[-1] - times[0] if times else 0)


def test_a_greedy_client_reaches_the_bound() -> None:
    times = [Fraction(0)] * 10 + [Fraction(n, 10) for n in range(1, 11)]

    assert 20 == sum(admitted(Fraction(10), Fraction(10), times)) == most_admitted(10, 10, 1)


def test_a_bucket_that_never_holds_a_token_admits_nothing() -> None:
    assert 0 == most_admitted(0.5, 100, 3600)


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


def test_backlog_delay_and_output_are_those_of_network_calculus() -> None:
    # b = 200, rho = 80/s into R = 100/s, T = 0.5 s
    assert (
        240 == backlog_bound(200, "100/s", "500 ms", "80/s") == output_burst(200, "100/s", "500 ms", "80/s")
    )
    assert Fraction(5, 2) == delay_bound_s(200, "100/s", "500 ms", "80/s")


def test_more_than_can_be_served_has_no_bound() -> None:
    for bound in (backlog_bound, delay_bound_s, output_burst):
        with pytest.raises(InvalidLimit, match="arrival_rate is '101/s', above the service_rate of '100/s'"):
            bound(1, "100/s", 0, "101/s")


@pytest.mark.parametrize(("spacing", "expected"), [(0, 10), ("50 ms", 19), ("99 ms", 901)])
def test_a_burst_through_gcra_is_that_of_i_371(spacing: str, expected: int) -> None:
    assert expected == gcra_burst("100 ms", "900 ms", spacing)


def test_a_burst_slower_than_the_rate_never_ends() -> None:
    with pytest.raises(InvalidLimit, match="shorter than interval_s"):
        gcra_burst(1, 1, 1)


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
        (most_admitted, (-1, 1, 1), "capacity is negative"),
        (on_off_capacity, ("40/s", "10/s", 0), "on_s is zero"),
        (on_off_capacity, ("many", "10/s", 1), "peak_rate cannot be read"),
        (backlog_bound, (1, 0, 0, 1), "service_rate is zero"),
        (retry_amplification, (2, 1.5), "retries must be a whole number"),
        (retry_amplification, (float("nan"), 1), "load is nan"),
    ],
)
def test_a_number_that_cannot_be_is_refused(
    call: Callable[..., Any], arguments: tuple[Any, ...], problem: str
) -> None:
    with pytest.raises(InvalidLimit, match=problem):
        call(*arguments)
