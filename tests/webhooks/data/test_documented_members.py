"""Members and values that changelogs, examples, models and deliveries of a provider name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.webhooks.data.test_captured_members import part

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
