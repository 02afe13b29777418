"""Members and values of bodies are those of changelogs, examples, models and deliveries."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_captured_members import part


def body(name: str, event: str) -> Any:
    return json.loads(provider(name).template(event))


def test_an_authorized_application_of_mercado_pago_has_a_number_as_its_user() -> None:
    """As in mercadopago.com.mx/developers/es/docs/mp-point/optional-notifications (a delivery of June 2026):
    user_id is a long there, data.id a text, and date_created has milliseconds."""
    delivered = body("mercadopago", "mp-connect.authorized")

    assert {"user_id": int, "id": int} == {name: type(delivered[name]) for name in ("user_id", "id")}
    assert isinstance(delivered["data"]["id"], str)
    assert datetime.fromisoformat(delivered["date_created"]).microsecond


def test_a_release_of_heroku_that_is_pending_has_no_artifacts_yet() -> None:
    """As in zulip/zulip a9b845ae zerver/webhooks/heroku/fixtures/release_pending.json (17 May 2025)."""
    release = body("heroku", "release.create")["data"]

    assert ("pending", False, [], False) == tuple(
        release[member] for member in ("status", "current", "artifacts", "eligible_for_rollback")
    )


def test_an_uninstalled_app_of_bigcommerce_is_an_event_of_the_store() -> None:
    """As in bigcommerce/docs 24f580ca reference/webhooks.v3.yml store_app_uninstalled."""
    assert {"type": "store"} == body("bigcommerce", "store/app/uninstalled")["data"]


def test_twitch_names_the_streamers_of_a_shoutout_before_their_logins() -> None:
    """As in twitchdev/twitch-cli fd7dac6 internal/models/shoutout.go and in Twitch's page of the event."""
    roles = ("broadcaster", "to_broadcaster", "moderator")
    people = [f"{role}_user_{member}" for role in roles for member in ("id", "name", "login")]
    rest = ["viewer_count", "started_at", "cooldown_ends_at", "target_cooldown_ends_at"]

    assert people + rest == list(body("twitch", "channel.shoutout.create")["event"])


def test_a_claim_of_mercado_pago_has_a_uuid_and_the_number_and_path_of_the_claim() -> None:
    """As in mercadopago.com.ar/developers/en/docs/checkout-api-orders/optional-notifications (June 2026)."""
    delivered = body("mercadopago", "topic_claims")
    claim = delivered["data"]

    assert "action api_version data date_created id live_mode type user_id" == " ".join(delivered)
    assert "claim" == delivered["type"]
    assert str(UUID(delivered["id"])) == delivered["id"]
    assert {"id": int, "resource": str} == {name: type(value) for name, value in claim.items()}
    assert f"/v1/claims/{claim['id']}" == claim["resource"]
    assert isinstance(delivered["user_id"], int)


@pytest.mark.parametrize("action", ["create", "change", "delete"])
def test_a_person_of_pipedrive_has_its_labels_after_its_label(action: str) -> None:
    """As in a change of 9 October 2025 kept in the tests of a public repository."""
    delivered = body("pipedrive", f"{action}.person")
    person = list(delivered["data"] or delivered["previous"])

    assert ["id", "label", "label_ids", "last_name"] == person[person.index("id") :][:4]


ZOOM_HELD = """meeting.started meeting.ended meeting.participant_joined meeting.participant_left
    meeting.participant_joined_waiting_room meeting.sharing_started meeting.sharing_ended
    recording.started recording.paused recording.resumed recording.stopped"""


@pytest.mark.parametrize("event", ZOOM_HELD.split())
def test_a_meeting_of_zoom_has_the_time_of_its_start(event: str) -> None:
    """As in the seven deliveries of July 2026 in brentcurtis76/fne-lms __tests__/lib/zoom/fixtures."""
    start = part("zoom", "recording.completed", "payload.object.start_time")

    assert part("zoom", event, "payload.object.start_time") == start


@pytest.mark.parametrize(
    ("event", "member"),
    [
        ("meeting.created", "creation_source"),
        ("webinar.created", "creation_source"),
        ("webinar.ended", "practice_session"),
    ],
)
def test_a_meeting_of_zoom_has_the_members_of_its_changelog(event: str, member: str) -> None:
    """developers.zoom.us/changelog/meetings/november-18-2024 and july-14-2025."""
    assert member in part("zoom", event, "payload.object")


@pytest.mark.parametrize("event", ["CANCELLED", "EXPIRED"])
def test_a_subscription_of_paypal_that_ended_is_not_billed_again(event: str) -> None:
    """Deliveries of CANCELLED of February 2021 (a README), September 2022 (scribd.com/document/720656897)."""
    assert "next_billing_time" not in part("paypal", f"BILLING.SUBSCRIPTION.{event}", "resource.billing_info")


@pytest.mark.parametrize(
    ("known", "event"),
    [
        ("jira", "jira:issue_updated"),
        ("jira", "comment_created"),
        ("jira", "comment_deleted"),
        ("atlassian-connect", "jira:issue_updated"),
    ],
)
def test_the_status_in_progress_of_jira_is_described(known: str, event: str) -> None:
    """As in a delivery of Jira Cloud in mattermost/mattermost-plugin-jira de745001 server/testdata."""
    status = part(known, event, "issue.fields.status")

    assert ("3", "In Progress") == (status["id"], status["name"])
    assert status["description"] == "This issue is being actively worked on at the moment by the assignee."
    assert status["iconUrl"].endswith("/images/icons/statuses/inprogress.png")


