"""Test statistics over runs against published tables."""

from __future__ import annotations

import math

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients import Estimate, jain_index, student_t

# NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2: critical values of Student's t, for the
# upper tail of 0.05, 0.025 and 0.005.
TABLE = {
    1: (6.314, 12.706, 63.657),
    2: (2.920, 4.303, 9.925),
    3: (2.353, 3.182, 5.841),
    4: (2.132, 2.776, 4.604),
    9: (1.833, 2.262, 3.250),
    10: (1.812, 2.228, 3.169),
    19: (1.729, 2.093, 2.861),
    30: (1.697, 2.042, 2.750),
    99: (1.660, 1.984, 2.626),
    100: (1.660, 1.984, 2.626),
}


@pytest.mark.parametrize(("freedom", "values"), TABLE.items())
def test_t_is_that_of_the_table(freedom, values):
    computed = [student_t(confidence, freedom) for confidence in (0.90, 0.95, 0.99)]

    assert pytest.approx(values, abs=0.0005001) == computed


def test_t_tends_to_the_normal_distribution():
    assert student_t(0.95, 10_000) == pytest.approx(1.959964, abs=3e-4)


def test_an_interval_is_the_mean_and_t_standard_errors():
    """9, 10, 11: deviation 1, standard error 1/sqrt(3), t = 4.303 for two degrees of freedom."""
    estimate = Estimate.of([9, 10, 11])

    assert (10, 3) == (estimate.mean, estimate.count)
    assert estimate.high - 10 == pytest.approx(4.3027 / math.sqrt(3), abs=1e-4)
    assert 10 - estimate.low == pytest.approx(estimate.high - 10)


def test_one_run_tells_nothing_about_the_spread():
    assert (5, -math.inf, math.inf) == (Estimate.of([5]).mean, Estimate.of([5]).low, Estimate.of([5]).high)


def test_the_index_is_that_of_jains_report():
    """DEC-TR-301, section 2: if k of n share equally and the others get nothing, the index is k / n."""
    for n in range(1, 12):
        for k in range(1, n + 1):
            assert jain_index([3.5] * k + [0] * (n - k)) == pytest.approx(k / n)
    assert jain_index([]) == jain_index([0, 0]) == 1


@pytest.mark.parametrize(
    "compute",
    [
        lambda: Estimate.of([]),
        lambda: Estimate.of([math.inf]),
        lambda: Estimate.of([math.nan, 1]),
        lambda: Estimate.of([1, 2], 1),
        lambda: Estimate.of([1], 0),
        lambda: student_t(0.95, 0),
        lambda: student_t(0.95, 10**9),
    ],
)
def test_impossible_statistics_are_errors(compute):
    with pytest.raises(InvalidLimit):
        compute()
