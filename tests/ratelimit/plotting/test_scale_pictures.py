"""Test the pictures of streams and sweeps: the numbers in their lines, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit import (
    Arrivals,
    Chunk,
    Layers,
    Limiter,
    PerClient,
    TokenBucket,
    plot_run,
    simulate_chunks,
)
from hook_widgets.ratelimit.sweeping import Sweep, plot_sweep, sweep

TRAFFIC = Arrivals.poisson("40/s", "60 s", seed=3)


def data_of(line: Any, axis: str) -> list[float]:
    return list(getattr(line, f"get_{axis}data")())


def stream(columns: int = 50):
    limits = Layers(TokenBucket(30, "30/s", name="all"), PerClient("user", TokenBucket(3, 1)))
    chunk = Chunk(TRAFFIC, clients={"user": [str(k % 40) for k in range(len(TRAFFIC))]})
    return simulate_chunks(limits, [chunk], columns=columns)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_stream_is_drawn_with_its_level_and_its_counts(theme):
    run = stream()

    figure = plot_run(run, theme=theme)
    level, counts = figure.axes

    curve = run.remaining(0)
    assert curve is not None
    assert list(curve.times) == data_of(level.lines[0], "x")
    assert list(curve.values) == data_of(level.lines[0], "y")
    assert ["Left of all", "Requests per second"] == [ax.get_title(loc="left") for ax in figure.axes]
    highest = max(column.offered / (column.end_s - column.begin_s) for column in run.columns)
    assert counts.get_ylim()[1] >= highest
    assert f"{run.summary().rejected:,} of {len(TRAFFIC):,} requests rejected" in figure.description
    assert figure.to_file("png").startswith(b"\x89PNG")


def test_a_pause_of_a_stream_is_drawn_as_no_requests():
    run = simulate_chunks(TokenBucket(1, 1), [Arrivals.from_times([0, 0, 64, 64, 99])], columns=100)

    _, counts = plot_run(run).axes
    first, second = run.columns[:2]

    assert first.end_s < second.begin_s
    for area in counts.collections:
        (path,) = area.get_paths()
        corners = numpy.asarray(path.vertices).tolist()
        assert [first.end_s, 0.0] in corners
        assert [second.begin_s, 0.0] in corners


def test_an_empty_stream_and_options_of_a_run_are_rejected():
    with pytest.raises(LimitModelError, match="no requests"):
        plot_run(simulate_chunks(TokenBucket(1, 1), []))
    with pytest.raises(LimitModelError, match="leave until_s, queued, possible and notes out"):
        plot_run(stream(), until_s=5)


def test_a_sweep_is_drawn_with_each_knee_named():
    limiters = [
        Limiter.of(f"{r}/s", kind) for kind in ("token_bucket", "fixed_window") for r in range(10, 70, 5)
    ]
    points = sweep(limiters, TRAFFIC)

    figure = plot_sweep(points)
    (ax,) = figure.axes

    for (_, algorithm), curve in points.curves().items():
        (line,) = [line for line in ax.lines if str(line.get_label()).startswith(f"{algorithm}, knee at ")]
        assert [point.limiter.sustained_rate for point in curve] == data_of(line, "x")
        assert [100 * point.rejected_fraction for point in curve] == data_of(line, "y")
        knee = points.knee(lambda limiter: limiter.sustained_rate, name=algorithm)
        assert knee is not None
        assert f"{algorithm}, knee at {knee.limiter.sustained_rate}: " in figure.description
        assert f"{algorithm}, knee at {knee.limiter.sustained_rate}" == line.get_label()
    assert "Limit, requests/s" == ax.get_xlabel()


def test_a_single_point_is_drawn_without_a_knee():
    figure = plot_sweep(sweep([TokenBucket(5, 5)], {"calm": TRAFFIC}), theme="dark")

    assert "no line has a knee" == figure.description
    assert ["TokenBucket, calm"] == [line.get_label() for line in figure.axes[0].lines]


def test_too_many_lines_and_none_are_rejected():
    with pytest.raises(LimitModelError, match="there are 0 lines"):
        plot_sweep(Sweep(()))
    with pytest.raises(LimitModelError, match="there are 9 lines"):
        plot_sweep(sweep([TokenBucket(5, 5)], {str(k): TRAFFIC[:9] for k in range(9)}))


def test_the_limit_in_use_is_marked_in_a_sweep():
    figure = plot_sweep(sweep([TokenBucket(n, "30/s") for n in (1, 2, 9)], TRAFFIC), current=30)
    (line,) = [line for line in figure.axes[0].lines if line.get_label() == "now 30"]

    assert [30, 30] == data_of(line, "x")
