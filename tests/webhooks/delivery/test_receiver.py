"""The local receiver, reached over real sockets."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import ssl
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from hook_widgets.errors import HookWidgetsError, UnknownName, WebhookError
from hook_widgets.webhooks import (
    Headers,
    KeyPair,
    Reason,
    Receiver,
    Secret,
    WebhookRequest,
    asend,
    provider,
    send,
)
from hook_widgets.webhooks.delivery import server, server_connection
from tests.support.shapes import SHAPES
from tests.support.wire import Talk, Wire

SECRET = Secret("an example secret")
AT = datetime(2026, 9, 30, 12, tzinfo=UTC)


def at(offset_s: float = 0):
    return lambda: AT + timedelta(seconds=offset_s)


def signed(receiver: Receiver, name: str = "chat", key: Secret | KeyPair = SECRET) -> WebhookRequest:
    return provider(name).draft(url=receiver.url, at=AT).sign(key)


def said(data: bytes) -> dict:
    return json.loads(data)


def test_in_a_browser_it_says_what_to_do_instead(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "emscripten")

    with pytest.raises(WebhookError, match=r"cannot listen.*verify\(.*receiver_snippet\("):
        Receiver("generic", SECRET).start()


def raw(receiver: Receiver, data: bytes) -> bytes:
    """Return the receiver's response to these bytes."""
    host, _, port = receiver.url.removeprefix("http://").partition("/")[0].partition(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def ours() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("hook_widgets-re")]


def test_a_request_that_verifies_is_answered_200_and_kept():
    with Receiver("chat", SECRET, now=at(1)) as receiver:
        request = signed(receiver)
        delivery = send(request)
    assert (delivery.status, said(delivery.body)["received"]) == (200, True)
    (record,) = receiver.deliveries
    assert (record.verdict.reason, record.at) == (Reason.VALID, AT + timedelta(seconds=1))
    assert (record.request.body, record.request.url, record.request.method) == (
        request.body,
        request.url,
        "POST",
    )
    assert record.request.headers.multi_items()[1:-1] == request.headers.multi_items()


def test_a_callback_is_called_with_each_request_and_its_failure_changes_no_response(caplog):
    received = []

    def note(delivery):
        received.append(delivery)
        raise ValueError("of the callback")

    with Receiver("generic", Secret("a"), on_delivery=note) as receiver:
        draft = provider("generic").draft(url=receiver.url)
        statuses = [send(draft.sign(Secret(key))).status for key in ("a", "b")]

    assert [200, 401] == statuses
    assert receiver.deliveries == received
    assert [True, False] == [delivery.verdict.ok for delivery in received]
    assert ["on_delivery failed"] * 2 == [record.message for record in caplog.records]


@pytest.mark.parametrize("name", SHAPES)
def test_every_provider_is_received_with_its_own_key_and_rejected_with_another(name):
    key, other = provider(name).example_secret(), provider(name).example_secret()
    public = key.public_key if isinstance(key, KeyPair) else key
    with Receiver(name, public, now=at()) as receiver:
        assert send(signed(receiver, name, key)).status == 200
        assert send(signed(receiver, name, other)).status == 401
    assert [record.verdict.ok for record in receiver.deliveries] == [True, False]


@pytest.mark.parametrize(
    ("signature", "status", "reason"),
    [
        (None, 400, "missing_header"),
        ("v9=x", 400, "malformed_header"),
        ("v0=" + "0" * 64, 401, "signature_differs"),
    ],
)
def test_a_request_that_does_not_verify_is_answered_with_the_reason(signature, status, reason):
    with Receiver("chat", SECRET, now=at(), explain=True) as receiver:
        request = signed(receiver)
        pairs = [(n, v) for n, v in request.headers.multi_items() if n != "X-Chat-Signature"]
        pairs += [("X-Chat-Signature", signature)] if signature else []
        delivery = send(
            WebhookRequest(method="POST", url=request.url, headers=Headers(pairs), body=request.body)
        )
    assert (delivery.status, said(delivery.body)["reason"]) == (status, reason)
    assert said(delivery.body)["detail"] == receiver.deliveries[0].verdict.detail


