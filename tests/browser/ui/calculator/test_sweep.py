"""`Sweep`: rejections against the limit in place of the run."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.calculator.page import OpenCalculator

KNEE = "At most 0.1% is rejected from 5,000 per hour on"


@pytest.mark.parametrize("width", [360, 1440])
def test_a_click_draws_the_sweep_names_the_knee_and_shows_its_table(calculators: OpenCalculator, width: int):
    page = calculators(width=width)
    widget = page.shown()
    widget.button("Sweep").click()

    expect(widget.button("Sweep")).to_have_attribute("aria-pressed", "true")
    expect(widget.status).to_have_text(KNEE)
    expect(widget.picture).to_have_accessible_name(KNEE)
    table = widget.root.get_by_role("table", name=f"{KNEE}: 2,520 requests under each limit")
    expect(table.get_by_role("row", name="10,000 (now)")).to_contain_text("0 (0%)")
    expect(widget.plot).to_have_count(0)
    expect(widget.root.get_by_text("drag to zoom")).to_have_count(0)
    assert [] == page.violations(widget.root)
    assert [] == page.overflow()
    widget.button("Sweep").click()
    expect(widget.picture).not_to_have_accessible_name(KNEE)


def test_a_sweep_is_of_the_current_inputs_without_quick_pictures_and_is_saved(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.button("Sweep").click()
    expect(widget.status).to_have_text(KNEE)
    widget.slider("Burst").press("Home")
    widget.wait_until_fresh()
    with page.page.expect_download() as download:
        widget.button("Save SVG").click()

    sweeps = [frame for frame in page.asked("frame") if frame.get("sweep")]
    assert [("400", False), ("1", False)] == [(each["inputs"]["burst"], each["quick"]) for each in sweeps]
    assert "rate-limit-sweep.svg" == download.value.suggested_filename
    assert [{"burst": "1"}] == page.updates()
