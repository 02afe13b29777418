"""The generator's kernel side, driven by a tab without a browser."""

from __future__ import annotations

import gc
import hmac
import json
import threading
import weakref
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hook_widgets
from hook_widgets.errors import InvalidRequest, InvalidSecret, UnknownKeyword, UnknownName
from hook_widgets.webhooks import KeyPair, Receiver, Secret, provider, verify
from hook_widgets.widgets.generator import WebhookGenerator

from .fake_tab import FakeTab

CANARY = "whsec_canary4f8a2c71d9e3b650"
PAIR = KeyPair.generate("ed25519")


@pytest.fixture
def tab():
    return FakeTab(WebhookGenerator("stripe"), secret=CANARY)


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


def test_typing_does_not_change_a_delivery_id_and_sending_does():
    with Receiver("github", Secret(CANARY)) as receiver:
        tab = FakeTab(WebhookGenerator("github", url=receiver.url), secret=CANARY)
        tab.edit(body=b"{}")
        first = tab.widget.request.headers["X-GitHub-Delivery"]
        tab.edit(body=b"[]")
        second = tab.widget.request.headers["X-GitHub-Delivery"]
        tab.ask("send")

        assert first == second
        assert first != receiver.deliveries[0].request.headers["X-GitHub-Delivery"]


def test_sending_delivers_the_signed_bytes_and_records_what_came_back():
    with Receiver("stripe", Secret(CANARY)) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        tab.edit(body=b'{"caf\xc3\xa9": "\\u00e9"}\r\n')
        reply = tab.ask("send")["value"]

        assert (200, "ok", True) == (reply["status"], reply["level"], reply["equal_to_payload"])
        assert b'{"caf\xc3\xa9": "\\u00e9"}\r\n' == receiver.deliveries[0].request.body
        assert receiver.deliveries[0].verdict.ok
        assert reply == tab.last("delivery")["record"]

        again = tab.ask("send", again=1)["value"]

        assert (2, 200) == (again["n"], again["status"])
        assert 2 == len(tab.widget.deliveries)


def test_a_send_without_a_secret_says_so_when_a_tab_reports_it():
    tab = FakeTab(WebhookGenerator("stripe"))
    tab.say({"id": "tab-send", "op": "send", "args": {}})
    job, _ = tab.jobs[-1]

    assert "send" == job["args"]["purpose"]
    assert "busy" == tab.ask("send")["error"]["code"]

    tab.say({"re": job["id"], "ok": False, "error": {"code": "bad_key", "text": "character 3 is not hex"}})

    assert "character 3 is not hex" == tab.replies["tab-send"][0]["error"]["text"]
    assert "busy" != tab.ask("refresh").get("error", {}).get("code")


def test_another_host_is_confirmed_by_name_before_anything_is_sent(tab):
    tab.edit(url="https://hooks.example.test/in")
    fault = tab.ask("send")["error"]

    assert ("confirm_host", "hooks.example.test") == (fault["code"], fault["host"])
    assert "confirm_host" == tab.ask("send", confirmed_host="other.example.test")["error"]["code"]


@pytest.mark.parametrize("url", ["http://169.254.169.254/latest", "http://[fe80::1]/"])
def test_metadata_and_link_local_addresses_are_refused(tab, url):
    tab.edit(url=url)

    assert "refused" == tab.ask("send")["error"]["code"]


def test_allowed_hosts_are_checked_in_the_kernel():
    tab = FakeTab(WebhookGenerator("stripe", allow_hosts=["hooks.example.test"]), secret=CANARY)

    assert "refused" == tab.ask("send")["error"]["code"]


def test_a_locked_field_cannot_be_changed_by_a_browser():
    widget = WebhookGenerator("stripe", url="http://127.0.0.1:9/", locked=["url", "body"])
    tab = FakeTab(widget, secret=CANARY)
    before = tab.widget.body
    tab.edit(url="http://127.0.0.1:10/", body=b"x", locked=[], event="charge.refunded")

    assert ("http://127.0.0.1:9/", ["url", "body"]) == (tab.widget.url, list(tab.widget.locked))
    assert before == tab.widget.body
    assert "locked" == tab.ask("minify")["error"]["code"]


