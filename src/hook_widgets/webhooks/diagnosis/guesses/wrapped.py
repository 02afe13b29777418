"""Guess that the signed body is inside the one that arrived: escaped, compressed, or in an envelope."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
import zlib
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote, unquote_plus

from hook_widgets.errors import InvalidJson
from hook_widgets.webhooks.body import json_edit
from hook_widgets.webhooks.body.stats import visible
from hook_widgets.webhooks.diagnosis.causes import one
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText

_MAX_INFLATED = 32 * 1024 * 1024  # bytes of a decompressed body that are used
_MAX_MEMBERS = 32  # members that may be the signed body
_MAX_DEPTH = 4
_MAX_TEXT = 1 << 20  # characters of a JSON body in which members are looked for
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
# Members that Rails (ParamsWrapper and routing) and similar frameworks add to parsed parameters.
_ADDED = ("controller", "action", "format")
# Of a form, too, whose = and & are then escaped.
_PERCENT_ENCODED = re.compile(
    r"%(?:7[Bb]|5[Bb]).*+|(?>(?:[\w.~!*'()/+-]*+%[0-9A-Fa-f]{2})+)[\w.~!*'()/+-]*+", re.ASCII | re.DOTALL
)
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_CONTROLS = re.compile(rb"[\x00-\x1f]")
_BYTES = range(-128, 256)
_STRING = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_SHORT = {value: f"\\{letter}" for letter, value in _LETTERS.items()}
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})(?:;[^\r\n]*)?\r\n")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{8,}={0,2}\s*")


def inside(body: bytes, json_text: JsonText | None) -> Iterator[BodyGuess]:
    """Yield the contents of an envelope, and the body without what a framework added."""
    if json_text is None:
        yield from _unescaped(body)
        yield from _chunks(body)
    elif len(json_text.text) <= _MAX_TEXT:
        if _ENTITY.search(json_text.text):
            yield one("body-escaped", html.unescape(json_text.text).encode(errors="replace"))
        if "''" in json_text.text:  # a text of SQL
            yield one("body-escaped", json_text.text.replace("''", "'").encode(errors="replace"))
        value = json.loads(json_text.text, parse_int=float)
        if isinstance(value, dict) and len(value) == 1:  # JSON that was parsed as a form: {"{...}": ""}
            ((name, text),) = value.items()
            rest = f"={text}" if text else ""
            yield one("body-escaped", f"{name}{rest}".encode(errors="replace"))
        yield from _bytes(value)
        yield from _without_added(json_text, value)
        yield from _members(json_text.text.encode(errors="replace"), value, "")


def as_list(body: bytes) -> Iterator[BodyGuess]:
    """Yield the list that the body is the one element of."""
    if body.lstrip()[:1] == b"{":
        yield one("body-list-lost", b"[" + body + b"]")
        yield one("body-list-lost", b"[" + body + b"]\r\n")  # SendGrid ends a list with it


def inflated(body: bytes) -> Iterator[bytes]:
    """Yield the decompressed body: gzip, zlib (which HTTP calls deflate), or bare deflate."""
    if body.isascii():
        return
    for wbits in (31, 15, -15):
        decompressor = zlib.decompressobj(wbits=wbits)
        try:
            text = decompressor.decompress(body, _MAX_INFLATED)
        except zlib.error:
            continue
        if text and decompressor.eof:
            yield text


def controls_escaped(body: bytes) -> Iterator[BodyGuess]:
    r"""Yield JSON whose texts have line ends and other control characters as they are, not as ``\n``."""
    if len(body) > _MAX_TEXT or body[:1] not in (b"{", b"[") or not _CONTROLS.search(body):
        return
    text = body.decode(errors="replace")
    escaped = _STRING.sub(lambda string: _CONTROL.sub(_escape, string[0]), text)
    if escaped != text:
        yield one("body-controls", escaped.encode(errors="replace"))


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def _unescaped(body: bytes) -> Iterator[BodyGuess]:
    r"""Yield JSON whose quotes are escaped, as a mapping template's ``escapeJavaScript`` leaves it."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return
    stripped = text.strip().strip('"')
    if _PERCENT_ENCODED.fullmatch(stripped):
        for decode in (unquote, unquote_plus):
            once = decode(stripped)
            yield one("body-escaped", once.encode(errors="replace"))
            if _PERCENT_ENCODED.fullmatch(once):
                yield one("body-escaped", decode(once).encode(errors="replace"))
    if _ENTITY.search(stripped):
        yield one("body-escaped", html.unescape(stripped).encode(errors="replace"))
    if '""' in stripped:  # a cell of CSV
        yield one("body-escaped", stripped.replace('""', '"').encode(errors="replace"))
    start, end = stripped.find("{"), stripped.rfind("}")
    if 0 < start < end:
        yield one(
            "body-surrounded",
            stripped[start : end + 1].encode(errors="replace"),
            visible(stripped[:start][:40])[0],
        )
    if not re.match(r"[{\[][{\[\s]*\\", stripped):
        return
    once = _ESCAPED.sub(_character, stripped)
    for plain in (once, _ESCAPED.sub(_character, once), stripped.replace('\\"', '"')):
        yield one("body-escaped", plain.encode(errors="replace"))


