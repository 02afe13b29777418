"""Requests with one fault, which a tab asks for after a valid delivery."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from hook_widgets.webhooks import Fault, Receiver, Secret, provider
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.wire import Wire
from tests.widgets.fake_tab import CANARY, FakeTab

_TOKEN = "canary-token-4f8a2c71d9e3b650"
_SVIX = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # of Svix's documentation, in the form that it demands
_REJECTED = "Rejected, as it should be (401)"


@pytest.fixture
def stripe() -> Iterator[tuple[FakeTab, Receiver]]:
    """A tab with a secret, and a receiver that verifies with it."""
    with Receiver("stripe", Secret(CANARY), explain=True) as receiver:
        yield FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY), receiver


def with_fault(tab: FakeTab, fault: Fault | str, of: object = 1) -> dict[str, Any]:
    """The record of the faulty delivery, or the error."""
    reply = tab.ask("send", fault=str(fault), of=of)
    return reply["value"] if reply["ok"] else reply["error"]


def test_each_fault_is_rejected_for_its_own_reason_and_the_duplicate_is_accepted(stripe):
    tab, receiver = stripe
    valid = tab.ask("send")["value"]
    assert {"ok": True, "text": "Accepted, as it should be (200)"} == valid["assessment"]

    records = {fault: with_fault(tab, fault) for fault in Fault}

    reasons = [each.verdict.reason.value for each in receiver.deliveries]
    expected = ["signature_differs", "missing_header", "signature_differs", "timestamp_outside_tolerance"]
    assert ["valid", *expected, "valid", "valid"] == reasons
    assert [401, 400, 401, 401, 200, 200] == [record["status"] for record in records.values()]
    assert [_REJECTED, "Accepted, as it should be (200)"] == [
        records[fault]["assessment"]["text"] for fault in (Fault.WRONG_SIGNATURE, Fault.SENT_TWICE)
    ]
    assert [True] * 6 == [record["assessment"]["ok"] for record in records.values()]
    assert ["", *(fault.label for fault in Fault)] == [
        record["fault"] for record in [valid, *records.values()]
    ]
    first, *_, twice, _ = [each.request for each in receiver.deliveries]
    assert (first.body, first.headers) == (twice.body, twice.headers)


# Stripe signs the id inside the body, Svix a header: https://docs.stripe.com/webhooks/signature,
# https://docs.svix.com/receiving/verifying-payloads/how-manual
@pytest.mark.parametrize(("name", "id_header"), [("stripe", ""), ("svix", "svix-id")])
@pytest.mark.parametrize("is_fixed", [False, True])
def test_a_duplicate_id_is_signed_again_at_another_time(name, id_header, is_fixed):
    clock = datetime.now(UTC) if is_fixed else "now"
    with Receiver(name, Secret(_SVIX)) as receiver:
        tab = FakeTab(WebhookGenerator(name, url=receiver.url, clock=clock), secret=_SVIX)
        tab.ask("send")
        record = with_fault(tab, Fault.DUPLICATE_ID)

    assert (True, "Duplicate id") == (record["assessment"]["ok"], record["fault"])
    first, again = receiver.deliveries
    assert first.verdict
    assert again.verdict
    assert first.request.body == again.request.body
    differing = {
        name for name in first.request.headers if first.request.headers[name] != again.request.headers[name]
    }
    assert differing, "nothing was signed again"
    if id_header:
        assert id_header not in {name.lower() for name in differing}


def test_a_receiver_that_accepts_everything_is_said_to_be_wrong():
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        tab.ask("send")
        record = with_fault(tab, Fault.NO_SIGNATURE)

    wrong = {"ok": False, "text": "Accepted: the receiver should reject this (200)"}
    assert wrong == record["assessment"]
    assert "stripe-signature" not in {name.lower() for name, _ in receiver.requests[-1].headers}


def test_a_receiver_that_rejects_everything_proves_nothing():
    with Receiver("stripe", Secret("another")) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        valid = tab.ask("send")["value"]
        record = with_fault(tab, Fault.WRONG_SIGNATURE)

    assert "Rejected: the receiver should accept this (401)" == valid["assessment"]["text"]
    assert record["assessment"]["ok"] is None


def test_a_fault_is_kept_in_the_history_and_sent_again_as_a_command(stripe):
    tab, _ = stripe
    tab.ask("send")
    with_fault(tab, Fault.NO_SIGNATURE)
    exchange = tab.ask("exchange", n=2)["value"]

    assert "Stripe-Signature" not in dict(exchange["headers"])
    assert "Stripe-Signature" not in tab.ask("past_curl", n=2)["value"]["text"]
    assert tab.ask("send", again=2)["value"]["assessment"]["ok"] is True
    assert "Stripe-Signature" in dict(tab.ask("exchange", n=3)["value"]["headers"])


def test_a_token_is_released_for_the_duplicate_only_and_stays_out_of_the_kernel():
    with Receiver("gitlab-token", Secret(_TOKEN)) as receiver:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=receiver.url), secret=_TOKEN)
        tab.agrees = True
        tab.ask("send", ticket="t")
        records = [with_fault(tab, fault) for fault in (Fault.WRONG_SIGNATURE, Fault.NO_SIGNATURE)]
        assert ["release"] == [job["op"] for job, _ in tab.jobs]
        records.append(with_fault(tab, Fault.SENT_TWICE))
        assert ["release"] * 2 == [job["op"] for job, _ in tab.jobs]

    assert [True, True, True] == [record["assessment"]["ok"] for record in records]
    for n in (1, 2, 3, 4):
        said = json.dumps([tab.ask("exchange", n=n), tab.ask("past_curl", n=n)])
        assert _TOKEN not in said
    assert "X-Gitlab-Token" not in json.dumps(tab.ask("exchange", n=3))
    assert _TOKEN not in repr(tab.widget._deliveries.history.entries)
    assert _TOKEN.encode() not in b"".join(
        request.body + repr(request.headers).encode() for request in tab.widget._deliveries.requests
    )


def test_a_wrong_token_of_a_kernel_is_as_long_as_the_right_one():
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=receiver.url, secret=Secret(_TOKEN)))
        tab.ask("send")
        with_fault(tab, Fault.WRONG_SIGNATURE)

    right, wrong = (dict(request.headers)["X-Gitlab-Token"] for request in receiver.requests)
    assert _TOKEN == right != wrong
    assert len(right) == len(wrong)


@pytest.mark.parametrize(
    ("fault", "of", "code"),
    [
        ("expired_timestamp", 1, "not_applicable"),
        ("stolen", 1, "no_such_fault"),
        (["wrong_signature"], 1, "no_such_fault"),
        ("wrong_signature", None, "no_such_delivery"),
        ("wrong_signature", 9, "no_such_delivery"),
        ("wrong_signature", 2, "no_such_delivery"),  # a fault of a fault
    ],
)
def test_a_fault_that_cannot_be_sent_says_why_and_nothing_is_sent(fault, of, code):
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("github", url=receiver.url), secret=CANARY)
        tab.ask("send")
        with_fault(tab, "changed_body")
        reply = tab.ask("send", fault=fault, of=of)
        assert code == reply["error"]["code"]
        assert 2 == len(receiver.requests)
        assert 200 == tab.ask("send")["value"]["status"]  # the widget stays usable


def test_a_timestamp_header_of_the_users_own_cannot_expire():
    headers = {"X-Slack-Request-Timestamp": "4000000000"}
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("slack", url=receiver.url, headers=headers), secret=CANARY)
        tab.ask("send")
        error = with_fault(tab, "expired_timestamp")
        assert 1 == len(receiver.requests)
        assert 200 == tab.ask("send")["value"]["status"]

    assert "timestamp header of your own" in error["text"]


def test_the_browser_learns_which_faults_a_provider_cannot_have():
    tab = FakeTab(WebhookGenerator("github"))

    def problems(name: str) -> dict[str, str]:
        rows = tab.ask("provider", id=name)["value"]["provider"]["faults"]
        return {row["title"]: row["problem"] for row in rows}

    assert "no time is signed" == problems("github")["Expired timestamp"]
    assert "the body is not signed" == problems("gitlab-token")["Changed body"]
    assert {""} == set(problems("stripe").values())


def test_a_body_that_repeats_a_fault_is_not_taken_for_the_body_that_was_signed(stripe):
    tab, _ = stripe
    tab.ask("send")
    with_fault(tab, Fault.CHANGED_BODY)

    assert [provider("stripe").template(tab.widget.event)] == [
        request.body for request in tab.widget._deliveries.requests
    ]


def test_a_host_that_was_agreed_to_for_a_token_is_not_asked_for_again():
    url = "http://203.0.113.1:9/hooks"  # reserved for documentation (RFC 5737)
    tab = FakeTab(WebhookGenerator("gitlab-token", url=url, timeout_s=0.2), secret=_TOKEN)
    tab.agrees = True
    assert tab.ask("send", ticket="t")["ok"]
    record = with_fault(tab, Fault.NO_SIGNATURE)

    assert "No signature header" == record["fault"]


def test_a_host_that_nobody_agreed_to_is_asked_for():
    tab = FakeTab(WebhookGenerator("gitlab-token", url="http://203.0.113.1:9/"), secret=_TOKEN)
    assert "declined" == tab.ask("send", ticket="t")["error"]["code"]
    tab.edit(provider="github")

    assert "confirm_host" == tab.ask("send")["error"]["code"]
