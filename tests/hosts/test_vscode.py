"""The widgets in VS Code's frames, which are rebuilt, with its themes, styles, keys and downloads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.generator import Generator
from tests.browser.tab import ROOT
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner
from tests.hosts.vscode_host import DARK, HIGH_CONTRAST, LIGHT, NONE, STRICT, VSCode
from tests.hosts.widgets import any_secret
from tests.support.files import served

Open = Callable[..., VSCode]


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """The working copy as plain files, at 127.0.0.1 and at localhost: two origins."""
    with served(ROOT) as address:
        yield address


@pytest.fixture
def vscode(browser: Browser, base: str) -> Iterator[Open]:
    """Opens windows; what a policy blocked, and an error of a page, fails the test."""
    with ExitStack() as windows:

        def open_another(widget: str, **options: Any) -> VSCode:
            return windows.enter_context(closing(VSCode(browser, base, widget, **options)))

        yield open_another


def generator(window: VSCode) -> Generator:
    return Generator(window.outputs.locator(".hw"))


@pytest.mark.parametrize("policy", [NONE, STRICT], ids=["as it is", "strict"])
def test_the_generator_signs_and_loads_its_lazy_parts_from_blobs(vscode: Open, policy: str):
    window = vscode("index", policy=policy)
    window.mount()
    widget = generator(window)
    widget.sign_with(any_secret())
    expect(widget.payload).to_be_visible()  # editor.js
    widget.button("Randomize…").click()
    expect(widget.root.get_by_label("Amount")).to_be_visible()  # panels.js
    widget.send_and_see("200 OK")
    widget.pick("Provider", "Discord")
    widget.button("Generate key pair").click()  # curves.js
    expect(widget.region("Key pair").get_by_label("Public key", exact=True)).to_have_value(
        re.compile("^[0-9a-f]{64}$")
    )


@pytest.mark.parametrize("policy", [NONE, STRICT], ids=["as it is", "strict"])
@pytest.mark.parametrize(("page", "kind"), [("calculator", Calculator), ("planner", Planner)])
def test_the_widgets_with_a_picture_draw_it(vscode: Open, policy: str, page: str, kind: Any):
    window = vscode(page, policy=policy)
    window.mount()
    widget = kind(window.outputs.locator(".hw"))
    widget.wait_until_fresh()

    assert widget.picture.evaluate("(image) => image.naturalWidth") > 100


def test_the_theme_is_followed_while_the_widget_is_shown(vscode: Open):
    window = vscode("index")
    window.mount()
    root = generator(window).root
    messages = []
    for look, theme, contrast in ((LIGHT, "light", ""), (DARK, "dark", ""), (HIGH_CONTRAST, "dark", "more")):
        window.dress(look)
        expect(root).to_have_attribute("data-theme", theme)
        expect(root).to_have_attribute("data-contrast", contrast)
        messages.append(root.evaluate("(root) => getComputedStyle(root).backgroundColor"))

    assert ["rgb(255, 255, 255)", "rgb(31, 31, 31)", "rgb(0, 0, 0)"] == messages


STYLES = """() => [...document.querySelectorAll("#neighbour, #neighbour *, body, html")].map((element) => {
  const style = getComputedStyle(element);
  return element.tagName + " " + [...style].map((name) => name + ": " + style[name]).join("; ");
})"""


def test_styles_do_not_leak_out_of_a_widget(vscode: Open):
    window = vscode("planner")
    with_sheet = window.frame.evaluate(STYLES)
    window.frame.evaluate("document.querySelectorAll('body > style').forEach((sheet) => sheet.remove())")

    assert window.frame.evaluate(STYLES) == with_sheet


def test_styles_of_the_host_do_not_leak_into_a_widget(vscode: Open):
    window = vscode("index")
    window.mount()
    widget = generator(window)
    widget.sign_with(any_secret())
    looks = (
        widget.region("Request")
        .get_by_role("row")
        .evaluate_all(
            """(rows) => rows.map((row) => {
          const [of, cell] = [getComputedStyle(row), getComputedStyle(row.cells[1])];
          return [of.backgroundColor, cell.textAlign, cell.verticalAlign];
        })"""
        )
    )

    unmarked = [look for look in looks if look[0] == "rgba(0, 0, 0, 0)"]
    assert len(looks) - 1 == len(unmarked)  # one is signed, and marked by the widget
    assert [["rgba(0, 0, 0, 0)", "left", "top"]] * len(unmarked) == unmarked


def test_no_key_of_a_secret_is_forwarded_to_the_workbench(vscode: Open):
    window = vscode("index")
    window.mount()
    widget = generator(window)
    widget.secret.focus()
    widget.secret.press_sequentially("whsec_7Qz")
    widget.secret.press("Enter")
    widget.wait_until_signed()
    window.outputs.locator("#neighbour input").press("k")

    assert ["k", "k"] == window.forwarded_keys("k")


def test_a_secret_is_typed_by_keyboard_alone(vscode: Open):
    window = vscode("index")
    window.mount()
    widget = generator(window)
    expect(widget.payload).to_be_visible()
    widget.root.get_by_role("tab", name="Generate").focus()
    for _ in range(40):
        window.page.keyboard.press("Tab")
        if widget.secret.evaluate("(field) => field === document.activeElement"):
            break
    window.page.keyboard.type(any_secret())
    window.page.keyboard.press("Enter")

    widget.wait_until_signed()
    expect(widget.secret).to_be_focused()


def test_text_is_copied_without_the_permission_for_the_clipboard(vscode: Open):
    window = vscode("index", allow="")
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.mount()
    widget = generator(window)
    widget.sign_with(any_secret())
    assert "denied" == window.frame.evaluate(
        "navigator.clipboard.writeText('x').then(() => 'allowed', () => 'denied')"
    )
    widget.button("Copy headers").click()
    expect(widget.region("Request").get_by_text("Copied")).to_be_visible()

    window.page.bring_to_front()
    window.page.evaluate("document.body.tabIndex = 0; document.body.focus(); window.focus()")
    copied = window.page.evaluate("navigator.clipboard.readText()")
    assert "Content-Type: application/json" in copied


def test_a_picture_is_saved_as_a_file(vscode: Open):
    window = vscode("calculator")
    window.mount()
    widget = Calculator(window.outputs.locator(".hw"))
    widget.wait_until_fresh()
    with window.page.expect_download() as download:
        widget.button("Save PNG").click()

    assert download.value.suggested_filename.endswith(".png")
    assert download.value.path().stat().st_size > 50
