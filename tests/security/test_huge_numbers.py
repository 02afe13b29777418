"""Numbers out of any range, and logs that are none, raise the exceptions that are documented."""

from __future__ import annotations

import contextlib
import math
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidHeader, InvalidLimit, nearest
from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    LeakyBucket,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    clients,
    draw_run_svg,
    http,
    import_config,
    observe,
    parse_ratelimit,
    parse_retry_after,
    plan,
    preset,
    retry_wait_s,
    simulate,
)
from tests.support.work import at_most_lines

DIGITS = 10**5000  #: an integer that Python does not write in decimal


@pytest.mark.parametrize("text", ["time\n1\n" + "x" * 140_000 + "\n", "x" * 140_000])
def test_a_field_of_a_log_that_is_too_long_is_rejected_with_its_line(text, tmp_path):
    path = tmp_path / "requests.csv"
    path.write_text(text)

    with pytest.raises(InvalidArrivals, match=r"requests.csv, line \d+: "):
        Arrivals.from_log(path)


def test_a_quote_that_does_not_end_costs_its_line(tmp_path):
    path = tmp_path / "requests.csv"
    path.write_text('time\n"' + "1\n" * 100_000)

    arrivals = Arrivals.from_log(path)

    assert 99_999 == len(arrivals)
    assert "1 of 100001 lines skipped (2)" in arrivals.pattern


@pytest.mark.parametrize("path", ["/dev/zero", "a\0b", "\ud800", "", "."])
def test_a_path_of_no_log_is_rejected(path):
    with pytest.raises(InvalidArrivals):
        Arrivals.from_log(path)


HUGE: list[Any] = [
    DIGITS,
    -DIGITS,
    Fraction(DIGITS, 3),
    Decimal(10) ** 5000,
    Decimal(DIGITS),
    "1e400",
    "1e999",
    math.inf,
    math.nan,
]
TINY: list[Any] = [Fraction(1, DIGITS), Decimal("0." + "1" * 5000), Decimal(10) ** -5000, "1e-999", 5e-324]
TRAFFIC = {
    "steady rate": lambda value: Arrivals.steady(value, 1),
    "steady duration": lambda value: Arrivals.steady(1, value),
    "steady start": lambda value: Arrivals.steady(1, 1, start_s=value),
    "poisson rate": lambda value: Arrivals.poisson(value, 1),
    "poisson duration": lambda value: Arrivals.poisson(1, value),
    "bursts size": lambda value: Arrivals.bursts(value, 1, 1),
    "bursts every": lambda value: Arrivals.bursts(1, value, 1),
    "bursts duration": lambda value: Arrivals.bursts(1, 1, value),
    "bursts spread": lambda value: Arrivals.bursts(1, 1, 1, spread_s=value),
    "on_off rate": lambda value: Arrivals.on_off(value, 1, 1, 1),
    "on_off on": lambda value: Arrivals.on_off(1, value, 1, 1),
    "on_off off": lambda value: Arrivals.on_off(1, 1, value, 1),
    "on_off duration": lambda value: Arrivals.on_off(1, 1, 1, value),
    "ramp from": lambda value: Arrivals.ramp(value, 1, 1),
    "ramp to": lambda value: Arrivals.ramp(1, value, 1),
    "ramp duration": lambda value: Arrivals.ramp(1, 1, value),
    "diurnal mean": lambda value: Arrivals.diurnal(value, 1),
    "diurnal duration": lambda value: Arrivals.diurnal(1, value),
    "diurnal swing": lambda value: Arrivals.diurnal(1, 1, swing=value),
    "diurnal period": lambda value: Arrivals.diurnal(1, 1, period_s=value),
    "times": lambda value: Arrivals.from_times([value]),
    "times out of order": lambda value: Arrivals.from_times([value, 1]),
    "costs": lambda value: simulate(FixedWindow(2, 1), [0], [value]),
    "service time": lambda value: simulate(Concurrency(2), [0], service_s=value),
    "service times": lambda value: simulate(Concurrency(2), [0], service_s=[value]),
}
PLANS = {
    "limit": plan,
    "limits": lambda value: plan({"a": "1/s", "b": value}),
    "weights": lambda value: plan("10/s", weights={"web": value, "batch": 1}),
    "cushion": lambda value: plan("10/s", cushion=value),
    "burst window": lambda value: plan("10/s", burst=2, burst_window_s=value),
    "concurrency": lambda value: plan("10/s", latency_s=1, concurrency=value),
} | {
    name: lambda value, name=name: plan("10/s", **{name: value})
    for name in ("clients", "steady", "burst", "latency_s", "timeout_s", "retries", "capacity")
}


