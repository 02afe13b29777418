"""Test the server that enforces a limit: what it decides is what `simulate` decides, and how it tells it."""

from __future__ import annotations

import gc
import json
import random
import ssl
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from http.client import HTTPConnection, HTTPResponse
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from hook_widgets.endpoints import LimitedServer, SystemClock, VirtualClock
from hook_widgets.errors import (
    HookWidgetsError,
    InvalidArrivals,
    InvalidHeader,
    InvalidLimit,
    LimitModelError,
)
from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Replicas,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.http import build_response

LIMITERS = [
    TokenBucket(5, "4/s", name="calls"),
    TokenBucket(3, 2, "empty", refill_every_s=1, name="steps"),
    Gcra("0.3 s", "0.9 s", name="cells"),
    FixedWindow(3, "0.7 s", name="window"),
    SlidingLog(3, "0.7 s", name="log"),
    HoldOff(SlidingLog(3, "0.7 s"), "1.1 s", name="held"),
    Layers(TokenBucket(5, "4/s", name="bucket"), FixedWindow(20, "10 s", name="quota")),
]


@contextmanager
def connected(server: LimitedServer) -> Iterator[HTTPConnection]:
    """Return a connection to a running server."""
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    try:
        yield connection
    finally:
        connection.close()


def ask(connection: HTTPConnection, headers: Mapping[str, str] | None = None) -> tuple[HTTPResponse, bytes]:
    """Return the response to a request, and its body."""
    connection.request("GET", "/orders", headers=dict(headers or {}))
    response = connection.getresponse()
    return response, response.read()


def traffic(rng: random.Random, count: int) -> list[Fraction]:
    """Return times that are whole tenths of a second, none twice."""
    return [Fraction(t, 10) for t in sorted(rng.sample(range(2 * count), count))]


@pytest.mark.parametrize("limiter", LIMITERS, ids=repr)
def test_each_response_is_that_of_a_simulated_run(limiter: Limiter):
    at, clock = traffic(random.Random(repr(limiter)), 80), VirtualClock()
    run = simulate(limiter, at)

    fields = ["retry-after", "ratelimit", "problem", *["x-ratelimit"] * (len(limiter.layers) == 1)]
    x_reset = "delta" if "x-ratelimit" in fields else None
    with LimitedServer(limiter, clock=clock, fields=fields) as server, connected(server) as connection:
        for i, t in enumerate(at):
            clock.advance(t - clock.now())
            response, body = ask(connection)

            expected = build_response(run, i, start=clock.epoch_s, x_reset=x_reset)
            assert (expected.status, expected.body) == (response.status, body)
            assert dict(expected.headers) == {
                name: value
                for name, value in response.getheaders()
                if name not in {"Server", "Date", "Content-Length"}
            }

    assert [request.at_s for request in server.requests] == at
    assert {200, 429} == {request.status for request in server.requests}


def test_requests_in_parallel_are_decided_as_their_times_say():
    limiter = Layers(TokenBucket(30, "500/s"), SlidingCounter(150, "0.2 s", align="first"))

    with LimitedServer(limiter) as server:

        def client(_: int) -> list[int]:
            with connected(server) as connection:
                return [ask(connection)[0].status for _ in range(60)]

        with ThreadPoolExecutor(4) as pool:
            statuses = [status for row in pool.map(client, range(4)) for status in row]

    run = simulate(limiter, [request.at_s for request in server.requests])
    assert run.admitted == [request.decision.admitted for request in server.requests]
    assert sorted(statuses) == sorted(200 if admitted else 429 for admitted in run.admitted)
    assert 240 == len(run.admitted)


def test_a_key_is_the_name_of_a_header_and_replicas_are_chosen_by_the_server():
    limiter = Layers(
        PerClient("X-Api-Key", FixedWindow(1, 10, name="key")), Replicas(2, FixedWindow(2, 10), name="node")
    )
    keys = ["a", "a", "b", "c", None, None, "d"]

    with LimitedServer(limiter, clock=VirtualClock()) as server, connected(server) as connection:
        statuses = [ask(connection, {"X-Api-Key": key} if key else {})[0].status for key in keys]

    assert [200, 429, 200, 200, 429, 200, 429] == statuses
    assert [None, "key", None, None, "node", None, "node"] == [
        request.decision.limited_by for request in server.requests
    ]
    assert {"X-Api-Key": "a", "replica": 1} == server.requests[1].decision.client


