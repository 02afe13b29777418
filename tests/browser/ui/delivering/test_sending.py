"""Sending and certificates, with a kernel that only pretends."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open


def test_a_host_outside_is_confirmed_by_name(host: Open):
    page = host()
    widget = page.mount(traits={"url": "https://api.example.com/hook"})
    widget.sign_with(CANARY)
    widget.send()
    widget.button("Cancel").click()
    expect(widget.button("Cancel")).to_have_count(0)
    expect(widget.button("Send")).to_be_focused()
    widget.send()
    widget.button("Send to api.example.com").click()
    expect(widget.answer).to_contain_text("200 OK")

    assert [None, None, "api.example.com"] == [args["confirmed_host"] for args in page.asked("send")]


def test_a_confirmation_goes_with_its_url_and_takes_no_key_from_another_field(host: Open):
    page = host()
    widget = page.mount(traits={"url": "https://api.example.com/hook"})
    widget.sign_with(CANARY)
    widget.send()
    confirm = widget.button("Send to api.example.com")
    expect(confirm).to_be_focused()
    widget.button("Add header").click()
    expect(widget.root.get_by_label("Name of header 2")).to_be_focused()
    page.page.keyboard.type("X Y")
    expect(widget.root.get_by_label("Name of header 2")).to_have_value("X Y")
    expect(confirm).to_be_visible()

    widget.url.fill("https://api.example.com/other")
    expect(confirm).to_have_count(0)
    expect(widget.url).to_be_focused()
    assert [None] == [args["confirmed_host"] for args in page.asked("send")]


def test_an_error_of_the_draft_stands_at_its_field_and_disables_send(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    widget.url.fill("bad")
    expect(widget.url).to_have_attribute("aria-invalid", "true")
    expect(widget.url).to_have_accessible_description("“bad” is not a URL: begin with https:// or http://")
    expect(widget.button("Send")).to_be_disabled()
    expect(widget.region("Request").locator(".hw-alert")).to_have_count(0)
    widget.url.fill("http://127.0.0.1:8000/")
    expect(widget.url).not_to_have_attribute("aria-invalid", "true")
    expect(widget.button("Send")).to_be_enabled()


@pytest.mark.long
def test_where_python_runs_in_a_browser_the_way_leads_to_the_command_that_signs_by_itself(host: Open):
    widget = host().mount(faults={"noSockets": True})
    widget.sign_with(CANARY)
    widget.send()
    expect(widget.answer).to_contain_text("which has no sockets")
    widget.button("Show curl command").press("Enter")

    expect(widget.root.get_by_role("tab", name="curl")).to_be_focused()
    expect(widget.root.get_by_label("curl command", exact=True)).to_contain_text('secret="$WEBHOOK_SECRET"')


@pytest.mark.parametrize(
    ("provider", "event", "text"),
    [
        ("payment", "payment.succeeded", "too late: Payment waits 3 s"),
        pytest.param(
            "stripe",
            "payment_intent.succeeded",
            "slow: providers expect a reply within 5 s",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_slow_answer_is_marked_with_the_limit_of_the_provider(
    host: Open, provider: str, event: str, text: str
):
    traits = {"provider": provider, "event": event, "url": "http://127.0.0.1:8000/slow"}
    widget = host().mount(traits=traits)
    widget.sign_with(CANARY)
    widget.send_and_see(text)


def test_a_delivery_of_the_history_is_sent_again(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.tab("History")
    widget.button("Resend delivery 1").click()
    expect(widget.root.get_by_role("tab", name="History")).to_contain_text("2")

    assert 1 == page.asked("send")[-1]["again"]


@pytest.mark.long
def test_certificates_are_a_visible_choice(host: Open):
    page = host()
    widget = page.mount(traits={"url": "https://127.0.0.1:8443/hook"})
    choice = widget.root.get_by_label("Certificate")
    choice.select_option("Verify with custom CA")
    widget.root.get_by_label("CA file (on the kernel's machine)").fill("/tmp/ca.pem")
    page.page.wait_for_function("widget.model.traits.ca === '/tmp/ca.pem'")
    choice.select_option("Do not verify")

    expect(widget.root.get_by_text("Insecure: traffic can be intercepted")).to_be_visible()
    assert page.page.evaluate("widget.model.traits.verify_tls === false && widget.model.traits.ca === ''")


@pytest.mark.long
def test_the_answer_to_a_handshake_is_judged_beside_its_status(host: Open):
    widget = host().mount(traits={"provider": "discord", "event": "ping"})
    widget.button("Generate key pair").click()
    widget.wait_until_signed()
    widget.send_and_see("200 OK")

    expect(widget.answer).to_contain_text("Handshake failed")
    expect(widget.answer).to_contain_text("the answer is 418, and the provider wants 204")
