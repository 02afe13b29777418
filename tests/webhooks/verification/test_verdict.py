"""Verdicts of `verify`: the key that matched during a rotation, and the exception of a failure."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta

import pytest

from hook_widgets.errors import (
    InvalidArgument,
    MalformedRequest,
    MissingHeader,
    SignatureMismatch,
    TimestampOutsideTolerance,
    VerificationError,
)
from hook_widgets.webhooks import Headers, Reason, ReceivedRequest, Secret, provider, verify

AT = datetime(2026, 11, 23, 9, tzinfo=UTC)
SECRET = Secret("old")


def test_during_a_rotation_the_verdict_tells_which_key_matches():
    signed = provider("github").draft(body=b"{}").sign(Secret("old"))

    verdict = verify("github", signed, [Secret("new"), Secret("old"), Secret("oldest")])
    assert (True, 1) == (verdict.ok, verdict.key_index)
    assert 0 == verify("github", signed, Secret("old")).key_index
    assert verify("github", signed, (Secret("new"), Secret("newer"))).key_index is None


def test_a_late_request_of_an_older_key_is_late_and_not_mismatched():
    signed = provider("stripe").draft(body=b"{}", at=AT).sign(Secret("old"))
    verdict = verify("stripe", signed, [Secret("new"), Secret("old")], now=AT + timedelta(hours=1))

    assert (Reason.TIMESTAMP_OUTSIDE_TOLERANCE, 1) == (verdict.reason, verdict.key_index)


@pytest.mark.parametrize("secret", [None, [], (), "text", ["text"], [Secret("a"), None]])
def test_what_is_no_key_is_rejected(secret):
    signed = provider("github").draft(body=b"{}").sign(Secret("old"))

    with pytest.raises(InvalidArgument, match="newest first"):
        verify("github", signed, secret)


STRIPE = provider("stripe").draft(body=b"{}", at=AT).sign(SECRET)


@pytest.mark.parametrize(
    ("headers", "body", "late", "error"),
    [
        (STRIPE.headers, b"{ }", 0, SignatureMismatch),
        (STRIPE.headers, b"{}", 3600, TimestampOutsideTolerance),
        (Headers({"Content-Type": "application/json"}), b"{}", 0, MissingHeader),
        (Headers({"Stripe-Signature": "v1"}), b"{}", 0, MalformedRequest),
    ],
)
def test_each_failure_is_an_exception_of_its_own(headers, body, late, error):
    request = ReceivedRequest(headers, body, STRIPE.url)
    verdict = verify("stripe", request, SECRET, now=AT + timedelta(seconds=late))

    with pytest.raises(error) as raised:
        verdict.raise_for_failure()
    assert isinstance(raised.value, VerificationError)
    assert (verdict, verdict.detail) == (raised.value.verdict, str(raised.value))
    assert verdict == pickle.loads(pickle.dumps(raised.value)).verdict


def test_a_valid_verdict_is_returned():
    verdict = verify("stripe", STRIPE, SECRET, now=AT)

    assert verdict is verdict.raise_for_failure()


@pytest.mark.parametrize(
    ("late_s", "text"),
    [
        (0, "0 s old, within 5 min"),
        (-1, "1 s in the future, within 5 min"),
        (59.5, "59.5 s old, within 5 min"),
        (60, "1 min old, within 5 min"),
        (300, "5 min old, within 5 min"),
    ],
)
def test_the_age_of_a_request_in_time_is_reported(late_s, text):
    verdict = verify("stripe", STRIPE, SECRET, now=AT + timedelta(seconds=late_s))

    assert [text] == [step.text for step in verdict.steps if step.label == "Timestamp"]


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("ab", "hex of 32 bytes, this one has 1 (2 characters)"),
        ("zz", "hex of 32 bytes, this one is not (2 characters)"),
        ("a", "hex of 32 bytes, this one is not (1 character)"),
    ],
)
def test_what_a_signature_must_be_is_reported_with_its_size(signature, message):
    headers = Headers({"X-Hub-Signature-256": f"sha256={signature}"})

    assert message in str(verify("github", ReceivedRequest(headers=headers, body=b"{}"), SECRET))
