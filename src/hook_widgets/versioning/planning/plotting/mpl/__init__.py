"""Picture of an API's versions over time, drawn with matplotlib.

Only importing this package loads matplotlib.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Final

from matplotlib import rc_context
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hook_widgets.errors import VersioningError, nearest
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.mpl.figure_layout import FigureLayout, height_px
from hook_widgets.versioning.planning.plotting.view_model.theme import theme as named_theme
from hook_widgets.versioning.planning.plotting.view_model.words import describe

__all__ = ["Drawn", "TimelineFigure", "describe", "picture", "plot", "save"]

_LEAST_PX: Final = 240


class TimelineFigure(Figure):
    """A matplotlib figure that a notebook shows, with any plotting back end or none.

    Attributes:
        description: text description of the picture; its PNG in a notebook carries it as metadata.
    """

    description = ""

    def draw(self, renderer: RendererBase) -> None:
        """Draw the figure, independent of the user's matplotlib style.

        Args:
            renderer: matplotlib's renderer.
        """
        with _quiet():
            super().draw(renderer)

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.savefig(file, format="png", metadata={"Description": self.description})
        return file.getvalue()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture for a screen.

    Attributes:
        png: PNG file with a transparent background.
        width: width in CSS pixels.
        height: height in CSS pixels.
    """

    png: bytes
    width: int
    height: int


def plot(
    api: Api,
    at: datetime,
    *,
    theme: str = "light",
    width_in: float = 8.0,
    height_in: float | None = None,
    dpi: float = 120.0,
    title: bool = True,
) -> TimelineFigure:
    """Draw the versions of an API: past, present and future status, and the dates of the notices to users.

    Args:
        api: the API.
        at: the time shown, with its zone; a line marks it.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches.
        height_in: height in inches; None for the height that the versions need.
        dpi: pixels per inch when it is shown or saved as PNG.
        title: whether to write the API's name and the zone of the dates above the lanes.

    Returns:
        A figure unknown to pyplot, so nothing needs to be closed.

    Raises:
        InvalidApi: the time has no zone.
        VersioningError: no such theme.
    """
    colours = named_theme(theme)
    with _quiet():
        height = height_px(api, width_in * 96, title=title) / 96 if height_in is None else height_in
        figure = TimelineFigure(figsize=(width_in, height), dpi=dpi, facecolor=colours.ground)
        FigureCanvasAgg(figure)
        FigureLayout(figure, api, at, colours, title=title)
    figure.description = describe(api, at)
    return figure


def save(
    api: Api,
    at: datetime,
    format: str,  # noqa: A002 (matplotlib's name)
    *,
    theme: str = "light",
    width_in: float = 8.0,
) -> bytes:
    """Render the picture as a file: PNG at twice a screen's resolution, or SVG with its text as text.

    The same API at the same time gives the same bytes.

    Args:
        api: the API.
        at: the time shown, with its zone.
        format: ``"png"`` or ``"svg"``.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches; there are 96 CSS pixels in one.

    Raises:
        InvalidApi: the time has no zone.
        VersioningError: no such theme, or no such format.
    """
    if format not in ("png", "svg"):
        raise VersioningError(f"format is {format!r}. {nearest(format, ['png', 'svg'])}", field="format")
    figure = plot(api, at, theme=theme, width_in=width_in, dpi=192)
    metadata = (
        {"Date": None, "Title": figure.description}
        if format == "svg"
        else {"Description": figure.description}
    )
    file = BytesIO()
    with _quiet():
        figure.savefig(file, format=format, metadata=metadata)
    return file.getvalue()


def picture(api: Api, at: datetime, *, width_px: int, dpr: float = 1.0, theme: str = "light") -> Drawn:
    """Draw the picture for a screen, without a title; its height grows with the number of versions.

    Args:
        api: the API.
        at: the time shown, with its zone.
        width_px: width in CSS pixels; at least 240.
        dpr: device pixels per CSS pixel.
        theme: ``"light"`` or ``"dark"``, to match the page behind the picture.

    Raises:
        InvalidApi: the time has no zone.
        VersioningError: no such theme.
    """
    width = max(width_px, _LEAST_PX)
    figure = plot(api, at, theme=theme, width_in=width / 96, dpi=96 * dpr, title=False)
    figure.patch.set_alpha(0.0)
    file = BytesIO()
    with _quiet():
        figure.savefig(file, format="png", pil_kwargs={"compress_level": 1})
    return Drawn(file.getvalue(), width, round(figure.get_size_inches()[1] * 96))


@contextmanager
def _quiet() -> Iterator[None]:
    """Ignore the user's style, and silence warnings about glyphs that the font lacks."""
    with (
        rc_context({"text.usetex": False, "svg.fonttype": "none", "svg.hashsalt": "hook_widgets"}),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield
