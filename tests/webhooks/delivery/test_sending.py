"""Sending to real receivers on this machine, most of which misbehave."""

from __future__ import annotations

import gzip
import hashlib
import socket
import subprocess
import sys
import threading
import tracemalloc
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.webhooks import Delivery, Headers, Receiver, Secret, WebhookRequest, provider, send
from tests.support.extent import extent
from tests.support.sending import SENDERS, use_each_sender
from tests.support.wire import Wire, answer

BODY = b'{"id": "evt_TEST",\r\n "amount":\t1200}\n'


@pytest.fixture(scope="module", params=list(SENDERS), autouse=True)
def _sender(request: pytest.FixtureRequest) -> Iterator[None]:
    yield from use_each_sender(request)


def request(url: str, body: bytes = BODY, headers=(("X-Test", "1"),), method: str = "POST") -> WebhookRequest:
    return WebhookRequest(method=method, url=url, headers=Headers(headers), body=body)


def deliver(script=None, *, body: bytes = BODY, timeout_s: float = 5.0) -> Delivery:
    """One delivery to a receiver that runs `script`."""
    with Wire(script) as wire:
        return send(request(wire.url, body), timeout_s=timeout_s)


# --- what goes out ------------------------------------------------------------------------------------------


def test_the_wire_carries_the_headers_in_order_and_case_with_host_and_length_and_nothing_else():
    own = [
        ("user-agent", "Test/1"),
        ("X-SIGN", "v1=ab,v1=cd"),
        ("Accept", "*/*"),
        ("x-twice", "1"),
        ("X-Twice", "2"),
    ]
    with Wire() as wire:
        send(request(wire.url, headers=own))
    (received,) = wire.requests
    assert received.lines[0] == "POST /hooks?shop=1 HTTP/1.1"
    assert received.headers == [
        ("Host", f"127.0.0.1:{wire.port}"),
        *own,
        ("Content-Length", str(len(BODY))),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        BODY,
        b"\xef\xbb\xbf{}\r\n",
        bytes(range(256)) * 3,
        "emoji \N{ROCKET}".encode(),
        b"\x00\xff" * 524288,
    ],
    ids=["empty", "json", "bom", "every byte", "emoji", "1 MiB"],
)
def test_the_body_arrives_byte_for_byte_and_its_hash_is_reported(body):
    with Wire() as wire:
        delivery = send(request(wire.url, body))
    assert wire.requests[0].body == body
    assert delivery.sent_sha256 == hashlib.sha256(body).hexdigest()
    assert delivery.ok


@settings(max_examples=extent(10, 90))
@given(body=st.binary(max_size=2000))
def test_any_body_arrives_byte_for_byte(body):
    with Wire() as wire:
        send(request(wire.url, body))
    assert wire.requests[0].body == body


def test_a_signed_request_arrives_as_it_was_signed():
    signed = provider("generic").draft(url="http://127.0.0.1:1/x", body=BODY).sign(Secret("example"))
    with Wire() as wire:
        send(WebhookRequest(method=signed.method, url=wire.url, headers=signed.headers, body=signed.body))
    assert wire.requests[0].headers[1:-1] == signed.headers.multi_items()


def test_a_host_header_of_the_callers_own_is_sent_instead():
    with Wire() as wire:
        send(request(wire.url, headers=[("Host", "hooks.example.com")]))
    assert [value for name, value in wire.requests[0].headers if name == "Host"] == ["hooks.example.com"]


@pytest.mark.parametrize(
    ("headers", "method"),
    [
        ([("Content-Length", "3")], "POST"),
        ([("transfer-encoding", "chunked")], "POST"),
        ([("X-Test", "a\r\nX-More: b")], "POST"),
        ([("X Test", "a")], "POST"),
        ([("X-Test", "\ud800")], "POST"),
        ([("Host", "a.test"), ("Host", "b.test")], "POST"),
        ([], "PO ST"),
    ],
)
def test_what_cannot_be_written_as_http_is_rejected_and_nothing_is_sent(headers, method):
    with Wire() as wire, pytest.raises(InvalidArgument):
        send(request(wire.url, headers=headers, method=method))
    assert wire.requests == []


