"""Receivers that respond wrongly, or say too much."""

from __future__ import annotations

import json
import traceback
from dataclasses import replace
from typing import Any

from tests.receiver_checks.http_layer import Request, Response
from tests.receiver_checks.reference import Reference, Rejected


class SlashRedirect(Reference):
    """Its framework redirects from the other spelling of the path."""

    def respond(self, request: Request) -> Response:
        if request.path == f"{self.path}/":
            return Response(307, headers={"Location": self.path})
        return super().respond(request)


class RobotFilter(Reference):
    """It lets in only the client that it knows."""

    def respond(self, request: Request) -> Response:
        known = "slack" in request.headers.get("user-agent", "").lower()
        return super().respond(request) if known else Response(403)


class ExpectedInResponse(Reference):
    """It says which signature it expected (adnanh/webhook#83)."""

    def reject(self, reason: str, request: Request) -> Response:
        expected = "" if reason != "signature" else self.expected(request).hex()
        return Response(401, f"rejected, expected {expected}".encode())


class SecretInResponse(Reference):
    """It shows the beginning of its secret."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(401, f"no match with {self.secret[:14]}…".encode())


class VariableInResponse(Reference):
    """It names the variable of the secret."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(401, b"check SLACK_SIGNING_SECRET")


class Traceback(Reference):
    """Its framework is in debug mode."""

    def reject(self, reason: str, request: Request) -> Response:
        try:
            raise Rejected("rejected")
        except Rejected:
            return Response(401, traceback.format_exc().encode())


class Explaining(Reference):
    """It explains each rejection."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(401, json.dumps({"error": reason}).encode())


class VerifiesLater(Reference):
    """It responds with 200 to everything, and verifies in its queue."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(200)


class Gone(Reference):
    """It rejects with 410, which cancels a subscription."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(410)


class BadRequest(Reference):
    """It rejects with 400 where the provider demands 401."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(400)


class Reflecting(Reference):
    """It shows a field of the payload as HTML."""

    def handle(self, event: Any, request: Request) -> Response:
        super().handle(event, request)
        text = str(event.get("challenge", "")) if isinstance(event, dict) else ""
        return Response(200, text.encode(), {"Content-Type": "text/html"})


class ReflectingType(Reference):
    """It shows the type of an event that it does not know as HTML."""

    def handle(self, event: Any, request: Request) -> Response:
        super().handle(event, request)
        text = str(event.get("type", "")) if isinstance(event, dict) else ""
        return Response(200, text.encode(), {"Content-Type": "text/html"})


class WorksFirst(Reference):
    """It does the work, and verifies afterwards."""

    def reject(self, reason: str, request: Request) -> Response:
        self.count += 1
        return super().reject(reason, request)


class Talkative(Reference):
    """It responds with a body where the provider forbids one."""

    def handle(self, event: Any, request: Request) -> Response:
        return replace(super().handle(event, request), body=b"ok")
