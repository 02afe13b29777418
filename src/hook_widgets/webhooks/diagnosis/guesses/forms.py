"""Guess which other body was signed in place of a form, or of JSON that came from a form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, permutations
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.diagnosis.causes import CauseRef, one

BodyGuess = tuple[tuple[CauseRef, ...], bytes]
"""Causes, and the body that they lead to."""

_MAX_FORM = 1 << 20  # characters; a longer JSON body did not come from a form

_MAX_PARAMS = 64  # parameters of a form that are changed one by one
# Parameters that frameworks add: the route of Rails, its form helpers, and others' overrides of the method.
_ADDED = ("controller", "action", "format", "utf8", "_method", "authenticity_token", "_token")
# Encoders of forms: the name, and what they write in another way than a browser.
_ENCODERS: tuple[tuple[str, dict[bytes, bytes]], ...] = (
    ("Python's urlencode or Go's url.Values", {b"*": b"%2A", b"%7E": b"~"}),
    ("PHP's http_build_query", {b"*": b"%2A"}),
    ("Java's URLEncoder, Ruby's encode_www_form or a browser", {}),
    (
        "JavaScript's encodeURIComponent",
        {b"+": b"%20", b"%21": b"!", b"%27": b"'", b"%28": b"(", b"%29": b")", b"%7E": b"~"},
    ),
    ("PHP's rawurlencode or Python's quote", {b"*": b"%2A", b"+": b"%20", b"%7E": b"~"}),
)
_SLASHED = re.compile(r"\\(.)", re.DOTALL)
# Causes, and the parameter before PHP, a word processor or addslashes of WordPress changed it.
_CHANGES: dict[str, Callable[[str, str], tuple[str, str]]] = {
    "body-form-names": lambda name, value: (name.replace("_", "."), value),
    "body-typography": lambda name, value: (name, untypeset(value)),
    "body-escaped": lambda name, value: (name, _SLASHED.sub(r"\1", value)),
}
_MAX_PERMUTED = 4  # parameters of a form of which every order is tried
_MAX_WRAPPED = 8  # values of a form that may be the signed body
_NOT_ASCII = re.compile(rb"%[89A-Fa-f][0-9A-Fa-f]")
_ESCAPED = re.compile(rb"(?:%[0-9A-Fa-f]{2})+")


class FormField(NamedTuple):
    """A parameter of a form.

    Attributes:
        name: its name.
        raw: name and value as received.
        encoded: name and value as a browser encodes them.
    """

    name: str
    raw: bytes
    encoded: bytes


def untypeset(text: str) -> str:
    """Return a text with plain quotes and spaces for typographic ones."""
    return text.translate(_PLAIN)


_PLAIN = str.maketrans("\u201c\u201d\u201e\u2018\u2019\u201a\u00a0", "\"\"\"''' ")


def as_form(text: str) -> Iterator[BodyGuess]:
    """Yield the forms that a JSON body may have been parsed from."""
    field = forms.encode_form([("payload", text)])
    yield one("body-form-field", field, "payload")
    yield one("body-form-field", _encoded(field, _ENCODERS[-1][1]), "payload")
    if not text.startswith("{") or len(text) > _MAX_FORM:
        return
    value = json.loads(text, parse_int=str, parse_float=str)
    for list_mark in ("", "[]"):
        params = list(islice(_params(value, "", list_mark), _MAX_PARAMS))
        if not params or not all(is_text(name + value) for name, value in params):
            continue
        form = forms.encode_form(params)
        for written in dict.fromkeys([form, *(_encoded(form, spellings) for _, spellings in _ENCODERS)]):
            yield one("body-form-parsed", written)
        added = [name for name, _ in params if name in _ADDED]
        if added:
            rest = [param for param in params if param[0] not in _ADDED]
            causes = (CauseRef("body-form-parsed"), CauseRef("body-form-added", ", ".join(added)))
            yield causes, forms.encode_form(rest)


# The name is empty for the whole form; the mark follows that of a repeated parameter, "[]" for PHP and Rails.
def _params(value: object, name: str, list_mark: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a form from which a parser made this value; null stands for an empty text."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _params(member, f"{name}[{key}]" if name else key, list_mark)
    elif isinstance(value, list):
        for member in value:
            yield from _params(member, name + list_mark, list_mark)
    elif name:
        yield name, value if isinstance(value, str) else "" if value is None else json.dumps(value)


def uncommon_forms(body: bytes) -> Iterator[BodyGuess]:
    """Yield the form as other encoders write it, before values were trimmed, and without added fields."""
    yield from _recoded(body)
    try:
        params = forms.parse_form(body)
    except UnreadableMessage:
        return
    if b"=" not in body or len(params) > _MAX_PARAMS:
        return
    fields = fields_of(body, params)
    for cause, change in _CHANGES.items():
        if (changed := [change(*param) for param in params]) != params:
            yield one(cause, forms.encode_form(changed))
    parts = [field.encoded for field in fields]
    for title, spellings in _ENCODERS:
        yield one("body-form-encoder", _encoded(b"&".join(parts), spellings), title)
    if len(params) <= _MAX_PERMUTED:
        for order in permutations(body.split(b"&")):
            yield one("body-form-sorted", b"&".join(order))
    added = [field.name for field in fields if field.name in _ADDED]
    for names in (added, *([name] for name in dict.fromkeys(field.name for field in fields))):
        if names:
            yield from without(fields, {k for k, field in enumerate(fields) if field.name in names})
    for count in range(2, min(len(fields), 5)):
        yield from without(fields, {*range(len(fields) - count, len(fields))})
    first = {field.name: k for k, field in reversed([*enumerate(fields)])}
    if len(first) < len(fields):  # query and body are one form to some frameworks
        yield from without(fields, {*range(len(fields))} - {*first.values()})
    for i, part in enumerate(parts):
        for whole in (part + b"+", part.replace(b"=", b"=+", 1), part + b"%0A", part + b"%0D%0A"):
            yield one("body-form-trimmed", b"&".join([*parts[:i], whole, *parts[i + 1 :]]), params[i][0])


def fields_of(body: bytes, params: list[tuple[str, str]]) -> list[FormField]:
    """Return the parameters of a form as received and as a browser encodes them."""
    received = [part for part in body.split(b"&") if part]
    encoded = [forms.encode_form([param]) for param in params]
    raw = received if len(received) == len(params) else encoded
    return [FormField(name, *parts) for (name, _), *parts in zip(params, raw, encoded, strict=True)]


def without(fields: list[FormField], added: set[int]) -> Iterator[BodyGuess]:
    """Yield a form without fields that were added, as received and as each encoder writes the others."""
    cause = CauseRef("body-form-added", ", ".join(fields[k].name for k in sorted(added)))
    rest = [field for k, field in enumerate(fields) if k not in added]
    encoded = b"&".join(field.encoded for field in rest)
    yield (cause,), encoded
    yield (cause,), b"&".join(field.raw for field in rest)
    for title, spellings in _ENCODERS:
        if (other := _encoded(encoded, spellings)) != encoded:
            yield (cause, CauseRef("body-form-encoder", title)), other


def _recoded(body: bytes) -> Iterator[BodyGuess]:
    """Yield the form with its escaped characters as another charset has them."""
    if not _NOT_ASCII.search(body):
        return
    runs = set(_ESCAPED.findall(body))
    for read, write in (("utf-8", "latin-1"), ("utf-8", "cp1252"), ("cp1252", "utf-8")):
        try:
            others = {run: _other_escapes(run, read, write) for run in runs}
        except UnicodeError:
            continue
        form = _ESCAPED.sub(partial(_looked_up, others=others), body)
        try:
            unquote_to_bytes(form).decode()
        except UnicodeDecodeError:
            yield one("body-latin-1", form)
        else:
            yield one("body-mojibake" if read == "utf-8" else "body-latin-1-read", form)


def _looked_up(run: re.Match[bytes], others: dict[bytes, bytes]) -> bytes:
    return others[run[0]]


def _other_escapes(run: bytes, read: str, write: str) -> bytes:
    raw = unquote_to_bytes(run).decode(read).encode(write)
    return "".join(f"%{byte:02X}" for byte in raw).encode()


def _encoded(form: bytes, spellings: dict[bytes, bytes]) -> bytes:
    for usual, other in spellings.items():
        form = form.replace(usual, other)
    return form


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
    cause = "body-form-encoder" if _ESCAPED.search(body) or b"+" in body else "body-form-encoded"
    yield one(cause, encoded, _ENCODERS[2][0])
    yield one(cause, encoded.replace(b"+", b"%20"), _ENCODERS[-1][0])
    yield one("body-form-encoded", forms.encode_form(_split_raw(body)))
    yield one("body-form-sorted", forms.encode_form(sorted(params)))
    wrapped = {value: name for name, value in params if value[:1] in ("{", "[") and " " not in name}
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
