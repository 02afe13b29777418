"""Kernels that are silent, late, out of order, gone or hostile, and pages without one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from hook_widgets import WebhookGenerator
from tests.browser.generator import Generator
from tests.browser.ui.fake_host import CANARY, PING_MS, Open, text_box


def test_a_silent_kernel_is_waited_for_and_what_is_typed_is_kept(host: Open):
    page = host()
    widget = page.mount(faults={"silent": True})
    text_box(widget).fill('{"typed": true}')

    expect(widget.root.get_by_text("Waiting for the kernel. Your changes are kept.")).to_be_visible()
    expect(text_box(widget)).to_have_value('{"typed": true}')


def test_the_field_of_a_known_provider_does_not_wait_for_a_silent_kernel(host: Open):
    page = host()
    widget = page.mount(faults={"many": 3})
    widget.pick("Provider", "Made Up 1")
    expect(widget.secret).to_be_visible()
    widget.pick("Provider", "Made Up 2")
    expect(widget.secret).to_be_visible()
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.pick("Provider", "Made Up 1")

    widget.secret.fill(CANARY)
    expect(widget.secret_note).to_have_text("Press Enter to sign with this secret.")


SAVED_STATE = """() => {
  const state = document.createElement("script");
  state.type = "application/vnd.jupyter.widget-state+json";
  document.head.append(state);
}"""


def test_on_a_page_with_saved_state_nothing_is_waited_for(host: Open):
    page = host()
    page.page.evaluate(SAVED_STATE)
    widget = page.mount(faults={"silent": True})

    expect(widget.root).to_contain_text("No kernel: the")
    expect(widget.region("Request")).to_contain_text("Headers need a kernel.")
    expect(text_box(widget)).to_have_attribute("readonly", "")


def test_a_page_without_a_kernel_shows_the_headers_and_the_command_that_were_saved(host: Open):
    page = host()
    generator = WebhookGenerator("stripe")
    assert generator._repr_mimebundle_() is not None
    page.page.evaluate("options => mount(options)", {"kernel": False, "traits": {"still": generator.still}})
    widget = Generator(page.page.locator(".hw"))
    saved = widget.root.locator(".hw-still")

    expect(saved.get_by_text("Stripe-Signature", exact=True)).to_be_visible()
    expect(saved.get_by_text("read -rs WEBHOOK_SECRET")).to_be_visible()
    expect(widget.root.get_by_role("textbox").first).to_be_hidden()
    widget.root.get_by_text("All inputs", exact=True).click()
    expect(widget.region("Request").get_by_text("Headers are shown above.")).to_be_visible()
    expect(text_box(widget)).to_have_attribute("readonly", "")
    assert [] == page.violations(widget.root)


@pytest.mark.parametrize("width", [320, 500])
def test_what_was_saved_fits_into_a_narrow_page(host: Open, width: int):
    page = host(width=width)
    generator = WebhookGenerator("stripe")
    assert generator._repr_mimebundle_() is not None
    page.page.evaluate("options => mount(options)", {"kernel": False, "traits": {"still": generator.still}})
    expect(page.page.locator(".hw-still")).to_be_visible()

    assert [] == page.overflow()


@pytest.mark.long
def test_a_page_with_saved_state_and_a_kernel_is_as_good_as_any(host: Open):
    page = host()
    page.page.evaluate(SAVED_STATE)
    widget = page.mount()
    widget.sign_with(CANARY)

    expect(widget.root.get_by_text("No kernel: the")).to_be_hidden()


def test_typing_goes_on_while_the_kernel_falls_silent_and_answers_again(host: Open):
    page = host()
    widget = page.mount()
    expect(widget.secret).to_be_visible()  # this kernel drops what it is asked while silent
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.payload.press("Control+End")
    widget.payload.press_sequentially("1")
    expect(widget.root.get_by_text("Waiting for the kernel. Your changes are kept.")).to_be_visible()
    page.page.keyboard.type("2")
    page.page.evaluate("widget.kernel.faults.silent = false")
    page.page.keyboard.type("3")
    expect(widget.root.get_by_text("Waiting for the kernel. Your changes are kept.")).to_be_hidden()
    page.page.keyboard.type("4")

    expect(widget.payload).to_contain_text("1234")
    expect(widget.payload).to_be_focused()


@pytest.mark.long
def test_a_late_kernel_is_caught_up_with(host: Open):
    page = host()
    widget = page.mount(faults={"delayMs": 1500})
    expect(widget.root.get_by_text("Waiting for the kernel. Your changes are kept.")).to_be_visible()
    page.page.evaluate("widget.kernel.faults.delayMs = 300")
    widget.sign_with(CANARY)

    expect(widget.root.get_by_text("Waiting for the kernel. Your changes are kept.")).to_be_hidden()
    expect(widget.payload).to_have_count(1)


def test_answers_out_of_order_end_in_the_newest_state(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    expect(widget.payload).to_be_visible()
    page.page.evaluate("widget.kernel.faults.reversed = 2")
    widget.root.get_by_role("tab", name="curl").click()
    widget.button("Minify").click()
    expect(widget.region("Payload")).to_contain_text("one line")

    widget.wait_until_signed()


def test_a_restarted_kernel_is_said_plainly(host: Open):
    page = host()
    widget = page.mount()
    page.hasten(PING_MS)
    expect(widget.payload).to_be_visible()
    page.page.evaluate("widget.kernel.faults.silent = true; widget.model.emit('comm_live_update')")

    expect(widget.root.get_by_text("The kernel was restarted. Run the cell again")).to_be_visible()
    expect(widget.payload).to_contain_text("evt_1TestA")


@pytest.mark.parametrize("op", ["catalog", "chunk", "curl", "verify", "send"])
def test_nonsense_from_the_kernel_becomes_a_message(host: Open, op: str):
    page = host()
    widget = page.mount(faults={"hostile": op})
    if op == "catalog":
        expect(widget.root).to_contain_text("The kernel's response to “catalog” cannot be read")
        return
    if op == "chunk":
        expect(widget.region("Payload")).to_contain_text("The code editor could not be loaded")
        expect(text_box(widget)).to_be_editable()
        return
    widget.sign_with(CANARY)
    if op == "curl":
        widget.root.get_by_role("tab", name="curl").click()
    elif op == "send":
        widget.send()
    else:
        widget.tab("Verify")
        widget.button("Verify signature").click()

    expect(widget.root).to_contain_text(f"The kernel's response to “{op}” cannot be read")


def test_an_answers_body_is_text_and_never_html(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    page.page.evaluate(
        "widget.kernel.answerBody = '<img src=x onerror=\"window.hacked = 1\"><script>hacked = 1</script>'"
    )
    widget.send_and_see("<img src=x")

    assert 0 == widget.root.locator("img, script").count()
    assert page.page.evaluate("window.hacked === undefined")


def test_a_page_without_a_kernel_shows_what_was_saved(host: Open):
    widget = host().mount(kernel=False)

    expect(widget.root.get_by_text("No kernel: the")).to_be_visible()
    expect(text_box(widget)).not_to_be_editable()
    expect(widget.button("Send")).to_have_attribute("aria-disabled", "true")


def test_locked_fields_say_so_and_cannot_be_changed(host: Open):
    widget = host().mount(traits={"locked": ["provider", "url", "body", "headers", "secret", "clock"]})

    expect(widget.url).not_to_be_editable()
    expect(widget.root.get_by_label("Clock")).to_be_disabled()
    expect(widget.root.get_by_text("locked", exact=True)).to_have_count(6)
    expect(widget.button("Reset")).to_have_count(0)
    expect(widget.payload).to_have_attribute("contenteditable", "false")


@pytest.mark.long
def test_fifty_views_leave_no_listener_behind(host: Open):
    page = host()
    page.mount()
    before = page.page.evaluate("widget.model.listenerCount()")
    page.page.evaluate("mount({ views: 50 })")
    page.page.evaluate("widget.closers.forEach(close => close())")

    assert before == page.page.evaluate("widget.model.listenerCount()")
    page.page.evaluate("widget.ends.abort()")
    assert 0 == page.page.evaluate("widget.model.listenerCount()")


def test_ten_widgets_fetch_the_editor_once(host: Open):
    page = host()
    page.mount()
    expect(page.page.locator(".cm-content")).to_have_count(1)
    page.page.evaluate("mount()")
    expect(page.page.locator(".cm-content")).to_have_count(2)

    assert [] == page.asked("chunk")


@pytest.mark.long
def test_a_delivery_that_a_silent_kernel_holds_up_waits_for_the_kernel(host: Open):
    page = host()
    widget = page.mount()
    widget.sign_with(CANARY)
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.send()
    expect(widget.answer).to_contain_text("Waiting for the receiver")
    page.page.evaluate("widget.model.emit('comm_live_update')")

    expect(widget.answer).to_contain_text("Waiting for the kernel")
