"""Test the 308, 400 and 410 responses."""

from __future__ import annotations

import json

import pytest

from hook_widgets.versioning.negotiation.responses import ResponseCode, bad_request, gone, quoted, redirect

VARY = (("Vary", "Api-Version"),)


def test_a_redirect_is_permanent_keeps_the_method_and_is_asked_for_again():
    """Without no-cache, caches may keep a 308 (RFC 9110 section 15.4.9) after the next release."""
    answer = redirect("/api/v2/orders?limit=5", headers=VARY)

    assert (308, b"", "unversioned") == (answer.status, answer.body, answer.code)
    assert (("Location", "/api/v2/orders?limit=5"), ("Cache-Control", "no-cache"), *VARY) == answer.headers


def test_a_rejection_is_a_problem_document_that_names_the_versions():
    answer = bad_request(ResponseCode.AMBIGUOUS, "Why.", supported=(1, 3), asked="1, 3", headers=VARY)

    assert (400, "ambiguous_version") == (answer.status, answer.code)
    assert (("Content-Type", "application/problem+json"), *VARY) == answer.headers
    assert {
        "type": "about:blank",
        "title": "Bad Request",  # about:blank: the phrase of the status (RFC 9457 section 4.2.1)
        "status": 400,
        "detail": "Why.",
        "code": "ambiguous_version",
        "asked": "1, 3",
        "supported_versions": [1, 3],
    } == json.loads(answer.body)


def test_what_was_asked_is_cut_at_80_characters():
    body = json.loads(bad_request(ResponseCode.INVALID, "", supported=(), asked="x" * 1000).body)

    assert "x" * 80 == body["asked"]


def test_the_answer_after_the_sunset_names_the_way_out():
    answer = gone("Why.", guide="https://example.com/guide", current="/api/v2/orders")

    assert (410, "version_removed") == (answer.status, answer.code)
    assert {
        "type": "about:blank",
        "title": "Gone",
        "status": 410,
        "detail": "Why.",
        "code": "version_removed",
        "migration_guide": "https://example.com/guide",
        "current_version": "/api/v2/orders",
    } == json.loads(answer.body)


def test_where_there_is_no_way_out_its_members_are_left_out():
    assert {"type", "title", "status", "detail", "code"} == set(json.loads(gone("Why.").body))


def test_a_body_is_readable_utf_8_with_a_line_at_the_end():
    body = bad_request(ResponseCode.INVALID, "Grüße", supported=(1,)).body

    assert body.startswith(b'{\n  "type"')
    assert body.endswith(b"\n}\n")
    assert "Grüße".encode() in body


def test_half_of_a_surrogate_pair_does_no_harm():
    assert (
        "?" == json.loads(bad_request(ResponseCode.INVALID, "", supported=(1,), asked="\ud800").body)["asked"]
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("v02", "'v02'"),
        ("", "''"),
        ("a\r\nb\x00", r"'a\r\nb\x00'"),
        ("x" * 80, f"'{'x' * 80}'"),
        ("x" * 81, f"'{'x' * 80}'…"),
    ],
)
def test_a_clients_words_stay_on_one_line(asked, expected):
    assert expected == quoted(asked)
