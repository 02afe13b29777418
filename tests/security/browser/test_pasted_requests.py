"""A secret that the tab holds does not go to the kernel with a request that is pasted into Verify.

Each time all that the page sent is searched, for the forms of the secret and of what the request has.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.generator import Generator, press_at_rest
from tests.browser.lab import Lab
from tests.browser.leaks import Haystack, Leak
from tests.security.browser.pasted import COMMANDS, FORMS, Pasted, generated
from tests.security.browser.victim import type_secret
from tests.support.extent import extent

DETECT = "Detect from headers"
SHORT = "sk-canary4f8a"
LONG = SHORT + "2c71d9e3b650KfQx7w1P0mZ2yT"


def paste(widget: Generator, request: Pasted, folder: Path) -> None:
    """Paste a request, or load its body from a file."""
    for label, text in (
        ("Method", request.method),
        ("Request URL", request.url),
        ("Headers (one per line)", request.headers),
    ):
        widget.root.get_by_label(label, exact=True).fill(text)
    if request.file:
        (folder / "body.bin").write_bytes(request.file)
        widget.root.get_by_label("Load body from file").set_input_files(folder / "body.bin")
        expect(widget.root.get_by_text("body.bin")).to_be_visible()
    else:
        widget.root.get_by_label("Body", exact=True).fill(request.body)
    if request.public_key:
        widget.root.get_by_label("Public key", exact=True).fill(request.public_key)


def check(widget: Generator) -> None:
    """Press the button, and wait until there is a verdict or a reason, and nothing is asked for any more."""
    widget.button("Verify signature").click()
    verdict = widget.region("Verdict")
    refused = widget.root.locator('[id$="-verify-headers"][aria-invalid=true]')
    answered = verdict.locator(".hw-step").or_(verdict.locator(".hw-alert")).or_(refused)
    expect(answered.first).to_be_attached()
    expect(widget.button("Verify signature")).to_be_enabled()


def go_on(widget: Generator) -> None:
    """Press *Resume* if the request had a piece of the secret."""
    resume = widget.secret_button("Resume")
    if resume.count():
        press_at_rest(resume)
        expect(resume).to_have_count(0)


def leaks(lab: Lab, request: Pasted) -> set[Leak]:
    """Location of the secret, or the form of it in the request."""
    haystack = lab.haystack()
    return {leak for text in (request.secret, request.carried) for leak in haystack.leaks(text)}


def half_is_sent(haystack: Haystack, form: str) -> bool:
    """Tell whether half of a form is found; twelve characters of an encoded form can be one of the secret."""
    middle = len(form) // 2
    leaks = (leak for half in (form[:middle], form[middle:]) for leak in haystack.leaks(half))
    return any(not leak.form.startswith("a piece") for leak in leaks)


@pytest.mark.parametrize("form", extent([*FORMS][::4], [*FORMS]))
def test_the_page_sends_no_form_of_the_secret(show: Show, lab: Lab, form: str, tmp_path: Path):
    request = FORMS[form]
    widget = show(repr(request.provider or "github"))
    widget.tab("Verify")
    if not request.provider:
        widget.pick("Provider", DETECT)
    type_secret(widget, request.secret)

    paste(widget, request, tmp_path)
    check(widget)

    assert set() == leaks(lab, request)


@pytest.mark.parametrize("command", extent([*COMMANDS][:1], [*COMMANDS]))
def test_a_command_that_is_pasted_takes_no_form_of_the_secret_along(show: Show, lab: Lab, command: str):
    request = COMMANDS[command]
    widget = show(repr(request.provider))
    widget.tab("Verify")
    type_secret(widget, request.secret)

    headers = widget.root.get_by_label("Headers (one per line)", exact=True)
    headers.fill(request.headers)
    expect(headers).to_have_value(re.compile("Host: hooks.example.com"))
    check(widget)

    assert set() == leaks(lab, request)


def test_the_page_sends_none_of_many_generated_forms_of_the_secret(show: Show, lab: Lab, tmp_path: Path):
    secret = "canary/4f8a2c71+d9e3b650=KfQx7w"
    widget = show("'gitlab-token'")
    widget.tab("Verify")
    type_secret(widget, secret)
    forms = generated(secret, extent(60, 200), seed=14)

    for at in range(0, len(forms), 20):
        lines = [f"X-Form-{n}: {form}" for n, form in enumerate(forms[at : at + 10])]
        body = "\n".join(forms[at + 10 : at + 20])
        paste(widget, Pasted("gitlab-token", secret, "", "\n".join(lines), body=body), tmp_path)
        check(widget)
        go_on(widget)

    haystack = lab.haystack()
    assert [] == [form for form in dict.fromkeys(forms) if half_is_sent(haystack, form)]
    assert [] == haystack.leaks(secret)


def test_a_longer_secret_is_not_left_over_where_a_shorter_one_is_its_beginning(
    show: Show, lab: Lab, tmp_path: Path
):
    widget = show("'gitlab-token'")
    type_secret(widget, SHORT)
    widget.choose("Telegram", "message")
    type_secret(widget, LONG)
    widget.tab("Verify")

    request = Pasted("telegram", LONG, LONG[len(SHORT) :], f"X-Telegram-Bot-Api-Secret-Token: {LONG}")
    paste(widget, request, tmp_path)
    check(widget)

    assert set() == leaks(lab, request)


def test_a_request_in_the_clear_is_found_when_the_tab_holds_another_secret(
    show: Show, lab: Lab, tmp_path: Path
):
    """The control: the search finds what is sent."""
    request = Pasted("github", "other-canary", "ControlCanary0123456789", "X-Any: ControlCanary0123456789")
    widget = show("'github'")
    type_secret(widget, request.secret)
    widget.tab("Verify")

    paste(widget, request, tmp_path)
    check(widget)

    assert {leak.where for leak in lab.leaks(request.carried)} >= {"frame sent"}
