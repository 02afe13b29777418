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
#: livekit/livekit pkg/service/roomallocator.go CreateRoom (the password is never cleared) and the log of
#: a delivery of June 2024 in livekit/livekit/issues/2787.
LIVEKIT_ROOM = "sid name emptyTimeout departureTimeout creationTime creationTimeMs turnPassword enabledCodecs"
#: livekit/livekit pkg/rtc/participant.go AddTrack and the log of July 2025 in livekit/egress/issues/911.
LIVEKIT_TRACK = "sid type width height simulcast source layers mimeType mid codecs stream version"
#: livekit/livekit pkg/service/ingress.go CreateIngressWithUrl of RTMP, livekit/ingress
#: pkg/service/service.go handleNewPublisher and pkg/params/params.go SendStateUpdate.
LIVEKIT_INGRESS = (
    "ingressId name streamKey url enableTranscoding roomName participantIdentity participantName reusable "
    "state"
)
#: A delivery of July 2026 in juspay/hyperswitch
#: crates/hyperswitch_connectors/src/connectors/chargebee/transformers.rs (test_real_paypal_webhook_payload);
#: the error as in events of November 2021 in PrestaShop's documentation of webhooks.
CHARGEBEE_PAYMENT = (
    "id customer_id subscription_id gateway_account_id payment_source_id payment_method gateway type date "
    "exchange_rate amount id_at_gateway status updated_at resource_version deleted object masked_card_number "
    "currency_code base_currency_code amount_unused linked_invoices linked_refunds"
)

