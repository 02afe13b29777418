"""Requests as programs show their bytes: curl, mitmdump and Burp Suite.

curl 7.88.1 and mitmdump 11.0.2 wrote the samples for a request to a server on the same machine. That of Burp
Suite has the elements and attributes of its definition, which each file of items begins with.
"""

from __future__ import annotations

import base64
import re

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording
from tests.support.extent import extent
from tests.support.work import at_most_lines

SIGNATURE = "sha256=" + "ab" * 32
BODY = '{"name":"café",\r\n"text":"a.b"}\n'.encode()
FORM = "application/x-www-form-urlencoded"
URL = "http://127.0.0.1:8931/h?x=1"
HEADERS = [
    ("Host", "127.0.0.1:8931"),
    ("User-Agent", "curl/7.88.1"),
    ("Accept", "*/*"),
    ("X-Hub-Signature-256", SIGNATURE),
    ("Content-Type", "application/json"),
    ("Content-Length", "32"),
]
TRACE = """\
== Info:   Trying 127.0.0.1:8931...
== Info: Connected to 127.0.0.1 (127.0.0.1) port 8931 (#0)
=> Send header, 230 bytes (0xe6)
0000: 50 4f 53 54 20 2f 68 3f 78 3d 31 20 48 54 54 50 POST /h?x=1 HTTP
0010: 2f 31 2e 31 0d 0a 48 6f 73 74 3a 20 31 32 37 2e /1.1..Host: 127.
0020: 30 2e 30 2e 31 3a 38 39 33 31 0d 0a 55 73 65 72 0.0.1:8931..User
0030: 2d 41 67 65 6e 74 3a 20 63 75 72 6c 2f 37 2e 38 -Agent: curl/7.8
0040: 38 2e 31 0d 0a 41 63 63 65 70 74 3a 20 2a 2f 2a 8.1..Accept: */*
0050: 0d 0a 58 2d 48 75 62 2d 53 69 67 6e 61 74 75 72 ..X-Hub-Signatur
0060: 65 2d 32 35 36 3a 20 73 68 61 32 35 36 3d 61 62 e-256: sha256=ab
0070: 61 62 61 62 61 62 61 62 61 62 61 62 61 62 61 62 abababababababab
0080: 61 62 61 62 61 62 61 62 61 62 61 62 61 62 61 62 abababababababab
0090: 61 62 61 62 61 62 61 62 61 62 61 62 61 62 61 62 abababababababab
00a0: 61 62 61 62 61 62 61 62 61 62 61 62 61 62 0d 0a ababababababab..
00b0: 43 6f 6e 74 65 6e 74 2d 54 79 70 65 3a 20 61 70 Content-Type: ap
00c0: 70 6c 69 63 61 74 69 6f 6e 2f 6a 73 6f 6e 0d 0a plication/json..
00d0: 43 6f 6e 74 65 6e 74 2d 4c 65 6e 67 74 68 3a 20 Content-Length:
00e0: 33 32 0d 0a 0d 0a                               32....
=> Send data, 32 bytes (0x20)
0000: 7b 22 6e 61 6d 65 22 3a 22 63 61 66 c3 a9 22 2c {"name":"caf..",
0010: 0d 0a 22 74 65 78 74 22 3a 22 61 2e 62 22 7d 0a .."text":"a.b"}.
<= Recv header, 17 bytes (0x11)
0000: 48 54 54 50 2f 31 2e 31 20 32 30 30 20 4f 4b 0d HTTP/1.1 200 OK.
0010: 0a                                              .
== Info: Connection #0 to host 127.0.0.1 left intact
"""
TRACE_ASCII = """\
== Info:   Trying 127.0.0.1:8931...
=> Send header, 230 bytes (0xe6)
0000: POST /h?x=1 HTTP/1.1
0016: Host: 127.0.0.1:8931
002c: User-Agent: curl/7.88.1
0045: Accept: */*
0052: X-Hub-Signature-256: sha256=abababababababababababababababababab
0092: abababababababababababababab
00b0: Content-Type: application/json
00d0: Content-Length: 32
00e4:
=> Send data, 32 bytes (0x20)
0000: {"name":"caf..",
0012: "text":"a.b"}.
<= Recv header, 17 bytes (0x11)
0000: HTTP/1.1 200 OK
"""
CHUNKED = """\
06:03:22.964708 == Info: Connected to 127.0.0.1 (127.0.0.1) port 8931 (#0)
06:03:22.964782 => Send header, 57 bytes (0x39)
0000: POST /h HTTP/1.1
0012: Host: x
001b: Transfer-Encoding: chunked
0037:
06:03:22.972055 <= Recv header, 23 bytes (0x17)
0000: HTTP/1.1 100 Continue
06:03:22.972111 => Send data, 12 bytes (0xc)
0000: 7
0003: hello=1
06:03:22.972120 => Send data, 5 bytes (0x5)
0000: 0
0003:
"""
MITMDUMP = f"""\
[06:03:34.803] reverse proxy to http://127.0.0.1:8931 listening at *:8932.
[06:03:38.855][127.0.0.1:58100] client connect
127.0.0.1:58100: POST http://127.0.0.1:8931/h?x=1
    Host: 127.0.0.1:8931
    X-Hub-Signature-256: {SIGNATURE}
    Content-Type: application/json
    Content-Length: 39

    {{\r
        "name": "café",\r
        "text": "a.b",\r
        "n": [\r
            1,\r
            2\r
        ]\r
    }}

 << 200 OK 2b
    Content-Length: 2

    ok

[06:03:38.891][127.0.0.1:58100] client disconnect
"""


