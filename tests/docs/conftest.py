"""The built pages, which `make docs` makes, and a browser to look at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import conftest as browsers
from tests.browser.shared_pages import Pages

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "docs"

INSIDE = (SITE.as_uri(), "http://127.0.0.1:", "blob:", "data:")

Open = Callable[..., Page]

browser, pages, patience = browsers.browser, browsers.pages, browsers.patience


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the pages."""
    assert (SITE / "index.html").is_file(), "the pages are not built: make docs"
    return SITE


@pytest.fixture
def show(site: Path, pages: Pages) -> Iterator[Open]:
    """Opens pages, from the disk if nothing else is said.

    A request to elsewhere, or an error on one of them, fails the test.
    """
    opened: list[tuple[Page, dict[str, Any]]] = []
    faults: list[str] = []

    def note(what: str, *, fault: bool) -> None:
        if fault:
            faults.append(what)

    listeners: dict[Any, Callable[[Any], None]] = {
        "request": lambda asked: note(asked.url, fault=not asked.url.startswith(INSIDE)),
        "pageerror": lambda error: note(str(error), fault=True),
        "console": lambda said: note(said.text, fault=said.type == "error"),
    }

    def another(name: str, *, width: int = 1200, root: str = SITE.as_uri(), **options: Any) -> Page:
        page = pages.take(options)
        opened.append((page, options))
        page.set_viewport_size({"width": width, "height": 900})
        for event, heard in listeners.items():
            page.on(event, heard)
        page.goto(f"{root}/{name}")
        return page

    yield another
    for page, options in opened:
        for event, heard in listeners.items():
            page.remove_listener(event, heard)
        pages.give_back(page, options)
    assert faults == []
