"""Calls in flight: what a throttle and a burst may send to an API that limits them, and what to say of it.

A throttle of C tokens, refilled at r, starts at most C + ceil(r L) - 1 requests in less than L, so as many
are in flight if each takes L. An even burst of p requests per second meets M free places every ceil(p L)
requests. A published concurrency counts at the same moment, too, if the latency is not known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from hook_widgets.ratelimit.formatting import count, seconds, short
from hook_widgets.ratelimit.planning.advice.claims import Advice, Claim, ClaimKind, action, claim, reason
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.metrics import Value
from hook_widgets.ratelimit.units import NS_PER_S


def capacity_in_flight(inputs: PlanInputs) -> Value:
    """Return the largest throttle whose calls the API's concurrency never rejects; infinity without one."""
    most = _limit(inputs)
    return math.inf if most is None else most + 1 - _refilled(inputs)


def most_in_flight(inputs: PlanInputs, capacity: int) -> int:
    """Return how many calls of a throttle are in flight at once, at most."""
    return capacity - 1 + _refilled(inputs)


def burst_rejected_in_flight(inputs: PlanInputs) -> int:
    """Return how many requests of the burst, with steady traffic in it, the API's concurrency rejects."""
    peak, most = inputs.peak_rate, inputs.in_flight
    if most is None:
        return 0
    if peak is None:
        return max(0, (inputs.burst or 0) - most)
    requests, cycle = inputs.burst_requests, math.ceil(peak * _latency_s(inputs))
    cycles, rest = divmod(requests, cycle)
    return requests - cycles * min(cycle, most) - min(rest, most)


def burst_claim_in_flight(inputs: PlanInputs, rejected: int) -> tuple[Claim, ...]:
    """Return what is claimed of the burst at the API's concurrency; nothing without one."""
    if inputs.in_flight is None:
        return ()
    calls: dict[str, Value] = {"calls": inputs.in_flight, "latency_s": _latency_s(inputs)}
    return (claim(ClaimKind.BURST_IN_FLIGHT, requests=rejected, **calls),)


def if_quick(inputs: PlanInputs, capacity: int) -> Iterator[str]:
    """Yield the condition on the latency under which a throttle is enough; nothing without a concurrency."""
    most = _limit(inputs)
    if most is not None:
        latency_s = inputs.latency_s or rounded_down((most + 1 - capacity) / inputs.usable_rate)
        yield f"no call takes longer than {seconds(latency_s)}"


def cap(inputs: PlanInputs) -> str:
    """Return the sentence that also protects slower calls; empty without a concurrency."""
    most = _limit(inputs)
    if most is None:
        return ""
    share = math.floor(most / inputs.clients)
    each = f" ({short(share)} per client)" if inputs.clients > 1 and share and not inputs.weights else ""
    return f" In case some take longer, also cap the calls in flight at {short(most)}{each}."


def concurrency_sentences(inputs: PlanInputs, rate: Callable[..., str]) -> Iterator[Advice]:
    """Yield sentences on what calls in flight allow, of the API and of our clients; `rate` formats a rate."""
    safe, api = inputs.safe_rate, inputs.api_concurrency_rate
    if inputs.latency_s is None:
        return
    most = safe if api is None else min(safe, api)
    latency, scope = seconds(inputs.latency_s), " per client" if inputs.clients > 1 else ""
    scope = " for the largest client" if inputs.weights else scope
    largest_per_s = most * inputs.largest_share
    number = max(1, math.ceil(largest_per_s * inputs.latency_s))
    needed = f"{count(number, 'call')} in flight{scope}"
    call: dict[str, Value] = {"latency_s": inputs.latency_s, "rate_per_s": largest_per_s}
    enough = claim(ClaimKind.CONCURRENCY_ENOUGH, calls=number, **call)
    if most < safe and inputs.in_flight is not None:
        yield action(
            f"Plan for {rate(inputs.usable_rate)}: the API's limit of "
            f"{count(inputs.in_flight, 'request')} in flight allows at most "
            f"{rate(most)} at {latency} a call.",
            claim(
                ClaimKind.CONCURRENCY_SHORT,
                calls=inputs.in_flight,
                latency_s=inputs.latency_s,
                rate_per_s=safe,
            ),
        )
    own = inputs.concurrency_rate
    if own is None or inputs.concurrency is None:
        suffices = "is enough" if number == 1 else "are enough"
        yield reason(
            f"At {latency} a call, {needed} {suffices} for {'the safe' if most == safe else 'that'} rate "
            "(Little's law).",
            enough,
        )
    elif own < most:
        calls = f"{count(inputs.concurrency, 'call')} in flight{' per client' if inputs.clients > 1 else ''}"
        verb = "allows" if inputs.concurrency == 1 else "allow"
        yield action(
            f"Allow {needed}: concurrency binds before the limit, and {calls} at {latency} {verb} "
            f"{rate(own)}.",
            enough,
            claim(ClaimKind.CONCURRENCY_SHORT, calls=inputs.concurrency, **call),
        )
    elif most == safe:
        yield reason(
            f"The limit binds, not concurrency: at {latency} a call, {needed} would do, and "
            f"{inputs.concurrency} could send {rate(own)}.",
            enough,
        )


def rounded_down(value: Fraction) -> Fraction:
    """Return a number with its first two digits.

    >>> rounded_down(Fraction(847, 1000))
    Fraction(21, 25)
    """
    last = Fraction(10) ** (math.floor(math.log10(value)) - 1)
    return value // last * last


def shortest_latency_s(inputs: PlanInputs) -> Fraction:
    """Return the latency; the shortest one if it is not known."""
    return inputs.latency_s or Fraction(1, NS_PER_S)


def _limit(inputs: PlanInputs) -> int | None:
    return inputs.in_flight or inputs.uncounted_in_flight


def _refilled(inputs: PlanInputs) -> int:
    return math.ceil(inputs.usable_rate * shortest_latency_s(inputs))


def _latency_s(inputs: PlanInputs) -> Fraction:
    assert inputs.latency_s is not None  # `PlanInputs.of` rejects a concurrency without a latency
    return inputs.latency_s
