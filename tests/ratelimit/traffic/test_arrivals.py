from __future__ import annotations

import copy
import pickle
from array import array
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from math import cos, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate


def test_times_are_taken_to_the_nearest_nanosecond():
    arrivals = Arrivals.from_times([0, 0.1, 0.30000000000000004, Fraction(2, 3), Decimal("0.7"), "800 ms"])

    assert (0, 100_000_000, 300_000_000, 666_666_667, 700_000_000, 800_000_000) == arrivals.times_ns
    assert (0.0, 0.1, 0.3, 0.666666667, 0.7, 0.8) == arrivals.times_s == tuple(arrivals)


@given(st.lists(st.floats(0, 1e9) | st.integers(0, 10**15).map(lambda k: (k + 0.5) / 1e9)).map(sorted))
def test_a_float_time_means_the_decimal_that_python_prints(times):
    exact = tuple(round(Fraction(repr(t)) * 10**9) for t in times)

    assert exact == Arrivals.from_times(times).times_ns


@pytest.mark.parametrize(
    ("times", "complaint"),
    [
        ([0, 2, 1], r"time 2 \(1.0 s\) is earlier than the one before it \(2.0 s\); sort the times"),
        ([-1, 0], "time 0 is negative"),
        ([0, float("nan")], "time 1 is nan"),
        ([float("inf")], "time 0 is inf"),
        ([0, "soon"], "time 1 cannot be read"),
        ([None], "time 0 must be a number"),
        ([datetime(2026, 1, 5, tzinfo=UTC)], "time 0 is a date; give seconds, and dates to"),
    ],
)
def test_times_that_cannot_be_are_rejected_by_their_place(times, complaint):
    with pytest.raises(InvalidArrivals, match=complaint):
        Arrivals.from_times(times)


def test_an_array_of_times_means_what_its_numbers_mean():
    times = [0.0, 0.1, 0.30000000000000004, 12345.678901234]

    assert Arrivals.from_times(times) == Arrivals.from_times(array("d", times))


def test_times_in_nanoseconds_are_checked_as_well():
    with pytest.raises(InvalidArrivals, match="negative"):
        Arrivals((-1, 0))
    with pytest.raises(InvalidArrivals, match="sort"):
        Arrivals((1, 0))


def test_equal_times_make_equal_arrivals():
    assert Arrivals.steady(2, 2) == Arrivals.from_times([0, 0.5, 1, 1.5])
    assert 4 == len(Arrivals.steady(2, 2))


def test_a_steady_client_is_never_early():
    thirds = Arrivals.steady("3/s", "100 s")

    assert 300 == len(thirds)
    assert [True] * 300 == simulate(TokenBucket(1, 3), thirds).admitted


def test_steady_requests_begin_at_their_start():
    assert (1.5, 2.0, 2.5) == Arrivals.steady(2, 1.5, start_s="1500 ms").times_s


RANDOM = {
    "poisson": lambda seed: Arrivals.poisson(50, 200, seed=seed),
    "bursts": lambda seed: Arrivals.bursts(10, 1, 200, spread_s=0.5, seed=seed),
    "on_off": lambda seed: Arrivals.on_off(100, 1, 1, 200, seed=seed),
    "ramp": lambda seed: Arrivals.ramp(0, 100, 200, seed=seed),
    "diurnal": lambda seed: Arrivals.diurnal(50, 200, period_s=100, seed=seed),
}


@pytest.mark.parametrize("pattern", RANDOM)
def test_a_seed_makes_the_same_traffic_again_and_another_seed_does_not(pattern):
    make = RANDOM[pattern]

    assert make(7).times_ns == make(7).times_ns != make(8).times_ns
    assert list(make(7).times_ns) == sorted(make(7).times_ns)
    assert make(7).times_s[-1] < 200.5


def counts_in(arrivals: Arrivals, begin: float, end: float) -> int:
    return sum(begin <= t < end for t in arrivals)


