"""The command CL.THROTTLE of the Redis module redis-cell: GCRA in whole nanoseconds.

Its bucket holds one more than `max_burst` (src/cell/mod.rs). Redis forgets a key once its bucket is full
again, in whole milliseconds, rounded down (src/redis/mod.rs: set_expire).
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.configs.model import Deviation, ExportedConfig, whole_nanoseconds
from hook_widgets.ratelimit.configs.target import Target
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import TokenBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient

TARGET: Final = Target("redis-cell")

_COMMAND: Final = re.compile(
    r"CL\.THROTTLE[ \t]+(?P<key>\S{1,256})[ \t]+(?P<burst>\d{1,10})[ \t]+(?P<count>\d{1,10})"
    r"[ \t]+(?P<period>\d{1,10})(?:[ \t]+1)?[ \t]*$",
    re.MULTILINE | re.IGNORECASE | re.ASCII,
)
_BEGIN: Final = re.compile(r"^(?:\S{1,64}>)?[ \t]*(?P<place>CL\.THROTTLE)\b", re.MULTILINE | re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(r"[^{}]*\{(?P<key>[A-Za-z][\w-]*)\}[^{}]*", re.ASCII)
_MOST: Final = 2**63 - 1
_NAME: Final = re.compile(r"[A-Za-z][\w-]{0,200}", re.ASCII)


def write(limiter: Limiter) -> ExportedConfig:
    """Return the command of a request; the name in braces stands for the client."""
    part = TARGET.one_part(limiter)
    bucket = TARGET.bucket_of(part)
    if part.key and not _NAME.fullmatch(part.key):
        TARGET.refuse(f"clients by {part.key!r}", "use a name of letters, digits and hyphens")
    capacity = TARGET.whole_number(bucket.capacity, "capacity")
    count = TARGET.whole_number(bucket.refill_rate.numerator, "number of tokens in a period")
    period_s = TARGET.whole_number(bucket.refill_rate.denominator, "period in seconds", 10**9)
    interval = interval_ns(count, period_s)
    if not 1 <= interval <= _MOST // capacity:
        TARGET.refuse(
            "interval between requests of this length", "choose one from a nanosecond to some centuries"
        )
    deviations = whole_nanoseconds(bucket.refill_rate, Fraction(10**9, interval))
    forgotten = "a bucket that would be full within this time is full already"
    deviations.append(Deviation(forgotten, Fraction(0), Fraction(1, 1000), "s"))
    key = f"limit:{{{part.key}}}" if part.key else "limit"
    text = f"CL.THROTTLE {key} {capacity - 1} {count} {period_s}\n"
    return ExportedConfig(TARGET.name, text, tuple(deviations))


def read(text: str) -> Limiter:
    """Return the limiter that the only command enforces."""
    begin = TARGET.only_match(_BEGIN, text, "commands CL.THROTTLE").start("place")
    command = _COMMAND.match(text, begin)
    if command is None:
        problem = "this is not read; write CL.THROTTLE key max_burst count period, without a quantity above 1"
        TARGET.fault(text, begin, problem)
    interval = interval_ns(int(command["count"]), int(command["period"]))
    if not interval:
        TARGET.fault(text, command.start("count"), "this rate is not enforced; give a count and a period")
    bucket = TokenBucket(int(command["burst"]) + 1, Fraction(10**9, interval))
    client = _PLACEHOLDER.fullmatch(command["key"])
    return PerClient(client["key"], bucket) if client else bucket


def interval_ns(count: int, period_s: int) -> int:
    """Return the nanoseconds between two tokens, divided in floating point as redis-cell does; 0 for none."""
    return int(float(period_s * 10**9) / float(count)) if count else 0
