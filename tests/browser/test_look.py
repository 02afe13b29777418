"""For every reader: light, dark and high contrast, narrow and wide, by keyboard alone, by ear."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

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


def test_axe_finds_nothing_wrong_in_any_theme_and_nothing_overflows(
    show: Show, lab: Lab, sdk: SdkReceiver, light_again: None
):
    sdk.trust("github", SECRET)
    widget = show("'github', 'push'")
    fill_every_tab(widget, sdk.url("github"))
    found: dict[tuple[str, int, str], list[str]] = {}

    def look(theme: str, *, forced: bool = False) -> None:
        width = widget.root.evaluate("(root) => Math.round(root.getBoundingClientRect().width)")
        for tab in ("Generate", "Verify", "History"):
            widget.tab(tab)
            # Where the system chooses the colours, axe sees the page's own and cannot judge.
            part = widget.root if tab == "Generate" else widget.root.get_by_role("tabpanel", name=tab)
            found[theme, width, tab] = lab.violations(part, contrast=not forced)
            assert 0 == widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth"), (tab, width)

    look("light")
    lab.theme("dark")
    lab.resize(widget.root, NARROW)
    look("dark")
    lab.theme("light")
    lab.page.emulate_media(forced_colors="active")
    look("high contrast", forced=True)

    assert {} == {where: problems for where, problems in found.items() if problems}
    assert 9 == len(found)


def test_the_main_job_needs_no_mouse(show: Show, lab: Lab, sdk: SdkReceiver):
    sdk.trust("github", SECRET)
    widget = show("'stripe'")
    keys = lab.page.keyboard

    def go_to(target: Locator, key: str = "Tab") -> None:
        for _ in range(60):
            if target.evaluate("(element) => element === element.getRootNode().activeElement"):
                return
            keys.press(key)
        raise AssertionError(f"{key} does not lead to {target}")

    keys.press("Escape")
    go_to(widget.root.get_by_role("combobox", name="Provider"))
    keys.type("github")
    keys.press("Enter")
    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("push")
    go_to(widget.root.get_by_role("combobox", name="Event"))
    keys.press("ArrowDown")
    keys.type("issue")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("issue_comment.created")
    go_to(widget.secret)
    keys.type(SECRET)
    keys.press("Enter")
    widget.wait_until_signed()
    go_to(widget.url)
    keys.press("ControlOrMeta+a")
    keys.type(sdk.url("github"))
    go_to(widget.button("Send test payload"))
    keys.press("Enter")
    expect(widget.answer).to_contain_text("200 OK")
    go_to(widget.root.get_by_role("tab", name="Generate"), "Shift+Tab")
    keys.press("ArrowRight")
    expect(widget.root.get_by_role("tab", name="Verify")).to_be_focused()
    keys.press("ArrowRight")

    expect(widget.root.get_by_role("listitem")).to_contain_text("200 OK")
    assert "issue_comment" == sdk.arrived("github")[-1].headers["X-GitHub-Event"]
    assert 2 == len(lab.cells())
