"""Checks of a receiver from a widget: the tab signs, the kernel sends, and rows come one by one."""

from __future__ import annotations

import asyncio
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from hook_widgets.receivers import check_receiver
from hook_widgets.receivers.sending import RunEnded
from hook_widgets.webhooks import KeyPair, Receiver, Secret, registry
from hook_widgets.webhooks.delivery import server_connection
from hook_widgets.widgets.generator.checks import Checks
from hook_widgets.widgets.generator.serialize import provider_wire
from hook_widgets.widgets.generator.tab_signer import MAX_PER_MINUTE, Allowance
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.wire import Wire
from tests.widgets.check_runs import rows, tab_of
from tests.widgets.fake_tab import CANARY, FakeTab
from tests.widgets.loop_tab import LoopTab, on_a_loop, until
from tests.widgets.static_html.cases import everywhere

FRONT_END = Path(__file__).parents[3] / "js/src"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver("stripe", Secret(CANARY)) as running:
        yield running


def statuses(tab: FakeTab) -> dict[str, str]:
    return {name: row["status"] for name, row in rows(tab).items()}


def test_a_whole_run_has_the_results_of_python_with_the_secret_in_the_tab(receiver: Receiver):
    tab = tab_of(receiver.url)
    reply = tab.ask("check", suite="standard")
    expected = check_receiver("stripe", receiver.url, Secret(CANARY))

    assert {"ok": True, "value": {}} == {key: reply[key] for key in ("ok", "value")}
    only_in_python = {"G2"}  # a search for the secret
    ids = [check.id for check in expected.checks]
    assert ids == list(rows(tab))
    assert {c.id: str(c.status) for c in expected.checks if c.id not in only_in_python} == {
        name: status for name, status in statuses(tab).items() if name not in only_in_python
    }
    assert {"not_decided"} == {statuses(tab)[name] for name in only_in_python}
    same = ("title", "expected", "why")
    assert [[getattr(c, key) for key in same] for c in expected.checks] == [
        [row[key] for key in same] for row in rows(tab).values()
    ]
    assert {"failed", "warned"}.isdisjoint(statuses(tab).values())


