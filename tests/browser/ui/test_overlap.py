"""No control of a widget lies over another, at any width."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.calculator.page import OpenCalculator
from tests.browser.ui.fake_host import Host, Open, all_panels
from tests.browser.ui.planner.page import OpenPlanner
from tests.browser.ui.plot_page import PlotPage
from tests.support.extent import LONG, extent

#: either side of each width at which an arrangement changes, and what lies between
WIDTHS = (
    320,
    360,
    400,
    432,
    460,
    492,
    560,
    592,
    640,
    672,
    700,
    740,
    772,
    800,
    860,
    900,
    940,
    972,
    1000,
    1032,
    1100,
    1280,
    1600,
    1920,
)

_OVERLAPS = """() => {
  const kinds = "input, button, label, select, textarea, summary, a, legend, .hw-vault, .hw-chip, .hw-code";
  const visible = { checkVisibilityCSS: true, checkOpacity: true };
  // What scrolls in a pane of its own, and what is for a screen reader only, has no place on the page.
  const elsewhere = ".hw-offscreen, .hw-part, .hw-check-rows, .hw-pop";
  const boxes = [...document.querySelectorAll(`.hw :is(${kinds})`)]
    .filter(each => each.checkVisibility(visible) && !each.closest(elsewhere))
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([each, { width, height }]) => width && height && getComputedStyle(each).clipPath === "none");
  // The button of a date lies in its field on purpose.
  const apart = (a, b) => a.contains(b) || b.contains(a) || a.closest(".hw-date")?.contains(b);
  const name = each => `${each.tagName}.${each.className} “${each.textContent.slice(0, 20)}”`;
  const found = [];
  boxes.forEach(([a, one], i) => boxes.slice(i + 1).forEach(([b, other]) => {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (width > 1 && height > 1 && !apart(a, b)) found.push(`${name(a)} / ${name(b)}`);
  }));
  return [boxes.length, found];
}"""


def _overlaps(page: Host, where: str = "", turn: int = 0) -> dict[str, list[str]]:
    """The overlaps by width; in a short run at every third width, with each turn at the next ones."""
    overlapping = {}
    for width in WIDTHS[turn % 3 :: 3] if not LONG else WIDTHS:
        page.widen(width)
        controls, overlaps = page.page.evaluate(_OVERLAPS)
        assert controls > 5
        if overlaps:
            overlapping[f"{where} {width}"] = overlaps
    return overlapping


def _overlaps_of_tabs(page: Host, widget: PlotPage) -> dict[str, list[str]]:
    """Return the overlaps of controls with each tab open."""
    overlapping: dict[str, list[str]] = {}
    for turn, tab in enumerate(widget.root.get_by_role("tab").all_inner_texts()):
        widget.tab(tab).click()
        overlapping |= _overlaps(page, tab, turn)
    assert page.page.get_by_role("tab").count() > 1
    return overlapping


def test_the_measure_sees_a_control_that_lies_over_another(host: Open):
    page = host()
    widget = page.mount()
    widget.button("Send").evaluate("element => { element.style.marginLeft = '-60px'; }")

    assert len(WIDTHS) == sum(len(_overlaps(page, turn=turn)) for turn in extent((0, 1, 2), (0,)))


def test_nothing_overlaps_in_the_generator(host: Open):
    page = host()
    widget = page.mount(traits={"clock": {"mode": "fixed", "at": "2026-11-21T12:00:00Z"}})
    expect(widget.payload).to_be_visible()
    overlapping = _overlaps(page)
    for turn, panel in enumerate(all_panels(widget), 1):
        page.page.evaluate("scrollTo(0, 0)")
        overlapping |= _overlaps(page, panel, turn)

    assert {} == overlapping


@pytest.mark.parametrize("count", [1, 3])
def test_nothing_overlaps_in_the_calculator(calculators: OpenCalculator, count: int):
    page = calculators()
    limits = [["hourly", "100000/hour"], ["burst per second", "40/s"], ["daily", "1000000/day"]]
    widget = page.shown(traits={"limits": limits[:count], "compare": count == 3})

    assert {} == _overlaps_of_tabs(page, widget)


@pytest.mark.long
def test_nothing_overlaps_in_the_planner(planners: OpenPlanner):
    page = planners()
    widget = page.shown()

    assert {} == _overlaps_of_tabs(page, widget)
