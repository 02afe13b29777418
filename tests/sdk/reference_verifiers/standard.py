"""Standard Webhooks and Svix, which many providers use under their own names."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cache
from typing import Any

from hook_widgets.webhooks import WebhookRequest
from tests.sdk.reference_verifiers.verifier import Verifier, headers, holds, peer

FINCH = "too old|None of the given webhook signatures match"


def standard(request: WebhookRequest, key: str | bytes) -> bool:
    from standardwebhooks import Webhook, WebhookVerificationError

    return holds(WebhookVerificationError, Webhook(key).verify, request.body, headers(request))


def text_key(request: WebhookRequest, key: str) -> bool:
    """The library with the secret's own text as its key."""
    return standard(request, base64.b64encode(key.encode()).decode())


def svix(request: WebhookRequest, key: str) -> bool:
    from svix.webhooks import Webhook, WebhookVerificationError

    return holds(WebhookVerificationError, Webhook(key).verify, request.body, headers(request))


def asymmetric(request: WebhookRequest, key: str) -> bool:
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    sent = headers(request)
    message = f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + request.body
    verify_key = VerifyKey(base64.b64decode(key.removeprefix("whpk_")))
    signatures = (one.removeprefix("v1a,") for one in sent["webhook-signature"].split(" "))
    return any(
        holds(BadSignatureError, verify_key.verify, message, base64.b64decode(one)) for one in signatures
    )


def supabase(request: WebhookRequest, key: str) -> bool:
    """The library, without the version that stands before the secret."""
    return standard(request, key.removeprefix("v1,"))


def resend(request: WebhookRequest, key: str) -> bool:
    from resend import Webhooks

    sent = headers(request)
    received = {
        "payload": request.body.decode(),
        "headers": {name: sent[f"svix-{name}"] for name in ("id", "timestamp", "signature")},
        "webhook_secret": key,
    }
    return holds(ValueError, Webhooks.verify, received, says="no matching signature|outside tolerance")


@cache
def openai_client() -> Any:
    from openai import OpenAI

    return OpenAI(api_key="none")


def openai(request: WebhookRequest, key: str) -> bool:
    from openai import InvalidWebhookSignatureError

    unwrap = openai_client().webhooks.unwrap
    return holds(
        InvalidWebhookSignatureError,
        unwrap,
        request.body.decode(),
        dict(request.headers.multi_items()),
        secret=key,
    )


@cache
def anthropic_client() -> Any:
    from anthropic import Anthropic

    return Anthropic(api_key="none")


def anthropic(request: WebhookRequest, key: str) -> bool:
    from standardwebhooks import WebhookVerificationError

    unwrap = anthropic_client().beta.webhooks.unwrap
    return holds(
        WebhookVerificationError,
        unwrap,
        request.body.decode(),
        headers=dict(request.headers.multi_items()),
        key=key,
    )


def replicate(request: WebhookRequest, key: str) -> bool:
    from replicate.webhook import (
        InvalidSignatureError,
        InvalidTimestampError,
        Webhooks,
        WebhookSigningSecret,
    )

    return holds(
        (InvalidSignatureError, InvalidTimestampError),
        Webhooks.validate,
        headers=dict(request.headers.multi_items()),
        body=request.body.decode(),
        secret=WebhookSigningSecret(key=key),
        tolerance=300,
    )


@cache
def lithic_client() -> Any:
    from lithic import Lithic

    return Lithic(api_key="none")


def lithic(request: WebhookRequest, key: str) -> bool:
    from standardwebhooks import WebhookVerificationError

    verify = lithic_client().webhooks.verify_signature
    return holds(
        WebhookVerificationError, verify, request.body, dict(request.headers.multi_items()), secret=key
    )


def unwraps(unwrap: Callable[..., object], request: WebhookRequest, key: str | None) -> bool:
    """Return True if a client's ``unwrap`` accepts the request."""
    from standardwebhooks import WebhookVerificationError

    sent = dict(request.headers.multi_items())
    return holds(WebhookVerificationError, unwrap, request.body.decode(), headers=sent, key=key)


@cache
def increase_client() -> Any:
    from increase import Increase

    return Increase(api_key="none")


