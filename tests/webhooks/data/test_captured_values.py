"""Values of members are those of captured deliveries, or of the sender's code or documentation."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_captured_members import part
from tests.webhooks.data.test_documented_values import body


@pytest.mark.parametrize("event", [event.name for event in provider("segment").events])
def test_an_event_of_segment_is_as_its_destinations_get_it(event: str) -> None:
    """As in events of 2020 and 2022: christyharagan/enrich_with_traits src/tests/payload.ts (for Webhooks),
    and the web payload in the README of Singular's destination function; each has its members sorted."""
    delivered = part("segment", event, "")

    assert {"_metadata", "channel", "originalTimestamp", "projectId", "version"} <= set(delivered)
    assert ("client", 2) == (delivered["channel"], delivered["version"])
    assert {"bundled": ["Segment.io"], "bundledIds": [], "unbundled": []} == delivered["_metadata"]
    assert json.dumps(delivered, sort_keys=True) == json.dumps(delivered)


@pytest.mark.parametrize("event", ["call_ended", "call_analyzed", "call_ended.voicemail", "transfer_ended"])
def test_an_ended_call_of_retell_has_both_recordings(event: str) -> None:
    """As in the sample of a call in docs.retellai.com/api-references: "available after the call ends"."""
    members = list(part("retell", event, "call"))
    first = members.index("recording_url")

    assert ["recording_url", "recording_multi_channel_url", "public_log_url"] == members[first : first + 3]


@pytest.mark.parametrize("event", ["track_published", "track_unpublished"])
def test_the_codec_of_a_track_of_livekit_has_the_layers_of_the_track(event: str) -> None:
    """As in livekit/livekit pkg/rtc/mediatrackreceiver.go: trackInfo.Layers = ci.Layers."""
    layers = part("livekit", event, "track.layers")

    assert layers == part("livekit", event, "track.codecs.0.layers")
    assert [None, 1, 2] == [layer.get("spatialLayer") for layer in layers]
    assert ["q", "h", "f"] == [layer["rid"] for layer in layers]


def test_the_sequence_number_of_alchemy_has_twenty_digits() -> None:
    """As in custom webhooks of 25 April 2023 and of 10 and 14 April 2025, kept in public repositories."""
    number = part("alchemy", "GRAPHQL", "event.sequenceNumber")

    assert (20, True) == (len(number), number.startswith("100000000"))


@pytest.mark.parametrize("event", ["message.created", "message.updated", "message.updated.failed"])
def test_messagebird_writes_nanoseconds_of_a_conversation_and_seconds_of_a_message(event: str) -> None:
    """As in messages of 1 and 3 June 2022 and of 27 April 2023, kept in public repositories."""
    conversation, message = part("messagebird", event, "conversation"), part("messagebird", event, "message")

    assert [30, 30] == [len(conversation[name]) for name in ("lastReceivedDatetime", "updatedDatetime")]
    assert len("2023-04-27T10:54:52Z") == len(message["updatedDatetime"])


def test_the_batch_of_cloudinary_has_96_digits_and_its_api_key_signs() -> None:
    """As in a notification of 27 May 2026 kept in a public repository."""
    eager = part("cloudinary", "eager", "")

    assert len(bytes.fromhex(eager["batch_id"])) == 48
    assert eager["api_key"] == eager["signature_key"] == eager["notification_context"]["triggered_by"]["id"]


def test_telnyx_writes_its_headers_as_its_portal_shows_them() -> None:
    """As the portal shows a delivery of 28 July 2025, kept in a public repository."""
    assert ["user-agent", "Content-Type", "Telnyx-Signature-Ed25519", "Telnyx-Timestamp"] == list(
        provider("telnyx").schemes[0].headers
    )


