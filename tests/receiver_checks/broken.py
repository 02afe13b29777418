"""Broken receivers: the reference with one fault each, and the checks that must report it.

`FAULTS` lists, for each, the provider, the checks that fail, that warn, and that cannot be decided because of
the fault. Every other check must have the status that it has for the reference.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import time
import traceback
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tests.receiver_checks.http_layer import Request, Response
from tests.receiver_checks.reference import Reference, Rejected, Unreadable


class NoVerification(Reference):
    """It does the work of every request."""

    def verify(self, request: Request) -> None:
        pass


class MissingHeaderCrash(Reference):
    """It takes the headers for granted."""

    def header(self, request: Request, name: str) -> str:
        return request.headers[name.lower()]


class NoSignatureAccepted(Reference):
    """It verifies only if there is a signature."""

    def verify(self, request: Request) -> None:
        if "stripe-signature" in request.headers:
            super().verify(request)


class EmptySecret(Reference):
    """It falls back to an empty secret, as an unset variable gives it."""

    def authentic(self, request: Request) -> bool:
        empty = hmac.digest(b"", self.message(request), "sha256")
        return super().authentic(request) or any(self.equal(empty, text) for text in self.candidates(request))


class FallbackSecret(Reference):
    """It has a secret for development in its code."""

    def authentic(self, request: Request) -> bool:
        known = hmac.digest(b"changeme", self.message(request), "sha256")
        return super().authentic(request) or any(self.equal(known, text) for text in self.candidates(request))


class ExampleSecret(Reference):
    """Its code has the secret of GitHub's documentation."""

    def other_secrets(self) -> list[str]:
        return [*super().other_secrets(), "It's a Secret to Everybody"]


class TrailingBytes(Reference):
    """It also accepts the signature of the JSON without what follows it."""

    def authentic(self, request: Request) -> bool:
        end = request.body.rfind(b"}") + 1
        cut = Request(request.method, request.path, request.headers, request.body[:end])
        return super().authentic(request) or super().authentic(cut)

    def parse(self, body: bytes) -> Any:
        return super().parse(body[: body.rfind(b"}") + 1])


class EndsAtNul(Reference):
    """It hands the body to functions that take a NUL for its end."""

    def signed_body(self, request: Request) -> bytes:
        return request.body.partition(b"\0")[0]

    def parse(self, body: bytes) -> Any:
        return super().parse(body.partition(b"\0")[0])


class Reserialized(Reference):
    """It verifies what it parsed."""

    def signed_body(self, request: Request) -> bytes:
        try:
            return json.dumps(json.loads(request.body), separators=(",", ":")).replace("/", "\\/").encode()
        except (ValueError, RecursionError):
            return request.body


class TimestampSearch(Reference):
    """It tries the timestamps of a minute around the one in the header."""

    def authentic(self, request: Request) -> bool:
        try:
            middle = int(self.timestamp(request) or "")
        except ValueError:
            return super().authentic(request)
        name = "x-slack-request-timestamp"
        return any(
            super(TimestampSearch, self).authentic(
                Request(request.method, request.path, request.headers | {name: str(at)}, request.body)
            )
            for at in range(middle - 60, middle + 61)
        )


class SignatureCache(Reference):
    """It remembers signatures that were right once."""

    def __init__(self, provider: str, secret: str) -> None:
        super().__init__(provider, secret)
        self.known: set[str] = set()

    def authentic(self, request: Request) -> bool:
        texts = self.candidates(request)
        if any(text in self.known for text in texts):
            return True
        genuine = super().authentic(request)
        self.known.update(texts if genuine else ())
        return genuine


class EmptyHeaderAccepted(Reference):
    """It wants the header, and verifies what is in it, if anything is."""

    def verify(self, request: Request) -> None:
        if self.header(request, "X-Slack-Signature"):
            super().verify(request)


