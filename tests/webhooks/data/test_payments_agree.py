"""Events of one payment, order or subscription agree: in their order, and in what an earlier one has set."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import Any

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_documented_values import body


def test_an_object_of_stripe_is_not_older_than_what_it_belongs_to() -> None:
    """But a session, whose payment begins when it is completed, and a quote, whose invoice follows."""
    data = [body("stripe", event.name).get("data", {}) for event in provider("stripe").events]
    known = [inner["object"] for inner in data if "created" in inner.get("object", {})]
    created = {members["id"]: members["created"] for members in known if "id" in members}

    assert [] == [
        (members["id"], key)
        for members in known
        for key in ("customer", "payment_method", "payment_intent", "charge", "invoice", "transaction")
        if members["object"] not in {"checkout.session", "quote"}
        and created.get(members.get(key), 0) > members["created"]
    ]


@pytest.mark.parametrize(
    ("created", "updated"),
    [
        ("subscription.updated", "subscription.paused"),
        ("subscription.updated", "subscription.halted"),
        ("payment.dispute.under_review", "payment.dispute.won"),
        ("refund.created", "refund.processed"),
    ],
)
def test_an_object_of_razorpay_keeps_what_an_earlier_event_set(created: str, updated: str) -> None:
    """Between the two, no event of the object changes its quantity or evidence."""
    kind = updated.removeprefix("payment.").split(".")[0]
    earlier, later = (body("razorpay", event)["payload"][kind]["entity"] for event in (created, updated))

    for key in ("id", "quantity", "evidence", "payment_id"):
        assert earlier.get(key) == later.get(key)


def test_a_payment_of_razorpay_is_disputed_once() -> None:
    """Each dispute is about the whole amount."""
    disputes = {
        (dispute["payment_id"], dispute["id"])
        for event in provider("razorpay").events
        if event.name.startswith("payment.dispute.")
        for dispute in [body("razorpay", event.name)["payload"]["dispute"]["entity"]]
    }

    assert len({payment for payment, _ in disputes}) == len(disputes)


@pytest.mark.parametrize("event", ["created", "paid", "updated", "refunded"])
def test_an_order_of_polar_is_created_paid_by_its_checkout(event: str) -> None:
    """As in polarsource/polar c6c3645 server/polar: order/service.py (_create_order_from_checkout,
    _on_order_created, create_order_balance), models/order.py, models/order_item.py and receipt/service.py.
    """
    checkout = body("polar", "checkout.updated")["data"]
    order = body("polar", f"order.{event}")["data"]
    balanced = event in {"updated", "refunded"}

    assert order["paid"]
    assert order["subtotal_amount"] == order["items"][0]["amount"] == checkout["amount"]
    assert order["items"][0]["tax_amount"] == 0
    assert (order["net_amount"], order["tax_amount"]) == (checkout["net_amount"], checkout["tax_amount"])
    assert order["due_amount"] == order["total_amount"] + order["applied_balance_amount"]
    assert order["refundable_amount"] == order["net_amount"] - order["refunded_amount"]
    assert (order["receipt_number"] is None) == (event == "created")
    assert (order["platform_fee_amount"] > 0, order["platform_fee_currency"] is not None) == (
        balanced,
        balanced,
    )


def test_a_subscription_of_polar_is_active_at_once_and_alone_has_its_checkout() -> None:
    """As in polarsource/polar c6c3645 server/polar/subscription/service.py create_or_update_from_checkout."""
    created, active = (body("polar", f"subscription.{event}") for event in ("created", "active"))
    subscriptions = {
        delivered["id"]: delivered["checkout_id"]
        for event in provider("polar").events
        if event.category == "subscription"
        for delivered in [body("polar", event.name)["data"]]
    }

    assert active["data"] == created["data"]
    assert len(set(subscriptions.values())) == len(subscriptions)


def test_a_grant_of_polar_is_granted_or_revoked_and_cycles_with_its_subscription() -> None:
    """As in polarsource/polar c6c3645 server/polar/models/benefit_grant.py set_revoked, and in cycle of
    server/polar/subscription/service.py, which revokes what was cancelled."""
    grants = {
        state: body("polar", f"benefit_grant.{state}")["data"] for state in ("created", "cycled", "revoked")
    }
    revoked, renewed = (body("polar", f"subscription.{state}")["data"] for state in ("revoked", "updated"))

    for grant in grants.values():
        assert (grant["is_granted"], grant["is_revoked"]) == (
            bool(grant["granted_at"]),
            bool(grant["revoked_at"]),
        )
        assert grant["is_granted"] != grant["is_revoked"]
    assert grants["created"]["id"] == grants["revoked"]["id"] != grants["cycled"]["id"]
    assert (grants["revoked"]["subscription_id"], grants["cycled"]["subscription_id"]) == (
        revoked["id"],
        renewed["id"],
    )


def test_the_products_of_polar_list_the_benefit_that_they_grant() -> None:
    """As in polarsource/polar c6c3645 server/polar/product/schemas.py (whole in Product, public members
    in a checkout) and server/polar/benefit/strategies (the deprecated is_tax_applicable is hidden, but sent).
    """
    benefit = body("polar", "benefit_grant.created")["data"]["benefit"]
    public = ["id", "created_at", "modified_at", "type", "description", "selectable", "deletable"]
    public += ["is_deleted", "organization_id"]
    checkout = body("polar", "checkout.updated")["data"]

    assert list(benefit) == [
        *public,
        *("metadata", "visibility", "properties", "is_tax_applicable", "visibility_configurable"),
    ]
    assert benefit["is_tax_applicable"]
    assert body("polar", "subscription.active")["data"]["product"]["benefits"] == [benefit]
    assert body("polar", "product.updated")["data"]["benefits"] == [benefit]
    for product in (checkout["product"], *checkout["products"]):
        assert product["benefits"] == [{member: benefit[member] for member in public}]


@pytest.mark.parametrize("event", ["active", "updated", "past_due", "cycled", "paused", "resumed"])
def test_a_subscription_of_polar_is_younger_than_its_customer(event: str) -> None:
    """A checkout makes the customer first: polarsource/polar c6c3645 server/polar/checkout/service.py."""
    subscription = body("polar", f"subscription.{event}")["data"]

    assert subscription["customer"]["created_at"] < subscription["created_at"]


def test_the_state_of_a_customer_of_polar_lists_what_is_active() -> None:
    state = body("polar", "customer.state_changed")
    ids = {
        kind: {
            delivered["data"]["id"]
            for event in provider("polar").events
            if event.name.startswith(kind)
            for delivered in [body("polar", event.name)]
            if delivered["data"]["created_at"] < state["timestamp"]
        }
        for kind in ("subscription.", "benefit_grant.")
    }

    assert ids["subscription."] == {active["id"] for active in state["data"]["active_subscriptions"]}
    assert ids["benefit_grant."] <= {granted["id"] for granted in state["data"]["granted_benefits"]}


def test_paypal_neither_reverses_a_denied_payment_nor_disputes_a_refunded_one() -> None:
    refunded, reversed_, denied = (
        body("paypal", f"PAYMENT.CAPTURE.{event}")["resource"] for event in ("REFUNDED", "REVERSED", "DENIED")
    )
    disputed = body("paypal", "CUSTOMER.DISPUTE.CREATED")["resource"]["disputed_transactions"][0]

    assert denied["invoice_id"] != reversed_["invoice_id"]
    assert disputed["seller_transaction_id"] not in refunded["links"][1]["href"]


@pytest.mark.parametrize(
    ("known", "dispute", "refund", "disputed", "refunded"),
    [
        ("dodo", "dispute.opened", "refund.succeeded", "payment_id", "payment_id"),
        ("square", "dispute.created", "refund.updated", "disputed_payment", "payment_id"),
    ],
)
def test_a_refunded_payment_is_not_disputed(
    known: str, dispute: str, refund: str, disputed: str, refunded: str
) -> None:
    def member(event: str, key: str) -> Any:
        data = body(known, event)["data"]
        value = next(iter(data["object"].values()))[key] if "object" in data else data[key]
        return value["payment_id"] if isinstance(value, dict) else value

    assert member(dispute, disputed) != member(refund, refunded)


def test_a_delivered_order_of_etsy_is_not_cancelled() -> None:
    delivered, cancelled = (body("etsy", f"order.{event}") for event in ("delivered", "canceled"))

    assert delivered["resource_url"] != cancelled["resource_url"]


def test_whop_does_not_dispute_a_refunded_payment() -> None:
    refunded, disputed = (
        body("whop", f"{event}.created")["data"]["payment"] for event in ("refund", "dispute")
    )

    assert disputed["id"] != refunded["id"]


def test_a_canceled_payment_of_unit_is_not_sent() -> None:
    canceled, sent = (
        body("unit", f"payment.{event}")["data"][0]["relationships"]["payment"]
        for event in ("canceled", "sent")
    )

    assert canceled["data"]["id"] != sent["data"]["id"]


def test_items_of_a_payout_of_paypal_are_two() -> None:
    one, other = (
        body("paypal", f"PAYMENT.PAYOUTS-ITEM.{event}")["resource"] for event in ("SUCCEEDED", "UNCLAIMED")
    )

    assert one["payout_batch_id"] == other["payout_batch_id"]
    assert one["activity_id"] != other["activity_id"]
    for member in ("sender_item_id", "receiver"):
        assert one["payout_item"][member] != other["payout_item"][member]


def test_an_edit_of_shopify_removes_a_line_of_an_order_that_is_not_fulfilled() -> None:
    edit = body("shopify", "orders/edited")["order_edit"]
    order = body("shopify", "orders/partially_fulfilled")
    [open_line] = [line["id"] for line in order["line_items"] if line["fulfillment_status"] is None]

    assert edit["order_id"] == order["id"]
    assert edit["committed_at"] > order["updated_at"]
    assert edit["line_items"]["removals"] == [{"id": open_line, "delta": 1}]


def test_a_cancelled_order_of_shopify_has_the_refund_that_empties_its_lines() -> None:
    """As in two such orders, of 2021 and of January 2024, kept in public repositories."""
    order = body("shopify", "orders/cancelled")
    [refund] = order["refunds"]
    removed = {line["line_item_id"]: line["quantity"] for line in refund["refund_line_items"]}

    assert removed == {
        line["id"]: line["quantity"] - line["current_quantity"] for line in order["line_items"]
    }
    assert [order["total_price"]] == [paid["amount"] for paid in refund["transactions"]]
    assert order["financial_status"] == "refunded"


def test_a_transaction_of_coinbase_is_of_one_payment() -> None:
    capture = body("coinbase-cdp", "acceptance.payment_session.capture_succeeded")["data"]["capture"]
    disbursement = body("coinbase-cdp", "acceptance.disbursement.succeeded")["data"]
    hashes = [paid["onchainTransactions"][0]["transactionHash"] for paid in (capture, disbursement)]
    ramps = [body("coinbase-cdp", f"{way}.transaction.success")["txHash"] for way in ("onramp", "offramp")]

    assert len({*hashes, *ramps}) == 4


@pytest.mark.parametrize(
    ("thin", "snapshot"),
    [
        (event.name, snapshot.name)
        for event in provider("stripe").events
        for snapshot in provider("stripe").events
        if event.name in {f"v1.{snapshot.name}", f"v2.core.account_{snapshot.name}"}
    ],
)
def test_a_thin_event_of_stripe_has_the_time_of_its_snapshot(thin: str, snapshot: str) -> None:
    """To the second: a snapshot event has no smaller part."""
    event, fetched = body("stripe", thin), body("stripe", snapshot)

    assert event["related_object"]["id"] == fetched["data"]["object"]["id"]
    assert int(datetime.fromisoformat(event["created"][:19] + "Z").timestamp()) == fetched["created"]


def test_a_subscription_of_stripe_is_in_one_state_at_a_time() -> None:
    states = ["active", "trialing", "past_due", "unpaid", "incomplete", "incomplete_expired"]
    thin = [body("stripe", f"v1.customer.subscription.{state}") for state in states]
    moments = {(event["related_object"]["id"], event["created"]) for event in thin}

    assert len(moments) == len(states)


@pytest.mark.parametrize(
    "key",
    [
        "latest_invoice",
        "balance_transaction",
        "failure_balance_transaction",
        "hosted_invoice_url",
        "receipt_url",
    ],
)
def test_what_belongs_to_one_object_of_stripe_is_named_by_one(key: str) -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for event in provider("stripe").events:
        members = body("stripe", event.name).get("data", {}).get("object", {})
        if isinstance(members.get(key), str):
            owners[members[key]].add(members["id"])

    assert owners
    assert {} == {named: ids for named, ids in owners.items() if len(ids) > 1}


def test_a_change_at_stripe_is_one_of_the_state_before() -> None:
    thin = "thin event"
    events = [body("stripe", event.name) for event in provider("stripe").events if event.category != thin]
    states: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    wrong = []
    for event in sorted(events, key=lambda event: event["created"]):
        members = event["data"]["object"]
        known = states[members.get("id", "")]
        before: dict[str, Any] = next((state for at, state in reversed(known) if at < event["created"]), {})
        known.append((event["created"], members))
        wrong += [
            (event["type"], key, before[key], value)
            for key, value in event["data"].get("previous_attributes", {}).items()
            if key != "updated" and not isinstance(value, dict | list) and before.get(key, value) != value
        ]

    assert [] == wrong


def test_an_order_of_stripe_is_paid_by_one_payment() -> None:
    payments: dict[str, set[str]] = defaultdict(set)
    for event in provider("stripe").events:
        members = body("stripe", event.name).get("data", {}).get("object", {})
        intent = members["id"] if members.get("object") == "payment_intent" else members.get("payment_intent")
        if intent and "order_id" in members.get("metadata", {}):
            payments[members["metadata"]["order_id"]].add(intent)

    assert payments
    assert {} == {order: intents for order, intents in payments.items() if len(intents) > 1}


def test_an_invoice_of_stripe_is_paid_with_its_payment() -> None:
    paid, payment = (
        body("stripe", event)["data"]["object"]["status_transitions"]["paid_at"]
        for event in ("invoice.paid", "invoice_payment.paid")
    )

    assert paid == payment


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("billing.credit_balance_transaction.created", "billing.credit_grant.updated"),
        ("charge.pending", "mandate.updated"),
        ("charge.succeeded", "radar.early_fraud_warning.created"),
        ("checkout.session.completed", "checkout.session.async_payment_failed"),
        ("invoice.created", "invoice.finalization_failed"),
        ("invoice.payment_action_required", "invoice.paid"),
        ("invoice.sent", "invoice.will_be_due"),
        ("issuing_authorization.created", "issuing_transaction.created"),
        ("payment_intent.requires_action", "payment_intent.succeeded"),
        ("payout.created", "payout.canceled"),
        ("setup_intent.created", "setup_intent.canceled"),
        ("setup_intent.setup_failed", "setup_intent.succeeded"),
    ],
)
def test_a_person_or_a_network_at_stripe_needs_its_time(before: str, after: str) -> None:
    assert body("stripe", after)["created"] > body("stripe", before)["created"] + 10


def test_a_closed_authorization_of_stripe_lists_its_transaction() -> None:
    closed, transaction = (
        body("stripe", event)["data"]["object"]
        for event in ("issuing_authorization.updated", "issuing_transaction.created")
    )

    assert transaction["authorization"] == closed["id"]
    assert closed["transactions"] == [transaction]


def test_thin_events_of_stripe_are_not_of_one_moment() -> None:
    created = [body("stripe", event.name)["created"] for event in provider("stripe").events]
    fractions = [moment.split(".")[1] for moment in created if isinstance(moment, str)]

    assert fractions
    assert len(set(fractions)) == len(fractions)


@pytest.mark.parametrize("key", ["authorization_code", "network_transaction_id"])
def test_an_approval_of_stripe_is_of_one_charge(key: str) -> None:
    charges: dict[str, set[str]] = defaultdict(set)
    for event in provider("stripe").events:
        members = body("stripe", event.name).get("data", {}).get("object", {})
        card = (members.get("payment_method_details") or {}).get("card", {})
        if card.get(key):
            charges[card[key]].add(members["id"])

    assert charges
    assert {} == {value: ids for value, ids in charges.items() if len(ids) > 1}


def test_a_line_of_an_invoice_of_stripe_is_of_a_month_of_the_calendar() -> None:
    """The price is of a month; one anchored at a 31st ends a short month at its last day."""
    periods = [
        [datetime.fromtimestamp(line["period"][key], UTC) for key in ("start", "end")]
        for event in provider("stripe").events
        if event.name.startswith("invoice.")
        for line in body("stripe", event.name)["data"]["object"]["lines"]["data"]
    ]

    assert periods
    for start, end in periods:
        assert (start.month + 1, start.time()) == (end.month, end.time())
        assert start.day <= end.day


def test_a_payout_of_stripe_goes_to_an_account_of_its_own_that_is_not_closed() -> None:
    paid, failed, external = (
        body("stripe", event)["data"]["object"]
        for event in ("payout.paid", "payout.failed", "account.external_account.created")
    )

    assert failed["failure_code"] == "account_closed"
    assert len({paid["destination"], failed["destination"], external["id"]}) == 3


def test_an_object_of_stripe_does_not_contradict_its_neighbour() -> None:
    def member(event: str, key: str) -> Any:
        return body("stripe", event)["data"]["object"][key]

    order = member("climate.order.delivered", "id").removeprefix("climorder_")

    assert member("climate.order.delivered", "certificate").endswith(order)
    assert member("reserve.hold.created", "release_schedule") == member(
        "reserve.hold.updated", "release_schedule"
    )
    assert member("reporting.report_run.succeeded", "parameters") != member(
        "reporting.report_run.failed", "parameters"
    )
    assert member("issuing_card.created", "type") == "virtual"
    for event in ("created", "request", "updated"):
        assert member(f"issuing_authorization.{event}", "authorization_method") == "online"
