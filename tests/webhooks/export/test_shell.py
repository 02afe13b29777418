"""Words of bash: whatever goes in comes out of a real bash, byte for byte."""

from __future__ import annotations

import subprocess
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hook_widgets.webhooks.export.shell import Variable, quote, word, write
from tests.support.extent import extent

HOSTILE = [
    "",
    "it's",
    "''",
    '"double"',
    "$HOME ${HOME} $(id) `id`",
    "back\\slash \\n \\' \\",
    "!! !$ !-1",
    "%s %n %%",
    "line\nfeed\n",
    "\r\n\r\n",
    "tab\tbell\a\x1b[31m",
    "-n",
    "*?[a-z]{a,b}~ #;&|<>()",
    "\N{ROCKET} \N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER} é \N{NO-BREAK SPACE}",
    "\N{ZERO WIDTH NO-BREAK SPACE}{}",
    "\N{RIGHT-TO-LEFT OVERRIDE}txt.exe",
    "\x85\u2028\u2029",
    "\x7f\x01\x019",
]


def bash(script: str, **environment: str) -> bytes:
    done = subprocess.run(
        ["bash", "--noprofile", "--norc"],
        input=script.encode(),
        env=environment,
        capture_output=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_hostile_text_survives_quoting(locale):
    words = " ".join(quote(text) for text in HOSTILE)
    assert bash(f"printf '%s\\0' {words}", LC_ALL=locale).split(b"\0")[:-1] == [t.encode() for t in HOSTILE]


_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@settings(max_examples=extent(20, 240))
@given(st.lists(_TEXT, min_size=1, max_size=20))
def test_any_text_survives_quoting(texts):
    words = " ".join(quote(text) for text in texts)
    assert bash(f"printf '%s\\0' {words}").split(b"\0")[:-1] == [text.encode() for text in texts]


@given(_TEXT)
def test_a_quoted_word_shows_every_character_it_holds(text):
    invisible = {"Cc", "Cf", "Zl", "Zp", "Cn", "Co"}
    shown = quote(text).replace("\n", "")
    assert [char for char in shown if char != " " and unicodedata.category(char) in {*invisible, "Zs"}] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "''"),
        ('{"a": 1}', """'{"a": 1}'"""),
        ("it's", r"'it'\''s'"),
        ("two\nlines", "'two\nlines'"),
        ("[]\r\n", "'[]'$'\\r''\n'"),
        ("a\tb", "'a'$'\\t''b'"),
        ("\ufeff{}", "$'\\xef\\xbb\\xbf''{}'"),
        ("café \N{ROCKET}", "'café \N{ROCKET}'"),
    ],
)
def test_quoted_text_stays_readable(text, expected):
    assert quote(text) == expected


@settings(max_examples=extent(20, 240))
@given(
    st.lists(st.binary(max_size=40) | st.just(Variable("value")) | _TEXT.map(str.encode), max_size=8), _TEXT
)
@example([b"a\0b", Variable("value"), b"\xff"], "$x")
@example([Variable("value"), Variable("value")], "'")
@example([], "")
def test_any_bytes_and_variables_are_written_as_they_are(pieces, value):
    expected = b"".join(value.encode() if isinstance(piece, Variable) else piece for piece in pieces)
    assert bash(write(pieces), value=value, PATH="/usr/bin:/bin") == expected


def test_a_word_with_variables_is_readable_when_its_text_is_plain():
    assert (
        word([b"t=", Variable("timestamp"), b",v1=", Variable("signature")])
        == '"t=${timestamp},v1=${signature}"'
    )


def test_a_word_with_variables_is_exact_when_its_text_is_not_plain():
    assert word([b'{"sign":"', Variable("signature"), b'"}']) == """'{"sign":"'"${signature}"'"}'"""


def test_a_mebibyte_is_written_without_a_limit():
    data = (b"0123456789'$\n" * 90000)[: 1024 * 1024]
    assert bash(write([data])) == data
