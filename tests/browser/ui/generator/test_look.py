"""The widget's look and names: axe, widths, themes, shadow roots."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import CANARY, LOOKS, Open, all_panels
from tests.support.extent import extent


def test_axe_finds_nothing_in_any_panel_and_look(host: Open):
    page = host()
    widget = page.mount()
    results = {}
    for turn, panel in enumerate(all_panels(widget)):
        for look in extent((*LOOKS[turn % 3 :][:1], "light"), LOOKS):
            page.look(look, widget.root)
            results[panel, look] = page.violations(widget.root)

    assert {} == {where: violations for where, violations in results.items() if violations}
    assert extent(15, 27) == len(results)


def test_a_time_is_seen_whole_on_a_phone(host: Open):
    page = host(width=360)
    widget = page.mount()
    widget.tab("Verify")
    widget.root.get_by_label("Clock").last.select_option("Fixed time")
    box = widget.root.get_by_label("Time (UTC)").bounding_box()

    assert box
    assert box["width"] > 190  # of the date, the time and the button that opens the calendar


@pytest.mark.long
@pytest.mark.parametrize(
    "state",
    [
        "problem",
        "faulty file",
        "varied",
        "replacing",
        "confirm",
        "locked",
        "static",
        "form",
        "list",
        "token",
        "certificate",
        "unexplained",
        "detect",
    ],
)
def test_axe_finds_nothing_in_the_rarer_states(host: Open, state: str):
    page = host()
    traits: dict[str, object] = {}
    if state == "locked":
        traits = {"locked": ["provider", "event", "body", "url", "headers", "clock", "secret"]}
    if state == "form":
        traits = {
            "provider": "twilio",
            "event": "sms.received",
            "clock": {"mode": "offset", "offset_s": -300},
        }
    if state == "confirm":
        traits = {"url": "http://api.example.com/hook"}
    if state == "token":
        traits = {"provider": "gate", "event": "build.done"}
    if state == "certificate":
        traits = {"provider": "parcel", "event": "parcel.sent"}
    faults: dict[str, object] = {"unexplained": True, "many": 20}
    if state == "faulty file":
        faults["problems"] = [
            ["/home/ada/acme.provider.toml", "it has 1 fault:\n  line 2: kind: it is missing"]
        ]
    widget = page.mount(traits=traits, kernel=state != "static", faults=faults)
    if state == "confirm":
        widget.sign_with(CANARY)
        widget.send()
        expect(widget.button("Send to api.example.com")).to_be_focused()
    if state == "problem":
        widget.payload.press("Control+End")
        widget.payload.press_sequentially(",}")
        expect(widget.root.get_by_role("list", name="Problems")).to_be_visible()
    if state == "faulty file":
        expect(widget.button("Reload files")).to_be_visible()
        widget.root.get_by_text("1 unverified detail").click()
    if state in ("varied", "replacing"):
        widget.button("Randomize…").click()
        widget.root.get_by_label("Amount").fill("much" if state == "varied" else "7")
        if state == "replacing":
            widget.payload.press("Control+End")
            widget.payload.press_sequentially(" ")
        widget.button("Apply").click()
        expect(
            widget.root.get_by_label("Amount") if state == "varied" else widget.button("Replace")
        ).to_be_focused()
    if state == "list":
        widget.root.get_by_role("combobox", name="Provider").click()
    if state == "certificate":
        widget.button("Generate key pair").click()
        widget.wait_until_signed()
    if state in ("unexplained", "detect"):
        widget.sign_with(CANARY)
        widget.tab("Verify")
        if state == "detect":
            widget.pick("Provider", "Detect from headers")
        widget.button("Verify signature").click()
        if state == "unexplained":
            expect(
                widget.root.get_by_role("paragraph").filter(
                    has_text="Cause not found Most likely the secret."
                )
            ).to_be_visible()

    # A list lies over other text, whose contrast axe then cannot see.
    assert [] == page.violations(widget.root, undecided=state != "list")


def test_nothing_sticks_out_at_any_width(host: Open):
    page = host(width=360)
    widget = page.mount(traits={"url": "http://127.0.0.1:8000/" + "long-path-" * 30})
    results = {}
    for panel in all_panels(widget):
        for width in (1400, 640, 360):
            page.widen(width)
            results[panel, width] = page.overflow()
            assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (panel, width)

    assert {} == {where: sticking for where, sticking in results.items() if sticking}
    assert 9 * 3 == len(results)


@pytest.mark.long
def test_narrow_is_one_column_and_wide_is_two(host: Open):
    page = host(width=700)
    widget = page.mount()

    def left_of(region: str) -> float:
        box = widget.region(region).bounding_box()
        assert box is not None
        return box["x"]

    def beside() -> bool:
        return left_of("Response") > left_of("Payload")

    assert beside()
    page.page.set_viewport_size({"width": 600, "height": 900})
    assert not beside()


@pytest.mark.parametrize(
    ("change", "theme"),
    [
        ("document.body.dataset.jpThemeLight = 'false'", "dark"),
        ("delete document.body.dataset.jpThemeLight; document.body.className = 'vscode-dark'", "dark"),
        (
            "delete document.body.dataset.jpThemeLight; document.body.className = 'vscode-high-contrast'",
            "dark",
        ),
        (
            "delete document.body.dataset.jpThemeLight; document.documentElement.dataset.theme = 'dark'",
            "dark",
        ),
        ("delete document.body.dataset.jpThemeLight", "light"),
    ],
)
def test_the_theme_of_the_page_is_followed_while_it_changes(host: Open, change: str, theme: str):
    page = host(color_scheme="light")
    widget = page.mount()
    expect(widget.root).to_have_attribute("data-theme", "light")
    page.page.evaluate(change)

    expect(widget.root).to_have_attribute("data-theme", theme)


def test_without_a_word_of_the_page_the_system_decides(host: Open):
    page = host(color_scheme="dark")
    page.page.evaluate("delete document.body.dataset.jpThemeLight")
    widget = page.mount()

    expect(widget.root).to_have_attribute("data-theme", "dark")
    page.page.emulate_media(color_scheme="light")
    expect(widget.root).to_have_attribute("data-theme", "light")


def test_the_widget_works_in_a_shadow_root(host: Open):
    page = host()
    widget = page.mount(shadow=True)
    widget.sign_with(CANARY)
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")
    widget.wait_until_signed()

    assert "10px" == widget.root.evaluate("element => getComputedStyle(element).borderRadius")
    assert [] == page.violations(widget.root)
    assert page.body().endswith(b"}\n ")


def test_nothing_is_written_into_the_head_of_the_page(host: Open):
    page = host()
    before = page.page.evaluate("document.head.childElementCount")
    widget = page.mount()
    expect(widget.payload).to_be_visible()

    assert before == page.page.evaluate("document.head.childElementCount")
