"""The part that all runs share: the host that may be reached, the transport and the context."""

from __future__ import annotations

import secrets
import textwrap
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.receivers.context import Context, NotApplicable
from hook_widgets.receivers.oracle import Counter, Oracle, check_oracle
from hook_widgets.receivers.redaction import Redactor, spellings
from hook_widgets.receivers.sending import Connector, Session, Transport
from hook_widgets.receivers.setup import Setup
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import Delivery, send
from hook_widgets.webhooks.delivery.wire import connect as connect_to
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicForm
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, Signer
from hook_widgets.webhooks.requests.builder import check_url
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.scheme import SharedSecretSpec

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection


def prepare(
    provider: str | Provider,
    url: str,
    secret: Secret | KeyPair | Signer,
    *,
    requests: str,
    allow_hosts: Iterable[str] | None,
    timeout_s: float,
    budget_s: float,
    stop: Callable[[], bool] | None,
    event: str | None,
    body: bytes | None,
    transport: Transport | None,
    now: Callable[[], datetime] | None,
    random: Random | None,
    oracle: Oracle | None = None,
    settle_s: float = 0.0,
    setup: Setup | None = None,
    connect: Connector | None = None,
    slow_s: float = 0.0,
) -> tuple[Context, Session]:
    """Check the arguments of a run and return its context and session; nothing is sent.

    Args:
        provider: the provider that the receiver serves, or its id.
        url: the URL of the receiver.
        secret: the holder of the key.
        requests: the number and kind of the requests, for the message about a host that is not allowed.
        allow_hosts: the hosts other than this machine to which requests may be sent.
        timeout_s: the time limit for one request, in seconds.
        budget_s: the time limit for the run, in seconds.
        stop: asked before each request.
        event: the event to send; by default the provider's first.
        body: the body of good requests; by default the event's sample.
        transport: sends one request; by default `send`.
        now: the clock; by default the system clock.
        random: the source of ids, bodies and throw-away keys.
        oracle: a count of what the receiver did.
        settle_s: the time to wait before the oracle is asked, in seconds.
        setup: what only the owner of the receiver can give.
        connect: makes connections; by default `hook_widgets.webhooks.delivery.connect`, unless there is a
            transport.
        slow_s: the time for which a slow sender goes on, in seconds.

    Raises:
        UnknownName: there is no such provider or event.
        DestinationBlocked: the URL names another machine that is not in `allow_hosts`.
        InvalidArgument: an argument is invalid.
        InvalidSecret: the secret does not have the provider's form.
    """
    sender = registry.provider(provider) if isinstance(provider, str) else provider
    hosts = None if allow_hosts is None else list(allow_hosts)
    check_url(url)
    _check_host(url, hosts, requests)
    check_oracle(oracle, lambda address: _check_host(address, hosts, requests))
    setup = setup or Setup()
    if setup.unconfigured_url:
        check_url(setup.unconfigured_url)
        _check_host(setup.unconfigured_url, hosts, requests)
    deliver = transport or _sender(hosts)
    connector = _connector(hosts) if connect is None and transport is None else connect
    spec = sender.key
    keys = setup.keys()
    signers = {name: _signer(key) for name, key in keys.items()}
    session = Session(deliver, timeout_s=timeout_s, budget_s=budget_s, stop=stop, connector=connector)
    context = Context(
        provider=sender,
        url=url,
        signer=_signer(secret),
        session=session,
        redactor=Redactor(
            *(key for key in (secret, *keys.values()) if isinstance(key, Secret)),
            spec=spec.spec,
            prefix=spec.prefix if isinstance(spec, SharedSecretSpec) else "",
        ),
        random=random or Random(secrets.randbits(128)),
        now=now or _now,
        event=event,
        body=body,
        counter=None if oracle is None else Counter(oracle, deliver, settle_s),
        setup=setup,
        signers=signers,
        settle_s=settle_s,
        slow_s=slow_s,
        public_keys=_public_keys(secret),
    )
    for token in {setup.parts.get(handshake.token, "") for handshake in sender.handshakes} - {""}:
        context.redactor.add_signature(*spellings(Secret(token), spec.spec, ""))
    try:
        for signer in (None, *signers.values()):
            context.sign(context.draft(), signer).request()  # raises if the key is of the wrong kind
    except NotApplicable as reason:
        raise InvalidArgument(f"body= cannot be sent: {reason}; leave it out for a sample") from None
    return context, session


def _public_keys(key: Secret | KeyPair | Signer) -> dict[str, bytes]:
    """Return the forms of a public key that a receiver may take for a shared secret."""
    if not isinstance(key, KeyPair):
        return {}
    lines = "\n".join(textwrap.wrap(key.public_as(PublicForm.BASE64_SPKI), 64))
    pem = f"-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n"
    return {"the public key": key.public_key.text.encode(), "the public key in PEM": pem.encode()}


def _check_host(url: str, hosts: list[str] | None, requests: str) -> None:
    """Reject another machine that is not allowed.

    Raises:
        DestinationBlocked: requests may not be sent there.
    """
    target = destination.check(url)
    if target.is_loopback:
        return
    if hosts is None:
        raise DestinationBlocked(
            f"{target.authority} is not this machine; a run sends {requests}, "
            "so allow it with allow_hosts if the receiver is yours",
            host=target.host,
            code="not_allowed",
        )
    destination.check(url, allow_hosts=hosts)


def _sender(hosts: list[str] | None) -> Transport:
    """Return `send` for this machine and the allowed hosts."""

    def deliver(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        loopback = destination.check(request.url).is_loopback
        return send(request, timeout_s=timeout_s, allow_hosts=None if loopback else hosts or ())

    return deliver


def _connector(hosts: list[str] | None) -> Connector:
    """Return `connect` for this machine and the allowed hosts."""

    def connected(url: str, *, timeout_s: float) -> Connection:
        loopback = destination.check(url).is_loopback
        return connect_to(url, timeout_s=timeout_s, allow_hosts=None if loopback else hosts or ())

    return connected


def _signer(key: Secret | KeyPair | Signer) -> Signer:
    return LocalSigner(key) if isinstance(key, Secret | KeyPair) else key


def _now() -> datetime:
    return datetime.now(UTC)
