"""Pages with the widget and a fake kernel; nothing of Jupyter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.ui.calculator import CalculatorHost, OpenCalculator
from tests.browser.ui.fake_host import Host, Open, serve


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The harness page."""
    with serve() as where:
        yield where


@pytest.fixture
def host(browser: Browser, address: str) -> Iterator[Open]:
    """Opens pages and closes them; an error on one of them fails the test."""
    opened: list[Host] = []

    def another(**options: Any) -> Host:
        opened.append(Host(browser, address, **options))
        return opened[-1]

    yield another
    for each in opened:
        each.close()


@pytest.fixture
def calculators(browser: Browser, address: str) -> Iterator[OpenCalculator]:
    """Opens pages for a calculator and closes them; an error on one of them fails the test."""
    opened: list[CalculatorHost] = []

    def another(**options: Any) -> CalculatorHost:
        opened.append(CalculatorHost(browser, address.replace("index.html", "calculator.html"), **options))
        return opened[-1]

    yield another
    for each in opened:
        each.close()
