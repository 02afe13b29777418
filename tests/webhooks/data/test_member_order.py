"""Members of bodies and headers stand as in a recorded, documented or measured delivery."""

from __future__ import annotations

import json
import re
from datetime import datetime
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
    "workflow_dispatch": "ref workflow inputs repository sender installation",
    "pull_request_review.edited": "action review pull_request changes repository sender",
    "pull_request_review_comment.edited": "action changes comment pull_request repository sender",
    "pull_request_review_thread.resolved": "action pull_request thread repository sender",
    "pull_request_review_thread.unresolved": "action pull_request thread repository sender",
    "discussion.edited": "action discussion changes repository sender",
    "discussion.category_changed": "action discussion changes repository sender",
    "issues.transferred": "action issue changes repository sender",
    "release.edited": "action changes release repository sender",
}

#: Captured deliveries of API version 2026-07 (hookdeck/webhook-samples, providers/shopify/2026-07); what they
#: have empty: Shopify/shopify-app-js, packages/apps/shopify-api/rest/admin/__tests__/2026-07 (refund, order,
#: abandoned_checkout), and for the images of products providers/shopify/2023-01 of those captures.
SHOPIFY_IMAGE = (
    "id product_id position created_at updated_at alt width height src variant_ids admin_graphql_api_id"
)
SHOPIFY_CUSTOMER = (
    "id created_at updated_at first_name last_name state note verified_email multipass_identifier tax_exempt "
    "email phone currency addresses tax_exemptions admin_graphql_api_id default_address"
)
SHOPIFY = {
    **{f"customers/{change}": SHOPIFY_CUSTOMER for change in ("create", "update", "enable", "disable")},
    "customers/delete": "id tax_exemptions admin_graphql_api_id",
    "customers/data_request": "shop_id shop_domain customer orders_requested data_request",
    "inventory_items/update": (
        "id sku created_at updated_at requires_shipping cost country_code_of_origin province_code_of_origin "
        "harmonized_system_code tracked country_harmonized_system_codes weight_value weight_unit "
        "admin_graphql_api_id"
    ),
    "markets/create": "id name type status",
    "checkouts/update shipping_lines 0": (
        "code price original_shop_price original_rate_price original_shop_markup source title "
        "presentment_title phone tax_lines custom_tax_lines markup delivery_category carrier_identifier "
        "carrier_service_id api_client_id requested_fulfillment_service_id applied_discounts "
        "delivery_option_group_type delivery_expectation_range delivery_expectation_type "
        "estimated_delivery_time_range id validation_context"
    ),
    "orders/risk_assessment_changed": (
        "provider_id provider_title risk_level created_at order_id admin_graphql_api_order_id"
    ),
    "variants/in_stock": (
        "id product_id title price position inventory_policy compare_at_price option1 option2 option3 "
        "created_at updated_at taxable barcode sku inventory_quantity old_inventory_quantity "
        "admin_graphql_api_id image_id"
    ),
    "refunds/create": (
        "id order_id created_at note user_id processed_at duties total_duties_set return "
        "refund_shipping_lines restock admin_graphql_api_id order_adjustments refund_line_items "
        "transactions"
    ),
    "refunds/create refund_line_items 0 line_item tax_lines 0": "title price rate channel_liable price_set",
    "fulfillments/create line_items 0 discount_allocations 0": "amount discount_application_index amount_set",
    "orders/fulfilled fulfillments 0 line_items 0 discount_allocations 0": (
        "amount amount_set discount_application_index"
    ),
    "draft_orders/create": (
        "id note email taxes_included currency invoice_sent_at created_at updated_at tax_exempt "
        "completed_at name allow_discount_codes_in_checkout? b2b? status line_items api_client_id "
        "shipping_address billing_address invoice_url created_on_api_version_handle applied_discount "
        "order_id shipping_line tax_lines tags note_attributes total_price subtotal_price total_tax "
        "payment_terms admin_graphql_api_id customer"
    ),
    "fulfillment_orders/placed_on_hold created_fulfillment_hold": (
        "id reason reason_notes held_by_requesting_app handle held_by_app"
    ),
    "app_subscriptions/update app_subscription": (
        "admin_graphql_api_id name status admin_graphql_api_shop_id created_at updated_at currency "
        "capped_amount price interval plan_handle"
    ),
    "products/create images 0": SHOPIFY_IMAGE,
    "products/update images 0": SHOPIFY_IMAGE,
    "products/update image": SHOPIFY_IMAGE,
}