class ShortHeaderCrash(Reference):
    """It has room for headers of 8 KiB."""

    def verify(self, request: Request) -> None:
        if any(len(value) > 8192 for value in request.headers.values()):
            raise RuntimeError("buffer overflow")
        super().verify(request)


class TruncatedComparison(Reference):
    """It compares as many bytes as the request has (svix before 1.17)."""

    def equal(self, expected: bytes, text: str) -> bool:
        whole = len(text) % 2 == 0  # half a byte is none; it would agree with one secret in 16 by chance
        return whole and all(a == b for a, b in zip(expected.hex(), text, strict=False))


class LengthCrash(Reference):
    """Its comparison raises an exception for another length, as Node's timingSafeEqual does."""

    def equal(self, expected: bytes, text: str) -> bool:
        if len(text) != 2 * len(expected):
            raise RuntimeError("ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH")
        return super().equal(expected, text)


class DecodingCrash(Reference):
    """It decodes hex without an error handler."""

    def decode(self, text: str) -> bytes:
        return bytes.fromhex(text)


class TextComparison(Reference):
    """It compares texts, for which Python's compare_digest wants ASCII."""

    def equal(self, expected: bytes, text: str) -> bool:
        return hmac.compare_digest(expected.hex(), text.lower())


class Sha1(Reference):
    """It takes the older header where the new one is missing."""

    def authentic(self, request: Request) -> bool:
        if "x-hub-signature-256" in request.headers or "x-hub-signature" not in request.headers:
            return super().authentic(request)
        expected = hmac.digest(self.key(), request.body, "sha1").hex()
        return hmac.compare_digest(request.headers["x-hub-signature"], f"sha1={expected}")


class OlderHeader(Reference):
    """It verifies the older header alone."""

    def candidates(self, request: Request) -> list[str]:
        return [self.header(request, "X-Hub-Signature").removeprefix("sha1=")]

    def authentic(self, request: Request) -> bool:
        keys = [self.key(), *map(self.key_of, self.other_secrets())]
        expected = [hmac.digest(key, request.body, "sha1") for key in keys]
        return any(self.equal(each, text) for each in expected for text in self.candidates(request))


class AnyDigest(Reference):
    """The sender's digest decides about the algorithm."""

    def authentic(self, request: Request) -> bool:
        keys = (self.key(), *map(self.key_of, self.other_secrets()))
        expected = [
            hmac.digest(key, self.message(request), name) for key in keys for name in ("sha256", "sha1")
        ]
        return any(hmac.compare_digest(e, self.decode(t)) for e in expected for t in self.candidates(request))


class Md5(Reference):
    """The label of the signature chooses the hash, also one that GitHub never used."""

    def authentic(self, request: Request) -> bool:
        name, _, value = self.header(request, "X-Hub-Signature-256").partition("=")
        keys = (self.key(), *map(self.key_of, self.other_secrets()))
        expected = [hmac.digest(key, request.body, name) for key in keys if name in ("sha256", "md5")]
        return any(self.equal(each, value) for each in expected)


class VersionZero(Reference):
    """It still knows the version before, which signed with SHA-1."""

    def authentic(self, request: Request) -> bool:
        parts = [part.partition("=") for part in self.header(request, "Stripe-Signature").split(",")]
        older = hmac.digest(self.key(), self.message(request), "sha1")
        return super().authentic(request) or any(self.equal(older, v) for n, _, v in parts if n == "v0")


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


class JsonVerified(Reference):
    """Its framework keeps the raw body of JSON alone, and nothing else is verified."""

    def verify(self, request: Request) -> None:
        if "json" in request.headers.get("content-type", ""):
            super().verify(request)


class TrustedAddress(Reference):
    """It trusts its own machine, and the header that says so."""

    def verify(self, request: Request) -> None:
        if request.headers.get("x-forwarded-for") != "127.0.0.1":
            super().verify(request)


class InvalidBytesDropped(Reference):
    """It reads the body as text and leaves out what is no UTF-8."""

    def signed_body(self, request: Request) -> bytes:
        return request.body.decode("utf-8", "ignore").encode()

    def parse(self, body: bytes) -> Any:
        return super().parse(body.decode("utf-8", "ignore").encode())


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