def test_rows_come_one_by_one_between_begin_and_end(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A"])
    ops = [note["op"] for note in tab.notes if note["op"].startswith("check_")]
    progress = [(note["done"], note["total"]) for note in tab.notes if note["op"] == "check_row"]

    total = len(progress)
    assert ["check_begin", *["check_row"] * total, "check_end"] == ops
    assert [(n, total) for n in range(1, total + 1)] == progress
    ended = tab.last("check_end")["ended"]
    assert ("", "") == (ended["stopped"], ended["error"])
    assert ended["requests"] > total


def test_checks_on_the_wire_and_under_load_are_signed_by_the_tab_too(receiver: Receiver):
    only = ["A9", "D1", "D11", "F2", "F7", "F9", "F15"]
    tab = tab_of(receiver.url)
    tab.ask("check", suite="full", only=only)
    expected = check_receiver("stripe", receiver.url, Secret(CANARY), suite="full", only=only)

    assert {c.id: str(c.status) for c in expected.checks} == statuses(tab)
    assert {"passed", "not_decided"} == set(statuses(tab).values())
    assert {"sign"} == {job["op"] for job, _ in tab.jobs if job["op"] != "match"}


def test_the_secret_is_in_no_row_report_or_export_of_a_run(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server_connection, "REQUEST_TIMEOUT_S", 1.0)  # F14 ends with it
    tab = tab_of(receiver.url)
    tab.ask("check", suite="full")
    texts = [json.dumps(tab.notes), json.dumps(tab.widget.get_state(), default=repr)]
    for form in ("json", "junit", "markdown", "html"):
        tab._asked += 1
        tab.say({"id": f"tab-{tab._asked}", "op": "check_export", "args": {"form": form}})
        _, [text] = tab.replies[f"tab-{tab._asked}"]
        texts.append(text.decode())

    assert [] == [text[:80] for text in texts if CANARY in text or CANARY.removeprefix("whsec_") in text]
    assert tab.widget.report.to_json() == texts[2]
    assert texts[3].startswith("<?xml")
    assert texts[4].startswith("# Receiver check")
    assert "script" not in texts[5].lower().split("receiver check")[0]


def test_one_check_runs_again_and_the_others_stay(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A", "B1"])
    before = tab.widget.report
    tab.ask("check", only=["B1"])

    assert tab.last("check_begin")["begun"]["keeps"]
    assert [check.id for check in before.checks] == [check.id for check in tab.widget.report.checks]
    assert before["A1"] is tab.widget.report["A1"]
    assert before["B1"] is not tab.widget.report["B1"]


def test_one_check_of_another_receiver_begins_a_new_report(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A"])
    tab.edit(url=receiver.url + "/other")
    tab.ask("check", only=["B1"])

    assert not tab.last("check_begin")["begun"]["keeps"]
    assert ["B1"] == [check.id for check in tab.widget.report.checks]


def test_a_tab_that_comes_later_gets_the_rows_of_the_last_run(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A1", "B1"])
    state = tab.ask("checks")["value"]

    assert ["A1", "B1"] == [row["id"] for row in state["rows"]]
    assert not state["running"]
    assert {"passed", "failed", "warned", "not_decided", "not_applicable"} == {
        s for s, _ in state["statuses"]
    }
    assert tab.last("check_end")["ended"] == state["ended"]
    assert "warning" == dict(state["statuses"])["warned"]


def test_a_tab_signs_with_sha1_where_an_older_receiver_may_still_take_it():
    class Sha1(BaseHTTPRequestHandler):
        """A receiver that takes a signature by SHA-1 as well as one by SHA-256."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            signature = self.headers.get("X-Hub-Signature-256", "")
            right = [hmac.new(CANARY.encode(), body, name).hexdigest() for name in ("sha1", "sha256")]
            self.send_response(200 if signature.partition("=")[2] in right else 401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Stay quiet."""

    with HTTPServer(("127.0.0.1", 0), Sha1) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab = tab_of(f"http://127.0.0.1:{server.server_port}/hooks", "github")
        tab.ask("check", only=["B14"])
        server.shutdown()

    assert {"B14": "failed"} == statuses(tab)
    assert "SHA-1 in the same place" in rows(tab)["B14"]["observed"]


def test_a_tab_pins_sha1_beside_each_stronger_hmac_and_beside_nothing_else():
    stronger = {"hmac-sha256", "hmac-sha384", "hmac-sha512"}
    for source in registry.providers():
        for scheme, sent in zip(source.schemes, provider_wire(source)["schemes"], strict=True):
            own = {s.name: str(s.algorithm) for s in scheme.signatures}
            extra = {f"sha1:{name}": "hmac-sha1" for name, algorithm in own.items() if algorithm in stronger}
            assert own | extra == {s["field"]: str(s["algorithm"]) for s in sent["signatures"]}


def test_a_secret_of_python_decides_what_a_tab_cannot(receiver: Receiver):
    tab = tab_of(receiver.url, secret=Secret(CANARY))
    tab.ask("check", only=["G2"])

    assert {"G2": "passed"} == statuses(tab)
    assert [] == tab.jobs


def test_a_key_pair_of_python_signs_too():
    pair = KeyPair.generate("ed25519")
    with Receiver("discord", pair) as receiver:
        tab = FakeTab(WebhookGenerator("discord", url=receiver.url, secret=pair))
        tab.ask("check", only=["A1", "B1"])

    assert {"A1": "passed", "B1": "passed"} == statuses(tab)


def test_a_token_provider_needs_python_and_nothing_is_asked_of_the_tab():
    with Wire() as wire:
        tab = tab_of(wire.url, "gitlab-token")
        tab.jobs.clear()
        error = tab.ask("check")["error"]

    assert "secret_stays" == error["code"]
    assert "in Python" in error["text"]
    assert [] == tab.jobs
    assert [] == wire.requests


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"suite": "enormous"}, "invalid_argument"),
        ({"suite": 3}, "bad_checks"),
        ({"only": "A1"}, "bad_checks"),
        ({"only": [1]}, "bad_checks"),
        ({"only": ["Z9"]}, "unknown_name"),
    ],
)
def test_checks_that_do_not_exist_are_rejected_and_nothing_is_sent(args: dict[str, Any], code: str):
    with Wire() as wire:
        tab = tab_of(wire.url)
        error = tab.ask("check", **args)["error"]
        assert code == error["code"]
        assert [] == wire.requests
        assert "busy" not in str(tab.ask("check", only=["A1"]))


def test_another_machine_is_confirmed_for_each_run_and_named():
    tab = tab_of("https://api.example.com/hooks")
    error = tab.ask("check")["error"]

    assert ("confirm_host", "api.example.com") == (error["code"], error["host"])
    assert "250 requests" in error["text"]