@pytest.mark.parametrize("call", TRAFFIC.values(), ids=TRAFFIC)
def test_traffic_of_a_number_out_of_any_range_is_rejected(call):
    for value in HUGE:
        with pytest.raises(InvalidArrivals):
            call(value)


@pytest.mark.parametrize("call", PLANS.values(), ids=PLANS)
def test_a_plan_of_a_number_out_of_any_range_is_rejected(call):
    for value in HUGE:
        with pytest.raises(InvalidLimit):
            call(value)


@pytest.mark.parametrize("call", [*TRAFFIC.values(), *PLANS.values()], ids=[*TRAFFIC, *PLANS])
def test_a_number_next_to_nothing_is_taken_or_rejected(call):
    for value in TINY:
        with contextlib.suppress(InvalidArrivals, InvalidLimit):
            call(value)


@pytest.mark.parametrize("times", [(0, DIGITS), (DIGITS, 0), (-DIGITS,), (10**30, 1)])
def test_nanoseconds_out_of_any_range_are_rejected(times):
    with pytest.raises(InvalidArrivals):
        Arrivals(times)


def test_a_pattern_of_more_phases_than_requests_is_rejected():
    with pytest.raises(InvalidArrivals, match="more than 20,000,000"):
        Arrivals.on_off(1, "1 ns", 0, "1 day")


LIMITERS = {
    "capacity": lambda value: TokenBucket(value, 1),
    "refill": lambda value: TokenBucket(1, value),
    "step": lambda value: TokenBucket(1, 1, refill_every_s=value),
    "window": lambda value: FixedWindow(2, value),
    "log": lambda value: SlidingLog(2, value),
    "counter": lambda value: SlidingCounter(2, value),
    "drain": lambda value: LeakyBucket(2, value),
    "interval": lambda value: Gcra(value, 1),
    "tolerance": lambda value: Gcra(1, value),
    "hold": lambda value: HoldOff(FixedWindow(2, 1), value),
}


@pytest.mark.parametrize("make", LIMITERS.values(), ids=LIMITERS)
def test_a_limiter_of_a_number_out_of_any_range_is_rejected(make):
    for value in [*HUGE, *TINY, Fraction(10**400, 7), "1e300", "1e-300"]:
        with pytest.raises(InvalidLimit):
            make(value)


@pytest.mark.parametrize("share", [Fraction(1, 10**400), Fraction(10**400 - 1, 10**400)])
def test_a_run_with_a_plausible_number_of_hundreds_of_digits_is_summed_up(share):
    summary = simulate(LeakyBucket(2, 1 + share), [0, 0]).summary()

    assert (float(2 / (1 + share)), float(1.5 / (1 + share))) == (summary.wait_max_s, summary.wait_mean_s)


@pytest.mark.parametrize("unit", ["ns", "ms", "s"])
def test_numpy_durations_whose_unit_would_be_lost_are_rejected(unit):
    numpy = pytest.importorskip("numpy")
    times = numpy.array([0, 10**9], f"timedelta64[{unit}]")

    for call in (
        lambda: simulate(FixedWindow(2, 1), times),
        lambda: Arrivals.from_times(list(times)),
        lambda: Arrivals.steady(1, times[1]),
    ):
        with pytest.raises(InvalidArrivals, match="give seconds"):
            call()
    with pytest.raises(InvalidLimit, match="give seconds"):
        FixedWindow(2, times[1])


def test_a_choice_that_is_a_huge_number_is_rejected():
    with pytest.raises(InvalidLimit, match="choose from"):
        FixedWindow(2, 1, DIGITS)  # type: ignore[arg-type]
    for name in (5, None, ()):
        with pytest.raises(InvalidLimit, match="choose from"):
            preset(name)  # type: ignore[arg-type]


def test_a_name_of_a_megabyte_is_compared_with_the_known_ones_at_once():
    with at_most_lines(10_000):
        assert "choose from: clock, first" == nearest("clock" * 200_000, ["clock", "first"])


