"""The records `Metric` (one figure of a plan) and `PublishedLimit` (one published limit)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from hook_widgets.ratelimit.formatting import count, percent, seconds
from hook_widgets.ratelimit.formatting import rate as format_rate
from hook_widgets.ratelimit.units import Quantity, check_plausible, duration, rate

Value = int | float | Fraction
_NUMBERED = re.compile(r"\s*[0-9.]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of a plan, with its formula, inputs and source.

    Attributes:
        name: the identifier, such as ``"safe_rate"``.
        title: the display name.
        value: the figure, exact where possible; ``math.inf`` if unbounded.
        unit: ``"requests"``, ``"1/s"``, ``"s"``, ``"share"`` (of one), ``"tokens"``, ``"times"``.
        formula: an expression in the names of `inputs`.
        inputs: the input values of the formula, by name.
        source: the publication or rule behind the formula.
    """

    name: str
    title: str
    value: Value
    unit: str
    formula: str
    inputs: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    source: str = ""

    @property
    def text(self) -> str:
        """The figure with its unit, formatted for display.

        >>> Metric(name="safe_rate", title="", value=Fraction(850, 3600), unit="1/s", formula="").text
        '850/h'
        """
        if isinstance(self.value, float) and math.isinf(self.value):
            return "no bucket is enough" if self.unit == "tokens" else "without end"
        formatter = _FORMATTERS.get(self.unit)
        return formatter(self.value) if formatter else count(self.value, self.unit.removesuffix("s"))


_FORMATTERS: Mapping[str, Callable[[Value], str]] = {"1/s": format_rate, "s": seconds, "share": percent}


@dataclass(frozen=True, slots=True)
class PublishedLimit:
    """A published limit: a number of requests per window.

    Attributes:
        name: the display name, or empty.
        quota: requests per window.
        window_s: the window in seconds.
    """

    name: str
    quota: Fraction
    window_s: Fraction

    @property
    def rate_per_s(self) -> Fraction:
        """Sustained requests per second."""
        return self.quota / self.window_s

    @classmethod
    def of(cls, name: str, limit: Quantity) -> PublishedLimit:
        """Parse a limit such as ``"190/10 s"``; a plain number means requests per second.

        Args:
            name: the display name, or empty.
            limit: the limit, as a number or text.

        Raises:
            InvalidLimit: the value cannot be parsed as a rate.

        >>> PublishedLimit.of("burst", "190/10 s").window_s, PublishedLimit.of("", 0.5).window_s
        (Fraction(10, 1), Fraction(2, 1))
        """
        label = f"the limit {name!r}" if name else "limit"
        per_s = rate(limit, label)
        window = Fraction(1)
        _, *spans = re.split(r"/|\bper\b", limit, maxsplit=1) if isinstance(limit, str) else [""]
        for span in spans:
            window = duration(span if _NUMBERED.match(span) else f"1 {span}", label)
        check_plausible(per_s, limit, label)
        check_plausible(window, limit, label)
        if per_s * window < 1:
            window = 1 / per_s  # half a request per second becomes one request in two seconds
        return cls(name, per_s * window, window)
