"""The history of a widget: its deliveries, and requests that were imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hook_widgets.errors import HookWidgetsError
from hook_widgets.webhooks.delivery.client import REJECTING_STATUSES, Delivery, headers_as_sent
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.archives.export import to_har, to_json
from hook_widgets.webhooks.recordings.archives.masking import MASK
from hook_widgets.webhooks.recordings.comparison import compare
from hook_widgets.webhooks.recordings.exchange import Exchange, RecordedRequest, RecordedResponse
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.scheme.fields import sha256_hex
from hook_widgets.webhooks.verification.faults import Fault
from hook_widgets.webhooks.verification.signature_difference import explain_difference
from hook_widgets.widgets._rpc import Buffers, Handler, Rpc, RpcError
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.static_html.signer_info import SECRET_ENV

MAX_ENTRIES = 2_000
_SUMMARY = ("provider", "event", "method", "url", "status", "reason", "fault")
_SEARCHED = 256 * 1024  # bytes of each body
_FRAMING = ("host", "content-length", "connection", "transfer-encoding")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of the history.

    Attributes:
        record: the summary that every tab has.
        exchange: request and response, with a mask for a token that is sent itself.
        inputs: the inputs that were sent; None if it was imported.
        request: the request that was sent; None if it was imported.
        delivery: the result of sending; None if it was imported.
        fault: what is wrong with the request on purpose, if anything.
        written: True if the request was written byte by byte, as no curl command does.
    """

    record: dict[str, Any]
    exchange: Exchange
    inputs: Inputs | None = None
    request: WebhookRequest | None = None
    delivery: Delivery | None = None
    fault: Fault | None = None
    written: bool = False

    @property
    def contains_secret(self) -> bool:
        """True if the request carries the secret itself, and not a wrong one."""
        draft = self.request.draft if self.request else None
        return draft is not None and draft.reveals_secret and (self.fault is None or self.fault.uses_key)


