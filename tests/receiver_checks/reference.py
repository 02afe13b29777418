"""A hardened receiver for six providers, of the standard library alone, which must pass every check.

Each step is a method, so that a broken receiver overrides one. Nothing here comes from the package.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import threading
import time
from typing import Any
from urllib.parse import parse_qs

from tests.receiver_checks.http_layer import HttpReceiver, Request, Response

TOLERANCE_S = 300


class Rejected(Exception):
    """The request is not genuine."""


class Unreadable(Exception):
    """The request is genuine, and its body cannot be read."""


class Reference(HttpReceiver):
    """Verifies raw bytes, compares in constant time, checks the time in both directions, works once."""

    previous = ""
    """The secret before the current one, which is still accepted."""
    retired = ""
    """A secret that is no longer accepted."""

    def __init__(self, provider: str, secret: str) -> None:
        self.provider = provider
        self.secret = secret
        self.count = 0
        self.done: set[object] = set()
        self.versions: dict[str, int] = {}
        self.failing = False
        self.advanced_s = 0.0
        self.other_secret = ""
        self.lock = threading.Lock()
        if provider == "github":
            self.limit_bytes = 25_000_000  # its documented maximum

    # --- what its owner can do ---

    def fail_next(self) -> None:
        self.failing = True

    def advance_s(self, seconds: float) -> None:
        self.advanced_s += seconds

    # --- the scheme ---

    def key(self) -> bytes:
        return self.key_of(self.secret)

    def key_of(self, secret: str) -> bytes:
        if self.provider == "svix":
            return base64.b64decode(secret.removeprefix("whsec_"))
        return secret.encode()

    def other_secrets(self) -> list[str]:
        return [self.previous] if self.previous else []

    def header(self, request: Request, name: str) -> str:
        value = request.headers.get(name.lower())
        if value is None:  # Svix sends either set of names
            value = request.headers.get(name.lower().replace("svix-", "webhook-"))
        if value is None:
            raise Rejected(f"no {name}")
        return value

    def candidates(self, request: Request) -> list[str]:
        match self.provider:
            case "stripe":
                parts = [
                    p.strip().partition("=") for p in self.header(request, "Stripe-Signature").split(",")
                ]
                return [value for name, _, value in parts if name == "v1"]
            case "github":
                name, _, value = self.header(request, "X-Hub-Signature-256").partition("=")
                return [value] if name == "sha256" else []
            case "shopify":
                return [self.header(request, "X-Shopify-Hmac-Sha256")]
            case "xero":
                return [self.header(request, "x-xero-signature")]
            case "slack":
                version, _, value = self.header(request, "X-Slack-Signature").partition("=")
                return [value] if version == "v0" else []
            case _:
                parts = [p.partition(",") for p in self.header(request, "svix-signature").split()]
                return [value for version, _, value in parts if version == "v1"]

    def timestamp(self, request: Request) -> str | None:
        match self.provider:
            case "stripe":
                parts = [
                    p.strip().partition("=") for p in self.header(request, "Stripe-Signature").split(",")
                ]
                times = [value for name, _, value in parts if name == "t"]
                return times[0] if len(times) == 1 else ""
            case "slack":
                return self.header(request, "X-Slack-Request-Timestamp")
            case "svix":
                return self.header(request, "svix-timestamp")
            case _:
                return None

    def message(self, request: Request) -> bytes:
        time_text = (self.timestamp(request) or "").encode()
        match self.provider:
            case "stripe":
                return time_text + b"." + self.signed_body(request)
            case "slack":
                return b"v0:" + time_text + b":" + self.signed_body(request)
            case "svix":
                signed_id = self.header(request, "svix-id").encode()
                return signed_id + b"." + time_text + b"." + self.signed_body(request)
            case _:
                return self.signed_body(request)

    # --- the steps ---

    def signed_body(self, request: Request) -> bytes:
        return request.body

    def expected(self, request: Request) -> bytes:
        return hmac.digest(self.key(), self.message(request), "sha256")

    def decode(self, text: str) -> bytes:
        try:
            if self.provider in ("shopify", "svix", "xero"):
                return base64.b64decode(text, validate=True)
            return bytes.fromhex(text)
        except (ValueError, binascii.Error):
            return b""

    def equal(self, expected: bytes, text: str) -> bool:
        return hmac.compare_digest(expected, self.decode(text))

    def authentic(self, request: Request) -> bool:
        texts = self.candidates(request)[:32]
        expected = [self.expected(request)]
        message = self.message(request)
        expected += [hmac.digest(self.key_of(secret), message, "sha256") for secret in self.other_secrets()]
        return any(self.equal(each, text) for each in expected for text in texts)

    def fresh(self, text: str) -> bool:
        return (
            text.isascii()
            and text.isdigit()
            and len(text) < 13
            and abs(time.time() - int(text)) <= TOLERANCE_S
        )

    def verify(self, request: Request) -> None:
        if not self.secret:
            raise Rejected("no secret")
        if not self.authentic(request):
            raise Rejected("signature")
        text = self.timestamp(request)
        if text is not None and not self.fresh(text):
            raise Rejected("timestamp")

    def parse(self, body: bytes) -> Any:
        try:
            return json.loads(body.decode())
        except (ValueError, RecursionError):
            raise Unreadable from None

    def identity(self, request: Request) -> object:
        """Return a signed value that is the same in a retry."""
        if self.provider == "svix":
            return self.header(request, "svix-id")
        return hashlib.sha256(request.body).digest()

    def handle(self, event: Any, request: Request) -> Response:
        identity = self.identity(request)
        with self.lock:
            if identity not in self.done and not self.is_live(event):
                self.work(event)
                self.done.add(identity)
                self.count += 1
        return Response(200 if self.provider == "xero" else 204)

    def is_live(self, event: Any) -> bool:
        """True for an event of the live mode: this receiver is for tests."""
        return isinstance(event, dict) and event.get("livemode") is True

    def work(self, event: Any) -> None:
        if self.failing:
            self.failing = False
            raise RuntimeError("the database is gone")
        item = event.get("item") if isinstance(event, dict) else None
        if isinstance(item, dict) and "version" in item:
            self.keep(item["id"], item["version"])

    def keep(self, item: str, version: int) -> None:
        self.versions[item] = max(version, self.versions.get(item, 0))

    def handshake(self, event: Any, request: Request) -> Response | None:
        """Return the response to a handshake; None for an event."""
        if not isinstance(event, dict):
            return None
        if self.provider == "slack" and event.get("type") == "url_verification":
            return Response(200, str(event["challenge"]).encode(), {"Content-Type": "text/plain"})
        if self.provider == "xero" and event.get("events") == []:
            return Response(200)
        return Response(204) if request.headers.get("x-github-event") == "ping" else None

    def reject(self, reason: str, request: Request) -> Response:
        return Response(401)

    def respond(self, request: Request) -> Response:
        if request.method != "POST":
            return Response(405)
        if request.path.partition("?")[0] != self.path:
            return Response(404)
        try:
            self.verify(request)
        except Rejected as reason:
            return self.reject(str(reason), request)
        try:
            event = self.parse(self.content(request))
        except Unreadable:
            return Response(400)
        return self.handshake(event, request) or self.handle(event, request)

    def content(self, request: Request) -> bytes:
        """Return the JSON of a request, which GitHub may send in a form."""
        if "x-www-form-urlencoded" not in request.headers.get("content-type", ""):
            return request.body
        return parse_qs(request.body.decode()).get("payload", [""])[0].encode()
