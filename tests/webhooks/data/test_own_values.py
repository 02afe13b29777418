"""Values that two things of one provider cannot share: a moment to the millisecond, a customer, an order."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest

from tests.webhooks.data.test_captured_members import part
from tests.webhooks.data.test_times import bodies


@pytest.mark.parametrize(
    ("known", "path", "events"),
    [
        (
            "twitch",
            "subscription.created_at",
            "channel.ban channel.cheer channel.follow channel.raid channel.update stream.online user.update",
        ),
        (
            "contentful",
            "sys.updatedAt",
            "ContentManagement.ContentType.publish ContentManagement.Entry.publish",
        ),
        ("contentful", "sys.createdAt", "ContentManagement.Asset.publish ContentManagement.Entry.publish"),
        ("contentful", "sys.updatedAt", "ContentManagement.Asset.publish ContentManagement.Entry.publish"),
        ("close", "event.previous_data.date_updated", "lead.updated opportunity.updated"),
        ("chargebee", "content.subscription.resource_version", "payment_failed payment_succeeded"),
        ("pipedrive", "meta.timestamp", "create.activity create.deal create.lead"),
        ("pipedrive", "meta.timestamp", "create.organization create.person"),
        ("pipedrive", "meta.timestamp", "delete.deal delete.person"),
        ("pipedrive", "meta.webhook_id", "change.deal updated.deal"),
        ("paymongo", "data.attributes.created_at", "checkout_session.payment.paid link.payment.paid"),
        (
            "paymongo",
            "data.attributes.data.attributes.description",
            "checkout_session.payment.paid link.payment.paid",
        ),
        ("checkr", "data.object.candidate_id", "report.completed report.disputed invitation.expired"),
        ("checkr", "data.object.created_at", "report.completed report.disputed"),
        ("checkr", "data.object.created_at", "invitation.created invitation.expired"),
        (
            "adyen-platform",
            "data.creationDate",
            "balancePlatform.transfer.created balancePlatform.transfer.updated.failed",
        ),
        ("pusher", "time_ms", "batch cache_miss channel_occupied member_added"),
        ("sinch", "event_time", "MESSAGE_DELIVERY MESSAGE_DELIVERY.failed"),
        ("sinch", "event_time", "EVENT_INBOUND MESSAGE_INBOUND"),
        ("whop", "timestamp", "payment.failed payment.succeeded"),
        ("square", "data.object.invoice.created_at", "invoice.created invoice.canceled"),
        ("square", "data.object.payout.created_at", "payout.paid payout.failed"),
        ("aws-sns", "Timestamp", "Notification Notification.plain Notification.cloudwatch Notification.s3"),
        ("aws-sns", "Timestamp", "Notification.ses-bounce Notification.cloudwatch Notification.s3"),
        ("aws-sns", "Timestamp", "SubscriptionConfirmation UnsubscribeConfirmation Notification"),
        ("tailscale", "0.timestamp", "nodeCreated policyUpdate test userCreated"),
        (
            "worldline",
            "payment.paymentOutput.references.merchantReference",
            "payment.captured payment.rejected",
        ),
        ("revolut", "data.reference", "PayoutLinkCreated TransactionCreated"),
        ("okta", "data.events.0.debugContext.debugData.dtHash", "user.lifecycle.create user.session.start"),
        ("sendgrid", "0.email", "bounce.blocked delivered"),
        (
            "whatsapp",
            "entry.0.changes.0.value.messages.0.from_user_id",
            "messages.text messages.text.username",
        ),
        (
            "adyen-platform",
            "data.counterparty.transferInstrumentId",
            "balancePlatform.transfer.updated.booked balancePlatform.transfer.updated.failed",
        ),
        ("mercadopago", "date_created", "mp-connect.authorized payment.created topic_claims"),
        ("sanity", "_updatedAt", "update update.author"),
        (
            "circle",
            "timestamp",
            "transactions.inbound transactions.outbound transactions.outbound.failed contracts.eventLog",
        ),
        ("circle", "timestamp", "transactions.outbound webhooks.test"),
        ("stream", "channel.created_at", "channel.created channel.deleted"),
        ("stream", "channel.last_message_at", "message.new channel.deleted"),
        ("stream", "user.last_active", "message.new message.read user.deleted"),
        ("commercelayer", "data.attributes.created_at", "customers.create gift_cards.activate orders.create"),
        ("commercelayer", "data.attributes.updated_at", "gift_cards.activate orders.place"),
        ("gocardless", "events.0.created_at", "payments.confirmed payments.failed"),
        ("messagebird", "message.createdDatetime", "message.updated.failed message.updated"),
        (
            "adyen",
            "notificationItems.0.NotificationRequestItem.eventDate",
            "CANCEL_OR_REFUND REFUND",
        ),
        ("cloudflare-stream", "created", "ready ready.signed ready.live error.codec error.duration"),
        (
            "coinbase-cdp",
            "createdAt",
            "offramp.transaction.success offramp.transaction.failed onramp.transaction.success",
        ),
        ("coinbase-commerce", "event.data.created_at", "charge:created charge:failed"),
        ("dwolla", "timestamp", "customer_transfer_completed customer_transfer_failed"),
        ("loops", "eventTime", "contact.created campaign.email.sent"),
        ("netlify", "created_at", "deploy_created deploy_request_pending"),
        (
            "persona",
            "data.attributes.payload.data.attributes.created-at",
            "inquiry.created inquiry.declined inquiry.expired inquiry.failed inquiry.marked-for-review",
        ),
        ("paystack", "data.created_at", "subscription.create subscription.disable subscription.not_renew"),
        ("postmark", "Date", "Inbound Inbound.attachment"),
        ("recharge", "charge.created_at", "charge/created charge/max_retries_reached"),
        ("recurly", "event_time", "payment.failed payment.succeeded"),
        ("sonarqube", "analysedAt", "quality_gate.ok quality_gate.branch quality_gate.pull_request"),
        ("dodo", "data.created_at", "dispute.accepted dispute.cancelled dispute.expired dispute.opened"),
        ("dodo", "timestamp", "dispute.lost dispute.won"),
        ("dodo", "data.amount", "payout.failed payout.success"),
        ("dodo", "data.metadata.order", "payment.processing payment.succeeded"),
        ("xendit", "data.account_number", "payout.failed payout.succeeded"),
        ("xendit", "data.created", "payment.authorization payment.capture payment.failure"),
        ("render", "data.serviceName", "cron_job_run_ended server_failed"),
        (
            "mollie",
            "_embedded.entity.createdAt",
            "payment.authorized payment.canceled payment.expired payment.failed payment.paid",
        ),
        ("mollie", "_embedded.entity.createdAt", "payout.canceled payout.failed payout.initiated"),
        ("mux", "data.created_at", "video.asset.created video.asset.errored"),
    ],
)
def test_two_things_do_not_share(known: str, path: str, events: str) -> None:
    """This holds for times, too: what happens apart differs in a digit that is sent."""
    values = [part(known, event, path) for event in events.split()]

    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("known", "form"),
    [
        ("cal-com", r"\b[1-9A-Za-z]{22}\b"),  # short-uuid
        ("pulumi", r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"),
        ("sinch", r"\b01[0-9A-HJKMNP-TV-Z]{24}\b"),
        ("telnyx", r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"),
    ],
)
def test_an_id_that_is_drawn_is_not_like_another(known: str, form: str) -> None:
    ids = set(re.findall(form, json.dumps(list(bodies(known).values()))))

    assert len(ids) > 1
    assert [] == [
        (one, other)
        for one, other in combinations(sorted(ids), 2)
        if sum(a == b for a, b in zip(one[-12:], other[-12:], strict=True)) > 5
    ]


@pytest.mark.parametrize("event", ["chat_boost", "chat_join_request", "chat_member", "message_reaction"])
def test_a_bot_of_telegram_gets_updates_of_a_chat_where_it_is_no_plain_member(event: str) -> None:
    """Only an administrator gets these: core.telegram.org/bots/api#update."""
    member = part("telegram", "my_chat_member", "my_chat_member")

    assert member["new_chat_member"]["status"] == "member"
    assert member["chat"]["id"] != part("telegram", event, f"{event}.chat.id")


