"""Test the named policies against the libraries, with their clocks, sleeps and random numbers replaced."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import slack_sdk.http_retry.builtin_handlers as slack
import stripe
import urllib3
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients import Backoff, ClientPolicy, RetryTokens, client_policies, client_policy
from tests.ratelimit.clients.driving import lone_run, waits_of

US = (0.0, 0.25, 0.5, 0.9)
RECORDED = json.loads(Path(__file__).with_name("library_waits.json").read_text())


@pytest.fixture
def sleeps(monkeypatch):
    """The sleeps of a library, which takes 0.25 for every random number."""
    done: list[float] = []
    monkeypatch.setattr(time, "sleep", done.append)
    monkeypatch.setattr(random, "random", lambda: 0.25)
    monkeypatch.setattr(random, "uniform", lambda a, b: a + (b - a) * 0.25)
    return done


def close(expected):
    return pytest.approx(expected, abs=1e-9)  # our times are whole nanoseconds


@pytest.mark.parametrize("u", US)
@pytest.mark.parametrize(
    ("name", "recorded", "rejected"),
    [
        ("tenacity-random-exponential", "tenacity-random-exponential", False),
        ("tenacity-exponential-jitter", "tenacity-exponential-jitter", False),
        ("stamina", "stamina", False),
        ("aws-sdk", "aws-sdk", False),
        ("aws-sdk", "aws-sdk rejected", True),
        ("google-api-core", "google-api-core", True),
    ],
)
def test_the_waits_are_those_recorded_of_the_library(name, recorded, rejected, u):
    """`record_waits.py` has recorded them, also how often and until when the library tries again."""
    if recorded == "google-api-core" and not u:
        u = 0.25  # with 0 it would retry for two minutes without any wait
    (waits,) = waits_of(client_policy(name), u, rejected=rejected)

    assert close(RECORDED["waits_s"][str(u)][recorded]) == waits


def test_the_versions_in_the_sources_are_those_that_were_recorded():
    sources = " ".join(policy.source for policy in client_policies().values())

    for library, number in RECORDED["versions"].items():
        assert f"{library} {number}" in sources


def test_the_waits_of_grpc_are_within_the_bounds_of_its_policy():
    shortest, longest = (waits_of(client_policy("grpc"), u)[0] for u in (0.0, 1 - 1e-12))
    late_s = 0.03  # a measured wait contains a round trip and a wake-up of a thread

    for measured in RECORDED["grpc waits_s"]:
        assert len(measured) == len(shortest) == 3
        for low, wait, high in zip(shortest, measured, longest, strict=True):
            assert low < wait < high + late_s
    # The text of 2017 says random(0, backoff): then some of 60 waits would be below half of it.
    assert all(
        wait > 0.5 * low for row in RECORDED["grpc waits_s"] for low, wait in zip(shortest, row, strict=True)
    )


def test_the_throttling_of_grpc_ends_retries_as_measured():
    calls = waits_of(client_policy("grpc"), calls=4)

    assert RECORDED["grpc retries of failing calls with throttling"] == [len(waits) for waits in calls]


@pytest.mark.parametrize(("rejected", "outcome"), [(True, "rejected"), (False, "failed")])
def test_the_quota_of_botocore_is_used_up_as_recorded(rejected, outcome):
    """500 // 5 and 500 // 14 retries; each call makes at most two."""
    run = lone_run(client_policy("aws-sdk"), rejected=rejected, calls=200)

    assert RECORDED["retries until botocore's quota is used up"][outcome] == len(run.attempts) - 200
    (quota,) = client_policy("aws-sdk").guards
    assert quota == RetryTokens()


def retried_by_urllib3(retry, sleeps, headers):
    """Return the sleeps of urllib3 after so many responses with 429."""
    response = urllib3.HTTPResponse(status=429, headers=headers)
    while retry.is_retry("GET", 429, has_retry_after="Retry-After" in headers):
        try:
            retry = retry.increment("GET", "/", response)
        except urllib3.exceptions.MaxRetryError:
            break
        before = len(sleeps)
        retry.sleep(response)
        if len(sleeps) == before:
            sleeps.append(0)
    return sleeps


def test_urllib3_without_a_backoff_factor_retries_at_once_and_only_with_retry_after(sleeps):
    assert (
        []
        == retried_by_urllib3(urllib3.Retry.DEFAULT, sleeps, {})
        == waits_of(client_policy("urllib3"), rejected=True)[0]
    )
    assert [7, 7, 7] == retried_by_urllib3(urllib3.Retry.DEFAULT, sleeps, {"Retry-After": "7"})
    assert 7 == client_policy("urllib3").retry_after.wait_s(7, 0, 0.5)
    assert 3 == client_policy("urllib3").max_retries


