"""Test the widths of texts, and that they are shortened to the room they have."""

from __future__ import annotations

from functools import partial

import pytest
from matplotlib.figure import Figure

from hook_widgets._plotting import svg
from hook_widgets._plotting.ellipsis import shortened
from hook_widgets._plotting.mpl.text_layout import PT, SIZE_PX, _measured, hinted_px, width_px

TEXT = "admitted 2,776, rejected 184 (6.2 %)"


@pytest.mark.parametrize("width", [hinted_px, width_px, svg.width_px])
def test_a_text_is_shortened_to_its_room(width):
    cut = shortened("x" * 2000, 100, width, bold=True)

    assert width(cut, bold=True) <= 100 < width(f"x{cut}", bold=True)
    assert "short" == shortened("short", 100, width)
    assert "" == shortened("x", 1, width)


def test_a_name_is_shortened_without_measuring_every_part_of_it():
    before = _measured.cache_info().misses

    shortened("y" * 2000, 100, hinted_px)

    assert _measured.cache_info().misses - before < 30


@pytest.mark.parametrize(
    ("width", "dpi"), [(partial(hinted_px, dpi=96), 96), (partial(hinted_px, dpi=192), 192), (width_px, 384)]
)
def test_a_width_is_that_of_the_text_as_it_is_drawn(width, dpi):
    figure = Figure(dpi=dpi)
    drawn = figure.text(0, 0, TEXT, fontsize=SIZE_PX * PT, family="DejaVu Sans").get_window_extent()

    assert drawn.width * 96 / dpi == pytest.approx(width(TEXT), rel=0.04)
