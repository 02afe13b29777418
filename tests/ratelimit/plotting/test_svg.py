"""Test that SVG pictures show the exact record of a run, and are small."""

from __future__ import annotations

import re
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Mapping
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from hook_widgets._plotting.svg import width_px as width
from hook_widgets.errors import InvalidArrivals, LimitModelError
from hook_widgets.ratelimit import Arrivals, FixedWindow, LeakyBucket, Limiter, Run, TokenBucket, simulate
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.plotting.svg import draw_run_svg
from hook_widgets.ratelimit.plotting.view_model.theme import THEMES
from tests.ratelimit.plotting import scenes
from tests.ratelimit.plotting.scenes import bursts, compared
from tests.support.svg import Line, contrast, parsed, paths, texts
from tests.support.work import at_most_lines

SVG = "{http://www.w3.org/2000/svg}"


def of_calculator() -> tuple[Mapping[str, Run], dict[str, object]]:
    """Return the runs of a new calculator, and the options of its picture."""
    from hook_widgets import RateLimitCalculator  # here: the rest is tested where there are no widgets, too

    calculated = RateLimitCalculator().scenario
    assert calculated is not None
    return {"": calculated.run}, {"until_s": calculated.duration_s, "queued": calculated.queue}


def curve_in(document: str, colour: str) -> Line:
    """Return the curve of this colour: its solid line with the most points."""
    drawn = [path for path in paths(document) if path.stroke == colour and not path.dashed]
    return max((path.lines[0] for path in drawn), key=len)


def scale_of(document: str) -> tuple[float, float]:
    """Return the y coordinate of zero in the first panel, and the value of one pixel."""
    ticks = [(float(text), y - 4) for text, x, y in texts(document) if x < 44 and y < 170]
    (low, zero), (high, top) = min(ticks), max(ticks)
    return zero, (high - low) / (zero - top)


@pytest.mark.parametrize(
    "limiter", [TokenBucket(280, "100000/hour"), LeakyBucket(280, "100000/hour"), FixedWindow(800, "30 s")]
)
@pytest.mark.parametrize("width_px", [320, 640, 800])
def test_the_curve_is_where_the_run_says(limiter: Limiter, width_px: int):
    run = simulate(limiter, bursts())
    document = draw_run_svg(run, until_s=120, width_px=width_px)
    line = curve_in(document, THEMES["light"].levels[0])
    zero, per_px = scale_of(document)

    def level_at(px: float) -> float:
        """Return the level that the picture shows at this distance from its left edge."""
        right = min(max(bisect_left([x for x, _ in line], px), 1), len(line) - 1)
        (x0, y0), (x1, y1) = line[right - 1], line[right]
        y = y0 + (y1 - y0) * (px - x0) / ((x1 - x0) or 1)
        return (zero - y) * per_px

    left, right = line[0][0], line[-1][0]
    wrong = []
    for step in range(1, 240):
        px = left + (right - left) * step / 240
        # Beside a jump the picture may be a pixel to the left or right of it.
        near = [
            float(run.tokens(max(120 * (px + off - left) / (right - left), 0))) for off in (-2, -1, 0, 1, 2)
        ]
        if not min(near) - 2.5 * per_px <= level_at(px) <= max(near) + 2.5 * per_px:
            wrong.append((px, level_at(px), near))

    assert [] == wrong
    assert (44, width_px - 22) == (left, right)


@pytest.mark.parametrize("width_px", [240, 640])
def test_a_dip_and_a_spike_of_one_moment_are_seen(width_px: int):
    # Twenty requests at once in a long quiet time, and every other tick of it one.
    times = sorted([*(k * 0.5 for k in range(2000)), *[500.1] * 20])
    run = simulate(TokenBucket(20, "10/s"), Arrivals.from_times(times))

    line = curve_in(draw_run_svg(run, until_s=1000, width_px=width_px), THEMES["light"].levels[0])
    zero, per_px = scale_of(draw_run_svg(run, until_s=1000, width_px=width_px))

    assert 0 == run.tokens(500.1)
    assert zero == max(y for _, y in line)
    assert 20 == pytest.approx((zero - min(y for _, y in line)) * per_px, abs=per_px)


def test_requests_are_bars_up_and_down_with_a_cross_at_each_bar_of_rejected_ones():
    run = simulate(TokenBucket(280, "100000/hour"), bursts())
    document, colours = draw_run_svg(run, until_s=120), THEMES["light"]

    (up,) = (path.lines[0] for path in paths(document) if path.fill == colours.levels[0])
    (down,) = (path.lines[0] for path in paths(document) if path.fill == colours.rejected)
    strokes = next(path.lines for path in paths(document) if path.stroke == colours.rejected)
    crosses = [(x + 3, y + 3) for (x, y), _ in strokes[::2]]  # each is two strokes, from its upper edge on
    zero = up[0][1]
    width = re.findall(r"Requests per (\d+) s", document)
    rejected = {
        int(t / int(width[0])) for t, ok in zip(run.arrivals.times_s, run.admitted, strict=True) if not ok
    }

    assert min(y for _, y in up) < zero < max(y for _, y in down)
    assert len(rejected) == len(crosses)
    assert {y for _, y in crosses} <= {y for _, y in down}
    assert "■ admitted 2,776 ✕ rejected 184 (6.2%)" in [text for text, *_ in texts(document)]


