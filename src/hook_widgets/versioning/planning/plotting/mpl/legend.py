"""Legend of the picture: samples of bars and signs, with their meanings."""

from __future__ import annotations

from typing import Final

from matplotlib.axes import Axes

from hook_widgets._plotting.mpl.text_layout import width_px, write
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.mpl.marks import removed, shape, sign
from hook_widgets.versioning.planning.plotting.view_model.legend import Legend, words
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.release import Status

_ROW_PX, _TOP_PX = 19.0, 6.0
_LEGEND: Final = Legend(bar_px=24.0, sign_px=10.0, name_px=5.0, gap_px=16.0, width_px=width_px)


def height_px(api: Api, room_px: float) -> float:
    """Return the height of the legend at this width."""
    return _TOP_PX + _ROW_PX * (_LEGEND.arrange(api, 0.0, room_px)[-1].row + 1)


def draw(paper: Axes, api: Api, colours: Theme, left: float, top: float, right: float) -> None:
    """Draw the legend, on axes in pixels."""
    for entry, row, begin, end in _LEGEND.arrange(api, left, right):
        y = top + _TOP_PX + _ROW_PX * (row + 0.5)
        if not isinstance(entry, Status):
            sign(paper, (begin + end) / 2, y, entry, colours)
        elif entry is Status.REMOVED:
            removed(paper, begin, end, y, colours)
        else:
            shape(paper, [(begin, y - 6), (end, y - 6), (end, y + 6), (begin, y + 6)], entry, colours)
        write(paper, end + _LEGEND.name_px, y + 4, words(entry), colours.dim)
