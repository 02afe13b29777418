"""The layout of the generator: Send at the top, equal heights, one narrow column, the pretty view."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import FloatRect, expect

from tests.browser.generator import TWO_FRAMES, Generator
from tests.browser.ui.fake_host import CANARY, Host, Open

WIDE, NARROW = 1280, 360
PARTS = ("Headers", "curl", "Base string", "Receiver code")

_ON_TOP = """element => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
# Name of what has the focus, and whether the bar with Send soon leaves its upper edge free.
_FOCUS_IS_FREE = """async () => {
  const element = document.activeElement, bar = document.querySelector(".hw-send-bar");
  const free = () => {
    const { left, top } = element.getBoundingClientRect();
    return bar.contains(element) || top < 0 || !bar.contains(document.elementFromPoint(left + 2, top + 2));
  };
  for (let frame = 0; frame < 30 && !free(); frame += 1) await new Promise(requestAnimationFrame);
  const label = element.getAttribute("aria-label") ?? element.textContent;
  const name = `${element.tagName}.${element.className} ${label}`;
  return [element.tagName === "BODY" ? "BODY" : name, free()];
}"""


def _height(page: Host) -> float:
    height: float = page.page.evaluate("document.querySelector('.hw').getBoundingClientRect().height")
    return height


def _box(widget: Generator, region: str) -> FloatRect:
    box = widget.region(region).bounding_box()
    assert box is not None
    return box


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_no_tab_of_the_request_changes_the_height(host: Open, width: int):
    page = host(width=width)
    widget = page.mount()
    widget.sign_with(CANARY)
    heights = {}
    for part in PARTS:
        widget.root.get_by_role("tab", name=part).click()
        expect(widget.region("Request").get_by_text("Loading…")).to_have_count(0)
        heights[part] = _height(page)

    assert 1 == len(set(heights.values())), heights


@pytest.mark.long
def test_neither_a_response_nor_a_long_one_changes_the_height(host: Open):
    page = host(width=WIDE)
    widget = page.mount()
    widget.sign_with(CANARY)
    before = _height(page)
    widget.send_and_see("200 OK")
    assert before == _height(page)
    widget.root.get_by_text("Response headers").click()

    assert before == _height(page)


@pytest.mark.long
def test_the_views_of_the_payload_and_its_problems_are_equally_high(host: Open):
    page = host(width=WIDE)
    widget = page.mount()
    expect(widget.payload).to_be_visible()
    before = _height(page)
    widget.button("Pretty").click()
    expect(widget.root.get_by_label("Payload, indented")).to_be_visible()
    assert before == _height(page)
    widget.button("Raw").click()
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(",}")
    expect(widget.root.get_by_role("list", name="Problems")).to_be_visible()

    assert before == _height(page)


