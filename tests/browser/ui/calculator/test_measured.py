"""`Load access log…` and `Paste response headers…`: inputs that are filled with what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.ui.calculator.page import Calculator, OpenCalculator

LINE = b'1.1.1.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5\n'


def load(widget: Calculator, data: bytes, name: str = "access.log") -> None:
    """Choose a log and read it."""
    widget.button("Load access log…").click()
    widget.root.locator(".hw-measure input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": data}
    )
    widget.button("Read log").click()


def test_a_log_fills_the_traffic_and_says_what_was_read(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    before = page.trait("steady")
    load(widget, LINE * 30_000)
    expect(widget.root.get_by_text("Read 5,250 requests.", exact=True).first).to_be_visible()
    widget.wait_until_fresh()

    assert ("3/s", "40", "2 s", "") == tuple(
        page.trait(name) for name in ("steady", "burst", "burst_window_s", "burst_every_s")
    )
    expect(widget.root.get_by_text("The times are whole seconds.")).to_be_visible()
    widget.button("Restore what was entered").click()
    widget.wait_until_fresh()
    assert before == page.trait("steady")


def test_what_is_no_log_is_said_and_nothing_that_was_typed_is_lost(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.field("Steady traffic").fill("21/s")
    load(widget, b"no log")

    expect(widget.root.locator(".hw-measure .hw-alert")).to_contain_text("no two lines")
    # The status line for screen readers says it as well, until it has something newer to say.
    shown = widget.root.get_by_text("no two lines").and_(widget.root.page.locator(":not([role=status])"))
    expect(shown).to_have_count(1)
    expect(widget.field("Steady traffic")).to_have_value("21/s")
    assert "21/s" == page.trait("steady")


@pytest.mark.long
def test_a_log_that_is_too_large_stays_in_the_browser(calculators: OpenCalculator, tmp_path: Path):
    log = tmp_path / "big.log"
    log.write_bytes(LINE * 320_000)
    page = calculators()
    widget = page.shown()
    widget.button("Load access log…").click()
    widget.root.locator(".hw-measure input[type=file]").set_input_files(log)

    expect(widget.root.get_by_text("big.log has more than 20 MB")).to_be_visible()
    assert [] == page.asked("part")


def test_headers_fill_the_limits_and_can_be_taken_back(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    before = page.trait("limits")
    widget.button("Paste response headers…").click()
    widget.field("Headers to read").fill('RateLimit-Policy: "burst";q=100;w=60')
    widget.button("Read headers").click()
    expect(widget.root.get_by_text("The headers do not say the algorithm.")).to_be_visible()
    widget.wait_until_fresh()

    assert [["burst", "100/min"], ["daily", "5000/day"]] == page.trait("limits")
    widget.button("Restore what was entered").click()
    widget.wait_until_fresh()
    assert before == page.trait("limits")


def test_an_error_takes_the_place_of_the_last_report_whose_inputs_can_still_be_taken_back(
    calculators: OpenCalculator,
):
    page = calculators()
    widget = page.shown()
    before = page.trait("limits")
    report = widget.root.locator(".hw-measure").get_by_text("The headers do not say the algorithm.")
    widget.button("Paste response headers…").click()
    widget.field("Headers to read").fill('RateLimit-Policy: "burst";q=100;w=60')
    widget.button("Read headers").click()
    expect(report).to_be_visible()
    widget.field("Headers to read").fill("hello")
    widget.button("Read headers").click()

    expect(widget.root.locator(".hw-measure .hw-alert")).to_contain_text("no header")
    expect(report).to_have_count(0)
    widget.button("Restore what was entered").click()
    widget.wait_until_fresh()
    assert before == page.trait("limits")


@pytest.mark.long
def test_headers_without_a_limit_are_an_error_until_they_are_changed(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.button("Paste response headers…").click()
    widget.field("Headers to read").fill("hello")
    widget.button("Read headers").click()

    alert = widget.root.locator(".hw-measure .hw-alert")
    expect(alert).to_contain_text("no header")
    widget.field("Headers to read").press("x")
    expect(alert).to_have_count(0)


@pytest.mark.long
def test_by_keyboard_and_without_violations(calculators: OpenCalculator):
    page = calculators(width=360)
    widget = page.shown()
    widget.button("Load access log…").press("Enter")
    widget.button("Paste response headers…").press("Enter")

    expect(widget.button("Load access log…")).to_have_attribute("aria-expanded", "true")
    expect(widget.field("Access log")).to_be_visible()
    assert [] == page.violations(widget.root)


@pytest.mark.long
@pytest.mark.parametrize("traffic", [True, False])
def test_traffic_of_code_is_not_replaced_by_a_log(calculators: OpenCalculator, traffic: bool):
    widget = calculators().shown(faults={"ownTraffic": traffic})

    expect(widget.button("Load access log…")).to_have_count(0 if traffic else 1)
