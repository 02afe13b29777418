"""The module limit_req of nginx.

A zone counts the excess over its rate in thousandths of a request, by milliseconds
(ngx_http_limit_req_module.c). With `nodelay` it is a token bucket of one more than `burst`, without it a
queue of `burst` places behind a first request that passes. Several zones of a location are charged together
or not at all.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Part, Target, described, kind_of
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.buckets import DrainStart, LeakyBucket, TieOrder, TokenBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.layers import all_of

TARGET: Final = Target("nginx")

_KEYS: Final = {"": "all", "ip": "$binary_remote_addr", "user": "$remote_user", "endpoint": "$uri"}
_NAMES: Final = {variable: key for key, variable in _KEYS.items()} | {"$server_name": ""}
_NEVER_EMPTY: Final = frozenset({"", "ip", "endpoint"})
_EMPTY_KEY: Final = Deviation("nginx does not limit requests whose key is empty")
_ZONE: Final = re.compile(
    r"limit_req_zone\s+(?P<key>\$?\w+)\s+zone=(?P<name>\w+):\w+\s+rate=(?P<rate>[1-9]\d{0,8})r/(?P<unit>[sm])\s*"
)
_USE: Final = re.compile(
    r"limit_req\s+zone=(?P<name>\w+)(?:\s+burst=(?P<burst>\d{1,9}))?(?:\s+(?P<mode>nodelay|delay=\d{1,9}))?\s*"
)
_COMMENT: Final = re.compile(r"(?<![^\s;{}])#[^\n]*")
_DIRECTIVE: Final = re.compile(r"(?:^|[;{}])[ \t]*(limit_req(?:_zone)?\s[^;{}]*)", re.MULTILINE)


def write(limiter: Limiter) -> ExportedConfig:
    """Return the directives for `http` and for a location."""
    zones, uses = [], []
    deviations = [MILLISECONDS]
    for number, part in enumerate(TARGET.parts(limiter), 1):
        rate, options = _rate_and_options(part)
        count, unit = _rate(rate)
        if unit == "m":
            deviations += per_minute(count)
        if part.key not in _NEVER_EMPTY and _EMPTY_KEY not in deviations:
            deviations.append(_EMPTY_KEY)
        zones.append(f"limit_req_zone {_variable(part.key)} zone=limit{number}:10m rate={count}r/{unit};")
        uses.append(f"limit_req zone=limit{number}{options};")
    lines = ["# in http", *zones, "", "# in a location", *uses, "limit_req_status 429;", ""]
    return ExportedConfig(TARGET.name, "\n".join(lines), tuple(deviations))


def read(text: str) -> Limiter:
    """Return the limiter that nginx enforces with these directives, with its rounded rates."""
    zones: dict[str, tuple[str, Fraction]] = {}
    limits: list[Limiter] = []
    for directive in _DIRECTIVE.finditer(_COMMENT.sub(lambda comment: " " * len(comment[0]), text)):
        begin, words = directive.start(1), directive[1]
        zone, use = _ZONE.fullmatch(words), _USE.fullmatch(words)
        if zone is not None:
            zones[zone["name"]] = zone["key"], enforced_rate(int(zone["rate"]), zone["unit"])
        elif use is None:
            TARGET.fault(text, begin, "this directive is not known; write it as in nginx's manual")
        elif use["name"] not in zones:
            TARGET.fault(text, begin, f"there is no zone {use['name']!r} before it; add limit_req_zone")
        else:
            key, rate = zones[use["name"]]
            limits.append(_limit(key, rate, int(use["burst"] or 0), use["mode"] or ""))
    if not limits:
        TARGET.fault(text, 0, "there is no limit_req; give a zone and its use")
    return all_of(limits)


def _limit(variable: str, rate: Fraction, burst: int, mode: str) -> Limiter:
    limit: SingleLimiter
    if mode == "nodelay" or not burst:
        limit = TokenBucket(burst + 1, rate)
    else:
        delay = int(mode.removeprefix("delay=") or 0)
        limit = LeakyBucket(burst, rate, "immediate", undelayed=delay)
    header = variable.removeprefix("$http_")
    key = (
        header.replace("_", "-")
        if header != variable
        else _NAMES.get(variable, variable[1:] if variable[0] == "$" else "")
    )
    return PerClient(key, limit) if key else limit


def _rate_and_options(part: Part) -> tuple[Fraction, str]:
    """Return requests per second, and the options of a use of its zone."""
    limit = part.limit
    if bucket := TARGET.continuous_bucket(part):
        burst = TARGET.whole_number(bucket.capacity, "capacity") - 1
        return bucket.refill_rate, f" burst={burst} nodelay" if burst else ""
    if not isinstance(limit, LeakyBucket):
        TARGET.refuse(kind_of(limit), "use a token bucket, or a leaky one with start='immediate'")
    if limit.start is not DrainStart.IMMEDIATE or limit.tie is not TieOrder.DEPARTURE_FIRST:
        TARGET.refuse(described(limit), "use start='immediate' and tie='departure_first'")
    if not limit.queue_size:
        return limit.drain_rate, ""
    delay = f" delay={limit.undelayed}" if limit.undelayed else ""
    return limit.drain_rate, f" burst={limit.queue_size}{delay}"


def _rate(per_s: Fraction) -> tuple[int, str]:
    if per_s.denominator == 1:
        return TARGET.whole_number(per_s, "rate per second", 10**6), "s"
    if (60 * per_s).denominator != 1:
        TARGET.refuse(f"rate of {float(per_s * 60):g} per minute", "choose a whole rate per second or minute")
    return TARGET.whole_number(60 * per_s, "rate per minute", 10**8), "m"


def per_minute(count: int) -> list[Deviation]:
    """Return the deviations of a rate per minute."""
    rate, enforced = Fraction(count, 60), enforced_rate(count, "m")
    refill = Deviation(
        "nginx rounds each refill down to thousandths", Fraction(0), Fraction(1, 1000), "requests"
    )
    rounded = Deviation(f"nginx rounds {count}r/m down to thousandths per second", rate, enforced, "1/s")
    return [refill] if enforced == rate else [rounded, refill]


def enforced_rate(count: int, unit: str) -> Fraction:
    """Return requests per second, in the whole thousandths that nginx keeps.

    Args:
        count: the requests.
        unit: ``"s"`` for each second, ``"m"`` for each minute.
    """
    return Fraction(count * 1000 // (60 if unit == "m" else 1), 1000)


def _variable(key: str) -> str:
    if key in _KEYS:
        return _KEYS[key]
    return f"$http_{TARGET.header_name(key).lower().replace('-', '_')}"
