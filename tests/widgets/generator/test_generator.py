"""The generator's kernel side, driven by a tab without a browser."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

import hook_widgets
from hook_widgets.webhooks import KeyPair, Secret, provider, verify
from hook_widgets.webhooks.body import json_edit
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import CANARY, FakeTab

PAIR = KeyPair.generate("ed25519")


def test_the_widget_is_a_public_name_that_loads_on_use():
    assert WebhookGenerator is hook_widgets.WebhookGenerator


def test_an_edit_is_drafted_and_signed_for_its_own_revision(tab):
    revision = tab.edit(body=b'{"id": 1}')

    assert revision == tab.last("draft")["revision"] == tab.last("signed")["revision"]
    assert verify("stripe", tab.widget.request, Secret(CANARY)).ok
    assert b'{"id": 1}' == tab.widget.request.body


def test_only_the_signature_waits_for_the_browser():
    tab = FakeTab(WebhookGenerator("stripe"))
    tab.edit(headers=[["X-Trace", "runbook-42"]])
    headers = {h["name"]: h for h in tab.last("draft")["headers"]}

    assert None is headers["Stripe-Signature"]["value"]
    assert headers["Stripe-Signature"]["signed"]
    assert "yours" == headers["X-Trace"]["source"]
    assert None is tab.widget.request


def test_a_late_answer_for_an_older_edit_is_dropped():
    tab = FakeTab(WebhookGenerator("stripe"))
    tab.edit(body=b"{}")
    old, _ = tab.jobs[-1]
    tab.edit(body=b"[]")
    tab.say({"re": old["id"], "ok": True, "value": {}}, [bytes(32)])

    assert None is tab.widget.request
    assert not [n for n in tab.notes if n["op"] == "signed"]


def test_an_answer_with_the_wrong_number_of_signatures_is_not_the_answer():
    tab = FakeTab(WebhookGenerator("stripe"))
    tab.edit(body=b"{}")
    tab.say({"re": tab.jobs[-1][0]["id"], "ok": True, "value": {}}, [])

    assert None is tab.widget.request

    tab.secret = CANARY
    tab.answer_last_job()
    assert tab.widget.request is not None


def test_curl_is_signed_or_signs_itself(tab):
    tab.edit(body=b"{}")
    signed = tab.ask("curl", form="signed")["value"]["text"]
    own = tab.ask("curl", form="env", secret_env="STRIPE_SECRET")["value"]["text"]

    assert tab.widget.request.headers["Stripe-Signature"] in signed
    assert "STRIPE_SECRET" in own
    assert CANARY not in signed + own
    assert "invalid_argument" == tab.ask("curl", form="env", secret_env="a b")["error"]["code"]


def test_curl_before_signing_says_what_is_missing():
    tab = FakeTab(WebhookGenerator("stripe"))

    assert "not_signed" == tab.ask("curl", form="signed")["error"]["code"]


def _pasted(request) -> str:
    return "\n".join(f"{name}: {value}" for name, value in request.headers.multi_items())


def test_verify_asks_the_browser_and_tells_the_reason(tab):
    tab.edit(body=b'{"a":1}')
    request = tab.widget.request
    good = tab.ask("verify", request.body, provider="stripe", headers_text=_pasted(request))["value"]
    bad = tab.ask("verify", b'{"a": 1}', provider="stripe", headers_text=_pasted(request))["value"]
    none = tab.ask("verify", b"", provider="stripe", headers_text="")["value"]
    old = tab.ask(
        "verify", request.body, provider="stripe", headers_text=_pasted(request), now="2099-01-01T00:00:00Z"
    )["value"]

    assert ["valid", "signature_differs", "missing_header", "timestamp_outside_tolerance"] == [
        v["reason"] for v in (good, bad, none, old)
    ]
    assert "line 1" in tab.ask("verify", b"", headers_text="rubbish")["error"]["text"]


def test_verify_takes_a_public_key_without_the_browser():
    pair = KeyPair.generate("ed25519")
    request = provider("discord").draft().sign(pair)
    tab = FakeTab(WebhookGenerator("discord"))
    reply = tab.ask(
        "verify", request.body, provider="discord", headers_text=_pasted(request), public_key=pair.public
    )

    assert reply["value"]["ok"]


@pytest.mark.parametrize(
    ("name", "secret", "held"),
    [
        ("stripe", Secret(CANARY), "given in code; it stays in the kernel"),
        ("discord", PAIR, f"{PAIR.public}; its private half stays in the kernel"),
    ],
    ids=["a secret", "a key pair"],
)
def test_the_still_form_says_what_the_kernel_signs_with(name, secret, held):
    widget = WebhookGenerator(name, secret=secret)

    assert f"in the kernel: {held}" in str(widget._repr_mimebundle_())


def test_a_kernel_secret_signs_without_the_browser_and_never_goes_there():
    widget = WebhookGenerator("stripe", secret=Secret.from_env("HOOK", environ={"HOOK": CANARY}))
    tab = FakeTab(widget)
    tab.edit(body=b"{}")

    assert verify("stripe", widget.request, Secret(CANARY)).ok
    assert "environment variable HOOK; it stays in the kernel" == widget.signer_label
    assert [] == tab.jobs
    seen = repr([tab.notes, widget.get_state(), widget, widget._repr_mimebundle_()])
    assert CANARY not in seen


def test_no_part_of_a_widget_shows_in_its_repr_what_the_author_gave_in_python():
    count = f"curl -H 'Authorization: Bearer {CANARY}' https://counts.example"
    widget = WebhookGenerator("whatsapp", parts={"verify_token": CANARY}, oracle=count)

    assert CANARY not in repr([widget._deliveries, widget._checks, widget._importer])


@pytest.mark.parametrize(
    ("clock", "offset_s"),
    [(timedelta(seconds=-301), -301), (datetime(2026, 9, 30, 12, tzinfo=UTC), None)],
)
def test_the_clock_moves_the_timestamp(clock, offset_s):
    widget = WebhookGenerator("stripe", clock=clock, secret=Secret(CANARY))
    verdict = verify("stripe", widget.request, Secret(CANARY))
    expected = datetime.now(UTC) + timedelta(seconds=offset_s) if offset_s else clock

    assert widget.draft is not None
    assert abs(widget.draft.at - expected) < timedelta(seconds=5)
    assert "timestamp_outside_tolerance" == verdict.reason


def test_a_closed_widget_is_freed():
    widget = WebhookGenerator("stripe", secret=Secret(CANARY))
    ref = weakref.ref(widget)
    widget.close()
    del widget
    gc.collect()

    assert None is ref()


def test_setting_inputs_from_python_makes_a_revision_of_its_own(tab):
    tab.widget.url = "http://127.0.0.1:9/other"

    assert tab.widget.revision.startswith("kernel:")
    assert tab.widget.revision == tab.last("signed")["revision"]
    assert "http://127.0.0.1:9/other" == tab.last("draft")["url"]


def test_the_saved_state_holds_the_inputs_and_nothing_that_was_signed(tab):
    tab.edit(body=b'{"a":1}')
    saved = repr({k: v for k, v in tab.widget.get_state().items() if k not in ("_esm", "_css")})

    assert tab.widget.request.headers["Stripe-Signature"] not in saved
    assert CANARY not in saved


def test_the_browser_may_send_its_binary_parts_as_views(tab):
    tab.edit(body=memoryview(b"[1]"))

    assert b"[1]" == tab.widget.body == tab.widget.request.body


def test_cells_and_browser_may_edit_at_the_same_time(tab):
    """JupyterLab has comm messages handled in another thread than cells."""

    def from_python():
        for n in range(60):
            tab.widget.url = f"http://127.0.0.1:9/{n}"

    thread = threading.Thread(target=from_python)
    thread.start()
    for n in range(60):
        tab.edit(body=b"[%d]" % n)
    thread.join()
    tab.edit(headers=[])

    assert tab.widget.revision == tab.last("draft")["revision"] == tab.last("signed")["revision"]
    assert tab.widget.url == tab.widget.request.url
    assert tab.widget.body == tab.widget.request.body
    assert verify("stripe", tab.widget.request, Secret(CANARY)).ok


def test_receiver_code_is_that_of_the_provider_and_scheme_that_are_shown():
    tab = FakeTab(WebhookGenerator("twilio", "sms.received"), secret=CANARY)

    assert "hmac.compare_digest" in tab.ask("receiver", language="python")["value"]["text"]
    assert "timingSafeEqual" in tab.ask("receiver", language="javascript")["value"]["text"]
    assert "no receivers in 'cobol'" in tab.ask("receiver", language="cobol")["error"]["text"]
    assert ["python", "javascript", "go", "ruby", "php", "java", "csharp"] == [
        each["id"] for each in tab.ask("catalog")["value"]["languages"]
    ]


@pytest.fixture
def counted(monkeypatch):
    """The number of drafts, and of readings of a body."""
    calls: Counter[str] = Counter()

    def count(owner, name):
        original = getattr(owner, name)

        def call(*args):
            calls[name] += 1
            return original(*args)

        monkeypatch.setattr(owner, name, call)

    count(Inputs, "draft")
    count(json_edit, "problems")
    return calls


def test_a_change_drafts_once_and_reads_a_body_only_if_it_changed(counted):
    tab = FakeTab(WebhookGenerator("stripe"))
    assert {"draft": 1, "problems": 1} == counted

    tab.edit(url="https://example.com/hooks", headers=[["X-Trace", "42"]])
    assert {"draft": 2, "problems": 1} == counted
    tab.edit(body=b'{"id": 1}')
    assert {"draft": 3, "problems": 2} == counted
    assert tab.ask("preview")["ok"]
    assert {"draft": 4, "problems": 2} == counted
    assert tab.last("draft")["body"]["length"] == 9


def test_the_still_form_drafts_once(counted):
    widget = WebhookGenerator("stripe")
    counted.clear()

    assert "Stripe" in widget.still
    assert 1 == counted["draft"]
