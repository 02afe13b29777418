"""Messages to the browser that are more than a copy of the core's records."""

from __future__ import annotations

import json
from dataclasses import replace

from hook_widgets import WebhookGenerator
from hook_widgets.webhooks import Secret, registry
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant
from hook_widgets.webhooks.keys.secret import KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm, MatchJob, SigningJob
from hook_widgets.widgets.generator import serialize as wire
from tests.widgets.fake_tab import FakeTab

CANARY = "canary-not-a-real-token-4f8a2c71"
STRIPE = registry.provider("stripe")
#: providers whose requests carry the secret itself, in each way that one can
TOKENS = [
    p.id
    for p in registry.providers()
    if all(s.algorithm.reveals_secret for scheme in p.schemes for s in scheme.signatures)
]
#: those of them that have it in the body
IN_BODY = [name for name in TOKENS if any(s.body or s.form for s in registry.provider(name).schemes)]


def question(
    *pieces: bytes,
    variant: KeyVariant | None = KeyVariant.PLAIN,
    algorithm: Algorithm = Algorithm.HMAC_SHA256,
    scheme: str = "v1",
) -> MatchJob:
    return MatchJob(
        job=SigningJob("signature", algorithm, KeySpec(), pieces),
        candidates=(b"right", b"wrong"),
        scheme=scheme,
        variant=variant,
    )


def test_bytes_that_many_guesses_share_travel_once():
    body = bytes(1 << 20)
    jobs, buffers = wire.match_wire(
        STRIPE,
        [
            question(b"1.", body),
            question(body, algorithm=Algorithm.HMAC_SHA1),
            question(b"1.", bytes(1 << 20), variant=KeyVariant.TRIMMED),
        ],
    )

    assert [b"1.", body, b"right", b"wrong"] == buffers
    assert [[0, 1], [1], [0, 1]] == [job["message"] for job in jobs]
    assert [[2, 3]] * 3 == [job["presented"] for job in jobs]
    assert ["", "", "trimmed"] == [job["variant"] for job in jobs]
    assert ["", "hmac-sha1", ""] == [job["algorithm"] for job in jobs]
    assert [("v1", "signature")] * 3 == [(job["scheme"], job["field"]) for job in jobs]


def test_what_has_no_name_or_would_open_a_token_to_guesses_is_not_asked_of_a_tab():
    token = registry.provider("buildkite")

    assert wire.is_askable(STRIPE, question(algorithm=Algorithm.TOKEN))
    assert not wire.is_askable(STRIPE, question(variant=None))
    assert not wire.is_askable(STRIPE, question(algorithm=Algorithm.ED25519))
    assert wire.is_askable(token, question(scheme="signature"))
    job = replace(question(scheme="token"), job=replace(question().job, field="token"))
    assert not wire.is_askable(token, job)
    assert wire.is_askable(token, replace(job, job=replace(job.job, algorithm=Algorithm.TOKEN)))


def test_each_algorithm_is_asked_about_those_that_tell_no_more_of_its_key():
    def asked(pinned: Algorithm) -> set[str]:
        return {other.value for other in Algorithm if pinned.may_be(other)}

    hashes = {"sha256-prefix", "sha256-suffix", "sha1-suffix", "token"}
    assert {"token"} == asked(Algorithm.TOKEN)
    assert hashes == asked(Algorithm.SHA1_SUFFIX)
    assert hashes | {f"hmac-sha{n}" for n in (1, 256, 384, 512)} == asked(Algorithm.HMAC_SHA256)
    assert {"rsa-sha256", "rsa-sha1"} == asked(Algorithm.RSA_SHA1)


def test_a_provider_says_what_a_tab_pins():
    tab = FakeTab(WebhookGenerator("stripe"))
    schemes = tab.ask("provider", id="hubspot")["value"]["provider"]["schemes"]
    (token,) = tab.ask("provider", id="postmark")["value"]["provider"]["schemes"]
    basic = {"in": "header", "name": "Authorization", "template": "Basic {}", "encoding": "base64"}

    assert [
        {"field": "signature", "algorithm": "hmac-sha256"},
        {"field": "signature_v1", "algorithm": "sha256-prefix"},
        {"field": "sha1:signature", "algorithm": "hmac-sha1"},
    ] == schemes[0]["signatures"]
    assert [] == schemes[0]["credentials"]
    assert [basic] == token["credentials"]
    assert basic in tab.ask("catalog")["value"]["credentials"]


def test_there_are_providers_that_send_the_secret_itself():
    assert len(TOKENS) >= 2


def test_a_secret_that_a_request_carries_is_shown_as_dots_and_not_signed_with():
    for name in TOKENS:
        tab = FakeTab(WebhookGenerator(name), secret=CANARY)
        tab.ask("preview")
        draft = tab.last("draft")

        assert [] == tab.jobs, name
        assert draft["reveals_secret"], name
        in_headers = any("••••••••" in (h["value"] or "") for h in draft["headers"] if h["signed"])
        assert in_headers or name in IN_BODY, name
        assert "declined" == tab.ask("send")["error"]["code"], name
        assert ["release"] == [job["op"] for job, _ in tab.jobs], name


def test_a_secret_that_the_kernel_holds_and_sends_is_not_shown_to_the_browser():
    for name in TOKENS:
        secret = Secret(f"user:{CANARY}")
        tab = FakeTab(WebhookGenerator(name, secret=secret))
        tab.ask("preview")

        (signed, body) = [noted for noted in tab.noted if noted[0]["op"] == "signed"][-1]
        assert "••••••••" in str(signed["headers"]) + b"".join(body).decode(), name
        assert "secret_inside" == tab.ask("curl", form="signed")["error"]["code"], name
        assert CANARY not in str(tab.noted) + str(tab.replies), name


def test_the_list_of_all_providers_stays_small_and_one_of_them_comes_whole():
    tab = FakeTab(WebhookGenerator("stripe"))
    listed = tab.ask("catalog")["value"]["providers"]
    whole = tab.ask("provider", id="stripe")["value"]["provider"]
    stripe = next(entry for entry in listed if entry["id"] == "stripe")

    assert [p.id for p in registry.providers()] == [entry["id"] for entry in listed]
    assert len(json.dumps(listed)) < 400 * len(listed)
    assert {"invoice", "paid", "dispute"} <= set(stripe["words"].split())
    assert "invoice.paid" in [event["name"] for event in whole["events"]]


def test_an_unknown_provider_is_answered_with_the_nearest():
    error = FakeTab(WebhookGenerator("stripe")).ask("provider", id="strype")["error"]

    assert "unknown_name" == error["code"]
    assert "'stripe'" in error["text"]


def test_list_and_provider_carry_the_evidence_for_signature_headers_and_bodies():
    expected = {"scheme": "sdk", "headers": "captured", "bodies": "model"}

    assert expected == wire.listed_wire(STRIPE)["confidence"]
    assert expected == wire.provider_wire(STRIPE)["confidence"]
    assert "unconfirmed" == wire.provider_wire(registry.provider("vapi"))["confidence"]["bodies"]
