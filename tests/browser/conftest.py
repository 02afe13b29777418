"""A JupyterLab and a Chromium for each process of tests, and a tab and a notebook that most of them share.

The tests here are those that need JupyterLab: what it saves, opens again, trusts and exports; its themes and
the width of its outputs; its keys, and the keys that it must not get; several views and tabs of one widget; a
kernel that is restarted or shut down; the frame of the secret, which JupyterLab moves and removes; the
canary that must be in no notebook, log or request; the quickstart and the runbook. Three rooms need less:

- ``light``: a widget's Python and its DOM, with a real kernel, on a page without JupyterLab.
- ``ui``: the front end alone, with a fake kernel that misbehaves on demand.
- ``tests/widgets``: what the kernel decides, without a browser.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from collections.abc import Generator as Generator_
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.sdk import SdkReceiver
from tests.browser.server import LabServer
from tests.browser.shared_pages import Pages
from tests.browser.tab import ROOT, WINDOW
from tests.support.extent import LONG

_FOLDER = Path(__file__).parent
_CHROMIUM = ROOT / "tests/browser/chromium.sh"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]

SHARED = "widgets.ipynb"
#: set in the stash of a test that failed
FAILED = pytest.StashKey[bool]()

T = TypeVar("T")
_STARTED: dict[str, Any] = {}

OpenTab = Callable[..., Lab]
Show = Callable[..., Generator]


def chromium_path() -> str:
    """The browser that ``make`` found, or the one that its script finds."""
    if named := os.environ.get("CHROMIUM"):
        return named
    script = [sys.executable, str(ROOT / "scripts/programs.py"), "chromium"]
    return subprocess.run(script, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run each test of this folder with the first of its parameters; a long run takes all."""
    tests: set[tuple[Path, str]] = set()
    more: list[pytest.Item] = []
    for item in items if not LONG else ():
        test = (item.path, getattr(item, "originalname", item.name))
        if item.path.is_relative_to(_FOLDER) and test in tests:
            more.append(item)
        tests.add(test)
    if more:
        config.hook.pytest_deselected(items=more)
        items[:] = [item for item in items if item not in more]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator_[None, pytest.TestReport, pytest.TestReport]:
    """A failure tells what the page said, and the next test gets another tab."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    tab = getattr(item, "funcargs", {}).get("lab")
    if report.failed and isinstance(tab, Lab):
        said = tab.recording.errors + [line for line in tab.recording.console if line.startswith("error")]
        report.sections.append(("the page's errors", "\n".join(said)))
    return report


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """A loaded machine is no reason to fail: a kernel's first picture takes seconds even on an idle one."""
    expect.set_options(timeout=30_000)
    yield
    expect.set_options(timeout=None)


@contextmanager
def _one_for_the_process(name: str, start: Callable[[], AbstractContextManager[T]]) -> Iterator[T]:
    """Start something, or lend what a fixture of another folder has started: to pytest they are two."""
    if name in _STARTED:
        yield _STARTED[name]
        return
    with start() as running:
        _STARTED[name] = running
        yield running
    del _STARTED[name]


@contextmanager
def _served(folder: Path) -> Iterator[LabServer]:
    running = LabServer(folder).start()
    yield running
    running.stop()


@contextmanager
def _launched() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        environment: dict[str, str | float | bool] = {**os.environ, "CHROMIUM": chromium_path()}
        running = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS, env=environment)
        yield running
        running.close()


@contextmanager
def _closed_at_the_end() -> Iterator[list[Lab]]:
    tabs: list[Lab] = []
    yield tabs
    for tab in tabs:
        tab.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """The server, with the state of widgets saved in notebooks."""
    with _one_for_the_process("server", lambda: _served(tmp_path_factory.mktemp("lab"))) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser."""
    with _one_for_the_process("browser", _launched) as running:
        yield running


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Iterator[Pages]:
    """The tabs of tests that need no JupyterLab."""
    with _one_for_the_process("pages", lambda: closing(Pages(browser))) as tabs:
        yield tabs


@pytest.fixture(scope="session")
def shared(server: LabServer, browser: Browser) -> Iterator[list[Lab]]:
    """The tab that most tests share, if there is one now: loading JupyterLab is the slow part."""
    with _one_for_the_process("tabs", _closed_at_the_end) as tabs:
        yield tabs


@pytest.fixture
def lab(
    request: pytest.FixtureRequest, server: LabServer, browser: Browser, shared: list[Lab]
) -> Iterator[Lab]:
    """The shared tab, without what the tests before have opened."""
    if not shared:
        shared.append(Lab(server, browser))
    tab = shared[0]
    tab.recording.forget()
    yield tab
    if request.node.stash.get(FAILED, False):
        shared.remove(tab)
        tab.close()
        return
    for name in tab.opened - {SHARED}:
        tab.shut_down(name)


@pytest.fixture
def empty_lab(lab: Lab) -> Lab:
    """The shared tab with no widget in it, for tests that count what a widget adds to the page."""
    if SHARED in lab.opened:
        lab.run("pass", "pass", name=SHARED)
    expect(lab.page.locator("[data-hook-widgets=keeper]")).to_have_count(0)
    return lab


@pytest.fixture
def light_again(lab: Lab) -> Iterator[None]:
    """Leaves the shared tab as it was: its size, its colours and the light theme."""
    yield
    lab.page.emulate_media(forced_colors="none")
    lab.page.set_viewport_size(WINDOW)
    lab.theme("light")


@pytest.fixture
def open_tab(server: LabServer, browser: Browser) -> Iterator[OpenTab]:
    """Opens tabs in fresh profiles, for tests that reload or need two."""
    tabs: list[Lab] = []

    def open_another(**options: object) -> Lab:
        tabs.append(Lab(server, browser, **options))
        return tabs[-1]

    yield open_another
    for tab in tabs:
        tab.close()


@pytest.fixture
def notebook(request: pytest.FixtureRequest) -> str:
    """A notebook's name for this test."""
    return re.sub(r"\W+", "-", request.node.name).strip("-") + ".ipynb"


@pytest.fixture
def show(lab: Lab, notebook: str) -> Show:
    """Shows a ``WebhookGenerator`` with the given arguments, called ``w`` in the kernel.

    It takes the place of the one before, as when a user changes a cell and runs it again; with ``own`` it
    has a notebook and a kernel of its own.
    """

    def run(arguments: str = "", *, before: str = "", own: bool = False, session: str = "") -> Generator:
        imports = f"from hook_widgets import Secret, WebhookGenerator\n{before}"
        widget = f"w = WebhookGenerator({arguments})\nw"
        lab.run(imports, widget, name=notebook if own else SHARED, session=session)
        return Generator(lab.panel.locator(".hw"))

    return run


@pytest.fixture(scope="session")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SdkReceiver]:
    """A receiver in another process, where the providers' own libraries decide."""
    running = SdkReceiver(tmp_path_factory.mktemp("sdk")).start()
    yield running
    running.stop()
