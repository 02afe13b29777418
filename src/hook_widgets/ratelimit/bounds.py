"""What holds in the worst case: the burst that a bucket must take, and what retries add.

Numbers are exact: ints, floats (as the decimal they print), fractions or text go in. The most that a limiter
admits is told by `hook_widgets.ratelimit.Limiter.most_in`.
"""

from __future__ import annotations

import math

from hook_widgets.ratelimit.quantity import Quantity, duration, number, rate, whole


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
