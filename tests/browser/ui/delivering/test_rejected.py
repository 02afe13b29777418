"""A delivery that the receiver rejects leads to Verify."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open

URL = "http://127.0.0.1:8000/reject"


@pytest.mark.parametrize("from_history", [False, True], ids=["result", "history"])
def test_one_button_opens_verify_with_the_request_as_it_was_sent(host: Open, from_history: bool):
    page = host()
    widget = page.mount(traits={"url": URL})
    widget.sign_with(CANARY)
    widget.send_and_see("Rejected; often a signature mismatch.")
    expect(widget.answer).to_contain_text("The receiver says: “No signatures found matching")
    signature = widget.header("Stripe-Signature").inner_text()
    sent = page.body()
    widget.write_payload("{}")
    widget.url.fill("http://127.0.0.1:8000/another")
    if from_history:
        widget.tab("History")
        widget.root.get_by_role("button", name="#1").click()
    widget.button("Verify this request").click()

    expect(widget.root.get_by_role("tab", name="Verify")).to_be_focused()
    expect(widget.root.get_by_label("Request URL")).to_have_value(URL)
    expect(widget.root.get_by_label("Method", exact=True)).to_have_value("POST")
    expect(widget.root.get_by_role("textbox", name="Headers (one per line)")).to_have_value(
        re.compile(re.escape(signature))
    )
    expect(widget.root.get_by_label("Time (UTC)")).to_have_value("2026-11-21T12:00:01")
    expect(widget.region("Received request")).to_contain_text("Delivery #1 as sent")
    widget.button("Verify signature").click()
    expect(widget.root.get_by_role("list", name="Causes")).to_be_visible()
    verified = [f for f in page.frames() if f.get("content", {}).get("op") == "verify"]
    assert ["stripe", URL, "POST"] == [
        verified[-1]["content"]["args"][k] for k in ("provider", "url", "method")
    ]
    assert sent.hex() == page.page.evaluate(
        "widget.model.frames.findLast(({ content }) => content?.op === 'verify').buffers[0]"
    )


def test_a_delivery_that_was_accepted_has_no_such_button(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")

    expect(widget.button("Verify this request")).to_have_count(0)
