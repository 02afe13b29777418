"""JSON bodies are accepted just where a strict reader accepts them, whatever they hold and however large."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.webhooks.body import json_scanner
from hook_widgets.webhooks.body.json_edit import problems
from hook_widgets.webhooks.body.json_scanner import ProblemLevel
from tests.support.extent import extent
from tests.support.json_bodies import BOM, bodies
from tests.support.work import grows_linearly, never_backtracks

FRAGMENTS = [
    *(
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b" ",
        b"\n",
        b"\t",
        b"\x00",
        b"\x1f",
        b"\x7f",
        b"'",
        b"/**/",
    ),
    *(b"NaN", b"Infinity", b"-", b"+", b"0", b"1", b".", b"e5", b"E", b"true", b"null", b"None", b'"a":1,'),
    *(b"\\ud800", b"\\udc00", b"\\u0041", b"\\x41", b"\xff", b"\xc3", b"\xc2\xa0", b"\xe2\x80\xa8", BOM),
]


@st.composite
def damaged_bodies(draw: st.DrawFn) -> bytes:
    """JSON with a few random edits, most of which break it."""
    body = draw(bodies())
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(body)))
        end = draw(st.integers(start, min(start + 4, len(body))))
        body = body[:start] + draw(st.sampled_from([b"", body[start : start + 9], *FRAGMENTS])) + body[end:]
    return body


def strict_python_refuses(body: bytes) -> bool:
    """Return True if Python's own reader, with its leniency switched off, rejects the body."""

    def constant(name: str) -> object:
        raise ValueError(name)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    try:
        # `loads` refuses a leading BOM in a str, and "utf-8" refuses raw surrogates.
        value = json.loads(body.decode("utf-8"), parse_constant=constant, object_pairs_hook=unique)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return True
    return False


def has_error(body: bytes) -> bool:
    return any(problem.level is ProblemLevel.ERROR for problem in problems(body))


@given(bodies())
def test_what_serialisers_write_has_no_error(body: bytes) -> None:
    assert [] == [problem for problem in problems(body) if problem.level is ProblemLevel.ERROR]


@given(damaged_bodies())
@example(rb'{"a": 1, "\u0061": 2}')
@example(rb'"\ud800"')
@example(BOM + b"1")
@example(b"1 \x00")
def test_an_error_is_reported_exactly_when_a_strict_reader_rejects(body: bytes) -> None:
    assert strict_python_refuses(body) == has_error(body)


@pytest.mark.parametrize(
    ("pieces", "length"),
    [
        (["{", "}", "[", "]", ",", ":", '"a"', "1"], extent(4, 5)),
        (["0", "1", "-", "+", ".", "e", "E", " ", "[", "]", "true", "1" * 16], 4),
        (['"', "\\", "u", "dc00", "00e9", "n", "\n"], extent(4, 5)),
    ],
)
def test_every_short_text_is_judged_as_a_strict_reader_judges_it(pieces: list[str], length: int) -> None:
    texts = (
        "".join(chosen).encode() for n in range(length + 1) for chosen in itertools.product(pieces, repeat=n)
    )

    assert [] == [text for text in texts if strict_python_refuses(text) != has_error(text)]


@given(st.binary() | damaged_bodies().map(lambda body: body[: len(body) // 2]))
def test_any_bytes_are_judged_without_an_exception(body: bytes) -> None:
    result = problems(body)

    assert sorted(result, key=lambda problem: problem.offset) == list(result)
    assert all(
        0 <= problem.offset <= len(body) and problem.line >= 1 and problem.column >= 1 for problem in result
    )


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "brackets": lambda n: b"[" * n,
    "arrays": lambda n: b"[" + b"[]," * n + b"1]",
    "backslashes": lambda n: b'"' + b"\\\\" * n,
    "numbers": lambda n: b"[" + b"1," * n + b"x",
    "digits": lambda n: b"1" * n,
    "duplicates": lambda n: b"{" + b'"a":1,' * n + b"}",
    "pairs": lambda n: ("{" + "".join(f'"é{k}":1,' for k in range(n)) * 2 + "}").encode(),
    "warnings": lambda n: b'{"n": [' + b"1e999," * n + b"]}",
    "surrogates": lambda n: b'"' + rb"\ud800" * n + b'"',
    "spaces": lambda n: b" " * n,
    "word": lambda n: b"{" + b"a" * n,
}


@pytest.mark.parametrize("form", HOSTILE)
def test_the_work_for_a_hostile_body_grows_as_its_length(form: str) -> None:
    grows_linearly(lambda count: problems(HOSTILE[form](count)), 1_000)


@pytest.mark.parametrize("expression", [json_scanner._TOKEN, json_scanner._MORE_PLAIN_ITEMS])
def test_the_expressions_of_the_scanner_never_backtrack(expression: re.Pattern[bytes]) -> None:
    assert never_backtracks(expression)


@pytest.mark.parametrize("form", ["brackets", "backslashes", "numbers", "digits", "spaces", "word"])
def test_a_hostile_megabyte_that_is_read_in_c_is_judged(form: str) -> None:
    body = HOSTILE[form](1_000_000)

    assert problems(body)