def test_a_paid_order_of_bigcommerce_is_not_incomplete_any_more() -> None:
    captured, changed = (
        part("bigcommerce", f"store/order/{event}", "created_at")
        for event in ("transaction/created", "statusUpdated")
    )

    assert part("bigcommerce", "store/order/statusUpdated", "data.status.previous_status_id") == 0
    assert 0 <= changed - captured < 60


def test_a_dyno_of_heroku_runs_the_last_release() -> None:
    """An add-on that is attached makes a release."""
    attached = part("heroku", "addon-attachment.create", "data.created_at")
    dyno, app = part("heroku", "dyno.destroy", ""), part("heroku", "app.update", "data")

    assert dyno["data"]["release"]["version"] == part("heroku", "release.create", "data.version")
    assert dyno["created_at"] < attached
    assert app["released_at"] < app["updated_at"] < attached


def test_a_gift_card_of_square_is_not_in_an_invoice() -> None:
    card = part(
        "square", "gift_card.activity.created", "data.object.gift_card_activity.activate_activity_details"
    )

    assert card["order_id"] != part("square", "invoice.created", "data.object.invoice.order_id")


def test_a_message_of_messenger_is_read_and_liked_by_a_person() -> None:
    """The watermark is the time of what was delivered; a person needs more than some milliseconds."""
    sent, delivered, read, liked = (
        part("meta", f"page.message_{event}", "entry.0.messaging.0")
        for event in ("echoes", "deliveries", "reads", "reactions")
    )

    assert delivered["delivery"]["mids"] == [sent["message"]["mid"]] == [liked["reaction"]["mid"]]
    assert sent["timestamp"] <= delivered["delivery"]["watermark"] < sent["timestamp"] + 1000
    assert read["read"]["watermark"] == delivered["delivery"]["watermark"]
    assert delivered["timestamp"] + 1000 < read["timestamp"] < liked["timestamp"] - 1000


def test_an_opportunity_of_close_that_is_won_gets_the_day() -> None:
    delivered = part("close", "opportunity.updated", "event")

    assert (
        delivered["data"]["date_won"]
        == delivered["date_updated"][:10]
        != delivered["previous_data"]["date_won"]
    )
    assert delivered["changed_fields"] == sorted(delivered["previous_data"])
