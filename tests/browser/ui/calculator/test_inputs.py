"""The calculator's inputs: sliders, fields, presets, limits, what cannot be used and what is locked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.ui.calculator.page import OpenCalculator

FIELDS = [
    ("Rate limit", "limits", "2000/hour", [["hourly", "2000/hour"]]),
    ("Bucket capacity", "capacity", "300", "300"),
    ("Cushion below the limit", "cushion", "12%", "12%"),
    ("Steady traffic", "steady", "20/s", "20/s"),
    ("Burst", "burst", "500", "500"),
    ("Burst lasts", "burst_window_s", "2 s", "2 s"),
    ("Burst every", "burst_every_s", "30 s", "30 s"),
    ("Clients sharing the limit", "clients", "3", "3"),
    ("In flight per client", "concurrency", "6", "6"),
    ("Latency of a call", "latency_s", "0.4 s", "0.4 s"),
    ("Client's timeout", "timeout_s", "10 s", "10 s"),
    ("Time shown", "duration_s", "60 s", "60 s"),
    ("Seed", "seed", "42", "42"),
]


@pytest.mark.parametrize(("label", "name", "text", "expected"), FIELDS)
def test_every_field_reaches_the_picture_and_the_traits(
    calculators: OpenCalculator, label: str, name: str, text: str, expected: object
):
    page = calculators()
    widget = page.shown()
    widget.field(label).fill(text)
    widget.field(label).press("Enter")
    widget.wait_until_fresh()

    assert expected == page.trait(name)
    assert expected == page.asked("frame")[-1]["inputs"][name]
    assert page.asked("frame")[-1]["quick"] is False


@pytest.mark.parametrize("label", [label for label, *_ in FIELDS if label != "Seed"])
def test_every_slider_puts_its_step_into_the_field(calculators: OpenCalculator, label: str):
    page = calculators()
    widget = page.shown()
    slider = widget.slider(label)
    slider.press("Home")
    slider.press("ArrowRight")
    expect(slider).to_have_value("1")
    step = widget.field(label).input_value()
    widget.wait_until_fresh()

    assert step
    assert step == slider.get_attribute("aria-valuetext")
    assert [True, False] == sorted({frame["quick"] for frame in page.asked("frame")[1:]}, reverse=True)


@pytest.mark.parametrize(
    ("label", "name", "choice", "value"),
    [
        ("Algorithm", "algorithm", "Sliding log", "sliding_log"),
        ("Traffic pattern", "pattern", "Random (Poisson)", "poisson"),
    ],
)
def test_a_choice_counts_at_once(calculators: OpenCalculator, label: str, name: str, choice: str, value: str):
    page = calculators()
    widget = page.shown()
    widget.field(label).select_option(choice)
    widget.wait_until_fresh()

    assert value == page.trait(name)
    assert value == page.asked("frame")[-1]["inputs"][name]


def test_the_slider_follows_what_is_typed(calculators: OpenCalculator):
    widget = calculators().shown()
    widget.field("Bucket capacity").fill("395")
    widget.wait_until_fresh()

    expect(widget.slider("Bucket capacity")).to_have_value("9")
    expect(widget.field("Bucket capacity")).to_have_value("395")


def test_bad_input_is_said_at_its_field_and_keeps_the_last_picture(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    before = widget.picture.get_attribute("src")
    cushion = widget.field("Cushion below the limit")
    cushion.fill("a lot")

    expect(cushion).to_have_attribute("aria-invalid", "true")
    expect(cushion).to_have_accessible_description(
        "“a lot” is no number: write one, such as 3 % How far to stay below what is published."
    )
    expect(cushion).to_have_value("a lot")
    expect(widget.root.locator("[aria-busy=true]")).to_have_count(0)
    expect(widget.root.get_by_text("The chart shows the last valid inputs.")).to_be_visible()
    expect(widget.picture).to_have_class("hw-late")
    assert before == widget.picture.get_attribute("src")
    expect(widget.root.get_by_text("Check “Cushion below the limit”")).to_be_visible()
    cushion.fill("10%")
    widget.wait_until_fresh()
    expect(cushion).not_to_have_attribute("aria-invalid", "true")
    expect(widget.picture).to_have_class("")


@pytest.mark.long
def test_bad_input_from_the_start_leaves_a_place_for_the_picture(calculators: OpenCalculator):
    widget = calculators().mount(traits={"seed": "x"})

    expect(widget.field("Seed")).to_have_attribute("aria-invalid", "true")
    expect(widget.root.get_by_text("Correct the inputs to draw the chart.")).to_be_visible()
    widget.field("Seed").fill("3")
    widget.wait_until_fresh()


@pytest.mark.parametrize("field", ["", "arrivals"])
def test_what_is_wrong_with_no_single_input_is_said_beside_the_picture(
    calculators: OpenCalculator, field: str
):
    widget = calculators().mount(faults={"problem": {"field": field, "text": "There are too many requests."}})

    expect(widget.status).to_have_text("Check the inputs")
    expect(widget.root.locator(".hw-alert")).to_have_text("There are too many requests.")


@pytest.mark.long
def test_traffic_that_code_has_given_is_ones_own_pattern(calculators: OpenCalculator):
    widget = calculators().shown(faults={"ownTraffic": True})

    expect(widget.field("Traffic pattern").locator("option")).to_have_text(["Your own"])


def test_a_preset_sets_what_it_stands_for_and_names_its_source(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.field("Preset").select_option("GitHub REST, user token")
    widget.wait_until_fresh()

    expect(widget.field("In flight per client")).to_have_value("100")
    expect(widget.field("Rate of reads of one endpoint")).to_have_value("900/min")
    expect(widget.root.get_by_role("link", name="Source")).to_have_attribute(
        "href", "https://docs.example.com/rate-limits"
    )
    expect(widget.root.get_by_text("read 2026-11-21")).to_be_visible()
    assumed = "Not published, so assumed: burst allowance (5,000)."
    expect(widget.field("Preset")).to_have_accessible_description(re.compile(re.escape(assumed)))
    assert [["hourly", "5000/hour"], ["reads of one endpoint", "900/min"]] == page.trait("limits")
    preset = widget.field("Preset")
    expect(preset).not_to_have_accessible_description(re.compile("Changed"))

    widget.enter("In flight per client", "50")
    expect(preset).to_have_accessible_description(
        re.compile(r"Changed: In flight per client \(published: 100\)\.")
    )


@pytest.mark.long
def test_other_limits_than_the_presets_are_ones_own(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.field("Rate limit").fill("70000/hour")
    widget.wait_until_fresh()

    expect(widget.field("Preset")).to_have_value("")
    assert ("", [["hourly", "70000/hour"]]) == (page.trait("preset"), page.trait("limits"))


def test_limits_are_added_named_and_removed(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.button("Add a limit").click()
    expect(widget.field("Rate of limit 2")).to_be_focused()
    expect(widget.field("Preset")).to_have_value("pro")
    page.page.keyboard.type("900/min")
    expect(widget.field("Preset")).to_have_value("")
    # The picture may have the name before the pause that saves it.
    widget.field("Name of limit 2").fill("per endpoint")
    widget.field("Name of limit 2").press("Enter")
    widget.wait_until_fresh()
    assert [["hourly", "100000/hour"], ["per endpoint", "900/min"]] == page.trait("limits")
    widget.button("Remove hourly").click()
    widget.wait_until_fresh()

    assert [["per endpoint", "900/min"]] == page.trait("limits")
    expect(widget.field("Rate limit")).to_be_focused()


@pytest.mark.long
def test_an_error_in_a_further_limit_stands_at_its_row(calculators: OpenCalculator):
    widget = calculators().shown(traits={"limits": [["a", "10/s"], ["b", "20/s"]]})
    widget.field("Rate of b").fill("20 per")

    expect(widget.field("Rate of b")).to_have_attribute("aria-invalid", "true")
    expect(widget.field("Rate of a")).not_to_have_attribute("aria-invalid", "true")


def test_compare_is_a_button_that_stays_pressed(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    expect(widget.compare).to_have_attribute("aria-pressed", "false")
    widget.compare.click()
    widget.wait_until_fresh()
    expect(widget.compare).to_have_attribute("aria-pressed", "true")
    widget.tab("Table").click()

    expect(widget.root.get_by_role("table", name="All five on the same 2,520 requests")).to_be_visible()
    expect(widget.panel().get_by_role("rowheader")).to_have_text(
        ["Token bucket", "Leaky bucket", "Fixed window", "Sliding log", "Sliding counter"]
    )
    frame = page.asked("frame")[-1]
    assert (True, True) == (page.trait("compare"), frame["inputs"]["compare"])
    assert frame["height"] > page.asked("frame")[0]["height"]


def test_locked_fields_say_so_and_cannot_be_changed(calculators: OpenCalculator):
    page = calculators()
    names = ["preset", "algorithm", "limits", "cushion", "seed", "compare"]
    widget = page.shown(traits={"locked": names})

    expect(widget.root.get_by_text("locked", exact=True)).to_have_count(len(names))
    expect(widget.banner("Locked by the author")).to_have_text(
        "Locked by the author: Preset, Algorithm, Rate limit, Cushion below the limit, Seed, Compare."
    )
    assert [(1, 1)] * len(names) == [
        tuple(size)
        for size in widget.root.locator(".hw-lock-word").evaluate_all(
            "words => words.map((word) => [word.offsetWidth, word.offsetHeight])"
        )
    ], "the icon says it; the word is for screen readers"
    expect(widget.root.get_by_role("combobox", name="Preset")).to_be_disabled()
    expect(widget.slider("Cushion below the limit")).to_be_disabled()
    expect(widget.root.get_by_role("textbox", name="Cushion below the limit")).not_to_be_editable()
    expect(widget.button("Add a limit")).to_have_count(0)
    widget.root.get_by_role("button", name="Compare all five").click(force=True)
    assert [] == page.updates()


def test_a_change_made_in_the_kernel_is_shown_with_a_full_picture(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.page.evaluate("widget.model.traits.burst = '100'; widget.model.emit('change:burst')")
    widget.wait_until_fresh()

    expect(widget.field("Burst")).to_have_value("100")
    expect(widget.status).to_have_text("Nothing is rejected")
    assert page.asked("frame")[-1]["quick"] is False
    assert [] == page.updates()
