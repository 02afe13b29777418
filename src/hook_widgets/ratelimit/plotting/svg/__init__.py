"""Draw runs as SVG documents of a few kilobytes, with the curves, scales and texts of the full figures."""

from hook_widgets.ratelimit.plotting.svg.drawing import draw_run_svg as draw_run_svg
