"""Several events, sent from the part Run of Check, with a kernel that only pretends."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.generator import Generator
from tests.browser.ui.fake_host import CANARY, Host, Open


def opened(page: Host, url: str = "http://127.0.0.1:8000/hooks") -> tuple[Generator, Locator]:
    """A widget with a secret and the list unfolded, and the list's boxes."""
    widget = page.mount(traits={"url": url})
    widget.sign_with(CANARY)
    widget.button("Send several events").click()
    boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
    expect(boxes.first).to_be_visible()
    return widget, boxes


def test_a_host_outside_is_confirmed_once_with_the_number_of_requests(host: Open):
    page = host()
    widget, boxes = opened(page, "https://api.example.com/hook")
    boxes.nth(0).click()
    boxes.nth(1).click()
    widget.button("Send 2 events").click()
    widget.button("Send 2 events to api.example.com").click()

    expect(rows(widget).filter(has_text="200 OK")).to_have_count(2)
    hosts = [args["confirmed_host"] for args in page.asked("send")]
    assert [None, "api.example.com", "api.example.com"] == hosts


def test_a_secret_comes_before_sending_and_can_be_entered_there(host: Open):
    widget = host().mount()
    widget.button("Send several events").click()
    widget.button("Select all").click()

    expect(widget.region("Run")).to_contain_text("Enter the secret first.")
    expect(widget.button("Send 3 events")).to_be_disabled()
    widget.secret.fill(CANARY)
    widget.secret.press("Enter")
    expect(widget.button("Send 3 events")).to_be_enabled()
    expect(widget.region("Secret")).to_have_count(0)


@pytest.mark.long
def test_another_provider_has_another_list_and_nothing_chosen(host: Open):
    page = host()
    widget, boxes = opened(page)
    widget.button("Select all").click()
    expect(boxes.first).to_be_checked()
    widget.tab("Generate")
    widget.pick("Provider", "Twilio")
    widget.sign_with(CANARY)
    widget.tab("Check")
    expect(boxes.first).not_to_be_checked()
    widget.tab("Generate")
    widget.pick("Provider", "Stripe")
    widget.tab("Check")

    expect(widget.button("Send 0 events")).to_be_disabled()


def ticked(widget: Generator, *names: str) -> Locator:
    """Tick these negative tests, and return their group."""
    group = widget.root.get_by_role("group", name="Negative tests of each event")
    for name in names:
        group.get_by_label(name).click()
    return group


def rows(widget: Generator) -> Locator:
    """The results, one cell for each request."""
    return widget.root.get_by_role("table", name="Results").get_by_role("cell")


def test_each_event_is_sent_valid_and_then_with_each_fault(host: Open):
    page = host()
    widget, boxes = opened(page)
    boxes.nth(0).click()
    boxes.nth(1).click()
    ticked(widget, "Wrong signature", "Sent twice")
    widget.button("Send 6 requests").click()

    expect(rows(widget).filter(has_text="as expected")).to_have_count(6)
    asked = [(args.get("fault"), args.get("of")) for args in page.asked("send")]
    first = [(None, None), ("wrong_signature", 1), ("sent_twice", 1)]
    assert [*first, (None, None), ("wrong_signature", 4), ("sent_twice", 4)] == asked
    texts = rows(widget).all_inner_texts()
    heads = widget.root.get_by_role("table", name="Results").get_by_role("columnheader")
    assert ["Event", "Valid", "Wrong signature", "Sent twice"] == heads.all_inner_texts()
    assert "400 Bad Request" in texts[1]
    assert "200 OK" in texts[2]
    expect(widget.root.get_by_text("6 of 6 responses as expected")).to_be_visible()


@pytest.mark.long
def test_a_receiver_that_takes_everything_is_said_to_be_wrong(host: Open):
    widget, boxes = opened(host(), "http://127.0.0.1:8000/lax")
    boxes.first.click()
    ticked(widget, "No signature header")
    widget.button("Send 2 requests").click()

    expect(rows(widget).nth(1)).to_contain_text("Accepted: the receiver should reject this (200)")
    expect(widget.root.get_by_text("1 of 2 responses as expected")).to_be_visible()
    # The last response under Generate is that of the faulty request, and says so.
    widget.tab("Generate")
    expect(widget.answer).to_contain_text("No signature header")


@pytest.mark.long
def test_the_expected_response_is_named_before_it_is_there(host: Open):
    widget, _ = opened(host())
    group = ticked(widget, "Wrong signature")

    expect(group.get_by_label("Wrong signature")).to_be_checked()
    expect(group).to_contain_text("expect 4xx")
    expect(group).to_contain_text("expect 2xx")


@pytest.mark.long
def test_a_fault_that_a_provider_cannot_have_says_why_and_all_takes_the_others(host: Open):
    page = host()
    widget, boxes = opened(page)
    widget.tab("Generate")
    widget.pick("Provider", "Twilio")
    widget.sign_with(CANARY)
    widget.tab("Check")
    group = ticked(widget, "All that apply")

    expired = group.get_by_label("Expired timestamp")
    expect(expired).to_be_disabled()
    expect(expired).not_to_be_checked()
    expect(group).to_contain_text("no time is signed")
    expect(group.get_by_role("checkbox", checked=True)).to_have_count(5)
    boxes.first.click()
    expect(widget.button("Send 5 requests")).to_be_enabled()
    group.get_by_label("All that apply").click()
    expect(group.get_by_role("checkbox", checked=True)).to_have_count(0)


