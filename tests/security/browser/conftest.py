"""The browser, JupyterLab, fake hosts and tabs of ``tests/browser``, for attacks on them."""

from __future__ import annotations

from tests.browser import conftest as browsers
from tests.browser.ui import conftest as fake_hosts

browser, pages, patience = browsers.browser, browsers.pages, browsers.patience
address, host = fake_hosts.address, fake_hosts.host
server, shared, lab = browsers.server, browsers.shared, browsers.lab
open_tab, notebook, show = browsers.open_tab, browsers.notebook, browsers.show
# Not pytest_runtest_protocol: pytest calls that of every folder for every test, and would lock twice.
pytest_runtest_makereport = browsers.pytest_runtest_makereport
