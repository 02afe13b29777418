"""The npm package rate-limiter-flexible, with its store in memory."""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, REJECTED_COSTS, ExportedConfig, refuse
from hook_widgets.ratelimit.configs.parts import one_part, window_from_first
from hook_widgets.ratelimit.configs.values import identifier, whole_number
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.hold_off import HoldOff
from hook_widgets.ratelimit.limiters.windows import FixedWindow

TARGET: Final = "rate-limiter-flexible"

_TEXT: Final = """\
import {{ RateLimiterMemory }} from "rate-limiter-flexible";

const limiter = new RateLimiterMemory({{ points: {limit}, duration: {window_s}{block} }});
// await limiter.consume({key})
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return JavaScript code; a `HoldOff` is its blockDuration."""
    part = one_part(limiter, TARGET)
    block = ""
    limit = part.limit
    if isinstance(limit, HoldOff):
        hold_s, limit = limit.hold_s, limit.limit
        if isinstance(limit, FixedWindow) and hold_s < limit.window_s:
            refuse(TARGET, "block shorter than a window that goes on after it", "choose a longer hold_s")
        block = f", blockDuration: {whole_number(hold_s, TARGET, 'hold-off in seconds')}"
    window = window_from_first(limit, TARGET)
    text = _TEXT.format(
        limit=whole_number(window.limit, TARGET, "limit"),
        window_s=whole_number(window.window_s, TARGET, "window in seconds"),
        block=block,
        key=identifier(part.key) or '"all"',
    )
    return ExportedConfig(TARGET, text, (MILLISECONDS, REJECTED_COSTS))
