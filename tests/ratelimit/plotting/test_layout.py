"""Test that no texts in plots overlap or are cut off."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, cast

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from hook_widgets.ratelimit import FixedWindow, Layers, Run, draw_run_svg, scenario, simulate
from hook_widgets.ratelimit.plotting.mpl import plot_run
from hook_widgets.ratelimit.plotting.view_model.theme import THEMES
from tests.ratelimit.plotting.scenes import drawn, scenes

SCENES = scenes()


def words(figure, renderer):
    """Return all visible texts with their boxes in pixels."""
    boxes = []
    for text in figure.findobj(Text):
        shown = text.get_text().strip() and text.get_visible()
        if shown and (text.axes is None or text.axes.get_visible()):
            boxes.append((text.get_text(), text.get_window_extent(renderer)))
    return boxes


SIZES = [(230, 330), (360, 330), (640, 400), (1200, 500)]


@pytest.mark.parametrize(
    ("scene", "width", "height"),
    [(scene, *size) for scene in SCENES for size in (SIZES if scene in drawn() else SIZES[:1])],
)
def test_no_words_lie_over_others_or_outside(scene, width, height):
    """At the size with the least room for all, at the others for one of each kind of picture."""
    height += 150 * scene.startswith("compared")
    figure = plot_run(SCENES[scene], width_in=width / 96, height_in=height / 96, dpi=96)
    canvas = cast("FigureCanvasAgg", figure.canvas)
    figure.draw_without_rendering()  # the texts get their places, and the lines no pixels

    boxes = words(figure, canvas.get_renderer())
    overlaps = [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)]
    outside = [text for text, box in boxes if box.x0 < 0 or box.x1 > width or box.y0 < 0 or box.y1 > height]

    assert ([], []) == (overlaps, outside)


@pytest.mark.parametrize("duration_s", [120, 7200, 86_400 * 20])
@pytest.mark.parametrize("width", [300, 640, 856])
def test_the_last_time_is_not_cut_off(duration_s: int, width: int):
    run = simulate(FixedWindow(5000, 3600), [duration_s * k / 100 for k in range(101)])
    figure = plot_run(run, width_in=width / 96, height_in=4, dpi=96)
    figure.draw_without_rendering()

    renderer = cast("FigureCanvasAgg", figure.canvas).get_renderer()
    assert [] == [text for text, box in words(figure, renderer) if box.x0 < 0 or box.x1 > width]


@pytest.mark.parametrize(("width", "title"), [(200, "Queue"), (320, "Queue (preview, if throttled)")])
def test_of_a_title_without_room_the_remark_goes_first(width: int, title: str):
    planned = scenario("5/s", burst_allowance=9, steady="3/s", burst=40, clients=2, timeout_s=30, seed=7)
    figure = plot_run(planned.run, queued=planned.queue, width_in=width / 96, height_in=5, dpi=96)
    figure.draw_without_rendering()

    boxes = dict(words(figure, cast("FigureCanvasAgg", figure.canvas).get_renderer()))
    assert boxes[title].x1 <= width


@pytest.mark.parametrize(
    ("limit", "arguments", "words"),
    [
        ("kubernetes-client", {"burst": 30}, ["■", "at once", "▼", "wait"]),
        ("10/s", {"burst": 40, "burst_allowance": 30}, ["■", "in", "✕", "rejected"]),
        ("5000/hour", {"steady": "1/s", "burst": 9000}, ["■", "in", "✕", "rejected"]),
        ("100/min", {"algorithm": "unknown", "steady": "1/s", "burst": 80}, ["■", "in", "✕", "429"]),
    ],
)
def test_the_colours_of_requests_are_explained_on_a_phone(limit: str, arguments, words: list[str]):
    """A widget of 360 px has pictures of 328 px."""
    planned = scenario(limit, **arguments)
    band = tuple(planned.all_runs.values()) if planned.algorithm is None else ()
    options: dict[str, Any] = {"queued": planned.queue, "possible": band, "until_s": planned.duration_s}
    figure = plot_run(planned.run, width_in=328 / 96, height_in=3, dpi=96, **options)
    figure.draw_without_rendering()

    assert set(words) <= {text.get_text().strip() for text in figure.findobj(Text) if text.get_visible()}


@pytest.mark.parametrize(
    ("limit", "burst", "words"),
    [("kubernetes-client", 30, "■ at once ▼ wait"), ("5000/hour", 9000, "■ in ✕ rejected")],
)
def test_the_simpler_picture_explains_them_too(limit: str, burst: int, words: str):
    planned = scenario(limit, burst=burst)
    document = draw_run_svg(planned.run, queued=planned.queue, until_s=planned.duration_s, width_px=328)

    assert words in [re.sub(r"<[^>]+>", "", text) for text in re.findall(r"<text.*?</text>", document)]


def test_names_are_shown_as_they_are_and_cut_off_where_they_have_no_room():
    names = ["$a$ and $b$", "two\nlines", "a name that nobody would ever want to read to its end " * 3]
    run = simulate(Layers(*(FixedWindow(5, 9, name=name) for name in names)), [0, 1, 2])

    texts = plot_run(run, width_in=5).findobj(Text)
    shown = [text.get_text() for text in texts]
    titles = [text.get_text() for text in plot_run(dict.fromkeys(names, run)).findobj(Text)]

    assert {"$a$ and $b$", "two lines"} <= set(shown) & set(titles)
    assert not any(text.get_parse_math() for text in texts if "$" in text.get_text())
    assert 1 == sum(text.startswith("a name that") and text.endswith("…") for text in shown)


def four_levels() -> Run:
    """Return a run of limits for all requests, and for each IP address, user and endpoint."""
    limits = ["10000/hour", "600/hour per ip", "100/min per user", "20/min per endpoint"]
    planned = scenario(limits, users=3, ips=2, endpoints=4, steady="60/min", duration_s=600)
    return planned.run


def test_a_narrow_picture_names_four_limits_in_full():
    figure = plot_run(four_levels(), width_in=300 / 96, height_in=330 / 96, dpi=96)
    shown = {text.get_text().partition(" (")[0] for text in figure.findobj(Text)}

    assert {"limit 1", "per IP", "per user", "per endpoint"} <= shown


def test_the_lines_of_four_limits_differ():
    colours = THEMES["light"]
    styles = {(line.get_color(), line.get_linestyle()) for line in plot_run(four_levels()).axes[0].lines}

    assert 9 == len({colours.layer_style(k) for k in range(9)})
    assert {colours.layer_style(k)[0] for k in range(4)} <= {colour for colour, _ in styles}
    assert 4 <= len(styles - {(colours.dim, "--")})