def _chunks(body: bytes) -> Iterator[BodyGuess]:
    """Yield the content of a body with the sizes of its chunks in it (RFC 9112 section 7.1)."""
    pieces: list[bytes] = []
    start = 0
    while match := _CHUNK.match(body, start):
        size = int(match[1], 16)
        if not size:
            yield one("body-chunked", b"".join(pieces))
            return
        pieces.append(body[match.end() : match.end() + size])
        start = match.end() + size + 2


def _bytes(value: object) -> Iterator[BodyGuess]:
    """Yield the bytes of a Buffer or Uint8Array of Node.js that was written as JSON."""
    if isinstance(value, dict) and value.get("type") == "Buffer":
        numbers = value.get("data")
    elif isinstance(value, dict) and list(value) == [str(n) for n in range(len(value))]:
        numbers = list(value.values())
    else:
        numbers = value
    # All numbers are floats here; see `inside`.
    if isinstance(numbers, list) and all(isinstance(n, float) and n in _BYTES for n in numbers):
        yield one("body-buffer", bytes(int(number) % 256 for number in numbers))


def _character(match: re.Match[str]) -> str:
    digits, char = match.groups()
    return chr(int(digits, 16)) if digits else _LETTERS.get(char, char)


def _without_added(json_text: JsonText, value: object) -> Iterator[BodyGuess]:
    """Yield an object without the members that a framework added: routing, and the object once more."""
    if not isinstance(value, dict):
        return
    added = [name for name in _ADDED if isinstance(value.get(name), str)]
    names = set(value)
    repeated = [
        name
        for name, member in value.items()
        if isinstance(member, dict) and member and member.items() <= {**value, name: None}.items()
    ]
    for dropped in ([*added, *repeated], added, repeated, ["_json"] if "_json" in names else []):
        if dropped:
            yield from _dropped(json_text, dropped)


def _dropped(json_text: JsonText, names: list[str]) -> Iterator[BodyGuess]:
    rest = json_text.without_members(names)
    if rest is None:
        return
    for layout in (COMPACT, SPACED):
        yield one("body-members-added", rest.write(layout).encode(errors="replace"), ", ".join(names))


def _members(body: bytes, value: object, envelope: str) -> Iterator[BodyGuess]:
    """Yield the members that may be the signed body; `envelope` is its path inside another one, or empty."""
    members = list(islice(_paths(value, "", 0), _MAX_MEMBERS))
    try:
        spans = {path: json_edit.span(body, path) for path, member in members if not isinstance(member, str)}
    except InvalidJson:  # such as NaN or Infinity, which Python reads
        spans = {}
    for path, member in members:
        place = f"{envelope} / {path}" if envelope else path
        if isinstance(member, str):
            yield from _texts(member, place, nested=not envelope)
            continue
        span = spans.get(path)
        json_text = JsonText.read(body[slice(*span)]) if span else None
        if json_text is not None:
            yield one("body-member", json_text.text.encode(), place)
            yield one("body-member", json_text.write(COMPACT).encode(), place)
            yield one("body-member", json_text.write(SPACED).encode(), place)


def _texts(member: str, place: str, *, nested: bool) -> Iterator[BodyGuess]:
    """Yield a text that may be the signed body, as it is and decoded, and the members of the JSON in it."""
    raw = member.encode(errors="replace")
    yield one("body-member", raw, place)
    if _BASE64.fullmatch(member):
        try:
            decoded = base64.b64decode("".join(member.split()), validate=True)
        except binascii.Error:
            return
        yield one("body-member", decoded, place)
        for text in inflated(decoded):
            yield one("body-member", text, place)
        raw = decoded
    if nested and JsonText.read(raw) is not None:
        yield from _members(raw, json.loads(raw, parse_int=float), place)


def _paths(value: object, path: str, depth: int) -> Iterator[tuple[str, object]]:
    """Yield the members that are objects, lists or long texts, the outermost first."""
    if isinstance(value, dict):
        members = [(str(name), member) for name, member in value.items() if "." not in name]
    elif isinstance(value, list):
        members = [(str(index), member) for index, member in enumerate(value[:4])]
    else:
        return
    inner = []
    for name, member in members:
        place = f"{path}.{name}" if path else name
        if isinstance(member, str) and (member[:1] in ("{", "[", "<") or "=" in member or len(member) >= 12):
            yield place, member
        elif isinstance(member, dict | list) and member:
            inner.append((place, member))
    for place, member in inner:
        if isinstance(value, dict) or (not path and len(value) == 1):
            yield place, member
    if depth < _MAX_DEPTH:
        for place, member in inner:
            yield from _paths(member, place, depth + 1)
