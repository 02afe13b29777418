"""The calculator with a real kernel: what is entered counts there, and what is shown is the kernel's."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import expect

from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.reporting.report import report
from tests.browser.light.kernel_page import KernelPage
from tests.browser.ui.calculator.page import Calculator

Show = Callable[..., Calculator]
BURST = "'10/s', burst=40, burst_allowance=30"


@pytest.fixture
def show(tab: KernelPage) -> Show:
    """Shows a calculator with the given arguments, called ``w`` in the kernel, and its first picture."""

    def run(arguments: str = "") -> Calculator:
        tab.run("from hook_widgets import RateLimitCalculator", f"w = RateLimitCalculator({arguments})\nw")
        widget = Calculator(tab.panel.locator(".hw"))
        widget.wait_until_fresh()
        return widget

    return run


def rows(widget: Calculator) -> list[list[str]]:
    """The table in front, without its head."""
    body = widget.panel().get_by_role("rowgroup").last.get_by_role("row")
    return [re.split(r"\t", row) for row in body.all_inner_texts()]


ENTERED = [
    ("Rate limit", "limits", "1200/min", [["", "1200/min"]]),
    ("Burst allowance", "burst_allowance", "25", "25"),
    ("Throttle bucket size", "capacity", "20", "20"),
    ("Cushion below the limit", "cushion", "12%", "12%"),
    ("Max concurrency (API)", "in_flight", "9", "9"),
    ("Steady traffic", "steady", "7/s", "7/s"),
    ("Burst, requests", "burst", "33", "33"),
    ("Burst duration", "burst_window_s", "2 s", "2 s"),
    ("Burst every", "burst_every_s", "20 s", "20 s"),
    ("Clients sharing the limit", "clients", "3", "3"),
    ("Weights of the clients", "weights", "2, 1, 1", "2, 1, 1"),
    ("Concurrency per client", "concurrency", "2", "2"),
    ("Latency", "latency_s", "90 ms", "90 ms"),
    ("Client timeout", "timeout_s", "4 s", "4 s"),
    ("Retries after a rejection", "retries", "2", "2"),
    ("Duration", "duration_s", "50 s", "50 s"),
    ("Seed", "seed", "11", "11"),
]


@pytest.mark.long
def test_every_input_that_is_typed_counts_in_the_kernel(show: Show, tab: KernelPage):
    widget = show(f"{BURST}, latency_s='0.2 s'")
    for label, _, text, _ in ENTERED:
        widget.enter(label, text)
    for label, choice in (("Algorithm", "leaky_bucket"), ("Traffic pattern", "on_off")):
        widget.field(label).select_option(choice)
        widget.wait_until_fresh()

    names = [name for _, name, _, _ in ENTERED]
    kernel = json.loads(tab.execute(f"import json; print(json.dumps({{n: getattr(w, n) for n in {names}}}))"))
    assert {name: value for _, name, _, value in ENTERED} == kernel
    assert "leaky_bucket on_off" == tab.execute("print(w.algorithm, w.pattern)").strip()

    planned = scenario(
        "1200/min", burst_allowance=25, capacity=20, cushion="12%", in_flight=9, steady="7/s", burst=33,
        burst_window_s=2, burst_every_s=20, clients=3, weights="2, 1, 1", concurrency=2, latency_s="90 ms",
        timeout_s=4, retries=2, duration_s=50, seed=11, algorithm="leaky_bucket", pattern="on_off",
    )  # fmt: skip
    expect(widget.status).to_have_text(report(planned).status.text)
    widget.tab("Table").click()
    assert [list(row) for row in report(planned).over_time.rows] == rows(widget)
    widget.tab("All numbers").click()
    assert [list(row) for row in report(planned).figures.rows] == rows(widget)


@pytest.mark.parametrize(
    ("label", "text", "message"),
    [
        ("Rate limit", "1000/fortnight", "no unit of time"),
        ("Burst allowance", "2.5", "whole number"),
        ("Cushion below the limit", "100%", "leaves nothing"),
        ("Steady traffic", "fast", "cannot be read"),
        ("Burst, requests", "-1", "negative"),
        ("Latency", "0", "zero"),
        ("Clients sharing the limit", "0", "at least 1"),
        ("Duration", "1 lightyear", "no unit of time"),
        ("Seed", "x", "cannot be read"),
    ],
)
def test_a_bad_value_is_reported_at_its_field_and_nothing_is_lost(
    show: Show, label: str, text: str, message: str
):
    widget = show(BURST)
    field = widget.field(label)
    good = field.input_value()
    field.fill(text)
    field.press("Enter")

    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile(message))
    expect(field).to_have_value(text)
    expect(widget.picture).to_be_visible()

    widget.enter(label, good)
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(widget.status).to_have_text("25% of the requests get 429")


@pytest.mark.long
def test_a_slider_moves_by_keyboard(show: Show, tab: KernelPage):
    widget = show(BURST)
    slider = widget.slider("Burst allowance")
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")

    expect(slider).to_have_attribute("aria-valuetext", "45")
    expect(widget.field("Burst allowance")).to_have_value("45")
    expect(widget.status).to_have_text("No request is rejected")
    slider.press("Home")
    widget.wait_until_fresh()
    assert "1" == tab.execute("print(w.burst_allowance)").strip()


def test_a_fast_drag_asks_for_few_pictures_and_ends_with_the_last(show: Show, tab: KernelPage):
    widget = show(BURST)
    tab.execute(
        "asked, one = [], w._frames.frame\n"
        "w._frames.frame = lambda values, *view: ("
        "asked.append(values['burst_allowance']), one(values, *view))[1]"
    )
    widget.slider("Burst allowance").evaluate(
        """async (slider) => {
          for (let at = 0; at < 60; at++) {
            slider.value = String(at);
            slider.dispatchEvent(new Event('input', {bubbles: true}));
            await new Promise(requestAnimationFrame);
          }
          slider.dispatchEvent(new Event('change', {bubbles: true}));
        }"""
    )
    widget.wait_until_fresh()
    last = widget.field("Burst allowance").input_value()

    asked = json.loads(tab.execute("import json; print(json.dumps(asked))"))
    assert (last, last) == (asked[-1], tab.execute("print(w.burst_allowance)").strip())
    assert asked == sorted(asked, key=int)
    assert len(asked) < 60


def test_all_five_algorithms_are_compared_on_the_same_requests(show: Show):
    widget = show("'600/min', burst=100, burst_allowance=50, steady='8/s', seed=3")
    widget.compare.click()
    widget.wait_until_fresh()
    widget.tab("Table").click()
    planned = scenario("600/min", burst=100, burst_allowance=50, steady="8/s", seed=3)

    assert [algorithm.label for algorithm in LimitAlgorithm] == [row[0] for row in rows(widget)]
    assert [list(row) for row in report(planned).comparison.rows] == rows(widget)
    for algorithm in LimitAlgorithm:
        assert algorithm.label in (widget.picture.get_attribute("alt") or "")


@pytest.mark.parametrize("width", [360, 680])
def test_no_column_of_the_comparison_is_out_of_sight(show: Show, tab: KernelPage, width: int):
    widget = show("'1000/hour', burst=200, burst_allowance=150, steady='700/hour', compare=True")
    tab.page.set_viewport_size({"width": width, "height": 800})
    widget.wait_until_fresh()
    widget.tab("Table").click()
    table = widget.root.get_by_role("region", name=re.compile("under each algorithm"))

    assert 0 == table.evaluate("(table) => table.scrollWidth - table.clientWidth")
    expect(table.get_by_role("columnheader")).to_have_count(7)
    sides = table.get_by_role("cell").evaluate_all(
        "cells => cells.map(one => getComputedStyle(one).textAlign)"
    )
    assert {"left" if width == 360 else "right"} == set(sides)


def test_a_preset_fills_in_what_its_api_publishes(show: Show, tab: KernelPage):
    widget = show("'10/s', steady='1/s'")
    widget.field("Preset").select_option(label="GitHub REST, user token")
    expect(widget.field("Rate of hourly")).to_have_value("5000/hour")
    expect(widget.field("Rate of reads of one endpoint")).to_have_value("900/min")
    expect(widget.field("Max concurrency (API)")).to_have_value("100")
    widget.wait_until_fresh()
    assert "github-user 1/s" == tab.execute("print(w.preset, w.steady)").strip()

    widget.enter("Rate of hourly", "4000/hour")
    expect(widget.field("Preset")).to_have_value("")


@pytest.mark.long
def test_another_limit_can_be_added_and_removed(show: Show, tab: KernelPage):
    widget = show("'10/s', steady='5/s'")
    widget.button("Add a limit").click()
    widget.root.get_by_label("Name of limit 2").fill("daily")
    widget.enter("Rate of daily", "86400/day")
    assert "[['', '10/s'], ['daily', '86400/day']]" == tab.execute("print(w.limits)").strip()

    widget.button("Remove daily").click()
    widget.wait_until_fresh()
    assert "[['', '10/s']]" == tab.execute("print(w.limits)").strip()


def test_code_and_widget_show_the_same(show: Show, tab: KernelPage):
    widget = show(BURST)
    tab.execute("w.burst_allowance = 35; w.algorithm = 'leaky_bucket'")

    expect(widget.field("Burst allowance")).to_have_value("35")
    expect(widget.field("Algorithm")).to_have_value("leaky_bucket")
    expect(widget.status).to_have_text("12.5% of the requests get 429")
    assert "5" == tab.execute("print(w.run.admitted.count(False))").strip()


def test_locked_inputs_cannot_be_changed(show: Show):
    widget = show(f"{BURST}, locked=['limits', 'burst_allowance', 'algorithm', 'compare']")

    for label in ("Rate limit", "Burst allowance"):
        assert not widget.root.get_by_role("textbox", name=label).is_editable()
    assert widget.root.get_by_role("combobox", name="Algorithm").is_disabled()
    assert widget.slider("Burst allowance").is_disabled()
    expect(widget.button("Add a limit")).to_have_count(0)
    assert widget.root.get_by_role("button", name="Compare all five").is_disabled()
    assert widget.field("Burst, requests").is_editable()


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_the_picture_is_saved_as_a_file(show: Show, tab: KernelPage, kind: str):
    widget = show(BURST)
    with tab.page.expect_download() as download:
        widget.button(f"Save {kind}").click()

    assert f"rate-limit-token-bucket.{kind.lower()}" == download.value.suggested_filename
    saved = download.value.path().read_bytes()
    if kind == "PNG":
        assert "PNG" == Image.open(io.BytesIO(saved)).format
    else:
        assert "30" in "".join(ElementTree.fromstring(saved).itertext())


@pytest.mark.long
def test_two_views_show_one_state(tab: KernelPage):
    tab.run(
        "from hook_widgets import RateLimitCalculator",
        f"w = RateLimitCalculator({BURST})\ndisplay(w, w)",
    )
    first, second = (Calculator(tab.panel.locator(".hw").nth(i)) for i in (0, 1))
    first.wait_until_fresh()
    first.enter("Burst allowance", "35")

    expect(second.field("Burst allowance")).to_have_value("35")
    expect(second.status).to_have_text("12.5% of the requests get 429")


@pytest.mark.long
def test_while_the_kernel_works_the_widget_says_so_and_catches_up(show: Show, tab: KernelPage):
    widget = show(BURST)
    tab.within("kernel.requestExecute({code: args})", "import time; time.sleep(0.1); w._lock.acquire()")
    tab.execute("pass")
    widget.field("Burst allowance").fill("35")
    expect(widget.root.get_by_text(re.compile("Waiting for the kernel")).first).to_be_visible()
    tab.within("kernel.requestExecute({code: args})", "w._lock.release()")

    widget.wait_until_fresh()
    expect(widget.status).to_have_text("12.5% of the requests get 429")


def test_a_pointer_reads_what_the_run_says_and_a_drag_zooms_into_the_burst(show: Show, tab: KernelPage):
    widget = show("'10/s', burst=40, burst_allowance=30, steady='2/s', duration_s=20")

    def point(share: float) -> None:
        widget.plot.scroll_into_view_if_needed()
        box = widget.plot.bounding_box()
        assert box is not None
        tab.page.mouse.move(box["x"] + share * box["width"], box["y"] + 10)

    point(0.5)
    expect(widget.reading).to_contain_text("Tokens left")
    time, tokens = re.findall(r"^([\d.]+) s Tokens left ([\d.]+) ", widget.reading.inner_text() + " ")[0]
    said = tab.execute(f"print(float(w.run.tokens({time})))")
    assert abs(float(said) - float(tokens)) < 0.5

    before = widget.picture.get_attribute("src")
    point(0.2)
    tab.page.mouse.down()
    point(0.4)
    tab.page.mouse.up()
    expect(widget.button("Show all")).to_be_visible()
    assert abs(float(widget.plot.get_attribute("aria-valuemin") or 0) - 4) < 0.1
    assert before != widget.picture.get_attribute("src")
    widget.plot.press("Escape")
    expect(widget.button("Show all")).to_have_count(0)
    expect(widget.plot).to_have_attribute("aria-valuemin", "0")


def test_no_label_takes_two_lines_in_a_wide_window(show: Show, tab: KernelPage):
    widget = show("'100/min per user', steady='700/min', users=12, busiest_share='20%', endpoints=3")
    tab.page.set_viewport_size({"width": 1440, "height": 1000})
    widget.wait_until_fresh()
    tall = widget.root.locator(".hw-control > label").evaluate_all(
        "all => all.filter(each => each.clientHeight > 20).map(each => each.textContent)"
    )

    assert widget.root.locator(".hw-control > label").count() > 18
    assert [] == tall
