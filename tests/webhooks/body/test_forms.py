"""Form bodies: read exactly, written by the standard, sorted as Twilio signs them."""

from __future__ import annotations

import base64
import hashlib
import hmac
from urllib.parse import unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument, UnreadableMessage
from hook_widgets.webhooks.body.forms import encode_form, parse_form, sorted_form
from tests.support.work import at_most_lines

params = st.lists(st.tuples(st.text(), st.text()))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", []),
        (b"a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]),
        (b"a=&b&=c", [("a", ""), ("b", ""), ("", "c")]),
        (b"&&a=1&", [("a", "1")]),
        (b"a=b=c", [("a", "b=c")]),
        (b"a+b=c+d%2B%20e", [("a b", "c d+ e")]),
        (b"%61%3D=%26", [("a=", "&")]),
        (b"a=%F0%9f%98%80", [("a", "😀")]),
        ("a=é".encode(), [("a", "é")]),
        (b"a=100%&b=%4&c=%zz&d=%%41", [("a", "100%"), ("b", "%4"), ("c", "%zz"), ("d", "%A")]),
        (b"a=1;b=2\r\n", [("a", "1;b=2\r\n")]),
        (b"a=%EF%BB%BFx%00", [("a", "\ufeffx\x00")]),
    ],
)
def test_a_body_is_read_as_the_url_standard_reads_it(body: bytes, expected: list[tuple[str, str]]) -> None:
    assert expected == parse_form(body)


@pytest.mark.parametrize(
    "text", ["", "\\", "\\x41", "\\u0041\n", "%", "%4", "%%41", "%5Cx41", "%25", "%2541", "é\\N"]
)
def test_many_escapes_are_read_as_few(text: str) -> None:
    body = (text + "%C3%A9" * 100 + text).encode()

    assert [("a", unquote_plus(body.decode()))] == parse_form(b"a=" + body)


def test_the_work_for_escapes_does_not_grow_with_their_number() -> None:
    with at_most_lines(1_000):
        parse_form(b"a=" + b"%C3%A9" * 10_000)


@pytest.mark.parametrize(
    ("body", "number", "byte", "offset"),
    [
        (b"a=%FF", 1, "FF", 2),
        (b"a=1&&name=caf%E9+x", 2, "E9", 13),
        (b"a=1&%c3%28=1", 2, "C3", 4),
        (b"a=\xc3", 1, "C3", 2),
        (b"a=%ED%A0%80", 1, "ED", 2),
        (b"a=%C3%A9%41%z\xfe", 1, "FE", 13),
    ],
)
def test_text_that_is_not_utf8_is_rejected_with_its_place(
    body: bytes, number: int, byte: str, offset: int
) -> None:
    expected = f"form parameter {number} is not UTF-8: byte 0x{byte} at offset {offset} of the body"
    for read in (parse_form, sorted_form):
        with pytest.raises(UnreadableMessage) as caught:
            read(body)
        assert expected in str(caught.value)


def test_a_body_is_written_with_the_url_standards_set_of_plain_characters() -> None:
    plain = "*-._09AZaz"

    assert b"*-._09AZaz=+%7E%21%27%28%29%2B%2F%25%26%3D%C3%A9%0A" == encode_form([(plain, " ~!'()+/%&=é\n")])


def test_repeated_and_empty_parameters_keep_their_order_when_written() -> None:
    assert b"b=1&a=&b=1&=" == encode_form([("b", "1"), ("a", ""), ("b", "1"), ("", "")])


def test_half_a_surrogate_pair_cannot_be_written() -> None:
    with pytest.raises(InvalidArgument, match=r"U\+D83D at position 1"):
        encode_form([("a", "x\ud83d")])


@given(params)
def test_what_is_written_is_read_back(pairs: list[tuple[str, str]]) -> None:
    assert pairs == parse_form(encode_form(pairs))


@given(st.binary())
def test_any_bytes_are_read_or_rejected_as_an_invalid_request(body: bytes) -> None:
    try:
        pairs = parse_form(body)
    except UnreadableMessage:
        return

    assert pairs == parse_form(encode_form(pairs))


# Source: twilio/twilio-python, tests/unit/test_request_validator.py; the first is the example of Twilio's
# security guide (twilio.com/docs/usage/security). The auth token of all of them is "12345".
VECTORS = [
    (
        "https://mycompany.com/myapp.php?foo=1&bar=2",
        b"CallSid=CA1234567890ABCDE&Caller=%2B12349013030&Digits=1234&From=%2B12349013030&To=%2B18005551212",
        "0/KCTR6DLpKmkAf8muzZqo1nDgQ=",
    ),
    (
        "https://mycompany.com/myapp.php?foo=1&bar=2",
        b"CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212",
        "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
    ),
    (
        "http://mycompany.com:1234/myapp.php?foo=1&bar=2",
        b"CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212",
        "Zmvh+3yNM1Phv2jhDCwEM3q5ebU=",
    ),
    (
        "https://mycompany.com/myapp.php?foo=1&bar=2",
        b"Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234",
        "IK+Dwps556ElfBT0I3Rgjkr1wJU=",
    ),
]


@pytest.mark.parametrize(("url", "body", "signature"), VECTORS)
def test_the_sorted_form_is_what_twilio_signs(url: str, body: bytes, signature: str) -> None:
    digest = hmac.digest(b"12345", url.encode() + sorted_form(body), hashlib.sha1)

    assert signature == base64.b64encode(digest).decode()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", ""),
        (b"b=2&a=1", "a1b2"),
        (b"a=2&a=10&a=2&a=", "aa10a2"),
        (b"a=1&B=2&A=3", "A3B2a1"),
        (b"Sid=1&SidAccount=2&Si=3", "Si3Sid1SidAccount2"),
        (b"a=x&ab=&a=b", "abaxab"),
        # By code point U+FF21 comes before U+1F600; by UTF-16 unit it would come after.
        ("\U0001f600=1&\uff21=2&é=3".encode(), "é3\uff212\U0001f6001"),
    ],
)
def test_names_are_sorted_by_code_point_and_values_are_distinct(body: bytes, expected: str) -> None:
    assert expected.encode() == sorted_form(body)
