"""A notebook keeps no secrets of a webhook, nothing made with them, and no other credentials."""

from __future__ import annotations

import html
import json

import pytest

from hook_widgets import WebhookGenerator
from hook_widgets.webhooks import KeyPair, Secret, provider
from tests.widgets.fake_tab import FakeTab
from tests.widgets.static_html.cases import bundle, everywhere

CANARY = "whsec_canary4f8a2c71d9e3b650"


@pytest.mark.parametrize("name", ["gitlab-token", "stripe", "mailgun", "twilio"])
def test_no_secret_and_nothing_made_with_it_is_kept(name: str):
    source = provider(name)
    key = source.example_secret()
    assert isinstance(key, Secret)
    widget = WebhookGenerator(source.id, secret=key)
    request = widget.request
    assert request is not None
    assert request.draft is not None
    signed = [value for key, value in request.headers.multi_items() if request.draft.signs_header(key)]
    saved = json.dumps(bundle(widget)) + str(widget._full_document().fragment())

    assert key.reveal() not in saved
    assert [] == [value for value in signed if value in saved]
    assert "secret=Secret.from_env('WEBHOOK_SECRET')" in saved


def test_a_secret_from_the_environment_is_shown_by_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STRIPE_HOOK_KEY", CANARY)
    widget = WebhookGenerator("stripe", secret=Secret.from_env("STRIPE_HOOK_KEY"))
    stored = bundle(widget)["text/html"]

    assert CANARY not in stored
    assert "with the key in $STRIPE_HOOK_KEY" in stored
    assert "secret=Secret.from_env('STRIPE_HOOK_KEY')" in str(widget._full_document().fragment())


def test_a_private_key_is_not_kept():
    pair = KeyPair.generate("ed25519")
    saved = everywhere(WebhookGenerator("discord", secret=pair))

    assert "PRIVATE KEY-----\\n" not in saved
    assert pair.private_pem().splitlines()[1] not in saved
    assert "secret=key_pair" in saved


CREDENTIALS = [
    "Authorization",
    "Cookie",
    "X_Api_Key",
    "Ocp-Apim-Subscription-Key",
    "x-functions-key",
    "X-JWT",
]


@pytest.mark.parametrize("header", [*CREDENTIALS, "x-vercel-protection-bypass"])
def test_a_header_that_looks_like_a_credential_is_named_without_its_value(header: str):
    stored = everywhere(WebhookGenerator("stripe", headers={header: "s3cr3t-canary", "X-Trace": "42"}))

    assert "s3cr3t-canary" not in stored
    assert f"Not kept here: the value of {header}." in stored
    assert "42" in stored


# As their services describe them (Stripe, GitHub, GitLab, Slack, SendGrid, AWS); the last is RFC 7519's own.
SHAPES = [
    "sk_live_s3cr3tcanary",
    "whsec_s3cr3tcanary",
    "ghp_s3cr3tcanary",
    "github_pat_s3cr3tcanary",
    "glpat-s3cr3tcanary",
    "xoxb-s3cr3tcanary",
    "SG.s3cr3tcanary",
    "AKIAS3CR3TCANARY",
    "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQo.s3cr3tcanary",
]


@pytest.mark.parametrize("value", SHAPES)
def test_what_has_the_shape_of_a_key_is_left_out_wherever_it_stands(value: str):
    stored = everywhere(
        WebhookGenerator(
            "stripe",
            url=f"http://127.0.0.1:9/hooks/{value}/in?page=2&x={value}",
            headers={"X-Upstream": f"key {value}", "X-Trace": "skip_sk_12"},
        )
    )

    assert value not in stored
    assert "Not kept here: the value of X-Upstream, a part of the URL's path, x in the URL." in html.unescape(
        stored
    )
    assert "/hooks/LEFT-OUT/in?page=2" in stored
    assert "skip_sk_12" in stored


@pytest.mark.parametrize("value", ["Bearer s3cr3t-canary", "basic czNjcjN0LWNhbmFyeQ=="])
def test_a_header_of_any_name_whose_value_is_a_credential_is_named_without_it(value: str):
    stored = everywhere(WebhookGenerator("stripe", headers={"X-Upstream": value}))

    assert value.split()[1] not in stored
    assert "Not kept here: the value of X-Upstream." in stored


# The keys of Azure Functions and Logic Apps, and of many others, stand in the address of the hook.
@pytest.mark.parametrize("name", ["code", "sig", "access_token", "api%5Fkey", "hub.verify_token"])
@pytest.mark.parametrize("before", ["?", "?page=2&", "#"])
def test_a_credential_in_the_url_is_named_without_its_value(before: str, name: str):
    url = f"https://hooks.example.com/in{before}{name}=s3cr3t-canary"
    stored = everywhere(WebhookGenerator("twilio", url=f"{url}&zone=eu" if "#" not in before else url))

    assert "s3cr3t-canary" not in stored
    assert f"Not kept here: the value of {name} in the URL." in stored
    assert "https://hooks.example.com/in" in stored


def test_a_password_in_a_url_that_cannot_be_used_is_not_kept():
    tab = FakeTab(WebhookGenerator("stripe"))
    tab.edit(url="https://ann:s3cr3t-canary@hooks.example.com/in")
    stored = everywhere(tab.widget)

    assert "s3cr3t-canary" not in stored
    assert "the URL has a name or password before the host" in stored


def test_a_token_that_was_given_as_a_field_of_the_provider_is_not_kept():
    stored = everywhere(WebhookGenerator("zoom", parts={"verification_token": "s3cr3t-canary"}))

    assert "s3cr3t-canary" not in stored
    assert "Not kept here: the value of verification_token." in stored
