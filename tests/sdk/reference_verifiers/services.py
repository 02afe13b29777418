"""Code hosting, work, storage, identity and the rest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from email.parser import BytesParser
from functools import cache
from typing import Any

from hook_widgets.webhooks import WebhookRequest
from tests.sdk.reference_verifiers.verifier import Verifier, claims, form, headers, holds, is_form, peer


def gidgethub_event(request: WebhookRequest, key: str) -> bool:
    from gidgethub import ValidationFailure
    from gidgethub.sansio import Event

    return holds(ValidationFailure, Event.from_http, headers(request), request.body, secret=key)


def hub_signature(request: WebhookRequest, key: str) -> bool:
    """gidgethub takes the hash from the value itself, so it fits every ``X-Hub-Signature``."""
    from gidgethub import ValidationFailure
    from gidgethub.sansio import validate_event

    signature = request.headers["X-Hub-Signature"]
    return holds(ValidationFailure, validate_event, request.body, signature=signature, secret=key)


def gitea(request: WebhookRequest, key: str) -> bool:
    """Gitea and Forgejo sign the JSON, also where it is sent in a form field."""
    from gidgethub import ValidationFailure
    from gidgethub.sansio import validate_event

    signed = form(request)["payload"].encode() if is_form(request) else request.body
    signature = request.headers["X-Hub-Signature-256"]
    return holds(ValidationFailure, validate_event, signed, signature=signature, secret=key)


def change_payload(request: WebhookRequest) -> WebhookRequest:
    """The request with a space more in its JSON."""
    if is_form(request):
        return replace(request, body=request.body.replace(b"payload=", b"payload=+"))
    return replace(request, body=request.body + b" ")


def githubkit(request: WebhookRequest, key: str) -> bool:
    from githubkit.webhooks import verify

    return verify(key, request.body, request.headers["X-Hub-Signature-256"])


def hubspot(request: WebhookRequest, key: str) -> bool:
    """The version is that of the header which is there; newer requests carry v3 beside an older one."""
    from hubspot.exceptions import InvalidSignatureTimestampError
    from hubspot.utils.signature import Signature

    sent = headers(request)
    third = "x-hubspot-signature-v3" in sent
    try:
        return Signature.is_valid(
            signature=sent["x-hubspot-signature-v3" if third else "x-hubspot-signature"],
            client_secret=key,
            request_body=request.body.decode(),
            http_uri=request.url,
            http_method=request.method,
            signature_version="v3" if third else sent["x-hubspot-signature-version"],
            timestamp=sent.get("x-hubspot-request-timestamp"),
        )
    except InvalidSignatureTimestampError:
        return False


def airtable(request: WebhookRequest, key: str) -> bool:
    from pyairtable.models.webhook import WebhookNotification

    return holds(
        ValueError,
        WebhookNotification.from_request,
        request.body.decode(),
        request.headers["X-Airtable-Content-MAC"],
        key,
        says="failed validation",
    )


def convoy(request: WebhookRequest, key: str) -> bool:
    """The library answers True or the text of an error."""
    from convoy.utils.webhook import Webhook

    verify = Webhook(secret=key).verify_signature
    return verify(request.body.decode(), request.headers["X-Convoy-Signature"]) is True


def box(request: WebhookRequest, key: str) -> bool:
    from box_sdk_gen.managers.webhooks import WebhooksManager

    body, sent = request.body.decode(), headers(request)
    return WebhooksManager.validate_message(body, sent, key, secondary_key=key)


def dropbox_sign_json(request: WebhookRequest) -> str:
    """The form field ``json``, of a form of either kind."""
    if is_form(request):
        return form(request)["json"]
    head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
    for part in BytesParser().parsebytes(head + request.body).walk():
        if part.get_param("name", header="content-disposition") == "json":
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            return content.decode()
    raise AssertionError("the form has no field json")


def dropbox_sign(request: WebhookRequest, key: str) -> bool:
    from dropbox_sign import EventCallbackHelper, EventCallbackRequest

    event = EventCallbackRequest.init(json.loads(dropbox_sign_json(request)))
    return EventCallbackHelper.is_valid(key, event)


def change_event_time(request: WebhookRequest) -> WebhookRequest:
    """The request with another time in its event: only the event's time and type are signed."""
    time = json.loads(dropbox_sign_json(request))["event"]["event_time"].encode()
    assert time in request.body
    return replace(request, body=request.body.replace(time, b"1" + time[:-1]))


def workos(request: WebhookRequest, key: str) -> bool:
    from workos.webhooks._verification import verify_header

    return holds(
        ValueError,
        verify_header,
        event_body=request.body,
        event_signature=request.headers["WorkOS-Signature"],
        secret=key,
        says="does not match|outside the tolerance",
    )


def onfido(request: WebhookRequest, key: str) -> bool:
    from onfido import OnfidoInvalidSignatureError, WebhookEventVerifier

    signature = request.headers["X-SHA2-Signature"]
    read = WebhookEventVerifier(key).read_payload
    return holds(OnfidoInvalidSignatureError, read, request.body.decode(), signature)


