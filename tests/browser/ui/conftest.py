"""Pages with the widget and a fake kernel; nothing of Jupyter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser

from tests.browser.ui.calculator import CalculatorHost, OpenCalculator
from tests.browser.ui.fake_host import Host, Open, serve
from tests.browser.ui.planner import OpenPlanner, PlannerHost

H = TypeVar("H", bound=Host)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The harness page."""
    with serve() as where:
        yield where


@contextmanager
def _pages(kind: type[H], browser: Browser, address: str) -> Iterator[Callable[..., H]]:
    """Opens pages and closes them; an error on one of them fails the test."""
    opened: list[H] = []

    def another(**options: Any) -> H:
        opened.append(kind(browser, address, **options))
        return opened[-1]

    yield another
    for each in opened:
        each.close()


@pytest.fixture
def host(browser: Browser, address: str) -> Iterator[Open]:
    """Opens pages for a generator."""
    with _pages(Host, browser, address) as another:
        yield another


@pytest.fixture
def calculators(browser: Browser, address: str) -> Iterator[OpenCalculator]:
    """Opens pages for a calculator."""
    with _pages(CalculatorHost, browser, address.replace("index.html", "calculator.html")) as another:
        yield another


@pytest.fixture
def planners(browser: Browser, address: str) -> Iterator[OpenPlanner]:
    """Opens pages for a planner."""
    with _pages(PlannerHost, browser, address.replace("index.html", "planner.html")) as another:
        yield another
