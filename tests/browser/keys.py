"""The keyboard of someone who has no mouse."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_NAMES_OF_FOCUSED: Final = """() => {
    let el = document.activeElement;
    while (el.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    if (el.matches(".hw-vault")) return ["Protected field"];
    const labels = [...(el.labels ?? [])].map(label => label.innerText);
    return [el.getAttribute("aria-label"), el.textContent, ...labels].map((name) => name?.trim());
}"""


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press a key until what has this name has the focus."""
    for _ in range(40):
        page.keyboard.press(key)
        if name in page.evaluate(_NAMES_OF_FOCUSED):
            return
    raise AssertionError(f"{name} is not reached by {key}")