#: Deliveries of 29 July 2026 (brentcurtis76/fne-lms, __tests__/lib/zoom/fixtures/webhooks: only their
#: identifiers are replaced).
ZOOM_OBJECT = "uuid participant id type topic host_id duration start_time timezone"
ZOOM_RECORDING = "uuid id host_id topic type start_time timezone duration recording_file"
ZOOM = {
    "meeting.started payload object": "duration start_time timezone topic id type uuid host_id host_email",
    "meeting.ended payload object": (
        "duration start_time timezone end_time topic id type uuid host_id host_email"
    ),
    "meeting.participant_joined": "payload event_ts event",
    "meeting.participant_joined payload object": ZOOM_OBJECT,
    "meeting.participant_joined payload object participant": (
        "customer_key public_ip user_id user_name participant_user_id id join_time email participant_uuid"
    ),
    "meeting.participant_left payload object": ZOOM_OBJECT,
    "meeting.participant_left payload object participant": (
        "customer_key leave_time public_ip user_id user_name registrant_id participant_user_id id "
        "leave_reason email private_ip participant_uuid"
    ),
    "recording.started payload object": ZOOM_RECORDING,
    "recording.stopped payload object": ZOOM_RECORDING,
    "recording.completed": "payload event_ts event download_token",
    "recording.completed payload object": (
        "uuid id account_id host_id topic type start_time timezone host_email duration total_size "
        "recording_count share_url recording_files password recording_play_passcode on_prem"
    ),
}


def body(known: Provider, event: str) -> Any:
    text = known.template(event).decode()
    return json.loads(parse_qs(text)["mandrill_events"][0] if known.id == "mandrill" else text)


_FIGMA = [event.name for event in provider("figma").events if event.name != "DEV_MODE_STATUS_UPDATE"]


@pytest.mark.parametrize("event", _FIGMA)
def test_figma_sorts_the_members_of_an_event(event: str) -> None:
    """As in the examples of developers.figma.com/docs/rest-api/webhooks-events/."""
    members = list(body(provider("figma"), event))

    assert sorted(members) == members


def test_figma_does_not_sort_the_members_of_a_status_of_dev_mode() -> None:
    """As in the example of the same page, of 14 May 2025; `file_name` is in Figma's published types alone."""
    members = list(body(provider("figma"), "DEV_MODE_STATUS_UPDATE"))

    assert ["event_type", "triggered_by", "file_key", "file_name", "node_id", "status"] == members[:6]
    assert ["timestamp", "protocol_version", "related_links", "change_message"] == members[6:10]
    assert ["webhook_id", "passcode"] == members[10:]


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


def test_a_low_battery_of_seam_has_one_level_and_its_source() -> None:
    """As in seamapi/types c846ec17 (August 2026): device_low_battery_event in models/events/devices.ts.

    The source is omitted only in events from before the member existed (since 20 August 2026).
    """
    low = body(provider("seam"), "device.low_battery")

    assert ["battery_level", "battery_source"] == [member for member in low if "battery" in member]
    assert low["battery_source"] == "lock"


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


def test_an_issue_of_github_names_its_assignee_after_its_dates() -> None:
    """As in a delivery of 24 April 2026, logged in a public repository (Dreamt0511)."""
    members = " ".join(body(provider("github"), "issues.opened")["issue"])

    assert " locked assignees milestone comments created_at updated_at closed_at assignee " in members
    assert members.endswith(" pinned_comment")


