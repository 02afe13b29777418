"""The class `Provider`: its own names only, and values that cannot be changed."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError

import pytest

from hook_widgets.webhooks import Provider, provider

METHODS = {
    "all_events", "draft", "event", "example_secret", "probe_methods", "sample", "scheme",
    "signature_function", "template", "variation",
}  # fmt: skip
DOCUMENTED = set(
    re.findall(r"^        (\w+):", (Provider.__doc__ or "").partition("Attributes:")[2], re.MULTILINE)
)


def test_a_provider_has_the_documented_names_and_no_others():
    names = {name for name in dir(provider("stripe")) if not name.startswith("_")}

    assert {"id", "kind", "params", "handshakes"} <= DOCUMENTED
    assert names == DOCUMENTED | METHODS


def test_a_provider_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        provider("stripe").title = "Other"  # type: ignore[misc]


def test_a_provider_is_shown_by_its_id():
    assert "Provider('stripe')" == repr(provider("stripe"))


def test_a_request_with_a_challenge_is_no_probe():
    """Without its challenge, nobody has to accept it."""
    assert frozenset({"HEAD"}) == provider("trello").probe_methods
    assert frozenset() == provider("worldline").probe_methods | provider("okta").probe_methods
