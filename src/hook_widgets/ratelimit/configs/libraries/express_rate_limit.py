"""The npm package express-rate-limit, with its store in memory."""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, ExportedConfig
from hook_widgets.ratelimit.configs.parts import one_part, window_from_first
from hook_widgets.ratelimit.configs.values import header_name, whole_number
from hook_widgets.ratelimit.limiters.base import Limiter

TARGET: Final = "express-rate-limit"

_TEXT: Final = """\
import {{ rateLimit }} from "express-rate-limit";

app.use(rateLimit({{ windowMs: {window_ms}, limit: {limit}{key} }}));
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return JavaScript code; the default key of the middleware is the IP address."""
    part = one_part(limiter, TARGET)
    window = window_from_first(part.limit, TARGET)
    if part.key == "ip":
        key = ""
    elif part.key:
        key = f', keyGenerator: (request) => request.get("{header_name(part.key, TARGET)}") ?? ""'
    else:
        key = ', keyGenerator: () => "all"'
    text = _TEXT.format(
        window_ms=whole_number(window.window_s * 1000, TARGET, "window in milliseconds"),
        limit=whole_number(window.limit, TARGET, "limit"),
        key=key,
    )
    return ExportedConfig(TARGET, text, (MILLISECONDS,))