def test_a_room_of_livekit_allows_the_codecs_of_the_default() -> None:
    """As in livekit/livekit pkg/config/config.go DefaultConfig, in its order."""
    codecs = [codec["mime"].split("/") for codec in part("livekit", "room_started", "room.enabledCodecs")]

    assert ["PCMU", "PCMA", "opus", "red"] == [name for kind, name in codecs if kind == "audio"]
    assert ["VP8", "H264", "VP9", "AV1", "H265", "rtx"] == [name for kind, name in codecs if kind == "video"]


def test_a_room_of_livekit_ends_when_nobody_came_back_in_time() -> None:
    """livekit/livekit pkg/rtc/room.go CloseIfEmpty (each second): departureTimeout after all left."""
    left, ended = (int(part("livekit", event, "createdAt")) for event in ("ingress_ended", "room_finished"))

    assert ended - left - part("livekit", "room_finished", "room.departureTimeout") in range(2)


def test_a_participant_of_livekit_who_published_is_a_publisher() -> None:
    """As in livekit/livekit pkg/rtc/participant.go: setIsPublisher stays when the track is unpublished."""
    assert part("livekit", "participant_left", "participant").get("isPublisher") is True
    assert 1 == part("livekit", "participant_connection_aborted", "room").get("numPublishers")


def test_choices_and_a_file_of_typeform_are_as_delivered() -> None:
    """As delivered on 23 September 2024: sample-with-choice-choices-file-url.ts in think-juanito5/juanito."""
    chosen = part("typeform", "form_response.survey", "form_response.answers.1.choices")
    file = part("typeform", "form_response.application", "form_response.answers.2.file_url")

    assert ["ids", "labels", "refs"] == list(chosen)
    assert re.fullmatch(r"https://api\.typeform\.com/responses/files/[0-9a-f]{64}/[^/]+", file)


def test_a_field_of_typeform_does_not_repeat_the_settings_of_its_form() -> None:
    """As in a delivery of 6 October 2023 in Braze's documentation, and two of 2019 and 2021."""
    fields = part("typeform", "form_response.survey", "form_response.definition.fields")
    assert {"opinion_scale": {}, "multiple_choice": {}} == {
        field["type"]: field["properties"] for field in fields
    }


def test_a_stream_of_auth0_has_the_user_agent_as_the_browser_sent_it() -> None:
    """As in elastic/integrations test-login-success.json; only the Management API shortens it."""
    assert part("auth0", "s", "0.data.user_agent").startswith("Mozilla/5.0 ")


def test_a_block_of_auth0_says_who_tried_and_how_often() -> None:
    """As delivered in September 2025: panther-labs/panther-analysis rules/auth0_rules/auth0_limits.yml."""
    entry = part("auth0", "limit_wc", "0.data")

    assert entry["description"].startswith(
        f"User ({entry['user_name']}) attempted 10 consecutive logins unsuccessfully. Brute force protection"
    )
    assert entry["user_id"] == ""


def test_a_job_of_buildkite_names_its_agent_before_its_cluster() -> None:
    """As in builds of January 2025 in ahrefs/monorobot test/buildkite-api-cache, and in buildkite/docs."""
    job = list(part("buildkite", "job.finished", "job"))
    build = part("buildkite", "build.finished", "build")
    pipeline = list(part("buildkite", "build.finished", "pipeline"))

    assert "matrix agent retried_by cluster_id cluster_url" == " ".join(job[-7:-2])
    assert "" == build["blocked_state"]
    assert ["cluster_id", "cluster_url"] == list(build)[-2:]
    assert "cluster_id pipeline_template_uuid branch_configuration" == " ".join(pipeline[8:11])
    assert "cluster_url" == pipeline[-1]


def test_buildkite_keeps_the_environment_of_a_build_and_waits_five_seconds() -> None:
    """As in the build.finished of FLUID-6293 (1 July 2018) and its log, and in BuildkiteWebhookPayload,
    which Elastic wrote: the build of a webhook has no env, unlike that of the API."""
    responses = provider("buildkite").responses

    assert "tag source author creator" in " ".join(part("buildkite", "build.finished", "build"))
    assert responses is not None
    assert 5 == responses.within_s


