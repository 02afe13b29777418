"""Levels, logs and headers in the calculator, with a real kernel."""

from __future__ import annotations

from playwright.sync_api import expect

from hook_widgets.ratelimit.planning.scenario import scenario
from tests.browser.light.kernel_page import KernelPage
from tests.browser.light.test_calculator import Show, rows, show
from tests.ratelimit.planning.test_measured import log

__all__ = ["show"]  # a fixture


def test_a_limit_for_each_user_is_simulated_for_each(tab: KernelPage, show: Show):
    widget = show("'100/min', steady='700/min', seed=7")
    widget.field("Applies to").select_option("each user")
    widget.enter("Users", "12")
    widget.tab("All numbers").click()
    expected = scenario("100/min per user", steady="700/min", users=12, seed=7)

    assert "100/min per user" in tab.execute("print(w.limits)")
    assert ["Rejected (429)", f"{expected.summary.rejected:,} (0%)"] in rows(widget)
    expect(widget.field("Share of the busiest")).to_have_attribute("placeholder", "8.33%")


def test_a_log_and_headers_fill_the_form(show: Show):
    widget = show("'100/s', steady='1/s'")
    widget.button("Load access log…").click()
    widget.root.locator(".hw-measure input[type=file]").set_input_files(
        {"name": "access.log", "mimeType": "text/plain", "buffer": log(sorted([*range(600), *[300] * 80]))}
    )
    widget.button("Read log").click()
    expect(widget.field("Steady traffic")).to_have_value("1.133/s")
    expect(widget.field("Burst, requests")).to_have_value("80")
    expect(widget.root.get_by_text("bursts shorter than a second cannot be seen")).to_be_visible()

    widget.button("Paste response headers…").click()
    widget.field("Headers to read").fill('RateLimit-Policy: "burst";q=100;w=60, "daily";q=5000;w=86400')
    widget.button("Read headers").click()
    expect(widget.root.get_by_label("Rate of daily")).to_have_value("5000/day")
    widget.wait_until_fresh()
    widget.button("Restore what was entered").first.click()
    expect(widget.field("Rate limit")).to_have_value("100/s")
