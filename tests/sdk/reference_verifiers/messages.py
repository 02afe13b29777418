"""Telephony, chat, e-mail, video and push: what carries messages."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from hook_widgets.webhooks import WebhookRequest
from tests.sdk.reference_verifiers.verifier import (
    Verifier,
    add_member,
    change_url,
    claims,
    form,
    headers,
    holds,
    is_form,
    peer,
)


def twilio(request: WebhookRequest, key: str) -> bool:
    from twilio.request_validator import RequestValidator, get_signature_algorithm

    sent = headers(request)
    received = form(request) if is_form(request) else request.body.decode()
    algorithm = get_signature_algorithm(sent.get("x-twilio-webhooks-signature-settings"))
    return RequestValidator(key).validate(request.url, received, sent["x-twilio-signature"], algorithm)


def plivo(request: WebhookRequest, key: str) -> bool:
    from plivo.utils import validate_v3_signature

    sent = headers(request)
    return validate_v3_signature(
        request.method,
        request.url,
        sent["x-plivo-signature-v3-nonce"],
        key,
        sent["x-plivo-signature-v3"],
        form(request),
    )


def plivo_v2(request: WebhookRequest, key: str) -> bool:
    from plivo.utils import validate_signature

    sent = headers(request)
    nonce = sent["x-plivo-signature-v2-nonce"]
    return validate_signature(request.url, nonce, sent["x-plivo-signature-v2"], key)


def change_path(request: WebhookRequest) -> WebhookRequest:
    """The request at another path: of the older scheme only the URL without its query is signed."""
    return replace(request, url=request.url.replace("/in/", "/inside/"))


def telnyx(request: WebhookRequest, key: str) -> bool:
    from telnyx.lib.webhook_verification import WebhookVerificationError, verify_webhook_signature

    return holds(
        WebhookVerificationError,
        verify_webhook_signature,
        request.body,
        dict(request.headers.multi_items()),
        key,
        says="does not match payload|too old",
    )


def vonage(request: WebhookRequest, key: str) -> bool:
    """The library verifies the token only, so the hash of the body is compared as its documentation says."""
    from vonage_jwt import verify_signature

    token = request.headers["Authorization"].removeprefix("Bearer ")
    hashed = hashlib.sha256(request.body).hexdigest()
    return verify_signature(token, key) and claims(token)["payload_hash"] == hashed


def messagebird(request: WebhookRequest, key: str) -> bool:
    from messagebird.error import ValidationError
    from messagebird.request_validator import RequestValidator

    return holds(
        ValidationError,
        RequestValidator(key).validate_signature,
        request.headers["MessageBird-Signature-JWT"],
        request.url,
        request.body,
        says="(payload|url)_hash is invalid|Signature verification failed|Signature has expired",
    )


def slack_verifier(request: WebhookRequest, key: str) -> bool:
    from slack_sdk.signature import SignatureVerifier

    return SignatureVerifier(key).is_valid_request(request.body, dict(request.headers.multi_items()))


def slack_middleware(request: WebhookRequest, key: str) -> bool:
    from slack_bolt import BoltRequest, BoltResponse
    from slack_bolt.middleware import RequestVerification

    received = BoltRequest(body=request.body.decode(), headers=dict(request.headers.multi_items()))
    answer = RequestVerification(key).process(
        req=received, resp=BoltResponse(status=404), next=lambda: BoltResponse(status=200)
    )
    return answer.status == 200


def discord_helper(request: WebhookRequest, key: str) -> bool:
    from discord_interactions import verify_key

    sent = request.headers
    return verify_key(request.body, sent["X-Signature-Ed25519"], sent["X-Signature-Timestamp"], key)


def discord_nacl(request: WebhookRequest, key: str) -> bool:
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    message = request.headers["X-Signature-Timestamp"].encode() + request.body
    signature = bytes.fromhex(request.headers["X-Signature-Ed25519"])
    return holds(BadSignatureError, VerifyKey(bytes.fromhex(key)).verify, message, signature)


def line(request: WebhookRequest, key: str) -> bool:
    from linebot.v3 import WebhookParser
    from linebot.v3.exceptions import InvalidSignatureError

    signature = request.headers["x-line-signature"]
    return holds(InvalidSignatureError, WebhookParser(key).parse, request.body.decode(), signature)


def telegram(request: WebhookRequest, key: str) -> bool:
    from telegram.ext._utils.webhookhandler import TelegramHandler
    from tornado.web import HTTPError

    handler = SimpleNamespace(request=request, secret_token=key)
    return holds(HTTPError, TelegramHandler._validate_post, handler, says="wrong secret token")


def pywa(request: WebhookRequest, key: str) -> bool:
    from pywa.utils import webhook_updates_validator

    return webhook_updates_validator(key, request.body, request.headers["X-Hub-Signature-256"])


def twitch(request: WebhookRequest, key: str) -> bool:
    from twitchAPI.eventsub.webhook import EventSubWebhook

    async def text() -> str:
        return request.body.decode()

    received: Any = SimpleNamespace(headers=request.headers, text=text)
    receiver: Any = SimpleNamespace(secret=key)
    return asyncio.run(EventSubWebhook._verify_signature(receiver, received))


def pusher(request: WebhookRequest, key: str) -> bool:
    from pusher import Pusher

    app_key = request.headers["X-Pusher-Key"]
    receiver = Pusher(app_id="1", key=app_key, secret=key)
    signature = request.headers["X-Pusher-Signature"]
    return receiver.validate_webhook(app_key, signature, request.body.decode()) is not None


def stream(request: WebhookRequest, key: str) -> bool:
    from stream_chat import StreamChat

    return StreamChat("none", key).verify_webhook(request.body, request.headers["X-Signature"])


def livekit(request: WebhookRequest, key: str) -> bool:
    from livekit.api import TokenVerifier, WebhookReceiver

    token = request.headers["Authorization"]
    receiver = WebhookReceiver(TokenVerifier(claims(token)["iss"], key))
    rejections = "hash mismatch|Signature verification failed|Signature has expired"
    return holds(Exception, receiver.receive, request.body.decode(), token, says=rejections)


def sinch(request: WebhookRequest, key: str) -> bool:
    from sinch.domains.authentication.sinch_events.v1.authentication_validation import (
        validate_sinch_event_signature_with_nonce,
    )

    body = request.body.decode()
    return validate_sinch_event_signature_with_nonce(key, dict(request.headers.multi_items()), body)


def viber(request: WebhookRequest, key: str) -> bool:
    from viberbot import Api, BotConfiguration

    api = Api(BotConfiguration(auth_token=key, name="none", avatar=""))
    return api.verify_signature(request.body, request.headers["X-Viber-Content-Signature"])


def sendgrid(request: WebhookRequest, key: str) -> bool:
    from sendgrid.helpers.eventwebhook import EventWebhook, EventWebhookHeader

    return EventWebhook(key).verify_signature(
        request.body.decode(),
        request.headers[EventWebhookHeader.SIGNATURE],
        request.headers[EventWebhookHeader.TIMESTAMP],
    )


def anymail(request: WebhookRequest, view: str, **settings: str) -> bool:
    """A view of django-anymail, which Django need not route to."""
    from django.conf import settings as django
    from django.test import RequestFactory

    if not django.configured:
        django.configure(ALLOWED_HOSTS=["*"])
    from anymail.exceptions import AnymailWebhookValidationFailure
    from anymail.webhooks import mandrill, postmark

    views = vars(mandrill) | vars(postmark)
    sent = request.headers
    received = RequestFactory().generic(
        "POST", request.url, request.body, content_type=sent["Content-Type"], headers=dict(sent.multi_items())
    )
    return holds(AnymailWebhookValidationFailure, views[view](**settings).run_validators, received)


def mandrill(request: WebhookRequest, key: str) -> bool:
    return anymail(request, "MandrillCombinedWebhookView", webhook_key=key, webhook_url=request.url)


def postmark(request: WebhookRequest, key: str) -> bool:
    return anymail(request, "PostmarkTrackingWebhookView", webhook_secret=key)


def mailgun(request: WebhookRequest, key: str) -> bool:
    from mailgun.security import SecurityGuard

    signed = json.loads(request.body)["signature"]
    return SecurityGuard.verify_webhook(key, signed["token"], signed["timestamp"], signed["signature"])


def change_mailgun_token(request: WebhookRequest) -> WebhookRequest:
    """The request with another token in its body.

    Mailgun signs timestamp and token only: a change anywhere else in the body is accepted by its own
    library, so the only honest tampering is with what is signed.
    """
    body = json.loads(request.body)
    body["signature"]["token"] = body["signature"]["token"][::-1]
    return replace(request, body=json.dumps(body).encode())


MESSAGEBIRD = "messagebird RequestValidator.validate_signature"

VERIFIERS = (
    Verifier("twilio", "twilio.request_validator.RequestValidator.validate", twilio),
    Verifier("twilio-sharedkey", "twilio.request_validator.RequestValidator.validate", twilio),
    Verifier("plivo", "plivo.utils.validate_v3_signature", plivo, schemes=("v3",)),
    Verifier("plivo", "plivo.utils.validate_signature", plivo_v2, tamper=change_path, schemes=("v2",)),
    Verifier("telnyx", "telnyx.lib.webhook_verification", telnyx, max_age_s=300),
    Verifier("vonage", "vonage_jwt.verify_signature and the claim payload_hash", vonage),
    # Its third scheme is for requests without a body, and no event is one.
    Verifier("messagebird", MESSAGEBIRD, messagebird, max_age_s=61, schemes=("jwt",)),
    Verifier(
        "messagebird", f"{MESSAGEBIRD} (GET)", messagebird, max_age_s=61, tamper=change_url, schemes=("get",)
    ),
    Verifier("slack", "slack_sdk.signature.SignatureVerifier", slack_verifier, max_age_s=300),
    Verifier("slack", "slack_bolt RequestVerification", slack_middleware, max_age_s=300),
    Verifier("discord", "discord_interactions.verify_key", discord_helper),
    peer("discord", "nacl.signing.VerifyKey", discord_nacl),
    Verifier("line", "linebot.v3.WebhookParser.parse", line, tamper=add_member),
    peer("telegram", "telegram.ext webhook handler (private)", telegram, tamper=None),
    peer("meta", "pywa.utils.webhook_updates_validator", pywa),
    peer("whatsapp", "pywa.utils.webhook_updates_validator", pywa),
    peer("twitch", "twitchAPI EventSubWebhook._verify_signature (private)", twitch),
    Verifier("pusher", "pusher.Pusher.validate_webhook", pusher, tamper=add_member),
    Verifier("stream", "stream_chat.StreamChat.verify_webhook", stream),
    Verifier("livekit", "livekit.api.WebhookReceiver.receive", livekit, max_age_s=360),
    Verifier("sinch", "sinch validate_sinch_event_signature_with_nonce", sinch),
    Verifier("viber", "viberbot.Api.verify_signature", viber),
    Verifier("sendgrid", "sendgrid EventWebhook.verify_signature", sendgrid),
    peer("mandrill", "anymail.webhooks.mandrill (Django)", mandrill),
    peer("postmark", "anymail.webhooks.postmark (Django)", postmark, tamper=None),
    Verifier("mailgun", "mailgun SecurityGuard.verify_webhook", mailgun, True, 900, change_mailgun_token),
)
