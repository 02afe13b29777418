"""Calls of `hook_widgets.webhooks` as users write them; mypy and pyright check the types they return."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import assert_type

from hook_widgets.errors import SignatureMismatch
from hook_widgets.webhooks import (
    Delivery,
    Diagnosis,
    Draft,
    Provider,
    Reason,
    ReceivedRequest,
    Receiver,
    Secret,
    Verdict,
    WebhookRequest,
    asend,
    diagnose,
    provider,
    providers,
    receiver_snippet,
    send,
    verify,
)

secret = Secret("an example secret")
stripe = provider("stripe")
assert_type(stripe, Provider)
assert_type([known.id for known in providers()], list[str])

draft = stripe.draft(event="invoice.paid", at=datetime(2026, 9, 30, tzinfo=UTC), headers={"X-Trace": "1"})
assert_type(draft, Draft)
request = draft.sign(secret)
assert_type(request, WebhookRequest)
assert_type(request.body, bytes)
assert_type(request.headers.get("Stripe-Signature"), str | None)
assert_type(request.headers.get("Stripe-Signature", ""), str)

verdict = verify("stripe", request, [secret, Secret("the previous secret")])
assert_type(verdict, Verdict)
assert_type(verdict.ok, bool)
assert_type(verdict.reason, Reason)
assert_type(verdict.key_index, int | None)
try:
    verdict.raise_for_failure()
except SignatureMismatch as error:
    assert_type(str(error), str)
verify("stripe", ReceivedRequest(request.headers, b"{}", "https://example.com/hooks", "POST"), secret)
assert_type(verify("stripe", request, secret, tolerance_s=timedelta(minutes=5)), Verdict)
assert_type(diagnose("stripe", request, secret), Diagnosis)
assert_type(diagnose("stripe", request, secret, tolerance_s=timedelta(minutes=5)), Diagnosis)
assert_type(receiver_snippet("stripe", "python"), str)

with Receiver("stripe", secret) as receiver:
    assert_type(receiver.url, str)
    delivery = send(request, timeout_s=5)
    assert_type(send(request, timeout_s=timedelta(seconds=5)), Delivery)
assert_type(delivery, Delivery)
assert_type(delivery.status, int | None)


async def deliver() -> None:
    """Send from an event loop."""
    async with Receiver("stripe", secret) as receiver:
        assert_type(receiver, Receiver)
        assert_type(await asend(request), Delivery)
        assert_type(await asend(request, timeout_s=timedelta(seconds=5)), Delivery)
