"""The pages in a browser: nothing from elsewhere, nothing that sticks out, nothing that axe objects to."""

from __future__ import annotations

import pytest

from tests.docs.conftest import ROOT

AXE = ROOT / "js/node_modules/axe-core/axe.min.js"
PAGES = [
    "index.html",
    "tutorials/01_quickstart.html",
    "tutorials/09_five_algorithms.html",
    "tutorials/13_runbook.html",
    "howto/secrets.html",
    "explanation/rate-limit-algorithms.html",
    "reference/ratelimit/limits.html",
    "reference/webhooks/signing.html",
    "reference/providers.html",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_a_page(show, name, scheme):
    page = show(name, color_scheme=scheme)
    page.add_script_tag(path=AXE)

    found = page.evaluate(
        """async () => (await axe.run({ preload: false })).violations.flatMap(({ id, nodes }) =>
             nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ""}`))"""
    )
    assert [] == found


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_phone(show, name):
    page = show(name, width=360)

    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_dark_page_is_dark_and_the_light_page_light(show):
    grounds = {
        scheme: show("index.html", color_scheme=scheme).evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in ("light", "dark")
    }
    brightness = {
        scheme: sum(int(part) for part in ground.strip("rgb()").split(","))
        for scheme, ground in grounds.items()
    }

    assert brightness["dark"] < 150 < 600 < brightness["light"]


def test_a_tutorial_shows_what_came_out_and_the_still_form_of_its_widget(show):
    page = show("tutorials/01_quickstart.html")

    page.get_by_text("Secret(••••, 23 bytes)").wait_for()
    assert page.locator(".output table").count() > 0
    assert 0 == page.get_by_text("A Jupyter Widget").count()


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_tutorial_says_before_its_first_cell_how_to_run_it(site, notebook):
    page = (site / "tutorials" / f"{notebook.stem}.html").read_text(encoding="utf-8")
    before, first_cell, _ = page.partition('<div class="cell_input')

    assert first_cell
    assert f"notebooks/{notebook.name}</span>" in before
    assert 'make</span> <span class="pre">lab' in before


def test_what_a_widget_takes_stands_in_the_reference(show):
    page = show("reference/widgets.html")

    for name, first in {
        "WebhookGenerator": "provider='stripe'",
        "RateLimitCalculator": "limit='100000/hour'",
        "VersionPlanner": "versions=None",
    }.items():
        shown = page.locator(f"[id='hook_widgets.{name}']").inner_text()
        assert first in shown
        assert "args" not in shown


def test_no_word_of_the_planners_table_is_broken(show):
    page = show("tutorials/13_runbook.html", width=360)
    heading = page.get_by_role("columnheader", name="Status", exact=True)
    cell = page.locator(".output.text_html td", has_text="removed").first

    assert heading.is_visible()
    one_line = cell.evaluate("cell => parseFloat(getComputedStyle(cell).lineHeight)")
    assert cell.bounding_box()["height"] > 0
    words = cell.evaluate(
        """cell => { const range = document.createRange(); range.selectNodeContents(cell);
                     return range.getBoundingClientRect().height }"""
    )
    assert words <= 1.5 * one_line


def test_figures_of_the_live_calculator_stand_at_the_left_of_their_cards(show):
    page = show("explanation/rate-limit-algorithms.html")
    name = page.locator(".live .hw-cards dt").first
    name.wait_for()
    figure = page.locator(".live .hw-cards dd").first

    assert name.bounding_box()["x"] == figure.bounding_box()["x"]
