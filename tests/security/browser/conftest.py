"""The browser, JupyterLab and tabs of ``tests/browser``, for attacks on them."""

from __future__ import annotations

from tests.browser import conftest as browsers

browser, pages, patience = browsers.browser, browsers.pages, browsers.patience
server, shared, lab = browsers.server, browsers.shared, browsers.lab
open_tab, notebook, show = browsers.open_tab, browsers.notebook, browsers.show
# Not pytest_runtest_protocol: pytest calls that of every folder for every test, and would lock twice.
pytest_runtest_makereport = browsers.pytest_runtest_makereport
