"""Receivers that take old requests, do work twice or lose it."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.receiver_checks.http_layer import Request, Response
from tests.receiver_checks.reference import Reference


class NoTolerance(Reference):
    """It does not look at the time."""

    def fresh(self, text: str) -> bool:
        return True


class PastOnly(Reference):
    """It accepts every time in the future, as some libraries do."""

    def fresh(self, text: str) -> bool:
        return text.isascii() and text.isdigit() and len(text) < 13 and time.time() - int(text) <= 300


class NotANumber(Reference):
    """It compares with what may be NaN."""

    def fresh(self, text: str) -> bool:
        try:
            return not abs(time.time() - float(text)) > 300
        except ValueError:
            return False


class TimestampCrash(Reference):
    """It converts the timestamp without an error handler."""

    def fresh(self, text: str) -> bool:
        return abs(time.time() - int(text)) <= 300


class AnyUnit(Reference):
    """It guesses the unit of the timestamp from its size."""

    def fresh(self, text: str) -> bool:
        return super().fresh(text[:-3] if text.isdigit() and len(text) == 13 else text)


class AnyDate(Reference):
    """It also reads the text of a date."""

    def fresh(self, text: str) -> bool:
        try:
            return abs(time.time() - datetime.fromisoformat(text).timestamp()) <= 300
        except ValueError:
            return super().fresh(text)


class PlusCrash(Reference):
    """It takes a plus for the end of a form field."""

    def fresh(self, text: str) -> bool:
        if text.startswith("+"):
            raise RuntimeError("no digits before +")
        return super().fresh(text)


class LittleTolerance(Reference):
    """Its tolerance is a fifth of the provider's."""

    def fresh(self, text: str) -> bool:
        return super().fresh(text) and abs(time.time() - int(text)) <= 60


class NeverTheSame(Reference):
    """It does the work of every copy."""

    def identity(self, request: Request) -> object:
        return object()


class UnsignedId(Reference):
    """It recognizes copies by an id that no signature covers, and works without one, too."""

    def identity(self, request: Request) -> object:
        return request.headers.get("x-shopify-webhook-id", object())


class RequiredUnsignedId(Reference):
    """It recognizes copies by an id that no signature covers, and needs one."""

    def identity(self, request: Request) -> object:
        return request.headers["x-shopify-webhook-id"]

    def verify(self, request: Request) -> None:
        super().verify(request)
        self.header(request, "X-Shopify-Webhook-Id")


class ByTypeAndSecond(Reference):
    """It recognizes a copy by the type and the second of the event, and by the customer."""

    def identity(self, request: Request) -> object:
        event = json.loads(request.body)
        customer = event.get("data", {}).get("object", {}).get("receipt_email", request.body)
        return event.get("type"), event.get("created"), customer


class ByObject(Reference):
    """It recognizes a copy by the id of the object."""

    def identity(self, request: Request) -> object:
        return json.loads(request.body).get("data", {}).get("object", {}).get("id", request.body)


class ByOrder(Reference):
    """It recognizes a copy by the id of the order."""

    def identity(self, request: Request) -> object:
        return json.loads(request.body).get("id", request.body)


class LastEventOnly(Reference):
    """It remembers the last event alone."""

    def identity(self, request: Request) -> object:
        identity = super().identity(request)
        self.done &= {identity}
        return identity


class StoredFirst(Reference):
    """It stores an event before it verifies the request, and takes the retry of a rejected one for a copy."""

    def respond(self, request: Request) -> Response:
        response = super().respond(request)
        if response.status == 401:
            self.done.add(self.identity(request))
        return response


class StaleEvent(Reference):
    """It rejects an event that happened more than five minutes ago."""

    def handle(self, event: Any, request: Request) -> Response:
        created = event.get("created") if isinstance(event, dict) else None
        if isinstance(created, int) and abs(time.time() - created) > 300:
            return Response(400)
        return super().handle(event, request)


class TimeNeverNeeded(Reference):
    """It verifies a request that says when it was sent."""

    def verify(self, request: Request) -> None:
        if not request.headers.get("stripe-signature", "").startswith("v1="):
            super().verify(request)


class HeaderNeverNeeded(Reference):
    """It verifies a request that has the header of the time."""

    def verify(self, request: Request) -> None:
        if "x-slack-request-timestamp" in request.headers or "x-slack-signature" not in request.headers:
            super().verify(request)


class BySignature(Reference):
    """It recognizes copies by the text of the signature."""

    def identity(self, request: Request) -> object:
        return request.headers["stripe-signature"]


class ByHeader(Reference):
    """It recognizes copies by the header of the signature, without regard to case."""

    def identity(self, request: Request) -> object:
        return request.headers["stripe-signature"].lower()


class RetryWorksAgain(Reference):
    """It takes a retry for a request that was lost."""

    def identity(self, request: Request) -> object:
        return object() if "x-slack-retry-num" in request.headers else super().identity(request)


class ShortMemory(Reference):
    """It remembers an event for a day."""

    def identity(self, request: Request) -> object:
        return super().identity(request), self.advanced_s // 86_400


class UniqueIdCrash(Reference):
    """Its table has a unique id, and it does not expect another body under it."""

    def handle(self, event: Any, request: Request) -> Response:
        identity, body = self.identity(request), hash(request.body)
        if (identity, "body") in self.done and (identity, body) not in self.done:
            raise RuntimeError("unique constraint")
        self.done |= {(identity, "body"), (identity, body)}
        return super().handle(event, request)


class FreshToken(Reference):
    """It mints a token for each request, copies too."""

    def handle(self, event: Any, request: Request) -> Response:
        token = json.dumps({"stream_token": secrets.token_hex(16)})
        return replace(super().handle(event, request), status=200, body=token.encode())


class DoneBeforeWork(Reference):
    """It marks an event as done, and then works."""

    def handle(self, event: Any, request: Request) -> Response:
        if self.failing:
            self.done.add(self.identity(request))
        return super().handle(event, request) if self.identity(request) not in self.done else self.copy()

    def copy(self) -> Response:
        if self.failing:
            self.failing = False
            raise RuntimeError("the database is gone")
        return Response(204)


class DropsRetries(Reference):
    """It takes each retry for a copy."""

    def handle(self, event: Any, request: Request) -> Response:
        is_retry = "x-slack-retry-num" in request.headers
        return Response(200) if is_retry else super().handle(event, request)


class CreationOverwrites(Reference):
    """A creation replaces what is there."""

    def keep(self, item: str, version: int) -> None:
        if version == 1:
            self.versions[item] = version
        super().keep(item, version)


class LastChangeWins(Reference):
    """A change replaces what is there, however old it is."""

    def keep(self, item: str, version: int) -> None:
        if version > 1:
            self.versions[item] = version
        else:
            self.versions.setdefault(item, version)
