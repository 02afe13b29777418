"""Hosts that put a widget into a shadow root beside a reset style sheet, as marimo does; a fake kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.shared_pages import Pages
from tests.browser.ui.fake_host import Host, serve
from tests.hosts.widgets import any_secret

#: What Tailwind's reset says, in words of our own; here it even comes after the widget's sheet.
RESET = """
*, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid; }
h1, h2, h3 { font-size: inherit; font-weight: inherit; }
button, input, select, textarea { background-color: transparent; border-radius: 0; font: inherit; }
ol, ul { list-style: none; }
img, svg { display: block; vertical-align: middle; max-width: 100%; height: auto; }
table { border-collapse: collapse; text-indent: 0; border-color: inherit; }
"""
ADD_RESET = """(css) => {
  const sheet = document.createElement("style");
  sheet.textContent = css;
  document.querySelector("#place > div").shadowRoot.append(sheet);
}"""
#: The element that has the focus, through all shadow roots.
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot) element = element.shadowRoot.activeElement;
  if (element?.matches(".hw-vault")) return "Protected field";
  return element?.getAttribute("aria-label") ?? (element?.title || element?.id || "");
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve() as where:
        yield where


@pytest.fixture
def host(pages: Pages, address: str) -> Iterator[Host]:
    """A page; an error on it fails the test."""
    with closing(Host(pages, address)) as page:
        yield page


@pytest.fixture
def widget(host: Host) -> Generator:
    shown = host.mount(shadow=True)
    expect(shown.payload).to_be_visible()
    return shown


def drawn(widget: Generator) -> list[list[str]]:
    """Return the computed styles of one of each control, and of the elements between them."""
    parts = (
        widget.secret,
        widget.button("Format"),
        widget.root.get_by_role("combobox", name="Provider"),
        widget.region("Request").get_by_role("cell").first,
        widget.root.get_by_role("heading").first,
        widget.root.get_by_role("tab", name="Verify"),
        widget.button("Send"),
    )
    names = [
        "borderTopWidth",
        "paddingLeft",
        "borderRadius",
        "fontSize",
        "fontWeight",
        "height",
    ]
    look = "(part, names) => names.map((name) => getComputedStyle(part)[name])"
    return [part.evaluate(look, names) for part in parts]


def test_a_reset_style_sheet_beside_the_widget_changes_no_control(host: Host, widget: Generator):
    before = drawn(widget)
    host.page.evaluate(ADD_RESET, RESET)

    assert before == drawn(widget)


def test_the_widget_is_used_by_keyboard_alone(host: Host, widget: Generator):
    keys = host.page.keyboard
    widget.root.get_by_role("combobox", name="Event").focus()
    keys.type("payment_failed")
    keys.press("Enter")
    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("payment_intent.payment_failed")
    for _ in range(40):
        keys.press("Tab")
        if host.page.evaluate(FOCUSED) == "Protected field":
            break
    expect(widget.secret).to_be_focused()
    keys.type(any_secret())
    keys.press("Enter")

    widget.wait_until_signed()
    expect(widget.secret).to_be_focused()


def test_text_is_copied_where_there_is_no_clipboard_and_the_button_keeps_the_focus(
    host: Host, widget: Generator
):
    host.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    widget.sign_with(any_secret())
    host.page.evaluate("window.kept = navigator.clipboard")
    host.page.evaluate("Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })")
    widget.button("Copy headers").focus()
    host.page.keyboard.press("Enter")

    expect(widget.region("Request").get_by_text("Copied")).to_be_visible()
    assert "Copy headers" == host.page.evaluate(FOCUSED)
    assert "Content-Type: application/json" in host.page.evaluate("kept.readText()")


def test_nothing_typed_into_the_secret_is_in_a_message_or_in_the_page(host: Host, widget: Generator):
    secret = any_secret()
    widget.sign_with(secret)
    widget.send_and_see("200 OK")
    everything = host.page.evaluate(
        """() => JSON.stringify([widget.model.frames, widget.model.traits, {...localStorage}, document.cookie,
          document.querySelector("#place > div").shadowRoot.innerHTML, document.documentElement.outerHTML])"""
    )

    assert "200 OK" in everything
    assert secret not in everything
