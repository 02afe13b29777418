"""Values of payments, orders and subscriptions are those of recorded, documented or typed deliveries."""

from __future__ import annotations

import json
import re
from base64 import b32decode
from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from hook_widgets.webhooks import Secret, provider
from hook_widgets.webhooks.models import Variation
from tests.webhooks.data.test_documented_values import body, made

WHOP_PAYMENTS = ["payment.created", "payment.pending", "payment.succeeded", "payment.failed"]


FASTSPRING_CHARGE = (
    "order currency total status timestamp timestampValue timestampInSeconds timestampDisplay sequence "
    "periods account subscription"
)


DODO_PAYMENTS = ["payment.succeeded", "payment.failed", "payment.processing", "payment.cancelled"]
DODO_SUBSCRIPTIONS = [event.name for event in provider("dodo").events if event.category == "subscription"]


@pytest.mark.parametrize("event", DODO_PAYMENTS)
def test_a_payment_of_dodo_charges_no_subscription(event: str) -> None:
    """As the fields are documented in dodopayments 1.123.0 types/payment.py and in examples of dodo-docs."""
    payment = body("dodo", event)["data"]

    assert payment["charge_type"] is payment["subscription_id"] is None
    assert payment["subscription_ids"] == []
    assert payment["card_network"] in {None, "visa"}
    assert payment["card_type"] in {None, "credit"}
    assert payment["updated_at"] is None
    assert payment["payment_link"].startswith("https://test.checkout.dodopayments.com/")


def test_dodo_names_itself_as_the_processor() -> None:
    """Others are for connectors of the merchant: dodopayments 1.123.0 types/payment.py and get_dispute.py."""
    events = [event.name for event in provider("dodo").events if event.category in {"payment", "dispute"}]

    assert {"dodo"} == {body("dodo", event)["data"]["payment_provider"] for event in events}


def test_a_subscription_of_dodo_tells_its_payment_and_its_pause() -> None:
    """As in dodopayments 1.123.0 types/subscription_renewed_webhook_event.py and subscription.py."""
    assert body("dodo", "subscription.renewed")["data"]["payment_id"].startswith("pay_")
    assert body("dodo", "subscription.paused")["data"]["paused_at"].startswith("2026-09-20T")


@pytest.mark.parametrize("event", DODO_PAYMENTS)
def test_a_payment_of_dodo_without_3ds_says_so(event: str) -> None:
    """All optional members of types/payment.py of dodopayments 1.123.0 ("null when the processor reports no
    3DS data"), as those of its day are null in a delivery of 1 September 2026 in thadeucity/kana-app-back#23.
    """
    payment = body("dodo", event)["data"]
    absent = [payment[name] for name in ("three_ds_flow", "three_ds_status", "three_ds_version")]

    assert [*absent, payment["payment_method_id"]] == [None] * 4


@pytest.mark.parametrize("event", ["refund.succeeded", "refund.failed"])
def test_a_refund_of_dodo_has_no_reference_yet(event: str) -> None:
    """ "It is null until the reference is available": dodopayments 1.123.0 types/refund.py."""
    refund = body("dodo", event)["data"]

    assert refund["network_reference"] is refund["network_reference_type"] is None
    assert refund["network_reference_updated_at"] is None
    assert list(refund) == sorted(refund)


@pytest.mark.parametrize("event", DODO_SUBSCRIPTIONS)
def test_a_subscription_of_dodo_has_the_members_that_are_null(event: str) -> None:
    """As in the subscription.active of thadeucity/kana-app-back#23; of the payment, the types of dodopayments
    1.123.0 say "null for all other subscription events", of the canceller "null when no caller is known".
    """
    subscription = body("dodo", event)["data"]
    own = {"renewed": "payment_id", "paused": "paused_at", "past_due": "past_due_ends_at"}
    null = {"customer_business_name", "discounts", "trial_amount", *own.values()}
    null -= {own.get(event.removeprefix("subscription."))}
    cancellation = ("cancellation_comment", "cancellation_feedback", "cancelled_at", "cancelled_by")

    assert {subscription[name] for name in null} == {None}
    assert {subscription[name] is None for name in cancellation} == {event != "subscription.cancelled"}
    assert list(subscription) == sorted(subscription)


