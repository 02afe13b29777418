"""The widget's diagnosis: the kernel reads and asks, the tab that holds the secret answers, nothing leaks."""

from __future__ import annotations

import json
from typing import cast

import pytest

from hook_widgets.webhooks import KeyPair, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from hook_widgets.webhooks.secret import KeyEdit, KeyForm, KeySpec
from hook_widgets.webhooks.signing import Algorithm, LocalSigner, MatchJob, SigningJob
from hook_widgets.widgets._diagnosis import diagnosis_wire, on_diagnose
from hook_widgets.widgets._keyholder import KeyHolder
from hook_widgets.widgets._rpc import Later, Rpc

CANARY = "canary-5d1e"
BODY = b'{"type":"invoice.paid","id":6}'


class Tab:
    """Stands in for `Rpc`: a tab that answers a match job from its wire form, with a secret of its own."""

    def __init__(self, secret):
        self.secret = Secret(secret)
        self.asked = []

    def ask(self, op, args, buffers, answered, failed):
        self.asked.append((op, args, buffers))
        assert json.dumps(args)
        jobs = [self._job(spec, buffers) for spec in args["jobs"]]
        matches = [-1] * len(jobs)
        for place, job in enumerate(jobs):
            matches[place] = LocalSigner(self.secret).match([job])[0]
            if matches[place] >= 0 and args["first"]:
                break
        answered({"matches": matches}, [])
        return ""

    def _job(self, spec, buffers):
        key = KeySpec(
            KeyForm(spec["form"]),
            spec["strip_prefix"],
            spec["normalize"],
            spec["digest"],
            KeyEdit(spec["edit"]),
        )
        message = tuple(buffers[i] for i in spec["message"])
        job = SigningJob(spec["field"], Algorithm(spec["algorithm"]), key, message)
        return MatchJob(job, tuple(buffers[i] for i in spec["presented"]), spec["lenient"])

    def after(self, seconds, call):
        pass


def _asked(args, *bodies, tab=None, key=None, made=()):
    """The answer to the op, at once or later."""
    result = on_diagnose(args, list(bodies), KeyHolder(cast("Rpc", tab), key), made)
    if not isinstance(result, Later):
        return result
    replies = []
    result.deliver_to(lambda reply, _buffers: replies.append(reply))
    return replies[0]["value"]


def _request(name, *, secret=CANARY, body=BODY):
    return provider(name).draft(body=body, at=1_788_264_000).sign(Secret(secret))


def _args(name, request, **more):
    pasted = "\n".join(f"{key}: {value}" for key, value in request.headers.pairs)
    return {
        "provider": name,
        "headers_text": pasted,
        "url": request.url,
        "now": "2026-09-01T12:00:00Z",
        **more,
    }


def test_the_tab_answers_the_questions_and_the_cause_is_told():
    request = _request("stripe")
    tab = Tab(CANARY)

    told = _asked(_args("stripe", request), BODY + b"\n", tab=tab)

    assert "signature_differs" == told["verdict"]["reason"]
    assert ["body-newline-added"] == [found["cause"] for found in told["findings"]]
    assert {"cause", "title", "change", "frameworks"} == told["findings"][0].keys()
    assert ["Flask", "Django"] == [name for name, _ in told["findings"][0]["frameworks"]][:2]
    assert ["as received", "as signed"] == [string["label"] for string in told["strings"]]
    assert "first differ" in told["difference"]


def test_the_kernel_learns_nothing_of_the_secret():
    request = _request("stripe")
    tab = Tab(CANARY)

    told = _asked(_args("stripe", request), BODY + b"\n", tab=tab)

    assert CANARY not in json.dumps(told)
    assert all(CANARY.encode() not in buffer for _, _, buffers in tab.asked for buffer in buffers)


def test_each_body_travels_once_however_many_questions_are_about_it():
    body = json.dumps([{"id": n, "name": "Ada"} for n in range(500)]).encode()
    request = _request("stripe", body=body)
    tab = Tab("another")

    _asked(_args("stripe", request), body, tab=tab)

    _, args, buffers = tab.asked[0]
    assert len(buffers) == len(set(buffers))
    assert sum(map(len, buffers)) < 100 * len(body)
    assert len(args["jobs"]) > 500
    assert args["first"] is True


def test_a_slip_with_the_secret_is_told_although_only_the_tab_knows_it():
    request = _request("github", secret=CANARY)

    told = _asked(_args("github", request), BODY, tab=Tab(f'"{CANARY}"'))

    assert ["secret-quotes"] == [found["cause"] for found in told["findings"]]


def test_a_key_in_the_kernel_answers_without_a_tab():
    request = _request("github")

    changed = b'{"type": "invoice.paid", "id": 6}'

    told = _asked(_args("github", request), changed, key=Secret(CANARY))

    assert ["body-compact"] == [found["cause"] for found in told["findings"]]


def test_the_provider_is_detected_when_none_is_named():
    request = _request("slack")

    told = _asked(_args("", request), BODY, tab=Tab(CANARY))

    assert "slack" == told["provider"]
    assert {"id": "slack", "title": "Slack"} == told["detected"][0]
    assert told["verdict"]["ok"]


def test_headers_of_no_provider_are_answered_at_once():
    told = _asked({"provider": "", "headers_text": "Accept: */*"}, b"{}")

    assert "" == told["provider"]
    assert "pick the provider" in told["excluded"][0]


def test_a_public_key_needs_no_tab():
    pair = KeyPair.generate("ed25519")
    request = provider("discord").draft(body=BODY, at=1_788_264_000).sign(pair)
    args = _args("discord", request, public_key=pair.public)

    told = _asked(args, BODY + b"\n")

    assert ["body-newline-added"] == [found["cause"] for found in told["findings"]]


@pytest.mark.parametrize("name", ["stripe", "github", "slack"])
def test_the_body_that_was_sent_is_known_for_a_request_of_the_widget(name):
    request, other = _request(name), _request(name, body=b'{"other":1}')
    changed = BODY.replace(b"6", b"7")

    told = _asked(_args(name, request), changed, tab=Tab("no"), made=[other, request])

    assert ["as received", "as sent"] == [string["label"] for string in told["strings"]]
    assert "received ‘7}’, sent ‘6}’" in told["difference"]


def test_the_browser_may_know_the_body_that_was_sent():
    told = _asked(_args("github", _request("github")), b'{"a":2}', b'{"a":1}', tab=Tab("no"))

    assert "they first differ at byte 5: received ‘2}’, sent ‘1}’" == told["difference"]


def test_the_wire_shape_is_that_of_the_diagnosis():
    told = diagnose("github", _request("github"), Secret("other"))

    shape = diagnosis_wire(told)

    assert {
        "verdict", "provider", "detected", "findings", "excluded", "strings", "difference",
    } == shape.keys()  # fmt: skip
    assert [
        {"label": s.label, "length": s.length, "sha256": s.sha256, "shown": s.shown} for s in told.strings
    ] == shape["strings"]
    assert json.loads(json.dumps(shape)) == shape
