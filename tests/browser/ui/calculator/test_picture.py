"""The calculator's picture: dragging, staleness, sizes, themes, files, kernels that misbehave."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.ui.calculator.page import CalculatorHost, OpenCalculator
from tests.browser.ui.fake_host import ANSWER_MS, PING_MS

_WAITING = "Waiting for the kernel. Your changes are kept."


def drag(page: CalculatorHost, slider: Locator, *, steps: int) -> None:
    """Hold the slider and move along it, without letting go."""
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.page.mouse.move(box["x"] + 8, middle)
    page.page.mouse.down()
    for step in range(1, steps + 1):
        page.page.mouse.move(box["x"] + 8 + (box["width"] - 16) * step / steps, middle)


def test_a_drag_asks_for_quick_pictures_only_and_builds_no_backlog(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(faults={"delayMs": 60})
    page.without_pauses()
    page.page.evaluate(
        """() => {
            window.open = 0; window.most = 0; window.moves = 0;
            const { send } = widget.model;
            const asks = content => content.op === "frame";
            widget.model.send = function (content, ...more) {
              if (asks(content)) most = Math.max(most, ++open);
              return send.call(this, content, ...more);
            };
            const mark = performance.mark.bind(performance);
            performance.mark = (...what) => { open--; return mark(...what); };
            addEventListener("input", () => moves++, true);
        }"""
    )
    before = len(page.asked("frame"))
    drag(page, widget.slider("Steady traffic"), steps=60)
    during = page.asked("frame")[before:]
    assert {True} == {frame["quick"] for frame in during}
    assert [] == page.updates()
    page.page.mouse.up()
    expect(widget.field("Steady traffic")).to_have_value("60/s")
    widget.wait_until_fresh()
    page.page.wait_for_function("() => widget.model.get('steady') === '60/s' && open === 0")

    asked = page.asked("frame")[before:]
    assert 1 == page.page.evaluate("most")
    assert len(asked) < page.page.evaluate("moves")
    assert ("60/s", False) == (asked[-1]["inputs"]["steady"], asked[-1]["quick"])
    assert [{"steady": "60/s"}] == page.updates()


@pytest.mark.long
def test_a_picture_says_when_it_is_painted_and_for_which_inputs(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.slider("Burst").press("End")
    widget.wait_until_fresh()
    page.page.wait_for_function("performance.getEntriesByName('hw:paint')[0]?.detail.quick === false")

    assert [{"seq": 1, "quick": False, "fresh": True}] == page.page.evaluate(
        "performance.getEntriesByName('hw:paint').map(({ detail }) => detail)"
    )


def test_the_traits_are_set_when_a_slider_rests_although_it_is_still_held(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    drag(page, widget.slider("Burst"), steps=5)
    page.page.wait_for_function("widget.model.get('burst') === '5000'")
    widget.wait_until_fresh()

    assert page.asked("frame")[-1]["quick"] is False
    page.page.mouse.up()


def test_what_is_older_than_the_inputs_is_marked(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.slider("Burst").press("End")

    expect(widget.root.locator(".hw-picture")).to_have_attribute("aria-busy", "true")
    for part in (widget.picture, widget.root.locator(".hw-cards"), widget.panel().locator("> div")):
        expect(part).to_have_css("opacity", "0.7")
    expect(widget.field("Burst")).to_have_value("5000")


def test_the_picture_tells_its_facts_and_is_as_sharp_as_the_screen(calculators: OpenCalculator):
    page = calculators(device_scale_factor=2)
    widget = page.shown()
    width, natural = widget.picture.evaluate("img => [img.getBoundingClientRect().width, img.naturalWidth]")

    expect(widget.picture).to_have_accessible_name(
        "Token level and queue depth over 120 seconds; 120 requests are rejected."
    )
    assert natural == 2 * width
    assert 0 == width % 8
    assert 2 == page.asked("frame")[-1]["dpr"]


@pytest.mark.long
def test_another_width_or_theme_asks_for_a_full_picture(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    page.page.wait_for_function("widget.model.frames.at(-1).content.args.theme === 'dark'")
    page.page.set_viewport_size({"width": 700, "height": 900})
    page.page.wait_for_function("widget.model.frames.at(-1).content.args.width < 450")
    # As in JupyterLab, which has no style sheet for a moment when it changes its theme.
    page.page.evaluate(
        """async () => {
          const picture = document.querySelector(".hw-picture");
          picture.style.display = "none";
          document.body.dataset.jpThemeLight = "true";
          for (let turn = 0; turn < 20; turn++) await null;
          picture.style.display = "";
        }"""
    )
    page.page.wait_for_function("widget.model.frames.at(-1).content.args.theme === 'light'")
    widget.wait_until_fresh()

    assert {False} == {frame["quick"] for frame in page.asked("frame")}
    assert [] == page.updates()


def test_until_the_picture_for_another_theme_is_there_the_old_one_keeps_its_ground(
    calculators: OpenCalculator,
):
    page = calculators()
    widget = page.shown()
    page.page.evaluate("widget.kernel.faults.delayMs = 1500")
    for light, ground in (("false", "rgb(255, 255, 255)"), ("true", "rgb(22, 24, 29)")):
        expect(widget.picture).to_have_css("background-color", "rgba(0, 0, 0, 0)")
        page.page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
        expect(widget.picture).to_have_css("background-color", ground)
    expect(widget.picture).to_have_css("background-color", "rgba(0, 0, 0, 0)")


@pytest.mark.parametrize(("format_", "begins"), [("PNG", b"\x89PNG\r\n"), ("SVG", b"<svg")])
def test_the_picture_is_saved_as_a_file(
    calculators: OpenCalculator, tmp_path: Path, format_: str, begins: bytes
):
    page = calculators()
    widget = page.shown()
    with page.page.expect_download() as download:
        widget.button(f"Save {format_}").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)

    assert f"rate-limit.{format_.lower()}" == path.name
    assert path.read_bytes().startswith(begins)


def test_the_status_is_spoken_when_it_has_settled(calculators: OpenCalculator):
    widget = calculators().shown()
    said = widget.root.locator("[aria-live]")
    expect(said).to_have_text("Burst is rejected for 3.1 s")
    widget.slider("Burst").press("Home")
    expect(said).to_have_text("Nothing is rejected")
    widget.field("Seed").fill("x")

    expect(said).to_have_text("A whole number, such as 7.")


def test_a_silent_kernel_is_waited_for_and_what_is_typed_is_kept(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.hasten(ANSWER_MS)
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.field("Burst").fill("77")
    expect(widget.banner(_WAITING)).to_be_visible()

    expect(widget.field("Burst")).to_have_value("77")


@pytest.mark.long
def test_a_picture_that_gets_lost_is_asked_for_again(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.page.evaluate("widget.kernel.faults.lose = 1")
    widget.field("Burst").fill("77")
    widget.wait_until_fresh()

    expect(widget.banner(_WAITING)).to_be_hidden()
    assert ["400", "77", "77"] == [frame["inputs"]["burst"] for frame in page.asked("frame")]
    expect(widget.status).to_have_text("Nothing is rejected")


@pytest.mark.long
def test_a_late_kernel_is_caught_up_with(calculators: OpenCalculator):
    page = calculators()
    widget = page.mount(faults={"delayMs": 1500})
    expect(widget.banner(_WAITING)).to_be_visible()
    widget.wait_until_fresh()

    expect(widget.banner(_WAITING)).to_be_hidden()


@pytest.mark.long
def test_a_restarted_kernel_is_said_plainly_and_the_inputs_are_put_back(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.hasten(PING_MS)
    page.page.evaluate("widget.kernel.faults.silent = true; widget.model.emit('comm_live_update')")
    said = "The kernel was restarted. Run the cell again"
    expect(widget.banner(said)).to_be_visible()
    expect(widget.root.locator("[aria-live]")).to_contain_text(said)
    widget.field("Burst").fill("77")
    page.page.evaluate("widget.closers[0](); mount()")
    widget.button("Restore").click()
    widget.wait_until_fresh()

    expect(widget.field("Burst")).to_have_value("77")
    assert "77" == page.trait("burst")


def test_a_page_without_a_kernel_shows_the_inputs_and_says_what_is_missing(calculators: OpenCalculator):
    widget = calculators().mount(kernel=False)

    expect(widget.banner("No kernel: these are the inputs")).to_be_visible()
    expect(widget.root.get_by_text("No kernel: the chart cannot be drawn.")).to_be_visible()
    expect(widget.field("Rate limit")).to_have_value("100000/hour")
    expect(widget.field("Burst every")).to_have_value("60 s")
    expect(widget.field("Algorithm").locator("option")).to_have_text("Token bucket")
    expect(widget.field("Seed")).not_to_be_editable()
    expect(widget.root.get_by_text("locked", exact=True)).to_have_count(0)


@pytest.mark.parametrize("op", ["catalog", "frame", "preset", "export"])
def test_nonsense_from_the_kernel_becomes_a_message(calculators: OpenCalculator, op: str):
    page = calculators()
    widget = page.mount(faults={"hostile": op})
    if op == "preset":
        widget.field("Preset").select_option("Free tier")
    if op == "export":
        widget.wait_until_fresh()
        widget.button("Save PNG").click()

    message = f"The kernel's response to “{op}” cannot be read"
    expect(widget.banner(message)).to_be_visible()
    expect(widget.root.locator("[aria-live]")).to_contain_text(message)


@pytest.mark.long
def test_fifty_views_leave_no_listener_and_no_picture_behind(calculators: OpenCalculator):
    page = calculators()
    page.page.evaluate(
        """() => {
            window.pictures = new Set();
            const { createObjectURL, revokeObjectURL } = URL;
            URL.createObjectURL = (blob) => {
              const address = createObjectURL(blob);
              pictures.add(address);
              return address;
            };
            URL.revokeObjectURL = (address) => {
              pictures.delete(address);
              revokeObjectURL(address);
            };
        }"""
    )
    widget = page.shown(views=50)
    for burst in ("100", "200"):
        widget.field("Burst").fill(burst)
        widget.wait_until_fresh()
    page.page.wait_for_function("pictures.size === 1")
    page.page.evaluate("widget.closers.forEach(close => close())")
    page.page.evaluate("widget.ends.abort()")

    assert 0 == page.page.evaluate("pictures.size")
    assert 0 == page.page.evaluate("widget.model.listenerCount()")


@pytest.mark.long
def test_two_views_show_the_same_picture(calculators: OpenCalculator):
    page = calculators()
    first = page.shown(views=2)
    second = page.page.locator(".hw").nth(1)
    first.field("Burst").fill("100")
    first.wait_until_fresh()

    expect(second.get_by_label("Burst", exact=True)).to_have_value("100")
    expect(second.get_by_role("img")).to_have_attribute("src", str(first.picture.get_attribute("src")))
