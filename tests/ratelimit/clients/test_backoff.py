"""Test waits: the formulas of their sources, with numbers computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients import Backoff, Jitter, RetryAfterRule, RetrySchedule


def waits(rule, u, count=5):
    previous, result = 0.0, []
    for n in range(count):
        previous = rule.wait_s(n, u, previous)
        result.append(previous)
    return result


@pytest.mark.parametrize(
    ("jitter", "u", "expected"),
    [
        # "Exponential Backoff and Jitter", AWS Architecture Blog: base 1, cap 10
        ("none", 0.3, [1, 2, 4, 8, 10]),
        ("full", 0.5, [0.5, 1, 2, 4, 5]),  # random(0, min(cap, base * 2^n))
        ("equal", 0.5, [0.75, 1.5, 3, 6, 7.5]),  # temp / 2 + random(0, temp / 2)
        ("decorrelated", 0.5, [2, 3.5, 5.75, 9.125, 10]),  # min(cap, random(base, 3 * sleep))
    ],
)
def test_the_waits_are_those_of_the_published_formulas(jitter, u, expected):
    assert expected == waits(Backoff(1, max_s=10, jitter=jitter), u)


def test_an_addition_stays_below_the_maximum_and_a_factor_does_not():
    added = Backoff("100 ms", max_s=1, jitter="added", jitter_s="0.5 s")
    scaled = Backoff("100 ms", max_s=1, jitter="scaled", scale=(0.8, 1.2))

    assert pytest.approx([0.35, 0.45, 0.65, 1, 1]) == waits(added, 0.5)
    assert pytest.approx([0.11, 0.22, 0.44, 0.88, 1.1]) == waits(scaled, 0.75)


def test_a_wait_for_the_first_retry_and_a_minimum_replace_the_rule():
    assert [0, 2, 4] == waits(Backoff(1, jitter="none", first_s=0), 0.5, 3)
    assert [3, 3, 4] == waits(Backoff(1, jitter="none", min_s=3), 0.5, 3)
    assert [3, 3, 3.5] == waits(Backoff(1, jitter="full", min_s=3), 0.5, 3)


def test_a_schedule_goes_on_with_its_last_wait():
    assert [5, 300, 300] == waits(RetrySchedule(["5 s", "5 min"]), 0.5, 3)


@given(
    st.sampled_from(list(Jitter)),
    st.integers(0, 1000),
    st.floats(0, 1, exclude_max=True),
    st.floats(0, 1e8),
    st.floats(0, 1e6),
    st.one_of(st.none(), st.floats(0, 1e8)),
)
def test_no_wait_is_negative_or_longer_than_it_may_be(jitter, n, u, base_s, factor, max_s):
    rule = Backoff(base_s, factor=factor, max_s=max_s, jitter=jitter, jitter_s=1, scale=(0.5, 2))

    assert 0 <= rule.wait_s(n, u, 1.0) <= (1e8 if max_s is None else max_s) * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"base_s": -1}, "base_s is negative"),
        ({"base_s": "1e9 s"}, "base_s is out of range"),
        ({"base_s": 1, "factor": 10**7}, "factor is out of range"),
        ({"base_s": 1, "jitter": "ful"}, "jitter is 'ful'; did you mean 'full'"),
        ({"base_s": 1, "min_s": 3, "max_s": 2}, "min_s is longer than max_s"),
        ({"base_s": 1, "scale": (1,)}, "scale must be two factors"),
        ({"base_s": 1, "scale": 1}, "scale must be two factors"),
        ({"base_s": None}, "base_s must be a number"),
    ],
)
def test_impossible_waits_are_errors(arguments, message):
    with pytest.raises(InvalidLimit, match=message):
        Backoff(**arguments)


@pytest.mark.parametrize("waits_s", [[], "5 s", 5, ["soon"], [1] * 1001])
def test_impossible_schedules_are_errors(waits_s):
    with pytest.raises(InvalidLimit):
        RetrySchedule(waits_s)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (RetryAfterRule("ignored"), 2),
        (RetryAfterRule("honoured"), 30),
        (RetryAfterRule("honoured", jitter_s=10), 35),
        (RetryAfterRule("honoured", max_s=20), 20),
        (RetryAfterRule("honoured", max_s=20, too_long="ignore"), 2),
        (RetryAfterRule("honoured", max_s=20, too_long="give_up"), None),
        (RetryAfterRule("longer", max_s=1), 2),
        (RetryAfterRule("added"), 32),
    ],
)
def test_what_a_rule_makes_of_retry_after(rule, expected):
    assert expected == rule.wait_s(30, 2, 0.5)
    assert rule.wait_s(None, 2, 0.5) == 2


def test_a_rule_may_require_the_field():
    assert RetryAfterRule(required=True).wait_s(None, 2, 0.5) is None
    with pytest.raises(InvalidLimit, match="use is 'obey'"):
        RetryAfterRule("obey")