def test_an_unsettled_amount_of_shopify_names_its_currency() -> None:
    """As captured: hookdeck/webhook-samples providers/shopify/2024-10/order_transactions.create.json."""
    unsettled = body(provider("shopify"), "order_transactions/create")["total_unsettled_set"]

    assert ["presentment_money", "shop_money"] == list(unsettled)
    assert [["amount", "currency"]] * 2 == [list(money) for money in unsettled.values()]


def test_a_renamed_card_of_trello_has_its_new_name_first() -> None:
    """As displayed in September 2022: IhorShylo/vacationWorker src/test/resources/req/renameCardReq.json."""
    action = body(provider("trello"), "updateCard.renamed")["action"]

    assert ["old", "card", "board", "list"] == list(action["data"])
    assert ["name", "id", "idShort", "shortLink"] == list(action["data"]["card"])
    assert ["type", "text"] == list(action["display"]["entities"]["name"])


def test_vonage_asks_what_to_do_with_the_members_of_a_recorded_query() -> None:
    """As in a GET in a public repository, whose payload_hash is that of its JSON in this order."""
    members = "to endpoint_type from conversation_uuid uuid region_url"

    assert members.split() == list(body(provider("vonage"), "call.answer"))


def test_a_check_item_of_trello_tells_its_state_where_it_is_displayed() -> None:
    """As delivered in February 2019: zulip/zulip trello/fixtures/check_item_on_card_checklist.json."""
    display = body(provider("trello"), "updateCheckItemStateOnCard")["action"]["display"]

    assert ["type", "nameHtml", "id", "state", "text"] == list(display["entities"]["checkitem"])


@pytest.mark.parametrize("event", ["order_created", "order_refunded"])
def test_an_order_of_lemon_squeezy_has_its_tax_before_its_sums(event: str) -> None:
    """As in orders of April 2024 and September 2026; its address ends as in May 2026 (public copies)."""
    order = body(provider("lemonsqueezy"), event)["data"]["attributes"]
    sums = ["subtotal", "discount_total", "tax", "setup_fee", "total", "refunded_amount"]
    updated = datetime.fromisoformat(order["updated_at"])

    assert list(order)[:5] == ["store_id", "customer_id", "affiliate_id", "referral_amount", "identifier"]
    assert list(order)[10:23] == [
        *["tax_name", "tax_rate", "tax_inclusive", "status", "status_formatted", "refunded", "refunded_at"],
        *sums,
    ]
    assert list(order)[23:35] == [f"{name}{suffix}" for suffix in ("_usd", "_formatted") for name in sums]
    assert f"?expires={int(updated.timestamp()) + 6 * 3600}&signature=" in order["urls"]["receipt"]


def test_frameio_sends_only_ids_when_metadata_changes() -> None:
    """Nothing is sent beyond the ids: AdobeDocs/frameio-api src/pages/guides/Webhooks/index.md."""
    delivered = body(provider("frameio"), "metadata.value.updated")

    assert list(body(provider("frameio"), "file.ready")) == list(delivered)


def test_flagsmith_asks_for_zstd_as_its_locked_urllib3_does() -> None:
    """Flagsmith/flagsmith 1ad8487ba api/uv.lock has backports-zstd beside urllib3 2.7.0."""
    assert provider("flagsmith").schemes[0].headers["Accept-Encoding"] == "gzip, deflate, zstd"


def test_a_ping_of_pagerduty_has_the_message_and_agent_of_a_signed_one() -> None:
    """A delivery of 7 April 2025 kept with its signature and secret in the tests of a public receiver."""
    ping = body(provider("pagerduty"), "pagey.ping")["event"]

    assert {"message": "Hello from your friend Pagey!", "type": "ping"} == ping["data"]
    assert (["id", "type"], "user_reference") == (list(ping["agent"]), ping["agent"]["type"])


def test_a_location_of_line_is_as_delivered() -> None:
    """Two deliveries of October and December 2021 kept in public repositories, before markAsReadToken."""
    message = body(provider("line"), "message.location")["events"][0]["message"]
    members = [name for name in message if name != "markAsReadToken"]

    assert ["type", "id", "latitude", "longitude", "address"] == members


