"""Receivers for schemes that `reference` has not: signed URLs, tokens, certificates, single-use challenges.

Each class is right; each subclass has one fault.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import urllib.request
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_der_public_key
from cryptography.x509 import load_pem_x509_certificate

from tests.receiver_checks.http_layer import HttpReceiver, Request, Response


def fetch(url: str) -> None:
    """Open a URL of this machine; samples name those of providers."""
    with suppress(OSError, ValueError):
        if urlsplit(url).hostname == "127.0.0.1":
            urllib.request.urlopen(url, timeout=1)


class SignedUrl(HttpReceiver):
    """Twilio: HMAC-SHA1 of the URL and the sorted form."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def urls(self, request: Request) -> list[str]:
        return [f"http://{request.headers['host']}{request.path}"]

    def respond(self, request: Request) -> Response:
        form = sorted(parse_qsl(request.body.decode(errors="replace"), keep_blank_values=True))
        tail = "".join(name + value for name, value in form)
        texts = [
            base64.b64encode(hmac.digest(self.secret.encode(), (url + tail).encode(), "sha1"))
            for url in self.urls(request)
        ]
        known = request.headers.get("x-twilio-signature", "").encode()
        return Response(204 if any(hmac.compare_digest(text, known) for text in texts) else 403)


class EitherScheme(SignedUrl):
    """It tries http and https, to work behind any proxy."""

    def urls(self, request: Request) -> list[str]:
        return [f"{scheme}://{request.headers['host']}{request.path}" for scheme in ("http", "https")]


class Token(HttpReceiver):
    """GitLab: a token in a header."""

    limit_bytes = 25 << 20  # its documented maximum

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def token(self, request: Request) -> str:
        return request.headers.get("x-gitlab-token", "")

    def respond(self, request: Request) -> Response:
        right = hmac.compare_digest(self.token(request).encode(), self.secret.encode())
        return Response(204 if right else 401)


class TokenInQuery(Token):
    """It also takes the token from the query."""

    def token(self, request: Request) -> str:
        query = parse_qs(urlsplit(request.path).query)
        return super().token(request) or "".join(query.get("token", []))


class AnyCase(Token):
    """It compares without regard to case."""

    def respond(self, request: Request) -> Response:
        return Response(204 if self.token(request).lower() == self.secret.lower() else 401)


