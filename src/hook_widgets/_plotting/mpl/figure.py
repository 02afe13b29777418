"""Create figures for notebooks, and render them to files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from matplotlib import rc_context
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hook_widgets._arguments import finite, shown
from hook_widgets.errors import LimitModelError, VersioningError, nearest


class PlotFigure(Figure):
    """A matplotlib figure that notebooks display with any plotting back end or none.

    It is not registered with pyplot, so it need not be closed.

    Attributes:
        description: description of the figure in words, stored in the metadata of its files.
    """

    description = ""
    error: type[LimitModelError | VersioningError] = LimitModelError

    def __init__(self, width_in: float, height_in: float, *, dpi: float, ground: str) -> None:
        """Create an empty figure with a background colour.

        Raises:
            HookWidgetsError: (`error`) a size is no number above zero, or `dpi` is below 10.
        """
        finite(width_in, "width_in", self.error)
        finite(height_in, "height_in", self.error)
        finite(dpi, "dpi", self.error, least=9)
        super().__init__(figsize=(width_in, height_in), dpi=dpi, facecolor=ground)
        FigureCanvasAgg(self)

    def draw(self, renderer: RendererBase) -> None:
        """Draw the figure, independent of the user's matplotlib style."""
        with house_style():
            super().draw(renderer)

    def to_file(self, format: str) -> bytes:  # noqa: A002 (matplotlib's name)
        """Render the figure to a file with its description: PNG, or SVG with selectable text.

        The same figure gives the same bytes.

        Args:
            format: ``"png"`` or ``"svg"``.
        """
        text, file = self.description, BytesIO()
        metadata = {"Date": None, "Title": text} if format == "svg" else {"Description": text}
        with house_style():
            self.savefig(file, format=format, metadata=metadata)
        return file.getvalue()

    def _repr_png_(self) -> bytes:
        return self.to_file("png")


def check_format(name: str, error: type[LimitModelError | VersioningError]) -> None:
    """Check the name of a file format.

    Raises:
        HookWidgetsError: (`error`) it is neither ``"png"`` nor ``"svg"``.
    """
    if name not in ("png", "svg"):
        raise error(f"format is {shown(name)}; {nearest(name, ['png', 'svg'])}", field="format")


def size_px(figure: Figure) -> tuple[float, float]:
    """Return width and height of a figure in CSS pixels."""
    width, height = (float(inches) * 96 for inches in figure.get_size_inches())
    return width, height


@contextmanager
def house_style() -> Iterator[None]:
    """Ignore the user's style of texts and files, and warnings about glyphs that the font lacks."""
    with (
        rc_context({"text.usetex": False, "svg.fonttype": "none", "svg.hashsalt": "hook_widgets"}),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield
