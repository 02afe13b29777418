"""Writing to receivers byte by byte, and reading what hostile ones respond."""

from __future__ import annotations

import gzip
import socket
import subprocess
import sys
import tracemalloc
from datetime import timedelta
from threading import Event

import pytest

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.webhooks import Delivery, Headers, Receiver, Secret, WebhookRequest, provider, send
from hook_widgets.webhooks.delivery import Connection, connect, encode_request
from tests.support.certificates import Authority
from tests.support.wire import Talk, Wire, answer

BODY = b'{"id": "evt_TEST"}'
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def request(
    url: str = "http://127.0.0.1:8000/hooks?shop=1", body: bytes = BODY, method: str = "POST", **h: str
):
    return WebhookRequest(method=method, url=url, headers=Headers({"X-Sign": "v1=ab", **h}), body=body)


def written(url: str) -> bytes:
    return b"".join(encode_request(request(url)))


def code_of(delivery: Delivery) -> str:
    assert delivery.error is not None
    return delivery.error.code


def listen(talk: Talk) -> None:
    talk.hear()


# --- encoding -----------------------------------------------------------------------------------------------


def test_an_encoded_request_is_what_send_writes():
    with Wire() as wire:
        send(request(wire.url))
        head, body = encode_request(request(wire.url))

    assert [head] == [sent.head + b"\r\n\r\n" for sent in wire.requests]
    assert body == BODY


def test_a_chunked_body_has_no_length():
    head, body = encode_request(request(), chunk_bytes=10)

    assert b"Content-Length" not in head
    assert head.endswith(b"Transfer-Encoding: chunked\r\n\r\n")
    assert body == b'a\r\n{"id": "ev\r\n8\r\nt_TEST"}\r\n0\r\n\r\n'


def test_an_empty_chunked_body_is_its_end_alone():
    assert b"0\r\n\r\n" == encode_request(request(body=b""), chunk_bytes=10).body


def test_an_older_version_of_http_changes_the_request_line_alone():
    new, old = encode_request(request()), encode_request(request(), http_version="1.0")

    assert old.head.startswith(b"POST /hooks?shop=1 HTTP/1.0\r\n")
    assert new.head.split(b"\r\n")[1:] == old.head.split(b"\r\n")[1:]
    assert new.body == old.body


def test_a_body_that_looks_like_a_request_line_stays_as_it_is():
    assert (
        b"POST / HTTP/1.1\r\n"
        == encode_request(request(body=b"POST / HTTP/1.1\r\n"), http_version="1.0").body
    )


@pytest.mark.parametrize(
    "options",
    [{"chunk_bytes": 0}, {"chunk_bytes": 5, "http_version": "1.0"}, {"http_version": "2"}],
)
def test_a_wrong_option_is_an_error(options):
    with pytest.raises(InvalidArgument):
        encode_request(request(), **options)


@pytest.mark.parametrize(
    ("headers", "method"),
    [
        ({"X-A": "1\r\nX-B: 2"}, "POST"),
        ({"X-A\r\nX-B": "1"}, "POST"),
        ({"X-A": "1\0"}, "POST"),
        ({"Content-Length": "5"}, "POST"),
        ({"Transfer-Encoding": "chunked"}, "POST"),
        ({}, "POST / HTTP/1.1\r\nX-B:"),
    ],
)
def test_no_header_or_method_smuggles_another_header(headers, method):
    with pytest.raises(InvalidArgument):
        encode_request(request(method=method, **headers), chunk_bytes=10)


def test_the_representation_of_an_encoded_request_shows_no_token():
    token = Secret("a_token_that_is_the_signature")
    signed = provider("telegram").draft(url="http://127.0.0.1/").sign(token)

    encoded = encode_request(signed)

    assert token.reveal().encode() in encoded.head
    assert token.reveal() not in repr(encoded)
    assert f"EncodedRequest({len(encoded.head)} + {len(encoded.body)} bytes)" == repr(encoded)


# --- writing and reading ------------------------------------------------------------------------------------