def test_clients_and_costs_are_what_functions_say():
    limiter = PerClient("user", TokenBucket(5, 1, name="points"))

    with (
        LimitedServer(
            limiter,
            clock=VirtualClock(),
            client=lambda request: {"user": urlsplit(request.url).path},
            cost=lambda request: int(request.headers.get("Cost") or 1),
        ) as server,
        connected(server) as connection,
    ):
        statuses = [ask(connection, {"Cost": cost})[0].status for cost in ("3", "3", "2", "9")]
        too_large, text = ask(connection, {"Cost": "9"})
        rejected, _ = ask(connection, {"Cost": "4"})

    assert [200, 429, 200, 400] == statuses
    assert (400, b"cost is 9, but points never admits more than 5 at once") == (
        too_large.status,
        text.partition(b";")[0],
    )
    assert "4" == rejected.headers["Retry-After"]
    assert "/orders" == server.requests[0].decision.client["user"]


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ([], set()),
        (["retry-after"], {"Retry-After"}),
        (["ratelimit"], {"RateLimit", "RateLimit-Policy"}),
        (["x-ratelimit"], {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}),
        (["problem"], {"Content-Type"}),
    ],
)
def test_a_rejection_tells_what_was_chosen(fields: list[str], names: set[str]):
    limiter = FixedWindow(1, "1 min", name="calls")

    with (
        LimitedServer(limiter, clock=VirtualClock(), fields=fields, status=503) as server,
        connected(server) as connection,
    ):
        ask(connection)
        response, body = ask(connection)

    assert 503 == response.status
    assert names == {*response.headers} - {"Server", "Date", "Content-Length", "Cache-Control"}
    assert "no-store" == response.headers["Cache-Control"]
    assert ("problem" in fields) == bool(body)
    if body:
        assert "temporary-reduced-capacity" in json.loads(body)["type"]


def test_reset_comes_in_the_dialect_that_was_chosen():
    clock = VirtualClock()

    with (
        LimitedServer(
            FixedWindow(1, "1 min"), clock=clock, fields=["x-ratelimit"], x_reset="epoch"
        ) as server,
        connected(server) as connection,
    ):
        response, _ = ask(connection)

    assert clock.epoch_s + 60 == int(response.headers["X-RateLimit-Reset"])


class WaitedFor(VirtualClock):
    """A clock that records how long responses wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[Fraction] = []

    def wait(self, seconds: Fraction) -> None:
        self.waits.append(seconds)


def test_a_response_waits_as_long_as_its_request_in_the_queue_and_in_flight():
    clock = WaitedFor()
    limiter = Layers(LeakyBucket(2, "4/s"), Concurrency(2))

    with LimitedServer(limiter, clock=clock, service_s="0.5 s") as server, connected(server) as connection:
        statuses = [ask(connection)[0].status for _ in range(3)]

    assert [200, 200, 429] == statuses
    assert [Fraction(3, 4), Fraction(1)] == clock.waits


def test_the_systems_clock_goes_on_and_waits():
    clock = SystemClock()

    before = clock.now()
    clock.wait(Fraction(1, 1000))

    assert clock.now() - before >= Fraction(1, 1000)
    assert 1_700_000_000 < clock.epoch_s


def test_a_virtual_clock_goes_only_forward():
    with pytest.raises(InvalidArrivals, match="seconds is negative"):
        VirtualClock().advance(-1)


def test_it_speaks_https_with_a_certificate_of_its_own():
    with LimitedServer(TokenBucket(1, 1), tls=True) as server:
        context = ssl.create_default_context(cafile=str(server.ca))
        with urllib.request.urlopen(server.url, context=context) as response:
            assert 200 == response.status


def test_it_stops_at_the_end_of_the_block_and_when_it_is_forgotten():
    server = LimitedServer(TokenBucket(1, 1, name="calls"))
    assert "LimitedServer(TokenBucket(capacity=1, refill_rate=1, name='calls'), stopped, 0 requests)" == repr(
        server
    )
    with pytest.raises(
        HookWidgetsError, match="the limited server is not running; use it in a with statement"
    ):
        server.url  # noqa: B018
    running = server.start()._server
    assert running is not None
    del server
    gc.collect()

    assert -1 == running.socket.fileno()


def test_in_a_browser_it_says_what_to_do_instead(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "emscripten")

    with pytest.raises(LimitModelError, match=r"cannot listen for requests; decide requests with .*begin"):
        LimitedServer(TokenBucket(1, 1)).start()


@pytest.mark.parametrize(
    ("make", "error", "complaint"),
    [
        (lambda: LimitedServer(FixedWindow(0, 1)), InvalidLimit, "never admits a request"),
        (
            lambda: LimitedServer(TokenBucket(1, 1), status=500),
            InvalidLimit,
            "status is 500; give 429 or 503",
        ),
        (
            lambda: LimitedServer(TokenBucket(1, 1), fields=["retry"]),
            InvalidLimit,
            "did you mean 'retry-after'",
        ),
        (
            lambda: LimitedServer(TokenBucket(1, 1), fields=["x-ratelimit"], x_reset="never"),
            InvalidLimit,
            "x_reset is 'never'",
        ),
        (lambda: LimitedServer(TokenBucket(1, 1, name="Zugänge")), InvalidHeader, "Zug"),
        (lambda: LimitedServer(Concurrency(1)), InvalidArrivals, "give service_s"),
        (lambda: LimitedServer(TokenBucket(1, 1), service_s=1), InvalidArrivals, "leave service_s out"),
        (lambda: LimitedServer(cast(Any, "5/s")), InvalidLimit, r"write Limiter.of\('5/s'\)"),
    ],
)
def test_options_that_cannot_be_are_rejected(make, error, complaint):
    with pytest.raises(error, match=complaint):
        make()