@pytest.mark.long
def test_a_fault_that_this_event_cannot_have_is_skipped_and_the_rest_goes_on(host: Open):
    page = host()
    widget = page.mount(
        traits={"url": "http://127.0.0.1:8000/hooks"}, faults={"notApplicable": "expired_timestamp"}
    )
    widget.sign_with(CANARY)
    widget.button("Send several events").click()
    widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox").first.click()
    ticked(widget, "Expired timestamp", "Sent twice")
    widget.button("Send 3 requests").click()

    expect(rows(widget).nth(2)).to_contain_text("as expected")
    expect(rows(widget).nth(1)).to_contain_text("Does not apply: no time is signed")
    expect(widget.root.get_by_text("2 of 2 responses as expected, 1 not sent")).to_be_visible()


def test_more_than_fifty_requests_are_not_sent_at_once(host: Open):
    widget = host().mount(
        traits={"url": "http://127.0.0.1:8000/hooks", "provider": "made-up-1"}, faults={"many": 2}
    )
    widget.sign_with(CANARY)
    widget.button("Send several events").click()
    widget.button("Select all").click()
    expect(widget.button("Send 50 events")).to_be_enabled()
    ticked(widget, "Wrong signature")

    expect(widget.button("Send 100 requests")).to_be_disabled()
    expect(widget.root.get_by_text("At most 50 requests a run")).to_be_visible()


