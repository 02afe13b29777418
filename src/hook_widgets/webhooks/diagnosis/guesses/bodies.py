"""Guess which other body was signed: the same content as another program would have written it."""

from __future__ import annotations

import ast
import base64
import binascii
import contextlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.body.stats import is_utf8
from hook_widgets.webhooks.diagnosis.causes import CauseRef, one
from hook_widgets.webhooks.diagnosis.guesses import (
    encoders,
    json_rewriting,
    json_values,
    markup,
    question_marks,
    wrapped,
)
from hook_widgets.webhooks.diagnosis.guesses.dumped import dumped, literal_forms
from hook_widgets.webhooks.diagnosis.guesses.forms import (
    BodyGuess,
    as_form,
    forms_of,
    uncommon_forms,
    untypeset,
)
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText, Layout
from hook_widgets.webhooks.recordings.escapes import ansi_c

_MAX_LITERAL = 1 << 20  # bytes
# Of consoles and older programs; latin-1 and cp1252 are tried before.
_CHARSETS = ("cp1251", "cp437", "cp850", "cp1250", "mac_roman", "cp932", "gb18030", "euc-kr", "big5")
_MAX_STRINGS = 3  # JSON strings inside each other
_LINE_ENDS = (("body-newline-lost", b"\n"), ("body-crlf-end-lost", b"\r\n"))
_BOM = b"\xef\xbb\xbf"

_COMMON = {
    "body-compact": COMPACT,
    "body-spaced": SPACED,
    "body-indent-2": Layout(",", ": ", "  "),
    "body-indent-4": Layout(",", ": ", "    "),
}
_JSON_FIELD = re.compile(rb"=(?:[{\[]|%[57][Bb])")
_FIELD_STYLES = (JsonStyle.COMPACT, JsonStyle.PHP, JsonStyle.PYTHON, JsonStyle.COMPACT_ASCII)
_RARE = {"body-key-spaced": Layout(",", ": "), "body-indent-tab": Layout(",", ": ", "\t")}
_LAYOUTS = _COMMON | _RARE
_STYLES: dict[str, Callable[[str], str]] = {
    "body-unicode-escapes-lost": json_rewriting.ascii_escaped,
    "body-slash-escapes-lost": json_rewriting.slashes_escaped,
    "body-unicode-escapes-added": json_rewriting.unescaped,
    "body-slash-escapes-added": json_rewriting.slashes_unescaped,
    "body-html-escapes-lost": json_rewriting.html_escaped,
    "body-html-escapes-added": json_rewriting.html_unescaped,
    "body-escapes-lower": lambda text: json_rewriting.escapes_cased(text, upper=True),
    "body-escapes-upper": lambda text: json_rewriting.escapes_cased(text, upper=False),
}


def bodies(body: bytes, json_text: JsonText | None) -> Iterator[BodyGuess]:
    """Yield bodies that differ in one way, the likeliest first. The same may be yielded more than once.

    Args:
        body: the body as received.
        json_text: the JSON in it, if there is any.
    """
    if b"\r\n" in body:  # before the layouts, else one that writes LF would be reported as the cause
        yield one("body-crlf-added", body.replace(b"\r\n", b"\n"))
    if json_text is not None:
        yield from _reformatted(json_text, _COMMON)
    yield from _line_ends(body)
    if json_text is not None:
        for cause, restyle in _STYLES.items():
            yield one(cause, restyle(json_text.text).encode())
        upper = json_rewriting.ascii_escaped(json_text.text, upper=True)
        yield one("body-unicode-escapes-lost", upper.encode())
        yield from _reformatted(json_text, _RARE)
        yield from _sorted(json_text)
    yield from _bytewise(body)
    yield from _decoded(body, json_text)
    if json_text is not None:
        yield from _values(json_text)
        yield from encoders.common(json_text)
        yield from as_form(json_text.text)
    else:
        yield from forms_of(body)
    yield from _encoded(body)


def uncommon(body: bytes, json_text: JsonText | None, own: JsonStyle | None) -> Iterator[BodyGuess]:
    """Yield bodies that are not combined with other changes: other serializers, parsers and wrappers.

    Args:
        body: the body as received.
        json_text: the JSON in it, if there is any.
        own: the serializer of the provider, if it is known.
    """
    if json_text is not None:
        yield from encoders.all_styles(json_text, own)
        yield from json_values.all_values(json_text, _COMMON, own)
    else:
        if not markup.is_markup(body):  # its = are those of attributes
            yield from uncommon_forms(body)
            yield from _json_fields(body, own)
        yield from dumped(body)
        yield from markup.documents(body)
    if not body.isascii():
        yield one(
            "body-typography",
            untypeset(body.decode(errors="surrogateescape")).encode(errors="surrogateescape"),
        )
        yield from _charsets(body, json=json_text is not None)
    yield from wrapped.inside(body, json_text)


