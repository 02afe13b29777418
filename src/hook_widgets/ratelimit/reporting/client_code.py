"""Code that keeps a limit: the throttle of a plan in a library, or in a proxy of all clients."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from importlib.resources import files
from typing import Final

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.configs.api import ExportTarget, export_config
from hook_widgets.ratelimit.formatting import count, rate, seconds, short
from hook_widgets.ratelimit.limiters.buckets import TokenBucket
from hook_widgets.ratelimit.planning.scenario import Scenario

_SIGNIFICANT_DIGITS: Final = 6
_USUAL_RETRIES: Final = 3
_LARGE: Final = 1_000  # calls per second from which whole numbers per second are near enough for nginx


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


def throttle_codes(scenario: Scenario) -> Iterator[CodeSample]:
    """Yield code that throttles calls as the plan of a scenario advises, or a little more.

    The one for nginx rejects calls instead of letting them wait, and is missing if no rate of nginx is near.
    """
    yield throttle_code(scenario)
    if not scenario.inputs.queued:
        yield retry_code(scenario)
    capacity, rate_per_s = int(scenario.planned["capacity"]), scenario.plan.inputs.usable_rate
    window_s = scenario.plan.binding.window_s
    go_rate_per_s = _rounded_down(rate_per_s)
    text = rate(Fraction(go_rate_per_s), window_s=window_s)
    yield CodeSample(
        "Throttle calls in Go (golang.org/x/time/rate)",
        _filled("rate.go", rate_per_s=go_rate_per_s, capacity=capacity),
        f"{text}, at most {count(capacity, 'call')} at once.{_shared(scenario)}",
    )
    per_s = math.floor(rate_per_s) if rate_per_s >= _LARGE else Fraction(math.floor(60 * rate_per_s), 60)
    with suppress(InvalidLimit):
        yield CodeSample(
            "Throttle calls in nginx (limit_req), a proxy that all clients send through",
            export_config(TokenBucket(capacity, per_s), ExportTarget.NGINX).text,
            f"{rate(per_s, window_s=window_s)}, at most {count(capacity, 'call')} at once; it rejects "
            "other calls, so clients have to send them again later.",
        )


def throttle_code(scenario: Scenario) -> CodeSample:
    """Return Python code that throttles calls as the plan of a scenario advises, with aiolimiter.

    `AsyncLimiter(max_rate, time_period)` holds `max_rate` calls and refills as many in `time_period` seconds.
    The period is rounded up, so that the code is never faster than the plan.
    """
    capacity, rate_per_s = int(scenario.planned["capacity"]), scenario.plan.inputs.usable_rate
    period_s = _rounded_up(capacity / rate_per_s)
    again = f"as many more in {seconds(Fraction(period_s))}"
    return CodeSample(
        "Throttle calls in Python (aiolimiter)",
        _filled("aiolimiter.py", capacity=capacity, period_s=period_s),
        f"At most {count(capacity, 'call')} at once; {again}.{_shared(scenario)}",
    )


def retry_code(scenario: Scenario) -> CodeSample:
    """Return Python code that sends rejected calls again, within a plan's retries and timeout: tenacity.

    It waits as long as Retry-After says, and then for one to two intervals of the budget of a client, at
    random. It keeps no rate: tenacity knows the attempts of one call, not the calls before.
    """
    inputs = scenario.plan.inputs
    retries = _USUAL_RETRIES if inputs.retries is None else inputs.retries
    pace_s = max(budget.delay_s for budget in scenario.plan.budgets)
    stop, imports = f"stop_after_attempt({retries + 1})", ""
    if inputs.timeout_s is not None:
        stop, imports = (
            f"{stop} | stop_before_delay({_rounded_down(inputs.timeout_s)})",
            ", stop_before_delay",
        )
    return CodeSample(
        "Send rejected calls again in Python (tenacity)",
        _filled(
            "tenacity.py",
            imports=imports,
            stop=stop,
            least_s=_rounded_up(pace_s),
            most_s=_rounded_up(2 * pace_s),
        ),
        f"Up to {count(retries, 'retry', 'retries')}; it waits for Retry-After and then {seconds(pace_s)} or "
        "more. It keeps no rate: tenacity knows the attempts of one call only, so throttle the calls, too.",
    )


def _filled(template: str, **values: object) -> str:
    text = (files(__package__) / "templates" / f"{template}.txt").read_text(encoding="utf-8")
    return text.format(**values)


def _shared(scenario: Scenario) -> str:
    number = short(scenario.plan.inputs.clients)
    if number == "1":
        return ""
    return f" Use one limiter for all {number} clients: one in each of them admits {number} times as much."


def _rounded_up(value: Fraction) -> str:
    """Return a number with six significant digits that is not smaller."""
    return _rounded(value, ROUND_CEILING)


def _rounded_down(value: Fraction) -> str:
    """Return a number with six significant digits that is not larger."""
    return _rounded(value, ROUND_FLOOR)


def _rounded(value: Fraction, rounding: str) -> str:
    context = Context(prec=_SIGNIFICANT_DIGITS, rounding=rounding)
    text = f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
