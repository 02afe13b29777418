"""Test reused pictures: quick ones show the same as full ones."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from matplotlib import rc_context
from PIL import Image

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit import Arrivals, FixedWindow, LeakyBucket, Run, TokenBucket, simulate
from hook_widgets.ratelimit.plotting.mpl import RunPicture
from hook_widgets.ratelimit.plotting.view_model.theme import theme
from tests.ratelimit.plotting.scenes import bursts, drawn, scenes
from tests.support.extent import extent

SCENES = {name: {"": run} if isinstance(run, Run) else run for name, run in scenes().items()}


def pixels(file: bytes) -> np.ndarray:
    """Return the pixels of a picture: rows, columns, RGBA."""
    return np.asarray(Image.open(BytesIO(file)))


def ink(picture: np.ndarray, colour: str) -> np.ndarray:
    """Return where a picture has exactly this colour."""
    return (picture[..., :3] == list(bytes.fromhex(colour[1:]))).all(axis=-1) & (picture[..., 3] == 255)


def draws(picture: RunPicture) -> list[object]:
    """Return a list that grows each time the axes are drawn."""
    drawn: list[object] = []
    draw = picture._axes.draw

    def recorded(renderer: Any, axes: Any) -> None:
        drawn.append(axes)
        draw(renderer, axes)

    picture._axes.draw = recorded  # type: ignore[method-assign]
    return drawn


@pytest.mark.parametrize("dpr", [1, 1.5, 2])
def test_a_picture_has_the_size_that_was_asked_for_in_device_pixels(dpr):
    picture = RunPicture(width_px=420, height_px=300, dpr=dpr)

    assert (300 * dpr, 420 * dpr, 4) == pixels(picture.full(SCENES["token bucket"])).shape


@pytest.mark.parametrize("scene", drawn())
def test_a_quick_picture_of_what_was_shown_in_full_is_the_same_picture(scene):
    picture = RunPicture(width_px=640, height_px=420)
    full = picture.full(SCENES[scene])

    assert full == picture.quick(SCENES[scene])


@pytest.mark.parametrize("scene", drawn())
def test_the_file_has_the_pixels_of_the_canvas(scene):
    picture = RunPicture(width_px=400, height_px=420, theme="dark")

    file = picture.quick(SCENES[scene])

    assert np.array_equal(pixels(file), np.asarray(picture._canvas.buffer_rgba()))


@pytest.mark.parametrize("scene", drawn())
def test_the_axes_are_those_that_matplotlib_draws_but_for_their_labels(scene):
    picture = RunPicture(width_px=400, height_px=420, dpr=1.5)
    picture.full(SCENES[scene])
    for ax in picture.figure.axes:
        ax.tick_params(labelcolor="none")
    canvas = picture._canvas
    canvas.draw()
    ordinary = np.asarray(canvas.buffer_rgba()).copy()
    canvas.get_renderer().clear()
    picture._axes.draw(canvas.get_renderer(), picture.figure.axes)

    assert ordinary[..., 3].any()
    assert np.array_equal(ordinary, np.asarray(canvas.buffer_rgba()))


def test_one_picture_shows_runs_of_every_kind_one_after_another():
    reused = RunPicture(width_px=500, height_px=400)
    for runs in map(SCENES.__getitem__, drawn()):
        reused.quick(runs)

        assert RunPicture(width_px=500, height_px=400).full(runs) == reused.full(runs)


def test_while_a_slider_moves_the_axes_are_drawn_a_few_times_only():
    arrivals = bursts()
    picture = RunPicture(width_px=500, height_px=300)
    draw_events = draws(picture)

    for capacity in range(200, 500, 5):
        picture.quick({"": simulate(TokenBucket(capacity, 28), arrivals)})

        assert capacity < picture.figure.axes[0].get_ylim()[1] < 2 * capacity
    assert 1 <= len(draw_events) <= 6


@pytest.mark.parametrize("end", [3e-6, 0.7, 12, 130, 9000, 86_400])
def test_all_that_is_drawn_lies_within_the_axes(end):
    picture = RunPicture(width_px=500, height_px=300)
    for k in range(1, 30, extent(4, 1)):
        run = simulate(LeakyBucket(3 * k, 30 * k / end), [end * i / 300 for i in range(300)])
        picture.quick({"": run})
        level, _, queue = picture.figure.axes

        assert 0 <= level.get_ylim()[1] - 3 * k < 3 * k
        assert level.get_ylim()[0] <= 0
        assert max(run.queue_depth(t) for t in run.arrivals.times_s) <= queue.get_ylim()[1]
        assert end * 299 / 300 <= level.get_xlim()[1] <= end * 1.25 / 0.6


def test_the_line_of_a_quick_picture_has_the_levels_of_the_run():
    picture = RunPicture(width_px=500, height_px=300)
    arrivals = Arrivals.poisson(12, 20, seed=4)
    picture.full({"": simulate(TokenBucket(90, 9), arrivals)})
    run = simulate(TokenBucket(60, 9), arrivals)
    picture.quick({"": run})

    line = max((np.asarray(line.get_xydata()) for line in picture.figure.axes[0].lines), key=len)
    moments = np.linspace(0.01, 19, 100)
    drawn = np.interp(moments, line[:, 0], line[:, 1])

    assert drawn == pytest.approx([float(run.tokens(float(t))) for t in moments], abs=1e-6)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_rejected_requests_show_in_their_colour_below_the_admitted(name):
    colours = theme(name)
    picture = RunPicture(width_px=500, height_px=300, theme=name)
    some = pixels(picture.full({"": simulate(TokenBucket(5, 1), [0] * 9)}))
    none = pixels(picture.full({"": simulate(TokenBucket(9, 1), [0] * 9)}))
    plot_run = slice(170, None)  # below the words

    assert ink(some[plot_run], colours.rejected).sum() > ink(none[plot_run], colours.rejected).sum() == 0
    lowest = {c: np.nonzero(ink(some, c))[0].max() for c in (colours.rejected, colours.levels[0])}
    assert lowest[colours.rejected] > lowest[colours.levels[0]]


def test_a_limit_that_grows_or_shrinks_stays_in_sight_and_large():
    picture = RunPicture(width_px=500, height_px=300)
    for capacity in (*range(10, 100, 3), *range(100, 10, -3)):
        picture.quick({"": simulate(TokenBucket(capacity, 1), [0])})

        assert capacity < picture.figure.axes[0].get_ylim()[1] < 2.2 * capacity


def test_bars_count_the_admitted_upwards_and_the_rejected_downwards():
    picture = RunPicture(width_px=500, height_px=300)
    picture.full({"": simulate(FixedWindow(3, 10), [0, 1, 2, 3, 4, 10.5, 10.6])}, until_s=20)
    bars: Any = picture.figure.axes[1].patches
    admitted, rejected = (steps.get_data() for steps in bars)

    assert [(0, 1), (1, 1), (2, 1), (10.5, 1), (10.5, 1)] == [
        (float(edge), 1)
        for count, edge in zip(admitted.values, admitted.edges, strict=False)
        for _ in range(count)
    ]
    assert [(3, -1), (4, -1)] == [
        (float(edge), int(count))
        for count, edge in zip(rejected.values, rejected.edges, strict=False)
        if count
    ]


def test_the_ground_is_left_to_the_page():
    picture = pixels(RunPicture(width_px=300, height_px=200).full(SCENES["token bucket"]))

    assert 0 == picture[:8, :, 3].max()
    assert 255 == picture[..., 3].max()


def test_the_description_can_be_made_longer():
    picture = RunPicture(width_px=500, height_px=300)
    picture.full({"": simulate(TokenBucket(5, 1), [0, 1])}, until_s=60)

    assert (0, 60) == picture.figure.axes[0].get_xlim()


def test_a_picture_too_small_for_anything_is_still_a_picture():
    assert 4 == pixels(RunPicture(width_px=1, height_px=1).full(SCENES["compared"])).shape[2]


def test_the_figure_can_be_saved_with_all_that_is_on_it(tmp_path):
    picture = RunPicture(width_px=500, height_px=300)
    picture.quick(SCENES["all at once"])
    with rc_context({"svg.fonttype": "none"}):
        picture.figure.savefig(tmp_path / "kept.svg")

    assert "rejected 50 (33.3%)" in (tmp_path / "kept.svg").read_text("utf-8")


def test_a_million_windows_are_not_drawn_one_by_one():
    picture = RunPicture(width_px=500, height_px=300)
    picture.full({"": simulate(FixedWindow(1, 1e-6), [0, 3600])})
    corners = np.asarray(picture.figure.axes[0].patches[0].get_path().vertices)

    assert 1 == len(corners)


def test_windows_are_every_other_band_from_the_second_on():
    picture = RunPicture(width_px=500, height_px=300)
    picture.full({"": simulate(FixedWindow(9, 10), [0, 34])}, until_s="40 s")
    corners = np.asarray(picture.figure.axes[0].patches[0].get_path().vertices)

    assert {10.0, 20.0, 30.0, 40.0} == set(corners[:, 0])


def test_nothing_to_draw_is_said():
    with pytest.raises(LimitModelError, match="no runs to draw"):
        RunPicture(width_px=500, height_px=300).quick({})


def test_an_unknown_theme_is_named_at_once():
    with pytest.raises(LimitModelError, match="theme is 'blue'"):
        RunPicture(width_px=500, height_px=300, theme="blue")


def test_a_queue_is_shown_below_a_run_that_has_none_and_nowhere_else():
    run, waiting = SCENES["token bucket"], simulate(LeakyBucket(500, "20/s", name="queue at 20/s"), bursts())
    picture = RunPicture(width_px=640, height_px=420)

    picture.full(run)
    assert 2 == len(picture.figure.axes)
    picture.full(run, queued=waiting)
    assert 3 == len(picture.figure.axes)
    assert "Queue at 20/s" in [text.get_text() for text in picture.figure.axes[2].texts]
    picture.full(SCENES["leaky bucket"], queued=waiting)
    assert "Queue" in [text.get_text() for text in picture.figure.axes[2].texts]
    compared = {"one": run[""], "two": SCENES["leaky bucket"][""]}
    assert picture.full(compared) == picture.full(compared, queued=waiting)


def test_a_move_after_a_full_picture_needs_no_new_axes():
    picture = RunPicture(width_px=640, height_px=420)
    arrivals = bursts()
    picture.full(simulate(TokenBucket(205, "20/s"), arrivals), until_s=60)
    draw_events = draws(picture)
    for capacity in (210, 215, 220, 230, 240):
        picture.quick(simulate(TokenBucket(capacity, "20/s"), arrivals), until_s=60)

    assert [] == draw_events


def test_axes_that_were_shown_before_are_not_drawn_again_and_nothing_of_the_others_is_left():
    arrivals = bursts()
    picture = RunPicture(width_px=640, height_px=420)
    there = [simulate(TokenBucket(capacity, "20/s"), arrivals) for capacity in (100, 210, 450)]
    first = [picture.full(run, until_s=60) for run in there]
    draw_events = draws(picture)

    assert first[::-1] == [picture.full(run, until_s=60) for run in reversed(there)]
    assert [] == draw_events
    fresh = [RunPicture(width_px=640, height_px=420).full(run, until_s=60) for run in there]
    assert first == fresh


@pytest.mark.parametrize(("places", "shown"), [(500, True), (100_000, False)])
def test_a_queue_that_holds_all_requests_has_no_limit_to_be_shown(places, shown):
    waiting = simulate(LeakyBucket(places, "20/s", name="queue"), bursts())
    picture = RunPicture(width_px=640, height_px=420)
    picture.full(SCENES["token bucket"], queued=waiting)

    assert shown == any(text.get_text().startswith("limit") for text in picture.figure.axes[2].texts)
