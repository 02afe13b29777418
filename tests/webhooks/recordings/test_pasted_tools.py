"""Requests as sniffers, servers, clouds and consoles show them, with what such a text does not tell.

The forms are those of public logs: print-ascii.c and the text protocols of tcpdump, mod_dumpio of Apache,
"Viewing logs" of AWS Lambda, the error mails and the debug page of Django, collections of Insomnia 5,
`escapeString` of Chrome's network panel for cmd.exe, fmt of Go with ``%v`` on an ``*http.Request``.
"""

from __future__ import annotations

import base64
import json

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording

NAME = "X-Hub-Signature-256"
SIG = "sha256=" + "ab" * 32
BODY = '{"a":"x","n":1}'
SIZE = f"Content-Length: {len(BODY)}"
FIELDS = ("Host: x.example", SIZE, f"{NAME}: {SIG}")
HEAD = "\n".join(("POST /h HTTP/1.1", *FIELDS))
ENVIRON = f"CONTENT_TYPE = 'application/json'\nHTTP_HOST = 'x.example'\nHTTP_X_HUB_SIGNATURE_256 = '{SIG}'"
PACKET = (
    "07:18:04.123499 IP 127.0.0.1.50000 > 127.0.0.1.8000: Flags [P.], seq 1:300, ack 1, win 512, length {}"
)
REPLY = "07:18:04.123600 IP 127.0.0.1.8000 > 127.0.0.1.50000: Flags [{}], ack 300, win 512, length {}"
TCP = "E..S..@.@............P.@.......{{....\n....`...."
OK = f"{REPLY.format('P.', 80)}\nE....HTTP/1.1 200 OK\n"
VERBOSE = (
    "07:18:04.123499 IP (tos 0x0, ttl 64, id 1, offset 0, flags [DF], proto TCP (6), length 350)\n"
    "    127.0.0.1.50000 > 127.0.0.1.8000: Flags [P.], cksum 0xfe28 (incorrect -> 0x1), length 299: HTTP\n"
)
DUMPIO = "[Wed Feb 08 11:52:04.1 2023] [dumpio:trace7] [pid 1] mod_dumpio.c(103): [client x:5] mod_dumpio: "
EVENT = {"headers": {NAME.lower(): SIG}, "requestContext": {"http": {"method": "POST"}}, "body": BODY}
YAML = "type: collection.insomnia.rest/5.0\ncollection:\n  - url: https://x.example/h\n    method: POST\n"


def request_of(text: str) -> RecordedRequest:
    (exchange,) = read_recording(text).exchanges
    return exchange.request


def notes_of(text: str) -> str:
    recording = read_recording(text)
    return "; ".join((*recording.notes, *recording.exchanges[0].request.notes))


def dumpio(*pieces: str) -> str:
    lines = [f"dumpio_in [getline] 0 readbytes\n{DUMPIO} dumpio_in (data-HEAP): {p}" for p in pieces]
    return "\n".join(DUMPIO + line for line in lines)


WHOLE = {
    "tcpdump -A": f"{PACKET.format(0)}\nE..<..\n\n{PACKET.format(299)}: HTTP: POST /h HTTP/1.1\n"
    f"{TCP}{HEAD}\n\n{BODY}\n{REPLY.format('.', 0)}\nE..4..@.\n\n{OK}",
    "tcpdump -A, body in a packet of its own": f"{PACKET.format(280)}\n{TCP}{HEAD}\n\n\n"
    f"{REPLY.format('.', 0)}\nE..\n\n{PACKET.format(len(BODY))}: HTTP\n{TCP}{BODY}\n{OK}",
    "tcpdump -v": VERBOSE + "\t" + HEAD.replace("\n", "\n\t") + f"\n\t\n\t{BODY}[!http]\n",
    "tcpdump -vX": VERBOSE
    + "\t"
    + HEAD.replace("\n", "\n\t")
    + f"\n\n\t{BODY}[!http]\n\t0x0000:  4500 003c  E..<\n",
    "mod_dumpio": dumpio(
        f"{len(HEAD)} bytes", *(f"{line}\\r\\n" for line in (*HEAD.split("\n"), "")), BODY[:5], BODY[5:]
    )
    + f"\n{DUMPIO} dumpio_out (data-HEAP): HTTP/1.1 200 OK\\r\\n\n",
    "CloudWatch": "INIT_START Runtime Version: python:3.12.v1\nSTART RequestId: 8f50 Version: $LATEST\n"
    f"[INFO]\t2026-01-01T00:00:00.000Z\t8f50\t{json.dumps(EVENT)}\nEND RequestId: 8f50\n"
    "REPORT RequestId: 8f50\tDuration: 1.26 ms\tBilled Duration: 2 ms\n",
    "aws logs tail": "".join(
        f"2026-01-01T00:00:00.1+00:00 2026/01/01/[$LATEST]ab {line}\n"
        for line in ("START RequestId: 8f50 Version: $LATEST", json.dumps(EVENT), "END RequestId: 8f50")
    ),
}
HEADERS = {
    "mail of Django": f"Request Method: POST\nRequest URL: https://x.example/h\n\nMETA:\n{ENVIRON}\n"
    "wsgi.errors = <_io.TextIOWrapper name='<stderr>'>\n\nSettings:\nUsing settings x\nDEBUG = False\n",
    "debug page of Django": "Variable\tValue\n" + ENVIRON.replace(" = ", "\t\n"),
    "Insomnia 5": f"{YAML}    body:\n      text: |-\n        {BODY}\n    headers:\n      - name: Host\n"
    f"        value: x.example\n        id: pair_1\n      - name: {NAME}\n"
    f"        value: {SIG}\n        id: pair_2\n",
    "Google Cloud": json.dumps([{"insertId": "a", "textPayload": f"headers: {json.dumps({NAME: SIG})}"}]),
    "Go": f"&{{POST /h HTTP/1.1 1 1 map[Accept:[*/*] {NAME}:[{SIG}]] {{}} <nil> 15 [] false x.example map[] "
    "map[] <nil> map[] 127.0.0.1:5000 /h <nil> <nil> <nil> 0xc00009c100}",
}


