"""The quickstart notebook, opened in JupyterLab and run as a new user does."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.notebooks import opened

DEMO = "whsec_demo_not_a_secret"


def test_the_quickstart_runs_and_its_widget_sends_what_its_receiver_accepts(lab: Lab):
    opened(lab, "01_quickstart")
    assert DEMO in lab.panel.get_by_role("feed", name="Cells").inner_text()

    lab.run_all()
    widget = Generator(lab.panel.locator(".hw"))
    widget.sign_with(DEMO)
    widget.send_and_see("200 OK")
    widget.write_payload('{"id": "evt_TEST"}')
    widget.wait_until_signed()
    widget.send()
    widget.tab("History")
    expect(widget.root.get_by_role("listitem")).to_contain_text(["200 OK", "200 OK"])

    # One was sent by the notebook's own cells.
    assert "True True True\n" == lab.execute("print(*[one.verdict.ok for one in receiver.deliveries])")
    assert 1 == json.dumps(lab.cells()).count(f'Secret(\\"{DEMO}\\")')