def test_a_subscription_of_dodo_is_billed_from_its_activation() -> None:
    """In the same delivery it was billed next, and expires, whole years after 04:23:43.911016, its creation
    being at 04:23:11.129890; in one of 14 January 2026, in isherbuilds/kaamsync .vscode/webhook.sh, the
    previous billing is the creation, 20 seconds before the time of the next.
    """
    delivered = body("dodo", "subscription.active")
    subscription = delivered["data"]
    times = [subscription["next_billing_date"][10:], subscription["expires_at"][10:]]

    assert subscription["previous_billing_date"] == subscription["created_at"]
    assert times[0] == times[1]
    assert subscription["created_at"][10:] < times[0] < delivered["timestamp"][10:]


@pytest.mark.parametrize("event", [name for name in DODO_SUBSCRIPTIONS if name != "subscription.failed"])
def test_a_subscription_of_dodo_expires_at_its_time_of_billing(event: str) -> None:
    """As in the delivery above."""
    subscription = body("dodo", event)["data"]

    assert subscription["next_billing_date"][10:] == subscription["expires_at"][10:]
    assert subscription["next_billing_date"][10:] > subscription["created_at"][10:]


def test_a_subscription_of_dodo_whose_first_payment_fails_never_began() -> None:
    """As a subscription.failed and its payment.failed of 5 December 2025, in notes in a public repository: a
    tax in the currency of the settlement, no payment method, and all times of billing those of the creation.
    """
    subscription, payment = (body("dodo", f"{name}.failed")["data"] for name in ("subscription", "payment"))
    times = ("created_at", "next_billing_date", "previous_billing_date")

    assert len({subscription[name] for name in times}) == 1
    assert subscription["expires_at"] is subscription["payment_method_id"] is None
    assert subscription["has_payment_method"] is False
    assert payment["settlement_tax"] == payment["tax"]


@pytest.mark.parametrize("event", [event.name for event in provider("easypost").events])
def test_an_id_of_easypost_tells_the_second_of_its_event(event: str) -> None:
    """As in EasyPost/examples events-retrieve.json and EasyPost/easypost-python test_event_all.yaml."""
    delivered = body("easypost", event)

    assert made(delivered["id"][4:]).replace(microsecond=0) == datetime.fromisoformat(delivered["created_at"])


def test_a_reminder_of_fastspring_tells_the_charge_of_its_subscription() -> None:
    """As a subscription.payment.reminder of 2 April 2023 in the tests of Kiwi TCMS, sent on its day."""
    (reminder,) = body("fastspring", "subscription.payment.reminder")["events"]
    subscription = reminder["data"]

    assert list(subscription) == list(body("fastspring", "subscription.activated")["events"][0]["data"])
    assert subscription["nextNotificationType"] == "PAYMENT_REMINDER"
    assert 0 < reminder["created"] - subscription["nextNotificationDate"] < 86_400_000
    assert reminder["created"] > subscription["changed"]


@pytest.mark.parametrize(
    ("event", "members"),
    [("completed", FASTSPRING_CHARGE), ("failed", "reason account subscription")],
)
def test_a_charge_of_fastspring_has_ids_where_nothing_is_expanded(event: str, members: str) -> None:
    """As in developer.fastspring.com/docs/subscriptionchargecompleted and subscriptionchargefailed."""
    (charge,) = body("fastspring", f"subscription.charge.{event}")["events"]
    (activated,) = body("fastspring", "subscription.activated")["events"]

    assert list(charge["data"]) == members.split()
    assert (charge["data"]["account"], charge["data"]["subscription"]) == (
        activated["data"]["account"],
        activated["data"]["id"],
    )


