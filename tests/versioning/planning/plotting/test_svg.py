"""Test the SVG picture of versions: the position of bars, and accessibility."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import datetime
from itertools import combinations

import pytest

from hook_widgets._plotting.svg import width_px
from hook_widgets.errors import InvalidApi, VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg
from hook_widgets.versioning.planning.plotting.view_model.theme import THEMES
from hook_widgets.versioning.release import Release, Status
from tests.support.svg import SVG, Line, contrast, parsed, paths, texts
from tests.versioning.apis import AT, day, orders, scenes

SCENES = scenes()


def outlines(document: str, kind: Status) -> list[Line]:
    """Return the bars of a status, without the last, which is the sample in the legend."""
    edge = THEMES["light"].edges[kind]
    fill = {Status.ACTIVE: THEMES["light"].fills[kind], Status.DEPRECATED: "url(#deprecated)"}[kind]
    return next(path for path in paths(document) if (path.stroke, path.fill) == (edge, fill)).lines[:-1]


def test_bars_end_where_their_dates_are():
    lifecycle, began = orders().releases[0].lifecycle, day("2025-11-01")
    assert lifecycle is not None
    announced, gone = lifecycle.deprecated, lifecycle.sunset
    api = Api(releases=(Release(1, day("2020-01-01"), lifecycle=lifecycle), Release(2, began)))

    document = draw_timeline_svg(api, AT, width_px=800)
    (deprecated,) = outlines(document, Status.DEPRECATED)
    second = outlines(document, Status.ACTIVE)[-1]
    told_px, gone_px = min(x for x, _ in deprecated), max(x for x, _ in deprecated)
    per_px = (gone - announced) / (gone_px - told_px)

    assert 0 == pytest.approx((began - announced) / per_px - (min(x for x, _ in second) - told_px), abs=1.5)


@pytest.mark.parametrize("width", [320, 640, 1100])
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("at", [AT, day("1971-01-01"), day("2199-12-31")], ids=str)
def test_every_scene_is_valid_and_inside_its_frame(scene: str, width: int, at: datetime):
    root = parsed(document := draw_timeline_svg(SCENES[scene], at, width_px=width))
    height = int(root.get("height", ""))
    drawn = [line for path in paths(re.sub(r"<pattern.*?</pattern>", "", document)) for line in path.lines]

    assert ("img", str(width)) == (root.get("role"), root.get("width"))
    assert root.findtext(f"{SVG}title")
    assert all(-1 <= x <= width + 1 and 0 <= y <= height for line in drawn for x, y in line)
    assert all(0 <= y <= height - 4 for _, _, y in texts(document))


@pytest.mark.parametrize("width", [320, 640])
@pytest.mark.parametrize("scene", SCENES)
def test_dates_do_not_lie_over_one_another(scene: str, width: int):
    document = draw_timeline_svg(SCENES[scene], AT, width_px=width)
    labels = [
        (x, x + width_px(text, size_px=10), y) for text, x, y in texts(document) if re.search(r"\d{4}$", text)
    ]
    dates = [(begin, end, y) for begin, end, y in labels if y > 44]

    assert [] == [(a, b) for a, b in combinations(dates, 2) if a[2] == b[2] and a[0] < b[1] and b[0] < a[1]]


def test_each_kind_and_each_step_has_its_shape_and_its_name():
    document = draw_timeline_svg(orders(), AT)
    labels = [text for text, *_ in texts(document)]

    for word in ("active", "deprecated", "removed", "announcement", "reminder", "final notice", "removal"):
        assert word in labels
    assert "<pattern id='deprecated'" in document
    assert any(
        path.dashed and path.stroke == THEMES["light"].edges[Status.REMOVED] for path in paths(document)
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_signs_stand_out_from_the_ground(theme: str):
    document, colours = draw_timeline_svg(orders(), AT, theme=theme), THEMES[theme]
    inked = set(
        re.findall(r"(?:stroke|fill)='(#[0-9a-f]{6})'", re.sub(r"<pattern.*?</pattern>", "", document))
    )
    quiet = {colours.ground, colours.line, colours.band, *colours.fills.values()}

    assert [] == [colour for colour in inked - quiet if contrast(colour, colours.ground) < 3]
    assert 4.5 < min(contrast(colour, colours.ground) for colour in (colours.text, colours.dim))


def test_it_is_small_and_the_same_each_time():
    first, second = draw_timeline_svg(orders(), AT), draw_timeline_svg(orders(), AT)

    assert first == second
    assert 3_200 > len(first.encode())


def test_names_are_texts_and_never_markup():
    document = draw_timeline_svg(Api(name='<b>&"', releases=(Release(1),)), AT)

    assert '<b>&": versions' in [text for text, *_ in texts(document)]


def test_bad_options_are_reported():
    with pytest.raises(VersioningError, match="did you mean 'dark'"):
        draw_timeline_svg(orders(), AT, theme="drak")
    with pytest.raises(InvalidApi, match="zone"):
        draw_timeline_svg(orders(), datetime(2026, 1, 1))  # noqa: DTZ001


def test_neither_matplotlib_nor_numpy_is_loaded():
    code = (
        "import sys\n"
        "from datetime import UTC, datetime\n"
        "from hook_widgets.versioning.api import Api\n"
        "from hook_widgets.versioning.release import Release\n"
        "from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg\n"
        "at = datetime(2026, 11, 20, tzinfo=UTC)\n"
        "assert '<svg' in draw_timeline_svg(Api(releases=(Release(1),)), at)\n"
        "print(*{m.partition('.')[0] for m in sys.modules})"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set() == {"matplotlib", "numpy", "PIL"} & set(done.stdout.split())
