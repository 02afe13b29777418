"""Several events of a provider, sent by a few clicks to a receiver that verifies them."""

from __future__ import annotations

import socket

import pytest
from playwright.sync_api import expect

from hook_widgets.webhooks import provider
from tests.browser.clicks import clicks, count_clicks
from tests.browser.generator import Generator
from tests.browser.keyboard import go_to
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage
from tests.browser.sdk import SdkReceiver
from tests.hosts.widgets import any_secret


def open_list(widget: Generator) -> None:
    """Go to the list of events."""
    widget.button("Send several events").click()
    expect(widget.root.get_by_role("group", name="Events to send")).to_be_visible()


def signed(show: Show, sdk: SdkReceiver, *, url: str = "", timeout_s: int = 20) -> Generator:
    """A widget with a secret that the receiver trusts; on a busy machine its library loads slowly."""
    secret = any_secret()
    sdk.trust("github", secret)
    widget = show(f"'github', url={url or sdk.url('github')!r}, timeout_s={timeout_s}")
    widget.sign_with(secret)
    return widget


@pytest.mark.long
def test_five_events_are_sent_with_four_clicks(show: Show, sdk: SdkReceiver, tab: KernelPage):
    widget = signed(show, sdk)
    before = len(sdk.arrived("github"))
    names = [event.name for event in provider("github").events[:5]]
    count_clicks(tab.page)

    open_list(widget)
    boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(4).click(modifiers=["Shift"])
    widget.button("Send 5 events").click()

    results = widget.root.get_by_role("table", name="Results").get_by_role("cell")
    expect(results.filter(has_text="200 OK")).to_have_count(5)
    assert 4 == clicks(tab.page)
    heads = widget.root.get_by_role("table", name="Results").get_by_role("rowheader")
    assert names == heads.all_inner_texts()
    arrived = sdk.arrived("github")[before:]
    assert [""] * 5 == [one.problem for one in arrived]
    assert [name.split(".")[0] for name in names] == [one.headers["X-GitHub-Event"] for one in arrived]


@pytest.mark.long
def test_negative_tests_of_an_event_take_one_click_more(show: Show, sdk: SdkReceiver, tab: KernelPage):
    secret = "whsec_" + any_secret()
    sdk.trust("stripe", secret)
    widget = show(f"'stripe', url={sdk.url('stripe')!r}, timeout_s=20")
    widget.sign_with(secret)
    before = len(sdk.arrived("stripe"))
    count_clicks(tab.page)

    open_list(widget)
    boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(1).click(modifiers=["Shift"])
    widget.root.get_by_label("All that apply").click()
    widget.button("Send 14 requests").click()

    expect(widget.root.get_by_text("14 of 14 responses as expected")).to_be_visible(timeout=60_000)
    assert 5 == clicks(tab.page)
    arrived = sdk.arrived("stripe")[before:]
    assert [True, False, False, False, False, True, True] * 2 == [one.problem == "" for one in arrived]
    assert arrived[0].body == arrived[5].body
    assert arrived[0].headers["Stripe-Signature"] == arrived[5].headers["Stripe-Signature"]
    assert arrived[0].body == arrived[6].body  # with the event's id
    assert arrived[0].headers["Stripe-Signature"] != arrived[6].headers["Stripe-Signature"]
    assert [] == tab.leaks(secret)


def test_what_is_chosen_by_keyboard_is_sent_until_it_is_stopped(
    show: Show, sdk: SdkReceiver, tab: KernelPage
):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and never responds
        widget = signed(show, sdk, url=f"http://127.0.0.1:{silent.getsockname()[1]}/hooks", timeout_s=3)
        open_list(widget)
        widget.root.get_by_label("Filter events").fill("pull_request")
        boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
        boxes.first.focus()
        tab.page.keyboard.press("Space")
        expect(widget.button("Send 1 event")).to_be_enabled()
        go_to(widget.button("Select all"))
        tab.page.keyboard.press("Enter")
        many = boxes.count()
        assert many > 1
        go_to(widget.button(f"Send {many} events"))
        tab.page.keyboard.press("Enter")
        results = widget.root.get_by_role("table", name="Results").get_by_role("cell")
        expect(results.filter(has_text="Sending")).to_have_count(1)
        expect(results.filter(has_text="Waiting")).to_have_count(many - 1)
        widget.button("Stop").press("Enter")

        expect(results.filter(has_text="Skipped")).to_have_count(many - 1)
        expect(widget.button(f"Send {many} events")).to_be_enabled()


def test_an_event_that_cannot_be_sent_ends_the_rest_with_the_reason(show: Show, sdk: SdkReceiver):
    widget = signed(show, sdk, url="http://169.254.169.254/latest")
    open_list(widget)
    boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(1).click()
    widget.button("Send 2 events").click()

    results = widget.root.get_by_role("table", name="Results").get_by_role("cell")
    expect(results.nth(0)).to_contain_text("Not sent")
    expect(results.nth(0)).to_contain_text("169.254.169.254")
    expect(results.nth(1)).to_contain_text("Skipped")
