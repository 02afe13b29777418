"""A reusable picture that redraws quickly for one run after another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Unpack

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from hook_widgets._plotting.mpl.axes_renderer import AxesRenderer
from hook_widgets._plotting.mpl.figure import size_px
from hook_widgets._plotting.mpl.png import PngEncoder
from hook_widgets._plotting.mpl.text_layout import Sprites
from hook_widgets.ratelimit.plotting.mpl.figure_layout import FigureLayout, Frame, Plan, columns
from hook_widgets.ratelimit.plotting.view_model.lanes import Lane, lanes, part_within
from hook_widgets.ratelimit.plotting.view_model.scale import in_its_unit, quantised
from hook_widgets.ratelimit.plotting.view_model.theme import theme as named_theme
from hook_widgets.ratelimit.plotting.view_model.view import PlottedRuns, RunOptions, View, build_views
from hook_widgets.ratelimit.simulation.result import Run

_MAX_BACKGROUNDS: Final = 8  # of one to several megabytes each


class RunPicture:
    """A renderer of runs as PNG files of one size, with a transparent background.

    Axes, grid and tick labels are drawn from cached pieces, and cached as a background, over which only the
    parts that change with the run are drawn. Several backgrounds are cached, because a slider moves to and
    fro.

    Args:
        width_px: width in CSS pixels.
        height_px: height in CSS pixels.
        dpr: device pixels per CSS pixel.
        theme: ``"light"`` or ``"dark"``, as the page behind the picture.

    Attributes:
        figure: the figure as drawn last.
        whole_end_s: the end of the whole time axis, of a part that was drawn.

    Raises:
        LimitModelError: the theme is unknown.
    """

    def __init__(self, *, width_px: int, height_px: int, dpr: float = 1.0, theme: str = "light") -> None:
        self._colours = named_theme(theme)
        self.figure: Figure = Figure(figsize=(max(width_px, 120) / 96, max(height_px, 90) / 96), dpi=96 * dpr)
        self._canvas: Any = FigureCanvasAgg(self.figure)  # untyped
        self.figure.patch.set_alpha(0.0)
        self._axes = AxesRenderer(self.figure.dpi)
        self._sprites = Sprites(self.figure.dpi)
        self._encoder = PngEncoder(*self._canvas.get_width_height(physical=True))
        self._plan: Plan | None = None
        self._layout: FigureLayout
        self.whole_end_s: float = 0.0
        self._views_shown: Sequence[View] = ()
        self._frame: Frame | None = None
        self._backgrounds: OrderedDict[Frame, Any] = OrderedDict()

    def quick(self, runs: Run | Mapping[str, Run], **options: Unpack[RunOptions]) -> bytes:
        """Render runs to PNG as fast as possible, reusing the previous axes if they fit.

        Args:
            runs: one run, or several by title; a single run is drawn larger, and without its title.
            options: see `plot_run`.
        """
        plotted = PlottedRuns.of(runs, **options)
        frame, end_s = self._frame, plotted.end_s
        axis_s = in_its_unit(end_s, quantised)
        if frame is not None and not frame.begin_s and 0.6 * frame.end_s <= end_s <= frame.end_s * (1 + 1e-9):
            axis_s = frame.end_s
        views = self._views(plotted, axis_s)
        frame = self._frame
        if frame is None or frame.begin_s or frame.end_s != axis_s or not self._layout.holds(frame, views):
            self._set_frame(self._layout.rounded(views, axis_s))
        return self._png(views)

    def part(
        self, runs: Run | Mapping[str, Run], part_s: tuple[float, float], **options: Unpack[RunOptions]
    ) -> bytes:
        """Render a part of the time axis to PNG.

        Args:
            runs: one run, or several by title.
            part_s: begin and end of the part in seconds, within the time axis; see `part_within`.
            options: see `plot_run`.
        """
        plotted = PlottedRuns.of(runs, **options)
        self.whole_end_s = plotted.end_s
        begin_s, end_s = part_within(part_s, self.whole_end_s)
        views = self._views(replace(plotted, end_s=end_s), end_s, begin_s)
        self._set_frame(self._layout.rounded(views, end_s, begin_s))
        return self._png(views)

    def full(self, runs: Run | Mapping[str, Run], **options: Unpack[RunOptions]) -> bytes:
        """Render runs to PNG on the axes that fit best, with a time axis of exactly their length.

        The value axes are rounded as in `quick`, so that little changes when a slider comes to rest. The
        arguments are as in `quick`, too.
        """
        plotted = PlottedRuns.of(runs, **options)
        views = self._views(plotted, plotted.end_s)
        self._set_frame(self._layout.rounded(views, plotted.end_s))
        return self._png(views)

    @property
    def view(self) -> View:
        """The first view of the last picture."""
        return self._views_shown[0]

    def lanes(self) -> tuple[Lane, ...]:
        """Return place and values of each panel of the last picture, to be read off by a pointer."""
        width, height = size_px(self.figure)
        boxes = [panel.ax.get_position() for panel in self._layout.panels]
        places = [
            (box.x0 * width, (1 - box.y1) * height, box.width * width, box.height * height) for box in boxes
        ]
        return lanes(self._views_shown, places)

    def _views(self, plotted: PlottedRuns, axis_s: float, begin_s: float | None = None) -> list[View]:
        views = build_views(plotted, axis_s=axis_s, columns=columns(self.figure), begin_s=begin_s)
        if Plan.of(views) != self._plan:
            self._plan = Plan.of(views)
            self._layout = FigureLayout(self.figure, self._plan, self._colours)
            for artist in self._layout.artists:
                artist.set_animated(True)
            self._frame = None
            self._backgrounds.clear()
        return views

    def _set_frame(self, frame: Frame) -> None:
        self._frame = frame
        self._layout.set_frame(frame)
        if frame not in self._backgrounds:
            renderer = self._canvas.get_renderer()
            renderer.clear()
            self._axes.draw(renderer, self.figure.axes)
            self._backgrounds[frame] = self._canvas.copy_from_bbox(self.figure.bbox)
        self._backgrounds.move_to_end(frame)
        if len(self._backgrounds) > _MAX_BACKGROUNDS:
            self._backgrounds.popitem(last=False)

    def _png(self, views: Sequence[View]) -> bytes:
        self._views_shown = views
        self._layout.show(views)
        self._canvas.restore_region(next(reversed(self._backgrounds.values())))
        renderer = self._canvas.get_renderer()
        for artist in self._layout.artists:
            if isinstance(artist, Annotation):
                self._sprites.draw(renderer, artist)
            else:
                artist.draw(renderer)
        return self._encoder.encode(self._canvas.buffer_rgba())
