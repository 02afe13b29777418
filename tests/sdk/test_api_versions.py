"""The version of an API in the data, against the newest one that the provider's library knows."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable

import pytest

from hook_widgets.webhooks import provider


def stripe_version() -> str:
    import stripe

    return str(stripe.api_version)


def whop_version() -> str:
    from whop_sdk.types.api_key_api_version_date import ApiKeyApiVersionDate

    known, _any_other = typing.get_args(ApiKeyApiVersionDate)
    return str(typing.get_args(known)[-1])


@pytest.mark.parametrize(
    ("name", "member", "newest"),
    [("stripe", "api_version", stripe_version), ("whop", "api_version_date", whop_version)],
)
def test_bodies_have_the_newest_version_of_the_api(name: str, member: str, newest: Callable[[], str]) -> None:
    known = provider(name)
    versions = {event.name: json.loads(known.template(event.name)).get(member) for event in known.events}

    assert {} == {event: version for event, version in versions.items() if version not in (newest(), None)}
    assert newest() in versions.values()
    assert newest() == known.current.version