@pytest.mark.parametrize("event", ["firing", "firing.two", "resolved"])
def test_a_value_of_grafana_names_its_type_of_expression(event: str) -> None:
    """As in a body of April 2026 in github.com/grafana/grafana/issues/122730 (pull request 112312)."""
    for alert in part("grafana", event, "alerts"):
        instance, types = alert["labels"]["instance"], {"B": "reduce", "C": "threshold"}
        expected = [
            f"[ var='{name}' labels={{instance={instance}}} type='{types[name]}' value={value} ]"
            for name, value in alert["values"].items()
        ]

        assert ", ".join(expected) == alert["valueString"]


@pytest.mark.parametrize("event", ["MEETING_STARTED", "MEETING_ENDED"])
def test_a_meeting_of_cal_com_has_a_host_who_came_and_a_time_of_change(event: str) -> None:
    """As in deliveries of May 2026, elviskahoro/gtm-sdk 0c1ef16 api/samples.

    handleAppsStatus of calcom/cal.com gives the same appsStatus to a booking and to its event.
    """
    assert part("cal-com", event, "noShowHost") is False
    assert seconds(part("cal-com", event, "createdAt")) <= seconds(part("cal-com", event, "updatedAt"))
    assert part("cal-com", event, "customInputs") == []
    assert part("cal-com", event, "user.uuid") == part("cal-com", event, "userUuid")
    assert part("cal-com", event, "appsStatus") == part("cal-com", "BOOKING_CREATED", "payload.appsStatus")


@pytest.mark.parametrize("event", ["CREATED", "REQUESTED", "RESCHEDULED", "CANCELLED"])
def test_a_booking_of_cal_com_starts_at_a_millisecond(event: str) -> None:
    """As in the same deliveries, also of what a booking without a platform or a calendar has."""
    payload = part("cal-com", f"BOOKING_{event}", "payload")

    assert re.fullmatch(r"[^.]+\.000Z", payload["startTime"])
    assert {payload[name] for name in payload if name.startswith("platform")} == {""}
    assert payload["price"] == 0
    assert payload["eventDescription"] == ""


#: Orders in a delivery of 2023 (hookdeck/webhook-samples providers/adyen/1/AUTHORISATION.json), an
#: AUTHORISATION of October 2023 in a public connector, and Adyen/adyen-openapi aa014f0 json/Webhooks-v1.json
#: (CHARGEBACK, NOTIFICATION_OF_CHARGEBACK, RECURRING_CONTRACT, PAYOUT_THIRDPARTY, OFFER_CLOSED).
ADYEN_MAPS = [
    "expiryDate authCode cardSummary totalFraudScore hmacSignature NAME2 NAME1 fraudCheck-6-ShopperIpUsage",
    "expiryDate authCode cardSummary cardHolderName totalFraudScore hmacSignature",
    (
        "captureMerchantReference chargebackReasonCode InvoiceCreditorAccount grossCurrency hmacSignature "
        "defensePeriodEndsAt defendable grossValue modificationMerchantReferences chargebackSchemeCode "
        "capturePspReference paymentMethodVariant shopperReference"
    ),
    (
        "captureMerchantReference chargebackReasonCode grossCurrency hmacSignature defensePeriodEndsAt "
        "defendable grossValue modificationMerchantReferences chargebackSchemeCode capturePspReference "
        "autoDefended paymentMethodVariant"
    ),
    (
        "recurring.shopperReference recurring.recurringDetailReference hmacSignature shopperReference "
        "checkoutSessionId"
    ),
    "expiryDate paymentMethodVariant cardSummary hmacSignature",
    "hmacSignature paymentMethodVariant",
]


def java_map_order(keys: list[str], capacity: int = 0) -> list[str]:
    """Order keys as a java.util.HashMap does that is a copy; those of one bucket stay as they are."""
    capacity = capacity or 1 << (int(len(keys) / 0.75 + 1) - 1).bit_length()

    def bucket(key: str) -> int:
        code = 0
        for character in key:
            code = (31 * code + ord(character)) & 0xFFFFFFFF
        return (code ^ code >> 16) & (capacity - 1)

    return sorted(keys, key=bucket)


