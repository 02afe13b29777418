"""The hosts with a kernel: each shows the three widgets, and one that leaks, on one page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.lab import Lab, write_notebook
from tests.browser.leaks import Haystack, Leak, file_places
from tests.browser.recording import Recording, storage_place
from tests.browser.server import Server
from tests.browser.tab import WINDOW
from tests.hosts.servers import MarimoServer, NotebookServer, VoilaServer, hosts_python
from tests.hosts.widgets import CALCULATOR, GENERATOR, IMPORTS, LEAKING, PLANNER, Widgets

NOTEBOOK = "widgets.ipynb"
DOCTOR = "import hook_widgets\nhook_widgets.doctor()"
#: `marimo run` does not show what a cell prints.
SHOWN_DOCTOR = "import hook_widgets, marimo\nwith marimo.redirect_stdout():\n    hook_widgets.doctor()"


@dataclass(frozen=True)
class Live:
    """A host that is running and shows the widgets.

    Attributes:
        name: what `hook_widgets.doctor` says of it, as a regular expression.
        save: saves the notebook, where that is done.
        gives_away: where a secret that a widget leaks is found.
        theme: what the host was told to be, ``light`` or ``dark``.
        own_cdn: what the host itself asks for elsewhere.
    """

    server: Server
    page: Page
    recording: Recording
    gives_away: frozenset[str]
    name: str
    theme: str = "light"
    save: Callable[[], object] = lambda: None
    own_cdn: str = ""

    @property
    def widgets(self) -> Widgets:
        """The widgets in the page."""
        return Widgets(self.page)

    def leaks(self, secret: str) -> list[Leak]:
        """Every place outside the page's memory where a secret is or was, after saving what can be saved."""
        self.save()
        storage, files = storage_place(self.page), file_places(self.server.folder)
        return Haystack([*self.recording.places(), storage, *files]).leaks(secret)

    def asked_elsewhere(self) -> list[str]:
        """Addresses that are not the server's, without those that the host asks for itself."""
        foreign = self.recording.foreign(self.server.base)
        return [url for url in foreign if not (self.own_cdn and url.startswith(self.own_cdn))]


Open = Callable[[Browser, Path, str], AbstractContextManager[Live]]


def _cells(url: str) -> list[str]:
    """Return the cells of a notebook that shows the widgets."""
    shown = [GENERATOR.format(url=url), CALCULATOR, PLANNER, LEAKING]
    return [
        IMPORTS,
        *(f"{code.rstrip()}\n{code.rstrip().splitlines()[-1].split()[0]}" for code in shown),
        DOCTOR,
    ]


class Notebook7(Lab):
    """A tab with a notebook in Notebook 7."""

    where = "/notebooks"


@contextmanager
def notebook(browser: Browser, folder: Path, url: str) -> Iterator[Live]:
    """Notebook 7, with the state of widgets saved in notebooks."""
    write_notebook(folder / "notebooks" / NOTEBOOK, *_cells(url))
    server = NotebookServer(folder).start()
    try:
        with closing(Notebook7(server, browser)) as tab:
            tab.open(NOTEBOOK).run_all()
            places = frozenset({"frame", f"notebooks/{NOTEBOOK}"})
            name = rf"a Jupyter server.*server's Python\s+{re.escape(hosts_python())}"
            yield Live(server, tab.page, tab.recording, places, name, save=tab.save)
    finally:
        server.stop()


@contextmanager
def _page(browser: Browser, server: Server, path: str) -> Iterator[tuple[Page, Recording]]:
    """A page of a host where nothing is run or saved by hand, once the widgets are on it."""
    try:
        server.start()
        with closing(browser.new_context(viewport=WINDOW, reduced_motion="reduce")) as context:
            context.set_default_timeout(20_000)
            recording = Recording.of(context)
            page = context.new_page()
            page.goto(f"{server.base}{path}")
            expect(page.locator(".hw")).to_have_count(3, timeout=90_000)
            yield page, recording
    finally:
        server.stop()


@contextmanager
def voila(browser: Browser, folder: Path, url: str) -> Iterator[Live]:
    """Voila, which runs a notebook for each reader and shows no code; dark."""
    write_notebook(folder / "notebooks" / NOTEBOOK, *_cells(url))
    server = VoilaServer(folder)
    path = f"/voila/render/{NOTEBOOK}?token={server.token}&theme=dark"
    icons = "https://cdn.jsdelivr.net/npm/@fortawesome/"  # Voila's own page asks for them, and does without
    with _page(browser, server, path) as (page, recording):
        yield Live(server, page, recording, frozenset({"frame"}), "Voila", theme="dark", own_cdn=icons)


@contextmanager
def marimo(browser: Browser, folder: Path, url: str, *, mode: str, theme: str) -> Iterator[Live]:
    """marimo, which puts each widget into a shadow root."""
    server = MarimoServer(folder, mode, theme)
    server.notebooks.mkdir()
    cells = "".join(f"@app.cell\ndef _({names}):\n{_body(cell)}" for cell, names in _marimo_cells(url))
    (server.notebooks / server.notebook).write_text(f"import marimo\n\napp = marimo.App()\n\n{cells}")
    with _page(browser, server, "/") as (page, recording):
        yield Live(server, page, recording, frozenset({"request"}), "marimo", theme=theme)


def _marimo_cells(url: str) -> list[tuple[str, str]]:
    """The cells, and the names that each takes from the first one."""
    imports, generator, calculator, planner, leaking, _ = _cells(url)
    return [
        (imports + "\nreturned = (RateLimitCalculator, VersionPlanner, WebhookGenerator)", ""),
        (generator, "WebhookGenerator"),
        (calculator, "RateLimitCalculator"),
        (planner, "VersionPlanner"),
        (leaking, ""),
        (SHOWN_DOCTOR, ""),
    ]


def _body(cell: str) -> str:
    lines = [f"    {line}" if line else "" for line in cell.splitlines()]
    return "\n".join([*lines, "    return", "", "", ""])


HOSTS: dict[str, Open] = {
    "notebook": notebook,
    "voila": voila,
    "marimo-run": partial(marimo, mode="run", theme="light"),
    "marimo-edit": partial(marimo, mode="edit", theme="dark"),
}