@pytest.mark.parametrize("event", ["jira:version_created", "jira:version_released"])
def test_a_version_of_jira_has_its_day_twice(event: str) -> None:
    """Deliveries in mia-platform/integration-connector-agent docs/sources/20_jira.md (26 November 2024) and
    as Luisgustavom1/jira-version-release reads them."""
    version = part("jira", event, "version")

    assert list(version)[-4:] == ["releaseDate", "overdue", "userReleaseDate", "projectId"]
    assert datetime.strptime(version["userReleaseDate"], "%d/%b/%y").replace(tzinfo=UTC) == (
        datetime.fromisoformat(version["releaseDate"]).replace(tzinfo=UTC)
    )


@pytest.mark.parametrize("event", ["sprint_created", "sprint_started", "sprint_closed"])
def test_only_a_changed_sprint_of_jira_has_its_old_values(event: str) -> None:
    """Deliveries of 2019 (started, closed) in ImpactInsights/valuestream, of 2020 (updated) elsewhere."""
    assert list(part("jira", event, "")) == ["timestamp", "webhookEvent", "sprint"]


@pytest.mark.parametrize("event", [event.name for event in provider("slack").events if not event.file])
def test_an_event_of_slack_names_the_enterprise_of_its_workspace(event: str) -> None:
    """Beside the workspace, as in the deliveries of slackapi/bolt-python tests/adapter_tests."""
    delivered = body("slack", event)
    enterprises = {each["enterprise_id"] for each in delivered.get("authorizations", ())} - {None}

    assert enterprises == {delivered[key] for key in ("enterprise_id",) if key in delivered}
    assert "enterprise_id" not in delivered or list(delivered)[1:3] == ["team_id", "enterprise_id"]


@pytest.mark.parametrize("event", ["published", "updated"])
def test_an_unpaid_invoice_of_square_tells_the_amount_due(event: str) -> None:
    """As each unpaid invoice of square/connect-api-specification 5733f66 api.json, and no paid one."""
    invoice = part("square", f"invoice.{event}", "data.object.invoice")
    request = invoice["payment_requests"][0]

    assert invoice["status"] == "UNPAID"
    assert invoice["next_payment_amount_money"] == request["computed_amount_money"]
    assert "next_payment_amount_money" not in part("square", "invoice.payment_made", "data.object.invoice")


def test_a_contact_of_sinch_that_the_api_creates_has_neither_app_nor_priority() -> None:
    """sinch/sinch-sdk-java d747cc3 HmacAuthenticationValidationTest: a signed delivery of 18 October 2021."""
    delivered = body("sinch", "CONTACT_CREATE")
    members = "app_id accepted_time project_id contact_create_notification message_metadata correlation_id"

    assert list(delivered) == members.split()
    assert "" == delivered["app_id"]
    assert list(delivered["contact_create_notification"]["contact"]) == [
        "id", "channel_identities", "display_name", "email", "external_id", "metadata", "language",
    ]  # fmt: skip


@pytest.mark.parametrize("event", ["CONTACT_DELETE", "CONVERSATION_START", "CONVERSATION_STOP", "CAPABILITY"])
def test_what_no_channel_of_sinch_tells_has_no_time_of_a_channel(event: str) -> None:
    """sinch/docs a7e241c5 docs/conversation/conversation-callbacks.md: event_time is given by the channel."""
    assert "event_time" not in body("sinch", event)


@pytest.mark.parametrize(("event", "member"), [("MESSAGE_INBOUND", "message"), ("EVENT_INBOUND", "event")])
def test_sinch_takes_what_a_contact_sends_after_the_channel_did(event: str, member: str) -> None:
    """sinch/docs a7e241c5 conversation-callbacks.md: milliseconds of the channel, microseconds of Sinch."""
    delivered = body("sinch", event)
    times = [delivered["event_time"], delivered[member]["accept_time"], delivered["accepted_time"]]

    assert [24, 27, 27] == [len(time) for time in times]
    assert times == sorted(times)


@pytest.mark.parametrize("event", ["message.updated", "message.updated.failed"])
def test_a_message_that_messagebird_sends_has_a_time_to_the_nanosecond(event: str) -> None:
    """A message sent by the API, of 3 June 2022, kept in a public repository: only its createdDatetime has
    nine digits, and the updatedDatetime of its conversation is from 17 minutes before."""
    delivered, received = body("messagebird", event), body("messagebird", "message.created")
    times = [delivered["message"][f"{member}Datetime"] for member in ("created", "updated")]

    assert [30, 20] == [len(time) for time in times]
    assert delivered["conversation"] == received["conversation"]


@pytest.mark.parametrize("event", ["enabled", "disabled"])
def test_a_lifecycle_event_of_atlassian_connect_has_both_addresses_that_people_see(event: str) -> None:
    """As in toolsplus/atlassian-connect-play 708c082 LifecycleEvent.scala, which requires both, and in the
    text of Atlassian that it quotes: without a domain of its own, each of them is the address of the site."""
    app = body("atlassian-connect", event)

    assert app["baseUrl"] == app["displayUrl"] == app["displayUrlServicedeskHelpCenter"]


@pytest.mark.parametrize("event", ["safety.alert.created", "safety.org_alert.created"])
def test_an_alert_of_openai_has_the_id_that_its_api_takes(event: str) -> None:
    """OpenAI's reference, resources/safety/subresources/alerts: at most 38 characters, as in its example."""
    documented = "alert_0123456789abcdef0123456789abcdef"
    alert = body("openai", event)["data"]["id"]

    assert (alert.partition("_")[0], len(alert)) == ("alert", len(documented)) == ("alert", 38)


def test_an_incoming_call_of_openai_tells_its_transport_first() -> None:
    """The example of live.transport.incoming in OpenAI's reference, and sip_media_security after it."""
    call = body("openai", "live.transport.incoming")["data"]

    assert list(call) == ["type", "session_id", "sip_headers", "sip_media_security"]
