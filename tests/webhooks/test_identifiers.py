"""Identifiers and telephone numbers in the requests of all providers are accepted by strict parsers."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from hook_widgets.webhooks import Provider, providers

ULID_LIKE = re.compile(r"(?<![0-9a-z])(?:[A-Z]{3})?(0[01][0-9A-Z]{24}|0[01][0-9a-z]{24})(?![0-9A-Za-z])")
ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", re.IGNORECASE)
"""26 characters of Crockford's Base32, which has no I, L, O and U (github.com/ulid/spec)."""

PHONE_LIKE = re.compile(r"(?<![^\s\"',=:>(])\+[1-9][0-9 ()-]{5,}(?![0-9:])")
RESERVED = re.compile(r"\+1(?:212|514)55501[0-9]{2}")
"""Numbers of New York and Montréal that no subscriber gets; every one is a valid number in E.164."""


def texts(known: Provider) -> list[str]:
    """The bodies of all events, and the headers of one request with two draws of its random parts."""
    key = known.example_secret()
    requests = [known.draft(event=event.name).sign(key) for event in (*known.events, known.events[0])]
    values = [value for request in requests for _, value in request.headers.multi_items()]
    return [*values, *(unquote(request.body.decode("utf-8", "replace")) for request in requests)]


@pytest.mark.parametrize("known", providers(), ids=lambda known: known.id)
def test_every_id_that_looks_like_a_ulid_is_one(known):
    ids = {match for text in texts(known) for match in ULID_LIKE.findall(text)}

    assert set() == {text for text in ids if not ULID.fullmatch(text)}


@pytest.mark.parametrize("known", providers(), ids=lambda known: known.id)
def test_every_telephone_number_is_valid_and_nobodys(known):
    numbers = {re.sub(r"[ ()-]", "", match) for text in texts(known) for match in PHONE_LIKE.findall(text)}

    assert set() == {number for number in numbers if not RESERVED.fullmatch(number)}
