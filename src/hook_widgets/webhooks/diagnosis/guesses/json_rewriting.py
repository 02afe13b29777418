"""Re-serialize a JSON body as another program would: white space, escapes, order of keys.

Each function changes only what it names: numbers keep their spelling, strings their escapes, objects their
duplicate keys.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from math import factorial

from hook_widgets.webhooks.body.json_edit import TOKEN, indented

_STRING = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"')
_MARKS = tuple(f"Zq{number}Z" for number in range(16))
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
# Deeper than any webhook is nested, and far below Python's recursion limit.
_MAX_DEPTH = 100
_MAX_SPELLED = 4096  # spellings of numbers that are kept: many guesses need the same ones


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
        tokens: returns its tokens, if they are known.
    """

    def __init__(self, text: str, tokens: Callable[[], list[str]] | None = None) -> None:
        self.text = text
        self._make_tokens = tokens

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens without the white space between them."""
        return TOKEN.findall(self.text) if self._make_tokens is None else self._make_tokens()

    @cached_property
    def _starts(self) -> list[int]:
        return [match.start() for match in TOKEN.finditer(self.text)]

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
        return indented(self.tokens, layout.indent, colon=layout.key)

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
                self.text,
                object_pairs_hook=lambda pairs: tuple(pair for pair in pairs if pair[1] is not None),
                parse_int=_NumberText,
                parse_float=_NumberText,
            )
            return JsonText(_dump(value))
        except RecursionError:
            return None

    def quoted(self, quote: Callable[[str], str]) -> JsonText:
        """Write the strings with other escapes; white space stays.

        Args:
            quote: returns a text as it is inside a string; letters and digits stay as they are.
        """
        between, joined = self._joined_strings
        if not between:
            return self
        written = [f'"{piece}"' for piece in quote(joined).split(between)]
        strings = iter(written)
        tokens = [next(strings) if token[0] == '"' else token for token in self.tokens]
        strings = iter(written)
        return JsonText(_STRING.sub(lambda _: next(strings), self.text), lambda: tokens)

    @cached_property
    def _joined_strings(self) -> tuple[str, str]:
        """A text that no string has, and the decoded strings joined by it: one text is converted fastest."""
        strings = [json.loads(token) for token in self.tokens if token[0] == '"']
        between = next((mark for mark in _MARKS if not any(mark in text for text in strings)), "")
        return between, between.join(strings)

    def without_members(self, names: Collection[str]) -> JsonText:
        """Remove the members of these names from the outermost object, and all white space."""
        members: list[list[str]] = [[]]
        depth = 0
        for token in self.tokens[1:-1]:
            depth += (token in ("{", "[")) - (token in ("}", "]"))
            if token == "," and not depth:
                members.append([])
            else:
                members[-1].append(token)
        rest = [member for member in members if member and json.loads(member[0]) not in names]
        return JsonText("{" + ",".join(map("".join, rest)) + "}")

    def with_numbers(self, spell: Callable[[str], str]) -> JsonText:
        """Change the spelling of all numbers; the text itself if all of them are spelled so."""
        changed = {i: text for i in self.numbers if (text := spell(self.tokens[i])) != self.tokens[i]}
        return self.with_tokens(changed) if changed else self

    def with_tokens(self, changed: Mapping[int, str]) -> JsonText:
        """Replace the tokens at these positions; white space stays."""
        pieces: list[str] = []
        end = 0
        for i in sorted(changed):
            start = self._starts[i]
            pieces += [self.text[end:start], changed[i]]
            end = start + len(self.tokens[i])
        return JsonText("".join((*pieces, self.text[end:])), lambda: self._tokens_with(changed))

    def _tokens_with(self, changed: Mapping[int, str]) -> list[str]:
        tokens = self.tokens.copy()
        for i, token in changed.items():
            tokens[i] = token
        return tokens

    @cached_property
    def keys(self) -> list[str]:
        """For each token the key, as it is written, under which it is; "" outside objects."""
        keys: list[str] = []
        above: list[str] = []
        key = ""
        for i, token in enumerate(self.tokens):
            if token in ("}", "]"):
                key = above.pop()
            elif token[0] == '"' and self.tokens[i + 1 : i + 2] == [":"]:
                key = token
            keys.append(key)
            if token in ("{", "["):
                above.append(key)
        return keys

    @cached_property
    def numbers(self) -> list[int]:
        """The positions of the tokens that are numbers."""
        return [i for i, token in enumerate(self.tokens) if token[0] in "-0123456789"]

    def replaced(self, change: Callable[[str], str], positions: Iterable[int]) -> JsonText:
        """Change the spelling of the tokens at these positions; white space stays."""
        return self.with_tokens({i: change(self.tokens[i]) for i in positions})


class _NumberText(str):
    """A number in its original spelling."""

    __slots__ = ()


def reordered(text: str, limit: int) -> Iterator[str]:
    """Yield a JSON text with its members in every order; nothing if too many or too deep."""
    orders = [1]

    def members(pairs: list[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
        orders.append(min(orders.pop() * factorial(min(len(pairs), 9)), limit + 1))
        return tuple(pairs)

    value = json.loads(text, object_pairs_hook=members, parse_int=_NumberText, parse_float=_NumberText)
    if 1 < orders[0] <= limit:
        with contextlib.suppress(RecursionError):
            yield from map(_dump, _orders(value))


def _orders(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for pairs in permutations(value):
            for members in product(*(list(_orders(member)) for _, member in pairs)):
                yield tuple((name, member) for (name, _), member in zip(pairs, members, strict=True))
    elif isinstance(value, list):
        yield from map(list, product(*(list(_orders(item)) for item in value)))
    else:
        yield value


def _dump(value: object) -> str:
    if isinstance(value, _NumberText):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_dump, value)) + "]"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_dump(v)}" for k, v in value) + "}"
    return json.dumps(value, ensure_ascii=False)


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


@lru_cache(_MAX_SPELLED)
def as_float(number: str) -> str:
    """Write an integer with ``.0``, as floats of Python, Java and Go are written."""
    return number + ".0" if re.fullmatch(r"-?[0-9]+", number) else number


@lru_cache(_MAX_SPELLED)
def as_cents(number: str) -> str:
    """Write a number with two digits after the point, as amounts of money are written."""
    whole, _, fraction = number.partition(".")
    return f"{whole}.{fraction:0<2}" if re.fullmatch(r"-?[0-9]+(\.[0-9])?", number) else number


@lru_cache(_MAX_SPELLED)
def as_shortest(number: str) -> str:
    """Write a number without trailing zeros in its fraction, as JavaScript does."""
    if not re.fullmatch(r"-?[0-9]+\.[0-9]+", number):
        return number
    return number.rstrip("0").rstrip(".")
