"""Legend of the picture: samples of bars and signs, with their meanings."""

from __future__ import annotations

from matplotlib.axes import Axes

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.mpl.marks import removed, shape, sign
from hook_widgets.versioning.planning.plotting.mpl.text_layout import width_px, write
from hook_widgets.versioning.planning.plotting.view_model.legend import Entry, entries, rows, words
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.timeline import Step
from hook_widgets.versioning.release import Status

_ROW_PX, _TOP_PX = 19.0, 6.0
_SAMPLE_PX, _SIGN_PX, _BETWEEN_PX, _GAP_PX = 24.0, 10.0, 5.0, 16.0


def height_px(api: Api, room_px: float) -> float:
    """Return the height of the legend.

    Args:
        api: the API.
        room_px: available width.
    """
    return _TOP_PX + _ROW_PX * len(_rows(api, room_px))


def draw(paper: Axes, api: Api, colours: Theme, left: float, top: float, right: float) -> None:
    """Draw the legend, on axes in pixels."""
    for k, row in enumerate(_rows(api, right - left)):
        y, x = top + _TOP_PX + _ROW_PX * (k + 0.5), left
        for entry in row:
            if isinstance(entry, Step):
                sign(paper, x + _SIGN_PX / 2, y, entry, colours)
                x += _SIGN_PX
            elif entry is Status.REMOVED:
                removed(paper, x, x + _SAMPLE_PX, y, colours)
                x += _SAMPLE_PX
            else:
                end = x + _SAMPLE_PX
                shape(paper, [(x, y - 6), (end, y - 6), (end, y + 6), (x, y + 6)], entry, colours)
                x += _SAMPLE_PX
            text = words(entry)
            write(paper, x + _BETWEEN_PX, y + 4, text, colours.dim)
            x += _BETWEEN_PX + width_px(text) + _GAP_PX


def _rows(api: Api, room_px: float) -> list[list[Entry]]:
    return rows(entries(api), room_px, _entry_px, _GAP_PX)


def _entry_px(entry: Entry) -> float:
    return (_SIGN_PX if isinstance(entry, Step) else _SAMPLE_PX) + _BETWEEN_PX + width_px(words(entry))
