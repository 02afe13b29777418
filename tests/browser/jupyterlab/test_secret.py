"""A secret typed into the widget is nowhere but in that tab.

A canary is typed and used for all that a secret is good for; then it is looked for in every place where a
colleague, a server or a later reader of the notebook could find it. A widget that leaks on purpose shows that
each of these looks finds something when there is something.
"""

from __future__ import annotations

import re
import secrets
import string
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nbconvert import HTMLExporter
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Show
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.leaks import LEAKING, Leak, file_leaks
from tests.browser.memory import found_by, probe_for, process_leaks
from tests.browser.sdk import SdkReceiver

# Records the bytes that the page draws at random, from which a private key is made.
DRAWN = """
  window.drawn = [];
  const draw = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (into) => {
    const given = draw(into);
    window.drawn.push([...new Uint8Array(given.buffer, given.byteOffset, given.byteLength)]);
    return given;
  };
"""


@pytest.fixture
def canary() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(40))


def save_and_export(lab: Lab, folder: Path) -> None:
    """Save the notebook, and export it as `nbconvert --to html` does, with the widgets' state."""
    lab.save()
    html, _ = HTMLExporter().from_filename(str(lab.server.notebooks / lab.name))
    assert "application/vnd.jupyter.widget-state+json" in html
    (folder / lab.name).with_suffix(".html").write_text(html)


def kernel_says(lab: Lab) -> str:
    """Everything the kernel can tell about the widget."""
    return lab.execute("print(repr(w), str(w), w.get_state(), w._repr_mimebundle_(), vars(w))")


def pids(lab: Lab) -> list[int]:
    """The processes that must never have had a typed secret: the kernel and its parent, the server."""
    return [int(pid) for pid in lab.execute("import os; print(os.getpid(), os.getppid())").split()]


def leaks_everywhere(lab: Lab, secret: str, exported: Path) -> list[Leak]:
    """All leaks: on the wire, on disk, in storage, in exports, in what the kernel says and has in memory."""
    looked_at, holders = found_by(lab.execute(probe_for(secret), timeout_s=60))
    assert looked_at > 10_000
    return [
        *lab.leaks(secret),
        *file_leaks(exported, secret),
        *([Leak("what the kernel says", "as it is")] if secret in kernel_says(lab) else []),
        *(Leak("an object in the kernel", holder) for holder in holders),
        *(leak for pid in pids(lab) for leak in process_leaks(pid, secret)),
    ]


def compare_export_and_import(widget: Generator, folder: Path, secret: str) -> None:
    """Compare two deliveries, save the history in both forms, and import a recording that has the secret."""
    for n in (1, 2):
        widget.root.get_by_label(f"Compare delivery {n}").check()
    widget.button("Compare two").click()
    expect(widget.root.get_by_role("region", name="Comparison")).to_contain_text("Stripe-Signature")
    for form in ("HAR", "JSON"):
        with widget.root.page.expect_download() as download:
            widget.button(f"Export {form}").click()
        download.value.save_as(folder / download.value.suggested_filename)
    har = (folder / "deliveries.har").read_text()
    assert '"Stripe-Signature"' in har
    # As a recording of another tool has it, which leaves out nothing.
    recorded = har.replace(
        '"name": "User-Agent"', f'"name": "X-Key", "value": "{secret}"}}, {{"name": "User-Agent"'
    )
    assert secret in recorded
    widget.root.get_by_text("Import a recorded request").click()
    widget.root.get_by_label("Recording", exact=True).fill(recorded)
    widget.button("Add to History").click()
    expect(widget.root.get_by_role("button", name="#4")).to_contain_text("imported")


def run_all_faults(widget: Generator) -> None:
    """Send an event, and each of its negative tests."""
    widget.tab("Check")
    widget.root.get_by_role("tab", name="Run", exact=True).click()
    widget.root.get_by_label("invoice.paid", exact=True).check()
    widget.root.get_by_label("All that apply").check()
    widget.root.get_by_role("button", name=re.compile(r"^Send \d+ requests$")).click()
    expect(widget.root.get_by_role("tabpanel", name="Check")).to_contain_text(
        re.compile(r"(\d+) of \1 responses")
    )


def use_for_everything(widget: Generator, sdk: SdkReceiver, secret: str, folder: Path) -> None:
    """Type, show, sign, send twice, copy, format, compare, export, import, run, verify, diagnose, switch."""
    for provider in ("stripe", "github"):
        sdk.trust(provider, secret)
    widget.url.fill(sdk.url("stripe"))
    widget.secret.press_sequentially(secret)
    widget.secret.press("Enter")
    widget.wait_until_signed()
    widget.secret_button("Show").click()
    widget.secret_button("Hide").click()
    widget.send_and_see("200 OK")
    widget.button("Minify").click()
    widget.button("Format").click()
    widget.wait_until_signed()
    widget.button("Copy headers").click()
    widget.root.get_by_role("tab", name="curl").click()
    widget.region("Request").get_by_label("Signature").select_option("Signs itself from $WEBHOOK_SECRET")
    expect(widget.root.get_by_label("curl command", exact=True)).to_contain_text("WEBHOOK_SECRET")
    widget.tab("History")
    widget.button("Resend delivery 1").click()
    expect(widget.root.get_by_role("listitem")).to_have_count(2)
    compare_export_and_import(widget, folder, secret)
    run_all_faults(widget)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()
    expect(widget.root.get_by_role("tabpanel", name="Verify")).to_contain_text(
        "The Stripe signature is valid"
    )
    headers = widget.root.get_by_label("Headers (one per line)")
    headers.fill(re.sub("v1=.{8}", "v1=00000000", headers.input_value()))
    widget.button("Verify signature").click()
    expect(
        widget.root.get_by_role("paragraph").filter(has_text="Cause not found Most likely the secret.")
    ).to_be_visible()
    widget.tab("Generate")
    widget.pick("Provider", "Telegram")  # whose requests carry the secret itself
    widget.secret.fill(secret)
    widget.secret.press("Enter")
    expect(widget.region("Request")).to_contain_text("Contains the secret")
    widget.choose("GitHub", "push")
    widget.sign_with(secret)
    widget.send_and_see("200 OK", url=sdk.url("github"))
    widget.choose("Stripe", "invoice.paid")
    widget.wait_until_signed()


