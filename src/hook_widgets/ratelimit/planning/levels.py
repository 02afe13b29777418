"""Levels of a limit: for all requests together, or for each IP address, user or endpoint."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Final

LEVELS: Final = MappingProxyType({"ip": "IP", "user": "user", "endpoint": "endpoint"})
"""Display name of each level below "all requests"."""

_NAMES: Final = {
    **dict.fromkeys(("ip", "ip address"), "ip"),
    **dict.fromkeys(("user", "client", "account", "api key", "api-key", "key"), "user"),
    **dict.fromkeys(("endpoint", "route", "path"), "endpoint"),
}
_LEVEL: Final = re.compile(
    rf"(.*?)\s*(?:/|\bper\b|\bfor each\b)\s*({'|'.join(sorted(_NAMES, reverse=True))})\s*(|(?:/|per\b).*)",
    re.IGNORECASE | re.DOTALL,
)
_MAX_LENGTH: Final = 500


def split_level(text: str) -> tuple[str, str]:
    """Return the rate in the text of a limit, and the level that it is for; empty for all requests.

    >>> split_level("100/min per user"), split_level("1000/hour"), split_level("5 per min per IP")
    (('100/min', 'user'), ('1000/hour', ''), ('5 per min', 'ip'))
    >>> split_level("100 requests per API key per minute")
    ('100 requests per minute', 'user')
    """
    match = _LEVEL.fullmatch(text) if len(text) <= _MAX_LENGTH else None
    return (f"{match[1]} {match[3]}".strip(), _NAMES[match[2].lower()]) if match else (text, "")


def in_turn(count: int, keys: int, share: Fraction) -> Iterator[int]:
    """Yield the key of each of `count` requests: the busiest, 0, has its share of any run of them.

    Of any N requests in a row the busiest has at most ceil(N share); the others take the rest in turn.

    Args:
        count: number of requests.
        keys: number of users, IP addresses or endpoints.
        share: share of the busiest, at least 1/keys.

    >>> list(in_turn(6, 3, Fraction(1, 3))), list(in_turn(6, 3, Fraction(1, 2)))
    ([0, 1, 2, 0, 1, 2], [0, 1, 0, 2, 0, 1])
    """
    part, whole = share.numerator, share.denominator
    owed = other = 0  # requests of the busiest, times the denominator; requests of the others
    for _ in range(count):
        if owed <= 0:
            owed += whole
            yield 0
        else:
            yield 1 + other % (keys - 1)
            other += 1
        owed -= part


def together(of_one: int, share: Fraction) -> int:
    """Return how many requests may come at once and evenly after that, if one key may have `of_one`.

    Derivation: k requests of the busiest key need at least floor((k - 1)/s) + 1 of all. They stay within
    A + r t of each key if the whole traffic stays within (A - 1)/s + 1/p + r t/s, with p the numerator of s.

    >>> together(100, Fraction(1)), together(100, Fraction(1, 4)), together(1, Fraction(3, 5))
    (100, 397, 0)
    """
    return math.floor((of_one - 1) / share + Fraction(1, share.numerator))


def burst_rejected(
    requests: int, step_s: Fraction, rate_per_s: Fraction, allowance: int, keys: int, share: Fraction
) -> int:
    """Return how many requests of a burst are rejected by a full token bucket for each key.

    All at once, or a burst of more than 20,000 requests, is counted by formula (the latter within one
    request for each key); other bursts request by request.

    Args:
        requests: requests of the burst.
        step_s: time between two requests; 0 for all at once.
        rate_per_s: tokens per second of each key's bucket.
        allowance: capacity of each key's bucket.
        keys: number of keys.
        share: share of the busiest key.

    >>> burst_rejected(100, Fraction(0), Fraction(1), 20, 4, Fraction(1, 4))
    20
    >>> burst_rejected(100, Fraction(1, 100), Fraction(8), 20, 4, Fraction(1, 4))
    0
    """
    refill = rate_per_s * step_s  # tokens between two requests
    if not refill or requests > MAX_COUNTED:
        return _by_formula(requests, refill, allowance, keys, share)
    gain, one = refill.numerator, refill.denominator  # tokens as multiples of 1/one
    full, rejected = allowance * one, 0
    buckets: dict[int, tuple[int, int]] = {}  # level and time of the keys that have sent; there may be 10^15
    for i, key in enumerate(in_turn(requests, keys, share)):
        level, last = buckets.get(key, (full, i))
        level = min(full, level + gain * (i - last))
        rejected += level < one
        buckets[key] = (level - one if level >= one else level, i)
    return rejected


MAX_COUNTED: Final = 20_000
"""Requests of a burst that are counted one by one."""


def _by_formula(requests: int, refill: Fraction, allowance: int, keys: int, share: Fraction) -> int:
    busiest = math.floor((requests - 1) * share) + 1 if requests else 0
    counts = {busiest: 1}
    if keys > 1:
        each, more = divmod(requests - busiest, keys - 1)
        for count, many in ((each + 1, more), (each, keys - 1 - more)):
            counts[count] = counts.get(count, 0) + many
    admitted = math.floor(allowance + refill * (requests - 1))
    return sum(max(0, count - admitted) * many for count, many in counts.items())
