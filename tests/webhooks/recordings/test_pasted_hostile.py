"""Texts made to keep the reader busy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers, Secret, diagnose, verify
from hook_widgets.webhooks.recordings import read_recording
from tests.support.extent import extent, some
from tests.support.work import at_most_lines

PIECES = [
    "a headers: {",
    "[INFO] a-b: c\n",
    "INFO:root:a: b: c: ",
    "1.1.1",
    "headers: {a=[",
    "request [POST /h, headers=[",
    "2026-09-01T12:00:00Z a[b]: ",
    "Header: a = ",
    "| ",
    "< POST /h HTTP/1.1\n< ",
    "POST https://a: {",
    '"timestamp","message"\n"1","',
    "irm x @{a=(",
    "wget a ",
    "http a:=[",
    "1. ",
    "a | ",
    "`",
    "**a:**",
    "> ",
    "[a]  a-b: c\n",
    "[h2] [",
    "2026-09-01T12:00:00Z ",
    "-H 'a: ",
    "- name: ",
    "a=",
    "^",
    "▼",
    "AnyHashable(",
    "Map(a -> ",
    "[a=[",
    "[",
    "{",
    "(",
    "<",
    '<<"',
    "\\",
    "'",
    '"',
    "`",
    "'a' ",
    "'a' + ",
    "('a' ",
    "[('a-b','c'),",
    "{'a-b': 'c', ",
    "['a'] =>",
    "[Symbol(a)]:",
    "Map(2) {",
    "array:2 [",
    'string(9) "',
    "<a (",
    "#<a ",
    "map[",
    "map[a-b:[c] ",
    "{a-b=[c], ",
    "x a-b=",
    "new ",
    "a: {\n",
    "a-b: c\n",
    "a-b: c\r",
    "a-b\n",
    "a-b\tc\n",
    "| a-b | c |\n",
    "- a-b: c\n",
    "[a-b, c]\n",
    "    [a-b] => Array\n        (\n",
    "> a-b: c\n",
    "> GET / HTTP/1.1\n",
    "=> Send header\n0000: a-b: c\n",
    "   a-b: c\\r\\n\n",
    "a-b: c\\r\\n",
    "send: b'a'\n",
    "HTTP_A=b\n",
    "\n",
    "\r\n",
    " ",
    "\u200b",
    "“",
    "-",
    "=",
    "::",
    "curl -H 'a-b: c' ",
    "[a] [b] 'c': 'd',\n",
    "[a] [b] 'c': ",
    "$(printf a)",
    '"$(cat <<E\n',
    "\n -k",
    "a&http://b\n",
    "'a-b': 'c' + d",
    " // a\n",
    "a.post('http://b', ",
]
BEFORE = [
    "",
    "{'a-b': '",
    "x-a: b\n",
    "x = {",
    "POST / HTTP/1.1\n",
    "curl ",
    "Array\n(\n    [a] => b\n",
    "> ",
    "<Headers (",
]


def error_of(action: Callable[[], object]) -> str | None:
    """Return the message of the reader's error; None if there is none."""
    try:
        action()
    except InvalidArgument as error:
        return str(error)
    return None


@pytest.mark.parametrize("piece", some(PIECES, 12))
def test_the_work_for_a_text_grows_as_its_length_at_most(piece):
    for before in BEFORE:
        text = before + piece * 1_000

        with at_most_lines(50 * len(text) + 20_000):
            error_of(partial(read_recording, text))


@pytest.mark.parametrize("piece", some(PIECES[1:], 12))
@pytest.mark.parametrize("before", extent([""], ["", "{'a-b': '", "x-a: b\n"]))
def test_the_longest_text_of_one_piece_is_read_or_rejected(before, piece):
    text = before + piece * ((1_400_000 - len(before)) // len(piece.encode()))

    assert "; " in (error_of(lambda: read_recording(text)) or "; ")


@pytest.mark.parametrize("end", ["x", "### b\n"])
@pytest.mark.parametrize("blank", ["\n", "\r\n"])
def test_any_number_of_blank_lines_in_a_file_of_an_editor_is_read(blank, end):
    """A search for the next request that began at each of them would not end."""
    (exchange,) = read_recording("### a\nPOST /h HTTP/1.1\nA: b\n\n{}" + blank * 500_000 + end).exchanges

    assert (b"{}" if end == "### b\n" else b"{}" + blank.encode() * 500_000 + b"x") == exchange.request.body


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "{" * 200_000,
        "a-b: c\n" * 1_000_000,
        "\\" * 4_000_000,
        "'" + "a" * 3_000_000,
        '{"a":' * 200_000,
        "POST \x1f\x08 HTTP/1.1\nHost: a\nContent-Length: 3\n{}\n\n",
    ],
    ids=["brackets", "braces", "lines", "backslashes", "open quote", "members", "request line"],
)
def test_every_entrance_ends_with_one_clear_error(text):
    secret = Secret("an example secret")
    for action in (
        lambda: read_recording(text),
        lambda: Headers.from_text(text),
        lambda: verify("github", text, secret),
        lambda: verify("github", headers=text, body=b"", secret=secret),
        lambda: diagnose("github", text, secret),
    ):
        with pytest.raises(InvalidArgument, match="; "):
            action()


def _deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def _cycle() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["headers"] = value
    return value


@pytest.mark.parametrize(
    "argument",
    [
        _deep(200_000),
        _cycle(),
        [("a-b", "c", "d")] * 100_000,
        [{"name": "a-b", "value": "c"}] * 100_000,
        {f"a-{n}": ["b"] for n in range(100_000)},
        {"a-b": ["c"] * 100_000},
        [b"a-b"] * 100_000,
    ],
    ids=["deep", "cycle", "triples", "objects", "members", "values", "bytes"],
)
def test_arguments_of_any_size_and_depth_end_with_one_clear_error(argument):
    for action in (
        lambda: verify("github", headers=argument, body=b"", secret=Secret("s")),
        lambda: diagnose("github", argument, Secret("s")),
    ):
        with pytest.raises(InvalidArgument, match="; "):
            action()


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.sampled_from([*PIECES, *BEFORE, "x", "sha256=00", ", ", "}", "]", ")", ">", "=>", ": "]),
        max_size=12,
    )
)
@example(["{", "'", "x", "'", "=>", "}"])
def test_any_mixture_gives_a_recording_or_one_of_our_errors(pieces):
    assert "; " in (error_of(lambda: read_recording("".join(pieces))) or "; ")


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text(max_size=8) | st.just("headers"), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_any_value_gives_a_verdict_or_one_of_our_errors(value):
    secret = Secret("an example secret")

    assert "; " in (error_of(lambda: verify("github", value, secret)) or "; ")
    assert "; " in (error_of(lambda: verify("github", headers=value, body=b"", secret=secret)) or "; ")
