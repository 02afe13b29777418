"""Texts that `verify`, `diagnose` and `detect` take for a request, and their messages about it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from email.message import Message
from types import SimpleNamespace
from typing import Any

import pytest
from werkzeug.datastructures import EnvironHeaders
from werkzeug.datastructures import Headers as WerkzeugHeaders

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Headers, ReceivedRequest, Secret, detect, diagnose, verify
from hook_widgets.webhooks.recordings import read_recording

BODY = b'{"action":"opened"}'
KEY = "tulip-canyon-91"
SECRET = Secret(KEY)
NAME = "X-Hub-Signature-256"
SIG = "sha256=" + hmac.new(KEY.encode(), BODY, hashlib.sha256).hexdigest()
ENVIRON = {
    "REQUEST_METHOD": "POST",
    "HTTP_X_HUB_SIGNATURE_256": SIG,
    "HTTP_X_GITHUB_EVENT": "push",
    "CONTENT_TYPE": "application/json",
    "wsgi.version": (1, 0),
    "wsgi.input": object(),
}
EVENT: dict[str, Any] = {
    "version": "2.0",
    "headers": {NAME.lower(): SIG, "x-github-event": "push"},
    "body": BODY.decode(),
    "isBase64Encoded": False,
}
RAW = f"POST /h HTTP/1.1\r\nHost: x.example\r\n{NAME}: {SIG}\r\nX-GitHub-Event: push\r\n\r\n"


def message() -> Message:
    """Headers as `http.server` gives them."""
    headers = Message()
    headers[NAME] = SIG
    headers["X-GitHub-Event"] = "push"
    return headers


HEADERS: dict[str, Callable[[], Any]] = {
    "a list as value": lambda: {NAME: [SIG], "X-GitHub-Event": ["push"]},
    "None and int as values": lambda: {
        NAME: SIG,
        "X-GitHub-Event": "push",
        "X-None": None,
        "Content-Length": 19,
    },
    "bytes pairs": lambda: [(NAME.lower().encode(), SIG.encode()), (b"x-github-event", b"push")],
    "bytes mapping": lambda: {NAME.encode(): SIG.encode(), b"X-GitHub-Event": b"push"},
    "HAR": lambda: [{"name": NAME, "value": SIG}, {"name": "X-GitHub-Event", "value": "push"}],
    "key and value": lambda: [{"key": NAME, "value": SIG}, {"key": "X-GitHub-Event", "value": "push"}],
    "rawHeaders": lambda: [NAME, SIG, "X-GitHub-Event", "push"],
    "environment": lambda: ENVIRON,
    "generator": lambda: (pair for pair in ((NAME, SIG), ("X-GitHub-Event", "push"))),
    "http.server": message,
    "werkzeug": lambda: WerkzeugHeaders([(NAME, SIG), ("X-GitHub-Event", "push")]),
    "Flask": lambda: EnvironHeaders({key: value for key, value in ENVIRON.items() if isinstance(value, str)}),
    "text": lambda: f"{NAME}: {SIG}\nX-GitHub-Event: push",
    "alternating lines": lambda: f"{NAME}\n{SIG}\nX-GitHub-Event\npush",
}


@pytest.mark.parametrize("form", HEADERS)
def test_headers_of_every_form_verify_and_are_detected(form):
    assert verify("github", headers=HEADERS[form](), body=BODY, secret=SECRET).ok
    assert diagnose(None, secret=SECRET, headers=HEADERS[form](), body=BODY).verdict.ok
    assert "github" == detect(HEADERS[form]())[0].id


REQUESTS: dict[str, Any] = {
    "Lambda v2": EVENT,
    "Lambda v2, base64": EVENT | {"body": base64.b64encode(BODY).decode(), "isBase64Encoded": True},
    "Lambda v1": {
        "httpMethod": "POST",
        "path": "/h",
        "headers": {NAME: "the last value only", "X-GitHub-Event": "push"},
        "multiValueHeaders": {NAME: [SIG], "X-GitHub-Event": ["push"]},
        "body": BODY.decode(),
    },
    "Lambda v1, headers null": {
        "httpMethod": "POST",
        "headers": None,
        "multiValueHeaders": {NAME: [SIG], "X-GitHub-Event": ["push"]},
        "body": BODY.decode(),
    },
    "HAR entry": {
        "request": {
            "method": "POST",
            "url": "https://x.example/h",
            "headers": [{"name": NAME, "value": SIG}, {"name": "X-GitHub-Event", "value": "push"}],
            "postData": {"text": BODY.decode()},
        }
    },
    "Buffer of Node.js": {
        "method": "POST",
        "headers": {NAME: SIG, "X-GitHub-Event": "push"},
        "body": {"type": "parsed"},
        "rawBody": {"type": "Buffer", "data": list(BODY)},
    },
    "bytes as body": {
        "headers": [(NAME.lower().encode(), SIG.encode()), (b"x-github-event", b"push")],
        "body": BODY,
    },
    "text": RAW + BODY.decode(),
    "bytes": RAW.encode() + BODY,
    "curl": f"curl https://x.example -H '{NAME}: {SIG}' -H 'X-GitHub-Event: push' -d '{BODY.decode()}'",
    "recording": read_recording(RAW.encode() + BODY),
    "exchange": read_recording(RAW.encode() + BODY).exchanges[0],
    "recorded request": read_recording(RAW.encode() + BODY).exchanges[0].request,
    "list as value": ReceivedRequest(Headers({NAME: [SIG], "X-GitHub-Event": "push"}), BODY),  # type: ignore[arg-type]
    "dict as headers": ReceivedRequest({NAME: SIG, "X-GitHub-Event": "push"}, BODY),  # type: ignore[arg-type]
    "environment as headers": ReceivedRequest(ENVIRON, BODY),  # type: ignore[arg-type]
    "object without URL": SimpleNamespace(headers={NAME: SIG, "X-GitHub-Event": "push"}, body=BODY),
    "object with content": SimpleNamespace(
        headers=[(NAME, SIG), ("X-GitHub-Event", "push")], content=BODY, url=None, method="POST"
    ),
}


@pytest.mark.parametrize("form", REQUESTS)
def test_requests_of_every_form_verify_and_are_detected(form):
    assert verify("github", REQUESTS[form], SECRET).ok
    diagnosis = diagnose(None, REQUESTS[form], SECRET)
    assert (True, "github") == (diagnosis.verdict.ok, diagnosis.provider)


def test_the_url_and_method_of_a_text_are_used_for_schemes_that_sign_them():
    url, params = "https://x.example/sms?a=b", "Body=hi&From=1"
    mac = hmac.new(KEY.encode(), (url + "BodyhiFrom1").encode(), hashlib.sha1).digest()
    text = (
        "POST /sms?a=b HTTP/1.1\nHost: x.example\nContent-Type: application/x-www-form-urlencoded\n"
        f"X-Twilio-Signature: {base64.b64encode(mac).decode()}\n\n{params}"
    )

    assert verify("twilio", text, SECRET).ok
    assert not verify("twilio", text, SECRET, url="https://other.example/sms").ok


@pytest.mark.parametrize(
    ("headers", "note"),
    [
        ({NAME: [SIG]}, "read as mapping of headers"),
        (ENVIRON, "read as CGI or WSGI environment"),
        ({NAME: [SIG], "X-None": None}, "left out, because the value is no text: X-None"),
        (f"{NAME}\n{SIG}", "names and values are on lines of their own"),
    ],
)
def test_an_unusual_form_is_said_in_the_verdict_and_in_the_diagnosis(headers, note):
    verdict = verify("github", headers=headers, body=BODY, secret=SECRET)
    diagnosis = diagnose("github", secret=Secret("another"), headers=headers, body=BODY)

    assert "Request" == verdict.steps[0].label
    assert note in verdict.steps[0].text
    assert note in "; ".join(diagnosis.notes)
    assert note in str(diagnosis)


def test_the_usual_arguments_have_no_notes():
    for headers in ({NAME: SIG}, [(NAME, SIG)], Headers({NAME: SIG}), f"{NAME}: {SIG}"):
        verdict = verify("github", headers=headers, body=BODY, secret=SECRET)

        assert ["Signature header", "Signature"] == [step.label for step in verdict.steps]
        assert () == diagnose("github", secret=SECRET, headers=headers, body=BODY).notes


def test_a_header_with_the_name_of_a_variable_hides_no_other():
    verdict = verify("github", headers={NAME: SIG, "HTTP_X_FORGED": "1"}, body=BODY, secret=SECRET)

    assert verdict.ok
    assert "Request" not in {step.label for step in verdict.steps}


@pytest.mark.parametrize("forged", ["HTTP_X_HUB_SIGNATURE_256", "X_HUB_SIGNATURE_256"])
def test_a_signature_under_another_name_does_not_count_among_headers(forged):
    headers = {forged: SIG, "Content-Type": "application/json"}

    assert not verify("github", headers=headers, body=BODY, secret=SECRET).ok


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"headers": {NAME: SIG}, "body": BODY.decode()}, "body is of type str"),
        ({"headers": {NAME: SIG}}, "no request"),
        ({"headers": 5, "body": BODY}, "headers= must be"),
        ({"headers": [1, 2], "body": BODY}, "headers= must be"),
        ({"headers": {"a": {"b": "c"}}, "body": BODY}, "headers= must be"),
        ({"headers": "hello", "body": BODY}, "line 1"),
        ({"request": {NAME: SIG}}, "not its body"),
        ({"request": ENVIRON}, "not its body"),
        ({"request": f"{NAME}: {SIG}"}, "not its body"),
        (
            {"request": EVENT | {"body": {"action": "opened"}}},
            "not its body .the body is given as parsed JSON",
        ),
        ({"request": EVENT | {"headers": None}}, "cannot be read"),
        ({"request": [EVENT, EVENT]}, "not a request"),
        ({"request": json.loads(BODY)}, "rather a body"),
        ({"request": 5}, "has no headers"),
        ({"request": object()}, "has no headers"),
        ({"request": SimpleNamespace(headers={NAME: SIG}, body="{}")}, "body is of type str"),
        ({"request": SimpleNamespace(headers={NAME: SIG})}, "body is missing"),
        ({"request": EVENT, "body": BODY}, "two requests"),
    ],
)
def test_arguments_that_are_no_request_are_named(arguments, reason):
    for function in (verify, diagnose):
        with pytest.raises(InvalidArgument, match=reason):
            function("github", secret=SECRET, **arguments)