def test_two_requests_on_one_connection_get_two_responses():
    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(OK)
        talk.hear()
        talk.say(b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")

    with Wire(script) as wire, connect(wire.url) as connection:
        connection.write(written(wire.url))
        first = connection.read()
        connection.write(written(wire.url))
        second = connection.read()

    assert [(200, b"ok"), (401, b"")] == [(first.status, first.body), (second.status, second.body)]
    assert 1 == wire.connections


def test_responses_that_come_together_are_read_one_by_one():
    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(OK + b"HTTP/1.1 503 Busy\r\nContent-Length: 1\r\n\r\n!" + OK)

    with Wire(script) as wire, connect(wire.url) as connection:
        connection.write(written(wire.url))

        assert [200, 503, 200] == [connection.read().status for _ in range(3)]
        assert "closed" == code_of(connection.read())


def test_a_body_is_held_back_until_the_receiver_says_continue():
    def script(talk: Talk) -> None:
        data = b""
        while not data.endswith(b"\r\n\r\n"):
            data += talk.connection.recv(1000)
        talk.say(b"HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\n")
        assert talk.connection.recv(1000) == BODY
        talk.say(OK)

    with Wire(script) as wire, connect(wire.url) as connection:
        head, body = encode_request(request(wire.url, Expect="100-continue"))
        connection.write(head)
        interim = connection.read(interim=True)
        connection.write(body)
        final = connection.read()

    assert (100, "1") == (interim.status, interim.headers["X-A"])
    assert (200, b"ok") == (final.status, final.body)
    assert "X-A" not in final.headers


def test_reading_goes_on_after_a_timeout():
    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(OK[:-1])
        talk.connection.recv(1)
        talk.say(OK[-1:])

    with Wire(script) as wire, connect(wire.url) as connection:
        connection.write(written(wire.url))
        early = connection.read(timeout_s=0.05)
        connection.write(b"!")
        late = connection.read(timeout_s=timedelta(seconds=5))

    assert ("timeout", 200, b"o") == (code_of(early), early.status, early.body)
    assert (None, 200, b"ok") == (late.error, late.status, late.body)


def test_the_response_to_head_has_no_body():
    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + OK)

    with Wire(script) as wire, connect(wire.url) as connection:
        connection.write(written(wire.url))

        assert b"" == connection.read(method="HEAD").body
        assert b"ok" == connection.read().body


def test_writing_stops_when_the_response_begins():
    def script(talk: Talk) -> None:
        talk.connection.recv(10)
        talk.say(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        talk.hang()

    with Wire(script) as wire, connect(wire.url) as connection:
        size = 100 * 1024 * 1024
        count = connection.write(bytes(size), until_response=True)

        assert 0 < count < size
        assert 413 == connection.read().status


def test_a_response_is_noticed_without_reading_it():
    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(OK)
        talk.hear()

    with Wire(script) as wire, connect(wire.url) as connection:
        assert not connection.responded()
        connection.write(written(wire.url))
        assert connection.responded(within_s=5)
        assert 200 == connection.read().status
        assert not connection.responded()


def test_hanging_up_in_the_middle_of_a_body_is_seen_by_the_receiver():
    received = []
    hung_up = Event()

    def script(talk: Talk) -> None:
        while data := talk.connection.recv(1000):
            received.append(data)
        hung_up.set()

    with Wire(script) as wire:
        head, body = encode_request(request(wire.url))
        with connect(wire.url) as connection:
            connection.write(head + body[:5])
        assert hung_up.wait(30)

    assert head + body[:5] == b"".join(received)


def test_our_receiver_takes_a_chunked_request_and_keeps_the_connection():
    secret = Secret("an example secret")
    with Receiver("generic", secret) as receiver, connect(receiver.url) as connection:
        for size in (1, 1000):
            signed = provider("generic").draft(url=receiver.url).sign(secret)
            connection.write(b"".join(encode_request(signed, chunk_bytes=size)))
            assert 200 == connection.read().status


def test_tls_is_verified_and_spoken(tmp_path):
    authority = Authority(tmp_path)
    with Wire(tls=authority.server("localhost")) as wire:
        url = wire.url.replace("127.0.0.1", "localhost")
        with connect(url, ca=authority.path) as connection:
            connection.write(written(url))
            assert b"ok" == connection.read().body
        with connect(url) as connection:
            assert 0 == connection.write(written(url))
            assert "tls" == code_of(connection.read())


# --- destinations -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "http://metadata.google.internal/",
        "http://0.0.0.0/",
        "http://user@127.0.0.1/",
        "ftp://127.0.0.1/",
    ],
)
def test_a_blocked_url_makes_no_connection(url):
    with pytest.raises(DestinationBlocked):
        connect(url)


