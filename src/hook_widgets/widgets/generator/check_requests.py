"""The requests of checks: one to copy or open for each row, and the command that repeats a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

from hook_widgets.webhooks.delivery.destination import Destination
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.widgets.generator.deliveries import Transport
from hook_widgets.widgets.generator.history import Entry, exchange_of
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.static_html.signer_info import SECRET_ENV

if TYPE_CHECKING:
    from hook_widgets.receivers.sending import Exchange


@dataclass(frozen=True, kw_only=True)
class Repetition:
    """The means to repeat a run, or a request of it, elsewhere.

    Attributes:
        command: the command for a shell.
        lacks: what the command cannot say, in words.
        roles: the roles of the other secrets that a tab holds.
        complete: adds the user's headers to a request of the run.
        copies: True if no request of the run carries the secret itself.
    """

    command: str
    lacks: Sequence[str]
    roles: Sequence[str]
    complete: Callable[[WebhookRequest], WebhookRequest]
    copies: bool


def entry_of(exchange: Exchange, provider: str, event: str) -> Entry:
    """Return the request of a check and its response as an entry like those of the history.

    Args:
        exchange: the exchange that decided a check. It must not carry the secret itself.
        provider: the id of the provider.
        event: the event of good requests.
    """
    sent = exchange_of(exchange.request, exchange.delivery, datetime.now(UTC))
    return Entry(
        record={"reveals_secret": False},
        exchange=replace(sent, provider=provider, event=event),
        written=exchange.written,
    )


def command(
    provider: str,
    inputs: Inputs,
    place: Destination,
    *,
    suite: str,
    only: Sequence[str] | None,
    oracle: str | None,
    roles: Sequence[str] = (),
) -> str:
    """Return the command for a shell that repeats a run; it takes secrets from variables."""
    options = {
        "suite": [] if only or suite == "standard" else [suite],
        "only": only or [],
        "event": [inputs.event],
        "oracle": [oracle] if oracle else [],
        "allow-host": [] if place.is_loopback else [place.name],
        "secret-env": [SECRET_ENV],
    } | {f"{role.replace('_', '-')}-env": [f"WEBHOOK_{role.upper()}"] for role in roles}
    words = [word for name, values in options.items() for value in values for word in (f"--{name}", value)]
    return shlex.join(["hook-widgets", "check", provider, inputs.url, *words])


def carries(request: WebhookRequest, tokens: Iterable[str]) -> bool:
    """Return True if a request has one of these tokens, in its URL, a header or its body."""
    head = [request.url, *(value for _, value in request.headers.multi_items())]
    text = "\n".join([unquote_plus(request.url), *head, request.body.decode("utf-8", "replace")])
    return any(token and token in text for token in tokens)


def lacks(inputs: Inputs, transport: Transport, *, fixed_body: bool, python: Sequence[str]) -> list[str]:
    """Return what the command does not say of a run, in words."""
    parts = {
        "the edited payload": fixed_body,
        "your own headers": bool(inputs.headers),
        "the options for certificates": bool(transport.ca) or not transport.verify_tls,
    }
    return [words for words, lacking in parts.items() if lacking] + [f"{name}= of Python" for name in python]
