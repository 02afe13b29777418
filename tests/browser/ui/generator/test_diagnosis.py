"""Diagnosis of a request that does not verify, in the Verify panel."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.generator import SIGNED, Generator
from tests.browser.ui.fake_host import CANARY, Open

NOT_COMPACT = "The body was re-serialized: it was signed with spaces"


def verify_generated(widget: Generator) -> None:
    """Verifies the request of the other tab, which this kernel never finds right."""
    widget.sign_with(CANARY)
    expect(widget.root.get_by_role("status")).to_contain_text(SIGNED)  # it is the last thing to be said
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()


def findings(widget: Generator) -> Generator:
    return Generator(widget.root.get_by_role("list", name="Causes"))


def test_what_to_change_comes_first_and_is_spoken(host: Open):
    page = host()
    widget = page.mount()
    verify_generated(widget)
    causes = findings(widget).root

    expect(causes.get_by_role("heading")).to_have_text(
        [f"1. {NOT_COMPACT}", "2. The secret ends with a line end"]
    )
    expect(causes).to_contain_text("Verify the raw bytes of the request")
    expect(widget.root.get_by_role("status")).to_contain_text(f"{NOT_COMPACT}. Verify the raw bytes")
    verdict = widget.region("Verdict")
    texts = verdict.inner_text()
    assert texts.index(NOT_COMPACT) < texts.index("Compare base strings") < texts.index(" step")
    expect(widget.root.get_by_role("list", name="Checks")).to_be_hidden()
    assert CANARY not in str(page.frames())


def test_the_code_of_a_change_has_room_for_its_words_in_a_narrow_place(host: Open):
    widget = host(width=320).mount()
    verify_generated(widget)
    causes = findings(widget).root
    parts = (causes.get_by_role("region", name="Code for"), causes.get_by_label("Framework", exact=True))
    code, framework = (part.first.evaluate("(part) => part.clientWidth") for part in parts)

    assert code >= 180
    assert framework <= 120


@pytest.mark.long
def test_the_framework_that_was_chosen_is_remembered_over_requests_and_widgets(host: Open):
    page = host()
    widget = page.mount()
    verify_generated(widget)
    causes = findings(widget).root
    expect(causes.get_by_label("Framework", exact=True)).to_have_count(2)
    causes.get_by_label("Framework", exact=True).first.select_option("Express")
    expect(causes.get_by_role("region", name="Code for Express").first).to_contain_text("express.raw(")
    another = page.page.evaluate_handle("widget.closers[0](), 0")
    another.dispose()
    widget = page.mount()
    verify_generated(widget)

    expect(findings(widget).root.get_by_role("region", name="Code for Express")).to_have_count(2)


@pytest.mark.long
def test_the_texts_that_were_compared_are_there_with_their_first_difference(host: Open):
    widget = host().mount()
    verify_generated(widget)
    verdict = widget.region("Verdict")

    expect(verdict.get_by_text("First difference at byte 12")).to_be_visible()
    expect(verdict.get_by_text("as received · 388 bytes · sha256 9f3c…e1")).to_be_visible()
    expect(verdict.get_by_role("region", name="Base string, as sent, as signed")).to_contain_text(
        '1795262400.{"id":1}'
    )


def test_a_diagnosis_that_finds_nothing_separates_what_was_ruled_out_from_what_is_possible(host: Open):
    widget = host().mount(faults={"unexplained": True})
    page = widget.root.page
    verify_generated(widget)
    verdict = widget.region("Verdict")

    expect(
        verdict.get_by_role("paragraph").filter(has_text="Cause not found Most likely the secret.")
    ).to_be_visible()
    ruled_out, possible = (
        verdict.get_by_role("group").filter(has=page.get_by_text(title, exact=True))
        for title in ("Ruled out", "Not ruled out")
    )
    expect(ruled_out.get_by_text("17 variants of the secret")).to_be_visible()
    expect(possible.get_by_role("listitem")).to_have_text(
        "the signing secret of another endpoint, account or mode"
    )
    expect(ruled_out.get_by_text("another endpoint")).to_have_count(0)
    expect(verdict.get_by_text("Stripe-Signature: the signature differs")).to_be_visible()


@pytest.mark.long
def test_a_change_of_what_is_checked_takes_the_diagnosis_away(host: Open):
    widget = host().mount()
    verify_generated(widget)
    expect(findings(widget).root).to_be_visible()
    widget.root.get_by_label("Request URL").fill("https://example.com/")

    expect(findings(widget).root).to_be_hidden()
    expect(widget.region("Verdict").get_by_text("Invalid", exact=True)).to_be_hidden()
    widget.button("Verify signature").click()
    expect(findings(widget).root).to_be_visible()
    widget.secret.fill("another")
    widget.secret.press("Enter")
    expect(findings(widget).root).to_be_hidden()


def test_a_diagnosis_that_comes_after_a_change_is_not_shown(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    page.page.evaluate("widget.kernel.diagnose = (args, buffers, answer) => { window.late = answer }, 0")
    widget.button("Verify signature").click()
    page.page.wait_for_function("Boolean(window.late)")
    widget.root.get_by_label("Request URL").fill("https://example.com/")
    answer = {
        "verdict": {"ok": False},
        "findings": [{"cause": "", "title": "Of the older one", "change": ""}],
    }
    page.page.evaluate("answer => late(answer)", answer)

    expect(widget.button("Verify signature")).to_be_visible()
    expect(widget.root.get_by_text("Of the older one")).to_be_hidden()


def test_the_provider_is_recognised_from_the_headers_with_the_secret_typed_beside_it(host: Open):
    page = host()
    widget = page.mount()
    widget.tab("Verify")
    widget.pick("Provider", "Detect from headers")
    widget.secret.fill(CANARY)
    widget.secret.press("Enter")
    widget.root.get_by_label("Headers (one per line)").fill("Stripe-Signature: t=1,v1=00")
    widget.root.get_by_label("Body", exact=True).fill("{}")
    widget.button("Verify signature").click()

    expect(widget.root.get_by_text("Detected: Stripe")).to_be_visible()
    expect(widget.root.get_by_text("Also possible: Payment.")).to_be_visible()
    assert [""] == [args["provider"] for args in page.asked("diagnose")]
    assert [] == page.asked("verify")
    assert CANARY not in str(page.frames())


@pytest.mark.long
def test_the_body_as_it_was_sent_goes_along_when_it_is_known(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.root.get_by_text("I also have the original body").click()
    widget.root.get_by_label("Original body", exact=True).fill('{"id":1}')
    widget.button("Verify signature").click()

    expect(widget.root.get_by_text("(sent is known)")).to_be_visible()


@pytest.mark.long
def test_a_kernel_that_cannot_diagnose_still_gives_its_verdict(host: Open):
    widget = host().mount(faults={"noDiagnosis": True})
    verify_generated(widget)
    verdict = widget.region("Verdict")

    expect(verdict.get_by_text("this kernel does not know the request")).to_be_visible()
    expect(verdict.get_by_text("Invalid", exact=True)).to_be_visible()


@pytest.mark.long
def test_a_megabyte_is_diagnosed_in_slices_with_its_progress_shown(host: Open):
    page = host()
    widget = page.mount(faults={"guesses": 64, "unexplained": True})
    widget.sign_with(CANARY)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    page.page.evaluate(
        """() => {
            window.shares = [0];
            const look = () => {
                const share = document.querySelector(".hw-progress")?.getAttribute("value");
                if (share) shares.push(Number(share));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    widget.button("Verify signature").click()
    answer = (
        widget.region("Verdict")
        .get_by_role("paragraph")
        .filter(has_text="Cause not found Most likely the secret.")
    )
    expect(answer).to_be_visible(timeout=60_000)
    shares = page.page.evaluate("shares")

    assert len(set(shares)) > 4
    assert max(after - before for before, after in pairwise([*shares, 100])) <= 34, (
        "percent between two frames"
    )
