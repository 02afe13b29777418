"""Decoding of keys: no script of the page takes part in it, and it is as strict as the kernel's.

The vault's library prefers the browser's own `Uint8Array.fromBase64`, which a script could replace.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import OpenTab
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.leaks import find_secret
from tests.security.browser.loopback import listening
from tests.security.browser.vault_frame import vault_frame
from tests.security.browser.victim import type_secret

CODECS = Path(__file__).with_name("codecs.js").read_text()
MESSAGE = b"body"

_WITHOUT_NATIVE = """
for (const name of ["fromBase64", "fromHex"]) delete Uint8Array[name];
for (const name of ["toBase64", "toHex", "setFromBase64", "setFromHex"]) delete Uint8Array.prototype[name];
"""

_SIGNATURES = """async ([texts, message]) => {
  const next = (port) => new Promise((done) => { port.onmessage = ({data}) => done(data); });
  const frame = document.querySelector("iframe").contentWindow;
  const page = new MessageChannel(), field = new MessageChannel();
  const ready = next(page.port1);
  frame.postMessage({vault: 1, role: "keeper"}, "*", [page.port2]);
  await ready;
  const key = {form: "base64", strip_prefix: "", prefix: "", pair: null, publicForm: "hex"};
  const facts = {provider: "any", key, schemes: {scheme: {field: "hmac-sha256"}}};
  let state = next(field.port1);
  page.port1.postMessage({op: "attach", slot: "any", facts}, [field.port2]);
  await state;
  const answers = [];
  for (const text of texts) {
    state = next(field.port1);
    field.port1.postMessage({op: "set", text});
    const {held, bytes} = await state;
    const answered = new Promise((done) => {
      page.port1.onmessage = ({data}) => data.id === 1 && done(data);
    });
    const jobs = [{scheme: "scheme", field: "field"}];
    const args = {slot: "any", jobs, messages: [Uint8Array.from(message)]};
    page.port1.postMessage({id: 1, op: "sign", args});
    const answer = await answered;
    const digits = (signature) => [...signature].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    answers.push([held.state, bytes, answer.value ? digits(answer.value[0]) : answer.error.code]);
  }
  return answers;
}"""


def taken(lab: Lab) -> bytes:
    """All that passed the replaced functions."""
    text = lab.page.evaluate("() => window.codecs()")
    assert isinstance(text, str)
    return text.encode()


def taken_forms(lab: Lab, *secrets: str | bytes) -> list[str | None]:
    """The form in which each secret passed the replaced functions."""
    return [find_secret(taken(lab), secret) for secret in secrets]


def test_no_key_passes_what_a_page_script_put_in_the_place_of_the_codecs(open_tab: OpenTab, notebook: str):
    lab, raw = open_tab(), os.urandom(24)
    typed = f"whsec_{base64.b64encode(raw).decode()}"
    make = "w = WebhookGenerator('standard-webhooks')\nw"
    lab.run("from hook_widgets import WebhookGenerator", make, name=notebook, session=CODECS)
    widget = Generator(lab.panel.locator(".hw"))

    type_secret(widget, typed)
    widget.wait_until_signed()
    widget.write_payload('{"marker": "MarkerOfThePayload0123"}')
    widget.wait_until_signed()
    widget.secret_button("Generate").click()
    widget.secret_button("Replace it").click()
    expect(widget.secret).not_to_have_value(typed)
    generated = widget.secret.input_value()
    widget.wait_until_signed()
    lab.page.evaluate("() => Uint8Array.fromBase64(btoa('PlantedInThePage0123')).toHex()")

    assert [None] * 3 == taken_forms(lab, typed, generated, generated.removeprefix("whsec_"))
    assert raw.decode("latin-1").encode() not in taken(lab)
    assert ["as it is", "as it is"] == taken_forms(lab, "PlantedInThePage0123", "MarkerOfThePayload0123")
    assert b"PlantedInThePage0123".hex().encode() in taken(lab)


@pytest.fixture(params=["the browser's own decoder", "none"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page of a browser that can or cannot decode base64 itself."""
    with listening() as listeners, browser.new_context() as context:
        page = context.new_page()
        if request.param == "none":
            page.add_init_script(_WITHOUT_NATIVE)
        page.goto(listeners.base)
        yield page
        native = page.frames[1].evaluate("() => typeof Uint8Array.fromBase64 === 'function'")
        assert (request.param != "none") == native


def texts() -> list[str]:
    """Keys in base64 with slips of the clipboard."""
    rng = random.Random(20260915)
    slips = [
        "",
        "=",
        "==",
        "===",
        " ",
        "\n",
        "\t",
        "\f",
        "\u00a0",
        "-",
        "_",
        "\uff21",
        "\0",
        "A",
        "\U0001f600",
    ]
    texts = ["=", "==", "====", "A", "AA", "AAA", "AA=", "AAA=A", "A===", "AB==", "AAB=", "AA==AA=="]
    for length in range(1, 49):
        text = base64.b64encode(rng.randbytes(length)).decode()
        at = rng.randrange(len(text))
        odd = text.rstrip("=")
        texts += [text, odd, text[:-1], text + "=", f"{text[:at]}{rng.choice(slips)}{text[at:]}"]
        texts.append(odd[:-1] + rng.choice("ABCDEFGHwxyz0189+/") + "=" * (-len(odd) % 4))
    return [text for text in texts if text]


def expected(text: str) -> list[str | int]:
    """The keeper's answer by Python's decoder, which shares no code with it."""
    try:
        key = binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        return ["malformed", 0, "bad_key"]
    if base64.b64encode(key).decode() != text:
        return ["malformed", 0, "bad_key"]
    return ["usable", len(key), hmac.digest(key, MESSAGE, hashlib.sha256).hex()]


def test_a_key_decodes_as_python_decodes_it_or_not_at_all(page: Page):
    vault_frame(page)
    keys = texts()

    answers = page.evaluate(_SIGNATURES, [keys, list(MESSAGE)])

    right = {text: expected(text) for text in keys}
    assert right == dict(zip(keys, answers, strict=True))
    states = [state for state, *_ in right.values()]
    assert min(states.count("usable"), states.count("malformed")) > 60
