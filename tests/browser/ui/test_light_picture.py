"""Light pictures: what the widgets show where matplotlib is not installed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from hook_widgets import RateLimitCalculator, VersionPlanner
from hook_widgets._plotting.svg import document, size
from hook_widgets.ratelimit import Arrivals, TokenBucket, draw_run_svg, simulate
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg as sketch_of_versions
from hook_widgets.versioning.release import Release
from tests.browser.ui.calculator.page import OpenCalculator
from tests.browser.ui.fake_host import SILENCE_MS
from tests.browser.ui.planner.page import OpenPlanner

NOTE = "This is a light picture: the full picture needs matplotlib, which is not installed."


def light(drawn: str, **more: object) -> dict[str, Any]:
    """Return the reply of a kernel without matplotlib."""
    width, height = size(drawn)
    return {"light": {"svg": drawn, "width": width, "height": height, "note": NOTE, **more}}


def runs() -> dict[str, Any]:
    """A light picture of a run."""
    return light(draw_run_svg(simulate(TokenBucket(20, "5/s"), Arrivals.poisson("8/s", "30 s", seed=7))))


def versions() -> dict[str, Any]:
    """A light picture of versions."""
    api = Api(name="Orders API", releases=(Release(1), Release(2, datetime(2027, 3, 1, tzinfo=UTC))))
    return light(sketch_of_versions(api, datetime(2026, 11, 20, 9, tzinfo=UTC)))


def test_the_calculator_shows_a_light_picture_and_what_to_do_for_the_full_one(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(faults=runs())

    expect(widget.root.get_by_text(NOTE)).to_be_visible()
    # The browser has laid it out as an image of the size that was said: it is a valid SVG.
    expect(widget.picture).to_have_js_property("naturalWidth", 640)
    assert "image/svg+xml" == page.page.evaluate(
        "async () => (await (await fetch(document.querySelector('.hw-picture img').src)).blob()).type"
    )
    assert [] == page.errors


@pytest.mark.long
def test_the_planner_shows_a_light_picture_too(planners: OpenPlanner):
    page = planners()
    widget = page.shown(faults=versions())

    expect(widget.root.get_by_text(NOTE)).to_be_visible()
    expect(widget.picture).to_have_js_property("naturalWidth", 640)
    assert [] == page.errors


def saved(widget: Any) -> dict[str, Any]:
    """The traits of a widget that was shown, as a page has them."""
    assert widget._repr_mimebundle_() is not None
    return {name: getattr(widget, name) for name in (*widget.lockable, "still")}


def test_a_page_without_a_kernel_shows_what_was_saved_to_be_read(
    calculators: OpenCalculator, planners: OpenPlanner
):
    for page, source, words in (
        (
            calculators(),
            RateLimitCalculator("10/s", burst=40, burst_allowance=30),
            ("Retry-After: ", "Safe rate"),
        ),
        (planners(), VersionPlanner([[1, "", "2026-06-01"], [2]]), ("Sunset: ", "Deprecated")),
    ):
        page.page.evaluate("options => mount(options)", {"kernel": False, "traits": saved(source)})
        root = page.page.locator(".hw")

        expect(root.locator("img")).to_have_js_property("naturalWidth", 640)
        for text in words:
            expect(root.locator(".hw-still").get_by_text(text).first).to_be_visible()
        expect(root.get_by_role("textbox").first).to_be_hidden()
        root.get_by_text("All inputs", exact=True).click()
        expect(root.get_by_role("textbox").first).to_be_visible()
        assert [] == page.errors


@pytest.mark.parametrize("still", ["", 7])
def test_without_a_still_form_the_widget_says_that_there_is_no_kernel(
    calculators: OpenCalculator, still: Any
):
    traits = saved(RateLimitCalculator("10/s", burst=40)) | {"still": still}
    widget = calculators().mount(kernel=False, traits=traits)

    expect(widget.root.get_by_text("No kernel: the chart cannot be drawn.")).to_be_visible()
    expect(widget.picture).to_have_count(0)


def test_with_a_kernel_the_still_form_is_not_shown(calculators: OpenCalculator):
    page = calculators()
    widget = page.mount(traits=saved(RateLimitCalculator("10/s", burst=40)))

    expect(widget.picture).to_be_visible()
    expect(widget.root.locator(".hw-still")).to_have_count(0)


def test_a_kernel_that_never_replied_leaves_what_was_saved_to_be_read(
    calculators: OpenCalculator, planners: OpenPlanner
):
    """A notebook that is opened again has a new kernel, which does not know its widgets."""
    for page, source in (
        (calculators(), RateLimitCalculator("10/s", burst=40)),
        (planners(), VersionPlanner([[1, "", "2026-06-01"], [2]])),
    ):
        page.hasten(SILENCE_MS)
        page.page.evaluate("options => mount(options)", {"traits": saved(source), "faults": {"silent": True}})
        root = page.page.locator(".hw")
        expect(root.get_by_text("No reply from the kernel yet", exact=False)).to_be_visible()
        expect(root.locator(".hw-still img")).to_be_visible()

        # As soon as the kernel is heard, everything is live again.
        page.page.evaluate("widget.kernel.faults.silent = false; widget.model.emit('comm_live_update')")
        expect(root.locator(".hw-still")).to_have_count(0)
        assert [] == page.errors


@pytest.mark.long
def test_light_pictures_follow_a_slider(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(faults=runs())
    before = widget.picture.get_attribute("src")

    widget.slider("Steady traffic").press("ArrowRight")
    widget.wait_until_fresh()

    assert before != widget.picture.get_attribute("src")
    assert True in [frame["quick"] for frame in page.asked("frame")]


@pytest.mark.parametrize(
    ("type_", "announced"),
    [
        ("image/png", "The kernel's chart is not a valid image/png image."),
        ("text/html", "cannot be read"),
    ],
)
def test_the_declared_type_counts_and_no_guess(calculators: OpenCalculator, type_: str, announced: str):
    page = calculators()
    widget = page.mount(faults=light(document(640, 80, "A line", "#ffffff", []), type=type_))

    expect(widget.banner(announced)).to_be_visible()
    expect(widget.picture).to_have_count(0)


def test_a_script_in_a_picture_does_not_run(calculators: OpenCalculator):
    page = calculators()
    drawn = document(640, 80, "", "#fff", ["<animate attributeName='x' dur='1s' onbegin='top.ran = 1'/>"])
    widget = page.shown(faults=light(drawn))

    expect(widget.picture).to_have_js_property("naturalWidth", 640)
    assert page.page.evaluate("window.ran === undefined")
    page.page.evaluate("(svg) => { document.body.innerHTML = svg; }", drawn)
    page.page.wait_for_function("window.ran === 1")  # as part of the page it would have run
