"""Verify and History, which come after the first request is shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open

PANELS_ASKED_FOR = "widget.model.frames.some(({ content }) => content?.args?.name === 'panels.js')"


@pytest.mark.long
def test_the_panels_are_there_although_the_kernel_fell_silent_before_they_were_looked_at(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    page.page.wait_for_function(
        "widget.model.frames.some(({ content }) => content?.args?.name === 'panels.js')"
    )
    page.page.evaluate("widget.kernel.faults = { silent: true }")
    widget.tab("History")

    expect(widget.root.get_by_role("button", name="#1")).to_be_visible()


def test_a_page_fetches_them_once_for_all_its_widgets(host: Open):
    page = host()
    page.mount()
    page.page.wait_for_function(
        "widget.model.frames.some(({ content }) => content?.args?.name === 'panels.js')"
    )
    page.mount()
    expect(page.page.get_by_role("tab", name="Verify")).to_have_count(2)
    page.page.get_by_role("tab", name="Verify").nth(1).click()

    expect(page.page.get_by_role("button", name="Verify signature")).to_be_visible()
    assert [] == [args for args in page.asked("chunk") if args["name"] == "panels.js"]


def test_a_part_that_did_not_arrive_says_why_and_is_asked_for_again(host: Open):
    page = host()
    widget = page.mount(faults={"hostile": "chunk"})
    widget.tab("Verify")
    expect(widget.root.get_by_role("tabpanel", name="Verify")).to_contain_text(
        "This panel could not be loaded."
    )
    page.page.evaluate("widget.kernel.faults = {}")
    widget.button("Retry").click()

    expect(widget.button("Verify signature")).to_be_visible()
