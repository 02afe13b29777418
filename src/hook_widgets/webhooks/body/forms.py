"""Bodies of type application/x-www-form-urlencoded (section 5 of the WHATWG URL standard)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from hook_widgets.errors import InvalidArgument, UnreadableMessage

# The bytes that are not escaped. Unlike `urllib.parse.quote_plus`, the standard keeps "*" and escapes "~".
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._ ")
_FEW = 50  # percent escapes that are decoded one by one
_MARKS = re.compile(rb"[\0\1]|%0[01]")
_UNIT = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)


def parse_form(body: bytes) -> list[tuple[str, str]]:
    """Return the names and values of a form body in order, including repeated and empty ones.

    ``+`` is a space, a parameter without ``=`` has an empty value, and a ``%`` without two hexadecimal digits
    is kept. Bytes that are not UTF-8 are an error, whereas a browser would decode them as U+FFFD: a signature
    over replaced text would be worthless.

    Raises:
        UnreadableMessage: a name or value is not UTF-8; the message says which parameter and where.

    >>> parse_form(b"Body=Hello+there&MediaUrl=&To=%2B15550100")
    [('Body', 'Hello there'), ('MediaUrl', ''), ('To', '+15550100')]
    """
    if not _MARKS.search(body):  # decoded as a whole, which is much faster than name by name
        with contextlib.suppress(UnicodeDecodeError):
            return _decoded_at_once(body)
    params: list[tuple[str, str]] = []
    offset = 0
    for piece in body.split(b"&"):
        if piece:
            number = len(params) + 1
            name, equals, value = piece.partition(b"=")
            value_offset = offset + len(name) + len(equals)
            params.append((_decode(name, number, offset), _decode(value, number, value_offset)))
        offset += len(piece) + 1
    return params


def encode_form(params: Iterable[tuple[str, str]]) -> bytes:
    """Return the form body for names and values, in order: the inverse of `parse_form`.

    Raises:
        InvalidArgument: a name or value contains half a surrogate pair, which UTF-8 cannot encode.

    >>> encode_form([("Body", "Hello there"), ("To", "+15550100")])
    b'Body=Hello+there&To=%2B15550100'
    """
    return "&".join(f"{encode_text(name)}={encode_text(value)}" for name, value in params).encode("ascii")


def sorted_form(body: bytes) -> bytes:
    """Return the parameters in UTF-8 as Twilio appends them to the URL before signing.

    Names are sorted by code point, the distinct values of a repeated name are sorted, and everything is
    joined without separators. Source: twilio-python, ``RequestValidator.compute_signature``.

    Raises:
        UnreadableMessage: a name or value is not UTF-8.

    >>> sorted_form(b"b=2&a=&b=1&b=2")
    b'ab1b2'
    """
    return "".join(name + value for name, value in sorted(set(parse_form(body)))).encode()


def _decoded_at_once(body: bytes) -> list[tuple[str, str]]:
    """Return the parameters of a body without U+0000 and U+0001, which stand for escaped separators here."""
    raw = body.replace(b"+", b" ").replace(b"%26", b"\0").replace(b"%3D", b"\1").replace(b"%3d", b"\1")
    pairs = (piece.partition("=") for piece in _unescaped(raw).decode().split("&") if piece)
    return [
        (name.replace("\0", "&").replace("\1", "="), value.replace("\0", "&").replace("\1", "="))
        for name, _, value in pairs
    ]


def _unescaped(raw: bytes) -> bytes:
    r"""Return a text with its percent escapes decoded; many are read as escapes of Python, ``\x2B``."""
    if raw.count(b"%") > _FEW:
        with contextlib.suppress(UnicodeDecodeError):  # a % without two hexadecimal digits
            return (
                raw.replace(b"\\", b"\\\\").replace(b"%", b"\\x").decode("unicode_escape").encode("latin-1")
            )
    return unquote_to_bytes(raw)


def _decode(text: bytes, number: int, offset: int) -> str:
    """Decode one name or value of parameter `number`, which starts at `offset` of the body."""
    raw = text.replace(b"+", b" ")
    if b"%" in raw:
        raw = unquote_to_bytes(raw)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        units = list(_UNIT.finditer(text))
        start = offset + units[error.start].start()
        raise UnreadableMessage(
            f"form parameter {number} is not UTF-8: byte 0x{raw[error.start]:02X} at offset {start} of the "
            "body begins no valid character; encode the text as UTF-8 before percent-encoding it"
        ) from None


def encode_text(text: str) -> str:
    """Return one name or value encoded for a form body.

    Raises:
        InvalidArgument: it contains half a surrogate pair.
    """
    try:
        raw = text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"a form text contains U+{ord(text[error.start]):04X} at position {error.start}, half a "
            "surrogate pair that UTF-8 cannot carry; write the whole character"
        ) from None
    for byte in sorted({*raw} - _PLAIN, key=lambda byte: byte != ord("%")):  # few differ in a long text
        raw = raw.replace(bytes((byte,)), b"%%%02X" % byte)
    return raw.replace(b" ", b"+").decode()
