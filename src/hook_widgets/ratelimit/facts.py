"""The records that a plan is made of."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from hook_widgets.ratelimit.quantity import Quantity, duration, rate, usual
from hook_widgets.ratelimit.wording import count, percent, seconds
from hook_widgets.ratelimit.wording import rate as worded_rate

Value = int | float | Fraction
_NUMBERED = re.compile(r"\s*[0-9.]")


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure of a plan, with everything needed to check it.

    Attributes:
        name: its name in code, such as ``"safe_rate"``.
        title: its name for people.
        value: the figure, exact where it can be; ``math.inf`` where there is no end.
        unit: ``"requests"``, ``"1/s"``, ``"s"``, ``"share"`` (of one), ``"tokens"``, ``"times"``.
        formula: how it is computed, in the names of `inputs`.
        inputs: the numbers put in.
        source: who says so.
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
        """The figure in words.

        >>> Fact("safe_rate", "Safe rate", Fraction(850, 3600), "1/s", "").text
        '850/h'
        """
        if isinstance(self.value, float) and math.isinf(self.value):
            return "no bucket is enough" if self.unit == "tokens" else "without end"
        worded = _WORDS.get(self.unit)
        return worded(self.value) if worded else count(self.value, self.unit.removesuffix("s"))


_WORDS: Mapping[str, Callable[[Value], str]] = {"1/s": worded_rate, "s": seconds, "share": percent}


@dataclass(frozen=True, slots=True)
class Limit:
    """So many requests in a window.

    Attributes:
        name: what people call it, or empty.
        quota: requests a window.
        window_s: the window in seconds.
    """

    name: str
    quota: Fraction
    window_s: Fraction

    @property
    def rate_per_s(self) -> Fraction:
        """Requests a second in the long run."""
        return self.quota / self.window_s

    @classmethod
    def of(cls, name: str, limit: Quantity) -> Limit:
        """The limit as written; a plain number is a second's.

        Raises:
            InvalidLimit: it cannot be read as a rate.

        >>> Limit.of("burst", "190/10 s").window_s, Limit.of("", 0.5).window_s
        (Fraction(10, 1), Fraction(2, 1))
        """
        what = f"the limit {name!r}" if name else "limit"
        per_s = rate(limit, what)
        window = Fraction(1)
        _, *spans = re.split(r"/|\bper\b", limit, maxsplit=1) if isinstance(limit, str) else [""]
        for span in spans:
            window = duration(span if _NUMBERED.match(span) else f"1 {span}", what)
        usual(per_s, limit, what)
        usual(window, limit, what)
        if per_s * window < 1:
            window = 1 / per_s  # half a request a second is one in two seconds
        return cls(name, per_s * window, window)
