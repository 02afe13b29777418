"""Picture of an API's versions over time, drawn with matplotlib.

Only importing this package loads matplotlib.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Final

from hook_widgets._arguments import finite
from hook_widgets._plotting.mpl.figure import PlotFigure, check_format, house_style, size_px
from hook_widgets.errors import LimitModelError, VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.plotting.mpl.figure_layout import FigureLayout, height_px
from hook_widgets.versioning.planning.plotting.view_model.theme import theme as named_theme
from hook_widgets.versioning.planning.plotting.view_model.words import describe_timeline

_LEAST_PX: Final = 240


class TimelineFigure(PlotFigure):
    """A matplotlib figure of versions, displayed by notebooks with any plotting back end or none.

    Attributes:
        description: description of the figure in words, stored in the metadata of its files.
    """

    error: type[LimitModelError | VersioningError] = VersioningError


@dataclass(frozen=True, slots=True)
class TimelinePicture:
    """A picture for a screen.

    Attributes:
        png: PNG file with a transparent background.
        width: width in CSS pixels.
        height: height in CSS pixels.
    """

    png: bytes
    width: int
    height: int


def plot_timeline(
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
        VersioningError: no such theme, or a size is no number above zero.
    """
    finite(width_in, "width_in", VersioningError)
    if height_in is not None:
        finite(height_in, "height_in", VersioningError)
    colours = named_theme(theme)
    with house_style():
        height = height_px(api, width_in * 96, title=title) / 96 if height_in is None else height_in
        figure = TimelineFigure(width_in, height, dpi=dpi, ground=colours.ground)
        FigureLayout(figure, api, at, colours, title=title)
    figure.description = describe_timeline(api, at)
    return figure


def render_timeline(
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
    check_format(format, VersioningError)
    return plot_timeline(api, at, theme=theme, width_in=width_in, dpi=192).to_file(format)


def draw_timeline(
    api: Api, at: datetime, *, width_px: int, dpr: float = 1.0, theme: str = "light"
) -> TimelinePicture:
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
    figure = plot_timeline(api, at, theme=theme, width_in=width / 96, dpi=96 * dpr, title=False)
    figure.patch.set_alpha(0.0)
    file = BytesIO()
    with house_style():
        figure.savefig(file, format="png", pil_kwargs={"compress_level": 1})
    return TimelinePicture(file.getvalue(), width, round(size_px(figure)[1]))
