"""Guess which other body was signed in place of a form, or of JSON that came from a form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import quote

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.diagnosis.causes import CauseRef

BodyGuess = tuple[tuple[CauseRef, ...], bytes]
"""Causes, and the body that they lead to."""

_MAX_FORM = 1 << 20  # characters; a longer JSON body did not come from a form

_MAX_WRAPPED = 8  # values of a form that may be the signed body


def one(cause: str, body: bytes, detail: str = "") -> BodyGuess:
    """Return a guess with one cause."""
    return (CauseRef(cause, detail),), body


def as_form(text: str) -> Iterator[BodyGuess]:
    """Yield the forms that a JSON body may have been parsed from."""
    yield one("body-form-field", forms.encode_form([("payload", text)]), "payload")
    yield one("body-form-field", b"payload=" + quote(text, safe="").encode(), "payload")
    if not text.startswith("{") or len(text) > _MAX_FORM:
        return
    values = json.loads(text, parse_int=float)  # an integer may have too many digits for Python
    if values and all(isinstance(value, str) and is_text(name + value) for name, value in values.items()):
        form = forms.encode_form(values.items())
        yield one("body-form-parsed", form)
        yield one("body-form-parsed", form.replace(b"+", b"%20"))


def forms_of(body: bytes) -> Iterator[BodyGuess]:
    """Yield other encodings of a form."""
    if b"=" not in body:
        return
    yield one("body-form-plus", body.replace(b"%20", b"+"))
    yield one("body-form-percent-20", body.replace(b"+", b"%20"))
    yield one("body-form-digits", _percent_cased(body, upper=False))
    yield one("body-form-digits", _percent_cased(body, upper=True))
    try:
        params = forms.parse_form(body)
    except UnreadableMessage:
        return
    yield one("body-form-decoded", "&".join(f"{name}={value}" for name, value in params).encode())
    encoded = forms.encode_form(params)
    yield one("body-form-encoded", encoded)
    yield one("body-form-encoded", encoded.replace(b"+", b"%20"))
    yield one("body-form-encoded", forms.encode_form(_split_raw(body)))
    yield one("body-form-sorted", forms.encode_form(sorted(params)))
    wrapped = {value: name for name, value in params if value[:1] in ("{", "[")}
    for value, name in islice(wrapped.items(), _MAX_WRAPPED):
        yield one("body-form-value", value.encode(), name)
    yield one("body-form-json", json.dumps(dict(params), separators=(",", ":"), ensure_ascii=False).encode())


def _split_raw(body: bytes) -> list[tuple[str, str]]:
    """Return names and values of a form that was already decoded, in which nothing is an escape."""
    text = body.decode(errors="replace")
    pairs = (part.partition("=") for part in text.split("&"))
    return [(name, value) for name, _, value in pairs]


def _percent_cased(body: bytes, *, upper: bool) -> bytes:
    change = bytes.upper if upper else bytes.lower
    return re.sub(rb"%[0-9A-Fa-f]{2}", lambda m: change(m[0]), body)
