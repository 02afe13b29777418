"""From a rejected delivery to its cause, with the secret in the tab."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from playwright.sync_api import expect

from hook_widgets.webhooks import Secret, provider
from tests.browser.keys import tab_to
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage
from tests.hosts.widgets import any_secret
from tests.support.rewriting import Rewriting

#: a script of the page that wants to agree in the user's place
PRESS_BY_SCRIPT = """(button) => {
  button.focus();
  for (const type of ["pointerdown", "mousedown", "mouseup", "click"])
    button.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  for (const type of ["keydown", "keyup"])
    button.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true }));
  button.click();
}"""


def test_a_rejection_is_explained_in_two_clicks_and_the_secret_stays_in_the_tab(show: Show, tab: KernelPage):
    secret = "whsec_" + any_secret()
    receiver = Rewriting(secret)
    with receiver.listening() as url:
        widget = show(f"'stripe', 'invoice.paid', url={url!r}")
        widget.sign_with(secret)
        widget.send_and_see("400")
        widget.button("Find out why…").click()
        expect(widget.answer).to_contain_text("This sends up to 15 signed requests to 127.0.0.1")
        widget.button("Send them").evaluate(PRESS_BY_SCRIPT)
        tab.page.wait_for_timeout(300)
        expect(widget.button("Send them")).to_be_focused()
        assert [400] == receiver.statuses
        widget.button("Send them").click()
        cause = widget.root.get_by_role("list", name="Cause of the rejection")
        expect(cause).to_contain_text("It verifies the body after json.loads and json.dumps")
        expect(cause).to_contain_text("request.get_data()")

        widget.button("Verify this request").click()
        widget.button("Verify signature").click()
        verdict = widget.region("Verdict")
        expect(verdict).to_contain_text("Valid as sent, yet the receiver answered 400 Bad Request.")
        expect(widget.root.get_by_role("list", name="Checks")).to_be_hidden()
        widget.button("Paste the body that it saw").click()
        body = widget.root.get_by_label("Body", exact=True)
        expect(body).to_be_focused()
        body.fill(json.dumps(json.loads(tab.execute("print(w.body.decode())"))))
        widget.button("Verify signature").click()
        expect(widget.root.get_by_role("list", name="Causes")).to_contain_text("The body was re-serialized")

    assert [] == tab.leaks(secret)


def test_an_imported_rejection_has_the_same_answer_but_is_not_sent_again(show: Show):
    secret = "whsec_" + any_secret()
    at = datetime.now(UTC)
    request = provider("stripe").draft(event="invoice.paid", at=at).sign(Secret(secret))
    headers = [{"name": name, "value": value} for name, value in request.headers.multi_items()]
    entry = {
        "startedDateTime": at.isoformat(),
        "request": {
            "method": "POST",
            "url": request.url,
            "headers": headers,
            "postData": {"mimeType": "application/json", "text": request.body.decode()},
        },
        "response": {"status": 400, "statusText": "Bad Request", "headers": []},
    }
    widget = show()
    widget.sign_with(secret)
    widget.tab("History")
    widget.root.get_by_text("Import a recorded request").click()
    widget.root.get_by_label("Recording", exact=True).fill(json.dumps({"log": {"entries": [entry]}}))
    widget.button("Add to History").click()
    widget.root.get_by_role("button", name="#1").click()
    widget.button("Verify this request").click()
    widget.button("Verify signature").click()

    expect(widget.region("Verdict")).to_contain_text(
        "Valid as sent, yet the receiver answered 400 Bad Request."
    )
    expect(widget.button("Paste the body that it saw")).to_be_visible()
    expect(widget.button("Find out why…")).to_have_count(0)


def test_a_rejection_is_explained_without_a_mouse(show: Show, tab: KernelPage):
    secret = "whsec_" + any_secret()
    with Rewriting(secret).listening() as url:
        widget = show(f"'stripe', 'invoice.paid', url={url!r}")
        widget.sign_with(secret)
        widget.url.press("Enter")
        expect(widget.answer).to_contain_text("400")
        for name in ("Find out why…", "Send them", "Verify this request"):
            tab_to(tab.page, name)
            tab.page.keyboard.press("Enter")
            if name == "Send them":
                expect(widget.root.get_by_role("list", name="Cause of the rejection")).to_be_visible()
                assert [] == tab.violations(widget.root)
        tab_to(tab.page, "Verify signature")
        tab.page.keyboard.press("Enter")
        expect(widget.region("Verdict")).to_contain_text("Valid as sent, yet the receiver answered 400")
        assert [] == tab.violations(widget.root)
        tab_to(tab.page, "Paste the body that it saw", "Shift+Tab")
        tab.page.keyboard.press("Enter")
        expect(widget.root.get_by_label("Body", exact=True)).to_be_focused()
