"""The widget's diagnosis: the kernel reads and asks, the tab that holds the secret answers, nothing leaks."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import cast

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import KeyPair, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from hook_widgets.webhooks.verification.verify import Inspection, inspect
from hook_widgets.widgets._rpc import Deferred, Rpc
from hook_widgets.widgets.generator.diagnosis import diagnosis_wire, on_diagnose
from hook_widgets.widgets.generator.signing_broker import SigningBroker
from tests.widgets.fake_tab import matched

CANARY = "canary-5d1e"
BODY = b'{"type":"invoice.paid","id":6}'


class Tab:
    """Stands in for `Rpc`: a tab that answers a match job with a secret of its own, or as it is told to."""

    def __init__(self, secret, *, answer=None):
        self.secret = secret
        self.answer = answer
        self.asked = []

    def ask(self, op, args, buffers, answered, failed):
        self.asked.append((op, args, buffers))
        assert json.dumps(args)
        matches = matched(self.secret, args, buffers)
        answered({"matches": matches if self.answer is None else self.answer(matches)}, [])
        return ""

    def after(self, seconds, call):
        pass


def _asked(args, *bodies, tab=None, key=None, own=()):
    """The answer to the op, at once or later."""
    result = on_diagnose(args, list(bodies), SigningBroker(cast("Rpc", tab), key), own)
    if not isinstance(result, Deferred):
        return result
    replies = []
    result.deliver_to(lambda reply, _buffers: replies.append(reply))
    return replies[0]["value"]


def _request(name, *, secret=CANARY, body=BODY):
    return provider(name).draft(body=body, at=1_788_264_000).sign(Secret(secret))


def _args(name, request, **more):
    pasted = "\n".join(f"{key}: {value}" for key, value in request.headers.multi_items())
    return {
        "provider": name,
        "headers_text": pasted,
        "url": request.url,
        "now": "2026-09-01T12:00:00Z",
        **more,
    }


def test_the_tab_answers_the_questions_and_the_cause_is_reported():
    request = _request("stripe")
    tab = Tab(CANARY)

    report = _asked(_args("stripe", request), BODY + b"\n", tab=tab)

    assert "signature_differs" == report["verdict"]["reason"]
    assert ["body-newline-added"] == [finding["cause"] for finding in report["findings"]]
    assert {"cause", "title", "change", "frameworks"} == report["findings"][0].keys()
    assert ["Flask", "Django"] == [name for name, _ in report["findings"][0]["frameworks"]][:2]
    assert ["as received", "as signed"] == [string["label"] for string in report["strings"]]
    assert "first difference" in report["difference"]


def test_the_kernel_learns_nothing_of_the_secret():
    request = _request("stripe")
    tab = Tab(CANARY)

    report = _asked(_args("stripe", request), BODY + b"\n", tab=tab)

    assert CANARY not in json.dumps(report)
    assert all(CANARY.encode() not in buffer for _, _, buffers in tab.asked for buffer in buffers)


@pytest.mark.parametrize(
    "answer",
    [
        lambda m: m[1:],
        lambda m: [*m, -1],
        lambda m: [True, *m[1:]],
        lambda m: [-2, *m[1:]],
        lambda m: [99, *m[1:]],
    ],
)
def test_an_answer_that_is_no_index_for_each_question_is_no_answer(answer):
    with pytest.raises(InvalidArgument, match="the response"):
        _asked(_args("stripe", _request("stripe")), BODY + b"\n", tab=Tab(CANARY, answer=answer))


def test_a_tab_is_asked_by_name_and_never_how_to_read_a_secret():
    tab = Tab(CANARY)
    _asked(_args("hubspot", _request("hubspot")), BODY + b"\n", tab=tab)

    _, args, _ = tab.asked[0]
    names = {(job["scheme"], job["field"]) for job in args["jobs"]}
    assert {("v3", "signature"), ("v2", "signature")} <= names
    assert {"", "trimmed", "unprefixed-base64"} <= {job["variant"] for job in args["jobs"]}
    assert {"", "token"} <= {job["algorithm"] for job in args["jobs"]}


def test_a_question_that_has_no_name_is_not_asked_of_a_tab_and_counts_as_no_match():
    inspection = inspect("github", _request("github"))
    assert isinstance(inspection, Inspection)
    (usual,) = inspection.jobs
    nameless = replace(usual, variant=None)
    tab = Tab(CANARY)
    answers: list[list[int]] = []

    def fail(error):
        raise error

    jobs = (usual, nameless, usual)
    SigningBroker(cast("Rpc", tab), None).match(provider("github"), jobs, answers.append, fail)

    assert [[0, -1, 0]] == answers
    assert [2] == [len(args["jobs"]) for _, args, _ in tab.asked]


def test_a_tab_that_holds_a_token_is_asked_of_nothing_but_that_token():
    request = _request("github")
    headers = f"X-Gitlab-Token: wrong\nX-Hub-Signature-256: {request.headers['X-Hub-Signature-256']}"
    tab = Tab(CANARY)

    report = _asked({"provider": "gitlab-token", "headers_text": headers}, BODY, tab=tab)

    assert "signature_differs" == report["verdict"]["reason"]
    assert {""} == {job["algorithm"] for _, args, _ in tab.asked for job in args["jobs"]}


def test_each_body_travels_once_however_many_questions_are_about_it():
    body = json.dumps([{"id": n, "name": "Ada"} for n in range(500)]).encode()
    request = _request("stripe", body=body)
    tab = Tab("another")

    _asked(_args("stripe", request), body, tab=tab)

    _, args, buffers = tab.asked[0]
    assert len(buffers) == len(set(buffers))
    assert sum(map(len, buffers)) < 100 * len(body)
    assert len(args["jobs"]) > 500


def test_a_slip_with_the_secret_is_reported_although_only_the_tab_knows_it():
    request = _request("github", secret=CANARY)

    report = _asked(_args("github", request), BODY, tab=Tab(f'"{CANARY}"'))

    assert ["secret-quotes"] == [finding["cause"] for finding in report["findings"]]


def test_a_key_in_the_kernel_answers_without_a_tab():
    request = _request("github")

    changed = b'{"type": "invoice.paid", "id": 6}'

    report = _asked(_args("github", request), changed, key=Secret(CANARY))

    assert ["body-compact"] == [finding["cause"] for finding in report["findings"]]


def test_the_provider_is_detected_when_none_is_named():
    request = _request("slack")

    report = _asked(_args("", request), BODY, tab=Tab(CANARY))

    assert "slack" == report["provider"]
    assert {"id": "slack", "title": "Slack"} == report["detected"][0]
    assert report["verdict"]["ok"]


def test_headers_of_no_provider_are_answered_at_once():
    report = _asked({"provider": "", "headers_text": "Accept: */*"}, b"{}")

    assert "" == report["provider"]
    assert "select the provider" in report["verdict"]["detail"]
    assert [] == report["excluded"]


def test_a_public_key_needs_no_tab():
    pair = KeyPair.generate("ed25519")
    request = provider("discord").draft(body=BODY, at=1_788_264_000).sign(pair)
    args = _args("discord", request, public_key=pair.public)

    report = _asked(args, BODY + b"\n")

    assert ["body-newline-added"] == [finding["cause"] for finding in report["findings"]]


@pytest.mark.parametrize("name", ["stripe", "github", "slack"])
def test_the_body_that_was_sent_is_known_for_a_request_of_the_widget(name):
    request, other = _request(name), _request(name, body=b'{"other":1}')
    changed = BODY.replace(b"6", b"7")

    report = _asked(_args(name, request), changed, tab=Tab("no"), own=[other, request])

    assert ["as received", "as sent"] == [string["label"] for string in report["strings"]]
    assert "received ‘7}’, sent ‘6}’" in report["difference"]


def test_no_body_is_no_changed_body_also_where_the_widget_knows_the_one_that_was_sent():
    request = _request("stripe")

    report = _asked(_args("stripe", request), b"", tab=Tab("no"), own=[request])

    assert ["body-missing"] == [finding["cause"] for finding in report["findings"]]
    assert report["findings"][0]["title"].startswith("No body pasted")


def test_the_browser_may_know_the_body_that_was_sent():
    report = _asked(_args("github", _request("github")), b'{"a":2}', b'{"a":1}', tab=Tab("no"))

    assert "first difference at byte 5: received ‘2}’, sent ‘1}’" == report["difference"]


def test_the_wire_shape_is_that_of_the_diagnosis():
    report = diagnose("github", _request("github"), Secret("other"))

    shape = diagnosis_wire(report)

    assert {
        "verdict", "provider", "detected", "findings", "hints", "excluded", "not_excluded", "strings",
        "difference",
    } == shape.keys()  # fmt: skip
    assert [
        {"label": s.label, "length": s.length, "sha256": s.sha256, "shown": s.shown} for s in report.strings
    ] == shape["strings"]
    assert json.loads(json.dumps(shape)) == shape


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("X-Hub-Signature-256\n{signature}\nX-GitHub-Event\nping", "lines of their own"),
        ("{{'x-hub-signature-256': '{signature}', 'x-github-event': 'ping'}}", "mapping of headers"),
        ("> POST / HTTP/2\n> X-Hub-Signature-256: {signature}\n>", "does not show the body"),
    ],
)
def test_headers_of_any_form_are_diagnosed_and_a_step_says_how_they_were_read(text, note):
    request = _request("github")
    text = text.format(signature=request.headers["X-Hub-Signature-256"])

    report = _asked(_args("github", request, headers_text=text), BODY, tab=Tab(CANARY))

    assert report["verdict"]["ok"]
    assert "Request" == report["verdict"]["steps"][0]["label"]
    assert note in report["verdict"]["steps"][0]["text"]


def test_a_raw_request_in_the_headers_brings_its_body():
    request = _request("github")
    lines = "\n".join(f"{key}: {value}" for key, value in request.headers.multi_items())
    text = f"POST /h HTTP/1.1\nHost: a.example\n{lines}\n\n{BODY.decode()}"

    alone = _asked(_args("github", request, headers_text=text), b"", tab=Tab(CANARY))
    both = _asked(_args("github", request, headers_text=text), b"{}", tab=Tab(CANARY))

    assert alone["verdict"]["ok"]
    assert not both["verdict"]["ok"]
    assert "the field of the body was used" in both["verdict"]["steps"][0]["text"]


@pytest.mark.parametrize("pasted", ["not a header", "curl https://a.example/ https://b.example/ -H 'a: b'"])
def test_an_error_in_the_pasted_text_is_about_the_field_of_the_headers(pasted):
    with pytest.raises(InvalidArgument) as caught:
        _asked({"provider": "github", "headers_text": pasted}, BODY)

    assert caught.value.field == "headers"