class JsonApi(HttpReceiver):
    """Unit: HMAC-SHA1 of a body of the type application/vnd.api+json."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def parses(self, content_type: str) -> bool:
        return content_type.partition(";")[0].strip().endswith("json")

    def respond(self, request: Request) -> Response:
        text = base64.b64encode(hmac.digest(self.secret.encode(), request.body, "sha1")).decode()
        if not hmac.compare_digest(text.encode(), request.headers.get("x-unit-signature", "").encode()):
            return Response(401)
        return Response(200 if self.parses(request.headers.get("content-type", "")) else 415)


class ExactType(JsonApi):
    """It compares the whole media type."""

    def parses(self, content_type: str) -> bool:
        return content_type == "application/vnd.api+json"


class Certificate(HttpReceiver):
    """Amazon SNS: RSA with a certificate that it already has. It opens nothing."""

    _SIGNED = ("Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")

    def __init__(self, secret: str) -> None:
        key = load_pem_x509_certificate(secret.encode()).public_key()
        assert isinstance(key, rsa.RSAPublicKey)
        self.key = key

    def authentic(self, message: dict[str, Any]) -> bool:
        text = "".join(f"{name}\n{message[name]}\n" for name in self._SIGNED if name in message)
        with suppress(InvalidSignature, ValueError, KeyError):
            raw = base64.b64decode(message["Signature"])
            self.key.verify(raw, text.encode(), padding.PKCS1v15(), hashes.SHA1())
            return True
        return False

    def message(self, request: Request) -> dict[str, Any]:
        with suppress(ValueError, RecursionError):
            message = json.loads(request.body)
            if isinstance(message, dict):
                return message
        return {}

    def respond(self, request: Request) -> Response:
        return Response(204 if self.authentic(self.message(request)) else 403)

    def open(self, url: str) -> None:
        fetch(url)


class FetchesFirst(Certificate):
    """It fetches the certificate from any address before it verifies."""

    def respond(self, request: Request) -> Response:
        self.open(str(self.message(request).get("SigningCertURL")))
        return super().respond(request)


class ConfirmsAnything(Certificate):
    """It opens the URL of a confirmation without regard to its host."""

    def respond(self, request: Request) -> Response:
        response = super().respond(request)
        message = self.message(request)
        if response.status == 204 and "SubscribeURL" in message:
            self.open(message["SubscribeURL"])
        return response


class SignedToken(HttpReceiver):
    """Plaid: a token by ES256 with the hash of the body and its time; the key is known by its id."""

    key_id = "6c5516e1-92dc-479e-a8ff-5a51992e0001"

    def __init__(self, secret: str) -> None:
        self.text = secret
        key = load_der_public_key(base64.b64decode(secret))
        assert isinstance(key, ec.EllipticCurvePublicKey)
        self.key = key

    def header(self, text: str) -> dict[str, Any]:
        header: dict[str, Any] = json.loads(self.decoded(text))
        return header

    def decoded(self, text: str) -> bytes:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    def genuine(self, header: dict[str, Any], message: str, raw: bytes) -> bool:
        return header.get("alg") == "ES256" and self.authentic(header, message, raw)

    def authentic(self, header: dict[str, Any], message: str, raw: bytes) -> bool:
        if header.get("kid") != self.key_id or len(raw) != 64:
            return False
        signature = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        with suppress(InvalidSignature):
            self.key.verify(signature, message.encode(), ec.ECDSA(hashes.SHA256()))
            return True
        return False

    def respond(self, request: Request) -> Response:
        try:
            message, _, signature = request.headers.get("plaid-verification", "").rpartition(".")
            header = self.header(message.partition(".")[0])
            claims = json.loads(self.decoded(message.partition(".")[2]))
            genuine = self.genuine(header, message, self.decoded(signature))
            fresh = abs(time.time() - claims["iat"]) <= 300
            whole = claims["request_body_sha256"] == hashlib.sha256(request.body).hexdigest()
        except (ValueError, KeyError, TypeError, RecursionError):
            return Response(401)
        return Response(200 if genuine and fresh and whole else 401)


class NoAlgorithm(SignedToken):
    """It accepts a token whose algorithm is none."""

    def genuine(self, header: dict[str, Any], message: str, raw: bytes) -> bool:
        return header.get("alg") == "none" or super().genuine(header, message, raw)


class PublicKeyAsSecret(SignedToken):
    """The token chooses the algorithm: by HS256 its public key is a secret."""

    def genuine(self, header: dict[str, Any], message: str, raw: bytes) -> bool:
        if header.get("alg") == "HS256":
            return hmac.compare_digest(hmac.digest(self.text.encode(), message.encode(), "sha256"), raw)
        return super().genuine(header, message, raw)


class FetchesKeys(SignedToken):
    """It fetches the keys from the address in the token before it verifies."""

    def header(self, text: str) -> dict[str, Any]:
        header = super().header(text)
        if "jku" in header:
            fetch(header["jku"])
        return header


class UnknownKey(SignedToken):
    """It verifies nothing if it does not know the id of the key."""

    def authentic(self, header: dict[str, Any], message: str, raw: bytes) -> bool:
        return header.get("kid") != self.key_id or super().authentic(header, message, raw)


class VerifyToken(HttpReceiver):
    """Meta: a challenge in the query with a token that the receiver chose; HMAC-SHA256 of the body."""

    known = "chosen by the receiver"
    media_type = "text/plain"

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def respond(self, request: Request) -> Response:
        if request.method == "GET":
            query = dict(parse_qsl(urlsplit(request.path).query))
            if "hub.challenge" not in query or not self.right(query.get("hub.verify_token", "")):
                return Response(403)
            return Response(200, query["hub.challenge"].encode(), {"Content-Type": self.media_type})
        text = hmac.digest(self.secret.encode(), request.body, "sha256").hex()
        known = request.headers.get("x-hub-signature-256", "")
        return Response(200 if hmac.compare_digest(f"sha256={text}".encode(), known.encode()) else 403)

    def right(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.known.encode())


class AnyToken(VerifyToken):
    """It does not compare the token."""

    def right(self, token: str) -> bool:
        return True


class EchoesHtml(VerifyToken):
    """It echoes the challenge as HTML."""

    media_type = "text/html; charset=utf-8"


class SingleUse(HttpReceiver):
    """Standard Webhooks with a challenge that is answered once, and a header that names the subscription."""

    def __init__(self, secret: str) -> None:
        self.key = base64.b64decode(secret.removeprefix("whsec_"))
        self.used: set[str] = set()

    def known(self, subscription: str) -> bool:
        return subscription == "sub_1"

    def fresh(self, challenge: str, request: Request) -> bool:
        return challenge not in self.used

    def listed(self) -> list[str]:
        """The paths of the endpoints, in the document of a receiver of MCP Events (SEP-3415)."""
        return ["/hooks"]

    def respond(self, request: Request) -> Response:
        if (request.method, request.path) == ("GET", "/.well-known/mcp-webhook-receiver.json"):
            listed = json.dumps({"receivers": self.listed()}).encode()
            return Response(200, listed, {"Content-Type": "application/json"})
        at = request.headers.get("webhook-timestamp", "")
        if not (at.isascii() and at.isdigit() and len(at) < 13 and abs(time.time() - int(at)) <= 300):
            return Response(401)
        names = ("webhook-id", "webhook-timestamp")
        message = ".".join(request.headers.get(name, "") for name in names).encode() + b"." + request.body
        text = base64.b64encode(hmac.digest(self.key, message, "sha256")).decode()
        if f"v1,{text}" not in request.headers.get("webhook-signature", "").split(" "):
            return Response(401)
        challenge = request.headers.get("x-challenge")
        if challenge is None:
            return Response(204 if self.known(request.headers.get("x-subscription", "")) else 404)
        if not self.fresh(challenge, request):
            return Response(409)
        self.used.add(challenge)
        return Response(200, challenge.encode(), {"Content-Type": "text/plain"})


class AnswersTwice(SingleUse):
    """It answers a challenge each time."""

    def fresh(self, challenge: str, request: Request) -> bool:
        return True


class RemembersMessages(SingleUse):
    """It remembers the ids of messages, not their challenges."""

    def fresh(self, challenge: str, request: Request) -> bool:
        known = request.headers["webhook-id"] in self.used
        self.used.add(request.headers["webhook-id"])
        return not known


class ListsOthers(SingleUse):
    """Its document does not list its endpoint."""

    def listed(self) -> list[str]:
        return ["/hooks/other/", "/hook"]


class AnySubscription(SingleUse):
    """It does not look at the subscription."""

    def known(self, subscription: str) -> bool:
        return True
