"""Generate and Verify have one secret for each provider, and both say so."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open


def test_a_secret_typed_in_verify_is_said_to_sign_in_generate(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    expect(widget.region("Secret")).to_contain_text("Same secret as in Verify")
    expect(widget.region("Secret")).not_to_contain_text("Entered in")
    first = widget.header("Stripe-Signature").inner_text()
    widget.tab("Verify")
    expect(widget.region("Secret")).to_contain_text("Entered in Generate. Same secret as in Generate")
    widget.secret.fill("whsec_a_wrong_one_for_a_test")
    widget.secret.press("Enter")
    expect(widget.region("Secret")).not_to_contain_text("Entered in")
    widget.tab("Generate")

    expect(widget.region("Secret")).to_contain_text("Entered in Verify. Same secret as in Verify")
    widget.wait_until_signed()
    expect(widget.header("Stripe-Signature")).not_to_have_text(first)


def test_the_secret_of_another_provider_in_verify_leaves_generate_alone(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    first = widget.header("Stripe-Signature").inner_text()
    widget.tab("Verify")
    for provider, note in [
        ("Twilio", "Same secret as in Generate"),
        ("Detect from headers", "used in Verify only"),
    ]:
        widget.pick("Provider", provider)
        expect(widget.region("Secret")).to_contain_text(note)
        widget.secret.fill("another_secret_for_a_test")
        widget.secret.press("Enter")
        expect(widget.button("Remove")).to_be_visible()
    widget.tab("Generate")

    expect(widget.region("Secret")).not_to_contain_text("Entered in")
    widget.wait_until_signed()
    expect(widget.header("Stripe-Signature")).to_have_text(first)
