"""Worst-case bounds: the bucket that a burst needs, and the load that retries add.

Arguments are exact numbers: ints, floats (as the decimal that they print), fractions or text. For the maximum
number of requests that a limiter admits in a window, see `hook_widgets.ratelimit.Limiter.max_admitted`.
"""

from __future__ import annotations

import math

from hook_widgets.ratelimit.units import Duration, Quantity, duration, number, rate, whole


def on_off_capacity(peak_rate: Quantity, refill_rate: Quantity, on_s: Duration) -> int:
    """Return the smallest capacity of a full token bucket that rejects nothing of a constant-rate burst.

    The n requests of the burst arrive 1/p apart, the last at (n - 1)/p. Until then r (n - 1)/p tokens are
    refilled, so C >= n - r (n - 1)/p. For n = p T that is (p - r) T + r/p.

    Args:
        peak_rate: requests per second during the burst (p).
        refill_rate: tokens per second (r).
        on_s: duration of the burst (T); the burst starts with a request and has as many as fit.

    >>> on_off_capacity(40, 10, 2)
    61
    """
    peak, refill = rate(peak_rate, "peak_rate"), rate(refill_rate, "refill_rate")
    count = math.ceil(peak * duration(on_s, "on_s"))
    return max(1, math.ceil(count - refill * (count - 1) / peak))


def on_off_rejected(peak_rate: Quantity, refill_rate: Quantity, on_s: Duration, capacity: Quantity) -> int:
    """Return how many requests of a constant-rate burst a full token bucket rejects.

    Every token that is missing costs one request. A bucket of one token also loses what would be refilled
    beyond it: it admits every ceil(p/r)-th request.

    Args:
        peak_rate: requests per second during the burst (p).
        refill_rate: tokens per second (r).
        on_s: duration of the burst; the burst starts with a request and has as many as fit.
        capacity: tokens of the bucket.

    >>> on_off_rejected(40, 10, 2, 61), on_off_rejected(40, 10, 2, 60), on_off_rejected(15, 4.25, 2, 1)
    (0, 1, 22)
    """
    peak, refill = rate(peak_rate, "peak_rate"), rate(refill_rate, "refill_rate")
    tokens = whole(capacity, "capacity")
    if tokens == 1 and peak > refill:
        count = math.ceil(peak * duration(on_s, "on_s"))
        return count - math.ceil(count / math.ceil(peak / refill))
    return max(0, on_off_capacity(peak_rate, refill_rate, on_s) - tokens)


def retry_amplification(load: Quantity, retries: Quantity) -> float:
    """Return the attempts per request that the limit can serve if rejected requests are retried at once.

    With a fresh load of lambda times the limit and up to n retries each, every attempt is rejected with
    probability p = (1 - 1/lambda)^(1/(n+1)), so 1/(1 - p) attempts are made for each success. The share of
    fresh requests that succeed in the end is 1/lambda, regardless of the number of retries. (This is a
    mean-field argument: simultaneous attempts are equally likely to be rejected.)

    Args:
        load: fresh requests divided by the limit.
        retries: maximum number of further attempts after the first.

    Returns:
        Attempts divided by the limit; the load itself if it is at most 1.

    >>> [round(retry_amplification(2, n), 2) for n in (0, 1, 3, 5, 10)]
    [2.0, 3.41, 6.29, 9.17, 16.37]
    """
    fresh, more = number(load, "load"), whole(retries, "retries")
    if fresh <= 1:
        return float(fresh)
    # 1 - p without cancellation, where p is close to 1
    return -1 / math.expm1(math.log1p(-1 / float(fresh)) / (more + 1))
