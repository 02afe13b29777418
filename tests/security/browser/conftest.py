"""The browser, JupyterLab and tabs of ``tests/browser``, for attacks on them."""

from __future__ import annotations

import pytest

from tests.browser import conftest as browsers

#: An attack runs again only where a wait ran out of time, never because it reached a secret.
_LATE = pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError", "Locator expected"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the attacks where failed tests run again; the hook gets every test of the run."""
    for item in items if config.getoption("reruns") else ():
        if "tests/security/browser" in item.path.as_posix():
            item.add_marker(_LATE)


browser, patience = browsers.browser, browsers.patience
server, shared, lab = browsers.server, browsers.shared, browsers.lab
open_tab, notebook, show = browsers.open_tab, browsers.notebook, browsers.show
# Not pytest_runtest_protocol: pytest calls that of every folder for every test, and would lock twice.
pytest_runtest_makereport = browsers.pytest_runtest_makereport
