"""Base classes and helper functions shared by all limiters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals, InvalidLimit, nearest
from hook_widgets.ratelimit.limiters.trace import ChargeLog, LimiterState, Tick, Trace
from hook_widgets.ratelimit.units import (
    NS_PER_S,
    Duration,
    Quantity,
    check_plausible,
    duration,
    nanoseconds,
    whole,
)

if TYPE_CHECKING:
    from hook_widgets.ratelimit.limiters.running import RunningLimiter

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True, repr=False)
class Limiter(ABC):
    """A rate limit with exact parameters; limiters of one class with equal parameters are equal.

    Attributes:
        name: a display name such as "per user"; identifies the limit that rejected a request.
    """

    name: str = field(default="", kw_only=True)

    @staticmethod
    def of(
        limit: Quantity,
        algorithm: str = "token_bucket",
        *,
        burst: Quantity | None = None,
        name: str = "",
    ) -> SingleLimiter:
        """Create a limiter from a rate in words.

        Args:
            limit: the rate, such as ``"100/min"``.
            algorithm: one of `LimitAlgorithm`, or ``"token_bucket_wait"`` for a `WaitingBucket`.
            burst: the capacity of a token bucket or the places of a leaky one; by default the requests of the
                rate, at least 1.
            name: the limiter's display name.

        Raises:
            InvalidLimit: no such rate or algorithm, a window would not hold a whole number of requests, or a
                burst is given for a window.

        >>> Limiter.of("100/min", "fixed_window")
        FixedWindow(limit=100, window_s=60)
        >>> Limiter.of("100/min", burst=20)
        TokenBucket(capacity=20, refill_rate=Fraction(5, 3))
        """
        from hook_widgets.ratelimit.limiters.algorithm import limiter_of

        return limiter_of(limit, algorithm, burst=burst, name=name)

    def begin(self) -> RunningLimiter:
        """Return a limiter that decides requests one at a time, as they come."""
        from hook_widgets.ratelimit.limiters.running import RunningLimiter

        return RunningLimiter(self)

    @property
    @abstractmethod
    def sustained_rate(self) -> Fraction | None:
        """Sustained requests per second; None if the limiter imposes no time-based bound."""

    @abstractmethod
    def max_admitted(self, window_s: Duration, *, closed: bool = False) -> int:
        """Return the maximum number of requests of cost 1 admitted in any window of this length.

        Args:
            window_s: the length, as seconds or as text with a unit.
            closed: count both ends as part of the window. By default only one end is, as in "any second",
                so that adjacent windows share no request. Times are whole nanoseconds.

        Raises:
            InvalidLimit: the window is not a positive duration, or the limiter imposes no time-based bound.
        """

    @property
    def label(self) -> str:
        """The name, or the repr of a limiter without a name."""
        return self.name or repr(self)

    @property
    @abstractmethod
    def layers(self) -> tuple[SingleLimiter, ...]:
        """The single limiters this one consists of, in order."""

    def __repr__(self) -> str:
        """Return the constructor call without arguments at their defaults."""
        arguments = [
            f"{f.name}={_format_value(value)}"
            for f in fields(self)
            if (value := getattr(self, f.name)) != f.default and f.init
        ]
        arguments.sort(key=lambda text: text.startswith("name="))
        return f"{type(self).__name__}({', '.join(arguments)})"


@dataclass(frozen=True, slots=True, repr=False)
class SingleLimiter(Limiter):
    """A single limit, able to decide the requests of a run."""

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """A tuple of this limiter alone."""
        return (self,)

    @property
    def _max_cost(self) -> int | None:
        """The largest cost that can ever be admitted; None if the limiter ignores costs."""
        return None

    def _places_left(self, state: LimiterState, t: int) -> int:
        """Return how many requests would be admitted at once; asked only of limiters that ignore costs."""
        raise NotImplementedError  # limiters with a largest cost are asked for that one instead

    @abstractmethod
    def _ticks_per_ns(self) -> int:
        """Return the ticks per nanosecond for which all parameters are whole numbers of ticks."""

    @abstractmethod
    def _initial_state(self, trace: Trace) -> LimiterState:
        """Return the initial state for one run."""

    @abstractmethod
    def _remaining(self, charge_log: ChargeLog) -> Callable[[Tick], Fraction]:
        """Return a function from a tick of a finished run to the quota remaining after all its events."""

    @abstractmethod
    def _next_available(self, charge_log: ChargeLog, t: int, cost: int) -> int | None:
        """Return the first tick from `t` on at which a request would be admitted if none came after `t`.

        Return None if it would never be admitted.
        """


def max_cost(limiter: Limiter) -> int | None:
    """Return the largest cost that every layer can admit; None if all of them ignore costs."""
    return min((most for layer in limiter.layers if (most := layer._max_cost) is not None), default=None)


def checked_cost(cost: Quantity, name: str, most: int | None, limiter: Limiter) -> int:
    """Return the cost of a request.

    Raises:
        InvalidArrivals: the cost is no whole number from 1 to the largest, or the limiter ignores costs.
    """
    if most is None:
        raise InvalidArrivals(f"{limiter.label} counts requests, not their cost; leave {name} out")
    parsed = cost if type(cost) is int and cost > 0 else whole(cost, name, error=InvalidArrivals)
    if parsed == 0:
        raise InvalidArrivals("is zero; give at least 1", subject=name)
    if parsed > most:
        raise InvalidArrivals(
            f"is {shown(parsed)}, but {limiter.label} never admits more than {most} at once; "
            "lower the cost or raise the limit",
            subject=name,
        )
    return parsed


def set_fields(record: object, **values: object) -> None:
    """Set the fields of a frozen limiter or other record during its construction.

    Raises:
        InvalidLimit: a number is too large or too small to compute with.
    """
    for name, value in values.items():
        if isinstance(value, Fraction):
            check_plausible(value, value, name)
        object.__setattr__(record, name, value)


def span_ns(window_s: Duration, *, closed: bool) -> int:
    """Return the nanoseconds between the first and the last instant of a window."""
    return max(nanoseconds(duration(window_s, "window_s")) - (not closed), 0)


def parse_enum(kind: type[Choice], value: str, parameter: str, *, others: Sequence[str] = ()) -> Choice:
    """Return the enum member of this value.

    Args:
        kind: the enum.
        value: the value.
        parameter: the name of the parameter, for the error.
        others: further values that the caller takes, for the error.

    Raises:
        InvalidLimit: there is no such member.
    """
    try:
        return kind(value)
    except ValueError:
        hint = nearest(value, [*(known.value for known in kind), *others])
        raise InvalidLimit(f"is {shown(value)}; {hint}", subject=parameter) from None


def ceil_div(a: int | Fraction, b: int | Fraction) -> int:
    """Return the quotient, rounded up."""
    return -int(-a // b)


def common_ticks_per_ns(*seconds: Fraction) -> int:
    """Return the ticks per nanosecond for which all these durations are whole numbers of ticks."""
    ticks_per_ns = 1
    for span in seconds:
        ticks = span * NS_PER_S * ticks_per_ns
        ticks_per_ns *= ticks.denominator
    return ticks_per_ns


def _format_value(value: Any) -> str:
    """Return the shortest Python expression for a value: 10, 2.5 or Fraction(1, 3)."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        as_float = float(value)
        return str(as_float) if Fraction(str(as_float)) == value else repr(value)
    return repr(str(value)) if isinstance(value, str) else repr(value)
