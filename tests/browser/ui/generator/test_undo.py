"""Each event has an undo history of its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.fake_host import Open


def typed(widget, text: str) -> None:
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(text)
    expect(widget.region("Payload")).not_to_contain_text("Checking…")  # the kernel knows it


@pytest.mark.parametrize("delay_ms", [0, 150], ids=["at once", "late"])
def test_undo_does_not_bring_the_body_of_another_event(host: Open, delay_ms: int):
    page = host()
    widget = page.mount(
        traits={"provider": "payment", "event": "payment.succeeded"}, faults={"delayMs": delay_ms}
    )
    widget.payload.wait_for()
    typed(widget, "  edited")
    widget.pick("Provider", "Twilio")
    expect(widget.payload).to_contain_text("NumMedia=0")
    form = page.body()
    for _ in range(5):
        widget.payload.press("Control+z")

    expect(widget.payload).to_contain_text("NumMedia=0")
    assert form == page.body()


@pytest.mark.long
def test_undo_goes_on_within_an_event(host: Open):
    page = host()
    widget = page.mount()
    widget.payload.wait_for()
    before = page.body()
    typed(widget, "   ")
    page.page.wait_for_function("n => widget.kernel.body().length === n + 3", arg=len(before))
    widget.button("Minify").click()
    expect(widget.payload).not_to_contain_text('object": "event')
    widget.payload.press("Control+z")
    widget.payload.press("Control+z")

    page.page.wait_for_function("n => widget.kernel.body().length === n", arg=len(before))
    assert before == page.body()


@pytest.mark.long
def test_the_history_of_an_event_is_there_again_when_it_comes_back(host: Open):
    page = host()
    widget = page.mount(faults={"keepsEdits": True})
    widget.payload.wait_for()
    before = page.body()
    typed(widget, "edited")
    page.page.wait_for_function("new TextDecoder().decode(widget.kernel.body()).includes('edited')")
    widget.pick("Provider", "Twilio")
    expect(widget.payload).to_contain_text("NumMedia=0")
    widget.pick("Provider", "Stripe")
    expect(widget.payload).to_contain_text("edited")
    widget.payload.press("Control+z")

    expect(widget.payload).not_to_contain_text("edited")
    page.page.wait_for_function("n => widget.kernel.body().length === n", arg=len(before))
    assert before == page.body()
