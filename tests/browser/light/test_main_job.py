"""The main job: a signed request leaves a widget, and the provider's own library accepts it."""

from __future__ import annotations

import os
import re
import secrets
import string
import subprocess
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage
from tests.browser.sdk import Arrived, SdkReceiver


@dataclass(frozen=True)
class Job:
    """A selection in the widget, and the provider's path at the receiver."""

    provider: str
    title: str
    event: str


JOBS = [
    Job("stripe", "Stripe", "invoice.paid"),
    Job("github", "GitHub", "pull_request.opened"),
    Job("slack", "Slack", "app_mention"),
    Job("twilio", "Twilio", "sms.received"),
]


def any_secret() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(32))


def run_in_bash(command: str, **environment: str) -> str:
    """Run a copied command as a user's terminal does."""
    variables = os.environ | environment
    done = subprocess.run(["bash"], input=command, env=variables, capture_output=True, text=True, check=True)
    return done.stdout


def copied_curl(widget: Generator, tab: KernelPage) -> str:
    copy = widget.region("Request").get_by_role("button", name=re.compile("^(Copy curl command|Copied)$"))
    expect(copy).not_to_have_attribute("aria-disabled", "true")
    return tab.copied(copy.click)


def signed_part(arrived: Arrived) -> tuple[bytes, list[str]]:
    """Return body and header names, which do not depend on how a request was sent."""
    own = {"host", "content-length", "connection"}
    return arrived.body, [name for name in arrived.headers if name.lower() not in own]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.title)
def test_the_providers_library_accepts_what_is_sent_and_what_the_copied_curl_sends(
    job: Job, show: Show, sdk: SdkReceiver, tab: KernelPage
):
    widget, secret = show("'generic'"), any_secret()
    sdk.trust(job.provider, secret)

    widget.choose(job.title, job.event)
    widget.url.fill(sdk.url(job.provider))
    widget.sign_with(secret)
    widget.send_and_see("200 OK")
    widget.tab("History")
    expect(widget.root.get_by_role("listitem")).to_contain_text([f"#1200 OK{job.event}"])

    widget.tab("Generate")
    widget.root.get_by_role("tab", name="curl").click()
    signed = run_in_bash(copied_curl(widget, tab))
    widget.region("Request").get_by_label("Signature").select_option("Signs itself from $WEBHOOK_SECRET")
    by_shell = copied_curl(widget, tab)
    signing_itself = run_in_bash(by_shell, WEBHOOK_SECRET=secret)

    assert " 200 " in signed.splitlines()[0]
    assert " 200 " in signing_itself.splitlines()[0]
    assert secret not in by_shell
    arrived = sdk.arrived(job.provider)
    assert ["", "", ""] == [one.problem for one in arrived]
    assert [signed_part(arrived[0])] * 2 == [signed_part(one) for one in arrived[1:]]


def test_discords_library_accepts_a_request_signed_with_a_key_pair_made_in_the_browser(
    show: Show, sdk: SdkReceiver, tab: KernelPage
):
    widget = show(f"'discord', url={sdk.url('discord')!r}")

    widget.button("Generate key pair").click()
    public_key = widget.region("Key pair").get_by_label("Public key", exact=True)
    expect(public_key).to_have_value(re.compile("^[0-9a-f]{64}$"))
    sdk.trust("discord", public_key.input_value())
    widget.wait_until_signed()
    widget.send_and_see("200 OK")
    widget.root.get_by_role("tab", name="curl").click()
    signed = run_in_bash(copied_curl(widget, tab))

    assert " 200 " in signed.splitlines()[0]
    assert ["", ""] == [one.problem for one in sdk.arrived("discord")]


def test_an_edited_payload_is_sent_byte_for_byte_and_again_from_the_history(
    show: Show, sdk: SdkReceiver, tab: KernelPage
):
    secret, text = any_secret(), '{"id": "evt_TEST", "note":"quote \\" dollar $HOME `tick` é 漢 😀"}\n'
    sdk.trust("github", secret)
    widget = show(f"'github', 'push', url={sdk.url('github')!r}")

    widget.write_payload(text)
    widget.sign_with(secret)
    widget.send_and_see("same as payload")
    widget.tab("History")
    widget.button("Resend delivery 1").click()
    expect(widget.root.get_by_role("listitem")).to_have_count(2)

    arrived = sdk.arrived("github")
    assert [(text.encode(), ""), (text.encode(), "")] == [(one.body, one.problem) for one in arrived]
    assert arrived[0].headers["X-GitHub-Delivery"] != arrived[1].headers["X-GitHub-Delivery"]


@pytest.mark.long
def test_a_pasted_megabyte_is_signed_sent_and_copied_byte_for_byte(
    show: Show, sdk: SdkReceiver, tab: KernelPage
):
    secret, text = any_secret(), '{"hostile": "' + "'$`é漢😀 <b>" * 70_000 + '"}'
    sdk.trust("github", secret)
    widget = show(f"'github', 'push', url={sdk.url('github')!r}")
    widget.sign_with(secret)

    tab.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    widget.payload.press("ControlOrMeta+a")
    widget.payload.press("ControlOrMeta+v")
    expect(widget.region("Payload")).to_contain_text("1,120,015 bytes")
    widget.wait_until_signed()
    widget.send_and_see("same as payload")
    widget.root.get_by_role("tab", name="curl").click()
    run_in_bash(copied_curl(widget, tab))

    assert [(text.encode(), "")] * 2 == [(one.body, one.problem) for one in sdk.arrived("github")]
