"""The calculator with a preset whose limiter makes requests wait."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest

from hook_widgets.widgets.calculator.widget import RateLimitCalculator
from tests.widgets.calculator.test_calculator import VIEW, inputs
from tests.widgets.fake_tab import FakeTab


def tab(**options: Any) -> FakeTab:
    return FakeTab(RateLimitCalculator("kubernetes-client", burst=30, **options))


def frame(shown: FakeTab, **more: Any) -> dict[str, Any]:
    value: dict[str, Any] = shown.ask("frame", **VIEW, **more)["value"]
    return value


def test_picture_cards_table_and_pointer_are_about_waiting():
    value = frame(tab())

    assert {"level": "warn", "text": "66.7% of the requests wait, up to 4 s"} == value["status"]
    assert "20 of 30 requests (66.7%) wait, at 5 s; the queue holds at most 20" in value["picture"]["alt"]
    series = [[each["label"] for each in lane["series"]] for lane in value["overlay"]["lanes"]]
    assert [["Tokens left"], ["At once", "Wait"], ["Queue"]] == series
    assert ["Sent at once", "Have to wait", "In the queue"] == list(value["table"]["columns"][-3:])
    titles = [card["title"] for card in value["cards"]]
    assert ["Requests that wait", "Wait, p95", "Longest queue"] == titles[-3:]
    assert not any(re.search(r"429|reject", title) for title in titles)


def test_while_a_slider_moves_it_is_about_waiting_too():
    value = tab().ask("frame", **(VIEW | {"quick": True}))["value"]

    assert "66.7% of the requests wait, up to 4 s" == value["status"]["text"]
    assert "Requests that wait" in [card["title"] for card in value["cards"]]


def test_requests_still_wait_when_the_limit_of_the_preset_is_edited():
    """20 of the 30 wait again: with 10/s the last one waits 2 s."""
    shown = tab()
    edited = inputs(shown, preset="", limits=[["client", "10/s"]])

    assert "token_bucket_wait" == edited["algorithm"]
    value = frame(shown, inputs=edited)
    assert "66.7% of the requests wait, up to 2 s" == value["status"]["text"]


def test_the_algorithm_can_be_given_without_the_preset():
    widget = RateLimitCalculator("10/s", algorithm="token_bucket_wait", burst=30, burst_allowance=10)
    value = frame(FakeTab(widget))
    catalog = FakeTab(widget).ask("catalog")["value"]
    titles = {each["id"]: each["title"] for each in catalog["algorithms"]}

    assert "66.7% of the requests wait, up to 2 s" == value["status"]["text"]
    assert "Token bucket, requests wait" == titles["token_bucket_wait"]
    code = next(each["code"] for each in value["code"] if each["title"] == "This calculator in Python")
    assert "algorithm='token_bucket_wait'" in code.replace('"', "'")
    (data, _metadata) = widget._repr_mimebundle_() or ({}, {})
    assert "10/s: token bucket, requests wait" in data["text/html"]


@pytest.mark.parametrize("more", [{}, {"sweep": True}])
def test_what_makes_no_sense_is_left_out_and_said(more: dict[str, Any]):
    shown = tab(compare=True)
    value = frame(shown, **more)

    assert "There is nothing to compare" in value["picture"]["note"]
    reason = "not the sweep: this limiter rejects no request; it makes requests wait"
    assert (reason in value["picture"]["note"]) == bool(more)
    assert "66.7% of the requests wait, up to 4 s" == value["status"]["text"]
    assert "Time" == value["table"]["columns"][0]
    titles = " ".join(code["title"] for code in value["code"])
    assert "Sweep" not in titles
    assert "rejected calls" not in titles
    assert {0} == {answer["status"] for answer in value["headers"]}
    assert "makes requests wait before they are sent" in value["headers"][0]["body"]


def test_its_files_are_about_waiting():
    shown = tab(compare=True)
    reply = shown.ask("export", format="csv", inputs=inputs(shown), theme="light")
    (data,) = list(shown.replies.values())[-1][1]
    head, *rows = csv.reader(io.StringIO(bytes(data).decode()))

    assert "rate-limit-token-bucket.csv" == reply["value"]["filename"]
    assert ["time_s", "left", "at_once", "waiting", "queued"] == head
    assert ["10", "20"] == rows[-1][2:4]
    shown.ask("export", format="svg", inputs=inputs(shown), theme="light")
    (data,) = list(shown.replies.values())[-1][1]
    words = " ".join(re.findall(r">([^<>]+)<", bytes(data).decode()))
    assert "wait 20 (66.7%)" in words
    assert "rejected" not in words


def test_its_static_page_is_about_waiting(tmp_path):
    path = tab(compare=True).widget.export_html(tmp_path / "page.html")
    text = re.sub(r"<(style|script).*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)

    assert "Requests that wait" in text
    assert "five" not in text
    assert "get 429" not in text
