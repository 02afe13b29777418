"""The records `Metric` (one figure of a plan) and `PublishedLimit` (one published limit)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from hook_widgets.ratelimit.formatting import count, percent, seconds
from hook_widgets.ratelimit.formatting import rate as format_rate
from hook_widgets.ratelimit.planning.levels import LEVELS, split_level
from hook_widgets.ratelimit.units import Quantity, check_plausible, quota_and_window

Value = int | float | Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of a plan, with its formula, inputs and source.

    Attributes:
        name: the identifier, such as ``"safe_rate"``.
        title: the display name.
        value: the figure, exact where possible; ``math.inf`` if unbounded.
        unit: ``"requests"``, ``"1/s"``, ``"s"``, ``"share"`` (of one), ``"least share"`` (a lower bound),
            ``"tokens"``, ``"times"``.
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


_FORMATTERS: Mapping[str, Callable[[Value], str]] = {
    "1/s": format_rate,
    "s": seconds,
    "share": percent,
    "least share": lambda share: f"at least {percent(share, down=True)}",
}


@dataclass(frozen=True, kw_only=True)  # no slots, for the rates that are computed once
class PublishedLimit:
    """A published limit: a number of requests per window, of all requests or of each user, IP or endpoint.

    Attributes:
        name: the display name, or empty.
        quota: requests per window; of each one, if the limit is kept for each.
        window_s: the window in seconds.
        per: ``"user"``, ``"ip"`` or ``"endpoint"`` if the limit is kept for each of them, or empty.
        keys: how many of them there are.
        share: the share of the traffic that the busiest of them has.
    """

    name: str
    quota: Fraction
    window_s: Fraction
    per: str = ""
    keys: int = 1
    share: Fraction = Fraction(1)

    @cached_property
    def rate_per_s(self) -> Fraction:
        """Requests per second of the whole traffic that the limit sustains."""
        return self.rate_of_one_per_s / self.share

    @cached_property
    def rate_of_one_per_s(self) -> Fraction:
        """Requests per second of each user, IP or endpoint that the limit sustains."""
        return self.quota / self.window_s

    @property
    def whole_quota(self) -> Fraction:
        """Requests of the whole traffic per window that use up the quota of the busiest."""
        return self.quota / self.share

    @property
    def level(self) -> str:
        """The level in words, such as ``" per user"``; empty for all requests."""
        return f" per {LEVELS[self.per]}" if self.per else ""

    @property
    def is_even(self) -> bool:
        """True if none of the users, IPs or endpoints has more of the traffic than the others."""
        return self.share * self.keys == 1

    def rejected(self, rate_per_s: Fraction) -> Fraction:
        """Return the share of even traffic that is rejected in the long run.

        Args:
            rate_per_s: requests per second of all users, IPs or endpoints together.
        """
        limit = self.rate_of_one_per_s
        busiest = max(rate_per_s * self.share - limit, Fraction(0))
        others = rate_per_s * (1 - self.share) - limit * (self.keys - 1)
        return (busiest + max(others, Fraction(0))) / rate_per_s

    @classmethod
    def of(cls, name: str, limit: Quantity) -> PublishedLimit:
        """Parse a limit such as ``"190/10 s"`` or ``"100/min per user"``; a plain number means per second.

        Args:
            name: the display name, or empty.
            limit: the limit, as a number or text.

        Raises:
            InvalidLimit: the value cannot be parsed as a rate.

        >>> PublishedLimit.of("burst", "190/10 s").window_s, PublishedLimit.of("", 0.5).window_s
        (Fraction(10, 1), Fraction(2, 1))
        >>> PublishedLimit.of("", "100/min per user").per
        'user'
        """
        label = f"the limit {name!r}" if name else "limit"
        per = ""
        if isinstance(limit, str):
            limit, per = split_level(limit)
        quota, window = quota_and_window(limit, label)
        per_s = quota / window
        check_plausible(per_s, limit, label)
        check_plausible(window, limit, label)
        if per_s * window < 1:
            window = 1 / per_s  # half a request per second becomes one request in two seconds
        return cls(name=name, quota=per_s * window, window_s=window, per=per)
