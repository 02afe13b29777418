"""Legend of a light picture: samples of bars and signs, with their meanings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hook_widgets._plotting import svg
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.svg.bars import Shape
from hook_widgets.versioning.planning.plotting.svg.signs import Sign
from hook_widgets.versioning.planning.plotting.view_model import legend
from hook_widgets.versioning.planning.plotting.view_model.legend import Entry
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.planning.timeline import Step
from hook_widgets.versioning.release import Status

_ROW_PX, _BOTTOM_PX = 18, 6
_SAMPLE_PX, _SIGN_PX, _BETWEEN_PX, _GAP_PX = 22, 10, 5, 14


def rows(api: Api, room_px: int) -> list[list[Entry]]:
    """Return the entries of an API in rows of this width."""
    return legend.rows(legend.entries(api), room_px, _entry_px, _GAP_PX)


def height_px(rows: Sequence[Sequence[Entry]]) -> int:
    """Return the height of these rows."""
    return _ROW_PX * len(rows) + _BOTTOM_PX


@dataclass(frozen=True, slots=True)
class Key:
    """The legend with the positions of its parts.

    Attributes:
        bars: samples of bars.
        signs: signs of the steps.
        words: names of both, as SVG.
    """

    bars: list[Shape]
    signs: list[Sign]
    words: str


def placed(rows: Sequence[Sequence[Entry]], top: int, left: int, colours: Theme) -> Key:
    """Place the rows, from `top` downwards."""
    bars: list[Shape] = []
    signs: list[Sign] = []
    words = []
    for k, row in enumerate(rows):
        y, x = top + _ROW_PX * k + _ROW_PX // 2, left
        for entry in row:
            end = x + (_SIGN_PX if isinstance(entry, Step) else _SAMPLE_PX)
            if isinstance(entry, Step):
                signs.append(((x + end) // 2, y, entry))
            elif entry is Status.REMOVED:
                bars.append((entry, [(x, y), (end, y)]))
            else:
                bars.append((entry, [(x, y - 5), (end, y - 5), (end, y + 5), (x, y + 5)]))
            words.append(svg.text(end + _BETWEEN_PX, y + 4, legend.words(entry)))
            x += round(_entry_px(entry)) + _GAP_PX
    return Key(bars, signs, svg.group(words, fill=colours.dim))


def _entry_px(entry: Entry) -> float:
    sample = _SIGN_PX if isinstance(entry, Step) else _SAMPLE_PX
    return sample + _BETWEEN_PX + svg.width_px(legend.words(entry))