def test_a_typed_secret_is_nowhere_but_in_the_tab_and_gone_after_a_reload(
    open_tab: OpenTab, sdk: SdkReceiver, canary: str, notebook: str, tmp_path: Path
):
    lab = open_tab()
    lab.run("from hook_widgets import WebhookGenerator", "w = WebhookGenerator('stripe')\nw", name=notebook)
    widget = Generator(lab.panel.locator(".hw"))

    use_for_everything(widget, sdk, canary, tmp_path)
    valid, rejected = (
        [
            one
            for provider in ("stripe", "github")
            for one in sdk.arrived(provider)
            if bool(one.problem) is wrong
        ]
        for wrong in (False, True)
    )
    assert 4 <= len(valid)
    assert 3 <= len(rejected)
    save_and_export(lab, tmp_path)
    lab.reload()

    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("invoice.paid")
    expect(widget.secret).to_have_value("")
    expect(widget.secret_note).to_contain_text("again after a reload")
    expect(widget.region("Request")).to_contain_text("Not signed: no secret")
    assert [] == leaks_everywhere(lab, canary, tmp_path)
    assert [] == lab.recording.foreign(lab.server.base)


@pytest.mark.long
def test_a_widget_that_leaks_is_caught_in_each_of_these_places(
    lab: Lab, canary: str, notebook: str, tmp_path: Path
):
    lab.run(f"{LEAKING}w = Leaking()\nw", name=notebook)

    lab.panel.locator(".leaking").fill(canary)
    lab.page.evaluate("(secret) => { localStorage.leak = secret; console.log(btoa(secret)); }", canary)
    lab.page.evaluate("(secret) => { void fetch(`/api/status?leak=${encodeURIComponent(secret)}`) }", canary)
    save_and_export(lab, tmp_path)
    places = {leak.where.split(" ")[0] for leak in leaks_everywhere(lab, canary, tmp_path)}

    on_disk = {f"notebooks/{notebook}", f"notebooks/.ipynb_checkpoints/{notebook[:-6]}-checkpoint.ipynb"}
    exported = {f"{notebook[:-6]}.html"}
    memory = {"an", "memory"} if sys.platform == "linux" else {"an"}
    assert {"frame", "request", "console", "browser", "what"} | on_disk | exported | memory <= places


@pytest.mark.long
def test_the_private_half_of_a_key_pair_never_leaves_the_tab(
    open_tab: OpenTab, sdk: SdkReceiver, notebook: str, tmp_path: Path
):
    lab = open_tab()
    lab.context.add_init_script(DRAWN)
    make = f"w = WebhookGenerator('discord', url={sdk.url('discord')!r})\nw"
    lab.run("from hook_widgets import WebhookGenerator", make, name=notebook)
    widget = Generator(lab.panel.locator(".hw"))

    widget.button("Generate key pair").click()
    widget.wait_until_signed()
    public_key = widget.region("Key pair").get_by_label("Public key", exact=True).input_value()
    sdk.trust("discord", public_key)
    widget.send_and_see("200 OK")
    lab.save()
    draws = [draw for frame in lab.page.frames for draw in frame.evaluate("() => window.drawn ?? []")]
    drawn = [bytes(draw) for draw in draws if len(draw) == 32]

    publics = [
        Ed25519PrivateKey.from_private_bytes(one).public_key().public_bytes_raw().hex() for one in drawn
    ]
    assert public_key in publics
    haystack = lab.haystack()
    assert [] == [leak for private in drawn for leak in haystack.leaks(private)]


def test_a_secret_given_to_the_kernel_never_reaches_the_browser(
    show: Show, lab: Lab, sdk: SdkReceiver, canary: str, tmp_path: Path
):
    sdk.trust("stripe", canary)
    file = tmp_path / "secret"
    file.write_text(canary)
    from_file = f"import os, pathlib\nos.environ['TEST_SECRET'] = pathlib.Path({str(file)!r}).read_text()"

    widget = show(f"secret=Secret.from_env('TEST_SECRET'), url={sdk.url('stripe')!r}", before=from_file)
    widget.wait_until_signed()
    widget.send_and_see("200 OK")
    lab.save()

    expect(widget.region("Secret")).to_contain_text("TEST_SECRET")
    expect(widget.region("Secret")).to_contain_text("It is never sent to this page.")
    expect(widget.region("Secret").locator(".hw-vault")).to_have_count(0)
    assert [] == lab.leaks(canary)
    assert canary not in kernel_says(lab)
