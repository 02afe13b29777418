"""The fields ``X-RateLimit-Limit``, ``-Remaining`` and ``-Reset``: build and parse.

No standard defines them, and the unit of Reset is in dispute: GitHub sends the moment in epoch seconds,
many others the seconds from now. So the dialect is always said, never guessed (`observe` guesses).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.quantity import Number
from hook_widgets.ratelimit.rounding import down, epoch_s, up

_WHOLE = re.compile(r"[0-9]{1,15}")


class Reset(StrEnum):
    """What the number in ``X-RateLimit-Reset`` means."""

    EPOCH = "epoch"
    """The moment, in seconds since 1970 (GitHub)."""
    DELTA = "delta"
    """Seconds from the answer on."""


@dataclass(frozen=True, slots=True)
class XRateLimit:
    """The three fields of one answer.

    Attributes:
        limit: requests a window.
        remaining: requests left in it.
        reset: when the window ends, in the dialect's unit.
        dialect: what ``reset`` means.
    """

    limit: int
    remaining: int
    reset: int
    dialect: Reset

    @classmethod
    def rounded(
        cls,
        *,
        limit: Number,
        remaining: Number,
        reset_s: Number,
        dialect: Reset | str,
        now: datetime | Number | None = None,
    ) -> XRateLimit:
        """The fields for exact numbers: limit and remaining down, reset up.

        Args:
            limit: requests a window.
            remaining: requests left.
            reset_s: seconds from now until the window ends.
            dialect: ``"epoch"`` or ``"delta"``.
            now: the time of the answer (epoch seconds or an aware datetime); needed for ``"epoch"``.

        Raises:
            InvalidHeader: a number is not finite, the dialect is unknown, or now is missing.

        >>> XRateLimit.rounded(limit=60, remaining=3.5, reset_s=12.2, dialect="delta").reset
        13
        """
        kind = _dialect(dialect)
        reset = up("X-RateLimit-Reset", reset_s)
        if kind is Reset.EPOCH:
            if now is None:
                raise InvalidHeader(
                    "X-RateLimit-Reset in epoch seconds needs the time of the answer; pass now="
                )
            # Rounded once, at the end: rounding the seconds first would only make the client wait longer.
            reset = up("X-RateLimit-Reset", epoch_s(now) + max(Fraction(0), Fraction(reset_s)))
        left = down("X-RateLimit-Remaining", remaining)
        return cls(down("X-RateLimit-Limit", limit), left, reset, kind)

    @classmethod
    def parse(cls, headers: Mapping[str, str], *, dialect: Reset | str) -> XRateLimit:
        """Read the three fields, names in any case.

        Args:
            headers: all headers of the answer.
            dialect: what the number of ``X-RateLimit-Reset`` means: see `Reset`.

        Raises:
            InvalidHeader: a field is missing or is no whole number, or the dialect is unknown.
        """
        found = {name.lower(): value for name, value in headers.items()}
        kind = _dialect(dialect)
        limit, remaining, reset = (
            _whole(name, found.get(name.lower()))
            for name in ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
        )
        return cls(limit, remaining, reset, kind)

    def headers(self) -> dict[str, str]:
        """The fields, ready to send."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
        }

    def wait_s(self, now: datetime | Number) -> Fraction:
        """Seconds from now until the window ends; zero when it has ended.

        Raises:
            InvalidHeader: now has no time zone or is not a number.
        """
        moment = self.reset - epoch_s(now) if self.dialect is Reset.EPOCH else Fraction(self.reset)
        return max(Fraction(0), moment)


def _dialect(dialect: Reset | str) -> Reset:
    try:
        return Reset(dialect)
    except ValueError:
        raise InvalidHeader(
            f"the dialect of X-RateLimit-Reset is 'epoch' or 'delta', not {dialect!r}"
        ) from None


def _whole(name: str, value: str | None) -> int:
    if value is None:
        raise InvalidHeader(f"{name} is missing; the three X-RateLimit fields come together")
    text = value.strip(" \t")
    if not _WHOLE.fullmatch(text):
        raise InvalidHeader(f"{name} is {text[:40]!r}; it must be a whole number")
    return int(text)
