"""The runbook in JupyterLab: it sends, names causes, follows its inputs, and its secret is nowhere."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.notebooks import opened, printed
from tests.browser.ui.calculator.page import Calculator


def test_the_runbook_sends_tells_causes_and_keeps_its_secret(lab: Lab):
    parts = ["whsec_", "canaryOf", "TheRunbook", "4711"]  # put together in the kernel: no frame holds it
    secret = "".join(parts)
    opened(lab, "13_runbook")
    lab.execute(f"import os; os.environ['PAYMENTS_WEBHOOK_SECRET'] = ''.join({parts})")
    lab.run_all()
    widgets = lab.panel.locator(".hw")
    expect(widgets).to_have_count(3)
    generator, calculator = Generator(widgets.nth(0)), Calculator(widgets.nth(1))

    runbook = generator.region("Runbook")
    expect(runbook.get_by_role("button")).to_have_text(["Send test payload"])
    generator.button("Send test payload").click()
    expect(runbook).to_contain_text("200 OK")
    runbook.get_by_text("Details", exact=True).click()
    expect(generator.url).not_to_be_editable()

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

    calculator.wait_for_the_first_picture()
    assert [True, False] == [calculator.locked(label) for label in ("Rate limit", "Burst, requests")]
    calculator.enter("Burst, requests", "600")
    expect(calculator.status).to_have_text("No request is rejected")

    assert marker not in lab.save()
    assert [] == lab.leaks(secret)
