"""The kernel is busy, restarted or gone: the widget says so, and nothing that was typed is lost."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.busy import SECRET, SIGNATURE, WAITING, busy, right_signature
from tests.browser.conftest import Show
from tests.browser.generator import SIGNED
from tests.browser.lab import Lab

KERNEL = "jupyterapp.shell.currentWidget.context.sessionContext.session.kernel"


@pytest.mark.long
def test_in_jupyterlab_the_widget_signs_while_a_cell_runs(show: Show, lab: Lab, tmp_path: Path):
    widget = show("'github'")
    widget.sign_with(SECRET)

    with busy(lab, tmp_path / "done", KERNEL):
        widget.write_payload('{"typed": "while busy"}')
        expect(widget.header(SIGNATURE)).to_have_text(right_signature('{"typed": "while busy"}'))
        expect(widget.region("Request")).to_contain_text(SIGNED)


@pytest.mark.long
def test_a_restarted_kernel_is_said_plainly_and_the_text_is_kept(show: Show, lab: Lab):
    widget = show("'github'", own=True)
    widget.sign_with(SECRET)

    lab.restart_kernel()
    expect(widget.root).to_contain_text("The kernel was restarted")
    widget.write_payload('{"typed": "after"}')
    widget.send("http://127.0.0.1:9/typed-after")

    expect(widget.answer).to_contain_text("No kernel")
    expect(widget.payload).to_have_text('{"typed": "after"}')
    expect(widget.url).to_have_value("http://127.0.0.1:9/typed-after")
    expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")
    expect(widget.region("Request")).not_to_contain_text(SIGNED)


def test_what_was_typed_before_a_restart_can_be_put_back_after_the_cell_has_run_again(show: Show, lab: Lab):
    typed = '{"typed": "before the restart"}'
    widget = show("'github'", own=True)
    widget.write_payload(typed)
    expect(widget.root).to_contain_text("Not signed: no secret")

    lab.restart_kernel()
    expect(widget.root).to_contain_text("The kernel was restarted")
    lab.run_all()
    widget.button("Restore").click()
    widget.sign_with(SECRET)

    expect(widget.payload).to_have_text(typed)
    expect(widget.header(SIGNATURE)).to_have_text(right_signature(typed))
    assert f"{typed}\n" == lab.execute("print(w.body.decode())")


@pytest.mark.long
def test_a_kernel_that_was_shut_down_is_waited_for_and_the_text_is_kept(show: Show, lab: Lab):
    widget = show("'github'", own=True)
    widget.sign_with(SECRET)

    lab.within("await session.shutdown()")
    widget.write_payload('{"typed": "after"}')

    expect(widget.root).to_contain_text(WAITING)
    expect(widget.payload).to_have_text('{"typed": "after"}')
    expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")


def test_a_saved_notebook_opened_again_shows_the_request_as_it_was_saved(show: Show, lab: Lab, notebook: str):
    widget = show("'github', 'issues.opened', body='[\"saved\"]'", own=True)
    widget.sign_with(SECRET)
    expect(widget.payload).to_have_text('["saved"]')
    lab.save()
    lab.shut_down(notebook)

    lab.open_saved(notebook)

    expect(widget.root).to_contain_text("the request is shown as it was saved")
    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("issues.opened")
    expect(widget.payload).to_have_text('["saved"]')
    expect(widget.button("Send")).to_have_attribute("aria-disabled", "true")


@pytest.mark.long  # five seconds of silence; in make test on a page with a silent kernel
def test_a_saved_planner_opened_again_is_shown_as_it_was_saved(lab: Lab):
    name = "planner-again.ipynb"
    cell = "from hook_widgets import VersionPlanner\nVersionPlanner([[1, '', '2026-06-01'], [2]])"
    lab.run(cell, name=name)
    expect(lab.panel.locator(".hw img")).to_be_visible()
    lab.save()
    lab.shut_down(name)

    lab.open_saved(name)

    expect(lab.panel.locator(".hw")).to_contain_text("No reply from the kernel yet")
    expect(lab.panel.locator(".hw-still img")).to_be_visible()


def test_a_delivery_whose_receiver_hangs_is_stopped_and_the_kernel_stays_free(show: Show, lab: Lab):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and never responds
        widget = show(f"'github', url='http://127.0.0.1:{silent.getsockname()[1]}/', timeout_s=30")
        widget.sign_with(SECRET)
        widget.button("Send").click()
        widget.button("Stop").click()

        expect(widget.answer).to_contain_text("Stopped after", timeout=5000)
        expect(widget.button("Send")).to_be_enabled()
        assert "free" == lab.execute("print('free')").strip()
