"""Payments, billing and banking."""

from __future__ import annotations

import base64
import json
import logging
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hook_widgets.webhooks import WebhookRequest, provider
from tests.sdk.reference_verifiers.verifier import Verifier, claims, form, headers, holds, peer

ORB = "too old|None of the given webhook signatures match"


def stripe_event(request: WebhookRequest, key: str) -> bool:
    import stripe

    thin = b'"object":"v2.core.event"' in request.body
    client = stripe.StripeClient("sk_test_example")
    return holds(
        stripe.SignatureVerificationError,
        client.parse_event_notification if thin else stripe.Webhook.construct_event,
        request.body,
        request.headers["Stripe-Signature"],
        key,
    )


def stripe_header(request: WebhookRequest, key: str) -> bool:
    import stripe

    return holds(
        stripe.SignatureVerificationError,
        stripe.WebhookSignature.verify_header,
        request.body.decode(),
        request.headers["Stripe-Signature"],
        key,
        tolerance=300,
    )


def square(request: WebhookRequest, key: str) -> bool:
    from square.utils.webhooks_helper import verify_signature

    return verify_signature(
        request_body=request.body.decode(),
        signature_header=request.headers["x-square-hmacsha256-signature"],
        signature_key=key,
        notification_url=request.url,
    )


def adyen(request: WebhookRequest, key: str) -> bool:
    """Every item: the library looks at the first one only."""
    from Adyen.util import is_valid_hmac_notification

    items = json.loads(request.body)["notificationItems"]
    return all(is_valid_hmac_notification({"notificationItems": [item]}, key) for item in items)


def change_adyen_item(request: WebhookRequest) -> WebhookRequest:
    """The request with another merchant reference: only eight fields of an item are signed."""
    body = json.loads(request.body)
    body["notificationItems"][0]["NotificationRequestItem"]["merchantReference"] += "x"
    return replace(request, body=json.dumps(body).encode())


def adyen_platform(request: WebhookRequest, key: str) -> bool:
    from Adyen.util import is_valid_hmac_payload

    return is_valid_hmac_payload(request.headers["HmacSignature"], key, request.body)


def paddle(request: WebhookRequest, key: str) -> bool:
    from paddle_billing.Notifications import Secret, Verifier

    logging.getLogger("paddle_billing").setLevel(logging.CRITICAL + 1)
    received = SimpleNamespace(body=request.body, headers=dict(request.headers.multi_items()))
    return Verifier().verify(received, Secret(key))


def razorpay(request: WebhookRequest, key: str) -> bool:
    from razorpay import Client
    from razorpay.errors import SignatureVerificationError

    return holds(
        SignatureVerificationError,
        Client(auth=("none", "none")).utility.verify_webhook_signature,
        request.body.decode(),
        request.headers["X-Razorpay-Signature"],
        key,
    )


def braintree(request: WebhookRequest, key: str) -> bool:
    from braintree import BraintreeGateway, Configuration, Environment
    from braintree.exceptions.invalid_signature_error import InvalidSignatureError

    sent = form(request)
    public_key = sent["bt_signature"].partition("|")[0]
    gateway = BraintreeGateway(Configuration(Environment.Sandbox, "none", public_key, key))
    return holds(
        InvalidSignatureError,
        gateway.webhook_notification.parse,
        sent["bt_signature"],
        sent["bt_payload"],
        says="signature does not match payload",
    )


def change_bt_payload(request: WebhookRequest) -> WebhookRequest:
    """The request with one character of its payload in the other case."""
    name, equals, rest = request.body.partition(b"bt_payload=")
    return replace(request, body=name + equals + rest[:8] + rest[8:9].swapcase() + rest[9:])


def coinbase_commerce(request: WebhookRequest, key: str) -> bool:
    from coinbase_commerce.error import SignatureVerificationError
    from coinbase_commerce.webhook import Webhook

    return holds(
        SignatureVerificationError,
        Webhook.construct_event,
        request.body.decode(),
        request.headers["X-CC-Webhook-Signature"],
        key,
    )


def gocardless(request: WebhookRequest, key: str) -> bool:
    from gocardless_pro.errors import InvalidSignatureError
    from gocardless_pro.webhooks import parse

    signature = request.headers["Webhook-Signature"]
    return holds(InvalidSignatureError, parse, request.body.decode(), key, signature)


def mollie(request: WebhookRequest, key: str) -> bool:
    from mollie.utils.webhooks import InvalidSignatureException, SignatureValidator

    signatures = request.headers.get_list("X-Mollie-Signature")
    validate = SignatureValidator.validate
    return holds(InvalidSignatureException, validate, request.body.decode(), key, signatures)


@cache
def modern_treasury_client() -> Any:
    from modern_treasury import ModernTreasury

    return ModernTreasury(api_key="none", organization_id="none")


def modern_treasury(request: WebhookRequest, key: str) -> bool:
    answer: bool = modern_treasury_client().webhooks.validate_signature(
        request.body.decode(), dict(request.headers.multi_items()), key=key
    )
    return answer


@cache
def orb_client() -> Any:
    from orb import Orb

    return Orb(api_key="none")


def orb(request: WebhookRequest, key: str) -> bool:
    """Unwrap, as the SDK's README does: it also rejects a body of another payload style than expanded."""
    unwrap = orb_client().webhooks.unwrap
    return holds(ValueError, unwrap, request.body, dict(request.headers.multi_items()), secret=key, says=ORB)


