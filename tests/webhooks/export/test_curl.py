"""The curl text, run by real bash and curl against a receiver that keeps what is on the wire."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hook_widgets.webhooks import Headers, Secret, WebhookRequest, provider, send
from tests.support.bash import run
from tests.support.extent import extent
from tests.support.shapes import FEW_SHAPES
from tests.support.wire import Seen, Talk, Wire

AT = 1_790_000_000

BODIES = {
    "empty": b"",
    "json": b'{"id": "evt_TEST", "note": "it\'s $5 `ok` \\\\ !! %s"}\n',
    "quotes": b"'\"''\"\"'\\''",
    "dollars": b"$HOME ${HOME} $(id) `id` $'x' $\"x\" \\$",
    "backslashes": b"\\ \\\\ \\n \\x41 \\0 \\c",
    "bangs": b"!! !$ !-1 ^a^b",
    "percent": b"%s %d %% %n %q",
    "lines": b"\n\none\ntwo\n\n",
    "crlf": b"[{}]\r\n",
    "end of a here-document": b"\nEND\nEND_\n",
    "an option": b"-n --data",
    "a file name": b"@/etc/hostname",
    "bom": b"\xef\xbb\xbf{}",
    "emoji": "\N{ROCKET} \N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER} é".encode(),
    "control": bytes(range(1, 32)) + b"\x7f",
    "nul": b"a\0b",
    "not utf-8": b"caf\xe9 \xff\xfe",
    "every byte": bytes(range(256)),
    "1 MiB of text": (b"0123456789 '$\"\\!`%\n" * 60000)[: 1024 * 1024],
    "1 MiB of anything": bytes(range(256)) * 4096,
}


def sent(request: WebhookRequest, wire: Wire) -> Seen:
    """Return the bytes that `send` puts on the wire, which every text has to equal."""
    assert send(request).status == 200
    return wire.requests[-1]


def pasted(text: str, wire: Wire, folder, **environment: str) -> Seen:
    """Return the bytes that the text puts on the wire when it is run."""
    done = run(text, folder, **environment)
    assert (done.returncode, done.stdout[-6:]) == (0, b"\r\n\r\nok"), done.stderr.decode()
    return wire.requests[-1]


@pytest.mark.parametrize("name", BODIES)
def test_curl_sends_the_same_bytes_and_headers_as_send(name, tmp_path):
    with Wire() as wire:
        request = provider("generic").draft(url=wire.url, body=BODIES[name]).sign(Secret("example"))
        assert pasted(request.curl(), wire, tmp_path) == sent(request, wire)
    assert wire.requests[0].body == BODIES[name]


@pytest.mark.parametrize("name", BODIES)
def test_self_signing_curl_sends_the_same_bytes_and_headers_as_send(name, tmp_path):
    secret = 'it\'s a $ecret \\ "with" `everything` % ! é'
    with Wire() as wire:
        request = provider("payment").draft(url=wire.url, body=BODIES[name], at=AT).sign(Secret(secret))
        text = request.curl(secret_env="HOOK_KEY")
        assert pasted(text, wire, tmp_path, HOOK_KEY=secret) == sent(request, wire)
    assert wire.requests[0].body == BODIES[name]


@settings(max_examples=extent(5, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode(errors="replace")))
def test_any_body_is_sent_alike_by_both_texts(body, tmp_path):
    with Wire() as wire:
        request = provider("chat").draft(url=wire.url, body=body, at=AT).sign(Secret("example"))
        expected = sent(request, wire)
        assert pasted(request.curl(), wire, tmp_path) == expected
        assert pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY="example") == expected


_VALUE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=30)


@settings(max_examples=extent(5, 40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(_VALUE, min_size=1, max_size=6))
def test_any_header_value_is_sent_alike_by_both_texts(values, tmp_path):
    own = [(f"X-Test-{i}", value) for i, value in enumerate(values)]
    with Wire() as wire:
        request = provider("generic").draft(url=wire.url, headers=own, at=AT).sign(Secret("example"))
        expected = sent(request, wire)
        assert pasted(request.curl(), wire, tmp_path) == expected
        assert pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY="example") == expected


@pytest.mark.parametrize(
    "path", ["/a/../b/./c//d?x={a,b}&y=[1-3]", "/it's?q=$HOME&r=`id`&s=%27", "/?a=b;c|d^e", "?q"]
)
def test_a_url_is_sent_as_written(path, tmp_path):
    with Wire() as wire:
        origin = f"http://127.0.0.1:{wire.port}"
        request = provider("generic").draft(url=origin + path).sign(Secret("example"))
        assert pasted(request.curl(), wire, tmp_path) == sent(request, wire)
    assert wire.requests[0].lines[0] == f"POST {path if path.startswith('/') else '/' + path} HTTP/1.1"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "X-TEST!"])
def test_another_method_is_sent_as_it_is(method, tmp_path):
    with Wire() as wire:
        request = WebhookRequest(method=method, url=wire.url, headers=Headers({"X-Test": "1"}), body=b"body")
        assert pasted(request.curl(), wire, tmp_path) == sent(request, wire)


def test_a_probe_by_head_does_not_wait_for_the_body_that_no_answer_to_it_has(tmp_path):
    def answer(talk: Talk) -> None:
        talk.hear()
        talk.say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")

    with Wire(answer) as wire:
        request = provider("trello").draft(event="head", url=wire.url).sign(Secret("example"))
        expected = sent(request, wire)
        for text in (request.curl(), request.curl(secret_env="HOOK_KEY")):
            done = run(text, tmp_path, HOOK_KEY="example")
            assert (0, expected) == (done.returncode, wire.requests[-1]), done.stderr


def test_headers_keep_order_case_and_repetition(tmp_path):
    own = [
        ("x-b", "2"),
        ("X-A", "1"),
        ("x-b", "3"),
        ("Accept", "text/x"),
        ("User-Agent", "Test/1"),
        ("X-Empty", ""),
    ]
    with Wire() as wire:
        request = WebhookRequest(method="POST", url=wire.url, headers=Headers(own), body=b"body")
        pasted(request.curl(), wire, tmp_path)
        sent(request, wire)
    assert [sent.headers[1:-1] for sent in wire.requests] == [own, own]


def test_curl_adds_no_header_of_its_own(tmp_path):
    with Wire() as wire:
        request = WebhookRequest(method="POST", url=wire.url, headers=Headers(), body=b"x" * 1100000)
        actual = pasted(request.curl(), wire, tmp_path)
    assert actual.headers == [("Host", f"127.0.0.1:{wire.port}"), ("Content-Length", "1100000")]


@pytest.mark.parametrize("name", FEW_SHAPES)
def test_the_curl_of_every_provider_and_scheme_is_what_send_delivers(name, tmp_path):
    known, key = provider(name), provider(name).example_secret()
    events = list({event.scheme: event.name for event in known.events}.values())
    with Wire() as wire:
        for event in events:
            request = known.draft(event=event, url=wire.url).sign(key)
            assert pasted(request.curl(), wire, tmp_path) == sent(request, wire)


def test_a_small_request_is_readable():
    request = WebhookRequest(
        method="POST",
        url="https://hooks.example.com/a?b=c",
        headers=Headers({"X-Sign": "v1=ab"}),
        body=b'{"id":1}',
    )
    assert request.curl() == (
        "printf '%s' '{\"id\":1}' |\n"
        "curl --include --http1.1 --globoff --path-as-is --request POST \\\n"
        "  --url 'https://hooks.example.com/a?b=c' \\\n"
        "  --header 'X-Sign: v1=ab' \\\n"
        "  --header 'User-Agent:' \\\n"
        "  --header 'Accept:' \\\n"
        "  --header 'Content-Type:' \\\n"
        "  --header 'Expect:' \\\n"
        "  --data-binary @-\n"
    )