def test_proxies_of_the_environment_are_not_used(monkeypatch):
    with Wire() as proxy, Wire() as wire:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert send(request(wire.url)).ok
    assert (len(wire.requests), proxy.connections) == (1, 0)


# --- where it goes ------------------------------------------------------------------------------------------


def test_a_rejected_destination_is_never_connected_to():
    with pytest.raises(DestinationBlocked) as caught:
        send(request("http://169.254.169.254/latest/meta-data"))
    assert caught.value.code == "metadata"


def test_a_name_that_leads_to_metadata_is_rejected_after_the_look_up():
    def resolve(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", port))]

    with pytest.raises(DestinationBlocked) as caught:
        send(request("http://hooks.example.com/"), resolve=resolve)
    assert caught.value.host == "hooks.example.com"


def test_the_connection_goes_to_the_judged_address_even_if_the_name_changes_its_mind():
    answers = iter(["127.0.0.1", "169.254.169.254"])

    def resolve(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    with Wire() as wire:
        assert send(request(f"http://hooks.example.com:{wire.port}/"), resolve=resolve).status == 200
    assert wire.requests[0].headers[0] == ("Host", f"hooks.example.com:{wire.port}")
    assert list(answers) == ["169.254.169.254"], "asked once"


def test_the_next_address_is_tried_when_one_does_not_answer():
    def resolve(host, port, **_):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in ("127.0.0.2", "127.0.0.1")
        ]

    with Wire() as wire:
        assert send(request(f"http://hooks.example.com:{wire.port}/"), resolve=resolve).ok


def test_allow_hosts_restricts_where_a_runbook_may_send():
    with Wire() as wire:
        assert send(request(wire.url), allow_hosts=[f"127.0.0.1:{wire.port}"]).ok
        with pytest.raises(DestinationBlocked):
            send(request(wire.url), allow_hosts=["hooks.example.com"])
    assert len(wire.requests) == 1


# --- what comes back ----------------------------------------------------------------------------------------


def test_an_answer_is_reported_whole():
    head = (
        b"HTTP/1.1 202 Very  Accepted\r\nX-One: 1\r\nx-two: caf\xc3\xa9\r\nx-one: again\r\nContent-Length: 5"
    )
    delivery = deliver(answer(head, b"<b>\xff!"))
    assert (delivery.status, delivery.reason, delivery.body) == (202, "Very  Accepted", b"<b>\xff!")
    assert delivery.headers.multi_items() == [
        ("X-One", "1"),
        ("x-two", "café"),
        ("x-one", "again"),
        ("Content-Length", "5"),
    ]
    assert (delivery.body_truncated, delivery.body_length_seen, delivery.error) == (False, 5, None)


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        (b"text/html; charset=utf-8", b"<script>alert(1)</script>", "<script>alert(1)</script>"),
        (b"text/plain; charset=latin-1", b"caf\xe9", "café"),
        (b'text/plain; format=flowed; charset="UTF-16LE"', "ok".encode("utf-16-le"), "ok"),
        (b"text/plain; charset=no-such-charset", b"caf\xc3\xa9", "café"),
        (b"text/plain; charset=hex", b"6f6b", "6f6b"),
        (b"application/octet-stream", b"\xff\xfe\x00", "\ufffd\ufffd\x00"),
    ],
)
def test_a_body_is_shown_as_text_whatever_it_is(content_type, body, text):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: " + content_type + b"\r\nContent-Length: %d" % len(body)
    assert deliver(answer(head, body)).text == text


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked",
            b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n",
        ),
        (b"HTTP/1.1 200 OK", b"abcde"),
        (b"HTTP/1.0 200 OK", b"abcde"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5", b"abcde"),
        (b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200\r\nContent-Length: 5", b"abcdeEXTRA"),
    ],
    ids=["chunked", "until close", "HTTP/1.0", "100-continue", "early hints"],
)
def test_every_way_to_frame_an_answer_is_understood(head, body):
    delivery = deliver(answer(head, body))
    assert (delivery.status, delivery.body, delivery.error) == (200, b"abcde", None)


@pytest.mark.parametrize(("coding", "pack"), [(b"gzip", gzip.compress), (b"deflate", zlib.compress)])
def test_a_packed_answer_is_unpacked(coding, pack):
    packed = pack(b"hello")
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d" % (coding, len(packed))
    delivery = deliver(answer(head, packed))
    assert (delivery.body, delivery.body_length_seen) == (b"hello", len(packed))