@pytest.mark.long
def test_a_faulty_delivery_is_marked_in_the_history_and_not_sent_again_from_there(host: Open):
    widget, boxes = opened(host())
    boxes.first.click()
    ticked(widget, "Changed body")
    widget.button("Send 2 requests").click()
    expect(rows(widget).nth(1)).to_contain_text("as expected")
    widget.tab("History")

    entries = widget.root.get_by_role("tabpanel", name="History").get_by_role("listitem")
    expect(entries.first).to_contain_text("Changed body")
    expect(entries.first.get_by_role("button", name="Resend")).to_have_count(0)
    expect(entries.nth(1).get_by_role("button", name="Resend")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_and_nothing_sticks_out(host: Open, width: int):
    page = host(width=width)
    widget, boxes = opened(page)
    boxes.first.click()
    ticked(widget, "All that apply")
    widget.button("Send 6 requests").click()
    expect(rows(widget).last).to_contain_text("200 OK")
    rows(widget).nth(1).get_by_role("button").click()

    for look in ("light", "dark"):
        page.look(look, widget.root)
        assert [] == page.violations(widget.root)
    assert [] == page.overflow()


def run_with(widget: Generator, **fields: str) -> None:
    """Fill fields of Run."""
    for label, value in fields.items():
        widget.root.get_by_label(label, exact=label == "Repeat").fill(value)


@pytest.mark.long
def test_repeated_events_are_sent_round_by_round_with_a_seed_each(host: Open):
    page = host()
    widget, boxes = opened(page)
    boxes.nth(0).click()
    boxes.nth(1).click()
    run_with(widget, Repeat="3")
    widget.button("Send 6 requests").click()

    expect(rows(widget).filter(has_text="200 OK")).to_have_count(6)
    asked = [(args["event"], args["seed"], args["chain"]) for args in page.asked("send")]
    events = [event for event, _, _ in asked[:2]]
    first = asked[0][1]
    assert [(event, first + n, [event]) for n in range(3) for event in events] == asked


def test_the_events_of_a_chain_have_one_seed_and_name_one_another(host: Open):
    page = host()
    widget, boxes = opened(page)
    boxes.nth(0).click()
    boxes.nth(1).click()
    widget.root.get_by_label("Chain").click()
    widget.button("Send 2 events").click()

    expect(rows(widget).filter(has_text="200 OK")).to_have_count(2)
    asked = [(args["event"], args["seed"], args["chain"]) for args in page.asked("send")]
    events = [event for event, _, _ in asked]
    assert [(event, asked[0][1], events) for event in events] == asked


def test_an_interval_passes_between_two_requests_and_stop_ends_it(host: Open):
    page = host()
    widget, boxes = opened(page)
    page.hasten(40_000)
    boxes.nth(0).click()
    boxes.nth(1).click()
    run_with(widget, Interval="40")
    widget.button("Send 2 events").click()
    expect(rows(widget).filter(has_text="200 OK")).to_have_count(1)
    expect(rows(widget).filter(has_text="Waiting")).to_have_count(1)
    widget.button("Stop").click()

    expect(rows(widget).filter(has_text="Skipped")).to_have_count(1)
    expect(widget.button("Send 2 events")).to_be_enabled()
    assert 1 == len(page.asked("send"))


@pytest.mark.long
def test_rounds_count_in_the_limit_and_nonsense_is_one_round(host: Open):
    widget, boxes = opened(host())
    boxes.first.click()
    run_with(widget, Repeat="-3")
    expect(widget.button("Send 1 event")).to_be_enabled()
    run_with(widget, Repeat="50")
    expect(widget.button("Send 50 requests")).to_be_enabled()
    boxes.nth(1).click()

    expect(widget.button("Send 100 requests")).to_be_disabled()


@pytest.mark.long
def test_two_events_are_under_way_at_once_and_the_faults_of_one_follow_its_valid_request(host: Open):
    page = host()
    widget = page.mount(traits={"url": "http://127.0.0.1:8000/hooks"}, faults={"together": 2})
    widget.sign_with(CANARY)
    widget.button("Send several events").click()
    boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(1).click()
    ticked(widget, "Wrong signature")
    widget.root.get_by_label("At once").fill("2")
    widget.button("Send 4 requests").click()  # one alone would wait for ever

    expect(rows(widget).filter(has_text="as expected")).to_have_count(4)
    asked = page.asked("send")
    assert [True] * 4 == [args["beside"] for args in asked]
    assert [None, None, "wrong_signature", "wrong_signature"] == [args.get("fault") for args in asked]
    assert {1, 2} == {args["of"] for args in asked[2:]}


@pytest.mark.long
def test_a_chain_is_sent_one_after_another(host: Open):
    page = host()
    widget, boxes = opened(page)
    boxes.nth(0).click()
    boxes.nth(1).click()
    widget.root.get_by_label("At once").fill("4")
    widget.root.get_by_label("Chain").click()
    expect(widget.root.get_by_label("At once")).to_have_value("1")
    expect(widget.root.get_by_label("At once")).not_to_be_editable()
    widget.button("Send 2 events").click()

    expect(rows(widget).filter(has_text="200 OK")).to_have_count(2)
    assert [False, False] == [args["beside"] for args in page.asked("send")]


@pytest.mark.parametrize(("typed", "beside"), [("99", True), ("0", False), ("x", False), ("-3", False)])
def test_no_more_than_a_few_are_sent_at_once_whatever_is_typed(host: Open, typed: str, beside: bool):
    page = host()
    widget, boxes = opened(page)
    for n in range(3):
        boxes.nth(n).click()
    widget.root.get_by_label("At once").evaluate("(field, text) => { field.type = 'text' }", typed)
    widget.root.get_by_label("At once").fill(typed)
    widget.button("Send 3 events").click()

    expect(rows(widget).filter(has_text="200 OK")).to_have_count(3)
    assert [beside] * 3 == [args["beside"] for args in page.asked("send")]


@pytest.mark.long
def test_a_result_opens_to_its_response_and_its_request_is_copied_and_opened(host: Open):
    page = host()
    widget, boxes = opened(page)
    boxes.first.click()
    ticked(widget, "Wrong signature")
    widget.button("Send 2 requests").click()
    expect(rows(widget).filter(has_text="as expected")).to_have_count(2)
    rows(widget).nth(1).get_by_role("button").click()
    response = widget.root.get_by_role("region", name="Response 2")
    expect(response).to_contain_text("No signatures found")
    response.get_by_role("button", name="Copy as curl").click()
    page.copied("curl --request POST # 2")
    response.get_by_role("button", name="Open in Generate").click()

    expect(widget.root.get_by_role("tab", name="Generate", exact=True)).to_be_focused()
    assert b'{"opened":2}' == page.body()


def test_what_was_not_as_expected_is_sent_again_alone(host: Open):
    page = host()
    widget, boxes = opened(page, "http://127.0.0.1:8000/lax")
    boxes.nth(0).click()
    boxes.nth(1).click()
    ticked(widget, "Wrong signature")
    widget.button("Send 4 requests").click()
    expect(widget.root.get_by_text("2 of 4 responses as expected")).to_be_visible()
    panel = widget.root.get_by_role("tabpanel", name="Check", exact=True)
    panel.get_by_label("Receiver URL").fill("http://127.0.0.1:8000/hooks")
    widget.button("Send the 2 unexpected again").click()
    expect(widget.root.get_by_text("4 of 4 responses as expected")).to_be_visible()

    again = [(args.get("fault"), args.get("of")) for args in page.asked("send")[4:]]
    assert [("wrong_signature", 1), ("wrong_signature", 3)] == again
    expect(widget.button("Send the 2 unexpected again")).to_have_count(0)


@pytest.mark.long
def test_a_rejected_valid_request_is_sent_again_with_a_new_signature(host: Open):
    page = host()
    widget, boxes = opened(page, "http://127.0.0.1:8000/reject")
    boxes.first.click()
    widget.button("Send 1 event").click()
    expect(widget.root.get_by_text("0 of 1 response as expected")).to_be_visible()
    widget.button("Send the 1 unexpected again").click()
    expect(widget.root.get_by_role("tab", name=re.compile("History"))).to_contain_text("2")

    assert 1 == page.asked("send")[1]["again"]
