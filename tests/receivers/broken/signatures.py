"""Receivers that accept forgeries, or fail at signatures that are wrong."""

from __future__ import annotations

import hmac
import json
from typing import Any

from tests.receiver_checks.http_layer import Request
from tests.receiver_checks.reference import Reference


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
