"""Each lane of a comparison has the p95 wait, the worst window and the memory of its algorithm."""

from __future__ import annotations

import re

import pytest
from matplotlib.text import Annotation

from hook_widgets.ratelimit import Scenario, scenario
from hook_widgets.ratelimit.plotting.mpl.picture import RunPicture
from hook_widgets.ratelimit.plotting.svg import draw_run_svg
from hook_widgets.ratelimit.plotting.view_model.words import describe_run
from hook_widgets.ratelimit.reporting.report import Report, report
from hook_widgets.widgets.calculator.frame import options


def lanes_of(text: str, names: list[str]) -> list[str]:
    """Split a text before each name."""
    return re.split("(?=" + "|".join(names) + ")", text)[1:]


def drawn_texts(picture: RunPicture) -> list[tuple[str, float]]:
    """The texts of a picture with their width in pixels, from top to bottom."""
    texts = picture.figure.findobj(Annotation)
    return [(each.get_text(), each.get_window_extent().width) for each in texts if each.get_text()]


@pytest.fixture(scope="module")
def compared() -> Report:
    model: Scenario = scenario(
        "100000/hour", burst_allowance=300, steady="18/s", burst=400, burst_every_s="1 min"
    )
    return report(model, compare=True)


@pytest.mark.parametrize("width_px", [320, 480, 640, 1040])
def test_a_lane_of_a_light_picture_has_every_number_of_the_table(compared, width_px):
    document = draw_run_svg(compared.runs, width_px=width_px, **options(compared))
    texts = " | ".join(re.findall(r">([^<>]+)<", document))

    for _, _, _, wait, worst, _, memory in compared.comparison.rows:
        assert f"p95 wait {wait}, worst " in texts
        assert re.search(rf"worst (hour )?{worst}, {memory}", texts), (worst, texts)


@pytest.mark.parametrize("width_px", [320, 480, 640, 1040])
def test_a_lane_of_a_picture_has_every_number_of_the_table_inside_it(compared, width_px):
    picture = RunPicture(width_px=width_px, height_px=500)
    picture.full(compared.runs, **options(compared))
    texts = drawn_texts(picture)

    for _, _, _, wait, worst, _, memory in compared.comparison.rows:
        pattern = rf"p95 wait {re.escape(wait)}, worst (hour )?{worst}, {memory}"
        (px,) = {px for text, px in texts if re.search(pattern, text)} or {1e9}
        assert px < width_px - 60


def test_the_words_of_a_comparison_have_them_too(compared):
    described = describe_run(compared.runs, **options(compared))
    names = [row[0] for row in compared.comparison.rows]

    for row, text in zip(compared.comparison.rows, lanes_of(described, names), strict=True):
        assert f"; p95 wait {row[3]}, worst hour {row[4]}, {row[6]} per key." in text


def test_a_quick_picture_leaves_room_for_them(compared):
    places = []
    for quick in (True, False):
        picture = RunPicture(width_px=360, height_px=500)
        picture.full(compared.runs, **options(compared, quick=quick))
        places.append([lane.place for lane in picture.lanes()])

    assert places[0] == places[1]
    assert {()} == set(options(compared, quick=True)["notes"].values())


def test_a_single_run_has_no_note():
    assert None is options(report(scenario("10/s", burst=40)))["notes"]
    assert None is options(report(scenario("10/s", burst=40, algorithm="unknown")))["notes"]
