"""Copy-and-paste mistakes in the text of a secret, and the keys that they lead to."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from urllib.parse import unquote

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks.keys.secret import KeySpec


class KeyEdit(StrEnum):
    """Common copy-and-paste mistakes in the text of a secret, which `diagnose` tries to undo."""

    TRIM = "trim"
    ADD_NEWLINE = "add-newline"
    ADD_CRLF = "add-crlf"
    QUOTE = "quote"
    SINGLE_QUOTE = "single-quote"
    UNQUOTE = "unquote"
    UNPREFIX = "unprefix"
    PREFIX = "prefix"
    UNASSIGN = "unassign"
    UNESCAPE = "unescape"
    PERCENT_DECODE = "percent-decode"
    LOWER = "lower"
    UPPER = "upper"
    TO_BASE64 = "to-base64"
    TO_HEX = "to-hex"
    SHA256_HEX = "sha256-hex"
    UNPAD = "unpad"
    PAD = "pad"
    URL_SAFE = "url-safe"
    UNWRAP = "unwrap"
    HTML_ESCAPE = "html-escape"
    RESTORE_PLUS = "restore-plus"
    ADD_SPACE = "add-space"
    SPACE_BEFORE = "space-before"
    EMPTY = "empty"
    UNBASE64 = "unbase64"

    __hash__ = str.__hash__  # that of Enum is much slower


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedKeySpec(KeySpec):
    """The steps that turn an edited text of a secret into a key.

    Attributes:
        edit: the change of the text, made before all other steps.
    """

    edit: KeyEdit

    def decode(self, text: str) -> bytes:
        """Return the key bytes of the edited text of a secret.

        Raises:
            InvalidSecret: the edit changes nothing, or the edited text cannot be decoded.
        """
        edited = _EDITS[self.edit](text, self.strip_prefix)
        if edited == text:  # the same guess as without the edit
            raise InvalidSecret(f"the edit {self.edit.value!r} changes nothing in this secret")
        return KeySpec.decode(self, edited)


def edited(spec: KeySpec, edit: KeyEdit) -> EditedKeySpec:
    """Return the key spec with an edit of the text before it."""
    return EditedKeySpec(**asdict(spec), edit=edit)


def _unquoted(text: str, _prefix: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'`" else text


def _standard_base64(text: str, _prefix: str) -> str:
    body = text.translate(str.maketrans("-_", "+/")).rstrip("=")
    return body + "=" * (-len(body) % 4)


def _unwrapped(text: str, _prefix: str) -> str:
    """Remove what may be around a secret in a file or header, and undo what a chat or editor did to it."""
    name = _NAME
    text = _COMMENT.sub("", _DASH.sub("-", _INSIDE.sub("", text)))
    for _ in range(_MAX_WRAPPERS):
        before = text
        text = _TAIL.sub("", text.strip(_INVISIBLE))
        text, count = name.subn("", _SCHEME.sub("", text))
        name = _SCHEME if count else name  # only one: the secret itself may have a =
        quoted = _QUOTED.fullmatch(text)
        text = quoted[2] if quoted else text
        if text == before:
            break
    return text


def _unbase64(text: str, _prefix: str) -> str:
    """Decode the base64 of a text, also several times, and cut off the line end of echo."""
    for _ in range(_MAX_WRAPPERS):
        try:
            raw = base64.b64decode(text, validate=True)
        except ValueError:
            break
        if not _PRINTABLE.fullmatch(raw) or base64.b64encode(raw).decode() != text:
            break
        text = raw.decode().strip("\r\n")
    return text


_MAX_WRAPPERS = 5
_PRINTABLE = re.compile(rb"[\r\n -~]+")
_INSIDE = re.compile("[\r\n\u00ad\u200b\u2060\ufeff]")
_DASH = re.compile("[\u2010-\u2015\u2212]")
_COMMENT = re.compile(r"(?<![ \t])[ \t]+#[ \t].*\Z")
_INVISIBLE = " \t\n\r\v\f\u00a0\ufeff\u200b\u2060"
# It begins at the begin of a run only, so that no part of a long one is searched again.
_TAIL = re.compile(r"(?<!\\r)(?<!\\n)(?<![,;.\s])(?:\\r|\\n|[,;.\s])++\Z", re.ASCII)
_SCHEME = re.compile(r"\A(?:bearer|basic|token|-) +", re.IGNORECASE)
_NAME = re.compile(  # not of padding
    r"\A(?:(?:export|set|const|let|var) +|\$env:)?[\"']?[a-z_][a-z0-9_.-]*[\"']? *[=:] *(?=[^=\s])",
    re.ASCII | re.IGNORECASE,
)
_QUOTED = re.compile(
    r"[bru]{0,2}(\\?[\"'`]|[\u201c\u2018<\[({])(.+)(?:\1|[\u201d\u2019>\])}])",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
# Of strings, of HTML, and $$ of Docker Compose.
_ESCAPE = re.compile(r'\\([ntr"\\$/])|&(amp|lt|gt|quot|#39);|\$\$')
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "$": "$", "/": "/",
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "#39": "'",
}  # fmt: skip

# White space, and the byte order mark that an editor may have inserted before the text.
_BLANKS = " \t\n\r\v\f\u00a0\ufeff"
_EDITS: dict[KeyEdit, Callable[[str, str], str]] = {
    KeyEdit.TRIM: lambda text, _: text.strip(_BLANKS),
    KeyEdit.ADD_NEWLINE: lambda text, _: text + "\n",
    KeyEdit.ADD_CRLF: lambda text, _: text + "\r\n",
    KeyEdit.QUOTE: lambda text, _: f'"{text}"',
    KeyEdit.SINGLE_QUOTE: lambda text, _: f"'{text}'",
    KeyEdit.UNQUOTE: _unquoted,
    KeyEdit.UNPREFIX: lambda text, _: re.sub(r"^(v1,)?[A-Za-z0-9]+_", "", text),
    KeyEdit.PREFIX: lambda text, prefix: text if text.startswith(prefix) else prefix + text,
    KeyEdit.UNASSIGN: lambda text, _: re.sub(r"^(export )?[A-Za-z_][A-Za-z0-9_]*\s*[=:]\s*", "", text),
    KeyEdit.UNESCAPE: lambda text, _: _ESCAPE.sub(lambda m: _ESCAPES[m[1] or m[2] or "$"], text),
    KeyEdit.PERCENT_DECODE: lambda text, _: unquote(text),
    KeyEdit.LOWER: lambda text, _: text.lower(),
    KeyEdit.UPPER: lambda text, _: text.upper(),
    KeyEdit.TO_BASE64: lambda text, _: base64.b64encode(text.encode()).decode(),
    KeyEdit.TO_HEX: lambda text, _: text.encode().hex(),
    KeyEdit.SHA256_HEX: lambda text, _: hashlib.sha256(text.encode()).hexdigest(),
    KeyEdit.UNPAD: lambda text, _: text.rstrip("="),
    KeyEdit.PAD: lambda text, prefix: text + "=" * (-len(text.removeprefix(prefix)) % 4),
    KeyEdit.URL_SAFE: _standard_base64,
    KeyEdit.UNWRAP: _unwrapped,
    KeyEdit.HTML_ESCAPE: lambda text, _: html.escape(text, quote=False),
    KeyEdit.RESTORE_PLUS: lambda text, _: text.replace(" ", "+"),
    KeyEdit.ADD_SPACE: lambda text, _: text + " ",
    KeyEdit.SPACE_BEFORE: lambda text, _: " " + text,
    KeyEdit.EMPTY: lambda _text, _: "\0",  # HMAC fills a short key with it: this is the empty one
    KeyEdit.UNBASE64: _unbase64,
}
