"""Test figures in notebooks and as PNG and SVG files."""

from __future__ import annotations

import re
import subprocess
import sys
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from PIL import Image

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit import TokenBucket, simulate
from hook_widgets.ratelimit.plotting.mpl import plot_run, render_run
from hook_widgets.ratelimit.plotting.view_model.words import describe_run
from tests.ratelimit.plotting.scenes import compared, drawn, scenes, three_limits

RUN = simulate(TokenBucket(5, 1), [0] * 9 + [3, 8])
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: bytes) -> list[str]:
    """Return the texts in an SVG file."""
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("scene", drawn())
def test_every_kind_of_run_is_drawn_and_saved(scene):
    runs = scenes()[scene]

    assert (1536, 960) == Image.open(BytesIO(render_run(runs, "png"))).size
    assert texts(render_run(runs, "svg", theme="dark"))


def test_a_run_draws_itself():
    figure = RUN.plot(width_in=4, height_in=3, dpi=50)

    assert isinstance(figure, Figure)
    assert [4, 3] == list(figure.get_size_inches())


def test_axes_are_plain_axes_with_their_units():
    level, requests, queue = plot_run(scenes()["leaky bucket"]).axes

    assert ["0 s", "15 s", "30 s"] == [label.get_text() for label in queue.get_xticklabels()][:3]
    assert (0.0, 120.0) == level.get_xlim() == requests.get_xlim()


def test_an_svg_keeps_its_words_as_words_and_says_what_it_shows():
    svg = render_run(RUN, "svg")

    assert {"Tokens left", "limit 5", "admitted 7", "rejected 4 (36.4%)", "Requests per 100 ms"} <= set(
        texts(svg)
    )
    assert b"4 of 11 requests (36.4%) are rejected" in svg
    assert b"<image" not in svg
    fonts = re.findall(r"font-family: ([^;]+);", svg.decode())
    assert all(font.startswith("'DejaVu Sans'") and font.endswith("sans-serif") for font in fonts)
    assert len(fonts) >= len(texts(svg))


def test_a_saved_picture_has_its_ground_and_says_what_it_shows():
    image = Image.open(BytesIO(render_run(RUN, "png", theme="dark")))

    assert (0x16, 0x18, 0x1D, 255) == image.convert("RGBA").getpixel((2, 2))
    assert "4 of 11 requests" in image.info["Description"]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_run_gives_the_same_file(kind):
    assert render_run(RUN, kind) == render_run(RUN, kind)


def test_a_users_own_style_does_not_spoil_a_picture():
    style: Any = {"axes.facecolor": "red", "font.size": 30, "lines.linewidth": 9, "axes.grid": False}
    with rc_context(style):
        styled = render_run(RUN, "svg")

    assert render_run(RUN, "svg") == styled


def test_compared_runs_have_a_panel_each_that_says_how_many_were_rejected():
    runs = compared()
    words = texts(render_run(runs, "svg"))

    assert 5 == len(plot_run(runs).axes)
    for title, run in runs.items():
        place = words.index(title)
        admitted, rejected = run.admitted.count(True), run.admitted.count(False)
        assert words[place + 1].startswith(f"admitted {admitted:,}, rejected {rejected:,} (")


def test_several_limits_are_named_in_a_legend():
    words = texts(render_run(three_limits(), "svg"))

    assert {"per second", "per minute", "for each of our very many users"} <= set(words)


def test_what_a_figure_shows_goes_with_it_in_words():
    file = RUN.plot(until_s="20 s")._repr_png_()

    assert describe_run(RUN, until_s="20 s") == Image.open(BytesIO(file)).info["Description"]


def test_pyplot_is_not_loaded():
    code = (
        "import sys; from hook_widgets.ratelimit import simulate, TokenBucket\n"
        "assert 'matplotlib' not in sys.modules\n"
        "simulate(TokenBucket(1, 1), [0]).plot()\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )

    assert "False" == subprocess.check_output([sys.executable, "-c", code], text=True).strip()


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(LimitModelError, match=r"no runs to draw; give"):
        plot_run({})
    with pytest.raises(LimitModelError, match=r"format is 'pgn'.*png"):
        render_run(RUN, "pgn")
    with pytest.raises(LimitModelError, match="theme is 'grey'"):
        plot_run(RUN, theme="grey")
    with pytest.raises(LimitModelError, match="until_s"):
        plot_run(RUN, until_s=-1)
