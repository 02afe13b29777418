"""A script that lures a click onto a button of the secret's frame, which it hides, gets nothing by it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.generator import Generator
from tests.browser.light.kernel_page import KernelPage
from tests.browser.server import LabServer
from tests.security.browser.victim import canary, see_signed_with, type_secret

_EMPTY = "() => navigator.clipboard.writeText('nothing')"
_READ = "() => navigator.clipboard.readText()"
_STYLE = "(style) => { document.querySelector('.hw-vault').style.cssText += style; }"
_COVER = """() => {
  const cover = document.createElement("div");
  cover.style = "position: fixed; inset: 0; background: white; pointer-events: none; z-index: 9999";
  cover.id = "cover";
  document.body.append(cover);
}"""
PRESS_AGAIN = "Press again, and let nothing cover this field."
HIDDEN = {
    "transparent": lambda page: page.evaluate(_STYLE, "; opacity: 0.01"),
    "covered": lambda page: page.evaluate(_COVER),
}


@pytest.fixture
def page(server: LabServer, browser: Browser) -> Iterator[KernelPage]:
    page = KernelPage(server, browser)
    page.run("from hook_widgets import WebhookGenerator", "w = WebhookGenerator('github')\nw")
    yield page
    page.close()


def status(widget: Generator) -> Locator:
    return widget.root.get_by_role("status")


def lured_click(page: KernelPage, button: Locator) -> None:
    """Click where the button is, after the pointer has rested there."""
    box = button.bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.wait_for_timeout(1000)
    page.page.mouse.down()
    page.page.mouse.up()


def press_until_copied(widget: Generator, page: KernelPage) -> None:
    """Press again as long as it is asked for: a busy browser tells late that nothing covers the field."""
    for _ in range(10):
        lured_click(page, widget.secret_button("Copy secret"))
        expect(status(widget)).to_have_text(re.compile(f"^({PRESS_AGAIN}|Copied: secret)$"))
        if status(widget).text_content() != PRESS_AGAIN:
            return


@pytest.mark.parametrize("how", [*HIDDEN])
def test_a_lured_click_copies_no_secret(page: KernelPage, how: str):
    secret = canary()
    widget = Generator(page.panel.locator(".hw"))
    type_secret(widget, secret)
    see_signed_with(widget, page, secret)
    page.page.evaluate(_EMPTY)

    HIDDEN[how](page.page)
    lured_click(page, widget.secret_button("Copy secret"))
    expect(status(widget)).to_have_text(PRESS_AGAIN)
    assert "nothing" == page.page.evaluate(_READ)

    page.page.evaluate(_STYLE, "; opacity: 1")
    page.page.evaluate("() => document.querySelector('#cover')?.remove()")
    press_until_copied(widget, page)
    assert secret == page.page.evaluate(_READ)
