"""Keys that send, and the focus in a new row."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open


@pytest.mark.parametrize("key", ["Control+Enter", "Meta+Enter"])
@pytest.mark.parametrize("place", ["Payload", "Receiver URL", "Name of header 1", "Provider"])
def test_the_key_sends_once_from_anywhere_in_generate(host: Open, key: str, place: str):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    before = page.body()
    fields = {"Payload": widget.payload, "Provider": widget.root.get_by_role("combobox", name="Provider")}
    fields.get(place, widget.root.get_by_label(place, exact=True)).press(key)

    expect(widget.answer).to_contain_text("200 OK")
    assert 1 == len(page.asked("send"))
    assert before == page.body()


def test_enter_in_the_url_sends_to_the_url_that_was_typed(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.url.fill("http://127.0.0.1:8000/typed")
    widget.url.press("Enter")

    expect(widget.answer).to_contain_text("200 OK")
    assert "http://127.0.0.1:8000/typed" == page.page.evaluate("widget.kernel.deliveries[0].url")


def test_the_keys_do_not_skip_what_the_button_waits_for(host: Open):
    page = host()
    widget = page.mount(traits={"url": "https://api.example.com/hook"})
    # The first status is spoken when it has settled, and would take the place of what the keys say.
    expect(widget.root.get_by_role("status")).to_have_text("Not signed: no secret")
    widget.url.press("Enter")
    widget.url.press("Control+Enter")
    expect(widget.root.get_by_role("status")).to_have_text("Enter the secret first.")
    assert [] == page.asked("send")
    widget.sign_with(CANARY)
    widget.url.press("Enter")
    expect(widget.button("Send to api.example.com")).to_be_focused()
    widget.url.press("Enter")
    widget.url.press("Control+Enter")

    assert [None] == [args["confirmed_host"] for args in page.asked("send")]
    expect(widget.button("Send to api.example.com")).to_be_visible()


@pytest.mark.parametrize("place", ["Headers (one per line)", "Request URL"])
def test_the_key_verifies_once_in_verify_and_sends_nothing(host: Open, place: str):
    page = host()
    widget = page.mount()
    page.page.evaluate("document.addEventListener('keydown', ({ key }) => (window.reached = key))")
    widget.sign_with(CANARY)
    widget.tab("Verify")
    field = widget.root.get_by_label(place)
    field.fill("X-A: b")
    field.press("Control+Enter")

    expect(widget.root.get_by_role("region", name="Verdict")).to_contain_text("step")
    assert [1, 0] == [len(page.asked(operation)) for operation in ("verify", "send")]
    assert "X-A: b" == field.input_value()
    assert "Enter" != page.page.evaluate("window.reached"), "the notebook would run the cell"


@pytest.mark.long
def test_a_new_header_takes_the_focus(host: Open):
    page = host()
    widget = page.mount()
    widget.button("Add header").click()
    expect(widget.root.get_by_label("Name of header 2")).to_be_focused()
    page.page.keyboard.type("X-New")

    expect(widget.root.get_by_label("Name of header 2")).to_have_value("X-New")


@pytest.mark.long
def test_a_new_form_parameter_takes_the_focus(host: Open):
    widget = host().mount(traits={"provider": "twilio", "event": "sms.received"})
    widget.button("Add parameter").click()

    expect(widget.root.get_by_label("Name of parameter 5")).to_be_focused()
