"""Build and parse the fields ``X-RateLimit-Limit``, ``-Remaining`` and ``-Reset``.

No standard defines them, and the meaning of Reset varies: GitHub sends a time in epoch seconds, many others
send the seconds from now. The caller must therefore name the dialect; only `observe` guesses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.rounding import down, epoch_s, exact, up
from hook_widgets.ratelimit.units import Number

_WHOLE = re.compile(r"[0-9]{1,15}")


class ResetDialect(StrEnum):
    """Meaning of the number in ``X-RateLimit-Reset``."""

    EPOCH = "epoch"
    """The time of the reset, in seconds since 1970 (GitHub)."""
    DELTA = "delta"
    """Seconds from the response until the reset."""


@dataclass(frozen=True, slots=True)
class XRateLimit:
    """The three fields of one response.

    Attributes:
        limit: requests per window.
        remaining: requests left in the window.
        reset: the end of the window, in the unit of the dialect.
        dialect: the meaning of ``reset``.
    """

    limit: int
    remaining: int
    reset: int
    dialect: ResetDialect

    @classmethod
    def rounded(
        cls,
        *,
        limit: Number,
        remaining: Number,
        reset_s: Number | timedelta,
        dialect: ResetDialect | str,
        now: datetime | Number | None = None,
    ) -> XRateLimit:
        """Create the fields from exact numbers, rounding limit and remaining down and reset up.

        Args:
            limit: requests per window.
            remaining: requests left.
            reset_s: time from now until the window ends, in seconds or as a `datetime.timedelta`.
            dialect: ``"epoch"`` or ``"delta"``.
            now: the time of the response (epoch seconds or an aware datetime); required for ``"epoch"``.

        Raises:
            InvalidHeader: a number is not finite, the dialect is unknown, or a required now is missing.

        >>> XRateLimit.rounded(limit=60, remaining=3.5, reset_s=12.2, dialect="delta").reset
        13
        """
        kind = _dialect(dialect)
        reset = up("X-RateLimit-Reset", reset_s)
        if kind is ResetDialect.EPOCH:
            if now is None:
                raise InvalidHeader(
                    "X-RateLimit-Reset in epoch seconds needs the time of the response; pass now="
                )
            # Round once, at the end: rounding the seconds first could make the client wait a second longer.
            reset = up(
                "X-RateLimit-Reset", epoch_s(now) + max(Fraction(0), exact("X-RateLimit-Reset", reset_s))
            )
        remaining_requests = down("X-RateLimit-Remaining", remaining)
        return cls(down("X-RateLimit-Limit", limit), remaining_requests, reset, kind)

    @classmethod
    def parse(cls, headers: Mapping[str, str], *, dialect: ResetDialect | str) -> XRateLimit:
        """Parse the three fields; names are case-insensitive.

        Args:
            headers: all header fields of the response.
            dialect: the meaning of ``X-RateLimit-Reset``; see `ResetDialect`.

        Raises:
            InvalidHeader: a field is missing or not a whole number, or the dialect is unknown.
        """
        values = {name.lower(): value for name, value in headers.items()}
        kind = _dialect(dialect)
        limit, remaining, reset = (
            _whole(name, values.get(name.lower()))
            for name in ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
        )
        return cls(limit, remaining, reset, kind)

    def headers(self) -> dict[str, str]:
        """Return the fields by name, ready to send."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
        }

    def wait_s(self, now: datetime | Number) -> Fraction:
        """Return the seconds from now until the window ends; zero if it has ended.

        Raises:
            InvalidHeader: now has no time zone or is not a number.
        """
        wait = self.reset - epoch_s(now) if self.dialect is ResetDialect.EPOCH else Fraction(self.reset)
        return max(Fraction(0), wait)


def _dialect(dialect: ResetDialect | str) -> ResetDialect:
    try:
        return ResetDialect(dialect)
    except ValueError:
        raise InvalidHeader(
            f"the dialect of X-RateLimit-Reset is 'epoch' or 'delta', not {shown(dialect)}"
        ) from None


def _whole(name: str, value: str | None) -> int:
    if value is None:
        raise InvalidHeader(f"{name} is missing; the three X-RateLimit fields come together")
    text = value.strip(" \t")
    if not _WHOLE.fullmatch(text):
        raise InvalidHeader(f"{name} is {text[:40]!r}; it must be a whole number")
    return int(text)