@pytest.mark.parametrize("members", ADYEN_MAPS)
def test_additional_data_of_adyen_is_a_java_map(members: str) -> None:
    assert java_map_order(members.split()) == members.split()


def by_length(value: Any) -> Any:
    """The order of PostgreSQL's jsonb: shorter names first, then by bytes, at every depth."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: (len(name.encode()), name.encode()))
        return {name: by_length(value[name]) for name in names}
    return [by_length(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("event", [event.name for event in provider("workos").events])
def test_an_event_of_workos_has_shorter_names_first(event: str) -> None:
    """As in the signed delivery of July 2024 of workos/workos-python 1afa8eea tests/test_webhooks.py."""
    sent = body("workos", event)

    assert json.dumps(by_length(sent)) == json.dumps(sent)


@pytest.mark.parametrize("event", [event.name for event in provider("workos").events])
def test_an_event_of_workos_has_no_object_in_a_webhook(event: str) -> None:
    """ "Each event contains object: 'event'. Our webhooks do not": workos/workos-python#307.

    So the deliveries of July 2024 and April 2026; context as in that of get-convex/workos-authkit#4.
    """
    assert list(body("workos", event)) == ["id", "data", "event", "context", "created_at"]


def test_the_test_of_grafana_has_the_values_of_its_form() -> None:
    """As in tests received in December 2025, in March 2026 and, from 12.4.2, in May 2026 (keephq/keep)."""
    alert = part("grafana", "test", "alerts.0")

    assert {"alertname": "TestAlert", "grafana_folder": "Test Folder", "instance": "Grafana"} == alert[
        "labels"
    ]
    assert (alert["fingerprint"], alert["generatorURL"]) == ("326ea703b01f6100", "?orgId=1")
    assert ({"B": 22, "C": 1}, 1) == (alert["values"], alert["orgId"])
    assert "/d/dashboard_uid?from=" in alert["dashboardURL"]
    assert f"{alert['dashboardURL']}&viewPanel=1" == alert["panelURL"]
    assert part("grafana", "test", "title") == "[FIRING:1] TestAlert Test Folder Grafana "


@pytest.mark.parametrize(
    "event", [event.name for event in provider("onfido").events if event.category in {"check", "report"}]
)
def test_a_classic_event_of_onfido_links_the_host_without_region(event: str) -> None:
    """As in a delivery of April 2024: the classic event in onfido/onfido-python 04baf27 tests;
    the deliveries of tasks there (July and December 2024) link api.eu.onfido.com."""
    assert part("onfido", event, "payload.object.href").startswith("https://api.onfido.com/v3.6/")


@pytest.mark.parametrize("event", [event.name for event in provider("deepgram").events])
def test_a_request_of_deepgram_has_a_uuid_of_version_7(event: str) -> None:
    """As in responses of August 2026 (deepgram/deepgram-python-sdk tests/custom), September and October
    2026 (public repositories); the model's UUID as in all of them and in those of 2025."""
    delivered = part("deepgram", event, "")
    metadata = delivered.get("metadata", delivered)

    assert UUID(metadata["request_id"]).version == 7
    if "created" in metadata:
        begun = (UUID(metadata["request_id"]).int >> 80) / 1000
        assert 0 < datetime.fromisoformat(metadata["created"]).timestamp() - begun < 20
    if "model_info" in metadata:
        assert "2187e11a-3532-4498-b076-81fa530bdd49" in (metadata.get("model_uuid"), *metadata["model_info"])
        assert metadata.get("models", [""])[0] in ("", *metadata["model_info"])


