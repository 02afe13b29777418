"""Plans are made without traffic, and probes of a real server keep their budgets and obey Retry-After."""

from __future__ import annotations

import urllib.error
import urllib.request
from fractions import Fraction

import pytest

from hook_widgets.endpoints import LimitedServer, SystemClock, VirtualClock
from hook_widgets.errors import InvalidArrivals, InvalidHeader
from hook_widgets.ratelimit import FixedWindow, SlidingLog, TokenBucket
from hook_widgets.ratelimit.inference import ProbeStep, infer, probe_limit
from tests.ratelimit.inference.hidden_limiters import BUCKET, keeps


class Client:
    """A client of a server with a virtual clock, which counts what it sends."""

    def __init__(self, server, clock, *, headers=True):
        self.server, self.clock, self.headers = server, clock, headers
        self.sent_s: list[Fraction] = []
        self.statuses: list[int] = []

    def send(self):
        sent = self.clock.now()
        try:
            with urllib.request.urlopen(self.server.url, timeout=30) as response:
                status, headers = response.status, dict(response.headers)
        except urllib.error.HTTPError as error:
            with error:
                status, headers = error.code, dict(error.headers)
        self.sent_s.append(sent)
        self.statuses.append(status)
        return sent, self.clock.now(), status, headers if self.headers else {}


def test_nothing_is_sent_by_default():
    def send():
        raise AssertionError("a request was sent")

    with pytest.raises(
        InvalidArrivals, match=r"up to 150 requests .* up to 30 are rejected; .* allow_traffic=True"
    ):
        probe_limit(send)


@pytest.mark.parametrize(
    ("limiter", "name"),
    [
        (SlidingLog(4, 10), "sliding log"),
        (TokenBucket(3, "1/s"), BUCKET),
        (FixedWindow(3, 60, "first"), "fixed window from the first request"),
    ],
    ids=str,
)
def test_a_server_without_headers_is_recognized(limiter, name):
    clock = VirtualClock()
    with LimitedServer(limiter, clock=clock) as server:
        client = Client(server, clock, headers=False)
        result = probe_limit(client.send, allow_traffic=True, max_duration_s="1 hour", wait=clock.advance)
    assert [each.algorithms for each in result.classes] == [(name,)]
    assert keeps(result, name, limiter)
    assert client.statuses.count(429) == result.rejections <= 30
    assert len(client.statuses) == result.requests <= 150


def test_retry_after_is_obeyed():
    clock = VirtualClock()
    limiter = FixedWindow(3, 20, "first", name="window")
    with LimitedServer(limiter, clock=clock) as server:
        client = Client(server, clock)
        result = probe_limit(client.send, allow_traffic=True, max_duration_s="1 hour", wait=clock.advance)
        decided = list(server.requests)
    assert keeps(result, "fixed window from the first request", limiter)
    rejected = [i for i, request in enumerate(decided[:-1]) if request.status == 429]
    assert rejected
    assert all(decided[i + 1].status == 200 for i in rejected)  # a request that waited is admitted


@pytest.mark.parametrize(
    ("budget", "requests", "rejections", "seconds"),
    [
        ({"max_requests": 7}, 7, 99, 9999),
        ({"max_rejections": 2}, 99, 2, 9999),
        ({"max_duration_s": 5}, 99, 99, 5),
        ({"max_requests": 0}, 0, 0, 0),
        ({"max_rejections": 0}, 0, 0, 0),
    ],
    ids=str,
)
def test_budgets_are_kept(budget, requests, rejections, seconds):
    clock = VirtualClock()
    with LimitedServer(SlidingLog(3, 10), clock=clock) as server:
        client = Client(server, clock, headers=False)
        result = probe_limit(client.send, allow_traffic=True, wait=clock.advance, **budget)
    assert len(client.statuses) == result.requests <= requests
    assert client.statuses.count(429) <= rejections
    assert not client.sent_s or client.sent_s[-1] - client.sent_s[0] <= seconds


def test_a_server_is_recognized_by_the_systems_clock():
    clock = SystemClock()
    limiter = TokenBucket(3, "1/s")
    with LimitedServer(limiter, clock=clock, fields=()) as server:
        client = Client(server, SystemClock())
        result = probe_limit(client.send, allow_traffic=True, max_duration_s="4 s")
    assert result.rejections
    assert keeps(result, BUCKET, limiter)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((0, 0), InvalidArrivals),
        (None, InvalidArrivals),
        ((0, 0, 900, {}), InvalidArrivals),
        ((0, 0, 429, 5), InvalidHeader),
    ],
    ids=str,
)
def test_what_send_returns_is_checked(answer, error):
    with pytest.raises(error):
        probe_limit(lambda: answer, allow_traffic=True)


@pytest.mark.parametrize(
    "budget", [{"max_requests": -1}, {"max_rejections": "x"}, {"max_duration_s": float("nan")}]
)
def test_budgets_are_checked(budget):
    with pytest.raises(InvalidArrivals, match=next(iter(budget))):
        probe_limit(lambda: (0, 0, 200, {}), allow_traffic=True, **budget)
    if "max_duration_s" not in budget:
        budget.pop("x", None)
        with pytest.raises(InvalidArrivals, match=next(iter(budget))):
            infer([]).next_probe(**budget)


def test_the_first_plan_exhausts_the_limit():
    plan = infer([]).next_probe(max_requests=20)
    assert plan is not None
    assert plan.steps == (ProbeStep(Fraction(0), 20),)
    assert (plan.requests, plan.rejections) == (20, 1)
    assert str(plan).startswith(
        "send up to 20 requests, until one is rejected. At most 20 requests, 1 rejection"
    )


def test_then_waits_double_until_one_is_admitted():
    observations: list[tuple[object, ...]] = [(0, 0, 200), (1, 1, 200), (2, 2, 429)]
    waits, t = [], Fraction(2)
    for _ in range(3):
        plan = infer(observations).next_probe()
        assert plan is not None
        (step,) = plan.steps
        waits.append(float(step.wait_s))
        t += step.wait_s
        observations.append((t, t, 429))
    assert waits == pytest.approx([2, 4, 8], rel=0.01)


def test_a_plan_stays_within_its_bounds():
    observations = [
        (0, 0, 200),
        (0.1, 0.1, 200),
        (0.2, 0.2, 429),
        (3, 3, 429),
        (8, 8, 200),
        (8.1, 8.1, 200),
        (8.2, 8.2, 429),
    ]
    result = infer(observations)
    assert len(result.classes) > 1
    plan = result.next_probe(max_requests=5, max_rejections=2, max_duration_s=60)
    assert plan is not None
    assert (plan.requests <= 5, plan.rejections <= 2, plan.duration_s <= 60) == (True, True, True)
    assert str(plan) == str(result.next_probe(max_requests=5, max_rejections=2, max_duration_s=60))
    assert result.next_probe(max_duration_s=0.0001) is None
    assert result.next_probe(max_requests=0) is None
