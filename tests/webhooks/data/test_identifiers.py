"""Values in the requests of all providers are accepted by strict parsers: samples, and random variants."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest

from hook_widgets.webhooks import provider, providers
from tests.support.extent import extent
from tests.webhooks.data.test_times import bodies as documents
from tests.webhooks.data.test_times import objects

ULID_LIKE = re.compile(r"(?<![0-9a-z])(?:[A-Z]{3})?(0[01][0-9A-Z]{24}|0[01][0-9a-z]{24})(?![0-9A-Za-z])")
ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", re.IGNORECASE)
"""26 characters of Crockford's Base32, which has no I, L, O and U (github.com/ulid/spec)."""

BASE36 = {"pagerduty"}
"""Providers whose ids have the length and the beginning of a ULID, and all letters."""

PHONE_LIKE = re.compile(r"(?<![^\s\"',=:>(])\+[1-9][0-9 ()-]{5,}(?![0-9:])")
RESERVED = re.compile(r"\+1(?:212|514)55501[0-9]{2}")
"""Numbers of New York and Montréal that no subscriber gets; every one is a valid number in E.164."""

UUID_LIKE = re.compile(
    r"(?<![0-9A-Za-z-])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z-])"
)
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
"""Version 1 to 8 and the variant of RFC 9562, section 4."""

OWN_VERSIONS = {"revolut": "a", "dwolla": "f", "messagebird": "0", "circle": "0"}
"""Providers whose ids have the form of a UUID and a version that RFC 9562 does not know.

Dwolla's begin with the bytes of a UUID of version 1 in reverse, where the time now ends with f1.
A message of MessageBird that is no answer has the nil UUID (section 5.9) for the id it answers to;
a test of Circle has it for its own id and for its subscription (test_recorded_deliveries.py).
"""

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DATE_TIME = re.compile(DATE.pattern + r"[T ][0-9]{2}:[0-9]{2}.*")
DATES = {DATE: date.fromisoformat, DATE_TIME: datetime.fromisoformat}

CURRENCY_KEY = re.compile(r"(?i)(?:^|_|-|[a-z])currency(?:_?code)?")
CURRENCY = re.compile(r"[A-Z]{3}|[a-z]{3}|USDC")
"""Codes in the form of ISO 4217, and the coin of the two providers of Coinbase."""

WEEKDAY = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:([0-9]+) ([A-Z][a-z]{2})|([A-Z][a-z]{2})[a-z]* ([0-9]+))"
    r"[a-z]*,? (?:[0-9:]{8} )?(?:[+-][0-9]{4} )?([0-9]{4})"
)
"""A date that tells its weekday, as in RFC 5322 or with the month first."""

GRAVATAR = re.compile(r"gravatar\.com/avatar/([0-9a-f]{32,64})")
E_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-z]+")

ADDRESS_KEY = re.compile(r"(?i)(?:remote|client|source)?[-_]?ip(?:[-_]?address)?")

NAMES = [known.id for known in providers()]
SEEDS = extent((1,), (1, 2, 3))
"""Of random variants: few in the quick run."""


@cache
def bodies(name: str) -> tuple[str, ...]:
    """Return the bodies of all events of a provider, and of their random variants."""
    known = provider(name)
    drawn = (known.sample(event.name, seed=seed).body for event in known.events for seed in SEEDS)
    samples = (known.template(event.name) for event in known.events)
    return tuple(body.decode("utf-8", "replace") for body in (*samples, *drawn))


@cache
def texts(name: str) -> list[str]:
    """Return the bodies, and the headers of one request of each event with a draw of its random parts."""
    known = provider(name)
    key = known.example_secret()
    requests = [known.draft(event=event.name).sign(key) for event in (*known.events, known.events[0])]
    values = [value for request in requests for _, value in request.headers.multi_items()]
    return [*values, *map(unquote, bodies(name))]