def test_a_value_of_the_wrong_type_is_put_right_and_the_widget_goes_on(tab):
    url = tab.widget.url
    tab.edit(url=3)
    tab.edit(headers=[["only a name"]])
    tab.edit(nonsense=1)

    assert url == tab.widget.url
    assert [] == list(tab.widget.headers)
    assert tab.edit(body=b"{}") == tab.last("signed")["revision"]


def test_format_minify_and_reset_change_white_space_only(tab):
    template = tab.widget.body
    tab.ask("minify")
    small = tab.widget.body
    tab.ask("format")

    assert json.loads(template) == json.loads(small) == json.loads(tab.widget.body)
    assert len(small) < len(template)
    assert tab.widget.revision.startswith("kernel:")

    tab.ask("reset")
    assert template == tab.widget.body


def test_a_body_that_is_no_json_is_not_formatted_and_keeps_its_bytes(tab):
    tab.edit(body=b'{"a": 1,}')

    assert "invalid_json" == tab.ask("format")["error"]["code"]
    assert b'{"a": 1,}' == tab.widget.body
    problem = tab.last("draft")["problems"][0]
    assert (1, "error") == (problem["line"], problem["level"])
    assert "comma" in problem["message"]


def test_an_edited_body_comes_back_with_its_event(tab):
    tab.edit(body=b'{"mine": 1}')
    tab.edit(event="charge.refunded")
    other = tab.widget.body
    tab.edit(event="payment_intent.succeeded")

    assert provider("stripe").template("charge.refunded") == other
    assert b'{"mine": 1}' == tab.widget.body


def test_another_provider_brings_its_own_event_and_body(tab):
    tab.edit(provider="github")

    assert "push" == tab.widget.event
    assert provider("github").template("push") == tab.widget.body
    assert tab.last("draft")["error"] is None
    assert tab.last("signed")["revision"] == tab.widget.revision


def test_form_parameters_are_encoded_by_the_kernel():
    tab = FakeTab(WebhookGenerator("twilio"), secret=CANARY)

    tab.ask("set_form", params=[["From", "+15550100"], ["Body", "a b&c"]])

    assert b"From=%2B15550100&Body=a+b%26c" == tab.widget.body
    assert [["From", "+15550100"], ["Body", "a b&c"]] == tab.last("draft")["form"]


@pytest.mark.parametrize("params", [None, 3, [["a"]], [["a", 1]], [["a", "b", "c"]]])
def test_malformed_form_parameters_are_answered(params):
    tab = FakeTab(WebhookGenerator("twilio"), secret=CANARY)

    assert "bad_params" == tab.ask("set_form", params=params)["error"]["code"]


def test_curl_is_signed_or_signs_itself(tab):
    tab.edit(body=b"{}")
    signed = tab.ask("curl", form="signed")["value"]["text"]
    own = tab.ask("curl", form="env", secret_env="STRIPE_SECRET")["value"]["text"]

    assert tab.widget.request.headers["Stripe-Signature"] in signed
    assert "STRIPE_SECRET" in own
    assert CANARY not in signed + own
    assert "invalid_request" == tab.ask("curl", form="env", secret_env="a b")["error"]["code"]


def test_curl_before_signing_says_what_is_missing():
    tab = FakeTab(WebhookGenerator("stripe"))

    assert "not_signed" == tab.ask("curl", form="signed")["error"]["code"]


def _pasted(request) -> str:
    return "\n".join(f"{name}: {value}" for name, value in request.headers.pairs)


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


