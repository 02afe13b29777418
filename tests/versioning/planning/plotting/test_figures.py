"""Test the content, layout and accessibility of the plot."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO
from itertools import combinations
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import date2num
from matplotlib.patches import Polygon
from matplotlib.text import Text
from PIL import Image

from hook_widgets.errors import InvalidApi, VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.mpl import (
    draw_timeline,
    plot_timeline,
    render_timeline,
)
from hook_widgets.versioning.planning.plotting.view_model.words import describe_timeline
from hook_widgets.versioning.release import Release
from tests.support.extent import extent
from tests.versioning.apis import AT, BERLIN, day, many, orders, scenes

SCENES = scenes()
SVG = "{http://www.w3.org/2000/svg}"
TIMES = [AT, day("1971-01-01"), day("2026-06-01"), day("2027-12-01"), day("2199-12-31")]


def words(api, at=AT, **options):
    """Return the texts in the plot as an SVG file."""
    root = ElementTree.fromstring(render_timeline(api, at, "svg", **options))
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def shown(figure, renderer):
    """Return all visible texts with their boxes in pixels."""
    visible = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    placed = [
        text for text in visible if text.axes is not None and text in text.axes.texts
    ]  # no tick of matplotlib's
    return [(text.get_text(), text.get_window_extent(renderer)) for text in placed]


def drawn(api, at=AT, **options):
    """Return a figure and its renderer."""
    figure = plot_timeline(api, at, dpi=96, **options)
    canvas = cast("FigureCanvasAgg", figure.canvas)
    figure.draw_without_rendering()  # the texts get their places, and the bars no pixels
    return figure, canvas.get_renderer()


def bars(figure):
    """Return the bars of the panel, which is drawn last, as left and right edge in days and the patch."""
    panel = figure.axes[1]
    rendered = [patch for patch in panel.patches if isinstance(patch, Polygon) and patch.get_linewidth() > 0]
    return [(patch.get_xy()[:, 0].min(), patch.get_xy()[:, 0].max(), patch) for patch in rendered]


def misplaced(api, at, width):
    """Return texts that overlap, and texts that are cut off."""
    figure, renderer = drawn(api, at, width_in=width / 96)
    height = figure.get_size_inches()[1] * 96
    boxes = shown(figure, renderer)
    overlaps = [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)]
    outside = [text for text, box in boxes if box.x0 < 0 or box.x1 > width or box.y0 < 0 or box.y1 > height]
    return overlaps, outside


@pytest.mark.filterwarnings("ignore:Glyph")  # the test measures words outside of the picture's own drawing
@pytest.mark.parametrize("width", extent([360], [360, 1100]))
@pytest.mark.parametrize("scene", SCENES)
def test_no_words_lie_over_others_or_outside(scene, width):
    assert ([], []) == misplaced(SCENES[scene], AT, width)


@pytest.mark.parametrize("at", TIMES[1:], ids=[str(at.date()) for at in TIMES[1:]])
@pytest.mark.parametrize("scene", ["orders", "undated", "announced ahead"])
def test_words_keep_apart_at_any_time(scene, at):
    assert ([], []) == misplaced(SCENES[scene], at, 560)


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("scene", SCENES)
def test_no_date_lies_on_the_line_of_the_time(scene):
    figure, renderer = drawn(SCENES[scene], width_in=5)
    panel = figure.axes[1]
    x = panel.transData.transform((date2num(AT), 0))[0]

    on_the_line = [
        text.get_text() for text in panel.texts
        if text.get_window_extent(renderer).x0 < x < text.get_window_extent(renderer).x1
    ]  # fmt: skip
    assert [] == on_the_line


def test_bars_begin_and_end_on_their_dates():
    figure = plot_timeline(orders(), AT)
    # As matplotlib itself counts dates
    deprecated, removed = date2num(day("2026-06-01")), date2num(day("2027-12-01"))

    edges = [(left, right) for left, right, _ in bars(figure)]
    assert (pytest.approx(deprecated), pytest.approx(removed)) in edges
    assert any(left == pytest.approx(date2num(day("2025-11-03"))) for left, _ in edges)
    assert (pytest.approx(date2num(AT)), pytest.approx(date2num(day("2027-06-01")))) in edges  # planned


def test_the_line_of_the_time_stands_at_the_time_and_says_the_day():
    figure = plot_timeline(orders(), AT.astimezone(UTC))

    lines = [line for line in figure.axes[1].lines if line.get_linestyle() == "--"]
    assert [pytest.approx(date2num(AT))] * 2 == list(cast("Any", lines[0].get_xdata()))
    assert "as of 21 Nov 2026" in words(orders())


def test_a_day_is_that_of_the_apis_zone():
    late = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)

    assert "as of 22 Nov 2026" in words(orders(), late)


def test_marks_stand_on_the_four_dates_and_have_four_shapes():
    panel = plot_timeline(orders(), AT).axes[1]

    marks = [line for line in panel.lines if line.get_marker() not in ("None", None, "")]
    expected = [date2num(day(date)) for date in ("2027-12-01", "2026-06-01", "2027-06-01", "2026-12-01")]
    assert sorted(expected) == pytest.approx(
        sorted(float(cast("Any", mark.get_xdata())[0]) for mark in marks)
    )
    assert 4 == len({mark.get_marker() for mark in marks})


def test_kinds_of_bars_are_distinguished_without_colour():
    api = Api(releases=(*orders().releases[:2], Release(3, day("2027-06-01"), stable=False)))

    looks = set()
    for left, _, patch in bars(plot_timeline(api, AT)):
        hatched = (p for p in patch.axes.patches if p.get_hatch() and p.get_xy()[:, 0].min() == left)
        looks.add((patch.get_linestyle() in ("-", "solid"), next((p.get_hatch() for p in hatched), "")))

    assert {(True, ""), (True, "////"), (True, "...."), (False, "")} == looks


def test_the_picture_says_in_words_what_each_version_is_and_what_the_signs_mean():
    texts = words(orders())

    assert {"v1", "v2", "v3", "375 days left", "current", "in 192 days"} <= set(texts)
    assert {
        "planned",
        "active",
        "deprecated",
        "removed",
        "announcement",
        "reminder",
        "final notice",
        "removal",
    } <= set(texts)
    assert {"1 Jun 2026", "1 Dec 2026", "1 Jun 2027", "1 Dec 2027", "3 Nov 2025"} <= set(texts)
    assert {"Orders API: versions", "dates in Europe/Berlin"} <= set(texts)


def test_months_and_years_are_marked_on_the_axis_at_midnight_of_the_zone():
    texts = words(orders())
    panel = plot_timeline(orders(), AT).axes[1]

    assert {"2026", "2027", "2028", "Jul"} <= set(texts)
    grid = {round(float(cast("Any", line.get_xdata())[0]), 6) for line in panel.lines}
    assert round(date2num(datetime(2027, 1, 1, tzinfo=BERLIN)), 6) in grid


def test_a_version_without_a_date_is_open_on_the_left_and_one_that_stays_on_the_right():
    figure = plot_timeline(SCENES["one"], AT)
    ((left, right, patch),) = bars(figure)
    begin, end = figure.axes[1].get_xlim()

    assert begin <= left < begin + 8
    assert end - 8 < right <= end
    assert len(patch.get_xy()) > 6  # a tooth and a point, where a bar that is closed has four corners


def test_a_release_long_ago_does_not_make_everything_else_small():
    begin, end = plot_timeline(SCENES["long ago"], AT).axes[1].get_xlim()

    assert date2num(day("2024-01-01")) < begin
    assert date2num(day("2027-12-01")) < end


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_api_and_time_give_the_same_file(kind):
    assert render_timeline(many(), AT, kind) == render_timeline(many(), AT, kind)


def test_the_more_versions_the_higher_and_no_time_changes_it():
    heights = {
        len(api.releases): draw_timeline(api, AT, width_px=768).height
        for api in (SCENES["one"], orders(), many())
    }

    assert sorted(heights.values()) == list(heights.values())
    assert {draw_timeline(orders(), at, width_px=768).height for at in TIMES} == {heights[3]}


@pytest.mark.parametrize("dpr", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_for_a_screen_is_as_large_as_it_says_on_a_transparent_ground(dpr, theme):
    rendered = draw_timeline(orders(), AT, width_px=500, dpr=dpr, theme=theme)
    image = Image.open(BytesIO(rendered.png)).convert("RGBA")

    assert 500 == rendered.width
    assert image.size == pytest.approx((rendered.width * dpr, rendered.height * dpr), abs=1)
    assert (0, 0, 0, 0) == image.getpixel((1, 1)) or cast("tuple", image.getpixel((1, 1)))[3] == 0


def test_a_picture_is_never_too_narrow_to_be_drawn():
    assert 240 == draw_timeline(orders(), AT, width_px=-5).width


def test_a_saved_picture_has_its_ground_and_says_what_it_shows():
    image = Image.open(BytesIO(render_timeline(orders(), AT, "png", theme="dark")))

    assert (0x16, 0x18, 0x1D, 255) == image.convert("RGBA").getpixel((2, 2))
    assert describe_timeline(orders(), AT) == image.info["Description"]
    assert describe_timeline(orders(), AT).encode() in render_timeline(orders(), AT, "svg")


def test_an_svg_keeps_its_words_as_words_in_a_font_that_everybody_has():
    svg = render_timeline(orders(), AT, "svg").decode()

    fonts = re.findall(r"font: [^;\"]*", svg) + re.findall(r"font-family: [^;]+", svg)
    assert fonts
    assert all("DejaVu Sans" in font and "sans-serif" in font for font in fonts)
    assert "<image" not in svg


def test_a_users_own_style_does_not_spoil_a_picture():
    style: Any = {
        "axes.facecolor": "red", "font.size": 30, "lines.linewidth": 9, "axes.grid": True,
        "hatch.linewidth": 9,
        "lines.markersize": 30, "font.weight": "bold", "font.style": "italic", "lines.color": "red",
        "lines.linestyle": ":", "patch.linewidth": 7, "hatch.color": "red", "text.color": "red",
    }  # fmt: skip
    with rc_context(style):
        styled = render_timeline(orders(), AT, "svg")

    assert render_timeline(orders(), AT, "svg") == styled


def test_names_are_shown_as_they_are_and_cut_off_where_they_have_no_room():
    assert "$a$ 注文 <b> & _x_: versions" in words(SCENES["other letters"])
    title = words(many(), width_in=360 / 96)[0]
    assert title.startswith("Payments, with a name")
    assert title.endswith("…: versions")


def test_the_picture_in_words_tells_every_date():
    assert (
        "Versions of Orders API as of 21 Nov 2026 (Europe/Berlin). "
        "v1: deprecated, since 1 Nov 2023, announcement 1 Jun 2026, reminder 1 Dec 2026, "
        "final notice 1 Jun 2027, removal 1 Dec 2027, 375 days left. "
        "v2: active, since 3 Nov 2025. v3: planned, release 1 Jun 2027."
    ) == describe_timeline(orders(), AT)


def test_pyplot_is_not_loaded_and_nothing_is_before_it_is_used():
    code = (
        "import sys; import hook_widgets.versioning\n"
        "assert 'matplotlib' not in sys.modules and 'icalendar' not in sys.modules\n"
        "from hook_widgets.versioning import Api, Release\n"
        "from datetime import datetime, UTC\n"
        "from hook_widgets.versioning.planning.plotting.mpl import plot_timeline\n"
        "plot_timeline(Api(releases=(Release(1),)), datetime(2026, 1, 1, tzinfo=UTC))\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )

    assert "False" == subprocess.check_output([sys.executable, "-c", code], text=True).strip()


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(VersioningError, match=r"format is 'pgn'.*png"):
        render_timeline(orders(), AT, "pgn")
    with pytest.raises(VersioningError, match=r"theme is 'drak'.*dark"):
        plot_timeline(orders(), AT, theme="drak")
    with pytest.raises(InvalidApi, match="no time zone"):
        plot_timeline(SCENES["one"], datetime(2026, 1, 1))  # noqa: DTZ001
