"""Divide one limit among its clients."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit.planning.inputs import PlanInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientBudget:
    """The budget of one client, or of each of several equal clients.

    Attributes:
        name: the client, or ``"each"``.
        count: number of clients with this budget.
        weight: the client's weight; 1 if all are equal.
        rate_per_s: requests per second.
        quota: requests per window of the limit, rounded down so that the sum stays within the limit.
        delay_s: seconds between two calls.
    """

    name: str
    count: int
    weight: Fraction
    rate_per_s: Fraction
    quota: int
    delay_s: Fraction


def client_budgets(inputs: PlanInputs) -> tuple[ClientBudget, ...]:
    """Return one budget for all equal clients, or one per weight."""
    weights = inputs.weights or (("each", Fraction(1)),)
    count = 1 if inputs.weights else inputs.clients
    of_one_per_s = inputs.usable_rate / (sum(weight for _, weight in weights) * count)
    return tuple(
        ClientBudget(
            name=name,
            count=count,
            weight=weight,
            rate_per_s=weight * of_one_per_s,
            quota=math.floor(weight * of_one_per_s * inputs.binding.window_s),
            delay_s=1 / (weight * of_one_per_s),
        )
        for name, weight in weights
    )
