"""The calculator and the planner in JupyterLab: its themes and widths, and the keys that are the widget's."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SHARED
from tests.browser.lab import Lab
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner
from tests.browser.ui.plot_page import PlotPage


def calculator(lab: Lab, arguments: str = "") -> Calculator:
    """A calculator with its first picture, called ``w`` in the kernel."""
    lab.run(
        "from hook_widgets import RateLimitCalculator",
        f"w = RateLimitCalculator({arguments})\nw",
        name=SHARED,
    )
    widget = Calculator(lab.panel.locator(".hw"))
    widget.wait_until_fresh()
    return widget


def faults(lab: Lab, widget: PlotPage) -> dict[str, list[str]]:
    """Violations of the widget with its first tab and of each other tab, by axe; and any overflow."""
    by_tab: dict[str, list[str]] = {}
    for tab in widget.root.get_by_role("tab").all_inner_texts():
        widget.tab(tab).click()
        expect(widget.panel()).to_be_visible()
        # Of what is scrolled out of sight axe cannot tell the contrast.
        widget.panel().evaluate("(panel) => panel.scrollIntoView()")
        # Of a cell that the edge of a scrolling table cuts through nobody can tell the contrast.
        violations = lab.violations(widget.panel() if by_tab else widget.root)
        by_tab[tab] = [each for each in violations if "partially obscured" not in each]
        if widget.root.evaluate("(root) => root.scrollWidth > root.clientWidth"):
            by_tab[tab].append("it sticks out")
    return {tab: each for tab, each in by_tab.items() if each}


@pytest.mark.long
def test_a_slider_moves_by_keyboard_and_the_notebook_stays_where_it_is(lab: Lab):
    widget = calculator(lab, "'10/s', burst=40, burst_allowance=30")
    cell = lab.within("return panel.content.activeCellIndex")
    slider = widget.slider("Burst allowance")
    slider.focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowDown", "Home"):
        slider.press(key)

    expect(widget.field("Burst allowance")).to_have_value("1")
    assert cell == lab.within("return panel.content.activeCellIndex")


@pytest.mark.long
def test_axe_finds_nothing_wrong_with_the_calculator_in_either_theme(lab: Lab, light_again: None):
    widget = calculator(lab)
    violations = {}
    for theme, width, compared in (("light", 900, False), ("dark", 360, False), ("light", 640, True)):
        if compared:
            widget.compare.click()
        lab.theme(theme)
        lab.resize(widget.root, width)
        widget.wait_until_fresh()
        violations[theme, width] = faults(lab, widget)

    assert {("light", 900): {}, ("dark", 360): {}, ("light", 640): {}} == violations


@pytest.mark.long
def test_axe_finds_nothing_wrong_with_the_planner_in_either_theme(lab: Lab, light_again: None):
    versions = "[['1', '', '2026-06-01'], ['2', '2026-03-02'], ['3', '2027-06-01', '', '', 'preview']]"
    plan = f"{versions}, name='Orders API', zone='Europe/Berlin', at='2026-11-20 12:00', version='1'"
    lab.run("from hook_widgets import VersionPlanner", f"w = VersionPlanner({plan})\nw", name=SHARED)
    widget = Planner(lab.panel.locator(".hw"))
    widget.wait_until_fresh()
    violations = {}
    for theme, width in (("light", 1000), ("dark", 400)):
        lab.theme(theme)
        lab.resize(widget.root, width)
        widget.wait_until_fresh()
        violations[theme, width] = faults(lab, widget)

    assert {("light", 1000): {}, ("dark", 400): {}} == violations


def test_widgets_stand_in_containers_and_follow_a_linked_control(lab: Lab):
    lab.run(
        "import ipywidgets\nfrom hook_widgets import RateLimitCalculator, WebhookGenerator",
        """steady = ipywidgets.Text("650/hour", description="Traffic")
w = RateLimitCalculator("1000/hour", steady="500/hour")
ipywidgets.link((steady, "value"), (w, "steady"))
heard = []
w.observe(lambda change: heard.append(change.new), "steady")
pair = ipywidgets.HBox([w, WebhookGenerator("stripe")])
for each in pair.children:
    each.layout.width = "50%"
grid = ipywidgets.GridspecLayout(2, 1)
grid[0, 0], grid[1, 0] = steady, pair
grid""",
        name=SHARED,
    )
    left = Calculator(lab.panel.locator(".hw-calculator"))
    right = lab.panel.locator(".hw-generator")
    left.wait_until_fresh()
    text = lab.panel.locator(".widget-text input")
    expect(text).to_have_value("650/hour")
    text.fill("800/hour")
    text.press("Enter")

    expect(left.field("Steady traffic")).to_have_value("800/hour")
    assert "['800/hour']" == lab.execute("print(heard)").strip()
    one, other = left.root.bounding_box(), right.bounding_box()
    assert one
    assert other
    assert one["x"] + one["width"] <= other["x"] + 1
    for root in (left.root, right):
        assert not root.evaluate("(root) => root.scrollWidth > root.clientWidth")
