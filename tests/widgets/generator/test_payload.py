"""The payload of the generator: formatted, reset, filled from a form, varied, and kept for its event."""

from __future__ import annotations

import json

import pytest

from hook_widgets.webhooks import provider
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.wire import Wire
from tests.widgets.fake_tab import CANARY, FakeTab


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


def test_the_event_of_a_provider_comes_back_with_it(tab):
    tab.edit(event="charge.refunded")
    tab.edit(body=b'{"mine": 1}')
    tab.edit(provider="github")
    assert "push" == tab.widget.event
    chosen = provider("github").events[1].name
    tab.edit(event=chosen)
    tab.edit(provider="stripe")
    assert ("charge.refunded", b'{"mine": 1}') == (tab.widget.event, tab.widget.body)
    tab.edit(provider="github")
    assert (chosen, provider("github").template(chosen)) == (tab.widget.event, tab.widget.body)


@pytest.mark.parametrize("how", ["undo", "reset"])
def test_an_edit_that_was_undone_or_reset_does_not_come_back_and_is_not_sent(tab, how):
    sample = tab.widget.body
    tab.edit(body=b'{"mine": 1}')
    tab.edit(event="charge.refunded")
    tab.edit(event="payment_intent.succeeded")
    if how == "undo":
        tab.edit(body=sample)
    else:
        tab.ask("reset")
    assert not tab.last("draft")["edited"]

    with Wire() as receiver:
        tab.edit(event="charge.refunded", url=receiver.url)
        tab.ask("send", provider="stripe", event="payment_intent.succeeded")  # as one of several
        tab.edit(event="payment_intent.succeeded")

    assert sample == tab.widget.body
    assert [sample] == [request.body for request in receiver.requests]


def test_an_emptied_body_comes_back_empty(tab):
    tab.edit(body=b"")
    tab.edit(event="charge.refunded")
    tab.edit(event="payment_intent.succeeded")

    assert b"" == tab.widget.body


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


def test_a_body_with_its_signature_inside_is_shown_to_the_browser_as_it_is_sent():
    tab = FakeTab(WebhookGenerator("mailgun"), secret="key-example")
    tab.edit(clock={"mode": "fixed", "at": "2026-09-30T12:00:00Z"})
    note, buffers = tab.noted[-1]

    assert ("signed", [tab.widget.request.body]) == (note["op"], buffers)
    assert tab.widget.body != tab.widget.request.body


def test_the_sample_is_varied_by_seed_and_values_and_is_not_called_edited():
    widget = WebhookGenerator("stripe", "payment_intent.succeeded")
    tab = FakeTab(widget, secret=CANARY)
    sample = json.loads(widget.body)
    reply = tab.ask("randomize", seed=7, values={"email": "grace@example.org", "customer": ""})["value"]
    varied = json.loads(widget.body)

    assert "grace@example.org" == reply["values"]["email"]
    assert (
        str(varied["data"]["object"]["customer"])
        == reply["values"]["customer"]
        != str(sample["data"]["object"]["customer"])
    )
    assert varied.keys() == sample.keys()
    assert False is tab.last("draft")["edited"]

    tab.ask("randomize", seed=7, values={"email": "grace@example.org"})
    assert varied == json.loads(widget.body)

    tab.edit(body=widget.body + b" ")
    assert True is tab.last("draft")["edited"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"seed": "x", "values": {}}, "a seed must be a whole number"),
        ({"seed": 1, "values": ["a"]}, "values must be text by parameter"),
        ({"seed": 1, "values": {"amount": "much"}}, "amount cannot be 'much'"),
    ],
)
def test_a_variation_that_cannot_be_made_says_why_and_leaves_the_body(args, words):
    widget = WebhookGenerator("stripe", "payment_intent.succeeded")
    before = widget.body

    assert words in FakeTab(widget, secret=CANARY).ask("randomize", **args)["error"]["text"]
    assert before == widget.body


def test_a_value_that_cannot_be_used_is_reported_at_its_field_and_others_bodies_are_passed_over():
    tab = FakeTab(WebhookGenerator("stripe", "payment_intent.succeeded"), secret=CANARY)

    assert "params.amount" == tab.ask("randomize", seed=None, values={"amount": "much"})["error"]["field"]
    assert {} == tab.ask("randomize", seed=None, values={"colour": "red"})["value"]["values"]


def test_a_header_that_says_a_varied_value_follows_it_until_the_sample_is_back():
    widget = WebhookGenerator("shopify", "orders/create", headers={"X-Own": "1"})
    tab = FakeTab(widget, secret=CANARY)
    tab.ask("randomize", seed=3, values={"order": "5550000009999"})

    assert "5550000009999" in dict(widget.headers)["X-Shopify-Order-Id"]
    assert [["X-Own", "1"]] == widget.headers[:1]

    tab.ask("reset")
    assert [["X-Own", "1"]] == widget.headers
