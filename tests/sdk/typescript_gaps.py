"""Members of bodies about which the TypeScript types of a provider differ from the deliveries."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Gap:
    """A difference between a type and what the provider sends.

    Attributes:
        reason: why the body stays as it is.
        unknown: the type does not know the member.
        required: the type requires the member, which is not sent.
        events: the only events that it is about; empty for all.
    """

    reason: str
    unknown: bool = False
    required: bool = False
    events: tuple[str, ...] = ()


def _all(gap: Gap, *paths: str) -> dict[str, Gap]:
    return dict.fromkeys(paths, gap)


_LACKS = Gap("sent, and not in the type", unknown=True)
_NO_FLAG = Gap("a set of flags, none of which is set: the enum of the flags has no 0")
_INNER = Gap(
    "a message inside an event has none; the type is that of an event of its own",
    required=True,
    events=("message.message_changed", "message.message_deleted", "message.thread_broadcast"),
)
_VIEW = Gap("Slack sends the whole view; the type has what an app may publish", unknown=True)
_HUDDLE = Gap(
    "a delivery of January 2024 has it, and the type of this event alone lacks it",
    unknown=True,
    events=("user_status_changed",),
)
_OLD_USER = Gap("sent by Clerk for compatibility, and not in the type", unknown=True)
_NEVER_SENT = Gap(
    "only in responses of Clerk's API; the type requires it",
    required=True,
    events=("user.created", "user.updated"),
)
_NO_LIMIT = Gap(
    "Clerk sends it only where a limit is set; the type requires it",
    required=True,
    events=("user.created", "user.updated"),
)
_COUNT = Gap(
    "Stripe counts the elements of a list inside an event; the type does not know the number", unknown=True
)

GAPS: dict[str, dict[str, Gap]] = {
    "clerk": {
        **_all(
            _OLD_USER,
            ".data.email_addresses.created_at",
            ".data.email_addresses.matches_sso_connection",
            ".data.email_addresses.reserved",
            ".data.email_addresses.updated_at",
            ".data.logo_url",
            ".data.mfa_disabled_at",
            ".data.mfa_enabled_at",
            ".data.organization.logo_url",
            ".data.passkeys",
            ".data.profile_image_url",
            ".data.public_user_data.profile_image_url",
            ".data.saml_accounts",
            ".data.user.email_addresses.created_at",
            ".data.user.email_addresses.matches_sso_connection",
            ".data.user.email_addresses.reserved",
            ".data.user.email_addresses.updated_at",
            ".data.user.mfa_disabled_at",
            ".data.user.mfa_enabled_at",
            ".data.user.passkeys",
            ".data.user.profile_image_url",
            ".data.user.saml_accounts",
        ),
        **_all(_LACKS, ".data.bypass_client_trust", ".data.user.bypass_client_trust"),
        ".data.email_addresses.verification.object": Gap(
            "the kind of verification; the type knows other kinds of objects"
        ),
        ".data.user.email_addresses.verification.object": Gap(
            "the kind of verification; the type knows other kinds of objects"
        ),
        ".data.role_name": replace(
            _OLD_USER,
            events=(
                "organizationMembership.created",
                "organizationMembership.updated",
                "organizationMembership.deleted",
            ),
        ),
        **_all(
            _NEVER_SENT,
            ".data.email_addresses.verification.id",
            ".data.organization_memberships",
            ".data.timezone",
        ),
        **_all(
            replace(
                _NEVER_SENT,
                events=("session.created", "session.ended", "session.removed", "session.revoked"),
            ),
            ".data.user.email_addresses.verification.id",
            ".data.user.organization_memberships",
            ".data.user.timezone",
        ),
        ".data.create_organizations_limit": _NO_LIMIT,
        ".data.user.create_organizations_limit": replace(
            _NO_LIMIT, events=("session.created", "session.ended", "session.removed", "session.revoked")
        ),
    },
    "discord": {
        **_all(
            _NO_FLAG,
            ".channel.flags",
            ".data.resolved.members.900000000000000011.flags",
            ".data.resolved.messages.1554825012576256003.author.public_flags",
            ".data.resolved.messages.1554825012576256003.flags",
            ".data.resolved.users.900000000000000011.public_flags",
            ".event.data.user.public_flags",
            ".member.flags",
            ".member.user.public_flags",
            ".message.author.public_flags",
            ".message.flags",
        ),
        **_all(
            _LACKS,
            ".channel.icon_emoji",
            ".channel.permissions",
            ".channel.theme_color",
            ".data.resolved.members.900000000000000011.unusual_dm_activity_until",
            ".entitlement_sku_ids",
            ".entitlements.gift_code_flags",
            ".entitlements.promotion_id",
            ".entitlements.subscription_id",
            ".event.data.gift_code_flags",
            ".event.data.promotion_id",
            ".event.data.subscription_id",
            ".member.unusual_dm_activity_until",
        ),
        ".data.id": Gap("sent, and not in the type", unknown=True, events=("component", "select")),
    },
    "linear": {
        ".data.frequencyResolution": replace(_LACKS, events=("Project.update",)),
        ".data.inheritsSharedAccess": replace(
            _LACKS, events=("Issue.create", "Issue.update", "Issue.remove")
        ),
        ".data.isArtificialAgentSessionRoot": _LACKS,
        **_all(
            _LACKS,
            ".agentSession.context",
            ".agentSession.dismissedAt",
            ".agentSession.dismissedById",
            ".agentSession.externalLink",
            ".agentSession.externalUrls",
            ".agentSession.plan",
            ".agentSession.pullRequestId",
            ".agentSession.slugId",
            ".agentSession.workspaceDiff",
            ".notification.emailedAt",
            ".notification.readAt",
            ".notification.snoozedUntilAt",
            ".notification.unsnoozedAt",
        ),
        ".agentSession.type": Gap("not in the delivery of 21 August 2026", required=True),
    },
    "mux": {
        **_all(
            _LACKS,
            ".accessor",
            ".accessor_source",
            ".data.tracks.max_channel_layout",
            ".request_id",
        ),
        ".data.error": replace(_LACKS, events=("video.upload.errored",)),
    },
    "resend": _all(
        _LACKS,
        ".data.bounce.diagnosticCode",
        ".data.suppressed.diagnosticCode",
        ".data.suppressed.reason",
    ),
    "slack": {
        ".subtype": Gap("absent; the type requires it to be undefined", required=True, events=("message",)),
        **_all(
            _INNER,
            *(
                f".{part}.{name}"
                for part in ("message", "previous_message", "root")
                for name in ("channel", "channel_type", "event_ts", "subtype")
            ),
        ),
        ".event_ts": Gap(
            "every event has it, the types of these lack it",
            unknown=True,
            events=(
                "app_uninstalled",
                "call_rejected",
                "channel_deleted",
                "file_change",
                "grid_migration_finished",
                "grid_migration_started",
                "group_close",
                "group_open",
                "im_created",
                "invite_requested",
                "team_domain_change",
                "team_rename",
                "tokens_revoked",
            ),
        ),
        ".actor_id": Gap("sent, and not in the type", unknown=True, events=("channel_deleted",)),
        ".dnd_status.snooze_is_indefinite": Gap("in Slack's own Java SDK, and not in the type", unknown=True),
        ".client_msg_id": Gap("sent, and not in the type", unknown=True, events=("message.file_share",)),
        **_all(Gap("a number; the type says string"), ".files.lines", ".files.lines_more"),
        **_all(
            Gap("only in responses of Slack's API; the type requires it", required=True),
            ".files.channels",
            ".files.groups",
        ),
        ".pin_count": Gap("a number; the type says string"),
        **_all(
            _LACKS,
            ".accepting_user.who_can_share_contact_card",
            ".approving_user.who_can_share_contact_card",
            ".channel.parent_conversation",
            ".channel.pending_connected_team_ids",
            ".channel.pending_shared",
            ".channel.previous_names",
            ".channel.purpose",
            ".channel.shared_team_ids",
            ".channel.topic",
            ".channel.unlinked",
            ".channel.updated",
            ".declining_user.who_can_share_contact_card",
            ".files.file_access",
            ".files.timestamp",
            ".files.user_team",
            ".function.date_released",
            ".function.form_enabled",
            ".invite.inviting_team.avatar_base_url",
            ".invite.inviting_user.who_can_share_contact_card",
            ".item.message.bot_profile.user_id",
            ".message.source_team",
            ".message.user_team",
            ".root.is_locked",
            ".subteam.auto_type",
            ".subteam.deleted_by",
            ".subteam.is_section",
            ".teams_in_channel.avatar_base_url",
        ),
        ".team_id": Gap(
            "sent, and not in the type", unknown=True, events=("team_domain_change", "team_rename")
        ),
        ".user_id": Gap("sent, and not in the type", unknown=True, events=("file_change",)),
        ".user.locale": Gap(
            "a delivery has none; the type requires it", required=True, events=("team_join",)
        ),
        **_all(_HUDDLE, ".user.profile.huddle_state", ".user.profile.huddle_state_expiration_ts"),
        **_all(
            _VIEW,
            ".view.app_id",
            ".view.app_installed_team_id",
            ".view.bot_id",
            ".view.clear_on_close",
            ".view.close",
            ".view.hash",
            ".view.id",
            ".view.notify_on_close",
            ".view.previous_view_id",
            ".view.root_view_id",
            ".view.state",
            ".view.submit",
            ".view.team_id",
            ".view.title",
        ),
    },
    "stripe": {
        ".data.object.id": Gap(
            "an invoice to come has none; the type requires it", required=True, events=("invoice.upcoming",)
        ),
        **_all(
            _COUNT,
            ".data.object.external_accounts.total_count",
            ".data.object.items.total_count",
            ".data.object.lines.total_count",
            ".data.object.refunds.total_count",
            ".data.object.reversals.total_count",
        ),
    },
    "zoom": {
        ".event_ts": Gap("sent, and not in the type", unknown=True, events=("app_deauthorized",)),
        ".payload.object.creation_source": Gap(
            "in the changelog of 18 November 2024, and not in the type",
            unknown=True,
            events=("meeting.created",),
        ),
        ".payload.object.host_email": Gap(
            "sent, and not in the type", unknown=True, events=("meeting.started", "meeting.ended")
        ),
        ".payload.object.participant.private_ip": Gap(
            "sent, and not in the type", unknown=True, events=("meeting.participant_left",)
        ),
        ".payload.object.participant.public_ip": Gap(
            "sent, and not in the type",
            unknown=True,
            events=("meeting.participant_joined", "meeting.participant_left"),
        ),
    },
}
"""Differences by provider and path, the path beginning at what the type describes."""
