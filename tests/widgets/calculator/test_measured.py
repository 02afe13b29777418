"""`Load access log…` and `Paste response headers…`, with the browser played by a test."""

from __future__ import annotations

from typing import Any

import pytest

from hook_widgets import RateLimitCalculator
from tests.ratelimit.planning.test_measured import line, log
from tests.widgets.fake_tab import FakeTab


def read(tab: FakeTab, data: bytes) -> dict[str, Any]:
    """Send a log in parts, and return the reply to it."""
    for at in range(0, max(len(data), 1), 100_000):
        assert tab.ask("part", data[at : at + 100_000], name="a", at=at)["ok"]
    return tab.ask("log", log="a")


LOG = log(sorted([*range(600), *[300] * 80]))


@pytest.fixture
def tab() -> FakeTab:
    return FakeTab(RateLimitCalculator("100/min per ip", steady="1/s", burst=7, burst_every_s="1 min"))


def test_a_log_in_parts_becomes_inputs_and_is_forgotten(tab: FakeTab):
    value = read(tab, LOG)["value"]

    assert {
        "steady": "1.133/s",
        "burst": "80",
        "burst_window_s": "1 s",
        "burst_every_s": "",
        "ips": "7",
    }.items() <= value["inputs"].items()
    assert "Read 680 requests" in value["sentences"][0]
    assert value["inputs"]["busiest_share"], "the limit is kept for each IP"
    assert "upload_lost" == tab.ask("log", log="a")["error"]["code"]


def test_the_inputs_that_were_read_are_inputs_of_the_form(tab: FakeTab):
    inputs = read(tab, LOG)["value"]["inputs"]
    shown = tab.ask(
        "frame", inputs=inputs, width=400, height=300, dpr=1, theme="light", quick=False, scales=""
    )["value"]

    assert shown["error"] is None
    assert inputs.keys() <= set(RateLimitCalculator.lockable)


@pytest.mark.parametrize("data", [b"", b"\x00\x01" * 1_000, b"no log", line(0).encode(), b"x" * 1_000_000])
def test_what_is_no_log_is_an_error_and_changes_no_input(tab: FakeTab, data: bytes):
    before = tab.widget._values()
    error = read(tab, data)["error"]

    assert "internal" != error["code"]
    assert error["text"]
    assert before == tab.widget._values()


def test_neither_a_log_nor_headers_are_in_the_state(tab: FakeTab):
    read(tab, LOG)
    tab.ask("headers", text='RateLimit-Policy: "secretname";q=100;w=60')
    state = str(tab.widget.get_state())

    assert "10.0.0." not in state
    assert "secretname" not in state


def test_headers_become_rows_of_limits(tab: FakeTab):
    text = 'RateLimit-Policy: "burst";q=100;w=60, "daily";q=5000;w=86400'
    value = tab.ask("headers", text=text)["value"]

    expected: dict[str, Any] = {
        "preset": "",
        "limits": [["burst", "100/min"], ["daily", "5000/day"]],
        "burst_allowance": "",
    }
    assert expected == value["inputs"]


@pytest.mark.parametrize(
    "text", ["", "hello", "x" * 100_000, 7, None, {"a": 1}, "X-RateLimit-Limit: 1e400/s"]
)
def test_headers_that_say_no_limit_are_an_error(tab: FakeTab, text: object):
    error = tab.ask("headers", text=text)["error"]

    assert "internal" != error["code"]


@pytest.mark.parametrize(
    "text",
    [
        # As programs show headers: Node and Axios, aiohttp, Go, Ruby, PHP, Java and HTTPX
        (
            "Headers {\n  date: 'Tue, 28 Nov 2023 16:36:30 GMT',\n  'x-ratelimit-limit': '10',\n"
            "  'x-ratelimit-period': '60',\n  'set-cookie': [ 'a=b' ]\n}"
        ),
        "AxiosHeaders {\n  'x-ratelimit-limit': '10',\n  'x-ratelimit-period': '60'\n}",
        '["X-RateLimit-Limit", "10", "X-RateLimit-Period", "60"]',
        "<CIMultiDictProxy('Server': 'x', 'X-RateLimit-Limit': '10', 'X-RateLimit-Period': '60')>",
        "map[X-Ratelimit-Limit:[10] X-Ratelimit-Period:[60] X-Ratelimit-Remaining:[9]]",
        'http.Header{"X-Ratelimit-Limit":[]string{"10"}, "X-Ratelimit-Period":[]string{"60"}}',
        '{"x-ratelimit-limit"=>["10"], "x-ratelimit-period"=>["60"]}',
        "Array\n(\n    [X-RateLimit-Limit] => 10\n    [X-RateLimit-Period] => 60\n)",
        "{X-RateLimit-Limit=[10], X-RateLimit-Period=[60]}",
        "[(b'x-ratelimit-limit', b'10'), (b'x-ratelimit-period', b'60')]",
        # Lists of names and values, as HAR and Postman have them, and parts of objects
        '[{"name": "X-RateLimit-Limit", "value": "10"}, {"name": "X-RateLimit-Period", "value": "60"}]',
        '[{"key": "X-RateLimit-Limit", "value": "10"}, {"key": "X-RateLimit-Period", "value": "60"}]',
        "'X-RateLimit-Limit': '10',\n'X-RateLimit-Period': '60',",
        # Tables, lists, comments and quotations
        "X-RateLimit-Limit\t10\nX-RateLimit-Period\t60\n",
        "Key                Value\n---                ---\nX-RateLimit-Limit  {10}\nX-RateLimit-Period {60}",
        "| X-RateLimit-Limit | 10 |\n| X-RateLimit-Period | 60 |",
        "- X-RateLimit-Limit: 10\n- X-RateLimit-Period: 60",
        "# X-RateLimit-Limit: 10\n# X-RateLimit-Period: 60",
        "> X-RateLimit-Limit: 10\n> X-RateLimit-Period: 60",
        # The response after a redirect
        "HTTP/1.1 301 Moved\nLocation: x\n\nHTTP/2 200\nx-ratelimit-limit: 10\nx-ratelimit-period: 60\n\n",
        (
            '{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.example/", "headers": '
            '[{"name": "X-RateLimit-Limit", "value": "9"}]}, "response": {"status": 200, "headers": '
            '[{"name": "X-RateLimit-Limit", "value": "10"}, {"name": "X-RateLimit-Period", "value": "60"}]'
            "}}]}}"
        ),
    ],
)
def test_headers_are_read_as_programs_show_them(tab: FakeTab, text: str):
    assert [["", "10/min"]] == tab.ask("headers", text=text)["value"]["inputs"]["limits"]
