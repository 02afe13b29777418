"""Stopping a delivery whose receiver does not respond."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open

HANGS = {"url": "http://127.0.0.1:8000/hang"}


def test_send_becomes_stop_which_ends_the_wait_and_keeps_everything_typed(host: Open):
    page = host()
    widget = page.mount(traits=HANGS)
    widget.sign_with(CANARY)
    widget.button("Send").press("Enter")
    expect(widget.button("Stop")).to_be_focused()
    before = page.body()
    widget.button("Stop").press("Enter")
    expect(widget.answer).to_contain_text("Stopped after 4.2 s; the receiver may have got the request.")
    expect(widget.root.get_by_role("status")).to_contain_text("Stopped after 4.2 s")
    expect(widget.button("Send")).to_be_focused()
    assert before == page.body()
    expect(widget.url).to_have_value(HANGS["url"])
    expect(widget.secret).not_to_have_value("")
    widget.send_and_see("200 OK", url="http://127.0.0.1:8000/hook")


def test_a_double_click_on_send_does_not_stop(host: Open):
    page = host()
    widget = page.mount(traits=HANGS)
    widget.sign_with(CANARY)
    widget.button("Send").dblclick()
    expect(widget.button("Stop")).to_be_visible()

    assert 1 == len(page.asked("send"))
    assert [] == page.asked("send_stop")


def test_the_wait_ends_without_the_kernel_and_a_late_response_is_not_that_of_the_next_delivery(host: Open):
    page = host()
    widget = page.mount(traits=HANGS, faults={"deaf": True})
    widget.sign_with(CANARY)
    widget.button("Send").click()
    widget.button("Stop").click()
    expect(widget.answer).to_contain_text(
        re.compile(r"Stopped after \d+\.\d s; the receiver may have got the request")
    )
    widget.button("Send").click()
    expect(widget.button("Stop")).to_be_visible()
    page.page.evaluate("widget.kernel.respond()")  # to the first request
    expect(widget.root.get_by_role("tab", name=re.compile("^History"))).to_contain_text("1")
    expect(widget.answer).not_to_contain_text("200 OK")
    expect(widget.answer).to_contain_text("Waiting for the receiver")
    page.page.evaluate("widget.kernel.respond()")

    expect(widget.answer).to_contain_text("#2")


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_run_stops_at_once_and_sends_no_more(host: Open, at_once: int):
    page = host()
    widget = page.mount(traits=HANGS)
    widget.sign_with(CANARY)
    widget.tab("Check")
    widget.root.get_by_role("tab", name="Run", exact=True).click()
    widget.button("Select all").click()
    widget.root.get_by_label("At once").fill(str(at_once))
    widget.button("Send 3 events").click()
    widget.button("Stop").click()
    table = widget.root.get_by_role("table", name="Results")
    expect(table.get_by_text("Stopped", exact=True)).to_have_count(at_once)
    expect(table.get_by_text("Skipped", exact=True)).to_have_count(3 - at_once)
    expect(widget.button("Send 3 events")).to_be_enabled()

    assert at_once == len(page.asked("send"))


def test_a_request_that_is_sent_again_is_stopped_in_the_history(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.url.fill(HANGS["url"])
    page.page.wait_for_function("widget.model.traits.url.endsWith('hang')")
    widget.tab("History")
    widget.button("Resend delivery 1").click()
    widget.button("Stop delivery 1").click()

    expect(widget.root.get_by_role("button", name=re.compile("#2"))).to_contain_text("Stopped")
