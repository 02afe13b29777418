from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.errors import HookWidgetsError, InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import Arrivals, Concurrency, FixedWindow, Gcra, Layers, plan, simulate
from hook_widgets.ratelimit.units import duration, nanoseconds, number, quota_and_window, rate, share, whole

TENTH = Fraction(1, 10)


@pytest.mark.parametrize("given_as", [0.1, "0.1", ".1", "1e-1", " 0.100 ", Decimal("0.1"), TENTH])
def test_a_tenth_is_a_tenth_however_it_is_given(given_as):
    assert TENTH == number(given_as, "x") == rate(given_as, "x") == duration(given_as, "x")


@given(st.floats(0, 1e300, allow_nan=False))
def test_a_float_means_the_decimal_that_python_prints(value):
    assert Fraction(str(value)) == number(value, "x")


@pytest.mark.parametrize(
    ("text", "per_s"),
    [
        ("100/s", Fraction(100)),
        ("100 / s", Fraction(100)),
        ("100", Fraction(100)),
        ("2.5 per second", Fraction(5, 2)),
        ("10/min", Fraction(1, 6)),
        ("10r/m", Fraction(1, 6)),
        ("10 requests per minute", Fraction(1, 6)),
        ("5000/hour", Fraction(25, 18)),
        ("5_000/H", Fraction(25, 18)),
        ("86400/day", Fraction(1)),
        ("1/ms", Fraction(1000)),
        ("100/10s", Fraction(10)),
        ("100 per 10 s", Fraction(10)),
        ("20 rps", Fraction(20)),
        ("20rps", Fraction(20)),
        ("20 qps", Fraction(20)),
        ("5 rpm", Fraction(1, 12)),
        ("1.5 RPM", Fraction(1, 40)),
        ("3600 rph", Fraction(1)),
        ("172.8k rpd", Fraction(2)),
        ("72k/hour", Fraction(20)),
        ("72 K / hour", Fraction(20)),
        ("72k requests per hour", Fraction(20)),
        ("1.5M/day", Fraction(1_500_000, 86_400)),
        ("1G per 1000 s", Fraction(10**6)),
        ("2kreq/s", Fraction(2000)),
        ("5,000 requests per hour", Fraction(25, 18)),
        ("1,000,000/day", Fraction(10**6, 86_400)),
        ("5 000 per hour", Fraction(25, 18)),
        ("5\u202f000/h", Fraction(25, 18)),
        ("5'000/h", Fraction(25, 18)),
        ("1 request every 3 seconds", Fraction(1, 3)),
        ("10 requests every 5 minutes", Fraction(1, 30)),
        ("20 calls per rolling minute", Fraction(1, 3)),
        ("100 per 15-minute window", Fraction(1, 9)),
        ("10 in 60 seconds", Fraction(1, 6)),
        ("10 within 60 s", Fraction(1, 6)),
        ("10 a second", Fraction(10)),
        ("300 queries per minute", Fraction(5)),
        ("300 QPM", Fraction(5)),
        ("1M TPM", Fraction(10**6, 60)),
        ("10 API calls/sec", Fraction(10)),
        ("1 million per day", Fraction(10**6, 86_400)),
        ("10 thousand messages per hour", Fraction(25, 9)),
        ("max. 10/s", Fraction(10)),
        ("up to 10 requests per second (RPS)", Fraction(10)),
        ("≤ 10 / s", Fraction(10)),
        ("not more than 10 requests per second", Fraction(10)),
        ("10 req/s max", Fraction(10)),
        ("10 requests per second maximum", Fraction(10)),
        ("20 requests during 10 seconds", Fraction(2)),
        ("600 Requests Per Minute", Fraction(10)),
        ("10∕s", Fraction(10)),
        ("10／s", Fraction(10)),
        ("１０/s", Fraction(10)),
        ("100-per-hour", Fraction(1, 36)),
        ("100 per min.", Fraction(5, 3)),
        ("10 kHz", Fraction(10_000)),
        # bybit-exchange.github.io, "Rate Limit"
        ("600 requests within a 5-second window", Fraction(120)),
        # learn.microsoft.com, "Service protection API limits" of Dataverse
        ("6,000 API requests per 5-minute sliding window", Fraction(20)),
        # developers.miro.com and docs.github.com, which count credits and points
        ("10,000 credits per minute", Fraction(500, 3)),
        ("2,000 GraphQL points per minute", Fraction(100, 3)),
        ("80 content-generating requests per minute", Fraction(4, 3)),
        # developers.binance.com, "Limits"
        ("6000 weight per minute", Fraction(100)),
        ("50 orders per 10 seconds", Fraction(5)),
        ("160,000 orders/24h", Fraction(160_000, 86_400)),
        # learn.microsoft.com, "Request limits and throttling"
        ("12000 reads per hour", Fraction(10, 3)),
        ("250 requests per 24-hour period", Fraction(250, 86_400)),
        ("400 requests per 1 minute (period)", Fraction(20, 3)),
        # As pages of APIs write them: the words before the number, or one for it.
        ("Max requests per second: 10", 10),
        ("Max requests per hour: 400", Fraction(1, 9)),
        ("RPM: 60", 1),
        ("Requests/minute = 1,200", 20),
        ("60 times in one hour", Fraction(1, 60)),
        ("a single request every 5 seconds", Fraction(1, 5)),
        ("50 API requests/per second", 50),
        ("max. 10 req./sec", 10),
        ("300 request(s) per 1 minute(s)", 5),
        ("60 requests/minute (rolling)", 1),
        ("60 requests per minute (sliding window)", 1),
        ("1 batch / second", Fraction(1)),
        ("5 SMS per minute", Fraction(1, 12)),
        # operations.osmfoundation.org, "Nominatim Usage Policy"
        ("an absolute maximum of 1 request per second", Fraction(1)),
        ("one request per second", Fraction(1)),
        ("Max 10 requests/s", Fraction(10)),
        ("10kreq/s", Fraction(10_000)),
        ("1.000.000/day", Fraction(10**6, 86_400)),
        ("30.0000/s", Fraction(30)),
        ("2.125/s", Fraction(17, 8)),
        ("0.500/s", Fraction(1, 2)),
        ("1.500k/s", Fraction(1_500)),
        ("1 per 1.500 s", Fraction(2, 3)),
        # techdocs.akamai.com, "Rate limiting" of CPS, and developers.soundcloud.com, "Rate Limits"
        ("35 requests per every minute", Fraction(35, 60)),
        ("15,000 requests per any 24-hour time window", Fraction(15_000, 86_400)),
        ("rate limit of 100 requests per minute", Fraction(5, 3)),
        ("Rate limit: 60 rpm", 1),
        ("once per second", 1),
        ("twice per minute", Fraction(1, 30)),
        # sumologic.com, "API rate limit"
        ("four API requests per second", 4),
        ("one call every two seconds", Fraction(1, 2)),
        ("three times per second", 3),
        ("100 requests per five minutes", Fraction(1, 3)),
        ("100 requests per fifteen-minute window", Fraction(1, 9)),
        ("one hundred requests per minute", Fraction(5, 3)),
        ("five thousand requests per hour", Fraction(25, 18)),
        # nginx.org, "Module ngx_http_limit_req_module", and docs.anthropic.com, "Rate limits"
        ("rate=10r/s", 10),
        ("40,000 ITPM", Fraction(2000, 3)),
        ("8,000 OTPM", Fraction(400, 3)),
    ],
)
def test_rates_are_read_as_people_write_them(text, per_s):
    assert per_s == rate(text, "the limit")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("250 ms", Fraction(1, 4)),
        ("250ms", Fraction(1, 4)),
        ("10", Fraction(10)),
        ("10 s", Fraction(10)),
        ("1.5 hours", Fraction(5400)),
        ("1 min", Fraction(60)),
        ("3 µs", Fraction(3, 10**6)),
        ("7ns", Fraction(7, 10**9)),
        ("2 weeks", Fraction(1_209_600)),
        ("1h30m", Fraction(5400)),
        ("1 h 30 min", Fraction(5400)),
        ("5 s 300 ms", Fraction(53, 10)),
        ("10 000 ms", Fraction(10)),
        ("10,000 ms", Fraction(10)),
    ],
)
def test_durations_are_read_as_people_write_them(text, seconds):
    assert seconds == duration(text, "the window")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (-1, "the limit is negative: -1; give a number above zero"),
        ("-1/s", "the limit is negative: '-1/s'; give a number above zero"),
        (0, "the limit is zero; give a number above zero"),
        ("0/s", "the limit is zero; give a number above zero"),
        (float("nan"), "the limit is nan; give a finite number"),
        ("NaN", "the limit is NaN; give a finite number"),
        (float("inf"), "the limit is inf; give a finite number"),
        (Decimal("-Infinity"), "the limit is -Infinity; give a finite number"),
        ("", "the limit is empty; write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        ("  ", "the limit is empty; write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        (
            "fast",
            "the limit cannot be read from 'fast'; write a rate such as '100/s', '20 rps', '5 rpm' or ",
        ),
        ("5,0/h", "the limit cannot be read from '5,0/h'; write '5.0/h', with a decimal point"),
        ("1/fortnight", "'fortnight' is no unit of time; use ns, us, ms, s, min, h, day or week"),
        ("1/0 s", "the limit is '1/0 s', which has no duration"),
        (None, "the limit must be a number or text such as '100/s', not NoneType"),
        (True, "the limit must be a number or text such as '100/s', not bool"),
        (1j, "the limit must be a number or text such as '100/s', not complex"),
        (Decimal("1e5000"), "the limit is 1E+5000, which is out of range"),
        ("1e5000", "the limit cannot be read from '1e5000'"),
        ("5m/day", "the limit cannot be read from '5m/day'"),
        ("20 rpx", "the limit cannot be read from '20 rpx'"),
        ("20 rps/s", "the limit cannot be read from '20 rps/s'"),
        ("1OO/s", "the limit cannot be read from '1OO/s'"),
        ("10kk/s", "the limit cannot be read from '10kk/s'"),
        ("1e/s", "the limit cannot be read from '1e/s'"),
        ("100/10", "the limit cannot be read from '100/10'; write '100/10 s', with a unit of time"),
        ("-20 rps", "the limit is negative: '-20 rps'; give a number above zero"),
        ("0 rpm", "the limit is zero; give a number above zero"),
    ],
)
def test_a_wrong_rate_is_rejected_with_what_to_do(value, complaint):
    with pytest.raises(InvalidLimit) as caught:
        rate(value, "the limit")

    assert str(caught.value).startswith(complaint) or str(caught.value).endswith(complaint)


