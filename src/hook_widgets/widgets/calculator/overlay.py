"""The overlay of a picture: what a pointer reads off, as a description and one buffer of numbers."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Final

from hook_widgets.ratelimit.plotting.view_model.scale import axis_unit

_LARGEST_S: Final = 1e12


def overlay_of(picture: Any, *, part: bool) -> tuple[dict[str, Any], bytes]:
    """Return the description of the last picture, and its values as little-endian floats of 4 bytes.

    The values are those of each series of each lane, in order.

    Args:
        picture: a `RunPicture` that has drawn.
        part: whether only a part of the time axis is drawn.
    """
    lanes, view = picture.lanes(), picture.view
    unit, unit_s, decimals = axis_unit(view.end_s - view.begin_s)
    values = [value for lane in lanes for series in lane.series for value in series.values]
    overlay = {
        "begin": view.begin_s,
        "end": view.end_s,
        "part": part and (view.begin_s > 0 or view.end_s < picture.whole_end_s),
        "unit": {"name": unit, "seconds": unit_s, "decimals": decimals},
        "bins": {"begin": view.bin_begin_s, "width": view.bin_s},
        "lanes": [
            {
                "place": [round(float(side), 2) for side in lane.place],
                "title": lane.title,
                "series": [
                    {"label": series.label, "count": len(series.values), "bins": series.bins}
                    for series in lane.series
                ],
            }
            for lane in lanes
        ],
    }
    return overlay, struct.pack(f"<{len(values)}f", *values)


def part_of(args: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the part of the time axis that a request names, in seconds; None for the whole axis."""
    part = args.get("part")
    if not isinstance(part, list) or len(part) != 2:
        return None
    sides = [side for side in part if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(sides) != 2 or not all(0 <= side <= _LARGEST_S for side in sides) or sides[0] >= sides[1]:
        return None
    return float(sides[0]), float(sides[1])
