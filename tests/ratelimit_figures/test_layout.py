"""Words in pictures: none lies over another one, and none is cut off."""

from __future__ import annotations

from itertools import combinations
from typing import cast

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from hook_widgets.ratelimit.figures import plot
from tests.ratelimit_figures.scenes import scenes

SCENES = scenes()


def words(figure, renderer):
    """The boxes of all texts to be seen, in pixels."""
    found = []
    for text in figure.findobj(Text):
        shown = text.get_text().strip() and text.get_visible()
        if shown and (text.axes is None or text.axes.get_visible()):
            found.append((text.get_text(), text.get_window_extent(renderer)))
    return found


@pytest.mark.parametrize("size", [(360, 330), (640, 400), (1200, 500)], ids=str)
@pytest.mark.parametrize("scene", SCENES)
def test_no_words_lie_over_others_or_outside(scene, size):
    width, height = size[0], size[1] + 150 * scene.startswith("compared")
    figure = plot(SCENES[scene], width_in=width / 96, height_in=height / 96, dpi=96)
    canvas = cast("FigureCanvasAgg", figure.canvas)
    canvas.draw()

    boxes = words(figure, canvas.get_renderer())
    overlaps = [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)]
    outside = [text for text, box in boxes if box.x0 < 0 or box.x1 > width or box.y0 < 0 or box.y1 > height]

    assert ([], []) == (overlaps, outside)
