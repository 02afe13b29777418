"""Measure and place texts, and draw them from cached images."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import numpy
from matplotlib.axes import Axes
from matplotlib.backends import backend_agg
from matplotlib.font_manager import FontProperties
from matplotlib.text import Annotation, Text
from matplotlib.transforms import IdentityTransform

PT: Final = 0.75
"""Points per CSS pixel (1/96 inch)."""

SIZE_PX: Final = 11.0  # a digit is exactly 7 pixels wide, so digits are evenly spaced
FONTS: Final = ("DejaVu Sans", "sans-serif")
_PLAIN: Final[dict[str, Any]] = {"family": FONTS, "parse_math": False, "usetex": False}

_renderer: Any = backend_agg.RendererAgg  # untyped

Part = tuple[str, str]
"""Text and colour."""

_SPACE_PX: Final = 4.0
_PIECES: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*|.", re.DOTALL)  # words, and single other characters


def width_px(text: str, *, bold: bool = False, size_px: float = SIZE_PX) -> float:
    """Return the width of a text in CSS pixels, at a high resolution."""
    return _measured(text, bold, size_px, 4 * 96.0)


def hinted_px(text: str, *, bold: bool = False, dpi: float = 96.0) -> float:
    """Return the width of a text in CSS pixels. At a low resolution, hinting makes letters wider."""
    return sum(_advance(piece, bold, dpi) for piece in _PIECES.findall(text))


def _advance(piece: str, bold: bool, dpi: float) -> float:  # noqa: FBT001
    return _measured(piece, bold, SIZE_PX, dpi) + 0.7 * (piece == " ")  # sprites are placed at whole pixels


@lru_cache(maxsize=4096)  # includes every prefix of a name typed by the user
def _measured(text: str, bold: bool, size_px: float, dpi: float) -> float:  # noqa: FBT001
    font = FontProperties(family=FONTS, size=size_px * PT, weight="bold" if bold else "normal")
    renderer = _renderer(1, 1, dpi)
    # Measured between two letters, because matplotlib ignores spaces at the ends of a text.
    inside, without = (
        renderer.get_text_width_height_descent(t, font, ismath=False)[0] for t in (f"n{text}n", "nn")
    )
    return float(inside - without) * 96 / dpi


def write(ax: Axes, x: float, y: float, text: str, colour: str, **more: Any) -> Text:
    """Write a text at `x`: its left end, or with ``ha`` its centre or right end."""
    size_px = more.pop("size_px", SIZE_PX)
    style = {"va": "baseline", "ha": "left", "fontweight": "normal", "fontstyle": "normal", **_PLAIN, **more}
    return ax.text(x, y, text, color=colour, fontsize=size_px * PT, **style)


def label(ax: Axes, colour: str, **place: Any) -> Annotation:
    """Create an empty text at an offset from a point; text, point and offset can be changed."""
    return ax.annotate(
        "",
        textcoords="offset points",
        fontsize=SIZE_PX * PT,
        color=colour,
        annotation_clip=False,
        **_PLAIN,
        **place,
    )


class LabelRow:
    """A row of texts above or in a panel, aligned to its left or right edge."""

    def __init__(
        self, ax: Axes, *, left: bool = False, count: int = 1, bold: bool = False, rise_px: float = 5.0
    ) -> None:
        """Create a row for at most `count` parts, `rise_px` above the upper edge of the panel."""
        self._left, self._bold, self._rise = left, bold, rise_px * PT
        figure = ax.get_figure(root=True)
        self._dpi = figure.dpi if figure is not None else 96.0
        self.artists: list[Annotation] = [
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
        """Show the parts, separated by spaces."""
        at = 0.0
        for artist, (text, colour) in zip(self.artists, parts if self._left else parts[::-1], strict=False):
            artist.set_text(text)
            artist.set_color(colour)
            artist.xyann = (at if self._left else -at, self._rise)
            at += (hinted_px(text, bold=self._bold, dpi=self._dpi) + _SPACE_PX) * PT
        for artist in self.artists[len(parts) :]:
            artist.set_text("")


class Sprites:
    """Draws texts from cached images of words and digits.

    Laying out and drawing a text with matplotlib takes as long as drawing all curves.
    """

    def __init__(self, dpi: float) -> None:
        self._dpi = dpi
        self._images: dict[tuple[Any, ...], Any] = {}
        self._above, self._below = round(12 * dpi / 96), round(4 * dpi / 96)

    def draw(self, renderer: Any, text: Annotation) -> None:
        """Draw a text created by `label`."""
        if not text.get_text() or text.axes is None:
            return
        pixels, width = self._compose(text)
        place: Any = text.axes.transAxes if text.xycoords == "axes fraction" else text.xycoords
        x, y = place.transform(text.xy)
        right, up = text.xyann
        x += right * self._dpi / 72 - {"left": 0, "right": width}[text.get_horizontalalignment()]
        rise = {"baseline": 0.0, "center": SIZE_PX * 0.365 * self._dpi / 96}
        y += up * self._dpi / 72 - rise[text.get_verticalalignment()] - self._below
        renderer.draw_image(renderer.new_gc(), round(x), round(y), pixels)

    def _compose(self, text: Annotation) -> tuple[Any, float]:
        """Compose the image of a text from its pieces. Return the image and the width."""
        style = (text.get_color(), text.get_fontweight())
        bold, per_px = style[1] == "bold", self._dpi / 96
        at, placed = 0.0, []
        for piece in _PIECES.findall(text.get_text()):
            if (piece, *style) not in self._images:
                self._images[piece, *style] = self._render(piece, text)
            placed.append((round(at), self._images[piece, *style]))
            at += _advance(piece, bold, self._dpi) * per_px
        image = numpy.zeros((self._above + self._below, round(at) + 2, 4), numpy.uint8)
        for x, pixels in placed:
            room = image[:, x : x + pixels.shape[1]]
            numpy.maximum(room, pixels[:, : room.shape[1]], out=room)
        return image, at

    def _render(self, piece: str, text: Annotation) -> Any:
        """Render a piece, the lowest row first."""
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