def test_a_header_that_is_not_utf_8_is_read_byte_by_byte():
    assert (
        deliver(answer(b"HTTP/1.1 200 caf\xe9\r\nX-Old: caf\xe9\r\nContent-Length: 0", b"")).headers["X-Old"]
        == "café"
    )


def test_a_packed_answer_that_is_damaged_is_shown_as_it_came():
    delivery = deliver(answer(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4", b"oops"))
    assert delivery.body == b"oops"


def test_a_small_answer_that_unpacks_to_very_much_is_cut_without_unpacking_it_all():
    packed = gzip.compress(bytes(64 * 1024 * 1024))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d" % len(packed)
    tracemalloc.start()
    try:
        delivery = deliver(answer(head, packed))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(delivery.body), delivery.body_truncated) == (1024 * 1024, True)
    assert peak < 16 * 1024 * 1024


def test_an_endless_answer_is_cut_at_one_mebibyte():
    def script(talk):
        talk.hear()
        talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        while True:
            talk.say(bytes(65536))

    delivery = deliver(script)
    assert (delivery.status, len(delivery.body), delivery.body_truncated) == (200, 1024 * 1024, True)
    assert 1024 * 1024 < delivery.body_length_seen < 2 * 1024 * 1024
    assert delivery.error is None


def test_an_answer_of_exactly_one_mebibyte_is_whole():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1048576"
    delivery = deliver(answer(head, bytes(1048576)))
    assert (len(delivery.body), delivery.body_truncated) == (1048576, False)


def test_a_redirect_is_shown_and_not_followed():
    with Wire() as target:
        delivery = deliver(
            answer(
                b"HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\nLocation: " + target.url.encode(),
                b"",
            )
        )
    assert (delivery.status, delivery.ok, target.connections) == (307, False, 0)
    assert target.url in delivery.advice


@pytest.mark.parametrize(
    ("status_line", "words"),
    [
        (b"200 OK", "Success"),
        (b"204 No Content", "Success"),
        (b"299 Odd", "Success"),
        (b"301 Moved", "Redirect"),
        (b"400 Bad Request", "Rejected; often a signature mismatch"),
        (b"400 Bad Request", "raw bytes"),
        (b"401 Unauthorized", "Rejected; often a signature mismatch"),
        (b"401 Unauthorized", "same secret"),
        (b"401 Unauthorized", "both clocks"),
        (b"403 Forbidden", "Rejected; often a signature mismatch"),
        (b"403 Forbidden", "forged forms"),
        (b"404 Not Found", "Check the URL"),
        (b"405 Method Not Allowed", "method"),
        (b"410 Gone", "usually not retried"),
        (b"413 Too Large", "too large"),
        (b"429 Slow Down\r\nRetry-After: 120", "Retry-After: 120 s."),
        (
            b"429 Slow Down\r\nRetry-After: Wed, 30 Sep 2026 10:00:00 GMT",
            "Retry-After: Wed, 30 Sep 2026 10:00:00 GMT.",
        ),
        (b"429 Slow Down", "no Retry-After"),
        (b"500 Oops", "retry advised"),
        (b"503 Busy", "retry advised"),
    ],
)
def test_each_status_comes_with_advice(status_line, words):
    delivery = deliver(answer(b"HTTP/1.1 " + status_line + b"\r\nContent-Length: 0", b""))
    assert words in delivery.advice
    assert delivery.ok is (200 <= (delivery.status or 0) < 300)


@pytest.mark.parametrize("status", [400, 401, 403])
@pytest.mark.parametrize(
    ("name", "key"),
    [("stripe", "same secret"), ("discord", "matching public key"), ("sendgrid", "matching public key")],
)
def test_the_advice_on_a_rejection_names_the_key_that_the_receiver_holds(status, name, key):
    source = provider(name)
    with Wire(answer(b"HTTP/1.1 %d Status\r\nContent-Length: 0" % status, b"")) as wire:
        delivery = send(source.draft(url=wire.url).sign(source.example_secret()))
    assert f"Check that the receiver holds the {key}" in delivery.advice


@pytest.mark.parametrize(
    ("status", "rejected"), [(200, False), (400, True), (401, True), (403, True), (404, False), (500, False)]
)
def test_the_statuses_of_a_rejected_signature(status, rejected):
    delivery = deliver(answer(b"HTTP/1.1 %d Status\r\nContent-Length: 0" % status, b""))
    assert delivery.rejected is rejected


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [
        (b"No signatures found\r\n  for payload\n", "No signatures found for payload"),
        (b'{"error": "bad"}', "bad"),
        (b'{"error": {"type": "auth", "message": "No signatures\\nfound"}}', "No signatures found"),
        (b'{"type": "about:blank", "title": "Bad", "detail": "expired"}', "expired"),
        (b'{"errors": [{"code": 7, "message": "stale"}]}', "stale"),
        (b'[{"msg": "field required"}]', "field required"),
        (b'"plain"', "plain"),
        (b'{"code": "bad_sig"}', '{"code": "bad_sig"}'),
        (b'{"received": false}', ""),
        (b"[]", ""),
        (b"[" * 500, "[" * 199 + "\u2026"),
        (b"<!doctype html><p>Forbidden", ""),
        (b"  \n<h1>Forbidden", ""),
        (b"", ""),
        (b"a\x1b[31m\x00b", "a\ufffd[31m\ufffdb"),
        (b"x" * 200, "x" * 200),
        (b"x" * 201, "x" * 199 + "\u2026"),
        (b" " * 1000 + b"late", ""),
    ],
)
def test_the_excerpt_quotes_the_beginning_of_a_body_in_one_line(body, excerpt):
    delivery = deliver(answer(b"HTTP/1.1 400 Bad\r\nContent-Length: %d" % len(body), body))
    assert excerpt == delivery.excerpt
    assert "x" * 50 not in delivery.advice


