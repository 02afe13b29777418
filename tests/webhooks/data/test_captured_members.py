"""Objects in bodies have the members, and the order, of captured or documented deliveries."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from hook_widgets.webhooks import provider

#: unit.co/docs/api/cards-authorizations/events, .../cards-authorization-requests/events,
#: .../payments/ach/receiving/events; the merchant also as in the signed body of December 2021 in
#: unit-finance/unit-python-sdk 0897d34 e2e_tests/webhook_test.py.
UNIT = [
    (
        "authorization.created",
        "attributes",
        "createdAt cardLast4Digits merchant recurring status amount tags",
    ),
    (
        "authorization.canceled",
        "attributes",
        "createdAt cardLast4Digits merchant recurring status amount tags",
    ),
    (
        "authorizationRequest.approved",
        "attributes",
        "createdAt amount available status approvedAmount partialApprovalAllowed merchant recurring tags",
    ),
    ("authorization.created", "attributes.merchant", "name type id"),
    ("authorization.canceled", "attributes.merchant", "name type id"),
    ("authorization.declined", "attributes.merchant", "name type id"),
    ("authorizationRequest.approved", "attributes.merchant", "name type id"),
]

#: Custom webhooks of November 2021 in elastic/integrations packages/auth0 (test-login-success.json, ...);
#: security_context and what follows strategy_type as in a stream of June 2026 in
#: SumoLogic/sumologic-documentation docs/integrations/saml/auth0.md.
AUTH0_START = "date type description connection connection_id client_id client_name ip user_agent details"
AUTH0_END = "$event_schema environment_name log_id tenant_name"
AUTH0 = {
    "s": "security_context hostname user_id user_name strategy strategy_type",
    "fp": "security_context user_id user_name strategy strategy_type",
    "fu": "security_context user_id user_name strategy strategy_type",
    "f": "security_context hostname user_id user_name strategy strategy_type",
    "ss": "security_context hostname user_id user_name strategy strategy_type",
    "slo": "hostname user_id user_name",
    "scp": "user_id user_name strategy strategy_type",
    "limit_wc": "security_context hostname user_id user_name",
}
#: A delivery of June 2024 in okta/workflows-templates b11231c
#: workflows/send_notifications_for_a_breached_password_event/readme.md.
OKTA_AUTHENTICATION = (
    "authenticationProvider credentialProvider credentialType issuer authenticationStep rootSessionId "
    "externalSessionId authenticatorContext interface"
)
#: A delivery of June 2026: zulip/zulip zerver/webhooks/linear/fixtures/projectUpdate_create.json.
LINEAR_UPDATE = (
    "id createdAt updatedAt body reactionData bodyData slugId projectId health userId project user"
)
#: woocommerce/woocommerce plugins/woocommerce/includes/class-wc-customer.php: the state elsewhere
#: than in class-wc-order.php.
WOOCOMMERCE_CUSTOMER = (
    "first_name last_name company address_1 address_2 city postcode country state email phone"
)

#: A delivery of 25 June 2023 in a public repository, and david-lev/pywa 0bcf2f1
#: tests/data/updates/system.json; previous_user_id as in the changelog of 11 August 2026:
#: developers.facebook.com/documentation/business-messaging/whatsapp/changelog.
WHATSAPP = [
    ("messages.system.user_changed_number", "", "from id timestamp system type"),
    ("messages.system.user_changed_number", ".system", "body wa_id user_id previous_user_id type"),
    ("messages.system.user_changed_user_id", "", "id timestamp system type"),
    ("messages.system.user_changed_user_id", ".system", "body user_id previous_user_id type"),
]

#: Deliveries of 8 December 2025 logged in a public repository (host motivata.synquic.com).
RAZORPAY_PAYMENT = (
    "id entity amount currency status order_id invoice_id international method amount_refunded refund_status "
    "captured description card_id card bank wallet vpa email contact notes fee tax error_code "
    "error_description error_source error_step error_reason acquirer_data emi_plan created_at reward"
)
RAZORPAY_LINKED_ORDER = (
    "amount amount_due amount_paid attempts checkout created_at currency description entity id notes "
    "offer_id receipt status"
)
#: razorpay/markdown-docs ab3bda5 webhooks/refunds.md and disputes.md: two members more, and before others.
RAZORPAY_REFUNDED = RAZORPAY_PAYMENT.replace("currency", "currency base_amount").replace(
    "amount_refunded", "amount_refunded amount_transferred"
)
RAZORPAY = [
    ("payment.captured", "payment", f"{RAZORPAY_PAYMENT} base_amount"),
    ("order.paid", "payment", RAZORPAY_PAYMENT),
    ("payment_link.paid", "order", RAZORPAY_LINKED_ORDER),
    *(
        (event.name, "payment", RAZORPAY_REFUNDED)
        for event in provider("razorpay").events
        if event.name.startswith(("refund.", "payment.dispute."))
    ),
]

#: slackapi/java-slack-sdk 86ff7ca99 json-logs/samples/events/DndUpdatedPayload.json.
SLACK_DND = (
    "dnd_enabled next_dnd_start_ts next_dnd_end_ts snooze_enabled snooze_endtime snooze_remaining "
    "snooze_is_indefinite"
)

CAPTURED = [
    *(("razorpay", event, f"payload.{part}.entity", members) for event, part, members in RAZORPAY),
    ("slack", "dnd_updated", "event.dnd_status", SLACK_DND),
    ("gocardless", "payments.submitted", "events.0.details", "origin cause bank_account_id description"),
    ("woocommerce", "customer.created", "billing", WOOCOMMERCE_CUSTOMER),
    ("woocommerce", "customer.updated", "shipping", WOOCOMMERCE_CUSTOMER.replace("email ", "")),
    ("linear", "ProjectUpdate.create", "data", LINEAR_UPDATE),
    *(
        ("whatsapp", event, f"entry.0.changes.0.value.messages.0{path}", members)
        for event, path, members in WHATSAPP
    ),
    *(("unit", event, f"data.0.{path}", members) for event, path, members in UNIT),
    *(("auth0", event, "0.data", f"{AUTH0_START} {middle} {AUTH0_END}") for event, middle in AUTH0.items()),
    ("auth0", "s.object", "data", f"{AUTH0_START} {AUTH0['s']} {AUTH0_END}"),
    (
        "auth0",
        "ss",
        "0.data.details.body",
        "client_id tenant email password connection request_language user_metadata",
    ),
    ("okta", "user.session.start", "data.events.0.authenticationContext", OKTA_AUTHENTICATION),
    (
        "okta",
        "user.lifecycle.create",
        "data.events.0.debugContext.debugData",
        "requestId dtHash requestUri targetEventHookIds url",
    ),
]


def part(name: str, event: str, path: str) -> Any:
    value = json.loads(provider(name).template(event))
    for step in filter(None, path.split(".")):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.parametrize(("name", "event", "path", "members"), CAPTURED)
def test_members_are_those_of_a_delivery(name: str, event: str, path: str, members: str) -> None:
    assert members.split() == list(part(name, event, path))


@pytest.mark.parametrize("event", ["authorization.created", "authorizationRequest.approved"])
def test_the_category_of_a_merchant_is_text_for_unit(event: str) -> None:
    """As in a signed body of Unit: "type": "1000" (unit-python-sdk e2e_tests/webhook_test.py)."""
    assert isinstance(part("unit", event, "data.0.attributes.merchant.type"), str)


def test_a_stream_of_auth0_has_the_user_agent_as_the_browser_sent_it() -> None:
    """As in elastic/integrations test-login-success.json; only the Management API shortens it."""
    assert part("auth0", "s", "0.data.user_agent").startswith("Mozilla/5.0 ")


def test_a_changed_user_id_of_whatsapp_is_a_system_message() -> None:
    """user_id_update is no field of webhooks (the changelog of 11 August 2026)."""
    assert "user_id_update" not in {event.name for event in provider("whatsapp").events}


def test_an_event_of_okta_names_the_hook_that_delivers_it() -> None:
    """As in deliveries of 2020, 2021 and June 2024 (okta/workflows-templates)."""
    hook = part("okta", "user.session.end", "data.events.0.debugContext.debugData.targetEventHookIds")

    assert part("okta", "user.session.end", "source").endswith(f"/eventHooks/{hook}")


def test_a_deleted_issue_of_a_connect_app_has_its_comments_and_work() -> None:
    """As in mattermost/mattermost-plugin-jira server/testdata/webhook-issue-deleted.json."""
    fields = part("atlassian-connect", "jira:issue_deleted", "issue.fields")

    assert part("atlassian-connect", "comment_created", "comment") == fields["comment"]["comments"][0]
    assert part("atlassian-connect", "worklog_created", "worklog") == fields["worklog"]["worklogs"][0]
    assert {"issuerestrictions": {}, "shouldDisplay": False} == fields["issuerestriction"]


@pytest.mark.parametrize(
    "event",
    [
        "TRANSACTIONS.SYNC_UPDATES_AVAILABLE",
        "ITEM.LOGIN_REPAIRED",
        "ITEM.NEW_ACCOUNTS_AVAILABLE",
        "ITEM.PENDING_DISCONNECT",
        "ITEM.PENDING_EXPIRATION",
        "ITEM.USER_ACCOUNT_REVOKED",
        "ITEM.USER_PERMISSION_REVOKED",
        "HOLDINGS.DEFAULT_UPDATE",
        "INVESTMENTS_TRANSACTIONS.DEFAULT_UPDATE",
        "LIABILITIES.DEFAULT_UPDATE",
    ],
)
def test_a_webhook_of_plaid_names_the_user_of_its_item(event: str) -> None:
    """As in the examples of these webhooks in plaid/plaid-openapi 2020-09-14_1.697.4."""
    assert part("plaid", "ITEM.ERROR", "user_id") == part("plaid", event, "").get("user_id")


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


def test_the_end_of_a_subscription_names_the_event_that_caused_it() -> None:
    """gocardless-pro-java Event.java getParentEvent: the ID of the cause, as of a cancelled mandate."""
    cause = part("gocardless", "mandates.cancelled", "events.0.id")

    assert cause == part("gocardless", "subscriptions.cancelled", "events.0.links").get("parent_event")
