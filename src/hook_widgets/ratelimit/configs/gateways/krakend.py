"""The rate limits of KrakenD's endpoints: buckets for all clients, and for each of them.

A bucket adds tokens only when a request finds none; then it adds those of all the time since, up to its
capacity, and beyond it admits that request for nothing (krakend/krakend-ratelimit, tokenbucket.go:
canConsume). After an idle time it so admits what is left of a full bucket, one for nothing, and another full
bucket.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import lcm
from typing import Any, Final

from hook_widgets.ratelimit.configs.model import ONE_SERVER, Deviation, ExportedConfig, whole_nanoseconds
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket

TARGET: Final = Target("krakend")

_MOST: Final = 10**9
_FORGOTTEN_S: Final = 600  # krakendrate.go: DataTTL, or the period if that is longer
_STATUS: Final = Deviation("the status of a rejection by the limit for all", Fraction(429), Fraction(503))
_ORDER: Final = Deviation("a request that the limit for all rejects stays counted for its client")


def write(limiter: Limiter) -> ExportedConfig:
    """Return the `extra_config` of an endpoint, as JSON."""
    limits = TARGET.parts(limiter)
    by_scope = {bool(part.key): part for part in limits}
    if len(by_scope) < len(limits):
        TARGET.refuse("place for two limits of one kind", "give one for all and one for each client at most")
    buckets = {keyed: TARGET.bucket_of(part) for keyed, part in by_scope.items()}
    periods = {bucket.refill_rate.denominator for bucket in buckets.values()}
    period_s = TARGET.whole_number(lcm(*periods), "period in seconds", _MOST)
    settings: dict[str, Any] = {}
    deviations: list[Deviation] = []
    for keyed, bucket in sorted(buckets.items()):
        prefix = "client_" if keyed else ""
        tokens = bucket.refill_rate * period_s
        settings[f"{prefix}max_rate"] = TARGET.whole_number(tokens, "number of tokens in a period", _MOST)
        settings[f"{prefix}capacity"] = TARGET.whole_number(bucket.capacity, "capacity", 2**31 - 1)
        deviations += _of_bucket(bucket)
    settings["every"] = f"{period_s}s"
    if True in by_scope:
        key = by_scope[True].key
        settings["strategy"] = "ip" if key == "ip" else "header"
        if key != "ip":
            settings["key"] = TARGET.header_name(key)
            deviations.append(Deviation("a request without the header is rejected"))
        full_s, forgotten_s = buckets[True].capacity / buckets[True].refill_rate, max(_FORGOTTEN_S, period_s)
        if full_s > forgotten_s:
            idle = "an idle client has a full bucket again after this time"
            deviations.append(Deviation(idle, full_s, Fraction(forgotten_s), "s"))
    if False in by_scope:
        deviations.append(_STATUS)
    if len(by_scope) > 1:
        deviations.append(_ORDER)
    text = json.dumps({"extra_config": {"qos/ratelimit/router": settings}}, indent=2) + "\n"
    return ExportedConfig(TARGET.name, text, (*deviations, ONE_SERVER))


def interval_ns(rate: Fraction) -> int:
    """Return the nanoseconds between two tokens, rounded down as KrakenD does."""
    return int(10**9 / rate)


def _of_bucket(bucket: TokenBucket) -> list[Deviation]:
    """Return the deviations of one bucket."""
    burst = "tokens are added only when none are left, so after an idle time more pass at once"
    enforced = Fraction(10**9, interval_ns(bucket.refill_rate))  # at most a token in a nanosecond
    return [
        Deviation(burst, bucket.capacity, 2 * bucket.capacity + 1, "requests"),
        *whole_nanoseconds(bucket.refill_rate, enforced),
    ]
