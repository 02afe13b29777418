"""Test that SVG files are small, and look like matplotlib's own files."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import numpy
import pytest
from matplotlib import rc_context
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from hook_widgets._plotting.mpl.compact import compact
from hook_widgets.ratelimit import Run, TokenBucket, simulate
from hook_widgets.ratelimit.plotting.mpl import plot_run, render_run
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from tests.ratelimit.plotting.scenes import compared, scenes
from tests.support.svg import SVG, Line, points

WIDTH_PX, HEIGHT_PX = 768, 480
FINER = 8
PX_PER_PT = 4 / 3

SHORT = simulate(TokenBucket(5, 1), [0, 0, 0, 1.5, 3, 8])
LONG = simulate(TokenBucket(60, "10/s"), Arrivals.poisson("11/s", "300 s", seed=1))


def as_matplotlib_writes(runs: Run | dict[str, Run]) -> bytes:
    """Return the SVG file as written by matplotlib."""
    file = BytesIO()
    with rc_context({"svg.fonttype": "none", "path.simplify": False}):
        plot_run(runs).savefig(file, format="svg")
    return file.getvalue()


def data(svg: bytes) -> list[str]:
    """Return the data of its paths."""
    return [path.get("d", "") for path in ElementTree.fromstring(svg).iter(f"{SVG}path")]


def drawn(svg: bytes) -> NDArray[numpy.float64]:
    """Draw its lines with Pillow, as wide as in the picture. Return grey levels at the picture's size."""
    size = (WIDTH_PX * FINER, HEIGHT_PX * FINER)
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for line in (line for path in data(svg) for line in points(path)):
        draw.line([(x * PX_PER_PT * FINER, y * PX_PER_PT * FINER) for x, y in line], 0, round(1.6 * FINER))
    return numpy.asarray(image.reduce(FINER), dtype=float)


def difference(one: bytes, other: bytes) -> tuple[float, float]:
    """Return the mean difference of two pictures in grey levels, and the share of different pixels."""
    apart = numpy.abs(drawn(one) - drawn(other))
    return float(apart.mean()), float((apart > 64).mean())


@pytest.mark.parametrize("runs", [SHORT, LONG, scenes()["leaky bucket"], compared()])
def test_the_picture_is_the_one_that_all_points_draw(runs):
    mean, different = difference(as_matplotlib_writes(runs), render_run(runs, "svg"))

    assert mean < 0.6  # Pillow draws lines at whole pixels, eight of which are one here
    assert different < 0.0001


def test_one_request_less_would_be_noticed():
    less = simulate(TokenBucket(5, 1), [0, 0, 0, 1.5, 3])

    mean, different = difference(as_matplotlib_writes(SHORT), render_run(less, "svg", until_s=9))

    assert mean > 0.6
    assert different > 0.001


def test_the_file_of_a_long_run_has_less_than_half_of_the_bytes():
    assert len(render_run(LONG, "svg")) < len(as_matplotlib_writes(LONG)) / 2


def test_ten_times_the_requests_make_the_file_little_larger():
    longer = simulate(TokenBucket(60, "100/s"), Arrivals.poisson("110/s", "300 s", seed=1))

    assert len(render_run(longer, "svg")) < 1.5 * len(render_run(LONG, "svg"))


def test_a_short_run_keeps_all_its_corners():
    def corners(line: Line) -> set[tuple[float, float]]:
        triples = zip(line, line[1:], line[2:], strict=False)
        return {
            b
            for a, b, c in triples
            if abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 0.01
        }

    expected = {
        corner
        for path in data(as_matplotlib_writes(SHORT))
        for line in points(path)
        for corner in corners(line)
    }
    points_left = [
        point for path in data(render_run(SHORT, "svg")) for line in points(path) for point in line
    ]

    assert len(expected) > 30
    assert [] == [
        (x, y) for x, y in expected if not any(abs(x - a) < 0.006 > abs(y - b) for a, b in points_left)
    ]


def test_words_that_look_like_a_path_are_left_alone():
    text = '<text>&lt;path d="M 1.5 2 L 3 4"</text><title> d="M 1.50 2.00"</title>'

    assert text == compact(text)


def test_curves_and_what_goes_back_are_drawn_through_all_their_points():
    assert '<path d="M0 0C 1 1 2.5 2.5 3 3"/>' == compact('<path d="M0 0C 1 1 2.5 2.5 3 3"/>')
    box = '<path d="M 1 1 \nL 9 1 \nL 9 5 \nL 5 5 \nL 1 5 \nz\nM 2 2 \nL 1.5 3 \n"/>'
    corners = [[(1, 1), (9, 1), (9, 5), (5, 5), (1, 5), (1, 1)], [(2, 2), (1.5, 3)]]

    compacted = compact(box).split('"')[1]
    assert corners == [[(round(x, 9), round(y, 9)) for x, y in line] for line in points(compacted)]
