"""Events of one provider agree: what happens apart is told apart, and nothing takes back an earlier event."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from collections import defaultdict
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_captured_members import part
from tests.webhooks.data.test_times import NAMES, bodies, objects

ONE_FRACTION = {
    "alertmanager": "a group of rules is evaluated at one offset in each interval",
    "slack": "the digits behind the second count its messages",
}
END = re.compile(r"(?i).*(expir|end|next|until|valid|period|starts|locks|bill(ed|ing)|effective).*")
FRACTION = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)\.(\d{3,9})(?:Z|[ +-].*)?|(1[78]\d{8})\.?(\d{6}|\d{2,3})"
)


def fraction_of(value: Any) -> tuple[str, str] | None:
    """Return the second of a time and the digits behind it, if there are any but 0."""
    written = FRACTION.fullmatch(str(value))
    if not written:
        return None
    second = written[1] or str(datetime.fromtimestamp(int(written[3]), UTC))[:19]
    fraction = (written[2] or written[4]).rstrip("0")
    return (second.replace(" ", "T"), fraction) if fraction else None


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ONE_FRACTION])
def test_two_moments_do_not_share_a_fraction_of_a_second(name: str) -> None:
    """Except the end of a span, which can have the fraction of its begin."""
    seconds: defaultdict[str, set[str]] = defaultdict(set)
    for body in bodies(name).values():
        for key, value in ((key, value) for members in objects(body) for key, value in members.items()):
            if not END.match(key) and (written := fraction_of(value)):
                seconds[written[1]].add(written[0])

    assert {} == {fraction: moments for fraction, moments in seconds.items() if len(moments) > 1}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-09-30T12:00:00.120Z", ("2026-09-30T12:00:00", "12")),
        ("2026-09-30 12:00:00.123456+00:00", ("2026-09-30T12:00:00", "123456")),
        (1790769600123, ("2026-09-30T12:00:00", "123")),
        (1790769600.123456, ("2026-09-30T12:00:00", "123456")),
        ("2026-09-30T12:00:00.000Z", None),
        (1790769600, None),
    ],
)
def test_a_fraction_is_read_with_its_second(value: Any, expected: tuple[str, str] | None) -> None:
    assert expected == fraction_of(value)


@pytest.mark.parametrize(
    "event", [event.name for event in provider("customerio").events if event.category != "customer"]
)
def test_a_delivery_of_customerio_has_its_time_behind_account_and_channel(event: str) -> None:
    """As in rudderlabs/rudder-transformer test/integrations/sources/customerio/data.ts."""
    delivery = part("customerio", event, "")
    decoded = urlsafe_b64decode(delivery["data"]["delivery_id"])

    assert not {"+", "/"} & set(delivery["data"]["delivery_id"])
    assert decoded[:4] == urlsafe_b64decode(part("customerio", "email.sent", "data.delivery_id"))[:4]
    assert 0 <= delivery["timestamp"] - int.from_bytes(decoded[5:11], "big") / 1000 < 7 * 86_400


def test_a_customer_of_customerio_gets_nothing_more_and_bounces_at_no_address_that_reads() -> None:
    delivered = [part("customerio", event.name, "") for event in provider("customerio").events]
    unsubscribed = part("customerio", "email.unsubscribed", "timestamp")
    metrics = {"drafted", "sent", "attempted", "failed", "delivered", "clicked"}

    assert max(event["timestamp"] for event in delivered if event["metric"] in metrics) < unsubscribed
    assert part("customerio", "email.bounced", "data.customer_id") != part(
        "customerio", "email.opened", "data.customer_id"
    )


def test_a_message_of_zendesk_is_not_of_a_ticket_that_came_another_way() -> None:
    delivered = [part("zendesk", event.name, "detail") for event in provider("zendesk").events if event.type]
    tickets = {ticket["id"] for ticket in delivered if ticket.get("via") == {"channel": "web_service"}}

    assert tickets
    assert part("zendesk", "messaging_ticket.message_added", "detail.id") not in tickets


def test_a_wiki_of_forgejo_keeps_its_page() -> None:
    written = part("forgejo", "wiki.created", "repository.updated_at")
    delivered = [
        part("forgejo", event.name, "repository")
        for event in provider("forgejo").events
        if event.body_file.endswith(".json") and not event.name.startswith(("action", "fork"))
    ]

    for repository in delivered:
        assert repository["has_wiki_contents"] == (repository["updated_at"] >= written)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ("fund_account.validation.completed", "fund_account.validation"),
        ("payout.failed", "payout"),
        ("payout.processed", "payout"),
        ("payout.reversed", "payout"),
        ("qr_code.credited", "payment"),
        ("virtual_account.credited", "payment"),
    ],
)
def test_a_reference_of_a_bank_of_razorpay_has_its_hour(event: str, kind: str) -> None:
    """Field 37 of ISO 8583 as India's banks write it: a digit of the year, the day of the year, the hour."""
    delivery = part("razorpay", event, "payload")[kind]["entity"]
    reference = delivery.get("utr") or delivery["acquirer_data"]["rrn"]
    moment = datetime.fromtimestamp(delivery["created_at"], timezone(timedelta(hours=5, minutes=30)))

    assert reference[:6] == f"{moment.year % 10}{moment:%j%H}"


