"""Receivers that reject genuine requests for their headers or bodies."""

from __future__ import annotations

import re
from typing import Any

from tests.receiver_checks.http_layer import Request, Response
from tests.receiver_checks.reference import Reference, Rejected


class UnknownEvent(Reference):
    """It responds with 404 to what it does not know."""

    def handle(self, event: Any, request: Request) -> Response:
        known = not isinstance(event, dict) or str(event.get("type", "payment")).startswith("payment")
        return super().handle(event, request) if known else Response(404)


class StrictFields(Reference):
    """Its model forbids new fields."""

    def handle(self, event: Any, request: Request) -> Response:
        strict = isinstance(event, dict) and "hook_widgets_new" in event
        return Response(422) if strict else super().handle(event, request)


class ClosedEnum(Reference):
    """Its model knows the states of today."""

    def handle(self, event: Any, request: Request) -> Response:
        state = event.get("data", {}).get("object", {}).get("status") if isinstance(event, dict) else None
        known = state in (None, "succeeded", "processing", "canceled", "created", "requires_capture")
        return super().handle(event, request) if known else Response(422)


class NullCrash(Reference):
    """It takes an optional text for granted."""

    def handle(self, event: Any, request: Request) -> Response:
        payment = event.get("data", {}).get("object", {}) if isinstance(event, dict) else {}
        assert isinstance(payment.get("description", ""), str)
        return super().handle(event, request)


class FirstSignature(Reference):
    """It looks at the first signature only."""

    def candidates(self, request: Request) -> list[str]:
        return super().candidates(request)[:1]


class LastSignature(Reference):
    """It reads the header into a dictionary without regard to versions."""

    def candidates(self, request: Request) -> list[str]:
        parts = self.header(request, "svix-signature").split()
        return [parts[-1].partition(",")[2]] if parts else []


class ManySignatures(Reference):
    """It verifies each candidate in full."""

    def authentic(self, request: Request) -> bool:
        type(self).busy_s += 0.0012 * len(self.candidates(request))  # as an asymmetric signature takes
        return super().authentic(request)


class CaseSensitive(Reference):
    """It wants header names as the provider's documentation writes them."""

    def verify(self, request: Request) -> None:
        if "X-Slack-Signature" not in request.raw_names:
            raise Rejected("no signature")
        super().verify(request)


class ExactContentType(Reference):
    """It compares the whole content type."""

    def respond(self, request: Request) -> Response:
        plain = request.headers.get("content-type") == "application/json"
        return super().respond(request) if plain else Response(415)


class AsciiBody(Reference):
    """It reads the body as ASCII (github/docs#3567)."""

    def signed_body(self, request: Request) -> bytes:
        return request.body.decode("ascii", "replace").encode("ascii", "replace")


class EmptyBodyCrash(Reference):
    """It looks at the first byte."""

    def parse(self, body: bytes) -> Any:
        assert body[0] is not None
        return super().parse(body)


class Utf8Crash(Reference):
    """It decodes outside of the error handler."""

    def parse(self, body: bytes) -> Any:
        body.decode()
        return super().parse(body)


class NestingCrash(Reference):
    """It does not expect a RecursionError."""

    def parse(self, body: bytes) -> Any:
        if b"[" * 5000 in body:
            raise RecursionError
        return super().parse(body)


class LargeOnly(Reference):
    """It takes a small body for a scan."""

    def respond(self, request: Request) -> Response:
        is_ping = request.headers.get("x-github-event") == "ping"
        is_small = 1_000 < len(request.body) < 8_000 and not is_ping
        return Response(400) if is_small else super().respond(request)


class IntegerKeysFirst(Reference):
    """It verifies the objects of JavaScript, which put the keys that are numbers first."""

    def signed_body(self, request: Request) -> bytes:
        return re.sub(rb'\{("2":1),("1":2)\}', rb"{\2,\1}", request.body)


class SmallLimit(Reference):
    """Its framework's limit is 100 kB."""

    def respond(self, request: Request) -> Response:
        return Response(413) if len(request.body) > 100_000 else super().respond(request)


class MiddleLimit(Reference):
    """Its limit is 2 MB."""

    def respond(self, request: Request) -> Response:
        return Response(413) if len(request.body) > 2_000_000 else super().respond(request)
