"""The calculator's overlay: values under a pointer or by keys, zoom and reset."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.ui.calculator.page import Calculator, CalculatorHost, OpenCalculator


def point(page: CalculatorHost, widget: Calculator, share: float) -> None:
    """Move the pointer to a share of the width of the time axis."""
    box = widget.plot.bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + share * box["width"], box["y"] + 20)


def part(page: CalculatorHost) -> list[float] | None:
    """Return the part of the axis that the last frame was asked for."""
    chosen: list[float] | None = page.asked("frame")[-1].get("part")
    return chosen


def test_a_pointer_reads_time_and_value_of_each_lane(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    before = len(page.asked("frame"))
    expect(widget.reading).to_have_text("Point at the chart to read values; drag to zoom.")

    point(page, widget, 0.25)
    expect(widget.reading).to_have_text("30 s Tokens left 75 · Admitted 20 · Rejected 1")
    expect(widget.root.locator(".hw-plot-line")).to_be_visible()
    page.page.mouse.move(2, 2)
    expect(widget.root.locator(".hw-plot-line")).to_have_count(0)
    assert before == len(page.asked("frame")), "reading asks the kernel for nothing"


# Keeps what the live region says.
_KEEP_STATUS = """(root) => {
    window.said = "";
    const status = root.querySelector("[role=status]");
    new MutationObserver(() => { window.said += status.textContent; })
        .observe(status, { subtree: true, childList: true, characterData: true });
}"""


# Keeps every announcement: on a busy machine one may follow another before it was looked at.
_KEEP_ANNOUNCEMENTS = """(root) => {
    window.said = "";
    new MutationObserver((changes) => {
        for (const { target } of changes) window.said += `${target.textContent}\n`;
    }).observe(root, { subtree: true, childList: true, characterData: true });
}"""


def test_the_values_under_a_pointer_at_rest_are_spoken(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    status = widget.root.get_by_role("status")

    point(page, widget, 0.25)
    expect(status).to_have_text("30 s, Tokens left 75, Admitted 20, Rejected 1")
    point(page, widget, 0.5)
    expect(status).to_contain_text("60 s, ")


def test_the_values_of_the_crosshair_that_has_the_focus_are_spoken_once(calculators: OpenCalculator):
    """A screen reader speaks the value of a slider with the focus, so the live region is silent."""
    page = calculators()
    widget = page.shown()
    widget.plot.focus()
    expect(widget.root.get_by_role("status")).not_to_be_empty()  # the status of the first picture
    widget.root.evaluate(_KEEP_STATUS)

    page.page.keyboard.press("End")
    point(page, widget, 0.25)
    expect(widget.plot).to_have_attribute("aria-valuetext", re.compile("^30 s, Tokens left 75, "))
    page.page.wait_for_timeout(1000)  # longer than a rest
    assert "" == page.page.evaluate("said")


def test_a_drag_zooms_and_a_double_click_shows_all_again(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.root.evaluate(_KEEP_ANNOUNCEMENTS)
    point(page, widget, 0.75)
    page.page.mouse.down()
    point(page, widget, 0.5)
    expect(widget.root.locator(".hw-plot-chosen")).to_be_visible()
    page.page.mouse.up()

    expect(widget.button("Show all")).to_be_visible()
    chosen = part(page)
    assert chosen is not None
    assert [60, 90] == [round(side) for side in chosen]
    expect(widget.plot).to_have_attribute("aria-valuemin", str(chosen[0]))
    page.page.wait_for_function("said.includes('Shows 60 s to 90 s')")
    assert [] == page.updates(), "a zoom is no input"

    widget.plot.dblclick()
    expect(widget.button("Show all")).to_have_count(0)
    assert part(page) is None


@pytest.mark.long
def test_a_short_drag_and_another_button_zoom_nothing(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    before = len(page.asked("frame"))
    point(page, widget, 0.5)
    page.page.mouse.down()
    point(page, widget, 0.503)
    page.page.mouse.up()
    page.page.mouse.down(button="right")
    point(page, widget, 0.8)
    page.page.mouse.up(button="right")

    assert before == len(page.asked("frame"))


def test_keys_move_the_crosshair_zoom_and_reset(calculators: OpenCalculator):
    page = calculators(width=1132)  # the value is that of a pixel column, so it depends on the width
    widget = page.shown()
    widget.plot.focus()
    for key, text in [
        ("End", "120 s"),
        ("Home", "0 s"),
        ("ArrowRight", "1.2 s"),
        ("Shift+ArrowRight", "13.2 s"),
        ("ArrowLeft", "12 s"),
    ]:
        page.page.keyboard.press(key)
        expect(widget.reading.locator("b")).to_have_text(text)
    expect(widget.plot).to_have_attribute("aria-valuetext", "12 s, Tokens left 89.9, Admitted 20, Rejected 1")

    page.page.keyboard.press("+")
    expect(widget.button("Show all")).to_be_visible()
    assert [6, 66] == [round(side, 6) for side in part(page) or ()]
    expect(widget.plot).to_be_focused()
    expect(widget.reading.locator("b")).to_have_text("12 s")
    page.page.keyboard.press("Escape")
    expect(widget.button("Show all")).to_have_count(0)
    page.page.keyboard.press("-")
    assert part(page) is None, "more than the whole run cannot be shown"


def test_a_moving_slider_takes_the_overlay_away_and_nothing_jumps(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.without_pauses()
    below = widget.tab("Table").bounding_box()
    slider = widget.slider("Steady traffic")
    slider.focus()
    page.page.keyboard.down("ArrowRight")
    expect(widget.plot).to_have_count(0)
    expect(widget.reading).to_be_visible()
    assert below == widget.tab("Table").bounding_box()

    page.page.keyboard.up("ArrowRight")
    expect(widget.plot).to_have_count(1)


@pytest.mark.long
def test_a_light_picture_and_a_page_without_a_kernel_have_no_overlay(calculators: OpenCalculator):
    page = calculators()
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>'
    widget = page.shown(faults={"light": {"svg": svg, "width": 300, "height": 200, "note": ""}})

    expect(widget.picture).to_be_visible()
    expect(widget.plot).to_have_count(0)
    expect(widget.reading).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_overlay_lies_on_its_panels_at_any_width(calculators: OpenCalculator, width: int):
    page = calculators()
    page.page.set_viewport_size({"width": width, "height": 900})
    widget = page.shown()
    picture, plot = widget.picture.bounding_box(), widget.plot.bounding_box()
    assert picture is not None
    assert plot is not None

    assert abs(plot["x"] - picture["x"] - 46) < 1.5
    assert abs(plot["width"] - (picture["width"] - 66)) < 1.5
    assert abs(plot["y"] - picture["y"] - 20) < 1.5
    assert plot["y"] + plot["height"] <= picture["y"] + picture["height"]
    assert "pan-y pinch-zoom" == widget.plot.evaluate("area => getComputedStyle(area).touchAction")
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