@pytest.mark.parametrize("width", [1100, WIDE, 800, NARROW])
def test_no_control_moves_under_the_pointer(host: Open, width: int):
    page = host(width=width)
    widget = page.mount()
    places = {
        "URL": widget.url,
        "Send": widget.root.locator(".hw-send-bar .hw-btn").first,
        "several": widget.button("Send several events"),
        "Verify": widget.root.get_by_role("tab", name="Verify"),
        "History": widget.root.get_by_role("tab", name="History"),
        "Format": widget.button("Format"),
        "curl": widget.root.get_by_role("tab", name="curl"),
    }

    def moved(before: dict[str, FloatRect | None]) -> list[str]:
        after = positions()
        return [name for name in places if before[name] != after[name]]

    def positions() -> dict[str, FloatRect | None]:
        page.page.evaluate(TWO_FRAMES)
        boxes = {name: place.bounding_box() for name, place in places.items()}
        for name in ("Verify", "History"):  # the number of deliveries comes after its name
            if box := boxes[name]:
                box["width"] = 0
        return boxes

    expect(widget.payload).to_be_visible()
    expect(widget.secret).to_be_visible()
    before = positions()
    widget.sign_with(CANARY)
    assert [] == moved(before), "signed"
    widget.send_and_see("200 OK")
    assert [] == moved(before), "response"
    widget.url.fill("http://127.0.0.1:8000/hang")
    widget.button("Send").click()
    expect(widget.answer).to_contain_text("Waiting")
    assert [] == moved(before), "sending"
    expect(widget.button("Stop")).to_be_visible()
    assert [] == moved(before), "stop"
    widget.button("Stop").click()
    expect(widget.answer).to_contain_text("Stopped")
    assert [] == moved(before), "stopped"
    for name in ("Minify", "Undo Minify"):
        widget.button(name).click()
        expect(widget.button("Undo Minify")).to_have_count(1 if name == "Minify" else 0)
        assert [] == moved(before), name
    widget.url.fill("bad")
    expect(widget.url).to_have_attribute("aria-invalid", "true")
    assert not {"URL", "Send", "several"} & {*moved(before)}, "error"
    widget.url.fill("http://api.example.com/hook")
    expect(widget.region("Send")).to_contain_text("not encrypted")
    assert not {"URL", "Send", "several"} & {*moved(before)}, "warning"
    widget.url.fill("https://api.example.com/hook")
    expect(widget.root.get_by_label("TLS certificate")).to_be_visible()
    assert "Send" not in moved(before), "certificate"
    widget.url.fill("http://127.0.0.1:8000/")
    expect(widget.root.get_by_label("TLS certificate")).to_have_count(0)

    def below_title() -> float:
        button = widget.button("Format").bounding_box()
        assert button
        return button["y"] - _box(widget, "Payload")["y"]

    depth = below_title()
    widget.payload.press("Control+End")
    page.page.keyboard.type(",}")
    expect(widget.root.get_by_role("list", name="Problems")).to_be_visible()
    expect(widget.region("Payload")).to_contain_text("Edited")
    assert depth == below_title(), "edited"
    lefts = "tabs => tabs.map(tab => tab.getBoundingClientRect().left)"
    tabs = widget.root.get_by_role("tablist").first.get_by_role("tab")
    left = tabs.evaluate_all(lefts)
    for name in ("Verify", "Check", "History", "Generate"):
        widget.tab(name)
        assert left == tabs.evaluate_all(lefts), name


def test_wide_has_send_at_the_top_and_the_response_beside_the_request(host: Open):
    widget = host(width=WIDE).mount()
    response, payload = (_box(widget, name) for name in ("Response", "Payload"))
    send = widget.button("Send several events").bounding_box()
    assert send

    assert send["y"] + send["height"] <= min(response["y"], payload["y"])
    assert payload["x"] + payload["width"] <= response["x"]


def test_narrow_has_the_response_next_to_send_and_the_inputs_last(host: Open):
    page = host(width=NARROW)
    widget = page.mount()
    widget.sign_with(CANARY)
    page.page.set_viewport_size({"width": NARROW, "height": 740})
    widget.send_and_see("200 OK")
    send = widget.button("Send").bounding_box()
    assert send
    names = ("Response", "Secret", "Payload", "Request")
    tops = [send["y"], *(_box(widget, name)["y"] for name in names)]

    assert sorted(tops) == tops


def test_send_is_in_sight_on_a_phone_at_first_and_after_every_scroll(host: Open):
    page = host(width=NARROW)
    page.page.set_viewport_size({"width": NARROW, "height": 740})
    widget = page.mount()
    expect(widget.button("Send")).to_be_in_viewport(ratio=1)
    for region in ("Secret", "Payload", "Request"):
        widget.region(region).evaluate("element => element.scrollIntoView()")
        expect(widget.button("Send")).to_be_in_viewport(ratio=1)
        bar = widget.button("Send").bounding_box()
        assert bar
        assert bar["y"] + bar["height"] <= _box(widget, region)["y"]