def test_what_is_wrong_is_reported_only_on_request():
    with Receiver("chat", SECRET, now=at()) as receiver:
        request = signed(receiver)
        wrong = []
        for signature in (None, "v9=x", "v0=" + "0" * 64):
            pairs = [(n, v) for n, v in request.headers.multi_items() if n != "X-Chat-Signature"]
            headers = Headers([*pairs, *([("X-Chat-Signature", signature)] if signature else [])])
            wrong.append(
                send(WebhookRequest(method="POST", url=request.url, headers=headers, body=request.body))
            )
        stale = provider("chat").draft(url=receiver.url, at=AT - timedelta(hours=1)).sign(SECRET)
        wrong.append(send(stale))

    assert {(401, b'{"received": false}')} == {(delivery.status, delivery.body) for delivery in wrong}
    assert 4 == len({record.verdict.reason for record in receiver.deliveries})


@pytest.mark.parametrize(("offset_s", "status"), [(300, 200), (301, 401), (-300, 200), (-301, 401)])
def test_the_receivers_own_clock_decides_on_the_timestamp(offset_s, status):
    with Receiver("chat", SECRET, now=at(offset_s)) as receiver:
        assert send(signed(receiver)).status == status


def test_https_works_with_the_certificate_it_offers():
    with Receiver("chat", SECRET, tls=True, now=at()) as receiver:
        assert receiver.url.startswith("https://127.0.0.1:")
        certificate = receiver.ca
        assert send(signed(receiver), ca=certificate).status == 200
        refused = send(signed(receiver))
        assert refused.error is not None
        assert "self-signed" in refused.error.text
    assert receiver.deliveries[0].request.url.startswith("https://")
    assert len(receiver.deliveries) == 1
    assert certificate is not None
    assert not certificate.exists()


def test_without_tls_there_is_no_certificate():
    with Receiver("chat", SECRET) as receiver:
        assert receiver.ca is None


def test_a_body_of_twenty_mebibytes_arrives_whole():
    body = bytes(range(256)) * 81920
    with Receiver("generic", SECRET) as receiver:
        request = provider("generic").draft(url=receiver.url, body=body).sign(SECRET)
        assert send(request).status == 200
    assert receiver.deliveries[0].request.body == body


def test_a_body_over_the_limit_is_read_and_rejected(monkeypatch):
    monkeypatch.setattr(server_connection, "BODY_LIMIT", 1000)
    with Receiver("generic", SECRET) as receiver:
        request = provider("generic").draft(url=receiver.url, body=bytes(30_000_000)).sign(SECRET)
        delivery = send(request)
        assert (delivery.status, delivery.sent_sha256 is not None) == (413, True)
        small = provider("generic").draft(url=receiver.url, body=bytes(1000)).sign(SECRET)
        assert send(small).status == 200
    assert len(receiver.deliveries) == 1


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", b"501"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1e3\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\n\r\n", b"400"),
        (b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", b"501"),
        (b"POST / HTTP/1.1\r\n" + b"X: " + b"a" * 700_000 + b"\r\n\r\n", b"431"),
    ],
)
def test_what_is_no_webhook_gets_an_answer_too(data, status):
    with Receiver("generic", SECRET, explain=True) as receiver:
        answer = raw(receiver, data)
        assert answer.split(b" ", 2)[1] == status
        assert send(provider("generic").draft(url=receiver.url).sign(SECRET)).ok, "and the next one is served"


def head_of(request: WebhookRequest, *more: str) -> bytes:
    """The request up to its body, with these headers instead of a Content-Length."""
    pairs = [f"{name}: {value}" for name, value in request.headers.multi_items()]
    lines = ["POST /webhooks HTTP/1.1", "Host: 127.0.0.1", *pairs, *more, "", ""]
    return "\r\n".join(lines).encode()


def chunked(body: bytes, size: int) -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])


@pytest.mark.parametrize("size", [1, 100, 1_000_000])
def test_a_chunked_body_is_put_together(size: int):
    with Receiver("generic", SECRET) as receiver:
        request = provider("generic").draft(url=receiver.url).sign(SECRET)
        head = head_of(request, "Transfer-Encoding: chunked")
        answer = raw(receiver, head + chunked(request.body, size))

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert request.body == receiver.deliveries[0].request.body


