"""The result of an export, and its deviations from the limiter."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.formatting import seconds, short

_DIGITS: Final = (3, 6, 9, 12, 17)


@dataclass(frozen=True, slots=True)
class Deviation:
    """A difference between a limiter and what its configuration enforces.

    Attributes:
        text: the difference in words.
        limiter: the number of the limiter that is concerned; None if none is.
        exported: that number as the configuration enforces it; None likewise.
        unit: the unit of both: ``"s"``, ``"1/s"``, or a plural such as ``"requests"``.

    >>> str(Deviation("a token takes whole microseconds", Fraction(7), Fraction(6_999_958, 10**6), "1/s"))
    'a token takes whole microseconds: 7/s → 6.99996/s'
    """

    text: str
    limiter: Fraction | None = None
    exported: Fraction | None = None
    unit: str = ""

    def __str__(self) -> str:
        """Return words and numbers, with as many digits as tell the numbers apart."""
        numbers = [number for number in (self.limiter, self.exported) if number is not None]
        if not numbers:
            return self.text
        texts = [[_shown(number, self.unit, digits) for number in numbers] for digits in _DIGITS]
        distinct = next((each for each in texts if len(set(each)) == len(each)), texts[0])
        return f"{self.text}: {' → '.join(distinct)}"


FLOATS: Final = Deviation(
    "numbers are floating-point, which can decide otherwise at the very instant of a boundary"
)
MILLISECONDS: Final = Deviation("times are whole milliseconds", exported=Fraction(1, 1000), unit="s")
REJECTED_COSTS: Final = Deviation(
    "a rejected request of a cost above 1 is counted", Fraction(0), Fraction(1), "requests"
)
ONE_SERVER: Final = Deviation("each server counts alone: several admit as many times the limit")


@dataclass(frozen=True, slots=True)
class ExportedConfig:
    """The configuration of a limiter for a server or library.

    Attributes:
        target: the server or library.
        text: the configuration, or the code.
        deviations: in what it differs from the limiter; empty if nothing is known to.
    """

    target: str
    text: str
    deviations: tuple[Deviation, ...]

    def __str__(self) -> str:
        """Return the configuration alone."""
        return self.text


def whole_nanoseconds(rate: Fraction, enforced: Fraction) -> list[Deviation]:
    """Return the deviation of a rate whose interval is rounded down to nanoseconds; none if it is exact."""
    rounded = Deviation("a token takes whole nanoseconds, rounded down", rate, enforced, "1/s")
    return [] if enforced == rate else [rounded]


def _shown(number: Fraction, unit: str, digits: int) -> str:
    if unit == "s":
        return seconds(number) if digits == _DIGITS[0] and number else f"{float(number):.{digits}g} s"
    text = short(number, digits=digits)
    return f"{text}/s" if unit == "1/s" else f"{text} {unit}".strip()
