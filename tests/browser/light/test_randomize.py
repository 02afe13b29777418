"""A varied sample, and the receiver code beside it, with the real kernel."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from hook_widgets.webhooks import provider
from tests.browser.light.conftest import Show
from tests.browser.sdk import SdkReceiver

SECRET = "TESTsecret0123456789"


def test_a_varied_sample_is_accepted_by_the_providers_library_and_by_the_code_that_is_shown(
    show: Show, sdk: SdkReceiver
):
    sdk.trust("stripe", SECRET)
    widget = show(f"'stripe', 'invoice.paid', url={sdk.url('stripe')!r}")
    widget.sign_with(SECRET)
    widget.button("Randomize…").click()
    form = widget.root.get_by_role("group", name="Randomize the sample")
    form.get_by_label("Seed", exact=True).fill("7")
    form.get_by_label("Currency", exact=True).fill("CHF")
    widget.button("Apply").click()
    expect(widget.button("Undo Randomize")).to_be_visible()
    expect(form.get_by_label("Customer", exact=True)).to_have_value(re.compile("^cus_"))
    widget.wait_until_signed()
    widget.send_and_see("200 OK")
    widget.root.get_by_role("tab", name="Receiver code").click()
    shown = widget.root.get_by_role("region", name="Receiver code in Python").text_content()
    receiver: dict[str, Any] = {}
    exec(str(shown), receiver)

    [arrived] = sdk.arrived("stripe")
    assert "" == arrived.problem
    assert provider("stripe").sample("invoice.paid", seed=7, values={"currency": "CHF"}).body == arrived.body
    assert receiver["verify"](arrived.headers, arrived.body, SECRET)
    assert not receiver["verify"](arrived.headers, arrived.body + b" ", SECRET)


def test_a_value_that_does_not_fit_is_reported_in_the_form_and_changes_nothing(show: Show):
    widget = show("'stripe', 'invoice.paid'")
    widget.button("Randomize…").click()
    form = widget.root.get_by_role("group", name="Randomize the sample")
    currency = form.get_by_label("Currency", exact=True)
    currency.fill("francs")
    widget.button("Apply").click()

    expect(form).to_contain_text("currency cannot be 'francs'")
    expect(widget.button("Undo Randomize")).to_have_count(0)
