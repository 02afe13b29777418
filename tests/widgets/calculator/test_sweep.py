"""`Sweep`: rejections against the limit in place of the run, with the browser played by a test."""

from __future__ import annotations

import asyncio
import csv
from typing import Any

import pytest

from hook_widgets import RateLimitCalculator
from hook_widgets.ratelimit import Arrivals
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.reporting.limit_sweep import LimitSweep, sweep_limit
from tests.widgets.fake_tab import FakeTab

pytest.importorskip("matplotlib")

VIEW = {"width": 400, "height": 300, "dpr": 1, "theme": "light", "quick": False, "scales": ""}


def tab(limit: Any = "240/min", **inputs: Any) -> FakeTab:
    return FakeTab(RateLimitCalculator(limit, **{"steady": "4/s", **inputs}))


def test_the_frame_of_a_sweep_has_its_picture_its_sentence_and_its_table():
    shown = tab()
    value = shown.ask("frame", sweep=True, **VIEW)["value"]
    scenario = shown.widget.scenario
    swept = sweep_limit(scenario)

    assert shown.replies["tab-1"][1][0].startswith(b"\x89PNG")
    assert swept.sentence == value["status"]["text"] == value["picture"]["alt"]
    assert swept.table.columns == value["table"]["columns"]
    assert swept.table.rows == value["table"]["rows"]
    assert "overlay" not in value
    assert "" == value["picture"]["note"]


@pytest.mark.parametrize(
    ("limit", "inputs"),
    [
        ("240/min", {}),
        ({"burst": "9/s", "hourly": "9000/hour per user"}, {"users": 3, "algorithm": "unknown"}),
        ("2.5/s", {"compare": True, "arrivals": Arrivals.steady("3/s", "60 s")}),
    ],
)
def test_the_python_code_of_a_sweep_returns_the_points_of_its_table(limit: Any, inputs: dict[str, Any]):
    shown = tab(limit, **inputs)
    value = shown.ask("frame", sweep=True, **VIEW)["value"]
    (code,) = [each["code"] for each in value["code"] if each["title"] == "Sweep the limit in Python"]
    names: dict[str, Any] = {"arrivals": inputs.get("arrivals")}
    exec(code, names)

    rejected = [cell.partition(" ")[0] for row in zip(*value["table"]["rows"], strict=True) for cell in row]
    limits = len(value["table"]["rows"])
    assert [f"{point.rejected:,}" for point in names["points"]] == rejected[limits:]


def test_a_sweep_that_takes_too_long_is_said_and_the_run_is_shown():
    shown = tab(arrivals=Arrivals.from_times([0.001 * k for k in range(400_000)]))
    value = shown.ask("frame", sweep=True, **VIEW)["value"]

    assert "more than 2,000,000 decisions; sweep them in Python" in value["picture"]["note"]
    assert "get 429" in value["status"]["text"]
    assert "sweep(limits, traffic.requests)" in str(value["code"])
    assert (
        "rate-limit-token-bucket.csv" == (shown.ask("export", sweep=True, format="csv")["value"]["filename"])
    )


def test_a_light_picture_shows_the_run_and_its_words_say_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("hook_widgets.widgets.calculator.frame.missing", lambda _: "This is a light picture.")
    shown, long = tab(), tab(arrivals=Arrivals.from_times([0.001 * k for k in range(400_000)]))
    run, swept, too_long = (
        calculator.ask("frame", sweep=sweep, **VIEW)["value"]
        for calculator, sweep in ((shown, False), (shown, True), (long, True))
    )

    assert run["picture"] == swept["picture"]
    assert run["table"] != swept["table"]
    assert too_long["picture"]["note"].startswith("This is a light picture. The chart shows the run, not")


def test_an_invalid_input_is_reported_as_without_a_sweep():
    shown = tab()
    inputs = {"steady": "x"}

    assert (
        shown.ask("frame", inputs=inputs, **VIEW)["value"]
        == shown.ask("frame", inputs=inputs, sweep=True, **VIEW)["value"]
    )


def test_a_slider_that_moves_shows_the_run():
    value = tab().ask("frame", sweep=True, **{**VIEW, "quick": True})["value"]

    assert "No request is rejected" == value["status"]["text"]


def test_a_sweep_is_saved_as_a_picture_and_as_a_table():
    shown = tab()
    reply = shown.ask("frame", sweep=True, **VIEW)["value"]
    files = {}
    for kind in ("png", "svg", "csv"):
        answer = shown.ask("export", sweep=True, format=kind, theme="dark")
        assert f"rate-limit-sweep.{kind}" == answer["value"]["filename"]
        files[kind] = shown.replies[answer["re"]][1][0]

    assert files["png"].startswith(b"\x89PNG")
    assert b"knee at 170" in files["svg"]
    columns, *rows = csv.reader(files["csv"].decode().splitlines())
    assert (list(reply["table"]["columns"]), list(map(list, reply["table"]["rows"]))) == (columns, rows)


def test_a_sweep_runs_in_a_thread_and_once_for_each_input(monkeypatch: pytest.MonkeyPatch):
    shown, sweeps = tab(), list[dict[str, bool]]()

    def counted(scenario: Scenario, **options: bool) -> LimitSweep:
        sweeps.append(options)
        return sweep_limit(scenario, **options)

    monkeypatch.setattr("hook_widgets.widgets.calculator.frame.sweep_limit", counted)

    async def run(key: str) -> None:
        shown.say({"id": key, "op": "frame", "args": {**VIEW, "sweep": True}})
        assert key not in shown.replies
        while key not in shown.replies:
            await asyncio.sleep(0.01)

    asyncio.run(run("first"))
    asyncio.run(run("second"))
    assert [{"compare": False}] == sweeps
