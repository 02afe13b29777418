"""Requests and answers that nobody means, made from a seed: the same number gives the same one everywhere."""

from __future__ import annotations

import gzip
import json
import math
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Any

from hook_widgets.errors import HookWidgetsError
from hook_widgets.webhooks import Headers, KeyPair, Secret, WebhookRequest, provider, providers
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.keys.signing import LocalSigner, SigningJob
from hook_widgets.webhooks.requests.request import Draft, with_texts
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Sender

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
#: texts that have broken parsers: halves of pairs, digits that are none, numbers without end, other alphabets
TEXTS = (
    "",
    " ",
    "\ud800",
    "caf\udce9",
    "\x00",
    "\r\n",
    "\u2028",
    "²",
    "٣٤",
    "१७९०००००००",
    "-0",
    "+1",
    "1e400",
    "NaN",
    "Infinity",
    "1_000",
    "9" * 20,
    "9" * 5000,
    "-" + "9" * 400,
    "1790000000",
    "1790000000000",
    "1790000000.5",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999-14:00",
    "2026-02-30T00:00:00Z",
    "2026-11-22T12:00:00+99:99",
    "Sun, 22 Nov 2026 12:00:00 GMT",
    "Sun, 22 Nov 2026 12:00:00 +99999999999999",
    "Fri, 31 Dec 9999 23:59:59 -1400",
    "Mon, 32 Foo 99999 25:61:61 GMT",
    "%",
    "%zz%00%ff",
    "%ud800",
    "a=b,c=d;e",
    "t=,v1=",
    "v1," * 50,
    "sha256=",
    "Bearer ",
    "Basic Og==",
    "Basic /////w==",
    "e30.e30.",
    "...",
    "eyJhbGciOiJub25lIn0.e30.",
    "=" * 9,
    "A" * 3,
    "A" * 43 + "=",
    "0" * 64,
    "f" * 40,
    "é" * 64,
    "{body}",
    "{timestamp}",
    "\\",
    '"',
    "[::1",
    "ſ",
    "ß" * 40,
    "x" * 3000,
)
BODIES = (
    b"",
    b"{}",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    '{"a":1}'.encode("utf-16"),
    b'{"a":"\\ud800"}',
    b'{"\\ud800":1}',
    b'{"a":1,"a":2}',
    b'{"a":' + b"9" * 5000 + b"}",
    b'{"a":1e999,"b":-1E+999999999}',
    b"[" * 600 + b"]" * 600,
    b"[" * 900 + b"null" + b"]" * 900,
    b'{"a":' * 450 + b"null" + b"}" * 450,
    b'{"b":null,"a":' + b"9" * 5000 + b"}",
    b"{'a': True, 'b': 0x" + b"f" * 5000 + b"}",
    b"{'a': {1, 2}, 'b': (None,)}",
    b"b'\\xff\\q'",
    b"'\\ud800'",
    b'"{\\"a\\": 1}"',
    b'"\\ud800"',
    b"e30=",
    b"{}{}",
    b"[null,-0,1.0,1E5,0.1e-7]",
    b'{"a":"<>&\\/\\u0026\\u003c","b":"caf\xc3\xa9"}',
    '{"a":"é"}'.encode("latin-1"),
    "caf\N{LATIN CAPITAL LETTER A WITH TILDE}\N{COPYRIGHT SIGN}".encode(),
    b'{"a":' * 300 + b"1" + b"}" * 300,
    b'{"a":NaN}',
    b"{'a':1}",
    b'{"a":1}\x00',
    b'{"a":"\n"}',
    b"a=1&a=2&=&%&%zz=%ff",
    b"payload=%7B%22a%22%3A1%7D",
    b"payload=%ff&payload=1",
    b'--x\r\nContent-Disposition: form-data; name="json"\r\n\r\n{}\r\n--x--',
    b"--\n\n",
    b"--x",
    gzip.compress(b'{"a":1}', mtime=0),
    gzip.compress(b'{"a":1}', mtime=0)[:-6],
    b"\x1f\x8b",
    b"<xml/>",
    b"\r\n",
    '{"a":"\N{ROCKET}é"}'.encode(),
)
URLS = (
    "",
    "http://",
    "http://[",
    "http://[::1]junk/",
    "http://a:99999/",
    "http://a:x/",
    "//",
    "?",
    "https://example.com/?a=%ff&a&=&&b=1#f",
    "https://example.com:443/x",
    "https://user@example.com/\ud800",
    "https://ex\u2100mple.com/",
    "https://example.com/é ?\x00",
    "mailto:x",
)


