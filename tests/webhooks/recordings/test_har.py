"""HAR: what is read, exported without credentials, and compared."""

from __future__ import annotations

import base64
import json
import subprocess
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from jsonschema import ValidationError

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers, Secret, providers
from hook_widgets.webhooks.recordings import (
    Exchange,
    RecordedRequest,
    RecordedResponse,
    compare,
    read_recording,
    to_har,
    to_json,
)
from hook_widgets.webhooks.scheme import credential_places
from tests.support import har

AT = datetime(2026, 11, 23, 12, 0, 0, 250_000, tzinfo=UTC)
SECRET = "s3cr3t-t0ken/with+signs="
ENCODED = quote(SECRET, safe="")


def exchange(body: bytes | None = b'{"id": 1}\r\n', *headers: tuple[str, str], **more) -> Exchange:
    request = RecordedRequest(
        method="POST",
        url=more.pop("url", "https://a.example/x?y=%20z&y="),
        headers=Headers(
            (("Content-Type", "application/json"), ("X-Hub-Signature-256", "sha256=00"), *headers)
        ),
        body=body,
    )
    response = RecordedResponse(status=200, reason="OK", headers=Headers({"A": "b"}), body=b"\xffok")
    return Exchange(**{"request": request, "response": response, "started": AT, "duration_s": 0.0125, **more})


EXCHANGES = [
    exchange(provider="github", event="push"),
    exchange(b"\xff\x00"),
    exchange("caf\u00e9 \U0001f600".encode()),
    exchange(b"", response=None, error="no response within 5 s"),
    exchange(started=None, duration_s=None),
]


def test_an_export_is_har_and_its_schema_rejects_what_is_not():
    exported = to_har(EXCHANGES)
    har.check(exported)
    har.check(to_har([]))
    for path in ("creator", "entries", "version"):
        broken = json.loads(json.dumps(exported))
        del broken["log"][path]
        with pytest.raises(ValidationError):
            har.check(broken)
    broken = json.loads(json.dumps(exported))
    broken["log"]["entries"][0]["request"]["headers"][0]["name"] = 1
    with pytest.raises(ValidationError):
        har.check(broken)


def test_an_export_is_read_again():
    text = json.dumps(to_har(EXCHANGES))
    read = read_recording(text).exchanges
    for before, after in zip(EXCHANGES, read, strict=True):
        assert after.request.body == before.request.body
        assert after.request.headers == before.request.headers
        assert after.request.url == before.request.url
        assert after.request.notes == ()
        assert after.response == before.response
        assert (after.provider, after.event, after.error) == (before.provider, before.event, before.error)
    assert (read[0].started, read[0].duration_s) == (AT, 0.0125)


def test_the_json_export_is_read_again_entry_by_entry():
    for before, plain in zip(EXCHANGES, json.loads(to_json(EXCHANGES)), strict=True):
        (after,) = read_recording(json.dumps(plain["request"])).exchanges
        assert after.request.body == before.request.body
        assert after.request.headers == before.request.headers


def entry(post: object = None, **request: object) -> str:
    whole = {"method": "POST", "url": "https://a.example/", "headers": [], "bodySize": -1, **request}
    if post is not None:
        whole["postData"] = post
    return json.dumps({"log": {"entries": [{"request": whole, "time": -1, "startedDateTime": "soon"}]}})


@pytest.mark.parametrize(
    ("post", "size", "body", "note"),
    [
        ({"text": "ab\n"}, 3, b"ab\n", ""),
        ({"text": "ab\n"}, 4, b"ab\r\n", "CRLF"),
        ({"text": "ab"}, 9, b"ab", "changed or cut"),
        ({"text": "\u00e9"}, 2, "é".encode(), ""),
        ({"text": "\u00e9"}, 1, b"\xe9", "one character for each byte"),
        ({"text": "\u00e9"}, -1, "é".encode(), "UTF-8"),
        ({"text": "a\ufffd"}, 4, "a\ufffd".encode(), "lost"),
        ({"text": "/wA=", "encoding": "base64"}, 2, b"\xff\0", ""),
        ({"text": "%", "encoding": "base64"}, 2, None, "damaged"),
        ({"params": [{"name": "a", "value": "b c"}]}, 5, b"a=b+c", "encoded again"),
        ({"params": [{"name": "a", "fileName": "b"}]}, 5, None, "does not contain the body"),
        (None, 5, None, "does not contain the body"),
        (None, 0, b"", ""),
    ],
)
def test_a_body_is_exact_or_has_a_note(post, size, body, note):
    (read,) = read_recording(entry(post, bodySize=size)).exchanges
    assert read.request.body == body
    assert (note in " ".join(read.request.notes)) if note else not read.request.notes
    assert (read.started, read.duration_s) == (None, None)


def test_headers_of_http_2_stay_out_and_broken_entries_are_counted():
    log = json.loads(
        entry({"text": "{}"}, headers=[{"name": ":method", "value": "POST"}, {"name": "a", "value": "b"}])
    )
    log["log"]["entries"] += [{}, None, {"request": {"url": 1}}]
    recording = read_recording(json.dumps(log))
    assert recording.exchanges[0].request.headers.multi_items() == [("a", "b")]
    assert recording.notes == ("3 entries have no request that can be read",)
    with pytest.raises(InvalidArgument, match="no entry"):
        read_recording('{"log": {"entries": []}}')


