"""Choosing among a hundred providers and eighty events."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.ui.fake_host import Open

MANY = {"many": 120}


def options(widget: Generator) -> list[str]:
    return widget.root.get_by_role("option").locator("span:first-child").all_inner_texts()


def open_providers(widget: Generator) -> None:
    widget.root.get_by_role("combobox", name="Provider").click()
    expect(widget.root.get_by_label("Kind")).to_be_visible()


def test_a_provider_is_found_by_the_name_of_one_of_its_events(host: Open):
    widget = host().mount(faults=MANY)
    field = widget.root.get_by_role("combobox", name="Provider")
    field.fill("thing42.event_7")

    assert ["Made Up 42"] == options(widget)
    field.press("Enter")
    expect(field).to_have_value("Made Up 42")
    widget.root.get_by_role("combobox", name="Event").fill("event_79")
    assert ["thing42.event_79"] == options(widget)


def test_the_data_of_the_option_that_enter_would_pick_is_asked_for_before(host: Open):
    page = host()
    field = page.mount(faults=MANY).root.get_by_role("combobox", name="Provider")
    field.fill("Made Up 42")
    page.page.wait_for_function(
        "widget.model.frames.some(({ content }) => content?.args?.id === 'made-up-42')"
    )

    expect(field).to_have_attribute("aria-expanded", "true")


@pytest.mark.long
def test_a_name_that_begins_as_typed_comes_before_words_inside(host: Open):
    widget = host().mount(faults=MANY)
    widget.root.get_by_role("combobox", name="Provider").fill("pay")

    assert "Payment" == options(widget)[0]
    assert "Stripe" in options(widget)


def test_kind_and_certainty_narrow_the_list_by_keyboard_alone_and_the_count_is_spoken(host: Open):
    page = host()
    widget = page.mount(faults=MANY)
    expect(widget.root.get_by_role("status")).to_have_text("Not signed: no secret")  # or it is said later
    keys = page.page.keyboard
    field = widget.root.get_by_role("combobox", name="Provider")
    field.focus()
    keys.press("ArrowDown")
    keys.press("Tab")
    expect(widget.root.get_by_label("Kind")).to_be_focused()
    keys.type("CI")
    expect(widget.root.get_by_text("20 of 127")).to_be_visible()
    keys.press("Tab")
    expect(widget.root.get_by_label("Confidence")).to_be_focused()
    keys.type("Signature: another")

    expect(widget.root.get_by_text("20 of 127")).to_be_visible()
    expect(widget.root.get_by_role("status")).to_have_text("20 providers found")
    keys.press("Escape")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-expanded", "false")


@pytest.mark.long
def test_a_list_that_is_left_with_tab_is_closed(host: Open):
    page = host()
    widget = page.mount(faults=MANY)
    open_providers(widget)
    for _ in range(3):
        page.page.keyboard.press("Tab")

    expect(widget.root.get_by_role("combobox", name="Event")).to_be_focused()
    expect(widget.root.get_by_label("Kind")).to_be_hidden()


@pytest.mark.long
def test_an_option_is_picked_with_the_mouse_while_a_filter_has_the_focus(host: Open):
    widget = host().mount(faults=MANY)
    open_providers(widget)
    widget.root.get_by_label("Kind").select_option("crm")
    widget.root.get_by_role("option").filter(has_text="Made Up 11").first.click()

    expect(widget.root.get_by_role("combobox", name="Provider")).to_have_value("Made Up 11")
    expect(widget.root.get_by_role("combobox", name="Provider")).to_be_focused()


def test_what_is_typed_replaces_an_event_that_the_kernel_chose_meanwhile(host: Open):
    page = host()
    widget = page.mount(faults=MANY)
    field = widget.root.get_by_role("combobox", name="Event")
    field.focus()
    page.page.evaluate(
        """async () => {
            widget.model.set("event", "customer.subscription.created");
            for (let n = 0; n < 20; n += 1) await null; // it is drawn, but there was no frame yet
            document.execCommand("insertText", false, "failed");
        }"""
    )

    expect(field).to_have_value("failed")
    assert ["payment_intent.payment_failed"] == options(widget)


@pytest.mark.long
def test_the_paging_keys_go_through_a_long_list_and_stop_at_its_end(host: Open):
    widget = host().mount(faults=MANY)
    field = widget.root.get_by_role("combobox", name="Provider")
    field.press("ArrowDown")
    for _ in range(20):
        field.press("PageDown")
    last = options(widget)[-1]

    active = field.get_attribute("aria-activedescendant")
    expect(widget.root.locator(f"[id='{active}']")).to_contain_text(last)
    expect(widget.root.locator(f"[id='{active}']")).to_be_in_viewport()


def test_how_sure_we_are_and_what_is_not_confirmed_stands_below_the_choice(host: Open):
    widget = host().mount(faults=MANY)
    chips = widget.root.locator(".hw-sure > .hw-chip")
    expect(chips).to_have_text(
        ["Signature: own library", "Headers: recorded delivery", "Bodies: a library's types"]
    )
    expect(widget.root.get_by_text("1 unverified detail")).to_be_visible()
    expect(widget.root.get_by_text("User-Agent", exact=True).first).to_be_hidden()
    widget.pick("Provider", "Made Up 5")

    expect(chips).to_have_text(["Signature: documentation", "Headers: documentation", "Bodies: unconfirmed"])
    widget.root.get_by_text("2 unverified details").click()
    expect(widget.root.get_by_role("listitem").filter(has_text="order of the headers")).to_be_visible()


@pytest.mark.long
def test_a_provider_file_that_cannot_be_used_is_reported_until_it_can(host: Open):
    page = host()
    text = "acme.provider.toml has 2 faults:\n  line 2: kind: it cannot be 'x'\n  line 4: docs: it is text"
    widget = page.mount(faults={"problems": [["/home/ada/acme.provider.toml", text]]})
    invalid = widget.root.get_by_role("group", name="Invalid provider files")
    expect(invalid).to_be_visible()
    assert text in invalid.inner_text()
    expect(widget.root.get_by_role("status")).to_contain_text("Not signed")  # said once, before what follows
    widget.button("Reload files").click()
    expect(widget.root.get_by_role("status")).to_contain_text("Some provider files are still invalid.")
    page.page.evaluate("widget.kernel.faults.problems = []")
    widget.button("Reload files").click()

    expect(invalid).to_have_count(0)
    expect(widget.root.get_by_role("combobox", name="Provider")).to_be_focused()


@pytest.mark.long
def test_only_the_chosen_provider_is_asked_for_and_only_once(host: Open):
    page = host()
    widget = page.mount(faults=MANY)
    for name in ("Made Up 1", "Made Up 2", "Made Up 1"):
        widget.pick("Provider", name)
        expect(widget.root.get_by_text("Group 0")).to_be_hidden()

    assert ["stripe", "made-up-1", "made-up-2"] == [args["id"] for args in page.asked("provider")]


@pytest.mark.long
def test_nothing_below_jumps_while_the_kernel_tells_of_the_new_provider(host: Open):
    page = host()
    widget = page.mount(faults=MANY)
    expect(widget.payload).to_be_visible()
    page.page.evaluate("widget.kernel.faults.silent = true")
    before = widget.region("Request").bounding_box()
    page.page.evaluate("widget.model.set('provider', 'made-up-3')")
    expect(widget.region("Secret")).to_be_hidden()
    after = widget.region("Request").bounding_box()

    assert before
    assert after
    assert abs(before["y"] - after["y"]) < 4


@pytest.mark.long
def test_picking_a_provider_draws_no_more_than_its_request(host: Open):
    """The time that it takes is a row of the benchmark of the generator."""
    page = host()
    widget = page.mount(faults=MANY)
    expect(widget.payload).to_be_visible()
    field = widget.root.get_by_role("combobox", name="Provider")
    field.fill("Made Up 64")
    assert "Made Up 64" == options(widget)[0]
    page.page.evaluate(
        """() => {
            window.drawn = 0;
            new MutationObserver((records) => {
                for (const { addedNodes } of records)
                    for (const node of addedNodes) drawn += 1 + (node.querySelectorAll?.("*").length ?? 0);
            }).observe(document.body, { subtree: true, childList: true });
        }"""
    )
    sent = len(page.frames())
    field.press("Enter")
    expect(widget.root.get_by_text("X-Signature")).to_be_visible()
    expect(widget.root.locator(".hw-stale")).to_have_count(0)

    assert ["update", "provider"] == [
        frame.get("content", {}).get("op") or next(iter(frame)) for frame in page.frames()[sent:]
    ]
    assert page.page.evaluate("drawn") < 60, "nodes: a list of all providers has hundreds"
