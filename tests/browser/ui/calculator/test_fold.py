"""Inputs that have their defaults are folded under "More"; nothing typed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.ui.calculator.page import Calculator, OpenCalculator
from tests.browser.ui.fake_host import ANSWER_MS, PING_MS

DEFAULTS = {"burst_window_s": "", "burst_every_s": "", "latency_s": ""}


def more(widget: Calculator, group: str) -> Locator:
    """Return the summary of the folded inputs of a group."""
    return widget.root.get_by_role("group", name=group).locator("details > summary")


def test_defaults_are_folded_and_what_is_set_is_shown(calculators: OpenCalculator):
    page = calculators()
    widget = page.mount(traits=DEFAULTS)
    expect(more(widget, "Traffic")).to_have_text("More (2): Traffic")

    expect(widget.field("Steady traffic")).to_be_visible()
    expect(widget.field("Burst every")).to_be_hidden()
    more(widget, "Traffic").focus()
    page.page.keyboard.press("Enter")
    expect(widget.field("Burst every")).to_be_visible()
    assert [] == page.violations(widget.root)


def test_a_field_stays_where_it_is_while_it_is_used(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(traits=DEFAULTS)
    field = widget.field("Burst every")
    field.fill("20 s")
    expect(field).to_be_focused()
    field.press("Enter")
    widget.wait_until_fresh()
    expect(more(widget, "Traffic")).to_have_text("More (2): Traffic")

    more(widget, "Traffic").click()
    expect(more(widget, "Traffic")).to_have_text("More (1): Traffic")
    expect(field).to_be_visible()
    expect(field).to_have_value("20 s")
    field.fill("")
    expect(field).to_be_visible()
    assert "20 s" == page.updates()[0]["burst_every_s"]


def test_a_burst_is_one_click_away(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(traits={**DEFAULTS, "burst": ""})
    add = widget.button("Add a burst")
    assert [] == page.violations(widget.root)
    add.click()

    expect(widget.field("Burst")).to_be_focused()
    expect(widget.field("Burst")).to_have_value("200")
    expect(add).to_have_count(0)
    assert "200" == page.updates()[0]["burst"]


@pytest.mark.long
def test_what_the_kernel_or_a_preset_sets_is_shown(calculators: OpenCalculator):
    page = calculators()
    widget = page.mount(traits=DEFAULTS)
    expect(widget.field("Latency of a call")).to_be_hidden()
    page.page.evaluate("widget.model.traits.latency_s = '50 ms'; widget.model.emit('change:latency_s')")

    expect(widget.field("Latency of a call")).to_be_visible()
    expect(widget.field("Latency of a call")).to_have_value("50 ms")


@pytest.mark.long
def test_a_default_is_folded_also_when_the_kernel_was_busy_at_first(calculators: OpenCalculator):
    page = calculators()
    page.hasten(PING_MS)
    page.hasten(ANSWER_MS)
    widget = page.mount(traits={**DEFAULTS, "cushion": "15 %"}, faults={"delayMs": 2500})
    expect(widget.banner("Waiting for the kernel")).to_be_visible()
    expect(more(widget, "Traffic")).to_have_text("More (2): Traffic")

    expect(widget.field("Cushion below the limit")).to_be_hidden()
