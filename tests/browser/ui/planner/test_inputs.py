"""The planner's inputs: versions in rows, dates, moving through time, what cannot be used, what is locked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.ui.planner.page import OpenPlanner


@pytest.mark.parametrize(
    ("label", "name", "text"),
    [
        ("API name", "name", "Fees API"),
        ("Notice period (months)", "months", "24"),
        ("Time zone", "zone", "UTC"),
        ("Holidays", "holidays", "2026-12-25"),
        ("As of", "at", "2027-06-02"),
    ],
)
def test_every_field_reaches_the_picture_and_the_traits(
    planners: OpenPlanner, label: str, name: str, text: str
):
    page = planners()
    widget = page.shown()
    widget.root.get_by_role("textbox", name=label, exact=True).or_(
        widget.root.get_by_role("combobox", name=label, exact=True)
    ).fill(text)
    page.page.keyboard.press("Enter")
    widget.wait_until_fresh()

    assert text == page.trait(name) == page.asked("frame")[-1]["inputs"][name]


@pytest.mark.long
def test_inputs_that_seldom_change_are_folded_and_summarized_in_a_line(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    expect(widget.field("Path prefix")).to_be_hidden()
    summary = widget.root.get_by_text("URLs, links")
    expect(summary).to_contain_text("https://api.example.com/api, vendor example")
    summary.press("Enter")
    widget.field("Path prefix").fill("/v")
    widget.wait_until_fresh()

    assert "/v" == page.trait("prefix")


@pytest.mark.long
def test_the_migration_guide_is_asked_for_in_sight(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    guide = widget.field("Migration guide")
    expect(guide).to_be_visible()
    expect(guide).to_have_accessible_description(re.compile(r'Link; rel="deprecation" needs it'))
    expect(widget.root.get_by_text('Link; rel="deprecation" needs it.').first).to_be_visible()
    guide.fill("https://example.com/guide")
    widget.wait_until_fresh()

    assert "https://example.com/guide" == page.trait("migration_guide")


@pytest.mark.long
def test_when_the_headers_begin_is_a_choice(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    begin = widget.root.get_by_label("Deprecation headers", exact=True)
    expect(begin).to_have_value("announcement")
    begin.select_option("At once")
    widget.wait_until_fresh()

    widget.root.get_by_label("Warning: 299", exact=True).select_option("Sent")
    widget.wait_until_fresh()
    assert "yes" == page.trait("warn")
    assert "at_once" == page.trait("headers_begin") == page.asked("frame")[-1]["inputs"]["headers_begin"]


def test_an_error_in_what_is_folded_away_unfolds_it(planners: OpenPlanner):
    widget = planners().mount(traits={"prefix": "api"})

    expect(widget.field("Path prefix")).to_have_attribute("aria-invalid", "true")
    expect(widget.field("Path prefix")).to_be_visible()


@pytest.mark.parametrize(
    ("column", "at", "text"),
    [("Version", 0, "7"), ("Released", 1, "2024-01-01"), ("Removed", 3, "2028-01-01")],
)
def test_a_cell_of_a_version_reaches_the_traits(planners: OpenPlanner, column: str, at: int, text: str):
    page = planners()
    widget = page.shown()
    widget.cell(column, "v1").fill(text)
    page.page.keyboard.press("Enter")
    widget.wait_until_fresh()

    assert text == page.trait("versions")[0][at]


def test_brownouts_are_entered_below_the_dates_of_an_announced_version(planners: OpenPlanner):
    page = planners()
    widget = page.shown()  # only v1 is announced; its saved row has five texts
    expect(widget.cell("Brownouts", "v2")).to_have_count(0)
    field = widget.cell("Brownouts", "v1")
    field.fill("2027-03-01 10:00")
    page.page.keyboard.press("Enter")
    expect(widget.row("v1").get_by_text("The brownout has no end.")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("2027-03-01 10:00 for 1h")
    page.page.keyboard.press("Enter")
    widget.wait_until_fresh()

    assert ["2027-03-01 10:00 for 1h", ""] == [row[5] for row in page.trait("versions")[:2]]


def test_a_stage_counts_at_once(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    widget.cell("Channel", "v2").select_option("Preview")
    widget.wait_until_fresh()

    assert "preview" == page.trait("versions")[1][4]


def test_a_removal_that_is_worked_out_is_shown_where_it_could_be_typed(planners: OpenPlanner):
    widget = planners().shown()

    expect(widget.cell("Removed", "v1")).to_have_attribute("placeholder", "2027-12-01")
    expect(widget.cell("Removed", "v1")).to_have_value("")
    expect(widget.row("v1").locator(".hw-chip")).to_have_text("deprecated, 375 days left")
    widget.cell("Deprecated", "v1").fill("")
    widget.wait_until_fresh()
    expect(widget.cell("Removed", "v1")).to_have_attribute("placeholder", "worked out")


def test_versions_are_added_and_removed_by_keyboard_and_the_focus_stays_near(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    widget.button("Add version").press("Enter")
    expect(widget.cell("Version", "row 4")).to_be_focused()
    assert 3 == len(page.trait("versions"))  # nothing was written into it
    page.page.keyboard.type("4")
    widget.wait_until_fresh()
    assert ["4", "", "", "", "stable", ""] == page.trait("versions")[3]
    widget.button("Remove v2").press("Enter")
    expect(widget.cell("Version", "v3")).to_be_focused()
    widget.wait_until_fresh()

    assert ["1", "3", "4"] == [row[0] for row in page.trait("versions")]


@pytest.mark.long
def test_with_a_version_that_was_chosen_to_be_shown_the_choice_goes(planners: OpenPlanner):
    page = planners()
    widget = page.shown(traits={"version": "v2"})
    widget.button("Remove v1").click()
    widget.wait_until_fresh()
    assert "v2" == page.trait("version")
    widget.button("Remove v2").click()
    widget.wait_until_fresh()

    assert "" == page.trait("version")


@pytest.mark.long
def test_the_last_version_leaves_an_empty_row(planners: OpenPlanner):
    page = planners()
    widget = page.shown(traits={"versions": [["1", "", "", "", "stable"]]})
    widget.button("Remove v1").click()

    expect(widget.cell("Version", "row 1")).to_be_focused()
    expect(widget.cell("Version", "row 1")).to_have_value("")


def test_a_picked_date_is_written_into_the_field_and_a_time_of_day_stays(planners: OpenPlanner):
    page = planners()
    versions = [["1", "2023-11-01", "2026-06-01 09:00", "", "stable"]]
    widget = page.shown(traits={"versions": versions})
    expect(widget.button("Pick a date: Deprecated, v1")).to_be_visible()
    picker = widget.row("v1").locator("input[type=date]").nth(1)
    picker.evaluate(
        "el => { el.value = '2026-07-01'; el.dispatchEvent(new Event('change', { bubbles: true })); }"
    )

    expect(widget.cell("Deprecated", "v1")).to_have_value("2026-07-01 09:00")
    widget.wait_until_fresh()
    assert "2026-07-01 09:00" == page.trait("versions")[0][2]


@pytest.mark.long
def test_the_picker_of_the_browser_opens(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    page.page.evaluate(
        """() => {
            window.picked = "";
            HTMLInputElement.prototype.showPicker = function () { picked += this.type; };
        }"""
    )
    widget.button("Pick a date: Released, v2").press("Enter")

    assert "date" == page.page.evaluate("picked")


@pytest.mark.long
def test_where_there_is_no_picker_the_field_is_focused(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    page.page.evaluate("() => { HTMLInputElement.prototype.showPicker = () => { throw new Error('no'); }; }")
    widget.button("Pick a date: Released, v2").press("Enter")

    expect(widget.cell("Released", "v2")).to_be_focused()


def test_a_bad_date_is_said_at_its_field_and_nothing_is_lost(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    before = widget.picture.get_attribute("src")
    cell = widget.cell("Deprecated", "v1")
    cell.fill("next summer")

    expect(cell).to_have_attribute("aria-invalid", "true")
    expect(cell).to_have_accessible_description("“next summer” is no date: write one such as 2027-01-31.")
    expect(cell).to_have_value("next summer")
    expect(widget.cell("Released", "v1")).not_to_have_attribute("aria-invalid", "true")
    expect(widget.status).to_have_text("Check “Deprecated, v1”")
    expect(widget.root.get_by_text("The chart shows the last valid inputs.")).to_be_visible()
    expect(widget.picture).to_have_class("hw-late")
    expect(widget.root.locator(".hw-standing .hw-chip")).to_have_count(0)  # nothing of earlier inputs
    assert before == widget.picture.get_attribute("src")
    cell.fill("2026-06-02")
    widget.wait_until_fresh()
    expect(widget.picture).to_have_class("")


@pytest.mark.long
def test_what_somebody_should_ask_again_stands_in_the_row(planners: OpenPlanner):
    widget = planners().shown(traits={"months": "30"})

    expect(widget.row("v1")).to_contain_text("The period is over 24 months: who keeps the version running?")
    expect(widget.row("v2")).not_to_contain_text("24 months")


def test_the_buttons_go_from_milestone_to_milestone_and_back_to_today(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    expect(widget.button("Today")).to_have_attribute("aria-disabled", "true")
    widget.button("Later: v1 milestone, 2026-12-01").press("Enter")
    widget.wait_until_fresh()
    assert "2026-12-01" == page.trait("at")
    widget.button("Earlier: v1 milestone, 2026-06-01").click()
    widget.wait_until_fresh()
    assert "2026-06-01" == page.trait("at")
    widget.button("Today").click()
    widget.wait_until_fresh()

    assert "" == page.trait("at")
    expect(widget.field("As of")).to_have_attribute("placeholder", "now, 2026-11-21")


def test_the_slider_moves_through_time_with_quick_pictures_and_one_update(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    page.without_pauses()
    slider = widget.slider("As of")
    slider.focus()
    before = len(page.asked("frame"))
    for _ in range(3):
        page.page.keyboard.down("ArrowRight")
    assert {True} == {frame["quick"] for frame in page.asked("frame")[before:]}
    page.page.keyboard.up("ArrowRight")
    widget.wait_until_fresh()

    expect(widget.field("As of")).to_have_value("2027-12-01")
    expect(slider).to_have_attribute("aria-valuetext", "2027-12-01")
    assert [{"at": "2027-12-01"}] == page.updates()
    expect(widget.headers()).to_contain_text("410 Gone")


def test_a_locked_input_says_so_and_cannot_be_changed(planners: OpenPlanner):
    page = planners()
    widget = page.shown(traits={"locked": ["versions", "months", "at", "version"]})

    expect(widget.root.get_by_text("locked", exact=True)).to_have_count(4)
    for column in ("Version", "Released", "Deprecated", "Removed"):
        expect(widget.cell(column, "v1")).not_to_be_editable()
    expect(widget.cell("Channel", "v1")).to_be_disabled()
    expect(widget.root.get_by_role("textbox", name="Notice period (months)")).not_to_be_editable()
    expect(widget.slider("As of")).to_be_disabled()
    expect(widget.button("Add version")).to_have_count(0)
    expect(widget.button("Remove v1")).to_have_count(0)
    expect(widget.headers().get_by_role("combobox")).to_be_disabled()
    expect(widget.root.get_by_role("button", name="Pick a date")).to_have_count(0)
    widget.root.get_by_role("button", name="Later").click(force=True)

    assert [] == page.updates()
