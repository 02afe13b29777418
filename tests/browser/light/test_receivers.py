"""Receivers that misbehave: the widget says clearly what happened, and goes on."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage
from tests.support.processes import free_port
from tests.support.wire import Talk, Wire, answer

SECRET = "TESTsecret0123456789"
HTML = (
    b"<h1 id='injected'>Oops</h1><script>window.injected = true</script><img src=x onerror='injected = true'>"
)


def page(status: str, body: bytes = b"", *headers: str) -> Callable[[Talk], None]:
    """A receiver that answers with this."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return answer("\r\n".join(lines).encode(), body)


def hang(talk: Talk) -> None:
    talk.hear()
    talk.hang()


def reset(talk: Talk) -> None:
    # Reset before the request is read, the sender may see the end of the connection in place of the reset.
    talk.hear()
    talk.reset()


def test_each_failure_of_a_receiver_has_its_message_and_the_widget_lives_on(show: Show):
    widget = show("'generic', timeout_s=0.5")
    widget.sign_with(SECRET)

    nobody = free_port()
    widget.send_and_see(f"Nothing listens on 127.0.0.1:{nobody}", url=f"http://127.0.0.1:{nobody}/")
    with Wire(hang) as slow:
        widget.send_and_see("No response within 0.5 s", url=slow.url)
    with Wire(reset) as broken:
        widget.send_and_see(f"127.0.0.1:{broken.port} broke the connection", url=broken.url)
    with Wire(answer(b"SSH-2.0-OpenSSH_9.2", b"")) as foreign:
        widget.send_and_see(str(foreign.port), url=foreign.url)
        expect(widget.answer).to_contain_text("No response")
    with Wire(page("500 Internal Server Error", b"boom")) as failing:
        widget.send_and_see("500 Internal Server Error", url=failing.url)
        expect(widget.answer).to_contain_text("retry advised")
    with Wire(page("404 Not Found")) as missing:
        widget.send_and_see("404 Not Found", url=missing.url)

    with Wire(page("200 OK", b"fine")) as good:
        widget.send_and_see("200 OK", url=good.url)
        expect(widget.answer).to_contain_text("fine")


def test_a_redirect_is_shown_and_not_followed(show: Show):
    widget = show("'generic'")
    widget.sign_with(SECRET)

    with Wire() as elsewhere, Wire(page("302 Found", b"", f"Location: {elsewhere.url}")) as moved:
        widget.send_and_see("302 Found", url=moved.url)
        widget.answer.get_by_text("Response headers").click()

        expect(widget.answer).to_contain_text(elsewhere.url)
        assert (1, 0) == (moved.connections, elsewhere.connections)


def test_an_answer_in_html_is_shown_as_text(show: Show, tab: KernelPage):
    widget = show("'generic'")
    widget.sign_with(SECRET)

    with Wire(page("400 Bad Request", HTML, "Content-Type: text/html")) as angry:
        widget.send_and_see("400 Bad Request", url=angry.url)
        widget.tab("History")
        widget.root.get_by_role("listitem").get_by_role("button").first.click()

    shown: Locator = widget.root.get_by_label("Response body").last
    expect(shown).to_have_text(HTML.decode())
    expect(tab.page.locator("#injected")).to_have_count(0)
    assert tab.page.evaluate("() => window.injected === undefined")


def test_a_host_that_is_not_this_machine_is_named_and_confirmed_before_anything_is_sent(show: Show):
    widget = show("'generic', timeout_s=0.5")
    widget.sign_with(SECRET)

    widget.send("http://receiver.test/hooks")
    question = widget.root.get_by_role("group", name="Confirm host")
    expect(question).to_contain_text("receiver.test, which is not this machine")
    expect(widget.region("Send")).to_contain_text("http:// is not encrypted")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    widget.tab("History")
    expect(widget.root).to_contain_text("No deliveries yet")

    widget.tab("Generate")
    widget.send()
    question.get_by_role("button", name="Send to receiver.test").click()
    expect(widget.answer).to_contain_text(re.compile("The host name .*resolved"))


def test_forbidden_hosts_are_rejected_without_a_question(show: Show):
    widget = show("'generic', allow_hosts=['127.0.0.1:8000']")
    widget.sign_with(SECRET)

    widget.send("http://169.254.169.254/latest/meta-data/")
    expect(widget.answer).to_contain_text(re.compile("Not sent.*169.254.169.254"))
    widget.send("https://hooks.example.com/")
    expect(widget.answer).to_contain_text("hooks.example.com is not in allow_hosts")

    expect(widget.root.get_by_role("group", name="Confirm host")).to_have_count(0)
    widget.tab("History")
    expect(widget.root).to_contain_text("No deliveries yet")
