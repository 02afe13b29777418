"""The pages in a browser: nothing from elsewhere, nothing that sticks out, nothing that axe objects to."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image

from hook_widgets.ratelimit.plotting.view_model.theme import theme
from tests.docs.conftest import ROOT
from tests.support.svg import contrast

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


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", [*PAGES, "genindex.html"])
def test_no_page_is_wider_than_a_phone_or_a_desk(show, name, width):
    page = show(name, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_module_in_code_does_not_look_like_a_link(show):
    for scheme in ("light", "dark"):
        module = (
            show("tutorials/09_five_algorithms.html", color_scheme=scheme).locator(".highlight .nn").first
        )

        assert "none" == module.evaluate("name => getComputedStyle(name).textDecorationLine")


def test_a_link_to_the_source_stays_beside_its_signature(show):
    page = show("reference/ratelimit/limits.html", width=360)
    signatures = page.locator("dt.sig:has(.viewcode-link)")

    assert signatures.count() > 10
    assert [] == signatures.evaluate_all(
        """all => all.filter((sig) => sig.querySelector(".viewcode-link").getBoundingClientRect().bottom >
                                      sig.getBoundingClientRect().bottom + 1).map(({ id }) => id)"""
    )


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


def test_pictures_of_tutorials_are_told_in_words(site):
    images = [
        image
        for page in sorted((site / "tutorials").glob("*.html"))
        for image in re.findall(r"<img [^>]+>", page.read_text(encoding="utf-8"))
    ]
    told = [words for image in images for words in re.findall(r'alt="([^"]*)"', image)]

    assert [] == [words for words in told if words.endswith(".png")]
    assert any(
        "falls to 0 at 0.9 s, ends at 1.2. 3 of 13 requests (23.1 %) are rejected" in words for words in told
    )


def shown(page, name, colour):
    """A colour as the pictures of a page show it, by the pixels on the screen."""
    page.evaluate(
        """([like, colour]) => {
             const { filter } = getComputedStyle(document.querySelector(like));
             const patch = document.createElement("div");
             patch.id = "patch";
             patch.style = `position: fixed; inset: 0 auto auto 0; width: 9px; height: 9px; z-index: 99;
                            background: ${colour}; filter: ${filter}`;
             document.body.append(patch);
           }""",
        [name, colour],
    )
    pixels = Image.open(BytesIO(page.screenshot(clip={"x": 4, "y": 4, "width": 1, "height": 1})))
    page.evaluate("document.getElementById('patch').remove()")
    return f"#{pixels.convert('RGB').tobytes().hex()}"


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("tutorials/09_five_algorithms.html", ".cell_output > img"),
        ("tutorials/13_runbook.html", ".output.text_html img"),
    ],
)
def test_pictures_that_were_drawn_for_light_pages_are_dark_and_legible_on_dark_ones(show, name, picture):
    light, dark = (show(name, color_scheme=scheme) for scheme in ("light", "dark"))
    drawn = theme("light")
    lines = [drawn.levels[0], drawn.rejected, drawn.queue]

    assert [drawn.ground, *lines] == [shown(light, picture, colour) for colour in (drawn.ground, *lines)]
    ground = shown(dark, picture, drawn.ground)
    assert contrast(ground, "#000000") < 1.3
    assert [] == [c for c in (drawn.text, drawn.dim) if contrast(ground, shown(dark, picture, c)) < 4.5]
    assert [] == [c for c in lines if contrast(ground, shown(dark, picture, c)) < 3]


def test_pictures_that_know_the_theme_are_shown_as_they_were_drawn(show):
    page = show("explanation/rate-limit-algorithms.html", color_scheme="dark")
    page.locator(".live .hw-picture img").wait_for()

    for picture in (".only-dark img", ".live .hw-picture img"):
        assert "none" == page.locator(picture).first.evaluate("img => getComputedStyle(img).filter")


def test_a_light_page_that_was_chosen_on_a_dark_system_has_light_pictures(show):
    page = show("tutorials/09_five_algorithms.html", color_scheme="dark")
    page.evaluate("document.body.dataset.theme = 'light'")

    assert "#ffffff" == shown(page, ".cell_output > img", "#ffffff")


def test_paper_gets_the_light_pictures(show):
    page = show("tutorials/09_five_algorithms.html", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")

    picture = page.locator(".cell_output > img").first
    assert "none" == picture.evaluate("img => getComputedStyle(img).filter")


def test_the_still_form_of_a_live_widget_is_dark_on_a_dark_page(show):
    page = show("explanation/rate-limit-algorithms.html", color_scheme="dark", java_script_enabled=False)

    image = Image.open(BytesIO(page.locator(".live > section img").screenshot()))
    corner = image.convert("RGB").crop((8, 8, 9, 9)).tobytes()  # inside its rounded edge
    assert contrast(f"#{corner.hex()}", "#000000") < 1.3


def test_a_table_with_code_fits_a_phone(show):
    page = show("howto/runbooks.html", width=360)
    tables = page.locator(".table-wrapper")

    assert tables.count() > 1
    assert tables.evaluate_all("all => all.every((table) => table.scrollWidth <= table.clientWidth)")


def test_words_in_a_picture_stay_legible_on_a_phone(show):
    page = show("tutorials/09_five_algorithms.html", width=360)
    picture = page.locator(".cell_output > img").first

    # 11 pixels in a picture that is 768 wide, as in hook_widgets.ratelimit.plotting.mpl
    assert picture.bounding_box()["width"] * 11 / 768 >= 8
    scrolling = picture.locator("xpath=..")
    assert scrolling.evaluate("outer => outer.scrollWidth > outer.clientWidth && outer.tabIndex === 0")


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
