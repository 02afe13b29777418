"""A bare page in a browser tab with the widgets of a real kernel (``page/main.js``)."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from typing import Any, Self

from playwright.sync_api import Browser, Locator

from tests.browser.leaks import Haystack, file_places
from tests.browser.recording import storage_place
from tests.browser.server import LabServer
from tests.browser.tab import Tab, plain

# Every wait ends: page.evaluate itself has no time-out.
_WITHIN = """async ([body, args, limit]) => {
  const run = new Function('kernel', 'args', `return (async () => { ${body} })()`);
  const late = new Promise((_, fail) => setTimeout(fail, limit, new Error(`too late: ${body}`)));
  return await Promise.race([run(tested.kernel, args), late]);
}"""

# What is on the clipboard, as soon as there is something.
_CLIPBOARD = """
  for (;;) {
    const text = await navigator.clipboard.readText();
    if (text) return text;
    await new Promise(requestAnimationFrame);
  }
"""

# The last comm that is closed takes with it the thread in which the kernel handles their messages, and the
# next one may begin without: so one widget that nobody sees stays.
_BEGIN = "import ipywidgets; get_ipython().stays = ipywidgets.Layout()"
_CLEAR = """
from ipywidgets.widgets.widget import _instances
for widget in list(_instances.values()):
    if widget is not get_ipython().stays:
        widget.close()
get_ipython().reset(new_session=False)
"""


class KernelPage(Tab):
    """One browser profile with one tab, a kernel of its own, and all that this kernel displays.

    Attributes:
        server: where the kernel runs.
    """

    def __init__(self, server: LabServer, browser: Browser, **options: Any) -> None:
        super().__init__(server.base, browser, **options)
        self.server = server
        self._kernel = json.loads(self._ask("POST", "/api/kernels", b"{}"))["id"]
        self.page.goto(f"{self.base}/static/page.html?token={server.token}")
        self.page.evaluate("(kernel) => tested.connect(...kernel)", [self._kernel, server.token])
        self.execute(_BEGIN)

    def close(self) -> None:
        """Close the tab and end the kernel."""
        super().close()
        self._ask("DELETE", f"/api/kernels/{self._kernel}")

    def clear(self) -> None:
        """Close every widget, and forget every variable and all that was recorded."""
        self.execute(_CLEAR)
        self.page.wait_for_function("() => !document.querySelector('#outputs').hasChildNodes()")
        self.recording.forget()

    def run(self, *cells: str) -> Self:
        """Run these cells, and show their widgets at the end of the page."""
        for cell in cells:
            self.execute(cell, timeout_s=60.0)
        return self

    def execute(self, code: str, *, timeout_s: float = 30.0) -> str:
        """Run code in the kernel and show its widgets; returns what it printed."""
        said = self.within("return await tested.run(args)", code, timeout_s=timeout_s)
        if said["error"]:
            raise AssertionError("the kernel failed:\n" + plain([said["error"]]))
        return str(said["out"])

    def within(self, javascript: str, args: Any = None, *, timeout_s: float = 30.0) -> Any:
        """Run JavaScript with ``kernel`` and ``args`` at hand."""
        return self.page.evaluate(_WITHIN, [javascript, args, timeout_s * 1000])

    def copied(self, click: Callable[[], None]) -> str:
        """Click, and return the text that comes to the clipboard."""
        self.page.evaluate("() => navigator.clipboard.writeText('')")
        click()
        return str(self.within(_CLIPBOARD))

    @property
    def panel(self) -> Locator:
        """All that was displayed."""
        return self.page.locator("#outputs")

    def haystack(self) -> Haystack:
        """Collect all that is or was outside the page's memory."""
        self.execute("pass")  # a round trip: all that was on its way has been recorded
        storage, files = storage_place(self.page), file_places(self.server.folder)
        return Haystack([*self.recording.places(), storage, *files])

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        headers = {"Authorization": f"token {self.server.token}"}
        request = urllib.request.Request(f"{self.base}{path}", data=body, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return bytes(answer.read())
