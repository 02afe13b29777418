"""Pictures of runs over time: what is left of the limit, who was admitted and refused, and who waits.

Needs matplotlib, which is loaded by importing this and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hook_widgets.errors import RateLimitError, nearest
from hook_widgets.ratelimit.figures.compact import compact
from hook_widgets.ratelimit.figures.picture import Picture
from hook_widgets.ratelimit.figures.sheet import Plan, Sheet, columns
from hook_widgets.ratelimit.quantity import Quantity
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scene.theme import theme as named_theme
from hook_widgets.ratelimit.scene.view import look_at, titled, told_until
from hook_widgets.ratelimit.scene.words import describe

__all__ = ["Picture", "RunFigure", "describe", "plot", "save"]


class RunFigure(Figure):
    """A matplotlib figure that a notebook shows, with any plotting back end or none.

    Attributes:
        told: what it shows, in words; its PNG in a notebook carries them.
    """

    told = ""

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.savefig(file, format="png", metadata={"Description": self.told})
        return file.getvalue()


def plot(
    runs: Run | Mapping[str, Run],
    *,
    theme: str = "light",
    width_in: float = 8.0,
    height_in: float = 5.0,
    dpi: float = 120.0,
    until_s: Quantity | None = None,
    queued: Run | None = None,
) -> RunFigure:
    """Draw a run, or compare several.

    Of one run: what is left of the limit, requests admitted and refused, and the queue when there can be one.
    Of several, below one another: what is left, when requests were refused, and how many.

    Args:
        runs: one run, or several with their titles.
        theme: ``"light"`` or ``"dark"``.
        width_in: width in inches.
        height_in: height in inches.
        dpi: pixels per inch when it is shown or saved as PNG.
        until_s: how far to tell them, in seconds or text; None for as long as there is something to tell.
        queued: the same requests in a queue instead, to show how many would wait; for one run that has no
            queue of its own.

    Returns:
        A figure of its own. pyplot does not know it, so nothing needs to be closed.

    Raises:
        RateLimitError: there is nothing to draw, or no such theme.
    """
    named, colours = titled(runs), named_theme(theme)
    end_s = told_until(until_s, named.values())
    with rc_context({"text.usetex": False}):
        figure = RunFigure(figsize=(width_in, height_in), dpi=dpi, facecolor=colours.ground)
        FigureCanvasAgg(figure)
        across = columns(figure)
        views = look_at(named, end_s=end_s, axis_s=end_s, columns=across, queued=queued)
        sheet = Sheet(figure, Plan.of(views), colours)
        sheet.set_frame(sheet.exact(views, end_s))
        sheet.show(views)
    figure.told = describe(runs, until_s=until_s, queued=queued)
    return figure


def save(
    runs: Run | Mapping[str, Run],
    format: str,  # noqa: A002 (what matplotlib calls it)
    *,
    theme: str = "light",
    until_s: Quantity | None = None,
    queued: Run | None = None,
) -> bytes:
    """A picture as a file, to be kept: PNG at twice the resolution of a screen, or SVG with its text as text.

    The same runs give the same bytes.

    Args:
        runs: one run, or several with their titles.
        format: ``"png"`` or ``"svg"``.
        theme: ``"light"`` or ``"dark"``.
        until_s: how far to tell them, in seconds or text; None for as long as there is something to tell.
        queued: the same requests in a queue instead, to show how many would wait; for one run that has no
            queue of its own.

    Raises:
        RateLimitError: there is nothing to draw, no such theme, or no such format.
    """
    if format not in ("png", "svg"):
        raise RateLimitError(f"format is {format!r}. {nearest(format, ['png', 'svg'])}")
    file = BytesIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "hook_widgets"}):
        figure = plot(runs, theme=theme, dpi=192, until_s=until_s, queued=queued)
        metadata = {"Date": None, "Title": figure.told} if format == "svg" else {"Description": figure.told}
        figure.savefig(file, format=format, metadata=metadata)
    return compact(file.getvalue().decode()).encode() if format == "svg" else file.getvalue()
