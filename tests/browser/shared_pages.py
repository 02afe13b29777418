"""Tabs that tests use one after the other."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page


class Pages:
    """Tabs that tests use one after the other.

    A navigation costs a quarter of what a new profile and its tab cost.

    Args:
        browser: where the tabs are opened.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    def take(self, options: dict[str, Any]) -> Page:
        """Return a tab in a profile with these options; nothing of the last test is left."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        if not free:
            return self._browser.new_context(**options).new_page()
        page = free.pop()
        page.mouse.move(0, 0)
        page.emulate_media(
            color_scheme=options.get("color_scheme", "light"), forced_colors="none", media="null"
        )
        return page

    def give_back(self, page: Page, options: dict[str, Any]) -> None:
        """Keep a tab for the next test that asks for these options."""
        self._free[repr(sorted(options.items()))].append(page)

    def close(self) -> None:
        """Close the tabs that are free."""
        for free in self._free.values():
            for page in free:
                page.context.close()
