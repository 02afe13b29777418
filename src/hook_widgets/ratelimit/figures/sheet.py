"""The panels of a picture on one figure, above a common axis of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hook_widgets.ratelimit.figures.panels import LevelPanel, Panel, QueuePanel, RequestsPanel
from hook_widgets.ratelimit.figures.scale import quantised, time_ticks
from hook_widgets.ratelimit.figures.theme import Theme
from hook_widgets.ratelimit.figures.view import View

_LEFT_PX, _RIGHT_PX, _TOP_PX, _BOTTOM_PX = 46.0, 20.0, 22.0, 24.0
_GAP_PX = 31.0
_SLIM_GAP_PX = 24.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What panels a picture has; one that was made for a plan can show every view of that plan.

    Attributes:
        lines: of each run, how many levels it has.
        queue: whether there is a queue to be shown.
    """

    lines: tuple[int, ...]
    queue: bool

    @classmethod
    def of(cls, views: Sequence[View]) -> Plan:
        """The plan for some views: one alone has panels of its own, several are compared."""
        return cls(tuple(len(view.levels) for view in views), len(views) == 1 and views[0].queue is not None)

    @property
    def heights(self) -> tuple[float, ...]:
        """Shares of the height."""
        if len(self.lines) > 1:
            return (1.0,) * len(self.lines)
        return (5.0, 2.2, 2.8) if self.queue else (5.0, 3.0)


@dataclass(frozen=True, slots=True)
class Frame:
    """The axes of a picture.

    Attributes:
        end_s: the end of the axis of time.
        ranges: lowest and highest value of each panel.
    """

    end_s: float
    ranges: tuple[tuple[float, float], ...]


class Sheet:
    """A figure with its panels.

    Attributes:
        figure: the figure.
        panels: from top to bottom.
    """

    def __init__(self, figure: Figure, plan: Plan, colours: Theme, *, animated: bool = False) -> None:
        self.figure = figure
        figure.clear()
        figure.set_facecolor(colours.ground)
        width, height = figure.get_size_inches() * 96
        gap = _SLIM_GAP_PX if len(plan.lines) > 1 else _GAP_PX
        room = height - _TOP_PX - _BOTTOM_PX - gap * (len(plan.heights) - 1)
        axes: list[Axes] = []
        upper = height - _TOP_PX
        for part in plan.heights:
            tall = max(room * part / sum(plan.heights), 8.0)
            box = (
                _LEFT_PX / width,
                (upper - tall) / height,
                (width - _LEFT_PX - _RIGHT_PX) / width,
                tall / height,
            )
            axes.append(figure.add_axes(box, sharex=axes[0] if axes else None))
            upper -= tall + gap
        self.panels: list[Panel]
        if len(plan.lines) > 1:
            self.panels = [
                LevelPanel(ax, colours, n, slim=True) for ax, n in zip(axes, plan.lines, strict=True)
            ]
        else:
            self.panels = [LevelPanel(axes[0], colours, plan.lines[0]), RequestsPanel(axes[1], colours)]
            self.panels += [QueuePanel(ax, colours) for ax in axes[2:]]
        for ax in axes[:-1]:
            ax.tick_params(labelbottom=False)
        if animated:
            for artist in self.artists:
                artist.set_animated(True)

    @property
    def artists(self) -> list[Any]:
        """What changes with the run, in the order of drawing."""
        return [artist for panel in self.panels for artist in panel.artists]

    @property
    def columns(self) -> int:
        """Pixels across a panel."""
        return max(int(self.panels[0].size_px[0]), 16)

    def show(self, views: Sequence[View]) -> None:
        """Draw these views into the frame that is set."""
        for panel, view in self._pairs(views):
            panel.show(view)

    def set_frame(self, frame: Frame) -> None:
        """Set the axes."""
        first = self.panels[0]
        first.ax.set_xlim(0.0, frame.end_s)
        marks, texts = time_ticks(frame.end_s, int(first.size_px[0] / 62))
        first.ax.set_xticks(marks, texts)
        for panel, (low, high) in zip(self.panels, frame.ranges, strict=True):
            panel.frame(low, high)

    def exact(self, views: Sequence[View], end_s: float) -> Frame:
        """The axes that just hold these views."""
        return Frame(end_s, tuple(self._roomy(p, *p.extremes(v)) for p, v in self._pairs(views)))

    def rounded(self, views: Sequence[View], end_s: float) -> Frame:
        """Axes that hold these views and the next ones, too, while they change little."""
        return Frame(
            end_s,
            tuple(
                self._roomy(p, -quantised(-low) if low < 0 else 0.0, quantised(high))
                for p, v in self._pairs(views)
                for low, high in [p.extremes(v)]
            ),
        )

    def holds(self, frame: Frame, views: Sequence[View]) -> bool:
        """Whether all of these views is seen in a frame, and large enough."""
        for (low, high), (panel, view) in zip(frame.ranges, self._pairs(views), strict=True):
            least, most = self._roomy(panel, *panel.extremes(view))
            if least < low - 1e-9 * (high - low) or most > high + 1e-9 * (high - low):
                return False
            if most - least < 0.6 * (high - low):
                return False
        return True

    def _pairs(self, views: Sequence[View]) -> list[tuple[Panel, View]]:
        return list(zip(self.panels, views if len(views) > 1 else [views[0]] * len(self.panels), strict=True))

    def _roomy(self, panel: Panel, low: float, high: float) -> tuple[float, float]:
        height = max(panel.size_px[1] - panel.above_px - panel.below_px, 4.0)
        per_px = (high - low) / height
        return low - panel.below_px * per_px, high + panel.above_px * per_px
