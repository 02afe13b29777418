"""Typed input: problems are reported with their position, locked fields do not change."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import expect

from hook_widgets.webhooks import Receiver, Secret
from tests.browser.generator import Generator
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage
from tests.browser.tab import ROOT
from tests.hosts.widgets import any_secret

PROVIDERS = ROOT / "src/hook_widgets/webhooks/data"


def test_problems_of_the_payload_are_listed_with_line_and_column_and_lead_there(show: Show, tab: KernelPage):
    widget = show("'stripe', body='{}'")
    problems = widget.root.get_by_role("list", name="Problems in the payload").get_by_role("button")

    widget.write_payload('{\n  "id": 1,\n}')
    expect(problems).to_have_count(1)
    expect(problems).to_contain_text("Line 2, column 10")
    expect(problems).to_contain_text("comma")
    widget.write_payload('{\n  "id": NaN\n}')
    expect(problems).to_contain_text("NaN")
    widget.write_payload('{\n  "id": 1,\n  "id": 2\n}')
    expect(problems).to_contain_text("Line 3, column 3")
    problems.click()
    tab.page.keyboard.press("Delete")
    expect(widget.payload).to_contain_text('id": 2')
    widget.write_payload("[]")

    expect(problems).to_have_count(0)
    expect(widget.region("Payload")).to_contain_text("Valid JSON")


def test_what_is_not_json_is_not_formatted_and_says_why(show: Show):
    widget = show("'stripe', body='{,}'")

    widget.button("Format").click()

    expect(widget.region("Payload")).to_contain_text("Not changed")
    expect(widget.payload).to_have_text("{,}")


def test_format_minify_and_reset_change_only_when_they_are_pressed(show: Show):
    widget = show("'github', 'push', body='{ \"a\":1 }'")

    expect(widget.payload).to_have_text('{ "a":1 }')
    widget.button("Minify").click()
    expect(widget.payload).to_have_text('{"a":1}')
    widget.button("Undo Minify").click()
    expect(widget.payload).to_have_text('{ "a":1 }')
    widget.button("Format").click()
    expect(widget.payload.locator("xpath=./*")).to_have_count(3)
    widget.button("Reset").click()
    expect(widget.payload).to_contain_text('"ref":"refs/heads/')


def test_form_parameters_are_edited_as_a_table_and_signed_as_the_provider_writes_them(
    show: Show, tab: KernelPage
):
    widget = show("'twilio', 'sms.received'")

    widget.root.get_by_label("Value of Body").fill("Hello + 50 % é")

    expect(widget.payload).to_contain_text("Body=Hello+%2B+50+%25+%C3%A9")
    assert "Body=Hello+%2B+50+%25+%C3%A9" in tab.execute("print(w.body.decode())")


def test_a_malformed_key_is_rejected_with_the_reason(own_tab: KernelPage, tmp_path: Path):
    folder = tmp_path / "providers"
    shutil.copytree(PROVIDERS, folder)
    data = folder / "generic" / "provider.toml"
    data.write_text(data.read_text().replace('form = "utf8"', 'form = "base64"').replace("hex", "base64", 1))
    own_tab.run(
        f"import pathlib, hook_widgets.webhooks.registry.api as catalog\n"
        f"catalog._root = lambda: pathlib.Path({str(folder)!r})",
        "from hook_widgets import WebhookGenerator\nWebhookGenerator('generic')",
    )
    widget = Generator(own_tab.panel.locator(".hw"))

    for secret, reason in (("c2hvcnQxx", "cut off"), ("not base64!", "base64")):
        widget.secret.fill(secret)
        widget.secret.press("Enter")
        expect(widget.secret_note).to_contain_text("Invalid secret.")
        expect(widget.secret_note).to_contain_text(reason)
        expect(widget.region("Request")).to_contain_text("Invalid secret")
        expect(widget.button("Send")).to_have_attribute("aria-disabled", "true")
        expect(widget.button("Send")).to_have_attribute("title", "Correct the secret first.")


def test_locked_fields_can_be_read_and_not_changed(show: Show):
    widget = show("'stripe', locked=['provider', 'event', 'body', 'url', 'headers', 'clock']")

    for name in ("Provider", "Event"):
        expect(widget.root.get_by_role("combobox", name=name)).to_have_attribute("readonly", "")
    expect(widget.root.get_by_label("Clock")).to_be_disabled()
    expect(widget.url).to_have_attribute("readonly", "")
    expect(widget.payload).to_have_attribute("contenteditable", "false")
    for button in ("Format", "Minify", "Reset", "Add header"):
        expect(widget.button(button)).to_have_count(0)
    widget.sign_with("TESTsecret0123456789")


def test_a_generator_of_which_all_is_locked_is_one_button_and_the_result(show: Show, tab: KernelPage):
    locked = ["provider", "event", "scheme", "url", "body", "headers", "clock"]
    with Receiver("stripe", Secret("whsec_not_a_secret")) as receiver:
        widget = show(
            f"url={receiver.url!r}, locked={locked}, secret=Secret('whsec_' + 'not_a_secret')",
        )
        runbook = widget.region("Runbook")
        expect(runbook.get_by_role("button")).to_have_text(["Send test payload"])
        expect(widget.root.get_by_role("tab")).to_have_count(0)
        runbook.get_by_role("button", name="Send test payload").click()
        expect(runbook).to_contain_text("200 OK")
    assert [] == tab.violations(widget.root)

    runbook.get_by_text("Details", exact=True).press("Enter")
    expect(widget.url).not_to_be_editable()


def test_an_emptied_offset_is_an_error_at_its_field(show: Show):
    widget = show("clock=timedelta(seconds=-300)", before="from datetime import timedelta")
    widget.sign_with(any_secret())
    offset = widget.root.get_by_label("Offset (seconds)")
    offset.fill("")
    expect(offset).to_have_attribute("aria-invalid", "true")
    expect(
        widget.root.get_by_text("the offset must be a number of seconds, such as -301").first
    ).to_be_visible()
    expect(widget.button("Send")).to_be_disabled()
    offset.press_sequentially("-301")

    expect(offset).to_have_value("-301")
    expect(offset).not_to_have_attribute("aria-invalid", "true")
    expect(widget.button("Send")).to_be_enabled()
