"""The browser, JupyterLab and tabs of ``tests/browser``, for attacks on them."""

from __future__ import annotations

from tests.browser import conftest as browsers

browser, patience = browsers.browser, browsers.patience
server, shared, lab = browsers.server, browsers.shared, browsers.lab
open_tab, notebook, show = browsers.open_tab, browsers.notebook, browsers.show
pytest_runtest_protocol = browsers.pytest_runtest_protocol
pytest_runtest_makereport = browsers.pytest_runtest_makereport