def about(expected: float):
    """Return True if within 3.3 standard deviations of a Poisson count."""
    return pytest.approx(expected, abs=3.3 * expected**0.5)


def test_poisson_traffic_has_the_mean_rate_it_is_given():
    assert about(10_000) == len(Arrivals.poisson("50/s", 200, seed=1))


def test_bursts_come_together_at_their_times():
    assert (0.0, 0.0, 0.0, 1.0, 1.0, 1.0) == Arrivals.bursts(3, 1, 2).times_s


def test_spread_bursts_stay_within_their_spread():
    arrivals = Arrivals.bursts(100, 10, 20, spread_s=2, seed=1)

    assert (100, 100) == (counts_in(arrivals, 0, 2), counts_in(arrivals, 10, 12))
    assert 200 == len(arrivals)


def test_on_off_traffic_pauses():
    arrivals = Arrivals.on_off(100, 1, 3, 80, seed=1)

    assert about(2000) == len(arrivals)
    assert all(t % 4 < 1 for t in arrivals)


def test_even_on_off_traffic_is_steady_while_it_is_on():
    assert (0.0, 0.5, 3.0, 3.5, 6.0) == Arrivals.on_off(2, 1, 2, 6.5, even=True).times_s


def test_a_ramp_rises_evenly():
    arrivals = Arrivals.ramp(0, 100, 200, seed=1)

    assert about(2500) == counts_in(arrivals, 0, 100)
    assert about(7500) == counts_in(arrivals, 100, 200)
    assert about(7500) == counts_in(Arrivals.ramp("100/s", "0", 200, seed=1), 0, 100)


def test_a_day_is_a_wave_that_is_lowest_at_its_start():
    arrivals = Arrivals.diurnal(100, 400, swing=1, period_s=400, seed=1)

    for quarter in range(4):
        begin, end = quarter * 100, quarter * 100 + 100
        mean = sum(100 * (1 - cos(2 * pi * t / 400)) for t in range(begin, end))
        assert about(mean) == counts_in(arrivals, begin, end)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Arrivals.steady(0, 1), "rate_per_s is zero"),
        (lambda: Arrivals.poisson("-1/s", 1), "rate_per_s is negative"),
        (lambda: Arrivals.poisson(1, 0), "duration_s is zero"),
        (lambda: Arrivals.bursts(2.5, 1, 1), "size must be a whole number"),
        (lambda: Arrivals.bursts(2, 0, 1), "every_s is zero"),
        (lambda: Arrivals.on_off(1, 0, 1, 1), "on_s is zero"),
        (lambda: Arrivals.ramp(-1, 1, 1), "from_per_s is negative"),
        (lambda: Arrivals.diurnal(1, 1, swing=1.1), "swing is 1.1"),
        (lambda: Arrivals.poisson("1000000/s", "1 day"), "about 8.64e[+]10 requests, more than 20,000,000"),
        (lambda: Arrivals.bursts(10**6, 1, 100), "more than 20,000,000"),
        (lambda: Arrivals.on_off("1/ns", 1, 1, 1), "more than 20,000,000"),
    ],
)
def test_patterns_that_cannot_be_are_rejected(make, complaint):
    with pytest.raises(InvalidArrivals, match=complaint):
        make()


def test_arrivals_are_sliced_and_merged_by_time():
    steady, burst = Arrivals.steady(2, 2), Arrivals.bursts(2, 1, 2)

    assert (0.5, 1.0) == steady[1:3].times_s
    assert (1.5, "steady 2/s") == (steady[-1], steady[1:3].pattern)
    assert (0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 1.5) == (steady + burst).times_s
    assert "steady 2/s + bursts of 2 every 1 s" == (steady + burst).pattern
    assert "steady 2/s" == (steady + steady).pattern
    with pytest.raises(TypeError):
        steady + 1.0  # type: ignore[operator]
    with pytest.raises(IndexError):
        steady[4]


