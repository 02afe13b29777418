"""The notebooks on webhooks: their widgets do as the text says."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.light.kernel_page import KernelPage
from tests.browser.light.notebook_cells import run

STRIPE = "whsec_demo_not_a_secret"


@pytest.mark.long
def test_a_body_and_a_form_are_both_accepted(tab: KernelPage):
    widget = Generator(run(tab, "02_signed_bodies").widget)
    widget.sign_with("github_demo_not_a_secret")
    widget.send_and_see("200 OK")

    widget.pick("Event", "push.form")
    widget.wait_until_signed()
    widget.send_and_see("200 OK")


@pytest.mark.long
def test_a_clock_six_minutes_back_is_rejected_and_the_right_time_is_accepted(tab: KernelPage):
    widget = Generator(run(tab, "03_signed_timestamps").widget)
    widget.sign_with(STRIPE)
    widget.send_and_see("401")
    expect(widget.answer).to_contain_text("timestamp_outside_tolerance")

    widget.root.get_by_label("Clock").first.select_option("Now (when sent)")
    widget.wait_until_signed()
    widget.send_and_see("200 OK")


@pytest.mark.long
def test_address_and_signature_change_together(tab: KernelPage):
    widget = Generator(run(tab, "04_signed_addresses").widget)
    widget.sign_with("twilio_demo_not_a_secret")
    widget.send_and_see("200 OK")

    widget.url.fill(widget.url.input_value() + "/")
    widget.wait_until_signed()
    widget.send_and_see("200 OK")


def test_a_key_pair_given_in_python_signs_without_a_secret_in_the_browser(tab: KernelPage):
    widget = Generator(run(tab, "05_public_keys").widget)
    widget.wait_until_signed()
    widget.send_and_see("200 OK")

    shown = widget.region("Key pair").get_by_text(re.compile(r"[0-9a-f]{64}"))
    assert shown.evaluate("(text) => text.scrollWidth <= text.clientWidth")  # it stays inside its panel


def test_a_token_stays_in_the_tab_until_its_field_is_asked(tab: KernelPage):
    widget = Generator(run(tab, "06_tokens_and_fields").widget)
    typed = "typedTokenOfAReader42"
    widget.secret.fill(typed)
    widget.secret.press("Enter")
    expect(widget.region("Request").get_by_text("Contains the secret")).to_be_visible()
    expect(widget.header("X-Gitlab-Token")).to_contain_text("•")
    expect(widget.answer).to_contain_text("Its field asks you before it goes to the kernel.")

    assert [] == tab.leaks(typed)


def test_verify_names_what_happened_to_the_pasted_request(tab: KernelPage):
    shown = run(tab, "07_why_does_it_not_match")
    widget = Generator(shown.widget)
    header, body = (line for line in shown.printed["paste"] if line.startswith(("Stripe-Signature", "{")))
    widget.tab("Verify")
    widget.root.get_by_label("Headers (one per line)").fill(header)
    widget.root.get_by_label("Body", exact=True).fill(body)
    widget.secret.fill(STRIPE)
    widget.secret.press("Enter")
    widget.button("Verify signature").click()

    causes = widget.root.get_by_role("list", name="Causes")
    expect(causes.get_by_role("heading")).to_contain_text(["signed as compact JSON"])


@pytest.mark.long
def test_the_receiver_in_flask_queues_an_event_once(tab: KernelPage):
    # They take seconds, and the widget needs nothing of them.
    experiments = ("future", "moment", "mistakes", "patience", "down", "pytest-file", "pytest-run")
    widget = Generator(run(tab, "08_testing_a_receiver", without=experiments).widget)
    widget.sign_with(STRIPE)
    widget.send_and_see("queued")
    widget.send_and_see("duplicate")

    again = {"id": "evt_again", "object": "event", "type": "customer.updated", "created": 1_900_000_000}
    customer = {"object": {"id": "cus_1", "object": "customer"}}
    widget.write_payload(json.dumps(again | {"data": customer}))
    widget.wait_until_signed()
    widget.send_and_see("queued")
