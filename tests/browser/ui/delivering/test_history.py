"""History: filter, details, comparison, export, import; and recordings that are pasted into Verify."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.generator import Generator
from tests.browser.ui.fake_host import CANARY, Open

CURL = "curl 'https://receiver.example/hook' -H 'Stripe-Signature: t=1,v1=00' --data-raw '{}'"


def with_two(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.write_payload('{"second": 2}')
    widget.send_and_see("#2")
    widget.tab("History")
    return page, widget


def test_no_text_for_screen_readers_stretches_the_page_below_the_list(host: Open):
    _, widget = with_two(host)
    texts = widget.root.locator(".hw-history .hw-offscreen")

    # What is positioned by something outside the list is not clipped by it.
    inside = "(texts) => texts.map((text) => Boolean(text.offsetParent?.closest('.hw-history')))"
    assert [True, True] == texts.evaluate_all(inside)


def test_events_stand_below_each_other_whatever_the_status(host: Open):
    page = host(width=880)  # wide enough for status and event on one line
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.send_and_see("400", url="http://127.0.0.1:8000/rejects")
    widget.tab("History")
    expect(entries(widget)).to_have_count(2)

    lefts = entries(widget).evaluate_all(
        "(rows) => rows.map((row) => row.querySelector('.hw-mono').getBoundingClientRect().left)"
    )
    assert 1 == len(set(lefts)), lefts


def test_an_entry_shows_request_response_base_string_and_timing(host: Open):
    page, widget = with_two(host)
    widget.root.get_by_role("button", name="#2").click()
    exchange = widget.root.get_by_role("region", name="Exchange 2")
    expect(exchange).to_contain_text("second")
    expect(exchange).to_contain_text("Stripe-Signature")
    exchange.get_by_role("tab", name="Response").click()
    expect(exchange).to_contain_text("answered")
    exchange.get_by_role("tab", name="Base string").click()
    expect(exchange).to_contain_text("hmac-sha256")
    exchange.get_by_role("tab", name="Timing").click()
    expect(exchange).to_contain_text("2026-11-21T12:00:00.250")
    widget.button("Open in Generate").click()
    expect(widget.root.get_by_role("tab", name="Generate")).to_be_focused()
    assert page.body() == b'{"opened":2}'


@pytest.mark.long
@pytest.mark.parametrize(("width", "beside"), [(720, True), (1440, True), (940, False), (360, False)])
def test_the_request_is_beside_the_response_where_both_have_room(host: Open, width: int, beside: bool):
    page = host(width=width)
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.tab("History")
    entries(widget).first.click()
    exchange = widget.root.get_by_role("region", name="Exchange 1")
    expect(exchange.get_by_role("region", name="Request body")).to_be_visible()
    expect(exchange.get_by_role("region", name="Body of the response")).to_be_visible()

    left, right = (
        exchange.get_by_role("tablist", name=f"Parts of the {side}").bounding_box()
        for side in ("request", "response")
    )
    assert left
    assert right
    assert beside is (left["x"] + left["width"] <= right["x"])
    assert [] == page.overflow()
    assert [] == page.violations(widget.root, undecided=False)


@pytest.mark.parametrize(
    ("path", "outcome"), [("", "accepted"), ("reject", "rejected"), ("slow", "rejected")]
)
def test_a_delivery_counts_as_what_the_receiver_said(host: Open, path: str, outcome: str):
    """Also with 400, which is a warning, and with 503, which is an error of the receiver."""
    widget = host().mount(traits={"url": f"http://127.0.0.1:8000/{path}"})
    widget.sign_with(CANARY)
    widget.send_and_see("#1")
    widget.tab("History")

    for each in ("accepted", "rejected", "other"):
        expect(widget.button(f"{int(each == outcome)} {each}")).to_be_visible()


def test_entries_are_filtered_compared_exported_and_cleared(host: Open, tmp_path: Path):
    page, widget = with_two(host)
    field = widget.root.get_by_label("Filter", exact=True)
    field.fill("#1")
    expect(widget.root.get_by_role("button", name="#2")).to_have_count(0)
    field.fill("")
    widget.root.get_by_role("button", name="0 rejected").click()
    expect(widget.root.locator(".hw-disclose")).to_have_count(0)
    widget.root.get_by_role("button", name="0 rejected").click()
    expect(widget.button("Compare two")).to_be_disabled()
    for n in (2, 1):
        widget.root.get_by_label(f"Compare delivery {n}").check()
    widget.button("Compare two").click()
    expect(widget.root.get_by_role("region", name="Differences: Request headers")).to_contain_text(
        "-X-Number: 1"
    )
    expect(widget.root.get_by_role("region", name="Comparison")).to_contain_text("because signed parts do")
    with page.page.expect_download() as download:
        widget.button("Export HAR").click()
    target = tmp_path / "export.har"
    download.value.save_as(target)
    assert json.loads(target.read_text()) == {"form": "har"}
    assert download.value.suggested_filename == "deliveries.har"
    widget.button("Clear…").dblclick()
    expect(widget.button("Clear 2 entries")).to_have_count(0)
    widget.button("Clear…").click()
    widget.button("Clear 2 entries").click()
    expect(widget.root.get_by_text("No deliveries yet.")).to_be_visible()


def entries(widget: Generator) -> Locator:
    """The rows of the list."""
    return widget.root.locator(".hw-disclose")


@pytest.mark.long
def test_the_filter_searches_headers_and_bodies_and_says_how_many_match(host: Open):
    _, widget = with_two(host)
    field = widget.root.get_by_label("Filter", exact=True)
    status = widget.root.get_by_role("tabpanel", name="History").get_by_role("status")
    expect(status).to_have_count(0)
    field.fill('"second"')
    expect(status).to_have_text("1 of 2 entries match.")
    expect(entries(widget)).to_have_count(1)
    expect(entries(widget)).to_contain_text("#2")
    field.fill("Stripe-Signature")
    expect(status).to_have_text("2 of 2 entries match.")
    field.fill("herring")
    expect(status).to_have_text("0 of 2 entries match.")
    expect(entries(widget)).to_have_count(0)


@pytest.mark.long
def test_without_the_search_of_the_kernel_the_list_is_searched_and_that_is_said(host: Open):
    widget = host().mount(faults={"noSearch": True})
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.tab("History")
    widget.root.get_by_label("Filter", exact=True).fill("#1")

    expect(entries(widget)).to_have_count(1)
    expect(widget.root.get_by_text("Headers and bodies were not searched")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(("width", "beside"), [(960, True), (1440, True), (880, False), (360, False)])
def test_the_entry_is_beside_the_list_from_900_pixels_on(host: Open, width: int, beside: bool):
    page = host(width=width)
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.tab("History")
    hint = widget.root.get_by_text("Select an entry to see its exchange.")
    expect(hint).to_be_visible() if beside else expect(hint).to_be_hidden()
    row = entries(widget).first
    row.click()
    exchange = widget.root.get_by_role("region", name="Exchange 1")
    expect(exchange).to_contain_text("Stripe-Signature")
    expect(hint).to_be_hidden()

    left, right = row.bounding_box(), exchange.bounding_box()
    assert left
    assert right
    assert beside is (left["x"] + left["width"] <= right["x"])
    assert [] == page.overflow()
    for look in ("light", "dark"):
        page.look(look, widget.root)
        # Of what is scrolled out of sight beside the list, axe cannot tell the contrast.
        assert [] == page.violations(widget.root, undecided=not beside)


def test_an_import_is_marked_and_opens_in_verify(host: Open):
    page = host()
    widget = page.mount()
    widget.tab("History")
    widget.root.get_by_text("Import a recorded request").click()
    widget.root.get_by_label("Recording", exact=True).fill(CURL)
    widget.button("Add to History").click()
    entry = widget.root.get_by_role("button", name="#1")
    expect(entry).to_contain_text("imported")
    expect(widget.root.get_by_role("button", name="Resend")).to_have_count(0)
    expect(widget.root.locator("p", has_text="curl adds User-Agent by itself")).to_be_visible()
    widget.root.get_by_label("Recording", exact=True).fill(CURL)
    widget.button("Open in Verify").click()
    expect(widget.root.get_by_role("tab", name="Verify")).to_be_focused()
    expect(widget.root.get_by_label("Request URL")).to_have_value("https://receiver.example/hook")
    widget.tab("History")
    entry.click()
    widget.button("Verify this request").click()
    expect(widget.region("Received request")).to_contain_text("Delivery #1 as imported.")


@pytest.mark.parametrize("sent", [True, False])
def test_an_import_is_no_response_to_the_request_of_generate(host: Open, sent: bool):
    widget = host().mount()
    widget.sign_with(CANARY)
    if sent:
        widget.send_and_see("#1")
    widget.tab("History")
    widget.root.get_by_text("Import a recorded request").click()
    widget.root.get_by_label("Recording", exact=True).fill(CURL)
    widget.button("Add to History").click()
    expect(widget.root.get_by_text("imported", exact=True)).to_be_visible()
    widget.tab("Generate")

    expect(widget.answer).to_contain_text("#1" if sent else "Not sent yet.")
    expect(widget.answer).not_to_contain_text("another request")


@pytest.mark.long
def test_a_recording_that_is_pasted_into_verify_fills_the_fields(host: Open):
    widget = host().mount()
    widget.tab("Verify")
    headers = widget.root.get_by_role("textbox", name="Headers (one per line)")
    headers.fill(CURL)
    expect(headers).to_have_value("Stripe-Signature: t=1,v1=00")
    expect(widget.root.get_by_label("Request URL")).to_have_value("https://receiver.example/hook")
    expect(widget.region("Received request")).to_contain_text("curl command")
    expect(widget.root.get_by_role("list", name="Not in the recording")).to_contain_text("User-Agent")
    headers.fill("Stripe-Signature: t=2,v1=11")
    expect(headers).to_have_value("Stripe-Signature: t=2,v1=11")


def paste(field: Locator, text: str) -> None:
    """Paste into a field, as a browser does."""
    field.focus()
    field.evaluate(
        """(element, text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
            if (element.dispatchEvent(event)) element.ownerDocument.execCommand("insertText", false, text);
        }""",
        text,
    )


@pytest.mark.long
def test_a_recording_that_is_pasted_as_the_url_fills_the_editor(host: Open):
    page = host()
    widget = page.mount(traits={"url": ""})
    widget.payload.wait_for()
    paste(widget.url, CURL)
    expect(widget.root.get_by_role("paragraph").filter(has_text="Read from a curl command.")).to_be_visible()
    assert page.body() == b'{"imported":1}'
    assert ["editor"] == [args["to"] for args in page.asked("import")]

    paste(widget.url, "these are no URL")
    expect(
        widget.root.get_by_role("paragraph").filter(has_text="This is not a recording; paste")
    ).to_be_visible()
    paste(widget.url, "http://127.0.0.1:9000/hooks")
    expect(widget.url).to_have_value("http://127.0.0.1:9000/hooks")


ENCODED = base64.b64encode(CANARY.encode()).decode()


def har(value: str) -> str:
    request = {
        "method": "POST",
        "url": f"https://a.example/x?k={CANARY}",
        "headers": [{"name": "X", "value": value}],
        "postData": {"text": json.dumps({"a": CANARY})},
    }
    return json.dumps({"log": {"entries": [{"request": request}]}})


RECORDINGS = {
    "curl": f"curl 'https://a.example/x?k={CANARY}' -H 'Authorization: Bearer {CANARY}' "
    f'--data-raw \'{{"a":"{CANARY}"}}\'',
    "HAR": har("".join(f"%{byte:02x}" for byte in CANARY.encode())),
    "raw": f"POST /{CANARY} HTTP/1.1\nHost: a.example\nX: https://{CANARY}\n\n{CANARY}",
}
BLOCKED = {"base64": har(ENCODED), "hex": har(CANARY.encode().hex())}
FORMS = (CANARY, ENCODED[:-4], CANARY.encode().hex())


def give(widget: Generator, place: str, recording: str) -> None:
    widget.tab(place)
    if place == "Generate":
        paste(widget.url, recording)
    elif place == "Verify":
        widget.root.get_by_role("textbox", name="Headers (one per line)").fill(recording)
    else:
        widget.root.get_by_text("Import a recorded request").click()
        widget.root.get_by_label("Recording", exact=True).fill(recording)
        widget.button("Add to History").click()


@pytest.mark.parametrize("kind", RECORDINGS)
@pytest.mark.parametrize("place", ["Verify", "History", "Generate"])
def test_a_secret_in_a_recording_does_not_reach_the_kernel(host: Open, kind: str, place: str):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    give(widget, place, RECORDINGS[kind])
    page.page.wait_for_function("widget.model.frames.some(({ content }) => content?.op === 'import')")
    imports = "widget.model.frames.filter(({ content }) => content?.op === 'import')"
    sent = page.page.evaluate(f"{imports}.map(({{ buffers }}) => buffers.join())")
    assert len(sent) == 1
    [text] = [bytes.fromhex(frame).decode() for frame in sent]
    assert "https://" in text  # the control: this is the recording
    for form in FORMS:
        assert form not in text
        assert form not in json.dumps(page.frames(), default=str)


@pytest.mark.parametrize("kind", BLOCKED)
@pytest.mark.parametrize("place", ["Verify", "History", "Generate"])
def test_a_recording_with_a_secret_in_another_encoding_is_not_imported(host: Open, kind: str, place: str):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    give(widget, place, BLOCKED[kind])

    expect(widget.root.get_by_text("Not imported: a credential in the text").first).to_be_visible()
    assert [] == page.asked("import")
    frames = json.dumps(page.frames(), default=str)
    assert [] == [form for form in FORMS if form in frames]