def token_exchanges() -> list[Exchange]:
    """A request of every provider that sends the secret itself, with the secret in each place."""
    exchanges = []
    for source in providers():
        scheme = next((scheme for scheme in source.schemes if credential_places(scheme)), None)
        if scheme is None:
            continue
        request = source.draft(scheme=scheme.name, url=f"https://a.example/x?token={ENCODED}").sign(
            Secret(SECRET)
        )
        plain = RecordedRequest(
            method="POST",
            url=request.url.replace("//", f"//ann:{ENCODED}@"),
            headers=request.headers,
            body=request.body,
        )
        exchanges += [Exchange(request=plain, provider=source.id), Exchange(request=plain)]
    return exchanges


def test_no_export_contains_a_token():
    forms = [SECRET, ENCODED, json.dumps(SECRET)[1:-1], base64.b64encode(SECRET.encode()).decode()]
    exchanges = [
        *token_exchanges(),
        exchange(b"", ("Authorization", f"Bearer {SECRET}"), ("Cookie", SECRET), ("X-API-Key", SECRET)),
        exchange(f'{{"passcode": "{SECRET}"}}'.encode(), provider="figma"),
        exchange(f'{{"passcode": "{SECRET}"'.encode(), provider="figma"),
    ]
    before = repr([(x.request.url, x.request.headers, x.request.body) for x in exchanges])
    assert all(form in before for form in (SECRET, ENCODED))  # the test can fail
    for exported in (json.dumps(to_har(exchanges)), to_json(exchanges)):
        assert not [form for form in forms if form in exported]
        assert "REDACTED" in exported
        assert "sha256=00" in exported  # a signature is no credential


def _signs_authorization(scheme) -> bool:
    signed = {s.name for s in scheme.signatures if not s.algorithm.reveals_secret}
    return "Authorization" in scheme.headers and bool(scheme.header_template("Authorization").names & signed)


def test_a_signature_in_authorization_stays():
    signers = [p for p in providers() if any(map(_signs_authorization, p.schemes))]
    assert signers
    for known in signers:
        scheme = next(filter(_signs_authorization, known.schemes))
        request = known.draft(scheme=scheme.name).sign(known.example_secret())
        plain = RecordedRequest(method="POST", url=request.url, headers=request.headers, body=request.body)
        exported = to_har([Exchange(request=plain, provider=known.id)])
        values = {h["name"]: h["value"] for h in exported["log"]["entries"][0]["request"]["headers"]}
        assert values["Authorization"] == request.headers["Authorization"]


BODIES = [
    (b"a\nb\nc\n", b"a\nB\nc\n"),
    (b"a\nb", b"a\nb\n"),
    (b"", b"a\n"),
    (b"x\n" * 40 + b"a\n" + b"y\n" * 40, b"x\n" * 40 + b"b\n" + b"y\n" * 40 + b"z\n"),
    (b"".join(b"%d\n" % i for i in range(300)), b"".join(b"%d\n" % (i + i // 100) for i in range(300))),
    (b"".join(b"a%d\n" % i for i in range(3000)), b"".join(b"b%d\n" % i for i in range(3000))),
]


@pytest.mark.parametrize(("before", "after"), BODIES)
def test_patch_makes_the_second_body_of_the_first(before, after, tmp_path):
    lines = compare(exchange(before), exchange(after)).body
    file = tmp_path / "body"
    file.write_bytes(before)
    text = "".join(
        "\\ No newline at end of file\n" if line.endswith("No newline at end of body") else line + "\n"
        for line in [f"--- {file}", f"+++ {file}", *_with_markers(lines)]
    )
    done = subprocess.run(["patch", "-s", str(file)], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert file.read_bytes() == after


def _with_markers(lines: tuple[str, ...]) -> list[str]:
    """Lines for `patch`, for which a missing end of line is no line of its own, so that counts differ."""
    if not any("No newline" in line for line in lines):
        return list(lines)
    body = [line for line in lines if not line.startswith("@@")]
    fixed, removed, added = [], 0, 0
    for i, line in enumerate(body):
        if not line:
            continue
        if "No newline" in line:
            fixed.append(line)
            continue
        mark = line[0]
        following = body[i + 1] if i + 1 < len(body) else ""
        if mark == " " and "No newline" in following and following[0] != " ":  # only one side ends there
            pair = [f"-{line[1:]}", f"+{line[1:]}"]
            position = 1 if following[0] == "-" else 2
            pair.insert(position, following)
            fixed += pair
            removed, added = removed + 1, added + 1
            body[i + 1] = ""
            continue
        fixed.append(line)
        removed += mark in " -"
        added += mark in " +"
    return [f"@@ -1,{removed} +1,{added} @@", *fixed]


def test_headers_and_responses_are_compared():
    one = exchange(b"{}", ("A", "1"))
    two = exchange(b"{}", ("A", "2"), response=RecordedResponse(status=422, reason="Unprocessable Content"))
    result = compare(one, two)
    assert result.headers[-2:] == ("-A: 1", "+A: 2")
    assert result.body == ()
    assert "-HTTP 200 OK" in result.response
    assert "+HTTP 422 Unprocessable Content" in result.response
    assert compare(one, one).same
    assert compare(one, exchange(None)).body[-1] == "+(unknown body)"


def test_json_in_one_line_is_formatted_and_white_space_alone_has_a_note():
    long = json.dumps({str(i): i for i in range(60)}).encode()
    changed = long.replace(b'"7": 7', b'"7": 8')
    result = compare(exchange(long), exchange(changed))
    assert [line for line in result.body if line[0] in "-+"] == ['-  "7": 7,', '+  "7": 8,']
    assert "the bodies are formatted for the comparison" in result.notes
    spaced = compare(exchange(long), exchange(long.replace(b" ", b"")))
    assert spaced.body == ()
    assert "the bodies differ in white space only" in spaced.notes
    returns = compare(exchange(b"a\n"), exchange(b"a\r\n"))
    assert returns.body[-2:] == ("-a", "+a␍")
