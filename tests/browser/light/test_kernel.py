"""The kernel is busy, or its code changes what is being typed: nothing is lost, and no signature is stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.busy import SECRET, SIGNATURE, WAITING, busy, right_signature
from tests.browser.generator import Generator
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage

KERNEL = "tested.kernel"


# As hosts other than JupyterLab have it, which has messages of widgets handled in a thread beside the cells.
WITHOUT_SUBSHELLS = "kernel.commsOverSubshells = 'disabled'"

# Notes in every frame what is on the screen: the payload, and what is said of the request.
WATCH = """([payload, request]) => {
  window.recorded = [];
  const look = () => {
    const rows = [...request.querySelectorAll('tr')];
    recorded.push({
      body: [...payload.children].map((line) => line.textContent).join('\\n'),
      signature: rows.find((row) => row.innerText.startsWith('X-Hub-Signature-256'))?.lastChild.textContent,
      fresh: request.textContent.includes('Signature up to date')
        || request.querySelector('[aria-label="Copy headers"]').ariaDisabled !== 'true',
    });
    window.watching = requestAnimationFrame(look);
  };
  look();
}"""

# The page is shared: a loop that goes on would cost every later test.
STOP = "() => { cancelAnimationFrame(window.watching); return window.recorded; }"


def test_while_the_kernel_is_busy_typing_works_and_the_widget_catches_up_afterwards(
    own_tab: KernelPage, tmp_path: Path
):
    own_tab.within(WITHOUT_SUBSHELLS)
    own_tab.run("from hook_widgets import WebhookGenerator\nWebhookGenerator('github')")
    widget = Generator(own_tab.panel.locator(".hw"))
    widget.sign_with(SECRET)

    with busy(own_tab, tmp_path / "done", KERNEL):
        widget.write_payload('{"typed": "while busy"}')
        expect(widget.root).to_contain_text(WAITING)
        expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")
        expect(widget.payload).to_have_text('{"typed": "while busy"}')

    widget.wait_until_signed()
    expect(widget.root).not_to_contain_text(WAITING)
    expect(widget.header(SIGNATURE)).to_have_text(right_signature('{"typed": "while busy"}'))


@pytest.mark.long
def test_code_in_a_cell_and_a_typing_user_end_in_the_same_state(show: Show, tab: KernelPage):
    widget = show("'github', body=''")
    widget.sign_with(SECRET)
    change = "import time\nfor n in range(100): w.url = f'http://127.0.0.1:9/{n}'; time.sleep(0.01)"

    tab.within(
        "window.done = false; kernel.requestExecute({code: args}).done.then(() => { done = true; })", change
    )
    widget.payload.press_sequentially("typed while a cell sets the address", delay=20)
    tab.page.wait_for_function("() => window.done")
    widget.wait_until_signed()

    expect(widget.url).to_have_value("http://127.0.0.1:9/99")
    expect(widget.payload).to_have_text("typed while a cell sets the address")
    expect(widget.header(SIGNATURE)).to_have_text(right_signature("typed while a cell sets the address"))
    said = tab.execute("print(w.url, w.body.decode())")
    assert "http://127.0.0.1:9/99 typed while a cell sets the address\n" == said


def test_no_signature_is_ever_shown_as_fresh_or_copied_beside_other_bytes(show: Show, tab: KernelPage):
    widget = show("'github', body='{}'")
    widget.sign_with(SECRET)
    shown = [widget.payload.element_handle(), widget.region("Request").element_handle()]
    tab.page.evaluate(WATCH, shown)

    for word in ("one", "two", "three"):
        widget.write_payload("")
        widget.payload.press_sequentially(word, delay=15)
        widget.wait_until_signed()
        expect(widget.header(SIGNATURE)).to_have_text(right_signature(word))

    recorded = tab.page.evaluate(STOP)
    fresh = [frame for frame in recorded if frame["fresh"]]
    assert {"one", "two", "three"} <= {frame["body"] for frame in fresh}
    assert len(fresh) < len(recorded)
    assert [] == [f for f in fresh if f["signature"] != right_signature(f["body"])]
