"""Words in a picture, and drawing them quickly: most of them are the same from one picture to the next."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any, Final

import numpy
from matplotlib.axes import Axes
from matplotlib.backends import backend_agg
from matplotlib.font_manager import FontProperties
from matplotlib.text import Annotation, Text
from matplotlib.transforms import IdentityTransform

from hook_widgets import ellipsis

PT: Final = 0.75
"""Points in a CSS pixel, which is 1/96 inch."""

SIZE_PX: Final = 11.0  # at this size a digit is 7 pixels wide, so that numbers set from digits are even
FONTS: Final = ("DejaVu Sans", "sans-serif")

_renderer: Any = backend_agg.RendererAgg  # which has no types

Part = tuple[str, str]
"""A text, and its colour."""

_SPACE_PX: Final = 4.0
_PIECES: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*|.", re.DOTALL)  # words, and single digits and signs


def width_px(text: str, *, bold: bool = False, dpi: float = 96.0) -> float:
    """How wide a text is, in CSS pixels: letters that are fitted to coarser pixels are wider."""
    return sum(_advance(piece, bold, dpi) for piece in _PIECES.findall(text))


def shortened(text: str, room_px: float, *, bold: bool = False) -> str:
    """A text in one line, cut off with an ellipsis where it has no room; empty where not even that has."""
    return ellipsis.shortened(text, room_px, partial(width_px, bold=bold))


@lru_cache(maxsize=4096)  # the names of limits are among them, as far as they were typed
def _advance(piece: str, bold: bool, dpi: float) -> float:  # noqa: FBT001
    font = FontProperties(family=FONTS, size=SIZE_PX * PT, weight="bold" if bold else "normal")
    renderer = _renderer(1, 1, dpi)
    # Of a text alone only the ink is measured.
    inside, without = (
        renderer.get_text_width_height_descent(t, font, ismath=False)[0] for t in (f"n{piece}n", "nn")
    )
    return float(inside - without) * 96 / dpi + 0.7 * (piece == " ")  # sprites begin at whole pixels


def label(ax: Axes, colour: str, **place: Any) -> Annotation:
    """An empty text at a distance from a point, both of which can be changed."""
    return ax.annotate(
        "",
        textcoords="offset points",
        fontsize=SIZE_PX * PT,
        color=colour,
        family=FONTS,
        annotation_clip=False,
        parse_math=False,
        usetex=False,
        **place,
    )


class Words:
    """A row of words over a panel, or in it: from the left edge on, or up to the right edge.

    Attributes:
        artists: the texts.
    """

    def __init__(
        self, ax: Axes, *, left: bool = False, count: int = 1, bold: bool = False, rise_px: float = 5.0
    ) -> None:
        """Make a row for at most `count` parts, so far above the upper edge of the panel."""
        self._left, self._bold, self._rise = left, bold, rise_px * PT
        figure = ax.get_figure(root=True)
        self._dpi = figure.dpi if figure is not None else 96.0
        self.artists = [
            label(
                ax,
                "black",
                xy=(0.0 if left else 1.0, 1.0),
                xycoords="axes fraction",
                xytext=(0.0, self._rise),
                ha="left" if left else "right",
                va="baseline",
                fontweight="bold" if bold else "normal",
            )
            for _ in range(count)
        ]

    def set(self, *parts: Part) -> None:
        """Show these parts, a space between them."""
        at = 0.0
        for artist, (text, colour) in zip(self.artists, parts if self._left else parts[::-1], strict=False):
            artist.set_text(text)
            artist.set_color(colour)
            artist.xyann = (at if self._left else -at, self._rise)
            at += (width_px(text, bold=self._bold, dpi=self._dpi) + _SPACE_PX) * PT
        for artist in self.artists[len(parts) :]:
            artist.set_text("")


class Sprites:
    """Draws texts from small images of words and digits that are kept.

    To lay out and draw a text anew takes as long as all curves together.
    """

    def __init__(self, dpi: float) -> None:
        self._dpi = dpi
        self._known: dict[tuple[Any, ...], Any] = {}
        self._above, self._below = round(12 * dpi / 96), round(4 * dpi / 96)

    def draw(self, renderer: Any, text: Annotation) -> None:
        """Draw a text that `label` made."""
        if not text.get_text() or text.axes is None:
            return
        pixels, width = self._set(text)
        place: Any = text.axes.transAxes if text.xycoords == "axes fraction" else text.xycoords
        x, y = place.transform(text.xy)
        right, up = text.xyann
        x += right * self._dpi / 72 - {"left": 0, "right": width}[text.get_horizontalalignment()]
        rise = {"baseline": 0.0, "center": SIZE_PX * 0.365 * self._dpi / 96}
        y += up * self._dpi / 72 - rise[text.get_verticalalignment()] - self._below
        renderer.draw_image(renderer.new_gc(), round(x), round(y), pixels)

    def _set(self, text: Annotation) -> tuple[Any, float]:
        """The pixels of a text, put together from pieces, and how wide it is."""
        style = (text.get_color(), text.get_fontweight())
        bold, per_px = style[1] == "bold", self._dpi / 96
        at, placed = 0.0, []
        for piece in _PIECES.findall(text.get_text()):
            if (piece, *style) not in self._known:
                self._known[piece, *style] = self._made(piece, text)
            placed.append((round(at), self._known[piece, *style]))
            at += _advance(piece, bold, self._dpi) * per_px
        whole = numpy.zeros((self._above + self._below, round(at) + 2, 4), numpy.uint8)
        for x, pixels in placed:
            room = whole[:, x : x + pixels.shape[1]]
            numpy.maximum(room, pixels[:, : room.shape[1]], out=room)
        return whole, at

    def _made(self, piece: str, text: Annotation) -> Any:
        """The pixels of a piece, the lowest row first."""
        copy = Text(
            text=piece, color=text.get_color(), fontproperties=text.get_fontproperties(),
            transform=IdentityTransform(), parse_math=False, va="baseline", ha="left", y=self._below,
        )  # fmt: skip
        assert text.figure is not None
        copy.set_figure(text.figure)
        width = int(_advance(piece, text.get_fontweight() == "bold", self._dpi) * self._dpi / 96) + 3
        renderer: Any = _renderer(width, self._above + self._below, self._dpi)
        copy.draw(renderer)
        pixels = numpy.asarray(renderer.buffer_rgba())[::-1].copy()
        pixels[pixels[..., 3] == 0] = 0
        return pixels