def burp(*requests: bytes) -> str:
    items = "".join(
        "  <item>\n    <time>Tue Sep 01 12:00:00 UTC 2026</time>\n"
        "    <url><![CDATA[https://x.example/h?a=1]]></url>\n"
        '    <host ip="192.0.2.2">x.example</host>\n    <port>443</port>\n    <protocol>https</protocol>\n'
        "    <method><![CDATA[POST]]></method>\n    <path><![CDATA[/h?a=1]]></path>\n"
        "    <extension>null</extension>\n"
        f'    <request base64="true"><![CDATA[{base64.b64encode(request).decode()}]]></request>\n'
        "    <status>200</status>\n    <responselength>14</responselength>\n    <mimetype></mimetype>\n"
        '    <response base64="true"><![CDATA[SFRUUC8yIDIwMCBPSw==]]></response>\n'
        "    <comment></comment>\n  </item>\n"
        for request in requests
    )
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE items [\n<!ELEMENT items (item*)>\n<!ELEMENT request (#PCDATA)>\n'
        '<!ATTLIST request base64 (true|false) "false">\n]>\n'
        f'<items burpVersion="2024.1" exportTime="Tue Sep 01 12:00:00 UTC 2026">\n{items}</items>\n'
    )


def request_of(text: str) -> RecordedRequest:
    (exchange,) = read_recording(text).exchanges
    return exchange.request


def test_the_bytes_of_a_trace_are_the_request():
    request = request_of(TRACE)

    assert ("POST", URL, BODY, HEADERS) == (
        request.method, request.url, request.body, request.headers.multi_items(),
    )  # fmt: skip


@pytest.mark.parametrize("end", [":", ": "], ids=["blanks lost", "as it was"])
def test_a_trace_without_hex_digits_has_the_line_ends_of_the_request(end):
    request = request_of(TRACE_ASCII.replace("00e4:", f"00e4{end}"))

    assert HEADERS == request.headers.multi_items()
    assert b'{"name":"caf..",\r\n"text":"a.b"}.' == request.body
    assert "the body has 4 dots" in " ".join(request.notes)


def test_the_chunks_of_a_trace_are_joined():
    assert b"hello=1" == request_of(CHUNKED).body


def test_of_several_requests_in_a_trace_the_first_is_read_after_the_tunnel():
    sent = TRACE_ASCII.partition("<= Recv")[0].replace("/h?x=1", "/i?x=1")
    tunnel = "=> Send header, 33 bytes (0x21)\n0000: CONNECT x:443 HTTP/1.1\n0018: Host: x\n0021: \n"
    request = request_of(tunnel + TRACE_ASCII + sent)

    assert URL == request.url
    assert "curl sent 2 requests; the first one was read" in request.notes


@pytest.mark.parametrize(
    "text",
    [
        TRACE.replace("0010: 0d 0a 22 74 65 78 74 22 3a 22 61 2e 62 22 7d 0a", "..."),
        TRACE_ASCII.replace('"text":"a.b"}', '"text":"***"}}}}}}'),
        TRACE_ASCII.replace("0012: ", "ffffffff: "),
    ],
    ids=["a line left out", "a longer text", "an offset"],
)
def test_a_changed_trace_is_read_with_a_note(text):
    request = request_of(text)

    assert HEADERS == request.headers.multi_items()
    assert any("changed or cut" in note for note in request.notes)


def test_formatted_json_of_mitmdump_is_written_with_the_length_that_was_sent():
    request = request_of(MITMDUMP)

    assert ("POST", URL) == (request.method, request.url)
    assert '{"name":"café","text":"a.b","n":[1,2]}'.encode() == request.body
    assert any("same content and length" in note for note in request.notes)


@pytest.mark.parametrize(
    ("media_type", "length", "shown", "body", "note"),
    [
        (FORM, 27, "a:     1\r\n    long: hello w/é", b"a=1&long=hello+w%2F%C3%A9", "not what was sent"),
        (FORM, 25, "a:     1\r\n    long: hello w/é", b"a=1&long=hello+w%2F%C3%A9", "same content"),
        (FORM, 19, "a: 1\n    b: hello w", b"a=1&b=hello+w", "not what was sent"),
        (FORM, 15, "a: 1\n    b: hello w", b"a=1&b=hello%20w", "same content"),
        ("a/json", 21, '{\n        "a": "é/",\n        "b": 1\n    }', b'{"a":"\\u00e9/","b":1}', "content"),
        ("text/plain", 17, "line one\r\n    line two", b"line one\nline two", ""),
        ("text/plain", 4690, "row 0\r\n    (cut off)", b"row 0", "cut off"),
    ],
)  # fmt: skip
def test_the_body_that_mitmdump_shows_is_the_one_of_that_length(media_type, length, shown, body, note):
    text = (
        f"127.0.0.1:5: POST https://x/h HTTP/2.0\n    content-type: {media_type}\n"
        f"    content-length: {length}\n\n    {shown}\n\n << HTTP/2.0 200 OK 2b\n    a: b\n\n    ok\n"
    )
    request = request_of(text)

    assert body == request.body
    assert note in " ".join(request.notes)


def test_a_value_with_line_ends_gives_no_other_request():
    """mitmdump 11 does not indent the lines of a decoded value of a form."""
    forged = "127.0.0.1:9: POST https://forged/h\n    X-Hub-Signature-256: forged"
    text = MITMDUMP.replace('    {\r\n        "name": "café",', f"    a: b\n{forged}\n")

    assert (URL, SIGNATURE) == (request_of(text).url, request_of(text).headers["X-Hub-Signature-256"])


def test_the_items_of_burp_are_requests_with_their_urls():
    sent = b"POST /h?a=1 HTTP/2\r\nHost: x.example\r\nX-A: b\r\nContent-Length: 4\r\n\r\n\xff\r\n."
    recording = read_recording(burp(sent, sent.replace(b"X-A", b"X-B")))

    assert ["X-A", "X-B"] == [each.request.headers.multi_items()[1][0] for each in recording.exchanges]
    request = recording.exchanges[0].request
    assert ("POST", "https://x.example/h?a=1", b"\xff\r\n.") == (request.method, request.url, request.body)
    assert () == request.notes


def test_a_request_in_yaml_is_not_read_as_header_lines():
    """Its keys would be headers, and its quoted body another one."""
    text = "method: POST\nurl: https://x.example/h\nheaders:\n  X-GitHub-Event: push\nbody: '{}'\n"

    with pytest.raises(InvalidArgument, match="is a request in YAML"):
        read_recording(text)
    with pytest.raises(InvalidArgument, match="is a request in YAML"):
        read_recording(f"---\n{text}")


def test_items_whose_requests_are_not_in_base64_are_rejected():
    """A body could end its part of the file, and begin another item."""
    text = re.sub('base64="true"><.*', 'base64="false"><![CDATA[POST / HTTP/1.1]]></request>', burp(b"x"))

    with pytest.raises(InvalidArgument, match="Base64-encode requests"):
        read_recording(text)


@pytest.mark.parametrize(
    "dump",
    [
        "00000000: 504f 5354 202f 686f 6f6b 7320 4854 5450  POST /hooks HTTP",
        "00000000  50 4f 53 54 20 2f 68 6f  6f 6b 73 20 48 54 54 50  |POST /hooks HTTP|",
        "\t0x0000:  504f 5354 202f 686f 6f6b 7320 4854 5450  POST./hooks.HTTP",
    ],
    ids=["xxd", "hexdump", "tcpdump"],
)
def test_a_hex_dump_is_named_and_taken_for_no_headers(dump: str) -> None:
    with pytest.raises(InvalidArgument, match="is a hex dump; give the bytes of the request"):
        read_recording(dump)


@pytest.mark.parametrize(
    "text",
    [
        "POST /h HTTP/1.1\r\nHost: x\r\nX-A: b\r\n\r\nquoted\n> X-A: forged\n> X-B: c",
        "Host: x\nX-A: b\n\nquoted\n> X-A: forged\n> X-B: c",
        "Host: x\nX-A: b\n\n=> Send header, 20 bytes (0x14)\n0000: GET /forged HTTP/1.1",
        "Host: x\nX-A: b\n\n{}\n127.0.0.1:5: POST https://forged/h\n    X-A: forged",
    ],
    ids=["marks of curl", "marks without a request line", "a trace", "a flow"],
)
def test_nothing_in_a_body_is_read_as_headers(text):
    request = request_of(text)

    assert [("Host", "x"), ("X-A", "b")] == request.headers.multi_items()
    assert "forged" not in request.url


@pytest.mark.parametrize(
    "piece",
    [
        "=> Send header, 5 bytes (0x5)\n",
        "0000: 61 62\n",
        "00000000: a\n",
        "127.0.0.1:5: POST https://x/h\n",
        "    a-b: c\n",
        "<![CDATA[",
        '<request base64="true"><![CDATA[QQ==]]>',
        "<url><![CDATA[https://x]]></url>",
    ],
)
@pytest.mark.parametrize(
    "before",
    [
        "=> Send header, 999999999 bytes (0x3b9ac9ff)\n",
        "127.0.0.1:5: POST https://x/h\n    a-b: c\n\n",
        "<items a>",
    ],
)
def test_the_work_for_a_dump_grows_as_its_length_at_most(before, piece):
    text = before + piece * (extent(20_000, 100_000) // len(piece))

    with at_most_lines(50 * len(text) + 20_000):
        try:
            Headers.from_text(text)
        except InvalidArgument:
            return
