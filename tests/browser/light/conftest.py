"""A light page for each process of tests: a real kernel and the real classes of its widgets.

The tests here are about a widget's Python and its DOM; ``../conftest.py`` lists what needs JupyterLab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import FAILED
from tests.browser.generator import Generator
from tests.browser.light.kernel_page import KernelPage
from tests.browser.server import LabServer
from tests.browser.tab import WINDOW

Show = Callable[..., Generator]


@pytest.fixture(scope="session")
def shared_pages() -> Iterator[list[KernelPage]]:
    """The page that all tests share, if there is one now."""
    pages: list[KernelPage] = []
    yield pages
    for page in pages:
        page.close()


@pytest.fixture
def tab(
    request: pytest.FixtureRequest, server: LabServer, browser: Browser, shared_pages: list[KernelPage]
) -> Iterator[KernelPage]:
    """The shared page, without what the tests before have shown; after a failure it is another one."""
    if not shared_pages:
        shared_pages.append(KernelPage(server, browser))
    page = shared_pages[0]
    page.page.set_viewport_size(WINDOW)
    yield page
    errors = list(page.recording.errors)
    if request.node.stash.get(FAILED, False) or errors:
        shared_pages.remove(page)
        page.close()
    else:
        page.clear()
    assert [] == errors


@pytest.fixture
def own_tab(server: LabServer, browser: Browser) -> Iterator[KernelPage]:
    """A page and a kernel for one test, which leaves the kernel changed."""
    page = KernelPage(server, browser)
    yield page
    page.close()
    assert [] == page.recording.errors


@pytest.fixture
def show(tab: KernelPage) -> Show:
    """Shows a ``WebhookGenerator`` with the given arguments, called ``w`` in the kernel."""

    def run(arguments: str = "", *, before: str = "") -> Generator:
        imports = f"from hook_widgets import Secret, WebhookGenerator\n{before}"
        tab.run(imports, f"w = WebhookGenerator({arguments})\nw")
        return Generator(tab.panel.locator(".hw"))

    return run
