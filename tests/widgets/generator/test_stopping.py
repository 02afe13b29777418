"""Stopping a delivery whose receiver does not respond."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hook_widgets.webhooks import Receiver, Secret
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import CANARY, FakeTab, signed
from tests.widgets.loop_tab import LoopTab, on_a_loop, until


@contextmanager
def hanging() -> Iterator[tuple[str, socket.socket]]:
    """A receiver on loopback that takes connections, reads and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook", server


def test_a_stopped_delivery_ends_at_once_and_hangs_up_and_the_next_one_has_its_own_response():
    with hanging() as (url, server), Receiver("stripe", Secret(CANARY)) as receiver:

        async def run(loop: asyncio.AbstractEventLoop) -> None:
            tab = LoopTab(WebhookGenerator("stripe", url=url), loop, CANARY)
            tab.say({"id": "s", "op": "send", "args": {"ticket": "t"}})
            connection, _ = await asyncio.to_thread(server.accept)
            with connection:
                head = await asyncio.to_thread(connection.recv, 65536)
                tab.say({"id": "other", "op": "send_stop", "args": {"ticket": "another"}})
                tab.say({"id": "none", "op": "send_stop", "args": {}})
                assert "s" not in tab.replies
                tab.say({"id": "stop", "op": "send_stop", "args": {"ticket": "t"}})
                record = tab.replies["s"][0]["value"]
                assert (1, None, "stopped", "warn") == (
                    record["n"],
                    record["status"],
                    record["error"]["code"],
                    record["level"],
                )
                assert re.fullmatch(
                    r"Stopped after \d+\.\d s; the receiver may have got the request\.",
                    record["error"]["text"],
                )
                assert not record["verifiable"]
                tab.edit(url=receiver.url)
                tab.say({"id": "next", "op": "send", "args": {"ticket": "u"}})
                rest = b" "
                while rest:  # the connection of the stopped one is closed
                    rest = await asyncio.to_thread(connection.recv, 65536)
                    head += rest
                assert head.startswith(b"POST /hook HTTP/1.1")
            await until(lambda: "next" in tab.replies)
            assert (2, 200) == tuple(tab.replies["next"][0]["value"][name] for name in ("n", "status"))
            await asyncio.sleep(0)
            assert [1, 2] == [note["record"]["n"] for note in tab.notes if note["op"] == "delivery"]
            assert [None, 200] == [each.status for each in tab.widget.deliveries]

        on_a_loop(run)


def test_a_delivery_that_waits_for_its_signature_is_stopped_before_it_is_sent():
    with Receiver("stripe", Secret(CANARY)) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url))
        tab.say({"id": "s", "op": "send", "args": {"ticket": "t"}})
        job, messages = tab.jobs[-1]
        tab.ask("send_stop", ticket="t")
        assert ("stopped", "stopped before it was sent") == (
            tab.replies["s"][0]["error"]["code"],
            tab.replies["s"][0]["error"]["text"],
        )
        tab.say({"re": job["id"], "ok": True, "value": {}}, signed(CANARY, job["args"], messages))
        assert [] == receiver.deliveries
        tab.secret = CANARY
        assert 1 == tab.ask("send")["value"]["n"]


def test_stopping_many_hanging_deliveries_leaves_no_thread_that_waits():
    with hanging() as (url, server):

        async def run(loop: asyncio.AbstractEventLoop) -> None:
            tab = LoopTab(WebhookGenerator("stripe", url=url), loop, CANARY)
            for n in range(40):  # more than the threads of the loop's executor
                tab.say({"id": f"s{n}", "op": "send", "args": {"ticket": str(n + 1)}})
                connection, _ = await asyncio.to_thread(server.accept)
                with connection:
                    tab.say({"id": f"stop{n}", "op": "send_stop", "args": {"ticket": str(n + 1)}})
            assert await asyncio.wait_for(loop.run_in_executor(None, lambda: True), 10)

        on_a_loop(run)


@pytest.mark.parametrize("op", ["check", "why"])
def test_checks_and_probes_stop_in_the_middle_of_a_request(op: str):
    with hanging() as (url, server):

        async def run(loop: asyncio.AbstractEventLoop) -> None:
            tab = LoopTab(WebhookGenerator("stripe", url=url), loop, CANARY)
            tab.say({"id": "send", "op": "send", "args": {}})
            rejecting, _ = await asyncio.to_thread(server.accept)
            with rejecting:
                rejecting.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                await until(lambda: "send" in tab.replies)
            tab.say({"id": "run", "op": op, "args": {"n": 1, "confirmed_host": "127.0.0.1"}})
            hangs, _ = await asyncio.to_thread(server.accept)
            with hangs:
                tab.say({"id": "stop", "op": "check_stop", "args": {}})
                await until(lambda: "run" in tab.replies, 10.0)  # a request has 30 s

        on_a_loop(run)