def test_a_kernel_key_that_does_not_fit_the_picked_provider_is_said():
    tab = FakeTab(WebhookGenerator("stripe", secret=Secret(CANARY)))
    tab.edit(provider="discord")

    assert "KeyPair" in tab.last("draft")["error"]["text"]
    assert None is tab.widget.request
    assert "KeyPair" in tab.ask("send")["error"]["text"]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"provider": "strpe"}, UnknownName, "'stripe'"),
        ({"event": "payment"}, UnknownName, "no event"),
        ({"urll": "x"}, UnknownKeyword, "'url'"),
        ({"url": "nowhere"}, InvalidRequest, "http://"),
        ({"locked": ["urls"]}, UnknownKeyword, "'url'"),
        ({"locked": "url"}, InvalidRequest, "list of names"),
        ({"clock": "yesterday"}, InvalidRequest, "clock="),
        ({"clock": datetime.now(UTC).replace(tzinfo=None)}, InvalidRequest, "time zone"),
        ({"headers": {"a b": "c"}}, InvalidRequest, "not a header name"),
        ({"parts": {"nope": "x"}}, UnknownKeyword, "'nope'"),
        ({"scheme": "v9"}, UnknownName, "no scheme"),
        ({"secret": KeyPair.generate("ed25519")}, InvalidSecret, "Secret"),
        ({"body": 3}, InvalidRequest, "body is int"),
    ],
)
def test_every_wrong_argument_says_why(arguments, error, words):
    with pytest.raises(error, match=words):
        WebhookGenerator(**{"provider": "stripe", **arguments})


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


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        ({"url": "ftp://x"}, "url"),
        ({"headers": [["a b", "c"]]}, "headers"),
        ({"clock": {"mode": "fixed", "at": "soon"}}, "clock"),
        ({"clock": {"mode": "offset", "offset_s": "x"}}, "clock"),
        ({"clock": {}}, "clock"),
    ],
)
def test_an_input_that_cannot_be_used_is_named_and_the_widget_goes_on(tab, edit, field):
    good = {"url": tab.widget.url, "headers": [], "clock": {"mode": "now"}}
    tab.edit(**edit)

    assert field == tab.last("draft")["error"]["field"]
    assert None is tab.widget.draft

    tab.edit(**good)
    assert tab.last("draft")["error"] is None
    assert tab.widget.request is not None


@given(
    content=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["id", "re", "op", "args", "ok", "value", "x"]), inner, max_size=5
            )
        ),
        max_leaves=8,
    )
)
def test_no_message_however_odd_ends_the_conversation(content):
    tab = FakeTab(SHARED)
    tab.say(content)

    assert tab.ask("ping")["ok"]


@given(
    op=st.sampled_from(["catalog", "chunk", "format", "set_form", "curl", "verify", "nope"]),
    args=st.dictionaries(
        st.sampled_from(
            ["name", "params", "form", "secret_env", "provider", "url", "headers_text", "now", "public_key"]
        ),
        st.none() | st.integers() | st.text(max_size=12) | st.lists(st.text(max_size=4), max_size=2),
    ),
)
def test_every_request_is_answered_with_a_value_or_one_of_our_errors(op, args):
    tab = FakeTab(SHARED)
    reply = tab.ask(op, **args) if op != "verify" else _answer(tab, args)

    assert reply["ok"] or "internal" != reply["error"]["code"]


def _answer(tab, args):
    tab.secret = CANARY
    return tab.ask("verify", b"{}", **args)


SHARED = WebhookGenerator("stripe")


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


def test_a_body_with_its_signature_inside_is_shown_to_the_browser_as_it_is_sent():
    tab = FakeTab(WebhookGenerator("mailgun"), secret="key-example")
    tab.edit(clock={"mode": "fixed", "at": "2026-09-30T12:00:00Z"})
    note, buffers = tab.noted[-1]

    assert ("signed", [tab.widget.request.body]) == (note["op"], buffers)
    assert tab.widget.body != tab.widget.request.body


