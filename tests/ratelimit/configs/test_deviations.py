"""Test differences in words and numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.ratelimit.configs import Deviation


@pytest.mark.parametrize(
    ("deviation", "expected"),
    [
        (Deviation("words"), "words"),
        (Deviation("times", None, Fraction(1, 1000), "s"), "times: 1 ms"),
        (Deviation("idle", Fraction(12_060), Fraction(6), "s"), "idle: 3 h 21 min → 6 s"),
        (Deviation("early", Fraction(0), Fraction(1, 10**9), "s"), "early: 0 s → 0.001 µs"),
        (Deviation("burst", Fraction(20), Fraction(41, 2), "requests"), "burst: 20 requests → 20.5 requests"),
        (
            Deviation("burst", Fraction(2000), Fraction(2000) + Fraction(1, 12), "requests"),
            "burst: 2,000 requests → 2,000.08 requests",
        ),
        (Deviation("status", Fraction(429), Fraction(503)), "status: 429 → 503"),
        (
            Deviation("same", Fraction(1, 3), Fraction(1, 3), "1/s"),
            "same: 0.333/s → 0.333/s",
        ),
        (Deviation("rate", Fraction(7), Fraction(10**9, 142_857_142), "1/s"), "rate: 7/s → 7.00000004/s"),
    ],
)
def test_as_many_digits_as_tell_the_numbers_apart(deviation: Deviation, expected: str):
    assert expected == str(deviation)
