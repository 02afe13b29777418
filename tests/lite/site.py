"""The built site on a web server that can be cut off, and a tab in which it runs."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.browser.lab import JupyterTab
from tests.browser.leaks import Haystack
from tests.browser.recording import storage_place

# What the page tells workers and other tabs: the kernel is a worker.
_RECORD_POSTED = """() => {
  window.posted = [];
  const text = (message) => JSON.stringify(message, (_, value) =>
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value);
  for (const { prototype } of [Worker, MessagePort, BroadcastChannel]) {
    const post = prototype.postMessage;
    prototype.postMessage = function (message, ...more) {
      window.posted.push(text(message) ?? "");
      return post.call(this, message, ...more);
    };
  }
}"""

_CACHED = """async () => {
  const all = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      all.push(request.url, await (await cache.match(request)).text());
    }
  }
  return all;
}"""

_SAVED = """
  await app.commands.execute('docmanager:save');
  return JSON.stringify(await app.serviceManager.contents.get(panel.context.path, {content: true}));
"""


_SHOW = """
  panel.content.activeCellIndex = panel.content.widgets.length - 1;
  await app.commands.execute('notebook:insert-cell-below');
  await app.commands.execute('notebook:change-cell-to-code');
  panel.content.activeCell.model.sharedModel.setSource(args);
  await app.commands.execute('notebook:run-cell');
"""


class _Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    policy = ""

    def end_headers(self) -> None:
        """With the policy: the kernel's worker has it from here."""
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing: the test's own report is enough."""


class Site:
    """A folder of static files, served as docs/howto/in-the-browser.md says, below the root of a server.

    Args:
        folder: the site.
        elsewhere: another origin that the kernel may ask.

    Attributes:
        base: its address.
    """

    def __init__(self, folder: Path, *, elsewhere: str = "") -> None:
        policy = "default-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:"
        if elsewhere:
            policy += f"; connect-src 'self' blob: data: {elsewhere}"
        files = type("_Bound", (_Files,), {"policy": policy})
        handler = functools.partial(files, directory=str(folder.parent))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.base = f"http://127.0.0.1:{self._server.server_port}/{folder.name}"

    def close(self) -> None:
        """Answer nobody any more; a second time does nothing."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class LiteTab(JupyterTab):
    """A tab with JupyterLite, whose kernel is a worker of the page."""

    def __init__(self, base: str, browser: Browser, **options: Any) -> None:
        super().__init__(base, browser, **options)
        self._before = 0

    def open(self, name: str) -> LiteTab:
        """Open a notebook, by the site's front door if it is the one behind it, and wait for its kernel."""
        self.name = name
        self.page.goto(
            f"{self.base}/" if name == "start.ipynb" else f"{self.base}/lab/index.html?path={name}"
        )
        self._wait_until_ready()
        self.execute("pass", timeout_s=120)  # connected it is at once, but Python has to load
        self.within("await app.commands.execute('@jupyter-widgets/jupyterlab-manager:saveWidgetState')")
        return self

    def cut_off(self, site: Site) -> None:
        """Take the network away: no server, and a browser that is offline."""
        site.close()
        self.context.set_offline(True)
        self._before = len(self.recording.requests)

    def record_messages(self) -> None:
        """Record what is posted to workers from now on.

        The widget has to be there: it would report functions that were replaced before.
        """
        self.page.wait_for_function("() => 'hook_widgets.captured.1' in window")
        self.page.evaluate(_RECORD_POSTED)

    def asked(self) -> list[str]:
        """What was asked of the network since it was cut off."""
        made_here = ("blob:", "data:")
        compared = f"{self.base}/files/{self.name}"  # the site's copy, when a notebook is saved
        asked = [request.url for request in self.recording.requests[self._before :]]
        return [url for url in asked if not url.startswith(made_here) and url != compared]

    def show(self, code: str) -> None:
        """Run code in a new cell at the end."""
        self.within(_SHOW, code)

    def save(self) -> str:
        """Save the notebook where this site keeps it, with the state of its widgets; returns what it kept."""
        return str(self.within(_SAVED))

    def haystack(self) -> Haystack:
        """Collect all that is or was outside the page's memory."""
        self.execute("pass")
        places = {
            "message to a worker": self.page.evaluate("() => window.posted"),
            "cache": self.page.evaluate(_CACHED),
            "saved notebook": [self.save()],
            "cells": [json.dumps(self.cells())],
        }
        texts = [(where, text.encode()) for where, texts in places.items() for text in texts]
        return Haystack([*self.recording.places(), storage_place(self.page), *texts])
