"""The response to an earlier request is dimmed as soon as an input changes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open

STALE = "Response to another request than the one shown now."


@pytest.mark.parametrize("change", ["url", "payload", "event", "header", "clock"])
def test_a_result_is_dimmed_by_each_change_before_the_kernel_replies(host: Open, change: str):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    expect(widget.answer.get_by_text(STALE)).to_have_count(0)
    expect(widget.answer.locator(".hw-stale")).to_have_count(0)
    page.page.evaluate("widget.kernel.faults.silent = true")
    if change == "url":
        widget.url.fill("http://127.0.0.1:8000/other")
    elif change == "payload":
        widget.payload.press_sequentially(" ")
    elif change == "event":
        widget.pick("Event", "payment_intent.payment_failed")
    elif change == "header":
        widget.root.get_by_label("Value of X-Trace").fill("another")
    else:
        widget.root.get_by_label("Clock", exact=True).select_option("offset")

    expect(widget.answer.get_by_text(STALE)).to_be_visible()
    expect(widget.answer.locator(".hw-stale").get_by_text("200 OK")).to_have_count(1)


@pytest.mark.long
def test_the_next_delivery_is_not_dimmed(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.url.fill("http://127.0.0.1:8000/other")
    expect(widget.answer.get_by_text(STALE)).to_be_visible()
    widget.wait_until_signed()
    widget.send_and_see("200 OK")

    expect(widget.answer.get_by_text(STALE)).to_have_count(0)