def easypost(request: WebhookRequest, key: str) -> bool:
    from easypost.errors import SignatureVerificationError
    from easypost.util import validate_webhook

    sent = dict(request.headers.multi_items())
    return holds(SignatureVerificationError, validate_webhook, request.body, sent, key)


def cloudinary(request: WebhookRequest, key: str) -> bool:
    import cloudinary as library
    from cloudinary.utils import verify_notification_signature

    library.config(api_secret=key)
    signature = request.headers["X-Cld-Signature"]
    return verify_notification_signature(
        request.body.decode(),
        request.headers["X-Cld-Timestamp"],
        signature,
        algorithm="sha1" if len(signature) == 40 else "sha256",
    )


@cache
def elevenlabs_client() -> Any:
    from elevenlabs import ElevenLabs

    return ElevenLabs(api_key="none")


def elevenlabs(request: WebhookRequest, key: str) -> bool:
    from elevenlabs.errors import BadRequestError

    construct = elevenlabs_client().webhooks.construct_event
    signature = request.headers["ElevenLabs-Signature"]
    rejections = "does not match|outside the tolerance"
    return holds(BadRequestError, construct, request.body.decode(), signature, key, says=rejections)


def cronofy(request: WebhookRequest, key: str) -> bool:
    from pycronofy import Client

    client = Client(client_id="none", client_secret=key)
    return client.hmac_valid(request.headers["Cronofy-HMAC-SHA256"], request.body.decode())


def schematic(request: WebhookRequest, key: str) -> bool:
    from schematic.webhook_utils.verification import WebhookSignatureError, verify_signature

    sent = headers(request)
    return holds(
        WebhookSignatureError,
        verify_signature,
        request.body,
        sent["x-schematic-webhook-signature"],
        sent["x-schematic-webhook-timestamp"],
        key,
        says="^Invalid signature$",
    )


def retell(request: WebhookRequest, key: str) -> bool:
    from retell.lib.webhook_auth import verify

    return verify(request.body.decode(), key, request.headers["X-Retell-Signature"])


def qstash(request: WebhookRequest, key: str) -> bool:
    from qstash import Receiver
    from qstash.errors import SignatureError

    return holds(
        SignatureError,
        Receiver(key, key).verify,
        signature=request.headers["Upstash-Signature"],
        body=request.body.decode(),
        url=request.url,
        says="Invalid body hash|Signature verification failed|Signature has expired",
    )


def netlify(request: WebhookRequest, key: str) -> bool:
    """Netlify's documented procedure, with PyJWT."""
    import jwt

    token = request.headers["X-Webhook-Signature"]
    decode = jwt.decode
    if not holds(jwt.InvalidSignatureError, decode, token, key, algorithms=["HS256"], issuer="netlify"):
        return False
    said: str = claims(token)["sha256"]
    return said == hashlib.sha256(request.body).hexdigest()


VERIFIERS = (
    peer("github", "gidgethub.sansio.Event.from_http", gidgethub_event),
    peer("github", "gidgethub.sansio.validate_event (SHA-1)", hub_signature),
    peer("github", "githubkit.webhooks.verify", githubkit),
    peer("bitbucket", "gidgethub.sansio.validate_event", hub_signature),
    peer("gitea", "gidgethub.sansio.validate_event (X-Hub-Signature-256)", gitea, tamper=change_payload),
    peer("forgejo", "gidgethub.sansio.validate_event (X-Hub-Signature-256)", gitea, tamper=change_payload),
    peer("jira", "gidgethub.sansio.validate_event", hub_signature),
    Verifier(
        "hubspot", "hubspot.utils.signature.Signature.is_valid", hubspot, max_age_s=300, schemes=("v3",)
    ),
    Verifier("hubspot", "hubspot.utils.signature.Signature.is_valid (v2)", hubspot, schemes=("v2",)),
    Verifier("box", "box_sdk_gen WebhooksManager.validate_message", box, max_age_s=600),
    peer("airtable", "pyairtable WebhookNotification.from_request", airtable),
    Verifier("convoy", "convoy.utils.webhook.Webhook.verify_signature", convoy, schemes=("simple",)),
    Verifier("cronofy", "pycronofy.Client.hmac_valid", cronofy),
    Verifier(
        "dropbox-sign", "dropbox_sign.EventCallbackHelper.is_valid", dropbox_sign, tamper=change_event_time
    ),
    Verifier("workos", "workos.webhooks._verification.verify_header (private)", workos, max_age_s=180),
    Verifier("onfido", "onfido.WebhookEventVerifier.read_payload", onfido),
    Verifier("easypost", "easypost.util.validate_webhook", easypost),
    Verifier("cloudinary", "cloudinary.utils.verify_notification_signature", cloudinary, max_age_s=7200),
    Verifier("elevenlabs", "elevenlabs webhooks.construct_event", elevenlabs, max_age_s=1800),
    Verifier("retell", "retell.lib.webhook_auth.verify", retell, max_age_s=300),
    Verifier("schematic", "schematic.webhook_utils.verification.verify_signature", schematic),
    Verifier("qstash", "qstash.Receiver.verify", qstash, max_age_s=300),
    peer("netlify", "jwt.decode and Netlify's documented procedure", netlify),
)
