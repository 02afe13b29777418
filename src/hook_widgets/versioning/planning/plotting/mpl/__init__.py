"""Picture of an API's versions over time, drawn with matplotlib."""

from hook_widgets.versioning.planning.plotting.mpl.figure import TimelineFigure as TimelineFigure
from hook_widgets.versioning.planning.plotting.mpl.figure import TimelinePicture as TimelinePicture
from hook_widgets.versioning.planning.plotting.mpl.figure import draw_timeline as draw_timeline
from hook_widgets.versioning.planning.plotting.mpl.figure import plot_timeline as plot_timeline
from hook_widgets.versioning.planning.plotting.mpl.figure import render_timeline as render_timeline
