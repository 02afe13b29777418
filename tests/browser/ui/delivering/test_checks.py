"""The checks of a receiver, with a kernel that only pretends."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.generator import Generator
from tests.browser.keyboard import go_to
from tests.browser.protected import protected_frame
from tests.browser.ui.fake_host import CANARY, Host, Open

LOCAL = "http://127.0.0.1:8000/hooks"


def opened(page: Host, url: str = LOCAL, **options: Any) -> Generator:
    """A widget with a secret, and Check in front."""
    widget = page.mount(traits={"url": url}, **options)
    widget.sign_with(CANARY)
    widget.tab("Check")
    expect(widget.button("Run checks")).to_be_visible()
    return widget


def run(widget: Generator) -> None:
    """Run the checks to their end."""
    widget.button("Run checks").click()
    expect(widget.button("Run again")).to_be_visible()


def ids(widget: Generator) -> list[str]:
    """The ids of the rows in their order."""
    return rows(widget).locator(".hw-mono").all_inner_texts()


def rows(widget: Generator) -> Locator:
    """The rows."""
    return widget.root.get_by_role("region", name="Rows").locator("ul > li:has(> .hw-check-line)")


def status_filter(widget: Generator, text: str) -> Locator:
    """The button that shows and hides the rows of a status."""
    return widget.root.get_by_role("group", name="Filter by status").get_by_role("button", name=text)


def test_rows_are_sorted_by_what_has_to_be_done_and_scored_by_area(host: Open):
    widget = opened(host())
    run(widget)

    assert ["B11", "C2", "C5", "A1", "A2", "B1", "H1"] == ids(widget)
    expect(widget.region("Score")).to_contain_text("3 of 6 passed")
    areas = widget.root.get_by_role("list", name="Filter by area").get_by_role("listitem")
    assert ["A", "good requests", "2/2"] == areas.first.inner_text().split("\n")
    assert "not applicable" in areas.last.inner_text()
    expect(areas.last.get_by_role("img", name="1 not applicable").locator("i")).to_have_count(0)
    expect(areas.nth(1).get_by_role("img", name="1 passed, 1 failed")).to_be_visible()
    widget.root.get_by_label("Group by").select_option("area")
    assert ["A1", "A2", "B1", "B11", "C2", "C5", "H1"] == ids(widget)


@pytest.mark.long
def test_a_status_is_hidden_and_shown_by_its_button(host: Open):
    widget = opened(host())
    run(widget)
    status_filter(widget, "3 passed").click()
    status_filter(widget, "1 not applicable").click()

    assert ["B11", "C2", "C5"] == ids(widget)
    expect(status_filter(widget, "3 passed")).to_have_attribute("aria-pressed", "false")
    status_filter(widget, "3 passed").click()
    assert ["B11", "C2", "C5", "A1", "A2", "B1"] == ids(widget)


@pytest.mark.long
def test_the_rows_of_one_area_are_shown_alone_by_its_button(host: Open):
    widget = opened(host())
    run(widget)
    area = widget.root.get_by_role("list", name="Filter by area").get_by_role("button").nth(1)
    area.click()

    assert ["B11", "B1"] == ids(widget)
    expect(area).to_have_attribute("aria-pressed", "true")
    status_filter(widget, "3 passed").click()
    assert ["B11"] == ids(widget)
    area.click()
    assert ["B11", "C2", "C5", "H1"] == ids(widget)


def test_a_row_shows_request_response_reason_change_and_sources_as_text(host: Open):
    page = host()
    widget = opened(page)
    run(widget)
    rows(widget).first.get_by_role("button").first.click()

    expect(widget.root.get_by_role("region", name="Request of B11")).to_contain_text("2,339 bytes")
    response = widget.root.get_by_role("region", name="Response of B11")
    expect(response).to_contain_text("<img src=x onerror")
    expect(rows(widget).first).to_contain_text("anyone can forge a payment")
    expect(widget.root.get_by_role("region", name="Change for Flask")).to_contain_text("compare_digest")
    widget.root.get_by_label("Framework").select_option("Express")
    expect(widget.root.get_by_role("region", name="Change for Express")).to_contain_text("timingSafeEqual")
    links = rows(widget).first.get_by_role("link")
    assert ["https://example.com/advisory"] == [link.get_attribute("href") for link in links.all()]
    assert 0 == page.page.locator(".hw img").count()


def test_one_check_runs_again_alone_and_the_other_rows_stay(host: Open):
    page = host()
    widget = opened(page)
    run(widget)
    rows(widget).first.get_by_role("button").first.click()
    widget.button("Run B11 again").click()
    expect(widget.button("Run B11 again")).to_be_enabled()

    assert [None, ["B11"]] == [args["only"] for args in page.asked("check")]
    assert 7 == len(ids(widget))


@pytest.mark.long
def test_the_request_of_a_row_is_copied_and_opened_in_generate_and_in_verify(host: Open):
    page = host()
    widget = opened(page)
    run(widget)
    rows(widget).first.get_by_role("button").first.click()
    widget.button("Copy as curl").click()
    page.copied("curl --request POST # B11")
    widget.button("Open in Verify").click()
    expect(widget.root.get_by_role("tab", name="Verify", exact=True)).to_be_focused()
    expect(widget.region("Received request")).to_contain_text("Check B11 as sent")
    expect(widget.root.get_by_label("Headers (one per line)")).to_have_value(re.compile("Stripe-Signature"))
    widget.tab("Check")
    widget.button("Open in Generate").click()

    expect(widget.root.get_by_role("tab", name="Generate", exact=True)).to_be_focused()
    assert b'{"opened":"B11"}' == page.body()
    assert [["B11"], ["B11"], ["B11"]] == [
        [args["n"] for args in page.asked(op)] for op in ("past_curl", "as_sent", "open")
    ]


@pytest.mark.long
def test_a_row_without_a_request_offers_no_copy(host: Open):
    widget = opened(host())
    run(widget)
    rows(widget).last.get_by_role("button").first.click()

    expect(widget.button("Run H1 again")).to_be_visible()
    expect(widget.button("Copy as curl")).to_have_count(0)


@pytest.mark.long
def test_the_command_of_the_run_is_shown_and_copied_with_what_it_lacks(host: Open):
    page = host()
    widget = opened(page, faults={"lacks": ["your own headers"]})
    run(widget)
    command = f"hook-widgets check stripe {LOCAL} --secret-env WEBHOOK_SECRET"
    expect(widget.root.get_by_role("region", name="Command of this run")).to_have_text(command)
    expect(widget.root.get_by_text("The command and the pytest file lack your own headers.")).to_be_visible()
    widget.button("Copy command").click()
    page.copied(command)


@pytest.mark.long
def test_an_area_is_a_suite_of_its_own(host: Open):
    page = host()
    widget = opened(page)
    widget.root.get_by_label("Suite").select_option("B: forged or changed requests, 2 checks")
    run(widget)

    assert [("full", ["B"])] == [(args["suite"], args["only"]) for args in page.asked("check")]
    assert ["B11", "B1"] == ids(widget)
    expect(status_filter(widget, "0 warnings")).to_be_visible()


def test_rows_and_progress_are_there_while_it_runs_and_stop_keeps_them(host: Open):
    page = host()
    widget = opened(page, faults={"heldChecks": 4})
    widget.button("Run checks").click()
    expect(widget.region("Score")).to_contain_text("4 of 7 done")
    progress = widget.root.get_by_role("progressbar", name="Progress of the checks")
    expect(progress).to_have_attribute("value", "4")
    expect(widget.region("Score")).to_contain_text("Waits 12 s")
    assert 4 == len(ids(widget))
    expect(widget.button("JSON")).to_have_count(0)
    widget.button("Stop").click()

    expect(widget.region("Score")).to_contain_text("The run ended early: it was stopped.")
    assert 4 == len(ids(widget))
    expect(widget.button("JSON")).to_be_visible()


@pytest.mark.parametrize(
    ("button", "form"),
    [
        ("JSON", "json"),
        ("JUnit", "junit"),
        ("Markdown", "markdown"),
        ("pytest", "pytest"),
        ("HTML", "html"),
    ],
)
def test_a_report_is_saved_as_the_text_that_the_kernel_gives(host: Open, button: str, form: str):
    page = host()
    widget = opened(page)
    run(widget)
    with page.page.expect_download() as download:
        widget.button(button).click()

    assert f"check-stripe.{form}" == download.value.suggested_filename
    assert f"report as {form}" == Path(download.value.path()).read_text()


def test_another_machine_is_asked_for_by_name_before_each_run(host: Open):
    page = host()
    widget = opened(page, "https://api.example.com/hook")
    for again in (False, True):
        widget.button("Run again" if again else "Run checks").click()
        expect(widget.root.get_by_role("group", name="Confirm host")).to_contain_text("250 requests")
        widget.button("Check api.example.com").click()
        expect(widget.button("Run again")).to_be_visible()
        expect(widget.root.get_by_role("group", name="Confirm host")).to_have_count(0)

    agreed = [args["confirmed_url"] for args in page.asked("check")]
    assert [None, "https://api.example.com/hook"] * 2 == agreed


@pytest.mark.long
def test_an_oracle_goes_to_the_kernel_which_says_what_is_wrong_with_it(host: Open):
    page = host()
    widget = opened(page)
    widget.root.get_by_label("Oracle").fill("touch /tmp/x")
    widget.button("Run checks").click()
    expect(widget.region("Results of checks")).to_contain_text("An oracle from the browser is a URL of")
    widget.root.get_by_label("Oracle").fill(" http://127.0.0.1:9/count ")
    run(widget)

    assert ["touch /tmp/x", "http://127.0.0.1:9/count"] == [args["oracle"] for args in page.asked("check")]


@pytest.mark.long
def test_an_oracle_of_python_cannot_be_typed_over(host: Open):
    page = host()
    widget = opened(page, faults={"oracleSet": True})
    expect(widget.root.get_by_label("Oracle")).not_to_be_editable()
    expect(widget.root.get_by_label("Oracle")).to_have_attribute("placeholder", "set in Python")


def other_field(widget: Generator) -> Locator:
    """The field of another secret, in its protected frame."""
    return protected_frame(widget.region("Other secret")).locator("input")


def test_other_secrets_have_fields_of_their_own_and_the_kernel_gets_their_roles(host: Open):
    page = host()
    widget = opened(page)
    widget.root.get_by_text("Other secrets (0)").click()
    for number, role in enumerate(["Of another endpoint (B15)", "Retired (E4)"], 1):
        widget.root.get_by_label("Role").select_option(role)
        other_field(widget).fill(f"{CANARY}-{number}")
        other_field(widget).press("Enter")
        expect(widget.root.get_by_text(f"Other secrets ({number})")).to_be_visible()
    expect(widget.region("Other secret")).to_contain_text("This secret is used in Check only.")
    run(widget)
    widget.region("Other secret").get_by_role("button", name="Remove").click()
    expect(widget.root.get_by_text("Other secrets (1)")).to_be_visible()
    widget.button("Run again").click()
    expect(widget.button("Run again")).to_be_visible()

    roles = [args["others"] for args in page.asked("check")]
    assert [["other_secret", "retired_secret"], ["other_secret"]] == roles
    assert CANARY not in str(page.frames())


@pytest.mark.long
def test_another_provider_has_other_secrets_of_its_own(host: Open):
    page = host()
    widget = opened(page)
    widget.root.get_by_text("Other secrets (0)").click()
    other_field(widget).fill(f"{CANARY}-1")
    other_field(widget).press("Enter")
    expect(widget.root.get_by_text("Other secrets (1)")).to_be_visible()
    widget.tab("Generate")
    widget.pick("Provider", "Twilio")
    widget.tab("Check")

    expect(widget.root.get_by_text("Other secrets (0)")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(
    "traits",
    [{"provider": "gate", "event": "build.done"}, {"locked": ["secret"]}, {"signer": "kernel"}],
    ids=["token", "locked", "kernel"],
)
def test_no_other_secret_is_asked_for_where_it_could_not_be_used(host: Open, traits: dict[str, Any]):
    widget = host().mount(traits={"url": LOCAL, **traits})
    widget.tab("Check")
    expect(widget.button("Run checks")).to_be_visible()

    expect(widget.root.get_by_text("Other secrets")).to_have_count(0)


@pytest.mark.long
def test_a_locked_receiver_has_no_oracle_and_no_other_url(host: Open):
    page = host()
    widget = page.mount(traits={"url": LOCAL, "locked": ["url"]})
    widget.tab("Check")

    expect(widget.root.get_by_label("Oracle")).not_to_be_editable()
    panel = widget.root.get_by_role("tabpanel", name="Check", exact=True)
    expect(panel.get_by_label("Receiver URL")).not_to_be_editable()


@pytest.mark.long
def test_a_token_provider_is_advised_to_use_python(host: Open):
    page = host()
    widget = page.mount(traits={"url": LOCAL, "provider": "gate", "event": "build.done"})
    widget.tab("Check")
    panel = widget.root.get_by_role("tabpanel", name="Check", exact=True)

    expect(panel.get_by_text("Check this receiver in Python")).to_be_visible()
    expect(widget.button("Run checks")).to_be_disabled()


@pytest.mark.long
def test_a_run_goes_on_in_another_tab_and_a_later_view_shows_it(host: Open):
    page = host()
    widget = opened(page, views=2)
    run(widget)
    widget.tab("Generate")
    widget.tab("Check")
    assert 7 == len(ids(widget))
    second = Generator(page.page.locator(".hw").nth(1))
    second.tab("Check")

    expect(rows(second)).to_have_count(7)


@pytest.mark.long
def test_the_keyboard_reaches_everything(host: Open):
    page = host()
    widget = opened(page)
    widget.root.get_by_role("tab", name="Check", exact=True).focus()
    go_to(widget.button("Run checks"))
    page.page.keyboard.press("Enter")
    expect(widget.button("Run again")).to_be_visible()
    go_to(rows(widget).first.get_by_role("button").first)
    page.page.keyboard.press("Enter")
    go_to(widget.button("Run B11 again"))
    page.page.keyboard.press("Space")
    expect(widget.button("Run B11 again")).to_be_enabled()
    go_to(widget.button("Copy as curl"))
    page.page.keyboard.press("Enter")
    page.copied("curl --request POST # B11")
    go_to(widget.button("Open in Verify"))
    page.page.keyboard.press("Enter")
    expect(widget.root.get_by_role("tab", name="Verify", exact=True)).to_be_focused()
    page.page.keyboard.press("ArrowRight")
    go_to(widget.root.get_by_role("list", name="Filter by area").get_by_role("button").first)
    page.page.keyboard.press("Space")
    expect(rows(widget)).to_have_count(2)
    page.page.keyboard.press("Space")
    expect(rows(widget)).to_have_count(7)
    go_to(widget.button("Markdown"))
    go_to(widget.button("Copy command"))
    page.page.keyboard.press("Enter")
    page.copied(f"hook-widgets check stripe {LOCAL} --secret-env WEBHOOK_SECRET")
    widget.root.get_by_role("tab", name="Checks", exact=True).focus()
    page.page.keyboard.press("ArrowRight")

    expect(widget.root.get_by_role("tab", name="Run", exact=True)).to_be_focused()
    boxes = widget.root.get_by_role("group", name="Events to send").get_by_role("checkbox")
    go_to(boxes.first)
    page.page.keyboard.press("Space")
    go_to(widget.button("Send 1 event"))
    page.page.keyboard.press("Enter")
    cell = widget.root.get_by_role("table", name="Results").get_by_role("button", name="200 OK")
    go_to(cell)
    page.page.keyboard.press("Enter")
    expect(widget.root.get_by_role("region", name="Response 1")).to_be_visible()


@pytest.mark.long
def test_the_end_is_announced(host: Open):
    widget = opened(host())
    expect(widget.root.get_by_role("status").last).to_have_text("Signature up to date")
    run(widget)

    expect(widget.root.get_by_role("status").last).to_have_text("3 of 6 checks passed.")


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("state", ["confirm", "failure", "running", "fresh", "open"])
def test_axe_finds_nothing_in_the_states_of_a_run_and_nothing_sticks_out(host: Open, state: str, width: int):
    page = host(width=width)
    url = "https://api.example.com/hook" if state == "confirm" else LOCAL
    widget = opened(page, url, faults={"heldChecks": 3} if state == "running" else {})
    if state == "failure":
        widget.root.get_by_label("Oracle").fill("x")
    if state == "fresh":
        widget.root.get_by_text("Other secrets (0)").click()
        expect(other_field(widget)).to_be_visible()
    if state != "fresh":
        widget.button("Run checks").click()
        texts = {"confirm": "Check api.example.com", "failure": "Failed", "running": "Waits 12 s"}
        text = texts.get(state, "Save as")
        expect(widget.root.get_by_text(text).first).to_be_visible()
    if state == "open":
        rows(widget).first.get_by_role("button").first.click()
        widget.root.get_by_role("list", name="Filter by area").get_by_role("button").nth(1).click()

    assert {} == page.violations_by_look(widget.root)
    assert [] == page.overflow()