def test_send_can_be_clicked_at_the_end_of_the_widget_and_covers_no_focus(host: Open):
    page = host(width=1440)
    widget = page.mount()
    expect(widget.payload).to_be_visible()
    expect(widget.secret).to_be_visible()
    send = widget.button("Send")
    for width in (1440, 800, 360, 320):
        page.widen(width)
        page.page.evaluate(
            "scrollTo(0, document.documentElement.scrollHeight), document.activeElement.blur()"
        )
        page.page.evaluate(TWO_FRAMES)
        assert page.page.evaluate("scrollY") > 100
        expect(send).to_be_in_viewport(ratio=1)
        assert send.evaluate(_ON_TOP), width
        assert [] == page.violations(widget.root, undecided=False), width
        covered = {}
        for n in range(60):
            page.page.keyboard.press("Shift+Tab")
            name, free = page.page.evaluate(_FOCUS_IS_FREE)
            if name == "BODY":
                break
            covered[f"{n} {name}"] = not free
        assert [] == [name for name, under in covered.items() if under], width
        assert len(covered) > 15


@pytest.mark.long
def test_send_is_in_sight_where_the_host_scrolls_around_a_box_that_could_scroll(host: Open):
    page = host(width=NARROW)
    widget = page.mount()
    # As JupyterLab has it: the notebook scrolls, and the output would if it were not as high as it has to be.
    page.page.evaluate(
        """() => {
            const output = document.querySelector(".hw").parentElement, notebook = output.parentElement;
            output.style.overflow = "auto";
            Object.assign(notebook.style, {height: "600px", overflow: "auto"});
        }"""
    )
    for region in ("Payload", "Request", "Secret"):
        widget.region(region).evaluate("element => element.scrollIntoView()")
        expect(widget.button("Send")).to_be_in_viewport(ratio=1)
    page.page.evaluate("document.querySelector('.hw').parentElement.parentElement.scrollTo(0, 0)")
    page.page.evaluate(TWO_FRAMES)
    tabs, send = (
        part.bounding_box() for part in (widget.root.get_by_role("tablist").first, widget.button("Send"))
    )
    assert tabs
    assert send
    assert tabs["y"] + tabs["height"] < send["y"]


@pytest.mark.long
def test_on_a_phone_a_link_leads_from_the_inputs_to_the_response_and_back(host: Open):
    page = host(width=NARROW)
    page.page.set_viewport_size({"width": NARROW, "height": 740})
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    widget.region("Request").evaluate("element => element.scrollIntoView()")
    expect(widget.answer.get_by_text("200 OK")).not_to_be_in_viewport()
    widget.button("Go to response").click()
    expect(widget.answer.get_by_text("200 OK")).to_be_in_viewport(ratio=1)
    widget.button("Go to inputs").click()

    expect(widget.secret).to_be_in_viewport(ratio=1)


def test_the_first_delivery_takes_one_paste_and_two_clicks(host: Open):
    page = host(width=WIDE, permissions=["clipboard-read", "clipboard-write"])
    page.page.set_viewport_size({"width": WIDE, "height": 740})
    widget = page.mount()
    expect(widget.button("Send")).to_be_in_viewport(ratio=1)
    page.page.evaluate("text => navigator.clipboard.writeText(text)", CANARY)
    widget.secret.click()
    page.page.keyboard.press("ControlOrMeta+v")
    widget.wait_until_signed()
    widget.button("Send").click()

    expect(widget.answer.get_by_text("200 OK")).to_be_in_viewport()


@pytest.mark.long
def test_the_payload_in_the_curl_command_scrolls_and_the_command_is_in_sight(host: Open):
    page = host(width=WIDE)
    widget = page.mount(faults={"piped": "printf '%s' '" + 3000 * "payload " + "' |\n  "})
    widget.sign_with(CANARY)
    widget.root.get_by_role("tab", name="curl").click()
    payload = widget.root.get_by_label("Payload in the command")
    expect(payload).to_be_visible()
    command = widget.root.get_by_label("curl command", exact=True)
    seen = command.evaluate(
        """pre => {
            const range = document.createRange();
            range.selectNodeContents(pre.lastChild);
            const [line] = range.getClientRects();
            const box = pre.getBoundingClientRect();
            return line.top >= box.top && line.bottom <= box.bottom;
        }"""
    )

    assert seen
    assert payload.evaluate("element => element.scrollHeight > element.clientHeight")