@pytest.mark.parametrize(("elapsed_s", "slow"), [(5.0, False), (5.001, True)])
def test_an_answer_after_more_than_five_seconds_is_slow_if_the_limit_is_not_known(elapsed_s, slow):
    delivery = replace(deliver(), elapsed_s=elapsed_s, within_s=None)

    assert slow is delivery.slow
    assert not delivery.late
    assert "Success" in delivery.outcome


@pytest.mark.parametrize(
    ("within_s", "elapsed_s", "late"), [(3, 3.0, False), (3, 3.1, True), (60, 59.0, False), (60, 60.1, True)]
)
def test_an_answer_after_the_provider_s_own_limit_is_late_and_no_success(within_s, elapsed_s, late):
    delivery = replace(deliver(), elapsed_s=elapsed_s, within_s=within_s)

    assert (late, late) == (delivery.late, delivery.slow)
    assert late is ("Success" not in delivery.outcome)
    assert late is (f"waits {within_s} s" in delivery.outcome)


@pytest.mark.parametrize("name", ["discord", "woocommerce", "generic"])
def test_a_delivery_has_the_limit_of_the_provider_s_data(name):
    known = provider(name)
    with Receiver(name, known.example_secret()) as receiver:
        delivery = send(known.draft(url=receiver.url).sign(known.example_secret()))

    assert known.responses.within_s == delivery.within_s


def test_in_a_browser_the_way_out_is_named(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(InvalidArgument, match="curl"):
        send(request("http://127.0.0.1:8000/"))


# --- what stays ---------------------------------------------------------------------------------------------


def test_a_delivery_leaves_no_thread_and_no_descriptor_behind():
    def held() -> tuple[list[str], int]:
        lookups = [t for t in threading.enumerate() if t.name.startswith("hook_widgets")]
        for thread in lookups:
            thread.join()
        return [t.name for t in threading.enumerate()], len(list(Path("/dev/fd").iterdir()))

    with Wire() as wire:
        send(request(wire.url))
    before = held()
    for _ in range(20):
        with Wire() as wire:
            send(request(wire.url))
        send(request(wire.url))
    assert held() == before


def test_repr_of_a_delivery_is_short():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 9"
    assert "wordy" not in repr(deliver(answer(head, b"wordybody")))


def test_importing_the_package_imports_no_http_client():
    heavy = {"httpcore", "h11", "certifi", "http.server", "http.client", "cryptography", "ssl"}
    code = f"import sys, hook_widgets.webhooks; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
