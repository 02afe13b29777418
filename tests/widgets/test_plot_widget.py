"""Requests of a tab for a picture, and the texts of Python's values."""

from __future__ import annotations

from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.widgets._plot_widget import View, scales, written


def test_a_view_is_what_the_tab_asks_for():
    asked = {"width": 640.7, "height": 300, "dpr": 2, "theme": "dark", "quick": True, "scales": "a1"}

    assert View(width=640, height=300, dpr=2.0, theme="dark", quick=True, scales="a1") == View.of(asked)


def test_a_view_without_arguments_is_the_usual_one():
    assert View(width=800, height=480, dpr=1.0, theme="light", quick=False, scales="") == View.of({})


@pytest.mark.parametrize(
    ("asked", "width", "dpr"),
    [
        ({"width": 1, "dpr": 0}, 160, 1.0),
        ({"width": 1e9, "dpr": 99}, 4000, 2.0),
        ({"width": 1600, "dpr": 3}, 1600, 3.0),
        ({"width": 10**400, "dpr": float("nan")}, 4000, 1.0),
        ({"width": "640", "dpr": None}, 800, 1.0),
        ({"width": 640, "height": 4000, "dpr": 4}, 640, 2.0),
    ],
)
def test_a_view_is_in_bounds_whatever_is_asked(asked: dict[str, Any], width: int, dpr: float):
    view = View.of(asked)

    assert (width, dpr) == (view.width, view.dpr)


@given(st.dictionaries(st.sampled_from(["width", "height", "dpr"]), st.floats() | st.integers() | st.text()))
def test_no_picture_has_more_than_8000_pixels_along_a_side(asked: dict[str, Any]):
    view = View.of(asked)

    assert max(view.width, view.height) * view.dpr <= 8000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (18, "18"),
        (0.5, "0.5"),
        (Fraction(1, 3), "1/3"),
        (date(2027, 1, 31), "2027-01-31"),
        (datetime(2027, 1, 31, 9, tzinfo=UTC), "2027-01-31 09:00+00:00"),
        (datetime(2027, 1, 31, 9, 0, 30, tzinfo=UTC), "2027-01-31 09:00:30+00:00"),
        ("as it is", "as it is"),
        (True, True),
    ],
)
def test_numbers_and_dates_become_their_text(value: object, text: object):
    assert text == written(value)


def test_the_steps_of_sliders_travel_once():
    first = scales({"at": ("a", "b")}, "")
    assert first is not None

    assert {"at": ["a", "b"]} == first["steps"]
    assert None is scales({"at": ["a", "b"]}, first["id"])
    assert first["id"] != (scales({"at": ["a"]}, first["id"]) or {})["id"]