def fields(body: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a body, JSON or a form, each with the name of its nearest key."""
    try:
        decoded = json.loads(body)
    except ValueError:
        decoded = dict(parse_qsl(body))
    yield from _leaves("", decoded)


def _leaves(key: str, value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, inner in value.items():
                yield from _leaves(name, inner)
        case list():
            for inner in value:
                yield from _leaves(key, inner)
        case str():
            yield key, value


def unparsable(key: str, value: str) -> bool:
    """Return whether the value looks like a date, a currency or an address, but is none."""
    try:
        for form, parse in DATES.items():
            if form.fullmatch(value):
                parse(re.sub(" UTC$|PDT$", "", value))  # as Ruby's Time#to_s ends, and PayPal's time_created
        if day := WEEKDAY.search(value):
            text = f"{day[2] or day[5]} {day[3] or day[4]} {day[6]}"
            if f"{datetime.strptime(text, '%d %b %Y'):%a}" != day[1]:  # noqa: DTZ007
                return True
        if ADDRESS_KEY.fullmatch(key) and value:
            ipaddress.ip_address(value)
    except ValueError:
        return True
    return bool(CURRENCY_KEY.fullmatch(key) and value and not CURRENCY.fullmatch(value))


@pytest.mark.parametrize("name", NAMES)
def test_every_id_that_looks_like_a_ulid_is_one(name):
    ids = {match for text in texts(name) for match in ULID_LIKE.findall(text)}

    assert set() == {text for text in ids if not ULID.fullmatch(text) and name not in BASE36}


@pytest.mark.parametrize("name", NAMES)
def test_every_telephone_number_is_valid_and_nobodys(name):
    numbers = {re.sub(r"[ ()-]", "", match) for text in texts(name) for match in PHONE_LIKE.findall(text)}

    assert set() == {number for number in numbers if not RESERVED.fullmatch(number)}


@pytest.mark.parametrize("name", NAMES)
def test_every_id_that_looks_like_a_uuid_has_a_version_and_the_variant(name):
    ids = {match for text in texts(name) for match in UUID_LIKE.findall(text)}

    assert set() == {text for text in ids if not UUID.fullmatch(text) and text[14] != OWN_VERSIONS.get(name)}


@pytest.mark.parametrize("name", NAMES)
def test_dates_currencies_and_addresses_parse(name):
    assert [] == [field for body in bodies(name) for field in fields(body) if unparsable(*field)]


@pytest.mark.parametrize("name", NAMES)
def test_an_avatar_is_that_of_the_address_beside_it(name):
    """Gravatar's: the MD5 or the SHA-256 of the e-mail address in small letters."""
    wrong = []
    for event, body in documents(name).items():
        for members in objects(body):
            texts = [value for value in members.values() if isinstance(value, str)]
            addresses = [text.lower().encode() for text in texts if E_MAIL.fullmatch(text)]
            own = {hashlib.new(kind, a).hexdigest() for kind in ("md5", "sha256") for a in addresses}
            wrong += [
                (event, text)
                for text in texts
                if own and (picture := GRAVATAR.search(text)) and picture[1] not in own
            ]

    assert [] == wrong


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("at", "2026-02-30T00:00:00Z", True),
        ("at", "2026-09-14T09:12:33.466093512Z", False),
        ("at", "2026-09-14T09:12:33+0000", False),
        ("at", "2026-02-30T09:12:33.508PDT", True),
        ("at", "2026-09-14T09:12:33.508PDT", False),
        ("at", "Mon, 14 Sep 2026 09:00:03 GMT", False),
        ("at", "Mon, 15 Sep 2026 09:00:03 GMT", True),
        ("at", "Tue Sep 14 09:00:03 +0000 2026", True),
        ("at", "Monday, September 14, 2026", False),
        ("at", "Sunday, 31 Feb 2026", True),
        ("day", "2026-13-01", True),
        ("day", "2026-12-01", False),
        ("currency", "Euro", True),
        ("currency", "eur", False),
        ("ip_address", "192.0.2.300", True),
        ("ip_address", "2001:db8::1", False),
    ],
)
def test_the_checker_knows_what_parses(key, value, expected):
    assert expected == unparsable(key, value)


@pytest.mark.parametrize("event", ["charge:pending", "charge:confirmed"])
def test_a_transfer_intent_of_coinbase_commerce_writes_addresses_with_checksums(event):
    """As delivered in February and May 2024, and events in small letters; the letters by EIP-55."""
    data = json.loads(provider("coinbase-commerce").template(event))["event"]["data"]["web3_data"]
    intent = data["transfer_intent"]

    assert "0x6861ef30E658F408461BB36cF2D19aBd32Ae0750" == intent["metadata"]["sender"]
    assert "0x6861ef30E658F408461BB36cF2D19aBd32Ae0750" == intent["call_data"]["refund_destination"]
    assert "0x1f9090aaE28b8a3dCeaDf281B0F12828e676c326" == intent["call_data"]["recipient"]
    assert intent["metadata"]["sender"].lower() == data["success_events"][0]["sender"]
