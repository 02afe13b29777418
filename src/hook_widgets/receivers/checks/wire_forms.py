"""Areas A, D and F: forms of HTTP that need control of the connection, and hanging up."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hook_widgets.receivers.checks.http_forms import accepts_or_says_so
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.forging import Signed, signature_headers
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.outcome import NotApplicable, Outcome, RateLimited
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.delivery.wire import encode_request
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import WebhookRequest

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection

_HELD_BACK_S: Final = 1.0
_ONE_CHUNK: Final = 1 << 30

Pairs = list[tuple[str, str]]


def read(connection: Connection, label: str, request: WebhookRequest) -> Exchange:
    """Return a request that was written, with the response to it.

    Raises:
        RateLimited: the response is 429.
    """
    exchange = Exchange(label, request, connection.read(method=request.method), written=True)
    return RateLimited.unless_decided(exchange)


def same_connection(context: Context) -> Outcome:
    """A9: two requests on one connection are accepted."""
    if context.signed().request().headers.get("Connection", "").lower() == "close":
        raise NotApplicable(f"{context.provider.title} closes the connection after each request")
    context.ensure_good()
    exchanges: list[Exchange] = []
    for write, label in ((_one_by_one, "on the same connection"), (_pipelined, "begun before the response")):
        with context.connection(2) as connection:
            first, second = context.signed().request(), context.signed().request()
            exchanges.append(write(connection, first, second))
            if exchanges[-1].accepted and connection.reusable:
                exchanges.append(read(connection, f"a second request {label}", second))
    if closed := [e for e in exchanges if e.hung_up]:
        observed = f"it closes the connection without saying so: {summary(closed)}"
        return Outcome(Status.WARNED, observed, closed[0])
    if bad := [e for e in exchanges if not e.accepted]:
        return Outcome(Status.FAILED, summary(bad), bad[0])
    closes = "" if len(exchanges) > 2 else "; it says that it closes each connection"
    return Outcome(Status.PASSED, f"{summary(exchanges)}{closes}", exchanges[-1])


def _one_by_one(connection: Connection, first: WebhookRequest, second: WebhookRequest) -> Exchange:
    connection.write(b"".join(encode_request(first)))
    exchange = read(connection, "a first request", first)
    if connection.reusable:
        connection.write(b"".join(encode_request(second)))
    return exchange


def _pipelined(connection: Connection, first: WebhookRequest, second: WebhookRequest) -> Exchange:
    data = b"".join(encode_request(second))
    connection.write(b"".join(encode_request(first)) + data[:20])
    exchange = read(connection, "a first request", first)
    if connection.reusable:
        connection.write(data[20:])
    return exchange


def hung_up(context: Context) -> Outcome:
    """D11: half a body is no work, and a sender that does not wait for the response is served once."""
    counter, once = context.count_one("the first request", context.signed().request())
    signed = context.signed()
    request = signed.request()
    head, body = encode_request(request)
    if len(body) > 1:
        with context.connection() as connection:
            connection.write(head + body[: len(body) // 2])
        if (count := counter.settled()) > once:
            return Outcome(Status.FAILED, f"{work_done(count - once)} for half a body")
    with context.connection() as connection:
        connection.write(head + body)
    counter.wait_for(once + 1)
    work = counter.settled() - once
    after = context.good()
    if work > 1 or not after.accepted:
        observed = f"{work_done(work)}, and then {after.outcome} for a good request"
        return Outcome(Status.FAILED, observed, after)
    if not work:
        observed = "no work for a request whose sender hung up: a retry must do it"
        return Outcome(Status.WARNED, observed, after)
    return Outcome(Status.PASSED, "no work for half a body, and once for a whole one", after)


def repeated_header(context: Context) -> Outcome:
    """F2: a signature header that comes twice is neither a crash nor a way around the verification."""
    names = {name.lower() for name in signature_headers(context.draft())}
    if not names:
        raise NotApplicable(f"{context.provider.title} sends no signature in a header")

    def both(first: Signed, second: Signed) -> WebhookRequest:
        def twice(pairs: Pairs) -> Iterable[tuple[str, str]]:
            others = second.request().headers
            for name, value in pairs:
                yield name, value
                if name.lower() in names:
                    yield name, others[name]

        return first.request(headers=twice)

    def forged() -> Iterator[Variant]:
        draft = context.draft()
        yield "a forged signature twice", both(context.forge(draft), context.forge(draft))

    def mixed() -> Iterator[Variant]:
        for label, good_first in (("good, then forged", True), ("forged, then good", False)):
            good = context.signed()
            bad = context.forge(good.draft)
            yield label, both(good, bad) if good_first else both(bad, good)

    outcome = context.rejects(forged(), crash=Status.FAILED)
    if outcome.status is not Status.PASSED:
        return outcome
    survived = context.survives(mixed())
    return replace(survived, observed=f"{outcome.observed}; {survived.observed}")


def spaces_and_folding(context: Context) -> Outcome:
    """F3: spaces around a header's value are accepted, and a folded value is no crash."""
    context.ensure_good()
    names = signature_headers(context.draft()) or [name for name, _ in context.draft().header_templates]
    if not names:
        raise NotApplicable(f"{context.provider.title} sends no headers")
    line = re.compile(rb"(?<=\r\n)" + re.escape(names[0].encode()) + rb": (.*)(?=\r\n)")
    changes = {
        "spaces and a tab around a value": names[0].encode() + rb":  \t\1 \t",
        "a folded value": names[0].encode() + rb":\r\n \1",
    }
    exchanges = []
    for label, change in changes.items():
        request = context.signed().request()
        head, body = encode_request(request)
        with context.connection() as connection:
            connection.write(line.sub(change, head, count=1) + body)
            exchanges.append(read(connection, label, request))
    padded, folded = exchanges
    if crashed := [e for e in exchanges if e.crashed and not e.hung_up]:
        return Outcome(Status.FAILED, summary(crashed), crashed[0])
    if not padded.accepted:
        return Outcome(Status.WARNED, summary([padded]), padded)
    return Outcome(Status.PASSED, summary(exchanges), folded)