@pytest.mark.parametrize("member", ["auth_code", "description"])
def test_a_captured_payment_of_razorpay_has_an_approval_and_an_order_of_its_own(member: str) -> None:
    payments: defaultdict[str, set[str]] = defaultdict(set)
    for delivery in bodies("razorpay").values():
        payment = delivery["payload"].get("payment", {}).get("entity", {})
        if payment.get("captured") and payment["order_id"]:
            payments[(payment | payment["acquirer_data"])[member]].add(payment["id"])
    payments.pop("Recurring Payment via Subscription", None)

    assert {} == {value: ids for value, ids in payments.items() if len(ids) > 1}


def test_a_recording_of_livekit_ends_by_itself_once_nobody_is_left() -> None:
    recording = part("livekit", "egress_ended", "egressInfo")
    left = part("livekit", "participant_left", "")
    ended = int(recording["file"]["endedAt"]) // 1_000_000_000

    assert recording["details"] == "End reason: Source closed"
    assert int(part("livekit", "track_unpublished", "createdAt")) <= int(left["createdAt"]) <= ended
    assert left["room"]["activeRecording"]


def test_a_mail_of_mandrill_is_read_after_it_is_sent() -> None:
    form = parse_qs(provider("mandrill").template("batch").decode())
    sent, opened = json.loads(form["mandrill_events"][0])

    assert opened["ts"] == opened["msg"]["opens"][0]["ts"] > sent["ts"]


def test_an_order_of_flutterwave_is_refunded_once() -> None:
    charge, refund, transfer = (
        part("flutterwave", event, "data")
        for event in ("charge.completed", "refund.completed", "transfer.completed.v3")
    )

    assert refund["charge_id"] == charge["id"]
    assert refund["amount_refunded"] == charge["amount"]
    assert "Refund" not in transfer["narration"]


def test_a_target_of_mux_is_of_a_live_stream_that_lists_it() -> None:
    """@mux/mux-node LiveStream: simulcast_targets."""
    delivered = [part("mux", event.name, "") for event in provider("mux").events]
    listed = {
        (event["data"]["id"], target["id"])
        for event in delivered
        if event["object"]["type"] == "live"
        for target in event["data"].get("simulcast_targets", [])
    }
    streams = {event["data"]["id"] for event in delivered if event["object"]["type"] == "live"}

    for event in delivered:
        if event["object"]["type"] == "simulcast_target":
            stream = event["data"]["live_stream_id"]
            assert stream not in streams or (stream, event["data"]["id"]) in listed


def test_a_token_of_gitlab_is_not_older_than_its_project() -> None:
    token = part("gitlab", "access_token.expiring", "object_attributes.created_at")

    assert token[:10] >= part("gitlab", "project_create", "created_at")[:10]


def test_a_deployment_of_gitlab_runs_in_a_later_job_than_the_pipelines() -> None:
    pipelines = [part("gitlab", f"pipeline.{status}", "builds") for status in ("failed", "success")]

    assert part("gitlab", "deployment.success", "deployable_id") > max(
        job["id"] for builds in pipelines for job in builds
    )


@pytest.mark.parametrize("member", ["description", "iid", "created_at"])
def test_two_issues_of_gitlab_are_not_one(member: str) -> None:
    first, second = (
        part("gitlab", f"issue.{event}", "object_attributes") for event in ("open", "confidential")
    )

    assert first["id"] != second["id"]
    assert first[member] != second[member]


