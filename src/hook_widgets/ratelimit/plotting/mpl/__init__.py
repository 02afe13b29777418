"""Draw runs over time with matplotlib: the remaining limit, admitted and rejected requests, and the queue."""

from hook_widgets.ratelimit.plotting.mpl.figure import RunFigure as RunFigure
from hook_widgets.ratelimit.plotting.mpl.figure import plot_run as plot_run
from hook_widgets.ratelimit.plotting.mpl.figure import render_run as render_run
from hook_widgets.ratelimit.plotting.mpl.picture import RunPicture as RunPicture
from hook_widgets.ratelimit.plotting.mpl.scale import plot_sweep as plot_sweep
