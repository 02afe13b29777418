"""The main tasks of each widget, by keyboard alone, in any host."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from hook_widgets.webhooks import WebhookRequest
from tests.browser.generator import Generator
from tests.browser.keyboard import go_to
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner


def type_into(field: Locator, text: str, key: str = "Tab") -> None:
    """Go to a field, and replace its text."""
    go_to(field, key)
    field.page.keyboard.press("ControlOrMeta+a")
    field.page.keyboard.type(text)


def send_an_event(widget: Generator, secret: str, url: str) -> None:
    """Choose the provider and the event, sign, and send; then see the delivery in the history."""
    keys = widget.root.page.keyboard
    provider, event = (widget.root.get_by_role("combobox", name=name) for name in ("Provider", "Event"))
    go_to(provider)
    keys.type("github")
    keys.press("Enter")
    expect(event).to_have_value("push")
    go_to(event)
    keys.press("ArrowDown")
    keys.type("issue")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(event).to_have_value("issue_comment.created")
    go_to(widget.secret)
    keys.type(secret)
    keys.press("Enter")
    widget.wait_until_signed()
    type_into(widget.url, url, "Shift+Tab")
    go_to(widget.button("Send"))
    keys.press("Enter")
    expect(widget.answer).to_contain_text("200 OK")
    go_to(widget.root.get_by_role("tab", name="Generate"), "Shift+Tab")
    for name in ("Verify", "Check", "History"):
        keys.press("ArrowRight")
        expect(widget.root.get_by_role("tab", name=re.compile(f"^{name}")).first).to_be_focused()
    expect(widget.root.get_by_role("listitem").first).to_contain_text("200 OK")


def find_why_a_signature_is_wrong(widget: Generator, request: WebhookRequest, secret: str) -> None:
    """Paste a received request whose body was changed, and read the cause."""
    keys = widget.root.page.keyboard
    go_to(widget.root.get_by_role("tab", name="Generate"))
    keys.press("ArrowRight")
    expect(widget.root.get_by_role("tab", name="Verify")).to_be_focused()
    go_to(widget.root.get_by_label("Headers (one per line)"))
    keys.insert_text("\n".join(f"{name}: {value}" for name, value in request.headers.multi_items()))
    go_to(widget.root.get_by_label("Body", exact=True))
    keys.insert_text(request.body.decode().strip() + "\n")
    go_to(widget.secret)
    keys.type(secret)
    keys.press("Enter")
    go_to(widget.button("Verify signature"))
    keys.press("Enter")
    expect(widget.region("Verdict")).to_contain_text("a newline at its end that was not signed")
    go_to(widget.region("Verdict").get_by_role("button").first)


def size_a_limit(widget: Calculator) -> None:
    """Type a limit and the traffic, compare the algorithms, read the picture and the advice, open a tab."""
    keys = widget.root.page.keyboard
    type_into(widget.field("Rate limit"), "600/min")
    for more in widget.root.locator("details.hw-fold > summary").all():
        if more.evaluate("(summary) => !summary.parentElement.open"):
            go_to(more)
            keys.press("Enter")
    # What was unset from the start stands last, under More.
    for name, value in (("Burst allowance", "30"), ("Steady traffic", "5/s"), ("Burst, requests", "50")):
        go_to(widget.field("Rate limit"), "Shift+Tab")
        type_into(widget.field(name), value)
    keys.press("Enter")
    expect(widget.status).to_contain_text("of the requests get 429")
    go_to(widget.compare, "Shift+Tab")
    keys.press("Space")
    expect(widget.compare).to_have_attribute("aria-pressed", "true")
    widget.wait_until_fresh()
    go_to(widget.plot)
    keys.press("ArrowRight")
    expect(widget.reading).to_contain_text("s")
    expect(widget.root.get_by_role("list", name="What to do").get_by_role("listitem").first).to_be_visible()
    go_to(widget.tab("Table"))
    keys.press("ArrowRight")
    expect(widget.tab("All numbers")).to_have_attribute("aria-selected", "true")
    expect(widget.panel().get_by_role("table").first).to_be_visible()


def retire_a_version(widget: Planner) -> None:
    """Name the API, set the dates of its first version, see the headers, and read the announcement."""
    keys = widget.root.page.keyboard
    type_into(widget.field("API name"), "Payments API")
    type_into(widget.cell("Deprecated", "v1"), "2026-10-01")
    type_into(widget.cell("Removed", "v1"), "2027-12-01")
    keys.press("Enter")
    expect(widget.row("v1")).to_contain_text("deprecated")
    widget.wait_until_fresh()
    expect(widget.headers()).to_contain_text("Wed, 01 Dec 2027")
    go_to(widget.tab("Dates"))
    keys.press("ArrowRight")
    expect(widget.panel()).to_contain_text("Payments API")


def check_a_change(widget: Planner) -> None:
    """Paste an old and a new document, and read what breaks."""
    keys = widget.root.page.keyboard
    go_to(widget.tab("Dates"))
    for _ in range(7):
        keys.press("ArrowRight")
    expect(widget.tab("Change check")).to_be_focused()
    for name, text in (
        ("Old document", '{"type": "object", "properties": {"total": {}}}'),
        ("New document", '{"type": "object", "properties": {}}'),
    ):
        go_to(widget.panel().get_by_label(name, exact=True))
        keys.insert_text(text)
    go_to(widget.button("Compare"))
    keys.press("Enter")
    expect(widget.panel()).to_contain_text("property-removed")