def paypal(request: WebhookRequest, key: str) -> bool:
    """PayPal's library says what is signed; it verifies with a function that pyOpenSSL no longer has."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.x509 import load_pem_x509_certificate
    from paypalrestsdk.notifications import WebhookEvent

    sent = headers(request)
    # The id of the receiver's own subscription is signed, but not in the request.
    webhook_id = provider("paypal").parts["webhook_id"].value
    signed = WebhookEvent._get_expected_sig(
        sent["paypal-transmission-id"],
        sent["paypal-transmission-time"],
        webhook_id,
        request.body.decode(),
    )
    public = load_pem_x509_certificate(key.encode()).public_key()
    assert isinstance(public, RSAPublicKey)
    signature = base64.b64decode(sent["paypal-transmission-sig"])
    return holds(InvalidSignature, public.verify, signature, signed.encode(), PKCS1v15(), SHA256())


def worldline(request: WebhookRequest, key: str) -> bool:
    from onlinepayments.sdk.communication.request_header import RequestHeader
    from onlinepayments.sdk.webhooks.in_memory_secret_key_store import InMemorySecretKeyStore
    from onlinepayments.sdk.webhooks.signature_validation_exception import SignatureValidationException
    from onlinepayments.sdk.webhooks.signature_validator import SignatureValidator

    store = InMemorySecretKeyStore()
    store.store_secret_key(request.headers["X-GCS-KeyId"], key)
    sent = [RequestHeader(*pair) for pair in request.headers.multi_items()]
    rejections = "failed to validate signature"
    validate = SignatureValidator(store).validate
    return holds(SignatureValidationException, validate, request.body, sent, says=rejections)


def plaid(request: WebhookRequest, key: str) -> bool:
    """Plaid's documented procedure, with PyJWT: no library of Plaid's verifies."""
    import hashlib

    import jwt
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    token = request.headers["Plaid-Verification"]
    public = load_der_public_key(base64.b64decode(key))
    if not holds(jwt.InvalidSignatureError, jwt.decode, token, public, algorithms=["ES256"]):
        return False
    said = claims(token)
    fresh = datetime.now(UTC).timestamp() - said["iat"] <= 300
    return fresh and said["request_body_sha256"] == hashlib.sha256(request.body).hexdigest()


def intuit(request: WebhookRequest, key: str) -> bool:
    from quickbooks import QuickBooks

    verify = QuickBooks().validate_webhook_signature
    return verify(request.body.decode(), request.headers["intuit-signature"], key)


def mercadopago(request: WebhookRequest, key: str, *, tolerance_s: int | None = None) -> bool:
    from mercadopago.webhook import InvalidWebhookSignatureError, WebhookSignatureValidator

    query = dict(parse_qsl(urlsplit(request.url).query))
    return holds(
        InvalidWebhookSignatureError,
        WebhookSignatureValidator.validate,
        request.headers["x-signature"],
        request.headers["x-request-id"],
        query["data.id"],
        key,
        tolerance_seconds=tolerance_s,
        says="SignatureMismatch|TimestampOutOfTolerance",
    )


def change_data_id(request: WebhookRequest) -> WebhookRequest:
    """The request for another object: its id in the URL is signed, the body is not."""
    return replace(request, url=request.url.replace("data.id=", "data.id=9"))


VERIFIERS = (
    Verifier(
        "stripe", "stripe.Webhook.construct_event, parse_event_notification", stripe_event, max_age_s=300
    ),
    Verifier("stripe", "stripe.WebhookSignature.verify_header", stripe_header, max_age_s=300),
    Verifier("square", "square.utils.webhooks_helper.verify_signature", square),
    Verifier("adyen", "Adyen.util.is_valid_hmac_notification (every item)", adyen, tamper=change_adyen_item),
    Verifier("adyen-platform", "Adyen.util.is_valid_hmac_payload", adyen_platform),
    Verifier("paddle", "paddle_billing.Notifications.Verifier.verify", paddle, max_age_s=5),
    Verifier("razorpay", "razorpay utility.verify_webhook_signature", razorpay),
    Verifier("braintree", "braintree webhook_notification.parse", braintree, tamper=change_bt_payload),
    Verifier("coinbase-commerce", "coinbase_commerce.webhook.Webhook.construct_event", coinbase_commerce),
    Verifier("gocardless", "gocardless_pro.webhooks.parse", gocardless),
    Verifier("mollie", "mollie.utils.webhooks.SignatureValidator.validate", mollie),
    Verifier(
        "mercadopago",
        "mercadopago.webhook.WebhookSignatureValidator.validate",
        mercadopago,
        tamper=change_data_id,
    ),
    Verifier(
        "mercadopago",
        "mercadopago.webhook.WebhookSignatureValidator.validate, tolerance_seconds=300",
        partial(mercadopago, tolerance_s=300),
        schemes=("v1-seconds",),
        max_age_s=300,
        tamper=change_data_id,
    ),
    Verifier("modern-treasury", "modern_treasury webhooks.validate_signature", modern_treasury),
    Verifier("orb", "orb webhooks.unwrap", orb, max_age_s=300),
    Verifier(
        "paypal",
        "paypalrestsdk WebhookEvent._get_expected_sig (private), then RSA with our certificate",
        paypal,
    ),
    Verifier("worldline", "onlinepayments.sdk.webhooks SignatureValidator.validate", worldline),
    peer("intuit", "quickbooks validate_webhook_signature", intuit),
    peer("plaid", "jwt.decode and Plaid's documented procedure", plaid, max_age_s=300),
)
