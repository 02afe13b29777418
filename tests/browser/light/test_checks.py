"""Checks of a real receiver from the widget: the kernel sends, and the tab signs."""

from __future__ import annotations

import json
import re
import secrets
import string
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from hook_widgets.receivers import check_receiver
from hook_widgets.receivers.reporting.rendering import WORDS
from hook_widgets.webhooks import Receiver, Secret
from tests.browser.clicks import clicks, count_clicks
from tests.browser.generator import Generator
from tests.browser.leaks import find_secret
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage
from tests.browser.memory import found_by, probe_for, process_leaks
from tests.browser.protected import protected_frame

#: what the tab cannot decide: a search for the secret
ONLY_IN_PYTHON = {"G2"}
RUN_MS = 120_000


def canary() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(40))


#: All that a reader of the page sees, or somebody who pastes.
SEEN = """
const fields = [...document.querySelectorAll("input, textarea")].map(({ value }) => value);
return [document.documentElement.outerHTML, ...fields, await navigator.clipboard.readText()].join("\\n");
"""


def seen(tab: KernelPage) -> str:
    """The page without the frames of the vault, its fields, and the clipboard."""
    return str(tab.within(SEEN))


def lines(widget: Generator) -> Locator:
    """The rows of the results."""
    return widget.root.get_by_role("region", name="Rows").locator("ul > li:has(> .hw-check-line)")


def shown_rows(widget: Generator) -> dict[str, list[str]]:
    """Status and title of each row, by the id of the check."""
    texts = [text.split("\n") for text in lines(widget).all_inner_texts()]
    return {check: [status, title] for status, check, title, *_ in texts}


@pytest.mark.long
def test_the_whole_standard_suite_runs_with_the_secret_in_the_tab(
    show: Show, tab: KernelPage, tmp_path: Path
):
    secret = canary()
    with Receiver("stripe", Secret(secret)) as receiver:
        expected = check_receiver("stripe", receiver.url, Secret(secret))
        widget = show(f"'stripe', url={receiver.url!r}")
        pids = [int(pid) for pid in tab.execute("import os; print(os.getpid(), os.getppid())").split()]
        widget.tab("Check")
        widget.secret.fill(secret)
        widget.secret.press("Enter")
        widget.button("Run checks").click()
        expect(widget.button("Stop")).to_be_visible()
        # The kernel's messages are handled while the run is under way.
        expect(widget.root.get_by_role("progressbar")).to_be_visible()
        assert "2" == tab.execute("print(1 + 1)").strip()
        expect(widget.button("Run again")).to_be_visible(timeout=RUN_MS)

        assert {
            check.id: [WORDS[check.status], check.title]
            for check in expected.checks
            if check.id not in ONLY_IN_PYTHON
        } == {name: row for name, row in shown_rows(widget).items() if name not in ONLY_IN_PYTHON}
        assert ["not decided"] == [shown_rows(widget)[name][0] for name in sorted(ONLY_IN_PYTHON)]
        files = {}
        for form in ("JSON", "JUnit", "Markdown", "pytest", "HTML"):
            with tab.page.expect_download() as download:
                widget.button(form).click()
            files[download.value.suggested_filename] = Path(download.value.path()).read_text()
        places = [seen(tab), tab.copied(widget.button("Copy command").click)]
        for check in ("A1", "B11", "B14"):
            row = lines(widget).filter(has=tab.page.get_by_text(check, exact=True))
            row.get_by_role("button").first.click()
            places += [tab.copied(widget.button("Copy as curl").click), seen(tab)]
            for button, panel in (("Open in Verify", "Verify"), ("Open in Generate", "Generate")):
                widget.button(button).click()
                expect(widget.root.get_by_role("tab", name=panel, exact=True)).to_be_focused()
                places.append(seen(tab))
                widget.tab("Check")
        widget.root.get_by_role("tab", name="Run", exact=True).click()
        widget.button("First 5").click()
        widget.root.get_by_label("All that apply").click()
        widget.root.get_by_label("At once").fill("4")
        widget.root.get_by_role("button", name=re.compile(r"^Send \d+ requests$")).click()
        expect(widget.root.get_by_text(re.compile(r"(\d+) of \1 responses as expected"))).to_be_visible()
        cells = widget.root.get_by_role("table", name="Results").get_by_role("cell")
        cells.nth(1).get_by_role("button").click()
        places += [tab.copied(widget.button("Copy as curl").click), seen(tab)]
        curl = places[2]
        text = tab.execute("print(w.report.to_json())")
        printed = tab.execute(
            "print(repr(w), w.get_state(), w._repr_mimebundle_(), vars(w), w.report._repr_html_())"
        )
        looked_at, holders = found_by(tab.execute(probe_for(secret)))

        assert [
            "check-stripe.json",
            "check-stripe.xml",
            "check-stripe.md",
            "test_stripe_receiver.py",
            "check-stripe.html",
        ] == list(files)
        assert "Stripe-Signature: t=" in curl
        assert "--secret-env WEBHOOK_SECRET" in places[1]
        assert {None} == {find_secret(place.encode(), secret) for place in places}
        assert json.loads(text) == json.loads(files["check-stripe.json"])
        assert [] == [name for name, content in files.items() if secret in content]
        assert secret not in printed
        assert looked_at > 10_000
        assert [] == holders
        assert [] == [leak for pid in pids for leak in process_leaks(pid, secret)]
        assert [] == tab.leaks(secret)
        tab.page.evaluate("(text) => document.body.append(text)", secret)  # the control
        assert find_secret(seen(tab).encode(), secret)


