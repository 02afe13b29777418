"""Numbers in words: easy to read, never rounded to something else."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.ratelimit import units
from hook_widgets.ratelimit.formatting import count, percent, rate, seconds, short, window


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "0"),
        (1000, "1,000"),
        (1234.5, "1,234"),
        (99.95, "100"),
        (12.345, "12.3"),
        (Fraction(17, 72), "0.236"),
        (0.00012, "0.00012"),
        (1.2e-10, "under 0.0001"),
        (float("inf"), "without end"),
    ],
)
def test_a_number_keeps_three_digits_and_groups_thousands(value: float, expected: str) -> None:
    assert expected == short(value)


def test_a_number_for_checking_a_sum_keeps_more_digits() -> None:
    assert ["283.333", "12,345.7", "1.2e-10"] == [
        short(value, digits=6) for value in (850 / 3, 12345.678, 1.2e-10)
    ]


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (0, "0 s"),
        (0.25, "250 ms"),
        (0.0117647, "11.8 ms"),
        (0.001, "1 ms"),
        (0.9999, "1 s"),
        (0.00099999, "1 ms"),
        (1.5, "1.5 s"),
        (59.99, "60 s"),
        (60, "1 min"),
        (3660, "1 h 1 min"),
        (90_000, "1 d 1 h"),
        (90_000.5, "1 d 2 h"),
        (1234 * 86_400, "1,234 d"),
        (50.8235, "50.9 s"),
        (0.1 + 0.2, "300 ms"),
        (1.25e-7, "0.125 µs"),
        (float("inf"), "without end"),
    ],
)
def test_a_span_has_at_most_two_units_and_is_rounded_up(span: float, expected: str) -> None:
    assert expected == seconds(span)


@pytest.mark.parametrize(
    ("span", "expected"), [(1, "per second"), (60, "per minute"), (86_400, "per day"), (10, "in 10 s")]
)
def test_a_window_is_named_when_it_has_a_name(span: int, expected: str) -> None:
    assert expected == window(span)


@pytest.mark.parametrize(
    ("per_s", "expected"),
    [
        (100, "100/s"),
        (1.5, "1.5/s"),
        (Fraction(1, 60), "1/min"),
        (Fraction(850, 3600), "850/h"),
        (2.345, "2.34/s"),
        (0.00001, "0.864/d"),
    ],
)
def test_a_rate_is_formatted_in_the_unit_that_makes_it_at_least_one(per_s: float, expected: str) -> None:
    assert expected == rate(per_s)


@given(st.fractions(Fraction(1, 1000), 10**6), st.sampled_from([0, 1, 60, 3600, 86_400]))
def test_a_rate_is_never_rounded_up_and_one_that_must_suffice_never_down(
    per_s: Fraction, window_s: int
) -> None:
    least, most = (
        units.rate(rate(per_s, window_s=window_s, rounding=rounding).replace(",", ""), "rate")
        for rounding in (math.floor, math.ceil)
    )

    assert least <= per_s * (1 + Fraction(1, 10**6))
    assert per_s <= most * (1 + Fraction(1, 10**6))
    assert most <= least * Fraction(102, 100)


@given(st.fractions(Fraction(1, 10**6), 10**6))
def test_a_span_is_never_rounded_down(span: Fraction) -> None:
    sizes: dict[str, Fraction | int] = {
        "µs": Fraction(1, 10**6),
        "ms": Fraction(1, 1000),
        "s": 1,
        "min": 60,
        "h": 3600,
        "d": 86_400,
    }
    words = seconds(span).split()
    total = sum(Fraction(many) * sizes[unit] for many, unit in zip(words[::2], words[1::2], strict=True))

    assert span <= total * (1 + Fraction(1, 10**6)) <= span * Fraction(105, 100)


def test_a_rate_can_be_formatted_in_the_unit_of_a_window() -> None:
    assert ["10,200/h", "0.5/s", "2.83/s"] == [
        rate(Fraction(17, 6), window_s=3600),
        rate(0.5, window_s=1),
        rate(2.83333, window_s=10),
    ]


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0, "0%"),
        (0.15, "15%"),
        (0.001, "0.1%"),
        (Fraction(1, 3), "33.3%"),
        (1e-9, "under 0.001%"),
        (Fraction(9994, 10_000), "99.9%"),
        (Fraction(9996, 10_000), "over 99.9%"),
        (1, "100%"),
        (Fraction(10_001, 10_000), "100%"),
    ],
)
def test_a_share_is_formatted_in_per_cent(share: float, expected: str) -> None:
    assert expected == percent(share)


def test_a_least_share_is_rounded_down() -> None:
    assert ["16.6%", "16.7%"] == [percent(Fraction(1, 6), down=True), percent(Fraction(1, 6))]
    assert "99.9%" == percent(0.99999, down=True)  # "at least over 99.9%" would be said else


def test_one_is_not_many() -> None:
    assert ["1 call", "0 calls", "2 retries"] == [
        count(1, "call"),
        count(0, "call"),
        count(2, "retry", "retries"),
    ]