def _answering(key: bytes) -> HTTPServer:
    """A receiver on loopback that answers Zoom's endpoint validation by its documentation, with this key."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            token = body["payload"]["plainToken"]
            mac = hmac.new(key, token.encode(), "sha256").hexdigest()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"plainToken": token, "encryptedToken": mac}).encode())

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.mark.parametrize(("key", "ok"), [(CANARY, True), ("another", False)])
def test_the_answer_to_a_handshake_is_checked_by_whoever_holds_the_secret(key, ok):
    server = _answering(key.encode())
    widget = WebhookGenerator(
        "zoom", "url_validation", url=f"http://127.0.0.1:{server.server_port}/", clock="now"
    )
    try:
        record = FakeTab(widget, secret=CANARY).ask("send")["value"]
    finally:
        server.shutdown()
        server.server_close()

    assert (200, ok) == (record["status"], record["answer"]["ok"])
    assert CANARY not in json.dumps(record)


def test_the_answer_to_an_ordinary_event_is_not_checked():
    with Receiver("stripe", Secret(CANARY)) as receiver:
        record = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY).ask("send")["value"]

    assert record["answer"] is None


def test_the_sample_is_varied_by_seed_and_values_and_is_not_called_edited():
    widget = WebhookGenerator("stripe", "payment_intent.succeeded")
    tab = FakeTab(widget, secret=CANARY)
    sample = json.loads(widget.body)
    reply = tab.ask("vary", seed=7, values={"email": "grace@example.org", "amount": ""})["value"]
    varied = json.loads(widget.body)

    assert "grace@example.org" == reply["values"]["email"]
    assert (
        str(varied["data"]["object"]["amount"])
        == reply["values"]["amount"]
        != str(sample["data"]["object"]["amount"])
    )
    assert varied.keys() == sample.keys()
    assert False is tab.last("draft")["edited"]

    tab.ask("vary", seed=7, values={"email": "grace@example.org"})
    assert varied == json.loads(widget.body)

    tab.edit(body=widget.body + b" ")
    assert True is tab.last("draft")["edited"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"seed": "x", "values": {}}, "a seed is a whole number"),
        ({"seed": 1, "values": ["a"]}, "values are text by parameter"),
        ({"seed": 1, "values": {"amount": "much"}}, "amount cannot be 'much'"),
    ],
)
def test_a_variation_that_cannot_be_made_says_why_and_leaves_the_body(args, words):
    widget = WebhookGenerator("stripe", "payment_intent.succeeded")
    before = widget.body

    assert words in FakeTab(widget, secret=CANARY).ask("vary", **args)["error"]["text"]
    assert before == widget.body


def test_a_value_that_cannot_be_used_is_told_at_its_field_and_others_bodies_are_passed_over():
    tab = FakeTab(WebhookGenerator("stripe", "payment_intent.succeeded"), secret=CANARY)

    assert "params.amount" == tab.ask("vary", seed=None, values={"amount": "much"})["error"]["field"]
    assert {} == tab.ask("vary", seed=None, values={"colour": "red"})["value"]["values"]


def test_a_header_that_says_a_varied_value_follows_it_until_the_sample_is_back():
    widget = WebhookGenerator("shopify", "orders/create", headers={"X-Own": "1"})
    tab = FakeTab(widget, secret=CANARY)
    tab.ask("vary", seed=3, values={"order": "5550000009999"})

    assert "5550000009999" in dict(widget.headers)["X-Shopify-Order-Id"]
    assert [["X-Own", "1"]] == widget.headers[:1]

    tab.ask("reset")
    assert [["X-Own", "1"]] == widget.headers


def test_receiver_code_is_that_of_the_provider_and_scheme_that_are_shown():
    tab = FakeTab(WebhookGenerator("twilio", "sms.received"), secret=CANARY)

    assert "hmac.compare_digest" in tab.ask("receiver", language="python")["value"]["text"]
    assert "timingSafeEqual" in tab.ask("receiver", language="javascript")["value"]["text"]
    assert "no receivers in 'cobol'" in tab.ask("receiver", language="cobol")["error"]["text"]
    assert ["python", "javascript", "go", "ruby", "php", "java"] == [
        each["id"] for each in tab.ask("catalog")["value"]["languages"]
    ]


def test_a_provider_of_ones_own_that_is_broken_while_it_is_shown_can_be_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "acme.provider.toml"
    file.write_text(
        'id = "acme"\nkind = "payment"\ntitle = "Acme"\nconfidence = "docs"\ninherits = "generic"\n',
        encoding="utf-8",
    )
    widget = WebhookGenerator("acme")
    tab = FakeTab(widget, secret=CANARY)
    file.write_text('id = "acme"\nkind = "paiment"\n', encoding="utf-8")
    tab.edit(body=b'{"mine": 1}')

    assert "acme.provider.toml" in tab.last("draft")["error"]["text"]
    assert "acme.provider.toml" in str(tab.ask("catalog")["value"]["problems"])

    tab.edit(provider="stripe")
    assert tab.last("draft")["error"] is None
    assert widget.provider == "stripe"
