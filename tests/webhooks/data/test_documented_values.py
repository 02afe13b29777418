"""Values of members, headers and limits are those of a recorded, documented or typed delivery."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hook_widgets.webhooks import provider

DODO_PAYMENTS = ["payment.succeeded", "payment.failed", "payment.processing", "payment.cancelled"]


def body(known: str, event: str) -> Any:
    return json.loads(provider(known).template(event))


@pytest.mark.parametrize("event", DODO_PAYMENTS)
def test_a_payment_of_dodo_charges_no_subscription(event: str) -> None:
    """As dodopayments 1.123.0 types/payment.py documents its fields, and the examples of dodo-docs have them."""
    payment = body("dodo", event)["data"]

    assert (None, None, []) == (payment["charge_type"], payment["subscription_id"], payment["subscription_ids"])
    assert payment["card_network"] in {None, "visa"}
    assert payment["card_type"] in {None, "credit"}
    assert payment["updated_at"] is None
    assert payment["payment_link"].startswith("https://test.checkout.dodopayments.com/")


def test_dodo_names_itself_as_the_processor() -> None:
    """The others are for a merchant's own connector: dodopayments 1.123.0 types/payment.py, get_dispute.py."""
    events = [event.name for event in provider("dodo").events if event.category in {"payment", "dispute"}]

    assert {"dodo"} == {body("dodo", event)["data"]["payment_provider"] for event in events}


def test_a_subscription_of_dodo_tells_its_payment_and_its_pause() -> None:
    """As in dodopayments 1.123.0 types/subscription_renewed_webhook_event.py and subscription.py."""
    assert body("dodo", "subscription.renewed")["data"]["payment_id"].startswith("pay_")
    assert body("dodo", "subscription.paused")["data"]["paused_at"].startswith("2026-09-20T")
