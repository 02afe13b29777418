"""Good requests differ in the ids by which receivers recognize copies."""

from __future__ import annotations

import json
from random import Random

import pytest

from hook_widgets.receivers.event_ids import EventSamples
from hook_widgets.webhooks import provider


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("stripe", ("id",)),
        ("stripe", ("data", "object", "id")),
        ("chatwoot", ("id",)),
        ("hubspot", (0, "eventId")),
        ("slack", ("event_id",)),
        ("telegram", ("update_id",)),
        ("launchdarkly", ("_id",)),
        ("mail-delivery", ("event", "id")),
        ("whatsapp", ("entry", 0, "changes", 0, "value", "messages", 0, "id")),
        ("line", ("events", 0, "webhookEventId")),
        ("sendgrid", (0, "sg_event_id")),
        ("clickup", ("history_items", 0, "id")),
        ("heroku", ("webhook_metadata", "event", "id")),
    ],
)
def test_the_ids_of_hundreds_of_requests_differ(name: str, path: tuple[str | int, ...]):
    sender, random = provider(name), Random(1)
    samples = EventSamples(sender, sender.event(None).name)

    values = {_at(path, samples.draw(random).body) for _ in range(300)}

    assert len(values) >= 299


def test_an_id_is_the_same_wherever_a_body_has_it():
    body = json.loads(EventSamples(provider("square"), "payment.created").draw(Random(1)).body)

    assert body["data"]["id"] == body["data"]["object"]["payment"]["id"]


@pytest.mark.parametrize(
    ("name", "event", "path"),
    [("slack", "message", ("team_id",)), ("whatsapp", "messages.text", ("entry", 0, "id"))],
)
def test_the_account_is_the_same_in_all(name: str, event: str, path: tuple[str | int, ...]):
    samples = EventSamples(provider(name), event)

    assert 1 == len({_at(path, samples.draw(Random(seed)).body) for seed in range(5)})


def _at(path: tuple[str | int, ...], body: bytes) -> object:
    value = json.loads(body)
    for step in path:
        value = value[step]
    return value
