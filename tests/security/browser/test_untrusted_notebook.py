"""A notebook of a stranger is opened beside ours, untrusted, and no cell of it is run.

JupyterLab restores the widgets that a notebook has in its metadata, and anywidget imports the script of each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anywidget
import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.leaks import find_secret
from tests.security.browser.victim import canary, see_signed_with, type_secret

STRANGER = "stranger.ipynb"
PLANTED = "PlantedInThePage0123456789"
SCRIPT = Path(__file__).with_name("stranger.js").read_text()

_PLANT = """(value) => {
  const host = document.body.appendChild(document.createElement("div"));
  host.id = "planted";
  const field = document.createElement("input");
  field.value = value;
  host.attachShadow({mode: "open"}).append(field);
}"""


def stranger() -> dict[str, Any]:
    """A notebook with a widget whose script reads the page, and with HTML that only a trusted one runs."""
    state = {name: trait.default_value for name, trait in anywidget.AnyWidget.class_traits(sync=True).items()}
    plain = {name: value for name, value in state.items() if isinstance(value, str)}
    model = {
        "model_module": plain["_model_module"],
        "model_module_version": plain["_model_module_version"],
        "model_name": plain["_model_name"],
        "state": {**plain, "_esm": SCRIPT, "_anywidget_id": "stranger"},
    }
    shown = {
        "text/html": '<img src="none:" onerror="window.ranHtml = true">',
        "application/vnd.jupyter.widget-view+json": {
            "model_id": "5a",
            "version_major": 2,
            "version_minor": 0,
        },
    }
    cell = {
        "cell_type": "code",
        "id": "shown",
        "metadata": {},
        "source": "",
        "execution_count": 1,
        "outputs": [
            {"output_type": "display_data", "metadata": {}, "data": {mime: data}}
            for mime, data in shown.items()
        ],
    }
    widgets = {"version_major": 2, "version_minor": 0, "state": {"5a": model}}
    metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "widgets": {"application/vnd.jupyter.widget-state+json": widgets},
    }
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": [cell]}


def ours(lab: Lab, notebook: str, secret: str) -> Generator:
    """Our widget, which signs with a typed secret."""
    lab.run("from hook_widgets import WebhookGenerator", "w = WebhookGenerator('github')\nw", name=notebook)
    widget = Generator(lab.panel.locator(".hw"))
    type_secret(widget, secret)
    see_signed_with(widget, lab, secret)
    return widget


def open_stranger(lab: Lab) -> None:
    """Open the stranger's notebook, and wait until its script has read the page."""
    (lab.server.notebooks / STRANGER).write_text(json.dumps(stranger()))
    lab.page.evaluate(_PLANT, PLANTED)
    lab.open(STRANGER)
    assert [False] == lab.within("return [...panel.model.cells].map((cell) => cell.trusted)")
    lab.page.wait_for_function("() => window.stranger?.readings > 2")
    assert lab.page.evaluate("() => window.ranHtml") is None


def taken(lab: Lab) -> str:
    """All that the stranger's script has read."""
    before = lab.page.evaluate("() => window.stranger.readings")
    lab.page.wait_for_function("(before) => window.stranger.readings > before + 1", arg=before)
    return lab.page.evaluate("() => [...window.stranger.values].join('\\n')")


def typed(lab: Lab) -> list[list[str]]:
    """The events of keys, input and clipboard that the stranger's script has seen."""
    return lab.page.evaluate("() => window.stranger.typed")


def test_a_stranger_gets_no_secret_typed_before_and_no_letter_typed_or_pasted_after(
    open_tab: OpenTab, notebook: str
):
    lab, secret, more, pasted = open_tab(), canary(), canary(16), canary(16)
    widget = ours(lab, notebook, secret)
    open_stranger(lab)
    taken_before = taken(lab).encode()

    assert "as it is" == find_secret(taken_before, PLANTED)
    assert find_secret(taken_before, secret) is None
    assert [] == lab.leaks(secret)
    lab.open(notebook)

    widget.secret.press("End")
    type_secret(widget, more)
    see_signed_with(widget, lab, secret + more)
    seen_of_keys = typed(lab)
    lab.page.evaluate("(text) => navigator.clipboard.writeText(text)", pasted)
    widget.secret.press("ControlOrMeta+V")
    see_signed_with(widget, lab, secret + more + pasted)
    seen_of_paste = typed(lab)
    lab.page.locator("#planted input").press_sequentially("ab")

    assert "ab" == "".join(text for kind, text in typed(lab)[len(seen_of_paste) :] if kind == "keypress")
    assert [] == seen_of_keys
    assert pasted not in str(seen_of_paste)
    assert [None, None] == [find_secret(taken(lab).encode(), text) for text in (secret, more)]


@pytest.mark.long
@pytest.mark.xfail(
    raises=pytest.fail.Exception,
    reason="anywidget imports the script of every widget in a notebook's metadata, also of an untrusted one",
)
def test_an_untrusted_notebook_runs_no_script(open_tab: OpenTab):
    lab = open_tab()
    (lab.server.notebooks / STRANGER).write_text(json.dumps(stranger()))
    lab.open(STRANGER)
    expect(lab.panel.locator(".jp-OutputArea-output").first).to_be_attached()

    with pytest.raises(TooLate):
        lab.page.wait_for_function("() => window.stranger", timeout=5_000)
