"""Headers that a program printed, and the body that it printed after them.

Each head is what these programs write: util.inspect of Node.js 22, repr of Django, Starlette and aiohttp,
pprint, print_r and var_dump of PHP 8.2, dd of Laravel, %v and log/slog of Go 1.22, inspect of Elixir, {:?} of
Rust.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import pprint

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Secret, verify
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording
from tests.support.work import at_most_lines

SECRET = Secret("plum-canyon-12345678")
BODY = '{"zen":"Ünïcode & \\"quotes\\"","id":12,"url":"https://a.example/b?c=d"}'
SIG = "sha256=" + hmac.new(SECRET.reveal().encode(), BODY.encode(), hashlib.sha256).hexdigest()
HEADERS = {
    "Host": "x.example",
    "Content-Type": "application/json",
    "X-GitHub-Event": "push",
    "X-Hub-Signature-256": SIG,
}
LOWER = {name.lower(): value for name, value in HEADERS.items()}
META = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in HEADERS.items()}
INSPECTED = "{\n" + ",\n".join(f"  '{name}': '{value}'" for name, value in LOWER.items()) + "\n}"
QUOTED = json.dumps(BODY, ensure_ascii=False)

#: one after the other
PRINTED = {
    "console.log, twice": f"{INSPECTED}\n{BODY}",
    "console.log with labels": f"headers: {INSPECTED}\nbody: {BODY}",
    "console.log with labels of words": f"Request headers {INSPECTED}\nRaw body: {BODY}",
    "Headers of Node.js": f"Headers {INSPECTED}\n{BODY}",
    "Django": f"{HEADERS!r}\n{BODY.encode()!r}",
    "request.META": pprint.pformat({**META, "REQUEST_METHOD": "POST", "PATH_INFO": "/in"}) + f"\n\n{BODY}",
    "Starlette": f"Headers({LOWER!r})\nbody={BODY.encode()!r}",
    "aiohttp": f"<CIMultiDictProxy({str(HEADERS)[1:-1]})>\n{BODY.encode()!r}",
    "Laravel": "array:4 [\n"
    + "".join(f'  "{name}" => array:1 [\n    0 => "{value}"\n  ]\n' for name, value in LOWER.items())
    + f"]\n\n{BODY}",
    "print_r": "Array\n(\n" + "".join(f"    [{n}] => {v}\n" for n, v in HEADERS.items()) + f")\n{BODY}",
    "var_dump": "array(4) {\n"
    + "".join(f'  ["{n}"]=>\n  string({len(v)}) "{v}"\n' for n, v in META.items())
    + f"}}\n{BODY}",
    "Go": f"map[{' '.join(f'{n}:[{v}]' for n, v in HEADERS.items())}]\n{BODY}",
    "slog": "time=2026-09-01T12:00:00Z level=INFO msg=in headers="
    f'"map[{" ".join(f"{n}:[{v}]" for n, v in HEADERS.items())}]" body={QUOTED}',
    "Elixir": "[" + ", ".join(f'{{"{n}", "{v}"}}' for n, v in LOWER.items()) + f"]\n{BODY}",
    "Rust": json.dumps(LOWER) + f"\n{BODY}",
    "tracing of Rust": f"headers={json.dumps(LOWER)} body={QUOTED}",
    "Rack": "\n".join(f"{n}={v}" for n, v in META.items()) + f"\n\n{BODY}",
    "Spring": "headers = [" + ", ".join(f'{n}:"{v}"' for n, v in LOWER.items()) + f"]\nbody = {BODY}",
    "header lines": "\n".join(f"{n}: {v}" for n, v in HEADERS.items()) + f"\n{BODY}",
}


def request_of(text: str) -> RecordedRequest:
    (exchange,) = read_recording(text).exchanges
    return exchange.request


@pytest.mark.parametrize("text", PRINTED.values(), ids=PRINTED)
def test_the_body_that_follows_printed_headers_is_read(text):
    request = request_of(text)

    assert request.body == BODY.encode()
    assert verify("github", text, SECRET).ok


def test_a_note_says_that_the_body_followed():
    assert request_of(PRINTED["Rust"]).notes[-1] == "what follows the headers was read as the body"


def test_a_form_is_a_body_behind_its_label_only():
    head = json.dumps(LOWER)

    assert request_of(f"{head}\nbody: token=x&text=a+b").body == b"token=x&text=a+b"
    assert request_of(f"{head}\ntoken=x&text=a+b").body is None


def test_the_prefix_of_springs_filter_may_be_another():
    """As setAfterMessagePrefix("REQUEST DATA: ") sets it, with the method and the fields of createMessage."""
    fields = ", ".join(f'{name}:"{value}"' for name, value in LOWER.items())
    line = f"DEBUG CommonsRequestLoggingFilter : REQUEST DATA: POST /in, headers=[{fields}], payload={BODY}]"

    request = request_of(line)

    assert (request.method, request.url, request.body) == ("POST", "https://x.example/in", BODY.encode())


def test_power_automate_gives_a_body_that_is_no_json_in_base64():
    encoded = {"$content-type": "application/json", "$content": "eyJhIjoxfQ=="}

    assert request_of(json.dumps({"headers": HEADERS, "body": encoded})).body == b'{"a":1}'


@pytest.mark.parametrize(
    "text",
    [
        f"> GET /in HTTP/1.1\n> Host: x.example\n>\n< HTTP/1.1 200 OK\n<\n{BODY}",
        f'{json.dumps(LOWER)}\n{{"level":"info"}}\n{{"level":"info"}}',  # lines of a log
        f"{json.dumps(LOWER)}\n{BODY[:-5]}",  # cut off
        f"{json.dumps(LOWER)}\n{{}}",
        f'{{"headers": {json.dumps(LOWER)}, "body": {{"a": 1}}}}',  # parsed
    ],
)
def test_no_other_text_becomes_a_body(text):
    assert request_of(text).body is None


@pytest.mark.parametrize("before", ["", "curl https://x.example/in -H 'X-GitHub-Event: push'\n"])
def test_a_body_alone_and_the_response_to_a_command_are_no_request(before):
    with pytest.raises(InvalidArgument):
        read_recording(before + BODY)


@pytest.mark.parametrize("piece", ["body: {", "\n{", "\n[", "\nb'\\", 'payload="', "body:body:"])
def test_the_work_grows_as_the_length(piece):
    text = json.dumps(LOWER) + piece * 4_000

    with at_most_lines(50 * len(text) + 20_000), contextlib.suppress(InvalidArgument):
        read_recording(text)
