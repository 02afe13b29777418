"""Limits and promises that the headers of responses state, as constraints."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from math import inf
from typing import Any, Final, TypeAlias

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.observed import observe
from hook_widgets.ratelimit.inference.candidates import StatedLimit
from hook_widgets.ratelimit.inference.evidence import Observation

Headers: TypeAlias = Mapping[str, str] | Sequence[tuple[str, str]]

_NOW: Final = 0  # no value that is used here depends on it
_MAX_HEADERS: Final = 1_000  # fields of one response


def stated_limits(headers: Headers | None, observations: Sequence[Observation]) -> set[StatedLimit]:
    """Return the quotas, each with its window if that is known, that headers state.

    Raises:
        InvalidHeader: the headers are not pairs of texts.
    """
    stated: set[StatedLimit] = set()
    for fields in (headers, *(entry.headers for entry in observations)):
        for limit in observe(header_pairs(fields), now=_NOW).limits if fields else ():
            if limit.quota and limit.quota.denominator == 1 and limit.unit != "percent":
                stated.add((int(limit.quota), limit.window_s or None))
    return stated


def promised_waits(observations: Sequence[Observation]) -> list[float]:
    """Return, for each observation, the seconds that Retry-After states; infinity without.

    Raises:
        InvalidHeader: the headers are not pairs of texts.
    """
    waits = []
    for entry in observations:
        pairs = [] if not entry.headers else header_pairs(entry.headers)
        # A date depends on two clocks and is rounded; only seconds are used.
        seconds = [
            value for name, value in pairs if name.lower() == "retry-after" and value.strip().isdigit()
        ]
        wait = observe([("Retry-After", seconds[0])], now=_NOW).retry_after_s if seconds else None
        waits.append(inf if wait is None else float(wait))
    return waits


def asked_wait_s(entry: Observation, rejected: Collection[int]) -> Fraction:
    """Return the seconds that a rejection asks its client to wait; zero if it does not say.

    Raises:
        InvalidHeader: the headers are not pairs of texts.
    """
    if not entry.headers or entry.status not in rejected:
        return Fraction(0)
    pairs = header_pairs(entry.headers)
    return observe(pairs, now=datetime.now(UTC)).retry_after_s or Fraction(0)


def header_pairs(headers: Any) -> list[tuple[str, str]]:
    """Return header fields as pairs.

    Raises:
        InvalidHeader: they are not pairs of texts, or there are too many.
    """
    pairs = list(headers.items()) if isinstance(headers, Mapping) else headers
    if (
        not isinstance(pairs, list | tuple)
        or len(pairs) > _MAX_HEADERS
        or not all(
            isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(text, str) for text in pair)
            for pair in pairs
        )
    ):
        raise InvalidHeader("the headers are not pairs of name and value; give a mapping of texts")
    return list(pairs)
