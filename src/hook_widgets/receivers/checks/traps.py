"""Areas B and H: URLs in a request that a stranger chooses, and a trap that counts who opens them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from hook_widgets.errors import WebhookError
from hook_widgets.receivers.bodies import with_value
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.forging import Signed, token_field, with_token_header
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.trap import Trap
from hook_widgets.webhooks.requests.request import Draft

_FORMS: Final = {
    "an http URL": "http://{trap}/{path}",
    "an https URL": "https://{trap}/{path}",
    "the provider's host as a user": "https://{host}@{trap}/{path}",
    "the provider's host in the path": "http://{trap}/{host}/{path}",
}
_HOST: Final = "sns.eu-west-1.amazonaws.com"


def key_url(context: Context) -> Outcome:
    """B19: a key whose URL or id the request names is not fetched from a stranger, nor taken for right."""
    rules = context.provider.deliveries
    token = token_field(context.scheme)
    if not (rules.key_path or rules.key_header or token):
        raise NotApplicable(f"a request of {context.provider.title} names no key")
    if token:
        return _token_header(context, token)

    def drafts(url: str) -> Draft:
        if rules.key_header:
            return context.draft(headers={rules.key_header: url})
        return context.draft(
            body=with_value(context.draft().payload, rules.key_path, json.dumps(url).encode())
        )

    return _untouched(context, drafts, "certificate.pem")


def _token_header(context: Context, field: str) -> Outcome:
    """Check that the header of a token (RFC 7515 section 4.1) chooses no key."""
    key_id = f"hook-widgets-{context.random.getrandbits(64):x}"
    forged = context.forge(with_token_header(context.draft(), field, kid=key_id))
    unknown = context.rejects([("an unknown key id", forged.request())])
    if unknown.status is not Status.PASSED:
        return unknown
    untouched = _untouched(
        context, lambda url: with_token_header(context.draft(), field, jku=url, x5u=url), "keys.json"
    )
    return replace(untouched, observed=f"{unknown.observed}; {untouched.observed}")


def subscription_url(context: Context) -> Outcome:
    """H5: a URL in a handshake is opened only at the provider's host."""
    handshakes = [handshake for handshake in context.provider.handshakes if handshake.visits]
    if not handshakes:
        raise NotApplicable(f"no handshake of {context.provider.title} names a URL to open")
    handshake = handshakes[0]

    def drafts(url: str) -> Draft:
        body = with_value(
            context.provider.template(handshake.name), handshake.visits, json.dumps(url).encode()
        )
        return context.draft(event=handshake.name, body=body)

    return _untouched(context, drafts, "confirm")


def _untouched(context: Context, drafts: Callable[[str], Draft], path: str) -> Outcome:
    """Send requests that name a URL of the trap, forged ones and signed ones; none may arrive there."""
    if not destination.check(context.url).is_loopback:
        raise NotDecided("the trap is on this machine, which the receiver cannot reach")
    try:
        trap = Trap()
    except WebhookError as reason:
        raise NotDecided(str(reason)) from None
    context.ensure_good()
    forged: list[Exchange] = []
    with trap:
        for label, request in _requests(context, drafts, trap.authority, path):
            exchange = context.send(label, request.request())
            forged += [exchange] if label.startswith("forged") else []
            time.sleep(context.settle_s)  # it may be opened after the response
            if trap.count:
                return Outcome(Status.FAILED, f"the receiver opened {label}", exchange)
    if accepted := [exchange for exchange in forged if exchange.accepted]:
        return Outcome(Status.FAILED, f"accepted: {summary(accepted)}", accepted[0])
    return Outcome(Status.PASSED, f"no request arrived; {summary(forged)}", forged[-1])


def _requests(
    context: Context, drafts: Callable[[str], Draft], authority: str, path: str
) -> Iterator[tuple[str, Signed]]:
    for label, form in _FORMS.items():
        draft = drafts(form.format(trap=authority, host=_HOST, path=path))
        yield f"forged with {label}", context.forge(draft)
        yield f"signed with {label}", context.sign(draft)
