"""A planner, and what a tab asks it."""

from __future__ import annotations

from typing import Any

from tests.widgets.fake_tab import FakeTab

VIEW: dict[str, Any] = {"width": 640, "dpr": 1, "theme": "light", "quick": False, "scales": ""}
ROWS = [["1", "", "2026-06-01"], ["2", "2026-03-02"], ["3", "2027-06-01", "", "", "preview"]]
PLAN: dict[str, Any] = {
    "name": "Orders API",
    "zone": "Europe/Berlin",
    "at": "2026-11-20 12:00",
    "version": "1",
    "migration_guide": "https://example.com/v{old}-v{new}",
}


def inputs(tab: FakeTab, **changes: Any) -> dict[str, Any]:
    """All inputs, as a tab sends them."""
    return {name: getattr(tab.widget, name) for name in tab.widget.lockable} | changes


def frame(tab: FakeTab, view: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    reply = tab.ask("frame", inputs=inputs(tab, **changes), **(VIEW | (view or {})))
    assert reply["ok"], reply
    return reply["value"]
