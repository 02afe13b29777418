"""The planner's panel for access logs, driven by a tab: parts, sizes, tables, and that nothing is saved."""

from __future__ import annotations

import asyncio
import json

import pytest

from hook_widgets.widgets import _uploads as uploads
from hook_widgets.widgets.planner import callers
from hook_widgets.widgets.planner.widget import VersionPlanner
from tests.widgets.fake_tab import FakeTab
from tests.widgets.planner.planner_tab import PLAN, ROWS, inputs
from tests.widgets.static_html.cases import bundle

CLIENT, AGENT = "203.0.113.199", "canary-agent/7"
LINE = f'{CLIENT} - - [21/Nov/2026:23:30:00 +0000] "GET /api/v1/orders HTTP/1.1" 200 12 "-" "{AGENT}"\n'


@pytest.fixture
def tab():
    return FakeTab(VersionPlanner(ROWS, **PLAN))


def send(tab: FakeTab, log: bytes, *, part_bytes: int = 100) -> None:
    for at in range(0, max(len(log), 1), part_bytes):
        reply = tab.ask("part", log[at : at + part_bytes], name="log", at=at)
        assert reply["ok"], reply


def count(tab: FakeTab, log: str) -> dict:
    send(tab, log.encode())
    return tab.ask("usage", inputs=inputs(tab), log="log")


def test_a_log_in_parts_is_counted_in_the_zone_of_the_plan(tab):
    reply = count(tab, LINE * 3 + "x\n")
    _, buffers = list(tab.replies.values())[-1]
    by_day, v1 = reply["value"]["tables"]

    assert "3 calls in 4 lines. 1 line could not be read." == reply["value"]["summary"]
    assert ["Line 4: neither common or combined log format nor a JSON object: x"] == reply["value"]["samples"]
    assert ["v1: removal on 2027-12-01; a log of 4 days or more shows a trend."] == reply["value"]["trends"]
    assert (("2026-11-22", "3"),) == by_day["rows"]  # 23:30 UTC is the next day in Berlin
    assert ("v1: 3 calls", ((CLIENT, "–", AGENT, "2026-11-22", "2026-11-22", "3"),)) == (
        v1["caption"],
        v1["rows"],
    )
    assert f"v1,{CLIENT},,{AGENT},2026-11-22,3" == buffers[0].decode().splitlines()[1]
    assert buffers[1].startswith(b"# Calls by version")


def test_neither_the_log_nor_the_result_is_saved(tab):
    """The saved notebook has the state of the widget and what it displays; so has the pickled form."""
    page = bundle(tab.widget)
    send(tab, LINE.encode())
    assert CLIENT not in json.dumps(tab.widget.get_state(), default=str)  # while the kernel has it
    tab.ask("usage", inputs=inputs(tab), log="log")
    saved = (
        tab.widget.get_state(),
        bundle(tab.widget),
        tab.widget._full_document().fragment(),
        repr(tab.widget),
    )

    for text in map(str, saved):
        assert CLIENT not in text
        assert AGENT not in text
    assert page == bundle(tab.widget)
    assert {} == tab.widget._uploads._parts
    assert not [note for note in tab.notes if CLIENT in str(note)]


def test_a_log_is_forgotten_when_it_is_used_or_unusable(tab):
    count(tab, LINE)
    again = tab.ask("usage", inputs=inputs(tab), log="log")
    send(tab, LINE.encode())
    bad = tab.ask("usage", inputs=inputs(tab, prefix="x"), log="log")

    assert "upload_lost" == again["error"]["code"]
    assert "prefix" == bad["error"]["field"]
    assert {} == tab.widget._uploads._parts


def test_a_log_that_is_too_large_is_rejected_and_forgotten(tab, monkeypatch):
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", 150)
    assert tab.ask("part", b"x" * 100, name="log", at=0)["ok"]
    reply = tab.ask("part", b"x" * 100, name="log", at=100)

    assert "upload_too_large" == reply["error"]["code"]
    assert {} == tab.widget._uploads._parts


@pytest.mark.parametrize("at", [5, -1, None, "0", 1e9, [0]])
def test_a_part_that_does_not_follow_is_rejected(tab, at):
    tab.ask("part", b"abc", name="log", at=0)

    assert "upload_lost" == tab.ask("part", b"x", name="log", at=at)["error"]["code"]


def test_tabs_that_were_closed_fill_no_memory(tab):
    for k in range(50):
        assert tab.ask("part", b"x", name=f"log {k}", at=0)["ok"]

    assert 4 == len(tab.widget._uploads._parts)


def test_of_many_clients_the_most_active_are_shown(tab, monkeypatch):
    monkeypatch.setattr(callers, "_MAX_ROWS", 2)
    log = "".join(LINE.replace("199", str(k)) * (k + 1) for k in range(5))
    _, v1 = count(tab, log)["value"]["tables"]

    assert "v1: 15 calls, the 2 most active of 5 clients" == v1["caption"]
    assert ["203.0.113.4", "203.0.113.3"] == [row[0] for row in v1["rows"]]


def test_the_loop_of_the_kernel_stays_free_while_a_log_is_counted(tab):
    async def run() -> dict:
        send(tab, LINE.encode())
        tab.say({"id": "slow", "op": "usage", "args": {"inputs": inputs(tab), "log": "log"}})
        assert "slow" not in tab.replies  # it is counted in a thread
        while "slow" not in tab.replies:
            await asyncio.sleep(0.01)
        return tab.replies["slow"][0]

    assert asyncio.run(run())["value"]["summary"] == "1 call in 1 line."


def test_a_mistake_in_the_background_is_answered(tab, monkeypatch, caplog):
    monkeypatch.setattr("hook_widgets.widgets.planner.widget.count_log", lambda *_: 1 / 0)

    assert "internal" == count(tab, LINE)["error"]["code"]
    assert CLIENT not in caplog.text