@given(
    st.integers(1, 10**9),
    st.sampled_from([("", 1), ("k", 10**3), ("K", 10**3), ("M", 10**6)]),
    st.sampled_from(
        [(" rps", 1), ("rps", 1), ("/s", 1), (" per second", 1), ("r/s", 1), (" rpm", 60), ("/min", 60),
         (" rph", 3600), ("/hour", 3600), (" rpd", 86_400), ("/day", 86_400)]
    ),
)  # fmt: skip
def test_a_rate_is_read_back_exactly_as_it_was_written(thousandths, prefix, unit):
    (letter, factor), (name, span_s) = prefix, unit
    text = f"{Decimal(thousandths) / 1000:f}{letter}{name}"

    assert Fraction(thousandths * factor, 1000 * span_s) == rate(text, "the limit")
    assert (Fraction(thousandths * factor, 1000), span_s) == quota_and_window(text, "the limit")


@pytest.mark.parametrize("value", [0, "0 ms", 0.0])
def test_a_zero_window_is_rejected(value):
    with pytest.raises(InvalidLimit, match="window_s is zero"):
        duration(value, "window_s")

    assert 0 == duration(value, "tolerance_s", positive=False)


@pytest.mark.parametrize("value", [2.5, "2.5", Fraction(1, 3)])
def test_half_a_request_is_rejected(value):
    with pytest.raises(InvalidLimit, match="limit must be a whole number"):
        whole(value, "limit")

    assert 3 == whole(3.0, "limit") == whole("3", "limit")


