"""One object in several sample bodies: it is created once, stays where it is, and no old name comes back."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import product
from math import inf
from typing import Any

import pytest

from tests.webhooks.data.test_events_apart import fraction_of
from tests.webhooks.data.test_times import CREATED, NAMES, NOT_YET, bodies, objects, seconds_of

SHORTEST_ID = 5  # a shorter one can be that of another kind of object
NAME = re.compile(
    r"(?i)((full|display|first|last|user)_?)?(name|title|subject|email|slug|description|label|company)"
    r"|phone(_?number)?|metadata|external_?id|locale|language|country|time_?zone"
)
UPDATED = re.compile(
    r"(?i)(last_?)?(updated|modified)(_?(at|on|date|time|ts))?|update_?(time|date)|date_?updated"
)
HOLDER = re.compile(
    r"(?i)(owner|creator|author|created_?by|customer|account|organi[sz]ation|org|project|workspace|team|repository"
    r"|tenant|subscription|invoice|order|company|store|shop|merchant|form|site|app(lication)?|node)_?id"
    r"|currency(_?code)?|country(_?code)?|livemode"
)
"""Members that say where an object is, or whose it is: they stay."""
KEPT = re.compile(
    r"(?i)phone(_?number)?|email|external_?id|locale|language|country|time_?zone|(invoice|receipt)_?number"
    r"|((first|last|full)_?)?name|(confirmed|verified|paid|(last_)?sign_in)_?at"
)
"""Members that a later event does not empty."""
SINGLE = re.compile(
    r"(?i)receipt|(receipt|invoice|credit_?note)_?(number|url|pdf)|client_?secret|short_?url|hosted_\w*url"
    r"|hash|((reply|access)_?)?token|order_?status_?url"
)
"""Members whose value is of one object alone."""
STATE = re.compile(
    r"(?i)status|state|locked|draft|is_?draft|pre_?release|enabled|active|archived|published|paused"
)
"""Members that only an update changes."""
FIRST_PUBLISHED = {("contentful", "ContentManagement.Entry.publish")}
"""Bodies as the delivery API has them: created is the time of the first publication.

So in MarcoGlauser/contentful-webhook-receiver tests/webhook_test_data.py (revision 1, a delivery of 2021)
and in each entry and asset of revision 1 in contentful/contentful.php tests/Fixtures. The management API
has the earlier one.
"""
SEEDED = {"incident-io": "an organization begins with its severities, statuses and types, created at once"}

Identity = tuple[str, str]


def identified(body: Any) -> Iterator[tuple[Identity, dict[str, Any]]]:
    """Yield the objects of a body that have an id, with their kind and id."""
    for members in objects(body):
        identifier = next((members[key] for key in ("id", "uuid", "_id", "gid") if key in members), "")
        if isinstance(identifier, str | int) and len(str(identifier)) >= SHORTEST_ID:
            yield (str(members.get("object", members.get("type", ""))), str(identifier)), members


def time_of_event(body: Any) -> float:
    """Return the latest time in a body that is not to come: among the body's own members, or all."""
    for parts in ([body] if isinstance(body, dict) else [], objects(body)):
        times = [
            time
            for members in parts
            for key, value in members.items()
            if not NOT_YET.match(key) and (time := seconds_of(value))
        ]
        if times:
            return max(times)
    return 0.0


