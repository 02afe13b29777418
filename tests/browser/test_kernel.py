"""The kernel is busy, restarted or gone: the widget says so, and nothing that was typed is lost."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.generator import SIGNED
from tests.browser.lab import Lab

SECRET = "TESTsecret0123456789"
WAITING = "Waiting for the kernel. Your changes are kept."
SIGNATURE = "X-Hub-Signature-256"

# JupyterLab has messages of widgets handled in a thread beside the cells; other hosts do not.
WITHOUT_SUBSHELLS = "kernel.commsOverSubshells = 'disabled'"

# Notes in every frame what is on the screen: the payload, and what is said of the request.
WATCH = """([payload, request]) => {
  window.seen = [];
  const look = () => {
    const rows = [...request.querySelectorAll('tr')];
    seen.push({
      body: [...payload.children].map((line) => line.textContent).join('\\n'),
      signature: rows.find((row) => row.innerText.startsWith('X-Hub-Signature-256'))?.lastChild.textContent,
      fresh: request.textContent.includes('Signature up to date')
        || request.querySelector('[aria-label="Copy headers"]').ariaDisabled !== 'true',
    });
    requestAnimationFrame(look);
  };
  look();
}"""


@contextmanager
def busy(lab: Lab, flag: Path) -> Iterator[None]:
    """Keep the kernel's cells busy until the end of the block."""
    code = f"import time, pathlib\nwhile not pathlib.Path({str(flag)!r}).exists(): time.sleep(0.01)"
    lab.within("kernel.requestExecute({code: args})", code)
    lab.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.status === 'busy'"
    )
    try:
        yield
    finally:
        flag.touch()


def right_signature(body: str) -> str:
    return "sha256=" + hmac.digest(SECRET.encode(), body.encode(), hashlib.sha256).hex()


def test_while_the_kernel_is_busy_typing_works_and_the_widget_catches_up_afterwards(
    show: Show, lab: Lab, tmp_path: Path
):
    widget = show("'github'", own=True, session=WITHOUT_SUBSHELLS)
    widget.sign_with(SECRET)

    with busy(lab, tmp_path / "done"):
        widget.write_payload('{"typed": "while busy"}')
        expect(widget.root).to_contain_text(WAITING)
        expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")
        expect(widget.payload).to_have_text('{"typed": "while busy"}')

    widget.wait_until_signed()
    expect(widget.root).not_to_contain_text(WAITING)
    expect(widget.header(SIGNATURE)).to_have_text(right_signature('{"typed": "while busy"}'))


def test_in_jupyterlab_the_widget_signs_while_a_cell_runs(show: Show, lab: Lab, tmp_path: Path):
    widget = show("'github'")
    widget.sign_with(SECRET)

    with busy(lab, tmp_path / "done"):
        widget.write_payload('{"typed": "while busy"}')
        expect(widget.header(SIGNATURE)).to_have_text(right_signature('{"typed": "while busy"}'))
        expect(widget.region("Request")).to_contain_text(SIGNED)


def test_code_in_a_cell_and_a_typing_user_end_in_the_same_state(show: Show, lab: Lab):
    widget = show("'github', body=''")
    widget.sign_with(SECRET)
    change = "import time\nfor n in range(100): w.url = f'http://127.0.0.1:9/{n}'; time.sleep(0.01)"

    lab.within(
        "window.done = false; kernel.requestExecute({code: args}).done.then(() => { done = true; })", change
    )
    widget.payload.press_sequentially("typed while a cell sets the address", delay=20)
    lab.page.wait_for_function("() => window.done")
    widget.wait_until_signed()

    expect(widget.url).to_have_value("http://127.0.0.1:9/99")
    expect(widget.payload).to_have_text("typed while a cell sets the address")
    expect(widget.header(SIGNATURE)).to_have_text(right_signature("typed while a cell sets the address"))
    said = lab.execute("print(w.url, w.body.decode())")
    assert "http://127.0.0.1:9/99 typed while a cell sets the address\n" == said


def test_no_signature_is_ever_shown_as_fresh_or_copied_beside_other_bytes(show: Show, lab: Lab):
    widget = show("'github', body='{}'")
    widget.sign_with(SECRET)
    shown = [widget.payload.element_handle(), widget.region("Request").element_handle()]
    lab.page.evaluate(WATCH, shown)

    for word in ("one", "two", "three"):
        widget.write_payload("")
        widget.payload.press_sequentially(word, delay=15)
        widget.wait_until_signed()
        expect(widget.header(SIGNATURE)).to_have_text(right_signature(word))

    seen = lab.page.evaluate("() => window.seen")
    fresh = [frame for frame in seen if frame["fresh"]]
    assert {"one", "two", "three"} <= {frame["body"] for frame in fresh}
    assert len(fresh) < len(seen)
    assert [] == [f for f in fresh if f["signature"] != right_signature(f["body"])]


def test_a_restarted_kernel_is_said_plainly_and_the_text_is_kept(show: Show, lab: Lab):
    widget = show("'github'", own=True)
    widget.sign_with(SECRET)

    lab.restart_kernel()
    expect(widget.root).to_contain_text("The kernel was restarted")
    widget.write_payload('{"typed": "after"}')
    widget.send("http://127.0.0.1:9/typed-after")

    expect(widget.answer).to_contain_text("No kernel")
    expect(widget.payload).to_have_text('{"typed": "after"}')
    expect(widget.url).to_have_value("http://127.0.0.1:9/typed-after")
    expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")
    expect(widget.region("Request")).not_to_contain_text(SIGNED)


def test_what_was_typed_before_a_restart_can_be_put_back_after_the_cell_has_run_again(show: Show, lab: Lab):
    typed = '{"typed": "before the restart"}'
    widget = show("'github'", own=True)
    widget.write_payload(typed)
    expect(widget.root).to_contain_text("Not signed: no secret")

    lab.restart_kernel()
    expect(widget.root).to_contain_text("The kernel was restarted")
    lab.run_all()
    widget.button("Restore").click()
    widget.sign_with(SECRET)

    expect(widget.payload).to_have_text(typed)
    expect(widget.header(SIGNATURE)).to_have_text(right_signature(typed))
    assert f"{typed}\n" == lab.execute("print(w.body.decode())")


def test_a_kernel_that_was_shut_down_is_waited_for_and_the_text_is_kept(show: Show, lab: Lab):
    widget = show("'github'", own=True)
    widget.sign_with(SECRET)

    lab.within("await session.shutdown()")
    widget.write_payload('{"typed": "after"}')

    expect(widget.root).to_contain_text(WAITING)
    expect(widget.payload).to_have_text('{"typed": "after"}')
    expect(widget.button("Copy headers")).to_have_attribute("aria-disabled", "true")


def test_a_saved_notebook_opened_again_shows_the_request_as_it_was_saved(show: Show, lab: Lab, notebook: str):
    widget = show("'github', 'issues.opened', body='[\"saved\"]'", own=True)
    widget.sign_with(SECRET)
    expect(widget.payload).to_have_text('["saved"]')
    lab.save()
    lab.shut_down(notebook)

    lab.open(notebook)

    expect(widget.root).to_contain_text("the request is shown as it was saved")
    expect(widget.root.get_by_role("combobox", name="Event")).to_have_value("issues.opened")
    expect(widget.payload).to_have_text('["saved"]')
    expect(widget.button("Send test payload")).to_have_attribute("aria-disabled", "true")
