"""A script that lures a click onto a button of the secret's frame, which it hides, gets nothing by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.generator import REST_MS, Generator, press_at_rest
from tests.browser.ui.fake_host import CANARY, Host, Open

_EMPTY = "() => navigator.clipboard.writeText('nothing')"
_READ = "() => navigator.clipboard.readText()"
_STYLE = "(style) => { document.querySelector('.hw-vault').style.cssText += style; }"
_COVER = """() => {
  const cover = document.createElement("div");
  cover.style = "position: fixed; inset: 0; background: white; pointer-events: none; z-index: 9999";
  cover.id = "cover";
  document.body.append(cover);
}"""
# Jobs as the kernel sends them, more than the vault signs in a minute.
_SEARCH = """() => {
  for (const count of [600, 1]) {
    const fields = Array(count).fill("signature");
    const args = { revision: "", purpose: "preview", provider: "stripe", scheme: "v1", fields };
    widget.kernel.emit({ id: `search-${count}`, op: "sign", args }, fields.map(() => new Uint8Array(8)));
  }
}"""
_COLOURS = """(value) => {
  const root = document.querySelector(".hw");
  for (const name of ["bg", "fg", "sans", "mono"]) root.style.setProperty(`--hw-${name}`, value);
}"""
PRESS_AGAIN = "Press again, and let nothing cover this field."
HIDDEN: dict[str, Callable[[Page], object]] = {
    "transparent": lambda page: page.evaluate(_STYLE, "; opacity: 0.01"),
    "covered": lambda page: page.evaluate(_COVER),
}


@pytest.fixture
def page(host: Open) -> Host:
    return host(permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def widget(page: Host) -> Generator:
    """A widget that signs with a secret."""
    widget = page.mount()
    widget.sign_with(CANARY)
    return widget


def lured_click(page: Page, button: Locator) -> None:
    """Click where the button is, after the pointer has rested there."""
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(REST_MS)
    page.mouse.down()
    page.mouse.up()


def show_again(page: Page) -> None:
    page.evaluate(_STYLE, "; opacity: 1")
    page.evaluate("() => document.querySelector('#cover')?.remove()")


@pytest.mark.parametrize("how", [*HIDDEN])
def test_a_lured_click_copies_no_secret(page: Host, widget: Generator, how: str):
    copy = widget.secret_button("Copy secret")
    page.page.evaluate(_EMPTY)

    HIDDEN[how](page.page)
    lured_click(page.page, copy)
    expect(widget.root.get_by_role("status")).to_have_text(PRESS_AGAIN)
    assert "nothing" == page.page.evaluate(_READ)

    show_again(page.page)
    press_at_rest(copy)
    assert CANARY == page.page.evaluate(_READ)


@pytest.mark.parametrize("how", [*HIDDEN])
def test_a_lured_click_lets_no_paused_secret_go_on(page: Host, widget: Generator, how: str):
    page.page.evaluate(_SEARCH)
    resume = widget.vault.locator(".hw-hint button")
    expect(resume).to_have_text("Resume")

    HIDDEN[how](page.page)
    lured_click(page.page, resume)
    expect(widget.root.get_by_role("status")).to_have_text(PRESS_AGAIN)
    expect(widget.region("Secret")).to_contain_text("Paused")

    show_again(page.page)
    press_at_rest(resume)
    expect(widget.region("Secret")).to_contain_text("Kept in this browser tab")


def test_a_page_gives_the_field_no_colours_that_hide_its_buttons(page: Host, widget: Generator):
    colours = """(button) => [button, button.closest(".hw")].map((element) => {
      const { color, backgroundColor, fontFamily } = getComputedStyle(element);
      return [color, backgroundColor, fontFamily];
    })"""
    copy = widget.secret_button("Copy secret")
    before = copy.evaluate(colours)

    page.page.evaluate(_COLOURS, "transparent")
    page.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(widget.vault.locator(".hw")).to_have_attribute("data-theme", "dark")
    page.page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    expect(widget.vault.locator(".hw")).to_have_attribute("data-theme", "light")

    assert before == copy.evaluate(colours)
    assert "rgb(255, 255, 255)" == before[-1][1]


def test_a_secret_that_is_shown_is_not_dragged_out_of_its_field(page: Host, widget: Generator):
    widget.secret_button("Show").click()
    field = widget.secret
    field.select_text()
    # Until the listeners of the field have run.
    field.evaluate(
        "() => addEventListener('dragstart', (event) => { window.dragged = event.defaultPrevented; })"
    )

    box = field.bounding_box()
    assert box is not None
    x, y = box["x"] + 40, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 5, y, steps=5)
    page.page.mouse.move(x + 5, y + 200, steps=5)
    page.page.mouse.up()

    assert widget.vault.evaluate("window.dragged")
