"""The middleware rateLimit of Traefik: a token bucket for each client, whose requests may wait a little.

Traefik reserves a token of golang.org/x/time/rate and waits for it, but never longer than half an interval
(pkg/middlewares/ratelimiter/rate_limiter.go: maxDelay). A request is so admitted while less than the tokens
of that delay are missing: the bucket is larger by them than `burst`. It is forgotten, and so full again, once
a client was idle for `ttl` whole seconds of the clock (in_memory_limiter.go, mailgun/ttlmap).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import FLOATS, ONE_SERVER, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.reading import YamlFields
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient

TARGET: Final = Target("traefik")

_TEXT: Final = """\
# dynamic configuration
http:
  middlewares:
    limit:
      rateLimit:
        average: {average}
        period: {period_s}s
        burst: {burst}
"""
_BY_HEADER: Final = """\
        sourceCriterion:
          requestHeaderName: {header}
"""
_NAMES: Final = ("average", "period", "burst", "requestHeaderName", "requestHost", "depth", "redis")
_MAX_AVERAGE: Final = 9 * 10**9  # times a second in nanoseconds, it is an int64
_MAX_SOURCES: Final = 65_536


def write(limiter: Limiter) -> ExportedConfig:
    """Return the middleware, as YAML."""
    part = TARGET.one_part(limiter)
    bucket = TARGET.bucket_of(part)
    if not part.key:
        TARGET.refuse("limit for all clients", "use PerClient('ip', ...) or the name of a header")
    rate, capacity = bucket.refill_rate, bucket.capacity
    delay_s = max_delay_s(rate)
    waiting = rate * delay_s
    exact = (capacity - waiting).denominator == 1 and capacity > waiting
    burst = TARGET.whole_number(capacity - waiting if exact else capacity, "capacity", 2**31 - 1)
    text = _TEXT.format(
        average=TARGET.whole_number(rate.numerator, "number of tokens in a period", _MAX_AVERAGE),
        period_s=TARGET.whole_number(rate.denominator, "period in seconds", 10**9),
        burst=burst,
    )
    if part.key != "ip":
        text += _BY_HEADER.format(header=TARGET.header_name(part.key))
    deviations = []
    if not exact:
        wider = (
            "a request for which a part of a token is missing waits and passes, as if the burst were larger"
        )
        deviations.append(Deviation(wider, capacity, burst + waiting, "requests"))
    deviations.append(
        Deviation("a request for which a part of a token is missing waits so long", Fraction(0), delay_s, "s")
    )
    idle_s, full_s = Fraction(ttl_s(rate) - 1), (burst + waiting) / rate
    if full_s > idle_s:
        deviations.append(
            Deviation("an idle client has a full bucket again after this time", full_s, idle_s, "s")
        )
    deviations += [
        Deviation(
            "the oldest of more clients than these are forgotten", None, Fraction(_MAX_SOURCES), "clients"
        ),
        ONE_SERVER,
        FLOATS,
    ]
    return ExportedConfig(TARGET.name, text, tuple(deviations))


def read(text: str) -> Limiter:
    """Return the limiter that this middleware enforces on a client that is not idle."""
    fields = YamlFields(text, TARGET, _NAMES)
    for name in ("requestHost", "depth", "redis"):
        if name in fields:
            fields.fault(name, f"{name} is not read; leave it out")
    rate = fields.whole("average") / fields.duration("period", Fraction(1))
    key = fields.text("requestHeaderName", "ip")
    capacity = fields.whole("burst", 1) + rate * max_delay_s(rate)
    return PerClient(key, TokenBucket(capacity, rate))


def max_delay_s(rate: Fraction) -> Fraction:
    """Return the seconds that a request may wait, in whole nanoseconds."""
    return Fraction(1, 2) if rate < 1 else Fraction(10**9 // (2 * int(rate)), 10**9)


def ttl_s(rate: Fraction) -> int:
    """Return after how many seconds of the clock an idle client is forgotten."""
    return 2 if rate >= 1 else 1 + int(1 / rate)
