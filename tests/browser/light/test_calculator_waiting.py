"""The calculator with a limiter whose requests wait: what is seen first says so, without a further click."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.light.kernel_page import KernelPage
from tests.browser.ui.calculator.page import Calculator


@pytest.mark.parametrize("width_px", [1440, 360])
def test_the_first_page_is_about_waiting(tab: KernelPage, width_px: int):
    tab.page.set_viewport_size({"width": width_px, "height": 1000})
    cell = "w = RateLimitCalculator('kubernetes-client', burst=30)\nw"
    tab.run("from hook_widgets import RateLimitCalculator", cell)
    widget = Calculator(tab.panel.locator(".hw"))
    widget.wait_until_fresh()

    expect(tab.panel.get_by_text("66.7% of the requests wait, up to 4 s").first).to_be_visible()
    expect(tab.panel.get_by_text("20 of 30 requests; none is rejected")).to_be_visible()
    expect(tab.panel.get_by_text("p50 1 s, longest 4 s, of all requests")).to_be_visible()
    alt = tab.panel.locator("img").first.get_attribute("alt") or ""
    assert "20 of 30 requests (66.7%) wait, at 5 s; the queue holds at most 20" in alt
    page_text = f"{tab.panel.inner_text()} {alt}".replace("none is rejected", "")
    assert not re.search(r"429|\brejected\b|if queued|would wait", page_text), page_text


def test_requests_still_wait_after_the_limit_of_the_preset_is_edited(tab: KernelPage):
    cell = "w = RateLimitCalculator('kubernetes-client', burst=30)\nw"
    tab.run("from hook_widgets import RateLimitCalculator", cell)
    widget = Calculator(tab.panel.locator(".hw"))
    widget.wait_until_fresh()
    widget.field("Rate limit").fill("10/s")

    expect(tab.panel.get_by_text("66.7% of the requests wait, up to 2 s").first).to_be_visible()
    expect(widget.root.get_by_label("Preset")).to_have_value("")
    algorithm = widget.root.get_by_label("Algorithm")
    expect(algorithm.locator("option:checked")).to_have_text("Token bucket, requests wait")
    algorithm.select_option("Token bucket")
    expect(tab.panel.get_by_text("66.7% of the requests get 429").first).to_be_visible()