def test_a_chunked_body_without_an_end_is_cut_off_at_the_limit(monkeypatch):
    monkeypatch.setattr(server_connection, "BODY_LIMIT", 100_000)
    with Receiver("generic", SECRET) as receiver:
        request = provider("generic").draft(url=receiver.url).sign(SECRET)
        answer = raw(
            receiver, head_of(request, "Transfer-Encoding: chunked") + chunked(bytes(300_000), 50_000)
        )

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert [] == receiver.deliveries


def test_two_requests_on_one_connection_are_both_answered():
    with Receiver("generic", SECRET) as receiver:
        request = provider("generic").draft(url=receiver.url).sign(SECRET)
        one = head_of(request, f"Content-Length: {len(request.body)}") + request.body
        answer = raw(receiver, one + one)

    assert 2 == answer.count(b"HTTP/1.1 200 OK")
    assert 2 == len(receiver.deliveries)


def test_head_is_answered_without_a_body():
    with Receiver("generic", SECRET, explain=True) as receiver:
        answer = raw(receiver, b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"\r\n\r\n")


def test_a_thousand_signatures_are_read():
    key = provider("standard-webhooks").example_secret()
    assert isinstance(key, Secret)
    with Receiver("standard-webhooks", key) as receiver:
        request = provider("standard-webhooks").draft(url=receiver.url).sign(key)
        junk = ["v1," + "A" * 43 + "="] * 999
        pairs = [
            (name, " ".join([*junk, value]) if name == "webhook-signature" else value)
            for name, value in request.headers.multi_items()
        ]
        many = WebhookRequest(method="POST", url=request.url, headers=Headers(pairs), body=request.body)

        assert 200 == send(many).status
    assert 40_000 < len(receiver.deliveries[0].request.headers["webhook-signature"])