def _json_fields(body: bytes, own: JsonStyle | None) -> Iterator[BodyGuess]:
    """Yield a form with the JSON in one of its fields as another serializer writes it."""
    if not _JSON_FIELD.search(body):
        return
    parts = body.split(b"&")
    with contextlib.suppress(UnreadableMessage, ValueError, RecursionError):
        params = forms.parse_form(body)
        for index, (name, value) in enumerate(params if len(params) == len(parts) else ()):
            if JsonText.read(value.encode()) is None:
                continue
            has_plus = b"+" in parts[index] or b"%20" not in parts[index]
            for style in dict.fromkeys((own or JsonStyle.PHP, *_FIELD_STYLES)):
                field = forms.encode_form([(name, style.write(value))])
                changed = [*parts[:index], field if has_plus else field.replace(b"+", b"%20")]
                yield one("body-form-field-json", b"&".join([*changed, *parts[index + 1 :]]), name)


def rare(body: bytes, json_text: JsonText | None, own: JsonStyle | None) -> Iterator[BodyGuess]:
    """Yield bodies of which only some values or characters were changed: there are many of them.

    Args:
        body: the body as received.
        json_text: the JSON in the body, if there is any.
        own: the serializer of the provider, if it is known.
    """
    if json_text is not None:
        yield from json_values.renamed_keys(json_text)
        yield from json_values.some_values(json_text, own)
    yield from question_marks.lost_characters(body)


def body_pairs(json_text: JsonText | None) -> Iterator[BodyGuess]:
    """Yield bodies that differ in two ways, as after a JSON parser and a writer with other defaults."""
    if json_text is None:
        return
    restyled = {cause: json_text.restyled(restyle) for cause, restyle in _STYLES.items()}
    styles = {cause: styled for cause, styled in restyled.items() if styled.text != json_text.text}
    for layout, spaces in _LAYOUTS.items():
        for style, styled in styles.items():
            yield (CauseRef(layout), CauseRef(style)), styled.write(spaces).encode()
        formatted = json_text.write(spaces)
        for cause, line_end in _LINE_ENDS:
            yield (CauseRef(layout), CauseRef(cause)), formatted.encode() + line_end
        if spaces.indent:
            crlf = formatted.replace("\n", "\r\n").encode()
            yield (CauseRef(layout), CauseRef("body-crlf-lost")), crlf
    for first, styled in styles.items():
        for second, again in _STYLES.items():
            if second != first and (twice := again(styled.text)) != styled.text:
                yield (CauseRef(first), CauseRef(second)), twice.encode()
    for style, styled in styles.items():
        for cause, line_end in _LINE_ENDS:
            yield (CauseRef(style), CauseRef(cause)), styled.text.encode() + line_end
    if json_text.sorted is not None:
        for layout, spaces in _LAYOUTS.items():
            yield (CauseRef("body-sorted"), CauseRef(layout)), json_text.sorted.write(spaces).encode()
        text = json_text.sorted.write(_layout_of(json_text))
        for style in styles:
            yield (CauseRef("body-sorted"), CauseRef(style)), _STYLES[style](text).encode()


def _layout_of(json_text: JsonText) -> Layout:
    """Return the layout of the text; `COMPACT` if it is none of the known layouts."""
    return next(
        (spaces for spaces in _LAYOUTS.values() if json_text.write(spaces) == json_text.text), COMPACT
    )


def _reformatted(json_text: JsonText, layouts: Mapping[str, Layout]) -> Iterator[BodyGuess]:
    inner = json_text.text.strip()  # white space around it is another cause
    for cause, spaces in layouts.items():
        if (formatted := json_text.write(spaces)) != inner:
            yield one(cause, formatted.encode())


def _sorted(json_text: JsonText) -> Iterator[BodyGuess]:
    if json_text.sorted is not None:
        spaces = _layout_of(json_text)
        yield one("body-sorted", json_text.sorted.write(spaces).encode())


def _line_ends(body: bytes) -> Iterator[BodyGuess]:
    for cause, line_end in _LINE_ENDS:
        yield one(cause, body + line_end)
    if body.endswith(b"\n"):
        yield one("body-newline-added", body.removesuffix(b"\n").removesuffix(b"\r"))
    if b"\n" in body:
        lf = body.replace(b"\r\n", b"\n")
        yield one("body-crlf-added", lf)
        yield one("body-crlf-lost", lf.replace(b"\n", b"\r\n"))
    yield one("body-bom-added", body.removeprefix(_BOM))
    yield one("body-bom-lost", _BOM + body)
    yield one("body-space-added", body.strip())


def _bytewise(body: bytes) -> Iterator[BodyGuess]:
    """Yield other encodings of the same characters."""
    if body.isascii():
        return
    try:
        text = body.decode()
    except UnicodeDecodeError:
        yield one("body-latin-1-read", body.decode("latin-1").encode())
        return
    for encoding in ("latin-1", "cp1252"):
        try:
            raw = text.encode(encoding)
        except UnicodeEncodeError:
            continue
        try:
            raw.decode()
        except UnicodeDecodeError:
            yield one("body-latin-1", raw)
        else:
            yield one("body-mojibake", raw)
    yield one("body-latin-1-read", body.decode("latin-1").encode())
    yield one("body-low-bytes", text.encode("utf-16-le")[::2])
    yield one("body-ascii-only", re.sub(r"[^\x00-\x7f]", "?", text).encode())
    yield one(
        "body-ascii-only", re.sub(r"[^\x00-\x7f]", lambda m: "?" * (1 + (m[0] > "\uffff")), text).encode()
    )
    yield one("body-unicode-form", unicodedata.normalize("NFC", text).encode())
    yield one("body-unicode-form", unicodedata.normalize("NFD", text).encode())


