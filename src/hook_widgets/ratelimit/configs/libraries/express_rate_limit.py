"""The npm package express-rate-limit, with its store in memory."""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter

TARGET: Final = Target("express-rate-limit")

_TEXT: Final = """\
import {{ rateLimit }} from "express-rate-limit";

app.use(rateLimit({{ windowMs: {window_ms}, limit: {limit}{key} }}));
"""


def write(limiter: Limiter) -> ExportedConfig:
    """Return JavaScript code; the default key of the middleware is the IP address."""
    part = TARGET.one_part(limiter)
    window = TARGET.window_from_first(part.limit)
    if part.key == "ip":
        key = ""
    elif part.key:
        key = f', keyGenerator: (request) => request.get("{TARGET.header_name(part.key)}") ?? ""'
    else:
        key = ', keyGenerator: () => "all"'
    text = _TEXT.format(
        window_ms=TARGET.whole_number(window.window_s * 1000, "window in milliseconds"),
        limit=TARGET.whole_number(window.limit, "limit"),
        key=key,
    )
    return ExportedConfig(TARGET.name, text, (MILLISECONDS,))
