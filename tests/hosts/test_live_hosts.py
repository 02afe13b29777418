"""In every host with a kernel the widgets do what they are for, and no secret leaves the tab."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.journeys import retire_a_version, send_an_event, size_a_limit
from tests.hosts.live import HOSTS, Live
from tests.hosts.widgets import any_secret, kinds, leak, look_at_a_plan, sign_and_send, size_a_bucket
from tests.support.extent import extent
from tests.support.wire import Wire

BY_KEYBOARD = pytest.mark.parametrize(
    "live", extent(["marimo-run"], list(HOSTS)), indirect=True, scope="session"
)


def test_the_generator_signs_in_the_tab_and_the_kernel_sends(live: Live, receiver: Wire):
    sign_and_send(live.widgets.generator, receiver, any_secret())


def test_the_calculator_draws_and_follows_its_slider(live: Live):
    size_a_bucket(live.widgets.calculator)


def test_the_planner_draws_and_tells_what_a_client_is_answered(live: Live):
    look_at_a_plan(live.widgets.planner)


def test_the_theme_is_the_hosts(live: Live):
    widgets = live.page.locator(".hw")
    expect(widgets).to_have_count(3)
    for root in widgets.all():
        expect(root).to_have_attribute("data-theme", live.theme)


def look_of(part: Locator, *names: str) -> list[str]:
    """Return computed styles of an element."""
    return part.evaluate("(part, names) => names.map((name) => getComputedStyle(part)[name])", names)


def test_the_hosts_style_sheets_change_nothing_of_a_widget(live: Live):
    """marimo's takes the borders from all inputs and buttons, Voila's and JupyterLab's dress all tables."""
    widget = live.widgets.generator
    cell = widget.region("Request").get_by_role("cell").first
    names = ("borderTopWidth", "borderTopStyle", "fontSize", "fontStyle", "textAlign", "textTransform")

    assert ["1px", "solid", "12px", "normal", "start", "none"] == look_of(widget.secret, *names)
    assert ["1px", "solid", "12px", "normal", "left", "none"] == look_of(widget.button("Format"), *names)
    assert ["rgba(0, 0, 0, 0)", "left", "top"] == look_of(
        cell, "backgroundColor", "textAlign", "verticalAlign"
    )
    assert ["600", "13px"] == look_of(widget.root.get_by_role("heading").first, "fontWeight", "fontSize")


def test_the_doctor_knows_the_host_and_finds_no_fault(live: Live):
    shown = live.page.locator("body")

    expect(shown).to_contain_text(re.compile(rf"shown by\s+{live.name}", re.DOTALL))
    expect(shown).to_contain_text("No fault was found.")


def test_a_typed_secret_stays_in_the_tab_and_one_that_leaks_is_found(live: Live, receiver: Wire):
    secret, given_away = any_secret(), any_secret()
    sign_and_send(live.widgets.generator, receiver, secret)
    leak(live.page, given_away)

    assert [] == live.leaks(secret)
    assert live.gives_away <= kinds(live.leaks(given_away))
    assert [] == live.asked_elsewhere()


# These leave the widgets changed, so they come last. A shadow root is what changes where keys go.
@BY_KEYBOARD
def test_the_generator_is_used_by_keyboard_alone(live: Live, receiver: Wire):
    generator = live.widgets.generator
    generator.root.get_by_role("combobox", name="Provider").focus()
    send_an_event(generator, any_secret(), receiver.url)


@BY_KEYBOARD
def test_the_calculator_is_used_by_keyboard_alone(live: Live):
    calculator = live.widgets.calculator
    calculator.field("Rate limit").focus()
    size_a_limit(calculator)


@BY_KEYBOARD
def test_the_planner_is_used_by_keyboard_alone(live: Live):
    planner = live.widgets.planner
    planner.field("API name").focus()
    retire_a_version(planner)
