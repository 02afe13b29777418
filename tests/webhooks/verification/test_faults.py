"""Requests with one fault: each is rejected for its own reason, or says that a scheme cannot have it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Fault, Secret, assess_response, faulty_request, provider, verify
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.verification.faults import forge, spoil
from tests.support.shapes import ONE_OF_EACH_SHAPE

_REASONS = {
    Fault.WRONG_SIGNATURE: {"signature_differs"},
    Fault.NO_SIGNATURE: {"missing_header"},
    # The value that is signed may have to be that of the URL, too.
    Fault.CHANGED_BODY: {"signature_differs", "body_hash_differs", "malformed_header"},
    Fault.EXPIRED_TIMESTAMP: {"timestamp_outside_tolerance"},
    Fault.SENT_TWICE: {"valid"},
    Fault.DUPLICATE_ID: {"valid"},
}
_SECRET = Secret("0123456789abcdef0123456789abcdef")


def differing(one: bytes, other: bytes) -> int:
    """Number of bytes that differ; the lengths have to be equal."""
    return sum(a != b for a, b in zip(one, other, strict=True))


def event_of(source: Provider, scheme: str) -> str:
    """Name of the first event that is sent with this scheme, otherwise of the first event."""
    sent = [e for e in source.events if (e.scheme or source.schemes[0].name) == scheme]
    return (sent or source.events)[0].name


@pytest.mark.parametrize("fault", Fault)
def test_every_shape_of_scheme_rejects_the_fault_or_says_that_it_cannot_have_it(fault: Fault):
    rejected = 0
    for name in ONE_OF_EACH_SHAPE:
        source, secret = provider(name), provider(name).example_secret()
        for scheme in source.schemes:
            event = event_of(source, scheme.name)
            draft = source.draft(event=event, scheme=scheme.name)
            assert verify(source, draft.sign(secret), secret, parts=draft.parts), name
            if reason := fault.inapplicable(scheme, source.deliveries):
                with pytest.raises(InvalidArgument, match=reason):
                    faulty_request(source, fault, secret, event=event, scheme=scheme.name)
                continue
            request = faulty_request(
                source, fault, secret, event=event, scheme=scheme.name, parts=draft.parts
            )
            verdict = verify(source, request, secret, parts=draft.parts)
            assert verdict.reason in _REASONS[fault], (name, scheme.name, verdict.detail)
            assert verdict.ok is not fault.must_be_rejected
            rejected += 1
    assert rejected > 20


@pytest.mark.parametrize("name", ["github", "stripe", "twilio", "adyen", "discord", "paypal"])
def test_a_changed_body_differs_in_one_byte_and_keeps_the_signature(name: str):
    source, secret = provider(name), provider(name).example_secret()
    sent = source.draft().sign(secret)
    changed = spoil(sent, Fault.CHANGED_BODY)

    assert 1 == differing(sent.body, changed.body)
    assert sent == replace(changed, body=sent.body)


@pytest.mark.parametrize(
    "body", [b"", b"{}", b" ", b"1", b"2", b"a", b"b", b"\xff\x00", '{"a": "é"}'.encode()]
)
def test_any_body_can_be_changed(body: bytes):
    request = faulty_request("github", "changed_body", _SECRET, body=body)

    assert body != request.body
    assert not verify("github", request, _SECRET)


@pytest.mark.parametrize("name", ["stripe", "slack", "svix", "standard-webhooks"])
def test_an_expired_request_is_one_second_too_old_and_signed_by_the_right_key(name: str):
    source, secret = provider(name), provider(name).example_secret()
    request = faulty_request(source, Fault.EXPIRED_TIMESTAMP, secret)
    tolerance_s = source.schemes[0].tolerance_s
    assert tolerance_s is not None

    assert not verify(source, request, secret)
    assert verify(source, request, secret, tolerance_s=tolerance_s + 60)
    before = Fault.EXPIRED_TIMESTAMP.drafted_at(source.schemes[0], datetime(2026, 11, 24, 12, tzinfo=UTC))
    assert before is not None
    assert tolerance_s + 1 == (datetime(2026, 11, 24, 12, tzinfo=UTC) - before).total_seconds()


@pytest.mark.parametrize("length", [6, 40, 41])
def test_a_wrong_token_is_as_long_as_the_right_one(length: int):
    secret = Secret("x" * length)
    right = provider("gitlab-token").draft().sign(secret)
    wrong = faulty_request("gitlab-token", Fault.WRONG_SIGNATURE, secret)

    assert len(right.headers["X-Gitlab-Token"]) == len(wrong.headers["X-Gitlab-Token"]) == length
    assert right.headers["X-Gitlab-Token"] != wrong.headers["X-Gitlab-Token"]


def test_faults_without_the_key_are_made_without_the_key():
    draft = provider("github").draft()
    for fault in Fault:
        if fault.uses_key:
            with pytest.raises(InvalidArgument, match="needs a signed request"):
                forge(draft, fault)
        else:
            forge(draft, fault)
            with pytest.raises(InvalidArgument, match="made from a draft"):
                spoil(draft.sign(_SECRET), fault)


def test_all_signatures_go_where_a_request_has_several():
    headers = faulty_request("github", Fault.NO_SIGNATURE, _SECRET).headers

    assert not [name for name in headers if "signature" in name.lower()]
    assert "push" == headers["X-GitHub-Event"]


@pytest.mark.parametrize(
    ("name", "fault", "reason"),
    [
        ("github", "expired_timestamp", "no time is signed"),
        ("github", "duplicate_id", "no time is signed"),
        ("twilio", "duplicate_id", "no time is signed"),
        ("sourcehut", "duplicate_id", "no time is signed"),
        ("calendly", "duplicate_id", "requests have no known id"),
        ("gitlab-token", "changed_body", "the body is not signed"),
        ("mailgun", "no_signature", "the signature is in the body"),
    ],
)
def test_a_fault_that_a_provider_cannot_have_says_why(name: str, fault: str, reason: str):
    with pytest.raises(InvalidArgument, match=f"cannot have the fault {fault}: {reason}"):
        faulty_request(name, fault, _SECRET)


@pytest.mark.parametrize(
    ("status", "fault", "valid_accepted", "ok", "text"),
    [
        (200, None, True, True, "Accepted, as it should be (200)"),
        (400, None, True, False, "Rejected: the receiver should accept this (400)"),
        (503, None, True, False, "Failed: the receiver should accept this (503)"),
        (302, None, True, False, "Redirected: the receiver should accept this (302)"),
        (None, None, True, False, "No response: the receiver should accept this"),
        (204, "sent_twice", True, True, "Accepted, as it should be (204)"),
        (409, "sent_twice", True, False, "Rejected: the receiver should accept this (409)"),
        (400, "wrong_signature", True, True, "Rejected, as it should be (400)"),
        (200, "wrong_signature", True, False, "Accepted: the receiver should reject this (200)"),
        (500, "no_signature", True, False, "Failed: the receiver should reject this with a 4xx (500)"),
        (401, "changed_body", False, None, "Not decided: the valid request was not accepted either (401)"),
        (200, "changed_body", False, False, "Accepted: the receiver should reject this (200)"),
        (429, "expired_timestamp", True, None, "Not decided: the receiver was too busy (429)"),
    ],
)
def test_a_response_is_judged_by_its_status(status, fault, valid_accepted, ok, text):
    assessment = assess_response(status, Fault(fault) if fault else None, valid_accepted=valid_accepted)

    assert (ok, text) == (assessment.ok, assessment.text)
