"""JupyterLab from its start, with each widget in a notebook, to the reload of that notebook."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner

CELLS = (
    "from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator",
    "WebhookGenerator()",
    "RateLimitCalculator('10/s', burst=40, burst_allowance=30)",
    "VersionPlanner([['1', '', '2026-06-01'], ['2', '2026-03-02']], at='2026-11-20 12:00')",
)


@pytest.mark.long
def test_inputs_survive_saving_and_reloading_and_the_console_has_no_error(open_tab: OpenTab, notebook: str):
    tab = open_tab().run(*CELLS, name=notebook)
    widgets = tab.panel.locator(".hw")
    expect(widgets).to_have_count(3)
    calculator, planner = Calculator(widgets.nth(1)), Planner(widgets.nth(2))
    calculator.field("Burst allowance").fill("35")
    calculator.field("Burst allowance").press("Enter")
    planner.cell("Released", "v2").fill("2026-04-01")
    planner.cell("Released", "v2").press("Enter")
    calculator.wait_until_fresh()
    planner.wait_until_fresh()
    size = len(tab.save().encode())
    tab.reload()

    expect(calculator.field("Burst allowance")).to_have_value("35")
    expect(planner.cell("Released", "v2")).to_have_value("2026-04-01")
    calculator.wait_until_fresh()
    planner.wait_until_fresh()
    expect(calculator.status).to_have_text("12.5% of the requests get 429")
    assert size < 300_000  # three bundles, their styles, and a few texts
    assert [] == [line for line in tab.recording.console if line.startswith("error")]
    assert [] == tab.recording.errors
    assert [] == tab.recording.foreign(tab.base)
    tab.shut_down(notebook)
