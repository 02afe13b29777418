"""Recorded deliveries are compared and imported without a mouse; and axe finds nothing in either state."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.keys import tab_to
from tests.browser.ui.delivering.test_history import CURL, with_two
from tests.browser.ui.fake_host import Open


def test_two_deliveries_are_compared(host: Open):
    page, widget = with_two(host)
    for n in (2, 1):
        tab_to(page.page, f"Compare delivery {n}")
        page.page.keyboard.press("Space")
    tab_to(page.page, "Compare two", "Shift+Tab")
    page.page.keyboard.press("Enter")
    comparison = widget.root.get_by_role("region", name="Comparison")
    expect(comparison).to_contain_text("because signed parts do")
    tab_to(page.page, "Differences: Request headers")

    assert {} == page.violations_by_look(widget.root)


@pytest.mark.parametrize("width", [1100, 360])
def test_a_recording_is_imported(host: Open, width: int):
    page = host(width=width)
    widget = page.mount()
    widget.tab("History")
    tab_to(page.page, "Import a recorded request")
    page.page.keyboard.press("Enter")
    tab_to(page.page, "Recording")
    page.page.keyboard.insert_text(CURL)
    tab_to(page.page, "Add to History")
    page.page.keyboard.press("Enter")
    expect(widget.root.get_by_role("button", name="#1")).to_contain_text("imported")

    assert [] == page.overflow()
    assert {} == page.violations_by_look(widget.root)

    tab_to(page.page, "Recording", "Shift+Tab")
    page.page.keyboard.insert_text(CURL)
    tab_to(page.page, "Open in Verify")
    page.page.keyboard.press("Enter")
    expect(widget.root.get_by_role("tab", name="Verify")).to_be_focused()