#: A created, a rescheduled and a cancelled booking of November 2025 in a public repository, and the examples
#: of version 2021-10-20 in cal.com/docs/developing/guides/automation/webhooks (2026: hashedLink).
CAL_COM_EVENT = (
    "bookerUrl title startTime endTime additionalNotes type description eventTypeId hideCalendarNotes "
    "hideCalendarEventDetails hideOrganizerEmail schedulingType seatsPerTimeSlot seatsShowAttendees "
    "seatsShowAvailabilityCount customReplyToEmail disableRescheduling disableCancelling organizer attendees "
    "customInputs responses userFieldsResponses location destinationCalendar iCalUID iCalSequence "
    "requiresConfirmation oneTimePassword hashedLink uid "
)
CAL_COM_TYPE = "eventTitle eventDescription price currency length bookingId "
CAL_COM = {
    "BOOKING_CREATED": f"{CAL_COM_EVENT}appsStatus {CAL_COM_TYPE}metadata status",
    "BOOKING_REQUESTED": f"{CAL_COM_EVENT}{CAL_COM_TYPE}metadata status",
    "BOOKING_RESCHEDULED": (
        f"{CAL_COM_EVENT}{CAL_COM_TYPE}rescheduleId rescheduleUid rescheduleStartTime rescheduleEndTime "
        "metadata status rescheduledBy"
    ),
    "BOOKING_CANCELLED": (
        "bookerUrl title length type additionalNotes description customInputs eventTypeId "
        "userFieldsResponses responses startTime endTime organizer attendees uid bookingId location "
        "destinationCalendar "
        "cancellationReason seatsPerTimeSlot seatsShowAttendees iCalUID iCalSequence hideOrganizerEmail "
        "customReplyToEmail eventTitle eventDescription requiresConfirmation price currency status "
        "cancelledBy requestReschedule"
    ),
    "BOOKING_REJECTED": (
        "type title description bookerUrl userFieldsResponses responses customInputs startTime endTime "
        "organizer attendees location uid destinationCalendar requiresConfirmation hideOrganizerEmail "
        "hideCalendarNotes hideCalendarEventDetails eventTypeId customReplyToEmail additionalNotes "
        "rejectionReason "
        f"{CAL_COM_TYPE}status"
    ),
    "BOOKING_PAID": (
        "type title description additionalNotes customInputs startTime endTime organizer attendees location "
        "destinationCalendar hideCalendarNotes requiresConfirmation eventTypeId seatsShowAttendees "
        "seatsShowAvailabilityCount schedulingType iCalUID iCalSequence uid bookingId eventTitle "
        "eventDescription price currency length paymentId metadata status"
    ),
    "BOOKING_NO_SHOW_UPDATED": "message attendees bookingUid bookingId",
    "RECORDING_READY": "type title startTime endTime organizer attendees uid customReplyToEmail downloadLink",
}
CAL_COM_FIELDS = "name email attendeePhoneNumber location title notes guests rescheduleReason"
CAL_COM_ABSENCE = "id start end createdAt updatedAt notes reason reasonId user toUser uuid"
CAL_COM_ASKED = ("CREATED", "REQUESTED", "RESCHEDULED", "CANCELLED")
#: PaystackOSS/doc-code-snippets 94af513 src/doc/payments/refunds/events and preauthorization/events.
PAYSTACK_ATTENTION = (
    "status transaction_reference refund_reference amount currency customer integration domain id "
    "customer_note merchant_note"
)
PAYSTACK_RELEASE_FAILED = (
    "amount authorization captured_amount captured_at currency customer domain fees message id merchant_id "
    "merchant_name metadata reference status transaction_id expiry_date"
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
    ("chargebee", "payment_succeeded", "content.transaction", CHARGEBEE_PAYMENT),
    (
        "chargebee",
        "payment_failed",
        "content.transaction",
        CHARGEBEE_PAYMENT.replace("updated_at", "error_code error_text updated_at"),
    ),
    ("livekit", "ingress_started", "ingressInfo", LIVEKIT_INGRESS),
    ("livekit", "ingress_ended", "ingressInfo", LIVEKIT_INGRESS),
    ("livekit", "ingress_started", "ingressInfo.state", "status roomId startedAt updatedAt resourceId"),
    ("livekit", "ingress_ended", "ingressInfo.state", "roomId startedAt endedAt updatedAt resourceId"),
    ("livekit", "room_started", "room", LIVEKIT_ROOM),
    ("livekit", "participant_left", "room", LIVEKIT_ROOM),
    ("livekit", "track_published", "track", LIVEKIT_TRACK),
    ("livekit", "track_unpublished", "track", LIVEKIT_TRACK),
    ("livekit", "track_published", "track.layers.0", "width height bitrate ssrc rid"),
    ("livekit", "track_published", "track.codecs.0", "mimeType mid cid layers videoLayerMode"),
    *(("razorpay", event, f"payload.{part}.entity", members) for event, part, members in RAZORPAY),
    ("slack", "dnd_updated", "event.dnd_status", SLACK_DND),
    ("gocardless", "payments.submitted", "events.0.details", "origin cause bank_account_id description"),
    ("woocommerce", "customer.created", "billing", WOOCOMMERCE_CUSTOMER),
    ("woocommerce", "customer.updated", "shipping", WOOCOMMERCE_CUSTOMER.replace("email ", "")),
    ("linear", "ProjectUpdate.create", "data", LINEAR_UPDATE),
    # PipedreamHQ/pipedream components/attio/sources/note-updated-instant/test-event.mjs.
    ("attio", "note.updated", "events.0", "event_type id parent_object_id parent_record_id actor"),
    # EventsSessionRequestInitiated of crisp-im/node-crisp-api 5cf608e lib/events/Events.ts.
    ("crisp", "session:request:initiated", "data", "website_id session_id inbox_id"),
    ("paystack", "refund.needs-attention", "data", PAYSTACK_ATTENTION),
    ("paystack", "preauthorization.release.failed", "data", PAYSTACK_RELEASE_FAILED),
    *(("cal-com", event, "payload", members) for event, members in CAL_COM.items()),
    *(("cal-com", f"BOOKING_{event}", "payload.responses", CAL_COM_FIELDS) for event in CAL_COM_ASKED),
    ("cal-com", "OOO_CREATED", "payload.oooEntry", CAL_COM_ABSENCE),
    ("cal-com", "MEETING_STARTED", "responses", CAL_COM_FIELDS),
    ("cal-com", "MEETING_ENDED", "responses", CAL_COM_FIELDS),
    ("cal-com", "BOOKING_REJECTED", "payload.responses", "name email notes guests"),
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


@pytest.mark.parametrize("event", ["payment_succeeded", "payment_failed"])
def test_a_payment_of_chargebee_names_its_invoice(event: str) -> None:
    """As in the delivery of July 2026 and the events of November 2021 above."""
    (linked,) = part("chargebee", event, "content.transaction.linked_invoices")
    (payment,) = part("chargebee", event, "content.invoice.linked_payments")
    invoice = part("chargebee", event, "content.invoice")

    assert linked == {
        "invoice_id": invoice["id"],
        "applied_amount": payment["applied_amount"],
        "applied_at": payment["applied_at"],
        "invoice_date": invoice["date"],
        "invoice_total": invoice["total"],
        "invoice_status": invoice["status"],
    }


@pytest.mark.parametrize("event", ["invoice_generated", "payment_failed", "subscription_renewed"])
def test_an_invoice_of_chargebee_has_the_members_of_the_documentation(event: str) -> None:
    """As in the sample of apidocs.chargebee.com/docs/api/invoices (WTTJ/chargebeex fixtures/invoice.ex)."""
    invoice = part("chargebee", event, "content.invoice")

    assert {"base_currency_code", "channel", "round_off_amount", "amount_to_collect"} <= set(invoice)
    assert invoice["amount_due"] == invoice["amount_to_collect"]
    assert {"customer_id": invoice["customer_id"], "tax_exempt_reason": "tax_not_configured"}.items() <= (
        invoice["line_items"][0].items()
    )


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


@pytest.mark.parametrize("event", ["PAYMENT_FAILED_WEBHOOK", "PAYMENT_USER_DROPPED_WEBHOOK"])
def test_a_payment_of_cashfree_has_a_surcharge_and_terminal_also_when_it_fails(event: str) -> None:
    """As documented in cashfree.com/docs/api-reference/payments/latest/payments/webhooks (2025-01-01)."""
    paid = part("cashfree", "PAYMENT_SUCCESS_WEBHOOK", "data")
    failed = part("cashfree", event, "data")

    assert list(paid["payment"]) == list(failed["payment"])
    assert failed["payment"]["payment_surcharge"] is None
    assert ["payment_offers", "terminal_details"] == list(failed)[-2:]


@pytest.mark.parametrize("event", ["track_published", "track_unpublished"])
def test_the_codec_of_a_track_of_livekit_has_the_layers_of_the_track(event: str) -> None:
    """As in livekit/livekit pkg/rtc/mediatrackreceiver.go: trackInfo.Layers = ci.Layers."""
    layers = part("livekit", event, "track.layers")

    assert layers == part("livekit", event, "track.codecs.0.layers")
    assert [None, 1, 2] == [layer.get("spatialLayer") for layer in layers]
    assert ["q", "h", "f"] == [layer["rid"] for layer in layers]


def test_a_room_of_livekit_allows_the_codecs_of_the_default() -> None:
    """As in livekit/livekit pkg/config/config.go DefaultConfig, in its order."""
    codecs = [codec["mime"].split("/") for codec in part("livekit", "room_started", "room.enabledCodecs")]

    assert ["PCMU", "PCMA", "opus", "red"] == [name for kind, name in codecs if kind == "audio"]
    assert ["VP8", "H264", "VP9", "AV1", "H265", "rtx"] == [name for kind, name in codecs if kind == "video"]


def test_a_participant_of_livekit_who_published_is_a_publisher() -> None:
    """As in livekit/livekit pkg/rtc/participant.go: setIsPublisher stays when the track is unpublished."""
    assert part("livekit", "participant_left", "participant").get("isPublisher") is True
    assert 1 == part("livekit", "participant_connection_aborted", "room").get("numPublishers")


@pytest.mark.parametrize("event", ["authorization.created", "authorizationRequest.approved"])
def test_the_category_of_a_merchant_is_text_for_unit(event: str) -> None:
    """As in a signed body of Unit: "type": "1000" (unit-python-sdk e2e_tests/webhook_test.py)."""
    assert isinstance(part("unit", event, "data.0.attributes.merchant.type"), str)


def test_a_stream_of_auth0_has_the_user_agent_as_the_browser_sent_it() -> None:
    """As in elastic/integrations test-login-success.json; only the Management API shortens it."""
    assert part("auth0", "s", "0.data.user_agent").startswith("Mozilla/5.0 ")


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
    """As in the examples of cal.com/docs/developing/guides/automation/webhooks."""
    assert part("cal-com", event, "noShowHost") is False
    assert seconds(part("cal-com", event, "createdAt")) <= seconds(part("cal-com", event, "updatedAt"))


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


def java_map_order(keys: list[str]) -> list[str]:
    """Order keys as a java.util.HashMap does that is a copy; those of one bucket stay as they are."""
    capacity = 1 << (int(len(keys) / 0.75 + 1) - 1).bit_length()

    def bucket(key: str) -> int:
        code = 0
        for character in key:
            code = (31 * code + ord(character)) & 0xFFFFFFFF
        return (code ^ code >> 16) & (capacity - 1)

    return sorted(keys, key=bucket)


@pytest.mark.parametrize("members", ADYEN_MAPS)
def test_additional_data_of_adyen_is_a_java_map(members: str) -> None:
    assert java_map_order(members.split()) == members.split()


@pytest.mark.parametrize("event", [event.name for event in provider("adyen").events])
def test_additional_data_of_adyen_has_the_order_of_its_map(event: str) -> None:
    members = list(part("adyen", event, "notificationItems.0.NotificationRequestItem.additionalData"))

    assert java_map_order(members) == members


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


@pytest.mark.parametrize("event", ["created", "updated", "updated.assigned", "deleted"])
def test_an_issue_of_jira_cloud_has_its_restriction(event: str) -> None:
    """As in a jira:issue_updated of November 2020 in the README of reshufflehq/reshuffle-jira-connector."""
    fields = part("jira", f"jira:issue_{event}", "issue.fields")

    assert ["workratio", "issuerestriction", "watches"] == list(fields)[8:11]
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
