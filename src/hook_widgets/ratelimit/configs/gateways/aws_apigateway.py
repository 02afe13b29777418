"""Throttling of Amazon API Gateway, for REST APIs: a usage plan for each API key, or a limit for each method.

Its documentation calls it a token bucket and its limits targets, applied on a best-effort basis; the
algorithm is not published.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, Final

from hook_widgets.ratelimit.configs.model import FLOATS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Part, Target, described, plain
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket
from hook_widgets.ratelimit.limiters.windows import FixedWindow, WindowAlignment

TARGET: Final = Target("aws-apigateway")

_BEST_EFFORT: Final = Deviation("limits are targets on a best-effort basis: more or fewer requests may pass")
_DAY: Final = Deviation("the service decides when a day of a quota begins")
_DAY_S: Final = 86_400
_MOST: Final = 2**31 - 1


def write(limiter: Limiter) -> ExportedConfig:
    """Return a CloudFormation resource, as JSON: a usage plan, or the settings of the methods of a stage."""
    limits = TARGET.parts(limiter)
    deviations = [_BEST_EFFORT]
    if any(_rounded(part) for part in limits):
        deviations.append(FLOATS)
    keys = {part.key.lower() for part in limits}
    if keys == {"endpoint"} and len(limits) == 1:
        throttle = _throttle(limits[0], "Throttling")
        setting = {"HttpMethod": "*", "ResourcePath": "/*", **throttle}
        resource = {"Type": "AWS::ApiGateway::Stage", "Properties": {"MethodSettings": [setting]}}
        return _exported("Stage", resource, deviations)
    if keys != {"x-api-key"}:
        remedy = (
            "use PerClient('x-api-key', ...) for a usage plan, or one PerClient('endpoint', TokenBucket(...))"
        )
        TARGET.refuse("limit for these clients", remedy)
    properties: dict[str, Any] = {}
    for part in limits:
        if isinstance(part.limit, FixedWindow):
            name, value = "Quota", _quota(part.limit)
            deviations.append(_DAY)
        else:
            name, value = "Throttle", _throttle(part, "")
        if name in properties:
            TARGET.refuse(
                "place for two limits of one kind", "give one TokenBucket and one FixedWindow at most"
            )
        properties[name] = value
    return _exported(
        "UsagePlan", {"Type": "AWS::ApiGateway::UsagePlan", "Properties": properties}, deviations
    )


def _exported(name: str, resource: dict[str, Any], deviations: list[Deviation]) -> ExportedConfig:
    text = json.dumps({"Resources": {name: resource}}, indent=2) + "\n"
    return ExportedConfig(TARGET.name, text, tuple(deviations))


def _throttle(part: Part, prefix: str) -> dict[str, float]:
    bucket = TARGET.bucket_of(part)
    return {
        f"{prefix}BurstLimit": TARGET.whole_number(bucket.capacity, "capacity", _MOST),
        f"{prefix}RateLimit": plain(bucket.refill_rate),
    }


def _rounded(part: Part) -> bool:
    """Return True if the rate of a bucket is no floating-point number."""
    rate = part.limit.refill_rate if isinstance(part.limit, TokenBucket) else Fraction(0)
    return Fraction(float(rate)) != rate


def _quota(window: FixedWindow) -> dict[str, Any]:
    if window.window_s != _DAY_S or window.align is not WindowAlignment.CLOCK or window.phase_s:
        TARGET.refuse(described(window), "use a FixedWindow of a day on the clock")
    return {"Limit": TARGET.whole_number(window.limit, "limit", _MOST), "Period": "DAY"}
