"""Broken receivers whose faults show on the connection, under load, in time, or in a rotation.

Those of `LOAD_FAULTS` are tried with the checks of load and time, which the others are not.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.receiver_checks.http_layer import Body, Request, Response
from tests.receiver_checks.reference import Reference
from tests.receivers.broken.faults import Fault


class ClosesSilently(Reference):
    """It closes each connection without saying so."""

    closes_silently = True


class WorksOnHalf(Reference):
    """It works on what it got when the sender hangs up."""

    def broken_off(self) -> None:
        self.count += 1


class NewSecretOnly(Reference):
    """It knows one secret."""

    def other_secrets(self) -> list[str]:
        return []


class KeepsRetired(Reference):
    """It never removes a secret."""

    def other_secrets(self) -> list[str]:
        return [*super().other_secrets(), self.retired]


class ListCrash(Reference):
    """It gets a list where a header comes twice."""

    def verify(self, request: Request) -> None:
        names = [name.lower() for name in request.raw_names]
        if names.count("x-slack-signature") > 1:
            raise TypeError
        super().verify(request)


class ListAccepted(Reference):
    """It goes around the verification where a header comes twice."""

    def verify(self, request: Request) -> None:
        names = [name.lower() for name in request.raw_names]
        if names.count("x-slack-signature") < 2:
            super().verify(request)


class SpacesKept(Reference):
    """It takes the spaces around a value for a part of it."""

    def value(self, text: str) -> str:
        return text

    def decode(self, text: str) -> bytes:
        return b"" if text != text.strip() else super().decode(text)


class LengthOnly(Reference):
    """It reads as many bytes as Content-Length says."""

    def read(self, body: Body) -> bytes:
        return body.exactly(body.length, self.limit_bytes)


class GzipCrash(Reference):
    """It decodes a body as text before the verification."""

    def verify(self, request: Request) -> None:
        if request.headers.get("content-encoding") == "gzip":
            request.body.decode()
        super().verify(request)


class NoContinue(Reference):
    """It never asks for a body that is held back."""

    def expect(self, handler: BaseHTTPRequestHandler) -> bool:
        return True


class NewVersionOnly(Reference):
    """It does not speak HTTP/1.0."""

    def respond(self, request: Request) -> Response:
        return Response(426) if request.version == "HTTP/1.0" else super().respond(request)


class WorksOnGet(Reference):
    """It does not look at the method."""

    def respond(self, request: Request) -> Response:
        if request.method == "GET":
            self.count += 1
            return Response(204)
        return super().respond(request)


class HeadCrash(Reference):
    """It crashes at HEAD."""

    def respond(self, request: Request) -> Response:
        return Response(500) if request.method == "HEAD" else super().respond(request)


class LooksThenStores(Reference):
    """It stores an event some time after it looked for a copy."""

    def __init__(self, provider: str, secret: str) -> None:
        super().__init__(provider, secret)
        self.looks: list[object] = []
        self.second_look = threading.Event()

    def handle(self, event: Any, request: Request) -> Response:
        identity = self.identity(request)
        if identity not in self.done:
            self.looks.append(identity)
            if self.looks.count(identity) > 1:
                self.second_look.set()
            self.second_look.wait(5.0 if len(self.connections) > 1 else 0.03)  # as for a database
            self.done.add(identity)
            with self.lock:
                self.count += 1
        return Response(204)


class Overrun(Reference):
    """It fails in a burst, without a word about when to come again."""

    def handle(self, event: Any, request: Request) -> Response:
        busy = 60 <= len(self.connections) < 80
        return Response(503) if busy else super().handle(event, request)


class BansAfterMany(Reference):
    """It bans a sender after thirty rejections."""

    rejections = 0

    def reject(self, reason: str, request: Request) -> Response:
        self.rejections += 1
        return super().reject(reason, request)

    def handle(self, event: Any, request: Request) -> Response:
        banned, self.rejections = self.rejections >= 30, 0
        return Response(403) if banned else super().handle(event, request)


class ReadsAll(Reference):
    """It has no limit for the size of a body."""

    limit_bytes = 1_000_000_000


class WaitsForever(Reference):
    """It has no limit for the time of a request."""

    min_piece_bytes = 0


class OneAtATime(Reference):
    """It reads one request after another, however slow the sender is."""

    min_piece_bytes = 0
    sender_timeout_s = 3.0

    def read(self, body: Body) -> bytes:
        with self.reading:
            return super().read(body)

    reading = threading.Lock()


class EarlyExit(Reference):
    """Its comparison ends at the first difference; each equal digit costs time."""

    def equal(self, expected: bytes, text: str) -> bool:
        digits = expected.hex()
        equal = next((i for i, (a, b) in enumerate(zip(digits, text, strict=False)) if a != b), len(digits))
        type(self).busy_s += equal * 3e-5
        return super().equal(expected, text)


WIRE_FAULTS = (
    Fault(ClosesSilently, "slack", "", "A9"),
    Fault(WorksOnHalf, "stripe", "D11"),
    Fault(NewSecretOnly, "stripe", "E3"),
    Fault(KeepsRetired, "stripe", "E4"),
    Fault(ListCrash, "slack", "F2"),
    Fault(ListAccepted, "slack", "F2"),
    Fault(SpacesKept, "slack", "", "F3"),
    Fault(LengthOnly, "slack", "F7"),
    Fault(GzipCrash, "slack", "F8"),
    Fault(NoContinue, "slack", "", "F9"),
    Fault(NewVersionOnly, "slack", "", "F17"),
    Fault(WorksOnGet, "slack", "F15"),
    Fault(HeadCrash, "slack", "F15"),
)

LOAD_FAULTS = (
    Fault(LooksThenStores, "stripe", "D1"),
    Fault(Overrun, "stripe", "D10"),
    Fault(BansAfterMany, "stripe", "", "D12"),
    Fault(ReadsAll, "stripe", "", "F13"),
    Fault(WaitsForever, "stripe", "", "F14"),
    Fault(OneAtATime, "stripe", "F14"),
    Fault(EarlyExit, "stripe", "", "G8"),
)