@pytest.mark.parametrize("event", [event.name for event in provider("polar").events])
def test_a_customer_of_polar_is_billed_by_name_and_its_checkout_gave_the_locale(event: str) -> None:
    """As in polarsource/polar c6c3645 server/polar: models/customer.py billing_name, checkout/service.py
    create ("en" without checkout_localization_enabled) and _create_or_update_customer."""
    data = body("polar", event)["data"]
    customer = data if event.startswith("customer.") else data.get("customer")

    if customer:
        checked_out = event not in {"customer.created", "customer.deleted"}
        assert customer["billing_name"] == customer["name"]
        assert customer["locale"] == ("en" if checked_out else None)
        assert (customer["modified_at"] is None) == (event == "customer.created")
    elif event.startswith("checkout."):
        assert (data["locale"], data["external_customer_id"]) == ("en", None)


@pytest.mark.parametrize("event", [event.name for event in provider("polar").events])
def test_the_picture_of_a_customer_of_polar_is_the_logo_of_its_domain(event: str) -> None:
    """polarsource/polar c6c3645 server/polar/models/customer.py _avatar_url_for_email: Gravatar is for mail
    of persons alone, as terraform/production sets the key of logo.dev."""
    logo = r"https://img\.logo\.dev/example\.com\?size=64&retina=true&token=pk_\w{22}&fallback=404"

    for address in re.findall(r'"avatar_url": "([^"]+)"', json.dumps(body("polar", event))):
        assert re.fullmatch(logo, address)


@pytest.mark.parametrize(
    ("event", "hold", "settled"),
    [
        ("card_transaction.updated", -4250, 0),
        ("card_transaction.updated.settled", 0, -4250),
        ("card_transaction.updated.declined", 0, 0),
    ],
)
def test_the_amounts_of_a_purchase_at_lithic_are_negative_and_counted_once(
    event: str, hold: int, settled: int
) -> None:
    """As in the examples of card_transaction and transaction_amounts in lithic-com/lithic-openapi 225e070."""
    transaction = body("lithic", event)

    assert {name: amount["amount"] for name, amount in transaction["amounts"].items()} == {
        "cardholder": settled,
        "hold": hold,
        "merchant": settled,
        "settlement": settled,
    }
    assert all(each["amount"] > 0 for each in transaction["events"])


@pytest.mark.parametrize("event", ["payment_transaction.created", "payment_transaction.updated"])
def test_a_payment_that_lithic_sends_out_is_negative(event: str) -> None:
    """As in the first example of payment-transaction (ORIGINATION_CREDIT) in lithic-openapi 225e070."""
    payment = body("lithic", event)

    assert payment["type"] == "ORIGINATION_CREDIT"
    assert {each["amount"] for each in payment["events"]} == {
        payment["pending_amount"] + payment["settled_amount"]
    }
    assert payment["pending_amount"] + payment["settled_amount"] < 0
    assert payment["expected_release_date"] is None
    assert " ".join(payment["method_attributes"]) == (
        "sec_code return_reason_code ach_hold_period retries company_id receipt_routing_number "
        "recipient_name trace_numbers addenda"
    )


