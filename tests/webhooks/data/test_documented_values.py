"""Values of members, headers and limits are those of a recorded, documented or typed delivery."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

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


def test_mux_tries_thirty_times() -> None:
    """As "max_attempts": 30 in an attempt of 10 June 2024, which a delivery in a public repository lists."""
    assert provider("mux").retries.retries == 29


def test_ids_of_a_lead_of_pipedrive_and_of_its_event_tell_their_millisecond() -> None:
    """As in the three events of a lead of pipedrive.readme.io/docs/webhooks-v2-migration-guide."""
    delivered = body("pipedrive", "create.lead")
    lead, meta = delivered["data"], delivered["meta"]

    assert made(lead["id"]) == datetime.fromisoformat(lead["add_time"])
    assert made(meta["id"]) + timedelta(milliseconds=1) == datetime.fromisoformat(meta["timestamp"])


def test_a_signer_of_docusign_who_declines_has_the_order_of_the_schema() -> None:
    """As in docusign/OpenAPI-Specifications connect.schema-v2.json, whose other signers are as delivered."""
    signer = body("docusign", "envelope-declined")["data"]["envelopeSummary"]["recipients"]["signers"][0]
    members = "deliveredDateTime declinedDateTime sentDateTime declinedReason deliveryMethod"

    assert members.split() == [name for name in signer if name in members.split()]
