"""Interpret the names of rate limit fields: the name of the limit, and the role of the value."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.http.field_values import parse_duration

FAMILY: Final = re.compile(r"((?:[a-z0-9]++-)*?([a-z0-9]*?)rate-?limits?((?:by[a-z]++)?+))(?:-((?s:.++)))?")
RETRY: Final = re.compile(r"(?:[a-z0-9.]++-)*?(?:retry-?(?:after|in)|throttle-wait)(?s:-.++)?")
LOOKALIKE: Final = re.compile(
    r"rate-?limit|retry-?after|throttl|quota|(?<!page-)(?<!pagination-)\blimit\b|remain|-left$|\bqp[sm]\b|"
    r"(?:app|api|account|case|page)-usage|used-(?:[a-z]{1,9}-)?weight|order-count|requests?-(?:available|used)|"
    r"requestcounter|token-count|replenish|bucket-level|drip-rate|concurren|used-percent|^x-rl$"
)
# Qiita has Rate-Limit, Rate-Remaining and Rate-Reset.
WITHOUT_LIMIT: Final = re.compile(r"((?:[a-z0-9]++-)*?)rate-(remaining|reset|used)")
# Walmart and ip-api.com: what remains, and the times of the reset.
PAIRS: Final[dict[str, tuple[str, ...]]] = {
    "x-current-token-count": ("x-next-replenishment-time", "x-next-replenish-time"),
    "x-rl": ("x-ttl",),
}
_UNITS: Final = ("tokens", "bytes", "images", "characters", "seconds", "minutes")
_SPAN: Final = re.compile(r"(?:(?<=-)([0-9]{1,5})-)?([a-z0-9]++)\Z")  # at the end of tokens-5-minute
_PER_S: Final = re.compile(r"[rqt]p([smhd])")
_GLUED_ROLE: Final = re.compile(r"(.+)(limit|remaining|reset|used)")
_WINDOWS: Final = ("window", "interval", "period", "time-window", "duration", "renewalperiod")
ROLES: Final = {
    **dict.fromkeys(
        ("limit", "max", "quota", "total", "allowed", "allotted", "burst-capacity", "capacity"), "limit"
    ),
    "policy": "policy",
    **dict.fromkeys(("fillrate", "fill-rate", "replenish-rate"), "rate"),
    **dict.fromkeys(("remaining", "remain", "left", "available"), "remaining"),
    **dict.fromkeys(
        ("resetafter", "after", "seconds-until-reset", "time-to-reset", "towait-sec"), "reset-after"
    ),
    "timeremaining": "reset-after",
    **{
        f"{word}-{end}": "reset-after"
        for word in ("reset", "resets")
        for end in ("after", "in", "seconds", "after-seconds", "in-seconds")
    },
    **dict.fromkeys(("reset-ms", "reset-milliseconds", "reset-after-ms", "time-reset-ms"), "reset-ms"),
    **dict.fromkeys(("reset", "resets", "resettime", "next", "expires", "expire"), "reset"),
    **{f"reset-{end}": "reset" for end in ("at", "time", "timestamp", "date", "epoch")},
    **dict.fromkeys(("used", "observed", "consumed", "usage", "count", "state", "current"), "used"),
    "used-percent": "percent",
    "utilization": "share",
    "status": "status",
    **{f"{word}{end}": "window" for word in _WINDOWS for end in ("", "-sec", "-seconds", "-in-sec")},
    **{f"{word}{end}": "window-ms" for word in _WINDOWS for end in ("-ms", "-milliseconds")},
    "window-minutes": "window-min",
    **dict.fromkeys(("resource", "name"), "name"),
}


def name_and_role(rest: str) -> tuple[str, str]:
    """Return the name of a limit and the role of a field, from the end of its name; no role if unknown."""
    if rest in ROLES:
        return "", ROLES[rest]
    words = rest.split("-") if rest else []
    for size in (3, 2, 1):
        ends = (words[:size], words[size:]), (words[-size:], words[:-size])
        roles = [("-".join(name), role) for part, name in ends if (role := ROLES.get("-".join(part)))]
        if roles:  # of Limit-Remaining and Limit-Reset, the second word says what the value is
            return next((each for each in roles if each[1].startswith(("remaining", "reset"))), roles[0])
    if glued := _GLUED_ROLE.fullmatch(rest):
        return glued[1].removesuffix("-"), ROLES[glued[2]]  # such as X-RateLimit-ClientLimit
    # Such as X-Rate-Limit, and -Daily beside -Daily-Remaining.
    return (rest, "limit") if not rest or parse_duration(rest) is not None else (rest, "")


def unit_of_name(name: str) -> str:
    """Return what a limit counts by its name."""
    return next((unit for unit in _UNITS if unit in name.split("-")), "requests")


def window_of_name(name: str) -> Fraction | None:
    """Return the window that the name of a limit ends with; seconds of audio are counted, and are none.

    >>> window_of_name("tokens-5-minute"), window_of_name("perday")
    (Fraction(300, 1), Fraction(86400, 1))
    """
    if per := _PER_S.fullmatch(name):
        return parse_duration(per[1])
    span = _SPAN.search(name)
    if span is None or span[2] in _UNITS:
        return None
    return parse_duration(span[0].replace("-", "").removeprefix("per"))