def chunked(context: Context) -> Outcome:
    """F7: a chunked body without a length is accepted."""
    context.ensure_good()
    exchanges = []
    for label, size in (("one chunk", _ONE_CHUNK), ("chunks of 7 bytes", 7)):
        request = context.signed().request()
        with context.connection() as connection:
            connection.write(b"".join(encode_request(request, chunk_bytes=size)))
            exchanges.append(read(connection, label, request))
    if bad := [e for e in exchanges if not e.accepted]:
        return Outcome(Status.FAILED, summary(bad), bad[0])
    return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])


def compressed(context: Context) -> Outcome:
    """F8: a body that is compressed with gzip is accepted if the provider sends such, and never a crash."""
    context.ensure_good()
    label = "a body that was signed, then compressed"
    request = context.signed(headers={"Content-Encoding": "gzip"}).request()
    packed = replace(request, body=gzip.compress(request.body, mtime=0))
    if context.provider.responses.signs_before_gzip:
        return accepts_or_says_so(context, label, packed)
    return context.survives([(label, packed)])


def held_back(context: Context) -> Outcome:
    """F9: a body that is held back for ``100 Continue`` is asked for."""
    context.ensure_good()
    request = context.signed().request(headers=lambda pairs: [*pairs, ("Expect", "100-continue")])
    head, body = encode_request(request)
    with context.connection() as connection:
        connection.write(head)
        interim = connection.read(interim=True, timeout_s=_HELD_BACK_S)
        asked = interim.status == 100
        if interim.error is None and not asked:
            exchange = RateLimited.unless_decided(
                Exchange("a body that was held back", request, interim, written=True)
            )
        else:
            connection.write(body)
            exchange = read(connection, "a body that was held back", request)
    if exchange.accepted and asked:
        return Outcome(Status.PASSED, f"100, then {exchange.outcome}", exchange)
    if exchange.accepted or exchange.status == 417:
        observed = f"no 100 within {_HELD_BACK_S:g} s; {exchange.outcome}"
        return Outcome(Status.WARNED, observed, exchange)
    return Outcome(Status.FAILED, summary([exchange]), exchange)


def probes(context: Context) -> Outcome:
    """F15: GET and HEAD are answered as the provider expects, and never do work."""
    counter = None if context.counter is None else context.count()
    before = None if counter is None else counter.settled()
    expected = context.provider.probe_methods
    agent = context.forge(context.draft()).request().headers.get("User-Agent")
    headers = Headers([("User-Agent", agent)] if agent else [])
    exchanges = [
        context.send(
            f"{method} without a signature",
            WebhookRequest(method=method, url=context.url, headers=headers, body=b""),
        )
        for method in ("GET", "HEAD")
    ]
    if counter is not None and before is not None and (work := counter.settled() - before):
        return Outcome(Status.FAILED, work_done(work), exchanges[-1])
    if crashed := [e for e in exchanges if e.crashed and e.status != 501]:  # 501: it has no such method
        return Outcome(Status.FAILED, summary(crashed), crashed[0])
    if missing := [e for e in exchanges if e.request.method in expected and not e.accepted]:
        return Outcome(Status.FAILED, summary(missing), missing[0])
    # A challenge that comes by GET needs a route, which a framework also serves for HEAD.
    is_routed = any(handshake.method == "GET" for handshake in context.provider.handshakes)
    others = [
        e for e in exchanges if not (e.request.method in expected or e.rejected or (is_routed and e.accepted))
    ]
    if others and (counter is None or any(e.redirected for e in others)):
        return Outcome(Status.WARNED, summary(others), others[0])
    if others:
        context.count_one(
            "the first request", context.signed().request()
        )  # a count that never changes shows nothing
    return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])