def test_a_name_that_resolves_to_metadata_is_blocked_before_a_connection_is_made(monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was made"))

    def resolve(*_: object, **__: object):
        return [(socket.AF_INET, 1, 6, "", ("169.254.169.254", 80))]

    with (
        pytest.raises(DestinationBlocked, match=r"stands for 169\.254\.169\.254"),
        connect("http://hooks.example.com/", resolve=resolve),
    ):
        pass


def test_localhost_that_resolves_to_another_machine_is_blocked():
    def resolve(*_: object, **__: object):
        return [(socket.AF_INET, 1, 6, "", ("192.0.2.1", 80))]

    with (
        pytest.raises(DestinationBlocked, match="another machine"),
        connect("http://localhost/", resolve=resolve),
    ):
        pass


def test_the_connection_goes_to_the_checked_address_although_the_name_changes():
    with Wire() as wire:
        answers = iter(["127.0.0.1", "169.254.169.254"])

        def resolve(_host: str, port: int, **_: object):
            return [(socket.AF_INET, 1, 6, "", (next(answers), port))]

        url = f"http://hooks.example.com:{wire.port}/"
        with connect(url, resolve=resolve) as connection:
            connection.write(written(url))
            assert 200 == connection.read().status
            connection.write(written(url))
            connection.read(timeout_s=1)

    assert "169.254.169.254" == next(answers)


def test_a_host_that_is_not_allowed_is_blocked():
    with pytest.raises(DestinationBlocked, match="not in allow_hosts"):
        connect("http://127.0.0.1:8000/", allow_hosts=["hooks.example.com"])


def test_a_request_for_another_host_still_goes_to_the_host_of_the_connection():
    with Wire() as wire, connect(wire.url) as connection:
        connection.write(written("http://hooks.example.com/"))
        assert 200 == connection.read().status

    assert ["hooks.example.com"] == [dict(sent.headers)["Host"] for sent in wire.requests]


def test_nothing_listens_there(monkeypatch):
    with Wire() as wire:
        port = wire.port
    with connect(f"http://127.0.0.1:{port}/") as connection:
        assert 0 == connection.write(b"x")
        assert connection.responded()
        assert "refused" == code_of(connection.read())


# --- hostile responses --------------------------------------------------------------------------------------


def flood(beginning: bytes, piece: bytes):
    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(beginning)
        while True:
            talk.say(piece)

    return script


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (flood(b"HTTP/1.1 200 OK\r\n", b"X-A: " + b"a" * 1000 + b"\r\n"), "protocol"),
        (flood(b"HTTP/1.1 200 ", b"a" * 1000), "protocol"),
        (flood(b"", b"HTTP/1.1 102 Processing\r\n\r\n"), "protocol"),
        (flood(b"", b"SSH-2.0-OpenSSH\r\n"), "protocol"),
        (answer(b"HTTP/1.1 200 OK\r\nContent-Length: 9"), "closed"),
        (answer(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2"), "protocol"),
        (listen, "closed"),
        (lambda talk: talk.hang(), "timeout"),
        (lambda talk: talk.drip(OK * 100), "timeout"),
    ],
    ids=[
        "headers",
        "status line",
        "interim",
        "no HTTP",
        "short",
        "two lengths",
        "silent",
        "hanging",
        "dripping",
    ],
)
def test_a_response_that_does_not_end_well_ends_with_an_error(script, code):
    with Wire(script) as wire, connect(wire.url, timeout_s=0.5) as connection:
        connection.write(written(wire.url))
        deliveries = [connection.read()]
        while deliveries[-1].error is None:
            deliveries.append(connection.read())

    assert code == code_of(deliveries[-1])


def test_an_endless_body_is_cut_at_one_mebibyte():
    with Wire(flood(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536)) as wire, connect(wire.url) as connection:
        connection.write(written(wire.url))
        delivery = connection.read()

        assert (1024 * 1024, True, None) == (len(delivery.body), delivery.body_truncated, delivery.error)
        assert "closed" == code_of(connection.read())


def test_a_small_body_that_decodes_to_much_is_cut_without_decoding_it_all():
    bomb = gzip.compress(bytes(20 * 1024 * 1024))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d" % len(bomb)
    with Wire(answer(head, bomb)) as wire, connect(wire.url) as connection:
        connection.write(written(wire.url))
        tracemalloc.start()
        delivery = connection.read()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert delivery.body_truncated
    assert peak < 8 * 1024 * 1024


def test_a_receiver_that_does_not_read_ends_a_write_at_the_timeout():
    with Wire(lambda talk: talk.hang()) as wire, connect(wire.url, timeout_s=0.3) as connection:
        size = 100 * 1024 * 1024

        assert connection.write(bytes(size)) < size
        assert "timeout" == code_of(connection.read())


@pytest.mark.parametrize("timeout_s", [0, -1, float("nan"), float("inf")])
def test_a_timeout_that_is_none_is_an_error(timeout_s):
    with pytest.raises(InvalidArgument, match="timeout_s"):
        connect("http://127.0.0.1/", timeout_s=timeout_s)


def test_a_method_that_is_none_is_an_error():
    with Wire() as wire, connect(wire.url) as connection, pytest.raises(InvalidArgument, match="method"):
        connection.read(method="GET /")


def test_a_connection_says_where_it_goes_and_leaves_nothing_open():
    with Wire() as wire:
        with connect(wire.url) as connection:
            assert isinstance(connection, Connection)
            assert f"Connection(127.0.0.1:{wire.port}, open)" == repr(connection)
        assert f"Connection(127.0.0.1:{wire.port}, closed)" == repr(connection)
        assert "closed" == code_of(connection.read())


def test_importing_the_names_imports_no_http_client():
    code = (
        "import sys; from hook_widgets.webhooks.delivery import connect, encode_request\n"
        "print('h11' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False" == done.stdout.strip()
