"""Test field lines and quoted strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidNotice, excerpt
from hook_widgets.versioning.notices.header_fields import lines_of, only_line, quote, unquote

printable = st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)])


@given(printable)
def test_a_quoted_text_means_itself(text):
    assert text == unquote(quote("Link", "title", text))


def test_the_place_of_a_control_character_is_reported():
    with pytest.raises(InvalidNotice, match=r"Link has the control character '\\n' at character 3") as caught:
        lines_of("Link", ["ok\t", "ab\ncd"])

    assert "link" == caught.value.field


def test_a_single_field_has_one_line():
    assert "a" == only_line("Sunset", iter(["a"]))
    with pytest.raises(InvalidNotice, match="is missing"):
        only_line("Sunset", [])
    with pytest.raises(InvalidNotice, match="sent 2 times"):
        only_line("Sunset", ["a", "a"])


@pytest.mark.parametrize("value", [None, 1, b"a", bytearray(b"a"), ["a", None], [b"a"]])
def test_only_text_is_taken(value):
    with pytest.raises(InvalidNotice, match="must be read from text, not"):
        lines_of("Sunset", value)


def test_what_others_sent_is_shown_shortened_and_escaped():
    assert r"'a\r\nb'" == excerpt("a\r\nb")
    assert 43 == len(excerpt("x" * 10_000))
