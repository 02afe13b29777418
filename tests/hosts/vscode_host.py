"""VS Code's notebook outputs, rebuilt: frames, sandboxes, policies, styles and what is forwarded.

After ``contrib/webview/browser/pre/index.html`` and, below ``contrib/notebook/browser/view/renderers``,
``backLayerWebView.ts`` and ``webviewPreloads.ts`` of github.com/microsoft/vscode, read 2026-11-22. There the
outputs have no Content-Security-Policy unless the experimental setting ``notebook.experimental.enableCsp`` is
on, whose policy forbids the blobs from which anywidget loads every widget. ``STRICT`` lets in nothing but
what a widget has to have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Frame, FrameLocator, ViewportSize, expect

from tests.browser.tab import ROOT

HERE = Path(__file__).parent / "vscode"
CLIPBOARD = "clipboard-read; clipboard-write"
#: No policy, as VS Code has it.
NONE = ""
#: Scripts and pictures from blobs, styles in the page, nothing from elsewhere; 'self' is the fake kernel.
STRICT = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src blob: data:; connect-src 'self'"
)

_FONT = {"font-family": "system-ui", "font-size": "13px", "font-weight": "normal"}
LIGHT: Mapping[str, Any] = {
    "kind": "vscode-light",
    "colors": {**_FONT, "editor-background": "#ffffff", "editor-foreground": "#3b3b3b"},
}
DARK: Mapping[str, Any] = {
    "kind": "vscode-dark",
    "colors": {**_FONT, "editor-background": "#1f1f1f", "editor-foreground": "#cccccc"},
}
HIGH_CONTRAST: Mapping[str, Any] = {
    "kind": "vscode-high-contrast",
    "colors": {**_FONT, "editor-background": "#000000", "editor-foreground": "#ffffff"},
}


class VSCode:
    """One window of VS Code with one widget in a notebook's output.

    Args:
        base: where the working copy is served.
        widget: a page of ``js/tests/harness``, which names the bundle and its fake kernel.
        policy: the Content-Security-Policy of the outputs.
        allow: what the frames may do.
    """

    def __init__(
        self,
        browser: Browser,
        base: str,
        widget: str,
        *,
        policy: str = NONE,
        allow: str = CLIPBOARD,
        **options: Any,
    ) -> None:
        window: ViewportSize = {"width": 1000, "height": 900}
        self.context: BrowserContext = browser.new_context(viewport=window, **options)
        self.context.set_default_timeout(20_000)
        self.errors: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{base}/tests/hosts/vscode/workbench.html")
        self.page.evaluate(
            "([content, look, allow]) => show(content, look, allow)", [_content(widget, policy), LIGHT, allow]
        )
        self.outputs: FrameLocator = self.page.frame_locator("iframe").frame_locator("iframe")
        expect(self.outputs.locator("#neighbour")).to_be_visible()
        self.frame: Frame = next(
            frame for frame in self.page.frames if frame.parent_frame and frame.parent_frame.parent_frame
        )
        # The frame's policy forbids what a wait inside the page is made of: it is asked again from here.
        for _ in range(1000):
            if self.frame.evaluate("Boolean(window.ready)"):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError("the harness page was not ready after 20 s")

    def mount(self, **options: Any) -> None:
        """Show the widget; the options are those of the harness page's ``mount``."""
        self.frame.evaluate("(options) => mount(options)", options)

    def dress(self, look: Mapping[str, Any]) -> None:
        """Change the colour theme."""
        self.page.evaluate("(look) => tell({ look })", look)

    def forwarded_keys(self, last: str) -> list[str]:
        """The keys of every event that reached the workbench, once ``last`` is up again.

        Messages between two frames keep their order: what came before ``last`` is there when it is.
        """
        up = "(key) => heard.some((message) => message.type === 'keyup' && message.key === key)"
        self.page.wait_for_function(up, arg=last)
        return self.page.evaluate("heard.filter(({ type }) => /^key/.test(type)).map(({ key }) => key)")

    def close(self) -> None:
        """Close the window; what the policy blocked, and an error, fail the test."""
        violations = self.frame.evaluate("window.violations")
        self.context.close()
        assert ([], []) == (violations, self.errors)


def _content(widget: str, policy: str) -> str:
    """Return the frame's HTML as VS Code writes it, with the widget's style sheet as anywidget adds it."""
    harness = (ROOT / f"js/tests/harness/{widget}.html").read_text()
    (script,) = re.findall(r'<script type="module">.*?</script>', harness, re.DOTALL)
    (sheet,) = re.findall(r'<link rel="stylesheet" href="\.\./\.\./\.\./(.*?)">', harness)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    style = f"<style>{(ROOT / sheet).read_text()}</style>"
    page = (HERE / "notebook.html").read_text()
    return page.replace("<!-- policy -->", meta).replace("<!-- widget -->", style + script)
