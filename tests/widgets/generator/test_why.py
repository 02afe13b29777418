"""The cause of a rejection, by probes that a tab signs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from hook_widgets.webhooks import Secret, asend
from hook_widgets.widgets.generator import deliveries
from hook_widgets.widgets.generator.check_wire import NOT_BY_A_TAB
from hook_widgets.widgets.generator.widget import WebhookGenerator
from tests.support.rewriting import Rewriting
from tests.support.wire import Wire, answer
from tests.widgets.fake_tab import CANARY, FakeTab


def rejected(url: str, **arguments: Any) -> FakeTab:
    """A tab whose delivery was rejected."""
    tab = FakeTab(WebhookGenerator("stripe", "invoice.paid", url=url, **arguments), secret=CANARY)
    assert 400 == tab.ask("send")["value"]["status"]
    return tab


def test_the_probe_that_is_accepted_names_the_cause_and_the_secret_stays_in_the_tab():
    receiver = Rewriting(CANARY)
    with receiver.listening() as url:
        tab = rejected(url)
        value = tab.ask("why", n=1, confirmed_host="127.0.0.1")["value"]

    assert value["explained"]
    assert "body-python" == value["finding"]["cause"]
    assert "Flask" in dict(value["finding"]["frameworks"])
    accepted = [probe["title"] for probe in value["probes"] if probe["accepted"]]
    assert ["It verifies the body after json.loads and json.dumps"] == accepted
    assert 200 in receiver.statuses
    assert len(receiver.statuses) <= 1 + 15
    assert CANARY not in str([tab.noted, tab.replies, [content for content, _ in tab.jobs]])
    assert not [job for job, _ in tab.jobs if job["op"] not in ("sign", "match")]


def test_without_a_cause_it_says_what_a_tab_cannot_try():
    with Rewriting("whsec_of_another_endpoint", rewrites=False).listening() as url:
        value = rejected(url).ask("why", n=1, confirmed_host="127.0.0.1")["value"]

    assert (False, None, NOT_BY_A_TAB) == (value["explained"], value["finding"], value["lacks"])


def test_a_key_of_the_kernel_also_tries_other_forms_of_the_secret():
    with Rewriting(f"{CANARY}\n", rewrites=False).listening() as url:
        widget = WebhookGenerator("stripe", url=url, secret=Secret(CANARY))
        tab = FakeTab(widget)
        tab.ask("send")
        value = tab.ask("why", n=1, confirmed_host="127.0.0.1")["value"]

    assert ("secret-newline", "") == (value["finding"]["cause"], value["lacks"])


def test_nothing_is_sent_before_somebody_agrees_to_the_host():
    receiver = Rewriting(CANARY)
    with receiver.listening() as url:
        error = rejected(url).ask("why", n=1)["error"]

    assert ("confirm_host", "127.0.0.1") == (error["code"], error["host"])
    assert "up to 15 signed requests to 127.0.0.1" in error["text"]
    assert [400] == receiver.statuses


@pytest.mark.parametrize("agreed", [None, "127.0.0.1", "example.test", True, ["hooks.example.test"]])
def test_a_host_elsewhere_gets_no_probe_before_somebody_agrees_to_its_name(monkeypatch, agreed):
    with Wire(answer(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0")) as receiver:
        monkeypatch.setattr(
            deliveries, "asend", lambda request, **_options: asend(replace(request, url=receiver.url))
        )
        widget = WebhookGenerator("stripe", url="https://hooks.example.test/in")
        tab = FakeTab(widget, secret=CANARY)
        assert 400 == tab.ask("send", confirmed_host="hooks.example.test")["value"]["status"]
    signed_before = len(tab.jobs)
    error = tab.ask("why", n=1, confirmed_host=agreed)["error"]

    assert ("confirm_host", "hooks.example.test") == (error["code"], error["host"])
    assert signed_before == len(tab.jobs)


def test_who_asks_chooses_neither_the_bytes_that_are_signed_nor_where_they_go():
    receiver, other = Rewriting(CANARY), Rewriting(CANARY)
    with receiver.listening() as url, other.listening() as elsewhere:
        tab = rejected(url)
        sent = json.loads(tab.widget.body)
        tab.edit(url=elsewhere, body=b'{"of": "a script"}', headers=[["X-Of", "a script"]])
        before = len(tab.jobs)
        chosen = {"url": elsewhere, "body": '{"of": "a script"}', "event": "charge.refunded"}
        tab.ask("why", n=1, confirmed_host="127.0.0.1", **chosen)
    messages = [message for job, raw in tab.jobs[before:] if job["op"] == "sign" for message in raw]

    assert [] == other.statuses
    assert 2 < len(messages) <= 15
    assert [sent] * len(messages) == [json.loads(m.partition(b".")[2]) for m in messages]


def test_no_token_is_released_for_probes():
    with Rewriting(CANARY).listening() as url:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=url), secret=CANARY)
        tab.agrees = True
        tab.ask("send", ticket="1", confirmed_host="127.0.0.1")
        before = len(tab.jobs)
        error = tab.ask("why", n=1, ticket="1", confirmed_host="127.0.0.1")["error"]

    assert "secret_stays" == error["code"]
    assert before == len(tab.jobs)


@pytest.mark.parametrize("n", [2, "1", None])
def test_only_a_delivery_of_the_history_has_a_cause(n: object):
    with Rewriting(CANARY).listening() as url:
        assert "no_such_delivery" == rejected(url).ask("why", n=n)["error"]["code"]


def test_an_old_clock_and_broken_json_are_named_in_place_of_general_advice():
    with Wire(answer(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0")) as receiver:
        tab = FakeTab(WebhookGenerator("stripe", url=receiver.url), secret=CANARY)
        plain = tab.ask("send")["value"]
        tab.edit(clock={"mode": "offset", "offset_s": -600}, body=b'{"a": 1} x')
        rejected = tab.ask("send")["value"]
        clock, payload = rejected["own"]

    assert ([], "") == (plain["own"], rejected["advice"])
    assert "the same secret" in plain["advice"]
    assert re.fullmatch(r"The clock of this widget was 6\d\d s behind; the tolerance is 300 s\.", clock)
    assert payload.startswith("The payload is not valid, line 1, column 10: ")