def _charsets(body: bytes, *, json: bool) -> Iterator[BodyGuess]:
    """Yield the characters of the body in other charsets, and UTF-8 that was read in one of them.

    JSON is always sent in UTF-8 (RFC 8259).
    """
    if not is_utf8(body):
        for charset in _CHARSETS:
            with contextlib.suppress(UnicodeError):
                yield one("body-charset-read", body.decode(charset).encode(), charset)
        return
    text = body.decode()
    with contextlib.suppress(UnicodeError):
        yield one("body-mojibake", text.encode("latin-1").decode().encode("latin-1"))
    for charset in _CHARSETS:
        with contextlib.suppress(UnicodeError):
            raw = text.encode(charset)
            if is_utf8(raw) or not json:
                yield one("body-mojibake" if is_utf8(raw) else "body-charset", raw, charset)


def _decoded(body: bytes, json_text: JsonText | None) -> Iterator[BodyGuess]:
    """Yield contents that the body wraps: base64, gzip, a JSON string or a Python literal."""
    with contextlib.suppress(binascii.Error):
        decoded = base64.b64decode(b"".join(body.split()), validate=True)
        yield one("body-base64", decoded)
        for text in wrapped.inflated(decoded):
            yield (CauseRef("body-base64"), CauseRef("body-compressed")), text
    for text in wrapped.inflated(body):
        yield one("body-compressed", text)
    if body[:1] == b'"':
        yield from _texts_inside(body)
        if b"\\x" in body and len(body) <= _MAX_LITERAL:  # a binary string as Ruby inspects it
            inspected = body.decode(errors="replace").strip().strip('"').replace("\\#", "#")
            yield one("body-escaped", ansi_c(inspected))
    yield from wrapped.controls_escaped(body)
    if json_text is None and (body[:2] in (b"b'", b'b"') or body[:1] in (b"'", b"{", b"[")):
        yield from _literal(body)
    half = len(body) // 2
    if half and len(body) % 2 == 0 and body[:half] == body[half:]:
        yield one("body-doubled", body[:half])


def _texts_inside(body: bytes) -> Iterator[BodyGuess]:
    """Yield the contents of a JSON string, which may be one again, base64, or rewritten JSON."""
    for _ in range(_MAX_STRINGS):
        try:
            inner = json.loads(body)
        except (ValueError, RecursionError):
            return
        if not isinstance(inner, str):
            for raw in encoders.usual(body.decode()):
                yield one("body-json-string", raw)
            return
        body = inner.encode(errors="replace")
        yield one("body-json-string", body)
        with contextlib.suppress(binascii.Error):
            decoded = base64.b64decode(body, validate=True)
            yield (CauseRef("body-json-string"), CauseRef("body-base64")), decoded


def _literal(body: bytes) -> Iterator[BodyGuess]:
    """Yield the text that was turned into a Python literal: ``b'...'``, ``'...'`` or ``{'a': True}``."""
    if len(body) > _MAX_LITERAL:
        return
    try:
        value = ast.literal_eval(body.decode())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return
    if isinstance(value, bytes):
        yield one("body-python-literal", value)
    elif isinstance(value, str):
        yield one("body-python-literal", value.encode(errors="replace"))
    else:
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            return
        for raw in literal_forms(value):
            yield one("body-python-literal", raw)
        for raw in encoders.usual(text):
            yield one("body-python-literal", raw)


def _values(json_text: JsonText) -> Iterator[BodyGuess]:
    """Yield bodies with values as before a parser with other types: floats, nulls, lists of events."""
    for cause, change in (
        ("body-fraction-lost", json_rewriting.as_float),
        ("body-fraction-added", json_rewriting.as_shortest),
    ):
        yield one(cause, json_text.with_numbers(change).text.encode())
    without = json_text.without_nulls()
    if without is not None:
        spaces = _layout_of(json_text)
        yield one("body-nulls-added", without.write(spaces).encode(errors="replace"))
    if json_text.text.lstrip()[:1] == "[" and len(json_text.text) < 1 << 20:
        yield one("body-events-on-lines", encoders.on_lines(json_text))


def _encoded(body: bytes) -> Iterator[BodyGuess]:
    """Yield the body wrapped once more, or a well-known other value in its place."""
    yield one("body-empty", b"")
    yield one("body-base64-signed", base64.b64encode(body))
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return
    yield one("body-json-string-signed", json.dumps(text, ensure_ascii=False).encode())
    yield one("body-object-object", b"[object Object]")
