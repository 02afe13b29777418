"""A script that comes between two widgets replaces the functions that build and join the frames of a secret.

The bare page of ``js/tests/harness`` imports the bundle again for each widget, as anywidget does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import OpenTab
from tests.browser.generator import Generator
from tests.browser.tab import ROOT
from tests.security.browser.victim import canary, see_signed_with
from tests.support.extent import extent
from tests.support.files import served

BETWEEN = Path(__file__).with_name("between.js").read_text()

#: functions by which frames are built, filled, placed, found and joined, and those that carry values between
FUNCTIONS = (
    "Document.createElement",
    "Document.createElementNS",
    "Document.body",
    "Element.setAttribute",
    "Element.attachShadow",
    "Element.append",
    "Element.remove",
    "Node.appendChild",
    "Node.insertBefore",
    "Node.isConnected",
    "HTMLElement.style",
    "HTMLElement.hidden",
    "HTMLElement.title",
    "HTMLElement.tabIndex",
    "CSSStyleDeclaration.setProperty",
    "HTMLIFrameElement.srcdoc",
    "HTMLIFrameElement.contentWindow",
    "HTMLIFrameElement.contentDocument",
    "HTMLIFrameElement.sandbox",
    "EventTarget.addEventListener",
    "EventTarget.dispatchEvent",
    "MessageChannel",
    "MessageChannel.port1",
    "MessageChannel.port2",
    "MessagePort.postMessage",
    "MessagePort.start",
    "MessagePort.onmessage",
    "MessageEvent.data",
    "MessageEvent.ports",
    "postMessage",
    "TrustedTypePolicyFactory.createPolicy",
    "TrustedTypePolicy.createHTML",
    "Promise.then",
    "Promise.constructor",
    "Function.call",
    "Function.bind",
    "Reflect.apply",
    "Object.freeze",
    "Object.getOwnPropertyDescriptor",
    "Map.get",
    "Array.@@iterator",
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The bare page."""
    with served(ROOT) as base:
        yield f"{base}/js/tests/harness/index.html"