class FailOpen(Reference):
    """It verifies only if it has a secret."""

    def verify(self, request: Request) -> None:
        if self.secret:
            super().verify(request)


class TwoSecrets(Reference):
    """It also accepts the secret of another endpoint."""

    def authentic(self, request: Request) -> bool:
        other = hmac.digest(self.other_secret.encode(), self.message(request), "sha256")
        return super().authentic(request) or any(self.equal(other, text) for text in self.candidates(request))


class TwoTimestamps(Reference):
    """It verifies the first timestamp, and looks at the age of the last one."""

    def times(self, request: Request) -> list[str]:
        parts = [part.partition("=") for part in self.header(request, "Stripe-Signature").split(",")]
        return [value for name, _, value in parts if name == "t"]

    def message(self, request: Request) -> bytes:
        return "".join(self.times(request)[:1]).encode() + b"." + request.body

    def timestamp(self, request: Request) -> str:
        return "".join(self.times(request)[-1:])


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


@dataclass(frozen=True)
class Fault:
    """A broken receiver and what a report of it must say."""

    receiver: type[Reference]
    provider: str
    failed: str = ""
    warned: str = ""
    not_decided: str = ""


FAULTS = (
    Fault(
        NoVerification,
        "stripe",
        "B1 B3 B4 B5 B6 B7 B8 B9 B11 B12 B13 B14 B15 B16 C1 C3 E4 F2",
        "C2",
        "C4 G6",
    ),
    Fault(
        NoVerification,
        "svix",
        "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B14 B15 B16 C1 C3 E4 E5 F2",
        "C2",
        "C4 G6",
    ),
    Fault(NoSignatureAccepted, "stripe", "B1 B6", "G4", "G6"),
    Fault(MissingHeaderCrash, "stripe", "B2", "B1 G4"),
    Fault(TextComparison, "stripe", "B13"),
    Fault(EmptySecret, "svix", "B4"),
    Fault(FallbackSecret, "stripe", "B5"),
    Fault(ExampleSecret, "github", "B5"),
    Fault(TrailingBytes, "stripe", "B7"),
    Fault(EndsAtNul, "slack", "B7"),
    Fault(Reserialized, "slack", "A5 A6 A7 B8"),
    Fault(TimestampSearch, "slack", "B9"),
    Fault(TruncatedComparison, "stripe", "B11"),
    Fault(EmptyHeaderAccepted, "slack", "B11"),
    Fault(ShortHeaderCrash, "slack", "B12"),
    Fault(LengthCrash, "slack", "B11 B12", "B14"),
    Fault(DecodingCrash, "stripe", "B12 B13", "G4"),
    Fault(Sha1, "github", "", "B14"),
    Fault(OlderHeader, "github", "", "B14"),
    Fault(AnyDigest, "stripe", "B14"),
    Fault(Md5, "github", "B14"),
    Fault(VersionZero, "stripe", "B14"),
    Fault(SignatureCache, "stripe", "B16"),
    Fault(NoTolerance, "stripe", "C1 C3", "C2 G4", "C4 G6"),
    Fault(PastOnly, "stripe", "", "C2"),
    Fault(NotANumber, "stripe", "", "C3"),
    Fault(TimestampCrash, "stripe", "C3"),
    Fault(AnyUnit, "stripe", "C3"),
    Fault(AnyDate, "stripe", "C3"),
    Fault(PlusCrash, "slack", "C3"),
    Fault(LittleTolerance, "slack", "A10"),
    Fault(NeverTheSame, "stripe", "C5 C9 C10"),
    Fault(UnsignedId, "shopify", "C7 C8"),
    Fault(RequiredUnsignedId, "shopify", "C7"),
    Fault(LastEventOnly, "stripe", "C5"),
    Fault(StoredFirst, "stripe", "D3"),
    Fault(StaleEvent, "stripe", "D3"),
    Fault(TimeNeverNeeded, "stripe", "B9"),
    Fault(HeaderNeverNeeded, "slack", "B9"),
    Fault(JsonVerified, "stripe", "B3"),
    Fault(TrustedAddress, "stripe", "B1"),
    Fault(InvalidBytesDropped, "stripe", "B8"),
    Fault(BySignature, "stripe", "C9 C10"),
    Fault(ByHeader, "stripe", "C9 C10"),
    Fault(RetryWorksAgain, "slack", "C10"),
    Fault(ByTypeAndSecond, "stripe", "C13"),
    Fault(ByObject, "stripe", "", "C13"),
    Fault(ByOrder, "shopify", "", "C13"),
    Fault(UnknownEvent, "stripe", "D6"),
    Fault(StrictFields, "stripe", "D8", "", "A4 A5 A6 A7"),
    Fault(ClosedEnum, "stripe", "D8"),
    Fault(NullCrash, "stripe", "D8"),
    Fault(FirstSignature, "svix", "E1"),
    Fault(LastSignature, "svix", "E2"),
    Fault(ManySignatures, "svix", "E5"),
    Fault(CaseSensitive, "slack", "F1"),
    Fault(ExactContentType, "slack", "F4"),
    Fault(AsciiBody, "slack", "A5"),
    Fault(LargeOnly, "github", "A4"),
    Fault(IntegerKeysFirst, "slack", "A7"),
    Fault(SmallLimit, "slack", "", "A4"),
    Fault(MiddleLimit, "github", "", "A4"),
    Fault(EmptyBodyCrash, "slack", "F10"),
    Fault(Utf8Crash, "slack", "F11"),
    Fault(NestingCrash, "slack", "F12"),
    Fault(SlashRedirect, "slack", "", "F16"),
    Fault(RobotFilter, "slack", "F17"),
    Fault(ExpectedInResponse, "slack", "G1"),
    Fault(SecretInResponse, "stripe", "G2"),
    Fault(VariableInResponse, "slack", "G2"),
    Fault(Traceback, "slack", "G3", "G4"),
    Fault(Explaining, "slack", "", "G4"),
    Fault(Gone, "slack", "G6"),
    Fault(
        VerifiesLater,
        "svix",
        "B6 E5 G6",
        "B1 B3 B4 B5 B7 B8 B9 B10 B11 B12 B13 B14 B15 B16 C1 C2 C3 E4 F2",
        "C4",
    ),
    Fault(BadRequest, "xero", "G5 H4"),
    Fault(Reflecting, "slack", "G7"),
    Fault(ReflectingType, "slack", "G7"),
    Fault(WorksFirst, "slack", "B1 B3"),
    Fault(Talkative, "xero", "A3"),
    Fault(FailOpen, "stripe", "B6"),
    Fault(TwoSecrets, "stripe", "B15"),
    Fault(TwoTimestamps, "stripe", "C4"),
    Fault(ShortMemory, "github", "C6"),
    Fault(UniqueIdCrash, "svix", "C11"),
    Fault(FreshToken, "slack", "C12"),
    Fault(DoneBeforeWork, "stripe", "D2"),
    Fault(DropsRetries, "slack", "D3"),
    Fault(CreationOverwrites, "stripe", "D4"),
    Fault(LastChangeWins, "stripe", "D5"),
    Fault(UnknownAccount, "slack", "D7"),
    Fault(BothModes, "stripe", "", "D9"),
    Fault(OneName, "svix", "E6"),
    Fault(SignedPayload, "github", "F6"),
    Fault(JsonOnly, "github", "", "F6"),
    Fault(NoHandshake, "slack", "H1", "", "H2 H3 H7"),
    Fault(ChallengeFirst, "slack", "H2"),
    Fault(HtmlChallenge, "slack", "H3"),
    Fault(CountsHandshakes, "slack", "H7"),
    Fault(OtherStatusForHandshakes, "xero", "H4"),
)
