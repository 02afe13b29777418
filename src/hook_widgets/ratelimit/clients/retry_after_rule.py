"""Treatment of the Retry-After field by a client."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hook_widgets.ratelimit.clients.backoff import seconds
from hook_widgets.ratelimit.limiters.base import parse_enum
from hook_widgets.ratelimit.units import Duration


class RetryAfterUse(StrEnum):
    """Use of the Retry-After field of a rejection."""

    IGNORED = "ignored"
    """Wait as after any other failure."""
    HONOURED = "honoured"
    """Wait as long as it says, instead of the backoff."""
    LONGER = "longer"
    """Wait as long as it says or the backoff, whichever is longer."""
    ADDED = "added"
    """Wait as long as it says, and then the backoff."""


class TooLong(StrEnum):
    """Treatment of a Retry-After above the maximum."""

    CLAMP = "clamp"
    """Wait the maximum."""
    IGNORE = "ignore"
    """Wait as after any other failure."""
    GIVE_UP = "give_up"
    """Do not retry."""


@dataclass(frozen=True, slots=True, init=False)
class RetryAfterRule:
    """Rule for a rejection with a Retry-After field (RFC 9110 section 10.2.3).

    Attributes:
        use: use of the field.
        jitter_s: the largest random addition to it. Without one, all clients that were told the same time
            return at the same time.
        max_s: the longest accepted time; None for any.
        too_long: treatment of a longer one.
        required: do not retry a rejection without the field.

    >>> RetryAfterRule("honoured", jitter_s=2).wait_s(retry_after_s=30, backoff_s=1, u=0.25)
    30.5
    """

    use: RetryAfterUse
    jitter_s: float
    max_s: float | None
    too_long: TooLong
    required: bool

    def __init__(
        self,
        use: str = RetryAfterUse.HONOURED,
        *,
        jitter_s: Duration = 0,
        max_s: Duration | None = None,
        too_long: str = TooLong.CLAMP,
        required: bool = False,
    ) -> None:
        """Create a rule.

        Raises:
            InvalidLimit: a duration or a choice is invalid.
        """
        object.__setattr__(self, "use", parse_enum(RetryAfterUse, use, "use"))
        object.__setattr__(self, "jitter_s", seconds(jitter_s, "jitter_s"))
        object.__setattr__(self, "max_s", None if max_s is None else seconds(max_s, "max_s"))
        object.__setattr__(self, "too_long", parse_enum(TooLong, too_long, "too_long"))
        object.__setattr__(self, "required", bool(required))

    def wait_s(self, retry_after_s: float | None, backoff_s: float, u: float) -> float | None:
        """Return the wait after a rejection in seconds; None to give up.

        Args:
            retry_after_s: the value of the field; None if there is none.
            backoff_s: the wait without the field.
            u: a random number, uniform from 0 (included) to 1 (excluded).
        """
        if retry_after_s is None:
            return None if self.required else backoff_s
        if self.use is RetryAfterUse.IGNORED:
            return backoff_s
        if self.max_s is not None and retry_after_s > self.max_s:
            if self.too_long is TooLong.GIVE_UP:
                return None
            if self.too_long is TooLong.IGNORE:
                return backoff_s
            retry_after_s = self.max_s
        wait = retry_after_s + self.jitter_s * u
        if self.use is RetryAfterUse.ADDED:
            return wait + backoff_s
        return max(wait, backoff_s) if self.use is RetryAfterUse.LONGER else wait