def opened(browser: Browser, address: str) -> Page:
    """Open a page in a profile of its own."""
    page = browser.new_context().new_page()
    page.goto(address)
    page.wait_for_function("window.ready")
    return page


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that the script may leave in any state."""
    page = opened(browser, address)
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def page_with_a_widget(browser: Browser, address: str) -> Iterator[Page]:
    """A page with the first widget; each test takes back what it replaced."""
    page = opened(browser, address)
    show(page)
    yield page
    page.context.close()


def show(page: Page, *, views: int = 1) -> Generator:
    """Show one more widget with an import of its own; the last one of the page."""
    page.evaluate(
        """async (views) => {
            window.shown = (window.shown ?? 0) + 1;
            const path = `../../../src/hook_widgets/widgets/static/generator.js?${window.shown}`;
            const { default: widget } = await import(new URL(path, location.href));
            const { mountable } = await import(new URL("./mount.js", location.href));
            const { generator } = await import(new URL("./usual.js", location.href));
            await mountable(widget, generator)({ views });
        }""",
        views,
    )
    widget = Generator(page.locator(".hw").last)
    expect(widget.root.get_by_role("tab", name="Generate")).to_be_visible()
    return widget


def attack(page: Page, *names: str) -> None:
    """Let the script come, and replace these functions."""
    if not page.evaluate("Boolean(window.between)"):
        page.evaluate(BETWEEN)
    page.evaluate("(names) => window.between.install(names)", list(names))


def type_by_keys(widget: Generator, text: str) -> None:
    """Type where a user sees the field, whatever is there."""
    place = widget.region("Secret").locator(".hw-place > *").first
    expect(place).to_be_visible()
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box
    page = widget.root.page
    page.wait_for_timeout(300)  # a frame that was swapped has to load
    page.mouse.click(box["x"] + 60, box["y"] + 40)
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def taken(page: Page) -> str:
    """All that the script has learnt."""
    page.wait_for_timeout(100)
    return page.evaluate("() => window.between.taken.join('\\n')")


@pytest.mark.parametrize("name", extent(FUNCTIONS[::3], FUNCTIONS))
def test_a_replaced_function_gives_no_letter_of_the_next_secret_away(page_with_a_widget: Page, name: str):
    page, secret = page_with_a_widget, canary()
    attack(page, name)
    widget = show(page)
    type_by_keys(widget, secret)

    widget.wait_until_signed()
    assert secret[:4] not in taken(page)
    page.evaluate(
        "() => { between.restore(); widget.ends.abort(); for (const end of widget.closers) end(); }"
    )


def test_a_program_that_was_replaced_on_its_way_is_not_shown(page: Page):
    show(page)
    attack(page, "TextDecoder.decode")
    widget = show(page)

    expect(widget.region("Secret")).to_contain_text("vault.js is damaged")
    expect(widget.region("Secret").locator(".hw-vault")).to_have_count(0)


def test_all_functions_replaced_give_no_letter_of_another_widget_view_or_retry_away(page: Page):
    first, second, third, again = (canary() for _ in range(4))
    widget = show(page)
    type_by_keys(widget, canary())
    widget.wait_until_signed()
    attack(page, *FUNCTIONS)
    page.evaluate("window.between.distrust()")
    assert 0 == page.evaluate("window.between.seize()")

    # The same model after its keeper was removed, and the field was asked for again.
    page.evaluate("document.querySelector('[data-hook-widgets=keeper]').remove()")
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")
    widget.region("Secret").get_by_role("button", name="Retry").click()
    type_by_keys(widget, first)
    widget.wait_until_signed()

    # Another widget with two views.
    other = show(page, views=2)
    assert 0 == page.evaluate("window.between.seize()")
    type_by_keys(other, second)
    other.wait_until_signed()
    earlier = Generator(page.locator(".hw").nth(1))
    type_by_keys(earlier, third)
    earlier.wait_until_signed()
    type_by_keys(other, again)
    other.wait_until_signed()

    learnt = taken(page)
    assert [] == [each for each in (first, second, third, again) if each[:4] in learnt]


@pytest.mark.parametrize(
    "name", ["HTMLIFrameElement.srcdoc", "Document.createElement", "Element.setAttribute"]
)
def test_a_script_that_came_first_is_noticed_before_anything_is_typed(
    browser: Browser, address: str, name: str
):
    """The end is the control: who goes on in spite of the warning is read."""
    page, secret = (
        opened(browser, address.replace("index", "planner")),
        canary(),
    )  # without the vault's module
    attack(page, name)
    widget = show(page)
    alert = widget.region("Secret").get_by_role("alert")
    expect(alert).to_contain_text("a script of this page has replaced browser functions")
    expect(alert).to_contain_text("Secret.from_env")
    expect(widget.region("Secret").locator(".hw-place")).to_have_count(0)

    # A click by a script decides nothing.
    page.evaluate("document.querySelector('.hw [role=alert] .hw-btn:last-child').click()")
    expect(alert).to_be_visible()
    alert.get_by_role("button", name="Use the field anyway").click()
    type_by_keys(widget, secret)

    assert secret in taken(page)
    page.context.close()


def test_in_jupyterlab_a_script_between_two_widgets_reads_neither_the_next_one_nor_a_moved_cell(
    open_tab: OpenTab, notebook: str
):
    lab, secret, moved = open_tab(), canary(), canary()
    make = "WebhookGenerator('github')"
    lab.run(f"from hook_widgets import WebhookGenerator\n{make}", "pass", "pass", name=notebook)
    expect(lab.panel.locator(".hw .hw-vault")).to_be_visible()
    attack(lab.page, *(name for name in FUNCTIONS if not name.startswith(("Promise", "Function", "Array"))))
    lab.within(f"panel.content.widgets[1].model.sharedModel.setSource(`w = {make}\\nw`)")
    lab.within("panel.content.activeCellIndex = 1; await app.commands.execute('notebook:run-cell')")
    widget = Generator(lab.panel.locator(".hw").last)
    type_by_keys(widget, secret)
    see_signed_with(widget, lab, secret)
    lab.within("panel.content.activeCellIndex = 1; await app.commands.execute('notebook:move-cell-down')")
    type_by_keys(widget, moved)
    see_signed_with(widget, lab, moved)

    assert 0 == lab.page.evaluate("window.between.seize()")
    assert [] == [each for each in (secret, moved) if each[:4] in taken(lab.page)]
    assert [] == lab.leaks(secret) + lab.leaks(moved)
