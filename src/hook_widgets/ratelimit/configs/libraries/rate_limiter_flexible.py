"""The npm package rate-limiter-flexible, with its store in memory."""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, REJECTED_COSTS, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target, identifier
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.hold_off import HoldOff
from hook_widgets.ratelimit.limiters.windows import FixedWindow

TARGET: Final = Target("rate-limiter-flexible")

_TEXT: Final = """\
import {{ RateLimiterMemory }} from "rate-limiter-flexible";

const limiter = new RateLimiterMemory({{ points: {limit}, duration: {window_s}{block} }});
// await limiter.consume({key})
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return JavaScript code; a `HoldOff` is its blockDuration."""
    part = TARGET.one_part(limiter)
    block = ""
    limit = part.limit
    if isinstance(limit, HoldOff):
        hold_s, limit = limit.hold_s, limit.limit
        if isinstance(limit, FixedWindow) and hold_s < limit.window_s:
            TARGET.refuse("block shorter than a window that goes on after it", "choose a longer hold_s")
        block = f", blockDuration: {TARGET.whole_number(hold_s, 'hold-off in seconds')}"
    window = TARGET.window_from_first(limit)
    text = _TEXT.format(
        limit=TARGET.whole_number(window.limit, "limit"),
        window_s=TARGET.whole_number(window.window_s, "window in seconds"),
        block=block,
        key=identifier(part.key) or '"all"',
    )
    return ExportedConfig(TARGET.name, text, (MILLISECONDS, REJECTED_COSTS))