@pytest.mark.parametrize(
    ("args", "most"),
    [({"suite": "full"}, 1600), ({"only": ["A1"]}, 250), ({"suite": "full", "only": ["A1"]}, 250)],
)
def test_the_consent_names_the_largest_number_of_requests_of_the_run(args: dict[str, Any], most: int):
    error = tab_of("https://api.example.com/hooks").ask("check", **args)["error"]

    assert f"up to {most} requests" in error["text"]


@pytest.mark.parametrize(
    "agreed",
    [
        "https://api.example.com/other",
        "https://api.example.com:8443/hooks",
        "https://api.example.com/hooks?all",
        "https://other.example.com/hooks",
        "api.example.com",
        ["https://api.example.com/hooks"],
        True,
    ],
)
def test_the_consent_to_checks_is_for_one_url(agreed: object):
    tab = tab_of("https://api.example.com/hooks")
    both = {"confirmed_url": agreed, "confirmed_host": "api.example.com"}

    assert "confirm_host" == tab.ask("check", **both)["error"]["code"]


def test_checks_start_with_consent_to_their_url(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    def start(*args: Any) -> dict[str, Any]:
        asked.append(args[3]["url"])
        return {}

    monkeypatch.setattr(Checks, "_start", start)
    tab_of("https://api.example.com/hooks").ask("check", confirmed_url="https://api.example.com/hooks")

    assert ["https://api.example.com/hooks"] == asked


def test_a_host_outside_allow_hosts_is_not_checked_even_if_it_is_confirmed():
    tab = tab_of("https://api.example.com/hooks", allow_hosts=["staging.example.com"])
    error = tab.ask("check", confirmed_url="https://api.example.com/hooks")["error"]

    assert "rejected" == error["code"]


def test_another_scheme_than_the_events_is_not_checked_in_its_place():
    tab = tab_of("http://127.0.0.1:9/hooks", "hubspot")
    other = [s.name for s in tab.widget._inputs().source().schemes][-1]
    tab.widget.scheme = other
    error = tab.ask("check")["error"]

    assert "other_scheme" == error["code"]


def test_an_edited_payload_is_the_body_of_good_requests():
    with Wire() as wire:
        tab = tab_of(wire.url)
        tab.edit(body=b'{"mine": 1}')
        tab.ask("check", only=["A1"])

    assert [b'{"mine": 1}'] == [request.body for request in wire.requests]


def test_own_headers_go_to_the_receiver_and_never_replace_a_providers_or_reach_an_oracle():
    with Wire() as wire, Wire() as counter:
        headers = {"X-Api-Key": "k", "user-agent": "mine"}
        tab = tab_of(wire.url, headers=headers)
        tab.ask("check", only=["A1", "C5"], oracle=counter.url)

    sent = [dict(request.headers) for request in wire.requests]
    assert {"k"} == {each["X-Api-Key"] for each in sent}
    assert [] == [each for each in sent if "mine" in each.values()]
    assert counter.requests
    assert [] == [request for request in counter.requests if "X-Api-Key" in dict(request.headers)]


# -- what is stored ----------------------------------------------------------------------------------


class Echo(BaseHTTPRequestHandler):
    """A receiver that accepts everything and repeats a mark in every response."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200, "MarkOfTheReceiver")
        self.send_header("X-Echo", "MarkOfTheReceiver")
        self.send_header("Content-Length", "17")
        self.end_headers()
        self.wfile.write(b"MarkOfTheReceiver")

    def log_message(self, *_args: object) -> None:
        """Stay quiet."""


def test_own_headers_are_not_left_out_of_what_is_written_byte_by_byte(receiver: Receiver):
    without, with_headers = tab_of(receiver.url), tab_of(receiver.url, headers={"X-Api-Key": "k"})
    for tab in (without, with_headers):
        tab.ask("check", only=["A1", "F7"])

    assert {"A1": "passed", "F7": "passed"} == statuses(without)
    assert {"A1": "passed", "F7": "not_decided"} == statuses(with_headers)


def test_a_saved_notebook_and_a_page_keep_the_score_and_no_text_of_the_receiver():
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab = tab_of(f"http://127.0.0.1:{server.server_port}/hook?token=s3cr3t-canary")
        assert "Checks of" not in everywhere(tab.widget)
        tab.ask("check", only=["A1", "B1", "C5"])
        server.shutdown()

    stored = everywhere(tab.widget) + str(tab.widget._full_document().fragment())
    assert "1 passed, 1 failed, 0 warning, 1 not decided, 0 not applicable." in stored
    assert "MarkOfTheReceiver" not in stored
    assert "s3cr3t-canary" not in stored
    assert "MarkOfTheReceiver" in json.dumps(tab.notes)  # a tab shows it, while there is a kernel
    assert "MarkOfTheReceiver" not in tab.widget.report.to_json()


# -- the oracle ------------------------------------------------------------------------------------

COMMANDS = [
    "touch {file}",
    "file:///etc/passwd",
    " http://127.0.0.1/x; touch {file}",
    "http://api.example.com/count",
    "http://169.254.169.254/latest/meta-data",
    "http://127.0.0.1@api.example.com/count",
    "http://127.0.0.1.example.com/",
    "gopher://127.0.0.1/",
    "http://127.0.0.1/" + "x" * 3000,
    ["touch {file}"],
    {"command": "touch {file}"},
    7,
    True,
]


@pytest.mark.parametrize("oracle", COMMANDS)
def test_no_message_of_a_page_starts_a_command_or_asks_another_machine(oracle: Any, tmp_path: Any):
    traces = tmp_path / "traces"
    text = oracle.format(file=traces) if isinstance(oracle, str) else oracle
    with Wire() as wire:
        tab = tab_of(wire.url)
        error = tab.ask("check", only=["C5"], oracle=text)["error"]

    assert "bad_oracle" == error["code"]
    assert not traces.exists()
    assert [] == wire.requests


def test_a_command_behind_a_url_is_part_of_the_url(tmp_path: Any, receiver: Receiver):
    traces = tmp_path / "traces"
    tab = tab_of(receiver.url)
    tab.ask("check", only=["C5"], oracle=f"{receiver.url};>{traces}")

    assert "not_decided" == statuses(tab)["C5"]
    assert not traces.exists()


def test_the_oracle_of_a_locked_receiver_is_locked_too():
    tab = tab_of("http://127.0.0.1:9/hooks", locked=["url"])

    assert "locked" == tab.ask("check", oracle="http://127.0.0.1:9/count")["error"]["code"]


def test_an_oracle_respects_allow_hosts():
    tab = tab_of("https://staging.example.com/hooks", allow_hosts=["staging.example.com"])
    agreed = "https://staging.example.com/hooks"
    error = tab.ask("check", oracle="http://127.0.0.1:9/", confirmed_url=agreed)["error"]

    assert "rejected" == error["code"]


def test_an_oracle_of_python_counts_and_a_tab_cannot_replace_it(receiver: Receiver):
    done = []
    tab = tab_of(receiver.url, oracle=lambda: len({d.request.body for d in receiver.deliveries}))
    assert tab.ask("checks")["value"]["oracle_set"]
    assert "bad_oracle" == tab.ask("check", oracle="http://127.0.0.1:9/")["error"]["code"]
    tab.ask("check", only=["C5"])
    done.append(statuses(tab)["C5"])

    assert ["passed"] == done


def test_the_code_of_a_widget_does_not_quote_its_oracle():
    widget = WebhookGenerator("stripe", oracle="curl -H 'Authorization: s3cr3t' http://127.0.0.1/count")

    assert "s3cr3t" not in str(widget._full_document().fragment())
    assert "oracle=oracle" in str(widget._full_document().fragment())


# -- threads ---------------------------------------------------------------------------------------


def test_a_run_leaves_the_loop_free_and_messages_stay_in_its_thread(receiver: Receiver):
    async def run(loop: asyncio.AbstractEventLoop) -> LoopTab:
        tab = LoopTab(WebhookGenerator("stripe", url=receiver.url), loop, CANARY)
        tab.say({"id": "run", "op": "check", "args": {"only": ["A", "B"]}})
        await until(lambda: len(rows(tab)) > 2)
        assert {} == tab.ask("ping")["value"]
        assert "busy" == tab.ask("check")["error"]["code"]
        await until(lambda: "run" in tab.replies)
        return tab

    tab = on_a_loop(run)
    assert {threading.get_ident()} == tab.threads
    assert {"passed"} == {s for n, s in statuses(tab).items() if n in ("A1", "B1", "B3")}


@pytest.mark.parametrize("how", ["stop", "close"])
def test_a_run_that_is_stopped_keeps_what_it_knows(receiver: Receiver, how: str):
    async def run(loop: asyncio.AbstractEventLoop) -> LoopTab:
        tab = LoopTab(WebhookGenerator("stripe", url=receiver.url), loop, CANARY)
        tab.say({"id": "run", "op": "check", "args": {}})
        await until(lambda: len(rows(tab)) > 2)
        if how == "stop":
            tab.ask("check_stop")
        else:
            tab.widget.close()
        await until(lambda: "run" in tab.replies)
        return tab

    tab = on_a_loop(run)
    assert "it was stopped" == tab.last("check_end")["ended"]["stopped"]
    assert "passed" == statuses(tab)["A1"]
    assert "not_decided" == list(statuses(tab).values())[-1]
    assert tab.widget.report["A1"].status == "passed"


def test_a_run_without_a_secret_says_so_and_sends_nothing():
    async def run(loop: asyncio.AbstractEventLoop, wire: Wire) -> LoopTab:
        tab = LoopTab(WebhookGenerator("stripe", url=wire.url), loop, None)
        tab.say({"id": "run", "op": "check", "args": {}})
        await until(lambda: bool([j for j, _ in tab.jobs if j["args"]["purpose"] == "check"]))
        job = tab.jobs[-1][0]
        error = {"code": "bad_key", "text": "the secret is not valid base64; enter it again"}
        tab.say({"re": job["id"], "ok": False, "error": error})
        await until(lambda: "run" in tab.replies)
        return tab

    with Wire() as wire:
        tab = on_a_loop(lambda loop: run(loop, wire))
        assert [] == wire.requests
    error = tab.replies["run"][0]["error"]
    assert ("not_started", "the secret is not valid base64; enter it again") == (error["code"], error["text"])
    assert error["text"] == tab.last("check_end")["ended"]["error"]


def test_a_secret_that_is_removed_during_a_run_ends_it_with_what_it_knows(receiver: Receiver):
    async def run(loop: asyncio.AbstractEventLoop) -> LoopTab:
        tab = LoopTab(WebhookGenerator("stripe", url=receiver.url), loop, CANARY)
        tab.say({"id": "run", "op": "check", "args": {}})
        await until(lambda: len(rows(tab)) > 2)
        tab.held = None
        await until(lambda: bool(tab.jobs) and tab.jobs[-1][0]["id"] in tab.widget._rpc._asked)
        error = {"code": "paused", "text": "too many requests in a minute used this secret"}
        tab.say({"re": tab.jobs[-1][0]["id"], "ok": False, "error": error})
        await until(lambda: "run" in tab.replies)
        return tab

    tab = on_a_loop(run)
    assert "too many requests in a minute used this secret" == tab.last("check_end")["ended"]["stopped"]
    assert "passed" == statuses(tab)["A1"]


# -- the limit of the vault --------------------------------------------------------------------------


class Clock:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_runs_never_need_more_signatures_than_the_vault_allows_in_a_minute():
    clock = Clock()
    allowance, at = Allowance(clock, clock.sleep), []
    waits: list[float] = []
    for _ in range(1500):
        allowance.take(1, stopped=lambda: False, waits=waits.append)
        at.append(clock.now_s)

    in_a_minute = max(sum(start <= each < start + 60 for each in at) for start in at)
    assert MAX_PER_MINUTE == in_a_minute
    assert 480 == MAX_PER_MINUTE
    assert all(0 < wait <= 60 for wait in waits)
    assert len(waits) <= 1500


def test_several_signatures_of_one_request_count_each():
    clock = Clock()
    allowance = Allowance(clock, clock.sleep)
    for _ in range(MAX_PER_MINUTE // 2):
        allowance.take(2, stopped=lambda: False, waits=lambda _: None)
    assert 1000.0 == clock.now_s
    allowance.take(2, stopped=lambda: False, waits=lambda _: None)

    assert clock.now_s >= 1060.0


def test_a_run_that_waits_for_the_limit_can_be_stopped():
    clock = Clock()
    allowance = Allowance(clock, clock.sleep)
    allowance.take(MAX_PER_MINUTE, stopped=lambda: False, waits=lambda _: None)

    with pytest.raises(RunEnded, match="stopped"):
        allowance.take(1, stopped=lambda: True, waits=lambda _: None)


def test_the_limit_for_runs_is_below_that_of_the_vault():
    text = (FRONT_END / "vault/budget.ts").read_text()

    assert "sign: 600" in text
    assert MAX_PER_MINUTE <= 600 - 120
