"""The payload's bytes, and copying."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.generator import SIGNED
from tests.browser.ui.fake_host import CANARY, Open


def test_odd_bytes_stay_exact_until_they_are_edited(host: Open):
    page = host()
    odd = b'\xef\xbb\xbf{"a": "\xff",\r\n "b": 1}\r\n'
    widget = page.mount(traits={"body": list(odd)})
    facts = widget.region("Payload")
    expect(facts).to_contain_text("not UTF-8 · CRLF · ends with a newline · BOM")
    assert odd == page.body()
    widget.payload.press("Control+End")
    widget.payload.press_sequentially("x")
    expect(facts).to_contain_text("no trailing newline")
    widget.button("Remove BOM").click()
    expect(facts).to_contain_text("no BOM")

    assert odd[3:] + b"x" == page.body()


def test_a_problem_leads_to_its_place(host: Open):
    widget = host().mount(traits={"body": list(b'{\n  "a": 1,\n}')})
    widget.root.get_by_role("button", name="Line 2, column 9").click()
    widget.root.page.keyboard.press("Delete")

    expect(widget.region("Payload")).to_contain_text("Valid JSON")


@pytest.mark.long
def test_format_can_be_undone(host: Open):
    page = host()
    before = b'{"a":1}'
    widget = page.mount(traits={"body": list(before)})
    widget.button("Format").click()
    expect(widget.payload).to_contain_text('"a": 1')
    widget.button("Undo Format").click()
    expect(widget.region("Payload")).to_contain_text("7 bytes")

    assert before == page.body()


def test_form_parameters_are_encoded_by_the_kernel(host: Open):
    page = host()
    widget = page.mount(traits={"provider": "twilio", "event": "sms.received"})
    widget.root.get_by_label("Value of Body").fill("Hi & bye")
    expect(widget.payload).to_contain_text("Body=Hi+%26+bye")

    assert b"Body=Hi+%26+bye" in page.body()


@pytest.mark.parametrize("clipboard", ["api", "event"])
def test_copies_are_exact_with_and_without_the_clipboard_interface(host: Open, clipboard: str):
    page = host(permissions=["clipboard-read", "clipboard-write"])
    if clipboard == "event":  # as on a plain http page
        page.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.page.evaluate(
        "document.addEventListener('copy', e => copied = e.clipboardData.getData('text/plain'))"
    )
    widget = page.mount(traits={"body": list(b'{"a": 1}\r\n')})
    expect(widget.root.get_by_role("status")).to_contain_text("Not signed")  # said once, after a while
    widget.button("Copy payload").click()
    expect(widget.root.get_by_role("status")).to_contain_text("Copied: payload")
    text = page.page.evaluate("navigator.clipboard ? navigator.clipboard.readText() : copied")

    assert '{"a": 1}\r\n' == text


def test_nothing_stale_can_be_copied(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")

    expect(widget.region("Request")).not_to_contain_text(SIGNED)
    expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")
    expect(widget.header("Stripe-Signature")).to_contain_text("outdated")
