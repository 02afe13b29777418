"""Inputs from what was measured: a log of traffic, and the headers of a response."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from math import inf

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import Arrivals
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.reporting.measured import inputs_of_log, limits_of_headers
from hook_widgets.ratelimit.traffic.logged import describe_log
from tests.support.work import at_most_lines


def line(second: int, ip: str = "10.0.0.1", user: str = "-") -> str:
    """Return a line of an access log."""
    clock = f"{13 + second // 3600:02}:{second % 3600 // 60:02}:{second % 60:02}"
    return f'{ip} - {user} [10/Oct/2026:{clock} +0000] "GET /orders HTTP/1.1" 200 512 "-" "curl/8"'


def log(seconds: Sequence[int]) -> bytes:
    """Return an access log of requests at these seconds."""
    return "\n".join(line(second, f"10.0.0.{n % 7}") for n, second in enumerate(seconds)).encode()


def test_mean_span_and_peak_are_those_of_the_log(tmp_path):
    data = log([0, 0, 0, 5, 9])
    traffic = describe_log(data)

    assert (5, 0, 10, 3) == (traffic.requests, traffic.skipped, traffic.span_s, traffic.peak)
    assert 0.5 == traffic.mean_per_s
    assert traffic.whole_seconds
    path = tmp_path / "access.log"
    path.write_bytes(data)
    assert traffic.requests == len(Arrivals.from_log(path))


def test_a_burst_on_steady_traffic_is_the_excess_over_the_mean():
    dice = random.Random(3)
    steady = [dice.randrange(3600) for _ in range(5_000)]
    traffic = describe_log(log(sorted([*steady, *[1_800] * 120, *[1_801] * 80])))

    assert (1_800, 2) == (traffic.burst_begin_s, traffic.burst_s)
    assert 195 <= traffic.burst <= 205


def brute_force(seconds: Sequence[int], longest_s: int) -> float:
    """Return the largest excess over the mean, of all stretches."""
    span = max(seconds) - min(seconds) + 1
    return max(
        sum(begin <= each < begin + length for each in seconds) - len(seconds) / span * length
        for begin in range(min(seconds), max(seconds) + 1)
        for length in range(1, min(longest_s, span) + 1)
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_stretch_of_a_minute_has_a_larger_excess(seed: int):
    dice = random.Random(seed)
    seconds = sorted(int(dice.triangular(0, 200, dice.randrange(200))) for _ in range(60))
    traffic = describe_log(log(seconds))
    own = [each - seconds[0] for each in seconds]
    stretch = [each for each in own if 0 <= each - traffic.burst_begin_s < traffic.burst_s]
    excess = len(stretch) - traffic.mean_per_s * traffic.burst_s

    assert traffic.burst == round(excess)
    largest = brute_force(own, 60)
    assert 0.9 * largest <= excess <= largest + 1e-9


def test_the_inputs_make_a_scenario_with_the_traffic_of_the_log():
    traffic = describe_log(log(sorted([*range(0, 3_600, 2), *[900] * 50])))
    inputs = inputs_of_log(traffic).inputs
    planned = scenario("10000/hour", **{name: text for name, text in inputs.items() if text})  # type: ignore[arg-type]

    assert {
        "steady": "30.84/min",
        "burst": "50",
        "burst_window_s": "1 s",
        "ips": "7",
    }.items() <= inputs.items()
    assert abs(len(planned.arrivals) - 1_900) < 150


@pytest.mark.parametrize(
    ("seconds", "entered"), [(45, "45 s"), (300, "5 min"), (5_400, "1 h 30 min"), (3_727, "3727 s")]
)
def test_the_length_of_a_log_is_entered_as_a_person_would_and_to_the_second(seconds: int, entered: str):
    inputs = inputs_of_log(describe_log(log([0, 1, seconds - 1]))).inputs

    assert entered == inputs["duration_s"]
    assert seconds == scenario("1/s", steady="1/s", duration_s=inputs["duration_s"]).duration_s


def test_ips_and_users_and_the_share_of_the_busiest_are_counted_if_the_log_has_them():
    data = "\n".join(
        [line(0, "1.1.1.1", "ann"), line(1, "1.1.1.1", "bob"), line(2, "2.2.2.2", "ann")]
    ).encode()
    traffic = describe_log(data)

    inputs = inputs_of_log(traffic).inputs
    assert ("2", "2") == (inputs["ips"], inputs["users"])
    assert "busiest_share" not in inputs
    assert "users" not in inputs_of_log(describe_log(log([0, 1]))).inputs, "what was entered stays"
    assert "66.7%" == inputs_of_log(traffic, {"ip"}).inputs["busiest_share"]
    assert "the busiest sent 66.7%" in " ".join(inputs_of_log(traffic).sentences)


def test_a_log_without_seconds_says_what_it_cannot_show():
    text = b"time,x\n2026-10-10 13:55,1\n2026-10-10 13:56,1\n"

    assert "The times end with the minutes: bursts shorter than a minute cannot be seen." in (
        inputs_of_log(describe_log(text)).sentences
    )


def test_the_requests_that_were_already_rejected_are_reported():
    data = "\n".join([line(0), line(1).replace('" 200 ', '" 429 '), line(2), line(3)]).encode()

    assert (
        "1 request of them (25%) had the response 429 (Too Many Requests)."
        in inputs_of_log(describe_log(data)).sentences
    )
    assert "429" not in " ".join(inputs_of_log(describe_log(log([0, 1]))).sentences)


@pytest.mark.parametrize(
    "data",
    [
        b"time,ip,user\n0,1.1.1.1,ann\n1,1.1.1.1,bob\n",
        b'{"time": 0, "ip": "1.1.1.1", "user": "ann"}\n{"time": 1, "client_ip": "1.1.1.1", "user": "bob"}',
        b"\xef\xbb\xbftime,ip,user\r\n0,1.1.1.1,ann\r\n1,1.1.1.1,bob\r\n",
    ],
)
def test_csv_and_json_lines_are_read_too(data: bytes):
    traffic = describe_log(data)

    assert (2, 0, 2) == (traffic.requests, traffic.skipped, traffic.span_s)
    assert ({"1.1.1.1": 2}, {"ann": 1, "bob": 1}) == (traffic.ips, traffic.users)


def test_lines_that_cannot_be_read_are_skipped_and_counted():
    odd = ["# comment", "x" * 10_000_000, '1.1.1.1 - - [99/Foo/2026:00:00:00 +0000] "GET"', "\x7f\x01", ""]
    data = "\n".join([line(0), *odd, line(4)]).encode() + b"\n\xff\xfe latin1 \xe9 [no time]\n"
    with at_most_lines(5_000):
        traffic = describe_log(data)

    assert (2, 5) == (traffic.requests, traffic.skipped)
    assert "5 lines skipped" in inputs_of_log(traffic).sentences[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no two lines"),
        (b"\n\n  \n", "no two lines"),
        (line(0).encode(), "no two lines"),
        (b"hello\nworld\n" * 1_000, "no two lines"),
        (b"y" * 20_000_000, "no two lines"),
        (b"\x7fELF\x02\x01\x00\x00" * 1_000, "not text"),
        (gzip.compress(log([0, 1])), "compressed"),
        (b"PK\x03\x04rest", "ZIP"),
        (log([0, 1]).decode().encode("utf-16"), "UTF-16"),
        (b"{" * 100_000, "no two lines"),
        (b'{"a": 1}\n' * 1_000, "there is no key with a time among a"),
        (b"time\n" + b"banana\n" * 1_000, "no two lines"),
        (b'time,"x\n' * 1_000, "no two lines"),
    ],
)
def test_what_is_no_log_is_rejected_with_the_reason(data: bytes, message: str):
    with at_most_lines(50_000), pytest.raises(InvalidArrivals, match=message):
        describe_log(data)


def test_a_log_that_takes_too_long_is_given_up():
    with pytest.raises(InvalidArrivals, match="takes longer than"):
        describe_log(log([0] * 5_000), budget_s=0)


def test_the_run_of_a_long_log_is_shorter_than_the_log():
    traffic = describe_log(log([second for second in range(20_000) for _ in range(10)]), budget_s=inf)

    assert "" == inputs_of_log(traffic).inputs["duration_s"]
    assert "shorter than the log" in inputs_of_log(traffic).sentences[-1]


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        (
            'RateLimit-Policy: "burst";q=100;w=60, "daily";q=5000;w=86400',
            (("burst", "100/min"), ("daily", "5000/day")),
        ),
        (
            "HTTP/2 200\r\nratelimit-limit: 100, 100;w=10\r\nratelimit-remaining: 3\r\n\r\nx: 1",
            (("", "100 per 10 s"),),
        ),
        ("< X-RateLimit-Limit: 60\n< X-RateLimit-Remaining: 0\n< X-RateLimit-Reset: 40\n", (("", "60/min"),)),
        (
            "Date: Mon, 21 Sep 2026 12:53:20 GMT\nx-ratelimit-limit: 5000\nx-ratelimit-reset: 1790001000",
            (("", "5000/day"),),
        ),
        ('{"RateLimit-Policy": "\\"p\\";q=7;w=1"}', (("p", "7/s"),)),
        # developer.whoop.com, "Rate limiting"
        (
            'X-RateLimit-Limit = "100, 100;window=60, 10000;window=86400"\nX-RateLimit-Remaining = "98"',
            (("", "100/min"), ("", "10000/day")),
        ),
        # As HTTPX (community.openai.com) and Requests (cambialens/lens-api-doc#13) show them
        (
            "Headers([('date', 'Mon, 26 May 2025 05:00:04 GMT'), ('x-ratelimit-limit-minute', '60')])",
            (("minute", "60/min"),),
        ),
        (
            "{'Date': 'Tue, 17 Sep 2019 09:56:32 GMT', 'x-ratelimit-limit-minute': '10'}",
            (("minute", "10/min"),),
        ),
        ("x-ratelimit-limit-minute:\n60\nx-ratelimit-remaining-minute:\n59", (("minute", "60/min"),)),
        # As VCR and Betamax record them, in YAML and in JSON (traceloop/openllmetry, facetoe/zenpy), and
        # WireMock (hub4j/github-api)
        (
            (
                "      headers:\n        Date:\n        - Tue, 28 Nov 2023 16:36:30 GMT\n"
                "        x-ratelimit-limit-tokens:\n        - '150000'\n"
                "        x-ratelimit-limit-minute:\n        - '60'\n"
                "        x-ratelimit-remaining-minute:\n        - 59\n"
            ),
            (("minute", "60/min"),),
        ),
        ("x-ratelimit-limit-minute: '60'\nx-ratelimit-remaining-minute: [\"59\"]", (("minute", "60/min"),)),
        ("RateLimit-Policy: '\"a\";q=7;w=1'", (("a", "7/s"),)),
        ('{"X-RateLimit-Limit": ["10"], "X-RateLimit-Period": ["60"]}', (("", "10/min"),)),
        (
            (
                '{"id": "1", "request": {"url": "/"}, "response": {"status": 200, "headers": '
                '{"X-RateLimit-Limit": "10", "X-RateLimit-Period": "60"}}}'
            ),
            (("", "10/min"),),
        ),
        # As PowerShell 7 shows a list of values, and an older console of Postman
        ("X-RateLimit-Limit : {10}\nX-RateLimit-Period : {60}", (("", "10/min"),)),
        ("X-RateLimit-Limit → 10\nX-RateLimit-Period →60", (("", "10/min"),)),
        # A value with braces or quotes of its own is left as it is.
        (
            'X-Ratelimit: {"name":"UNAUTHED_API","period":300,"limit":1000,"remaining":0}',
            (("", "1000 per 300 s"),),
        ),
        ('RateLimit-Policy: "a";q=7;w=1;comment="b"', (("a", "7/s"),)),
        # No part of a value is a header of its own.
        ("Location: /\u2028X-RateLimit-Limit-Day: 1\nX-RateLimit-Limit-Minute: 5", (("minute", "5/min"),)),
        ("Location: /\x85X-RateLimit-Limit-Day: 1\nX-RateLimit-Limit-Minute: 5", (("minute", "5/min"),)),
        (
            """{'location': "/', 'x-ratelimit-limit-day': '1", 'x-ratelimit-limit-minute': '5'}""",
            (("minute", "5/min"),),
        ),
    ],
)
def test_limits_are_read_from_headers_as_clients_show_them(text: str, limits: tuple[tuple[str, str], ...]):
    measured = limits_of_headers(text)

    assert limits == measured.limits
    assert "do not say the algorithm, the burst allowance" in measured.sentences[-1]


def test_another_reader_is_asked_for_what_has_no_header_of_a_limit():
    asked: list[str] = []

    def others(text: str) -> list[tuple[str, str]]:
        asked.append(text)
        return [("X-RateLimit-Limit", "10"), ("X-RateLimit-Period", "60")]

    assert (("minute", "60/min"),) == limits_of_headers("x-ratelimit-limit-minute: 60", others).limits
    assert [] == asked
    for text in ("Content-Type: text/html", "[1", "map[a:[b]]"):
        assert (("", "10/min"),) == limits_of_headers(text, others).limits
    with pytest.raises(InvalidLimit, match="no JSON"):
        limits_of_headers("[1]", lambda _: [])


def test_a_window_that_is_inferred_is_said():
    (_, inferred, assumed, _) = limits_of_headers("x-ratelimit-limit: 60\nx-ratelimit-reset: 40").sentences

    assert "not in the headers: 1 min is the shortest usual one" in inferred
    assert "x-ratelimit-reset: 40 is read as seconds; in milliseconds it would be 40 ms." == assumed


def test_what_is_assumed_of_a_unit_is_said():
    measured = limits_of_headers("X-RateLimit-Limit: 10\nX-RateLimit-Reset: 59873")

    assumed = "X-RateLimit-Reset: 59873 is read as seconds; in milliseconds it would be 59.9 s."
    assert assumed in measured.sentences


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no header"),
        ("hello", "no header"),
        ("\x00\x01\x02", "no header"),
        ("{", "no JSON"),
        ("[" * 10_000, "no header"),
        ("[" * 9_000 + "]" * 9_000, "no JSON"),
        ("{1: 'a', 'b': 2.5}", "no header"),
        ("{'a'}", "no JSON"),
        ("['a', 'b']", "no JSON"),
        ("a = b\n" * 3_000, "no header"),
        ("x: y\n" * 5_000, "more than 20,000 characters"),
        ("Content-Type: text/html", "none of these headers states a limit"),
        ("Retry-After: 3", "not a limit"),
        ("X-RateLimit-Limit: banana", "is no number"),
        ("X-Shopify-Shop-Api-Call-Limit: 32/40", "no window"),
        ("X-RateLimit-Remaining: 4", "no quota"),
        ("X-RateLimit-Limit: 0\nX-RateLimit-Reset: 5", "no quota"),
        ("X-RateLimit-Limit: 60\nX-RateLimit-Reset: 999999", "no window"),
        ("Date: nonsense\nX-RateLimit-Limit: 60", "no window"),
    ],
)
def test_headers_without_a_limit_are_rejected_with_the_reason(text: str, message: str):
    with pytest.raises(InvalidLimit, match=message):
        limits_of_headers(text)


@pytest.mark.parametrize("before", ["", "X-RateLimit-Limit: 10\nX-RateLimit-Window: 3600\n"])
@pytest.mark.parametrize("mark", ["", "< "])
def test_of_several_responses_the_last_counts(before, mark):
    """curl.se/docs/manpage.html: --location with --include prints all responses."""
    responses = (
        f"HTTP/1.1 302 Found\nLocation: /b\n{before}\n"
        "HTTP/2 200 \nX-RateLimit-Limit: 60\nX-RateLimit-Window: 60\n\nRateLimit-Policy: 9;w=9\n"
    )
    text = "\n".join(mark + line for line in responses.split("\n"))

    assert (("", "60/min"),) == limits_of_headers(text).limits