def test_the_numbers_of_other_libraries_are_taken_by_their_value():
    import numpy  # comes with matplotlib

    numbers: list[Any] = [numpy.int64(3), numpy.float64(0.1), numpy.float32(0.1)]
    assert [3, TENTH, TENTH] == [number(value, "x") for value in numbers]


@given(
    st.text(max_size=20)
    | st.text("0123456789_.eE+-/ smin", max_size=12)
    | st.lists(st.sampled_from(["1", "_", "__", ".", "e", "-", "9" * 999, "/", " ", "s"])).map("".join)
)
@example("1_")  # on the way to 1_000
@example("1__000/s")
@example("9" * 5000)
def test_any_text_is_a_rate_or_rejected(text):
    for read in (rate, duration, number, whole):
        with suppress(HookWidgetsError):
            assert read(text, "x") >= 0


def test_the_error_is_of_the_class_that_is_asked_for():
    with pytest.raises(InvalidArrivals):
        number(-1, "Time 3", error=InvalidArrivals)


def test_nanoseconds_are_the_nearest():
    assert [333333333, 666666667, 2] == [nanoseconds(Fraction(x)) for x in ("1/3", "2/3", "25e-10")]


def test_a_duration_may_be_a_timedelta():
    minute = timedelta(minutes=1)
    run = simulate(
        Layers(FixedWindow(1, minute), Concurrency(5)), [timedelta(0), minute], service_s=timedelta(seconds=2)
    )

    assert Fraction(1, 4) == duration(timedelta(milliseconds=250), "the window")
    assert FixedWindow(1, 60) == FixedWindow(1, minute)
    assert Gcra("100 ms", 0) == Gcra(timedelta(milliseconds=100), timedelta(0))
    assert 200 == FixedWindow(100, minute).max_admitted(minute)
    assert Arrivals.steady(2, timedelta(seconds=3)) == Arrivals.steady(2, 3)
    assert [True, True] == run.admitted
    assert run.tokens_by_layer(61) == run.tokens_by_layer(timedelta(seconds=61))
    timeout: Any = timedelta(seconds=2)
    assert plan("10/s", timeout_s=timeout)["queue_size"] == plan("10/s", timeout_s=2)["queue_size"]