#: An error and an event alert of July 2025 kept in SumoLogic/sumologic-documentation: the members of a frame
#: and of an exception, and those of both events.
SENTRY_FRAME = "function module filename abs_path lineno pre_context context_line post_context in_app data"
SENTRY_FRAME_OF_ALERT = (
    "abs_path addr_mode colno context_line data errors filename function image_addr in_app "
    "instruction_addr lineno lock module package platform post_context pre_context raw_function "
    "source_link symbol symbol_addr trust vars"
)
SENTRY = {
    "error.created": (SENTRY_FRAME, "type value stacktrace mechanism"),
    "event_alert.triggered": (SENTRY_FRAME_OF_ALERT, "mechanism stacktrace type value"),
}
SENTRY_EVENT = (
    "event_id project release dist platform message datetime tags _metrics _ref _ref_version contexts "
    "culprit environment exception fingerprint grouping_config hashes ingest_path key_id level location "
    "logger metadata nodestore_insert received request sdk timestamp title type user version url web_url "
    "issue_url issue_id"
)


@pytest.mark.parametrize(("event", "members"), SENTRY.items())
def test_an_event_of_sentry_is_as_delivered(event: str, members: tuple[str, str]) -> None:
    data = body(provider("sentry"), event)["data"]
    data = data.get("error") or data["event"]
    (exception,) = data["exception"]["values"]

    assert SENTRY_EVENT.split() == list(data)
    assert [part.split() for part in members] == [list(exception["stacktrace"]["frames"][0]), list(exception)]


@pytest.mark.parametrize(
    ("name", "place", "members"),
    [(name, *item) for name, known in (("shopify", SHOPIFY), ("zoom", ZOOM)) for item in known.items()],
)
def test_members_stand_as_captured(name: str, place: str, members: str) -> None:
    event, *path = place.split()
    part_of_body = body(provider(name), event)
    for part in path:
        part_of_body = part_of_body[int(part) if part.isdecimal() else part]

    assert members.split() == list(part_of_body)


@pytest.mark.parametrize(
    "event", ["create", "paid", "updated", "cancelled", "fulfilled", "partially_fulfilled"]
)
def test_taxes_of_a_shopify_order_and_of_its_lines_are_written_differently(event: str) -> None:
    """As in an order of 4 February 2026 in a public repository; a fulfillment has lines of the order."""
    order = body(provider("shopify"), f"orders/{event}")
    lines = [*order["line_items"], *(line for done in order["fulfillments"] for line in done["line_items"])]

    assert {"price rate title price_set channel_liable"} == {" ".join(tax) for tax in order["tax_lines"]}
    assert {"id admin_graphql_api_id current_quantity fulfillable_quantity"} == {
        " ".join(list(line)[:4]) for line in lines
    }
    assert {"channel_liable price price_set rate title"} == {
        " ".join(tax) for line in lines for tax in line["tax_lines"]
    }


def test_twitch_names_the_tier_of_a_gift_before_the_number() -> None:
    """As in a delivery of 20 February 2024, kept in the tests of an OCaml client in a public repository."""
    event = body(provider("twitch"), "channel.subscription.gift")["event"]

    assert ["tier", "total", "cumulative_total", "is_anonymous"] == list(event)[6:]


def test_zoom_sends_its_trace_and_the_app() -> None:
    """As on every delivery of 29 July 2026: brentcurtis76/fne-lms, docs/planning/zoom-spike-results.md."""
    known = provider("zoom")
    headers = known.draft(event="meeting.started").sign(known.example_secret()).headers

    assert re.fullmatch(r"[0-9a-f]{8}(_[0-9a-f]{4}){3}_[0-9a-f]{12}", headers["x-zm-request-id"])
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-02", headers["traceparent"])
    assert re.fullmatch(r"v=2\.0;clid=us02;rid=WEB_[0-9a-f]{32}", headers["x-zm-trackingid"])
    assert "Meeting_Web_marketplace-consumer" == headers["zm-trace-upstream"]
    assert "clientid" in headers