@pytest.mark.parametrize(
    "event",
    [
        "user.lifecycle.create",
        "user.lifecycle.activate",
        "user.lifecycle.deactivate",
        "group.user_membership.add",
        "application.user_membership.add",
    ],
)
def test_an_event_of_okta_names_the_api_token_of_its_request(event: str) -> None:
    """As release 2022.02.0 of okta/okta-developer-docs says of requests with a token (a user created by API);
    the client as in a log event of April 2023 in a public repository, of a user suspended so."""
    entry = part("okta", event, "data.events.0")

    assert list(entry["transaction"]["detail"]) == ["requestApiTokenId"]
    assert entry["transaction"]["detail"]["requestApiTokenId"].startswith("00T")
    assert ("Unknown", "Unknown", "UNKNOWN") == (
        entry["client"]["device"],
        entry["client"]["userAgent"]["os"],
        entry["client"]["userAgent"]["browser"],
    )


def test_a_message_shortcut_of_slack_writes_the_name_of_its_user_last() -> None:
    """As in message_action payloads of 12 June 2021 and 6 November 2022, kept in public repositories."""
    (payload,) = parse_qs(provider("slack").template("message_action").decode())["payload"]

    assert ["id", "username", "team_id", "name"] == list(json.loads(payload)["user"])


@pytest.mark.parametrize("event", ["added.deal", "updated.deal"])
def test_a_deal_of_pipedrive_in_version_1_has_the_members_of_2025(event: str) -> None:
    """As in an updated.deal of 17 February 2025: PipedreamHQ/pipedream components/pipedrive/sources/
    updated-deal-instant/test-event.mjs."""
    delivered, deal = part("pipedrive", event, ""), part("pipedrive", event, "current")
    origin = ["origin", "origin_id", "channel", "channel_id", "is_archived", "archive_time"]

    assert ["current", "previous", "retry", "event"] == list(delivered)[-4:]
    assert {kind + end for kind in ("acv", "arr", "mrr") for end in ("", "_currency")} <= set(deal)
    assert {f"local_{what}_date" for what in ("won", "lost", "close")} <= set(deal)
    assert [deal[name] for name in origin] == [part("pipedrive", "create.deal", f"data.{n}") for n in origin]
    assert not {"renewal_type", "last_activity", "next_activity"} & set(deal)


@pytest.mark.parametrize("event", ["jira:version_created", "jira:version_released"])
def test_the_day_of_a_version_of_jira_is_written_for_its_users(event: str) -> None:
    """dd/MMM/yy: a jira:version_released of 8 September 2020 (putit.atlassian.net) in a public repository."""
    day = part("jira", event, "version.userReleaseDate")

    assert datetime.strptime(day, "%d/%b/%y").replace(tzinfo=UTC) == datetime(2026, 9, 30, tzinfo=UTC)


def test_a_changed_user_id_of_whatsapp_is_a_system_message() -> None:
    """user_id_update is no field of webhooks (the changelog of 11 August 2026)."""
    assert "user_id_update" not in {event.name for event in provider("whatsapp").events}


def test_an_event_of_okta_names_the_hook_that_delivers_it() -> None:
    """As in deliveries of 2020, 2021 and June 2024 (okta/workflows-templates)."""
    hook = part("okta", "user.session.end", "data.events.0.debugContext.debugData.targetEventHookIds")

    assert part("okta", "user.session.end", "source").endswith(f"/eventHooks/{hook}")


@pytest.mark.parametrize("known", ["jira", "atlassian-connect"])
def test_a_new_issue_of_jira_cloud_is_in_the_category_new_and_has_no_watcher(known: str) -> None:
    """As in six jira:issue_created of Jira Cloud in mattermost/mattermost-plugin-jira server/testdata, and in
    that of December 2024 in sirajju/skill-sync webhook/JIRA.js; a deleted issue has the category's title."""
    fields = part(known, "jira:issue_created", "issue.fields")

    assert (fields["watches"]["watchCount"], fields["status"]["statusCategory"]["name"]) == (0, "New")
    assert part(known, "jira:issue_deleted", "issue.fields.status.statusCategory.name") == "Done"


