"""Objects in bodies have the members, and the order, of captured or documented deliveries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hook_widgets.webhooks import provider

#: unit.co/docs/api/cards-authorizations/events, .../cards-authorization-requests/events,
#: .../payments/ach/receiving/events; the merchant also as in the signed body of December 2021 in
#: unit-finance/unit-python-sdk 0897d34 e2e_tests/webhook_test.py.
UNIT = [
    (
        "authorization.created",
        "attributes",
        "createdAt cardLast4Digits merchant recurring status amount tags",
    ),
    (
        "authorization.canceled",
        "attributes",
        "createdAt cardLast4Digits merchant recurring status amount tags",
    ),
    (
        "authorizationRequest.approved",
        "attributes",
        "createdAt amount available status approvedAmount partialApprovalAllowed merchant recurring tags",
    ),
    ("authorization.created", "attributes.merchant", "name type id"),
    ("authorization.canceled", "attributes.merchant", "name type id"),
    ("authorization.declined", "attributes.merchant", "name type id"),
    ("authorizationRequest.approved", "attributes.merchant", "name type id"),
]

CAPTURED = [("unit", event, f"data.0.{path}", members) for event, path, members in UNIT]


def part(name: str, event: str, path: str) -> Any:
    value = json.loads(provider(name).template(event))
    for step in filter(None, path.split(".")):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.parametrize(("name", "event", "path", "members"), CAPTURED)
def test_members_are_those_of_a_delivery(name: str, event: str, path: str, members: str) -> None:
    assert members.split() == list(part(name, event, path))


@pytest.mark.parametrize("event", ["authorization.created", "authorizationRequest.approved"])
def test_the_category_of_a_merchant_is_text_for_unit(event: str) -> None:
    """As in a signed body of Unit: "type": "1000" (unit-python-sdk e2e_tests/webhook_test.py)."""
    assert isinstance(part("unit", event, "data.0.attributes.merchant.type"), str)
