"""While a secret is typed nothing is signed with it, also where letters come two at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession

from tests.browser.conftest import Show
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.security.browser.victim import canary, see_signed_with

# Counts the signatures that a tab gives to the kernel.
_COUNT = """
signatures = []
def count(_widget, content, buffers):
    if isinstance(content, dict) and content.get("ok") is True and buffers:
        signatures.append(content)
w.on_msg(count)
"""

Insert = Callable[[Lab, CDPSession, str], None]


def by_expander(lab: Lab, _session: CDPSession, letters: str) -> None:
    """As a text expander or a dead key does."""
    lab.page.keyboard.insert_text(letters)


def by_composition(_lab: Lab, session: CDPSession, letters: str) -> None:
    """As an input method does: what is composed is seen before it is committed."""
    composed = {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)}
    session.send("Input.imeSetComposition", composed)
    session.send("Input.insertText", {"text": letters})


def watched(show: Show, lab: Lab) -> Generator:
    """A widget whose signatures the kernel counts."""
    widget = show("'github'")
    lab.execute(_COUNT)
    return widget


def signatures(lab: Lab) -> int:
    """The number of messages in the kernel after a round trip."""
    lab.execute("pass")
    return int(lab.execute("print(len(signatures))"))


@pytest.mark.parametrize("insert", [by_expander, by_composition], ids=["expander", "composition"])
def test_letters_that_come_two_at_a_time_are_not_signed_with_before_enter(
    show: Show, lab: Lab, insert: Insert
):
    secret = canary(16)
    widget = watched(show, lab)
    session = lab.context.new_cdp_session(lab.page)
    widget.secret.focus()

    for at in range(0, len(secret), 2):
        insert(lab, session, secret[at : at + 2])
    while_typing = signatures(lab)
    widget.secret.press("Enter")
    see_signed_with(widget, lab, secret)

    assert (0, True) == (while_typing, signatures(lab) > 0)


def test_a_secret_that_is_pasted_is_signed_with_at_once(show: Show, lab: Lab):
    secret = canary(16)
    widget = watched(show, lab)
    lab.page.evaluate("(text) => navigator.clipboard.writeText(text)", secret)

    widget.secret.focus()
    widget.secret.press("ControlOrMeta+V")

    see_signed_with(widget, lab, secret)
    assert signatures(lab) > 0
