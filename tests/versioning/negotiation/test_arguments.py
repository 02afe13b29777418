"""Test the arguments of a negotiation: target and headers of frameworks, and mistakes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.release import Release

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
ORDERS = Api(releases=(Release(2), Release(4), Release(5)))
HIDDEN: Any = [(b"authorization", b"Bearer canary")]


def test_headers_may_be_a_mapping():
    """As in Django and Starlette."""
    route = ORDERS.negotiate("/api/orders", {"Accept": "*/*", "api-version": "4"}, at=AT).route

    assert route is not None
    assert (4, VersionLocation.HEADER) == (route.major, route.location)


@pytest.mark.parametrize(
    "headers",
    [
        [(b"api-version", b"2")],
        [("Api-Version", 2)],
        [("Api-Version", b"2")],
        [("Api-Version",)],
        ["Api-Version: 2"],
        "Api-Version: 2",
        b"",
        None,
        5,
    ],
)
def test_headers_that_are_no_texts_are_rejected_and_not_passed_over(headers):
    with pytest.raises(InvalidApi, match="pairs of a name and a value") as caught:
        ORDERS.negotiate("/api/orders", headers, at=AT)

    assert "headers" == caught.value.field


def test_what_a_header_holds_is_not_reported():
    with pytest.raises(InvalidApi) as caught:
        ORDERS.negotiate("/api/orders", HIDDEN, at=AT)

    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("target", [b"/api/orders", None, 5])
def test_a_target_that_is_no_text_is_rejected(target):
    with pytest.raises(InvalidApi, match="must be text") as caught:
        ORDERS.negotiate(target, at=AT)

    assert "target" == caught.value.field
