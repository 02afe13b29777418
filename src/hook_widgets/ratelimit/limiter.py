"""What every limiter has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.quantity import NS_PER_S, Quantity, duration, nanoseconds, shown
from hook_widgets.ratelimit.trace import Gate, Ledger, Tick, Trace

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True, repr=False)
class Limiter(ABC):
    """A rate limit. Its numbers are kept exactly; two limiters with the same numbers are equal.

    Attributes:
        name: what people call it ("per user"); names the limit that refused a request.
    """

    name: str = field(default="", kw_only=True)

    @property
    @abstractmethod
    def nominal(self) -> Fraction | None:
        """Requests per second in the long run; None when time alone bounds nothing."""

    @abstractmethod
    def most_in(self, window_s: Quantity, *, closed: bool = False) -> int:
        """The most requests of cost 1 that may be admitted in any window of this length.

        Args:
            window_s: the length, in seconds or text.
            closed: whether both ends belong to the window. By default only one does, as in "any second":
                windows laid end to end then share no request. Times are whole nanoseconds.

        Raises:
            InvalidLimit: the window is not a time above zero, or time alone bounds nothing.
        """

    @property
    def label(self) -> str:
        """The name, or what it is."""
        return self.name or repr(self)

    @property
    @abstractmethod
    def layers(self) -> tuple[SingleLimiter, ...]:
        """The single limits this is made of, in order."""

    def __repr__(self) -> str:
        """The call that makes it, leaving out what is at its default."""
        shown = [
            f"{f.name}={_short(value)}"
            for f in fields(self)
            if (value := getattr(self, f.name)) != f.default and f.init
        ]
        return f"{type(self).__name__}({', '.join(sorted(shown, key=lambda text: text.startswith('name=')))})"


@dataclass(frozen=True, slots=True, repr=False)
class SingleLimiter(Limiter):
    """One limit, which can judge the requests of a run."""

    @property
    def layers(self) -> tuple[SingleLimiter, ...]:
        """Itself alone."""
        return (self,)

    @property
    def _largest_cost(self) -> int | None:
        """The largest cost that can ever be admitted; None when it counts requests and not their cost."""
        return None

    @abstractmethod
    def _resolution(self) -> int:
        """The ticks in a nanosecond that make its numbers whole."""

    @abstractmethod
    def _gate(self, trace: Trace) -> Gate:
        """Make ready for one run."""

    @abstractmethod
    def _left(self, ledger: Ledger) -> Callable[[Tick], Fraction]:
        """What is left to spend at a tick of a finished run, after everything that happens then."""

    @abstractmethod
    def _free_at(self, ledger: Ledger, t: int, cost: int) -> int | None:
        """The first tick, not before `t`, at which a request would be admitted if none came after `t`.

        None when it never would.
        """


def put(limiter: Limiter, **values: object) -> None:
    """Set the fields of a frozen limiter that is being made."""
    for name, value in values.items():
        object.__setattr__(limiter, name, value)


def reach(window_s: Quantity, *, closed: bool) -> int:
    """The nanoseconds between the first and the last moment of a window."""
    return max(nanoseconds(duration(window_s, "window_s")) - (not closed), 0)


def chosen(kind: type[Choice], value: str, what: str) -> Choice:
    """The member of a closed vocabulary.

    Raises:
        InvalidLimit: there is none of this name.
    """
    try:
        return kind(value)
    except ValueError:
        raise InvalidLimit(
            f"{what} is {shown(value)}. {nearest(str(value), [known.value for known in kind])}"
        ) from None


def ceil_div(a: int | Fraction, b: int | Fraction) -> int:
    """The quotient, rounded up."""
    return -int(-a // b)


def denominator(*seconds: Fraction) -> int:
    """The ticks in a nanosecond that make these time spans whole."""
    found = 1
    for span in seconds:
        ticks = span * NS_PER_S * found
        found *= ticks.denominator
    return found


def _short(value: Any) -> str:
    """A value as one would write it: 10, 2.5 or Fraction(1, 3)."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        as_float = float(value)
        return str(as_float) if Fraction(str(as_float)) == value else repr(value)
    return repr(str(value)) if isinstance(value, str) else repr(value)