def test_a_negative_timedelta_is_no_duration():
    with pytest.raises(InvalidLimit, match="the window is negative"):
        duration(timedelta(seconds=-1), "the window")


def test_a_timedelta_is_no_number_and_no_rate():
    second: Any = timedelta(seconds=1)
    for parse in (number, whole, rate):
        with pytest.raises(InvalidLimit, match="not timedelta"):
            parse(second, "the limit")


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("1000/month", "write '1000/30 day' to count a month as 30 days"),
        ("1000 per year", "write '1000/365 day' to count a year as 365 days"),
        ("1000/2 months", "write '1000/60 day' to count a month as 30 days"),
        ("9/quarter", "write '9/90 day'"),
        ("10 million requests per month", "write '10 million/30 day' to count a month as 30 days"),
    ],
)
def test_a_unit_of_the_calendar_is_rejected_with_the_nearest_form(text: str, instead: str) -> None:
    with pytest.raises(InvalidLimit, match=f"has no fixed length; {instead}"):
        rate(text, "the limit")
    assert rate(instead.split("'")[1], "the limit") > 0


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("1000 per calendar day", "1000/day"),
        ("1000/calendar month", "1000/30 day"),
        ("5k monthly", "5k/30 day"),
        ("1000/billing cycle", "1000/30 day"),
        ("1000 per day in Europe/Berlin", "1000/day"),
    ],
)
def test_a_window_that_cannot_be_expressed_is_rejected_with_the_nearest_form(text: str, instead: str) -> None:
    with pytest.raises(InvalidLimit, match=f"a window has a fixed length; write '{instead}'"):
        rate(text, "the limit")
    assert rate(instead, "the limit") > 0


@pytest.mark.parametrize("text", ["1000/half hour", "1000/night", "1000/moon"])
def test_a_window_without_a_near_form_is_rejected_without_one(text: str) -> None:
    with pytest.raises(InvalidLimit, match=r"write a rate such as|use ns, us, ms"):
        rate(text, "the limit")


