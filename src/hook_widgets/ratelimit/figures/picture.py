"""A picture that is kept, and shows one run after another quickly."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from hook_widgets.ratelimit.figures.lettering import Sprites
from hook_widgets.ratelimit.figures.png import png
from hook_widgets.ratelimit.figures.sheet import Frame, Plan, Sheet, columns
from hook_widgets.ratelimit.quantity import Quantity
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scene.scale import in_its_unit, quantised
from hook_widgets.ratelimit.scene.theme import theme as named_theme
from hook_widgets.ratelimit.scene.view import View, look_at, titled, told_until

_KEPT: Final = 8  # backgrounds, of one to several megabytes each


class Picture:
    """PNG pictures of one run after another, all of one size, on a transparent ground.

    Axes, grid and labels are most of the work: they are drawn once and kept as a background, and only what
    changes with the run is drawn over it. The last few backgrounds are kept: a slider goes to and fro.

    Args:
        width_px: in CSS pixels.
        height_px: in CSS pixels.
        dpr: device pixels in a CSS pixel.
        theme: ``"light"`` or ``"dark"``.

    Attributes:
        figure: the figure, as it was shown last.
    """

    def __init__(self, *, width_px: int, height_px: int, dpr: float = 1.0, theme: str = "light") -> None:
        """Make a picture.

        Args:
            width_px: width in CSS pixels.
            height_px: height in CSS pixels.
            dpr: device pixels in a CSS pixel.
            theme: ``"light"`` or ``"dark"``: the colours for what lies behind the picture.

        Raises:
            RateLimitError: there is no such theme.
        """
        self._colours = named_theme(theme)
        self.figure = Figure(figsize=(max(width_px, 120) / 96, max(height_px, 90) / 96), dpi=96 * dpr)
        self._canvas: Any = FigureCanvasAgg(self.figure)  # which has no types
        self.figure.patch.set_alpha(0.0)
        self._sprites = Sprites(self.figure.dpi)
        self._plan: Plan | None = None
        self._sheet: Sheet
        self._frame: Frame | None = None
        self._backgrounds: OrderedDict[Frame, Any] = OrderedDict()

    def quick(
        self, runs: Run | Mapping[str, Run], *, until_s: Quantity | None = None, queued: Run | None = None
    ) -> bytes:
        """The picture as a PNG, as fast as can be: on the axes of the one before if they will do.

        Args:
            runs: one run, or several with their titles; one alone is shown larger, and without its title.
            until_s: how far to tell them; None for as long as there is something to tell.
            queued: the same requests in a queue instead, to show how many would wait; for one run that has
                no queue of its own.
        """
        named = titled(runs)
        end_s = told_until(until_s, named.values())
        axis_s = in_its_unit(end_s, quantised)
        if self._frame is not None and 0.6 * self._frame.end_s <= end_s <= self._frame.end_s * (1 + 1e-9):
            axis_s = self._frame.end_s
        views = self._look(named, end_s, axis_s, queued)
        frame = self._frame
        if frame is None or frame.end_s != axis_s or not self._sheet.holds(frame, views):
            self._set_frame(self._sheet.rounded(views, axis_s))
        return self._png(views)

    def full(
        self, runs: Run | Mapping[str, Run], *, until_s: Quantity | None = None, queued: Run | None = None
    ) -> bytes:
        """The picture as a PNG, on the axes that suit these runs best, that of time as long as they are.

        The others go in the same steps as those of quick pictures: little jumps when a slider comes to rest.

        Args:
            runs: one run, or several with their titles; one alone is shown larger, and without its title.
            until_s: how far to tell them; None for as long as there is something to tell.
            queued: the same requests in a queue instead, to show how many would wait; for one run that has
                no queue of its own.
        """
        named = titled(runs)
        end_s = told_until(until_s, named.values())
        views = self._look(named, end_s, end_s, queued)
        self._set_frame(self._sheet.rounded(views, end_s))
        return self._png(views)

    def _look(self, runs: Mapping[str, Run], end_s: float, axis_s: float, queued: Run | None) -> list[View]:
        across = columns(self.figure)
        views = look_at(runs, end_s=end_s, axis_s=axis_s, columns=across, queued=queued)
        if Plan.of(views) != self._plan:
            self._plan = Plan.of(views)
            self._sheet = Sheet(self.figure, self._plan, self._colours)
            for artist in self._sheet.artists:
                artist.set_animated(True)
            self._frame = None
            self._backgrounds.clear()
        return views

    def _set_frame(self, frame: Frame) -> None:
        self._frame = frame
        self._sheet.set_frame(frame)
        if frame not in self._backgrounds:
            self._canvas.draw()
            self._backgrounds[frame] = self._canvas.copy_from_bbox(self.figure.bbox)
        self._backgrounds.move_to_end(frame)
        if len(self._backgrounds) > _KEPT:
            self._backgrounds.popitem(last=False)

    def _png(self, views: Sequence[View]) -> bytes:
        self._sheet.show(views)
        self._canvas.restore_region(next(reversed(self._backgrounds.values())))
        renderer = self._canvas.get_renderer()
        for artist in self._sheet.artists:
            if isinstance(artist, Annotation):
                self._sprites.draw(renderer, artist)
            else:
                artist.draw(renderer)
        width, height = self._canvas.get_width_height(physical=True)
        return png(self._canvas.buffer_rgba(), width, height)
