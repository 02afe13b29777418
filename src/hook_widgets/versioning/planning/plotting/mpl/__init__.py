"""Picture of an API's versions over time, drawn with matplotlib."""

from hook_widgets.versioning.planning.plotting.mpl.figure import (
    TimelineFigure,
    TimelinePicture,
    draw_timeline,
    plot_timeline,
    render_timeline,
)

__all__ = ["TimelineFigure", "TimelinePicture", "draw_timeline", "plot_timeline", "render_timeline"]
