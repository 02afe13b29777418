"""A token goes to the kernel after a click in the vault's frame, which no script of the page can give."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import expect

from hook_widgets.webhooks import Receiver, Secret
from tests.browser.generator import Generator
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage

TOKEN = "glpat-canary4f8a2c71d9e3"
#: longer than `STEADY_MS` in js/src/vault/consent.ts
STEADY_MS = 700
MOVED_PX = 60


def asking(show: Show, receiver: Receiver) -> Generator:
    """A widget whose vault asks for consent."""
    widget = show(f"'gitlab-token', url={receiver.url!r}")
    widget.secret.fill(TOKEN)
    widget.secret.press("Enter")
    widget.button("Send").click()
    expect(widget.consent).to_contain_text(f"Send this token to 127.0.0.1:{urlsplit(receiver.url).port}?")
    return widget


def press(widget: Generator, tab: KernelPage, name: str = "Send token") -> None:
    """Rest on the button, as a person does, and press it."""
    button = widget.consent.get_by_role("button", name=name)
    button.hover()
    tab.page.wait_for_timeout(STEADY_MS)
    button.click()


def test_a_token_is_sent_after_a_click_in_the_vault_and_is_nowhere_else(show: Show, tab: KernelPage):
    with Receiver("gitlab-token", Secret(TOKEN)) as receiver:
        widget = asking(show, receiver)
        assert [] == tab.leaks(TOKEN)
        press(widget, tab)
        expect(widget.answer).to_contain_text("200 OK")
        expect(widget.consent).to_be_hidden()

        assert [True] == [delivery.verdict.ok for delivery in receiver.deliveries]
        # The one message in which the tab released it, and no file, output, log or message of the kernel.
        assert ["frame sent"] == [leak.where for leak in tab.leaks(TOKEN)]


def test_a_token_that_is_not_released_goes_nowhere_and_the_widget_says_so(show: Show, tab: KernelPage):
    with Receiver("gitlab-token", Secret(TOKEN)) as receiver:
        widget = asking(show, receiver)
        press(widget, tab, "Cancel")

        expect(widget.answer).to_contain_text("The token was not released")
        assert [] == receiver.deliveries
        assert [] == tab.leaks(TOKEN)


def test_no_script_of_the_page_can_agree(show: Show, tab: KernelPage):
    with Receiver("gitlab-token", Secret(TOKEN)) as receiver:
        widget = asking(show, receiver)
        tab.page.wait_for_timeout(STEADY_MS)
        reached = tab.page.evaluate(
            """() => {
              const frames = [];
              const walk = (root) => {
                for (const element of root.querySelectorAll('*')) {
                  if (element.shadowRoot) walk(element.shadowRoot);
                  if (element.localName === 'iframe') frames.push(element);
                }
              };
              walk(document);
              for (const frame of frames) {
                for (const type of ['pointerenter', 'pointerdown', 'mousedown', 'mouseup', 'click'])
                  frame.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: 40, clientY: 140 }));
                for (const id of [0, 1, 2, 3])
                  frame.contentWindow.postMessage({ op: 'consent', id, agreed: true }, '*');
                frame.focus();
              }
              document.querySelector('.hw-vault').focus();
              document.querySelector('.hw-vault').click();
              document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
              return frames.length;
            }"""
        )
        tab.page.wait_for_timeout(300)

        assert 0 == reached
        assert [] == receiver.deliveries
        expect(widget.consent).to_be_visible()


def test_a_click_through_something_that_covers_the_question_does_not_count(show: Show, tab: KernelPage):
    with Receiver("gitlab-token", Secret(TOKEN)) as receiver:
        widget = asking(show, receiver)
        tab.page.evaluate(
            """() => {
              const lure = document.createElement('div');
              lure.id = 'lure';
              lure.textContent = 'Press here for cookies';
              lure.style = 'position: fixed; inset: 0; background: white; z-index: 9; pointer-events: none';
              document.body.append(lure);
            }"""
        )
        press(widget, tab)
        expect(widget.consent).to_contain_text("let nothing cover this field")
        assert [] == receiver.deliveries

        tab.page.evaluate("document.querySelector('#lure').remove()")
        press(widget, tab)
        expect(widget.answer).to_contain_text("200 OK")


def test_a_question_that_was_moved_under_the_pointer_is_not_answered(show: Show, tab: KernelPage):
    with Receiver("gitlab-token", Secret(TOKEN)) as receiver:
        widget = asking(show, receiver)
        button = widget.consent.get_by_role("button", name="Send token")
        tab.page.wait_for_timeout(STEADY_MS)  # the question is scrolled into sight
        box = button.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        # The pointer rests where the page will put the button, and something else is pressed there.
        tab.page.mouse.move(x, y - MOVED_PX)
        tab.page.wait_for_timeout(STEADY_MS)
        widget.root.evaluate(
            "(root, px) => { root.style.cssText = `position: relative; top: -${px}px` }", MOVED_PX
        )
        tab.page.wait_for_timeout(50)
        moved = button.bounding_box()
        assert moved is not None
        assert box["y"] - MOVED_PX == moved["y"]
        tab.page.mouse.down()
        tab.page.mouse.up()

        tab.page.wait_for_timeout(300)
        assert [] == receiver.deliveries  # Chromium drops the click; elsewhere `STEADY_MS` does not count it

        press(widget, tab)
        expect(widget.answer).to_contain_text("200 OK")


def test_a_key_that_was_on_its_way_when_the_focus_came_does_not_count(show: Show, tab: KernelPage):
    with Receiver("gitlab-token", Secret(TOKEN)) as receiver:
        widget = asking(show, receiver)
        button = widget.consent.get_by_role("button", name="Send token")
        tab.page.wait_for_timeout(STEADY_MS)
        button.focus()
        tab.page.keyboard.press("Enter")
        expect(widget.consent).to_contain_text("Press again, and let nothing cover this field.")
        assert [] == receiver.deliveries

        tab.page.wait_for_timeout(STEADY_MS)
        tab.page.keyboard.press("Enter")
        expect(widget.answer).to_contain_text("200 OK")
