"""Bytes that ten widgets add to a notebook's file, with the state of widgets saved in it and without."""

from __future__ import annotations

import copy

import nbclient
import nbformat
import pytest
from ipywidgets import Widget

from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator
from scripts.notebooks import kernel_config
from tests.support.extent import extent

WITH_STATE, WITHOUT_STATE = 1_000_000, 50_000  # bytes
KINDS = {
    "generators": ["WebhookGenerator()"] * 10,
    "calculators": ["RateLimitCalculator()"] * 10,
    "comparisons": ["RateLimitCalculator('pro', compare=True)"] * 10,
    "planners": ["VersionPlanner()"] * 10,
    "a mix": [
        "WebhookGenerator('github')",
        "WebhookGenerator('shopify', 'orders/create')",
        "WebhookGenerator('slack')",
        "WebhookGenerator('gitlab-token')",
        "RateLimitCalculator()",
        "RateLimitCalculator('github-user', compare=True)",
        "RateLimitCalculator('10/s', burst=40)",
        "VersionPlanner()",
        "VersionPlanner([[1, '2023-05-02', '2026-06-01'], [2, '2025-03-03'], 3], zone='Europe/Berlin')",
        "VersionPlanner([[n, f'{2010 + n}-01-01', f'{2012 + n}-01-01'] for n in range(1, 15)])",
    ],
}


def size(notebook: nbformat.NotebookNode) -> int:
    return len(nbformat.writes(notebook).encode())


# In a long run the other kinds, too: a notebook takes seconds.
@pytest.mark.parametrize("kind", extent(["generators", "a mix"], list(KINDS)))
def test_ten_widgets_add_less_than_a_megabyte_with_state_and_50_kilobytes_without(kind: str):
    cells = [nbformat.v4.new_code_cell(f"from hook_widgets import *\n{source}") for source in KINDS[kind]]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbclient.NotebookClient(notebook, timeout=60, store_widget_state=True, config=kernel_config()).execute()

    without_state = copy.deepcopy(notebook)
    states = without_state.metadata.pop("widgets")["application/vnd.jupyter.widget-state+json"]["state"]
    without_outputs = copy.deepcopy(without_state)
    for cell in without_outputs.cells:
        assert "text/html" in cell.outputs[0].data
        cell.outputs = []

    assert 10 == sum("_esm" in each["state"] for each in states.values())
    assert 0 < size(notebook) - size(without_outputs) < WITH_STATE
    assert 0 < size(without_state) - size(without_outputs) < WITHOUT_STATE


def test_a_page_that_is_reloaded_gets_the_state_of_all_widgets(monkeypatch: pytest.MonkeyPatch):
    """JupyterLab asks for it. A widget that is made meanwhile is added to those that are walked over."""
    monkeypatch.setattr("ipywidgets.widgets.widget._instances", {})  # without those of other tests
    widgets = [RateLimitCalculator("10/s"), VersionPlanner(), WebhookGenerator()]
    widgets[0].set_state({"burst": "35"})
    widgets[1].set_state({"at": "2026-11-21 12:00"})

    states = Widget.get_manager_state()["state"]

    assert [] == [widget for widget in widgets if "_model_module" not in states[widget.model_id]["state"]]


def test_the_first_message_to_a_page_that_asks_for_a_state_is_that_state(monkeypatch: pytest.MonkeyPatch):
    """A browser that gets a part first takes it for the whole."""
    widget = RateLimitCalculator("10/s")
    widget.set_state({"burst": "35"})
    sent: list[object] = []
    monkeypatch.setattr(RateLimitCalculator, "send_state", lambda _self, key=None: sent.append(key))

    state = widget.get_state()

    assert "429" in state["still"]
    assert [] == sent
