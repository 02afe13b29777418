"""What holds in the worst case, whatever the traffic: bursts, backlogs, retries.

Numbers are exact: ints, floats (as the decimal they print), fractions or text go in, fractions come out.

Sources: Le Boudec and Thiran, Network Calculus (2001), section 1.4 for the bounds; ITU-T Rec. I.371
annex A for GCRA.
"""

from __future__ import annotations

import math
from fractions import Fraction

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.quantity import Quantity, duration, number, rate, shown, whole


def most_admitted(capacity: Quantity, rate_per_s: Quantity, span_s: Quantity) -> int:
    """The most requests that a token bucket admits in any closed interval: floor(C + r t).

    >>> most_admitted(10, "100/min", "1 min")
    110
    """
    tokens = number(capacity, "capacity")
    if tokens < 1:
        return 0
    return math.floor(tokens + rate(rate_per_s, "rate_per_s") * duration(span_s, "span_s", positive=False))


def backlog_bound(
    burst: Quantity, service_rate: Quantity, latency_s: Quantity, arrival_rate: Quantity
) -> Fraction:
    """The largest backlog of arrivals b + rho t at a server of rate R that starts late by T: b + rho T.

    Raises:
        InvalidLimit: more arrives than is served in the long run, so that no bound exists.
    """
    late = duration(latency_s, "latency_s", positive=False)
    return number(burst, "burst") + _slower(arrival_rate, service_rate) * late


def delay_bound_s(
    burst: Quantity, service_rate: Quantity, latency_s: Quantity, arrival_rate: Quantity
) -> Fraction:
    """The longest delay of the same: T + b / R seconds.

    Raises:
        InvalidLimit: more arrives than is served in the long run, so that no bound exists.

    >>> delay_bound_s(200, "100/s", "50 ms", "80/s")
    Fraction(41, 20)
    """
    _slower(arrival_rate, service_rate)
    late = duration(latency_s, "latency_s", positive=False)
    return late + number(burst, "burst") / rate(service_rate, "service_rate")


def output_burst(
    burst: Quantity, service_rate: Quantity, latency_s: Quantity, arrival_rate: Quantity
) -> Fraction:
    """The burst that leaves the same server, for the next one in line: b + rho T, as large as the backlog."""
    return backlog_bound(burst, service_rate, latency_s, arrival_rate)


def on_off_capacity(peak_rate: Quantity, refill_rate: Quantity, on_s: Quantity) -> int:
    """The smallest full token bucket that refuses nothing of a burst at a steady peak.

    The n requests of a burst come 1/p apart, the last at (n - 1)/p, and by then r (n - 1)/p tokens have
    come too: C >= n - r (n - 1)/p. For n = p T that is (p - r) T + r/p.

    Args:
        peak_rate: requests per second while the burst lasts (p).
        refill_rate: tokens per second (r).
        on_s: how long the burst lasts (T); it has as many requests as fit, the first at its start.

    >>> on_off_capacity(40, 10, 2)
    61
    """
    peak, refill = rate(peak_rate, "peak_rate"), rate(refill_rate, "refill_rate")
    count = math.ceil(peak * duration(on_s, "on_s"))
    return max(1, math.ceil(count - refill * (count - 1) / peak))


def gcra_burst(interval_s: Quantity, tolerance_s: Quantity, spacing_s: Quantity = 0) -> int:
    """The longest burst that conforms to GCRA(T, tau): 1 + floor(tau / (T - delta)).

    Args:
        interval_s: emission interval (T), one divided by the rate.
        tolerance_s: limit (tau); a token bucket of 1 + tau/T tokens decides the same.
        spacing_s: time between the requests of the burst (delta), shorter than the interval.

    Raises:
        InvalidLimit: the spacing is not shorter than the interval, so that the burst never ends.

    >>> gcra_burst("100 ms", "900 ms")
    10
    """
    interval = duration(interval_s, "interval_s")
    gap = interval - duration(spacing_s, "spacing_s", positive=False)
    if gap <= 0:
        raise InvalidLimit("spacing_s must be shorter than interval_s; at that pace every request conforms")
    return 1 + math.floor(duration(tolerance_s, "tolerance_s", positive=False) / gap)


def retry_amplification(load: Quantity, retries: Quantity) -> float:
    """Requests sent for every one the limit can serve, when every refused one is sent again at once.

    At a fresh load of lambda times the limit and up to n retries each, every attempt is refused with
    p = (1 - 1/lambda)^(1/(n+1)), so that 1/(1 - p) attempts are made for each that passes. What passes
    in the end stays 1/lambda of the fresh requests, however often they are retried. (A mean-field argument:
    attempts that come at the same time are refused alike.)

    Args:
        load: fresh requests divided by the limit.
        retries: the most further attempts after the first.

    Returns:
        Attempts divided by the limit; the load itself when it is at most 1.

    >>> [round(retry_amplification(2, n), 2) for n in (0, 1, 3, 5, 10)]
    [2.0, 3.41, 6.29, 9.17, 16.37]
    """
    fresh, more = number(load, "load"), whole(retries, "retries")
    if fresh <= 1:
        return float(fresh)
    # 1 - p without cancellation, where p is close to 1
    return -1 / math.expm1(math.log1p(-1 / float(fresh)) / (more + 1))


def _slower(arrival_rate: Quantity, service_rate: Quantity) -> Fraction:
    arrivals, service = rate(arrival_rate, "arrival_rate"), rate(service_rate, "service_rate")
    if arrivals > service:
        raise InvalidLimit(
            f"arrival_rate is {shown(arrival_rate)}, above the service_rate of {shown(service_rate)}, so the "
            "backlog grows without end. Slow the arrivals or serve faster."
        )
    return arrivals
