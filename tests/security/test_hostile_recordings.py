"""Recordings that were written to be slow, deep, long or misleading."""

from __future__ import annotations

import json
import random

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings import (
    Exchange,
    RecordedRequest,
    Recording,
    compare,
    read_recording,
    to_har,
    to_json,
)
from hook_widgets.webhooks.recordings.exchange import MAX_BYTES, MAX_EXCHANGES, MAX_HEADERS
from hook_widgets.webhooks.recordings.structures.mappings import MAX_DEPTH
from tests.security.fuzz import BODIES, TEXTS
from tests.support import har
from tests.support.extent import extent, some
from tests.support.work import at_most_lines

N = extent(60_000, MAX_BYTES - 200)


def filled(before: str, piece: str, after: str = "") -> str:
    return before + piece * ((N - len(before) - len(after)) // len(piece)) + after


ATTACKS = {
    "open braces": filled("", "{"),
    "open brackets": filled("", "["),
    "open parentheses": filled("", "("),
    "deep JSON": filled("", '{"a":'),
    "deep JSON, closed": "[" * 100_000 + "]" * 100_000,
    "deep HAR": '{"log":{"entries":[' + "[" * 50_000 + "]" * 50_000 + "]}}",
    "deep dict": filled("", "{'a':"),
    "nested constructors": filled("", "A("),
    "nested objects": filled("", "<A "),
    "nested objects in brackets": filled("", "<A ["),
    "angle brackets": filled("{'a': <", "<"),
    "open string": filled("{'a': '", "x"),
    "backslashes": filled("{'a': '", "\\"),
    "escapes": filled("{'a': '", "\\x41", "'}"),
    "many members": filled("{", "'a':'b',", "}"),
    "many strings in brackets": filled("[", "'a',"),
    "many PHP keys": filled("[", "[a] => 'b',"),
    "many variables": filled("HTTP_A=b\n", "HTTP_B=c\n"),
    "many headers": filled("", "A: b\n"),
    "many headers of a request": filled("POST / HTTP/1.1\n", "A: b\n"),
    "folded header": filled("POST / HTTP/1.1\nA: b\n", " c\n", "\n"),
    "long request line": filled("POST ", "/", " HTTP/1.1"),
    "long method": filled("", "A", " / HTTP/1.1"),
    "blanks": filled("A", " "),
    "line ends": filled("A: b", "\r"),
    "curl marks": filled("", "> \n"),
    "chunks": filled("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n", "1\na\n"),
    "chunk extensions": filled("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n1;", "x"),
    "huge chunk": "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\nffffffff\na",
    "huge length": "POST / HTTP/1.1\nContent-Length: " + "9" * 5000 + "\n\na",
    "JSON with a long number and no end": '{"headers": {"A": [' + "9" * 5000 + "x",
    "other digits in a length": "POST / HTTP/1.1\nContent-Length: ٣\n\nabc",
    "curl, many words": filled("curl ", "a "),
    "curl, many flags": filled("curl -", "s"),
    "curl, many headers": filled("curl u ", "-H a:b "),
    "curl, many bodies": filled("curl u ", "-d a "),
    "curl, many queries": filled("curl u ", "--url-query a "),
    "curl, many queries of -G": filled("curl u -G ", "-d a "),
    "curl, many cookies": filled("curl u ", "-b a=b "),
    "curl, braces": filled("curl u -d ", "{"),
    "curl, braces that close": filled("curl u -d ", "{}"),
    "curl, globs": filled("curl u", "["),
    "curl, globs in braces": filled("curl u", "{"),
    "curl, dots": filled("curl u", "/."),
    "curl, dollars": filled("curl u -d ", "$"),
    "curl, dollars in quotes": filled('curl u -d "', "$", '"'),
    "curl, variables": filled("curl u -d ", "$a"),
    "curl, open variable": filled("curl u -d ", "${"),
    "curl, quotes": filled("curl u -d ", "''"),
    "curl, backslashes": filled("curl u -d ", "\\"),
    "curl, backslashes in quotes": filled('curl u -d "', "\\"),
    "curl, ANSI-C quotes": filled("curl u -d $'", "\\x41", "'"),
    "curl, here-documents": filled("curl u -d @- ", "<<A "),
    "curl, here-documents with lines": filled("curl u -d @- ", "<<A ", "\n" + "b\n" * 1000),
    "curl, long here-document": filled("curl u -d @- <<A\n", "b\n", "A\n"),
    "curl, pipes": filled("curl u ", "| "),
    "curl, operators": filled("curl u ", "1"),
    "curl, commands": filled("", "curl u\n"),
    "curl later": filled("a\n", "curl "),
    "curl later, blanks": filled("a b\ncurl", " "),
    "HAR, many entries": '{"log":{"entries":['
    + filled("", "{},")[: N - 60].rstrip(",").rstrip("{").rstrip(",")
    + "]}}",
    "HAR, many headers": '{"log":{"entries":[{"request":{"method":"P","url":"u","headers":['
    + ",".join(['{"name":"a","value":"b"}'] * 50_000)
    + "]}}]}}",
    "HAR, numbers": '{"log":{"entries":[{"time":' + "9" * 100_000 + ',"request":{"method":"P","url":"u"}}]}}',
    "HAR, NaN": '{"log":{"entries":[{"time":NaN,"request":{"method":"P","url":"u","bodySize":Infinity}}]}}',
    "HAR, half a pair": '{"log":{"entries":[{"request":{"method":"P","url":"u\\ud800",'
    '"postData":{"text":"\\ud800"}}}]}}',
    "HAR, dates": '{"log":{"entries":[{"startedDateTime":"0001-01-01T00:00:00+23:59",'
    '"request":{"method":"P","url":"u"}}]}}',
    "base64": '{"headers":{"a":"b"},"isBase64Encoded":true,"body":"' + "A" * 100_000 + '="}',
    "URL": filled("POST http://[", "[", " HTTP/1.1"),
    "questions in a URL": filled("POST /", "?", " HTTP/1.1\nHost: a"),
    "slashes in a URL": filled("POST http:", "//", " HTTP/1.1"),
    "environment with odd ports": "HTTP_HOST=[\nPATH_INFO=/\ud800",
}


def use(recording: Recording) -> None:
    """Do everything that a widget does with a recording, and check what is made of it."""
    for exchange in recording.exchanges:
        assert isinstance(exchange, Exchange)
        exchange.request.received()
        repr(exchange)
    exchanges = recording.exchanges[:20]
    exported = json.dumps(to_har(exchanges))
    to_json(exchanges).encode("utf-8", "surrogatepass")
    compare(exchanges[0], exchanges[-1])
    if len(exported) < 100_000:  # the schema is slow
        har.check(json.loads(exported))


def read_or_reject(text: str) -> Recording | str:
    try:
        return read_recording(text)
    except InvalidArgument as error:
        return str(error)


@pytest.mark.parametrize("attack", some(list(ATTACKS), 10))
def test_the_work_for_an_attack_grows_as_its_length_at_most(attack):
    text = ATTACKS[attack]
    assert len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES
    with at_most_lines(100 * len(text) + 50_000):
        result = read_or_reject(text)
        if isinstance(result, Recording):
            use(result)
    assert isinstance(result, Recording) or len(result) < 400


def test_a_text_over_the_limit_is_rejected_unread():
    with pytest.raises(InvalidArgument, match="1,500,000"):
        read_recording(" " * (MAX_BYTES + 1))
    with pytest.raises(InvalidArgument, match="1,500,000"):
        read_recording("é" * (MAX_BYTES // 2 + 1))


def test_more_entries_than_the_limit_are_left_out_with_a_note():
    entry = {"request": {"method": "P", "url": "u"}}
    recording = read_recording(json.dumps({"log": {"entries": [entry] * (MAX_EXCHANGES + 1)}}))
    assert len(recording.exchanges) == MAX_EXCHANGES
    assert recording.notes == ("only the first 1,000 of 1,001 entries were read",)


def test_more_headers_than_the_limit_are_rejected():
    for text in ("A: b\n" * (MAX_HEADERS + 1), json.dumps([["A", "b"]] * (MAX_HEADERS + 1))):
        with pytest.raises(InvalidArgument, match="more than 1,000 headers"):
            read_recording(text)


def test_depth_is_limited_in_every_language():
    deep = "{'a': " * (MAX_DEPTH + 2) + "'b'" + "}" * (MAX_DEPTH + 2)
    with pytest.raises(InvalidArgument):
        read_recording(deep)


@pytest.mark.parametrize("lines", [1_900, 2_100, 40_000])
def test_the_work_for_a_comparison_grows_as_the_bodies(lines):
    rng = random.Random(lines)
    bodies = ["".join(rng.choice("{}[],\n") + "\n" for _ in range(lines)).encode() for _ in range(2)]
    one, two = (Exchange(request=RecordedRequest(body=body)) for body in bodies)
    with at_most_lines(20 * lines + 5_000):
        assert compare(one, two).body


SEEDS = [
    "curl 'https://a/x?y=1' -X POST -H 'A: b' -u c:d --data-raw $'{\"a\":\\'\\u0021\\'}' --json x -b e=f",
    "printf '%s' 'a' | curl -d @- https://a <<EOF\nb\nEOF\n",
    "POST /x?y HTTP/1.1\nHost: a\nContent-Length: 3\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
    "{'HTTP_HOST': 'a', 'wsgi.input': <_io.BytesIO object at 0x1>, 'PATH_INFO': '/x', 'b': (1, 0)}",
    "HTTP_STRIPE_SIGNATURE=t=1,v1=00\nREQUEST_METHOD=POST\nHTTPS=on",
    "EnvironHeaders([('Host', 'a'), ('B', 'c')])",
    '{"headers": {"A": ["b"]}, "body": "e30=", "isBase64Encoded": true, "rawPath": "/x"}',
    json.dumps(
        to_har([Exchange(request=RecordedRequest(method="POST", url="https://a/?b=c", body=b"\xff"))])
    ),
    "> POST / HTTP/1.1\n> A: b\n< HTTP/1.1 200 OK\n",
]
ODD = "'\"\\$`{}[<>\n|;=:0\0"
PIECES = [*TEXTS, *(body.decode("latin-1")[:300] for body in BODIES), *ODD, "$'", "-d", "--json ", "@-"]


def test_any_text_is_read_or_rejected_and_nothing_else_is_raised():
    read = 0
    for number in range(extent(1_000, 200_000)):
        rng = random.Random(f"recordings {number}")
        text = rng.choice(SEEDS)
        for _ in range(rng.randrange(5)):
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.choice((0, 0, 1, 3, 30)))
            text = text[:start] + rng.choice(PIECES) + text[end:]
        data = text.encode("utf-8", "surrogatepass") if rng.random() < 0.3 else text
        try:
            use(read_recording(data))
            read += 1
        except InvalidArgument:
            continue
        except Exception as error:
            raise AssertionError(f"input {number}: {data!r}") from error
    assert read > 150