def test_a_check_runs_again_by_keyboard_and_shows_request_reason_and_change(show: Show, tab: KernelPage):
    secret = canary()
    with Receiver("stripe", Secret(secret)) as receiver:
        widget = show(f"'stripe', url={receiver.url!r}")
        widget.sign_with(secret)
        widget.tab("Check")
        widget.root.get_by_label("Suite").select_option("B")
        widget.button("Run checks").press("Enter")
        expect(widget.button("Run again")).to_be_visible(timeout=RUN_MS)
        count = lines(widget).count()
        line = lines(widget).filter(has=tab.page.get_by_text("B1", exact=True)).get_by_role("button").first
        line.press("Enter")
        expect(widget.root.get_by_role("region", name="Request of B1")).to_contain_text("POST")
        expect(widget.root.get_by_role("region", name="Response of B1")).to_contain_text("401")
        sent = len(receiver.deliveries)
        before = widget.region("Score").inner_text()
        widget.button("Run B1 again").press("Enter")
        expect(widget.region("Score")).not_to_have_text(before, use_inner_text=True)
        expect(widget.button("Run again")).to_be_visible(timeout=RUN_MS)

        assert count == lines(widget).count()
        assert len(receiver.deliveries) > sent


def test_another_secret_of_the_tab_signs_and_stays_there(show: Show, tab: KernelPage):
    secret, other = canary(), canary()
    with Receiver("stripe", Secret(secret)) as receiver:
        widget = show(f"'stripe', url={receiver.url!r}")
        widget.sign_with(secret)
        widget.tab("Check")
        widget.root.get_by_label("Suite").select_option("B")
        widget.root.get_by_text("Other secrets (0)").click()
        field = protected_frame(widget.region("Other secret")).locator("input")
        field.fill(other)
        field.press("Enter")
        expect(widget.root.get_by_text("Other secrets (1)")).to_be_visible()
        widget.button("Run checks").click()
        expect(widget.button("Run again")).to_be_visible(timeout=RUN_MS)
        status, _ = shown_rows(widget)["B15"]
        looked_at, holders = found_by(tab.execute(probe_for(other)))
        page = seen(tab)

        assert "passed" == status
        assert any(delivery.verdict.reason == "signature_differs" for delivery in receiver.deliveries)
        assert looked_at > 10_000
        assert [] == holders
        for each in (secret, other):
            assert [] == tab.leaks(each)
            assert find_secret(page.encode(), each) is None


def test_a_run_is_stopped_and_keeps_what_it_knows(show: Show):
    secret = canary()
    with Receiver("stripe", Secret(secret)) as receiver:
        widget = show(f"'stripe', url={receiver.url!r}")
        widget.sign_with(secret)
        widget.tab("Check")
        widget.button("Run checks").click()
        expect(lines(widget).nth(3)).to_be_visible(timeout=RUN_MS)
        widget.button("Stop").click()
        expect(widget.root.get_by_text("The run ended early: it was stopped.")).to_be_visible()
        first = widget.root.page.get_by_text("A1", exact=True)
        expect(lines(widget).filter(has=first)).to_contain_text("passed")


@pytest.mark.long
def test_five_events_are_sent_with_four_clicks_from_the_tab_check(show: Show, tab: KernelPage):
    secret = canary()
    with Receiver("github", Secret(secret)) as receiver:
        widget = show(f"'github', url={receiver.url!r}")
        widget.sign_with(secret)
        count_clicks(tab.page)
        widget.tab("Check")
        widget.root.get_by_role("tab", name="Run", exact=True).click()
        widget.button("First 5").click()
        widget.button("Send 5 events").click()
        cells = widget.root.get_by_role("table", name="Results").get_by_role("cell")
        expect(cells.filter(has_text="200 OK")).to_have_count(5)

        assert 4 == clicks(tab.page)
        assert [True] * 5 == [delivery.verdict.ok for delivery in receiver.deliveries]
