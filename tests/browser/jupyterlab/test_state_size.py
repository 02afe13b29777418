"""Size that ten widgets add to a notebook saved by JupyterLab."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import Lab

CELLS = (
    "from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator",
    *(f"WebhookGenerator({provider!r})" for provider in ("stripe", "github", "slack", "shopify")),
    *(f"RateLimitCalculator({limit!r})" for limit in ("100000/hour", "10/s", "github-user")),
    *("VersionPlanner()",) * 3,
)


def size(notebook: dict[str, object]) -> int:
    """Of its file, in bytes: the server writes it with an indent of one space."""
    return len(json.dumps(notebook, indent=1, ensure_ascii=False).encode())


@pytest.mark.long
def test_ten_widgets_add_less_than_a_megabyte_with_state_and_50_kilobytes_without(lab: Lab, notebook: str):
    lab.run(*CELLS, name=notebook)
    lab.panel.locator(".hw").nth(9).wait_for()
    text = lab.save()
    saved = json.loads(text)
    whole = len(text.encode())
    state = saved["metadata"].pop("widgets")["application/vnd.jupyter.widget-state+json"]["state"]
    without_state = size(saved)
    for cell in saved["cells"]:
        cell["outputs"] = []

    assert 10 == sum("_esm" in each["state"] for each in state.values())
    assert 0 < whole - size(saved) < 1_000_000
    assert 0 < without_state - size(saved) < 50_000