def test_dates_are_taken_from_the_midnight_before_the_first_or_from_the_first():
    begin = datetime(2026, 1, 5, 23, 59, 59, 500_000, tzinfo=timezone(timedelta(hours=-2)))
    dates = [begin, begin + timedelta(seconds=1)]

    assert (2 * 3600 - 0.5, 2 * 3600 + 0.5) == Arrivals.from_datetimes(dates).times_s
    assert (0.0, 1.0) == Arrivals.from_datetimes(dates, origin="first").times_s
    assert 0 == len(Arrivals.from_datetimes([]))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_of_pandas_are_taken_to_the_nanosecond(unit):
    import pandas

    late = 7 if unit == "ns" else 0
    index = pandas.DatetimeIndex([f"2026-01-05 10:00:00.{late:09}", "2026-01-05 10:00:01"], tz="UTC").as_unit(
        unit
    )

    expected = (36_000 * 10**9 + late, 36_001 * 10**9)

    assert expected == Arrivals.from_datetimes(index).times_ns
    assert expected == Arrivals.from_datetimes(pandas.Series(index.tz_convert("Asia/Tokyo"))).times_ns


@pytest.mark.parametrize(
    ("moments", "complaint"),
    [
        ([datetime(2026, 1, 5)], "moment 0 is .*, without a time zone; give aware dates"),  # noqa: DTZ001
        ([datetime(2026, 1, 5, tzinfo=UTC), 5], "moment 1 is 5; give a datetime with a time zone"),
        (
            [datetime(2026, 1, 6, tzinfo=UTC), datetime(2026, 1, 5, 23, tzinfo=UTC)],
            "time 1 .* is earlier than the one before it",
        ),
    ],
)
def test_dates_that_cannot_be_are_an_error(moments, complaint):
    with pytest.raises(InvalidArrivals, match=complaint):
        Arrivals.from_datetimes(moments)


def test_an_unknown_origin_of_dates_is_an_error():
    with pytest.raises(InvalidArrivals, match="origin is 'noon'"):
        Arrivals.from_datetimes([datetime(2026, 1, 5, tzinfo=UTC)], origin="noon")


@pytest.mark.parametrize("times_ns", [[], [0, 5, 5, 10**18]])
def test_an_array_of_nanoseconds_is_the_same_traffic_as_a_tuple(times_ns):
    numpy = pytest.importorskip("numpy")
    plain, of_array = Arrivals(tuple(times_ns)), Arrivals.from_ns(numpy.array(times_ns, "int64"))

    assert len(plain) == len(of_array)
    assert plain[1:] == of_array[1:]
    assert plain == of_array
    assert hash(plain) == hash(of_array)
    assert plain.times_s == of_array.times_s
    assert {int} >= set(map(type, of_array.times_ns))
    assert plain == Arrivals.from_ns(times_ns) == pickle.loads(pickle.dumps(of_array)) == copy.copy(of_array)
    assert not hasattr(of_array, "rate")


def test_an_array_of_nanoseconds_is_not_copied_until_a_tuple_is_needed():
    numpy = pytest.importorskip("numpy")
    times_ns = numpy.arange(1_000)

    arrivals = Arrivals.from_ns(times_ns)

    assert 1_000 == len(arrivals)
    assert numpy.shares_memory(times_ns, arrivals._int64)
    assert "times_ns" not in arrivals.__dict__


@pytest.mark.parametrize(
    ("times_ns", "problem"),
    [
        ([0.5], "a time is no integer; give whole nanoseconds"),
        (["1"], "a time is no integer"),
        ([-1, 3], "a time is negative"),
        ([5, 3], "time 1 .* is earlier than the one before it"),
        ([10**25], "a time is out of range"),
    ],
)
def test_nanoseconds_that_are_none_or_out_of_order_are_an_error(times_ns, problem):
    numpy = pytest.importorskip("numpy")

    with pytest.raises(InvalidArrivals, match=problem):
        Arrivals.from_ns(times_ns)
    if type(times_ns[0]) is int and times_ns[0] < 2**63:
        with pytest.raises(InvalidArrivals, match=problem):
            Arrivals.from_ns(numpy.array(times_ns))
