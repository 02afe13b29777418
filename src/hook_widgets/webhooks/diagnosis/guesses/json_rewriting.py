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
from itertools import accumulate, chain, permutations, product
from math import factorial
from typing import TypeAlias

# Used only on texts that a parser has accepted, so it need not be strict.
_TOKEN = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"|[\[{][ \t\n\r]*+[\]}]|[^ \t\n\r{}\[\],:"]++')
_WIDE = re.compile(r"[\[{][ \t\n\r]++[\]}]")  # an empty container with white space in it
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


# A token's position, or the items of an array, or the members of an object.
Node: TypeAlias = "str | list[Node] | Members"
Member: TypeAlias = tuple[str, Node]
Members: TypeAlias = tuple[Member, ...]

COMPACT = Layout()
SPACED = Layout(", ", ": ")


class JsonText:
    """A JSON text, tokenized once and written in several layouts.

    The tokens are strings, numbers, words and empty containers; all else is between them.

    Args:
        text: valid JSON.
        tokens: its tokens, if they are known.
        original: a text that differs only in its tokens, if there is one.
    """

    def __init__(self, text: str, tokens: list[str] | None = None, original: JsonText | None = None) -> None:
        self.text = text
        self._separators: dict[Layout, list[str]] = {}
        self._by_layout: dict[Layout, JsonText] = {}
        self._by_escapes: dict[str, JsonText] = {}
        if tokens is not None:
            self.tokens = tokens
        if original is not None:
            self._between, self._separators = original._between, original._separators
            self._is_wide = original._is_wide

    @cached_property
    def tokens(self) -> list[str]:
        """The strings, numbers, words and empty containers, as they are written."""
        return _TOKEN.findall(self.text)

    @cached_property
    def _between(self) -> list[str]:
        """The text before, between and after the tokens."""
        return _TOKEN.split(self.text)

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
        separators = self._separators.get(layout)
        if separators is None:
            separators = self._separators[layout] = _laid_out(self._between, layout)
        return _interleaved(separators, self._narrow)

    @cached_property
    def _is_wide(self) -> bool:
        return _WIDE.search(self.text) is not None

    @cached_property
    def _narrow(self) -> list[str]:
        """The tokens without the white space in empty containers."""
        if not self._is_wide:
            return self.tokens
        return list(map(_narrowed, self.tokens))

    @cached_property
    def _tree(self) -> Node:
        return self._parsed(tuple)

    def _parsed(self, members: Callable[[list[Member]], Members]) -> Node:
        """Parse the text with the position of each token in its place."""
        positions = [f'"{i}"' for i in range(len(self.tokens))]
        tree: Node = json.loads(_interleaved(self._between, positions), object_pairs_hook=members)
        return tree

    def reordered(self, limit: int) -> Iterator[str]:
        """Yield the text with its members in every order; nothing if too many or too deep."""
        orders = 1

        def members(pairs: list[Member]) -> Members:
            nonlocal orders
            orders = min(orders * factorial(min(len(pairs), 9)), limit + 1)
            return tuple(pairs)

        tree = self._parsed(members)
        if 1 < orders <= limit:
            with contextlib.suppress(RecursionError):
                for node in _orders(tree):
                    yield self._written(node, tuple, 0)

    def _arranged(self, arrange: Callable[[Members], Iterable[Member]]) -> JsonText | None:
        """Change the members of each object, and remove white space; None if nested too deep."""
        try:
            return JsonText(self._written(self._tree, arrange, 0))
        except RecursionError:
            return None

    def _written(self, node: Node, arrange: Callable[[Members], Iterable[Member]], depth: int) -> str:
        if isinstance(node, str):
            return self._narrow[int(node)]
        if depth > _MAX_DEPTH:
            raise RecursionError
        if isinstance(node, list):
            return "[" + ",".join([self._written(item, arrange, depth + 1) for item in node]) + "]"
        members = [
            f"{self.tokens[int(name)]}:{self._written(value, arrange, depth + 1)}"
            for name, value in arrange(node)
        ]
        return "{" + ",".join(members) + "}"

    @cached_property
    def sorted(self) -> JsonText | None:
        """The text with the members of each object sorted by key; None if it is nested too deep."""
        return self._arranged(lambda members: sorted(members, key=self._name))

    def _name(self, member: Member) -> str:
        return _decoded(self.tokens[int(member[0])])

    def without_nulls(self) -> JsonText | None:
        """Remove the members whose value is null; None if there are none, or if nested too deep."""
        nulls = {str(i) for i, token in enumerate(self.tokens) if token == "null"}
        if not nulls:
            return None
        tokens = [
            json.dumps(json.loads(token), ensure_ascii=False) if "\\" in token else token
            for token in self.tokens
        ]
        return self._with(tokens)._arranged(
            lambda members: [m for m in members if not isinstance(m[1], str) or m[1] not in nulls]
        )

    def quoted(self, quote: Callable[[str], str]) -> JsonText:
        """Write the strings with other escapes; white space stays.

        Args:
            quote: returns a text as it is inside a string, character by character; letters and digits stay
                as they are.
        """
        between, joined, characters = self._joined_strings
        if not between:
            return self
        escapes = quote(characters)  # encoders that write these alike write all strings alike
        if escapes not in self._by_escapes:
            strings = iter(quote(joined).split(between))
            tokens = [f'"{next(strings)}"' if token[0] == '"' else token for token in self.tokens]
            self._by_escapes[escapes] = self if tokens == self.tokens else self._with(tokens)
        return self._by_escapes[escapes]

    @cached_property
    def _joined_strings(self) -> tuple[str, str, str]:
        """A text that no string has, the decoded strings joined by it, and the characters in them.

        One text is converted fastest.
        """
        strings = [_decoded(token) for token in self.tokens if token[0] == '"']
        between = next((mark for mark in _MARKS if not any(mark in text for text in strings)), "")
        joined = between.join(strings)
        return between, joined, "".join(sorted(set(joined)))

    def restyled(self, restyle: Callable[[str], str]) -> JsonText:
        """Change the text of strings; `restyle` changes nothing else of a whole text."""
        return JsonText(restyle(self.text), None, self)

    def without_members(self, names: Collection[str]) -> JsonText | None:
        """Remove the members of these names from the outermost object, and all white space."""
        return self._arranged(
            lambda members: (
                [m for m in members if self._name(m) not in names] if members is self._tree else members
            )
        )

    def with_numbers(self, spell: Callable[[str], str]) -> JsonText:
        """Change the spelling of all numbers; the text itself if all of them are spelled so."""
        changed = self.respelled(spell)
        return self.with_tokens(changed) if changed else self

    def respelled(self, spell: Callable[[str], str]) -> dict[int, str]:
        """Return the positions of the numbers that are spelled in another way, and their other spelling."""
        tokens = self.tokens
        return {i: text for i in self.numbers if (text := spell(tokens[i])) != tokens[i]}

    def replaced(self, changed: Mapping[int, str]) -> str:
        """Return the text with other tokens at these positions; only the changed places are written."""
        text, tokens, ends = self.text, self.tokens, self._ends
        pieces: list[str] = []
        last = 0
        for i in sorted(changed):
            end = ends[i]
            pieces += text[last : end - len(tokens[i])], changed[i]
            last = end
        return "".join(pieces) + text[last:]

    def replaced_in(self, layout: Layout, changed: Mapping[int, str]) -> str:
        """Return the text in a layout with other tokens at these positions."""
        written = self._by_layout.get(layout)
        if written is None:
            written = self._by_layout[layout] = JsonText(self.write(layout), self._narrow)
        return written.replaced({i: _narrowed(token) for i, token in changed.items()})

    @cached_property
    def _ends(self) -> list[int]:
        """The position in the text after each token."""
        lengths = map(len, chain.from_iterable(zip(self._between, self.tokens, strict=False)))
        return list(accumulate(lengths))[1::2]

    def with_tokens(self, changed: Mapping[int, str]) -> JsonText:
        """Replace the tokens at these positions; white space stays."""
        tokens = self.tokens.copy()
        for i, token in changed.items():
            tokens[i] = token
        return self._with(tokens)

    def _with(self, tokens: list[str]) -> JsonText:
        return JsonText(_interleaved(self._between, tokens), tokens, self)

    @cached_property
    def keys(self) -> list[str]:
        """For each token the key, as it is written, under which it is; "" outside objects."""
        keys: list[str] = []
        above: list[str] = []
        key = ""
        for before, token, after in zip(self._between, self.tokens, self._between[1:], strict=False):
            for mark in before:
                if mark in "}]":
                    key = above.pop()
                elif mark in "{[":
                    above.append(key)
            if ":" in after:
                key = token
            keys.append(key)
        return keys

    @cached_property
    def values(self) -> list[int]:
        """The positions of the tokens that are no keys."""
        return [i for i, after in enumerate(self._between[1:]) if ":" not in after]

    @cached_property
    def numbers(self) -> list[int]:
        """The positions of the tokens that are numbers."""
        return [i for i, token in enumerate(self.tokens) if token[0] in "-0123456789"]