# -- pretty and raw -----------------------------------------------------------------------------


def test_the_pretty_view_changes_no_byte_that_is_signed_and_sent(host: Open):
    page = host()
    compact = b'{"b":1.0,"a":[1e400,{"k":"x\\u00e9"},[],{}],"b":12345678901234567890}'
    widget = page.mount(traits={"body": list(compact)})
    widget.sign_with(CANARY)
    signed = widget.header("Stripe-Signature").inner_text()
    widget.region("Payload").get_by_role("button", name="Pretty").click()
    shown = widget.root.get_by_label("Payload, indented")
    expect(shown).to_have_text(
        '{\n  "b": 1.0,\n  "a": [\n    1e400,\n    {\n      "k": "x\\u00e9"\n    },\n    [],\n    {}\n  ],\n'
        '  "b": 12345678901234567890\n}',
        use_inner_text=True,
    )
    assert compact == page.body()
    assert signed == widget.header("Stripe-Signature").inner_text()
    widget.send_and_see("200 OK")
    assert compact == page.body()
    widget.region("Payload").get_by_role("button", name="Raw").click()
    expect(widget.payload).to_have_text(compact.decode())

    assert compact == page.body()
    assert [] == [frame for frame in page.frames() if "body" in frame.get("update", {})]


@pytest.mark.long
def test_the_undo_of_the_editor_outlives_the_pretty_view(host: Open):
    page = host()
    widget = page.mount()
    before = page.body()
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(" ")
    widget.button("Pretty").click()
    widget.button("Raw").click()
    widget.payload.press("Control+z")
    page.page.wait_for_function("length => widget.kernel.body().length === length", arg=len(before))

    assert before == page.body()


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{,}", "The payload is not valid JSON."),
        (json.dumps([7] * 67_000).encode(), "The payload is too large"),
        (b"[" * 20_000 + b"]" * 20_000, "The payload is nested too deeply"),
    ],
)
def test_the_pretty_view_says_why_it_shows_nothing(host: Open, body: bytes, reason: str):
    widget = host().mount(traits={"body": list(body)})
    expect(widget.region("Payload")).not_to_contain_text("Checking…")
    widget.button("Pretty").click()

    expect(widget.region("Payload")).to_contain_text(reason)


@pytest.mark.long
def test_a_problem_is_shown_in_the_raw_text(host: Open):
    widget = host().mount()
    widget.payload.press("Control+End")
    widget.payload.press_sequentially(",}")
    problem = widget.root.get_by_role("list", name="Problems").get_by_role("button").first
    expect(problem).to_be_visible()
    widget.button("Pretty").click()
    problem.click()

    expect(widget.payload).to_be_focused()


def test_the_payloads_buttons_stand_on_one_line_in_a_window_of_1440_pixels(host: Open):
    """JupyterLab leaves a widget 1,000 px of them."""
    widget = host(width=1000).mount()
    buttons = widget.region("Payload").get_by_role("button")
    expect(buttons).to_have_text(["Pretty", "Raw", "Undo", "Format", "Minify", "Randomize…", "Reset", "Copy"])

    tops = buttons.evaluate_all("(all) => all.map((button) => button.getBoundingClientRect().top)")
    assert 1 == len(set(tops[2:])), tops


@pytest.mark.parametrize("width", [1000, 700])
def test_the_response_is_in_sight_wherever_send_is_clicked(host: Open, width: int):
    page = host(width=width)
    page.page.set_viewport_size({"width": width, "height": 480})
    widget = page.mount()
    widget.sign_with(CANARY)
    widget.root.get_by_role("tab", name="curl").evaluate("element => element.scrollIntoView()")
    widget.send_and_see("200 OK")
    status = widget.answer.get_by_text("200 OK")
    expect(status).to_be_in_viewport(ratio=1)
    box, bar = status.bounding_box(), widget.button("Send").bounding_box()
    assert box
    assert bar
    assert box["y"] >= bar["y"] + bar["height"], "it is below the bar with Send"
