"""Pages with the widget and a fake kernel; nothing of Jupyter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from tests.browser.conftest import FAILED
from tests.browser.shared_pages import Pages
from tests.browser.ui.calculator.page import CalculatorHost, OpenCalculator
from tests.browser.ui.fake_host import Host, Open, OpenTogether, TogetherHost, serve
from tests.browser.ui.planner.page import OpenPlanner, PlannerHost

H = TypeVar("H", bound=Host)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The harness page."""
    with serve() as where:
        yield where


@contextmanager
def _opened(kind: type[H], request: pytest.FixtureRequest, address: str) -> Iterator[Callable[..., H]]:
    """Opens pages and closes them; an error on one of them fails the test."""
    pages: Pages = request.getfixturevalue("pages")
    opened: list[H] = []

    def another(**options: Any) -> H:
        opened.append(kind(pages, address, **options))
        return opened[-1]

    yield another
    for each in opened:
        each.close(failed=request.node.stash.get(FAILED, False))


@pytest.fixture
def host(request: pytest.FixtureRequest, address: str) -> Iterator[Open]:
    """Opens pages for a generator."""
    with _opened(Host, request, address) as another:
        yield another


@pytest.fixture
def calculators(request: pytest.FixtureRequest, address: str) -> Iterator[OpenCalculator]:
    """Opens pages for a calculator."""
    with _opened(CalculatorHost, request, address.replace("index.html", "calculator.html")) as another:
        yield another


@pytest.fixture
def planners(request: pytest.FixtureRequest, address: str) -> Iterator[OpenPlanner]:
    """Opens pages for a planner."""
    with _opened(PlannerHost, request, address.replace("index.html", "planner.html")) as another:
        yield another


@pytest.fixture
def together(request: pytest.FixtureRequest, address: str) -> Iterator[OpenTogether]:
    """Opens pages for one widget of each kind."""
    with _opened(TogetherHost, request, address.replace("index.html", "together.html")) as another:
        yield another
