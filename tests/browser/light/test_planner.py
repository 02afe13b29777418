"""The planner with a real kernel: what is entered counts in the kernel, and what is shown is the kernel's."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime

import icalendar
import pytest
from PIL import Image
from playwright.sync_api import expect

from hook_widgets.versioning.planning.form_input import read_form
from hook_widgets.versioning.planning.timeline import timeline, timeline_table
from tests.browser.journeys import check_a_change
from tests.browser.light.kernel_page import KernelPage
from tests.browser.ui.planner.page import Planner

Show = Callable[..., Planner]
PLAN = (
    "[['1', '', '2026-06-01'], ['2', '2026-03-02'], ['3', '2027-06-01', '', '', 'preview']], "
    "name='Orders API', zone='Europe/Berlin', at='2026-11-20 12:00', version='1'"
)


@pytest.fixture
def show(tab: KernelPage) -> Show:
    """Shows a planner with the given arguments, called ``w`` in the kernel, and its first picture."""

    def run(arguments: str = PLAN) -> Planner:
        tab.run("from hook_widgets import VersionPlanner", f"w = VersionPlanner({arguments})\nw")
        widget = Planner(tab.panel.locator(".hw"))
        widget.wait_until_fresh()
        return widget

    return run


def enter(widget: Planner, column: str, row: str, text: str) -> None:
    """Type into a field of a version and leave it with Enter; wait for the picture of it."""
    cell = widget.cell(column, row)
    cell.fill(text)
    cell.press("Enter")
    widget.wait_until_fresh()


def test_typed_values_reach_the_kernel_and_are_described_as_by_the_core(show: Show, tab: KernelPage):
    widget = show()
    enter(widget, "Deprecated", "v1", "2026-07-01 09:00")
    enter(widget, "Removed", "v1", "2028-03-01")
    enter(widget, "Released", "v2", "2026-04-01")
    widget.button("Add version").click()
    expect(widget.cell("Version", "row 4")).to_be_focused()
    tab.page.keyboard.type("4")
    widget.wait_until_fresh()
    widget.cell("Channel", "v4").select_option("Preview")
    widget.wait_until_fresh()

    versions = json.loads(tab.execute("import json; print(json.dumps(w.versions))"))
    assert [
        ["1", "", "2026-07-01 09:00", "2028-03-01", "stable", ""],
        ["2", "2026-04-01", "", "", "stable", ""],
        ["3", "2027-06-01", "", "", "preview", ""],
        ["4", "", "", "", "preview", ""],
    ] == versions
    values = {"versions": versions, "zone": "Europe/Berlin", "at": "2026-11-20 12:00"}
    form = read_form(values, now=datetime(2026, 11, 20, tzinfo=UTC))
    expected = timeline_table(timeline(form.api, form.at))
    body = widget.panel().get_by_role("rowgroup").last.get_by_role("row")
    shown = [text.replace("\xa0", " ").split("\t") for text in body.all_inner_texts()]
    assert [list(row) for row in expected.rows] == shown


def test_headers_are_those_of_the_api_in_code(show: Show, tab: KernelPage):
    widget = show()
    sent = tab.execute(
        "from datetime import datetime, UTC\n"
        "print(*(f'{n}: {v}' for n, v in w.api.headers(1, datetime(2026, 11, 20, 11, tzinfo=UTC),"
        " target='/orders')), sep='\\n')"
    )
    rows = widget.headers().get_by_role("rowgroup").last.get_by_role("row")

    assert sent.strip().splitlines() == [re.sub(r"\s*\t\s*", ": ", text) for text in rows.all_inner_texts()]
    assert "Api-Version: 1" in sent
    assert "Deprecation: @1780300800" in sent


@pytest.mark.long
def test_moving_through_time_ends_with_the_removal(show: Show, tab: KernelPage):
    widget = show()
    for title in ("v1 reminder", "v1 final notice, v3 release", "v1 removal"):
        widget.root.get_by_role("button", name=f"Later: {title}").click()
        widget.wait_until_fresh()
    expect(widget.headers()).to_contain_text("410 Gone")
    expect(widget.headers()).to_contain_text("version_removed")
    expect(widget.row("v1").locator(".hw-chip")).to_contain_text("removed")
    assert "2027-12-01" == tab.execute("print(w.at)").strip()

    widget.slider("As of").press("Home")
    widget.wait_until_fresh()
    expect(widget.row("v1").locator(".hw-chip")).to_contain_text("active")


@pytest.mark.parametrize(
    ("column", "text", "message"),
    [
        ("Deprecated", "someday", "write it as 2026-01-31"),
        ("Removed", "2020-12-01", "not after the announcement"),
        ("Version", "2", "is in rows 1 and 2"),
    ],
)
def test_a_bad_text_is_reported_at_its_field_and_nothing_is_lost(
    show: Show, column: str, text: str, message: str
):
    widget = show()
    cell = widget.cell(column, "v1")
    cell.fill(text)
    wrong = widget.root.locator("[aria-invalid=true]")

    expect(wrong).to_have_count(1)
    expect(wrong).to_have_accessible_description(re.compile(message))
    expect(wrong).to_have_value(text)
    expect(widget.picture).to_be_visible()


def test_a_period_over_24_months_is_questioned(show: Show):
    widget = show(f"{PLAN}, months=30")

    expect(widget.row("v1")).to_contain_text("The period is over 24 months")


def test_code_and_widget_show_the_same(show: Show, tab: KernelPage):
    widget = show()
    tab.execute("from datetime import date; w.at = date(2028, 1, 3); w.version = 2")

    expect(widget.field("As of")).to_have_value("2028-01-03")
    expect(widget.status).to_contain_text("v2: active")


def test_locked_inputs_cannot_be_changed(show: Show):
    widget = show(f"{PLAN}, locked=['versions', 'zone']")

    assert not widget.cell("Released", "v1").is_editable()
    expect(widget.button("Add version")).to_have_count(0)
    assert not widget.root.get_by_role("combobox", name="Time zone").is_editable()
    assert widget.field("As of").is_editable()


@pytest.mark.parametrize(
    ("button", "name"),
    [("Save PNG", "orders-api-versions.png"), ("Save calendar (.ics)", "orders-api-versions.ics")],
)
def test_files_are_saved(show: Show, tab: KernelPage, button: str, name: str):
    widget = show()
    with tab.page.expect_download() as download:
        widget.button(button).click()
    data = download.value.path().read_bytes()

    assert name == download.value.suggested_filename
    if name.endswith("png"):
        assert "PNG" == Image.open(io.BytesIO(data)).format
    else:
        assert 4 == len(icalendar.Calendar.from_ical(data).walk("VEVENT"))


@pytest.mark.long
def test_beside_an_open_sidebar_every_column_of_the_dates_is_seen(show: Show, tab: KernelPage):
    widget = show("[['1', '', '2026-06-30 10:00'], ['2', '2026-03-02']], at='2026-11-20'")
    tab.page.set_viewport_size({"width": 892, "height": 1000})  # 16 px at each side
    widget.wait_until_fresh()
    table = widget.root.get_by_role("region", name=re.compile("^Versions and their dates"))

    expect(table.get_by_role("columnheader")).to_have_count(9)
    assert 0 == table.evaluate("(table) => table.scrollWidth - table.clientWidth")


@pytest.mark.long
def test_on_a_phone_each_version_is_a_list_of_its_dates(show: Show, tab: KernelPage):
    widget = show("[['1', '', '2026-06-30 10:00'], ['2', '2026-03-02']], at='2026-11-20'")
    tab.page.set_viewport_size({"width": 360, "height": 800})
    widget.wait_until_fresh()
    table = widget.root.get_by_role("region", name=re.compile("^Versions and their dates"))

    assert 0 == table.evaluate("(table) => table.scrollWidth - table.clientWidth")
    assert '"Removed"' == table.get_by_role("row").nth(1).get_by_role("cell").nth(5).evaluate(
        "(cell) => getComputedStyle(cell, '::before').content.split(' / ')[0]"
    )
    expect(table.get_by_role("columnheader")).to_have_count(9)  # screen readers still have a table
    assert [] == tab.violations(widget.root)


def test_a_brownout_is_entered_and_answered_by_the_kernel(show: Show, tab: KernelPage):
    widget = show()
    enter(widget, "Brownouts", "v1", "2027-03-01 10:00 for 1h")
    field = widget.field("As of")
    field.fill("2027-03-01 10:30")
    field.press("Enter")
    widget.wait_until_fresh()

    expect(widget.headers()).to_contain_text("503 Service Unavailable")
    expect(widget.headers()).to_contain_text("1800")


def test_the_calls_in_a_log_and_the_changes_between_documents_come_from_the_kernel(
    show: Show, tab: KernelPage
):
    widget = show()
    line = (
        '203.0.113.199 - - [21/Nov/2026:09:30:00 +0100] "GET /api/v1/orders HTTP/1.1" 200 12 "-" "curl/8.5"'
    )
    widget.tab("Who still calls v1?").click()
    panel = widget.panel()
    log = {"name": "access.log", "mimeType": "text/plain", "buffer": f"{line}\n".encode() * 20_000}
    panel.get_by_label("Choose a file: Access log").set_input_files(log)  # type: ignore[arg-type]
    widget.button("Count calls").click()
    expect(panel.get_by_text("20,000 calls in 20,000 lines.")).to_be_visible()
    expect(panel.get_by_role("rowheader", name="203.0.113.199")).to_be_visible()

    widget.tab("Change check").click()
    panel = widget.panel()
    panel.get_by_label("Old document", exact=True).fill('{"type": "object", "properties": {"total": {}}}')
    panel.get_by_label("New document", exact=True).fill("type: object\nproperties: {}")
    widget.button("Compare").click()
    expect(panel.get_by_text("Needs a new major version: v3, which is planned")).to_be_visible()
    expect(panel.get_by_text("property-removed")).to_be_visible()


def test_a_change_is_checked_without_a_mouse(show: Show, tab: KernelPage):
    widget = show()

    check_a_change(widget)

    assert [] == tab.violations(widget.root)
