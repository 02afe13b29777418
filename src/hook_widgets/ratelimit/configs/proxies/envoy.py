"""The filter local_ratelimit of Envoy: a token bucket for all requests of a process."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import FLOATS, Deviation, ExportedConfig
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket

TARGET: Final = Target("envoy")

_TEXT: Final = """\
# in http_filters, before the router
- name: envoy.filters.http.local_ratelimit
  typed_config:
    "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
    stat_prefix: local_rate_limit
    token_bucket:
      max_tokens: {capacity}
      tokens_per_fill: {tokens}
      fill_interval: {interval_s}s
    filter_enabled: {{default_value: {{numerator: 100, denominator: HUNDRED}}}}
    filter_enforced: {{default_value: {{numerator: 100, denominator: HUNDRED}}}}
"""
_FIELD: Final = {
    name: re.compile(rf"^[ \t]*{name}:[ \t]*{value}[ \t]*(?:#.*)?$", re.MULTILINE)
    for name, value in (
        ("max_tokens", r"(\d{1,10})"),
        ("tokens_per_fill", r"(\d{1,10})"),
        ("fill_interval", r"(\d{1,9}(?:\.\d{1,9})?)s"),
    )
}
_LEAST_INTERVAL_S: Final = Fraction(1, 20)


def write(limiter: Limiter) -> ExportedConfig:
    """Return the filter, as YAML."""
    bucket = TARGET.one_bucket(limiter)
    rate = bucket.refill_rate
    text = _TEXT.format(
        capacity=TARGET.whole_number(bucket.capacity, "capacity"),
        tokens=TARGET.whole_number(rate.numerator, "number of tokens in a refill"),
        interval_s=TARGET.whole_number(rate.denominator, "number of seconds for a refill", 10**9),
    )
    steps = "Envoy before its change 35207 of July 2024 adds the tokens of a refill at once, at its end"
    deviations = (Deviation(steps), FLOATS)
    return ExportedConfig(TARGET.name, text, deviations)


def read(text: str) -> Limiter:
    """Return the limiter that this filter enforces."""
    values = {}
    for name, pattern in _FIELD.items():
        line = TARGET.only_match(pattern, text, f"lines with {name} and a number")
        values[name] = Fraction(line[1])
        if not values[name]:
            TARGET.fault(text, line.start(1), f"{name} is zero; give a larger number")
    if values["fill_interval"] < _LEAST_INTERVAL_S:
        at = text.index("fill_interval")
        TARGET.fault(text, at, "fill_interval is below the 50 ms that Envoy accepts; give a longer one")
    return TokenBucket(values["max_tokens"], values["tokens_per_fill"] / values["fill_interval"])
