"""Requests of several events, which a tab asks for one after another."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hook_widgets.webhooks import Receiver, Secret, provider
from hook_widgets.widgets.generator.deliveries import MAX_AT_ONCE
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.wire import Wire
from tests.widgets.fake_tab import CANARY, FakeTab, signed


def tab_of(url: str, **more) -> FakeTab:
    return FakeTab(WebhookGenerator("github", "push", url=url, **more), secret=CANARY)


def tab_that_waits(url: str) -> FakeTab:
    """A tab whose secret is entered later: deliveries wait for their signatures."""
    return FakeTab(WebhookGenerator("github", "push", url=url))


def test_five_events_are_sent_with_their_samples_and_the_inputs_stay():
    events = [event.name for event in provider("github").events][:5]
    with Receiver("github", Secret(CANARY)) as receiver:
        tab = tab_of(receiver.url)
        before = {name: getattr(tab.widget, name) for name in ("event", "body", "revision", "headers")}
        records = [tab.ask("send", provider="github", event=event)["value"] for event in events]
        arrived = receiver.deliveries

    assert 5 == len(set(events))
    assert events == [record["event"] for record in records]
    assert [True] * 5 == [each.verdict.ok for each in arrived]
    assert [provider("github").template(event) for event in events] == [each.request.body for each in arrived]
    assert [event.split(".")[0] for event in events] == [
        each.request.headers["X-GitHub-Event"] for each in arrived
    ]
    assert before == {name: getattr(tab.widget, name) for name in before}


def test_an_edited_payload_is_sent_as_edited_also_when_another_event_is_shown():
    edited, other = b'{"edited": true}', provider("github").events[1].name
    with Wire() as receiver:
        tab = tab_of(receiver.url)
        shown = tab.widget.event
        tab.widget.body = edited
        tab.widget.event = other
        tab.ask("send", provider="github", event=shown)
        tab.ask("send", provider="github", event=other)

    assert [edited, provider("github").template(other)] == [each.body for each in receiver.requests]


def test_a_header_of_the_randomized_payload_is_not_sent_with_another_event():
    other = next(event.name for event in provider("shopify").events if event.name != "orders/create")
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("shopify", "orders/create", url=receiver.url), secret=CANARY)
        tab.widget.headers = [["X-Mine", "1"]]
        tab.ask("randomize", seed=1, values={})
        varied = [name for name, _ in tab.widget.headers if name != "X-Mine"]
        assert varied
        tab.ask("send", provider="shopify", event=other)

    [request] = receiver.requests
    values = {name: value for name, value in tab.widget.headers if name in varied}
    assert "1" == dict(request.headers)["X-Mine"]
    assert {} == {n: v for n, v in values.items() if dict(request.headers).get(n) == v}


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"provider": "github", "event": "no.such.event"}, "no.such.event"),
        ({"provider": "github", "event": ["push"]}, "push"),
        ({"provider": "stripe", "event": "push"}, "provider was changed"),
        ({"event": "issues.opened"}, "provider was changed"),
    ],
)
def test_an_event_that_cannot_be_sent_is_rejected_and_nothing_is_sent(args, code):
    with Wire() as receiver:
        tab = tab_of(receiver.url)
        error = tab.ask("send", **args)["error"]
        assert code in error["text"]
        assert [] == receiver.requests
        assert 200 == tab.ask("send")["value"]["status"]  # the widget stays usable


@pytest.mark.parametrize("name", ["event", "body"])
def test_a_locked_event_is_the_only_one(name):
    other = provider("github").events[1].name
    with Wire() as receiver:
        tab = tab_of(receiver.url, locked=[name])
        error = tab.ask("send", provider="github", event=other)["error"]

    assert "locked" == error["code"]
    assert [] == receiver.requests


def bodies(wire: Wire) -> list[dict[str, Any]]:
    return [json.loads(request.body) for request in wire.requests]


def test_the_events_of_a_chain_are_about_the_same_payment_and_have_ids_of_their_own():
    chain = ["payment_intent.succeeded", "charge.refunded"]
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("stripe", chain[0], url=receiver.url), secret=CANARY)
        for seed in (7, 8):
            for event in chain:
                tab.ask("send", provider="stripe", event=event, seed=seed, chain=chain)

    payment, refund, other, _ = (body["data"]["object"] for body in bodies(receiver))
    assert payment["customer"] == refund["customer"] != other["customer"]
    assert payment["amount"] == refund["amount"]
    assert 4 == len({body["id"] for body in bodies(receiver)})
    assert chain * 2 == [body["type"] for body in bodies(receiver)]


def test_each_round_of_one_event_has_other_ids_and_the_same_seed_the_same():
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        event = tab.widget.event
        for seed in (1, 2, 1):
            tab.ask("send", provider="stripe", event=event, seed=seed, chain=[event])

    first, second, again = bodies(receiver)
    assert first["id"] != second["id"]
    assert first == again


def test_an_edited_payload_is_sent_as_edited_in_every_round():
    with Wire() as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        event = tab.widget.event
        tab.edit(body=b'{"mine": 1}')
        tab.ask("send", provider="stripe", event=event, seed=1, chain=[event])

    assert [b'{"mine": 1}'] == [request.body for request in receiver.requests]


@pytest.mark.parametrize(
    "args",
    [
        {"seed": "1", "chain": []},
        {"seed": 1},
        {"seed": 1, "chain": "push"},
        {"seed": 1, "chain": ["no.such.event"]},
        {"seed": 1, "chain": ["push"] * 51},
        {"seed": 1.5, "chain": []},
    ],
)
def test_a_chain_that_is_none_is_rejected_and_nothing_is_sent(args):
    with Wire() as receiver:
        tab = tab_of(receiver.url)
        assert "error" in tab.ask("send", provider="github", event="issues.opened", **args)
        assert [] == receiver.requests


def pending(tab: FakeTab, key: str, **args: Any) -> Any:
    """Ask to send, and return the reply if it is there already."""
    tab.say({"id": key, "op": "send", "args": args})
    return tab.replies.get(key, (None, []))[0]


def test_a_few_deliveries_are_under_way_at_once_if_a_tab_asks_for_that():
    with Receiver("github", Secret(CANARY)) as receiver:
        tab = tab_that_waits(receiver.url)
        assert [None] * MAX_AT_ONCE == [pending(tab, f"s{n}", beside=True) for n in range(MAX_AT_ONCE)]
        for args in ({"beside": True}, {}, {"beside": 1}):
            assert "busy" == pending(tab, f"more {args}", **args)["error"]["code"]
        tab.secret = CANARY
        for job, raw in [each for each in tab.jobs if each[0]["args"]["purpose"] == "send"]:
            tab.say({"re": job["id"], "ok": True, "value": {}}, signed(CANARY, job["args"], raw))
        replies = [tab.replies[f"s{n}"][0] for n in range(MAX_AT_ONCE)]

        assert [200] * MAX_AT_ONCE == [reply["value"]["status"] for reply in replies]
        assert [1, 2, 3, 4] == [reply["value"]["n"] for reply in replies]
        assert tab.ask("send")["ok"]
        assert [True] * (MAX_AT_ONCE + 1) == [each.verdict.ok for each in receiver.deliveries]


def test_a_delivery_that_is_not_signed_makes_room_for_others():
    tab = tab_that_waits("http://127.0.0.1:9/")
    for n in range(3 * MAX_AT_ONCE):
        assert pending(tab, f"s{n}", beside=True) is None
        error = {"code": "bad_key", "text": "the secret is not valid"}
        tab.say({"re": tab.jobs[-1][0]["id"], "ok": False, "error": error})


def test_a_token_is_asked_for_alone():
    tab = FakeTab(WebhookGenerator("gitlab-token", url="http://127.0.0.1:9/"))
    assert pending(tab, "first", beside=True) is None
    assert "busy" == pending(tab, "second", beside=True)["error"]["code"]
    assert ["release"] == [job["op"] for job, _ in tab.jobs if job["op"] == "release"]
