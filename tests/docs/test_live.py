"""The calculator on a page without a kernel: it shows what Python says, and goes by the keyboard."""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest
from PIL import Image
from playwright.sync_api import expect

from hook_widgets._plotting import svg
from hook_widgets.ratelimit import draw_run_svg, scenario
from hook_widgets.ratelimit.plotting.view_model.theme import theme
from hook_widgets.ratelimit.reporting.report import report
from tests.docs.test_look import AXE
from tests.support.files import served

PAGE = "explanation/rate-limit-algorithms.html"
# As the page has it.
TRAFFIC: dict[str, Any] = {
    "limit": "10 per 8 s",
    "burst_allowance": 10,
    "steady": "0.75/s",
    "burst_window_s": "1 s",
    "burst_every_s": "20 s",
    "duration_s": "80 s",
    "seed": 7,
    "cushion": "15%",
}


def words(burst, algorithm):
    """The status and the share of rejected requests, worked out here."""
    model = scenario(**TRAFFIC, burst=burst, algorithm=algorithm)
    return report(model).status.text, next(
        card.value for card in report(model).cards if card.title == "Rejected (429)"
    )


def saved(page, kind):
    """The file that comes of a button, and its name."""
    with page.expect_download() as download:
        page.locator(".live").get_by_role("button", name=f"Save {kind.upper()}").click()
    return download.value.path(), download.value.suggested_filename


def card(page, title):
    return page.locator(".live").get_by_text(title, exact=True).locator("xpath=following-sibling::dd[1]")


@pytest.fixture
def page(show):
    page = show(PAGE)
    expect(page.locator(".live .hw-picture img")).to_be_visible()
    return page


def test_the_slider_shows_what_python_says_for_each_of_its_steps(page):
    slider = page.locator(".live").get_by_role("slider", name="Burst")
    text = page.locator(".live").get_by_role("textbox", name="Burst, requests")
    slider.focus()
    slider.press("Home")
    for burst in (0, 2, 4, 5, 6):
        expect(text).to_have_value(str(burst))
        said, rejected = words(burst, "token_bucket")
        expect(page.locator(".live .hw-chip").first).to_have_text(said)
        expect(card(page, "Rejected (429)")).to_have_text(rejected)
        slider.press("ArrowRight")


def test_it_works_from_a_server_as_it_does_from_the_disk(site, show):
    with served(site) as base:
        page = show(PAGE, root=base)
        expect(page.locator(".live .hw-chip").first).to_have_text(words(5, "token_bucket")[0])
        page.close()


def test_every_algorithm_can_be_chosen(page):
    for algorithm in ("leaky_bucket", "fixed_window", "sliding_log", "sliding_counter"):
        page.locator(".live").get_by_label("Algorithm").select_option(algorithm)
        said, rejected = words(5, algorithm)
        expect(page.locator(".live .hw-chip").first).to_have_text(said)
        expect(card(page, "Rejected (429)")).to_have_text(rejected)


def test_all_five_are_compared_on_the_same_requests(page):
    page.locator(".live").get_by_role("button", name="Compare all five").click()

    page.locator(".live").get_by_role("tab", name="Table").click()
    for title in ("Token bucket", "Leaky bucket", "Fixed window", "Sliding log", "Sliding counter"):
        expect(page.locator(".live table").first).to_contain_text(title)


def test_what_was_not_recorded_is_said_and_not_made_up(page):
    box = page.locator(".live").get_by_role("textbox", name="Burst, requests")
    box.fill("7")

    expect(page.locator(".live")).to_contain_text("This page knows 0, 2, 4, 5, 6, 8, 10, 12, 15, 20.")


@pytest.mark.parametrize("algorithm", ["token_bucket", "sliding_log"])
def test_the_picture_is_saved_as_python_draws_it(page, algorithm):
    page.locator(".live").get_by_label("Algorithm").select_option(algorithm)
    model = scenario(**TRAFFIC, burst=5, algorithm=algorithm)
    expect(card(page, "Rejected (429)")).to_have_text(words(5, algorithm)[1])

    file, name = saved(page, "svg")

    assert f"rate-limit-{algorithm.replace('_', '-')}.svg" == name
    runs = report(model).runs
    document = draw_run_svg(runs, until_s="80 s", queued=model.queue, width_px=640)
    assert document == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("scheme", "ground"), [("light", "#ffffff"), ("dark", "#16181d")])
def test_a_png_is_the_same_picture_at_twice_the_resolution_of_a_screen(show, scheme, ground):
    page = show(PAGE, color_scheme=scheme)
    expect(page.locator(".live .hw-picture img")).to_be_visible()
    page.locator(".live").get_by_role("button", name="Compare all five").click()
    expect(page.locator(".live .hw-picture img")).to_have_attribute("alt", re.compile("Sliding counter"))
    width, height = svg.size(saved(page, "svg")[0].read_text(encoding="utf-8"))

    file, name = saved(page, "png")

    image = Image.open(file).convert("RGB")
    colours = {
        f"#{bytes(colour).hex()}" for colour in numpy.unique(numpy.asarray(image).reshape(-1, 3), axis=0)
    }
    assert "rate-limit-comparison.png" == name
    assert (2 * width, 2 * height) == image.size
    assert {ground, theme(scheme).levels[0], theme(scheme).text} <= colours


def test_what_was_not_recorded_is_not_saved_either(page):
    page.locator(".live").get_by_role("textbox", name="Burst, requests").fill("7")
    page.locator(".live").get_by_role("button", name="Save PNG").click()

    expect(page.locator(".live .hw-banner", has_text="This page knows 0, 2, 4, 5,")).to_be_visible()


def test_other_inputs_are_locked(page):
    open_to_change = page.locator(".live .hw").locator("input:enabled:not([readonly]), select:enabled")

    assert {"range", "text", "select-one"} == set(
        open_to_change.evaluate_all("all => all.map(({ type }) => type)")
    )
    assert 3 == open_to_change.count()


def test_the_picture_follows_the_theme_of_the_page(page):
    picture = page.locator(".live .hw-picture img")
    light = picture.get_attribute("src")
    page.evaluate("document.body.dataset.theme = 'dark'")

    expect(picture).not_to_have_attribute("src", light)
    ground = picture.evaluate(
        "async img => /fill=.(#[0-9a-f]{6})/.exec(await (await fetch(img.src)).text())[1]"
    )
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    expect(page.locator(".live .hw")).to_have_css("background-color", f"rgb({red}, {green}, {blue})")


def test_without_javascript_its_still_form_stands_there(show):
    page = show(PAGE, java_script_enabled=False)

    expect(page.locator(".live table").first).to_be_visible()
    expect(page.locator(".live")).to_contain_text("10 per 8 s")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_axe_finds_nothing_in_it(show, scheme, width):
    page = show(PAGE, color_scheme=scheme, width=width)
    expect(page.locator(".live .hw-picture img")).to_be_visible()
    page.add_script_tag(path=AXE)

    model = page.evaluate(
        """async () => (await axe.run(".live", { preload: false })).violations.flatMap(({ id, nodes }) =>
             nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ""}`))"""
    )
    assert [] == model
