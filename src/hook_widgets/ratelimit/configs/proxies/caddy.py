"""The Caddy module github.com/mholt/caddy-ratelimit: a sliding log for each key of a zone.

A zone keeps the times of the last admitted requests in a ring, and admits one if the oldest is older than
the window (ringbuffer.go: allowed). A request exactly one window after the oldest is rejected with a wait of
zero, which the handler takes for admitted: it passes, and is not stored (handler.go, ringbuffer.go: When).
Zones are asked one after another, the tightest first.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import ONE_SERVER, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.reading import go_seconds
from hook_widgets.ratelimit.configs.target import Part, Target, described, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.windows import SlidingLog

TARGET: Final = Target("caddy")

_ZONE: Final = """\
    zone limit{number} {{
        key {key}
        events {limit}
        window {window}
    }}
"""
_KEYS: Final = {"": "static", "ip": "{remote_host}", "user": "{http.auth.user.id}", "endpoint": "{path}"}
_NAMES: Final = {placeholder: key for key, placeholder in _KEYS.items()}
_HEADER: Final = re.compile(r"\{(?:http\.request\.)?header\.([A-Za-z][A-Za-z0-9-]*)\}")
_LINE: Final = re.compile(r"^[ \t]*(zone|key|events|window|distributed)[ \t]+(\S+)", re.MULTILINE)


def write(limiter: Limiter) -> ExportedConfig:
    """Return the directive `rate_limit` of a Caddyfile, with a zone for each limit."""
    limits = TARGET.parts(limiter)
    zones = [_zone(number, part) for number, part in enumerate(limits, 1)]
    tie = "a request exactly one window after the oldest passes, and is not counted"
    deviations = [Deviation(tie, exported=Fraction(1, 10**9), unit="s"), ONE_SERVER]
    if len(limits) > 1:
        deviations.append(Deviation("a request that a later zone rejects stays counted in the earlier ones"))
    return ExportedConfig(TARGET.name, f"rate_limit {{\n{''.join(zones)}}}\n", tuple(deviations))


def read(text: str) -> Limiter:
    """Return the limiter that the only zone of this directive enforces."""
    lines: dict[str, re.Match[str]] = {}
    for line in _LINE.finditer(text):
        name = line[1]
        if name == "distributed":
            TARGET.fault(text, line.start(1), "a distributed limit is not exact; leave it out")
        if name in lines:
            TARGET.fault(text, line.start(1), f"there are two lines with {name}; give one zone")
        lines[name] = line
    for name in ("zone", "events", "window"):
        if name not in lines:
            TARGET.fault(
                text, lines["zone"].start(1) if "zone" in lines else 0, f"there is no {name}; give one"
            )
    events, window = lines["events"], lines["window"]
    if not re.fullmatch(r"[0-9]{1,9}", events[2]) or not int(events[2]):
        TARGET.fault(text, events.start(2), "events is no whole number from 1 to 999999999; give one")
    window_s = _seconds(window[2])
    if not window_s:
        TARGET.fault(text, window.start(2), "window is no duration such as 1m30s; give one")
    log = SlidingLog(int(events[2]), window_s, "closed")
    if "key" not in lines:
        return log
    placeholder = lines["key"][2]
    header = _HEADER.fullmatch(placeholder)
    if header is None and "{" in placeholder and placeholder not in _NAMES:
        TARGET.fault(text, lines["key"].start(2), "this key is not known; use {remote_host} or {header.Name}")
    key = header[1] if header else _NAMES.get(placeholder, "")
    return PerClient(key, log) if key else log


def _seconds(text: str) -> Fraction:
    """Return the seconds of a duration with a unit, which may be d for days; 0 if the text is none."""
    if days := re.fullmatch(r"([0-9]{1,6})d", text):
        return Fraction(int(days[1]) * 86_400)
    return Fraction(0) if text.isdigit() else go_seconds(text)


def _zone(number: int, part: Part) -> str:
    log = part.limit
    if not isinstance(log, SlidingLog):
        TARGET.refuse(kind_of(log), "use a SlidingLog")
    if log.count_rejected:
        TARGET.refuse(described(log), "use count_rejected=False")
    return _ZONE.format(
        number=number,
        key=_KEYS.get(part.key) or f"{{header.{TARGET.header_name(part.key)}}}",
        limit=TARGET.whole_number(log.limit, "limit", 10**9),
        window=TARGET.go_duration(log.window_s, "window"),
    )
