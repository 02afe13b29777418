"""Widgets where something is missing, driven by a tab without a browser."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

import ipywidgets
import pytest

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.simulation.machine_code import numba_backend
from hook_widgets.widgets import _base
from hook_widgets.widgets._plot_widget import View
from hook_widgets.widgets._rpc import Rpc
from hook_widgets.widgets.calculator.frame import Frames
from hook_widgets.widgets.calculator.widget import RateLimitCalculator
from hook_widgets.widgets.generator.widget import WebhookGenerator
from hook_widgets.widgets.planner.widget import VersionPlanner
from tests.widgets.fake_tab import FakeTab

VIEW: dict[str, Any] = {"width": 480, "height": 300, "dpr": 2, "theme": "dark", "scales": ""}


def lose_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it were not installed: nothing that was loaded with it is left."""
    for name in list(sys.modules):
        if name.startswith("hook_widgets.") and "plotting.mpl" in name:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)


def picture(tab: FakeTab, *, quick: bool) -> dict[str, Any]:
    """The picture of a frame, without its texts."""
    reply = tab.ask("frame", quick=quick, **VIEW)
    assert reply["ok"], reply
    light_picture: dict[str, Any] = reply["value"]["picture"]
    return light_picture


@pytest.mark.parametrize("widget", [RateLimitCalculator, VersionPlanner])
def test_a_full_picture_is_a_png_without_a_note(widget: Callable[[], Any]):
    shown = picture(FakeTab(widget()), quick=False)

    assert ("image/png", "") == (shown["media_type"], shown["note"])


@pytest.mark.parametrize("widget", [RateLimitCalculator, VersionPlanner])
def test_the_full_picture_comes_as_soon_as_matplotlib_is_installed(
    widget: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
):
    tab = FakeTab(widget())
    with monkeypatch.context() as without:
        lose_matplotlib(without)
        before = picture(tab, quick=False)
    after = picture(tab, quick=False)

    assert ["image/svg+xml", "image/png"] == [before["media_type"], after["media_type"]]
    assert "%pip install matplotlib" in before["note"]
    assert 480 == before["width"]


def test_a_library_that_matplotlib_needs_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch):
    lose_matplotlib(monkeypatch)
    monkeypatch.delitem(sys.modules, "matplotlib")
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(numba_backend, "is_loaded", lambda: False)  # which needs numpy itself

    with pytest.raises(LimitModelError, match=r"needs matplotlib, which cannot be loaded without numpy"):
        _ = RateLimitCalculator().figure


@pytest.mark.parametrize(
    ("widget", "change"),
    [(RateLimitCalculator, {"steady": "7/s"}), (VersionPlanner, {"months": "30"})],
)
def test_the_still_form_is_that_of_the_newest_inputs(widget: Callable[[], Any], change: dict[str, str]):
    shown = widget()
    bundle, _ = shown._repr_mimebundle_()
    assert bundle["text/html"] == shown.still
    for name, value in change.items():
        setattr(shown, name, value)
    assert bundle["text/html"] != shown.still
    assert shown.still == shown._repr_mimebundle_()[0]["text/html"]
    shown.set_state(dict.fromkeys(change, ""))
    assert shown.still == shown._repr_mimebundle_()[0]["text/html"]


def test_a_widget_in_a_container_has_its_still_form_in_the_state():
    inside = RateLimitCalculator("10/s", burst=40, burst_allowance=30)
    ipywidgets.VBox([inside])._repr_mimebundle_()

    assert "25% of the requests get 429" in inside.get_state()["still"]


def test_a_change_sends_no_still_form_before_the_end_of_the_cell(monkeypatch: pytest.MonkeyPatch):
    inside = RateLimitCalculator("10/s", burst=40, burst_allowance=30)
    _ = inside.still
    inside.steady = "5/s"

    assert {"still": ""} == inside.get_state("still")
    _base._waiting.add(inside)
    _base._make_waiting()
    assert "<h3>" in inside.get_state("still")["still"]


def test_no_browser_sets_the_still_form_that_is_kept():
    tab = FakeTab(RateLimitCalculator())
    tab.widget.set_state({"still": "<img onerror=alert(1)>"})

    assert "onerror" not in tab.widget.still


def test_inputs_that_cannot_be_used_are_kept_in_words():
    tab = FakeTab(RateLimitCalculator())
    tab.widget.set_state({"steady": "often"})
    tab.widget._repr_mimebundle_()

    assert "The inputs cannot be used at the moment: " in tab.widget.still


def test_light_frames_can_be_asked_for(monkeypatch: pytest.MonkeyPatch):
    widget = RateLimitCalculator()
    view = View.of({**VIEW, "quick": False})
    frame, (document,) = Frames(None, light=True).frame(widget._values(), view)

    assert ("image/svg+xml", "") == (frame["picture"]["media_type"], frame["picture"]["note"])
    assert document.startswith(b"<svg ")


def test_where_python_runs_in_a_browser_nothing_is_signed_for_sending(monkeypatch: pytest.MonkeyPatch):
    tab = FakeTab(WebhookGenerator("stripe", url="http://127.0.0.1:9/"), secret="whsec_demo_not_a_secret")
    monkeypatch.setattr(sys, "platform", "emscripten")
    fault = tab.ask("send")["error"]

    assert "no_sockets" == fault["code"]
    assert "CORS" in fault["text"]
    assert "curl" in fault["text"]
    assert "send" not in [job["args"].get("purpose") for job, _ in tab.jobs]


class Quiet:
    """A channel into nothing."""

    def send(self, content: Any, buffers: Any = None) -> None:
        """Take it."""


@pytest.mark.parametrize(("platform", "elsewhere"), [("linux", True), ("emscripten", False)])
def test_work_off_the_loop_needs_no_thread_where_there_are_none(
    platform: str, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "platform", platform)
    rpc = Rpc(Quiet(), {}, threading.RLock())

    async def worked() -> bool:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        rpc.run_in_executor(threading.get_ident, done.set_result)
        return await done != threading.get_ident()

    assert elsewhere is asyncio.run(worked())
