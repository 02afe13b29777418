"""``X-RateLimit-*``: two dialects of Reset, said and never guessed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.x_ratelimit_headers import ResetDialect, XRateLimit

wholes = st.integers(0, 10**15 - 1)
records = st.builds(XRateLimit, wholes, wholes, wholes, st.sampled_from(ResetDialect))
seconds = st.one_of(st.floats(0, 1e6, allow_nan=False), st.fractions(0, 10**6))
epochs = st.one_of(st.floats(0, 4e9, allow_nan=False), st.fractions(0, 4 * 10**9))


def test_the_two_dialects_tell_the_same_end_in_different_units() -> None:
    numbers = {"limit": 60, "remaining": 3, "reset_s": 30}
    delta = XRateLimit.rounded(**numbers, dialect="delta")
    epoch = XRateLimit.rounded(**numbers, dialect="epoch", now=1_790_000_000)

    expected = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "30"}
    assert expected == delta.headers()
    assert expected | {"X-RateLimit-Reset": "1790000030"} == epoch.headers()
    assert 30 == delta.wait_s(1_790_000_000) == epoch.wait_s(1_790_000_000)


@given(records)
def test_what_is_written_is_read_back(record: XRateLimit) -> None:
    assert record == XRateLimit.parse(record.headers(), dialect=record.dialect)


def test_names_are_read_in_any_case() -> None:
    headers = {"x-ratelimit-limit": "60", "X-RATELIMIT-REMAINING": "0", "X-Ratelimit-Reset": " 5 "}

    assert XRateLimit(60, 0, 5, ResetDialect.DELTA) == XRateLimit.parse(headers, dialect="delta")


@given(reset=seconds, remaining=seconds, now=epochs, dialect=st.sampled_from(ResetDialect))
def test_a_client_that_obeys_is_never_early_and_never_over(
    reset: float | Fraction, remaining: float | Fraction, now: float | Fraction, dialect: ResetDialect
) -> None:
    x_headers = XRateLimit.rounded(limit=100, remaining=remaining, reset_s=reset, dialect=dialect, now=now)

    assert 0 <= x_headers.wait_s(now) - Fraction(reset) < 1
    assert 0 <= Fraction(remaining) - x_headers.remaining < 1


def test_the_wait_for_an_end_that_has_passed_is_zero() -> None:
    assert 0 == XRateLimit(60, 0, 1_790_000_000, ResetDialect.EPOCH).wait_s(1_790_000_001.5)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"dialect": "millis"}, "is 'epoch' or 'delta', not 'millis'"),
        ({"dialect": "epoch"}, "needs the time of the response; pass now="),
        ({"reset_s": float("inf")}, "X-RateLimit-Reset must be a finite number"),
        ({"limit": "60"}, "X-RateLimit-Limit must be a number, not str"),
        ({"remaining": float("nan")}, "X-RateLimit-Remaining must be a finite number"),
    ],
)
def test_fields_that_cannot_be_written_are_rejected(changed: dict[str, Any], problem: str) -> None:
    arguments: dict[str, Any] = {"limit": 60, "remaining": 3, "reset_s": 30, "dialect": "delta"}

    with pytest.raises(InvalidHeader, match=problem):
        XRateLimit.rounded(**(arguments | changed))


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1e3", "٣", "1 2", "9" * 16])
def test_a_field_that_is_no_whole_number_is_rejected(text: str) -> None:
    headers = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": text, "X-RateLimit-Reset": "30"}

    with pytest.raises(InvalidHeader, match=r"X-RateLimit-Remaining is .*; it must be a whole number"):
        XRateLimit.parse(headers, dialect="delta")


def test_a_missing_field_is_named() -> None:
    with pytest.raises(InvalidHeader, match="X-RateLimit-Reset is missing"):
        XRateLimit.parse({"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "1"}, dialect="delta")
