"""Arguments, inputs and messages that the generator cannot use: it names them and goes on."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnknownKeyword, UnknownName
from hook_widgets.webhooks import KeyPair, Secret
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.widgets.fake_tab import CANARY, FakeTab

#: one for all messages that are made up
SHARED = WebhookGenerator("stripe")


def test_a_locked_field_cannot_be_changed_by_a_browser():
    widget = WebhookGenerator("stripe", url="http://127.0.0.1:9/", locked=["url", "body"])
    tab = FakeTab(widget, secret=CANARY)
    before = tab.widget.body
    tab.edit(url="http://127.0.0.1:10/", body=b"x", locked=[], event="charge.refunded")

    assert ("http://127.0.0.1:9/", ["url", "body"]) == (tab.widget.url, list(tab.widget.locked))
    assert before == tab.widget.body
    assert "locked" == tab.ask("minify")["error"]["code"]


@pytest.mark.parametrize(
    ("provider", "body", "place"),
    [
        ("stripe", b'{"a": 1} x', "line 1, column 10: "),
        ("github", '{\n  "a": 1,\n}', "line 2, column 9: "),
    ],
)
def test_a_body_that_is_no_json_is_warned_of_with_its_position_and_sent_as_typed(
    provider: str, body: bytes | str, place: str
):
    expected = f"^the JSON of the body has an error at {place}.*; it is sent as typed$"
    with pytest.warns(UserWarning, match=expected) as seen:
        widget = WebhookGenerator(provider, body=body)

    assert (1, __file__) == (len(seen), seen[0].filename)
    assert (body if isinstance(body, bytes) else body.encode()) == widget.body


@pytest.mark.parametrize(
    ("provider", "body"),
    [("stripe", None), ("stripe", b'{"a": 1}'), ("twilio", b"a=1")],
)
def test_a_body_in_the_form_of_its_provider_is_not_warned_of(provider: str, body: bytes | None):
    assert WebhookGenerator(provider, body=body).body  # each warning is an error


def test_a_value_of_the_wrong_type_is_put_right_and_the_widget_goes_on(tab):
    url = tab.widget.url
    tab.edit(url=3)
    tab.edit(headers=[["only a name"]])
    tab.edit(nonsense=1)

    assert url == tab.widget.url
    assert [] == list(tab.widget.headers)
    assert tab.edit(body=b"{}") == tab.last("signed")["revision"]


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
        ({"url": "nowhere"}, InvalidArgument, "https?://; put https:// before the host$"),
        ({"url": "127.0.0.1:8000/in?k=1"}, InvalidArgument, "; put http:// before 127.0.0.1:8000$"),
        ({"url": "localhost"}, InvalidArgument, "; put http:// before localhost$"),
        ({"url": "[::1]:8000"}, InvalidArgument, r"; put http:// before \[::1\]:8000$"),
        ({"url": "localhost.evil.example"}, InvalidArgument, "; put https:// before the host$"),
        ({"url": CANARY}, InvalidArgument, f"^(?!.*{CANARY[6:18]})"),
        ({"url": "ftp://x"}, InvalidArgument, "begin with http:// or https://$"),
        ({"locked": ["urls"]}, UnknownKeyword, "'url'"),
        ({"locked": "url"}, InvalidArgument, "list of names"),
        ({"clock": "yesterday"}, InvalidArgument, "clock="),
        ({"clock": datetime.now(UTC).replace(tzinfo=None)}, InvalidArgument, "time zone"),
        ({"headers": {"a b": "c"}}, InvalidArgument, "not a header name"),
        ({"parts": {"nope": "x"}}, UnknownName, "'nope'"),
        ({"scheme": "v9"}, UnknownName, "no scheme"),
        ({"secret": KeyPair.generate("ed25519")}, InvalidSecret, "Secret"),
        ({"body": 3}, InvalidArgument, "body is int"),
    ],
)
def test_every_wrong_argument_says_why(arguments, error, words):
    with pytest.raises(error, match=words):
        WebhookGenerator(**{"provider": "stripe", **arguments})


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


def test_a_time_out_of_range_is_an_error_in_the_words_of_the_form(tab):
    tab.edit(clock={"mode": "fixed", "at": "0001-01-01T00:00:00Z"})

    assert tab.last("draft")["error"]["text"] == "the time is out of range, which is 1970 to 9998"


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


@pytest.mark.parametrize(
    ("name", "value", "error", "words"),
    [
        ("provider", "gitub", UnknownName, "did you mean 'github'?"),
        ("event", "pull_reqest", UnknownName, "did you mean 'pull_request"),
        ("scheme", "sha512", UnknownName, "sha512"),
        ("url", "ftp://hooks.example.com", InvalidArgument, "must begin with http:// or https://"),
        ("headers", {"a b": "c"}, InvalidArgument, "a b"),
        ("clock", "noon", InvalidArgument, "clock= must be"),
    ],
)
def test_a_wrong_input_set_by_code_raises_the_error_of_the_constructor(name, value, error, words):
    widget = WebhookGenerator("github", "push")
    before = getattr(widget, name)

    with pytest.raises(error, match=re.escape(words)):
        setattr(widget, name, value)

    assert before == getattr(widget, name)
    assert widget.draft is not None
    with pytest.raises(error, match=re.escape(words)):
        WebhookGenerator(**{"provider": "github", name: value})


def test_inputs_set_by_code_take_what_the_constructor_takes():
    widget = WebhookGenerator("github", "push")
    values = {"headers": {"X-Trace": "42"}, "clock": timedelta(seconds=-301), "body": '{"zen": "é"}'}
    for name, value in values.items():
        setattr(widget, name, value)
    assert '{"zen": "é"}'.encode() == widget.body
    widget.provider = "Stripe"
    widget.event = "invoice.paid"

    assert ([["X-Trace", "42"]], {"mode": "offset", "offset_s": -301.0}) == (widget.headers, widget.clock)
    assert ("stripe", "invoice.paid") == (widget.provider, widget.event)


def test_code_can_put_right_what_a_browser_left_wrong(tab):
    tab.edit(url="nowhere")
    tab.widget.headers = [["X-Trace", "42"]]  # the URL is wrong as before, which is no fault of the headers
    tab.widget.url = "http://127.0.0.1:9/in"

    assert "http://127.0.0.1:9/in" == tab.widget.draft.url
