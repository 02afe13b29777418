"""The frames of the secret in JupyterLab: what reloads them, what ends them, and the host's own keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Show
from tests.browser.generator import Generator
from tests.browser.lab import Lab

SECRET = "TESTsecret0123456789"


def keepers(lab: Lab) -> Locator:
    return lab.page.locator("[data-hook-widgets=keeper]")


@pytest.mark.long
def test_a_collapsed_output_has_an_empty_field_again_and_the_secret_still(lab: Lab, show: Show):
    widget = show("'github'")
    widget.sign_with(SECRET)
    lab.within("await app.commands.execute('notebook:hide-cell-outputs')")
    expect(widget.root).to_be_hidden()
    lab.within("await app.commands.execute('notebook:show-cell-outputs')")

    expect(widget.secret).to_have_attribute("placeholder", "kept in this tab")
    expect(widget.secret).to_have_value("")
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")
    widget.wait_until_signed()


CELLS = ("from hook_widgets import WebhookGenerator", "WebhookGenerator('github')", "pass")


def test_a_cell_that_is_clicked_moved_run_again_and_closed(empty_lab: Lab, notebook: str):
    """The keeper follows its cell, and ends with the last run and with the notebook."""
    lab = empty_lab
    lab.run(*CELLS, name=notebook)
    widget = Generator(lab.panel.locator(".hw"))

    # A click into the field makes its cell the active one.
    expect(widget.secret).to_be_visible()
    lab.within("panel.content.activeCellIndex = 0")
    widget.secret.click()
    lab.page.wait_for_function("() => jupyterapp.shell.currentWidget.content.activeCellIndex === 1")
    expect(widget.secret).to_be_focused()

    # A cell that is moved keeps the secret.
    widget.sign_with(SECRET)
    lab.within("panel.content.activeCellIndex = 1; await app.commands.execute('notebook:move-cell-down')")

    expect(widget.secret).to_have_attribute("placeholder", "kept in this tab")
    expect(widget.secret_note).to_contain_text("20 bytes")
    expect(keepers(lab)).to_have_count(1)

    # A cell that is run again has a new keeper, and the one of the last run is gone.
    lab.run_all()

    expect(widget.secret_note).to_contain_text("No secret entered")
    expect(keepers(lab)).to_have_count(1)

    # A notebook that is closed leaves none.
    widget.sign_with(SECRET)
    lab.within("await app.commands.execute('docmanager:save'); panel.dispose()")
    lab.opened.remove(notebook)

    expect(keepers(lab)).to_have_count(0)


def test_the_key_that_saves_the_notebook_saves_it_from_inside_the_field(lab: Lab, show: Show):
    secret = "TESTsavedbykey0123456789"  # no other test has it in a cell, which IPython keeps in its history
    widget = show("'github'")
    widget.sign_with(secret)
    lab.within("panel.context.model.dirty = true")
    widget.secret.press("ControlOrMeta+s")

    lab.page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    assert [] == lab.leaks(secret)
