"""Receivers that misbehave: each ends in time and gets a message that says what to do."""

from __future__ import annotations

import errno
import hashlib
import os
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Delivery, Headers, WebhookRequest, send
from hook_widgets.webhooks.delivery.errors import DeliveryError
from hook_widgets.webhooks.keys.certificate import create_localhost_certificate
from tests.support.certificates import Authority
from tests.support.sending import SENDERS, use_each_sender
from tests.support.wire import Talk, Wire, answer

BODY = b'{"id": "evt_TEST"}'


@pytest.fixture(scope="module", params=list(SENDERS), autouse=True)
def _sender(request: pytest.FixtureRequest) -> Iterator[None]:
    yield from use_each_sender(request)


def request(url: str, body: bytes = BODY) -> WebhookRequest:
    return WebhookRequest(method="POST", url=url, headers=Headers({"X-Test": "1"}), body=body)


def deliver(script, *, body: bytes = BODY, timeout_s: float = 5.0) -> Delivery:
    """One delivery to a receiver that runs `script`."""
    with Wire(script) as wire:
        return send(request(wire.url, body), timeout_s=timeout_s)


def failure(delivery: Delivery) -> DeliveryError:
    assert delivery.error is not None
    assert not delivery.ok
    return delivery.error


def listen(talk: Talk) -> None:
    """Read the request and say nothing."""
    talk.hear()
    talk.hang()


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


# --- receivers that fail ------------------------------------------------------------------------------------


def test_nothing_listening_says_so():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    delivery = send(request(url))
    assert (delivery.status, failure(delivery).code, delivery.sent_sha256) == (None, "refused", None)
    assert "Start the receiver" in failure(delivery).text
    assert "Not delivered" in delivery.advice


@pytest.mark.parametrize(
    "resolve",
    [
        lambda host, port, **_: (_ for _ in ()).throw(
            socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        ),
        lambda host, port, **_: (_ for _ in ()).throw(socket.gaierror("no words")),
        lambda host, port, **_: [],
    ],
)
def test_a_host_without_dns_says_so(resolve):
    delivery = send(request("http://hooks.example.com/"), resolve=resolve)
    assert failure(delivery).code == "dns"
    assert "hooks.example.com cannot be resolved" in failure(delivery).text


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (errno.ENETUNREACH, "unreachable", "No route to hooks.example.com:80"),
        (errno.EHOSTUNREACH, "unreachable", "VPN"),
        (errno.EMFILE, "network", "Too many open files"),
    ],
)
def test_an_error_of_the_operating_system_is_put_into_words(number, code, words):
    def resolve(host, port, **_):
        raise OSError(number, os.strerror(number))

    error = failure(send(request("http://hooks.example.com/"), resolve=resolve))
    assert error.code == code
    assert words in error.text


def test_a_time_out_that_has_passed_already_sends_nothing():
    with Wire() as wire:
        assert failure(send(request(wire.url), timeout_s=1e-9)).code == "timeout"
    assert wire.requests == []


def _timed_out(delivery, *words: str) -> None:
    assert failure(delivery).code == "timeout"
    assert [word for word in words if word not in failure(delivery).text] == []


def test_a_name_server_that_hangs_ends_at_the_time_out():
    over = threading.Event()

    def resolve(host, port, **_):
        over.wait()
        return []

    _timed_out(
        send(request("http://hooks.example.com/"), timeout_s=0.3, resolve=resolve), "host name", "0.3 s"
    )
    over.set()


