"""A tab that runs checks, and the rows that it was told."""

from __future__ import annotations

from typing import Any

from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import CANARY, FakeTab


def tab_of(url: str, provider: str = "stripe", **more: Any) -> FakeTab:
    """Return a tab with a secret, on a widget with these arguments."""
    return FakeTab(WebhookGenerator(provider, url=url, **more), secret=CANARY)


def rows(tab: FakeTab) -> dict[str, dict[str, Any]]:
    """Return the rows of a run by the id of their check."""
    return {note["row"]["id"]: note["row"] for note in tab.notes if note["op"] == "check_row"}
