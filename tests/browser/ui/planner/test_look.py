"""The planner's look, names and keys: axe, widths, themes, files, texts, kernels that misbehave."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from hook_widgets.versioning.planning.form_input import FORM_FIELDS
from tests.browser.ui.fake_host import ANSWER_MS, LOOKS
from tests.browser.ui.planner.page import OpenPlanner, Planner

_LONG = "a-very-long-name-" * 12


def test_axe_finds_nothing_in_any_tab_and_look(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    widget.root.get_by_text("URLs, links").click()
    results = page.violations_in_every_look(widget)

    assert {} == {where: violations for where, violations in results.items() if violations}
    assert len(LOOKS) * len(widget.tabs) == len(results)


@pytest.mark.long
@pytest.mark.parametrize("state", ["error", "advisories", "removed", "locked", "static", "first error"])
def test_axe_finds_nothing_in_the_rarer_states(planners: OpenPlanner, state: str):
    page = planners()
    rare: dict[str, dict[str, object]] = {
        "advisories": {"months": "30"},
        "removed": {"at": "2028-01-01", "version": "1"},
        "locked": {"locked": ["name", "versions", "at", "version", "prefix"]},
        "first error": {"months": "3"},
    }
    widget = page.mount(traits=rare.get(state, {}), kernel=state != "static")
    if state not in ("static", "first error"):
        widget.wait_until_fresh()
    if state == "error":
        widget.cell("Released", "v2").fill("x")
        expect(widget.picture).to_have_css("opacity", "0.7")
    if state == "first error":
        expect(widget.root.get_by_label("Notice period (months)").first).to_have_attribute(
            "aria-invalid", "true"
        )

    results = []
    for theme in ("light", "dark"):
        page.look(theme, widget.root)
        if state not in ("static", "error", "first error"):
            widget.wait_until_fresh()
        # What is stale is dimmed on purpose: its contrast is not that of text to be read.
        results += [
            f"{theme}: {each}"
            for each in page.violations(widget.root)
            if state != "error" or "color-contrast" not in each
        ]
    assert [] == results


def test_nothing_sticks_out_at_any_width(planners: OpenPlanner):
    page = planners(width=360)
    widget = page.shown(traits={"name": _LONG, "base_url": f"https://{_LONG}", "months": "30"})
    results = page.sticks_out(widget, (360, 560, 800, 1400))

    assert {} == {where: sticking for where, sticking in results.items() if sticking}


def test_a_closed_select_shows_the_whole_name_at_any_width(planners: OpenPlanner):
    rows = [["1", "2024-05-01", "2026-06-30", "", "stable", "2027-03-01 10:00 for 1h"]]
    page = planners(width=320)
    widget = page.shown(traits={"versions": rows})
    choices = {each.label: [title for _, title in each.choices] for each in FORM_FIELDS if each.choices}
    cut = {}
    for width in (320, 360, 480, 640, 768, 900, 1000, 1100, 1440, 1920):
        page.widen(width)
        for label, titles in choices.items():
            if lacking := widget.lacking(label, titles):
                cut[width, label] = lacking

    assert {"Deprecation headers", "Warning: 299", "During brownouts"} == set(choices)
    assert {} == cut


@pytest.mark.long
def test_a_date_with_its_time_is_seen_whole_at_any_width(planners: OpenPlanner):
    rows = [["1", "2024-05-01 10:00", "2026-06-30 10:00", "2027-12-30 10:00", ""]]
    page = planners(width=360)
    widget = page.shown(traits={"versions": rows})
    cells = [widget.cell(name, "v1") for name in ("Released", "Deprecated", "Removed")]

    for width in (360, 580, 700, 720, 900):
        page.widen(width)
        hidden = [each.evaluate("(input) => input.scrollWidth - input.clientWidth") for each in cells]
        assert (width, [0, 0, 0]) == (width, hidden)


@pytest.mark.long
def test_narrow_names_every_field_of_every_version(planners: OpenPlanner):
    page = planners(width=1100)
    widget = page.shown()
    names = widget.row("v2").locator(".hw-cell > span")
    expect(names.filter(visible=True)).to_have_count(0)
    page.page.set_viewport_size({"width": 440, "height": 900})

    expect(names.filter(visible=True)).to_have_text(
        ["Version", "Channel", "Released", "Deprecated", "Removed"]
    )


@pytest.mark.long
def test_every_target_is_large_enough(planners: OpenPlanner):
    widget = planners(width=360).shown()
    widget.root.get_by_text("URLs, links").click()
    small = widget.root.locator("button, select, summary, input:not([type=date])").evaluate_all(
        """all => all.filter(el => el.checkVisibility()).flatMap(el => {
            const { width, height } = el.getBoundingClientRect();
            return width < 24 || height < 24 ? [`${el.tagName} ${el.id} ${width} ${height}`] : [];
        })"""
    )

    assert [] == small


@pytest.mark.long
def test_the_keyboard_reaches_everything_in_the_order_of_reading(planners: OpenPlanner):
    page = planners()
    widget = page.shown(traits={"versions": [["1", "", "2026-06-01", "", "stable"]]})
    widget.field("API name").focus()
    texts = []
    for _ in range(23):
        page.page.keyboard.press("Tab")
        texts.append(page.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))

    assert [
        *("Version, v1", "Channel, v1", "Released, v1", "Pick a date: Released, v1", "Deprecated, v1"),
        *("Pick a date: Deprecated, v1", "Removed, v1", "Pick a date: Removed, v1"),
        *("Brownouts, v1", "Remove v1", "As of", "Pick a date: As of"),
    ] == [name for name in texts if "v1" in name or name.endswith("As of")][:12]


def spoken(widget: Planner) -> Locator:
    """The live region, after it announced the status; nothing follows without an edit."""
    said = widget.root.locator("[aria-live]")
    expect(said).to_have_text("v1: deprecated, 375 days left")
    return said


def test_headers_are_shown_and_copied_as_they_are_sent(planners: OpenPlanner):
    page = planners(permissions=["clipboard-read", "clipboard-write"])
    widget = page.shown()
    expect(widget.headers().get_by_role("row", name="Sunset Wed, 01 Dec 2027")).to_be_visible()
    said = spoken(widget)
    widget.button("Copy headers").click()
    expect(said).to_have_text("Copied: headers")
    copied = page.page.evaluate("navigator.clipboard.readText()")

    assert "Api-Version: 1\nDeprecation: @1780264800\nSunset: Wed, 01 Dec 2027 00:00:00 GMT\n" in copied


@pytest.mark.long
def test_another_version_has_its_own_headers_and_texts(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    widget.headers().get_by_role("combobox").select_option("v2")
    widget.wait_until_fresh()
    expect(widget.headers().get_by_role("row")).to_have_count(2)  # with the heading
    widget.tab("Reminder").click()

    expect(widget.panel()).to_contain_text("No notice: v2 is not deprecated.")
    assert "2" == page.trait("version")


@pytest.mark.long
def test_a_version_that_was_written_as_v2_is_the_one_in_the_list(planners: OpenPlanner):
    widget = planners().shown(traits={"version": "v2"})

    expect(widget.headers().get_by_role("combobox")).to_have_value("2")
    expect(widget.headers().get_by_role("option")).to_have_text(["v1", "v2", "v3"])


@pytest.mark.long
def test_the_texts_are_shown_and_copied(planners: OpenPlanner):
    page = planners(permissions=["clipboard-read", "clipboard-write"])
    widget = page.shown()
    widget.tab("Final notice").click()
    text = widget.root.get_by_role("region", name="Final notice for v1")
    expect(text).to_contain_text("# Orders API: Final notice of v1")
    said = spoken(widget)
    widget.button("Copy text").click()
    expect(said).to_have_text("Copied: text")

    assert text.inner_text().strip() == page.page.evaluate("navigator.clipboard.readText()").strip()


SAVED = [
    ("Dates", "Save PNG", "orders-api.png"),
    ("Dates", "Save SVG", "orders-api.svg"),
    ("Dates", "Save CSV", "orders-api.csv"),
    ("Dates", "Save calendar (.ics)", "orders-api.ics"),
    ("Reminder", "Save Markdown", "orders-api-v1-reminder.md"),
]


def test_files_are_saved_under_the_kernels_names(planners: OpenPlanner, tmp_path: Path):
    page = planners()
    widget = page.shown()
    said = spoken(widget)
    for tab, button, name in SAVED:
        widget.tab(tab).click()
        with page.page.expect_download() as download:
            widget.button(button).click()
        download.value.save_as(tmp_path / name)

        assert name == download.value.suggested_filename
        assert (tmp_path / name).stat().st_size > 0, name
        expect(said).to_have_text(f"Saved {name}")


@pytest.mark.long
def test_the_table_has_a_caption_and_headings(planners: OpenPlanner):
    widget = planners().shown()
    table = widget.root.get_by_role("table", name="Versions of Orders API on 2026-11-21")

    expect(table.get_by_role("rowheader")).to_have_text(["v1", "v2", "v3"])
    expect(table.get_by_role("columnheader").first).to_have_text("Version")


@pytest.mark.long
def test_the_status_is_spoken_when_it_has_settled(planners: OpenPlanner):
    widget = planners().shown()
    said = spoken(widget)
    widget.field("As of").fill("2028-01-01")

    expect(said).to_have_text("v1: removed")


def test_a_page_without_a_kernel_shows_the_saved_dates(planners: OpenPlanner):
    widget = planners().mount(kernel=False)

    expect(widget.banner("No kernel: the dates are shown as they were saved")).to_be_visible()
    expect(widget.cell("Released", "v2")).to_have_value("2025-11-01")
    expect(widget.cell("Released", "v2")).not_to_be_editable()


@pytest.mark.long
def test_a_silent_kernel_is_waited_for_and_what_is_typed_is_kept(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    page.hasten(ANSWER_MS)
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.cell("Released", "v2").fill("2025-12-24")

    expect(widget.banner("Waiting for the kernel. Your changes are kept.")).to_be_visible()
    expect(widget.cell("Released", "v2")).to_have_value("2025-12-24")


@pytest.mark.parametrize("op", ["frame", "catalog"])
def test_an_answer_that_makes_no_sense_is_said_and_runs_nothing(planners: OpenPlanner, op: str):
    page = planners()
    widget = page.mount(faults={"hostile": op})

    expect(widget.banner(f"response to “{op}” cannot be read")).to_be_visible()
    expect(widget.cell("Version", "v1")).to_have_value("1")


@pytest.mark.long
def test_two_views_show_one_state(planners: OpenPlanner):
    page = planners()
    first = page.shown(views=2)
    second = Planner(page.page.locator(".hw").nth(1))
    first.cell("Released", "v2").fill("2025-12-24")
    first.wait_until_fresh()

    expect(second.cell("Released", "v2")).to_have_value("2025-12-24")
    second.wait_until_fresh()


@pytest.mark.long
def test_the_widget_works_in_a_shadow_root(planners: OpenPlanner):
    page = planners()
    widget = page.shown(shadow=True)
    widget.button("Add version").click()
    expect(widget.cell("Version", "row 4")).to_be_focused()
    widget.wait_until_fresh()  # an older result is dimmed, which axe measures

    assert "10px" == widget.root.evaluate("element => getComputedStyle(element).borderRadius")
    assert [] == page.violations(widget.root)


@pytest.mark.long
def test_the_end_of_a_view_leaves_no_listener(planners: OpenPlanner):
    page = planners()
    page.shown()
    page.page.evaluate("widget.closers.forEach(close => close()); widget.ends.abort()")

    assert (0, 0) == (page.page.evaluate("widget.model.listenerCount()"), page.page.locator(".hw").count())


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 360, 400, 420])
def test_the_labels_of_a_version_do_not_touch(planners: OpenPlanner, width: int):
    page = planners()
    page.page.set_viewport_size({"width": width, "height": 900})
    widget = page.shown()
    boxes = widget.row("v1").evaluate(
        """(row) => [...row.querySelectorAll(".hw-cell > span")].map((label) => {
          const range = document.createRange();
          range.selectNodeContents(label);
          const { left, right, top } = range.getBoundingClientRect();
          return { left, right, top };
        })"""
    )
    assert 6 == len(boxes)
    for one, other in itertools.pairwise(boxes):
        if one["top"] == other["top"]:
            assert other["left"] - one["right"] >= 8
