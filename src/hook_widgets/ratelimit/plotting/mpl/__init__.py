"""Draw runs over time with matplotlib: the remaining limit, admitted and rejected requests, and the queue."""

from hook_widgets.ratelimit.plotting.mpl.figure import RunFigure, plot_run, render_run
from hook_widgets.ratelimit.plotting.mpl.picture import RunPicture

__all__ = ["RunFigure", "RunPicture", "plot_run", "render_run"]
