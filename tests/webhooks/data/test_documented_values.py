"""Values of members, headers and limits are those of a recorded, documented or typed delivery."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from hook_widgets.webhooks import provider

DODO_PAYMENTS = ["payment.succeeded", "payment.failed", "payment.processing", "payment.cancelled"]


def body(known: str, event: str) -> Any:
    return json.loads(provider(known).template(event))


def made(identifier: str) -> datetime:
    """Return the time of a UUID of version 1."""
    return datetime(1582, 10, 15, tzinfo=UTC) + timedelta(microseconds=UUID(identifier).time // 10)


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


@pytest.mark.parametrize(
    ("known", "member", "events"),
    [
        ("bitbucket-server", "date", "pr:opened pr:declined pr:deleted pr:merged repo:modified"),
        ("cal-com", "createdAt", "BOOKING_CREATED BOOKING_RESCHEDULED BOOKING_REQUESTED BOOKING_REJECTED"),
        (
            "seam",
            "occurred_at",
            "device.added access_code.created access_code.changed access_code.set_on_device",
        ),
        (
            "seam",
            "occurred_at",
            "lock.unlocked access_code.removed_from_device access_code.deleted device.removed",
        ),
        ("smartsheet", "timestamp", "row.created cell.updated row.updated row.deleted status"),
        ("stream", "created_at", "user.banned user.unbanned member.removed"),
        ("zitadel", "created_at", "user.human.added user.locked user.grant.added user.removed"),
    ],
)
def test_one_life_is_told_in_its_order(known: str, member: str, events: str) -> None:
    """What is created, numbered or named later comes later, and nothing follows its end."""
    times = [body(known, event)[member] for event in events.split()]

    assert sorted(set(times)) == times


        (
            "recurly",
            "event_time",
            [f"subscription.{name}" for name in ("created", "updated", "renewed", "canceled", "expired")],
        ),
        ("todoist", "triggered_at", ["project:added", "label:added", "item:added", "item:uncompleted"]),
        ("todoist", "triggered_at", ["item:uncompleted", "reminder:fired", "item:deleted"]),
    ],
)
def test_the_events_of_a_life_are_in_order(known: str, member: str, events: list[str]) -> None:
    times = [body(known, event)[member] for event in events]

    assert times == sorted(set(times))


def test_an_incident_of_pagerduty_keeps_its_priority() -> None:
    delivered = [body("pagerduty", event.name)["event"] for event in provider("pagerduty").events]
    incidents = [event for event in delivered if event["data"]["type"] == "incident"]
    priorities = [
        event["data"]["priority"] for event in sorted(incidents, key=lambda event: event["occurred_at"])
    ]
    first = next(at for at, priority in enumerate(priorities) if priority)

    assert None not in priorities[first:]


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


@pytest.mark.parametrize("event", [event.name for event in provider("easypost").events])
def test_an_id_of_easypost_tells_the_second_of_its_event(event: str) -> None:
    """As in EasyPost/examples events-retrieve.json and EasyPost/easypost-python test_event_all.yaml."""
    delivered = body("easypost", event)

    assert made(delivered["id"][4:]).replace(microsecond=0) == datetime.fromisoformat(delivered["created_at"])


def test_a_recording_of_cloudflare_stream_has_the_name_of_its_input_and_no_size() -> None:
    """As in developers.cloudflare.com/stream/stream-live/replay-recordings, uploaded as it is made."""
    video = body("cloudflare-stream", "ready.live")
    begun = datetime.fromisoformat(video["created"])

    assert video["size"] == 0
    assert video["meta"]["name"].endswith(f" {begun:%d %b %y %H:%M} UTC")
    assert timedelta(0) < begun - datetime.fromisoformat(video["uploaded"]) < timedelta(milliseconds=1)


def test_a_reminder_of_fastspring_tells_the_charge_of_its_subscription() -> None:
    """As a subscription.payment.reminder of 2 April 2023 in the tests of Kiwi TCMS, sent on its day."""
    (reminder,) = body("fastspring", "subscription.payment.reminder")["events"]
    subscription = reminder["data"]

    assert list(subscription) == list(body("fastspring", "subscription.activated")["events"][0]["data"])
    assert subscription["nextNotificationType"] == "PAYMENT_REMINDER"
    assert 0 < reminder["created"] - subscription["nextNotificationDate"] < 86_400_000
    assert reminder["created"] > subscription["changed"]


@pytest.mark.parametrize("action", ["created", "updated", "deleted"])
def test_an_asset_of_nexus_is_delivered_with_its_action(action: str) -> None:
    """As in sonatype/nexus-public aec50e47d0 RepositoryAssetWebhook: EventAction."""
    delivered, created = body("nexus", f"asset.{action}"), body("nexus", "asset.created")

    assert delivered["action"] == action.upper()
    assert delivered["asset"] == created["asset"]
    assert list(delivered) == list(created)


@pytest.mark.parametrize("event", [event.name for event in provider("mux").events])
def test_an_event_of_mux_tells_its_milliseconds(event: str) -> None:
    """As two deliveries of 10 June 2024 in a public repository: 2024-06-10T22:24:01.561000Z."""
    delivered = body("mux", event)["created_at"]

    assert delivered.endswith("000Z")
    assert not delivered.endswith(".000000Z")


def test_a_track_of_mux_without_a_stated_language_is_undetermined() -> None:
    """As the track Default of a video.asset.ready of 10 June 2024 in a public repository."""
    tracks = [
        track
        for event in provider("mux").events
        for track in body("mux", event.name)["data"].get("tracks", [])
    ]

    assert {"und"} == {track["language_code"] for track in tracks if track.get("name") == "Default"}


def test_an_asset_of_mux_has_the_passthrough_of_its_upload() -> None:
    """As in a video.upload.asset_created of 10 June 2024 in a public repository."""
    settings = body("mux", "video.upload.asset_created")["data"]["new_asset_settings"]
    asset = body("mux", "video.asset.created")["data"]

    assert asset["passthrough"] == settings["passthrough"]
    assert ["playback_policies", "passthrough"] == list(settings)
    assert settings == body("mux", "video.upload.created")["data"]["new_asset_settings"]


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


def test_mux_tries_thirty_times() -> None:
    """As "max_attempts": 30 in an attempt of 10 June 2024, which a delivery in a public repository lists."""
    assert provider("mux").retries.retries == 29


def test_ids_of_a_lead_of_pipedrive_and_of_its_event_tell_their_millisecond() -> None:
    """As in the three events of a lead of pipedrive.readme.io/docs/webhooks-v2-migration-guide."""
    delivered = body("pipedrive", "create.lead")
    lead, meta = delivered["data"], delivered["meta"]

    assert made(lead["id"]) == datetime.fromisoformat(lead["add_time"])
    assert made(meta["id"]) + timedelta(milliseconds=1) == datetime.fromisoformat(meta["timestamp"])


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


def test_vercel_rolls_back_to_a_deployment_that_served_and_an_unpaid_invoice_was_not_paid() -> None:
    """Deployments once aliased to production: vercel.com/docs/instant-rollback (7 July 2026); an invoice is
    in one state: vercel/sdk 426eb4b docs/models/getinvoicestate.md.
    """
    rollback = body("vercel", "deployment.rollback")["payload"]
    failed = {
        body("vercel", f"deployment.{event}")["payload"]["deployment"]["id"]
        for event in ("error", "canceled")
    }
    paid, unpaid = (
        body("vercel", f"marketplace.invoice.{event}")["payload"] for event in ("paid", "notpaid")
    )

    assert not failed & {rollback["fromDeploymentId"], rollback["toDeploymentId"]}
    assert paid["invoiceId"] != unpaid["invoiceId"]


@pytest.mark.parametrize("event", ["tweet_create_events", "tweet_create_events.retweet"])
def test_the_indices_of_a_mention_at_x_are_those_of_its_name(event: str) -> None:
    """The offsets where the name begins and ends in the text: docs.x.com, data dictionary, entities."""
    post = body("x", event)["tweet_create_events"][0]

    for mention in post["entities"]["user_mentions"]:
        assert post["text"][slice(*mention["indices"])] == f"@{mention['screen_name']}"


def test_a_build_of_travis_breaks_a_branch_that_passed_and_mends_one_that_failed() -> None:
    """As in docs.travis-ci.com/user/notifications: broken after a success, fixed after a failure."""
    builds = [
        json.loads(parse_qs(provider("travis-ci").template(event.name).decode())["payload"][0])
        for event in provider("travis-ci").events
        if event.name != "started"
    ]
    last: dict[str, str] = {}
    for build in sorted(builds, key=lambda build: int(build["number"])):
        before = last.get(build["branch"], "")
        assert (build["status_message"] == "Broken") == (build["state"] == "failed" and before == "passed")
        assert (build["status_message"] == "Fixed") == (build["state"] == "passed" and before == "failed")
        if build["type"] == "push":
            last[build["branch"]] = build["state"]

    assert len({build["commit"] for build in builds}) == len(builds)


@pytest.mark.parametrize(
    ("known", "first", "second", "time"),
    [
        ("bigcommerce", "store/hook/deliveryException", "store/app/uninstalled", "created_at"),
        ("livekit", "agent_job_ended", "participant_left", "createdAt"),
        ("shopify", "inventory_levels/connect", "variants/in_stock", "updated_at"),
        ("shopify", "themes/update", "themes/publish", "updated_at"),
        ("square", "order.created", "invoice.created", "created_at"),
        ("square", "subscription.updated", "customer.deleted", "created_at"),
        ("square", "customer.deleted", "oauth.authorization.revoked", "created_at"),
    ],
)
def test_what_an_event_needs_is_still_there(known: str, first: str, second: str, time: str) -> None:
    """An app is installed, a customer or participant is there, an item in stock is connected to a location,
    an unpublished theme is not yet published, and an invoice has an order.
    """
    assert body(known, first)[time] < body(known, second)[time]


def test_paypal_neither_reverses_a_denied_payment_nor_disputes_a_refunded_one() -> None:
    refunded, reversed_, denied = (
        body("paypal", f"PAYMENT.CAPTURE.{event}")["resource"] for event in ("REFUNDED", "REVERSED", "DENIED")
    )
    disputed = body("paypal", "CUSTOMER.DISPUTE.CREATED")["resource"]["disputed_transactions"][0]

    assert denied["invoice_id"] != reversed_["invoice_id"]
    assert disputed["seller_transaction_id"] not in refunded["links"][1]["href"]


def test_items_of_a_payout_of_paypal_are_two() -> None:
    one, other = (
        body("paypal", f"PAYMENT.PAYOUTS-ITEM.{event}")["resource"] for event in ("SUCCEEDED", "UNCLAIMED")
    )

    assert one["payout_batch_id"] == other["payout_batch_id"]
    assert one["activity_id"] != other["activity_id"]
    for member in ("sender_item_id", "receiver"):
        assert one["payout_item"][member] != other["payout_item"][member]


def test_a_changed_group_and_a_changed_role_of_zendesk_stay() -> None:
    changed = body("zendesk", "ticket.group_assignment_changed")
    later = [
        ticket["detail"]["group_id"]
        for event in provider("zendesk").events
        if event.category == "ticket" and event.name != "trigger"
        for ticket in [body("zendesk", event.name)]
        if ticket["time"] > changed["time"] and "group_id" in ticket["detail"]
    ]

    assert later
    assert {changed["event"]["current"]} == {*later}
    assert body("zendesk", "user.active_changed")["detail"]["role"] == "agent"


@pytest.mark.parametrize("event", ["issue_comment.created", "issues.closed"])
def test_an_assigned_issue_of_gitea_stays_assigned(event: str) -> None:
    assigned, later = (body("gitea", name)["issue"] for name in ("issues.assigned", event))

    assert later["updated_at"] > assigned["updated_at"]
    assert later["assignees"] == assigned["assignees"] == [later["assignee"]]


def test_an_edit_of_shopify_removes_a_line_of_an_order_that_is_not_fulfilled() -> None:
    edit = body("shopify", "orders/edited")["order_edit"]
    order = body("shopify", "orders/partially_fulfilled")
    [open_line] = [line["id"] for line in order["line_items"] if line["fulfillment_status"] is None]

    assert edit["order_id"] == order["id"]
    assert edit["committed_at"] > order["updated_at"]
    assert edit["line_items"]["removals"] == [{"id": open_line, "delta": 1}]


def test_a_voice_of_elevenlabs_that_stays_is_not_removed() -> None:
    """As in elevenlabs/elevenlabs-docs 3557f0b1 webhooks.mdx: "no longer scheduled for removal"."""
    notice, withdrawn, removed = (
        body("elevenlabs", f"voice_{event}")
        for event in ("removal_notice", "removal_notice_withdrawn", "removed")
    )

    assert notice["data"]["voice_id"] == removed["data"]["voice_id"] != withdrawn["data"]["voice_id"]
    assert notice["data"]["scheduled_removal_unix_secs"] <= removed["event_timestamp"]


@pytest.mark.parametrize("event", ["direct.member.create", "scim.member.create", "scim.member.update"])
def test_a_member_of_stytch_has_the_role_of_all(event: str) -> None:
    """As in stytch.com/docs/b2b/guides/rbac/stytch-default: "automatically assigned to all Members"."""
    assert "stytch_member" in {role["role_id"] for role in body("stytch", event)["member"]["roles"]}


@pytest.mark.parametrize(
    "event", ["CONTACT_CREATE", "CONVERSATION_START", "MESSAGE_INBOUND", "EVENT_INBOUND"]
)
def test_the_first_message_of_a_contact_of_sinch_has_no_correlation_id(event: str) -> None:
    """The app sends it before: sinch/sinch-sdk-node affb35e conversation-callback-event.ts and
    developers.sinch.com/docs/conversation/metadata.
    """
    assert body("sinch", event)["event_time"] < body("sinch", "MESSAGE_SUBMIT")["event_time"]
    assert body("sinch", event)["correlation_id"] == ""


def test_an_agent_of_buildkite_runs_one_job_at_a_time() -> None:
    job = body("buildkite", "job.promised_exit_status")["job"]

    assert job["agent"]["last_job_finished_at"] == body("buildkite", "job.finished")["job"]["finished_at"]
    assert job["agent"]["last_job_finished_at"] < job["started_at"]


@pytest.mark.parametrize("event", ["message_updated", "conversation_status_changed"])
def test_a_read_message_of_chatwoot_was_seen_by_its_contact(event: str) -> None:
    delivered = body("chatwoot", event)
    conversation = delivered.get("conversation", delivered)

    assert conversation["contact_last_seen_at"] > conversation["messages"][0]["created_at"]


def test_a_transaction_of_coinbase_is_of_one_payment() -> None:
    capture = body("coinbase-cdp", "acceptance.payment_session.capture_succeeded")["data"]["capture"]
    disbursement = body("coinbase-cdp", "acceptance.disbursement.succeeded")["data"]
    hashes = [paid["onchainTransactions"][0]["transactionHash"] for paid in (capture, disbursement)]
    ramps = [body("coinbase-cdp", f"{way}.transaction.success")["txHash"] for way in ("onramp", "offramp")]

    assert len({*hashes, *ramps}) == 4


def test_a_view_of_slack_is_a_home_or_a_modal() -> None:
    modal = json.loads(parse_qs(provider("slack").template("view_submission").decode())["payload"][0])["view"]
    home = body("slack", "app_home_opened")["event"]["view"]

    assert modal["id"] != home["id"] == home["root_view_id"]


@pytest.mark.parametrize(("before", "event"), [("drifted", "check_failure"), ("check_failure", "failed")])
def test_an_assessment_of_terraform_tells_the_one_before(before: str, event: str) -> None:
    last, now = (body("terraform-cloud", f"assessment:{name}")["details"] for name in (before, event))

    assert now["prior_assessment_result"] == last["new_assessment_result"]


def test_a_busy_call_of_vonage_is_not_answered_and_a_transferred_one_leaves_its_conversation() -> None:
    assert body("vonage", "call.machine")["call_uuid"] != body("vonage", "call.busy")["uuid"]
    assert body("vonage", "call.transfer")["uuid"] != body("vonage", "call.completed")["uuid"]


@pytest.mark.parametrize("event", ["ecomm_new_order", "ecomm_order_changed"])
def test_an_order_of_webflow_has_six_or_nine_digits_and_a_japanese_form_only_in_japan(event: str) -> None:
    """As in webflow/js-webflow-api 31e9cf3 src/api/types/Order.ts and OrderAddress.ts."""
    order = body("webflow", event)["payload"]
    addresses = [*order["allAddresses"], order["shippingAddress"], order["billingAddress"]]

    assert re.fullmatch("[0-9a-f]{6}([0-9a-f]{3})?", order["orderId"].replace("-", ""))
    assert all(("japanType" in address) == (address["country"] == "JP") for address in addresses)


def test_telnyx_looks_for_a_machine_on_a_call_that_the_app_made() -> None:
    """Only dial and transfer ask for it: team-telnyx/telnyx-node b9b12ca calls.ts and actions.ts."""
    incoming, detected = (
        body("telnyx", f"call.{event}")["data"]["payload"]
        for event in ("initiated", "machine.detection.ended")
    )

    assert incoming["direction"] == "incoming"
    assert detected["from"] == incoming["to"]
    assert detected["call_leg_id"] != incoming["call_leg_id"]


@pytest.mark.parametrize(
    "event", ["created", "customer.reply.created", "agent.reply.created", "note.created", "status"]
)
def test_the_preview_of_helpscout_is_of_the_newest_thread(event: str) -> None:
    """As in developer.helpscout.com/webhooks/objects/conversation and
    /mailbox-api/endpoints/conversations/get.
    """
    conversation = body("helpscout", f"convo.{event}")

    assert conversation["preview"] == conversation["_embedded"]["threads"][0]["body"]


@pytest.mark.parametrize("event", ["RENEWAL", "EXPIRATION"])
def test_an_extended_period_of_revenuecat_lasts_to_its_new_end(event: str) -> None:
    """Its "expiration date ... has been pushed back": RevenueCat/docs bf39a9c event-types-and-fields.mdx."""
    extended, later = (body("revenuecat", name)["event"] for name in ("SUBSCRIPTION_EXTENDED", event))

    if later["transaction_id"] == extended["transaction_id"]:
        assert later["expiration_at_ms"] == extended["expiration_at_ms"]
    else:
        assert later["expiration_at_ms"] <= extended["purchased_at_ms"]


@pytest.mark.parametrize("kind", ["post", "page"])
def test_authors_of_ghost_have_roles_unless_it_is_added_and_a_deleted_one_has_its_authors(kind: str) -> None:
    """As in TryGhost/Ghost 339ce62 and c8c36a4 ghost/core/test/e2e-webhooks/__snapshots__ (posts, pages)."""
    added = body("ghost", f"{kind}.added")[kind]["current"]
    edited = body("ghost", f"{kind}.edited")[kind]["current"]
    deleted = body("ghost", f"{kind}.deleted")[kind]["previous"]

    assert all("roles" not in author for author in [*added["authors"], added["primary_author"]])
    assert all(
        "roles" in author for author in [*edited["authors"], edited["primary_author"], *deleted["authors"]]
    )


def test_a_deleted_member_of_ghost_had_newsletters() -> None:
    """As in TryGhost/Ghost 01a0708 ghost/core/test/e2e-webhooks/__snapshots__/members.test.js.snap."""
    deleted = body("ghost", "member.deleted")["member"]["previous"]

    assert deleted["newsletters"] == body("ghost", "member.edited")["member"]["current"]["newsletters"]


@pytest.mark.parametrize("event", ["pipeline.success", "pipeline.failed"])
def test_a_pipeline_of_gitlab_runs_as_long_as_its_jobs(event: str) -> None:
    """As in gitlabhq/gitlabhq 2039c82 lib/gitlab/ci/pipeline/duration.rb, where no job overlaps another."""
    delivered = body("gitlab", event)

    assert delivered["object_attributes"]["duration"] == int(
        sum(job["duration"] for job in delivered["builds"])
    )


@pytest.mark.parametrize("event", ["build.running", "build.failed"])
def test_a_started_job_of_gitlab_has_a_duration_and_an_ended_pipeline_an_end(event: str) -> None:
    """As in gitlabhq/gitlabhq app/models/concerns/ci/has_status.rb (0351d9e) and app/models/ci/pipeline.rb
    (000f9d0).
    """
    job = body("gitlab", event)

    assert job["build_duration"] > 0
    assert (job["commit"]["status"] == "running") == (job["commit"]["finished_at"] is None)


@pytest.mark.parametrize(
    ("before", "event"), [("open", "update"), ("update", "acknowledge"), ("acknowledge", "close")]
)
def test_an_alert_of_atlas_tells_its_last_notification(before: str, event: str) -> None:
    """The time of the last notifications: mongodb/atlas-sdk-go 68a9d51 openapi, AlertViewForNdsGroup."""
    notified = body("mongodb-atlas", f"alert.{event}")["lastNotified"]

    assert body("mongodb-atlas", f"alert.{before}")["updated"] <= notified


@pytest.mark.parametrize("event", ["organization.updated", "organization.deleted"])
def test_a_verified_domain_of_workos_stays_verified(event: str) -> None:
    """Both are the object of the domain: workos/openapi-spec 7fd8359 spec/open-api-spec.yaml."""
    (domain,) = body("workos", event)["data"]["domains"]

    assert body("workos", "organization_domain.verified")["data"] == domain


def test_a_deleted_user_of_workos_tells_the_last_sign_in() -> None:
    """It is "when the user last signed in": workos/openapi-spec 7fd8359 spec/open-api-spec.yaml."""
    signed_in = body("workos", "authentication.magic_auth_succeeded")["created_at"]

    assert signed_in[:19] == body("workos", "user.deleted")["data"]["last_sign_in_at"][:19]


def test_a_signer_of_docusign_who_declines_has_the_order_of_the_schema() -> None:
    """As in docusign/OpenAPI-Specifications connect.schema-v2.json, whose other signers are as delivered."""
    signer = body("docusign", "envelope-declined")["data"]["envelopeSummary"]["recipients"]["signers"][0]
    members = "deliveredDateTime declinedDateTime sentDateTime declinedReason deliveryMethod"

    assert members.split() == [name for name in signer if name in members.split()]
