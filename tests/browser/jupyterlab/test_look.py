"""For every reader: light, dark and high contrast, narrow and wide, by keyboard alone, by ear."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.sdk import SdkReceiver

SECRET = "TESTsecret0123456789"
NARROW = 360


def fill_every_tab(widget: Generator, url: str) -> None:
    """Leave something to look at in each tab: problems, a signature, an answer, a verdict."""
    widget.write_payload('{"id": 1, "id": 2}')
    # What is said of it moves everything below, also away from under a click.
    widget.root.get_by_label("Problems in the payload").get_by_role("listitem").first.wait_for()
    widget.button("Add header").click()
    widget.root.get_by_label("Name of header 1").fill("X-Trace")
    widget.root.get_by_label("Value of X-Trace").fill("runbook-42")
    widget.sign_with(SECRET)
    widget.send_and_see("200 OK", url=url)
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()
    widget.root.get_by_text("Passed").first.wait_for()
    widget.tab("History")
    widget.root.get_by_role("listitem").get_by_role("button").first.click()
    widget.tab("Generate")


@pytest.mark.long
def test_axe_finds_nothing_wrong_in_any_theme_and_nothing_overflows(
    show: Show, lab: Lab, sdk: SdkReceiver, light_again: None
):
    sdk.trust("github", SECRET)
    widget = show("'github', 'push'")
    fill_every_tab(widget, sdk.url("github"))
    results: dict[tuple[str, int, str], list[str]] = {}

    def look(theme: str, *, forced: bool = False) -> None:
        width = widget.root.evaluate("(root) => Math.round(root.getBoundingClientRect().width)")
        for tab in ("Generate", "Verify", "History"):
            widget.tab(tab)
            # Where the system chooses the colours, axe sees the page's own and cannot judge.
            part = widget.root if tab == "Generate" else widget.root.get_by_role("tabpanel", name=tab)
            results[theme, width, tab] = lab.violations(part, contrast=not forced)
            assert 0 == widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth"), (tab, width)

    look("light")
    lab.theme("dark")
    lab.resize(widget.root, NARROW)
    look("dark")
    lab.theme("light")
    lab.page.emulate_media(forced_colors="active")
    look("high contrast", forced=True)

    assert {} == {where: problems for where, problems in results.items() if problems}
    assert 9 == len(results)


def test_send_stays_in_reach_in_a_narrow_notebook(show: Show, lab: Lab, light_again: None):
    widget = show("'github', 'push'")
    lab.resize(widget.root, NARROW)
    widget.sign_with(SECRET)
    for region in ("Request", "Payload", "Secret"):
        widget.region(region).evaluate("element => element.scrollIntoView()")
        expect(widget.button("Send")).to_be_in_viewport(ratio=1)
        top = widget.root.get_by_label("Receiver URL").bounding_box()
        notebook = lab.page.locator(".jp-WindowedPanel-outer").first.bounding_box()
        assert top
        assert notebook
        assert top["y"] >= notebook["y"], region
    # At the end of the widget it goes with it.
    widget.root.evaluate("root => root.scrollIntoView()")
    tabs = widget.root.get_by_role("tablist").first.bounding_box()
    send = widget.button("Send").bounding_box()
    assert tabs
    assert send
    assert tabs["y"] < send["y"]
