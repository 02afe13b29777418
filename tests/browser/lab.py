"""JupyterLab in a browser tab: open, run, save, reload, restart, as a user would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from playwright.sync_api import Browser, Locator, expect

from tests.browser.leaks import Haystack, file_places
from tests.browser.recording import storage_place
from tests.browser.server import LabServer
from tests.browser.tab import Tab, plain

_READY = """(name) => {
  const app = window.jupyterapp;
  if (!app) return false;
  app.restored.then(() => { app.tested = true; });
  const panel = app.shell.currentWidget, session = panel?.context?.sessionContext;
  return Boolean(app.tested && session && panel.context.path === name && panel.context.isReady
    && session.isReady && session.session?.kernel?.connectionStatus === 'connected');
}"""

# Every wait ends: page.evaluate itself has no time-out.
_WITHIN = """async ([body, args, limit]) => {
  const app = window.jupyterapp, panel = app.shell.currentWidget;
  const session = panel?.context?.sessionContext, kernel = session?.session?.kernel;
  const run = new Function('app', 'panel', 'session', 'kernel', 'args', `return (async () => { ${body} })()`);
  const late = new Promise((_, fail) => setTimeout(fail, limit, new Error(`too late: ${body}`)));
  return await Promise.race([run(app, panel, session, kernel, args), late]);
}"""

_EXECUTE = """
  const said = {out: '', error: null};
  const future = kernel.requestExecute({code: args, store_history: false});
  future.onIOPub = ({header, content}) => {
    if (header.msg_type === 'stream') said.out += content.text;
    if (header.msg_type === 'error') said.error = content.traceback.join('\\n');
  };
  await future.done;
  return said;
"""

_SHUT_DOWN = """
  const closing = [...app.shell.widgets('main')].find((widget) => widget.context?.path === args);
  if (closing.sessionContext.session) await closing.sessionContext.shutdown();
  closing.context.model.dirty = false;
  const closed = new Promise((done) => closing.context.disposed.connect(done));
  closing.close();
  await closed;
"""


def write_notebook(path: Path, *cells: str) -> None:
    """A notebook of code cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    code: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"cell-{n}",
            "metadata": {},
            "source": cell,
            "outputs": [],
            "execution_count": None,
        }
        for n, cell in enumerate(cells)
    ]
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": code}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


class JupyterTab(Tab):
    """One browser profile with one tab in which JupyterLab's front end runs.

    Attributes:
        name: the notebook in front.
    """

    name = ""

    # -- notebooks ------------------------------------------------------------------------------

    def run_all(self, *, timeout_s: float = 60.0) -> None:
        """Run every cell; raises with the traceback when one fails."""
        self.within("await app.commands.execute('notebook:run-all-cells')", timeout_s=timeout_s)
        for cell in self.cells():
            for output in cell.get("outputs", []):
                if output["output_type"] == "error":
                    raise AssertionError("a cell failed:\n" + plain(output["traceback"]))

    def cells(self) -> list[dict[str, Any]]:
        """The cells as the tab has them now."""
        return self.within("return panel.context.model.toJSON().cells")

    def execute(self, code: str, *, timeout_s: float = 30.0) -> str:
        """Run code in the notebook's kernel, outside its cells; returns what it printed."""
        said = self.within(_EXECUTE, code, timeout_s=timeout_s)
        if said["error"]:
            raise AssertionError("the kernel failed:\n" + plain([said["error"]]))
        return str(said["out"])

    def reload(self) -> Self:
        """Reload the page."""
        self.page.reload(wait_until="domcontentloaded")
        return self._wait_until_ready()

    def within(self, javascript: str, args: Any = None, *, timeout_s: float = 30.0) -> Any:
        """Run JavaScript with ``app``, ``panel``, ``session``, ``kernel`` and ``args`` at hand."""
        return self.page.evaluate(_WITHIN, [javascript, args, timeout_s * 1000])

    def _wait_until_ready(self) -> Self:
        self.page.wait_for_function(_READY, arg=self.name, timeout=60_000)
        return self

    # -- what is on the page --------------------------------------------------------------------

    @property
    def panel(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def theme(self, which: str) -> None:
        """Switch JupyterLab to its ``light`` or ``dark`` theme."""
        name = f"JupyterLab {which.title()}"
        self.within("await app.commands.execute('apputils:change-theme', {theme: args})", name)
        # A splash covers the page meanwhile.
        self.page.wait_for_function(
            """(light) => document.body.dataset.jpThemeLight === light
              && !document.querySelector('#jupyterlab-splash')""",
            arg=str(which == "light").lower(),
        )


class Lab(JupyterTab):
    """One browser profile with one tab on a server.

    Attributes:
        server: where its notebooks lie, which it names by their paths below the server's folder.
        opened: all that are open.
    """

    #: the path below which the server shows notebooks
    where = "/lab/tree"

    def __init__(self, server: LabServer, browser: Browser, **options: Any) -> None:
        super().__init__(server.base, browser, **options)
        self.server = server
        self.opened: set[str] = set()

    # -- notebooks ------------------------------------------------------------------------------

    def open(self, name: str) -> Self:
        """Open a notebook and wait for its kernel."""
        self.name = name
        if self.page.url == "about:blank":
            self.page.goto(f"{self.base}{self.where}/{quote(name)}?reset&token={self.server.token}")
        else:
            self.within("await app.commands.execute('docmanager:open', {path: args})", name)
        self.opened.add(name)
        return self._wait_until_ready()

    def open_saved(self, name: str) -> Self:
        """Open a notebook with a saved widget, again if JupyterLab has lost its models.

        On a busy machine its widget manager may call the models restored once the kernel has connected,
        before it has read them from the notebook. It then shows "model not found" for good.
        """
        shown = self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) :is(.hw, .jupyter-widgets)")
        for _ in range(3):
            self.open(name)
            expect(shown.first).to_be_visible()
            if "model not found" not in shown.first.inner_text():
                break
            self.shut_down(name)
        return self

    def run(self, *cells: str, name: str, session: str = "") -> Self:
        """Run these cells in a notebook, a new one unless it is open, after the JavaScript of ``session``."""
        if name not in self.opened:
            write_notebook(self.server.notebooks / name, *cells)
        self.open(name)
        self.within(
            "args.forEach((source, n) => panel.content.widgets[n].model.sharedModel.setSource(source))", cells
        )
        self.within(session)
        self.run_all()
        return self

    def save(self) -> str:
        """Save the notebook; returns the file's text."""
        self.within("await app.commands.execute('docmanager:save')")
        return (self.server.notebooks / self.name).read_text()

    def restart_kernel(self) -> None:
        """Restart the notebook's kernel, and wait until it is back."""
        self.within("await kernel.restart()")

    def shut_down(self, name: str) -> None:
        """Shut a notebook's kernel down, if it still has one, and close it without saving."""
        self.within(_SHUT_DOWN, name)
        self.opened.remove(name)

    # -- secrets --------------------------------------------------------------------------------

    def haystack(self) -> Haystack:
        """Collect all that is or was outside the page's memory."""
        self.execute("pass")  # a round trip: all that was on its way has been recorded
        storage, files = storage_place(self.page), file_places(self.server.folder)
        return Haystack([*self.recording.places(), storage, *files])
