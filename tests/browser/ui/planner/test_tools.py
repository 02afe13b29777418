"""Tools for documents: calls in an access log, changes between two API documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.ui.fake_host import LOOKS
from tests.browser.ui.planner.page import OpenPlanner, Planner

CALLERS = "Who still calls v1?"
LINES = "203.0.113.9 - - GET /api/v1\n198.51.100.7 - - GET /api/v1\n"


def open_callers(widget: Planner) -> Locator:
    widget.tab(CALLERS).click()
    return widget.panel()


def count(widget: Planner, log: str = LINES) -> Locator:
    panel = open_callers(widget)
    panel.get_by_label("Access log", exact=True).fill(log)
    widget.button("Count calls").click()
    expect(panel.get_by_text("2 calls in 2 lines.")).to_be_visible()
    return panel


def test_pasted_lines_are_counted_and_nothing_of_them_is_saved(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    before = page.updates()
    panel = count(widget)

    expect(panel.get_by_role("rowheader", name="203.0.113.9")).to_be_visible()
    expect(panel.get_by_text("Line 7: neither common")).to_be_visible()
    expect(panel.get_by_text("Neither the log nor the result is saved in the notebook.")).to_be_visible()
    assert before == page.updates()


def test_a_chosen_file_is_sent_in_parts_and_its_result_saved_and_copied(
    planners: OpenPlanner, tmp_path: Path
):
    log = tmp_path / "access.log"
    log.write_text(LINES + "\n" * 1_500_000)
    page = planners(permissions=["clipboard-read", "clipboard-write"])
    widget = page.shown()
    panel = open_callers(widget)
    panel.get_by_label("Choose a file: Access log").set_input_files(log)
    expect(panel.get_by_text("access.log")).to_be_visible()
    widget.button("Count calls").click()
    expect(panel.get_by_text("2 calls in 2 lines.")).to_be_visible()

    assert [0, 1_000_000] == [part["at"] for part in page.asked("part")]
    with page.page.expect_download() as download:
        widget.button("Save CSV").click()
    assert ("calls-by-version.csv", "Version,Client\n") == (
        download.value.suggested_filename,
        Path(download.value.path()).read_text(),
    )
    panel.get_by_role("button", name="Copy Markdown").click()
    page.page.wait_for_function('navigator.clipboard.readText().then((text) => text.startsWith("# Calls"))')


@pytest.mark.long
def test_a_file_that_is_dropped_is_taken(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    panel = open_callers(widget)
    data = page.page.evaluate_handle(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.log"));
            return data;
        }""",
        LINES,
    )
    panel.get_by_label("Access log", exact=True).dispatch_event("drop", {"dataTransfer": data})
    expect(panel.get_by_text("dropped.log")).to_be_visible()
    panel.get_by_role("button", name="Remove dropped.log").click()

    expect(panel.get_by_label("Access log", exact=True)).to_be_visible()


@pytest.mark.long
def test_a_long_text_that_is_pasted_is_held_like_a_file(planners: OpenPlanner):
    """Chromium needs seconds to lay out 100 KB of lines in a field."""
    page = planners()
    widget = page.shown()
    panel = open_callers(widget)
    field = panel.get_by_label("Access log", exact=True)
    for times, shown in ((1, False), (1000, True)):
        data = page.page.evaluate_handle(
            """(text) => {
                const data = new DataTransfer();
                data.setData("text/plain", text);
                return data;
            }""",
            LINES * times,
        )
        field.evaluate(
            """(field, data) => field.dispatchEvent(
                new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))""",
            data,
        )
        expect(panel.get_by_text("Pasted text")).to_have_count(int(shown))
    widget.button("Count calls").click()

    expect(panel.get_by_text("2000 calls in 2000 lines.")).to_be_visible()


@pytest.mark.long
def test_a_file_that_is_too_large_is_not_sent(planners: OpenPlanner, tmp_path: Path):
    log = tmp_path / "huge.log"
    log.write_bytes(b"x" * 20_000_001)
    page = planners()
    widget = page.shown()
    panel = open_callers(widget)
    panel.get_by_label("Choose a file: Access log").set_input_files(log)

    expect(panel.get_by_text("huge.log has more than 20 MB.")).to_be_visible()
    expect(widget.button("Count calls")).to_have_attribute("aria-disabled", "true")
    assert [] == page.asked("part")


def test_what_the_kernel_rejects_is_said_in_the_panel(planners: OpenPlanner):
    page = planners()
    widget = page.shown(faults={"usage": "the log has more than 1,000,000 lines; count the days one by one"})
    panel = open_callers(widget)
    panel.get_by_label("Access log", exact=True).fill("x")
    widget.button("Count calls").click()

    expect(panel.get_by_text("count the days one by one")).to_be_visible()
    expect(panel.page.locator(".hw-banner:visible")).to_have_count(0)
    expect(widget.button("Count calls")).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.long
