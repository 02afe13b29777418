"""Area F: the same request in other forms of HTTP, and bodies at the edge of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from hook_widgets.receivers.bodies import extended
from hook_widgets.receivers.checks.events import repeated_key
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.oracle import OracleFailed
from hook_widgets.receivers.outcome import NotApplicable, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.delivery.wire import encode_request
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.scheme import Event

_DEPTH: Final = 10_000


def header_case(context: Context) -> Outcome:
    """F1: header names are accepted in any case."""
    cases: dict[str, Callable[[str], str]] = {
        "lower-case names": str.lower,
        "upper-case names": str.upper,
        "mixed names": lambda name: "".join(c.upper() if i % 2 else c.lower() for i, c in enumerate(name)),
    }
    return context.accepts(
        (label, context.signed().request(headers=partial(_renamed, case))) for label, case in cases.items()
    )


def charsets(context: Context) -> Outcome:
    """F4: a charset in the content type is accepted."""
    media_type = context.signed().request().headers.get("Content-Type", "").partition(";")[0].strip()
    if not media_type.endswith("json"):
        raise NotApplicable(f"{context.provider.title} sends {media_type or 'no content type'}, not JSON")
    types = [f"{media_type}; charset=utf-8", f'{media_type}; charset="UTF-8"', f"{media_type};charset=UTF-8"]
    return context.accepts((text, context.signed(headers={"Content-Type": text}).request()) for text in types)


def json_types(context: Context) -> Outcome:
    """F5: the media types that end in +json, which the provider sends, are accepted."""
    types = {
        event.name: media_type
        for event in context.provider.all_events
        if event.category != "handshake" and (media_type := _media_type(context, event)).endswith("+json")
    }
    if not types:
        raise NotApplicable(f"{context.provider.title} sends no media type that ends in +json")
    first = {media_type: name for name, media_type in reversed(types.items())}
    return context.accepts(
        (label, context.signed(event=name, headers={"Content-Type": label}).request())
        for media_type, name in first.items()
        for label in (media_type, f"{media_type}; charset=utf-8")
    )


def form_encoding(context: Context) -> Outcome:
    """F6: the event as a form is accepted, if the provider can send it so."""
    base = context.event
    for event in context.provider.events:
        same = (event.type or event.name) == (base.type or base.name) and event.scheme != base.scheme
        if same and _media_type(context, event) == "application/x-www-form-urlencoded":
            break
    else:
        raise NotApplicable(f"{context.provider.title} does not send this event as a form")
    context.ensure_good()
    body = context.provider.template(event.name)
    return accepts_or_says_so(
        context, "the same event as a form", context.signed(event=event.name, body=body).request()
    )


def accepts_or_says_so(context: Context, label: str, request: WebhookRequest) -> Outcome:
    """Send a valid request in a form that a receiver may decline, with a status that says so."""
    exchange = context.send(label, request)
    if exchange.accepted:
        return Outcome(Status.PASSED, exchange.outcome, exchange)
    says_so = exchange.status in (400, 406, 415, 422)
    return Outcome(Status.WARNED if says_so else Status.FAILED, exchange.outcome, exchange)


def empty_body(context: Context) -> Outcome:
    """F10: an empty body does not crash the receiver."""
    return context.survives([("an empty body", context.signed(body=b"").request())])


def odd_bytes(context: Context) -> Outcome:
    """F11: bytes that are not clean UTF-8 or JSON do not crash the receiver."""
    texts = {
        "an escaped NUL": rb"\u0000",
        "a NUL": b"\0",
        "invalid UTF-8": b"\xff\xfe",
        "half of a surrogate pair": rb"\ud800",
    }

    def variants() -> Iterator[Variant]:
        yield "a byte order mark", context.signed(body=b"\xef\xbb\xbf" + context.json_object()).request()
        members = {label: b'"hook_widgets_new":"' + text + b'"' for label, text in texts.items()}
        yield from extended(context, members)

    context.require_json_object()
    return context.survives(variants())


def odd_json(context: Context) -> Outcome:
    """F12: repeated keys, ``__proto__`` and deep nesting do not crash the receiver.

    With an oracle the outcome tells which one of a repeated key counts.
    """
    nested = b"[" * _DEPTH + b"]" * _DEPTH
    members = {
        "a repeated key": b'"hook_widgets_new":1,"hook_widgets_new":1000',
        "__proto__": b'"__proto__":{"admin":true}',
        f"{_DEPTH:,} levels": b'"hook_widgets_new":' + nested,
    }
    context.require_json_object()
    outcome = context.survives(extended(context, members))
    if outcome.status is not Status.PASSED:
        return outcome
    with suppress(OracleFailed):  # the checks that need it say so
        if text := repeated_key(context):
            return replace(outcome, observed=f"{outcome.observed}; {text}")
    return outcome


def redirects(context: Context) -> Outcome:
    """F16: the URL does not redirect, nor does the one with another slash at its end."""
    direct = context.send("the URL", context.signed().request())
    if direct.redirected:
        return Outcome(Status.FAILED, summary([direct]), direct)
    parts = urlsplit(context.url)
    path = parts.path.rstrip("/") if parts.path.endswith("/") else f"{parts.path}/"
    if path in ("", "/"):
        return Outcome(Status.PASSED, summary([direct]), direct)
    label = (
        "the URL with a slash at its end" if path.endswith("/") else "the URL without the slash at its end"
    )
    other = context.send(label, context.signed(url=parts._replace(path=path).geturl()).request())
    status = Status.WARNED if other.redirected else Status.PASSED
    return Outcome(status, summary([direct, other]), other)


def unknown_client(context: Context) -> Outcome:
    """F17: an unknown client, and HTTP/1.0, are accepted."""

    def agent(value: str | None, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        rest = [(n, v) for n, v in pairs if n.lower() not in ("user-agent", "accept")]
        return rest if value is None else [("User-Agent", value), *rest]

    scheme = context.scheme
    signed = [name for name in scheme.headers if scheme.header_template(name).names & scheme.signed]
    if "user-agent" in map(str.lower, signed):
        raise NotApplicable(f"{context.provider.title} signs the User-Agent")
    agents = {"another User-Agent": "hook-widgets-check/1", "no User-Agent": None}
    outcome = context.accepts(
        (label, context.signed().request(headers=partial(agent, value))) for label, value in agents.items()
    )
    if outcome.status is not Status.PASSED or context.session.connector is None:
        return outcome
    request = context.signed().request(headers=partial(agent, None))
    with context.connection() as connection:
        connection.write(b"".join(encode_request(request, http_version="1.0")))
        old = Exchange("HTTP/1.0", request, connection.read(), written=True)
    status = Status.PASSED if old.accepted else Status.WARNED
    return Outcome(status, f"{outcome.observed}; {summary([old])}", old)


def _renamed(case: Callable[[str], str], pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(case(name), value) for name, value in pairs]


def _media_type(context: Context, event: Event) -> str:
    """Return the media type of an event as the provider sends it."""
    headers = {name.lower(): value for name, value in event.headers.items()}
    scheme = context.provider.scheme(event.scheme)
    for name in scheme.headers:
        headers.setdefault(name.lower(), scheme.header_template(name).text)
    return headers.get("content-type", "").partition(";")[0].strip()
