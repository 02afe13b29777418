"""Test the axis and colours of the plot."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import combinations, pairwise, product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.dates import date2num, num2date

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.planning.plotting.view_model import scale
from hook_widgets.versioning.planning.plotting.view_model.scale import Window, days, ticks
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import THEMES
from hook_widgets.versioning.release import Release
from tests.support.svg import contrast
from tests.versioning.apis import AT, BERLIN, day, scenes

BEGINS = st.datetimes(datetime(1, 2, 1), datetime(9900, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@pytest.mark.parametrize("text", ["1970-01-01", "2026-06-01T09:30", "0001-01-02", "9999-12-30"])
def test_days_are_those_of_matplotlib(text):
    moment = day(text, ZoneInfo("UTC"))

    assert date2num(moment) == pytest.approx(days(moment))


@given(BEGINS, st.floats(540, 400_000), st.integers(1, 30))
def test_marks_are_first_days_of_months_evenly_apart_with_a_year_among_them_and_no_more_than_have_room(
    begin, span, most
):
    window = Window(days(begin), min(days(begin) + span, 2_932_800.0))
    marks = ticks(window, BERLIN, most)

    assert len(marks) <= most
    assert all(window.begin <= mark.at <= window.end for mark in marks)
    dates = [num2date(mark.at + 1e-6, tz=BERLIN) for mark in marks]
    assert all(
        (date.day, date.hour) == (1, 0) for date in dates if date.year > 1900
    )  # local mean time before
    months = [date.year * 12 + date.month for date in dates]
    assert len({later - earlier for earlier, later in pairwise(months)}) <= 1
    assert [mark.text for mark in marks if mark.year] == [str(date.year) for date in dates if date.month == 1]


def test_marks_before_1970_need_nothing_that_windows_has_not(monkeypatch):
    """`datetime.fromtimestamp` fails there before 1970 (https://github.com/python/cpython/issues/80620)."""

    class Windows(datetime):
        @classmethod
        def fromtimestamp(cls, timestamp, tz=None):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(scale, "datetime", Windows)

    marks = ticks(Window(-800.0, 0.0), UTC, 3)

    assert ["1968", "1969", "1970"] == [mark.text for mark in marks]


@pytest.mark.parametrize("scene", scenes())
def test_an_axis_holds_every_date_that_matters_and_a_january(scene):
    api = scenes()[scene]
    window = Window.of(api, AT)

    dates = [release.lifecycle for release in api.releases if release.lifecycle]
    for moment in (AT, *(tokens.deprecated for tokens in dates), *(tokens.sunset for tokens in dates)):
        assert window.begin < days(moment) < window.end
    assert any(tick.year for tick in ticks(window, BERLIN, 4))


def test_an_axis_holds_a_release_that_is_near_and_not_one_that_is_far():
    dates = lifecycle(day("2026-06-01"))
    near, far = (
        Window.of(Api(releases=(Release(1, day(begin), lifecycle=dates), Release(2))), AT)
        for begin in ("2025-10-01", "2009-10-01")
    )

    assert near.begin < days(day("2025-10-01"))
    assert days(day("2025-01-01")) < far.begin


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(5, 80)), max_size=12))
def test_texts_in_a_strip_lie_beside_one_another_and_near_their_points(labels):
    strip = Strip(0, 300, gap=6)
    placed = [
        (begin, begin + width, at) for at, width in labels if (begin := strip.place(at, width)) is not None
    ]

    assert all(0 <= begin and end <= 300 for begin, end, _ in placed)
    assert all(
        end + 6 <= other or later + 6 <= begin
        for (begin, end, _), (other, later, _) in combinations(placed, 2)
    )
    assert all(begin - (end - begin) <= at <= end + (end - begin) for begin, end, at in placed)


@pytest.mark.parametrize("name", THEMES)
def test_outlines_stand_out_from_the_ground_and_from_bands_by_three_to_one(name):
    colours = THEMES[name]
    pairs = product((*colours.edges.values(), colours.text), (colours.ground, colours.band))

    assert [] == [pair for pair in pairs if contrast(*pair) < 3]


@pytest.mark.parametrize("name", THEMES)
def test_words_stand_out_from_the_bars_by_four_and_a_half_to_one(name):
    colours = THEMES[name]

    assert [] == [fill for fill in colours.fills.values() if contrast(colours.text, fill) < 4.5]
