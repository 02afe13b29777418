"""JSON bodies as text: report errors, change white space and locate values.

Bodies are never re-serialized: a number keeps its spelling, a string its escapes, an object its order and
its duplicate keys. Exactly the bytes that the user typed are signed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from hook_widgets.errors import InvalidJson
from hook_widgets.webhooks.body.json_scanner import BOM, JsonProblem, scan

# Used only on texts that a parser has accepted, so they need not be strict.
TOKEN = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"|[{}\[\],:]|[^ \t\n\r{}\[\],:"]++')
_TOKEN = re.compile(TOKEN.pattern.encode())
_OPENERS = (b"{", b"[")
_CLOSERS = (b"}", b"]")


def problems(body: bytes) -> tuple[JsonProblem, ...]:
    """Return the problems of a JSON body, in reading order; empty if a strict parser accepts it.

    The first violation of the grammar (RFC 8259) ends the list. Before it come the problems that leave the
    text readable: errors for a byte order mark, a duplicate key or half a surrogate pair (parsers reject
    these or disagree on them), warnings for numbers that a double cannot represent. At most 50 problems are
    listed, errors in preference to warnings. Nesting deeper than 512 and bytes that are not UTF-8 end the
    list like a violation.

    >>> [(p.line, p.column, p.message) for p in problems(b'{"a": 1,}')]
    [(1, 8, 'JSON allows no comma after the last member of an object; remove this one')]
    """
    return scan(body).problems


def format_json(body: bytes) -> bytes:
    r"""Return the body with one member or item per line, changing only the white space between tokens.

    Lines end with CRLF if all line ends of the body are CRLF, otherwise with LF. The result ends with a line
    end only if the body does, and with the same one. A byte order mark is kept.

    Args:
        body: the JSON text; duplicate keys and similar problems are ignored.

    Raises:
        InvalidJson: the body is not JSON; `.problems` says where and why.

    >>> format_json(b'{"n":1.50,"n":[]}\n')
    b'{\n  "n": 1.50,\n  "n": []\n}\n'
    """
    newline = "\r\n" if 0 < body.count(b"\n") == body.count(b"\r\n") == body.count(b"\r") else "\n"
    text = indented(_tokens(body), "  ", colon=": ", newline=newline)
    return _bom(body) + text.encode() + _final_newline(body)


def indented(tokens: Iterable[str], indent: str, *, colon: str, newline: str = "\n") -> str:
    """Write the tokens of a JSON text with one member or item per line.

    Args:
        tokens: the tokens, without white space between them.
        indent: the indent of each level.
        colon: the separator of a key and its value.
        newline: the end of a line.
    """
    pieces: list[str] = []
    line = newline
    before = ""
    for token in tokens:
        if token in ("}", "]"):
            line = line[: -len(indent)]
            if before not in ("{", "["):
                pieces.append(line)
        elif before in ("{", "["):
            pieces.append(line)
        pieces.append(colon if token == ":" else token)
        if token in ("{", "["):
            line += indent
        elif token == ",":
            pieces.append(line)
        before = token
    return "".join(pieces)


def minify_json(body: bytes) -> bytes:
    r"""Return the body without white space between tokens; a final line end and a byte order mark are kept.

    Raises:
        InvalidJson: the body is not JSON; `.problems` says where and why.

    >>> minify_json(b'{ "n": 1.50 }\r\n')
    b'{"n":1.50}\r\n'
    """
    return _bom(body) + "".join(_tokens(body)).encode() + _final_newline(body)


def span(body: bytes, path: str) -> tuple[int, int] | None:
    """Return the start and end byte offsets of the value at a dotted path, None if there is no such value.

    Replacing the bytes in that span changes only this value. Of duplicate keys the last one counts, as in
    most parsers. A key that contains a dot cannot be addressed.

    Args:
        body: the JSON text.
        path: keys and array indices joined by dots (``items.0.id``); "" is the top-level value.

    Raises:
        InvalidJson: the body is not JSON; `.problems` says where and why.

    >>> span(b'{"signature": {"token": "abc"}}', "signature.token")
    (24, 29)
    """
    tokens, ends = _outline(body)
    index = 0
    for segment in path.split(".") if path else ():
        # `dict` keeps the last of duplicate keys.
        child = dict(_children(tokens, ends, index)).get(segment)
        if child is None:
            return None
        index = child
    return tokens[index].start(), tokens[ends[index]].end()


def _tokens(body: bytes) -> list[str]:
    _check(body)
    return TOKEN.findall(body.decode("utf-8-sig"))


@lru_cache(maxsize=1)  # many values are read from the same body in succession
def _outline(body: bytes) -> tuple[Sequence[re.Match[bytes]], Sequence[int]]:
    """Return the tokens of a body, and for each one the index of the last token of the value it begins."""
    _check(body)
    tokens = tuple(_TOKEN.finditer(body, len(_bom(body))))
    ends, begun = list(range(len(tokens))), list[int]()
    for index, token in enumerate(tokens):
        if token[0] in _OPENERS:
            begun.append(index)
        elif token[0] in _CLOSERS:
            ends[begun.pop()] = index
    return tokens, ends


def _check(body: bytes) -> None:
    result = scan(body)
    if not result.complete:
        last = result.problems[-1]
        raise InvalidJson(
            f"the body is not JSON at line {last.line}, column {last.column}: {last.message}",
            problems=result.problems,
        )


def _children(
    tokens: Sequence[re.Match[bytes]], ends: Sequence[int], index: int
) -> Iterator[tuple[str, int]]:
    """Yield the name (key or position) and token index of each direct child of the value at `index`."""
    is_object = tokens[index][0] == b"{"
    if tokens[index][0] not in _OPENERS:
        return
    index += 1
    position = 0
    while tokens[index][0] not in _CLOSERS:
        name = str(position)
        if is_object:
            name = json.loads(tokens[index][0].decode())
            index += 2
        yield name, index
        index = ends[index] + 1
        position += 1
        if tokens[index][0] == b",":
            index += 1


def _bom(body: bytes) -> bytes:
    return BOM if body.startswith(BOM) else b""


def _final_newline(body: bytes) -> bytes:
    return next((end for end in (b"\r\n", b"\n", b"\r") if body.endswith(end)), b"")
