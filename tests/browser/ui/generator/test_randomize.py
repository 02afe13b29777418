"""The sample with other values: from fields, from a seed, and back."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.generator import SIGNED, Generator
from tests.browser.ui.fake_host import CANARY, Open


def field(widget: Generator, label: str) -> Locator:
    """A field of the opened form."""
    return widget.root.get_by_role("group", name="Randomize the sample").get_by_label(label, exact=True)


def opened(widget: Generator) -> Generator:
    """The same widget with the form in sight."""
    widget.button("Randomize…").click()
    expect(widget.button("Randomize…")).to_have_attribute("aria-expanded", "true")
    expect(field(widget, "Seed")).to_be_visible()
    return widget


def test_a_value_is_put_in_and_the_seed_gives_the_others(host: Open):
    page = host()
    widget = opened(page.mount())
    widget.sign_with(CANARY)
    expect(widget.root.get_by_role("status")).to_contain_text(SIGNED)  # said once, after a while
    before = page.body()
    field(widget, "Seed").fill("7")
    field(widget, "Currency").fill("CHF")
    widget.button("Apply").click()
    expect(field(widget, "Amount")).to_have_accessible_description("a whole number")
    expect(field(widget, "Amount")).to_have_value("700")
    expect(field(widget, "Currency")).to_have_value("chf")
    expect(field(widget, "E-mail of the customer")).to_have_attribute("placeholder", "auto (email)")
    expect(field(widget, "E-mail of the customer")).to_have_accessible_description(
        "Not in this event's payload"
    )
    expect(widget.root.get_by_role("status")).to_contain_text("Payload randomized")
    widget.wait_until_signed()
    varied = json.loads(page.body())["data"]["object"]
    assert (700, "chf", "pi_Seed7") == (varied["amount"], varied["currency"], varied["id"])
    widget.button("Undo Randomize").click()
    expect(widget.payload).to_contain_text('"currency": "usd"')

    assert before == page.body()


@pytest.mark.long
def test_another_seed_empties_what_the_last_one_gave_and_nothing_that_was_typed(host: Open):
    page = host()
    widget = opened(page.mount())
    field(widget, "Currency").fill("chf")
    widget.button("Apply").click()
    expect(field(widget, "Amount")).to_have_value("100")
    widget.button("New seed").click()
    expect(field(widget, "Amount")).to_have_value("")
    expect(field(widget, "Currency")).to_have_value("chf")
    widget.button("Apply").click()
    expect(field(widget, "Amount")).not_to_have_value("")
    first, second = (asked["seed"] for asked in page.asked("randomize"))

    assert first != second
    assert str(second) == field(widget, "Seed").input_value()


@pytest.mark.long
def test_without_a_seed_the_values_of_the_sample_stay(host: Open):
    page = host()
    widget = opened(page.mount())
    field(widget, "Seed").fill("")
    expect(field(widget, "Amount")).to_have_attribute("placeholder", "from sample (integer)")
    field(widget, "Currency").fill("eur")
    field(widget, "E-mail of the customer").fill("ada@example.com")
    widget.button("Apply").click()
    expect(widget.payload).to_contain_text('"currency": "eur"')
    expect(widget.payload).to_contain_text('"amount": 2000')
    expect(field(widget, "Amount")).to_have_value("")
    expect(field(widget, "Amount")).to_have_accessible_description("a whole number")
    expect(field(widget, "E-mail of the customer")).to_have_accessible_description(
        "Not in this event's payload"
    )

    assert [None] == [asked["seed"] for asked in page.asked("randomize")]


def test_an_edited_body_is_replaced_only_after_a_question_and_comes_back(host: Open):
    page = host()
    widget = opened(page.mount())
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")
    expect(widget.region("Payload")).to_contain_text("replaces your edited payload")
    edited = page.body()
    widget.button("Apply").click()
    expect(widget.root.get_by_role("group", name="Replace your edited payload?")).to_be_visible()
    expect(widget.button("Replace")).to_be_focused()
    widget.button("Cancel").click()
    expect(widget.button("Apply")).to_be_focused()
    assert [] == page.asked("randomize")
    assert edited == page.body()
    widget.button("Apply").click()
    widget.button("Replace").click()
    expect(field(widget, "Amount")).to_have_value("100")
    expect(widget.button("Apply")).to_be_focused()
    field(widget, "Seed").fill("2")
    widget.button("Apply").click()
    expect(field(widget, "Amount")).to_have_value("200")
    widget.button("Undo Randomize").click()
    expect(widget.payload).to_contain_text('"amount": 100')
    widget.button("Undo Randomize").click()
    expect(widget.payload).to_contain_text('"amount": 2000')

    assert edited == page.body()


@pytest.mark.long
def test_a_value_that_cannot_be_put_in_is_reported_at_its_field(host: Open):
    page = host()
    widget = opened(page.mount())
    expect(widget.root.get_by_role("status")).to_contain_text("Not signed")  # said once, after a while
    before = page.body()
    amount = field(widget, "Amount")
    amount.fill("much")
    amount.press("Enter")
    expect(amount).to_have_attribute("aria-invalid", "true")
    expect(amount).to_have_accessible_description(re.compile("“much” is no whole number"))
    expect(amount).to_be_focused()
    expect(widget.root.get_by_role("status")).to_contain_text("“much” is no whole number")
    assert before == page.body()
    amount.fill("5")
    expect(amount).not_to_have_attribute("aria-invalid", "true")
    amount.press("Enter")

    expect(widget.payload).to_contain_text('"amount": 5,')


def test_a_seed_that_is_no_number_is_reported_before_the_kernel_is_asked(host: Open):
    page = host()
    widget = opened(page.mount())
    field(widget, "Seed").fill("lucky")
    widget.button("Apply").click()
    expect(field(widget, "Seed")).to_have_accessible_description(re.compile("whole number"))

    assert [] == page.asked("randomize")


@pytest.mark.long
def test_reset_takes_the_values_out_of_the_body_and_of_the_fields(host: Open):
    page = host()
    widget = opened(page.mount())
    before = page.body()
    field(widget, "Currency").fill("chf")
    widget.button("Apply").click()
    expect(field(widget, "Amount")).to_have_value("100")
    widget.button("Reset to sample").click()
    expect(field(widget, "Currency")).to_have_value("")
    expect(field(widget, "Amount")).to_have_value("")

    assert before == page.body()


@pytest.mark.long
def test_what_was_typed_for_a_provider_is_there_when_it_is_chosen_again(host: Open):
    page = host()
    widget = opened(page.mount())
    field(widget, "Currency").fill("chf")
    widget.pick("Provider", "Vault")
    expect(widget.button("Randomize…")).to_have_count(0)
    widget.pick("Provider", "Stripe")

    expect(field(widget, "Currency")).to_have_value("chf")


@pytest.mark.long
def test_the_form_reports_a_kernel_that_does_not_know_the_request(host: Open):
    page = host()
    widget = opened(page.mount(faults={"hostile": "randomize"}))
    widget.button("Apply").click()

    expect(widget.root.get_by_role("group", name="Randomize the sample")).to_contain_text(
        "The kernel's response to “randomize” cannot be read"
    )


@pytest.mark.long
@pytest.mark.parametrize("traits", [{"locked": ["body"]}, {"provider": "vault", "event": "item.created"}])
def test_there_is_no_form_where_nothing_can_be_varied(host: Open, traits: dict[str, object]):
    widget = host().mount(traits=traits)
    expect(widget.payload).to_be_visible()
    expect(widget.secret).to_be_visible()  # the kernel has told all of the provider

    expect(widget.button("Randomize…")).to_have_count(0)
