"""Import recorded requests: recognise their provider and event, and turn them into inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.diagnosis.detection import detect
from hook_widgets.webhooks.headers import Headers, check_header
from hook_widgets.webhooks.recordings.exchange import Exchange, Recording
from hook_widgets.webhooks.recordings.reading import read_recording
from hook_widgets.webhooks.recordings.recognition import event_of
from hook_widgets.widgets._rpc import Deferred, Rpc, RpcError
from hook_widgets.widgets._uploads import in_background
from hook_widgets.widgets.generator.history import History

# Headers of clients and proxies, which are not part of a webhook.
_TRANSPORT = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "forwarded",
        "host",
        "origin",
        "referer",
        "transfer-encoding",
        "user-agent",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-port",
        "x-forwarded-proto",
        "x-real-ip",
    }
)


def read(text: bytes) -> Recording:
    """Read a recording, and recognise the providers and events of its requests.

    Raises:
        InvalidArgument: it has no format that is known.
    """
    recording = read_recording(text)
    return replace(recording, exchanges=tuple(map(_recognised, recording.exchanges)))


def _recognised(exchange: Exchange) -> Exchange:
    source = _source(exchange)
    if source is None:
        return replace(exchange, provider="", event="")
    return replace(exchange, provider=source.id, event=_event(source, exchange))


def _source(exchange: Exchange) -> registry.Provider | None:
    """Return the provider that an export names, or that the headers tell."""
    if exchange.provider:
        try:
            return registry.provider(exchange.provider)
        except WebhookError:  # another installation has providers of its own
            pass
    candidates = detect(exchange.request.headers, exchange.request.body or b"")
    return candidates[0] if candidates else None


def _event(source: registry.Provider, exchange: Exchange) -> str:
    """Return the event that an export names, or that the request tells; empty if there is none."""
    if any(event.name == exchange.event for event in source.all_events):
        return exchange.event
    return event_of(source, exchange.request)


def recording_wire(recording: Recording) -> dict[str, Any]:
    """Convert the first request of a recording, for the fields of Verify."""
    exchange = recording.exchanges[0]
    request = exchange.request
    return {
        "format": recording.format.value,
        "count": len(recording.exchanges),
        "provider": exchange.provider,
        "event": exchange.event,
        "url": request.url,
        "method": request.method,
        "headers": [list(pair) for pair in request.headers.multi_items()],
        "body_known": request.body is not None,
        "notes": [*recording.notes, *request.notes],
        "at": exchange.started.isoformat(timespec="seconds") if exchange.started else "",
    }


@dataclass(frozen=True)
class Importer:
    """Set the inputs of a widget from recordings, and from entries of its history.

    Attributes:
        rpc: the conversation with the tabs.
        history: the entries.
        set_inputs: sets inputs by name; raises `RpcError` if one is locked.
        current: returns provider and event of the inputs.
    """

    rpc: Rpc
    history: History
    set_inputs: Callable[[Mapping[str, Any]], None]
    current: Callable[[], tuple[str, str]]

    def on_import(self, args: Mapping[str, Any], text: bytes = b"") -> Deferred:
        """Read a recording that the tab has redacted; ``to`` is history, editor or verify."""
        to = args.get("to")

        def finish(recording: Recording) -> tuple[dict[str, Any], list[bytes]]:
            value = recording_wire(recording)
            if to == "history":
                value["numbers"] = self.history.add_imported(recording.exchanges)
            elif to == "editor":
                self._load(recording.exchanges[0])
            return value, [recording.exchanges[0].request.body or b""]

        return in_background(self.rpc, lambda: read(text), finish)

    def on_open(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Set the inputs to those of entry ``n``."""
        entry = self.history.entry(args.get("n"))
        if entry.inputs is None:
            self._load(entry.exchange)
            return {}
        names = ("provider", "event", "scheme", "url", "body")
        values = {name: getattr(entry.inputs, name) for name in names}
        self.set_inputs(values | {"headers": [list(pair) for pair in entry.inputs.headers]})
        return {}

    def _load(self, exchange: Exchange) -> None:
        """Set the inputs to those of a recorded request; what it does not tell stays."""
        provider, shown = self.current()
        source = registry.provider(exchange.provider or provider)
        event = exchange.event or fitting_event(source, shown)
        request = exchange.request
        values: dict[str, Any] = {"provider": source.id, "event": event, "scheme": ""}
        if request.body is not None:
            values["body"] = request.body
        if "://" in request.url:
            values["url"] = request.url
        values["headers"] = own_headers(source, event, request.headers)
        self.set_inputs(values)


def check_locked(names: Iterable[str], locked: Iterable[str]) -> None:
    """Reject a change of inputs that the author of a runbook has locked.

    Raises:
        RpcError: one of them is locked.
    """
    if both := sorted({*names} & {*locked}):
        raise RpcError("locked", f"this runbook locks {', '.join(both)}; the request cannot be opened in it")


def fitting_event(source: registry.Provider, *events: str) -> str:
    """Return the first of these events that the provider has, else its own first."""
    names = {event.name for event in source.all_events}
    return next((event for event in events if event in names), source.events[0].name)


def own_headers(source: registry.Provider, event: str, headers: Headers) -> list[list[str]]:
    """Return the headers that neither the provider nor a client or proxy adds, and that can be sent."""
    names = {name.lower() for scheme in source.schemes for name in scheme.headers}
    names |= {name.lower() for name, _ in source.draft(event=event).header_templates}
    return [[name, value] for name, value in headers.multi_items() if _is_own(name, value, names)]


def _is_own(name: str, value: str, known: set[str]) -> bool:
    if name.lower() in _TRANSPORT or name.lower() in known:
        return False
    try:
        check_header(name, value)
    except WebhookError:
        return False
    return True
