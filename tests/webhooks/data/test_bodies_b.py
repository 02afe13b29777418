"""The sample bodies of Shopify, Twilio, SendGrid, Mailgun, their kinds and code hosts are what they claim."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus

import pytest

from hook_widgets.webhooks.registry import provider
from hook_widgets.webhooks.scheme import Event

Json = Any


def compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def shopify(value: Json) -> str:
    """As Ruby on Rails writes it: safe inside HTML, and with escaped slashes."""
    text = compact(value)
    for char, escape in {"/": "\\/", "<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}.items():
        text = text.replace(char, escape)
    return text


def sendgrid(value: Json) -> str:
    events = [dict(sorted(event.items())) for event in value]
    return compact(events) + "\r\n"


WRITERS: dict[str, Callable[[Json], str]] = {
    "shopify": shopify,
    "twilio": compact,
    "sendgrid": sendgrid,
    "mailgun": compact,
    "storefront": compact,
    "telephony": compact,
    "email-delivery": compact,
    "mail-delivery": compact,
}
OWN_HOSTS = {
    "shopify": {"cdn.shopify.com", "hook-widgets-test.myshopify.com"},
    "twilio": {"api.twilio.com", "events-schemas.twilio.com"},
    "mailgun": {"storage-us-east4.api.mailgun.net"},
}
RESERVED = (".example.com", ".example.org", ".example.net", ".test")
DOMAIN = re.compile(r"(?:[a-z0-9-]+\.)+(?:com|org|net|test|io|dev|app|co|me|us|uk|de)\b(?!\.)", re.IGNORECASE)
PHONE = re.compile(r"\+\d{6,}")

EVERY_EVENT = [
    pytest.param(name, event, id=f"{name} {event.name}")
    for name in WRITERS
    for event in provider(name).events
]
ORDERS = [event.name for event in provider("shopify").events if event.category == "order"]


def body_of(name: str, event: Event) -> str:
    return provider(name).template(event.name).decode()


def is_form(event: Event) -> bool:
    return event.body_file.endswith(".form")


def headers_of(name: str, event: str) -> dict[str, str]:
    known = provider(name)
    return dict(known.draft(event=event).sign(known.example_secret()).headers.multi_items())


@pytest.mark.parametrize(("name", "event"), EVERY_EVENT)
def test_a_body_is_written_exactly_as_its_provider_writes(name: str, event: Event) -> None:
    body = body_of(name, event)
    if is_form(event):
        voice = name == "twilio" and event.category == "call"
        escape = (lambda text: quote(text, safe="")) if voice else quote_plus
        pairs = parse_qsl(body, keep_blank_values=True, strict_parsing=True)
        written = "&".join(f"{escape(key)}={escape(value)}" for key, value in pairs)
    elif name == "shopify" and event.scheme == "events":
        written = compact(json.loads(body))
    else:
        written = WRITERS[name](json.loads(body))

    assert written == body


@pytest.mark.parametrize(("name", "event"), EVERY_EVENT)
def test_a_body_names_only_reserved_domains_and_numbers(name: str, event: Event) -> None:
    body = body_of(name, event)
    values = [v for _, v in parse_qsl(body)] if is_form(event) else [json.dumps(json.loads(body))]
    hosts = {host.lower() for text in values for host in DOMAIN.findall(text)} - OWN_HOSTS.get(name, set())
    numbers = {number for text in values for number in PHONE.findall(text)}

    assert {host for host in hosts if not f".{host}".endswith(RESERVED)} == set()
    assert {number for number in numbers if not number.startswith("+121255501")} == set()


@pytest.mark.parametrize("name", WRITERS)
def test_every_body_file_belongs_to_an_event(name: str) -> None:
    folder = files("hook_widgets.webhooks") / "data" / name / "events"

    assert {path.name for path in folder.iterdir()} == {e.body_file for e in provider(name).events}


@pytest.mark.parametrize("event", ORDERS)
def test_the_sums_of_a_shopify_order_add_up(event: str) -> None:
    order = json.loads(provider("shopify").template(event))
    lines = order["line_items"]
    total = sum(Decimal(line["price"]) * line["quantity"] for line in lines)
    discounts = sum(Decimal(part["amount"]) for line in lines for part in line["discount_allocations"])
    taxes = sum(Decimal(tax["price"]) for line in lines for tax in line["tax_lines"])
    shipping = sum(Decimal(line["price"]) for line in order["shipping_lines"])

    assert str(total) == order["total_line_items_price"]
    assert str(discounts) == order["total_discounts"]
    assert str(taxes) == order["total_tax"]
    assert str(total - discounts) == order["subtotal_price"]
    assert str(total - discounts + taxes + shipping) == order["total_price"]


@pytest.mark.parametrize(("header", "category"), [("Order", "order"), ("Product", "product")])
def test_the_id_in_a_shopify_header_is_that_of_the_body(header: str, category: str) -> None:
    known = provider("shopify")
    events = [e.name for e in known.events if e.category == category and not e.scheme]

    carried = {name: headers_of("shopify", name)[f"X-Shopify-{header}-Id"] for name in events}

    assert carried == {name: str(json.loads(known.template(name))["id"]) for name in events}


def test_a_shopify_event_is_named_by_its_topic() -> None:
    webhooks = [event.name for event in provider("shopify").events if not event.scheme]

    assert webhooks == [headers_of("shopify", name)["X-Shopify-Topic"] for name in webhooks]


def test_a_shopify_delivery_of_the_new_kind_says_the_same_in_headers_and_body() -> None:
    headers = headers_of("shopify", "Product.update")
    body = json.loads(provider("shopify").template("Product.update"))

    carried = {name: headers[f"shopify-{name}"] for name in ("topic", "action", "handle")}

    assert carried == {name: body[name] for name in carried}
    assert not [name for name in headers if name.startswith("X-Shopify")]


def test_sendgrid_and_mailgun_name_the_event_in_the_body() -> None:
    for event in provider("sendgrid").events:
        (item,) = json.loads(body_of("sendgrid", event))
        blocked = ["blocked"] if item.get("type") == "blocked" else []
        assert event.name.split(".") == [item["event"], *blocked]
    for event in provider("mailgun").events:
        data = json.loads(body_of("mailgun", event))["event-data"]
        assert event.name.split(".") == [data["event"], *([data["severity"]] if "severity" in data else [])]


def test_twilio_names_a_message_or_call_by_its_status() -> None:
    status = {
        "message": "SmsStatus",
        "call": "CallStatus",
        "recording": "RecordingStatus",
        "conversation": "EventType",
    }
    for event in provider("twilio").events:
        if is_form(event):
            fields = dict(parse_qsl(body_of("twilio", event)))
            if event.category == "input":
                assert (fields["CallStatus"], fields["msg"]) == ("in-progress", "Gather End")
                continue
            what = "recording" if "RecordingSid" in fields else event.category
            assert event.name.rpartition(".")[2] == fields[status[what]]
        else:
            assert [event.name] == [item["type"] for item in json.loads(body_of("twilio", event))]


@pytest.mark.parametrize("name", ["gitea", "forgejo"])
def test_gitea_and_forgejo_hide_the_senders_address_and_grant_nothing_on_creation(name: str) -> None:
    bodies = {
        event.name: json.loads(body_of(name, event)) for event in provider(name).events if not is_form(event)
    }

    senders = {event: body["sender"] for event, body in bodies.items() if not event.startswith("action_run_")}
    assert [] == [event for event, sender in senders.items() if "@noreply." not in sender["email"]]
    assert all(bodies["push"]["repository"]["permissions"].values())
    assert not any(bodies["create"]["repository"]["permissions"].values())
    assert not any(bodies["create.tag"]["repository"]["permissions"].values())


def test_sourcehut_names_the_event_in_the_answer_to_the_subscribers_query() -> None:
    for event in provider("sourcehut").events:
        body = json.loads(body_of("sourcehut", event))
        assert event.name.split(".")[0] == body["data"]["webhook"]["event"]


def test_intuit_tells_when_it_made_a_notification() -> None:
    """In the order of tommyhedley/fibery-quickbooks-app, type WebhookRequest, which decodes RFC 3339."""
    headers = headers_of("intuit", "Invoice.Create")

    assert [name for name in headers if name.startswith("intuit")] == [
        "intuit-signature",
        "intuit-created-time",
        "intuit-t-id",
        "intuit-notification-schema-version",
    ]
    assert datetime.fromisoformat(headers["intuit-created-time"]).tzinfo == UTC
