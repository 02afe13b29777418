"""Client code that keeps a limit: the throttle of a plan in a library of the language."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.formatting import count, short
from hook_widgets.ratelimit.planning.scenario import Scenario

_AIOLIMITER: Final = '''\
from aiolimiter import AsyncLimiter

limiter = AsyncLimiter(max_rate={capacity}, time_period={period_s})  # the period in seconds


async def call(send):
    """Wait until the limit admits the call of `send`, an async function."""
    async with limiter:
        return await send()
'''
_SIGNIFICANT_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class CodeSample:
    """Code to copy.

    Attributes:
        title: what the code is for.
        code: the code.
        note: what to know before it is used; may be empty.
    """

    title: str
    code: str
    note: str = ""


def throttle_code(scenario: Scenario) -> CodeSample:
    """Return Python code that throttles calls as the plan of a scenario advises, with aiolimiter.

    `AsyncLimiter(max_rate, time_period)` holds `max_rate` calls and refills as many in `time_period` seconds.
    The period is rounded up, so that the code is never faster than the plan.
    """
    capacity, rate_per_s = int(scenario.planned["capacity"]), scenario.plan.inputs.usable_rate
    period_s = _rounded_up(capacity / rate_per_s)
    clients = scenario.plan.inputs.clients
    note = f"At most {count(capacity, 'call')} at once; as many more in {period_s} s."
    if clients > 1:
        number = short(clients)
        note += (
            f" Use one limiter for all {number} clients: one in each of them admits {number} times as much."
        )
    return CodeSample(
        "Throttle calls in Python (aiolimiter)",
        _AIOLIMITER.format(capacity=capacity, period_s=period_s),
        note,
    )


def _rounded_up(value: Fraction) -> str:
    """Return a number with six significant digits that is not smaller."""
    digits = _SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(value))
    whole = math.ceil(value * Fraction(10) ** digits)
    text = f"{Decimal(whole).scaleb(-digits):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
