"""Receivers that fail for other accounts, handshakes and after a rejection."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.receiver_checks.http_layer import Request, Response
from tests.receiver_checks.reference import Reference, Rejected, Unreadable


class UnknownAccount(Reference):
    """It responds with 404 to each account but the first one."""

    account: object = None

    def handle(self, event: Any, request: Request) -> Response:
        account = event.get("team_id") if isinstance(event, dict) else None
        self.account = self.account or account
        return super().handle(event, request) if account in (None, self.account) else Response(404)


class BothModes(Reference):
    """It works in test and live mode alike."""

    def is_live(self, event: Any) -> bool:
        return False


class OneName(Reference):
    """It knows one set of header names."""

    def verify(self, request: Request) -> None:
        if "svix-signature" not in request.headers:
            raise Rejected("no signature")
        super().verify(request)


class SignedPayload(Reference):
    """It verifies the field of a form instead of the form."""

    def signed_body(self, request: Request) -> bytes:
        return self.content(request)


class JsonOnly(Reference):
    """It reads JSON only."""

    def content(self, request: Request) -> bytes:
        return request.body


class NoHandshake(Reference):
    """It does not know the handshake."""

    def handshake(self, event: Any, request: Request) -> Response | None:
        return Response(404) if super().handshake(event, request) else None


class ChallengeFirst(Reference):
    """It responds to the handshake before it verifies."""

    def respond(self, request: Request) -> Response:
        try:
            event = super().parse(request.body)
        except Unreadable:
            event = None
        return self.handshake(event, request) or super().respond(request)


class HtmlChallenge(Reference):
    """It echoes the challenge as HTML."""

    def handshake(self, event: Any, request: Request) -> Response | None:
        response = super().handshake(event, request)
        return response and replace(response, headers={"Content-Type": "text/html"})


class CountsHandshakes(Reference):
    """It works on handshakes, too."""

    def handshake(self, event: Any, request: Request) -> Response | None:
        response = super().handshake(event, request)
        self.count += response is not None
        return response


class OtherStatusForHandshakes(Reference):
    """It rejects a forged handshake with 400 where the provider demands 401."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(400 if b'"events":[]' in request.body else 401)


class RejectsAll(Reference):
    """Its secret is another one."""

    def key(self) -> bytes:
        return b"another secret"


class Ban(Reference):
    """It bans the sender after one bad request."""

    banned = False

    def respond(self, request: Request) -> Response:
        if self.banned:
            return Response(403)
        response = super().respond(request)
        self.banned = response.status == 401
        return response
