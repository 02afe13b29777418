"""The frames of the secret on a bare page: policies, themes, names, and the limit of questions."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from playwright.sync_api import expect

from tests.browser.generator import Generator, press_at_rest
from tests.browser.tab import ROOT
from tests.browser.ui.fake_host import CANARY, Open

HARNESS = ROOT / "js/tests/harness/index.html"
DOCUMENT = ROOT / "src/hook_widgets/widgets/static/vault.html"


def policy(*more: str) -> str:
    """Lets the widget's own scripts and parts run, and no inline script but the harness's."""
    (script,) = re.findall(r'<script type="module">(.*?)</script>', HARNESS.read_text(), re.DOTALL)
    own = f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    return f"script-src 'self' blob: {' '.join((own, *more))}"


def accept(widget: Generator, name: str) -> None:
    """Decide for a field that is not protected."""
    alert = widget.region("Secret").get_by_role("alert")
    expect(alert).to_contain_text("Secret.from_env")
    expect(alert).to_contain_text("the tab curl")
    alert.get_by_role("button", name=name).click()


def test_where_the_page_forbids_the_frame_the_field_says_so_first_and_then_signs_in_the_page(host: Open):
    page = host(policy=policy())
    widget = page.mount()
    expect(widget.region("Secret").get_by_role("alert")).to_contain_text("did not start")
    expect(widget.region("Secret").locator("input")).to_have_count(0)
    accept(widget, "Use a field without protection")
    field = widget.region("Secret").locator("input")
    field.fill(CANARY)
    field.press("Enter")
    widget.wait_until_signed()

    expect(widget.region("Secret")).to_contain_text("Kept in this tab, visible to page scripts")
    expect(widget.region("Secret").locator(".hw-vault")).to_have_count(0)
    widget.pick("Provider", "Discord")
    widget.button("Generate key pair").click()
    widget.wait_until_signed()

    # Here no click could be told from one of a script, so a token is not released.
    widget.pick("Provider", "Gate")
    field = widget.region("Secret").locator("input")
    field.fill(CANARY)
    field.press("Enter")
    expect(widget.answer).to_contain_text("this page cannot ask you safely. Run the curl command")
    expect(widget.button("Send")).to_have_attribute("aria-disabled", "true")


def test_a_page_that_names_the_two_hashes_has_the_frame_and_its_key_pairs(host: Open):
    hashes = re.findall(r"'sha256-[^']+'", DOCUMENT.read_text()[:1000])
    widget = host(policy=policy(*hashes)).mount()
    widget.sign_with(CANARY)

    expect(widget.region("Secret")).to_contain_text("Kept in this browser tab")
    widget.pick("Provider", "Discord")
    widget.button("Generate key pair").click()
    widget.wait_until_signed()


@pytest.mark.long
def test_the_frame_follows_the_theme_and_is_as_high_as_its_field(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    root = widget.vault.locator(".hw")
    light = root.evaluate("(root) => getComputedStyle(root).color")
    page.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(root).to_have_attribute("data-theme", "dark")

    assert light != root.evaluate("(root) => getComputedStyle(root).color")
    frame = widget.vault.frame_element()
    assert frame.evaluate("(frame) => getComputedStyle(frame).colorScheme") == "dark"
    assert root.evaluate("(root) => Math.ceil(root.getBoundingClientRect().height)") == frame.evaluate(
        "(frame) => frame.clientHeight"
    )


@pytest.mark.long
def test_the_frame_has_no_violation_of_its_own(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    document = widget.vault
    document.evaluate((ROOT / "js/node_modules/axe-core/axe.min.js").read_text())
    # What is about whole pages does not hold for a field: landmarks, a heading.
    readable = document.evaluate(
        "() => axe.run(document.querySelector('.hw'), {rules: {region: {enabled: false}}})"
    )

    assert [] == [violation["id"] for violation in readable["violations"]]
    assert {"label", "color-contrast", "button-name"} <= {rule["id"] for rule in readable["passes"]}


def test_no_more_is_signed_after_too_many_questions_until_somebody_goes_on(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    many = [["signature"] * 600, ["signature"]]
    page.page.evaluate(
        """(many) => {
            for (const fields of many) {
                const args = { revision: "", purpose: "preview", provider: "stripe", scheme: "v1", fields };
                const id = `search-${fields.length}`;
                widget.kernel.emit({ id, op: "sign", args }, fields.map(() => new Uint8Array(8)));
            }
        }""",
        many,
    )
    expect(widget.region("Secret")).to_contain_text("Paused")
    expect(widget.secret_note).to_contain_text("Paused: too many requests, or guesses.")
    answers = [frame["content"] for frame in page.frames() if "re" in frame["content"]]
    assert {"paused"} == {answer["error"]["code"] for answer in answers if "error" in answer}
    press_at_rest(widget.secret_button("Resume"))

    expect(widget.region("Secret")).to_contain_text("Kept in this browser tab")
    expect(widget.secret_note).to_contain_text("30 bytes")
    widget.wait_until_signed()


@pytest.mark.parametrize("part", ["panels.js", "vault.js"])
def test_a_field_that_did_not_arrive_says_why_and_comes_when_it_is_asked_for_again(host: Open, part: str):
    page = host()
    widget = page.mount(faults={"hostile": part})
    expect(widget.region("Secret")).to_contain_text(f"{part} is damaged")
    page.page.evaluate("widget.kernel.faults = {}")
    widget.region("Secret").get_by_role("button", name="Retry").click()

    widget.sign_with(CANARY)


@pytest.mark.parametrize(
    "act", ["keeper.remove()", "document.body.prepend(keeper)"], ids=["removed", "moved"]
)
def test_a_keeper_that_the_page_removed_or_reloaded_is_said_to_be_gone_and_comes_back(host: Open, act: str):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    page.page.evaluate(
        f"async () => {{ const keeper = document.querySelector('[data-hook-widgets=keeper]'); {act}; "
        "await new Promise((done) => setTimeout(done, 500)); }"
    )
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")
    expect(widget.region("Secret")).to_contain_text("the page removed the frame that kept the secret")
    widget.region("Secret").get_by_role("button", name="Retry").click()

    widget.sign_with(CANARY)


def test_a_page_that_is_busy_for_six_seconds_gets_its_frame(host: Open):
    page = host()
    page.page.evaluate(
        """() => {
            const place = document.querySelector("#place");
            // Busy from the turn in which the keeper's frame comes, so that its first message has to wait.
            new MutationObserver((_, watch) => {
              const keeper = document.querySelector("[data-hook-widgets=keeper]");
              if (!keeper) return;
              watch.disconnect();
              const until = (end) => { while (performance.now() < end); };
              setTimeout(() => until(performance.now() + 6000), 60);
            }).observe(document.body, { childList: true });
        }"""
    )
    widget = page.mount()
    widget.sign_with(CANARY)

    expect(widget.region("Secret")).to_contain_text("Kept in this browser tab")
