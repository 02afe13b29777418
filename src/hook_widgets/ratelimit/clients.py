"""How clients share one limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit.inputs import Inputs


@dataclass(frozen=True, slots=True)
class Share:
    """The budget of one client, or of each of several equal ones.

    Attributes:
        name: the client, or ``"each"``.
        count: how many have this budget.
        weight: its weight; 1 when all are equal.
        rate_per_s: requests per second.
        quota: whole requests in the window of the limit, rounded down, so that all together keep it.
        delay_s: time between two calls.
    """

    name: str
    count: int
    weight: Fraction
    rate_per_s: Fraction
    quota: int
    delay_s: Fraction


def shares_of(given: Inputs) -> tuple[Share, ...]:
    """One budget for equal clients, or one for each weight."""
    weights = given.weights or (("each", Fraction(1)),)
    count = 1 if given.weights else given.clients
    total = sum(weight for _, weight in weights) * count
    return tuple(_share(given, name, count, weight, weight / total) for name, weight in weights)


def _share(given: Inputs, name: str, count: int, weight: Fraction, part: Fraction) -> Share:
    own = given.safe_rate * part
    return Share(name, count, weight, own, math.floor(own * given.binding.window_s), 1 / own)
