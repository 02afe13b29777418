"""Objects in bodies have the members, and the order, of captured or documented deliveries."""

from __future__ import annotations

import json
import re
from base64 import b32decode
from datetime import datetime
from typing import Any
from uuid import UUID

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
AUTH0_PROMPT = "name flow initiatedAt completedAt user_id user_name requiredCaptcha session_id elapsedTime"
AUTH0_END = "$event_schema environment_name log_id tenant_name"
AUTH0 = {
    "s": "security_context hostname user_id user_name strategy strategy_type",
    "fp": "security_context user_id user_name strategy strategy_type",
    "fu": "security_context user_id user_name strategy strategy_type",
    "f": "security_context hostname user_id user_name strategy strategy_type",
    "ss": "security_context hostname user_id user_name strategy strategy_type",
    "slo": "hostname user_id user_name",
    "scp": "user_id user_name strategy strategy_type",
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
#: A delivery of 21 August 2026 in the notes of a receiver of Linear's AgentSessionEvent in a public
#: repository, which also list the members of a prompted one, and those of two notifications of 31 May 2025
#: (their order was lost) kept as parameters of a public repository's tests.
LINEAR_SESSION = (
    "id createdAt updatedAt archivedAt creatorId appUserId commentId sourceCommentId issueId pullRequestId "
    "slugId status startedAt endedAt dismissedAt dismissedById externalLink summary sourceMetadata plan "
    "workspaceDiff context url externalUrls organizationId creator comment issue"
)
LINEAR_PROMPTED = (
    "type action createdAt organizationId oauthClientId appUserId agentSession agentActivity "
    "webhookTimestamp webhookId"
)
LINEAR_NOTIFICATION = (
    "id createdAt updatedAt archivedAt type actorId externalUserActorId userId readAt emailedAt "
    "snoozedUntilAt unsnoozedAt issueId actor issue"
)
#: EntryCreateEventPayload of contentful/node-apps-toolkit 42bf35e src/requests/typings/event-payloads.ts, in
#: the order of a delivery of March 2023 and of the API's entries of 2026 in a public repository's notes.
CONTENTFUL_ENTRY = (
    "space id type createdAt updatedAt environment createdBy updatedBy publishedCounter version fieldStatus "
    "automationTags contentType urn"
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
#: pkg/service/service.go handleNewPublisher, pkg/params/params.go SendStateUpdate and pkg/media/pipeline.go
#: handleStreamCollectionMessage (video and audio of the state).
LIVEKIT_INGRESS = (
    "ingressId name streamKey url enableTranscoding roomName participantIdentity participantName reusable "
    "state"
)
#: livekit/egress e948d1eb pkg/config/pipeline.go Update and pkg/pipeline/controller.go Close (a manifest is
#: uploaded unless the request disables it).
LIVEKIT_EGRESS = (
    "egressId roomId roomName status startedAt endedAt updatedAt roomComposite fileResults details "
    "manifestLocation file"
)
#: Deliveries of 15 April and 15 May 2026 in kiwitcms/github-marketplace 6856154
#: tcms_github_marketplace/tests/test_fastspring_hook.py: that of May in its order.
FASTSPRING_ORDER = (
    "order id reference buyerReference ipAddress completed orderLevelCouponApplied changed changedValue "
    "changedInSeconds changedDisplay changedDisplayISO8601 changedDisplayEmailEnhancements "
    "changedDisplayEmailEnhancementsWithTime language live currency payoutCurrency quote invoiceUrl siteId "
    "account total totalDisplay totalInPayoutCurrency totalInPayoutCurrencyDisplay tax taxDisplay "
    "taxInPayoutCurrency taxInPayoutCurrencyDisplay subtotal subtotalDisplay subtotalInPayoutCurrency "
    "subtotalInPayoutCurrencyDisplay discount discountDisplay discountInPayoutCurrency "
    "discountInPayoutCurrencyDisplay discountWithTax discountWithTaxDisplay discountWithTaxInPayoutCurrency "
    "discountWithTaxInPayoutCurrencyDisplay billDescriptor payment customer address recipients notes items"
)
FASTSPRING_PRORATED = " ".join(
    f"proratedItem{amount}{form}"
    for amount in ("ChangeAmount", "ProratedCharge", "CreditAmount", "TaxAmount", "Total")
    for form in ("", "Display", "InPayoutCurrency", "InPayoutCurrencyDisplay")
)
FASTSPRING_ITEM = (
    "product quantity display sku imageUrl shortDisplay subtotal subtotalDisplay subtotalInPayoutCurrency "
    "subtotalInPayoutCurrencyDisplay discount discountDisplay discountInPayoutCurrency "
    f"discountInPayoutCurrencyDisplay isAddon withholdings {FASTSPRING_PRORATED}"
)
FASTSPRING = [
    ("order.completed", "", FASTSPRING_ORDER),
    ("order.failed", "", FASTSPRING_ORDER.replace("payment ", "payment reason ")),
    (
        "order.payment.pending",
        "",
        FASTSPRING_ORDER.replace("payment ", "payment reason ").replace("siteId ", "siteId paymentDueDate "),
    ),
    ("order.failed", ".items.0", FASTSPRING_ITEM),
    ("order.completed", ".items.0", FASTSPRING_ITEM.replace("isAddon", "fulfillments isAddon")),
    (
        "order.completed",
        ".recipients.0.recipient",
        "first last email company phone subscribed account address",
    ),
]
#: A delivery of July 2026 in juspay/hyperswitch
#: crates/hyperswitch_connectors/src/connectors/chargebee/transformers.rs (test_real_paypal_webhook_payload);
#: payment_method_details, which that payment by PayPal has not, as in a payment by card of June 2025 in
#: WTTJ/chargebeex test/support/fixtures/transaction.ex; the error as in events of November 2021 in
#: PrestaShop's documentation of webhooks.
CHARGEBEE_PAYMENT = (
    "id customer_id subscription_id gateway_account_id payment_source_id payment_method gateway type date "
    "exchange_rate amount id_at_gateway status updated_at resource_version deleted object masked_card_number "
    "currency_code base_currency_code amount_unused linked_invoices linked_refunds payment_method_details "
    "initiator_type three_d_secure"
)

#: A created, a rescheduled and a cancelled booking of November 2025 in a public repository, and the examples
#: of version 2021-10-20 in cal.com/docs/developing/guides/automation/webhooks (2026: hashedLink).
#: Deliveries of Cal.com's own service in May and June 2026: elviskahoro/gtm-sdk 0c1ef16 api/samples.
CAL_COM_EVENT = (
    "bookerUrl title startTime endTime additionalNotes type description eventTypeId hideCalendarNotes "
    "hideCalendarEventDetails hideOrganizerEmail schedulingType seatsPerTimeSlot seatsShowAttendees "
    "seatsShowAvailabilityCount customReplyToEmail disableRescheduling disableReschedulingScope "
    "disableCancelling disableCancellingScope organizer attendees customInputs responses userFieldsResponses "
    "location iCalUID iCalSequence requiresConfirmation oneTimePassword platformClientId "
    "platformRescheduleUrl platformCancelUrl platformBookingUrl uid organizationId hashedLink "
    "cancellationReason rejectionReason hideBranding "
)
CAL_COM_STATE = (
    "destinationCalendar bookingId status eventTitle eventDescription price currency length assignmentReason "
)
CAL_COM_MEETING = (
    "triggerEvent id uid title description customInputs responses startTime endTime location status "
    "paid createdAt updatedAt userId userPrimaryEmail eventTypeId destinationCalendarId "
    "cancellationReason rejectionReason reassignReason reassignById dynamicEventSlugRef "
    "dynamicGroupSlugRef rescheduled fromReschedule recurringEventId smsReminderNumber scheduledJobs "
    "metadata isRecorded iCalUID iCalSequence rating ratingFeedback noShowHost cancelledBy "
    "rescheduledBy creationSource idempotencyKey user eventType attendees payment references "
    "userFieldsResponses userUuid appsStatus"
)
CAL_COM_ATTENDEE = "name email timeZone language phoneNumber bookingSeat utcOffset firstName lastName"
CAL_COM_TYPE = "eventTitle eventDescription price currency length bookingId "
CAL_COM = {
    "BOOKING_CREATED": f"{CAL_COM_EVENT}appsStatus {CAL_COM_STATE}metadata",
    "BOOKING_REQUESTED": f"{CAL_COM_EVENT}{CAL_COM_STATE}metadata",
    "BOOKING_RESCHEDULED": (
        f"{CAL_COM_EVENT}appsStatus {CAL_COM_STATE}rescheduleId rescheduleUid rescheduleStartTime "
        "rescheduleEndTime rescheduledBy metadata"
    ),
    "BOOKING_CANCELLED": (f"{CAL_COM_EVENT}appsStatus {CAL_COM_STATE}cancelledBy requestReschedule metadata"),
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
    "BOOKING_NO_SHOW_UPDATED": "bookingUid bookingId attendees message",
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
#: A delivery of 28 December 2021 in a public repository, with its signature and test key.
PAYSTACK_CREATED = (
    "id domain status subscription_code email_token amount cron_expression next_payment_date open_invoice "
    "cancelledAt integration plan authorization customer invoices invoices_history invoice_limit split_code "
    "most_recent_invoice created_at"
)

#: A delivery of 25 June 2023 in a public repository, and david-lev/pywa 0bcf2f1
#: tests/data/updates/system.json; previous_user_id as in the changelog of 11 August 2026:
#: developers.facebook.com/documentation/business-messaging/whatsapp/changelog.
WHATSAPP = [
    ("messages.system.user_changed_number", "", "from id timestamp system type"),
    ("messages.system.user_changed_number", ".system", "body wa_id user_id previous_user_id type"),
    ("messages.system.user_changed_user_id", "", "id timestamp system type"),
    ("messages.system.user_changed_user_id", ".system", "body user_id previous_user_id type"),
    # A message of 30 September 2026 kept in a public repository; the documented one has no raw_type.
    ("messages.unsupported", "", "from from_user_id id timestamp errors type unsupported"),
    ("messages.unsupported", ".unsupported", "type raw_type"),
]

#: Deliveries of 8 December 2025 logged in a public repository.
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

#: A notification of 12 March 2022 (the order) and one of 27 May 2026 (three members more), kept in public
#: repositories.
CLOUDINARY_EAGER = (
    "notification_type timestamp request_id eager batch_id asset_id public_id api_key notification_context "
    "signature_key"
)

#: A video and an audio of 16 November 2020 kept in a public repository (the tokens are of messages since).
LINE_MEDIA = "type id quoteToken markAsReadToken contentProvider duration"

#: A message received on 15 May 2025, kept in a public repository.
TELNYX_RECEIVED = (
    "autoresponse_type cc completed_at cost cost_breakdown direction encoding errors from id is_spam media "
    "messaging_profile_id organization_id parts received_at record_type sent_at subject tags text to type "
    "valid_until webhook_failover_url webhook_url"
)

#: Bookings of 27 and 28 January 2026 kept in a public repository (without a note, the second without a room).
SQUARE_BOOKED = (
    "created_at creator_details customer_id id location_id location_type source start_at status "
    "transition_time_minutes updated_at version"
)
SQUARE_SEGMENT = (
    "any_team_member duration_minutes intermission_minutes service_variation_client_id service_variation_id "
    "service_variation_version team_member_id"
)
SQUARE = [
    ("booking.created", "", f"all_day appointment_segments {SQUARE_BOOKED}"),
    (
        "booking.updated",
        "",
        f"all_day appointment_segments {SQUARE_BOOKED.replace('customer_id', 'customer_id customer_note')}",
    ),
    ("booking.created", ".appointment_segments.0", SQUARE_SEGMENT),
    ("booking.updated", ".appointment_segments.0", SQUARE_SEGMENT),
    ("booking.updated", ".creator_details", "creator_type team_member_id"),
]

#: slackapi/java-slack-sdk 86ff7ca99 json-logs/samples/events/DndUpdatedPayload.json.
SLACK_DND = (
    "dnd_enabled next_dnd_start_ts next_dnd_end_ts snooze_enabled snooze_endtime snooze_remaining "
    "snooze_is_indefinite"
)

#: discourse/discourse_api_docs 6737ac2 openapi.json (/u/{username}.json, asked for as an administrator) and
#: app/serializers/basic_group_serializer.rb: what only an administrator may see is in a webhook too.
DISCOURSE_GROUP = (
    "id automatic name display_name user_count mentionable_level messageable_level visibility_level "
    "primary_group title grant_trust_level incoming_email has_messages flair_url flair_bg_color flair_color "
    "bio_raw bio_cooked bio_excerpt public_admission public_exit allow_membership_requests full_name "
    "default_notification_level membership_request_template members_visibility_level can_see_members "
    "can_admin_group publish_read_state"
)

#: Two deliveries of 22 July 2026 in a public repository: online orders in the test environment.
MERCADO_PAGO_ORDER = (
    "currency_id external_reference id status status_detail total_amount total_paid_amount transactions type "
    "version"
)

#: A membership that the API returned on 23 April 2026 and one of a webhook of August 2023, noted in public
#: repositories; a message has its roomType there too.
WEBEX_MEMBERSHIP = (
    "id roomId roomType personId personEmail personDisplayName personOrgId isModerator isMonitor "
    "isRoomHidden created"
)

#: A delivery of December 2024: onfido/onfido-python 04baf27
#: tests/media/studio_webhook_event_with_object_in_output.json.
ONFIDO_CHECKED = "status result sub_result uuid properties breakdown repeat_attempts"
ONFIDO_DOCUMENT = (
    "date_of_birth date_of_expiry document_numbers document_type first_name issuing_country last_name "
    "document_number"
)


BUILDKITE_ORGANIZATION = "id graphql_id url web_url name slug agents_url emojis_url created_at pipelines_url"
BUILDKITE_STEP = (
    "type name command artifact_paths branch_configuration env timeout_in_minutes agent_query_rules "
    "concurrency parallelism"
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
    (
        "livekit",
        "ingress_started",
        "ingressInfo.state",
        "status video audio roomId startedAt updatedAt resourceId",
    ),
    ("livekit", "ingress_started", "ingressInfo.state.video", "mimeType width height framerate"),
    ("livekit", "ingress_started", "ingressInfo.state.audio", "mimeType channels sampleRate"),
    (
        "livekit",
        "ingress_ended",
        "ingressInfo.state",
        "video audio roomId startedAt endedAt updatedAt resourceId",
    ),
    ("livekit", "egress_ended", "egressInfo", LIVEKIT_EGRESS),
    ("livekit", "room_started", "room", LIVEKIT_ROOM),
    ("livekit", "participant_left", "room", f"{LIVEKIT_ROOM} activeRecording"),
    ("livekit", "track_published", "track", LIVEKIT_TRACK),
    ("livekit", "track_unpublished", "track", LIVEKIT_TRACK),
    ("livekit", "track_published", "track.layers.0", "width height bitrate ssrc rid"),
    ("livekit", "track_published", "track.codecs.0", "mimeType mid cid layers videoLayerMode"),
    *(("razorpay", event, f"payload.{part}.entity", members) for event, part, members in RAZORPAY),
    # A lead of 28 June 2026 kept in a public repository.
    (
        "meta",
        "page.leadgen",
        "entry.0.changes.0.value",
        "adgroup_id ad_id created_time leadgen_id page_id form_id",
    ),
    ("slack", "dnd_updated", "event.dnd_status", SLACK_DND),
    *(("square", event, f"data.object.booking{path}", members) for event, path, members in SQUARE),
    # As in builds of January 2025 in ahrefs/monorobot test/buildkite-api-cache.
    (
        "buildkite",
        "build.finished",
        "pipeline.steps.0",
        BUILDKITE_STEP,
    ),
    # As in a ping of 6 June 2022 in WebhookEvent.swift of Aaron Sky's Swift client.
    ("buildkite", "ping", "organization", BUILDKITE_ORGANIZATION),
    ("telnyx", "message.received", "data.payload", TELNYX_RECEIVED),
    ("cloudinary", "eager", "", CLOUDINARY_EAGER),
    # WhatsApp's message of 27 April 2023 kept in a public repository.
    ("messagebird", "message.created", "message.metadata", "replyTo sender"),
    ("line", "message.video", "events.0.message", LINE_MEDIA),
    ("line", "message.audio", "events.0.message", LINE_MEDIA.replace("quoteToken ", "")),
    ("gocardless", "payments.submitted", "events.0.details", "origin cause bank_account_id description"),
    # Deliveries of 3 August 2023, redacted, in the tests of a public repository.
    (
        "heroku",
        "dyno.create",
        "data",
        "id app name size type state command release attach_url created_at updated_at",
    ),
    (
        "heroku",
        "dyno.destroy",
        "data",
        "id app release command size exit_status management state type name",
    ),
    (
        "heroku",
        "dyno.destroy",
        "",
        "id created_at data actor previous_data published_at resource action version",
    ),
    ("onfido", "workflow_task.completed", "payload.resource.output", ONFIDO_CHECKED),
    ("onfido", "workflow_task.completed", "payload.resource.output.properties", ONFIDO_DOCUMENT),
    ("onfido", "workflow_task.completed", "payload.resource.input", "document_ids first_name last_name"),
    ("onfido", "workflow_task.started", "payload.resource.input.document_ids.0", "checksum_sha256 id type"),
    *(("discourse", f"user_{event}", "user.groups.0", DISCOURSE_GROUP) for event in ("created", "logged_in")),
    ("mercadopago", "order.processed", "data", MERCADO_PAGO_ORDER),
    ("webex", "memberships.created", "data", WEBEX_MEMBERSHIP),
    ("webex", "memberships.deleted", "data", WEBEX_MEMBERSHIP),
    ("woocommerce", "customer.created", "billing", WOOCOMMERCE_CUSTOMER),
    ("woocommerce", "customer.updated", "shipping", WOOCOMMERCE_CUSTOMER.replace("email ", "")),
    *(
        ("contentful", f"ContentManagement.Entry.{event}", "sys", CONTENTFUL_ENTRY)
        for event in ("create", "auto_save", "save")
    ),
    ("linear", "ProjectUpdate.create", "data", LINEAR_UPDATE),
    ("linear", "AgentSessionEvent.created", "agentSession", LINEAR_SESSION),
    ("linear", "AgentSessionEvent.created", "agentSession.comment", "id body issueId"),
    ("linear", "AgentSessionEvent.prompted", "agentSession", LINEAR_SESSION),
    ("linear", "AgentSessionEvent.prompted", "", LINEAR_PROMPTED),
    ("linear", "AppUserNotification.issueAssignedToYou", "notification", LINEAR_NOTIFICATION),
    # PipedreamHQ/pipedream components/attio/sources/note-updated-instant/test-event.mjs.
    ("attio", "note.updated", "events.0", "event_type id parent_object_id parent_record_id actor"),
    # EventsSessionRequestInitiated of crisp-im/node-crisp-api 5cf608e lib/events/Events.ts.
    ("crisp", "session:request:initiated", "data", "website_id session_id inbox_id"),
    # A delivery of 4 March 2022 in a public repository, with its signature and secret.
    ("mux", "video.upload.created", "data", "url timeout status new_asset_settings id cors_origin"),
    # mock_data of a connector's trigger "Comment on File" in a public repository: the scalars of a delivery
    # of 9 August 2018, those of source and item among them, in their order.
    (
        "box",
        "COMMENT.CREATED",
        "source",
        "id type is_reply_comment message created_by created_at item modified_at",
    ),
    ("box", "COMMENT.CREATED", "source.item", "id type"),
    ("paystack", "subscription.create", "data", PAYSTACK_CREATED),
    ("paystack", "refund.needs-attention", "data", PAYSTACK_ATTENTION),
    *(("fastspring", event, f"events.0.data{path}", members) for event, path, members in FASTSPRING),
    ("paystack", "preauthorization.release.failed", "data", PAYSTACK_RELEASE_FAILED),
    *(("cal-com", event, "payload", members) for event, members in CAL_COM.items()),
    *(("cal-com", f"BOOKING_{event}", "payload.responses", CAL_COM_FIELDS) for event in CAL_COM_ASKED),
    ("cal-com", "OOO_CREATED", "payload.oooEntry", CAL_COM_ABSENCE),
    *(("cal-com", f"BOOKING_{event}", "payload.attendees.0", CAL_COM_ATTENDEE) for event in CAL_COM_ASKED),
    *(("cal-com", f"MEETING_{event}", "", CAL_COM_MEETING) for event in ("STARTED", "ENDED")),
    ("cal-com", "MEETING_STARTED", "responses", "name email notes guests location"),
    ("cal-com", "MEETING_ENDED", "user", "email name username timeZone locale uuid isPlatformManaged"),
    ("cal-com", "BOOKING_REJECTED", "payload.responses", "name email notes guests"),
    *(
        ("whatsapp", event, f"entry.0.changes.0.value.messages.0{path}", members)
        for event, path, members in WHATSAPP
    ),
    *(("unit", event, f"data.0.{path}", members) for event, path, members in UNIT),
    *(("auth0", event, "0.data", f"{AUTH0_START} {middle} {AUTH0_END}") for event, middle in AUTH0.items()),
    ("auth0", "s.object", "data", f"{AUTH0_START} {AUTH0['s']} {AUTH0_END}"),
    # Both streams, and what auth0/auth0-log-schemas s.schema.json requires of each prompt.
    *(
        ("auth0", event, f"{path}.details.prompts.1", AUTH0_PROMPT)
        for event, path in (("s", "0.data"), ("s.object", "data"))
    ),
    # panther-labs/panther-analysis rules/auth0_rules/auth0_limits.yml, of September 2025: without details.
    (
        "auth0",
        "limit_wc",
        "0.data",
        f"{AUTH0_START.removesuffix(' details')} security_context hostname user_id user_name {AUTH0_END}",
    ),
    # test-token-xchg-success.json of Elastic; audience as in auth0/auth0-checkmate README.md, of August 2025.
    (
        "auth0",
        "seacft",
        "0.data",
        f"{AUTH0_START.replace('connection ', '')} hostname user_id user_name audience {AUTH0_END}",
    ),
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


def test_an_authenticated_payment_of_checkout_names_its_authentication() -> None:
    """Members as in www.checkout.com/docs/workflows/webhook-event-types/authentication_approved (of 4
    September 2024: an id with sid_); cavv, 3ds, and xid as the UUID of the session, as in
    hookdeck/webhook-samples providers/checkout/1.0.25 (3 March 2023) and a payment_approved 1.0.33 of
    21 July 2023 in a public repository.
    """
    authentication = part("checkout", "authentication_approved", "data")
    payment = part("checkout", "payment_approved", "data")
    members = (
        "version challenged challenge_indicator exemption eci cavv xid downgraded enrolled "
        "authentication_response flow_type"
    )
    session = authentication["session_id"].removeprefix("sid_").upper() + "======"

    assert " ".join(authentication) == (
        "eci cavv xid challenged acs_challenged_mandated exemption_applied session_id amount currency type "
        "response_code challenge_indicator protocol_version scheme payment_id reference experience "
        "3ds_transaction_id ds_transaction_id acs_transaction_id"
    )
    assert authentication["payment_id"] == payment["id"]
    assert authentication["reference"] == payment["reference"]
    assert " ".join(payment["3ds"]) == members
    assert "risk 3ds scheme_id" in " ".join(payment)
    assert "scheme_id eci source" in " ".join(payment)
    assert payment["eci"] == payment["3ds"]["eci"]
    assert payment["3ds"].items() >= {
        ("xid", str(UUID(bytes_le=b32decode(session)))),
        ("eci", authentication["eci"]),
        ("cavv", authentication["cavv"]),
        ("version", authentication["protocol_version"]),
        ("challenged", authentication["challenged"]),
        ("challenge_indicator", authentication["challenge_indicator"]),
        ("exemption", authentication["exemption_applied"]),
    }


@pytest.mark.parametrize(
    "event", ["payment_approved", "payment_captured", "payment_refunded", "payment_voided"]
)
def test_a_payment_of_checkout_does_not_say_what_triggered_it(event: str) -> None:
    """As in deliveries of November 2022 to June 2025 in public repositories (1.0.20 to 1.0.47)."""
    assert "trigger" not in part("checkout", event, "data")


def test_a_declined_payment_of_checkout_has_an_authorization_code() -> None:
    """Place as in www.checkout.com/docs/workflows/webhook-event-types/payment_declined (1.0.29); zeros as in
    the example of reporting-and-insights/webhooks/webhook-examples/payment_declined, of a declined card.
    """
    payment = part("checkout", "payment_declined", "data")

    assert "amount auth_code currency" in " ".join(payment)
    assert payment["auth_code"] == "000000"


@pytest.mark.parametrize(
    ("event", "members"),
    [
        ("call.started", "headers from to uuid conversation_uuid status direction timestamp"),
        (
            "call.answered",
            "start_time headers rate from to uuid conversation_uuid status direction network timestamp",
        ),
        (
            "call.completed",
            (
                "headers end_time uuid network duration start_time rate price from to conversation_uuid "
                "status sip_code direction timestamp disconnected_by"
            ),
        ),
        (
            "call.failed",
            "headers from to uuid conversation_uuid status detail sip_code direction timestamp",
        ),
        ("call.busy", "headers from to uuid conversation_uuid status sip_code direction timestamp"),
        ("call.transfer", "conversation_uuid_from type uuid conversation_uuid_to timestamp"),
    ],
)
def test_a_call_of_vonage_has_the_order_of_deliveries(event: str, members: str) -> None:
    """Of 1 July 2020: Vonage/vonage-php-sdk-core 9c6bc46 test/Voice/requests, whose Content-Lengths fit
    compact bodies with a uuid of 32 digits; failed, and sip_code of busy and completed calls:
    Vonage/vonage-java-sdk 609f524d EventWebhookTest.java. Nexmo/nexmo-developer webhook-reference.md has
    detail in failed, rejected and unanswered calls only.
    """
    assert " ".join(part("vonage", event, "")) == members


def test_a_call_of_vonage_has_a_known_detail() -> None:
    """CallStatusDetail of Vonage/vonage-java-sdk 609f524d, and its EventWebhookTest.java: status and code."""
    names = ["failed", "unanswered", "rejected", "completed", "busy"]
    calls = [part("vonage", f"call.{name}", "") for name in names]

    assert [("cannot_route", 404), ("unavailable", 480), ("declined", 603), (None, 200), (None, 486)] == [
        (call.get("detail"), call["sip_code"]) for call in calls
    ]


@pytest.mark.parametrize(("channel", "stated"), [("whatsapp", True), ("sms", False), ("mms", False)])
def test_only_whatsapp_of_vonage_has_the_status_of_a_context(channel: str, stated: bool) -> None:
    """InboundMessage.getWhatsappContextStatus of Vonage/vonage-java-sdk 609f524d; all deliveries with it are
    WhatsApp's, and the MMS of Vonage/vonage-php-sdk-core 9c6bc46 test/Messages/WebhookTest.php has none.
    """
    message = part("vonage", f"message.inbound.{channel}", "")

    assert ("context_status" in message) is stated


def test_a_recording_of_vonage_has_another_uuid_than_its_file() -> None:
    """As in Vonage/vonage-php-sdk-core 9c6bc46 test/Voice/requests/recording-get.txt of 14 July 2020."""
    recorded = part("vonage", "call.recorded", "")

    assert not recorded["recording_url"].endswith(recorded["recording_uuid"])


def test_the_key_that_twilio_names_is_a_typeid() -> None:
    """jetify-com/typeid spec: 26 characters of Crockford's base32 hold a UUID of version 7; ids of this API
    are TypeIDs by twilio 9.13.0 twilio/rest/webhooks/v1/setting.py.
    """
    prefix, _, suffix = str(provider("twilio-sharedkey").parts["key_id"].value).rpartition("_")
    digits = "".join(f"{'0123456789abcdefghjkmnpqrstvwxyz'.index(letter):05b}" for letter in suffix)

    assert prefix == "webhooks_sharedkey"
    assert len(suffix) == 26
    assert UUID(int=int(digits, 2)).version == 7


def test_a_report_of_vapi_has_the_order_of_a_delivery() -> None:
    """A report of 12 November 2024 in a public repository, whose call lasted 14186 ms, 0.2364 minutes;
    that of a forwarded call has a destination, too: VapiAI/docs eabfa53 fern/apis/api/openapi.json."""
    report = part("vapi", "end-of-call-report", "message")
    members = (
        "timestamp type analysis artifact startedAt endedAt endedReason cost destination durationMs "
        "durationSeconds durationMinutes summary transcript call phoneNumber customer"
    )
    artifact = "messages messagesOpenAIFormatted transcript recordingUrl stereoRecordingUrl"

    assert list(report) == members.split()
    assert list(report["artifact"]) == artifact.split()
    assert report["durationMs"] / 1000 == report["durationSeconds"]
    assert round(report["durationSeconds"] / 60, 4) == report["durationMinutes"]


@pytest.mark.parametrize("event", ["conversation-update", "end-of-call-report"])
def test_a_message_of_vapi_has_a_duration_and_a_bot_a_source(event: str) -> None:
    """As in the report above."""
    message = part("vapi", event, "message")
    bot, user = message.get("artifact", message)["messages"]

    assert " ".join(user) == "role message time endTime secondsFromStart duration"
    assert list(bot) == [*user, "source"]


@pytest.mark.parametrize("event", [event.name for event in provider("vapi").events])
def test_a_call_of_vapi_has_the_id_and_the_transport_of_newer_calls(event: str) -> None:
    """Calls of 19 November 2025 and 11 March 2026, as the API answered, in two public repositories: their
    ids, UUIDs of version 7, tell the millisecond of createdAt; the first went over Twilio.
    """
    call = part("vapi", event, "message.call")
    identifier = UUID(call["id"])

    assert identifier.version == 7
    assert (identifier.int >> 80) / 1000 == datetime.fromisoformat(call["createdAt"]).timestamp()
    assert " ".join(call["transport"]) == "callSid provider accountSid conversationType"


@pytest.mark.parametrize("event", ["message_created", "message_created.outgoing", "conversation_updated"])
def test_a_conversation_of_chatwoot_has_the_attributes_that_the_widget_stores(event: str) -> None:
    """As in app/controllers/api/v1/widget/base_controller.rb, jsonb in db/schema.rb, of Chatwoot 4.16.2 in
    YoAnupOP/Volitex-AI-Inbox 1e33bfd5, and in fnando/browser f5dc0c9 lib/browser/platform/linux.rb.
    """
    delivered = part("chatwoot", event, "")
    attributes = delivered.get("conversation", delivered)["additional_attributes"]
    browser = attributes["browser"]

    assert " ".join(attributes) == "browser referer initiated_at browser_language"
    assert " ".join(browser) == "device_name browser_name platform_name browser_version platform_version"
    assert (browser["platform_name"], browser["platform_version"]) == ("Generic Linux", "0")


def test_a_message_of_the_widget_of_chatwoot_replies_to_none() -> None:
    """As in app/controllers/api/v1/widget/base_controller.rb message_params of the same version."""
    delivered = part("chatwoot", "message_created", "")
    (message,) = delivered["conversation"]["messages"]

    assert delivered["content_attributes"] == message["content_attributes"] == {"in_reply_to": None}


@pytest.mark.parametrize("event", ["message_created", "conversation_created"])
def test_a_new_conversation_of_chatwoot_was_not_seen_by_its_contact(event: str) -> None:
    """As in app/controllers/api/v1/widget/conversations_controller.rb, where the later update_last_seen
    alone sets the time, of the same version.
    """
    delivered = part("chatwoot", event, "")

    assert delivered.get("conversation", delivered)["contact_last_seen_at"] == 0


@pytest.mark.parametrize("event", [event.name for event in provider("replicate").events])
def test_a_model_of_replicate_has_a_name_that_an_image_can_have(event: str) -> None:
    """A model is pushed as r8.im/owner/name, as in docs/cli.md of replicate/cog 6110c912, in the characters
    of pkg/name/repository.go of google/go-containerregistry.
    """
    delivered = part("replicate", event, "")
    output = delivered.get("output")
    trained = [output["version"].partition(":")[0]] if isinstance(output, dict) else []

    assert all(re.fullmatch(r"[a-z0-9_./-]{1,255}", model) for model in [delivered["model"], *trained])


@pytest.mark.parametrize(("name", "event", "path", "members"), CAPTURED)
def test_members_are_those_of_a_delivery(name: str, event: str, path: str, members: str) -> None:
    assert members.split() == list(part(name, event, path))
