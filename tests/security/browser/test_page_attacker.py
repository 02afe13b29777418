"""A script that comes into the page after the secret was typed finds it nowhere, whatever the user then does.

It is run for 5 s, in a long run for 10 s, or for as many as ``ATTACK_SECONDS`` says; a search of JupyterLab
takes 2 to 3 s.
"""

from __future__ import annotations

import base64
import os
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import OpenTab
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.security.browser.victim import canary, see_signed_with, type_secret
from tests.support.extent import extent
from tests.support.wire import Wire

SECONDS = float(os.environ.get("ATTACK_SECONDS", extent("5", "10")))
ATTACKER = Path(__file__).with_name("attacker.js").read_text()
_PIECE = 8  # letters; as many by chance are not to be expected

# Made before the attacker comes, who would see a new map and its bytes pass.
_BED = "(length) => { window.planted = {deep: new Map([['kept', new Uint8Array(length)]])}; }"
_PLANT = """(secret) => {
  const host = document.body.appendChild(document.createElement("div"));
  const field = document.createElement("input");
  field.value = secret;
  host.attachShadow({mode: "open"}).append(field);
  for (let at = 0; at < secret.length; at++) planted.deep.get("kept")[at] = secret.charCodeAt(at);
  localStorage.planted = btoa(secret);
  performance.mark(secret);
}"""


def needles(*secrets: str) -> list[str]:
    """Pieces of each secret in plain, in hex and in base64, shifted as the attacker expects them."""
    forms = []
    for secret in secrets:
        forms += [secret[at : at + _PIECE] for at in range(0, len(secret) - _PIECE + 1, 4)]
        raw = secret.encode()
        forms += [raw.hex(), *(base64.b64encode(raw[skipped:])[:16].decode() for skipped in range(3))]
    return ["".join(chr(ord(char) + 1) for char in form) for form in forms]


def install(lab: Lab, *secrets: str) -> None:
    """Put the attacker into the page, who knows what to look for."""
    lab.page.evaluate(ATTACKER)
    lab.page.evaluate("(needles) => window.attacker.attack(needles)", needles(*secrets))


def report(lab: Lab, *, more: int = 1) -> dict[str, Any]:
    """The attacker's findings after this many more complete searches."""
    before = lab.page.evaluate("() => window.attacker.report().rounds")
    lab.page.wait_for_function(
        "(rounds) => window.attacker.report().rounds > rounds", arg=before + more, timeout=120_000
    )
    return lab.page.evaluate("() => window.attacker.report()")


def held(lab: Lab, notebook: str, secret: str) -> Generator:
    """A widget that signs with a typed secret, above a cell for a second view."""
    make = "w = WebhookGenerator('github')\nw"
    lab.run("from hook_widgets import WebhookGenerator", make, "pass", name=notebook)
    widget = Generator(lab.panel.locator(".hw").first)
    type_secret(widget, secret)
    see_signed_with(widget, lab, secret)
    return widget


def use(widget: Generator, lab: Lab, receiver: Wire) -> None:
    """Sign other bytes, send them, and verify them."""
    widget.write_payload('{"zen": "While someone looks on."}')
    widget.wait_until_signed()
    widget.send_and_see("200 OK", url=receiver.url)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()
    expect(widget.root.get_by_text("The GitHub signature is valid", exact=True)).to_be_visible()
    widget.tab("Generate")


def open_second_view(lab: Lab) -> None:
    """Show the widget once more, and see that it signs."""
    lab.within("panel.content.widgets[2].model.sharedModel.setSource('w')")
    lab.within("panel.content.activeCellIndex = 2; await app.commands.execute('notebook:run-cell')")
    expect(lab.panel.locator(".hw")).to_have_count(2)
    Generator(lab.panel.locator(".hw").last).wait_until_signed()


def test_an_attacker_who_comes_after_typing_finds_no_secret_but_one_that_lies_in_the_page(
    open_tab: OpenTab, notebook: str
):
    """The same attacker is the control: at the end it finds a secret that is put into the page."""
    lab, secret, more, planted = open_tab(), canary(), canary(24), canary()
    widget = held(lab, notebook, secret)
    began = time.monotonic()

    lab.page.evaluate(_BED, len(planted))
    install(lab, secret, more, planted)
    with Wire() as receiver:
        use(widget, lab, receiver)
    open_second_view(lab)
    widget.secret.press("End")
    type_secret(widget, more)
    see_signed_with(widget, lab, secret + more)
    findings = report(lab)
    while time.monotonic() < began + SECONDS:
        findings = report(lab)

    assert ([], "") == (findings["places"], findings["letters"])
    assert findings["objects"] > 10_000
    haystack = lab.haystack()
    assert [] == haystack.leaks(secret) + haystack.leaks(more)

    lab.page.evaluate(_PLANT, planted)
    places = report(lab)["places"]

    for part in ("shadowRoot/input.value", "planted.deep[entry]", "localStorage", "performance"):
        assert [part] == [part for place in places if part in place][:1]
