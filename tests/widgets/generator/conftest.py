"""Fixtures that the tests of the generator share."""

from __future__ import annotations

import pytest

from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import CANARY, FakeTab


@pytest.fixture
def tab() -> FakeTab:
    """A tab that shows a Stripe webhook and holds a secret."""
    return FakeTab(WebhookGenerator("stripe"), secret=CANARY)
