"""What may have been signed in place of a form, or in place of JSON that was one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.text import forms

BodyGuess = tuple[tuple[Mention, ...], bytes]
"""Causes, and the body that was signed if they are what happened."""

_LONG = 1 << 20  # bytes; a longer JSON body was no form


def one(cause: str, body: bytes, detail: str = "") -> BodyGuess:
    """A guess with one cause."""
    return (Mention(cause, detail),), body


def as_form(text: str) -> Iterator[BodyGuess]:
    """The form that a JSON body may have been made from."""
    yield one("body-form-field", forms.encode_form([("payload", text)]), "payload")
    yield one("body-form-field", b"payload=" + quote(text, safe="").encode(), "payload")
    if not text.startswith("{") or len(text) > _LONG:
        return
    values = json.loads(text)
    if values and all(isinstance(value, str) for value in values.values()):
        form = forms.encode_form(values.items())
        yield one("body-form-parsed", form)
        yield one("body-form-parsed", form.replace(b"+", b"%20"))


def forms_of(body: bytes) -> Iterator[BodyGuess]:
    """Other writings of a form."""
    if b"=" not in body:
        return
    yield one("body-form-plus", body.replace(b"%20", b"+"))
    yield one("body-form-percent-20", body.replace(b"+", b"%20"))
    yield one("body-form-digits", _percent_cased(body, upper=False))
    yield one("body-form-digits", _percent_cased(body, upper=True))
    try:
        params = forms.parse_form(body)
    except InvalidRequest:
        return
    yield one("body-form-decoded", "&".join(f"{name}={value}" for name, value in params).encode())
    encoded = forms.encode_form(params)
    yield one("body-form-encoded", encoded)
    yield one("body-form-encoded", encoded.replace(b"+", b"%20"))
    yield one("body-form-encoded", forms.encode_form(_split_raw(body)))
    yield one("body-form-sorted", forms.encode_form(sorted(params)))
    for name, value in params:
        if value[:1] in ("{", "["):
            yield one("body-form-value", value.encode(), name)
    yield one("body-form-json", json.dumps(dict(params), separators=(",", ":"), ensure_ascii=False).encode())


def _split_raw(body: bytes) -> list[tuple[str, str]]:
    """Names and values of a form that was already decoded: nothing in it is an escape."""
    text = body.decode(errors="replace")
    pairs = (part.partition("=") for part in text.split("&"))
    return [(name, value) for name, _, value in pairs]


def _percent_cased(body: bytes, *, upper: bool) -> bytes:
    change = bytes.upper if upper else bytes.lower
    return re.sub(rb"%[0-9A-Fa-f]{2}", lambda m: change(m[0]), body)
