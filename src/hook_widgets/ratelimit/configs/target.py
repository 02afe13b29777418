"""A server or library: the limits that it enforces, the values that it can say, and its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from keyword import iskeyword
from typing import Final, NoReturn

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter
from hook_widgets.ratelimit.limiters.buckets import Gcra, TokenBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.windows import FixedWindow, WindowAlignment

GO_UNITS_NS: Final = {
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1000,
    "ns": 1,
}
"""Nanoseconds in each unit of a duration of Go's package time, the largest first."""

_HEADER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,255}")


@dataclass(frozen=True, slots=True)
class Part:
    """One single limit of a limiter.

    Attributes:
        key: what tells clients apart; empty for a limit for all.
        limit: the limit, with a token bucket in place of a `Gcra`.
    """

    key: str
    limit: SingleLimiter


@dataclass(frozen=True, slots=True)
class Target:
    """A server or library. Every method raises `InvalidLimit` for what it cannot enforce or say."""

    name: str

    def refuse(self, what: str, remedy: str) -> NoReturn:
        """Raise the error of something that the target has not."""
        raise InvalidLimit(f"{self.name} has no {what}; {remedy}")

    # --- limits ---------------------------------------------------------------------------------------------

    def parts(self, limiter: Limiter) -> list[Part]:
        """Return the single limits of a limiter, in order; no configuration of one server says `Replicas`."""
        limits = []
        for layer in limiter.layers:
            if isinstance(layer, Replicas):
                self.refuse("replicas", "export the limit of one of them, and configure each")
            key, limit = (layer.key, layer.one) if isinstance(layer, PerClient) else ("", layer)
            limits.append(Part(key, limit.as_token_bucket() if isinstance(limit, Gcra) else limit))
        return limits

    def one_part(self, limiter: Limiter) -> Part:
        """Return the only limit of a limiter."""
        limits = self.parts(limiter)
        if len(limits) > 1:
            self.refuse("place for several limits", "export each layer")
        return limits[0]

    def continuous_bucket(self, part: Part) -> TokenBucket | None:
        """Return the token bucket of a part, refilled continuously and full at first; None if it is none."""
        bucket = part.limit
        if not isinstance(bucket, TokenBucket):
            return None
        if bucket.refill_every_s is not None:
            self.refuse("refill in steps", "leave refill_every_s out")
        if bucket.initial is not None:
            self.refuse("bucket that does not start full", "leave initial out")
        return bucket

    def bucket_of(self, part: Part) -> TokenBucket:
        """Return the token bucket of a part, refilled continuously and full at first."""
        bucket = self.continuous_bucket(part)
        if bucket is None:
            self.refuse(kind_of(part.limit), "use a TokenBucket")
        return bucket

    def one_bucket(self, limiter: Limiter) -> TokenBucket:
        """Return the only limit of a limiter, a token bucket for all clients together."""
        part = self.one_part(limiter)
        bucket = self.bucket_of(part)
        self.check_for_all(part)
        return bucket

    def window_from_first(self, limit: SingleLimiter) -> FixedWindow:
        """Return a fixed window that begins with its first request."""
        if not isinstance(limit, FixedWindow):
            self.refuse(kind_of(limit), "use a FixedWindow with align='first'")
        if limit.align is not WindowAlignment.FIRST:
            self.refuse(described(limit), "use a FixedWindow with align='first'")
        return limit

    def check_for_all(self, part: Part) -> None:
        """Check that a limit is for all clients together."""
        if part.key:
            self.refuse(f"limiter for each {part.key}", "export the limit without PerClient, one for each")

    # --- values ---------------------------------------------------------------------------------------------

    def whole_number(self, value: Fraction | int, what: str, most: int = 2**32 - 1) -> int:
        """Return a number that the target can only say as a positive integer."""
        if value.denominator != 1 or not 1 <= value <= most:
            number = str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
            self.refuse(f"{what} of {number}", f"choose a whole number from 1 to {most}")
        return value.numerator

    def go_duration(self, span_s: Fraction, what: str) -> str:
        """Return a duration as Go's package time reads it, such as ``"90s"``: whole nanoseconds."""
        nanoseconds = self.whole_number(span_s * 10**9, f"{what} in nanoseconds", 2**33 * 10**9)
        unit, size = next((unit, size) for unit, size in GO_UNITS_NS.items() if nanoseconds % size == 0)
        return f"{nanoseconds // size}{unit}"

    def header_name(self, key: str) -> str:
        """Return the key of a limit for each client, as the name of a header."""
        if not _HEADER.fullmatch(key):
            self.refuse(f"clients by {key!r}", "use ip, or the name of a header")
        return key

    # --- reading --------------------------------------------------------------------------------------------

    def fault(self, text: str, position: int, problem: str) -> NoReturn:
        """Raise the error of a place in a configuration."""
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        raise InvalidLimit(f"{self.name}, line {line}, column {column}: {problem}")

    def only_match(self, pattern: re.Pattern[str], text: str, what: str) -> re.Match[str]:
        """Return the only place of a pattern in a configuration; none and two are an error."""
        matches = list(pattern.finditer(text))
        if len(matches) != 1:
            position = matches[1].start(pattern.groupindex.get("place", 0)) if matches else 0
            self.fault(text, position, f"there are {len(matches)} {what}; give one")
        return matches[0]


def kind_of(limit: SingleLimiter) -> str:
    """Return the kind of a limit in words, for an error.

    >>> kind_of(TokenBucket(20, "10/s"))
    'token bucket'
    """
    words = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(limit).__name__).lower()
    return f"{words} limit" if isinstance(limit, Concurrency) else words


def described(limit: SingleLimiter) -> str:
    """Return a limit whose kind there is, but not with its options, in words for an error."""
    return f"{kind_of(limit)} like this"


def plain(value: Fraction) -> int | float:
    """Return a number as code says it: a whole number, or else a float."""
    return value.numerator if value.denominator == 1 else float(value)


def identifier(key: str) -> str:
    """Return the name of a variable for the key of a client; empty if there is none."""
    name = key.replace("-", "_").lower()
    return name if name.isidentifier() and name.isascii() and not iskeyword(name) else ""
