"""Statistics and notes about a body's bytes."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.webhooks.body.stats import BodyFacts, LineEnds, body_facts, visible


def test_the_facts_of_a_body_are_those_of_its_bytes() -> None:
    # SHA-256 of "abc": FIPS 180-4 example, as in NIST's published test values.
    expected = BodyFacts(
        length=3,
        sha256="ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        bom=False,
        line_ends=LineEnds.NONE,
        trailing_newline=False,
        utf8=True,
    )

    assert expected == body_facts(b"abc")


@pytest.mark.parametrize(
    ("body", "line_ends", "trailing_newline"),
    [
        (b"", "none", False),
        (b"a\nb", "lf", False),
        (b"a\n", "lf", True),
        (b"a\r\nb\r\n", "crlf", True),
        (b"\r\n", "crlf", True),
        (b"a\r\nb\n", "mixed", True),
        (b"a\nb\r\nc", "mixed", False),
        (b"a\rb", "mixed", False),
        (b"a\r", "mixed", True),
        (b"a\n\r", "mixed", True),
        (b"a\r\r\n", "mixed", True),
        ("a\u2028".encode(), "none", False),
    ],
)
def test_line_ends_are_distinguished(body: bytes, line_ends: str, trailing_newline: bool) -> None:
    facts = body_facts(body)

    assert (line_ends, trailing_newline) == (facts.line_ends, facts.trailing_newline)


@pytest.mark.parametrize(
    ("body", "bom", "utf8"),
    [
        (b"\xef\xbb\xbf{}", True, True),
        (b" \xef\xbb\xbf{}", False, True),
        (b"\xef\xbb\xbf\xff", True, False),
        (b"\xff\xfe{\x00}\x00", False, False),
        ("é😀".encode(), False, True),
        (b"\xed\xa0\x80", False, False),
        (b"\xc3", False, False),
    ],
)
def test_encoding_and_byte_order_mark_are_reported(body: bytes, bom: bool, utf8: bool) -> None:
    facts = body_facts(body)

    assert (bom, utf8) == (facts.bom, facts.utf8)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("v0:1:{}", "v0:1:{}"),
        ("a b", "a·b"),
        ("a\nb\r\n\tc", "a⏎\nb␍⏎\n⇥c"),
        ("\x00\x01\x1b\x1f\x7f", "␀␁␛␟␡"),
        ("é€😀", "é€😀"),
        ("\ufeffa", "⟨U+FEFF⟩a"),
        ("a\u00a0b\u2003c", "a⟨U+00A0⟩b⟨U+2003⟩c"),
        ("\u200b\u200d\u2060", "⟨U+200B⟩⟨U+200D⟩⟨U+2060⟩"),
        ("user\u202excod\u2066", "user⟨U+202E⟩xcod⟨U+2066⟩"),
        ("\u2028\u2029\x85", "⟨U+2028⟩⟨U+2029⟩⟨U+0085⟩"),
        ("❤\ufe0f\u3164\u115f\u034f\u2800\U000e0100", "❤⟨U+FE0F⟩⟨U+3164⟩⟨U+115F⟩⟨U+034F⟩⟨U+2800⟩⟨U+E0100⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\u1160\u17b4\u17b5\uffa0", "⟨U+1160⟩⟨U+17B4⟩⟨U+17B5⟩⟨U+FFA0⟩"),
        ("\u180b\u180f\ufe00\U000e01ef", "⟨U+180B⟩⟨U+180F⟩⟨U+FE00⟩⟨U+E01EF⟩"),
        ("\u180a\u1810\ufe10␠", "\u180a\u1810\ufe10␠"),
        ("\ud83d\udc7f\udd00", "⟨U+D83D⟩⟨U+DC7F⟩⟨U+DD00⟩"),
        ("\udc80\udcff", "⟨0x80⟩⟨0xFF⟩"),
        ("·⏎␍⇥␀␡⟨", "⟨U+00B7⟩⟨U+23CE⟩⟨U+240D⟩⟨U+21E5⟩⟨U+2400⟩⟨U+2421⟩⟨U+27E8⟩"),
        (b"a b\xff\xc3(", "a·b⟨0xFF⟩⟨0xC3⟩("),
        (b"\xed\xa0\x80", "⟨0xED⟩⟨0xA0⟩⟨0x80⟩"),
        ("é ".encode(), "é·"),
    ],
)
def test_nothing_in_a_shown_text_is_invisible(text: str | bytes, shown: str) -> None:
    assert (shown, False) == visible(text)


def unshow(shown: str) -> bytes:
    """The bytes that a shown text stands for, worked out from the notation alone."""

    def back(mark: re.Match[str]) -> str:
        if mark[1]:
            return chr(0xDC00 + int(mark[1], 16))
        if mark[2]:
            return chr(int(mark[2], 16))
        plain = {"·": " ", "⏎\n": "\n", "⇥": "\t", "␡": "\x7f"}
        return plain.get(mark[0]) or chr(ord(mark[0]) - 0x2400)

    text = re.sub("⟨0x([0-9A-F]{2})⟩|⟨U\\+([0-9A-F]{4,6})⟩|⏎\n|[·⇥␡␀-␟]", back, shown)
    return text.encode("utf-8", "surrogateescape")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@example("a·b ⟨U+0041⟩ ⏎\n␀\x00".encode())
@example(b"\xef\xbb\xbf\xe2\x80")
def test_different_bytes_never_look_alike(body: bytes) -> None:
    shown, cut = visible(body)

    assert (body, False) == (unshow(shown), cut)


@pytest.mark.parametrize(
    ("text", "limit", "shown", "cut"),
    [
        ("abcd", 4, "abcd", False),
        ("abcde", 4, "abcd", True),
        ("abc\n", 4, "abc", True),
        ("ab\n", 4, "ab⏎\n", False),
        ("a\ufeffb", 8, "a", True),
        ("a\ufeffb", 9, "a⟨U+FEFF⟩", True),
        ("", 0, "", False),
        ("a", 0, "", True),
    ],
)
def test_a_long_text_is_cut_between_two_marks(text: str, limit: int, shown: str, cut: bool) -> None:
    assert (shown, cut) == visible(text, limit=limit) == visible(text.encode(), limit=limit)


def test_four_thousand_characters_are_shown_by_default() -> None:
    assert ("x" * 4000, False) == visible("x" * 4000)
    assert ("x" * 4000, True) == visible(b"x" * 1_000_000)


@given(st.text(), st.integers(0, 30))
def test_the_cut_of_bytes_is_the_cut_of_their_text(text: str, limit: int) -> None:
    assert visible(text, limit=limit) == visible(text.encode(), limit=limit)


def test_a_character_split_by_the_cut_does_not_show() -> None:
    assert ("😀" * 10, True) == visible(("😀" * 10 + "x" + "😀" * 10).encode(), limit=10)
