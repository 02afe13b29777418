"""A script that comes into the page after the secret was typed finds it nowhere, whatever the user then does.

It is run for 3 s, in a long run for 10 s, or for as many as ``ATTACK_SECONDS`` says; a search of JupyterLab
takes 2 to 3 s.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import OpenTab
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.light.kernel_page import KernelPage
from tests.browser.server import LabServer
from tests.browser.tab import Tab
from tests.security.browser.victim import canary, see_signed_with, type_secret
from tests.support.extent import extent
from tests.support.wire import Wire

SECONDS = float(os.environ.get("ATTACK_SECONDS", extent("3", "10")))
ATTACKER = Path(__file__).with_name("attacker.js").read_text()
#: from one search to the next
PAUSE_MS = extent(400, 0)
IMPORT, MAKE = "from hook_widgets import WebhookGenerator", "w = WebhookGenerator('github')\nw"
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


def install(page: Tab, *secrets: str) -> None:
    """Put the attacker into the page, who knows what to look for."""
    page.page.evaluate(ATTACKER)
    page.page.evaluate("(args) => window.attacker.attack(...args)", [needles(*secrets), PAUSE_MS])


def report(page: Tab, *, more: int = 1) -> dict[str, Any]:
    """The attacker's findings after this many more complete searches."""
    before = page.page.evaluate("() => window.attacker.report().rounds")
    page.page.wait_for_function(
        "(rounds) => window.attacker.report().rounds > rounds", arg=before + more, timeout=120_000
    )
    return page.page.evaluate("() => window.attacker.report()")


def held(page: Tab, secret: str) -> Generator:
    """The widget on this page, which signs with a typed secret."""
    widget = Generator(page.panel.locator(".hw").first)
    type_secret(widget, secret)
    see_signed_with(widget, page, secret)
    return widget


def use(widget: Generator, page: Tab, receiver: Wire) -> None:
    """Sign other bytes, send them, and verify them."""
    widget.write_payload('{"zen": "While someone looks on."}')
    widget.wait_until_signed()
    widget.send_and_see("200 OK", url=receiver.url)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()
    expect(widget.root.get_by_text("The GitHub signature is valid", exact=True)).to_be_visible()
    widget.tab("Generate")


def open_second_view_in_lab(lab: Lab) -> None:
    lab.within("panel.content.widgets[2].model.sharedModel.setSource('w')")
    lab.within("panel.content.activeCellIndex = 2; await app.commands.execute('notebook:run-cell')")


def attack(page: Tab, open_second_view: Callable[[], object], *, least_objects: int) -> None:
    """Let the attacker come while a widget is used; it finds a secret that is then put into the page."""
    secret, more, planted = canary(), canary(24), canary()
    widget = held(page, secret)
    began = time.monotonic()

    page.page.evaluate(_BED, len(planted))
    install(page, secret, more, planted)
    with Wire() as receiver:
        use(widget, page, receiver)
    open_second_view()
    expect(page.panel.locator(".hw")).to_have_count(2)
    Generator(page.panel.locator(".hw").last).wait_until_signed()
    widget.secret.press("End")
    type_secret(widget, more)
    see_signed_with(widget, page, secret + more)
    findings = report(page)
    while time.monotonic() < began + SECONDS:
        findings = report(page)

    assert ([], "") == (findings["places"], findings["letters"])
    assert findings["objects"] > least_objects
    haystack = page.haystack()
    assert [] == haystack.leaks(secret) + haystack.leaks(more)

    page.page.evaluate(_PLANT, planted)
    places = report(page)["places"]

    for part in ("shadowRoot/input.value", "planted.deep[entry]", "localStorage", "performance"):
        assert [part] == [part for place in places if part in place][:1]


def test_an_attacker_who_comes_after_typing_finds_no_secret_but_one_that_lies_in_the_page(
    server: LabServer, browser: Browser
):
    page = KernelPage(server, browser)
    page.run(IMPORT, MAKE)
    attack(page, lambda: page.run("w"), least_objects=1_000)
    page.close()


@pytest.mark.long
def test_such_an_attacker_finds_no_secret_in_jupyterlab(open_tab: OpenTab, notebook: str):
    lab = open_tab()
    lab.run(IMPORT, MAKE, "pass", name=notebook)
    attack(lab, lambda: open_second_view_in_lab(lab), least_objects=10_000)