def test_a_deleted_issue_of_a_connect_app_has_its_comments_and_work() -> None:
    """As in mattermost/mattermost-plugin-jira server/testdata/webhook-issue-deleted.json."""
    fields = part("atlassian-connect", "jira:issue_deleted", "issue.fields")

    assert part("atlassian-connect", "comment_created", "comment") == fields["comment"]["comments"][0]
    assert part("atlassian-connect", "worklog_created", "worklog") == fields["worklog"]["worklogs"][0]
    assert {"issuerestrictions": {}, "shouldDisplay": False} == fields["issuerestriction"]


@pytest.mark.parametrize("event", ["created", "updated", "updated.assigned", "deleted"])
def test_an_issue_of_jira_cloud_has_its_restriction(event: str) -> None:
    """As in a jira:issue_updated of November 2020 in the README of reshufflehq/reshuffle-jira-connector."""
    fields = part("jira", f"jira:issue_{event}", "issue.fields")

    assert ["workratio", "issuerestriction", "watches"] == list(fields)[8:11]
    assert {"issuerestrictions": {}, "shouldDisplay": False} == fields["issuerestriction"]


def seconds(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp())


ANSWERED = [f"conversation.admin.{event}" for event in ("replied", "noted", "snoozed", "opened", "closed")]


@pytest.mark.parametrize("event", ["conversation.admin.assigned", *ANSWERED])
def test_an_assigned_conversation_of_intercom_counts_its_teammate(event: str) -> None:
    """As in zulip/zulip zerver/webhooks/intercom/fixtures/conversation_admin_open_assigned.json (2026)."""
    item = part("intercom", event, "data.item")
    statistics = item["statistics"]
    delay = seconds(statistics["first_assignment_at"]) - seconds(statistics["first_contact_reply_at"])

    assert [{"type": "admin", "id": str(item["admin_assignee_id"])}] == item["teammates"]["admins"]
    assert delay == statistics["time_to_assignment"]
    assert 1 == statistics["count_assignments"]
    assert statistics["first_assignment_at"] == statistics["last_assignment_at"]


@pytest.mark.parametrize("event", ANSWERED)
def test_an_answered_conversation_of_intercom_waits_no_longer(event: str) -> None:
    """As in zulip/zulip zerver/webhooks/intercom/fixtures/conversation_admin_open_assigned.json (2026)."""
    item = part("intercom", event, "data.item")
    statistics = item["statistics"]
    delay = seconds(statistics["first_admin_reply_at"]) - seconds(statistics["first_contact_reply_at"])

    assert item["waiting_since"] is None
    assert delay == statistics["time_to_admin_reply"]
    assert statistics["first_admin_reply_at"] == statistics["last_assignment_admin_reply_at"]


def test_the_statistics_of_intercom_count_each_reply_and_part() -> None:
    """As in .../conversation_priority_updated.json (2026): two parts later, the number is two more."""
    part_created = part(
        "intercom", "conversation.user.replied", "data.item.conversation_parts.conversation_parts.0"
    )
    first, second, third = (
        part("intercom", f"conversation.{event}", "data.item.statistics")
        for event in ("user.created", "user.replied", "admin.assigned")
    )

    assert part_created["created_at"] == seconds(second["last_contact_reply_at"])
    assert second["last_contact_reply_at"] == third["last_contact_reply_at"]
    assert [1, 2, 3] == [each["count_conversation_parts"] for each in (first, second, third)]


def test_intercom_asks_by_head_whether_the_address_exists() -> None:
    """developers.intercom.com/docs/webhooks/setting-up-webhooks: a HEAD request validates the URL."""
    (handshake,) = provider("intercom").handshakes

    assert ("HEAD", False) == (handshake.method, handshake.signed)


@pytest.mark.parametrize("event", ["delete", "unpublish"])
def test_contentful_leaves_a_tombstone_of_an_entry(event: str) -> None:
    """A delivery of March 2024 (contentful/apps, pull request 6872), all of whose times are the same, and
    EntryDeleteEventPayload of @contentful/node-apps-toolkit of 2025, which has deletedBy as well."""
    sys = body("contentful", f"ContentManagement.Entry.{event}")["sys"]
    members = "type id space environment contentType revision createdAt updatedAt deletedAt deletedBy"

    assert members.split() == list(sys)
    assert ["id", "type", "linkType"] == list(sys["environment"]["sys"])
    assert sys["createdAt"] == sys["updatedAt"] == sys["deletedAt"]


