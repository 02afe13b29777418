"""One browser profile with one tab, in which widgets of a kernel are shown."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize

from tests.browser.leaks import Haystack, Leak
from tests.browser.recording import Recording

ROOT = Path(__file__).resolve().parents[2]
WINDOW: ViewportSize = {"width": 1280, "height": 1000}
AXE = ROOT / "js/node_modules/axe-core/axe.min.js"

# JupyterLab's body is 0 px high with overflow hidden: axe takes all in it for invisible and skips contrast
# without a word. So: overflow visible while it runs.
_AXE = """async (element) => {
  const style = document.body.style;
  style.setProperty('overflow', 'visible', 'important');
  // Of what is scrolled out of sight axe cannot tell the contrast.
  const panes = [...element.querySelectorAll('.hw-part')];
  for (const pane of panes) pane.style.height = 'auto';
  const options = { iframes: false, preload: false, resultTypes: ['violations', 'incomplete'] };
  try { return await window.axe.run(element, options); }
  finally {
    style.removeProperty('overflow');
    for (const pane of panes) pane.style.height = '';
  }
}"""


class Tab(ABC):
    """One browser profile with one tab.

    Args:
        base: the server's address.

    Attributes:
        page: the tab.
        context: the profile.
        recording: what it exchanged with the world.
    """

    def __init__(self, base: str, browser: Browser, **options: Any) -> None:
        self.base = base
        defaults = {"viewport": WINDOW, "reduced_motion": "reduce"}
        self.context: BrowserContext = browser.new_context(**(defaults | options))
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base)
        self.context.set_default_timeout(20_000)
        self.recording = Recording.of(self.context)
        self.page: Page = self.context.new_page()

    def close(self) -> None:
        """Close the tab, which does not end kernels that run elsewhere."""
        self.context.close()

    @property
    @abstractmethod
    def panel(self) -> Locator:
        """The part of the page that shows the widgets."""

    @abstractmethod
    def execute(self, code: str, *, timeout_s: float = 30.0) -> str:
        """Run code in the kernel, outside the cells; returns what it printed."""

    @abstractmethod
    def haystack(self) -> Haystack:
        """Collect all that is or was outside the page's memory."""

    def leaks(self, secret: str | bytes) -> list[Leak]:
        """Every place outside the page's memory where a secret is or was."""
        return self.haystack().leaks(secret)

    def resize(self, part: Locator, width: int) -> None:
        """Give a part this width by resizing the window; JupyterLab's own columns follow by proportion."""
        for _ in range(9):
            now = part.evaluate("(part) => part.getBoundingClientRect().width")
            if abs(now - width) <= 1:
                return
            window = self.page.evaluate("() => window.innerWidth")
            self.page.set_viewport_size({"width": round(window - now + width), "height": WINDOW["height"]})
            self.page.wait_for_function(
                "([part, was]) => part.getBoundingClientRect().width !== was",
                arg=[part.element_handle(), now],
            )
        raise AssertionError(f"the widget is {now} px wide, not {width}")

    def violations(self, part: Locator, *, contrast: bool = True) -> list[str]:
        """Violations that axe reports in a part of the page; with ``contrast``, also undecided contrasts."""
        if not self.page.evaluate("() => Boolean(window.axe)"):
            self.page.evaluate(AXE.read_text())
        report = part.evaluate(_AXE)
        undecided = [rule for rule in report["incomplete"] if contrast and rule["id"] == "color-contrast"]
        assert "color-contrast" in [rule["id"] for rule in report["passes"]], "axe did not look at contrast"
        return [
            f"{rule['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
            for rule in report["violations"] + undecided
            for node in rule["nodes"]
        ]


def plain(traceback: list[str]) -> str:
    """A traceback without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(traceback))
