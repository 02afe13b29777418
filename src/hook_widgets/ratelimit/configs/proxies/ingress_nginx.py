"""Annotations of the Ingress NGINX Controller, each of which becomes a limit_req of nginx.

`limit-rps` and `limit-rpm` are zones by the client's address, whose burst is the rate times
`limit-burst-multiplier`, without delay (internal/ingress/annotations/ratelimit/main.go, template.go:
buildRateLimit).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import MILLISECONDS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.proxies.nginx import enforced_rate, per_minute
from hook_widgets.ratelimit.configs.reading import YamlFields
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.layers import all_of

TARGET: Final = Target("ingress-nginx")

_PREFIX: Final = "nginx.ingress.kubernetes.io/limit-"
_RATES: Final = {f"{_PREFIX}rps": "s", f"{_PREFIX}rpm": "m"}
_MULTIPLIER: Final = f"{_PREFIX}burst-multiplier"
_IGNORED: Final = (f"{_PREFIX}connections", f"{_PREFIX}allowlist", f"{_PREFIX}whitelist")
_DEFAULT_MULTIPLIER: Final = 5
_REPLICAS: Final = Deviation("each replica of the controller counts alone")
_STATUS: Final = Deviation(
    "the status of a rejection, unless the ConfigMap sets limit-req-status-code", Fraction(429), Fraction(503)
)


def write(limiter: Limiter) -> ExportedConfig:
    """Return the annotations of an Ingress."""
    counts: dict[str, int] = {}
    multipliers: set[Fraction] = set()
    deviations = [MILLISECONDS, _REPLICAS, _STATUS]
    for part in TARGET.parts(limiter):
        bucket = TARGET.bucket_of(part)
        if part.key != "ip":
            TARGET.refuse(
                f"limit by {part.key!r}" if part.key else "limit for all", "use PerClient('ip', ...)"
            )
        rate = bucket.refill_rate
        unit = "s" if rate.denominator == 1 else "m"
        count = TARGET.whole_number(rate if unit == "s" else 60 * rate, "rate per minute", 10**6)
        if unit in counts:
            TARGET.refuse("place for two rates of one kind", "give one per second and one per minute at most")
        counts[unit] = count
        multipliers.add(_multiplier(bucket, count))
        if unit == "m":
            deviations += per_minute(count)
    if len(multipliers) > 1:
        TARGET.refuse(
            "different burst multipliers", "choose capacities of 1 + the same multiple of each rate"
        )
    values = {name: counts[unit] for name, unit in _RATES.items() if unit in counts}
    lines = [f'    {name}: "{value}"' for name, value in {**values, _MULTIPLIER: min(multipliers)}.items()]
    return ExportedConfig(
        TARGET.name, "\n".join(["metadata:", "  annotations:", *lines, ""]), tuple(deviations)
    )


def read(text: str) -> Limiter:
    """Return the limiter that these annotations enforce, with the rounded rates of nginx."""
    fields = YamlFields(text, TARGET, (*_RATES, _MULTIPLIER, *_IGNORED))
    for name in _IGNORED:
        if name in fields:
            fields.fault(name, f"{name.removeprefix(_PREFIX)} is not read; leave it out")
    multiplier = fields.whole(_MULTIPLIER, _DEFAULT_MULTIPLIER)
    limits = []
    for name, unit in _RATES.items():
        if name in fields:
            count = fields.whole(name)
            limits.append(PerClient("ip", TokenBucket(1 + count * multiplier, enforced_rate(count, unit))))
    if not limits:
        fields.fault("", "there is neither limit-rps nor limit-rpm; give one")
    return all_of(limits)


def _multiplier(bucket: TokenBucket, count: int) -> Fraction:
    multiplier = (bucket.capacity - 1) / count
    if multiplier.denominator != 1 or not 1 <= multiplier <= 10**6:
        near = 1 + count * max(round(multiplier), 1)
        TARGET.refuse(
            f"capacity of {float(bucket.capacity):g} at this rate",
            f"choose 1 more than a multiple of {count}, such as {near}",
        )
    return multiplier
