"""One widget, several views and tabs: they agree, and the secret stays where it was typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Show
from tests.browser.generator import SIGNED, Generator
from tests.browser.lab import Lab

SECRET = "TESTsecret0123456789"


def views(lab: Lab) -> list[Generator]:
    return [Generator(frame) for frame in lab.panel.locator(".hw").all()]


def test_two_views_show_the_same_and_share_the_secret_until_the_last_one_closes(
    empty_lab: Lab, notebook: str
):
    lab = empty_lab
    lab.run(
        "from hook_widgets import WebhookGenerator", "w = WebhookGenerator()\nw", "w", "pass", name=notebook
    )
    first, second = views(lab)

    first.choose("GitHub", "push")
    first.write_payload('{"zen": "Two views."}')
    first.sign_with(SECRET)
    second.wait_until_signed()

    expect(second.root.get_by_role("combobox", name="Event")).to_have_value("push")
    expect(second.payload).to_have_text('{"zen": "Two views."}')
    expect(second.secret).to_have_value("")
    expect(second.secret).to_have_attribute("placeholder", "kept in this tab")
    signature = "X-Hub-Signature-256"
    assert first.header(signature).inner_text() == second.header(signature).inner_text()

    lab.within("panel.content.widgets[1].outputArea.model.clear()")
    expect(lab.panel.locator(".hw")).to_have_count(1)
    (left,) = views(lab)
    expect(left.secret_note).to_contain_text("20 bytes")
    lab.within("panel.content.widgets[2].outputArea.model.clear()")
    expect(lab.panel.locator(".hw")).to_have_count(0)
    # A cell that is moved has a new view at once, so the keeper waits for one.
    expect(lab.page.locator("[data-hook-widgets=keeper]")).to_have_count(0)
    lab.within("panel.content.widgets[3].model.sharedModel.setSource('w')")
    lab.within("panel.content.activeCellIndex = 3; await app.commands.execute('notebook:run-cell')")

    (again,) = views(lab)
    expect(again.secret_note).to_contain_text("No secret entered. It is never saved")
    expect(again.region("Request")).to_contain_text("Not signed: no secret")


@pytest.mark.long
def test_running_a_cell_again_leaves_one_live_widget_in_the_kernel(lab: Lab, show: Show):
    show("'stripe'")
    count = """
from ipywidgets.widgets.widget import _instances
print(sum(type(x).__name__ == "WebhookGenerator" for x in _instances.values()))"""

    for _ in range(3):
        lab.run_all()

    assert "1\n" == lab.execute(count)
    expect(lab.panel.locator(".hw")).to_have_count(1)


@pytest.mark.long
def test_only_the_browser_with_the_secret_signs_and_the_other_shows_the_signed_request(
    show: Show, lab: Lab, open_tab: OpenTab
):
    mine = show("'stripe'", own=True)  # a kernel of many tests has many widgets to load in another tab
    lab.save()
    other_tab = open_tab().open(lab.name)
    theirs = Generator(other_tab.panel.locator(".hw"))
    expect(theirs.region("Request")).to_contain_text("Not signed: no secret")

    mine.sign_with(SECRET)
    expect(theirs.region("Request")).to_contain_text(SIGNED)
    expect(theirs.secret_note).to_contain_text("No secret entered")
    theirs.write_payload('{"typed": "in the other tab"}')

    mine.wait_until_signed()
    expect(mine.payload).to_have_text('{"typed": "in the other tab"}')
    theirs.wait_until_signed()
    signature = "Stripe-Signature"
    expect(mine.header(signature)).to_have_text(theirs.header(signature).inner_text())
