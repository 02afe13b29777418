"""What the notebooks on limits, versions and the runbook tell their readers to do comes to what they say."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.notebooks import opened, printed, run
from tests.browser.ui.calculator import Calculator
from tests.browser.ui.pictured import Pictured
from tests.browser.ui.planner import Planner


def wait_for_the_first_picture(widget: Pictured) -> None:
    """Longer than for others: a kernel that has just started loads matplotlib for it."""
    expect(widget.root.locator(".hw-picture")).to_have_attribute("aria-busy", "false", timeout=60_000)
    widget.wait_until_fresh()


def locked(widget: Pictured, label: str) -> bool:
    """Whether an input says so, and cannot be changed."""
    field = widget.root.get_by_role("textbox", name=re.compile(f"^{label}"))
    return not field.is_editable() and widget.root.get_by_text("locked", exact=True).count() > 0


def enter(widget: Calculator, label: str, text: str) -> None:
    widget.field(label).fill(text)
    widget.field(label).press("Enter")
    widget.wait_until_fresh()


def test_five_algorithms_are_compared_and_without_the_burst_none_refuses(lab: Lab):
    widget = Calculator(run(lab, "09_five_algorithms"))
    wait_for_the_first_picture(widget)
    expect(widget.picture).to_have_attribute("alt", re.compile("^5 limits compared"))
    expect(widget.status).to_contain_text("get 429")
    expect(lab.panel.locator(".jp-OutputArea img[src^='data:image/png']")).to_have_count(6)

    enter(widget, "Burst, requests", "0")
    expect(widget.status).to_have_text("Token bucket: No request is rejected")


def test_the_fleet_is_locked_and_a_shorter_timeout_makes_the_queue_shorter(lab: Lab):
    widget = Calculator(run(lab, "10_client_fleet"))
    wait_for_the_first_picture(widget)
    inputs = ("Rate limit", "Clients sharing the limit", "Cushion below the limit", "Client timeout")
    assert [True, True, True, False] == [locked(widget, label) for label in inputs]
    expect(widget.panel()).to_contain_text("Let at most 35 requests wait")

    enter(widget, "Client timeout", "10 s")
    expect(widget.panel()).to_contain_text("Let at most 11 requests wait")


def test_the_calculator_refuses_the_share_of_the_log_that_the_sweep_has_printed(lab: Lab):
    widget = Calculator(run(lab, "11_choosing_a_limit"))
    wait_for_the_first_picture(widget)
    expect(widget.status).to_have_text("No request is rejected")
    head, *rows = (line.split() for line in printed(lab, "sweep"))
    five_a_second = next(row for row in rows if row[0] == "5")
    share = float(five_a_second[1 + head[4:].index("10")].rstrip("%"))  # of the partner's, who loses most

    enter(widget, "Burst allowance", "10")

    expect(widget.status).to_have_text(f"{share:g} % of the requests get 429")


def test_the_planner_shows_the_removal_that_the_service_has_answered_with(lab: Lab):
    widget = Planner(run(lab, "12_versioning"))
    wait_for_the_first_picture(widget)
    expect(widget.headers()).to_contain_text("Sunset")
    assert "GET /api/v1/orders/17 -> 410" in printed(lab, "removed-run")

    widget.field("As of").fill("2027-12-30 10:00")
    widget.field("As of").press("Enter")
    widget.wait_until_fresh()

    expect(widget.row("v1").locator(".hw-chip")).to_contain_text("removed")
    expect(widget.headers()).to_contain_text("410")


def test_the_runbook_sends_tells_causes_and_keeps_its_secret(lab: Lab):
    parts = ["whsec_", "canaryOf", "TheRunbook", "4711"]  # put together in the kernel: no frame holds it
    secret = "".join(parts)
    opened(lab, "13_runbook")
    lab.execute(f"import os; os.environ['PAYMENTS_WEBHOOK_SECRET'] = ''.join({parts})")
    lab.run_all()
    widgets = lab.panel.locator(".hw")
    expect(widgets).to_have_count(3)
    generator, calculator = Generator(widgets.nth(0)), Calculator(widgets.nth(1))

    generator.wait_until_signed()
    expect(generator.url).not_to_be_editable()
    generator.send_and_see("200 OK")

    headers = lab.execute(
        "print(*(f'{name}: {value}' for name, value in valid.headers.multi_items()), sep='\\n')"
    )
    body = lab.execute("print(received.decode(), end='')")
    marker = "X-Pasted: and-not-saved"
    generator.tab("Verify")
    generator.root.get_by_label("Headers (one per line)").fill(f"{headers.strip()}\n{marker}")
    generator.root.get_by_label("Body", exact=True).fill(body)
    generator.button("Verify signature").click()
    causes = generator.root.get_by_role("list", name="Causes")
    expect(causes.get_by_role("heading")).to_contain_text([printed(lab, "a-run")[0]])

    wait_for_the_first_picture(calculator)
    assert [True, False] == [locked(calculator, label) for label in ("Rate limit", "Burst, requests")]
    enter(calculator, "Burst, requests", "600")
    expect(calculator.status).to_have_text("No request is rejected")

    assert marker not in lab.save()
    assert [] == lab.leaks(secret)
