"""A diagnosis of a long or hostile body stays within its limits."""

from __future__ import annotations

import json

import pytest

from hook_widgets.webhooks import Headers, Secret
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.diagnosis import Limits, evidence
from hook_widgets.webhooks.diagnosis.guesses import bodies as body_guesses
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.verification.parsing import read
from tests.support.diagnosing import DATA, asked, causes, compact, key_of, received, signed
from tests.support.work import at_most_lines

LONG = 20_000
LIMITS = Limits(sent=1 << 20)


@pytest.mark.parametrize("name", ["mandrill", "telephony"])
@pytest.mark.parametrize(
    "body",
    [b"[" * LONG, b"[" + b"[]," * (LONG // 2) + b"[]]", b"mandrill_events=" + b"%5B" * LONG, b"a=[&" * LONG],
    ids=["brackets", "pairs", "escaped", "fields"],
)
def test_a_form_is_parsed_as_often_as_the_budget_of_bodies_allows(name, body, monkeypatch):
    lengths = []
    parse = forms.parse_form

    def counted(text):
        lengths.append(len(text))
        return parse(text)

    request = received(signed(name, key=key_of(name)), body=body)
    monkeypatch.setattr(forms, "parse_form", counted)

    asked(name, request, limits=LIMITS)

    # The budget, and for the body as received: detection, parsing, and one guess of each kind.
    assert sum(lengths) <= 2 * LIMITS.sent + 12 * len(body)


def test_no_parameter_is_put_into_a_form_with_more_than_a_sender_has():
    """About a hundred forms would be written and sorted."""
    hidden = b"&".join(b"p%d=1" % i for i in range(2000)) + b"&MessageSid=SM1"
    request = received(signed("twilio", key=key_of("twilio")), body=hidden)

    assert not [h for h in asked("twilio", request)._hypotheses if "body-form-empty-lost" in _ids(h)]


def _ids(hypothesis):
    return [cause.id for cause in hypothesis.causes]


def test_values_that_do_not_depend_on_a_change_are_not_computed_again(monkeypatch):
    request = signed("twilio", b"a=1&b=2", key=key_of("twilio"))
    calls = []
    compute = forms.sorted_form

    def counted(body):
        calls.append(body)
        return compute(body)

    monkeypatch.setattr(forms, "sorted_form", counted)

    asked("twilio", received(request))

    as_received = [body for body in calls if body == b"a=1&b=2"]
    assert len(as_received) <= 4  # once for each reading: the verdict, the evidence and the other schemes


def test_hypotheses_are_generated_only_up_to_the_one_that_verifies(monkeypatch):
    generated = []
    bodies = body_guesses.bodies

    def counted(*args):
        for guess in bodies(*args):
            generated.append(guess)
            yield guess

    monkeypatch.setattr(body_guesses, "bodies", counted)
    request = signed("github", b'{"a": 1}', key=key_of("github"))

    assert ("body-spaced",) == causes("github", received(request, body=b'{"a":1}'), key_of("github"))
    assert [("body-spaced",)] == [tuple(ref.id for ref in refs) for refs, _ in generated]


def test_a_hypothesis_about_json_takes_few_lines_of_python():
    request = received(signed("github", compact({"items": [DATA] * 10}), key=key_of("github")))
    count = len(asked("github", request).jobs)  # also fills the tables of escapes
    investigation = asked("github", request)

    with at_most_lines(150 * count) as work:
        assert count == len(investigation.jobs)

    assert work.lines > count


def test_a_pair_of_usual_causes_is_tried_before_unusual_bodies():
    request = signed("github", compact(), key=Secret("s"))
    written = received(request, body=json.dumps(DATA).encode())
    ids = [[cause.id for cause in h.causes] for h in asked("github", written)._hypotheses]

    pair, unusual = ids.index(["body-compact", "secret-space"]), ids.index(["body-empty-array"])

    assert pair < unusual


def test_no_other_body_is_written_where_a_signed_hash_proves_the_body(monkeypatch):
    monkeypatch.setattr(body_guesses, "bodies", None)
    request = received(signed("netlify", compact(), key=Secret("s")))

    assert len(asked("netlify", request).jobs) > 50


def test_a_request_is_not_read_again_for_a_body_with_the_same_signed_values(monkeypatch):
    bodies = []

    def counted(provider, request, parts):
        bodies.append(request.body)
        return read(provider, request, parts)

    monkeypatch.setattr(evidence, "read", counted)
    jobs = asked("linear", received(signed("linear", key=key_of("linear")))).jobs

    tried = {job.job.message for job in jobs}
    assert len(bodies) <= len(tried) / 4  # without the comparison of signed values, 465 of 548


def test_no_other_body_is_written_for_a_signature_of_another_size(monkeypatch):
    monkeypatch.setattr(body_guesses, "uncommon", None)
    request = received(signed("github", key=Secret("s")), headers=Headers({"X-Hub-Signature-256": "ab" * 64}))

    jobs = asked("github", request).jobs

    assert Algorithm.HMAC_SHA512 in {job.job.algorithm for job in jobs}
