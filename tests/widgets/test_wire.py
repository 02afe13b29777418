"""What travels to the browser, where it is more than a copy of the core's records."""

from __future__ import annotations

import json

from hook_widgets import WebhookGenerator
from hook_widgets.webhooks import Secret, catalog
from hook_widgets.webhooks.secret import KeyEdit, KeySpec
from hook_widgets.webhooks.signing import Algorithm, MatchJob, SigningJob
from hook_widgets.widgets import _wire as wire
from tests.widgets.fake_tab import FakeTab

CANARY = "canary-not-a-real-token-4f8a2c71"
#: providers whose requests carry the secret itself, in each way that one can
TOKENS = [
    p.id
    for p in catalog.providers()
    if all(s.algorithm.reveals_secret for scheme in p.schemes for s in scheme.signatures)
]
#: those of them that have it in the body
IN_BODY = [name for name in TOKENS if any(s.body or s.form for s in catalog.provider(name).schemes)]


def question(*pieces: bytes, edit: KeyEdit = KeyEdit.NONE) -> MatchJob:
    job = SigningJob("signature", Algorithm.HMAC_SHA256, KeySpec(edit=edit), pieces)
    return MatchJob(job, (b"right", b"wrong"), lenient=True)


def test_bytes_that_many_guesses_share_travel_once():
    body = bytes(1 << 20)
    jobs, buffers = wire.match_wire(
        [question(b"1.", body), question(body), question(b"1.", bytes(1 << 20), edit=KeyEdit.TRIM)]
    )

    assert [b"1.", body, b"right", b"wrong"] == buffers
    assert [[0, 1], [1], [0, 1]] == [job["message"] for job in jobs]
    assert [[2, 3]] * 3 == [job["presented"] for job in jobs]
    assert ["", "", "trim"] == [job["edit"] for job in jobs]


def test_there_are_providers_that_send_the_secret_itself():
    assert len(TOKENS) >= 2


def test_a_secret_that_a_request_carries_is_never_asked_for_and_shown_as_dots():
    for name in TOKENS:
        tab = FakeTab(WebhookGenerator(name), secret=CANARY)
        tab.ask("refresh")
        draft = tab.last("draft")

        assert [] == tab.jobs, name
        assert draft["reveals_secret"], name
        in_headers = any("••••••••" in (h["value"] or "") for h in draft["headers"] if h["signed"])
        assert in_headers or name in IN_BODY, name
        assert "secret_stays" == tab.ask("send")["error"]["code"], name


def test_a_secret_that_the_kernel_holds_and_sends_is_not_shown_to_the_browser():
    for name in TOKENS:
        secret = Secret(f"user:{CANARY}")
        tab = FakeTab(WebhookGenerator(name, secret=secret))
        tab.ask("refresh")

        (signed, body) = [noted for noted in tab.noted if noted[0]["op"] == "signed"][-1]
        assert "••••••••" in str(signed["headers"]) + b"".join(body).decode(), name
        assert "secret_inside" == tab.ask("curl", form="signed")["error"]["code"], name
        assert CANARY not in str(tab.noted) + str(tab.replies), name


def test_the_list_of_all_providers_stays_small_and_one_of_them_comes_whole():
    tab = FakeTab(WebhookGenerator("stripe"))
    listed = tab.ask("catalog")["value"]["providers"]
    whole = tab.ask("provider", id="stripe")["value"]["provider"]
    stripe = next(entry for entry in listed if entry["id"] == "stripe")

    assert [p.id for p in catalog.providers()] == [entry["id"] for entry in listed]
    assert len(json.dumps(listed)) < 400 * len(listed)
    assert {"invoice", "paid", "dispute"} <= set(stripe["words"].split())
    assert "invoice.paid" in [event["name"] for event in whole["events"]]


def test_an_unknown_provider_is_answered_with_the_nearest():
    error = FakeTab(WebhookGenerator("stripe")).ask("provider", id="strype")["error"]

    assert "unknown_name" == error["code"]
    assert "'stripe'" in error["text"]