class History:
    """Entries by their numbers, which are never used twice."""

    def __init__(self, rpc: Rpc) -> None:
        self._rpc = rpc
        self._entries: dict[int, Entry] = {}
        self._last = 0
        self.checked: dict[str, Entry] = {}
        """The requests that decided checks, by the ids of these: copied and opened as entries are."""

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, oldest first."""
        return tuple(self._entries.values())

    @property
    def next_number(self) -> int:
        """The number of the next entry."""
        return self._last + 1

    def add(self, entry: Entry) -> None:
        """Add an entry with the next number, and notify the tabs; the oldest one gives way to it."""
        self._keep(entry)
        self._rpc.notify("delivery", {"record": entry.record})

    def _keep(self, entry: Entry) -> None:
        self._last += 1
        self._entries[self._last] = entry
        while len(self._entries) > MAX_ENTRIES:
            del self._entries[next(iter(self._entries))]

    def add_imported(self, exchanges: Sequence[Exchange]) -> list[int]:
        """Add imported requests, and return their numbers."""
        now = datetime.now(UTC)
        first = self.next_number
        for exchange in exchanges:
            self._keep(Entry(record=_imported(self.next_number, exchange, now), exchange=exchange))
        numbers = [number for number in range(first, self.next_number) if number in self._entries]
        self._rpc.notify("history", {"deliveries": [self._entries[n].record for n in numbers]})
        return numbers

    def entry(self, number: object) -> Entry:
        """Return the entry of that number, or the request of the check of that id.

        Raises:
            RpcError: no such entry.
        """
        entry = self._entries.get(number) if isinstance(number, int) else None
        if isinstance(number, str):
            entry = self.checked.get(number)
        if entry is None:
            raise RpcError("no_such_delivery", "that delivery is not in this widget's history")
        return entry

    # -- requests of the browser ------------------------------------------------------------------

    @property
    def operations(self) -> dict[str, Handler]:
        """The handlers of the browser's requests."""
        return {
            "history": self.on_history,
            "as_sent": self.on_as_sent,
            "clear": self.on_clear,
            "exchange": self.on_exchange,
            "compare": self.on_compare,
            "export": self.on_export,
            "past_curl": self.on_curl,
            "search": self.on_search,
        }

    def on_history(self, _args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Return the summaries of all entries."""
        return {"deliveries": [entry.record for entry in self.entries]}

    def on_clear(self, _args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Forget all entries, in all tabs."""
        self._entries.clear()
        self._rpc.notify("cleared", {"last": self._last})
        return {}

    def on_exchange(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        """Return request and response of entry ``n``; their bodies are the buffers."""
        entry = self.entry(args.get("n"))
        exchange = entry.exchange
        draft = entry.request.draft if entry.request else None
        request, response = exchange.request, exchange.response
        value = {
            "method": request.method,
            "url": request.url,
            "headers": [list(pair) for pair in request.headers.multi_items()],
            "body_known": request.body is not None,
            "sha256": sha256_hex(request.body or b""),
            "notes": list(request.notes),
            "base_strings": [wire.base_string_wire(job) for job in draft.jobs()] if draft else [],
            "started": exchange.started.isoformat(timespec="milliseconds") if exchange.started else "",
            "duration_s": exchange.duration_s,
            "response_headers": [list(p) for p in response.headers.multi_items()] if response else [],
            "response_known": response is not None and response.body is not None,
        }
        return value, [request.body or b"", (response.body if response else None) or b""]

    def on_search(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Return the numbers of the entries that contain every word of ``text``, in any case.

        Summary, headers and bodies are searched as they are kept: with a mask in place of a token.
        """
        words = str(args.get("text") or "").casefold().split()
        return {"matches": [n for n, entry in self._entries.items() if _contains(entry, words)]}

    def on_compare(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Compare the entries ``a`` and ``b``; unchanged lines are left out unless ``all`` is true."""
        before, after = (self.entry(args.get(name)).exchange for name in ("a", "b"))
        comparison = compare(before, after, context=10_000 if args.get("all") is True else 3)
        return asdict(comparison) | {"signature": explain_difference(before, after)}

    def on_export(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        """Return the history as a file of the given ``form``, without credentials."""
        exchanges = [entry.exchange for entry in self.entries]
        if args.get("form") == "har":
            text = json.dumps(to_har(exchanges), indent=2, ensure_ascii=False) + "\n"
        elif args.get("form") == "json":
            text = to_json(exchanges)
        else:
            raise RpcError("bad_form", "the history can be exported as har or json")
        return {}, [text.encode("utf-8", "backslashreplace")]

    def on_curl(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        """Return a curl command that sends the request of entry ``n`` again, byte for byte.

        One that carries the secret itself takes it from a variable of the shell.
        """
        entry = self.entry(args.get("n"))
        if entry.written:
            raise RpcError(
                "written",
                "the check writes this request byte by byte, which curl cannot do; run the check again",
            )
        if entry.request is not None and entry.request.draft is not None:
            draft = entry.request.draft
            return {
                "text": draft.curl(secret_env=SECRET_ENV) if entry.contains_secret else entry.request.curl()
            }
        request = entry.exchange.request
        if request.body is None:
            raise RpcError("no_body", "the recording does not contain the body of this request")
        if "://" not in request.url:
            raise RpcError("no_url", "the recording does not contain the complete URL of this request")
        sent = WebhookRequest(
            method=request.method or "POST",
            url=request.url,
            headers=Headers(p for p in request.headers.multi_items() if p[0].lower() not in _FRAMING),
            body=request.body,
        )
        return {"text": sent.curl()}

    def on_as_sent(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        """Return the request of entry ``n`` as it was sent, for Verify; its body is the buffer.

        Raises:
            RpcError: no such entry, or its request contains the secret.
        """
        entry = self.entry(args.get("n"))
        if entry.record["reveals_secret"]:
            raise RpcError("secret_inside", "this request contains the secret, so it is not shown")
        request = entry.exchange.request
        headers = [list(pair) for pair in request.headers.multi_items()]
        return {"url": request.url, "method": request.method or "POST", "headers": headers}, [
            request.body or b""
        ]


def exchange_of(request: WebhookRequest, delivery: Delivery, at: datetime) -> Exchange:
    """Return a delivery as an exchange, with a mask for a secret that is sent itself."""
    draft = request.draft
    shown, body = request, request.body
    if draft is not None and draft.reveals_secret:
        masked = Headers(
            pair
            for pair in draft.render_headers(wire.masked(draft)).multi_items()
            if pair[0] in request.headers
        )
        body = wire.signed_body(draft, request)
        shown = WebhookRequest(method=request.method, url=request.url, headers=masked, body=request.body)
    try:
        headers = _headers_as_sent(shown, len(request.body))
    except HookWidgetsError:  # it was not sent
        headers = shown.headers
    response = None
    if delivery.status is not None:
        echo = _without_echo(request)
        response = RecordedResponse(
            status=delivery.status,
            reason=delivery.reason,
            headers=Headers((n, echo(v.encode()).decode()) for n, v in delivery.headers.multi_items()),
            body=echo(delivery.body),
        )
    return Exchange(
        request=RecordedRequest(method=request.method, url=request.url, headers=headers, body=body),
        response=response,
        started=at - timedelta(seconds=delivery.elapsed_s),
        duration_s=delivery.elapsed_s,
        provider=draft.provider.id if draft else "",
        event=draft.event if draft else "",
        error=delivery.error.text if delivery.error else "",
    )


def _without_echo(request: WebhookRequest) -> Callable[[bytes], bytes]:
    """Return a function that masks the secret of a request's headers where a receiver repeats it."""
    draft = request.draft
    if draft is None or not draft.reveals_secret:
        return bytes
    values = [value for name, value in request.headers.multi_items() if draft.signs_header(name)]
    tokens = {
        part.encode() for value in values for part in (value, value.rpartition(" ")[2]) if len(part) >= 8
    }

    def masked(text: bytes) -> bytes:
        for token in sorted(tokens, key=len, reverse=True):
            text = text.replace(token, MASK.encode())
        return text

    return masked


def _contains(entry: Entry, words: Sequence[str]) -> bool:
    request, response = entry.exchange.request, entry.exchange.response
    record = entry.record
    summary = f"#{record['n']} {' '.join(str(record.get(name) or '') for name in _SUMMARY)}"
    texts = [summary]
    for message in (request, response):
        if message is not None:
            texts += [f"{name}: {value}" for name, value in message.headers.multi_items()]
            texts.append((message.body or b"")[:_SEARCHED].decode("utf-8", "replace"))
    text = "\n".join(texts).casefold()
    return all(word in text for word in words)


def _headers_as_sent(request: WebhookRequest, length: int) -> Headers:
    """Return the headers as written; a mask is not ASCII, so it is put in after the check."""
    plain = WebhookRequest(
        method=request.method,
        url=request.url,
        headers=Headers(
            (name, value if value.isascii() else "x") for name, value in request.headers.multi_items()
        ),
        body=b"",
    )
    values = iter(request.headers.multi_items())
    names = {name.lower() for name, _ in request.headers.multi_items()}
    pairs = []
    for name, value in headers_as_sent(plain).multi_items():
        if name == "Content-Length":
            pairs.append((name, str(length)))
        else:
            pairs.append(next(values) if name.lower() in names else (name, value))
    return Headers(pairs)


def _imported(number: int, exchange: Exchange, now: datetime) -> dict[str, Any]:
    """Return the summary of an imported request, with the fields of a delivery's."""
    request, response = exchange.request, exchange.response
    status = response.status if response else None
    return {
        "n": number,
        "imported": True,
        "at": (exchange.started or now).astimezone(UTC).isoformat(timespec="seconds"),
        "url": request.url,
        "method": request.method,
        "status": status,
        "reason": response.reason if response else "",
        "level": "warn" if status is None or 300 <= status < 400 else "ok" if status < 300 else "bad",
        "elapsed_s": exchange.duration_s or 0,
        "provider": exchange.provider,
        "event": exchange.event,
        "reveals_secret": False,
        "verifiable": status in REJECTING_STATUSES,
        "revision": "",
    }
