"""One object in several sample bodies: it does not succeed and fail, and is deleted as it was last."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_same_objects import SHORTEST_ID, UPDATED
from tests.webhooks.data.test_times import CREATED, NAMES, bodies, objects, seconds_of

SUCCESS = re.compile(
    r"succe(ss|ssful|eded)|completed?|paid|deliver(ed|y)|captured|approved|settled|passed|finished|won|fulfilled"
    r"|refunded|verified|ready|signed"
)
FAILURE = re.compile(
    r"fail(ed|ure)?|declined|denied|rejected|refused|undelivered|bounced?|expired|void(ed)?|error(ed)?"
    r"|cancell?ed|lost|aborted|dropped"
)
DELETED = re.compile(r"deleted?|destroyed|purged")
CHANGED = re.compile(r"updated?|edited|modified|renamed")
ITSELF = {"", "data", "object", "resource", "payload", "previous", "entity"}
"""Keys of the object that an event is about; "" is the whole body."""

NOT_ENDED = {"open", "active", "draft", "pending", "processing", "queued", "scheduled"}
ENDED = re.compile(r"(?i)(closed|merged|refunded|failed|finished|ended|captured|revoked|expired)_?at")

LATER = {"from": "to", "before": "after", "old": "new", "previous": "current"}
BEFORE = re.compile(rf"(?i)({'|'.join(LATER)})(_?(value|string|number|id|status))?")

BOTH_ALL_THE_SAME = {
    ("commercelayer", "id"): "an order that was approved can be cancelled",
    ("loops", "emailMessageId"): "the message of a campaign, which goes to many recipients",
    ("mailgun", "message-id"): "one message to three recipients",
    ("recharge", "id"): "a charge that failed is tried again",
}
OWN_ID = re.compile(r"(?i)_?(id|uuid|gid|sid|uid|guid)")
STATUS = re.compile(r"(?i).*(status|state|outcome|result)")


def words(text: str) -> list[str]:
    """Return the words of a name in camel case, in snake case, or with dots."""
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text).lower())


def outcome(text: str) -> str:
    """Return the final outcome that a status or the name of an event tells, or nothing."""
    patterns = {"failure": FAILURE, "success": SUCCESS}
    return next((name for name in patterns if any(map(patterns[name].fullmatch, words(text)))), "")


def subject(event: str, ends: Callable[[str], Any] = outcome) -> str:
    """Return the noun before the end in the name of an event: `payment` of `order.payment_failed`."""
    named = words(event)
    at = next((at for at, word in enumerate(named) if ends(word)), 0)
    return named[at - 1] if at else ""


def updates(body: Any) -> Iterator[tuple[str, str, float]]:
    """Yield the key and the id of each object of a body, and when it was updated."""
    keyed = [("", body), *((key, value) for members in objects(body) for key, value in members.items())]
    for key, value in keyed:
        for members in value if isinstance(value, list) else [value]:
            identifier = members.get("id") if isinstance(members, dict) else None
            if isinstance(identifier, str | int) and len(str(identifier)) >= SHORTEST_ID:
                times = [seconds_of(at) for name, at in members.items() if UPDATED.fullmatch(name)]
                yield from ((key, str(identifier), time) for time in times if time)


def outcomes(event: str, members: dict[str, Any]) -> Iterator[tuple[tuple[str, Any], str]]:
    """Yield the ids of an object, each with an outcome: its status, or that of an event about it."""
    inner = members.get("attributes")  # of JSON:API, beside the id
    stated = members | inner if isinstance(inner, dict) else members
    values = [value for key, value in stated.items() if STATUS.fullmatch(key)]
    statuses = [
        text
        for value in values
        for text in (value.values() if isinstance(value, dict) else [value])
        if isinstance(text, str)
    ]
    for key, identifier in members.items():
        if not isinstance(identifier, str | int) or len(str(identifier)) < SHORTEST_ID:
            continue
        *noun, last = words(key) or [""]
        if OWN_ID.fullmatch(key):
            texts = statuses
        elif OWN_ID.fullmatch(last) and {*noun[-1:]} & {subject(event), "message", "resource"}:
            texts = [*statuses, event]
        else:
            texts = []
        yield from (((key, identifier), outcome(text)) for text in texts if outcome(text))


@pytest.mark.parametrize("name", NAMES)
def test_an_object_does_not_succeed_and_fail(name: str) -> None:
    known: defaultdict[tuple[str, Any], defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    forms = {
        event.name: dict(parse_qsl(provider(name).template(event.name).decode("utf-8", "replace")))
        for event in provider(name).events
        if event.name not in bodies(name)
    }
    for event, body in (forms | bodies(name)).items():
        for members in objects(body):
            for identity, result in outcomes(event, members):
                known[identity][result].add(event)

    assert {} == {
        identity: dict(events)
        for identity, events in known.items()
        if len(events) > 1 and (name, identity[0]) not in BOTH_ALL_THE_SAME
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_state_fits_the_times_of_states(name: str) -> None:
    """A closed object has the time of it if it has one at all, and an open one has not."""
    wrong = []
    for event, body in bodies(name).items():
        for members in objects(body):
            state = str(members.get("status", members.get("state"))).lower()
            for key, value in members.items():
                untold = key.lower().replace("_", "") == f"{state}at" and not value
                # The year 1, Go's zero time, is no time.
                if untold or (state in NOT_ENDED and ENDED.fullmatch(key) and (seconds_of(value) or 0) > 0):
                    wrong.append((event, state, key, value))

    assert [] == wrong


@pytest.mark.parametrize("name", NAMES)
def test_an_object_is_deleted_as_it_was_last(name: str) -> None:
    changes = [(event, *update) for event, body in bodies(name).items() for update in updates(body)]
    newest: defaultdict[str, float] = defaultdict(float)
    for _, _, identifier, time in changes:
        newest[identifier] = max(newest[identifier], time)

    assert [] == [
        (event, key, identifier)
        for event, key, identifier, time in changes
        if time < newest[identifier]
        if (deleted := subject(event, DELETED.fullmatch))
        if key in ITSELF or deleted.removesuffix("s") in words(key)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_before_is_another_than_what_is_now(name: str) -> None:
    """As `previous_value` and `current_value`; also the sender is not the recipient."""
    assert [] == [
        (event, key, value)
        for event, body in bodies(name).items()
        for members in objects(body)
        for key, value in members.items()
        if value and (before := BEFORE.fullmatch(key))
        if value == members.get(LATER[before[1].lower()] + key.removeprefix(before[1]))
    ]


@pytest.mark.parametrize("name", NAMES)
def test_an_updated_object_was_created_before(name: str) -> None:
    wrong = []
    for event, body in bodies(name).items():
        *_, noun, last = ["", "", *words(event)]
        keyed = [item for members in objects(body) for item in members.items() if CHANGED.fullmatch(last)]
        for key, members in keyed:
            if (
                isinstance(members, dict)
                and key != "previous"
                and (key in ITSELF or [noun] == words(key)[-1:])
            ):
                created, updated = (
                    [time for key, at in members.items() if form.fullmatch(key) and (time := seconds_of(at))]
                    for form in (CREATED, UPDATED)
                )
                if created and updated and max(updated) <= min(created):
                    wrong.append((event, key, updated))

    assert [] == wrong


@pytest.mark.parametrize(
    ("event", "expected"),
    [("order.payment_failed", "payment"), ("InvoiceSettled", "invoice"), ("Bounce", ""), ("created", "")],
)
def test_the_subject_of_an_event_stands_before_its_outcome(event: str, expected: str) -> None:
    assert expected == subject(event)