def _narrowed(token: str) -> str:
    """Return an empty container without white space; other tokens as they are."""
    return token if token[0] not in "[{" else token[0] + token[-1]


def _interleaved(between: list[str], tokens: list[str]) -> str:
    pieces = [""] * (len(between) + len(tokens))
    pieces[::2], pieces[1::2] = between, tokens
    return "".join(pieces)


def _laid_out(between: list[str], layout: Layout) -> list[str]:
    """Return the texts between the tokens in another layout."""
    if not layout.indent:
        texts = {marks: _spaced(marks, 0, layout)[0] for marks in set(between)}
        return [texts[marks] for marks in between]
    known: dict[tuple[str, int], tuple[str, int]] = {}
    out: list[str] = []
    depth = 0
    for marks in between:
        place = marks, depth
        if place not in known:
            known[place] = _spaced(marks, depth, layout)
        text, depth = known[place]
        out.append(text)
    return out


def _spaced(marks: str, depth: int, layout: Layout) -> tuple[str, int]:
    """Return the marks between two tokens with the white space of a layout, and the depth after them."""
    text = ""
    for mark in marks:
        depth += (mark in "[{") - (mark in "]}")
        line = "\n" + layout.indent * depth if layout.indent else ""
        if mark in "[{":
            text += mark + line
        elif mark in "]}":
            text += line + mark
        elif mark == ",":
            text += layout.item + line
        elif mark == ":":
            text += layout.key
    return text, depth


def _decoded(string: str) -> str:
    text: str = json.loads(string) if "\\" in string else string[1:-1]
    return text


def _orders(node: Node) -> Iterator[Node]:
    if isinstance(node, tuple):
        for pairs in permutations(node):
            for members in product(*(list(_orders(member)) for _, member in pairs)):
                yield tuple((name, member) for (name, _), member in zip(pairs, members, strict=True))
    elif isinstance(node, list):
        yield from map(list, product(*(list(_orders(item)) for item in node)))
    else:
        yield node


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
