"""Areas D, F and G: copies in parallel, bursts, large and slow requests, and the time of the comparison."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hook_widgets.receivers.checks.wire_forms import read
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.forging import signature_headers, without
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome, RateLimited
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.delivery.wire import encode_request
from hook_widgets.webhooks.requests.request import WebhookRequest

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection

_COPIES: Final = 16
_BURST: Final = 100
_BURST_S: Final = 1.0
_BAD: Final = 50
_LARGE: Final = 10_000_000  # bytes
_PIECE: Final = 1_000_000  # bytes
_NOTICE_S: Final = 0.1  # seconds in which a receiver that has read enough responds
_SLOW_SENDERS: Final = 4
_ROUNDS: Final = 200
_TIMED_S: Final = 15.0
_TREND: Final = 6.0  # standard deviations; chance makes as many once in 500 million runs
_OTHER: Final = {ord(char): "1" if char == "0" else "0" for char in map(chr, range(32, 127))}


def copies_in_parallel(context: Context) -> Outcome:
    """D1: the work of copies that arrive at the same time is done once."""
    counter, once = context.count_one("the first request", context.signed().request())
    request = context.signed().request()
    data = b"".join(encode_request(request))
    with ExitStack() as stack:
        connections = [stack.enter_context(context.connection()) for _ in range(_COPIES)]
        for connection in connections:
            connection.write(data[:-1])
        for connection in connections:  # the last byte is what the receiver waits for
            connection.write(data[-1:])
        exchanges = [read(connection, f"{_COPIES} copies in parallel", request) for connection in connections]
    counter.wait_for(once + 1)
    work = counter.settled() - once
    if work > 1:
        return Outcome(Status.FAILED, work_done(work), exchanges[0])
    if work == 0:
        raise NotDecided(f"no work for a good request; {summary(exchanges)}", exchanges[0])
    if bad := [e for e in exchanges if not e.accepted and e.status != 409]:
        return Outcome(Status.WARNED, f"once, but the provider sends it again: {summary(bad)}", bad[0])
    return Outcome(Status.PASSED, f"once; {summary(exchanges)}", exchanges[0])


def burst(context: Context) -> Outcome:
    """D10: a burst is served, or put off with Retry-After."""
    context.ensure_good()
    requests = [context.signed().request() for _ in range(_BURST)]
    began = time.monotonic()
    with ExitStack() as stack:
        connections = []
        for index, request in enumerate(requests):
            connection = stack.enter_context(context.connection())
            connection.write(b"".join(encode_request(request)))
            connections.append(connection)
            context.session.pause(began + (index + 1) * _BURST_S / _BURST - time.monotonic())
        label = f"{_BURST} requests in {_BURST_S:g} s"
        exchanges = [
            Exchange(label, request, connection.read(method=request.method), written=True)
            for connection, request in zip(connections, requests, strict=True)
        ]
    busy = [e for e in exchanges if e.status in (429, 503)]
    silent = [e for e in busy if not e.delivery.headers.get("Retry-After")]
    if bad := [e for e in exchanges if e.crashed and e.status != 503] + silent:
        what = "without Retry-After: " if silent else ""
        return Outcome(Status.FAILED, f"{what}{summary(bad)}, of {_BURST}", bad[0])
    after = context.good()
    if not after.accepted and not busy:
        return Outcome(Status.FAILED, f"{after.outcome} for a good request afterwards", after)
    return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])


def ban(context: Context) -> Outcome:
    """D12: a good request after many bad ones is accepted."""
    context.ensure_good()
    try:
        for _ in range(_BAD):
            context.send("a forged request", context.forge(context.draft()).request())
        after = context.send(f"a good request after {_BAD} forged ones", context.signed().request())
    except RateLimited as limited:
        return Outcome(Status.WARNED, str(limited), limited.exchange)
    return Outcome(Status.PASSED if after.accepted else Status.WARNED, summary([after]), after)


def large_unsigned(context: Context) -> Outcome:
    """F13: a large body without a signature is rejected before it has been read."""
    context.ensure_good()
    exchanges: list[Exchange] = []
    late: list[Exchange] = []
    for label, chunk_bytes in (("10 MB without a signature", None), ("the same in chunks", _PIECE)):
        request = _unsigned(context, b'{"hook_widgets_new":"' + b"x" * _LARGE + b'"}')
        head, body = encode_request(request, chunk_bytes=chunk_bytes)
        with context.connection() as connection:
            connection.write(head)
            written = 0
            while written < len(body) and not connection.responded(within_s=_NOTICE_S):
                piece = body[written : written + _PIECE]
                count = connection.write(piece, until_response=True)
                written += count
                if count < len(piece):
                    break
            exchanges.append(read(connection, label, request))
        if written == len(body):
            late.append(exchanges[-1])
    if bad := [e for e in exchanges if not e.rejected and not (e.hung_up and e not in late)]:
        return Outcome(Status.FAILED, summary(bad), bad[0])
    if down := context.down_after(exchanges):
        return down
    if late:
        return Outcome(Status.WARNED, f"only after all of it: {summary(late)}", late[0])
    return Outcome(Status.PASSED, f"before the end: {summary(exchanges)}", exchanges[-1])


def slow_senders(context: Context) -> Outcome:
    """F14: slow senders do not hold up others, and are not waited for without end."""
    context.ensure_good()
    request = _unsigned(context, b"x" * 1000)
    head, body = encode_request(request)
    with ExitStack() as stack:
        connections = [stack.enter_context(context.connection()) for _ in range(_SLOW_SENDERS)]
        for connection in connections:
            connection.write(head + body[:1])
        beside = context.send("a good request beside slow senders", context.signed().request())
        if not beside.accepted:
            return Outcome(Status.FAILED, summary([beside]), beside)
        began = time.monotonic()
        interval_s = min(1.0, context.slow_s / 10)
        while (elapsed_s := time.monotonic() - began) < context.slow_s:
            if all(connection.responded() for connection in connections):
                exchange = read(connections[0], f"{_SLOW_SENDERS} slow senders", request)
                return Outcome(Status.PASSED, f"{exchange.outcome} after {elapsed_s:.0f} s", exchange)
            context.session.pause(interval_s)
            for connection in connections:
                connection.write(b"x", until_response=True)
    return Outcome(Status.WARNED, f"still waited for after {context.slow_s:g} s", beside)


def comparison_time(context: Context) -> Outcome:
    """G8: the time of a rejection does not grow with the characters of a signature that are right."""
    first = context.scheme.signatures[0]
    if first.algorithm.key_type is not None:
        raise NotApplicable("the receiver verifies with a public key, and compares no secret value")
    context.ensure_good()
    signed = context.signed()
    text = signed.texts[first.name]
    size = len(text.rstrip("="))
    requests: dict[int, WebhookRequest] = {}
    for right in (0, size // 4, size // 2, 3 * size // 4, size - 1):
        wrong = text[:right] + text[right:size].translate(_OTHER) + text[size:]
        requests[right] = signed.request(signed.texts | {first.name: wrong})
    exchange = context.send("a signature without a right character", requests[0])
    samples = _timed(context, {n: b"".join(encode_request(request)) for n, request in requests.items()})
    deviations = trend(samples)
    observed = f"{deviations:+.1f} standard deviations from no trend, in {len(samples)} rejections"
    return Outcome(Status.WARNED if deviations > _TREND else Status.PASSED, observed, exchange)


def _timed(context: Context, requests: dict[int, bytes]) -> list[tuple[int, float]]:
    """Send each request many times in random order, and return its number with the seconds it took."""
    samples: list[tuple[int, float]] = []
    keys = [n for _ in range(_ROUNDS) for n in context.random.sample(list(requests), len(requests))]
    connection: Connection | None = None
    reuse, failed, end = True, 0, time.monotonic() + _TIMED_S
    with ExitStack() as stack:
        for n in keys:
            if time.monotonic() > end:
                break
            if connection is None or not (reuse and connection.reusable):
                stack.close()
                connection = stack.enter_context(context.connection(0))
            context.session.count_request()
            began = time.perf_counter()
            connection.write(requests[n])
            delivery = connection.read()
            if delivery.error is None:
                samples.append((n, time.perf_counter() - began))
            else:
                connection, reuse, failed = None, False, failed + 1
    if len(samples) < max(failed, 5 * len(requests)):
        raise NotDecided(f"{failed} of {len(samples) + failed} requests had no response in {_TIMED_S:g} s")
    return samples


def trend(samples: Sequence[tuple[float, float]]) -> float:
    """Return by how many standard deviations the ranks of the values grow with the numbers before them.

    This is the permutation form of a rank correlation: without dependence it is about normal, with mean 0 and
    deviation 1, whatever the distribution of the values.
    """
    order = sorted(range(len(samples)), key=lambda index: samples[index][1])
    middle = (len(samples) - 1) / 2
    mean = sum(number for number, _ in samples) / len(samples)
    covariance = sum((samples[index][0] - mean) * (rank - middle) for rank, index in enumerate(order))
    spread = sum((number - mean) ** 2 for number, _ in samples)
    ranks = sum((rank - middle) ** 2 for rank in range(len(samples)))
    return covariance * math.sqrt((len(samples) - 1) / (spread * ranks))


def _unsigned(context: Context, body: bytes) -> WebhookRequest:
    """Return a request without a signature and with another body."""
    signed = context.forge(context.draft())
    return replace(signed.request(headers=without(*signature_headers(signed.draft))), body=body)