@pytest.mark.parametrize("event", ["account_holder.created", "account_holder.verification"])
def test_lithic_writes_the_time_of_an_account_holder_without_a_zone(event: str) -> None:
    """As in the examples of account-holder-created and -verification in lithic-com/lithic-openapi 225e070."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}", body("lithic", event)["created"])


@pytest.mark.parametrize("event", ["card_transaction.updated.declined", "payment_transaction.updated"])
def test_another_amount_at_lithic_leaves_a_zero(event: str) -> None:
    """A declined purchase settles nothing, a settled payment has nothing pending (lithic-openapi 225e070)."""
    known = provider("lithic")
    before = body("lithic", event)
    after = json.loads(Variation(known.template(event), known.params).vary({"amount": "77"}))

    assert after["events"][0]["amount"] == 77
    for member in ("amount", "pending_amount", "settled_amount"):
        assert after.get(member) == (before.get(member) and 77)


def test_a_paid_checkout_of_polar_tells_stripe_s_customer() -> None:
    """As in polarsource/polar c6c3645 server/polar/checkout/service.py confirm; read back from JSONB."""
    members = list(body("polar", "checkout.updated")["data"]["payment_processor_metadata"])

    assert members == ["customer_id", "intent_status", "publishable_key", "intent_client_secret"]
    assert members == sorted(members, key=lambda member: (len(member), member))


@pytest.mark.parametrize("event", [*WHOP_PAYMENTS, "dispute.created", "dispute.updated"])
def test_a_payment_of_whop_by_card_has_its_instrument(event: str) -> None:
    """As in whop-sdk 2.6.0 types/dispute_payment.py ("Null when the payment names no method"),
    payment_instrument.py, payment_instrument_card.py and payment_method_icon_files.py."""
    payment = body("whop", event)["data"]
    payment = payment.get("payment", payment)
    instrument = payment["payment_instrument"]
    icons = [icon for shape in instrument["icons"].values() for icon in shape.values()]

    assert list(instrument) == ["card", "display_name", "icons", "installment_count", "payment_method_type"]
    assert instrument["payment_method_type"] == payment["payment_method_type"] == "card"
    assert instrument["display_name"] == f"Visa •••• {instrument['card']['last4']}"
    assert [["png_1x", "png_2x", "png_4x", "svg"]] * 4 == [list(icon) for icon in icons]


@pytest.mark.parametrize("event", [event.name for event in provider("checkout").events])
def test_an_id_of_checkout_is_a_random_uuid_in_base_32(event: str) -> None:
    """As the ids of the requests captured in hookdeck/webhook-samples providers/checkout/1.0.25 are."""
    template = provider("checkout").template(event).decode()
    ids = set(re.findall(r"\b(?:evt|pay|act|src)_([a-z2-7]{26})\b", template))

    assert {UUID(bytes_le=b32decode(f"{text}======", casefold=True)).version for text in ids} == {4}


@pytest.mark.parametrize("event", ["payment_failed", "payment_succeeded", "manually_marked_as_paid"])
def test_an_invoice_of_orb_tells_the_start_of_its_last_payment_attempt(event: str) -> None:
    """As in orbcorp/orb-node cffc338 src/resources/shared.ts Invoice.payment_started_at."""
    invoice = body("orb", f"invoice.{event}")["invoice"]

    assert invoice["payment_started_at"] == invoice["payment_attempts"][-1]["created_at"]


@pytest.mark.parametrize("event", ["started", "plan_changed", "ended"])
def test_a_period_of_orb_starts_at_midnight_of_its_customer(event: str) -> None:
    """A plan changes then, and a day begins: orbcorp/orb-node cffc338 src/resources/subscriptions.ts."""
    subscription = body("orb", f"subscription.{event}")["subscription"]
    start = datetime.fromisoformat(subscription["start_date"])

    assert start.astimezone(ZoneInfo(subscription["customer"]["timezone"])).hour == 0


def test_nothing_is_refunded_yet_when_worldline_requests_a_refund() -> None:
    """As in wl-online-payments-direct/plugin-magento-core Infrastructure/StubData/Webhook/Refund.php."""
    paid = body("worldline", "refund.refund_requested")["refund"]["refundOutput"]
    requested = paid["cardRefundMethodSpecificOutput"]

    assert requested == {"totalAmountPaid": paid["amountOfMoney"]["amount"], "totalAmountRefunded": 0}


def test_a_secret_of_recurly_has_64_hexadecimal_digits() -> None:
    """As in recurly/recurly-client-ruby 05fa008d spec/recurly/webhooks_spec.rb and in recurly-client-go."""
    secret = provider("recurly").example_secret()

    assert isinstance(secret, Secret)
    assert re.fullmatch("[0-9a-f]{64}", secret.reveal())


def test_a_session_of_xendit_is_paid_by_the_payment_of_its_order() -> None:
    session, payment = (
        body("xendit", event)["data"] for event in ("payment_session.completed", "payment.capture")
    )

    for member in ("reference_id", "payment_request_id", "payment_id"):
        assert session[member] == payment[member]


def test_a_payment_of_xendit_is_refunded_after_the_refund_that_failed() -> None:
    failed, refunded = (body("xendit", f"refund.{event}")["data"] for event in ("failed", "succeeded"))

    assert failed["payment_id"] == refunded["payment_id"]
    assert failed["updated"] < refunded["created"]


@pytest.mark.parametrize("event", ["INITIAL_PURCHASE", "RENEWAL", "CANCELLATION", "SUBSCRIPTION_PAUSED"])
def test_a_store_of_revenuecat_takes_its_commission_after_the_tax(event: str) -> None:
    """As in RevenueCat/docs bf39a9c docs/dashboard-and-metrics/taxes-and-commissions.md."""
    purchase = body("revenuecat", event)["event"]

    assert purchase["country_code"] == "DE"
    assert purchase["tax_percentage"] == round(1 - 1 / 1.19, 4)
    assert purchase["commission_percentage"] == round((1 - purchase["takehome_percentage"]) / 1.19, 4)


@pytest.mark.parametrize("event", ["RENEWAL", "EXPIRATION"])
def test_an_extended_period_of_revenuecat_lasts_to_its_new_end(event: str) -> None:
    """Its "expiration date ... has been pushed back": RevenueCat/docs bf39a9c event-types-and-fields.mdx."""
    extended, later = (body("revenuecat", name)["event"] for name in ("SUBSCRIPTION_EXTENDED", event))

    if later["transaction_id"] == extended["transaction_id"]:
        assert later["expiration_at_ms"] == extended["expiration_at_ms"]
    else:
        assert later["expiration_at_ms"] <= extended["purchased_at_ms"]


@pytest.mark.parametrize(
    "event",
    [
        "INITIAL_PURCHASE",
        "CANCELLATION",
        "UNCANCELLATION",
        "RENEWAL",
        "BILLING_ISSUE",
        "REFUND_REVERSED",
        "PRODUCT_CHANGE",
        "SUBSCRIPTION_PAUSED",
    ],
)
def test_a_month_of_revenuecat_is_a_month_of_the_calendar(event: str) -> None:
    """As from 28 August to 28 September 2020 in RevenueCat/docs bf39a9c sample-events_7.json."""
    purchase = body("revenuecat", event)["event"]
    begun, ended = (
        datetime.fromtimestamp(purchase[f"{name}_at_ms"] / 1000, UTC) for name in ("purchased", "expiration")
    )

    assert purchase["product_id"].partition(":")[0] == "pro_monthly"
    assert begun.replace(month=begun.month + 1) == ended


def test_a_product_of_google_play_names_its_base_plan() -> None:
    """Since February 2023: RevenueCat/docs bf39a9c event-types-and-fields.mdx (product_id)."""
    paused = body("revenuecat", "SUBSCRIPTION_PAUSED")["event"]

    assert (paused["store"], paused["product_id"].count(":")) == ("PLAY_STORE", 1)


def test_a_customer_of_revenuecat_without_experiments_is_enrolled_in_none_yet() -> None:
    """RevenueCat/docs bf39a9c event-types-and-fields.mdx: those that the customer was enrolled in."""
    enrolled = body("revenuecat", "EXPERIMENT_ENROLLMENT")["event"]
    others = [body("revenuecat", event.name)["event"] for event in provider("revenuecat").events]

    assert enrolled["experiment_enrolled_at_ms"] == max(
        event["event_timestamp_ms"] for event in others if event.get("app_user_id") == enrolled["app_user_id"]
    )
    assert not any("experiments" in event for event in others)