@pytest.mark.parametrize("form", WHOLE)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_request_is_read_with_its_body(form, ends):
    request = request_of(WHOLE[form].replace("\n", ends))

    assert ("POST", SIG, BODY.encode()) == (request.method, request.headers.get(NAME), request.body)


@pytest.mark.parametrize("form", HEADERS)
def test_the_headers_are_read(form):
    request = request_of(HEADERS[form])

    assert (SIG, None) == (request.headers.get(NAME), request.body)
    assert not {"text", "value", "id", "Variable"} & set(request.headers)


def test_a_line_of_mod_dumpio_whose_end_was_redacted_is_a_line():
    text = WHOLE["mod_dumpio"].replace(f"{SIG}\\r\\n", "mark000000000001")

    assert ("mark000000000001", BODY.encode()) == (request_of(text).headers.get(NAME), request_of(text).body)


def test_the_address_is_read_from_a_request_of_go():
    request = request_of(HEADERS["Go"])

    assert ("POST", "https://x.example/h") == (request.method, request.url)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (WHOLE["tcpdump -A"], "a dot for each byte that is not ASCII"),
        (
            f"{HEAD}\n\n" + json.dumps(json.loads(BODY), indent=4) + "\n\nHTTP/1.1 200 OK\nDate: x\n\nok\n",
            "the response after the body was not read",
        ),
        ("LEVEL: I\nEXECUTION_ID: abc\nLOG: started", "none of these names is that of a known header"),
        (json.dumps({"headers": {NAME: SIG}, "payload": {"a": 1}}), "the body is given as parsed JSON"),
        (
            json.dumps({"headers": {NAME: SIG, "Content-Length": "15"}, "body": BODY + " "}),
            "the body has 16 bytes, but its Content-Length is 15",
        ),
    ],
)
def test_what_such_a_text_does_not_tell_is_said(text, note):
    assert note in notes_of(text)


def test_formatted_json_without_its_response_is_no_body_of_both():
    text = f"{HEAD}\n\n" + json.dumps(json.loads(BODY), indent=4) + "\n\nHTTP/1.1 200 OK\nDate: x\n\nok\n"

    assert b"HTTP/1.1" not in (request_of(text).body or b"HTTP/1.1")


def test_a_body_in_base64_is_known_by_its_content_length():
    """Svix Play and other request bins give the body in base64 without saying so."""
    shown = {
        "headers": {NAME: SIG, "Content-Length": str(len(BODY))},
        "body": base64.b64encode(BODY.encode()).decode(),
    }
    request = request_of(json.dumps(shown))

    assert BODY.encode() == request.body
    assert "the body was read as base64, as its Content-Length shows" in request.notes


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01T00:00:00.000Z DEBUG 1 --- [n-2] HttpWebHandlerAdapter : HTTP POST, headers={masked}",
        f"{PACKET.format(99)}\n\t0x0000:  4500 003c 1c46 4000  E..<.F@.\n\t0x0010:  ac10 0a0c  .....P..\n",
    ],
)
def test_a_text_without_headers_is_read_as_none(text):
    with pytest.raises(InvalidArgument):
        read_recording(text)


@pytest.mark.parametrize(
    "text",
    [
        'I, [2026-01-01T00:00:00.000000 #1]  INFO -- : [8f50] Started POST "/h" for 127.0.0.1 at 2026-01-01',
        '[8f50] Started POST "/h" for 127.0.0.1 at 2026-01-01',
        '  Parameters: {"id"=>"evt_1"}\nCompleted 200 OK in 5ms',
    ],
)
def test_the_log_of_rails_is_named(text):
    with pytest.raises(InvalidArgument, match="the log of Rails has no headers"):
        read_recording(text)


@pytest.mark.parametrize("body", ['{"price":"$10 $x `y` $(id)"}', r'{"t":"a\"b"}'])
def test_signs_of_bash_are_none_of_a_command_for_windows(body):
    inner = "".join(
        c if c.isalnum() or c in " _-:=+~'/.,?;()*`" else f"^{c}"
        for c in body.replace("\\", "\\\\").replace('"', '\\"')
    )
    request = request_of(f'curl ^"https://x.example/h^" ^\n  -H ^"X-A: 1^" ^\n  --data-raw ^"{inner}^"')

    assert body.encode() == request.body