def test_a_result_is_dimmed_when_the_versions_change_and_gone_with_another_log(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    panel = count(widget)
    widget.cell("Version", "v3").fill("4")
    expect(panel.locator(".hw-stale")).to_be_visible()
    panel.get_by_label("Access log", exact=True).fill("x")

    expect(panel.get_by_text("2 calls in 2 lines.")).to_have_count(0)


def test_without_a_kernel_nothing_can_be_counted(planners: OpenPlanner):
    page = planners()
    widget = page.mount(kernel=False)

    expect(widget.root.get_by_role("tab", name=CALLERS)).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_in_a_result_and_nothing_sticks_out(planners: OpenPlanner, width: int):
    page = planners(width=width)
    widget = page.shown()
    panel = count(widget)
    results = {}
    for look in LOOKS:
        page.look(look, widget.root)
        widget.wait_until_fresh()
        # What is scrolled out of sight cannot be decided.
        results[look] = page.violations(widget.root, undecided=width > 360)
    inside = panel.locator(".hw-scroll *").evaluate_all(
        "all => all.map(el => `${el.tagName}.${el.className}`)"
    )

    assert {look: [] for look in LOOKS} == results
    assert [] == [each for each in page.overflow() if each not in inside]


@pytest.mark.long
def test_the_keyboard_reaches_the_field_the_file_and_the_button(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    panel = open_callers(widget)
    panel.get_by_label("Access log", exact=True).focus()
    page.page.keyboard.type("x")
    page.page.keyboard.press("Tab")
    expect(panel.get_by_label("Choose a file: Access log")).to_be_focused()
    page.page.keyboard.press("Tab")
    expect(widget.button("Count calls")).to_be_focused()
    page.page.keyboard.press("Enter")

    expect(panel.get_by_text("1 calls in 1 lines.")).to_be_visible()


def compare(widget: Planner, old: str = "openapi: 3.1.0", new: str = "openapi: 3.1.1") -> Locator:
    widget.tab("Change check").click()
    panel = widget.panel()
    panel.get_by_label("Old document", exact=True).fill(old)
    panel.get_by_label("New document", exact=True).fill(new)
    widget.button("Compare").click()
    return panel


def test_two_documents_are_compared_and_nothing_of_them_is_saved(planners: OpenPlanner):
    page = planners()
    widget = page.shown()
    before = page.updates()
    panel = compare(widget)

    expect(panel.get_by_text("Needs a new major version: v4")).to_be_visible()
    expect(panel.get_by_role("cell", name="all clients")).to_be_visible()
    expect(panel.get_by_role("list", name="Not compared")).to_contain_text("itemEncoding")
    expect(panel.get_by_text("Neither they nor the result are saved in the notebook.")).to_be_visible()
    assert before == page.updates()
    widget.button("Add v4 as next release").click()
    expect(widget.cell("Released", "v4")).to_have_value("2026-12-01")
    expect(widget.button("Add v4 as next release")).to_have_count(0)
    panel.get_by_label("New document", exact=True).fill("openapi: 3.1.0")
    expect(panel.get_by_text("Needs a new major version: v4")).to_have_count(0)
    widget.button("Compare").click()
    expect(panel.get_by_text("Needs no new version: no difference")).to_be_visible()


@pytest.mark.long
def test_files_of_two_documents_are_compared(planners: OpenPlanner, tmp_path: Path):
    widget = planners().shown()
    widget.tab("Change check").click()
    panel = widget.panel()
    expect(widget.button("Compare")).to_have_attribute("aria-disabled", "true")
    for name in ("Old document", "New document"):
        path = tmp_path / f"{name[:3]}.yaml"
        path.write_text(name)
        panel.get_by_label(f"Choose a file: {name}").set_input_files(path)
    expect(panel.get_by_text("New.yaml")).to_be_visible()
    widget.button("Compare").click()

    expect(panel.get_by_text("Needs a new major version: v4")).to_be_visible()


def test_a_document_that_cannot_be_read_is_said_in_the_panel(planners: OpenPlanner):
    problem = "comparing needs jsonschema, which is not installed; pip install 'hook-widgets[openapi]'"
    panel = compare(planners().shown(faults={"changes": problem}))

    expect(panel.get_by_text("pip install 'hook-widgets[openapi]'")).to_be_visible()
    expect(panel.page.locator(".hw-banner:visible")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_in_a_comparison_and_nothing_sticks_out(planners: OpenPlanner, width: int):
    page = planners(width=width)
    widget = page.shown()
    panel = compare(widget)
    expect(panel.get_by_text("Needs a new major version: v4")).to_be_visible()
    results = {}
    for look in LOOKS:
        page.look(look, widget.root)
        widget.wait_until_fresh()
        results[look] = page.violations(widget.root, undecided=width > 360)
    inside = panel.locator(".hw-scroll *").evaluate_all(
        "all => all.map(el => `${el.tagName}.${el.className}`)"
    )

    assert {look: [] for look in LOOKS} == results
    assert [] == [each for each in page.overflow() if each not in inside]


def test_each_code_to_install_can_be_copied(planners: OpenPlanner):
    widget = planners().shown()
    widget.tab("Install it").click()

    expect(widget.panel().locator("h3")).to_have_text(["Python middleware", "nginx", "Envoy"])
    expect(widget.panel().locator(".hw-head").get_by_role("button")).to_have_count(3)
