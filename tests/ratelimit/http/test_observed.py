"""Reading the fields of any API: each dialect, and what is not understood."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.observed import observe
from hook_widgets.ratelimit.http.observed_limit import ObservedLimit

NOW = 1_790_000_000


def f(number: int) -> Fraction:
    return Fraction(number)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param(
            {
                "RateLimit": '"hourly";r=3;t=7',
                "RateLimit-Policy": '"hourly";q=100;w=3600, "daily";q=1000;w=86400',
            },
            [
                ObservedLimit(name="hourly", quota=f(100), remaining=f(3), reset_s=f(7), window_s=f(3600)),
                ObservedLimit(name="daily", quota=f(1000), window_s=f(86400)),
            ],
            id="IETF draft 10",
        ),
        pytest.param(
            {"RateLimit": "limit=100, remaining=50, reset=5", "RateLimit-Policy": "100;w=60"},
            [ObservedLimit(name="", quota=f(100), remaining=f(50), reset_s=f(5), window_s=f(60))],
            id="IETF draft 07",
        ),
        pytest.param(
            {
                "RateLimit-Limit": '100, 100;w=60;comment="fixed"',
                "RateLimit-Remaining": "50",
                "RateLimit-Reset": "50",
            },
            [ObservedLimit(name="", quota=f(100), remaining=f(50), reset_s=f(50), window_s=f(60))],
            id="IETF draft 03",
        ),
        pytest.param(
            {
                "x-ratelimit-limit": "5000",
                "x-ratelimit-remaining": "4999",
                "x-ratelimit-used": "1",
                "x-ratelimit-reset": str(NOW + 1200),
                "x-ratelimit-resource": "core",
            },
            [ObservedLimit(name="core", quota=f(5000), remaining=f(4999), reset_s=f(1200))],
            id="GitHub, epoch seconds",
        ),
        pytest.param(
            {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "12"},
            [ObservedLimit(name="", quota=f(10), remaining=f(0), reset_s=f(12))],
            id="seconds from now",
        ),
        pytest.param(
            {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{NOW}500"},
            [ObservedLimit(name="", quota=f(10), remaining=f(0), reset_s=Fraction(1, 2))],
            id="epoch milliseconds",
        ),
        pytest.param(
            {
                "X-RateLimit-Limit": "5",
                "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": f"{NOW + 2}.123",
                "X-RateLimit-Reset-After": "1.25",
            },
            [ObservedLimit(name="", quota=f(5), remaining=f(0), reset_s=Fraction(5, 4))],
            id="Discord, seconds with a fraction",
        ),
        pytest.param(
            {"x-rate-limit-limit": "15", "x-rate-limit-remaining": "2", "x-rate-limit-reset": str(NOW + 9)},
            [ObservedLimit(name="", quota=f(15), remaining=f(2), reset_s=f(9))],
            id="X-Rate-Limit",
        ),
        pytest.param(
            {"X-RateLimit-Remaining": "2"},
            [ObservedLimit(name="", quota=None, remaining=f(2))],
            id="one of three",
        ),
        pytest.param(
            {"X-Shopify-Shop-Api-Call-Limit": "32/40"},
            [ObservedLimit(name="", quota=f(40), remaining=f(8))],
            id="Shopify, used of limit",
        ),
        pytest.param({"Content-Type": "text/plain"}, [], id="none"),
        pytest.param(
            {
                "RateLimit-Limit": "300",
                "RateLimit-Remaining": "219",
                "RateLimit-Reset": "2",
                "RateLimit-Policy": '300;w=5;burst=330;comment="a, token; w=9", 1000;w=60',
            },
            [
                ObservedLimit(quota=f(300), remaining=f(219), reset_s=f(2), window_s=f(5)),
                ObservedLimit(quota=f(1000), window_s=f(60)),
            ],
            id="IETF drafts 03 to 06, policies without a name",
        ),
        pytest.param(
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "6m0s",
                "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-tokens": "149984",
                "x-ratelimit-reset-tokens": "1s",
            },
            [
                ObservedLimit(name="requests", quota=f(60), remaining=f(0), reset_s=f(360)),
                ObservedLimit(
                    name="tokens", quota=f(150_000), remaining=f(149_984), reset_s=f(1), unit="tokens"
                ),
            ],
            id="OpenAI, two limits by suffix, durations",
        ),
        pytest.param(
            {
                "anthropic-ratelimit-requests-limit": "50",
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-09-21T14:13:50Z",
                "anthropic-ratelimit-input-tokens-remaining": "7",
            },
            [
                ObservedLimit(name="requests", quota=f(50), remaining=f(0), reset_s=f(30)),
                ObservedLimit(name="input-tokens", remaining=f(7), unit="tokens"),
            ],
            id="Anthropic, another prefix, RFC 3339",
        ),
        pytest.param(
            {
                "X-RateLimit-Limit-Minute": "10",
                "X-RateLimit-Remaining-Minute": "9",
                "X-RateLimit-Limit-Hour": "500",
                "X-RateLimit-Remaining-Hour": "400",
                "RateLimit-Limit": "10",
                "RateLimit-Remaining": "9",
                "RateLimit-Reset": "47",
            },
            [
                ObservedLimit(name="minute", quota=f(10), remaining=f(9), reset_s=f(47), window_s=f(60)),
                ObservedLimit(name="hour", quota=f(500), remaining=f(400), window_s=f(3600)),
            ],
            id="Kong, a suffix for each window",
        ),
        pytest.param(
            {
                "X-HubSpot-RateLimit-Daily": "250000",
                "X-HubSpot-RateLimit-Daily-Remaining": "249000",
                "X-HubSpot-RateLimit-Interval-Milliseconds": "10000",
                "X-HubSpot-RateLimit-Max": "100",
                "X-HubSpot-RateLimit-Remaining": "98",
            },
            [
                ObservedLimit(quota=f(100), remaining=f(98), window_s=f(10)),
                ObservedLimit(name="daily", quota=f(250_000), remaining=f(249_000), window_s=f(86_400)),
            ],
            id="HubSpot, window in milliseconds",
        ),
        pytest.param(
            {"RateLimit-Limit": "60", "RateLimit-Observed": "67", "RateLimit-Name": "api"},
            [ObservedLimit(name="api", quota=f(60), remaining=f(0))],
            id="GitLab, used instead of remaining",
        ),
        pytest.param(
            {"ratelimit-limit": "100;w=21600", "ratelimit-remaining": "76;w=21600"},
            [ObservedLimit(quota=f(100), remaining=f(76), window_s=f(21_600))],
            id="Docker Hub, a window beside both numbers",
        ),
        pytest.param(
            {
                "X-RateLimit-Limit": "600,30000",
                "X-RateLimit-Usage": "692,29300",
                "X-ReadRateLimit-Limit": "100,1000",
                "X-ReadRateLimit-Usage": "67,520",
            },
            [
                ObservedLimit(quota=f(600), remaining=f(0)),
                ObservedLimit(quota=f(30_000), remaining=f(700)),
                ObservedLimit(name="read", quota=f(100), remaining=f(33)),
                ObservedLimit(name="read", quota=f(1000), remaining=f(480)),
            ],
            id="Strava, usage of two windows",
        ),
        pytest.param(
            {"X-App-Rate-Limit": "20:1,100:120", "X-App-Rate-Limit-Count": "1:1,100:120"},
            [
                ObservedLimit(quota=f(20), remaining=f(19), window_s=f(1)),
                ObservedLimit(quota=f(100), remaining=f(0), window_s=f(120)),
            ],
            id="Riot, quota and window with a colon",
        ),
        pytest.param(
            {"X-RateLimit-ClientLimit": "12500", "X-RateLimit-ClientRemaining": "0"},
            [ObservedLimit(name="client", quota=f(12_500), remaining=f(0))],
            id="Imgur, the name in one word with the role",
        ),
        pytest.param(
            {"Sforce-Limit-Info": "api-usage=10018/100000"},
            [ObservedLimit(name="api", quota=f(100_000), remaining=f(89_982))],
            id="Salesforce",
        ),
        pytest.param(
            {"X-Beta-RateLimit-Policy": '"app";q=65000;w=3600', "X-Beta-RateLimit": '"app";r=0;t=600'},
            [ObservedLimit(name="app", quota=f(65_000), remaining=f(0), reset_s=f(600), window_s=f(3600))],
            id="the current draft with a prefix",
        ),
        pytest.param(
            {"X-RateLimit-Limit": "10 per 1 minute", "X-RateLimit-Remaining": '"3"'},
            [ObservedLimit(quota=f(10), remaining=f(3), window_s=f(60))],
            id="a limit in words, a number in quotes",
        ),
        pytest.param(
            {
                "x-app-limit-24hour-limit": "50",
                "x-app-limit-24hour-remaining": "0",
                "x-app-limit-24hour-reset": str(NOW + 7),
            },
            [
                ObservedLimit(
                    name="app-limit-24hour", quota=f(50), remaining=f(0), reset_s=f(7), window_s=f(86_400)
                )
            ],
            id="X, a limit of an app",
        ),
        pytest.param(
            {
                "anthropic-priority-input-tokens-limit": "1000",
                "anthropic-priority-input-tokens-remaining": "0",
                "anthropic-priority-input-tokens-reset": "2026-09-21T14:14:20Z",
            },
            [
                ObservedLimit(
                    name="anthropic-priority-input-tokens",
                    quota=f(1000),
                    remaining=f(0),
                    reset_s=f(60),
                    unit="tokens",
                )
            ],
            id="Anthropic, priority tier",
        ),
        pytest.param(
            {"Zendesk-RateLimit-Tickets-Index": "total=100; remaining=0; resets=41"},
            [ObservedLimit(quota=f(100), remaining=f(0), reset_s=f(41))],
            id="Zendesk, a limit in one value",
        ),
        pytest.param(
            {"Auth0-Client-Quota-Limit": "b=per_hour;q=100;r=0;t=1800,b=per_day;q=300;r=299;t=50000"},
            [
                ObservedLimit(quota=f(100), remaining=f(0), reset_s=f(1800), window_s=f(3600)),
                ObservedLimit(quota=f(300), remaining=f(299), reset_s=f(50_000), window_s=f(86_400)),
            ],
            id="Auth0, two limits in one value",
        ),
        pytest.param(
            {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Interval-Seconds": "5"},
            [ObservedLimit(quota=f(10), remaining=f(0), window_s=f(5))],
            id="Jira Data Center",
        ),
        pytest.param(
            {
                "X-Rate-Limit-Requests-Left": "0",
                "X-Rate-Limit-Requests-Quota": "150",
                "X-Rate-Limit-Time-Reset-Ms": "3000",
                "X-Rate-Limit-Time-Window-Ms": "5000",
            },
            [ObservedLimit(name="requests", quota=f(150), remaining=f(0), reset_s=f(3), window_s=f(5))],
            id="BigCommerce",
        ),
        pytest.param(
            {
                "X-Contentful-RateLimit-Hour-Limit": "36000",
                "X-Contentful-RateLimit-Hour-Remaining": "35883",
                "X-Contentful-RateLimit-Second-Limit": "10",
                "X-Contentful-RateLimit-Second-Remaining": "0",
                "X-Contentful-RateLimit-Reset": "1",
            },
            [
                ObservedLimit(name="hour", quota=f(36_000), remaining=f(35_883), window_s=f(3600)),
                ObservedLimit(name="second", quota=f(10), remaining=f(0), reset_s=f(1), window_s=f(1)),
            ],
            id="Contentful, one reset",
        ),
        pytest.param(
            {"RateLimit": "default;r=0;t=30", "RateLimit-Policy": "default;q=100;w=60"},
            [ObservedLimit(name="default", quota=f(100), remaining=f(0), reset_s=f(30), window_s=f(60))],
            id="names without quotes",
        ),
        pytest.param(
            {"x-ratelimit-limit-audio-seconds": "7200", "x-ratelimit-remaining-audio-seconds": "0"},
            [ObservedLimit(name="audio-seconds", quota=f(7200), remaining=f(0), unit="seconds")],
            id="Groq, seconds that are counted",
        ),
        pytest.param(
            {"RateLimit": "limit=10;w=1, remaining=0, reset=1"},
            [ObservedLimit(quota=f(10), remaining=f(0), reset_s=f(1), window_s=f(1))],
            id="IETF draft 07 with a parameter",
        ),
        pytest.param({"X-Rate-Limit": "700"}, [ObservedLimit(quota=f(700))], id="Zendesk, no role"),
        pytest.param(
            {
                "X-Ratelimit-Limit": "600",
                "X-Ratelimit-Remain": "0",
                "X-Ratelimit-Reset": str(NOW + 9),
                "X-Ratelimit-Window": "5m",
            },
            [ObservedLimit(quota=f(600), remaining=f(0), reset_s=f(9), window_s=f(300))],
            id="Companies House, remain",
        ),
        pytest.param(
            {"Rate-Limit": "5000", "Rate-Limit-Available": "0", "Rate-Limit-Reset": f"{NOW + 30}000"},
            [ObservedLimit(quota=f(5000), remaining=f(0), reset_s=f(30))],
            id="Ticketmaster, available",
        ),
        pytest.param(
            {"X-Ratelimit-Total": "1000", "X-Ratelimit-Remaining": "998"},
            [ObservedLimit(quota=f(1000), remaining=f(998))],
            id="Freshdesk, total",
        ),
        pytest.param(
            {"X-Rate-Limit-Limit": "1m", "X-Rate-Limit-Remaining": "0"},
            [ObservedLimit(remaining=f(0), window_s=f(60))],
            id="AspNetCoreRateLimit, a window as the limit",
        ),
        pytest.param(
            {
                "X-Rate-Limit-Api-Key-Interval-Ms": "10000",
                "X-Rate-Limit-Api-Key-Max": "300",
                "X-Rate-Limit-Api-Key-Remaining": "0",
            },
            [ObservedLimit(name="api-key", quota=f(300), remaining=f(0), window_s=f(10))],
            id="Trello, interval-ms",
        ),
        pytest.param(
            {"X-Toggl-Quota-Remaining": "0", "X-Toggl-Quota-Resets-In": "1200"},
            [ObservedLimit(name="toggl-quota", remaining=f(0), reset_s=f(1200))],
            id="Toggl, no limit beside what remains",
        ),
        pytest.param(
            {"X-ESI-Error-Limit-Remain": "0", "X-ESI-Error-Limit-Reset": "18"},
            [ObservedLimit(name="esi-error-limit", remaining=f(0), reset_s=f(18))],
            id="EVE Online",
        ),
        pytest.param(
            {"x-ms-ratelimit-remaining-resource": "Microsoft.Compute/Get3;159,Microsoft.Compute/Get30;0"},
            [ObservedLimit(name="resource", remaining=f(rest)) for rest in (159, 0)],
            id="Azure, names before numbers",
        ),
        pytest.param(
            {
                "X-RateLimit-Limit": "name=default,100;",
                "X-RateLimit-Remaining": "name=default,0;",
                "X-RateLimit-Reset": "name=default,30;",
            },
            [ObservedLimit(quota=f(100), remaining=f(0), reset_s=f(30))],
            id="IBM API Connect, a name before a number",
        ),
        pytest.param(
            {"X-RateLimit-Burst-Capacity": "20", "X-RateLimit-Remaining": "0"},
            [ObservedLimit(quota=f(20), remaining=f(0))],
            id="Spring Cloud Gateway",
        ),
        pytest.param(
            {"X-Rate-Limit": "user-hour-lim:3500;user-hour-rem:0;"},
            [ObservedLimit(quota=f(3500), remaining=f(0))],
            id="App Store Connect, colons",
        ),
        pytest.param(
            {"X-Ratelimit": '{"name":"UNAUTHED_API","period":300,"limit":1000,"remaining":0}'},
            [ObservedLimit(quota=f(1000), remaining=f(0), window_s=f(300))],
            id="Trakt, JSON",
        ),
        pytest.param(
            {"RateLimit": "limit=100, remaining=0, reset=60", "RateLimitPolicy": "100;w=60"},
            [ObservedLimit(quota=f(100), remaining=f(0), reset_s=f(60), window_s=f(60))],
            id="Honeycomb, RateLimitPolicy",
        ),
        pytest.param(
            {
                "X-RateLimit-Limit": "300",
                "X-RateLimit-Window-Sec": "3600",
                "X-RateLimit-ToWait-Sec": "181",
                "X-RateLimit-Remaining": "0",
            },
            [ObservedLimit(quota=f(300), remaining=f(0), reset_s=f(181), window_s=f(3600))],
            id="Qualys, units in names",
        ),
        pytest.param(
            {"X-RateLimit-Total-Remaining": "0", "X-RateLimit-Limit-Reset": "9"},
            [ObservedLimit(name="total", remaining=f(0)), ObservedLimit(name="limit", reset_s=f(9))],
            id="two words with a role",
        ),
        pytest.param(
            {"X-Gorgias-Account-Api-Call-Limit": "39/40"},
            [ObservedLimit(quota=f(40), remaining=f(1))],
            id="used of limit under another name",
        ),
        # docs.unity.com, "Response headers": semicolons between limits, commas within them
        pytest.param(
            {"Unity-RateLimit": "limit=20, remaining=19, reset=1; limit=4000, remaining=0, reset=1579"},
            [
                ObservedLimit(quota=f(20), remaining=f(19), reset_s=f(1)),
                ObservedLimit(quota=f(4000), remaining=f(0), reset_s=f(1579)),
            ],
            id="Unity",
        ),
        pytest.param(
            {
                "x-ratelimit-limit-tokens-5-minute": "150000",
                "x-ratelimit-remaining-tokens-5-minute": "149000",
            },
            [
                ObservedLimit(
                    name="tokens-5-minute",
                    quota=f(150_000),
                    remaining=f(149_000),
                    window_s=f(300),
                    unit="tokens",
                )
            ],
            id="Mistral, minutes that are counted",
        ),
        pytest.param(
            {"RateLimit-DailyLimit": "5000", "RateLimit-Remaining": "0", "RateLimit-ResetTime": f"{NOW + 9}"},
            [ObservedLimit(name="daily", quota=f(5000), remaining=f(0), reset_s=f(9), window_s=f(86_400))],
            id="Yelp, one name on one of the fields",
        ),
        *(
            pytest.param(
                {"X-RateLimit-Remaining": "0", f"X-RateLimit-{name}": value},
                [ObservedLimit(remaining=f(0), reset_s=f(40))],
                id=name,
            )
            for name, value in (
                ("Next", "2026-09-21T14:14:00Z"),
                ("Expires", str(NOW + 40)),
                ("Reset-Timestamp", f"{NOW + 40}000"),
                ("Reset-Epoch", str(NOW + 40)),
                ("Reset-Date", "2026-09-21T14:14:00Z"),
                ("Reset-Seconds", "40"),
                ("Resets-In", "40"),
                ("Reset-After-Seconds", "40"),
                ("Seconds-Until-Reset", "40"),
                ("Time-To-Reset", "40s"),
            )
        ),
    ],
)
def test_every_dialect_becomes_one_record(headers: dict[str, str], expected: list[ObservedLimit]) -> None:
    observed = observe(headers, now=NOW)

    assert tuple(expected) == observed.limits
    assert () == observed.ignored


def test_the_fields_of_the_current_draft_are_preferred() -> None:
    headers = {"X-RateLimit-Remaining": "9", "RateLimit": '"a";r=1', "RateLimit-Remaining": "5"}

    assert (ObservedLimit(name="a", quota=None, remaining=f(1)),) == observe(headers, now=NOW).limits


def test_retry_after_takes_precedence_over_the_reset() -> None:
    headers = {"RateLimit": '"a";r=0;t=7', "Retry-After": "30"}

    assert 30 == observe(headers, now=NOW).wait_s


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1.5", Fraction(3, 2)), ("0", Fraction(0)), ("Mon, 21 Sep 2026 14:13:51 GMT", Fraction(31))],
)
def test_retry_after_is_read_in_every_form(text: str, expected: Fraction) -> None:
    assert expected == observe({"retry-after": text}, now=NOW).retry_after_s


@pytest.mark.parametrize(
    ("reset", "expected"),
    [
        (f"{NOW + 45}", 45),
        (f"{NOW + 45}.5", Fraction(91, 2)),
        (f"{NOW + 45}000", 45),
        (f"{NOW + 45}000000", 45),
        (f"{NOW + 45}000000000", 45),
        ("45", 45),
        ("-1", 0),
        ("2026-09-21T14:14:05Z", 45),
        ("2026-09-21T16:14:05.0000000+02:00", 45),
        ("2026-09-21 14:14:05 UTC", 45),
        ("2026-09-21 14:14:05.25 +0000 UTC", Fraction(181, 4)),
        ("Mon Sep 21 2026 16:14:05 GMT+0200 (Central European Summer Time)", 45),
        ('"45"', 45),
        (f"{(NOW + 45) / 1e9}e+09", 45),
        ("Mon, 21 Sep 2026 14:14:05 GMT", 45),
        ("6m0s", 360),
        ("2m59.56s", Fraction(17956, 100)),
        ("1d2h", 93_600),
        ("20ms", Fraction(1, 50)),
        ("17 seconds", 17),
        ("00:01:30", 90),
        ("PT1M30S", 90),
        ("mon, 21 sep 2026 14:14:05 gmt", 45),
        ("21 Sep 2026 14:14:05 GMT", 45),
        ("Mon, 21 Sep 2026 07:14:05 PDT", 45),
        ("Mon Sep 21 07:14:05 PDT 2026", 45),
        ("2026-09-21 07:14:05 PDT", 45),
        ("2026-09-21 16:14:05 CEST", 45),
        ("Mon, 21 Sep 2026 14:14:05 GMT+00:00", 45),
        ("Thu, 1 Oct 2026 00:00:00 GMT", 812_800),
    ],
)
def test_a_reset_is_read_in_every_unit_and_form(reset: str, expected: Fraction) -> None:
    headers = {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    observed = observe(headers, now=NOW)

    assert expected == observed.wait_s
    assert () == observed.ignored


@pytest.mark.parametrize(
    "reset",
    ["soon", "1h2x", "P", "10" * 30, "1" * 101, "2026-13-01T00:00:00Z", "2026-09-21 16:14:05 IST", ""],
)
def test_a_reset_that_is_no_time_is_named(reset: str) -> None:
    observed = observe({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}, now=NOW)

    assert ["X-RateLimit-Reset"] == [name for name, _ in observed.ignored]


@pytest.mark.parametrize(
    ("reset", "others", "reset_s", "assumed"),
    [
        # An hour of seconds and a minute of milliseconds look the same: the longer wait is safe.
        ("59873", {}, 59_873, "59873 is read as seconds; in milliseconds it would be 59.9 s"),
        ("1500", {}, 1500, "1500 is read as seconds; in milliseconds it would be 1.5 s"),
        (
            "59873",
            {"Retry-After": "60"},
            Fraction("59.873"),
            "59873 is read as milliseconds, as Retry-After says so",
        ),
        (
            "59873",
            {"X-RateLimit-Window": "60"},
            Fraction("59.873"),
            "59873 is read as milliseconds, as the window is shorter",
        ),
        ("59873", {"Retry-After": "59873"}, 59_873, ""),
        # A bucket may be full in half an hour, and have the next token in two seconds.
        (
            "1800",
            {"Retry-After": "2"},
            1800,
            "1800 is read as seconds; in milliseconds it would be 1.8 s",
        ),
        # A limit of a second may be reset in 900 ms.
        ("900", {}, 900, "900 is read as seconds; in milliseconds it would be 900 ms"),
        ("41", {"Retry-After": "41"}, 41, ""),
        ("41", {"X-RateLimit-Window": "60"}, 41, ""),
        ("0", {}, 0, ""),
        ("59873", {"X-RateLimit-Window": "86400"}, 59_873, ""),
    ],
)
def test_what_is_assumed_of_the_unit_of_a_reset_is_reported(
    reset: str, others: dict[str, str], reset_s: Fraction, assumed: str
) -> None:
    headers = {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    observed = observe(headers | others, now=NOW)

    assert [reset_s] == [limit.reset_s for limit in observed.limits]
    assert ((("X-RateLimit-Reset", assumed),) if assumed else ()) == observed.assumed
    assert () == observed.ignored


@pytest.mark.parametrize("reset", ["200", "7"])
def test_all_resets_of_a_response_are_in_one_unit(reset: str) -> None:
    headers = {
        "X-RateLimit-Limit-Tokens": "120000",
        "X-RateLimit-Remaining-Tokens": "9",
        "X-RateLimit-RenewalPeriod-Tokens": "60",
        "X-RateLimit-Reset-Tokens": reset,
        "X-RateLimit-Limit-Requests": "120",
        "X-RateLimit-Remaining-Requests": "119",
        "X-RateLimit-RenewalPeriod-Requests": "60",
        "X-RateLimit-Reset-Requests": "500",
    }
    observed = observe(headers, now=NOW)

    assert [Fraction(int(reset), 1000), Fraction(1, 2)] == [limit.reset_s for limit in observed.limits]
    reasons = {"200": "the window is shorter", "7": "another reset is"}
    assert dict(observed.assumed) == {
        "X-RateLimit-Reset-Tokens": f"{reset} is read as milliseconds, as {reasons[reset]}",
        "X-RateLimit-Reset-Requests": "500 is read as milliseconds, as the window is shorter",
    }
    assert () == observed.ignored


@pytest.mark.parametrize(
    ("headers", "assumed"),
    [
        ({"Retry-After": "60000"}, "60000 is read as seconds; in milliseconds it would be 1 min"),
        (
            {"Retry-After": "60000", "X-RateLimit-Reset": "58"},
            "60000 is read as milliseconds, as the reset says so",
        ),
        ({"Retry-After": "3600"}, ""),
        ({"Retry-After": "86400"}, ""),
    ],
)
def test_what_is_assumed_of_the_unit_of_a_wait_is_reported(headers: dict[str, str], assumed: str) -> None:
    assert ((("Retry-After", assumed),) if assumed else ()) == observe(headers, now=NOW).assumed


def test_times_of_the_server_are_compared_with_its_own_clock() -> None:
    pairs = [("Date", "Mon, 21 Sep 2026 14:00:00 GMT"), ("Retry-After", "Mon, 21 Sep 2026 14:00:37 GMT")]

    assert 37 == observe(pairs, now=NOW).wait_s


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ([("Retry-After", "0.008374929428100586")], Fraction("0.008374929428100586")),
        ([("Retry-After", "2.0")], 2),
        ([("Retry-After", "120, 120")], 120),
        ([("Retry-After", "5"), ("Retry-After", "9")], 9),
        ([("Retry-After-Ms", "1500"), ("Retry-After", "2")], Fraction(3, 2)),
        ([("x-ms-retry-after-ms", "250")], Fraction(1, 4)),
        ([("X-RateLimit-Retry-After", "3")], 3),
        ([("Retry-After", str(NOW + 4))], 4),
        ([("Retry-After", "1m30s")], 90),
        ([("X-Retry-In", "1.5s")], Fraction(3, 2)),
        ([("X-Throttle-Wait-Seconds", "3600")], 3600),
        ([("X-Rate-Limit-Retry-After-Seconds", "16841")], 16841),
        ([("Retry-After-short", "2"), ("Retry-After-long", "9")], 9),
        ([("X-AI-RateLimit-Retry-After-30-azure", "20")], 20),
        ([("x-ms-ratelimit-microsoft.consumption-retry-after", "30")], 30),
    ],
)
def test_a_wait_is_read_in_every_unit_and_form(fields: list[tuple[str, str]], expected: Fraction) -> None:
    observed = observe(fields, now=NOW)

    assert (expected, ()) == (observed.wait_s, observed.ignored)


def test_repeated_fields_of_two_gateways_are_two_limits() -> None:
    pairs = [
        ("X-RateLimit-Limit", "100"),
        ("X-RateLimit-Limit", "5000"),
        ("X-RateLimit-Remaining", "0"),
        ("X-RateLimit-Remaining", "4998"),
        ("X-RateLimit-Reset", "17"),
        ("X-RateLimit-Reset", "1200"),
    ]
    expected = (
        ObservedLimit(quota=f(100), remaining=f(0), reset_s=f(17)),
        ObservedLimit(quota=f(5000), remaining=f(4998), reset_s=f(1200)),
    )

    assert expected == observe(pairs, now=NOW).limits
    joined = {name: ", ".join(value for other, value in pairs if other == name) for name, _ in pairs}
    assert expected == observe(joined, now=NOW).limits


def test_repeated_fields_of_which_one_is_missing_let_nobody_retry_too_early() -> None:
    observed = observe(
        {"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "0, 9", "X-RateLimit-Reset": "17, 60, 5"},
        now=NOW,
    )

    assert [(None, f(0), f(60)), (None, f(9), f(60))] == [
        (limit.quota, limit.remaining, limit.reset_s) for limit in observed.limits
    ]
    assert ["X-RateLimit-Limit"] == [name for name, _ in observed.ignored]


def test_two_spellings_of_different_limits_are_two_limits() -> None:
    headers = {
        "RateLimit-Limit": "100",
        "RateLimit-Remaining": "50",
        "X-RateLimit-Limit": "5000",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "8",
    }

    assert [100, 5000] == [limit.quota for limit in observe(headers, now=NOW).limits]
    assert 8 == observe(headers, now=NOW).wait_s


@pytest.mark.parametrize(
    "name",
    [
        "X-RateLimit-Scope",
        "X-Envoy-RateLimited",
        "X-App-Rate-Limit-Count",
        "X-Throttling-State",
        "X-Quota-Left",
        "X-App-Usage",
        "X-MBX-USED-WEIGHT-1M",
        "X-Limit-Per-Day",
        "X-Remaining-Today",
        "X-Daily-Requests-Left",
        "X-Plan-QPS-Current",
        "x-sapi-used-ip-weight-1m",
        "X-Requests-Available-Minute",
        "x-current-token-count",
        "X-LS-API-Drip-Rate",
        "x-concurrency-limit",
        "X-Page-Usage",
    ],
)
def test_what_looks_like_a_rate_limit_field_and_is_not_understood_is_named(name: str) -> None:
    observed = observe({name: "user", "Content-Length": "7"}, now=NOW)

    assert ((), [name]) == (observed.limits, [name for name, _ in observed.ignored])


@pytest.mark.parametrize("status", [403, 429])
def test_after_a_rejection_with_quota_left_a_client_waits_a_minute(status: int) -> None:
    github = {
        "Date": "Wed, 10 Nov 2021 04:26:48 GMT",
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": "4290",
        "x-ratelimit-reset": "1636520514",
    }

    assert 60 == observe(github, now=1_636_518_408, status=status).wait_s
    assert 60 == observe({}, now=NOW, status=status).wait_s
    assert 0 == observe(github, now=1_636_518_408, status=200).wait_s


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        # developers.hubspot.com, "API usage guidelines": no field of a reset
        (
            {
                "X-HubSpot-RateLimit-Interval-Milliseconds": "10000",
                "X-HubSpot-RateLimit-Max": "100",
                "X-HubSpot-RateLimit-Remaining": "0",
                "X-HubSpot-RateLimit-Daily": "250000",
                "X-HubSpot-RateLimit-Daily-Remaining": "249000",
            },
            10,
        ),
        # docs.docker.com, "Docker Hub usage and limits": six hours, at any moment of which a pull may be free
        ({"ratelimit-limit": "100;w=21600", "ratelimit-remaining": "0;w=21600"}, 60),
        # developer-docs.amazon.com/sp-api, "Usage plans and rate limits": one request every two seconds
        ({"x-amzn-RateLimit-Limit": "0.5"}, 2),
    ],
)
def test_after_a_rejection_without_a_reset_a_client_waits_for_the_window(
    headers: dict[str, str], expected: int
) -> None:
    assert expected == observe(headers, now=NOW, status=429).wait_s


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry-After": "0"}, 1),
        ({"Retry-After": "7"}, 7),
        ({"Retry-After": "Mon, 21 Sep 2020 14:13:51 GMT"}, 1),
        ({"RateLimit": '"a";r=0;t=0'}, 1),
        ({"RateLimit": '"a";r=0;t=9'}, 9),
        ({"RateLimit": '"a";r=0'}, 60),
    ],
)
def test_the_wait_after_a_rejection_is_never_zero(headers: dict[str, str], expected: int) -> None:
    assert expected == observe(headers, now=NOW, status=429).wait_s


@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, 0), (500, 0), (403, 60), (418, 60), (420, 60), (429, 60), (430, 60), (503, 60)],
)
def test_each_status_of_a_rejection_asks_for_a_wait(status: int, expected: int) -> None:
    assert expected == observe({"X-MBX-Used-Weight-1M": "2401"}, now=NOW, status=status).wait_s


def test_without_retry_after_the_longest_reset_of_an_exhausted_limit_counts() -> None:
    headers = {"RateLimit": '"a";r=0;t=7, "b";r=0;t=40, "c";r=5;t=900, "d";r=0'}

    assert 40 == observe(headers, now=NOW).wait_s


def test_a_client_with_quota_left_need_not_wait() -> None:
    assert 0 == observe({"RateLimit": '"a";r=1;t=7'}, now=NOW).wait_s


def test_a_reset_that_has_passed_is_no_wait() -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(NOW - 5)}

    assert 0 == observe(headers, now=NOW).wait_s


@pytest.mark.parametrize("value", ["10k", "６０", "1e400", "1e400/s", "1e16 per hour"])
def test_a_number_in_another_form_is_no_quota_of_a_second(value: str) -> None:
    """Plain numbers mean requests per second elsewhere; a header has its window in another field."""
    observed = observe({"X-RateLimit-Limit": value, "X-RateLimit-Reset": "60"}, now=NOW)

    assert [] == [limit for limit in observed.limits if limit.quota or limit.window_s]
    assert ("X-RateLimit-Limit", f"{value!r} is no number") in observed.ignored


def test_a_quota_below_zero_is_no_quota_of_zero() -> None:
    observed = observe({"X-RateLimit-Limit": "-1", "X-RateLimit-Remaining": "5"}, now=NOW)

    assert (ObservedLimit(remaining=f(5)),) == observed.limits
    reason = "'-1' is below zero, which may mean that there is no limit"
    assert (("X-RateLimit-Limit", reason),) == observed.ignored


@pytest.mark.parametrize(
    "headers",
    [
        {"X-RateLimit-Limit": "-1", "X-RateLimit-Remaining": "-1"},
        {"X-RateLimit-Remaining": "-1"},
        {"X-RateLimit-Limit-Minute": "-1", "X-RateLimit-Remaining-Minute": "-1"},
        {"X-RateLimit-Limit": "-1, 1000", "X-RateLimit-Remaining": "5, -1"},
        {"X-Monthly-Quota-Remaining": "-1"},
    ],
)
def test_what_remains_of_no_limit_is_not_read_as_nothing_left(headers: dict[str, str]) -> None:
    observed = observe(headers, now=NOW)

    assert ((), ()) == (observed.limits, observed.read)
    assert set(headers) == {name for name, reason in observed.ignored if "below zero" in reason}


def test_separators_of_thousands_differ_from_those_of_a_list() -> None:
    headers = {"X-RateLimit-Limit": "5,000", "X-RateLimit-Remaining": "4,999", "X-RateLimit-Reset": "60"}
    assert (ObservedLimit(quota=f(5000), remaining=f(4999), reset_s=f(60)),) == observe(
        headers, now=NOW
    ).limits
    left = {"X-RateLimit-Limit": "1,000,000", "X-RateLimit-Remaining": "999"}
    assert (ObservedLimit(quota=f(1_000_000), remaining=f(999)),) == observe(left, now=NOW).limits


def test_a_list_that_could_be_thousands_is_named_as_an_assumption() -> None:
    observed = observe({"X-RateLimit-Limit": "60,300", "X-RateLimit-Remaining": "59,299"}, now=NOW)

    assert [(f(60), f(59)), (f(300), f(299))] == [(each.quota, each.remaining) for each in observed.limits]
    assert (("X-RateLimit-Limit", "60,300 is read as several limits"),) == observed.assumed


def test_a_quota_that_may_be_thousands_or_decimals_is_not_understood() -> None:
    observed = observe({"X-RateLimit-Limit": "5.000", "X-RateLimit-Remaining": "4.990"}, now=NOW)

    assert () == observed.limits
    assert ["'5.000' may mean 5000 or 5", "'4.990' may mean 4990 or 4.99"] == [
        reason for _, reason in observed.ignored
    ]


def test_a_use_below_zero_says_nothing_of_what_remains() -> None:
    observed = observe({"X-RateLimit-Limit": "100", "X-RateLimit-Used": "-1"}, now=NOW)

    assert (ObservedLimit(quota=f(100)),) == observed.limits
    assert (("X-RateLimit-Used", "'-1' is below zero"),) == observed.ignored


def test_below_zero_of_a_stated_quota_nothing_is_left_and_the_assumption_is_named() -> None:
    headers = {"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "-3", "X-RateLimit-Reset": "-1"}
    observed = observe(headers, now=NOW)

    assert (ObservedLimit(quota=f(100), remaining=f(0), reset_s=f(0)),) == observed.limits
    assert {
        "X-RateLimit-Remaining": "-3 is read as 0, as more was used than the limit",
        "X-RateLimit-Reset": "-1 is read as 0, a time that has passed",
    } == dict(observed.assumed)


def test_malformed_fields_are_passed_over_and_named() -> None:
    headers = {
        "RateLimit": '"a";t=7',
        "RateLimit-Policy": "?",
        "X-RateLimit-Limit": "many",
        "X-RateLimit-Remaining": "3",
        "X-RateLimit-Reset": "soon",
        "Retry-After": "later",
    }
    observed = observe(headers, now=NOW)

    assert (ObservedLimit(name="", quota=None, remaining=f(3)),) == observed.limits
    assert ("X-RateLimit-Remaining",) == observed.read
    assert ["RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Reset", "Retry-After"] == [
        name for name, _ in observed.ignored
    ]
    assert all(reason for _, reason in observed.ignored)
    assert 0 == observed.wait_s


def test_a_repeated_field_is_one_list() -> None:
    pairs = [("RateLimit", '"a";r=1'), ("ratelimit", '"b";r=2')]

    assert ["a", "b"] == [limit.name for limit in observe(pairs, now=NOW).limits]


def test_the_time_must_be_known() -> None:
    with pytest.raises(InvalidHeader, match="now must be a number"):
        observe({}, now="now")  # type: ignore[arg-type]


names = st.sampled_from(
    [
        "RateLimit",
        "RateLimit-Limit",
        "Date",
        "RateLimit-Limit-Minute",
        "RateLimit-Used",
        "RateLimit-Window",
        "Retry-After-Ms",
        "x-ms-ratelimit-remaining-reads",
        "RateLimit-Policy",
        "RateLimit-Reset",
        "Retry-After",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-RateLimit-Reset-After",
        "X-Quota-Remaining",
        "X-Quota-Resets-In",
        "X-Rate-Limit",
        "X-Shopify-Shop-Api-Call-Limit",
    ]
)
texts = st.text() | st.text(alphabet='0123456789;,="./ wqrtab:') | st.integers().map(str)


@given(st.dictionaries(names, texts))
def test_whatever_a_server_sends_is_read_or_named_and_never_raises(headers: dict[str, str]) -> None:
    observed = observe(headers, now=NOW)

    assert 0 <= observed.wait_s
    assert {*observed.read, *(name for name, _ in observed.ignored)} <= set(headers)


@pytest.mark.parametrize(
    "headers", ["X-RateLimit-Limit: 60", "ab", b"x", 5, None, [1], [("a",)], {"a": 1}, {b"a": b"1"}]
)
def test_what_has_no_names_and_values_is_an_error_that_says_so(headers: Any):
    with pytest.raises(InvalidHeader, match=r"^headers must be a mapping, or pairs of a name and a value"):
        observe(headers, now=1_790_000_000)
