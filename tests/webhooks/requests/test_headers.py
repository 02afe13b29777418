from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers, check_header


def test_headers_keep_order_case_and_repeats_and_are_found_without_case():
    headers = Headers([("B", "1"), ("a", "2"), ("b", "3")])

    assert "1" == headers["b"]
    assert ["1", "3"] == headers.get_list("B")
    assert ["B", "a", "b"] == list(headers)
    assert "A" in headers
    assert "c" not in headers
    assert None is headers.get("c")


def test_headers_are_read_from_what_curl_prints():
    text = "> POST /hook HTTP/1.1\n> Host: example.test\n> X-A: b: c\n>\n\n"

    headers = Headers.from_text(text)
    assert [("Host", "example.test"), ("X-A", "b: c")] == headers.multi_items()


def test_a_line_that_is_no_header_is_named_by_its_number():
    with pytest.raises(InvalidArgument, match="line 2"):
        Headers.from_text("A: b\nnonsense\n")


@given(st.text())
def test_pasted_text_gives_headers_or_one_clear_error(text):
    said = "read; nothing to say"
    try:
        Headers.from_text(text)
    except InvalidArgument as error:
        said = str(error)

    assert re.match(r"[^;]+; \S", said)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("", "x", "not a header name"),
        ("X Y", "x", "not a header name"),
        ("X:", "x", "not a header name"),
        ("X-É", "x", "not a header name"),
        ("X", "a\r\nY: b", "position 2"),
        ("X", "snow ☃", "position 6"),
        ("X", "a\0", "position 2"),
        ("X", " a", "begins or ends"),
        ("Content-Length", "3", "set when the request is sent"),
        ("transfer-encoding", "chunked", "set when the request is sent"),
        ("X", 3, "must be text"),
    ],
)
def test_a_header_that_cannot_be_sent_says_why(name, value, reason):
    with pytest.raises(InvalidArgument, match=reason):
        check_header(name, value)
