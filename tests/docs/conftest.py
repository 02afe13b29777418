"""The built pages, which `make docs` makes, and a browser to look at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import conftest as browsers

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "docs"

INSIDE = (SITE.as_uri(), "http://127.0.0.1:", "blob:", "data:")

Open = Callable[..., Page]

browser, patience = browsers.browser, browsers.patience


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the pages."""
    assert (SITE / "index.html").is_file(), "the pages are not built: make docs"
    return SITE


@pytest.fixture
def show(site: Path, browser: Browser) -> Iterator[Open]:
    """Opens pages, from the disk if nothing else is said.

    A request to elsewhere, or an error on one of them, fails the test.
    """
    contexts = []
    faults: list[str] = []

    def note(what: str, *, fault: bool) -> None:
        if fault:
            faults.append(what)

    def another(name: str, *, width: int = 1200, root: str = SITE.as_uri(), **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda asked: note(asked.url, fault=not asked.url.startswith(INSIDE)))
        page.on("pageerror", lambda error: note(str(error), fault=True))
        page.on("console", lambda said: note(said.text, fault=said.type == "error"))
        page.goto(f"{root}/{name}")
        return page

    yield another
    for context in contexts:
        context.close()
    assert faults == []
