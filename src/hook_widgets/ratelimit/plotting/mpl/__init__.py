"""Draw runs over time with matplotlib: the remaining limit, admitted and rejected requests, and the queue."""

from hook_widgets.ratelimit.plotting.mpl.figure import RunFigure, plot_run, render_run
from hook_widgets.ratelimit.plotting.mpl.picture import RunPicture
from hook_widgets.ratelimit.plotting.mpl.scale import plot_sweep

__all__ = ["RunFigure", "RunPicture", "plot_run", "plot_sweep", "render_run"]