class Fuzz:
    """The choices behind one input.

    Args:
        number: of the input.
        purpose: keeps the inputs of different tests apart.
    """

    def __init__(self, number: int, purpose: str) -> None:
        self.rng = random.Random(f"{purpose} {number}")

    def often(self, share: float) -> bool:
        """Decide with this probability."""
        return self.rng.random() < share

    def text(self, known: str = "") -> str:
        """A text, mostly near one that is right."""
        rng = self.rng
        match rng.randrange(9):
            case 0:
                return rng.choice(TEXTS)
            case 1:
                return "".join(rng.choice(TEXTS) for _ in range(3))
            case 2:
                return known + rng.choice(TEXTS)
            case 3:
                return rng.choice(TEXTS) + known
            case 4:
                place = rng.randrange(len(known) + 1)
                return known[:place] + rng.choice(TEXTS) + known[place + rng.randrange(3) :]
            case 5:
                return known[: rng.randrange(len(known) + 1)]
            case 6:
                return "".join(
                    chr(rng.choice((rng.randrange(128), rng.randrange(0x11000)))) for _ in range(9)
                )
            case 7:
                return known.swapcase()
            case _:
                return known

    def body(self, known: bytes = b"") -> bytes:
        """A body, mostly near one that is right."""
        rng = self.rng
        match rng.randrange(8):
            case 0:
                return rng.choice(BODIES)
            case 1:
                return rng.randbytes(rng.randrange(40))
            case 2:
                place = rng.randrange(len(known) + 1)
                return known[:place] + rng.choice(BODIES)[:60] + known[place:]
            case 3:
                return known[: rng.randrange(len(known) + 1)]
            case 4:
                return json.dumps(self.value(), ensure_ascii=self.often(0.9)).encode("utf-8", "surrogatepass")
            case 5 if known:
                changed = bytearray(known)
                for _ in range(3):
                    changed[rng.randrange(len(changed))] = rng.randrange(256)
                return bytes(changed)
            case _:
                return known

    def value(self, depth: int = 0) -> Any:
        """A JSON value."""
        rng = self.rng
        match rng.randrange(8 if depth < 3 else 6):
            case 0:
                return rng.choice(TEXTS)
            case 1:
                return rng.choice((0, -1, 10**30, 1790000000, True, None))
            case 2:
                return rng.choice((0.5, math.inf, math.nan, 1e308))
            case 3 | 4 | 5:
                return rng.choice(("x", "", "type", "1790000000"))
            case 6:
                return [self.value(depth + 1) for _ in range(rng.randrange(4))]
            case _:
                return {rng.choice(TEXTS): self.value(depth + 1) for _ in range(rng.randrange(4))}

    def headers(self, known: Headers) -> list[tuple[str, str]]:
        """Headers, mostly near those that are right."""
        rng = self.rng
        pairs: list[tuple[str, str]] = []
        for name, value in known.multi_items():
            match rng.randrange(8):
                case 0:
                    continue
                case 1 | 2:
                    pairs.append((name, self.text(value)))
                case 3:
                    pairs += [(name, value), (name.swapcase(), self.text(value))]
                case 4:
                    pairs.append((f"HTTP_{name.upper().replace('-', '_')}", value))
                case _:
                    pairs.append((name, value))
        if self.often(0.2):
            pairs.append(
                (rng.choice(("Authorization", "X-Token", "\ud800", "", "Date")), self.text("Bearer x"))
            )
        return pairs

    def moment(self) -> datetime | None:
        """A receiver's clock."""
        edges = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), NOW.replace(tzinfo=None))
        zone = timezone(timedelta(hours=14))
        return self.rng.choice((None, NOW, NOW, NOW, NOW.astimezone(zone), *edges))

    def tolerance(self) -> float | None:
        """The tolerance of a timestamp."""
        return self.rng.choice((None, None, None, 0, 300, -1, 1e9, 1e300, math.inf, math.nan))

    def key(self, source: Sender) -> Any:
        """A key, mostly of the right kind."""
        rng = self.rng
        if self.often(0.7):
            return right_key(source)
        if self.often(0.3):
            return rng.choice((pair("ed25519"), pair("ecdsa-p256"), pair("ed25519").public_key))
        text = self.text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        try:
            return Secret(text)
        except HookWidgetsError:
            return Secret("s3cret")


@cache
def pair(algorithm: str) -> KeyPair:
    """A key pair; making one takes time."""
    return KeyPair.generate(algorithm)


def right_key(source: Sender) -> Secret | KeyPair:
    """A key of the kind that the provider uses."""
    return pair(source.key.algorithm) if isinstance(source.key, AsymmetricKeySpec) else secret(source.id)


@cache
def secret(name: str) -> Secret | KeyPair:
    """A secret of the provider's form."""
    return provider(name).example_secret()


@cache
def drafts() -> tuple[Draft, ...]:
    """A request of every provider, and one of each of its further schemes."""
    at = NOW - timedelta(seconds=2)
    return tuple(
        source.draft(event=event.name, at=at)
        for source in providers()
        for event in {e.scheme: e for e in source.events}.values()
    )


@cache
def handshakes() -> tuple[Draft, ...]:
    """A request of every handshake."""
    return tuple(source.draft(event=h.name, at=NOW) for source in providers() for h in source.handshakes)


@cache
def requests() -> tuple[WebhookRequest, ...]:
    """The requests, signed with the right keys."""
    return tuple(draft.sign(right_key(draft.provider)) for draft in drafts())


@dataclass
class Answered:
    """An answer of a receiver."""

    status: int | None
    headers: Headers
    body: bytes


def right_answer(draft: Draft) -> Answered:
    """The answer that the draft's handshake wants; an empty one where there is none."""
    handshake = draft.handshake
    if handshake is None:
        return Answered(200, Headers(), b"{}")
    expected, signature = handshake.expected_responses[0], handshake.signature
    texts: dict[str, str] = {}
    if signature is not None:
        job = SigningJob(
            signature.name,
            signature.algorithm,
            draft.provider.key.spec,
            signature.template.pieces(draft.fields),
        )
        (raw,) = LocalSigner(right_key(draft.provider)).sign([job])
        texts[signature.name] = signature.encoding.write(raw)
    fields = with_texts(draft.fields, texts)

    def written(text: str) -> str:
        return Template(text).render(fields).decode()

    body = json.dumps({path: written(text) for path, text in expected.json_members.items()})
    return Answered(
        expected.status or 200,
        Headers({name: written(text) for name, text in expected.headers.items()}),
        (body if expected.text is None else written(expected.text)).encode(),
    )
