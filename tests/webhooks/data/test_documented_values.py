"""Values of members, headers and limits are those of a recorded, documented or typed delivery."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha224, sha256
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from hook_widgets.webhooks import provider


def body(known: str, event: str) -> Any:
    return json.loads(provider(known).template(event))


def ulid_ms(identifier: str) -> int:
    """Return the time of a ULID."""
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    return sum(digits.index(char) << 5 * (9 - place) for place, char in enumerate(identifier[:10]))


def made(identifier: str) -> datetime:
    """Return the time of a UUID of version 1."""
    return datetime(1582, 10, 15, tzinfo=UTC) + timedelta(microseconds=UUID(identifier).time // 10)


@pytest.mark.parametrize("event", [event.name for event in provider("cloudflare-stream").events])
def test_a_video_of_cloudflare_stream_is_uploaded_as_it_is_made(event: str) -> None:
    """As in the page of webhooks (30 June 2022, a direct upload too) and in a delivery of 5 July 2024,
    which was ready 1.3 milliseconds after it was modified; a recording of 14 August 2024, 1.5."""
    video = body("cloudflare-stream", event)
    created, uploaded = (datetime.fromisoformat(video[member]) for member in ("created", "uploaded"))

    assert timedelta(0) < created - uploaded < timedelta(milliseconds=1)
    if "readyToStreamAt" in video:
        later = datetime.fromisoformat(video["readyToStreamAt"]) - datetime.fromisoformat(video["modified"])
        assert timedelta(0) < later < timedelta(milliseconds=5)


def test_a_recording_of_cloudflare_stream_has_the_name_of_its_input_and_no_size() -> None:
    """As in developers.cloudflare.com/stream/stream-live/replay-recordings."""
    video = body("cloudflare-stream", "ready.live")
    begun = datetime.fromisoformat(video["created"])

    assert video["size"] == 0
    assert video["meta"]["name"].endswith(f" {begun:%d %b %y %H:%M} UTC")


@pytest.mark.parametrize("action", ["created", "updated", "deleted"])
def test_an_asset_of_nexus_is_delivered_with_its_action(action: str) -> None:
    """As in sonatype/nexus-public aec50e47d0 RepositoryAssetWebhook: EventAction."""
    delivered, created = body("nexus", f"asset.{action}"), body("nexus", "asset.created")

    assert delivered["action"] == action.upper()
    assert delivered["asset"] == created["asset"]
    assert list(delivered) == list(created)


def test_attio_waits_five_seconds() -> None:
    """As docs.attio.com/rest-api/guides/webhooks, restated in a public repository in 2026."""
    responses = provider("attio").responses

    assert responses is not None
    assert responses.within_s == 5


@pytest.mark.parametrize("event", ["FLAG_UPDATED", "FLAG_UPDATED.segment"])
def test_a_feature_of_flagsmith_tells_the_microsecond_in_which_it_was_made(event: str) -> None:
    """As api/environments/models.py of Flagsmith/flagsmith writes it, and before its entry in the log."""
    made_at = body("flagsmith", event)["data"]["new_state"]["feature"]["created_date"]

    assert not made_at.endswith("000Z")
    if event == "FLAG_UPDATED":
        assert made_at < body("flagsmith", "AUDIT_LOG_CREATED")["data"]["created_date"]


@pytest.mark.parametrize("event", [event.name for event in provider("mux").events])
def test_an_event_of_mux_tells_its_milliseconds(event: str) -> None:
    """As two deliveries of 10 June 2024 in a public repository: 2024-06-10T22:24:01.561000Z."""
    delivered = body("mux", event)["created_at"]

    assert delivered.endswith("000Z")
    assert not delivered.endswith(".000000Z")


@pytest.mark.parametrize("event", ["monitor.check.completed", "monitor.check.completed.partial"])
def test_a_check_of_firecrawl_succeeds_only_without_a_page_that_failed(event: str) -> None:
    """As in firecrawl/firecrawl apps/api/src/services/monitoring/runner.ts 40ed28a."""
    delivered = body("firecrawl", event)
    [check] = delivered["data"]
    failed = check["summary"]["error"]

    assert delivered["success"] is not bool(failed)
    assert check["status"] == ("partial" if failed else "completed")


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


@pytest.mark.parametrize("event", [event.name for event in provider("elevenlabs").events])
def test_an_id_of_elevenlabs_is_two_digits_and_a_ulid(event: str) -> None:
    """As the agents, branches and versions in elevenlabs/elevenlabs-python 54e58995 reference.md, and the
    conversations of 2025 and 2026 named in public repositories; the ULID tells when it was made.
    """
    delivered = body("elevenlabs", event)
    text = json.dumps(delivered)
    data = delivered["data"]

    for identifier in re.findall(r"\b(?:agent|agtbrch|agtvrsn|conv)_[0-9a-z]{20,}", text):
        assert re.fullmatch(r"[a-z]+_\d\d[0-9a-hjkmnp-tv-z]{26}", identifier)
        assert 1_700_000_000_000 < ulid_ms(identifier[-26:]) < delivered["event_timestamp"] * 1000
    if "metadata" in data and "start_time_unix_secs" in data["metadata"]:
        begun = ulid_ms(data["conversation_id"][-26:]) // 1000
        assert begun == data["metadata"]["start_time_unix_secs"]


def test_a_deleted_entitlement_of_discord_had_not_expired() -> None:
    """As in discord/discord-api-docs c98d64bc developers/events/gateway-events.mdx: an entitlement is deleted
    for a refund, say, not when it expires.
    """
    event = body("discord", "entitlement_delete")["event"]
    ends = event["data"]["ends_at"]

    assert ends is None or datetime.fromisoformat(ends).replace(tzinfo=None) > datetime.fromisoformat(
        event["timestamp"]
    )


@pytest.mark.parametrize("event", ["message_created", "conversation_created"])
def test_a_token_of_chatwoot_is_in_base_58(event: str) -> None:
    """As in rails/rails activerecord/lib/active_record/secure_token.rb and activesupport/lib/active_support/
    core_ext/securerandom.rb, by has_secure_token in Chatwoot's app/models/concerns/pubsubable.rb.
    """
    delivered = body("chatwoot", event)
    token = delivered.get("conversation", delivered)["contact_inbox"]["pubsub_token"]

    assert re.fullmatch(r"[1-9A-HJ-NP-Za-km-z]{24}", token)


@pytest.mark.parametrize("event", [event.name for event in provider("gitlab").events])
def test_an_avatar_of_gitlab_is_that_of_the_address(event: str) -> None:
    """As in gitlabhq/gitlabhq app/services/gravatar_service.rb and doc/user/project/integrations/
    webhook_events.md (admin@example.com); the hash has the length of SHA-256 in the deliveries of August 2025
    in woodpecker-ci/woodpecker server/forge/gitlab/fixtures.
    """
    template = provider("gitlab").template(event).decode()
    hashes = {sha256(f"{name}@example.com".encode()).hexdigest() for name in ("ada", "grace")}

    assert set(re.findall(r"gravatar\.com/avatar/([0-9a-f]+)", template)) <= hashes


@pytest.mark.parametrize("kind", ["signup", "recovery", "magiclink", "reauthentication"])
def test_a_token_hash_of_supabase_is_of_the_address_and_the_code(kind: str) -> None:
    """As in supabase/auth bc32168e internal/crypto/crypto.go GenerateTokenHash and internal/api/mail.go."""
    delivered = body("supabase-auth", f"send_email.{kind}")
    mail = delivered["email_data"]

    assert mail["token_hash"] == sha224((delivered["user"]["email"] + mail["token"]).encode()).hexdigest()


def test_the_token_hashes_of_a_changed_address_of_supabase_are_crossed() -> None:
    """As in supabase/auth bc32168e internal/api/mail.go sendEmailChange and sendEmail (secure change)."""
    delivered = body("supabase-auth", "send_email.email_change")
    user, mail = delivered["user"], delivered["email_data"]

    assert mail["token_hash"] == sha224((user["new_email"] + mail["token_new"]).encode()).hexdigest()
    assert mail["token_hash_new"] == sha224((user["email"] + mail["token"]).encode()).hexdigest()


def test_ids_of_a_lead_of_pipedrive_and_of_its_event_tell_their_millisecond() -> None:
    """As in the three events of a lead of pipedrive.readme.io/docs/webhooks-v2-migration-guide."""
    delivered = body("pipedrive", "create.lead")
    lead, meta = delivered["data"], delivered["meta"]

    assert made(lead["id"]) == datetime.fromisoformat(lead["add_time"])
    assert made(meta["id"]) + timedelta(milliseconds=1) == datetime.fromisoformat(meta["timestamp"])


def test_a_shop_of_woocommerce_closes_the_connection() -> None:
    """WordPress/Requests 31ba95ab src/Transport/Curl.php setup_handle adds it to the headers of the class."""
    headers = provider("woocommerce").schemes[0].headers

    assert ("Connection", "close") == list(headers.items())[-1]


@pytest.mark.parametrize("event", ["tweet_create_events", "tweet_create_events.retweet"])
def test_the_indices_of_a_mention_at_x_are_those_of_its_name(event: str) -> None:
    """The offsets where the name begins and ends in the text: docs.x.com, data dictionary, entities."""
    post = body("x", event)["tweet_create_events"][0]

    for mention in post["entities"]["user_mentions"]:
        assert post["text"][slice(*mention["indices"])] == f"@{mention['screen_name']}"


@pytest.mark.parametrize(
    "event", [event.name for event in provider("fusionauth").events if event.name != "test"]
)
def test_a_user_of_fusionauth_with_a_password_tells_when_it_was_set(event: str) -> None:
    """As in github.com/FusionAuth/fusionauth-issues/issues/3247 (null for a user without a password) and the
    answers of its API of 2020 in public repositories; fusionauth.io/docs/apis/users: lastLoginInstant."""
    sent = body("fusionauth", event)["event"]
    users = [sent["user"], *([sent["original"]] if event == "user.update" else [])]
    for user in users:
        logged_in = [one for one in user["registrations"] if one["insertInstant"] < user["lastLoginInstant"]]

        assert user["passwordLastUpdateInstant"] == user["insertInstant"]
        assert all(one["lastLoginInstant"] == user["lastLoginInstant"] for one in logged_in)
        assert all(list(one) == sorted(one) for one in (user, *user["registrations"]))


@pytest.mark.parametrize("event", ["direct.member.create", "scim.member.create", "scim.member.update"])
def test_a_member_of_stytch_has_the_role_of_all(event: str) -> None:
    """As in stytch.com/docs/b2b/guides/rbac/stytch-default: "automatically assigned to all Members"."""
    assert "stytch_member" in {role["role_id"] for role in body("stytch", event)["member"]["roles"]}


def test_a_role_that_is_taken_looks_like_one_that_is_assigned() -> None:
    """As in auth0/docs-v2 092b879e main/docs/oas/events/events-schema.json: both are generally available."""
    assigned, taken = (
        body("auth0-events", f"organization.member.role.{verb}") for verb in ("assigned", "deleted")
    )

    assert taken["type"] == "organization.member.role.deleted"
    assert taken["data"] == assigned["data"]


@pytest.mark.parametrize(
    "event", ["CONTACT_CREATE", "CONVERSATION_START", "MESSAGE_INBOUND", "EVENT_INBOUND"]
)
def test_the_first_message_of_a_contact_of_sinch_has_no_correlation_id(event: str) -> None:
    """The app sends it before: sinch/sinch-sdk-node affb35e conversation-callback-event.ts and
    developers.sinch.com/docs/conversation/metadata.
    """
    assert body("sinch", event)["accepted_time"] < body("sinch", "MESSAGE_SUBMIT")["accepted_time"]
    assert body("sinch", event)["correlation_id"] == ""


@pytest.mark.parametrize("event", ["start", "stop"])
def test_a_conversation_of_sinch_names_no_sender(event: str) -> None:
    """As in sinch/sinch-sdk-node affb35e packages/conversation/src/models/v1/conversation/conversation.ts
    and ConversationStartEventDto.json of sinch/sinch-sdk-java d747cc3 (both of July 2026)."""
    delivered = body("sinch", f"CONVERSATION_{event.upper()}")[f"conversation_{event}_notification"]
    known = "id app_id contact_id last_received active_channel active metadata metadata_json correlation_id"

    assert set(delivered["conversation"]) <= set(known.split())


def test_a_grant_of_nylas_that_is_authenticated_again_says_so() -> None:
    """As in developer.nylas.com/docs/reference/notifications/grants/grant-updated (25014: without)."""
    grant = body("nylas", "grant.updated")["data"]["object"]
    members = "code email grant_id integration_id provider reauthentication_flag"

    assert set(grant) == set(members.split())
    assert (25027, True) == (grant["code"], grant["reauthentication_flag"])


def test_forgejo_tells_a_second_time_of_a_run_that_succeeds_after_one_that_failed() -> None:
    """As in forgejo/forgejo services/webhook/notifier.go ActionRunNowDone at d883bd8f of July 2026."""
    succeeded = body("forgejo", "action_run_success")

    assert succeeded["last_run"]["status"] != "success"
    assert body("forgejo", "action_run_recover") == {**succeeded, "action": "recover"}


@pytest.mark.parametrize("event", ["ecomm_new_order", "ecomm_order_changed"])
def test_an_order_of_webflow_has_six_or_nine_digits_and_a_japanese_form_only_in_japan(event: str) -> None:
    """As in webflow/js-webflow-api 31e9cf3 src/api/types/Order.ts and OrderAddress.ts."""
    order = body("webflow", event)["payload"]
    addresses = [*order["allAddresses"], order["shippingAddress"], order["billingAddress"]]

    assert re.fullmatch("[0-9a-f]{6}([0-9a-f]{3})?", order["orderId"].replace("-", ""))
    assert all(("japanType" in address) == (address["country"] == "JP") for address in addresses)


def test_a_digit_at_telnyx_is_the_last_of_those_that_were_gathered() -> None:
    spoken, digit, gathered = (
        body("telnyx", f"call.{event}")["data"] for event in ("speak.ended", "dtmf.received", "gather.ended")
    )

    assert spoken["occurred_at"] < digit["occurred_at"] < gathered["occurred_at"]
    assert gathered["payload"]["digits"].endswith(digit["payload"]["digit"])


def test_what_is_read_at_x_was_sent_by_the_other_one() -> None:
    read = body("x", "direct_message_mark_read_events")["direct_message_mark_read_events"][0]
    sent = body("x", "dm.sent")["data"]["payload"]["direct_message_events"][0]

    assert read["last_read_event_id"] == sent["id"]
    assert read["sender_id"] == sent["message_create"]["target"]["recipient_id"]


def test_telnyx_looks_for_a_machine_on_a_call_that_the_app_made() -> None:
    """Only dial and transfer ask for it: team-telnyx/telnyx-node b9b12ca calls.ts and actions.ts."""
    incoming, detected = (
        body("telnyx", f"call.{event}")["data"]["payload"]
        for event in ("initiated", "machine.detection.ended")
    )

    assert incoming["direction"] == "incoming"
    assert detected["from"] == incoming["to"]
    assert detected["call_leg_id"] != incoming["call_leg_id"]


def test_a_plan_of_terraform_without_changes_completes_its_run() -> None:
    """As received in January 2022: zapier/tfbuddy pkg/tfc_hooks/notification_test.go 3d10e84."""
    [notification] = body("terraform-cloud", "run:completed.planned")["notifications"]

    assert notification["message"] == "Run Planned and Finished"
    assert notification["trigger"] == "run:completed"
    assert notification["run_status"] == "planned_and_finished"
    assert notification["run_updated_by"] is None


def test_a_canceled_run_of_terraform_has_the_trigger_of_an_error_and_names_who_canceled_it() -> None:
    """As in the sample of hashicorp/web-unified-docs notification-configurations.mdx 811f40d."""
    canceled = body("terraform-cloud", "run:errored.canceled")
    [notification] = canceled["notifications"]

    assert notification["message"] == "Run Canceled"
    assert notification["trigger"] == "run:errored"
    assert notification["run_status"] == "canceled"
    assert notification["run_updated_by"] == canceled["run_created_by"]


@pytest.mark.parametrize(
    "event", ["created", "customer.reply.created", "agent.reply.created", "note.created", "status"]
)
def test_the_preview_of_helpscout_is_of_the_newest_thread(event: str) -> None:
    """As in developer.helpscout.com/webhooks/objects/conversation and
    /mailbox-api/endpoints/conversations/get.
    """
    conversation = body("helpscout", f"convo.{event}")

    assert conversation["preview"] == conversation["_embedded"]["threads"][0]["body"]


def test_the_reply_of_helpscout_has_the_status_that_it_gave_the_conversation() -> None:
    """As in developer.helpscout.com/help-desk-api/objects/thread/."""
    conversation = body("helpscout", "convo.agent.reply.created")

    assert conversation["_embedded"]["threads"][0]["status"] == conversation["status"] == "pending"


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


@pytest.mark.parametrize(
    "event", [event.name for event in provider("ghost").events if event.category in ("post", "page")]
)
def test_posts_and_pages_of_ghost_have_tiers_and_counts_and_first_their_author(event: str) -> None:
    """As in TryGhost/Ghost 339ce62 and c8c36a4 ghost/core/test/e2e-webhooks/__snapshots__; the order as in
    TryGhost/Docs ceefa10 admin-api/posts/overview.mdx.
    """
    current = body("ghost", event)[event.split(".", maxsplit=1)[0]]["current"]
    if current:
        members = list(current)

        assert [tier["slug"] for tier in current["tiers"]] == ["free", "default-product"]
        assert ("count" in current) == (not event.endswith(".added"))
        assert members.index("primary_author") + 1 == members.index("primary_tag")


def test_an_absence_of_cal_com_begins_and_ends_in_the_time_zone_of_the_user() -> None:
    """As in calcom/cal.com packages/trpc/server/routers/viewer/ooo/outOfOfficeCreateOrUpdate.handler.ts."""
    absence = body("cal-com", "OOO_CREATED")["payload"]["oooEntry"]
    zone = ZoneInfo(absence["user"]["timeZone"])

    for bound in ("start", "end"):
        time = datetime.fromisoformat(absence[bound])
        assert time.utcoffset() == time.astimezone(zone).utcoffset()


@pytest.mark.parametrize("event", ["call.busy", "call.completed"])
def test_a_callback_of_twilio_stands_as_elevenlabs_got_it(event: str) -> None:
    """A callback of 8 October 2025 in elevenlabs.io/docs/eleven-agents/workflows/post-call-webhooks."""
    received = body("elevenlabs", "call_initiation_failure.twilio")["data"]["metadata"]["body"]
    fields = parse_qs(provider("twilio").template(event).decode(), keep_blank_values=True)

    assert [name for name in received if name in fields] == list(fields)


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


def test_a_signer_of_docusign_who_declines_has_the_order_of_the_schema() -> None:
    """As in docusign/OpenAPI-Specifications connect.schema-v2.json, whose other signers are as delivered."""
    signer = body("docusign", "envelope-declined")["data"]["envelopeSummary"]["recipients"]["signers"][0]
    members = "deliveredDateTime declinedDateTime sentDateTime declinedReason deliveryMethod"

    assert members.split() == [name for name in signer if name in members.split()]


def test_payments_refunds_and_sessions_of_fintoc_have_the_ids_and_times_of_the_documents() -> None:
    """As in fintoc-com/fintoc-python tests/test_webhook.py (an id is a KSUID), and in docs.fintoc.com: The
    Refund object, Checkout Session object.
    """
    succeeded, failed, refund = (
        body("fintoc", event)["data"]
        for event in ("payment_intent.succeeded", "payment_intent.failed", "refund.succeeded")
    )
    session = body("fintoc", "checkout_session.finished")["data"]

    assert {len(payment["id"]) for payment in (succeeded, failed)} == {len("pi_") + 27}
    assert refund["id"].startswith("re_")
    assert refund["resource_id"] == session["payment_resource"]["payment_intent"]["id"] == succeeded["id"]
    assert all(re.fullmatch(r"[^.]+:\d\dZ", session[name]) for name in ("created_at", "expires_at"))


@pytest.mark.parametrize("event", ["link.created", "link.credentials_changed"])
def test_a_link_of_fintoc_has_the_members_of_the_schema(event: str) -> None:
    """As in docs.fintoc.com: Get a link (all are required), The Event object (a link.created)."""
    link = body("fintoc", event)["data"]
    created = event == "link.created"

    members = (
        "id mode active object status accounts username holder_id created_at link_token holder_type"
        " institution refresh_status last_time_refreshed"
    )

    assert " ".join(link) == members
    assert (link["accounts"] is not None, link["link_token"] is not None) == (created, created)


@pytest.mark.parametrize("status", ["succeeded", "failed"])
def test_a_refresh_of_fintoc_has_the_members_of_the_documented_events(status: str) -> None:
    """As in docs.fintoc.com: Wait for the results using a Webhook Endpoint; changelog on public_error."""
    refresh = body("fintoc", f"account.refresh_intent.{status}")["data"]
    members = "type object status created_at public_error new_movements refreshed_object refreshed_object_id"

    assert " ".join(refresh) == members
    assert refresh["status"] == status
    assert refresh["public_error"] == {"succeeded": None, "failed": "retryable_error"}[status]
