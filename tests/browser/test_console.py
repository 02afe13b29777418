"""What the browser's console says while JupyterLab starts and shows the widgets."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenTab

WIDGETS = ("WebhookGenerator", "RateLimitCalculator", "VersionPlanner")


def test_jupyterlab_starts_and_shows_each_widget_without_an_error(open_tab: OpenTab, notebook: str):
    imports = f"from hook_widgets import {', '.join(WIDGETS)}"
    tab = open_tab().run(imports, *(f"{name}()" for name in WIDGETS), name=notebook)
    expect(tab.panel.locator(".hw")).to_have_count(len(WIDGETS))

    assert [] == [line for line in tab.recording.console if line.startswith("error")]
    assert [] == tab.recording.errors