@contextmanager
def full(address: tuple[str, int]) -> Iterator[int]:
    """A port that listens and takes no more connections; gives its number."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.socket())
        listening.bind(address)
        listening.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        yield listening.getsockname()[1]


def test_a_connection_that_is_never_taken_ends_at_the_time_out():
    with full(("127.0.0.1", 0)) as port:
        delivery = send(request(f"http://127.0.0.1:{port}/"), timeout_s=0.3)
    _timed_out(delivery, "No connection to 127.0.0.1")


def test_an_address_that_takes_no_connection_leaves_time_for_the_next():
    def resolve(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in ("127.0.0.2", "127.0.0.1")]

    with Wire() as wire, full(("127.0.0.2", wire.port)):
        delivery = send(request(f"http://hooks.example.com:{wire.port}/"), timeout_s=2, resolve=resolve)
    assert delivery.ok


def test_a_receiver_that_hangs_ends_at_the_time_out():
    delivery = deliver(listen, timeout_s=0.3)
    _timed_out(delivery, "No response within 0.3 s")
    assert delivery.sent_sha256 == hashlib.sha256(BODY).hexdigest()


def test_a_receiver_that_does_not_read_ends_at_the_time_out():
    delivery = deliver(lambda talk: talk.hang(), body=bytes(32 * 1024 * 1024), timeout_s=0.3)
    _timed_out(delivery, "stopped reading after")
    assert delivery.sent_sha256 is None


def test_a_receiver_that_reads_in_drips_ends_at_the_time_out():
    def script(talk):
        while talk.connection.recv(65536):
            talk.over.wait(0.05)

    delivery = deliver(script, body=bytes(64 * 1024 * 1024), timeout_s=0.6)
    assert failure(delivery).code == "timeout"


def test_headers_that_drip_end_at_the_time_out():
    def script(talk):
        talk.hear()
        talk.drip(b"HTTP/1.1 200 OK\r\n" + b"X-Pad: 1\r\n" * 200)

    _timed_out(deliver(script, timeout_s=0.3), "not complete within 0.3 s")


def test_a_body_that_drips_ends_at_the_time_out_and_keeps_what_came():
    def script(talk):
        talk.hear()
        talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        talk.drip(b"x" * 1000)

    delivery = deliver(script, timeout_s=0.3)
    _timed_out(delivery, "not complete within 0.3 s")
    assert delivery.status == 200
    assert set(delivery.body) == {ord("x")}
    assert not delivery.ok


def test_a_tls_handshake_that_hangs_ends_at_the_time_out():
    with Wire(lambda talk: talk.hang()) as wire:
        delivery = send(request(wire.url.replace("http:", "https:")), timeout_s=0.3)
    _timed_out(delivery, "encryption", "use http://")


def test_a_tls_receiver_that_hangs_ends_at_the_time_out(authority):
    with Wire(listen, tls=authority.server()) as wire:
        delivery = send(request(wire.url), timeout_s=0.3, ca=authority.path)
    _timed_out(delivery, "No response within")


@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        (lambda talk: (talk.hear(), talk.reset()), "reset", "while waiting for the response"),
        (lambda talk: talk.hear(), "closed", "without a response"),
        (
            lambda talk: (talk.hear(), talk.say(b"HTTP/1.1 200 OK\r\nX-A")),
            "closed",
            "in the middle of its response",
        ),
        (answer(b"HTTP/1.1 200 OK\r\nContent-Length: 9", b"1234"), "closed", "Content-Length"),
        (
            answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"5\r\nab"),
            "closed",
            "middle of its response",
        ),
        (answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"zz\r\nab"), "protocol", "HTTP/1.1"),
        (
            lambda talk: (talk.hear(), talk.say(b"SSH-2.0-Test_1.0\r\n"), talk.hang()),
            "protocol",
            "SSH-2.0-Test_1.0",
        ),
        (
            lambda talk: (talk.hear(), talk.say(b"220 mail.example.com\r\n")),
            "protocol",
            "Is this the right port?",
        ),
        (lambda talk: (talk.hear(), talk.say(b"\x00\xff" * 9 + b"\n")), "protocol", r"\x00\xff"),
        (lambda talk: (talk.hear(), talk.say(b"HTTP/1.1 OK 200\r\n\r\n")), "protocol", "HTTP/1.1 OK 200"),
        (
            lambda talk: (talk.hear(), talk.say(b"HTTP/1.1 200 OK\r\nX" * 9000)),
            "protocol",
            "The response begins with",
        ),
        (answer(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2"), "protocol", "proper HTTP"),
        (
            answer(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: test\r\nConnection: Upgrade"),
            "protocol",
            "101",
        ),
        (
            lambda talk: (talk.hear(), talk.say(b"\x15\x03\x01\x00\x02\x02\x46\n"), talk.hang()),
            "protocol",
            "https://",
        ),
    ],
)
def test_a_receiver_that_breaks_the_rules_gets_a_clear_message(script, code, words):
    delivery = deliver(script)
    assert failure(delivery).code == code
    assert words in failure(delivery).text


def test_a_reset_in_the_middle_of_the_answer_keeps_what_came():
    def script(talk):
        talk.hear()
        talk.say(b"HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nhalf")
        talk.over.wait(0.1)
        talk.reset()

    delivery = deliver(script)
    assert (delivery.status, delivery.body, failure(delivery).code) == (500, b"half", "reset")


def test_an_answer_before_the_whole_body_was_read_is_understood():
    def script(talk):
        talk.connection.recv(1000)
        talk.say(b"HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhuge")
        talk.connection.shutdown(socket.SHUT_RD)
        while talk.connection.recv(65536):
            pass

    delivery = deliver(script, body=bytes(16 * 1024 * 1024))
    assert (delivery.status, delivery.body, delivery.sent_sha256) == (413, b"huge", None)


# --- certificates -------------------------------------------------------------------------------------------


def test_a_trusted_certificate_of_an_own_authority_is_accepted(authority):
    with Wire(tls=authority.server()) as wire:
        assert send(request(wire.url), ca=authority.path).ok
        assert send(request(wire.url), ca=str(authority.path)).ok


@pytest.mark.parametrize(
    ("server", "trusted", "words"),
    [
        ({}, False, ["authority", "ca=", "verify_tls=False"]),
        ({"host": "hooks.example.com"}, True, ["another host name than 127.0.0.1", "verify_tls=False"]),
        ({"host": "127.0.0.9"}, True, ["another host name than 127.0.0.1", "ca= does not help"]),
        ({"days": (-9, -1)}, True, ["has expired", "clock", "verify_tls=False", "ca= does not help"]),
        ({"days": (1, 9)}, True, ["not valid yet", "clock", "verify_tls=False"]),
        ({"purpose": ExtendedKeyUsageOID.CLIENT_AUTH}, True, ["not accepted", "purpose", "verify_tls=False"]),
    ],
    ids=["unknown authority", "wrong host", "wrong address", "expired", "not yet valid", "wrong purpose"],
)
def test_a_bad_certificate_is_named_and_can_be_accepted_on_purpose(authority, server, trusted, words):
    with Wire(tls=authority.server(**server)) as wire:
        delivery = send(request(wire.url), ca=authority.path if trusted else None)
        unchecked = send(request(wire.url), verify_tls=False)
    assert failure(delivery).code == "tls"
    assert [word for word in words if word not in failure(delivery).text] == []
    assert (len(wire.requests), unchecked.ok) == (1, True), "nothing was sent to the one that was not trusted"


def test_a_self_signed_certificate_is_named(tmp_path):
    path, context = create_localhost_certificate(tmp_path)
    with Wire(tls=context) as wire:
        delivery = send(request(wire.url))
        assert "self-signed" in failure(delivery).text
        assert "ca=" in failure(delivery).text
        assert send(request(wire.url), ca=path).ok
        assert send(request(wire.url.replace("127.0.0.1", "localhost")), ca=path).ok
    assert sorted(file.name for file in tmp_path.iterdir()) == ["receiver.pem"], (
        "no private key is left behind"
    )


def test_a_receiver_that_wants_a_client_certificate_says_so(authority):
    context = authority.server()
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority.path)
    with Wire(tls=context) as wire:
        error = failure(send(request(wire.url), ca=authority.path))
    assert error.code == "tls"
    assert "client certificate" in error.text


def test_a_receiver_that_rejects_to_agree_on_encryption_says_so(authority):
    context = authority.server()
    context.sni_callback = lambda *_: ssl.AlertDescription.ALERT_DESCRIPTION_HANDSHAKE_FAILURE
    with Wire(tls=context) as wire:
        error = failure(send(request(wire.url.replace("127.0.0.1", "localhost")), ca=authority.path))
    assert error.code == "tls"
    assert "HANDSHAKE_FAILURE" in error.text


def test_a_receiver_that_hangs_up_on_the_handshake_says_so():
    def script(talk):
        talk.connection.recv(65536)

    with Wire(script) as wire:
        error = failure(send(request(wire.url.replace("http:", "https:"))))
    assert error.code == "tls"
    assert "hung up while agreeing on encryption" in error.text


def test_a_dot_at_the_end_of_a_host_does_not_trouble_its_certificate(authority):
    def resolve(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with Wire(tls=authority.server("hooks.example.com")) as wire:
        url = f"https://hooks.example.com.:{wire.port}/"
        assert send(request(url), ca=authority.path, resolve=resolve).error is None
    assert wire.requests[0].headers[0] == ("Host", f"hooks.example.com.:{wire.port}")


def test_https_to_a_port_that_speaks_http_says_so():
    with Wire(lambda talk: talk.say(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as wire:
        delivery = send(request(wire.url.replace("http:", "https:")))
    assert failure(delivery).code == "tls"
    assert "does not speak TLS" in failure(delivery).text


def test_http_to_a_port_that_speaks_tls_says_so(authority):
    with Wire(tls=authority.server()) as wire:
        delivery = send(request(wire.url.replace("https:", "http:")))
    assert delivery.status is None
    assert "https://" in failure(delivery).text


@pytest.mark.parametrize("content", [None, b"", b"not a certificate"])
def test_a_ca_file_that_cannot_be_used_is_an_error_before_anything_is_sent(tmp_path, content):
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    with Wire() as wire, pytest.raises(InvalidArgument, match="PEM file"):
        send(request(wire.url.replace("http:", "https:")), ca=path)
    assert wire.connections == 0


@pytest.mark.parametrize("timeout_s", [0.3, timedelta(milliseconds=300)])
def test_a_time_out_is_seconds_or_a_timedelta(timeout_s):
    with Wire(lambda talk: talk.hang()) as wire:
        _timed_out(send(request(wire.url), timeout_s=timeout_s), "No response within 0.3 s")


@pytest.mark.parametrize(
    "timeout_s", [0, -1, float("inf"), float("nan"), timedelta(0), timedelta(seconds=-1)]
)
def test_a_time_out_that_is_no_time_is_an_error(timeout_s):
    with pytest.raises(InvalidArgument, match="timeout_s"):
        send(request("http://127.0.0.1:1/"), timeout_s=timeout_s)
