"""Members of bodies and headers stand as in a recorded, documented or measured delivery."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs

import pytest

from hook_widgets.webhooks import Provider, provider
from tests.webhooks.data.test_times import objects

#: Documented examples (docs.crisp.chat/references/web-hooks/v1/), without inbox_id, which is newer.
CRISP = {
    "message:send": "type origin content timestamp fingerprint website_id session_id from user stamped",
    "message:received": (
        "website_id type from origin content fingerprint user mentions timestamp stamped session_id"
    ),
    "message:updated": "fingerprint content website_id session_id",
    "message:removed": "fingerprint website_id session_id",
}
#: Real deliveries of October 2015, April and October 2019 and February 2020, kept in public repositories.
MANDRILL_SENT = (
    "ts subject email tags opens clicks state smtp_events subaccount resends reject _id sender template"
)
MANDRILL_STORED = (
    "ts _id state subject email tags opens clicks smtp_events subaccount resends _version sender template"
)
MANDRILL_BOUNCE = (
    "ts _id state subject email tags smtp_events resends _version diag bgtools_code sender template "
    "bounce_description"
)
MANDRILL = {
    "send": MANDRILL_SENT,
    "reject": MANDRILL_SENT,
    "hard_bounce": MANDRILL_BOUNCE,
    "soft_bounce": MANDRILL_BOUNCE,
    "open": MANDRILL_STORED,
    "click": MANDRILL_STORED,
}

#: Deliveries kept in hub4j/github-api (GHEventPayloadTest, 2021 and 2022) and drone/go-scm (July 2025), and
#: examples of octokit/webhooks (payload-examples); without the organization of ours.
GITHUB = {
    "team.edited": "changes action team sender",
    "workflow_dispatch": "ref workflow inputs repository sender",
    "pull_request_review.edited": "action review pull_request changes repository sender",
    "pull_request_review_comment.edited": "action changes comment pull_request repository sender",
    "pull_request_review_thread.resolved": "action pull_request thread repository sender",
    "pull_request_review_thread.unresolved": "action pull_request thread repository sender",
    "discussion.edited": "action discussion changes repository sender",
    "discussion.category_changed": "action discussion changes repository sender",
    "issues.transferred": "action issue changes repository sender",
    "release.edited": "action changes release repository sender",
}


def body(known: Provider, event: str) -> Any:
    text = known.template(event).decode()
    return json.loads(parse_qs(text)["mandrill_events"][0] if known.id == "mandrill" else text)


@pytest.mark.parametrize("event", [event.name for event in provider("figma").events])
def test_figma_sorts_the_members_of_an_event(event: str) -> None:
    """As in the examples of developers.figma.com/docs/rest-api/webhooks-events/."""
    members = list(body(provider("figma"), event))

    assert sorted(members) == members


@pytest.mark.parametrize(("event", "members"), CRISP.items())
def test_crisp_orders_a_message_as_documented(event: str, members: str) -> None:
    data = body(provider("crisp"), event)["data"]

    assert [*members.split(), "inbox_id"] == list(data)


def test_an_error_of_imagekit_has_its_request_before_the_id() -> None:
    """As in the signed delivery of June 2022 in imagekit-nodejs a1324c2."""
    assert ["type", "request", "id", "created_at", "data"] == list(
        body(provider("imagekit"), "video.transformation.error")
    )


@pytest.mark.parametrize(
    ("event", "subject"),
    [
        ("repo:commit_comment_created", "commit"),
        ("pullrequest:comment_created", "pullrequest"),
        ("pullrequest:comment_updated", "pullrequest"),
    ],
)
def test_a_comment_of_bitbucket_ends_with_type_links_and_subject(event: str, subject: str) -> None:
    """As captured in March 2023: hookdeck/webhook-samples providers/bitbucket."""
    delivered = body(provider("bitbucket"), event)

    assert ["repository", "actor"] == list(delivered)[:2]
    assert {"comment", subject} == set(list(delivered)[2:])
    assert ["type", "links", subject] == list(delivered["comment"])[-3:]


@pytest.mark.parametrize(("event", "members"), MANDRILL.items())
def test_mandrill_has_the_members_of_real_deliveries(event: str, members: str) -> None:
    (delivered,) = body(provider("mandrill"), event)
    message = [name for name in delivered["msg"] if name != "metadata"]

    assert members.split() == message
    assert delivered["msg"].get("reject") is None
    assert list(delivered).index("_id") + 1 == list(delivered).index("msg")


@pytest.mark.parametrize("outcome", ["created", "action_required", "under_review", "won", "lost", "closed"])
def test_a_dispute_of_razorpay_ends_with_its_evidence(outcome: str) -> None:
    """As in razorpay/markdown-docs ab3bda5f api/disputes/contest.md and fetch-all.md."""
    dispute = body(provider("razorpay"), f"payment.dispute.{outcome}")["payload"]["dispute"]["entity"]

    assert ["status", "phase", "created_at", "evidence"] == list(dispute)[-4:]


def test_a_user_of_clerk_without_a_limit_has_none() -> None:
    """As in a delivery of October 2025 and a user of January 2026, kept in public repositories."""
    assert "create_organizations_limit" not in body(provider("clerk"), "user.created")["data"]


@pytest.mark.parametrize("event", [event.name for event in provider("modern-treasury").events])
def test_modern_treasury_has_shorter_members_first(event: str) -> None:
    """As in the sample body of August 2025 of docs.moderntreasury.com/platform/reference/webhooks."""
    delivered = body(provider("modern-treasury"), event)

    assert ["event", "data"] == list(delivered)
    for members in objects(delivered["data"]):
        assert sorted(members, key=lambda member: (len(member), member)) == list(members)


def test_modern_treasury_sends_the_headers_of_its_sample() -> None:
    """docs.moderntreasury.com/platform/reference/webhooks, Sample Webhook Headers."""
    known = provider("modern-treasury")
    headers = dict(known.draft(event="expected_payment.reconciled").sign(known.example_secret()).headers)

    assert ("expected_payment", "false") == (headers["X-Topic"], headers["X-Live-Mode"])
    assert "http.rb/4.2.0" == headers["User-Agent"]
    assert re.fullmatch("[0-9a-f]{24}", headers["X-Webhook-ID"])
    assert re.fullmatch("[0-9a-f]{64}", headers["X-Internal-Signature"])
    assert {"X-Event-ID", "X-Delivery-ID", "X-Organization-ID"} <= set(headers)


@pytest.mark.parametrize("event", [event.name for event in provider("airwallex").events])
def test_an_event_of_airwallex_has_the_members_of_its_version(event: str) -> None:
    """Deliveries of version 2025-02-14 (April 2025), and airwallex.com/docs, Payload examples.

    Those of versions up to 2023-10-01 had accountId, createdAt and sourceId, too.
    """
    assert ["id", "name", "account_id", "data", "created_at", "version"] == list(
        body(provider("airwallex"), event)
    )


def test_a_transfer_of_airwallex_has_its_payer_and_its_amount() -> None:
    """As in those deliveries, and required in @airwallex/node-sdk 2.0.0-beta.4, TransferDto."""
    transfer = body(provider("airwallex"), "payout.transfer.paid")["data"]

    assert {"funding", "payer", "transfer_amount"} <= set(transfer)
    assert sorted(transfer) == list(transfer)


def test_a_low_battery_of_seam_has_one_level() -> None:
    """As in seamapi/types c846ec17 (August 2026): device_low_battery_event in models/events/devices.ts."""
    low = body(provider("seam"), "device.low_battery")

    assert ["battery_level"] == [member for member in low if "battery" in member]


def test_discourse_sends_the_user_agent_first() -> None:
    """Faraday has a User-Agent of its own before it takes others: run with lostisland/faraday 59334e0e."""
    names = list(provider("discourse").schemes[0].headers)

    assert ["User-Agent", "Accept", "Connection", "Content-Type", "X-Discourse-Instance"] == names[:5]
    assert names[-1] == "Accept-Encoding"


def test_gitlab_lists_the_title_of_a_new_wiki_page_after_its_text() -> None:
    """As captured in March 2023: hookdeck/webhook-samples providers/gitlab."""
    members = list(body(provider("gitlab"), "wiki_page.create")["object_attributes"])

    assert ["content", "format", "message", "title", "slug"] == members[:5]
    assert ["url", "action", "diff_url"] == members[-3:]


@pytest.mark.parametrize("name", ["gitea", "forgejo"])
@pytest.mark.parametrize(
    ("event", "count"), [("opened", 0), ("synchronized", 0), ("approved", 1), ("merged", 1)]
)
def test_a_pull_request_counts_its_reviews(name: str, event: str, count: int) -> None:
    """The review itself is counted: services/convert/pull.go of Gitea and Forgejo in July 2026.

    Gitea's json/v2 (since 1.26: Makefile, modules/json/jsonv2.go) keeps a 0 in spite of omitempty.
    """
    pull = body(provider(name), f"pull_request.{event}")["pull_request"]

    assert count == pull["review_comments"]
    assert ["comments", "review_comments"] == [member for member in pull if member.endswith("comments")]


def test_a_run_of_gitea_has_no_id_of_its_repository() -> None:
    """It is never set, and json/v2 keeps the 0: modules/structs/repo_actions.go in July 2026."""
    run = body(provider("gitea"), "workflow_run.completed")["workflow_run"]

    assert ["run_number", "repository_id", "head_sha"] == list(run)[8:11]
    assert run["repository_id"] == 0


def test_a_new_fork_of_bitbucket_is_still_empty() -> None:
    """As captured in March 2023: hookdeck/webhook-samples providers/bitbucket repo.fork."""
    fork = body(provider("bitbucket"), "repo:fork")["fork"]

    assert (0, {}, None) == (fork["size"], fork["mainbranch"], fork["state"])


@pytest.mark.parametrize(("event", "members"), GITHUB.items())
def test_github_orders_an_event_as_delivered(event: str, members: str) -> None:
    delivered = [name for name in body(provider("github"), event) if name != "organization"]

    assert members.split() == delivered


def test_an_unsettled_amount_of_shopify_names_its_currency() -> None:
    """As captured: hookdeck/webhook-samples providers/shopify/2024-10/order_transactions.create.json."""
    unsettled = body(provider("shopify"), "order_transactions/create")["total_unsettled_set"]

    assert ["presentment_money", "shop_money"] == list(unsettled)
    assert [["amount", "currency"]] * 2 == [list(money) for money in unsettled.values()]


def test_a_renamed_card_of_trello_has_its_new_name_first() -> None:
    """As delivered in September 2022: IhorShylo/vacationWorker src/test/resources/req/renameCardReq.json."""
    action = body(provider("trello"), "updateCard.renamed")["action"]

    assert ["card", "old", "board", "list"] == list(action["data"])
    assert ["name", "id", "idShort", "shortLink"] == list(action["data"]["card"])
    assert ["type", "text"] == list(action["display"]["entities"]["name"])


def test_vonage_asks_what_to_do_with_the_members_of_a_recorded_query() -> None:
    """As in a GET of 2026 in a public repository, whose payload_hash is that of its JSON in this order."""
    members = "to endpoint_type from conversation_uuid uuid region_url"

    assert members.split() == list(body(provider("vonage"), "call.answer"))


def test_a_check_item_of_trello_tells_its_state_where_it_is_displayed() -> None:
    """As delivered in February 2019: zulip/zulip trello/fixtures/check_item_on_card_checklist.json."""
    display = body(provider("trello"), "updateCheckItemStateOnCard")["action"]["display"]

    assert ["type", "nameHtml", "id", "state", "text"] == list(display["entities"]["checkitem"])
