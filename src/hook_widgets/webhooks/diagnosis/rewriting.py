"""A JSON body written again as another program would write it: white space, escapes, order of keys.

Only what is named changes: a number keeps its spelling, a string its escapes, an object its duplicate keys.
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
# Deeper nesting than any webhook has, and far from Python's recursion limit.
_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Layout:
    """The white space of a JSON text.

    Attributes:
        item: between two members or items.
        key: between a key and its value.
        indent: of each level, each member then on a line of its own; "" for all in one line.
    """

    item: str = ","
    key: str = ":"
    indent: str = ""


COMPACT = Layout()
SPACED = Layout(", ", ": ")


class JsonText:
    """A JSON text, taken apart once and written in many ways.

    Args:
        text: valid JSON.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)

    @classmethod
    def read(cls, body: bytes) -> JsonText | None:
        """The JSON object or array in a body; None when it holds none. A byte order mark is passed over."""
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
        """The same tokens with this white space between them, and none around."""
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
        """With the members of each object in the order of their keys; None when they are nested too deep."""
        try:
            tokens = list(_sorted(iter(self.tokens), 0))
        except RecursionError:
            return None
        return JsonText("".join(tokens))

    def without_nulls(self) -> JsonText | None:
        """Without the members whose value is null; None when there are none."""
        if "null" not in self.tokens:
            return None
        kept = json.loads(self.text, object_pairs_hook=_no_nulls, parse_int=_Spelled, parse_float=_Spelled)
        return JsonText(_dump(kept))

    def numbers(self) -> Iterator[int]:
        """The positions of the tokens that are numbers."""
        return (i for i, token in enumerate(self.tokens) if _NUMBER.fullmatch(token))

    def replaced(self, change: Callable[[str], str], positions: Iterator[int] | list[int]) -> JsonText:
        """With other spellings of the tokens at these positions, and the white space as it is."""
        wanted = set(positions)
        count = -1

        def spell(match: re.Match[str]) -> str:
            nonlocal count
            count += 1
            return change(match[0]) if count in wanted else match[0]

        return JsonText(_TOKEN.sub(spell, self.text))


class _Spelled(str):
    """A number as it is written."""

    __slots__ = ()


def _dump(value: object) -> str:
    if isinstance(value, _Spelled):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_dump, value)) + "]"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_dump(v)}" for k, v in value) + "}"
    return json.dumps(value, ensure_ascii=False)


def _no_nulls(pairs: list[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
    return tuple((key, value) for key, value in pairs if value is not None)


def _sorted(tokens: Iterator[str], depth: int) -> Iterator[str]:
    """One value's tokens, its members sorted by decoded key, by code point as most programs do."""
    if depth > _DEPTH:
        raise RecursionError
    for token in tokens:
        yield token
        if token in ("{", "["):
            yield from _members(tokens, depth, is_object=token == "{")
        return


def _members(tokens: Iterator[str], depth: int, *, is_object: bool) -> Iterator[str]:
    """The members of an object, sorted, or the items of an array, up to and with the closing token."""
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
    r"""With every character beyond ASCII as ``\uXXXX``, as Python's and PHP's encoders do."""
    form = "\\u%04X" if upper else "\\u%04x"

    def escape(match: re.Match[str]) -> str:
        units = match[0].encode("utf-16-be", "surrogatepass")
        return "".join(form % int.from_bytes(units[i : i + 2]) for i in range(0, len(units), 2))

    return re.sub(r"[^\x00-\x7f]", escape, text)


def unescaped(text: str) -> str:
    r"""With ``\uXXXX`` as the characters they stand for, but for controls, quotes and backslashes."""

    def character(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else 0
        return match[0] if code < 0x20 or code in (0x22, 0x5C) else chr(code)

    found = _ESCAPE.sub(character, text)
    try:
        return found.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:  # half a pair: it has no other spelling
        return text


def escapes_cased(text: str, *, upper: bool) -> str:
    r"""With the digits of ``\uXXXX`` in upper or lower case."""

    def cased(match: re.Match[str]) -> str:
        digits = match[1]
        return match[0] if not digits else "\\u" + (digits.upper() if upper else digits.lower())

    return _ESCAPE.sub(cased, text)


def slashes_escaped(text: str) -> str:
    r"""With ``/`` as ``\/``, as PHP's ``json_encode`` writes it."""
    return re.sub(r"\\.|/", lambda m: r"\/" if m[0] == "/" else m[0], text)


def slashes_unescaped(text: str) -> str:
    r"""With ``\/`` as ``/``."""
    return _ESCAPE.sub(lambda m: "/" if m[2] == "/" else m[0], text)


def html_escaped(text: str) -> str:
    r"""With ``< > &`` and the two line separators as ``\u003c`` ..., as Go and Rails write them."""
    return re.sub("[<>&\u2028\u2029]", lambda m: f"\\u{ord(m[0]):04x}", text)


def html_unescaped(text: str) -> str:
    r"""With ``\u003c \u003e \u0026`` as the characters they stand for."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] and int(m[1], 16) in (60, 62, 38) else m[0], text)


def as_float(number: str) -> str:
    """A whole number with ``.0``, as Python, Java and Go's floats are written."""
    return number + ".0" if re.fullmatch(r"-?[0-9]+", number) else number


def as_shortest(number: str) -> str:
    """A number without trailing zeros of its fraction, as JavaScript writes it."""
    if not re.fullmatch(r"-?[0-9]+\.[0-9]+", number):
        return number
    return number.rstrip("0").rstrip(".")