@pytest.mark.parametrize(("text", "instead"), [("calendar day", "1 day"), ("1 calendar month", "30 day")])
def test_a_duration_of_the_calendar_is_rejected_with_the_nearest_form(text: str, instead: str) -> None:
    with pytest.raises(InvalidLimit, match=f"write '{instead}'"):
        duration(text, "the window")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("5 mins ago", "; write '5 mins'"),
        ("a minute", "; write '1 minute'"),
        ("1,5 s", "; write '1.5 s', with a decimal point"),
        ("5 s 10", "; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("1h -5m", "; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("10 s to 20 s", "; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("five minutes", "; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("1000 per hour", "; a rate is no time; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("10 requests/second", "; a rate is no time; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("1000/h", "; a rate is no time; write a time such as '250 ms', '10 s' or '1 hour'"),
        ("once per hour", "; write '1 hour'"),
    ],
)
def test_the_advice_for_a_duration_does_not_change_its_meaning(text: str, advice: str) -> None:
    with pytest.raises(InvalidLimit) as caught:
        duration(text, "the window")

    assert f"the window cannot be read from {text!r}{advice}" == str(caught.value)


def test_a_share_in_full_width_characters_is_read() -> None:
    assert (
        Fraction(3, 20) == share("１５％", "cushion") == share("15 %", "cushion") == share("0.15", "cushion")
    )


def test_a_thousand_with_a_point_is_not_taken_for_one() -> None:
    with pytest.raises(
        InvalidLimit, match=r"clients is '1\.000', which may mean 1000 or 1; write one of them"
    ):
        whole("1.000", "clients")
    with pytest.raises(InvalidLimit, match=r"'5\.500', which may mean 5500 or 5\.5; write one of them"):
        rate("5.500", "the limit")
    assert Fraction(3, 2) == duration("1.500 s", "the latency")  # seconds have three decimals in any log
    assert 1000 == whole("1000.0", "clients")


def test_a_capital_m_is_neither_a_minute_nor_a_month() -> None:
    for parse, text in ((rate, "600/M"), (rate, "5 per 2 M"), (duration, "5M")):
        with pytest.raises(InvalidLimit, match="'M' may mean minutes or months; write min or 30 day"):
            parse(text, "the limit")
    assert 10 == rate("600/m", "the limit")


def test_months_are_rejected_as_a_duration_too() -> None:
    with pytest.raises(InvalidLimit, match="has no fixed length; write '60 day'"):
        duration("2 months", "the window")


@pytest.mark.parametrize("text", ["1,000", "1 000", "1'000", "1_000", "1k", "1 thousand", "1e3", " 1000.0 "])
def test_a_number_is_read_as_people_write_it(text: str) -> None:
    assert 1000 == whole(text, "burst") == number(text, "burst") == rate(text, "the limit")


@pytest.mark.parametrize(
    "text", ["1,00", "1,0000", "1,000,00", "01,000", "1,000 2", "1k2", "1,5k,", "1" * 501]
)
def test_a_number_with_separators_elsewhere_is_not_guessed(text: str) -> None:
    with pytest.raises(InvalidLimit, match=r"cannot be read from|out of range"):
        whole(text, "burst")


@pytest.mark.parametrize(
    ("parse", "text", "complaint"),
    [
        (
            lambda text: number(text, "cost"),
            "2,5",
            "cost cannot be read from '2,5'; write '2.5', with a decimal point",
        ),
        (
            lambda text: whole(text, "clients"),
            "many",
            "clients cannot be read from 'many'; write a whole number such as '100'",
        ),
        (
            lambda text: whole(text, "clients", positive=True),
            "-1",
            "clients is negative: '-1'; give at least 1",
        ),
        (
            lambda text: share(text, "cushion"),
            "much",
            "cushion cannot be read from 'much'; write a share such as '0.15' or '15%'",
        ),
        (lambda text: share(text, "cushion"), "-5%", "cushion is negative: '-5%'; give zero or more"),
        (
            lambda text: share(text, "cushion"),
            "15,5 %",
            "cushion cannot be read from '15,5 %'; write '15.5 %', with a decimal point",
        ),
        (
            lambda text: share(text, "cushion"),
            "0,15",
            "cushion cannot be read from '0,15'; write '0.15', with a decimal point",
        ),
        (
            lambda text: whole(text, "clients"),
            "2,5",
            "clients cannot be read from '2,5'; write a whole number such as '100'",
        ),
    ],
)
def test_the_advice_is_a_value_that_would_be_taken(parse, text: str, complaint: str) -> None:
    with pytest.raises(InvalidLimit) as caught:
        parse(text)

    assert complaint == str(caught.value)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("10/s burst 20", "write '10/s', and the burst as burst allowance"),
        ("60 RPM / 1M TPM", "write its limits one by one, as a list: ['60 RPM', '1M TPM']"),
        ("10/s and 100/min", "write its limits one by one, as a list: ['10/s', '100/min']"),
        ("10-20/s", "write one number; the lower is safe: '10/s'"),
        ("10–20 per second", "write one number; the lower is safe: '10 per second'"),
        ("between 10 and 20 per second", "write one number; the lower is safe: '10 per second'"),
        ("1,5/s", "write '1.5/s', with a decimal point"),
        ("11,8 ms", "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        ("~10/s", "write '10/s'"),
        ("unlimited", "a rate needs a number; leave it out if there is none"),
        ("10 MB/s", "bytes are no requests; write a rate such as '100/s'"),
        ("50 concurrent", "requests at once are no rate; give them as max concurrency (in_flight)"),
        *(
            (f"{number} requests per day", "write the whole number in digits, such as '100000/day'")
            for number in (
                "5 lakh",
                "1 crore",
                "2 dozen",
                "100 Mio",
                "10 mil",
                "5 mln",
                "2 bn",
                "3 trillion",
                "5 T",
                "10 K K",
                "10 thousands",
                "10 千",
                "two hundred thousand",
                "twenty five",
            )
        ),
        *(
            (text, "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'")
            for text in (
                "100 per several minutes",
                "100 per 1 minute 30 seconds",
                "10 requests per ½ second",
                "1万 requests per day",
                "10 per second per second",
                "one-two per second",
            )
        ),
        ("Calls Per Month: 100k", "write '100k/30 day' to count a month as 30 days"),
        ("10 gigabytes per second", "bytes are no requests; write a rate such as '100/s'"),
        ("7200 audio seconds per hour", "audio seconds are no requests; write a rate such as '100/s'"),
        (
            "10 concurrent requests per second",
            "requests at once are no rate; give them as max concurrency (in_flight)",
        ),
        ("4 requests at a time", "requests at once are no rate; give them as max concurrency (in_flight)"),
        (
            "100 requests per second per user per app",
            "write '100 requests per second', without 'per user per app'",
        ),
        ("100 requests per user per minute", "write '100 requests per minute', without 'per user'"),
        ("5000 requests/hour/user", "write '5000 requests/hour', without '/user'"),
        ("5 rps per key", "write '5 rps', without 'per key'"),
        ("Requests per second per IP: 10", "write '10 Requests per second', without 'per IP'"),
        (
            "50 API requests/per second or 3000/per minute",
            "write its limits one by one, as a list: ['50 API requests/per second', '3000/per minute']",
        ),
        ("250,000 calls/mo", "write '250000/30 day' to count a month as 30 days"),
        ("Unlimited", "a rate needs a number; leave it out if there is none"),
        ("Window (seconds): 60", "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        ("10 requests per second, per IP", "write '10 requests per second', without 'per IP'"),
        (
            "1000 requests per day for all API requests",
            "write '1000 requests per day', without 'for all API requests'",
        ),
        ("200 requests per minute (all plans)", "write '200 requests per minute', without '(all plans)'"),
        ("5.000/hour", "write '5000/hour' or '5/hour'"),
        ("1.500 rps", "write '1500 rps' or '1.5 rps'"),
        ("10.000/day", "write '10000/day' or '10/day'"),
        ("up to 12.340 per day", "write 'up to 12340 per day' or 'up to 12.34 per day'"),
        # docs.epay.eu, "Rate limits": 30,000
        (
            "30.000 transactions / minute",
            "write '30000 transactions / minute' or '30 transactions / minute'",
        ),
        ("100 requests per quarter hour", "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        ("10 seconds", "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        ("1/2 per second", "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
        ("1" * 501 + "/s", "write a rate such as '100/s', '20 rps', '5 rpm' or '72k/hour'"),
    ],
)
def test_the_advice_for_a_rate_that_cannot_be_read_does_not_change_its_meaning(
    text: str, advice: str
) -> None:
    with pytest.raises(InvalidLimit) as caught:
        rate(text, "the limit")

    assert str(caught.value).partition("; ")[2] == advice
