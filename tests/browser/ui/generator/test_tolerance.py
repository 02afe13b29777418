"""The tolerance is a field of Verify."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, Open


def test_the_tolerance_goes_to_the_kernel_and_a_change_takes_the_verdict_away(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()
    verdict = widget.region("Verdict").get_by_text("Invalid", exact=True)
    expect(verdict).to_be_visible()
    expect(widget.root.get_by_role("list", name="Causes")).to_be_visible()
    widget.root.get_by_label("Tolerance (seconds)").fill("600")
    expect(verdict).to_be_hidden()
    widget.button("Verify signature").click()
    expect(widget.root.get_by_role("list", name="Causes")).to_be_visible()

    assert [None, 600] == [args.get("tolerance_s") for args in page.asked("verify")]
    assert [None, 600] == [args.get("tolerance_s") for args in page.asked("diagnose")]
    assert [] == page.overflow()
