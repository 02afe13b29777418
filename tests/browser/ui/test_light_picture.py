"""Light pictures: what the widgets show where matplotlib is not installed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from hook_widgets import RateLimitCalculator, VersionPlanner
from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
from hook_widgets.ratelimit.sketch import sketch as sketch_of_runs
from hook_widgets.svg import document, size
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.sketch import sketch as sketch_of_versions
from hook_widgets.versioning.release import Release
from tests.browser.ui.calculator import OpenCalculator
from tests.browser.ui.planner import OpenPlanner

NOTE = "This is a light picture. The full picture needs matplotlib, which is not installed."


def light(drawn: str, **more: object) -> dict[str, Any]:
    """What a kernel without matplotlib sends in place of the full picture."""
    width, height = size(drawn)
    return {"light": {"svg": drawn, "width": width, "height": height, "note": NOTE, **more}}


def runs() -> dict[str, Any]:
    """A light picture of a run."""
    return light(sketch_of_runs(simulate(TokenBucket(20, "5/s"), Arrivals.poisson("8/s", "30 s", seed=7))))


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


def test_the_planner_shows_a_light_picture_too(planners: OpenPlanner):
    page = planners()
    widget = page.shown(faults=versions())

    expect(widget.root.get_by_text(NOTE)).to_be_visible()
    expect(widget.picture).to_have_js_property("naturalWidth", 640)
    assert [] == page.errors


def saved(widget: Any) -> dict[str, Any]:
    """The traits of a widget that was shown, as a page has them."""
    assert widget._repr_mimebundle_() is not None
    return {name: getattr(widget, name) for name in (*widget.lockable, "saved_picture")}


def test_a_page_without_a_kernel_shows_the_picture_that_was_saved(
    calculators: OpenCalculator, planners: OpenPlanner
):
    for page, traits in (
        (calculators(), saved(RateLimitCalculator("10/s", burst=40))),
        (planners(), saved(VersionPlanner(at="2026-11-20"))),
    ):
        widget = page.mount(kernel=False, traits=traits)

        expect(widget.picture).to_have_attribute("alt", traits["saved_picture"]["alt"])
        expect(widget.picture).to_have_js_property("complete", value=True)
        expect(widget.picture).to_have_js_property("naturalWidth", 640)
        assert [] == page.errors


@pytest.mark.parametrize("change", [{"burst": "50"}, {"saved_picture": {}}, {"saved_picture": {"svg": 7}}])
def test_a_saved_picture_of_other_inputs_is_not_shown(calculators: OpenCalculator, change: dict[str, Any]):
    traits = saved(RateLimitCalculator("10/s", burst=40)) | change
    widget = calculators().mount(kernel=False, traits=traits)

    expect(widget.root.get_by_text("No picture without a kernel.")).to_be_visible()
    expect(widget.picture).to_have_count(0)


def test_light_pictures_follow_a_slider(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(faults=runs())
    before = widget.picture.get_attribute("src")

    widget.slider("Steady traffic").press("ArrowRight")
    widget.wait_until_fresh()

    assert before != widget.picture.get_attribute("src")
    assert True in [frame["quick"] for frame in page.asked("frame")]


@pytest.mark.parametrize(
    ("type_", "told"),
    [
        ("image/png", "The kernel's picture cannot be shown: it is no image/png."),
        ("text/html", "cannot be read"),
    ],
)
def test_the_declared_type_counts_and_no_guess(calculators: OpenCalculator, type_: str, told: str):
    page = calculators()
    widget = page.mount(faults=light(document(640, 80, "A line", "#ffffff", []), type=type_))

    expect(widget.banner(told)).to_be_visible()
    expect(widget.picture).to_have_count(0)


def test_a_script_in_a_picture_does_not_run(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(faults=light(document(640, 80, "", "#fff", ["<script>top.ran = 1</script>"])))

    expect(widget.picture).to_have_js_property("naturalWidth", 640)
    assert page.page.evaluate("window.ran === undefined")
