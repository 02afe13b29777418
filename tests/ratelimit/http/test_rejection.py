"""A refusal: status, fields and body, never early, never cached."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.observed import observe
from hook_widgets.ratelimit.http.problem_details import (
    LimitDetail,
    ProblemDetails,
    RejectionCause,
    choose_status,
)
from hook_widgets.ratelimit.http.ratelimit_headers import QuotaPolicy, parse_ratelimit, parse_ratelimit_policy
from hook_widgets.ratelimit.http.rejection import ExceededLimit, reject
from hook_widgets.ratelimit.http.x_ratelimit_headers import XRateLimit

NOW = 1_790_000_000
HOURLY = QuotaPolicy(name="hourly", quota=1000, window_s=3600)
BURST = QuotaPolicy(name="burst", quota=20, window_s=1)
spans = st.one_of(st.floats(0, 1e6, allow_nan=False), st.fractions(0, 10**6))
moments = st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1 < moment.year < 9999)


def document(body: bytes) -> dict[str, Any]:
    return json.loads(body)


def test_too_much_from_one_client_is_429_and_an_overloaded_server_is_503() -> None:
    assert {"quota-exceeded": 429, "temporary-reduced-capacity": 503, "abnormal-usage-detected": 429} == {
        str(cause): choose_status(cause).code for cause in RejectionCause
    }
    assert "RFC 6585" in choose_status("quota-exceeded").source
    assert "RFC 9110 section 15.6.4" in choose_status("temporary-reduced-capacity").source


def test_an_unknown_cause_is_rejected() -> None:
    with pytest.raises(InvalidHeader, match="'tired' is no cause; choose from quota-exceeded, "):
        choose_status("tired")


def test_a_rejection_names_the_limit_when_it_resets_and_when_to_retry() -> None:
    refusal = reject([ExceededLimit(HOURLY, retry_s=3.6, reset_s=1199.5)], now=NOW + 0.25)

    assert {
        "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
        "title": "Quota Exceeded",
        "status": 429,
        "detail": "The limit 'hourly' of 1,000 requests per hour is exceeded. Retry in 4 s.",
        "violated-policies": ["hourly"],
        "retry-after": 4,
        "limits": [
            {
                "name": "hourly",
                "quota": 1000,
                "unit": "requests",
                "window": 3600,
                "retry-after": 4,
                "reset": 1200,
                "resets-at": "2026-09-21T14:33:20Z",
            }
        ],
    } == document(refusal.body)
    assert {
        "Content-Type": "application/problem+json",
        "Cache-Control": "no-store",
        "Retry-After": "4",
        "RateLimit-Policy": '"hourly";q=1000;w=3600',
        "RateLimit": '"hourly";r=0;t=4',
    } == dict(refusal.headers)


def test_the_slowest_of_several_limits_decides_when_to_retry() -> None:
    refusal = reject(
        [ExceededLimit(BURST, 0.05, remaining=0.4), ExceededLimit(HOURLY, 3.6)], now=NOW, x_reset="delta"
    )
    headers = dict(refusal.headers)

    assert "4" == headers["Retry-After"]
    assert (1000, 4) == (int(headers["X-RateLimit-Limit"]), int(headers["X-RateLimit-Reset"]))
    assert ["burst", "hourly"] == document(refusal.body)["violated-policies"]
    assert [1, 4] == [limit.reset_s for limit in parse_ratelimit(headers["RateLimit"])]
    assert (BURST, HOURLY) == parse_ratelimit_policy(headers["RateLimit-Policy"])


def test_an_overloaded_server_says_so() -> None:
    refusal = reject([ExceededLimit(HOURLY, 30)], now=NOW, cause="temporary-reduced-capacity")

    assert (503, 503) == (refusal.status, document(refusal.body)["status"])
    assert RejectionCause.CAPACITY is ProblemDetails.parse(refusal.body).cause
    # Nobody did anything wrong: no limit is exceeded.
    overloaded = "The server is overloaded and cannot serve this request now. Retry in 30 s."
    assert overloaded == document(refusal.body)["detail"]


def test_the_partition_key_stays_out_of_the_body() -> None:
    refusal = reject(
        [ExceededLimit(QuotaPolicy(name="hourly", quota=1000, window_s=3600, partition_key=b"user-7"), 30)],
        now=NOW,
    )

    assert "pk=:dXNlci03:" in dict(refusal.headers)["RateLimit-Policy"]
    assert None is ProblemDetails.parse(refusal.body).limits[0].policy.partition_key


@given(retry=spans, reset=st.none() | spans, now=st.integers(0, 4 * 10**9) | st.floats(0, 4e9))
def test_a_client_that_obeys_any_part_of_a_rejection_is_never_early(
    retry: float | Fraction, reset: float | Fraction | None, now: float
) -> None:
    refusal = reject([ExceededLimit(HOURLY, retry, reset)], now=now, x_reset="epoch")
    headers = dict(refusal.headers)
    (limit,) = ProblemDetails.parse(refusal.body).limits

    assert 0 <= observe(refusal.headers, now=now).wait_s - Fraction(retry) < 1
    assert retry <= XRateLimit.parse(headers, dialect="epoch").wait_s(now)
    assert retry <= limit.retry_after_s <= limit.reset_s
    assert Fraction(now) + Fraction(retry) <= Fraction(limit.resets_at.timestamp())


def test_a_rejection_without_a_limit_is_rejected() -> None:
    with pytest.raises(InvalidHeader, match="there is no exceeded limit"):
        reject([], now=NOW)


@pytest.mark.parametrize(
    ("retry", "problem"),
    [(float("nan"), "must be a finite number"), (1e14, "after the year 9999"), ("3", "not str")],
)
def test_a_wait_that_cannot_be_written_is_rejected(retry: Any, problem: str) -> None:
    with pytest.raises(InvalidHeader, match=problem):
        reject([ExceededLimit(HOURLY, retry)], now=NOW)


names = st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)], min_size=1)
wholes = st.integers(0, 10**15 - 1)
limit_details = st.builds(
    LimitDetail,
    st.builds(QuotaPolicy, name=names, quota=wholes, window_s=st.none() | st.integers(1, 10**6), unit=names),
    wholes,
    wholes,
    moments,
)
problems = st.builds(
    ProblemDetails,
    cause=st.sampled_from(RejectionCause),
    violated=st.lists(names).map(tuple),
    detail=st.text(st.characters(codec="utf-8")),
    retry_after_s=st.none() | wholes,
    limits=st.lists(limit_details, max_size=3).map(tuple),
)


@given(problems)
def test_what_is_written_is_read_back(problem: ProblemDetails) -> None:
    assert problem == ProblemDetails.parse(problem.build())


def test_a_document_that_only_names_the_limits_is_read() -> None:
    # the example of draft-10 section 5.1
    body = b"""{"type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
      "title": "Request cannot be satisfied as assigned quota has been exceeded",
      "violated-policies": ["daily","bandwidth"]}"""

    assert ProblemDetails(
        cause=RejectionCause.QUOTA, violated=("daily", "bandwidth")
    ) == ProblemDetails.parse(body)


def test_a_reset_written_in_another_zone_is_read_as_utc() -> None:
    body = document(reject([ExceededLimit(HOURLY, 30)], now=NOW).body)
    body["limits"][0]["resets-at"] = "2026-09-21T19:43:50+05:30"

    (limit,) = ProblemDetails.parse(json.dumps(body).encode()).limits
    assert datetime(2026, 9, 21, 14, 13, 50, tzinfo=UTC) == limit.resets_at
    assert timedelta(0) == limit.resets_at.utcoffset()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"type": "about:blank"}, "type must be https://iana.org/"),
        ({"type": 429}, "type must be https://iana.org/"),
        ({"violated-policies": "hourly"}, "violated-policies must be a list"),
        ({"violated-policies": [1]}, "violated-policies must be a list of policy names"),
        ({"detail": None}, "detail must be text"),
        ({"retry-after": 1.5}, "retry-after must be a whole number of at least 0"),
        ({"retry-after": True}, "retry-after must be a whole number of at least 0"),
        ({"limits": {}}, "limits must be a list"),
        ({"limits": ["hourly"]}, "limits must be a list of objects"),
        ({"limits": [{"name": "hourly"}]}, "each of limits needs the texts name, unit and resets-at"),
    ],
)
def test_a_document_that_breaks_a_rule_is_rejected(change: dict[str, Any], problem: str) -> None:
    body = document(reject([ExceededLimit(HOURLY, 30)], now=NOW).body) | change

    with pytest.raises(InvalidHeader, match=problem):
        ProblemDetails.parse(json.dumps(body).encode())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"resets-at": "soon"}, "resets-at is 'soon'"),
        ({"resets-at": "0001-01-01T00:00:00+05:00"}, "resets-at is '0001-01-01"),
        ({"window": 0}, "w must be a whole number of at least 1"),
        ({"window": "1h"}, "window must be a whole number"),
        ({"quota": -1}, "quota must be a whole number"),
        ({"reset": None}, "reset must be a whole number"),
        ({"name": ""}, "a policy's name must be printable"),
    ],
)
def test_a_limit_that_breaks_a_rule_is_rejected(change: dict[str, Any], problem: str) -> None:
    body = document(reject([ExceededLimit(HOURLY, 30)], now=NOW).body)
    body["limits"][0] |= change

    with pytest.raises(InvalidHeader, match=problem):
        ProblemDetails.parse(json.dumps(body).encode())


@pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b'"429"', b"{", b"[" * 100_000, b"null"])
def test_a_body_that_is_no_document_is_rejected(body: bytes) -> None:
    with pytest.raises(InvalidHeader, match="no problem document"):
        ProblemDetails.parse(body)


def test_times_may_be_timedeltas() -> None:
    half, second = timedelta(milliseconds=500), timedelta(seconds=1)
    seconds = reject([ExceededLimit(HOURLY, 0.5, reset_s=1)], now=NOW, x_reset="epoch")

    assert seconds == reject([ExceededLimit(HOURLY, half, reset_s=second)], now=NOW, x_reset="epoch")
