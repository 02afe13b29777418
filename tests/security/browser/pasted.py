"""Requests as they are pasted into Verify, which have the secret in the forms that real ones have it in."""

from __future__ import annotations

import base64
import json
import random
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

WORD = "canary4f8a2c71d9e3b650KfQ"
ADDRESS = "https://hooks.example.com/in"


@dataclass(frozen=True)
class Pasted:
    """A request.

    Attributes:
        provider: whose it is; empty where that is to be recognised.
        secret: what the tab holds, as it was typed.
        carried: the form in which the request has it.
        headers: one on each line.
        url: where it was sent to.
        body: as text.
        file: the body as a file, in the place of the text.
        method: of the request.
        public_key: what was pasted into that field.
    """

    provider: str
    secret: str
    carried: str
    headers: str = "Content-Type: application/json"
    url: str = ""
    body: str = "{}"
    file: bytes = b""
    method: str = "POST"
    public_key: str = ""


def _basic(credential: str) -> str:
    return base64.b64encode(credential.encode()).decode()


def _passcode(written: str) -> str:
    return f'{{"passcode":"{written}","event_type":"FILE_UPDATE","timestamp":"2026-09-14T10:00:00Z"}}'


def _slashed() -> Pasted:
    secret = "canary/4f8a2c71d9e3/b650KfQx7"
    written = secret.replace("/", r"\/")
    return Pasted("figma", secret, written, body=_passcode(written))


def _escaped() -> Pasted:
    secret = "ä-canary4f8a2c71d9e3b650"
    written = json.dumps(secret)[1:-1]
    return Pasted("figma", secret, written, body=_passcode(written))


def _in_url(written: str, secret: str) -> Pasted:
    return Pasted("gitlab-token", secret, written, url=f"{ADDRESS}?token={written}&a=1")


def _in_form() -> Pasted:
    secret = "a+canary/4f8a2c71 d9e3b650=="
    written = quote_plus(secret)
    headers = "Content-Type: application/x-www-form-urlencoded"
    return Pasted("gitlab-token", secret, written, headers, body=f"a=1&token={written}")


def _in_header(written: str, secret: str) -> Pasted:
    return Pasted("gitlab-token", secret, written, f"X-Forwarded-Token: {written}\nContent-Type: text/plain")


def _basic_header(provider: str, secret: str, credential: str) -> Pasted:
    written = _basic(credential)
    return Pasted(provider, secret, written, f"Authorization: Basic {written}")


def _lines(written: bytes) -> bytes:
    return b'{"token":"' + written + b'"}'


PERCENT = "a+canary/4f8a2c71?d9e3b650=="
URL_SAFE = "?>~canary4f8a2c71d9e3b650?>~"


def _in_command(command: str) -> Pasted:
    """A command, pasted into the field of the headers."""
    return Pasted("gitlab-token", WORD, WORD, command)


#: by what the form is
FORMS = {
    "plain in a header": _in_header(WORD, WORD),
    "json with escaped slashes": _slashed(),
    "json with escaped umlauts": _escaped(),
    "percent in the address": _in_url(quote(PERCENT, safe=""), PERCENT),
    "percent in lower case in the address": _in_url(quote(PERCENT, safe="").lower(), PERCENT.lower()),
    "percent in a form body": _in_form(),
    "base64 with a blank at the end": _basic_header("postmark", f"postmark:{WORD} ", f"postmark:{WORD} "),
    "base64 of a user and the secret": _basic_header("gitlab-token", WORD, f"hook:{WORD}"),
    "base64url without padding": _in_header(
        base64.urlsafe_b64encode(URL_SAFE.encode()).decode().rstrip("="), URL_SAFE
    ),
    "hex": _in_header(WORD.encode().hex(), WORD),
    "lower case": _in_header(WORD.lower(), WORD),
    "beside a byte that is no utf-8": Pasted(
        "gitlab-token", WORD, WORD, file=_lines(WORD.encode()) + b'\n{"name":"Z\xfcrich"}'
    ),
    "utf-16": Pasted("gitlab-token", WORD, WORD, file=_lines(WORD.encode()).decode().encode("utf-16")),
    "in the method": Pasted("gitlab-token", WORD, WORD, method=WORD),
    "in the public key": Pasted("", WORD, WORD, public_key=WORD),
}


#: commands with the secret, by their program and option
COMMANDS = {
    "PowerShell, a table": _in_command(
        f"""irm {ADDRESS} -Method Post -Headers @{{Authorization="Bearer {WORD}"}} -Body '{{}}'"""
    ),
    "HTTPie, --auth": _in_command(f"http POST {ADDRESS} --auth ann:{WORD} a=b"),
}


def _percent(text: str, rng: random.Random) -> str:
    """Percent-encode what has to be, and some other characters."""
    return "".join(quote(c, safe="") if rng.random() < 0.7 else _each_byte(c, "%{:02x}") for c in text)


def _each_byte(text: str, form: str) -> str:
    return "".join(form.format(byte) for byte in text.encode())


def _base64(text: str, rng: random.Random) -> str:
    encode = rng.choice((base64.b64encode, base64.urlsafe_b64encode))
    written = encode(("x" * rng.randrange(4) + text).encode()).decode()
    return rng.choice((written, written.rstrip("=")))


#: encodings of text, which may be put into one another
ENCODERS = (
    _percent,
    lambda text, rng: quote_plus(text),
    _base64,
    lambda text, rng: json.dumps(text)[1:-1].replace("/", rng.choice(("/", r"\/"))),
    lambda text, rng: "".join(f"\\u{ord(c):04x}" for c in text),
    lambda text, rng: rng.choice((text.encode().hex(), text.encode().hex().upper())),
)


def generated(secret: str, count: int, seed: int) -> list[str]:
    """Make forms of a secret by one or two encodings each, the same in every run of one seed."""
    rng = random.Random(seed)
    forms = []
    for _ in range(count):
        # Only the secret itself is the same in another case.
        written = rng.choice((secret, secret, secret.lower(), secret.upper()))
        for _ in range(rng.randrange(1, 3)):
            written = rng.choice(ENCODERS)(written, rng)
        forms.append(written)
    return forms
