"""The keyboard: everything can be reached, nothing is trapped or given to the notebook."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.keys import tab_to
from tests.browser.ui.fake_host import CANARY, Open


def test_the_main_job_is_done_with_the_keyboard_alone(host: Open):
    page = host()
    widget = page.mount()
    expect(widget.payload).to_be_visible()
    keys = page.page.keyboard

    tab_to(page.page, "Generate")
    tab_to(page.page, "Provider")
    keys.type("twilio")
    keys.press("Enter")
    expect(widget.root.get_by_role("combobox", name="Provider")).to_have_value("Twilio")
    keys.press("ControlOrMeta+a")
    keys.type("stripe")
    keys.press("Enter")
    expect(widget.root.get_by_role("combobox", name="Provider")).to_have_value("Stripe")
    tab_to(page.page, "Event")
    keys.type("failed")
    keys.press("Enter")
    tab_to(page.page, "Payload")
    keys.press("Control+End")
    keys.type(" ")
    tab_to(page.page, "Protected field")
    expect(widget.secret).to_be_focused()
    keys.type(CANARY)
    keys.press("Enter")
    widget.wait_until_signed()
    tab_to(page.page, "Receiver URL", "Shift+Tab")
    keys.press("ControlOrMeta+a")
    keys.type("http://127.0.0.1:8000/typed")
    tab_to(page.page, "Send")
    keys.press("Enter")
    expect(widget.answer).to_contain_text("200 OK")
    assert "http://127.0.0.1:8000/typed" == page.page.evaluate("widget.kernel.deliveries[0].url")
    tab_to(page.page, "Response body")
    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("payment_intent.payment_failed")


@pytest.mark.long
def test_the_searchable_list_follows_the_arrow_keys(host: Open):
    widget = host().mount()
    field = widget.root.get_by_role("combobox", name="Event")
    field.focus()
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("ArrowDown")
    active = field.get_attribute("aria-activedescendant")
    expect(widget.root.locator(f"[id='{active}']")).to_contain_text("payment_intent.payment_failed")
    field.press("Escape")

    expect(field).to_have_attribute("aria-expanded", "false")
    expect(field).to_have_value("payment_intent.succeeded")


@pytest.mark.long
def test_a_list_that_is_entered_before_its_value_changes_is_searched_by_what_is_typed(host: Open):
    page = host()
    widget = page.mount()
    field = widget.root.get_by_role("combobox", name="Event")
    field.focus()
    page.page.evaluate(
        "widget.model.traits.event = 'customer.subscription.created', widget.model.emit('change:event')"
    )
    expect(field).to_have_value("customer.subscription.created")
    page.page.keyboard.type("failed")
    page.page.keyboard.press("Enter")

    expect(field).to_have_value("payment_intent.payment_failed")


@pytest.mark.long
def test_arrow_keys_move_between_tabs(host: Open):
    widget = host().mount()
    widget.root.get_by_role("tab", name="Generate").focus()
    widget.root.page.keyboard.press("ArrowRight")

    expect(widget.root.get_by_role("tab", name="Verify")).to_be_focused()
    expect(widget.root.get_by_role("tabpanel", name="Verify")).to_be_visible()


def test_plain_keys_do_not_reach_the_notebook(host: Open):
    page = host()
    widget = page.mount()
    page.page.evaluate("window.heard = []; document.addEventListener('keydown', e => heard.push(e.key))")
    for target in (widget.button("Add header"), widget.secret, widget.payload):
        target.focus()
        page.page.keyboard.press("a")

    assert [] == page.page.evaluate("heard")
    expect(widget.button("Add header")).to_have_attribute("data-lm-suppress-shortcuts", "true")
