"""The plugin rate-limiting of Kong: fixed windows of the clock, counted by each node.

A request is admitted if every counter of its window is below its limit (kong/plugins/rate-limiting/
handler.lua: get_usage), and is counted in all of them afterwards; rejected ones are not counted. Windows are
those of UTC (kong/tools/timestamp.lua).
"""

from __future__ import annotations

from typing import Final

from hook_widgets.ratelimit.configs.model import ONE_SERVER, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.reading import YamlFields
from hook_widgets.ratelimit.configs.target import Part, Target, described, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.layers import all_of
from hook_widgets.ratelimit.limiters.windows import FixedWindow, WindowAlignment

TARGET: Final = Target("kong")

_PERIODS_S: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_KEYS: Final = {"": "service", "user": "consumer", "ip": "ip"}
_NAMES: Final = {limit_by: key for key, limit_by in _KEYS.items()}
_FIELDS: Final = (*_PERIODS_S, "month", "year", "policy", "limit_by", "header_name", "sync_rate")
_LATER: Final = Deviation("a request is counted after it was admitted: others meanwhile may exceed the limit")


def write(limiter: Limiter) -> ExportedConfig:
    """Return the plugin for a declarative configuration, as YAML."""
    limits = TARGET.parts(limiter)
    keys = {part.key for part in limits}
    if len(keys) > 1:
        TARGET.refuse("different clients in one plugin", "export the limits of one key at a time")
    counts = dict(sorted((_count(part) for part in limits), key=lambda item: _PERIODS_S[item[0]]))
    if len(counts) < len(limits):
        TARGET.refuse("place for two limits of one period", "give one limit for each period")
    if list(counts.values()) != sorted(counts.values()):
        TARGET.refuse("lower limit for a longer period", "raise the limit of the longer period")
    key = keys.pop()
    lines = [f"    {period}: {count}" for period, count in counts.items()]
    lines.append(f"    limit_by: {_KEYS.get(key, 'header')}")
    deviations = [_LATER, ONE_SERVER]
    if key not in _KEYS:
        lines.append(f"    header_name: {TARGET.header_name(key)}")
    if key not in ("", "ip"):
        deviations.append(Deviation("a request without this key is limited by its IP address"))
    head = ['_format_version: "3.0"', "plugins:", "- name: rate-limiting", "  config:"]
    return ExportedConfig(TARGET.name, "\n".join([*head, *lines, "    policy: local", ""]), tuple(deviations))


def read(text: str) -> Limiter:
    """Return the limiter that this plugin enforces."""
    fields = YamlFields(text, TARGET, _FIELDS)
    for name in ("month", "year"):
        if name in fields:
            fields.fault(name, f"a {name} has no fixed length; leave it out")
    if fields.text("policy", "local") != "local":
        fields.fault("policy", "counters of a cluster or of Redis are not exact; use local")
    limit_by = fields.text("limit_by", "consumer")
    if limit_by != "header" and limit_by not in _NAMES:
        fields.fault("limit_by", "this is not read; use service, consumer, ip or header")
    if limit_by == "header" and not fields.text("header_name"):
        fields.fault("header_name", "there is no name of the header; give header_name")
    key = fields.text("header_name") if limit_by == "header" else _NAMES[limit_by]
    windows = [
        FixedWindow(fields.whole(period), window_s)
        for period, window_s in _PERIODS_S.items()
        if period in fields
    ]
    if not windows:
        fields.fault("", "there is no limit; give second, minute, hour or day")
    limits = [PerClient(key, window) if key else window for window in windows]
    return all_of(limits)


def _count(part: Part) -> tuple[str, int]:
    """Return the period of a limit, and its requests."""
    window = part.limit
    if not isinstance(window, FixedWindow):
        TARGET.refuse(kind_of(window), "use a FixedWindow")
    if window.align is not WindowAlignment.CLOCK or window.phase_s:
        TARGET.refuse(described(window), "use align='clock' without a phase")
    period = next((name for name, span_s in _PERIODS_S.items() if span_s == window.window_s), "")
    if not period:
        TARGET.refuse(described(window), "use a window of a second, minute, hour or day")
    return period, TARGET.whole_number(window.limit, "limit", 10**12 - 1)
