"""Actions on the rows of a run from a tab: copy, open, export, and repeat elsewhere."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from hook_widgets.cli.app import main
from hook_widgets.receivers import Setup
from hook_widgets.webhooks import Receiver, Secret, registry
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.recordings.reading import read_recording
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.widgets.generator.check_wire import ROLES, carries
from hook_widgets.widgets.generator.widget import WebhookGenerator
from hook_widgets.widgets.static_html.signer_info import SECRET_ENV
from tests.widgets.check_runs import rows, tab_of
from tests.widgets.fake_tab import CANARY, FakeTab
from tests.widgets.static_html.cases import everywhere

FORMS = ("json", "junit", "markdown", "pytest", "html")
TOKENS = sorted(
    source.id
    for source in registry.providers()
    if {s.algorithm for scheme in source.schemes for s in scheme.signatures} == {Algorithm.TOKEN}
)[::15]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver("stripe", Secret(CANARY)) as running:
        yield running


def exported(tab: FakeTab, form: str) -> tuple[str, str]:
    """Name and text of an export."""
    key = f"export-{form}"
    tab.say({"id": key, "op": "check_export", "args": {"form": form}})
    reply, [text] = tab.replies[key]
    return reply["value"]["name"], text.decode()


def said(tab: FakeTab) -> str:
    """Everything that the kernel has sent to the tab."""
    messages = [*tab.noted, *tab.replies.values(), *tab.jobs]
    return "".join(json.dumps(note) + b"".join(raw).decode("utf-8", "replace") for note, raw in messages)


def forms_of(secret: str) -> set[str]:
    """A secret, and the parts of it that are still one."""
    return {secret, secret.removeprefix("whsec_"), secret[:12], secret[-12:]}


def test_no_copy_and_no_export_of_any_row_has_the_secret(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check")
    sent = [name for name, row in rows(tab).items() if row["sent"]]
    for name in sent:
        for op in ("past_curl", "as_sent", "exchange", "open"):
            assert tab.ask(op, n=name).get("error", {}).get("code") in (None, "written")
    for form in FORMS:
        exported(tab, form)

    assert len(sent) > 30
    assert [] == [form for form in forms_of(CANARY) if form in said(tab)]


@pytest.mark.parametrize("provider", TOKENS)
def test_a_request_that_carries_the_token_itself_is_neither_copied_nor_opened(provider: str):
    token = "tokenCanary4f8a2c71d9e3b650"
    with Receiver(provider, Secret(token)) as receiver:
        widget = WebhookGenerator(provider, url=receiver.url, secret=Secret(token))
        tab = FakeTab(widget)
        reply = tab.ask("check")
        assert reply["ok"], reply
        for name in rows(tab):
            for op in ("past_curl", "as_sent", "exchange", "open"):
                assert "no_such_delivery" == tab.ask(op, n=name)["error"]["code"]
        for form in FORMS:
            exported(tab, form)

    assert {""} == {row["sent"] for row in rows(tab).values()}
    assert [] == [form for form in forms_of(token) if form in said(tab)]


@pytest.mark.parametrize("check", ["A1", "A6", "B1", "B7", "B11"])
def test_the_command_of_a_row_is_the_request_that_decided_it(receiver: Receiver, check: str):
    tab = tab_of(receiver.url)
    tab.ask("check", only=[check])
    [exchange] = read_recording(tab.ask("past_curl", n=check)["value"]["text"]).exchanges
    body = exchange.request.body or b""
    sent = [d.request for d in receiver.deliveries if d.request.body == body]
    signatures = [dict(request.headers.multi_items()).get("Stripe-Signature") for request in sent]

    assert rows(tab)[check]["request"]["body_length"] == len(body)
    assert exchange.request.headers.get("Stripe-Signature") in signatures


def test_a_copy_has_the_users_headers_as_the_request_had_them():
    with Receiver("stripe", Secret(CANARY)) as receiver, Receiver("stripe", Secret(CANARY)) as other:
        setup = Setup(unconfigured_url=other.url)
        tab = tab_of(receiver.url, headers={"X-Mine": "1"}, setup=setup)
        tab.ask("check", only=["A1", "B6"])
        copies = [
            read_recording(tab.ask("past_curl", n=name)["value"]["text"]).exchanges[0].request
            for name in rows(tab)
        ]

        expected = [(receiver.url, "1"), (other.url, None)]
        assert expected == [(request.url, request.headers.get("X-Mine")) for request in copies]
        assert ["1"] == [d.request.headers.get("X-Mine") for d in receiver.deliveries]


@pytest.mark.parametrize("check", ["F7", "F9", "A9"])
def test_a_request_that_no_curl_command_writes_has_none(receiver: Receiver, check: str):
    tab = tab_of(receiver.url)
    tab.ask("check", suite="full", only=[check])

    assert "passed" == rows(tab)[check]["status"]
    assert "written" == tab.ask("past_curl", n=check)["error"]["code"]
    assert tab.ask("open", n=check)["ok"]


def test_a_row_is_opened_in_the_editor_with_its_body_and_in_verify_as_it_was_sent(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["B7"])
    tab.say({"id": "sent", "op": "as_sent", "args": {"n": "B7"}})
    reply, [body] = tab.replies["sent"]
    headers = "\n".join(f"{name}: {value}" for name, value in reply["value"]["headers"])
    verdict = tab.ask("verify", body, provider="stripe", headers_text=headers, url=reply["value"]["url"])
    tab.ask("open", n="B7")

    assert (body, "stripe", receiver.url) == (tab.widget.body, tab.widget.provider, tab.widget.url)
    assert ("signature_differs", False) == (verdict["value"]["reason"], verdict["value"]["ok"])
    assert {"deliveries": []} == tab.ask("history")["value"]  # a run does not fill the history


def test_a_row_cannot_be_opened_in_an_input_that_is_locked(receiver: Receiver):
    tab = tab_of(receiver.url, locked=["body"])
    tab.ask("check", only=["B7"])

    assert "locked" == tab.ask("open", n="B7")["error"]["code"]


def test_a_new_run_forgets_the_requests_of_the_last_one(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A1", "B1"])
    tab.ask("check", only=["A"])

    assert tab.ask("past_curl", n="A1")["ok"]
    assert "no_such_delivery" == tab.ask("past_curl", n="B1")["error"]["code"]


def test_one_area_after_another_is_a_report_of_its_own(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", suite="full", only=["E"])
    tab.ask("check", suite="full", only=["G"])

    assert {"G"} == {check.id[0] for check in tab.widget.report.checks}


def test_a_row_without_a_request_says_so(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["H"])

    assert {""} == {row["sent"] for row in rows(tab).values()}


# -- the run elsewhere ------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [{}, {"suite": "full", "only": ["B"]}, {"only": ["A1", "C2"]}])
def test_the_command_of_a_run_repeats_it(
    args: dict[str, Any],
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.setenv(SECRET_ENV, CANARY)
    tab = tab_of(receiver.url, event="invoice.paid")
    tab.ask("check", **args)
    program, *words = shlex.split(tab.last("check_begin")["begun"]["command"])
    main([*words, "--format", "json"])
    report = json.loads(capfd.readouterr().out)
    results = {check["id"]: check["status"] for check in report["checks"] if check["id"] != "G2"}

    assert "hook-widgets" == program
    assert results == {name: row["status"] for name, row in rows(tab).items() if name != "G2"}
    assert [] == tab.last("check_begin")["begun"]["lacks"]
    assert CANARY not in " ".join(words)


def test_the_command_quotes_a_url_for_the_shell():
    url = "http://127.0.0.1:9/hooks?a=1&b=$(touch);'`id`"
    tab = tab_of(url)
    tab.ask("check", only=["A1"])
    words = shlex.split(tab.last("check_begin")["begun"]["command"])

    assert ["hook-widgets", "check", "stripe", url] == words[:4]


def test_a_run_says_what_its_command_lacks(receiver: Receiver):
    tab = tab_of(receiver.url, oracle=lambda: 1, headers={"X-Mine": "1"}, body=b'{"mine": true}')
    tab.ask("check", only=["A1"])

    lacks = ["the edited payload", "your own headers", "oracle= of Python"]
    assert lacks == tab.last("check_begin")["begun"]["lacks"]
    assert "--oracle" not in tab.last("check_begin")["begun"]["command"]


def test_one_check_again_leaves_the_command_of_the_whole_run(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A", "B1"])
    before = tab.last("check_begin")["begun"]["command"]
    tab.ask("check", only=["B1"])

    assert before == tab.last("check_begin")["begun"]["command"]


def test_each_form_has_a_name_and_pytest_finds_the_tests(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["A1", "B1"])
    names = [exported(tab, form)[0] for form in FORMS]
    text = exported(tab, "pytest")[1]

    assert [
        "check-stripe.json",
        "check-stripe.xml",
        "check-stripe.md",
        "test_stripe_receiver.py",
        "check-stripe.html",
    ] == names
    compile(text, "test_stripe_receiver.py", "exec")
    assert "only=['A1', 'B1']" in text
    assert f"secret_env='{SECRET_ENV}'" in text


def test_the_file_of_a_provider_with_a_dash_is_a_module():
    token = "tokenCanary4f8a2c71d9e3b650"
    with Receiver("gitlab-token", Secret(token)) as receiver:
        tab = FakeTab(WebhookGenerator("gitlab-token", url=receiver.url, secret=Secret(token)))
        tab.ask("check", only=["A1"])

    assert re.fullmatch(r"test_\w+\.py", exported(tab, "pytest")[0])


# -- what only the owner gives, in Python -------------------------------------------------------------


def test_what_the_owner_gives_in_python_decides_more_and_is_in_no_message(receiver: Receiver):
    other = "whsec_otherCanary4f8a2c71d9e3"
    with Receiver("stripe", Secret(CANARY)) as lax:
        setup = Setup(other_secret=Secret(other), unconfigured_url=lax.url)
        tab = tab_of(receiver.url, setup=setup)
        tab.ask("check", only=["B6", "B15"])
    for form in FORMS:
        exported(tab, form)
    for name in rows(tab):
        tab.ask("past_curl", n=name)

    assert {"B6": "passed", "B15": "passed"} == {name: row["status"] for name, row in rows(tab).items()}
    assert [] == [form for form in forms_of(other) if form in said(tab) + everywhere(tab.widget)]
    assert ["setup= of Python"] == tab.last("check_begin")["begun"]["lacks"]
    assert "setup=setup" in str(tab.widget._full_document().fragment())


def test_a_message_of_a_page_sets_nothing_up(receiver: Receiver):
    tab = tab_of(receiver.url)
    tab.ask("check", only=["B6"], setup={"unconfigured_url": receiver.url}, unconfigured_url=receiver.url)

    assert "not_decided" == rows(tab)["B6"]["status"]


@pytest.mark.parametrize("check", ["H1", "H2", "H3"])
def test_a_token_of_the_owners_is_in_no_message(check: str):
    token = "verifyCanary/4f8a 2c71"
    with Receiver("whatsapp", Secret(CANARY)) as receiver:
        tab = tab_of(receiver.url, "whatsapp", setup=Setup(parts={"verify_token": token}))
        tab.ask("check", only=[check])
        for op in ("past_curl", "as_sent", "exchange", "open"):
            tab.ask(op, n=check)
        for form in FORMS:
            exported(tab, form)

    assert {"H1": "passed", "H2": "failed", "H3": "passed"}[check] == rows(tab)[check]["status"]
    assert (check == "H2") == bool(rows(tab)[check]["sent"])  # which has another token
    assert [] == [form for form in (token, quote(token, safe=""), quote_plus(token)) if form in said(tab)]


@pytest.mark.parametrize(
    "request_",
    [
        WebhookRequest(method="GET", url="http://a.example/?t=a%2Fb%20c", headers=Headers(), body=b""),
        WebhookRequest(method="GET", url="http://a.example/?t=a%2Fb+c", headers=Headers(), body=b""),
        WebhookRequest(method="POST", url="http://a.example/", headers=Headers({"X-T": "a/b c"}), body=b""),
        WebhookRequest(method="POST", url="http://a.example/", headers=Headers(), body=b'{"t":"a/b c"}'),
    ],
)
def test_a_token_is_found_wherever_a_request_carries_it(request_: WebhookRequest):
    assert carries(request_, ["", "a/b c"])
    assert not carries(request_, ["", "a/b d"])


# -- other secrets of a tab ----------------------------------------------------------------------------

OTHERS = {role: f"whsec_{role}Canary4f8a2c71d9" for role in ROLES}


def test_other_secrets_of_the_tab_decide_more_and_are_in_no_message(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    tab = tab_of(receiver.url)
    tab.others = {f"stripe_{role}": secret for role, secret in OTHERS.items()}
    tab.ask("check", only=["B15", "E3", "E4"], others=list(ROLES))
    decided = {name: row["status"] for name, row in rows(tab).items()}
    for form in FORMS:
        exported(tab, form)
    for name in rows(tab):
        tab.ask("past_curl", n=name)

    assert {"B15": "passed", "E3": "failed", "E4": "passed"} == decided
    assert [] == [form for s in OTHERS.values() for form in (s, s[6:]) if form in said(tab)]
    slots = {job["args"]["provider"] for job, _ in tab.jobs}
    assert {"stripe", *(f"stripe_{role}" for role in ROLES)} == slots
    _, *words = shlex.split(tab.last("check_begin")["begun"]["command"])
    monkeypatch.setenv(SECRET_ENV, CANARY)
    for role, secret in OTHERS.items():
        monkeypatch.setenv(f"WEBHOOK_{role.upper()}", secret)
    main([*words, "--format", "json"])
    checks = json.loads(capfd.readouterr().out)["checks"]
    assert decided == {check["id"]: check["status"] for check in checks}


def test_an_other_secret_of_python_comes_first(receiver: Receiver):
    tab = tab_of(receiver.url, setup=Setup(other_secret=Secret("whsec_ofPython4f8a2c71d9")))
    tab.ask("check", only=["B15"], others=["other_secret"])

    assert "passed" == rows(tab)["B15"]["status"]
    assert {"stripe"} == {job["args"]["provider"] for job, _ in tab.jobs}


@pytest.mark.parametrize(
    "others", ["other_secret", ["unconfigured_url"], [1], {"other_secret": "x"}, [["a"]]]
)
def test_other_roles_are_an_error_and_nothing_is_asked(receiver: Receiver, others: Any):
    tab = tab_of(receiver.url)
    tab.jobs.clear()

    assert "bad_checks" == tab.ask("check", others=others)["error"]["code"]
    assert [] == tab.jobs
