"""The part that all runs share: the host that may be reached, the transport and the context."""

from __future__ import annotations

import os
import secrets
import textwrap
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.oracle import Counter, Oracle, check_oracle
from hook_widgets.receivers.outcome import NotApplicable
from hook_widgets.receivers.reporting.redaction import Redactor, spellings
from hook_widgets.receivers.sending import Connector, Session, Transport
from hook_widgets.receivers.setup import Setup
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import Delivery, send, tls_context
from hook_widgets.webhooks.delivery.wire import connect as connect_to
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicForm
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, Signer
from hook_widgets.webhooks.requests.builder import check_url
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import WebhookRequest

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
    ca: str | os.PathLike[str] | None,
    now: Callable[[], datetime] | None,
    random: Random | None,
    oracle: Oracle | None = None,
    settle_s: float = 0.0,
    setup: Setup | None = None,
    connect: Connector | None = None,
    slow_s: float = 0.0,
) -> Context:
    """Check the arguments of a run, and return its context; nothing is sent.

    The arguments are those of `check_receiver`, and in `requests` the number and kind of the requests, for
    the message about a host that is not allowed.

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
    if ca is not None:
        tls_context(verify_tls=True, ca=ca)  # raises if it holds no certificate
    check_oracle(oracle, lambda address: _check_host(address, hosts, requests))
    setup = setup or Setup()
    if setup.unconfigured_url:
        check_url(setup.unconfigured_url)
        _check_host(setup.unconfigured_url, hosts, requests)

    def send_to(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return send(request, timeout_s=timeout_s, allow_hosts=_allowed(request.url, hosts), ca=ca)

    def connect_to_receiver(url: str, *, timeout_s: float) -> Connection:
        return connect_to(url, timeout_s=timeout_s, allow_hosts=_allowed(url, hosts), ca=ca)

    deliver: Transport = transport or send_to
    if connect is None and transport is None:
        connect = connect_to_receiver
    keys = setup.keys()
    signers = {name: _signer(key) for name, key in keys.items()}
    session = Session(deliver, timeout_s=timeout_s, budget_s=budget_s, stop=stop, connector=connect)
    context = Context(
        provider=sender,
        url=url,
        signer=_signer(secret),
        session=session,
        redactor=Redactor(sender, secret, *keys.values()),
        random=random or Random(secrets.randbits(128)),
        now=now or partial(datetime.now, UTC),
        event=sender.event(event),
        body=body,
        counter=None if oracle is None else Counter(oracle, deliver, settle_s, lambda: session.count),
        setup=setup,
        signers=signers,
        settle_s=settle_s,
        slow_s=slow_s,
        public_keys=_public_keys(secret),
    )
    for token in {setup.parts.get(handshake.token, "") for handshake in sender.handshakes} - {""}:
        context.redactor.add_signature(*spellings(Secret(token), sender.key.spec, ""))
    try:
        for signer in (None, *signers.values()):
            context.sign(context.draft(), signer).request()  # raises if the key is of the wrong kind
    except NotApplicable as reason:
        raise InvalidArgument(f"body= cannot be sent: {reason}; leave it out for a sample") from None
    return context


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
            "so allow it with allow_hosts, in a shell --allow-host, if the receiver is yours",
            host=target.host,
            code="not_allowed",
        )
    destination.check(url, allow_hosts=hosts)


def _allowed(url: str, hosts: list[str] | None) -> Iterable[str] | None:
    return None if destination.is_loopback(url) else hosts or ()


def _signer(key: Secret | KeyPair | Signer) -> Signer:
    return LocalSigner(key) if isinstance(key, Secret | KeyPair) else key
