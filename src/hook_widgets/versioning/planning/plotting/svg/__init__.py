"""Light picture of an API's versions over time: SVG of a few kilobytes, drawn without another library."""

from hook_widgets.versioning.planning.plotting.svg.drawing import draw_timeline_svg as draw_timeline_svg