@pytest.mark.parametrize(
    "sent", [b"POST / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"]
)
def test_a_slow_sender_gets_a_timeout_and_holds_up_nobody(monkeypatch, sent: bytes):
    monkeypatch.setattr(server_connection, "READ_TIMEOUT_S", 0.5)
    with Receiver("generic", SECRET) as receiver:
        port = int(receiver.url.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(sent)
            assert send(provider("generic").draft(url=receiver.url).sign(SECRET)).ok
            assert connection.recv(65536).startswith(b"HTTP/1.1 408 ")


def test_a_sender_of_one_byte_after_the_other_is_stopped(monkeypatch):
    now_s, began = [0.0], threading.Event()

    def monotonic() -> float:
        began.set()
        return now_s[0]

    monkeypatch.setattr(server_connection, "time", SimpleNamespace(monotonic=monotonic))
    monkeypatch.setattr(server_connection, "READ_TIMEOUT_S", 600.0)
    monkeypatch.setattr(server_connection, "REQUEST_TIMEOUT_S", 600.0)
    with Receiver("generic", SECRET) as receiver:
        port = int(receiver.url.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            connection.sendall(b"P")
            assert began.wait(30)
            now_s[0] = server_connection.REQUEST_TIMEOUT_S + 1
            connection.sendall(b"O")
            answer = connection.recv(65536)

    assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_sender_that_hangs_up_in_the_middle_leaves_no_trace():
    with Receiver("generic", SECRET) as receiver:
        assert raw(receiver, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf") == b""
        assert raw(receiver, b"") == b""
        assert receiver.deliveries == []


def test_expect_100_continue_is_honoured():
    with Receiver("generic", SECRET, explain=True) as receiver:
        answer = raw(
            receiver, b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
        )
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 ")


def test_a_key_of_the_wrong_kind_is_answered_500_with_what_to_do():
    with Receiver("discord", SECRET, explain=True) as receiver:
        delivery = send(signed(receiver, "discord", KeyPair.generate("ed25519")))
    assert delivery.status == 500
    assert "public key" in said(delivery.body)["detail"]
    assert "example secret" not in delivery.text


def test_two_slashes_at_the_start_of_a_path_are_kept():
    with Receiver("telephony", SECRET) as receiver:
        origin = receiver.url.removesuffix("/webhooks")
        request = provider("telephony").draft(url=f"{origin}//a//b?x=1").sign(SECRET)
        assert send(request).status == 200


def test_many_senders_at_once_are_all_served():
    with Receiver("generic", SECRET) as receiver:
        request = provider("generic").draft(url=receiver.url).sign(SECRET)
        statuses: list[int | None] = []
        senders = [threading.Thread(target=lambda: statuses.append(send(request).status)) for _ in range(20)]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
    assert statuses == [200] * 20
    assert len(receiver.deliveries) == 20


def test_a_sender_that_says_nothing_holds_up_neither_others_nor_the_end(monkeypatch):
    monkeypatch.setattr(server_connection, "READ_TIMEOUT_S", 60.0)
    with Receiver("generic", SECRET, tls=True) as receiver:
        port = int(receiver.url.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port)):
            request = provider("generic").draft(url=receiver.url).sign(SECRET)
            assert send(request, ca=receiver.ca).status == 200
            stopping = threading.Thread(target=receiver.stop, daemon=True)
            stopping.start()
            stopping.join(30)
            assert not stopping.is_alive()
    assert ours() == []


def test_stopping_leaves_no_thread_no_socket_and_no_file_behind():
    def descriptors() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    before = descriptors()
    for tls in (False, True) * 3:
        with Receiver("generic", SECRET, tls=tls) as receiver:
            url, ca = receiver.url, receiver.ca
            send(provider("generic").draft(url=url).sign(SECRET), ca=ca)
        stopped = send(provider("generic").draft(url=url).sign(SECRET), verify_tls=False)
        assert stopped.error is not None
        assert stopped.error.code == "refused"
    assert ours() == []
    assert descriptors() == before


def test_a_request_that_was_read_gets_its_response_although_the_receiver_stops(monkeypatch):
    read, stopping = threading.Event(), threading.Event()
    shut_down = server._shut_down

    def shut_down_and_tell(*arguments):
        shut_down(*arguments)
        stopping.set()

    def wait_until_it_stops(_):
        read.set()
        assert stopping.wait(20)

    monkeypatch.setattr(server, "_shut_down", shut_down_and_tell)
    with Receiver("github", SECRET, on_delivery=wait_until_it_stops) as receiver:
        request = provider("github").draft(url=receiver.url).sign(SECRET)
        with ThreadPoolExecutor(1) as pool:
            sent = pool.submit(send, request)
            assert read.wait(20)
            receiver.stop()

            assert 200 == sent.result().status


def test_a_forgotten_receiver_stops():
    receiver = Receiver("generic", SECRET).start()
    assert ours() == ["hook_widgets-receiver"]
    del receiver
    gc.collect()
    assert ours() == []


def test_it_can_be_started_and_stopped_by_hand_and_again():
    receiver = Receiver("generic", SECRET)
    with pytest.raises(HookWidgetsError, match="not running"):
        _ = receiver.url
    assert receiver.start() is receiver
    assert receiver.start().url == receiver.url
    receiver.stop()
    receiver.stop()
    with receiver:
        assert send(provider("generic").draft(url=receiver.url).sign(SECRET)).ok
    assert "stopped, 1 deliveries" in repr(receiver)


def test_an_unknown_provider_is_named_at_once():
    with pytest.raises(UnknownName, match="'stripe'"):
        Receiver("strpe", SECRET)


def test_neither_repr_nor_answers_hold_the_secret():
    with Receiver("generic", Secret("canary-secret")) as receiver:
        delivery = send(provider("generic").draft(url=receiver.url).sign(Secret("another")))
        assert "canary" not in repr(receiver) + repr(receiver.deliveries) + delivery.text


def test_the_certificate_is_accepted_by_strict_verification():
    with Receiver("generic", SECRET, tls=True) as receiver:
        context = ssl.create_default_context(cafile=receiver.ca)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        port = int(receiver.url.split(":")[2].split("/")[0])
        with (
            socket.create_connection(("127.0.0.1", port)) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as encrypted,
        ):
            assert encrypted.version() == "TLSv1.3"


@pytest.mark.parametrize("name", ["gitlab-token", "mailgun", "generic"])
def test_what_was_received_is_shown_without_what_may_be_a_token(name: str):
    canary = Secret("canary-4f8a2c71d9e3b650")
    with Receiver(name, canary) as receiver:
        draft = provider(name).draft(url=f"{receiver.url}?key={canary.reveal()}")
        send(draft.sign(canary))
        shown = repr(receiver.deliveries)

    assert canary.reveal() not in shown
    assert "ReceivedRequest(POST http" in shown
    assert "Content-Type" in shown
    assert f"{len(receiver.deliveries[0].request.body):,} bytes" in shown


def test_an_async_receiver_and_sender_leave_the_event_loop_free():
    async def deliver_twice() -> tuple[list[int | None], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.005)

        def slow_clock() -> datetime:  # called in the receiver's thread for each request
            time.sleep(0.2)
            return datetime.now(UTC)

        async with Receiver("generic", SECRET, now=slow_clock) as receiver:
            drafted = provider("generic").draft(url=receiver.url)
            ticking = asyncio.create_task(tick())
            deliveries = await asyncio.gather(*(asend(drafted.sign(SECRET)) for _ in range(2)))
            ticking.cancel()
        return [delivery.status for delivery in deliveries], ticks

    statuses, ticks = asyncio.run(deliver_twice())
    assert [200, 200] == statuses
    assert ticks > 10  # a blocked loop counts to 1 or 2


def test_a_hundred_tasks_send_at_once():
    together = threading.Barrier(100)

    def respond(talk: Talk) -> None:
        talk.hear()
        together.wait(10)
        talk.say(b"HTTP/1.1 204 No Content\r\n\r\n")

    async def deliver(url: str) -> list[int | None]:
        request = WebhookRequest(method="POST", url=url, headers=Headers(), body=b"{}")
        deliveries = await asyncio.gather(*(asend(request) for _ in range(100)))
        return [delivery.status for delivery in deliveries]

    with Wire(respond) as wire:
        assert [204] * 100 == asyncio.run(deliver(wire.url))


def sending_threads() -> list[threading.Thread]:
    """The threads that still send after 5 s."""
    threads = [thread for thread in threading.enumerate() if thread.name == "hook_widgets-delivery"]
    for thread in threads:
        thread.join(5)
    return [thread for thread in threads if thread.is_alive()]


def test_a_cancelled_task_stops_its_receiver_and_closes_its_connection():
    hung_up = threading.Event()

    def never_respond(talk: Talk) -> None:
        talk.hear()
        if talk.connection.recv(1) == b"":
            hung_up.set()

    async def cancelled() -> Receiver:
        async with Receiver("generic", SECRET) as receiver:
            with Wire(never_respond) as wire:
                request = WebhookRequest(method="POST", url=wire.url, headers=Headers(), body=b"{}")
                sending = asyncio.create_task(asend(request))
                await asyncio.sleep(0.2)
                sending.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await sending
                assert await asyncio.to_thread(hung_up.wait, 5)
            return receiver

    receiver = asyncio.run(cancelled())
    assert [] == sending_threads()
    with pytest.raises(HookWidgetsError, match="not running"):
        _ = receiver.url


def test_a_task_that_is_cancelled_in_a_tls_handshake_closes_its_connection():
    with socket.create_server(("127.0.0.1", 0)) as server:  # accepts, and never answers
        url = f"https://127.0.0.1:{server.getsockname()[1]}/"

        async def cancelled() -> None:
            request = WebhookRequest(method="POST", url=url, headers=Headers(), body=b"{}")
            sending = asyncio.create_task(asend(request))
            connection, _ = await asyncio.to_thread(server.accept)
            with connection:
                connection.settimeout(5)
                hello = await asyncio.to_thread(connection.recv, 65536)
                assert hello[0] == 22  # a handshake record, RFC 8446 section 5.1
                sending.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asyncio.wait_for(sending, 5)
                assert b"" == await asyncio.to_thread(connection.recv, 65536)

        asyncio.run(cancelled())
        assert [] == sending_threads()
