"""The secret's field, on a page where everything that leaves it is recorded."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.ui.fake_host import CANARY, Open, all_panels


def test_the_secret_is_in_no_message_trait_attribute_or_storage(host: Open):
    page = host()
    widget = page.mount()
    for panel in all_panels(widget):
        html = page.page.evaluate("document.documentElement.outerHTML")
        assert CANARY not in html, panel
    widget.tab("Generate")
    widget.secret_button("Show").click()
    stored = page.page.evaluate(
        "JSON.stringify([widget.model.traits, {...localStorage}, {...sessionStorage}, document.cookie])"
    )

    assert CANARY not in json.dumps(page.frames())
    assert CANARY not in stored
    assert CANARY not in page.page.evaluate("document.documentElement.outerHTML")


def test_typing_a_secret_signs_nothing_before_enter(host: Open):
    """A signature for each key press would give the secret away one character at a time."""
    page = host()
    widget = page.mount()
    expect(widget.payload).to_be_visible()
    before = len(page.frames())
    widget.secret.press_sequentially("whsec_slow")
    expect(widget.secret_note).to_contain_text("Press Enter to sign with this secret.")
    assert before == len(page.frames())
    widget.secret.press("Enter")

    widget.wait_until_signed()


def test_leaving_the_field_also_counts(host: Open):
    widget = host().mount()
    widget.secret.press_sequentially("whsec_slow")
    widget.secret.blur()

    widget.wait_until_signed()


def test_a_malformed_key_is_rejected_with_its_reason(host: Open):
    page = host()
    widget = page.mount(traits={"provider": "vault", "event": "item.created"})
    widget.secret.fill("key_Zm9v-mFy")
    widget.secret.press("Enter")

    expect(widget.secret_note).to_contain_text("Not base64: character 9 is “-”")
    expect(widget.region("Request")).to_contain_text("Invalid secret")
    assert "Zm9v" not in json.dumps(page.frames())


def test_a_forgotten_secret_is_gone_from_the_field_too(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    widget.button("Remove").click()

    expect(widget.secret).to_have_value("")
    expect(widget.region("Request")).to_contain_text("Not signed: no secret")


def test_a_generated_secret_has_the_providers_form_and_signs(host: Open):
    widget = host().mount()
    widget.secret_button("Generate").click()

    widget.wait_until_signed()
    assert widget.secret.input_value().startswith("whsec_")


def test_generate_asks_before_it_replaces_a_typed_secret(host: Open):
    widget = host().mount()
    widget.sign_with(CANARY)
    generate = widget.secret_button("Generate")

    generate.click()
    expect(widget.secret_note).to_contain_text("This replaces the secret, which cannot be restored.")
    expect(generate).to_be_disabled()  # a double click answers nothing
    expect(widget.secret).to_have_value(CANARY)
    widget.secret_button("Keep it").click()
    expect(widget.secret).to_have_value(CANARY)

    generate.click()
    widget.secret_button("Replace it").click()
    expect(widget.secret).not_to_have_value(CANARY)
    expect(widget.secret_note).to_contain_text("38 bytes")


def test_a_key_pair_is_made_here_and_its_public_half_shown(host: Open):
    page = host()
    widget = page.mount(traits={"provider": "discord", "event": "ping"})
    widget.button("Generate key pair").click()
    widget.wait_until_signed()

    assert 64 == len(widget.root.get_by_role("textbox", name="Public key").input_value())


def test_two_views_share_the_secret_and_the_payload(host: Open):
    page = host()
    first = page.mount(views=2)
    second = Generator(page.page.locator(".hw").nth(1))
    first.sign_with(CANARY)
    second.wait_until_signed()
    expect(second.secret).to_have_attribute("placeholder", "kept in this tab")
    expect(first.secret_button("Show")).to_be_visible()
    expect(second.secret_button("Show")).to_be_hidden()
    second.payload.press("Control+End")
    second.payload.press_sequentially("x")

    expect(first.payload).to_contain_text("}x")


def test_a_provider_that_sends_the_secret_itself_gets_dots_a_command_and_a_question_before_it_is_sent(
    host: Open,
):
    page = host()
    widget = page.mount(traits={"provider": "gate", "event": "build.done"})
    widget.secret.fill(CANARY)
    widget.secret.press("Enter")

    expect(widget.region("Request").get_by_text("Contains the secret")).to_be_visible()
    expect(widget.header("X-Signature")).to_have_text("•••••••• (your secret)")
    expect(widget.answer).to_contain_text("Its field asks you before it goes to the kernel.")
    widget.root.get_by_role("tab", name="curl").click()
    expect(widget.region("Request").get_by_text('secret="$WEBHOOK_SECRET"')).to_be_visible()
    assert CANARY not in str(page.frames())


def test_an_rsa_pair_is_made_in_the_tab_and_shown_as_a_certificate(host: Open):
    widget = host().mount(traits={"provider": "parcel", "event": "parcel.sent"})
    widget.button("Generate key pair").click()
    widget.wait_until_signed()
    certificate = widget.region("Key pair").get_by_label("Certificate")

    expect(certificate).to_have_value(re.compile("^-----BEGIN CERTIFICATE-----\n"))
    expect(certificate).not_to_be_editable()
    expect(widget.header("X-Signature")).to_have_text(re.compile("^[0-9a-f]{512}$"))
