"""First tasks of a user: the first signed request by mouse, and each widget by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.clicks import clicks, count_clicks
from tests.browser.conftest import SHARED, Show
from tests.browser.journeys import retire_a_version, send_an_event, size_a_limit
from tests.browser.lab import Lab
from tests.browser.sdk import SdkReceiver
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner
from tests.security.browser.victim import canary

_COPY = """(text) => {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  document.execCommand("copy");
  field.remove();
}"""


def test_the_first_signed_request_takes_two_clicks_and_a_paste(show: Show, lab: Lab, sdk: SdkReceiver):
    secret = canary()
    sdk.trust("github", secret)
    lab.page.evaluate(_COPY, secret)
    widget = show(f"'github', url={sdk.url('github')!r}")
    expect(widget.secret).to_be_visible()
    count_clicks(lab.page)

    widget.secret.click()
    lab.page.keyboard.press("ControlOrMeta+v")
    widget.wait_until_signed()
    widget.button("Send").click()

    expect(widget.answer).to_contain_text("200 OK")
    assert 2 == clicks(lab.page)
    assert "" == sdk.arrived("github")[-1].problem


def test_an_event_is_sent_without_a_mouse(show: Show, lab: Lab, sdk: SdkReceiver):
    secret = canary()
    sdk.trust("github", secret)
    widget = show("'stripe'")

    lab.page.keyboard.press("Escape")
    send_an_event(widget, secret, sdk.url("github"))

    assert "issue_comment" == sdk.arrived("github")[-1].headers["X-GitHub-Event"]
    assert 2 == len(lab.cells())


@pytest.mark.long
def test_a_limit_is_sized_without_a_mouse(lab: Lab):
    lab.run("from hook_widgets import RateLimitCalculator", "w = RateLimitCalculator()\nw", name=SHARED)
    widget = Calculator(lab.panel.locator(".hw"))
    widget.wait_until_fresh()

    lab.page.keyboard.press("Escape")
    size_a_limit(widget)

    assert 2 == len(lab.cells())


@pytest.mark.long
def test_a_version_is_retired_without_a_mouse(lab: Lab):
    plan = "[['1', '2024-05-01'], ['2', '2026-03-02']], name='Orders API', at='2026-11-20 12:00', version='1'"
    lab.run("from hook_widgets import VersionPlanner", f"w = VersionPlanner({plan})\nw", name=SHARED)
    widget = Planner(lab.panel.locator(".hw"))
    widget.wait_until_fresh()

    lab.page.keyboard.press("Escape")
    retire_a_version(widget)

    assert 2 == len(lab.cells())
