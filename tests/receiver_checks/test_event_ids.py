"""Good requests differ in the ids by which receivers recognize copies."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from urllib.parse import parse_qs

import pytest

from hook_widgets.receivers import CheckResult, Status, check_receiver, oracle
from hook_widgets.receivers.event_ids import EventSamples
from hook_widgets.webhooks import Delivery, Provider, WebhookRequest, provider, providers
from tests.support.extent import extent

NOW = datetime.fromtimestamp(1_790_000_000, UTC)
_WITHOUT_ID = (
    "acuity adyen-platform airtable alertmanager appwrite asana braintree buildkite cal-com "
    "calendly cloudflare-stream commercelayer convoy crisp cronofy discourse docusign dropbox "
    "dropbox-sign elevenlabs figma flagsmith flux forgejo frameio ghost gitea grafana harbor "
    "helpscout "
    "huggingface lemonsqueezy logto mandrill messagebird meta mongodb-atlas netlify onfido "
    "paystack plaid plivo pusher recharge retell revolut schematic sentry storefront storyblok "
    "tailscale terraform-cloud tiktok travis-ci vapi wandb webex xero zitadel"
)
WITHOUT_ID = frozenset(_WITHOUT_ID.split())
"""Providers whose first event has no id of its own: receivers compare whole bodies, or objects and states."""
_CHANGES = ("created", "changed", "unpublished", "deleted")
IDS_OF_OBJECTS = {("webflow", f"collection_item_{change}") for change in _CHANGES} | {
    *(("plivo", f"message.{status}") for status in ("sent", "delivered", "undelivered")),  # the message's id
    *(("telephony", f"sms.{status}") for status in ("sent", "delivered", "failed")),  # the message's id
    ("webflow", "ecomm_inventory_changed"),
    ("circle", "webhooks.test"),  # the nil UUID each time
    ("clickup", "taskCommentUpdated"),  # the id of its taskCommentPosted, as developer.clickup.com has it
    ("pipedrive", "added.deal"),
    ("pipedrive", "deleted.person"),
    ("pipedrive", "updated.deal"),
    ("viber", "delivered"),
    ("viber", "failed"),
    ("viber", "seen"),
    ("webex", "meetings.ended"),
    ("webex", "memberships.created"),
    ("webex", "memberships.deleted"),
    ("webex", "messages.created"),
    ("webex", "messages.deleted"),
    ("webex", "rooms.created"),
    ("deepgram", "streaming.results"),  # the id of the stream
    *(("vonage", f"message.status.{status}") for status in ("submitted", "delivered", "read", "rejected")),
}
"""Events with an id at `id_path` that the next event about the same object has, too."""
_SOME = ("brex", "cloudinary", "github", "grafana", "plivo", "pulumi", "standard-webhooks", "stripe", "xero")
EQUAL_BODIES = {
    *("alertmanager", "braintree", "discourse", "flux", "grafana", "nexus", "pulumi", "snyk", "tailscale"),
    *("wandb", "xendit"),
}
"""Providers whose sample has no value that varies."""


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

    values = {_at(path, samples.draw(random, NOW).body) for _ in range(300)}

    assert len(values) >= 299


def test_an_id_is_the_same_wherever_a_body_has_it():
    body = json.loads(EventSamples(provider("square"), "payment.created").draw(Random(1), NOW).body)

    assert body["data"]["id"] == body["data"]["object"]["payment"]["id"]


@pytest.mark.parametrize(
    ("name", "event", "path"),
    [("slack", "message", ("team_id",)), ("whatsapp", "messages.text", ("entry", 0, "id"))],
)
def test_the_account_is_the_same_in_all(name: str, event: str, path: tuple[str | int, ...]):
    samples = EventSamples(provider(name), event)

    assert 1 == len({_at(path, samples.draw(Random(seed), NOW).body) for seed in range(5)})


def test_two_events_differ_in_the_id_by_which_copies_are_recognized_and_copies_agree_in_it():
    equal, different = set(), set()
    for sender in providers():
        random = Random(1)
        samples = EventSamples(sender, sender.event(None).name)
        first = samples.draw(random, NOW)
        other = samples.next_event(random, first, NOW)
        sent = sender.draft(body=first.body, headers=first.headers, at=1_790_000_000)
        again = sender.draft(body=first.body, headers=first.headers, at=1_790_000_060, parts=sent.parts)
        following = sender.draft(body=other.body, headers=other.headers, at=1_790_000_000)
        keys = [
            _ids(sender, draft.complete([b"a" * 32] * len(draft.scheme.signatures)))
            for draft in (sent, again, following)
        ]
        equal |= {sender.id} if keys[0] == keys[1] else set()
        different |= {sender.id} if all(a != b for a, b in zip(keys[0], keys[2], strict=True)) else set()

    every = {sender.id for sender in providers()}
    assert {s.id for s in providers() if not (s.deliveries.id_header or _id_path(s))} == WITHOUT_ID
    assert every == equal | WITHOUT_ID == different | WITHOUT_ID


def test_events_whose_bodies_have_no_id_are_named():
    """A receiver may rely on `id_path` for every other event."""
    named = {(s.id, event) for s in providers() for event in s.deliveries.without_id}

    lacking = {
        (sender.id, event.name)
        for sender in providers()
        if sender.deliveries.id_path
        for event in sender.events
        if not _has_own_id(sender, event.name)
    }

    assert named == lacking | IDS_OF_OBJECTS


def test_an_id_of_an_object_is_not_that_of_its_events():
    sender = provider("webflow")

    assert EventSamples(sender, "form_submission").event_id
    assert not EventSamples(sender, "collection_item_changed").event_id


@pytest.mark.parametrize("recognizes", ["ids", "body"])
def test_a_receiver_that_recognizes_copies_by_their_ids_or_bodies_is_not_blamed(recognizes: str):
    key = _ids if recognizes == "ids" else lambda sender, request: request.body
    names = extent([*_SOME], [sender.id for sender in providers()])
    results = {name: _report(provider(name), key) for name in names}

    assert {"passed"} == {result.status for name, result in results.items() if name not in EQUAL_BODIES}


def test_a_receiver_that_compares_the_type_and_the_id_of_the_object_as_stripe_advises_is_not_blamed():
    def key(_: Provider, request: WebhookRequest) -> object:
        return _at(("type",), request.body), _at(("data", "object", "id"), request.body)

    assert Status.PASSED == _report(provider("stripe"), key).status


def test_a_receiver_that_takes_all_events_for_copies_is_blamed_if_an_id_of_theirs_is_known():
    names = extent([*_SOME], [sender.id for sender in providers()])
    results = {name: _report(provider(name), lambda sender, request: "one") for name in names}

    for name, result in results.items():
        known = name not in WITHOUT_ID | EQUAL_BODIES
        assert (Status.FAILED if known else Status.NOT_DECIDED) == result.status, name
        assert known or "[deliveries]" in result.observed or name in EQUAL_BODIES


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch):
    """Work that is not done at once never is."""
    monkeypatch.setattr(oracle, "_WAIT_S", 0.0)


def _report(sender: Provider, key: Callable[[Provider, WebhookRequest], object]) -> CheckResult:
    """Check a receiver that accepts all requests, and works once for each key."""
    done = set()

    def receive(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        done.add(key(sender, request))
        return Delivery(status=204)

    secret, url = sender.example_secret(), "http://127.0.0.1:8000/hooks"
    report = check_receiver(
        sender, url, secret, only=["C13"], oracle=lambda: len(done), settle_s=0, transport=receive
    )
    return report.checks[0]


def _ids(sender: Provider, request: WebhookRequest) -> tuple[object, ...]:
    """Return the id in the header and that in the body, or the whole body if there is none."""
    rules = sender.deliveries
    ids = [request.headers[rules.id_header]] if rules.id_header else []
    path = _id_path(sender)
    if path and request.body.lstrip()[:1] in (b"{", b"["):
        steps = [int(step) if step.isdigit() else step for step in path.split(".")]
        ids.append(str(_at(tuple(steps), request.body)))
    elif path:
        ids += parse_qs(request.body.decode())[path]
    return tuple(ids) or (request.body,)


def _id_path(sender: Provider) -> str:
    """Return the path of the id of a provider's first event; "" if that has none."""
    rules = sender.deliveries
    return "" if sender.event(None).name in rules.without_id else rules.id_path


def _has_own_id(sender: Provider, event: str) -> bool:
    """Return whether the body of an event has a text or number at `id_path`."""
    body, path = sender.template(event), sender.deliveries.id_path
    if body.lstrip()[:1] not in (b"{", b"["):
        return path in parse_qs(body.decode())
    try:
        value = _at(tuple(int(step) if step.isdigit() else step for step in path.split(".")), body)
    except (KeyError, IndexError, TypeError):
        return False
    return isinstance(value, str | int)


def _at(path: tuple[str | int, ...], body: bytes) -> object:
    value = json.loads(body)
    for step in path:
        value = value[step]
    return value
