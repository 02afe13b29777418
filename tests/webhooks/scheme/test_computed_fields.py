"""Fields worked out from a request: each rule against a value from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest
from pydantic import TypeAdapter, ValidationError

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks import Headers, ReceivedRequest, Secret, verify
from hook_widgets.webhooks.scheme.computed_fields import Derived
from hook_widgets.webhooks.scheme.fields import BUILT_IN, Fields

RULE = TypeAdapter(Derived)
URL = "https://hooks.example.test:8443/a%20b?b=2&a=1&b=1"


def worked_out(rule: Mapping[str, object], body: bytes = b"", url: str = URL, **headers: str) -> bytes | str:
    spec = RULE.validate_json(json.dumps(rule))
    fields = Fields({"body": body, "url": url, "method": "POST", "id": "7"}, BUILT_IN)
    return spec.derive(fields, headers.get, "")


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # the check value of CRC-32/ISO-HDLC (catalogue of parametrised CRC algorithms) is 0xCBF43926
        ({"hash": "crc32", "of": "{body}", "write": "decimal"}, "3421780262"),
        ({"hash": "crc32", "of": "{body}"}, "cbf43926"),
        # md5sum, sha1sum, sha256sum and openssl base64 of the same nine digits
        ({"hash": "md5", "of": "{body}"}, "25f9e794323b453885f5181f1b624d0b"),
        ({"hash": "sha1", "of": "{body}"}, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
        (
            {"hash": "sha256", "of": "{body}", "write": "base64"},
            "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=",
        ),
        (
            {"hash": "sha256", "of": "{body}", "write": "base64url"},
            "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU",
        ),
    ],
)
def test_a_hash_is_the_published_one(rule, expected):
    assert expected == worked_out(rule, b"123456789")


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"text": "{id}-{method}"}, {"id", "method"}),
        ({"when_query": "&"}, {"query"}),
        ({"when_query": "&", "and_form": True}, {"query", "sorted_form"}),
        ({"time": "iso8601"}, {"timestamp"}),
        ({"json": "a"}, {"unsigned_body"}),
    ],
)
def test_a_field_depends_on_what_it_is_computed_from_and_on_nothing_else(rule, expected):
    assert expected == RULE.validate_json(json.dumps(rule)).sources


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("path", "/a%20b"),
        ("query", "b=2&a=1&b=1"),
        ("path_and_query", "/a%20b?b=2&a=1&b=1"),
        ("sorted_query", "a=1&b=1&b=2"),
        ("decoded_query", "a=1&b=1&b=2"),
        ("url_base", "https://hooks.example.test:8443/a%20b"),
        ("host", "hooks.example.test:8443"),
        # encodeURI("/a%20b?" + querystring.escape("b=2&a=1&b=1")) in Node 20
        ("path_with_escaped_query", "/a%2520b?b%253D2%2526a%253D1%2526b%253D1"),
    ],
)
def test_the_parts_of_the_url(name, expected):
    assert expected == worked_out({"text": f"{{{name}}}"}).decode()  # type: ignore[union-attr]


@pytest.mark.parametrize(("url", "expected"), [(URL, "."), ("https://hooks.example.test/", "")])
def test_text_that_depends_on_a_query(url, expected):
    assert expected == worked_out({"when_query": "."}, url=url)


@pytest.mark.parametrize(
    ("url", "body", "expected"),
    [(URL, b"a=1", "."), (URL, b"", ""), ("https://hooks.example.test/", b"a=1", "")],
)
def test_text_that_depends_on_a_query_and_a_form(url, body, expected):
    assert expected == worked_out({"when_query": ".", "and_form": True}, body, url=url)


# plivo/plivo-go, utils_test.go: two requests with GET, whose parameters are in the query
PLIVO = {
    "Direction": "outbound", "From": "19792014278", "ALegUUID": "3e82ae9d-2c78-4d85-b1a4-6eae7dbafb36",
    "CallStatus": "in-progress", "BillRate": "0.002", "ParentAuthID": "MANWVLYTK4ZWU1YTY4QA",
    "To": "sip:PlivoSignature382029104058171078704104@phone-qa.voice.plivodev.com",
    "ALegRequestUUID": "3e82ae9d-2c78-4d85-b1a4-6eae7dbafb36",
    "CallUUID": "3e82ae9d-2c78-4d85-b1a4-6eae7dbafb36",
    "RequestUUID": "3e82ae9d-2c78-4d85-b1a4-6eae7dbafb36",
    "SIP-H-To": "<sip:PlivoSignature382029104058171078704104@52.9.11.55;transport=udp>;tag=1",
    "SessionStart": "2020-04-08 11:34:33.238707", "Event": "StartApp",
}  # fmt: skip


@pytest.mark.parametrize(
    ("query", "signature"),
    [
        ("/?a=b&c=d&", "UBq8jAtd32wR8EK9VgxbBn4n5rpI/l1H9iN4WfSEHFQ="),
        ("?", "i/MQsaQSAd6fiKhOh2qeeeLHZ9faldADSb3/7+Akfbc="),
    ],
)
def test_a_request_without_a_body_has_its_parameters_in_the_query(query, signature):
    url = f"https://plivobin.non-prod.plivops.com/api/v1/validate_signature03.xml{query}{urlencode(PLIVO)}"
    headers = {"X-Plivo-Signature-V3": signature, "X-Plivo-Signature-V3-Nonce": "31627761595286130198"}
    request = ReceivedRequest(Headers(headers), b"", url, "GET")

    assert verify("plivo", request, Secret("Y2Q2ZDgxZmY5YWRiOTI5YmQ1Njg0MTAxZWIyOTc4")).ok


def test_lines_name_the_members_that_are_there_in_the_order_of_the_rule():
    body = b'{"Type": "Note", "Message": "a\\nb", "Subject": null, "Count": 2}'

    assert "Count\n2\nMessage\na\nb\nType\nNote\n" == worked_out(
        {"lines": ("Count", "Message", "Subject", "Type")}, body
    )


def test_canonical_headers_are_lower_case_sorted_and_trimmed():
    listed: dict[str, Any] = {"x-signed": "X-B, x-a,x-signed", "X-B": " two ", "x-a": "1"}

    assert "x-a:1;x-b:two;x-signed:X-B, x-a,x-signed" == worked_out(
        {"signed_headers": "x-signed"},
        **{**listed, "x-b": " two "},
    )


def test_a_token_is_the_signing_input_of_rfc_7515():
    # the claims of RFC 7519 section 3.1, compact, as most libraries write them
    rule = {
        "jwt": {
            "header": {"alg": "HS256", "typ": "JWT"},
            "claims": {"iss": "joe", "exp": {"number": "{id}", "plus_s": 1300819373}},
        }
    }

    assert "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJqb2UiLCJleHAiOjEzMDA4MTkzODB9" == worked_out(rule)


@pytest.mark.parametrize(
    ("rule", "body", "words"),
    [
        ({"json": "a.b"}, b'{"a": {}}', "the body has no 'a.b'"),
        ({"json": "a"}, b"{", "the JSON body is needed"),
        ({"form": "p"}, b"q=1", "no parameter 'p'"),
        ({"form": "p"}, b"p=1&p=2", "form field 'p' twice"),
        ({"form": "p"}, b"p=%ff", "not UTF-8"),
        ({"json": "a"}, rb'{"a": "\ud800"}', "half of a surrogate pair"),
        ({"time": "http-date"}, b"", "nothing in the request says its time"),
        ({"lines": ("a",)}, b"nope", "the JSON body is needed"),
        ({"signed_headers": "x-list"}, b"", "no header x-list"),
    ],
)
def test_what_is_missing_is_named(rule, body, words):
    with pytest.raises(UnreadableMessage, match=words):
        worked_out(rule, body)


def test_a_missing_value_may_stand_for_nothing():
    assert "" == worked_out({"json": "a.b", "missing": ""}, b'{"a": {}}')


@pytest.mark.parametrize("rule", [{}, {"json": "a", "form": "b"}])
def test_a_field_has_exactly_one_rule(rule):
    with pytest.raises(ValidationError, match="give exactly one of"):
        RULE.validate_json(json.dumps(rule))


@pytest.mark.parametrize("name", ["path", "query", "host", "path_and_query", "path_with_escaped_query"])
def test_a_url_that_cannot_be_taken_apart_is_said(name):
    with pytest.raises(UnreadableMessage, match="the URL cannot be taken apart"):
        worked_out({"text": f"{{{name}}}"}, url="http://[::1/")