def test_contentful_orders_a_content_type_as_an_entry() -> None:
    """BaseEntityPublishEventSys of @contentful/node-apps-toolkit: one model for all that is published."""
    entry = body("contentful", "ContentManagement.Entry.publish")["sys"]
    content_type = body("contentful", "ContentManagement.ContentType.publish")["sys"]

    assert [member for member in entry if member != "contentType"] == list(content_type)


def test_resend_tells_the_second_in_which_an_e_mail_came() -> None:
    """As delivered on 4 October 2026 and on 23 October 2025: whole seconds, and before the e-mail was
    stored. The first is kept in a test of a public repository with its secret: its signature is right."""
    received = body("resend", "email.received")

    assert received["created_at"].endswith(".000Z")
    assert received["created_at"] < received["data"]["created_at"]


@pytest.mark.parametrize("event", ["sent", "delivered", "delivery_delayed", "bounced", "opened", "clicked"])
def test_resend_tells_the_message_id_of_amazon_ses(event: str) -> None:
    """As in an email.delivered of 5 September 2026 in the checks of a public repository: a number of the
    region, the milliseconds at which SES took the e-mail, 0.2 s after its creation, and a UUID.
    """
    sent = body("resend", f"email.{event}")
    message_id = re.compile(r"<0102(\w{12})-[-0-9a-f]{36}-000000@eu-west-1\.amazonses\.com>")
    (taken,) = message_id.findall(sent["data"]["message_id"])

    assert sent["data"]["created_at"] <= f"{datetime.fromtimestamp(int(taken, 16) / 1000, UTC):%FT%T.%f}"
    assert seconds(sent["data"]["created_at"]) + 1 == int(taken, 16) // 1000


def test_dropbox_sign_names_the_account_that_tests_its_callback() -> None:
    """As delivered in July 2016, January 2017 and December 2018 (raw bodies kept in public repositories,
    one of them in Pluralsight's guide to HelloSign): its account, no app, and an empty message last."""
    form = provider("dropbox-sign").template("callback_test").decode()
    metadata = json.loads(form.split("\r\n\r\n")[1].split("\r\n")[0])["event"]["event_metadata"]
    account = metadata.pop("reported_for_account_id")

    assert len(account) == 40
    assert [("related_signature_id", None), ("reported_for_app_id", None), ("event_message", None)] == list(
        metadata.items()
    )


@pytest.mark.parametrize("event", ["statusChange.finished", "statusChange.error"])
def test_cursor_tells_what_its_agent_is_called_and_when_it_began(event: str) -> None:
    """As delivered on 31 July 2025 (a comment in a public repository; an agent on eastlondoner/vibe-tools).

    Its repository has no https://, without which the API takes none.
    """
    change = body("cursor", event)
    members = "event timestamp id status source target name summary createdAt"

    assert members.split() == list(change)
    assert change["source"]["repository"].startswith("github.com/")
    assert change["createdAt"] < change["timestamp"]


def test_an_issue_of_linear_that_changes_its_state_moves() -> None:
    """Deliveries of 13 March 2025 and 24 June 2026 in public repositories: sortOrder is among what changed,
    and an issue is added to its team 161 and 27 milliseconds after it was made."""
    before, after = part("linear", "Issue.create", "data"), part("linear", "Issue.update", "data")
    changed = part("linear", "Issue.update", "updatedFrom")

    assert ["updatedAt", "sortOrder", "startedAt"] == list(changed)[:3]
    assert after["sortOrder"] != before["sortOrder"] == changed["sortOrder"]
    assert before["createdAt"] < before["addedToTeamAt"] == after["addedToTeamAt"]
