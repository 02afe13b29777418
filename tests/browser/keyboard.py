"""Moving through a page with the keyboard alone."""

from __future__ import annotations

from playwright.sync_api import Locator

_FOCUSED = "(element) => element === element.getRootNode().activeElement"
#: the most stops of a widget between two controls, and some of JupyterLab
_MOST_STOPS = 80


def go_to(target: Locator, key: str = "Tab") -> None:
    """Press a key until the target has the focus.

    Raises:
        AssertionError: the key does not lead there.
    """
    for _ in range(_MOST_STOPS):
        if target.evaluate(_FOCUSED):
            return
        target.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {target}")