def increase(request: WebhookRequest, key: str) -> bool:
    """With the client's ``webhook_secret``, which the SDK uses as text; it would decode a ``key``."""
    return unwraps(increase_client().with_options(webhook_secret=key).events.unwrap, request, None)


@cache
def dodo_client() -> Any:
    from dodopayments import DodoPayments

    return DodoPayments(bearer_token="none")


def dodo(request: WebhookRequest, key: str) -> bool:
    return unwraps(dodo_client().webhooks.unwrap, request, key)


@cache
def imagekit_client() -> Any:
    from imagekitio import ImageKit

    return ImageKit(private_key="none")


def imagekit(request: WebhookRequest, key: str) -> bool:
    return unwraps(imagekit_client().webhooks.unwrap, request, key)


def whop(request: WebhookRequest, key: str) -> bool:
    from whop_sdk.lib.verify_webhook import WebhookVerificationError, unwrap

    sent = dict(request.headers.multi_items())
    rejections = "No matching signature|too old"
    return holds(WebhookVerificationError, unwrap, request.body, headers=sent, key=key, says=rejections)


def polar(request: WebhookRequest, key: str) -> bool:
    from polar.webhooks import PolarWebhookVerificationError, _verify_signature

    return holds(
        PolarWebhookVerificationError,
        _verify_signature,
        request.body.decode(),
        dict(request.headers.multi_items()),
        key,
        says="No matching signature|too old",
    )


@cache
def finch_client() -> Any:
    from finch import Finch

    return Finch(client_id="none", client_secret="none")


def finch(request: WebhookRequest, key: str) -> bool:
    verify = finch_client().webhooks.verify_signature
    return holds(
        ValueError, verify, request.body, dict(request.headers.multi_items()), secret=key, says=FINCH
    )


VERIFIERS = (
    Verifier("standard-webhooks", "standardwebhooks.Webhook.verify", standard, max_age_s=300),
    peer("standard-webhooks-v1a", "nacl.signing.VerifyKey over id.timestamp.body", asymmetric),
    Verifier("svix", "svix.webhooks.Webhook.verify", svix, max_age_s=300),
    peer("clerk", "svix.webhooks.Webhook.verify", svix, max_age_s=300),
    Verifier("resend", "resend.Webhooks.verify", resend, max_age_s=300),
    Verifier("openai", "openai webhooks.unwrap", openai, max_age_s=300),
    Verifier("anthropic", "anthropic beta.webhooks.unwrap", anthropic, max_age_s=300),
    Verifier("replicate", "replicate.webhook.Webhooks.validate", replicate, max_age_s=300),
    Verifier("lithic", "lithic webhooks.verify_signature", lithic, max_age_s=300),
    Verifier("increase", "increase events.unwrap", increase, max_age_s=300),
    Verifier("dodo", "dodopayments webhooks.unwrap", dodo, max_age_s=300),
    Verifier("imagekit", "imagekitio webhooks.unwrap", imagekit, max_age_s=300),
    Verifier("whop", "whop_sdk.lib.verify_webhook.unwrap", whop, max_age_s=300),
    Verifier("polar", "polar.webhooks._verify_signature (private)", polar, max_age_s=300),
    Verifier("finch", "finch webhooks.verify_signature", finch, max_age_s=300),
    peer("bigcommerce", "standardwebhooks.Webhook.verify", text_key, max_age_s=300),
    peer("brex", "standardwebhooks.Webhook.verify", standard, max_age_s=300),
    peer("recall-ai", "svix.webhooks.Webhook.verify", svix, max_age_s=300),
    peer("etsy", "standardwebhooks.Webhook.verify", standard, max_age_s=300),
    peer("incident-io", "svix.webhooks.Webhook.verify", svix, max_age_s=300),
    peer("loops", "standardwebhooks.Webhook.verify", standard, max_age_s=300),
    peer("render", "standardwebhooks.Webhook.verify", standard, max_age_s=300),
    peer("stytch", "svix.webhooks.Webhook.verify", svix, max_age_s=300),
    peer("supabase-auth", "standardwebhooks.Webhook.verify", supabase, max_age_s=300),
    peer("gitlab", "standardwebhooks.Webhook.verify", standard, max_age_s=300),
)