@pytest.mark.parametrize("quota", ["130/1e999s", "130/1e-900 s", "1e-99/s"])
def test_a_window_of_a_header_out_of_any_range_is_not_used(quota):
    observed = observe({"RateLimit-Limit": quota, "RateLimit-Remaining": "1"}, now=1_790_000_000)

    assert ["RateLimit-Limit"] == [name for name, _ in observed.ignored]


MOMENTS = {
    "observe": lambda value: observe({"Retry-After": "5"}, now=value),
    "two digits of a year": lambda value: parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT", now=value),
    "wait until": lambda value: retry_wait_s(datetime(2026, 1, 1, tzinfo=UTC), value),
    "retry date": lambda value: http.build_retry_date(value, 5),
    "delay": http.build_retry_after,
    "quota": lambda value: http.QuotaPolicy(name="a", quota=value),
    "name": lambda value: http.QuotaPolicy(name=value, quota=1),
    "cause": http.choose_status,
    "dialect": lambda value: http.XRateLimit.rounded(limit=1, remaining=1, reset_s=1, dialect=value, now=5),
}


@pytest.mark.parametrize("call", MOMENTS.values(), ids=MOMENTS)
def test_a_number_of_a_header_out_of_any_range_is_rejected(call):
    for value in [DIGITS, 1e300, 10**30, Decimal("1e400000"), Decimal("1e-400000"), math.inf, math.nan]:
        with pytest.raises(InvalidHeader):
            call(value)


@pytest.mark.parametrize("wait", [math.inf, math.nan, None, "5"])
def test_a_wait_that_is_no_finite_number_is_rejected(wait):
    with pytest.raises(InvalidHeader):
        retry_wait_s(wait, 5)


def test_a_time_in_milliseconds_is_no_time_in_seconds():
    with pytest.raises(InvalidHeader, match="seconds since 1970"):
        observe({"X-RateLimit-Reset": "1790000030"}, now=1_790_000_000_000)


@pytest.mark.parametrize("call", [parse_retry_after, parse_ratelimit, http.parse_ratelimit_policy])
def test_a_header_that_is_no_text_is_rejected(call):
    for value in (None, 5, b"5"):
        with pytest.raises(InvalidHeader, match="text"):
            call(value)


def test_a_configuration_that_is_no_text_is_rejected():
    for value in (None, 5, b"rate=5r/s"):
        with pytest.raises(InvalidLimit, match="text"):
            import_config(value, "nginx")  # type: ignore[arg-type]


CLIENT_RULES = {
    "factor": lambda value: clients.Backoff(1, factor=value),
    "scale": lambda value: clients.Backoff(1, scale=(1, value)),
    "tokens": clients.RetryThrottling,
    "token ratio": lambda value: clients.RetryThrottling(10, value),
    "ratio": clients.RetryRatio,
    "retries per second": lambda value: clients.RetryRatio(min_per_s=value),
    "k": clients.AdaptiveThrottle,
    "failure share": clients.CircuitBreaker,
    "calls": lambda value: clients.CircuitBreaker(calls=value),
    "trial calls": lambda value: clients.CircuitBreaker(trial_calls=value),
}


@pytest.mark.parametrize("call", CLIENT_RULES.values(), ids=CLIENT_RULES)
def test_a_rule_of_clients_of_a_number_out_of_any_range_is_rejected(call):
    for value in [*HUGE, 1e300]:
        with pytest.raises(InvalidLimit):
            call(value)


def test_a_weight_of_a_client_out_of_any_range_is_rejected():
    for weight in HUGE:
        with pytest.raises(InvalidArrivals):
            clients.ClientWorkload(5, 1, clients=2, weights=[weight, 1])


def test_a_workload_that_lasts_next_to_nothing_is_rejected():
    for duration in TINY:
        with pytest.raises(InvalidArrivals):
            clients.ClientWorkload(5, duration)


def test_an_end_of_a_picture_out_of_any_range_is_rejected():
    for end in [*HUGE, *TINY, 1e300]:
        with pytest.raises(InvalidArrivals):
            draw_run_svg(simulate(FixedWindow(2, 1), [0, 1]), until_s=end)


def test_a_share_of_skipped_lines_that_is_no_number_is_rejected(tmp_path):
    path = tmp_path / "requests.csv"
    path.write_text("time\n1\nx\n3\n")

    shares: list[Any] = ["50%", None, math.nan, Decimal("sNaN")]
    for share in shares:
        with pytest.raises(InvalidArrivals, match="max_skipped"):
            Arrivals.from_log(path, max_skipped=share)
