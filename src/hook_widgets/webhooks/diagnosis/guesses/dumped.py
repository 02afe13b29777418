"""Guess that a body is the printed form of the signed one: its bytes as numbers, or an object as text."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.diagnosis.causes import one
from hook_widgets.webhooks.diagnosis.guesses import encoders
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess
from hook_widgets.webhooks.recordings.structures.mappings import (
    Bare,
    NotAMapping,
    Pairs,
    Unknown,
    read_mapping,
)

_MAX_TEXT = 1 << 20  # characters of a body that is read
_MAX_PARTS = 64  # of a multipart body
_MAX_BOUNDARY = 200
_MAX_HEAD = 2_000  # characters of the headers of a part
_HEX = re.compile(r"(?:<Buffer |0[xX]|\\x)?((?:[0-9A-Fa-f]{2}[\s:,-]{0,2}(?:0[xX]|\\x)?){4,})>?")
_NUMBERS = re.compile(
    r"(?:\[\])?[^\d\s\[\]{}(),<-]{0,40}\d{0,2}[A-Za-z]{0,5}(?:\(\d{1,9}\) )?(?:[\[{(]|<<)?"
    r"(?:\s*+-?(?:0x[0-9a-fA-F]{1,2}|\d{1,3})(?![\da-fA-Fx])[\s,]*+){4,}+(?:[\]})]|>>)?"
)
_DATA_URL = re.compile(r"data:[^,\s]{0,200};base64,", re.IGNORECASE)
_BASE64_URL = re.compile(r"[A-Za-z0-9_-]{8,}")
_REQUEST = re.compile(rb"[A-Z]{3,10} \S{1,2000} HTTP/[0-9.]{1,5}\r?\n")
_BLANK = re.compile(rb"\r?\n\r?\n")
_PART_NAME = re.compile(rb"name=\"([^\"\r\n]{0,200})\"")
_WORDS = {"true": True, "false": False, "null": None, "nil": None, "none": None, "undefined": None}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?")


def dumped(body: bytes) -> Iterator[BodyGuess]:
    """Yield what a body that is no JSON may have been before it was printed, in the order of likelihood."""
    if body.rstrip(b"\0") != body:
        yield one("body-nul-added", body.rstrip(b"\0"))
    yield from _utf_16(body)
    if request := _REQUEST.match(body):
        blank = _BLANK.search(body, request.end() - 1)
        if blank is not None:
            yield one("body-request", body[blank.end() :])
    if len(body) > _MAX_TEXT:
        return
    yield from _multipart(body)
    try:
        text = body.decode().strip()
    except UnicodeDecodeError:
        return
    yield from _bytes_of(text)
    if text[:3].lower() in ("%7b", "%5b") and text.endswith("="):  # JSON that was parsed as a form
        yield one("body-escaped", unquote_plus(text[:-1]).encode(errors="replace"))
    yield from _printed(text)


def literal_forms(value: object) -> Iterator[bytes]:
    """Yield the forms from which a parser made a mapping of texts that was printed."""
    if isinstance(value, dict) and value and all(isinstance(text, str) for text in value.values()):
        yield forms.encode_form([(str(name), text) for name, text in value.items()])


def _utf_16(body: bytes) -> Iterator[BodyGuess]:
    if len(body) % 2 or b"\0" not in body[:4]:
        return
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        try:
            yield one("body-utf-16", body.decode(encoding).encode())
        except UnicodeError:
            continue


def _bytes_of(text: str) -> Iterator[BodyGuess]:
    """Yield the bytes that are written as numbers, in hex or decimal, or in base64 of other alphabets."""
    if match := _HEX.fullmatch(text):
        digits = re.sub(r"0[xX]|[^0-9A-Fa-f]", "", match[1])
        if len(digits) % 2 == 0:
            yield one("body-buffer" if text.startswith("<Buffer") else "body-hex", bytes.fromhex(digits))
    elif _NUMBERS.fullmatch(text):
        listing = text[max(text.rfind(opener) for opener in "[{(<") + 1 :]
        numbers = [int(number, 0) for number in re.findall(r"-?(?:0x[0-9a-fA-F]+|\d+)", listing)]
        if all(-128 <= number < 256 for number in numbers):
            yield one("body-buffer", bytes(number % 256 for number in numbers))
    data_url = _DATA_URL.match(text)
    encoded = text[data_url.end() :] if data_url else text.rstrip("=")
    if data_url or _BASE64_URL.fullmatch(encoded):
        try:
            yield one("body-base64", base64.b64decode(_padded(encoded), altchars=b"-_", validate=True))
        except binascii.Error:
            return


def _padded(text: str) -> str:
    bare = text.rstrip("=").replace("+", "-").replace("/", "_")
    return bare + "=" * (-len(bare) % 4)


def _multipart(body: bytes) -> Iterator[BodyGuess]:
    """Yield the form of a multipart body, and each of its parts."""
    boundary, line_end, _ = body[:_MAX_BOUNDARY].partition(b"\n")
    if not line_end or not boundary.startswith(b"--"):
        return
    params: list[tuple[str, str]] = []
    for part in body.split(boundary.rstrip(), _MAX_PARTS)[1:]:
        head, _, content = part.lstrip(b"\r\n").replace(b"\r\n\r\n", b"\n\n", 1).partition(b"\n\n")
        name = _PART_NAME.search(head[:_MAX_HEAD])
        if name is None:
            continue  # the end of the body
        content = content.removesuffix(b"\n").removesuffix(b"\r")
        params.append((name[1].decode(errors="replace"), content.decode(errors="replace")))
        yield one("body-form-value", content, params[-1][0])
    if params:
        form = forms.encode_form(params)
        yield one("body-form-multipart", form)
        yield one("body-form-multipart", form.replace(b"+", b"%20"))


def _printed(text: str) -> Iterator[BodyGuess]:
    """Yield the JSON of a hash, map or object that was printed: ``{"a"=>1}``, ``{a: 1}``, ``%{"a" => 1}``."""
    if text[:1] not in "{[%@#" and not text.startswith(("array", "map[", "Map", "dict", "OrderedDict")):
        return
    try:
        value = _plain(read_mapping(text))
    except (NotAMapping, TypeError, RecursionError):
        return
    for raw in literal_forms(value):
        yield one("body-printed", raw)
    for raw in encoders.usual(json.dumps(value, ensure_ascii=False)):
        yield one("body-printed", raw)


def _plain(value: object) -> object:
    """Return a value that was read in the types of JSON; raise TypeError if one is none of them."""
    if isinstance(value, Pairs):
        return {str(name): _plain(member) for name, member in value}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, Bare):
        word = value.text.lower()
        if word in _WORDS:
            return _WORDS[word]
        return json.loads(value.text) if _NUMBER.fullmatch(value.text) else value.text
    if isinstance(value, Unknown) or value is None:
        raise TypeError
    return value
