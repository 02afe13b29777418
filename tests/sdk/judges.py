"""The judges: each provider's own Python library, asked whether it accepts a request.

An adapter returns the library's answer. It catches only the error by which that library refuses, so that a
parser that fails for another reason never passes for a refusal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from hook_widgets.webhooks import WebhookRequest

Accepts = Callable[[WebhookRequest, str], bool]
"""Whether the library accepts the request; the text is the secret, or the public key of a key pair."""


def is_form(request: WebhookRequest) -> bool:
    """Whether the body is a form, by its content type."""
    return request.headers["Content-Type"].startswith("application/x-www-form-urlencoded")


def change_body(request: WebhookRequest) -> WebhookRequest:
    """The request with something added to its body, which stays well formed: only the signature is wrong."""
    return replace(request, body=request.body + (b"&added=1" if is_form(request) else b" "))


def change_token(request: WebhookRequest) -> WebhookRequest:
    """The request with another token in its body.

    Mailgun signs timestamp and token only: a change anywhere else in the body is accepted by its own
    library, so the only honest tampering is with what is signed.
    """
    body = json.loads(request.body)
    body["signature"]["token"] = body["signature"]["token"][::-1]
    return replace(request, body=json.dumps(body).encode())


@dataclass(frozen=True)
class Judge:
    """One library that verifies one provider's requests.

    Attributes:
        provider: the provider's id.
        call: what is called, as its documentation names it.
        accepts: asks it.
        max_age_s: the age in seconds beyond which it refuses; None when it looks at no clock.
        tamper: changes something that is signed.
    """

    provider: str
    call: str
    accepts: Accepts
    max_age_s: int | None = None
    tamper: Callable[[WebhookRequest], WebhookRequest] = change_body

    def __str__(self) -> str:
        return f"{self.provider}: {self.call}"


def stripe_event(request: WebhookRequest, key: str) -> bool:
    import stripe

    try:
        stripe.Webhook.construct_event(request.body, request.headers["Stripe-Signature"], key)
    except stripe.SignatureVerificationError:
        return False
    return True


def stripe_header(request: WebhookRequest, key: str) -> bool:
    import stripe

    try:
        stripe.WebhookSignature.verify_header(
            request.body.decode(), request.headers["Stripe-Signature"], key, tolerance=300
        )
    except stripe.SignatureVerificationError:
        return False
    return True


def gidgethub_event(request: WebhookRequest, key: str) -> bool:
    from gidgethub import ValidationFailure
    from gidgethub.sansio import Event

    headers = {name.lower(): value for name, value in request.headers.pairs}
    try:
        event = Event.from_http(headers, request.body, secret=key)
    except ValidationFailure:
        return False
    return event.event == request.headers["X-GitHub-Event"]


def gidgethub_sha1(request: WebhookRequest, key: str) -> bool:
    from gidgethub import ValidationFailure
    from gidgethub.sansio import validate_event

    try:
        validate_event(request.body, signature=request.headers["X-Hub-Signature"], secret=key)
    except ValidationFailure:
        return False
    return True


def githubkit_verify(request: WebhookRequest, key: str) -> bool:
    from githubkit.webhooks import verify

    return verify(key, request.body, request.headers["X-Hub-Signature-256"])


def slack_verifier(request: WebhookRequest, key: str) -> bool:
    from slack_sdk.signature import SignatureVerifier

    return SignatureVerifier(key).is_valid_request(request.body, dict(request.headers.pairs))


def slack_middleware(request: WebhookRequest, key: str) -> bool:
    from slack_bolt import BoltRequest, BoltResponse
    from slack_bolt.middleware import RequestVerification

    received = BoltRequest(body=request.body.decode(), headers=dict(request.headers.pairs))
    answer = RequestVerification(key).process(
        req=received, resp=BoltResponse(status=404), next=lambda: BoltResponse(status=200)
    )
    return answer.status == 200


def discord_helper(request: WebhookRequest, key: str) -> bool:
    from discord_interactions import verify_key

    headers = request.headers
    return verify_key(request.body, headers["X-Signature-Ed25519"], headers["X-Signature-Timestamp"], key)


def discord_nacl(request: WebhookRequest, key: str) -> bool:
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    message = request.headers["X-Signature-Timestamp"].encode() + request.body
    try:
        VerifyKey(bytes.fromhex(key)).verify(message, bytes.fromhex(request.headers["X-Signature-Ed25519"]))
    except BadSignatureError:
        return False
    return True


def twilio_validator(request: WebhookRequest, key: str) -> bool:
    from twilio.request_validator import RequestValidator

    text = request.body.decode()
    received = dict(parse_qsl(text, keep_blank_values=True)) if is_form(request) else text
    return RequestValidator(key).validate(request.url, received, request.headers["X-Twilio-Signature"])


def sendgrid_webhook(request: WebhookRequest, key: str) -> bool:
    from sendgrid.helpers.eventwebhook import EventWebhook, EventWebhookHeader

    return EventWebhook(key).verify_signature(
        request.body.decode(),
        request.headers[EventWebhookHeader.SIGNATURE],
        request.headers[EventWebhookHeader.TIMESTAMP],
    )


def mailgun_guard(request: WebhookRequest, key: str) -> bool:
    from mailgun.security import SecurityGuard

    signed = json.loads(request.body)["signature"]
    return SecurityGuard.verify_webhook(key, signed["token"], signed["timestamp"], signed["signature"])


JUDGES = (
    Judge("stripe", "stripe.Webhook.construct_event", stripe_event, max_age_s=300),
    Judge("stripe", "stripe.WebhookSignature.verify_header", stripe_header, max_age_s=300),
    Judge("github", "gidgethub.sansio.Event.from_http", gidgethub_event),
    Judge("github", "gidgethub.sansio.validate_event (SHA-1)", gidgethub_sha1),
    Judge("github", "githubkit.webhooks.verify", githubkit_verify),
    Judge("slack", "slack_sdk.signature.SignatureVerifier", slack_verifier, max_age_s=300),
    Judge("slack", "slack_bolt RequestVerification", slack_middleware, max_age_s=300),
    Judge("discord", "discord_interactions.verify_key", discord_helper),
    Judge("discord", "nacl.signing.VerifyKey", discord_nacl),
    Judge("twilio", "twilio.request_validator.RequestValidator", twilio_validator),
    Judge("sendgrid", "sendgrid EventWebhook.verify_signature", sendgrid_webhook),
    Judge("mailgun", "mailgun SecurityGuard.verify_webhook", mailgun_guard, 900, change_token),
)

UNJUDGED = {
    "shopify": "no Python library verifies its webhooks; its Node library @shopify/shopify-api does",
}
"""Real providers without a judge, and why."""
