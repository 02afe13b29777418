"""Events of one object, account or chain agree: in their order, and in what an earlier one has set."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from itertools import pairwise
from urllib.parse import parse_qs

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_documented_values import body


@pytest.mark.parametrize(
    ("known", "member", "events"),
    [
        ("bitbucket-server", "date", "pr:opened pr:declined pr:deleted pr:merged repo:modified"),
        ("chat", "sent_at", "message app_mention reaction_added member_joined command"),
        ("code-hosting", "sent_at", "ping push issues.opened pull_request.opened pull_request.merged"),
        ("code-hosting", "sent_at", "pull_request.merged pull_request.closed"),
        ("messaging-interaction", "created_at", "command autocomplete component select modal"),
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
        (
            "recurly",
            "event_time",
            (
                "subscription.created subscription.updated subscription.renewed "
                "subscription.canceled subscription.expired"
            ),
        ),
        ("todoist", "triggered_at", "project:added label:added item:added item:uncompleted"),
        ("vercel", "createdAt", "project.created integration-configuration.removed project.removed"),
        ("todoist", "triggered_at", "item:uncompleted reminder:fired item:deleted"),
        (
            "todoist",
            "triggered_at",
            "project:added project:updated project:archived project:unarchived project:deleted",
        ),
        ("todoist", "triggered_at", "project:added section:added section:updated section:archived"),
        ("todoist", "triggered_at", "label:added label:updated label:deleted"),
        ("smartsheet", "timestamp", "row.created cell.updated row.updated row.deleted status"),
        ("stream", "created_at", "user.banned user.unbanned member.removed"),
        ("zitadel", "created_at", "user.human.added user.locked user.grant.added user.removed"),
    ],
)
def test_the_events_of_one_life_come_in_its_order(known: str, member: str, events: str) -> None:
    """A thing created, numbered or named later comes later, and nothing follows its end."""
    times = [body(known, event)[member] for event in events.split()]

    assert sorted(set(times)) == times


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        ("project:unarchived", "name updated_at"),
        ("project:deleted", "is_deleted name updated_at"),
        ("section:updated", "name updated_at"),
        ("section:archived", "archived_at is_archived name updated_at"),
        ("label:updated", "is_favorite"),
        ("label:deleted", "is_deleted is_favorite"),
    ],
)
def test_a_change_in_todoist_has_the_members_of_what_was_added(event: str, changed: str) -> None:
    """As in Doist/todoist-sdk-typescript 190cbda src/types/webhooks: projects, sections, labels.test.ts."""
    added, later = (
        body("todoist", name)["event_data"] for name in (f"{event.partition(':')[0]}:added", event)
    )

    assert list(later) == list(added)
    assert {name for name in later if later[name] != added[name]} == set(changed.split())


def test_an_incident_of_pagerduty_keeps_its_priority() -> None:
    delivered = [body("pagerduty", event.name)["event"] for event in provider("pagerduty").events]
    incidents = [event for event in delivered if event["data"]["type"] == "incident"]
    priorities = [
        event["data"]["priority"] for event in sorted(incidents, key=lambda event: event["occurred_at"])
    ]
    first = next(at for at, priority in enumerate(priorities) if priority)

    assert None not in priorities[first:]


def test_an_incident_of_pagerduty_keeps_the_time_it_was_reopened() -> None:
    """PagerDuty/developer-docs docs/webhooks/01-Overview.md: incident.priority_updated has reopened_at."""
    delivered = [body("pagerduty", event.name)["event"] for event in provider("pagerduty").events]
    reopened = body("pagerduty", "incident.reopened")["event"]
    later = [
        event["data"].get("reopened_at")
        for event in delivered
        if event["data"]["type"] == "incident" and event["occurred_at"] >= reopened["occurred_at"]
    ]

    assert later == [reopened["data"]["reopened_at"]] * 2


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


@pytest.mark.parametrize("event", ["created", "paid", "notpaid"])
def test_an_event_of_a_vercel_invoice_comes_after_its_creation(event: str) -> None:
    """The date is that of the creation: vercel/sdk 426eb4b."""
    sent = body("vercel", f"marketplace.invoice.{event}")

    assert sent["createdAt"] / 1000 > datetime.fromisoformat(sent["payload"]["invoiceDate"]).timestamp()


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


def test_an_address_that_bounces_at_sendgrid_opens_no_mail() -> None:
    bounced, dropped, opened = (body("sendgrid", event)[0] for event in ("bounce", "dropped", "open"))

    assert bounced["email"] == dropped["email"] != opened["email"]


def test_a_conversation_of_helpscout_keeps_its_assignee_its_tags_and_its_inbox() -> None:
    all_bodies = [body("helpscout", event.name) for event in provider("helpscout").events]
    states = sorted(
        (state for state in all_bodies if "userUpdatedAt" in state),
        key=lambda state: (state["threads"], state["userUpdatedAt"]),
    )

    assert [state["userUpdatedAt"] for state in states] == sorted(state["userUpdatedAt"] for state in states)
    for before, state in pairwise(states):
        assert state.get("assignee") or not before.get("assignee")
        assert state["tags"] or not before["tags"]
        assert state["mailboxId"] >= before["mailboxId"]


def test_the_number_of_an_agent_of_retell_is_called_and_calls() -> None:
    called, calls = (body("retell", event)["call"] for event in ("call_ended", "call_ended.voicemail"))

    assert called["direction"] != calls["direction"]
    assert called["to_number"] == calls["from_number"]


def test_the_limit_of_conversations_of_whatsapp_is_lifted_once() -> None:
    limited, lifted = (
        body("whatsapp", f"{event}_update")["entry"][0]["time"]
        for event in ("business_capability", "phone_number_quality")
    )

    assert limited < lifted


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


@pytest.mark.parametrize("known", ["gitea", "forgejo"])
@pytest.mark.parametrize("event", ["issue_comment.created", "issues.closed"])
def test_an_assigned_issue_of_gitea_stays_assigned(known: str, event: str) -> None:
    assigned, later = (body(known, name)["issue"] for name in ("issues.assigned", event))

    assert later["updated_at"] > assigned["updated_at"]
    assert later["assignees"] == assigned["assignees"] == [later["assignee"]]


@pytest.mark.parametrize("known", ["gitea", "forgejo"])
@pytest.mark.parametrize("event", ["delete", "release.published"])
def test_what_gitea_closed_and_merged_is_not_open(known: str, event: str) -> None:
    """The branch of a merge is deleted after it, and the release is later, too."""
    repository = body(known, event)["repository"]

    assert repository["updated_at"] == body(known, "pull_request.merged")["pull_request"]["merged_at"]
    assert repository["open_issues_count"] == repository["open_pr_counter"] == 0


def test_a_voice_of_elevenlabs_that_stays_is_not_removed() -> None:
    """As in elevenlabs/elevenlabs-docs 3557f0b1 webhooks.mdx: "no longer scheduled for removal"."""
    notice, withdrawn, removed = (
        body("elevenlabs", f"voice_{event}")
        for event in ("removal_notice", "removal_notice_withdrawn", "removed")
    )

    assert notice["data"]["voice_id"] == removed["data"]["voice_id"] != withdrawn["data"]["voice_id"]
    assert notice["data"]["scheduled_removal_unix_secs"] <= removed["event_timestamp"]


def test_an_agent_of_buildkite_runs_one_job_at_a_time() -> None:
    job = body("buildkite", "job.promised_exit_status")["job"]

    assert job["agent"]["last_job_finished_at"] == body("buildkite", "job.finished")["job"]["finished_at"]
    assert job["agent"]["last_job_finished_at"] < job["started_at"]


@pytest.mark.parametrize("event", ["message_updated", "conversation_status_changed"])
def test_a_read_message_of_chatwoot_was_seen_by_its_contact(event: str) -> None:
    delivered = body("chatwoot", event)
    conversation = delivered.get("conversation", delivered)

    assert conversation["contact_last_seen_at"] > conversation["messages"][0]["created_at"]


def test_a_view_of_slack_is_a_home_or_a_modal() -> None:
    modal = json.loads(parse_qs(provider("slack").template("view_submission").decode())["payload"][0])["view"]
    home = body("slack", "app_home_opened")["event"]["view"]

    assert modal["id"] != home["id"] == home["root_view_id"]


def test_a_link_of_slack_is_of_one_registered_domain() -> None:
    shared, asked = (body("slack", event)["event"] for event in ("link_shared", "entity_details_requested"))

    assert shared["links"] == [asked["link"]]


@pytest.mark.parametrize("event", ["user.updated", "unsubscribed", "merged"])
def test_a_contact_of_intercom_tells_its_conversation(event: str) -> None:
    item = body("intercom", f"contact.{event}")["data"]["item"]
    contact = item.get("contact", item)
    statistics = body("intercom", "conversation.admin.replied")["data"]["item"]["statistics"]

    assert contact["last_replied_at"] == contact["last_seen_at"]
    assert contact["last_replied_at"][:19] == statistics["last_contact_reply_at"][:19]
    assert contact["last_contacted_at"][:19] == statistics["last_admin_reply_at"][:19]


@pytest.mark.parametrize("kind", ["post", "page"])
def test_a_tag_that_ghost_attaches_was_not_there(kind: str) -> None:
    """A tag alone changes no time: TryGhost/Ghost 339ce62 ghost/core/test/e2e-webhooks/__snapshots__."""
    added, attached, published, detached = (
        body("ghost", f"{kind}.{event}")[kind]
        for event in ("added", "tag.attached", "published", "tag.detached")
    )

    assert (added["current"]["tags"], added["current"]["primary_tag"]) == ([], None)
    assert attached["current"]["tags"] == published["current"]["tags"] != []
    assert attached["previous"] == {"tags": added["current"]["tags"]}
    assert detached["previous"] == {"tags": attached["current"]["tags"]}
    assert attached["current"]["updated_at"] == added["current"]["updated_at"]
    assert published["previous"]["updated_at"] == attached["current"]["updated_at"]


def test_a_thread_of_webflow_begins_with_its_comment() -> None:
    comment = body("webflow", "comment_created")["payload"]
    created = f"{int(datetime.fromisoformat(comment['createdOn']).timestamp()):x}"

    assert {comment["threadId"][:8], comment["commentId"][:8]} == {created}


def test_runs_of_one_workspace_of_terraform_follow_each_other() -> None:
    runs: dict[str, list[str]] = defaultdict(list)
    for event in provider("terraform-cloud").events:
        run = body("terraform-cloud", event.name)
        if event.category == "run":
            runs[run["run_id"]] += [run["run_created_at"], run["notifications"][0]["run_updated_at"]]
    spans = sorted((min(times), max(times)) for times in runs.values())

    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize("both", ["added create deal", "updated change deal", "deleted delete person"])
def test_both_versions_of_pipedrive_tell_one_change(both: str) -> None:
    old, new, kind = both.split()
    time = datetime.fromisoformat(body("pipedrive", f"{new}.{kind}")["meta"]["timestamp"]).timestamp()

    assert body("pipedrive", f"{old}.{kind}")["meta"]["timestamp"] == int(time)


def test_a_moved_repository_of_hugging_face_is_deleted_by_its_new_name() -> None:
    moved, deleted = (body("huggingface", f"repo.{event}") for event in ("move", "delete"))

    assert deleted["repo"]["name"] == moved["movedTo"]["name"]


@pytest.mark.parametrize(("before", "event"), [("drifted", "check_failure"), ("check_failure", "failed")])
def test_an_assessment_of_terraform_tells_the_one_before(before: str, event: str) -> None:
    last, now = (body("terraform-cloud", f"assessment:{name}")["details"] for name in (before, event))

    assert now["prior_assessment_result"] == last["new_assessment_result"]


def test_a_busy_call_of_vonage_is_not_answered_and_a_transferred_one_leaves_its_conversation() -> None:
    assert body("vonage", "call.machine")["call_uuid"] != body("vonage", "call.busy")["uuid"]
    assert body("vonage", "call.transfer")["uuid"] != body("vonage", "call.completed")["uuid"]


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
    signed_in = [
        body("workos", event.name)["created_at"][:19]
        for event in provider("workos").events
        if event.name.startswith("authentication.") and event.name.endswith("_succeeded")
    ]

    assert max(signed_in) == body("workos", "user.deleted")["data"]["last_sign_in_at"][:19]


def test_a_field_of_typeform_is_of_one_form() -> None:
    forms = {
        (field["id"], delivered["form_response"]["form_id"])
        for event in provider("typeform").events
        for delivered in [body("typeform", event.name)]
        for field in delivered["form_response"]["definition"]["fields"]
    }

    assert len({field for field, _ in forms}) == len(forms)


def test_a_transferred_call_of_vapi_ends_after_its_transfer() -> None:
    report = body("vapi", "end-of-call-report")["message"]
    order = ("transfer-destination-request", "phone-call-control", "transfer-update", "end-of-call-report")
    times = [body("vapi", event)["message"]["timestamp"] for event in order]

    assert sorted(set(times)) == times
    assert report["endedReason"] == "assistant-forwarded-call"


def test_a_channel_of_discord_has_one_last_message() -> None:
    """No message is written between the interactions."""
    channels = [
        delivered["channel"]["last_message_id"]
        for event in provider("discord").events
        for delivered in [body("discord", event.name)]
        if "channel" in delivered
    ]

    assert len(set(channels)) == 1
    assert channels[0] in body("discord", "message_command")["data"]["resolved"]["messages"]


def test_a_user_of_discord_has_an_entitlement_once_it_starts() -> None:
    """A snowflake has the milliseconds since 2015: docs.discord.com/developers/reference."""
    new = body("discord", "entitlement_create")["event"]["data"]
    starts = (datetime.fromisoformat(new["starts_at"]).timestamp() - 1_420_070_400) * 1000

    for event in provider("discord").events:
        if event.category == "interaction":
            interaction = body("discord", event.name)
            entitled = [entitlement["id"] for entitlement in interaction["entitlements"]]
            assert entitled == ([new["id"]] if int(interaction["id"]) >> 22 > starts else [])
    assert body("discord", "entitlement_update")["event"]["data"]["user_id"] != new["user_id"]


def test_a_comment_at_azure_devops_belongs_to_the_item_that_was_updated() -> None:
    """As delivered on 7 August 2021 (ojdev/azure.devops.notify.dingtalk.robots f8fe9b3 README.md)."""
    comment = body("azure-devops", "workitem.commented")
    updated = body("azure-devops", "workitem.updated")["resource"]["revision"]
    history = comment["resource"]["fields"].pop("System.History")
    written = history.removeprefix("<div>").removesuffix("</div>")

    assert list(comment["resource"]) == ["id", "rev", "fields", "commentVersionRef", "_links", "url"]
    reference = comment["resource"]["commentVersionRef"]
    comments = comment["resource"]["_links"]["workItemComments"]["href"]
    assert reference["url"] == f"{comments}/{reference['commentId']}/versions/{reference['version']}"
    assert list(comment["resource"]["fields"]) == list(updated["fields"])
    assert (comment["resource"]["id"], comment["resource"]["rev"]) == (updated["id"], updated["rev"] + 1)
    for form, said in comment["detailedMessage"].items():
        end = f"<br/>{history}" if form == "html" else f"\r\n\r\n{written}\r\n"
        assert said == comment["message"][form] + end


@pytest.mark.parametrize(
    ("event", "like"),
    [
        ("file.copied", "file.created"),
        ("folder.copied", "folder.created"),
        ("project.deleted", "project.created"),
    ],
)
def test_an_event_of_frameio_names_its_resource_as_others_do(event: str, like: str) -> None:
    """AdobeDocs/frameio-api src/pages/guides/Webhooks/index.md: all payloads have a type and a resource."""
    assert body("frameio", event) == body("frameio", like) | {"type": event}


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ("git.push", "date"),
        ("git.pullrequest.created", "creationDate"),
        ("git.pullrequest.updated", "lastMergeCommit.committer.date"),
        ("git.pullrequest.merged", "closedDate"),
        ("workitem.created", "fields.System%ChangedDate"),
        ("workitem.updated", "revision.fields.System%ChangedDate"),
        ("workitem.commented", "fields.System%ChangedDate"),
    ],
)
def test_azure_devops_makes_its_event_six_seconds_later(event: str, path: str) -> None:
    """From 6.3 to 7.2 seconds after the push, the pull request and the change in argoproj/argo-cd
    util/webhook/testdata/azuredevops-git-push-event.json (2023), in zulip/zulip
    zerver/webhooks/azuredevops/fixtures (2022) and in ojdev/azure.devops.notify.dingtalk.robots (2021)."""
    delivered = body("azure-devops", event)
    value = delivered["resource"]
    for step in path.split("."):
        value = value[step.replace("%", ".")]
    waited = datetime.fromisoformat(delivered["createdDate"]) - datetime.fromisoformat(value)

    assert 6 < waited.total_seconds() < 7.5


def test_a_check_of_onfido_starts_after_its_form() -> None:
    """It is to be completed before the check proceeds (onfido/onfido-openapi-spec schemas/checks)."""
    events = [f"check.{event}" for event in ("form_completed", "started", "completed")]
    times = [body("onfido", event)["payload"]["object"]["completed_at_iso8601"] for event in events]

    assert sorted(set(times)) == times