@pytest.mark.parametrize("event", ["open", "confidential"])
def test_an_opened_issue_of_gitlab_changes_what_it_begins_with(event: str) -> None:
    """fedora-infra/webhook-to-fedora-messaging-messages tests/test_gitlab/events/issue.py, GitLab 18.1."""
    issue = part("gitlab", f"issue.{event}", "object_attributes")
    changes = part("gitlab", f"issue.{event}", "changes")

    assert {member: change["current"] for member, change in changes.items()}.items() <= issue.items()
    assert set(changes) - {"confidential"} == {
        "author_id", "created_at", "description", "id", "iid", "project_id", "title", "updated_at",
    }  # fmt: skip


def test_an_assistant_of_vapi_speaks_first_in_turn_0() -> None:
    """The turns count from 0: @vapi-ai/server-sdk ServerMessageSpeechUpdate."""
    first = part("vapi", "conversation-update", "message.messages.0.time")

    assert first == part("vapi", "speech-update", "message.timestamp")
    assert part("vapi", "speech-update", "message.turn") == 0


def test_a_derived_asset_of_cloudinary_is_triggered_by_its_upload() -> None:
    """A notification of 27 May 2026 in a public repository: triggered_at is the second of the version in the
    URL, that of the upload, and five seconds before the timestamp."""
    eager, upload = (part("cloudinary", event, "") for event in ("eager", "upload"))

    assert eager["request_id"] == upload["request_id"]
    assert eager["notification_context"] == upload["notification_context"]
    assert eager["notification_context"]["triggered_at"] < eager["timestamp"]


@pytest.mark.parametrize("event", ["replied", "noted", "snoozed", "opened"])
def test_a_contact_of_intercom_does_not_read_an_answer_in_the_second_it_is_written(event: str) -> None:
    """zulip/zulip zerver/webhooks/intercom/fixtures: conversation_admin_replied.json (2019) and
    conversation_admin_open_assigned.json (2026); what follows unread was not read before."""
    assert part("intercom", f"conversation.admin.{event}", "data.item.read") is False


def test_the_app_composes_its_answer_at_sinch_before_it_sends_it() -> None:
    """The ids are ULIDs: they sort by their time."""
    composed = part("sinch", "EVENT_DELIVERY", "event_delivery_report.event_id")

    assert composed < part("sinch", "MESSAGE_SUBMIT", "message_submit_notification.message_id")


def test_an_asset_of_nexus_is_stored_and_deleted_with_its_component() -> None:
    for action in ("created", "deleted"):
        asset, component = (
            datetime.fromisoformat(part("nexus", f"{thing}.{action}", "timestamp"))
            for thing in ("asset", "component")
        )

        assert abs(asset - component) < timedelta(seconds=1)


def test_pulumi_creates_again_what_had_been_deleted_when_the_drift_was_found() -> None:
    drift = part("pulumi", "drift_detection", "resourceChanges")
    remedy = part("pulumi", "drift_remediation", "resourceChanges")

    assert remedy == {"update": drift["update"], "create": drift["delete"]}


def test_a_neutral_hook_of_code_hosting_names_the_events_that_it_sends() -> None:
    sent = {event.name.partition(".")[0] for event in provider("code-hosting").events} - {"ping"}

    assert part("code-hosting", "ping", "hook.events") == sorted(sent)


def test_who_commented_on_an_issue_of_linear_follows_it() -> None:
    """A comment subscribes its author: linear/linear 8335e09a schema.graphql, doNotSubscribeToIssue."""
    assert part("linear", "Comment.create", "data.issueId") == part("linear", "Issue.remove", "data.id")
    assert part("linear", "Comment.create", "data.userId") in part(
        "linear", "Issue.remove", "data.subscriberIds"
    )


@pytest.mark.parametrize("event", ["group_archive", "group_rename", "reaction_added"])
def test_an_event_of_a_conversation_of_slack_names_its_team(event: str) -> None:
    """Recorded so: slackapi/java-slack-sdk 86ff7ca9 json-logs/samples/events, GroupArchivePayload.json."""
    assert part("slack", event, "context_team_id") == part("slack", event, "team_id")
    assert part("slack", event, "context_enterprise_id") is None
