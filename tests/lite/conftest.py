"""A browser, and the site as `make lite` built it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser

from scripts.lite.__main__ import SITE
from tests.browser import conftest as browsers
from tests.lite.site import LiteTab, Site

browser, patience = browsers.browser, browsers.patience


@pytest.fixture(scope="session")
def start(browser: Browser) -> Iterator[LiteTab]:
    """The start notebook, run with no network: the page and its kernel were loaded before it was cut off."""
    assert (SITE / "index.html").is_file(), "there is no site to test: run `make lite` first"
    with closing(Site(SITE)) as site, closing(LiteTab(site.base, browser)) as tab:
        tab.open("start.ipynb")
        tab.cut_off(site)
        tab.run_all(timeout_s=120)
        tab.record_messages()
        yield tab
