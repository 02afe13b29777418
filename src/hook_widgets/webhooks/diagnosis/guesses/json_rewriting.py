"""Re-serialize a JSON body as another program would: white space, escapes, order of keys.

Each function changes only what it names: numbers keep their spelling, strings their escapes, objects their
duplicate keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

_TOKEN = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"|[{}\[\],:]|[^ \t\n\r{}\[\],:"]++')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# Deeper than any webhook is nested, and far below Python's recursion limit.
_MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Layout:
    """The white space of a JSON text.

    Attributes:
        item: the separator of members or items.
        key: the separator of a key and its value.
        indent: the indent of each level, with one line per member; "" for a single line.
    """

    item: str = ","
    key: str = ":"
    indent: str = ""


COMPACT = Layout()
SPACED = Layout(", ", ": ")


class JsonText:
    """A JSON text, tokenized once and written in several layouts.

    Args:
        text: valid JSON.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)

    @classmethod
    def read(cls, body: bytes) -> JsonText | None:
        """Parse the JSON object or array in a body; None if there is none. A byte order mark is skipped."""
        start = body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        if start not in (b"{", b"["):
            return None
        try:
            text = body.decode("utf-8-sig")
            json.loads(text, parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            return None
        return cls(text)

    def write(self, layout: Layout) -> str:
        """Write the same tokens with this white space between them, and none around them."""
        if not layout.indent:
            spaces = {",": layout.item, ":": layout.key}
            return "".join([spaces.get(token, token) for token in self.tokens])
        out: list[str] = []
        line = "\n"
        before = ""
        for token in self.tokens:
            if token in ("}", "]"):
                line = line[: -len(layout.indent)]
                if before not in ("{", "["):
                    out.append(line)
            elif before in ("{", "["):
                out.append(line)
            out.append(layout.key if token == ":" else token)
            if token in ("{", "["):
                line += layout.indent
            elif token == ",":
                out.append(line)
            before = token
        return "".join(out)

    @cached_property
    def sorted(self) -> JsonText | None:
        """The text with the members of each object sorted by key; None if it is nested too deep."""
        try:
            tokens = list(_sorted(iter(self.tokens), 0))
        except RecursionError:
            return None
        return JsonText("".join(tokens))

    def without_nulls(self) -> JsonText | None:
        """Remove the members whose value is null; None if there are none, or if nested too deep."""
        if "null" not in self.tokens:
            return None
        try:
            value = json.loads(
                self.text, object_pairs_hook=_no_nulls, parse_int=_NumberText, parse_float=_NumberText
            )
            return JsonText(_dump(value))
        except RecursionError:
            return None

    def numbers(self) -> Iterator[int]:
        """Return the positions of the tokens that are numbers."""
        return (i for i, token in enumerate(self.tokens) if _NUMBER.fullmatch(token))

    def replaced(self, change: Callable[[str], str], positions: Iterator[int] | list[int]) -> JsonText:
        """Change the spelling of the tokens at these positions; white space stays."""
        selected = set(positions)
        count = -1

        def spell(match: re.Match[str]) -> str:
            nonlocal count
            count += 1
            return change(match[0]) if count in selected else match[0]

        return JsonText(_TOKEN.sub(spell, self.text))


class _NumberText(str):
    """A number in its original spelling."""

    __slots__ = ()


def _dump(value: object) -> str:
    if isinstance(value, _NumberText):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_dump, value)) + "]"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_dump(v)}" for k, v in value) + "}"
    return json.dumps(value, ensure_ascii=False)


def _no_nulls(pairs: list[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
    return tuple((key, value) for key, value in pairs if value is not None)


def _sorted(tokens: Iterator[str], depth: int) -> Iterator[str]:
    """Yield one value's tokens, with members sorted by decoded key, by code point as most programs do."""
    if depth > _MAX_DEPTH:
        raise RecursionError
    for token in tokens:
        yield token
        if token in ("{", "["):
            yield from _members(tokens, depth, is_object=token == "{")
        return


def _members(tokens: Iterator[str], depth: int, *, is_object: bool) -> Iterator[str]:
    """Yield an object's members, sorted, or an array's items, up to and including the closing token."""
    members: list[tuple[str, list[str]]] = []
    close = "}" if is_object else "]"
    for token in tokens:
        if token == ",":
            continue
        if token == close:
            break
        if is_object:
            members.append((json.loads(token), [token, next(tokens), *_sorted(tokens, depth + 1)]))
        else:
            first = [token]
            if token in ("{", "["):
                first += _members(tokens, depth + 1, is_object=token == "{")
            members.append(("", first))
    for number, (_, member) in enumerate(sorted(members, key=lambda m: m[0]) if is_object else members):
        if number:
            yield ","
        yield from member
    yield close


def ascii_escaped(text: str, *, upper: bool = False) -> str:
    r"""Write every character beyond ASCII as ``\uXXXX``, as Python's and PHP's encoders do."""
    form = "\\u%04X" if upper else "\\u%04x"

    def escape(match: re.Match[str]) -> str:
        units = match[0].encode("utf-16-be", "surrogatepass")
        return "".join(form % int.from_bytes(units[i : i + 2]) for i in range(0, len(units), 2))

    return re.sub(r"[^\x00-\x7f]", escape, text)


def unescaped(text: str) -> str:
    r"""Replace ``\uXXXX`` by its character, except for control characters, quotes and backslashes."""

    def character(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else 0
        return match[0] if code < 0x20 or code in (0x22, 0x5C) else chr(code)

    plain = _ESCAPE.sub(character, text)
    try:
        return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:  # a lone surrogate can only be written as an escape
        return text


def escapes_cased(text: str, *, upper: bool) -> str:
    r"""Write the digits of ``\uXXXX`` in upper or lower case."""

    def cased(match: re.Match[str]) -> str:
        digits = match[1]
        return match[0] if not digits else "\\u" + (digits.upper() if upper else digits.lower())

    return _ESCAPE.sub(cased, text)


def slashes_escaped(text: str) -> str:
    r"""Write ``/`` as ``\/``, as PHP's ``json_encode`` does."""
    return re.sub(r"\\.|/", lambda m: r"\/" if m[0] == "/" else m[0], text)


def slashes_unescaped(text: str) -> str:
    r"""Write ``\/`` as ``/``."""
    return _ESCAPE.sub(lambda m: "/" if m[2] == "/" else m[0], text)


def html_escaped(text: str) -> str:
    r"""Write ``< > &`` and the two line separators as ``\u003c`` ..., as Go and Rails do."""
    return re.sub("[<>&\u2028\u2029]", lambda m: f"\\u{ord(m[0]):04x}", text)


def html_unescaped(text: str) -> str:
    r"""Replace ``\u003c \u003e \u0026`` by their characters."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] and int(m[1], 16) in (60, 62, 38) else m[0], text)


def as_float(number: str) -> str:
    """Write an integer with ``.0``, as floats of Python, Java and Go are written."""
    return number + ".0" if re.fullmatch(r"-?[0-9]+", number) else number


def as_shortest(number: str) -> str:
    """Write a number without trailing zeros in its fraction, as JavaScript does."""
    if not re.fullmatch(r"-?[0-9]+\.[0-9]+", number):
        return number
    return number.rstrip("0").rstrip(".")
