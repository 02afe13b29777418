"""A script that lures a click onto a button of the secret's frame, which it hides, gets nothing by it."""

from __future__ import annotations

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


def lured_click(page: KernelPage, button: Locator) -> None:
    """Click where the button is, after the pointer has rested there."""
    box = button.bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.wait_for_timeout(1000)
    page.page.mouse.down()
    page.page.mouse.up()


@pytest.mark.parametrize("how", [*HIDDEN])
def test_a_lured_click_copies_no_secret(page: KernelPage, how: str):
    secret = canary()
    widget = Generator(page.panel.locator(".hw"))
    type_secret(widget, secret)
    see_signed_with(widget, page, secret)
    page.page.evaluate(_EMPTY)

    HIDDEN[how](page.page)
    lured_click(page, widget.secret_button("Copy secret"))
    expect(widget.secret_button("Copy secret")).to_have_text("Press again")
    assert "nothing" == page.page.evaluate(_READ)

    page.page.evaluate(_STYLE, "; opacity: 1")
    page.page.evaluate("() => document.querySelector('#cover')?.remove()")
    lured_click(page, widget.secret_button("Copy secret"))
    expect(widget.secret_button("Copy secret")).to_have_text("Copied")
    assert secret == page.page.evaluate(_READ)
