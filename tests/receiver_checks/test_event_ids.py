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
        ("mail-delivery", ("event", "id")),
    ],
)
def test_the_ids_of_hundreds_of_requests_differ(name: str, path: tuple[str | int, ...]):
    sender, random = provider(name), Random(1)
    samples = EventSamples(sender, sender.event(None).name)

    values = set()
    for _ in range(300):
        value = json.loads(samples.draw(random).body)
        for step in path:
            value = value[step]
        values.add(value)

    assert len(values) >= 299


def test_the_account_is_the_same_in_all():
    samples = EventSamples(provider("slack"), "message")

    assert 1 == len({json.loads(samples.draw(Random(seed)).body)["team_id"] for seed in range(5)})