def test_urllib3_with_a_backoff_factor(sleeps):
    retry = urllib3.Retry(5, backoff_factor=1, status_forcelist=[429, 503])

    expected = retried_by_urllib3(retry, sleeps, {})

    assert [0, 2, 4, 8, 16] == expected == waits_of(client_policy("urllib3-backoff"), rejected=True)[0]
    sleeps.clear()
    longest = retried_by_urllib3(urllib3.Retry(1), sleeps, {"Retry-After": "99999"})
    assert longest == [client_policy("urllib3-backoff").retry_after.wait_s(99_999, 0, 0.5)]


def test_urllib3_with_jitter(sleeps):
    """Of no named policy: the formula that `Jitter.ADDED` states."""
    retry = urllib3.Retry(6, backoff_factor=0.5, backoff_jitter=2, backoff_max=5, status_forcelist=[429])
    ours = Backoff(0.5, max_s=5, jitter="added", jitter_s=2, first_s=0)

    expected = retried_by_urllib3(retry, sleeps, {})

    assert close(expected) == waits_of(ClientPolicy(ours, max_retries=6), 0.25, rejected=True)[0]


@pytest.mark.parametrize("headers", [{}, {"Retry-After": ["5"]}])
def test_slack_waits_after_a_rejection(sleeps, headers):
    handler, state = slack.RateLimitErrorRetryHandler(), RetryState()
    response = HttpResponse(status_code=429, headers=headers)
    while handler.can_retry(state=state, request=mock.Mock(), response=response):
        handler.prepare_for_next_attempt(state=state, request=mock.Mock(), response=response)

    policy = client_policy("slack-sdk")
    backoff_s = policy.backoff.wait_s(0, 0.25)
    assert close(sleeps) == [policy.retry_after.wait_s(5 if headers else None, backoff_s, 0.25)]
    assert policy.max_retries == len(sleeps)


def test_slack_waits_after_a_failure(sleeps):
    handler, state = slack.ServerErrorRetryHandler(max_retry_count=4), RetryState()
    response = HttpResponse(status_code=503, headers={})
    while handler.can_retry(state=state, request=mock.Mock(), response=response):
        handler.prepare_for_next_attempt(state=state, request=mock.Mock(), response=response)

    rule = client_policy("slack-sdk").failure_backoff
    assert rule is not None
    assert close(sleeps) == [rule.wait_s(n, 0.25) for n in range(4)]
    assert slack.ServerErrorRetryHandler().max_retry_count == client_policy("slack-sdk").max_retries


def test_stripe_waits_after_a_failure(sleeps):
    client = stripe.RequestsClient()
    policy = client_policy("stripe")

    assert close([client._sleep_time_seconds(n) for n in range(1, 9)]) == [
        policy.backoff.wait_s(n, 0.25) for n in range(8)
    ]
    assert stripe.max_network_retries == policy.max_retries
    answers = {status: client._should_retry((b"", status, {}), None, 0, 2) for status in (429, 503)}
    assert answers == {429: "rejected" in policy.retry_on, 503: "failed" in policy.retry_on}


def test_slacks_node_sdk_waits_as_its_source_says():
    """node-retry, lib/retry.js: round((1 + random) * 1000 * 1.96821^n) ms, ten times, in about 30 minutes."""
    shortest, longest = (waits_of(client_policy("slack-node"), u)[0] for u in (0.0, 1 - 1e-12))

    assert [1, 1.96821] == pytest.approx(shortest[:2])
    assert len(shortest) == 10
    assert sum(shortest) < 30 * 60 < sum(longest)


def test_slacks_node_sdk_waits_for_retry_after_and_then_as_after_any_failure():
    """WebClient.ts: it delays the failure by Retry-After, and aborts without that field."""
    rule = client_policy("slack-node").retry_after

    assert 31 == rule.wait_s(30, 1, 0.5)
    assert rule.wait_s(None, 1, 0.5) is None


def test_unknown_names_are_errors_that_help():
    unhashable: Any = ["urllib3"]
    with pytest.raises(InvalidLimit, match="there is no policy 'urlib3'; did you mean 'urllib3'"):
        client_policy("urlib3")
    with pytest.raises(InvalidLimit):
        client_policy(unhashable)


def test_every_policy_has_a_source():
    assert all(policy.source and policy.name == name for name, policy in client_policies().items())
