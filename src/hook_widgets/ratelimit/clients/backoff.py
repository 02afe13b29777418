"""Waits between attempts: exponential backoff with jitter, published schedules, and the Retry-After field.

Waits are floats in seconds, as in the libraries that are modelled, so that both can be compared exactly.
Random numbers are arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import parse_enum, set_fields
from hook_widgets.ratelimit.units import Duration, Number, duration, real

MAX_WAIT_S: Final = 1e8
"""Upper bound of a wait, about three years: exponential waits without a maximum grow beyond any number."""

MAX_RETRIES: Final = 1000
"""Upper bound of the retries of a request; more is almost certainly a typo."""

_MAX_FACTOR: Final = 1e6


class Jitter(StrEnum):
    """Random part of a wait.

    The wait w without jitter is ``min(max_s, base_s * factor ** n)`` for the retry n = 0, 1, ... For the
    first four see "Exponential Backoff and Jitter", AWS Architecture Blog (2015).
    """

    NONE = "none"
    """w."""
    FULL = "full"
    """Uniform from `min_s` to w."""
    EQUAL = "equal"
    """Uniform from w / 2 to w."""
    DECORRELATED = "decorrelated"
    """Uniform from `base_s` to three times the previous wait, at most `max_s`; `factor` is not used."""
    ADDED = "added"
    """Uniform from 0 to `jitter_s`, added before the maximum applies: at most `max_s`."""
    SCALED = "scaled"
    """w times a factor, uniform between the two of `scale`; may exceed `max_s`."""


class WaitRule(ABC):
    """Rule for the wait before each retry."""

    __slots__ = ()

    @abstractmethod
    def wait_s(self, retry: int, u: float, previous_s: float = 0.0) -> float:
        """Return the wait before a retry in seconds.

        Args:
            retry: number of the retry, from 0.
            u: a random number, uniform from 0 (included) to 1 (excluded).
            previous_s: the wait before the previous retry; only for decorrelated jitter, 0 for none.
        """


@dataclass(frozen=True, slots=True, init=False)
class Backoff(WaitRule):
    """Exponential backoff.

    Attributes:
        base_s: wait before the first retry, without jitter.
        factor: growth of the wait from one retry to the next.
        max_s: the longest wait; None for none.
        jitter: random part of the wait.
        jitter_s: the largest addition, for `Jitter.ADDED`.
        scale: lowest and highest factor, for `Jitter.SCALED`.
        min_s: the shortest wait.
        first_s: wait before the first retry instead of the rule; None for the rule.

    >>> Backoff("100 ms", max_s=1, jitter="none").wait_s(retry=2, u=0.5)
    0.4
    >>> Backoff("100 ms", max_s=1).wait_s(retry=9, u=0.5)
    0.5
    """

    base_s: float
    factor: float
    max_s: float | None
    jitter: Jitter
    jitter_s: float
    scale: tuple[float, float]
    min_s: float
    first_s: float | None

    def __init__(
        self,
        base_s: Duration,
        *,
        factor: Number = 2,
        max_s: Duration | None = None,
        jitter: str = Jitter.FULL,
        jitter_s: Duration = 0,
        scale: tuple[Number, Number] = (1, 1),
        min_s: Duration = 0,
        first_s: Duration | None = None,
    ) -> None:
        """Create a rule.

        Raises:
            InvalidLimit: a number or the jitter is invalid, or the minimum exceeds the maximum.
        """
        set_fields(
            self,
            base_s=seconds(base_s, "base_s"),
            factor=real(factor, "factor"),
            max_s=None if max_s is None else seconds(max_s, "max_s"),
            jitter=parse_enum(Jitter, jitter, "jitter"),
            jitter_s=seconds(jitter_s, "jitter_s"),
            scale=_scale(scale),
            min_s=seconds(min_s, "min_s"),
            first_s=None if first_s is None else seconds(first_s, "first_s"),
        )
        if self.factor > _MAX_FACTOR:
            raise InvalidLimit("is out of range; give at most 1,000,000", subject="factor")
        if self.min_s > self._cap:
            raise InvalidLimit("is longer than max_s; lower it", subject="min_s")

    @property
    def _cap(self) -> float:
        return MAX_WAIT_S if self.max_s is None else self.max_s

    def wait_s(self, retry: int, u: float, previous_s: float = 0.0) -> float:
        """Return the wait before a retry in seconds. See `WaitRule.wait_s`."""
        if retry == 0 and self.first_s is not None:
            return self.first_s
        cap = self._cap
        if self.jitter is Jitter.DECORRELATED:
            highest = 3 * (previous_s or self.base_s)
            return max(min(cap, self.base_s + (highest - self.base_s) * u), self.min_s)
        grown = self._grown(retry)
        wait = min(cap, grown)
        match self.jitter:
            case Jitter.FULL:
                return self.min_s + (max(wait, self.min_s) - self.min_s) * u
            case Jitter.EQUAL:
                wait *= 0.5 * (1 + u)
            case Jitter.ADDED:
                wait = min(cap, grown + self.jitter_s * u)
            case Jitter.SCALED:
                low, high = self.scale
                wait *= low + (high - low) * u
        return max(wait, self.min_s)

    def _grown(self, retry: int) -> float:
        try:
            return min(self.base_s * self.factor**retry, MAX_WAIT_S)
        except OverflowError:
            return MAX_WAIT_S if self.base_s else 0.0


@dataclass(frozen=True, slots=True, init=False)
class RetrySchedule(WaitRule):
    """Published waits, one for each retry.

    Attributes:
        waits_s: the waits in seconds, each after the failure before it.

    >>> RetrySchedule(["5 s", "5 min", "30 min"]).wait_s(retry=1, u=0.5)
    300.0
    """

    waits_s: tuple[float, ...]

    def __init__(self, waits_s: Iterable[Duration]) -> None:
        """Create a schedule.

        Raises:
            InvalidLimit: a wait is invalid, or there is none or too many.
        """
        waits = tuple(seconds(wait, f"waits_s[{i}]") for i, wait in enumerate(_listed(waits_s)))
        if not 0 < len(waits) <= MAX_RETRIES:
            raise InvalidLimit(f"has {len(waits)} waits; give 1 to {MAX_RETRIES}", subject="waits_s")
        object.__setattr__(self, "waits_s", waits)

    def wait_s(self, retry: int, u: float, previous_s: float = 0.0) -> float:  # noqa: ARG002 (nothing is random)
        """Return the wait before a retry in seconds; the last one for all further retries."""
        return self.waits_s[min(retry, len(self.waits_s) - 1)]


def seconds(value: Duration, name: str, *, positive: bool = False) -> float:
    """Parse a duration and return it in seconds as a float.

    Raises:
        InvalidLimit: it is no duration, or too long.
    """
    parsed = duration(value, name, positive=positive)
    if parsed > MAX_WAIT_S:
        raise InvalidLimit("is out of range; give at most 100,000,000 s", subject=name)
    return float(parsed)


def _listed(waits_s: Iterable[Duration]) -> Iterable[Duration]:
    if isinstance(waits_s, str) or not isinstance(waits_s, Iterable):
        raise InvalidLimit("is one wait; give a list of them", subject="waits_s")
    return waits_s


def _scale(scale: tuple[Number, Number]) -> tuple[float, float]:
    try:
        low, high = scale
    except (TypeError, ValueError):
        raise InvalidLimit("must be two factors, such as (0.8, 1.2)", subject="scale") from None
    return real(low, "scale"), real(high, "scale")


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
