"""The notebooks on limits and versions: their widgets do as the text says."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.light.kernel_page import KernelPage
from tests.browser.light.notebook_cells import run
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner


def test_five_algorithms_are_compared_and_without_the_burst_none_rejects(tab: KernelPage):
    widget = Calculator(run(tab, "09_five_algorithms", only=["calculator"]).widget)
    widget.wait_for_the_first_picture()
    expect(widget.picture).to_have_attribute("alt", re.compile("^5 runs compared"))
    expect(widget.status).to_contain_text("get 429")

    widget.enter("Burst, requests", "0")
    expect(widget.status).to_have_text("Token bucket: No request is rejected")


def test_the_fleet_is_locked_and_a_shorter_timeout_makes_the_queue_shorter(tab: KernelPage):
    widget = Calculator(run(tab, "10_client_fleet", only=["calculator"]).widget)
    widget.wait_for_the_first_picture()
    inputs = ("Rate limit", "Clients sharing the limit", "Cushion below the limit", "Client timeout")
    assert [True, True, True, False] == [widget.locked(label) for label in inputs]
    expect(widget.advice).to_contain_text("Let at most 35 requests wait")

    widget.enter("Client timeout", "10 s")
    expect(widget.advice).to_contain_text("Let at most 11 requests wait")


def test_the_calculator_rejects_the_share_of_the_log_that_the_sweep_has_printed(tab: KernelPage):
    shown = run(tab, "11_choosing_a_limit")
    widget = Calculator(shown.widget)
    widget.wait_for_the_first_picture()
    expect(widget.status).to_have_text("No request is rejected")
    head, *rows = (line.split() for line in shown.printed["sweep"])
    five_a_second = next(row for row in rows if row[0] == "5")
    share = float(five_a_second[1 + head[4:].index("10")].rstrip("%"))  # of the partner's, who loses most

    widget.enter("Burst allowance", "10")

    expect(widget.status).to_have_text(f"{share:g}% of the requests get 429")


def test_the_planner_shows_the_removal_that_the_service_has_answered_with(tab: KernelPage):
    shown = run(tab, "12_versioning", without=("limit-run", "compare-run", "ci-script", "texts-run"))
    widget = Planner(shown.widget)
    widget.wait_for_the_first_picture()
    expect(widget.headers()).to_contain_text("Sunset")
    assert "GET /api/v1/orders/17 -> 410" in shown.printed["removed-run"]

    widget.field("As of").fill("2027-12-30 10:00")
    widget.field("As of").press("Enter")
    widget.wait_until_fresh()

    expect(widget.row("v1").locator(".hw-chip")).to_contain_text("removed")
    expect(widget.headers()).to_contain_text("410")
