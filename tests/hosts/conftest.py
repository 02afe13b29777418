"""A browser, a receiver, and the hosts one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import conftest as browsers
from tests.hosts.live import HOSTS, Live
from tests.support.extent import extent
from tests.support.wire import Wire

browser, pages, patience = browsers.browser, browsers.pages, browsers.patience


@pytest.fixture(scope="session")
def receiver() -> Iterator[Wire]:
    """A receiver on loopback that answers 200 and keeps what it got."""
    with Wire() as running:
        yield running


# marimo's editor differs from its app in its own controls, which are not ours.
@pytest.fixture(scope="session", params=extent([host for host in HOSTS if host != "marimo-edit"], [*HOSTS]))
def live(
    request: pytest.FixtureRequest, browser: Browser, receiver: Wire, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """Each host that has a kernel, started once for all tests."""
    with HOSTS[request.param](browser, tmp_path_factory.mktemp(request.param), receiver.url) as shown:
        yield shown