def test_five_algorithms_are_compared_one_below_another():
    document = draw_run_svg(compared())
    labels = [(text, y) for text, _, y in texts(document)]

    assert list(compared()) == [text for text, _ in labels if text in compared()]
    assert 5 == sum("rejected" in text for text, _ in labels)
    assert all(a < b for a, b in pairwise([y for text, y in labels if "rejected" in text]))
    assert "5 runs compared over 120 s" == ElementTree.fromstring(document).findtext(f"{SVG}title")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_band_lies_between_its_two_edges(theme: str):
    runs = list(compared().values())
    document = draw_run_svg(runs[2], possible=runs, theme=theme)
    parsed(document)
    colour = THEMES[theme].levels[0]
    edges = [path.lines[0] for path in paths(document) if path.stroke == colour and not path.dashed]

    assert 2 == len(edges)
    least, most = (dict(edge) for edge in edges)
    assert all(least[x] >= most[x] for x in least.keys() & most.keys())
    assert max(least.values()) > max(most.values())
    assert 5_000 > len(document.encode())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scene", list(scenes.scenes()))
def test_every_scene_is_valid_small_and_inside_its_frame(scene: str, theme: str):
    runs = scenes.scenes()[scene]
    for width_px in (320, 640, 800):
        document = draw_run_svg(runs, width_px=width_px, theme=theme)
        root = parsed(document)

        assert "img" == root.get("role")
        assert root.findtext(f"{SVG}title")
        assert str(width_px) == root.get("width")
        assert (5_000 if isinstance(runs, Run) else 6_000) > len(document.encode())
        height = int(root.get("height", ""))
        drawn = [line for path in paths(document) for line in path.lines]
        assert all(0 <= x <= width_px and 0 <= y <= height for line in drawn for x, y in line)


def test_a_saved_notebook_with_ten_calculators_stays_small():
    runs, options = of_calculator()

    assert 2_500 > len(draw_run_svg(runs, **options).encode())  # type: ignore[arg-type]


def test_the_picture_of_each_move_of_a_slider_takes_little_work():
    """It runs 55,000 lines of Python; what a move takes is a row of the benchmark of the slider."""
    runs, options = of_calculator()
    draw_run_svg(runs, **options)  # type: ignore[arg-type]
    with at_most_lines(100_000):
        draw_run_svg(runs, **options)  # type: ignore[arg-type]


def test_the_same_runs_give_the_same_document():
    first, second = (draw_run_svg(simulate(TokenBucket(280, "100000/hour"), bursts())) for _ in range(2))

    assert first == second


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_marks_stand_out_from_the_ground(theme: str):
    document = draw_run_svg(compared(), theme=theme) + draw_run_svg(scenes.three_limits(), theme=theme)
    ground = THEMES[theme].ground
    # Grid and windows need not stand out: WCAG 2.2, 1.4.11 is of what one must see to understand.
    quiet = {ground, THEMES[theme].line, THEMES[theme].band}
    used = set(re.findall(r"#[0-9a-f]{6}", document)) - quiet

    assert [] == [colour for colour in used if contrast(colour, ground) < 3]
    assert 4.5 < min(contrast(colour, ground) for colour in (THEMES[theme].text, THEMES[theme].dim))


@pytest.mark.parametrize("width_px", [240, 280, 320, 400, 640])
def test_what_stands_over_a_panel_does_not_run_into_its_title(width_px: int):
    planned = scenario("10/s", burst=40, burst_allowance=30, clients=4)
    labels = texts(
        draw_run_svg(planned.run, until_s=planned.duration_s, queued=planned.queue, width_px=width_px)
    )
    titles = {y: x + width(text, bold=True) for text, x, y in labels if text[:5] in ("Reque", "Queue")}
    words = [(x - width(text), y) for text, x, y in labels if y in titles and x > width_px / 2]

    assert [] == [(begin, y) for begin, y in words if begin < titles[y]]
    assert 2 == len(titles)
    assert (2 if width_px >= 400 else 0) <= len(words)


def test_names_are_texts_and_never_markup():
    run = simulate(TokenBucket(5, "1/s", name="<script>\x00&\ud800"), Arrivals.steady("2/s", 10))

    document = draw_run_svg({'a "<b>"': run, "c": run})

    assert 'a "<b>"' in [text for text, *_ in texts(document)]


@pytest.mark.parametrize("width_px", [240, 320, 640])
def test_the_axis_of_time_has_a_mark_besides_its_beginning(width_px: int):
    document = draw_run_svg(
        simulate(TokenBucket(280, "100000/hour"), bursts()), until_s=120, width_px=width_px
    )

    assert {"0 s", "120 s"} <= {text for text, *_ in texts(document)}


def test_a_narrow_picture_is_never_narrower_than_its_words():
    assert "width='240'" in draw_run_svg(compared(), width_px=10)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"theme": "drak"}, LimitModelError, "did you mean 'dark'?"),
        ({"until_s": -1}, InvalidArrivals, "until_s"),
    ],
)
def test_bad_options_are_reported(options: dict[str, object], error: type[Exception], text: str):
    with pytest.raises(error, match=re.escape(text)):
        draw_run_svg(compared(), **options)  # type: ignore[arg-type]
    with pytest.raises(LimitModelError, match="no runs to draw"):
        draw_run_svg({})


def test_neither_matplotlib_nor_numpy_is_loaded():
    code = (
        "import sys\n"
        "from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate\n"
        "from hook_widgets.ratelimit import draw_run_svg\n"
        "assert '<svg' in draw_run_svg(simulate(TokenBucket(5, '5/s'), Arrivals.poisson(10, 10)))\n"
        "print(*{m.partition('.')[0] for m in sys.modules})"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set() == {"matplotlib", "numpy", "PIL"} & set(done.stdout.split())
