"""Stick tables of HAProxy.

`http_req_rate` is a sliding counter of each entry whose windows begin with its first request, and which
counts every request, rejected or not, before it is read (src/freq_ctr.c). A rate above the limit is denied.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target, described, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.windows import CounterRule, SlidingCounter, WindowAlignment

TARGET: Final = Target("haproxy")
_MOST: Final = 100_000

_TABLE: Final = re.compile(
    r"stick-table\s[^\n]{0,300}store\s+(?:\S{0,200},)?http_req_rate\((?P<ms>\d{1,9})(?P<unit>ms|s|m|h|d)?\)"
)
_TRACK: Final = re.compile(r"http-request\s+track-sc0\s+(?:(?P<ip>src)|(?:req\.)?hdr\((?P<header>[\w-]+)\))")
_DENY: Final = re.compile(
    r"http-request\s+deny\s[^\n]{0,300}\{\s*sc_http_req_rate\(0\)\s+gt\s+(?P<limit>\d{1,9})\s*\}"
)
_UNITS_MS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, None: 1}


def write(limiter: Limiter) -> ExportedConfig:
    """Return the lines of a frontend."""
    part = TARGET.one_part(limiter)
    counter = part.limit
    if not isinstance(counter, SlidingCounter):
        TARGET.refuse(kind_of(counter), "use a SlidingCounter")
    if counter.rule is not CounterRule.LT or not counter.count_rejected:
        TARGET.refuse(described(counter), "use rule='lt' and count_rejected=True")
    if counter.align is not WindowAlignment.FIRST:
        TARGET.refuse(described(counter), "use align='first'")
    if not part.key:
        TARGET.refuse("limit for all in this form", "use PerClient('ip', ...) or the name of a header")
    limit = TARGET.whole_number(counter.limit, "limit")
    ms = TARGET.whole_number(counter.window_s * 1000, "window in milliseconds", 10**9)
    kind, fetch = (
        ("ip", "src") if part.key == "ip" else ("string len 128", f"req.hdr({TARGET.header_name(part.key)})")
    )
    lines = [
        f"stick-table type {kind} size {_MOST} expire {3 * ms}ms store http_req_rate({ms}ms)",
        f"http-request track-sc0 {fetch}",
        f"http-request deny deny_status 429 if {{ sc_http_req_rate(0) gt {limit} }}",
        "",
    ]
    deviations = [
        Deviation(
            "times are whole milliseconds, and windows begin at even ones",
            exported=Fraction(1, 500),
            unit="s",
        ),
        Deviation("the oldest of more clients than these are forgotten", None, Fraction(_MOST), "clients"),
    ]
    if part.key != "ip":
        deviations.append(Deviation("requests without the header are not limited"))
    return ExportedConfig(TARGET.name, "\n".join(lines), tuple(deviations))


def read(text: str) -> Limiter:
    """Return the limiter that these lines enforce."""
    table, track, deny = (
        TARGET.only_match(pattern, text, f"lines with {name} of http_req_rate")
        for name, pattern in (("stick-table", _TABLE), ("track-sc0", _TRACK), ("deny", _DENY))
    )
    window_s = Fraction(int(table["ms"]) * _UNITS_MS[table["unit"]], 1000)
    if not window_s:
        TARGET.fault(text, table.start("ms"), "the period is zero; give a longer one")
    counter = SlidingCounter(deny["limit"], window_s, "lt", count_rejected=True, align="first")
    return PerClient("ip" if track["ip"] else track["header"], counter)