def changes(body: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield the object, the member and the value before of `{"changes": {"title": {"from": "..."}}, ...}`."""
    changed = body.get("changes") if isinstance(body, dict) else None
    for key, change in changed.items() if isinstance(changed, dict) else ():
        before = change.get("from") if isinstance(change, dict) else None
        if isinstance(before, dict) and len(before) == 1:
            continue  # `{"user": {...}}`, whose kind the member does not tell
        for part, members in body.items() if before is not None else ():
            if isinstance(members, dict) and members.get(key, before) != before:
                yield part, key, before


def returns(values: list[tuple[float, str]]) -> bool:
    """Tell if a value that was replaced comes back at a later time."""
    past: dict[str, float] = {}
    current = ""
    for time, value in sorted(values):
        if value != current and past.get(value, time) < past.get(current, 0) < time:
            return True
        current = value
        past[value] = time
    return False


@pytest.mark.parametrize("name", NAMES)
def test_an_object_is_created_once(name: str) -> None:
    created: defaultdict[tuple[Identity, str], dict[float, str]] = defaultdict(dict)
    for event, body in bodies(name).items():
        if (name, event) in FIRST_PUBLISHED:
            continue
        for identity, members in identified(body):
            for key, value in members.items():
                # The year 1, Go's zero time, is no time.
                if CREATED.fullmatch(key) and (time := seconds_of(value) or 0) > 0:
                    created[identity, key][round(time)] = event

    assert {} == {key: times for key, times in created.items() if len(times) > 1}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SEEDED])
def test_two_objects_are_not_created_in_one_fraction_of_a_second(name: str) -> None:
    """Except those of one body: a part can be created with the whole."""
    created: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    together: defaultdict[str, set[str]] = defaultdict(set)
    for body in bodies(name).values():
        known = list(identified(body))
        for (_, identifier), members in known:
            together[identifier] |= {other for (_, other), _ in known}
            for key, value in members.items():
                if CREATED.fullmatch(key) and (written := fraction_of(value)):
                    created[written].add(identifier)

    assert {} == {
        written: identifiers
        for written, identifiers in created.items()
        if any(not identifiers <= together[identifier] for identifier in identifiers)
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_old_name_does_not_come_back(name: str) -> None:
    names: defaultdict[tuple[Identity, str], list[tuple[float, str]]] = defaultdict(list)
    for body in bodies(name).values():
        if time := time_of_event(body):
            for identity, members in identified(body):
                for key, value in members.items():
                    if NAME.fullmatch(key) and isinstance(value, str | dict):
                        names[identity, key].append((time, json.dumps(value, sort_keys=True)))

    assert {} == {key: values for key, values in names.items() if returns(values)}


@pytest.mark.parametrize("name", NAMES)
def test_a_member_of_a_person_is_not_lost(name: str) -> None:
    values_of: defaultdict[tuple[Identity, str], list[tuple[float, bool]]] = defaultdict(list)
    for body in bodies(name).values():
        if time := time_of_event(body):
            for identity, members in identified(body):
                for key, value in members.items():
                    if KEPT.fullmatch(key):
                        values_of[identity, key].append((time, bool(value)))

    assert [] == [
        key
        for key, times in values_of.items()
        for first in [min((time for time, known in times if known), default=inf)]
        if any(time > first and not known for time, known in times)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_receipt_a_token_or_a_short_address_is_of_one_object(name: str) -> None:
    owners: defaultdict[tuple[str, str], set[Identity]] = defaultdict(set)
    for body in bodies(name).values():
        for identity, members in identified(body):
            for key, value in members.items():
                if SINGLE.fullmatch(key) and isinstance(value, str) and value:
                    owners[key, value].add(identity)

    assert {} == {key: identities for key, identities in owners.items() if len(identities) > 1}


@pytest.mark.parametrize("name", NAMES)
def test_a_later_event_does_not_take_an_update_back(name: str) -> None:
    updates: defaultdict[tuple[Identity, str], dict[tuple[float, str], float]] = defaultdict(dict)
    for event, body in bodies(name).items():
        at = (time_of_event(body), event)
        for identity, members in identified(body):
            for key, value in members.items():
                if UPDATED.fullmatch(key) and (value is None or seconds_of(value)):
                    times = updates[identity, key]
                    times[at] = max(
                        seconds_of(value) or 0, times.get(at, 0)
                    )  # a part can have the id of the whole

    assert [] == [
        (key, earlier, later)
        for key, times in updates.items()
        for earlier, later in product(times, times)
        if earlier[0] < later[0] and times[later] < times[earlier]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_an_object_has_one_state_at_a_time(name: str) -> None:
    """As the time of its update tells."""
    states: defaultdict[tuple[Identity, str, Any], defaultdict[Any, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for event, body in bodies(name).items():
        for identity, members in identified(body):
            updated = [at for key, at in members.items() if UPDATED.fullmatch(key) and seconds_of(at)]
            for key, value in members.items() if updated else ():
                if STATE.fullmatch(key) and isinstance(value, str | bool):
                    states[identity, key, updated[0]][value].add(event)

    assert {} == {key: dict(events) for key, events in states.items() if len(events) > 1}


@pytest.mark.parametrize("name", NAMES)
def test_an_object_stays_with_its_holder(name: str) -> None:
    held: defaultdict[tuple[Identity, str], defaultdict[Any, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for event, body in bodies(name).items():
        for identity, members in identified(body):
            for key, value in members.items():
                inner = isinstance(value, dict)
                holder = value.get("id") if inner else value
                if (
                    HOLDER.fullmatch(f"{key}_id" if inner else key)
                    and isinstance(holder, str | int)
                    and holder
                ):
                    held[identity, key][holder].add(event)

    assert {} == {key: dict(holders) for key, holders in held.items() if len(holders) > 1}


@pytest.mark.parametrize("name", NAMES)
def test_the_first_change_is_one_of_the_value_at_the_creation(name: str) -> None:
    created = {
        event.split(".")[0]: body
        for event, body in bodies(name).items()
        if re.fullmatch(r"\w+\.(created|opened)", event)
    }

    assert [] == [
        (event, key, before, created[noun][part][key])
        for event, body in bodies(name).items()
        for noun in {event.split(".")[0]} & {*created}
        for part, key, before in changes(body)
        if noun.removesuffix("s").endswith(part) and created[noun][part].get("id") == body[part].get("id")
        if created[noun][part].get(key) not in [None, before]
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([(1, "old"), (2, "new"), (3, "new")], False),
        ([(3, "new"), (1, "old"), (2, "new")], False),
        ([(1, "old"), (2, "new"), (2, "old")], False),
        ([(1, "old"), (2, "new"), (3, "old")], True),
    ],
)
def test_a_value_returns_only_after_another(values: list[tuple[float, str]], expected: bool) -> None:
    assert expected == returns(values)


def test_a_period_of_a_subscription_of_orb_has_one_invoice_with_the_price_of_then() -> None:
    delivered = bodies("orb")
    intervals = delivered["subscription.ended"]["subscription"]["price_intervals"]
    prices = {interval["start_date"]: interval["price"]["id"] for interval in intervals}
    periods: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for invoice in (body["invoice"] for body in delivered.values() if "invoice" in body):
        for line in invoice["line_items"]:
            periods[invoice["subscription"]["id"], line["start_date"]].add(invoice["id"])
            unit = float(line["price"]["unit_config"]["unit_amount"])
            assert line["price"]["id"] == prices[line["start_date"]]
            assert float(line["amount"]) == line["quantity"] * unit

    assert {len(invoices) for invoices in periods.values()} == {1}


def test_each_checkout_of_polar_has_a_secret_of_its_own() -> None:
    completed, expired = (bodies("polar")[f"checkout.{event}"]["data"] for event in ("updated", "expired"))

    assert expired["client_secret"] != completed["client_secret"]
    assert all(expired["client_secret"] in expired[key] for key in ("url", "success_url"))


def test_github_counts_an_open_pull_request_and_issue_and_no_removed_relation() -> None:
    for event, body in bodies("github").items():
        if "pull_request" in body and body["pull_request"]["state"] == "open":
            assert {body["repository"][key] for key in ("open_issues_count", "open_issues")} == {2}, event
        if event.startswith(("sub_issues", "issue_dependencies")):
            for part, count in (("parent", "total"), ("blocking", "blocking"), ("blocked", "blocked_by")):
                if issue := body.get(f"{part}_issue"):
                    counts = issue["sub_issues_summary"] | issue["issue_dependencies_summary"]
                    assert counts[count] == event.endswith("added"), event


def test_what_github_undoes_was_done_before() -> None:
    delivered = bodies("github")
    edited, dismissed = (
        delivered[f"pull_request_review.{event}"]["review"] for event in ("edited", "dismissed")
    )
    archived = delivered["projects_v2_item.archived"]["projects_v2_item"]["archived_at"]
    assigned, unassigned = (delivered[f"issues.{event}"]["issue"] for event in ("assigned", "unassigned"))

    assert edited["updated_at"] < dismissed["updated_at"]
    assert edited["body"] == dismissed["body"]
    assert archived == delivered["projects_v2_item.restored"]["changes"]["archived_at"]["from"]
    assert assigned["updated_at"] <= unassigned["updated_at"]


def test_a_webhook_of_webex_has_one_resource_and_one_event() -> None:
    webhooks = {(body["id"], body["resource"], body["event"]) for body in bodies("webex").values()}

    assert len({identifier for identifier, _, _ in webhooks}) == len(webhooks)


def test_no_object_of_appwrite_is_made_within_a_second_of_its_user() -> None:
    delivered = bodies("appwrite")
    user = int(delivered["users.create"]["$id"][:8], 16)  # PHP's uniqid: seconds, microseconds

    assert [] == [
        event
        for event, body in delivered.items()
        if not event.startswith("users.create") and "$id" in body
        if abs(int(body["$id"][:8], 16) - user) < 2 and body["$id"] != delivered["users.create"]["$id"]
    ]


def test_a_build_of_expo_is_enqueued_and_built_once() -> None:
    twice = {"Enqueued": "enqueuedAt", "Start": "workerStartedAt", "End": "completedAt"}
    builds = {event: body for event, body in bodies("expo").items() if event.startswith("build")}

    assert [] == [
        (event, member)
        for event, body in builds.items()
        for metric, member in twice.items()
        if body["metrics"][f"build{metric}Timestamp"]
        != datetime.fromisoformat(body[member]).timestamp() * 1000
    ]


def test_an_alert_that_is_new_starts_after_the_one_that_is_known() -> None:
    known, new = bodies("alertmanager")["firing.two"]["alerts"]

    assert bodies("alertmanager")["firing.two"]["notification_reason"] == "new alerts added"
    assert known["startsAt"] < new["startsAt"]


def test_the_factor_of_a_user_is_tried_when_no_later_user_lacks_it() -> None:
    delivered = bodies("supabase-auth")
    tried = delivered["mfa_verification_attempt"]

    assert [] == [
        event
        for event, body in delivered.items()
        if body.get("user", {}).get("id") == tried["user_id"] and "factors" not in body["user"]
        if body["metadata"]["time"] > tried["metadata"]["time"]
    ]


def test_an_activity_of_pipedrive_is_added_once() -> None:
    created, changed = (bodies("pipedrive")[f"{action}.activity"] for action in ("create", "change"))

    assert changed["data"]["id"] == created["data"]["id"]
    assert changed["data"]["add_time"] == created["data"]["add_time"]
    assert changed["previous"]["update_time"] == created["data"]["update_time"]


def test_a_person_of_pipedrive_keeps_the_new_name() -> None:
    renamed = bodies("pipedrive")["change.person"]["data"]

    for event in ("delete.person", "deleted.person"):
        deleted = bodies("pipedrive")[event]["previous"]
        assert [deleted[key] for key in ("id", "name", "first_name")] == [
            renamed[key] for key in ("id", "name", "first_name")
        ]


def test_a_rule_of_sentry_has_the_same_triggers_in_each_alert() -> None:
    """All of them: getsentry/sentry 009dbaf incidents/endpoints/serializers/workflow_engine_detector.py."""
    critical, warning, resolved = (
        bodies("sentry")[f"metric_alert.{action}"]["data"]["metric_alert"]["alert_rule"]
        for action in ("critical", "warning", "resolved")
    )

    assert critical == warning == resolved


def test_a_deleted_comment_of_sentry_has_the_text_of_its_last_update() -> None:
    updated, deleted = (bodies("sentry")[f"comment.{action}"]["data"] for action in ("updated", "deleted"))

    assert deleted == updated


def test_a_user_of_slack_has_one_profile_at_a_time() -> None:
    profiles = defaultdict(set)
    for event, body in bodies("slack").items():
        if event.startswith("user_") or event == "team_join":
            user = body["event"]["user"]
            profiles[user["id"], user["updated"]].add(json.dumps(user["profile"]))

    assert profiles
    assert {len(each) for each in profiles.values()} == {1}


def test_a_message_of_slack_tells_what_happens_to_its_channel() -> None:
    """So a channel that is renamed or archived is not one that is used under its name meanwhile."""
    for change, message in (("rename", "name"), ("archive", "archive"), ("unarchive", "unarchive")):
        changed = bodies("slack")[f"channel_{change}"]["event"]
        message_of_it = bodies("slack")[f"message.channel_{message}"]["event"]
        channel = changed["channel"]
        name = channel["name"] if change == "rename" else None

        assert message_of_it["channel"] == (channel["id"] if change == "rename" else channel)
        assert message_of_it["event_ts"] == changed["event_ts"]
        assert message_of_it.get("name") == name


def test_an_invoice_of_square_has_one_page() -> None:
    pages = defaultdict(set)
    for event, body in bodies("square").items():
        if event.startswith("invoice.") and (page := body["data"]["object"]["invoice"].get("public_url")):
            pages[body["data"]["id"]].add(page)

    assert pages
    assert {len(each) for each in pages.values()} == {1}


def test_an_accepted_invitation_of_workos_is_not_revoked() -> None:
    accepted, revoked = (
        bodies("workos")[f"invitation.{action}"]["data"] for action in ("accepted", "revoked")
    )

    assert accepted["id"] != revoked["id"]


def test_a_participant_of_zoom_has_one_uuid_in_a_meeting() -> None:
    """In capitals, as in brentcurtis76/fne-lms __tests__/lib/zoom/fixtures/webhooks (July 2026)."""
    participants = [
        body["payload"]["object"]["participant"]
        for event, body in bodies("zoom").items()
        if event.split(".")[-1].startswith("participant_")
    ]
    uuids = {(each["user_id"], each["participant_uuid"]) for each in participants}

    assert len(uuids) == len({user for user, _ in uuids})
    assert all(uuid == uuid.upper() for _, uuid in uuids)
