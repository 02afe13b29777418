"""The sample bodies of Stripe, GitHub, Slack, Discord and the neutral kinds are what they claim to be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, quote_plus

import pytest

from hook_widgets.webhooks.registry import provider
from hook_widgets.webhooks.scheme import Event

Json = Any
Writer = Callable[[Json], str]


def compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def pretty(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def compact_with_escaped_slashes(value: Json) -> str:
    return compact(value).replace("/", "\\/")


def compact_with_sorted_keys(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


WRITERS: dict[str, Writer] = {
    "stripe": pretty,
    "github": compact,
    "slack": compact_with_escaped_slashes,
    "discord": compact_with_sorted_keys,
    "payment": compact,
    "code-hosting": compact,
    "chat": compact,
    "messaging-interaction": compact,
    "generic": compact,
}

OWN_HOSTS = {
    "stripe": {"docs.stripe.com", "invoice.stripe.com", "pay.stripe.com"},
    "github": {"api.github.com", "avatars.githubusercontent.com", "github.com", "uploads.github.com"},
    "slack": {"hooks.slack.com"},
}
RESERVED = (".example.com", ".example.org", ".example.net", ".test")
DOMAIN = re.compile(r"(?:[a-z0-9-]+\.)+(?:com|org|net|test|io|dev|app|co|gg|me|us|uk|de)\b", re.IGNORECASE)

THIN = "thin event"
"""Category of the events of Stripe that have no data."""

CONNECTED = {
    event.name
    for event in provider("stripe").events
    if event.category != THIN and event.name.split(".")[0] in ("account", "apps", "capability", "person")
}
"""Events of Stripe that concern a connected account, which they name."""

DISCORD_TYPES = {
    "ping": 1,
    "command": 2,
    "user_command": 2,
    "message_command": 2,
    "component": 3,
    "select": 3,
    "autocomplete": 4,
    "modal": 5,
}
DISCORD_COMPONENTS = {"component": 2, "select": 3}

EVERY_EVENT = [
    pytest.param(name, event, id=f"{name} {event.name}")
    for name in WRITERS
    for event in provider(name).events
]


def body_of(name: str, event: Event) -> str:
    return provider(name).template(event.name).decode()


def is_form(event: Event) -> bool:
    return event.body_file.endswith(".form")


def json_of(name: str, event: Event) -> Json:
    """The JSON of a body, also of one that travels in the form field ``payload``."""
    body = body_of(name, event)
    return json.loads(dict(parse_qsl(body))["payload"] if is_form(event) else body)


def strings(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize(("name", "event"), EVERY_EVENT)
def test_a_body_is_written_exactly_as_its_provider_writes(name: str, event: Event) -> None:
    body = body_of(name, event)
    if is_form(event):
        fields = parse_qsl(body, keep_blank_values=True, strict_parsing=True)
        assert "&".join(f"{key}={quote_plus(value)}" for key, value in fields) == body
        body = dict(fields).get("payload", "{}")
    write = compact if event.category == THIN else WRITERS[name]
    assert write(json.loads(body)) == body


@pytest.mark.parametrize(("name", "event"), EVERY_EVENT)
def test_a_body_names_only_reserved_domains_and_its_provider(name: str, event: Event) -> None:
    body = body_of(name, event)
    texts = [value for _, value in parse_qsl(body)] if is_form(event) else list(strings(json.loads(body)))
    domains = {match.lower() for text in texts for match in DOMAIN.findall(text.replace("\\/", "/"))}
    strange = {host for host in domains - OWN_HOSTS.get(name, set()) if not f".{host}".endswith(RESERVED)}
    assert strange == set()


@pytest.mark.parametrize("name", WRITERS)
def test_every_body_file_belongs_to_an_event(name: str) -> None:
    folder = files("hook_widgets.webhooks") / "data" / name / "events"
    listed = {event.body_file for event in provider(name).events}
    assert {path.name for path in folder.iterdir()} == listed


@pytest.mark.parametrize("name", WRITERS)
def test_no_two_events_of_a_provider_share_a_name(name: str) -> None:
    names = [event.name for event in provider(name).events]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("name", ["stripe", "payment", "chat", "messaging-interaction", "generic"])
def test_the_type_in_the_body_is_the_name_of_the_event(name: str) -> None:
    carried = {event.name: json_of(name, event)["type"] for event in provider(name).events}
    assert carried == {event.name: event.name for event in provider(name).events}


@pytest.mark.parametrize("event", provider("stripe").events, ids=lambda event: event.name)
def test_a_stripe_body_is_a_whole_event(event: Event) -> None:
    body = json_of("stripe", event)
    if event.category == THIN:
        assert (body["object"], {*body} - {"related_object"}) == (
            "v2.core.event",
            {*["id", "object", "type", "livemode", "created"]},
        )
        return
    envelope = "id object api_version created data livemode pending_webhooks request type"
    assert [name for name in body if name != "account"] == envelope.split()
    assert ("account" in body) == (event.name in CONNECTED)
    assert (body["object"], body["api_version"]) == ("event", "2026-10-28.endive")


@pytest.mark.parametrize("event", provider("github").events, ids=lambda event: event.name)
def test_a_github_event_is_named_by_header_and_action(event: Event) -> None:
    github = provider("github")
    header = github.draft(event=event.name).sign(github.example_secret()).headers["X-GitHub-Event"]
    action = json_of("github", event).get("action")
    carried = f"{header}.{action}" if action else header
    assert carried == event.name.removesuffix(".form")


def test_a_github_form_holds_the_json_of_its_twin() -> None:
    github = provider("github")
    payload = dict(parse_qsl(body_of("github", github.event("push.form"))))["payload"]
    assert payload == body_of("github", github.event("push"))


def test_a_github_ping_and_its_headers_speak_of_the_same_hook() -> None:
    github = provider("github")
    headers = github.draft(event="ping").sign(github.example_secret()).headers
    body = json.loads(github.template("ping"))
    assert headers["X-GitHub-Hook-ID"] == str(body["hook_id"])
    assert headers["X-GitHub-Hook-Installation-Target-ID"] == str(body["repository"]["id"])


@pytest.mark.parametrize("event", provider("slack").events, ids=lambda event: event.name)
def test_a_slack_body_names_its_event(event: Event) -> None:
    fields = dict(parse_qsl(body_of("slack", event))) if is_form(event) else {}
    if "command" in fields:
        assert event.name == "slash_command"
        return
    body = json_of("slack", event)
    inner = body["event"] if body["type"] == "event_callback" else body
    of_message = f".{inner['subtype']}" if inner["type"] == "message" and "subtype" in inner else ""
    assert f"{inner['type']}{of_message}" == event.name


@pytest.mark.parametrize("event", provider("discord").events, ids=lambda event: event.name)
def test_a_discord_body_carries_the_number_of_its_interaction(event: Event) -> None:
    body = json_of("discord", event)
    if event.category == "webhook event":
        carried = body["event"]["type"].lower() if body["type"] == 1 else "webhook_ping"
        assert carried == event.name
        return
    assert body["type"] == DISCORD_TYPES[event.name]
    assert body.get("data", {}).get("component_type") == DISCORD_COMPONENTS.get(event.name)


@pytest.mark.parametrize("event", provider("code-hosting").events, ids=lambda event: event.name)
def test_a_neutral_code_hosting_event_is_named_in_header_and_body(event: Event) -> None:
    code = provider("code-hosting")
    headers = code.draft(event=event.name).sign(code.example_secret()).headers
    assert [headers["X-Code-Event"], json_of("code-hosting", event)["event"]] == [event.name, event.name]
