"""Answers of a receiver that mean harm: none keeps the sender, or the widget, busy."""

from __future__ import annotations

import asyncio
import codecs
import gzip
import threading
import zlib

import pytest

from hook_widgets.webhooks import Delivery, Headers, WebhookRequest, send
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.delivery import client
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.wire import Wire, answer
from tests.support.work import at_most_lines
from tests.widgets.fake_tab import CANARY, FakeTab

MIB = 1024 * 1024


def packed_answer(body: bytes, content_type: bytes, coding: bytes = b"gzip"):
    """A receiver that answers with these bytes, packed or under another coding."""
    lines = [b"HTTP/1.1 200 OK", b"Content-Type: " + content_type, b"Content-Length: %d" % len(body)]
    return answer(b"\r\n".join([*lines, b"Content-Encoding: " + coding]), body)


def deliver(script, timeout_s: float = 5.0) -> Delivery:
    with Wire(script) as wire:
        return send(
            WebhookRequest(method="POST", url=wire.url, headers=Headers(), body=b"{}"), timeout_s=timeout_s
        )


def test_a_kilobyte_that_unpacks_to_a_mebibyte_of_punycode_costs_little_work():
    packed = gzip.compress(b"a" * MIB, mtime=0)
    assert len(packed) < 1_100, "about a kilobyte on the wire"
    with Wire(packed_answer(packed, b"text/plain; charset=punycode")) as wire:
        tab = FakeTab(WebhookGenerator("stripe", url=wire.url), secret=CANARY)
        tab.ask("send")  # what the first one imports is no work
        with at_most_lines(50_000):
            record = tab.ask("send")["value"]

    assert (200, "aaaa") == (record["status"], record["body_text"][:4])
    assert record["body_truncated"]


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "utf-7", "unicode_escape", "hex", "cp1253", "iso2022_jp", "no-such"]
)
def test_a_charset_outside_the_list_is_read_as_utf_8(charset):
    content_type = f"text/plain; charset={charset}".encode()
    delivery = deliver(
        packed_answer("caf\N{LATIN SMALL LETTER E WITH ACUTE} \\x41 +AGE-".encode(), content_type, b"")
    )

    assert "café \\x41 +AGE-" == delivery.text


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("UTF-8", "utf-8"),
        ("ISO-8859-1", "latin-1"),
        ("latin1", "latin-1"),
        ("iso-8859-15", "iso8859-15"),
        ("Windows-1252", "cp1252"),
        ("utf-16", "utf-16"),
        ("utf-16le", "utf-16-le"),
        ("UTF-16BE", "utf-16-be"),
    ],
)
def test_a_charset_of_the_list_is_read_as_that(charset, codec):
    text = "café"
    delivery = deliver(packed_answer(text.encode(codec), f"text/plain; charset={charset}".encode(), b""))

    assert text == delivery.text


@pytest.mark.parametrize("charset", sorted(client.CHARSETS))
@pytest.mark.parametrize("body", [b"\x81", b"\xff", b"\x00\xd8", b"\xd8\x00", bytes(range(256))])
def test_no_charset_of_the_list_is_decoded_in_python(charset, body):
    headers = Headers({"Content-Type": f"text/plain; charset={charset}"})
    delivery = Delivery(status=200, headers=headers, body=body * (MIB // len(body)), body_length_seen=MIB)
    codecs.lookup(client.CHARSETS[charset])  # loads it
    with at_most_lines(100):
        assert delivery.text


def test_the_beginning_of_a_text_ends_with_a_whole_character():
    def beginning(body: bytes, size: int) -> str:
        return Delivery(status=200, body=body, body_length_seen=len(body)).beginning(size)

    assert "aé" == beginning("aéé".encode(), 4)
    assert "aé" == beginning("aé".encode(), 4)
    assert "aé\N{REPLACEMENT CHARACTER}" == beginning("aéé".encode()[:4], 4), "the body itself is cut"


@pytest.mark.parametrize("coding", [b"gzip", b"deflate", b"x-gzip"])
def test_a_body_that_unpacks_without_end_is_cut_at_the_limit(coding):
    packer = zlib.compressobj(9, wbits=15 if coding == b"deflate" else 31)
    packed = b"".join(packer.compress(bytes(MIB)) for _ in range(50)) + packer.flush()
    delivery = deliver(packed_answer(packed, b"text/plain", coding))

    assert (MIB, True) == (len(delivery.body), delivery.body_truncated)


def test_unpacking_belongs_to_the_time_that_a_delivery_may_take(monkeypatch):
    over = threading.Event()

    def slow(body: bytes, coding: str, limit: int) -> bytes:
        over.wait(0.3)
        return body

    monkeypatch.setattr(client, "decoded", slow)
    delivery = deliver(packed_answer(b"late", b"text/plain"), timeout_s=0.2)

    assert delivery.error is not None
    assert ("timeout", 200, b"late") == (delivery.error.code, delivery.status, delivery.body)


def test_an_answer_is_read_in_a_thread_of_its_own_and_not_under_the_widgets_lock(monkeypatch):
    readers: dict[str, str] = {}

    def noting(name, function):
        def noted(*args):
            readers[name] = threading.current_thread().name
            return function(*args)

        return noted

    monkeypatch.setattr(Delivery, "beginning", noting("text", Delivery.beginning))
    monkeypatch.setattr(locators, "written", noting("handshake", locators.written))

    async def exchange() -> dict:
        done = asyncio.Event()
        with Wire(answer(b"HTTP/1.1 200 OK\r\nContent-Length: 2", b"{}")) as wire:
            tab = FakeTab(WebhookGenerator("zoom", "url_validation", url=wire.url), secret=CANARY)
            take = tab.widget.send

            def taking(content, buffers=None):
                take(content, buffers)
                if "re" in content:
                    done.set()

            tab.widget.send = taking
            tab.say({"id": "tab-send", "op": "send", "args": {}})
            await done.wait()
            return tab.replies["tab-send"][0]["value"]

    assert 200 == asyncio.run(exchange())["status"]
    assert {"text", "handshake"} == set(readers)
    assert threading.main_thread().name not in readers.values()
