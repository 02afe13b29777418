"""Steady-state waiting times and losses, in closed form or by recurrences without subtraction.

``load`` is the arrival rate divided by the service rate (rho; lambda / mu, or offered erlangs). ``places``
include the request in service. Rates are requests per second, times are seconds.
Other arguments and all results are floats; the recurrences lose no digits, because nothing is subtracted.

Sources: Kleinrock, Queueing Systems vol. 1 (1975), chapters 3 and 5; Brun and Garcia, Analytical solution
of finite capacity M/D/1 queues, J. Appl. Probab. 37 (2000); ITU-D Teletraffic Engineering Handbook,
chapter on the single server.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice, repeat

from hook_widgets.errors import InvalidLimit

_OVERLOAD = 1e8  # above this load, the share that is not lost has no digits left
_MAX_SUM = 1e280  # a larger sum of weights no longer changes the loss in the last digit
_MIN_PROBABILITY = 1e-40  # less likely numbers of arrivals in one service time are ignored
_MIN_WEIGHT = 1e-290  # below this, quotients are no longer exact
_SATURATED_LOAD = 40  # above this load, even two places serve a share of 1/load to the last digit
_CONSTANT_RATIO_FROM = 256  # from this index on, the weights change by a constant factor to the last digit
_MAX_CAPACITY = 100_000
_MAX_PLACES = 1_000_000  # further places change a loss by less than 1e-6


def mm1_wait_s(rate_per_s: float, service_rate_per_s: float) -> float:
    """Return the mean wait before service of M/M/1: Wq = rho / (mu - lambda), infinite for rho >= 1.

    Service times are exponentially distributed.

    Args:
        rate_per_s: arriving requests per second (lambda).
        service_rate_per_s: requests served per second (mu).

    >>> mm1_wait_s(0.8, 1) == 2 * md1_wait_s(0.8, 1)
    True
    """
    return 2 * md1_wait_s(rate_per_s, service_rate_per_s)


def md1_wait_s(rate_per_s: float, service_rate_per_s: float) -> float:
    """Return the mean wait before service of M/D/1: Wq = rho / (2 mu (1 - rho)) (Pollaczek-Khinchine).

    This is a queue drained at a constant rate under Poisson arrivals. The wait is infinite for rho >= 1.

    Args:
        rate_per_s: arriving requests per second (lambda).
        service_rate_per_s: requests served per second (mu).

    >>> round(md1_wait_s(9, 10), 9)
    0.45
    """
    service = _above_zero(service_rate_per_s, "service_rate_per_s")
    load = _non_negative(rate_per_s, "rate_per_s") / service
    return math.inf if load >= 1 else load / (2 * service * (1 - load))


def md1c_loss(load: float, places: int) -> float:
    """Return the share of requests rejected by a finite queue with constant service times (M/D/1/C).

    A token bucket with a capacity of `places` rejects the same share of Poisson arrivals at `load` times its
    refill rate.

    Method: let q(n) be the weight of the state in which a departure leaves n requests behind, with q(0) = 1.
    The loss is (1 - (1 - rho) S) / (1 + rho S), S = q(0) + ... + q(C - 1). The weights follow from the
    balance of steps up and down across each level, so all terms are positive. Where 1 - (1 - rho) S would
    cancel, the tail of the weights is summed instead.

    >>> round(md1c_loss(0.9, 10), 7), round(md1c_loss(2, 5), 6)
    (0.0166317, 0.500253)
    """
    load = _non_negative(load, "load")
    if load == 0:
        return 0.0
    weights = _weights(load)
    inside = 0.0
    for weight in islice(weights, min(_whole(places, "places", least=1), _MAX_PLACES)):
        inside += weight
        if inside > _MAX_SUM:
            return 1 - 1 / load
        if weight < _MIN_WEIGHT:
            return 0.0
    return _loss(load, inside, weights)


def md1c_wait_s(rate_per_s: float, service_rate_per_s: float, places: int) -> float:
    """Return the mean wait before service of the requests admitted by a finite queue (M/D/1/C).

    Computed by Little's law from the mean number inside, the sum of n p(n), with the weights of `md1c_loss`.

    Args:
        rate_per_s: arriving requests per second (lambda).
        service_rate_per_s: requests served per second (mu).
        places: number of places, including the one in service (C).

    >>> round(md1c_wait_s(0.8, 1, 5), 4), round(md1c_wait_s(0.8, 1, 500), 4)
    (1.2097, 2.0)
    """
    service = _above_zero(service_rate_per_s, "service_rate_per_s")
    load = _non_negative(rate_per_s, "rate_per_s") / service
    lost = md1c_loss(load, places)
    if load == 0:
        return 0.0
    inside = moment = 0.0
    left_behind = 0.0
    for n, weight in enumerate(islice(_weights(load), min(places, _MAX_PLACES))):
        inside += weight
        moment += n * weight
        left_behind = moment / inside if inside < math.inf else n
        if inside > _MAX_SUM:  # only the last few levels matter, and their distance from the top is constant
            left_behind += places - 1 - n
            break
        if weight < _MIN_WEIGHT:  # higher levels are practically never reached
            break
    else:
        if places > _MAX_PLACES:  # this close to full load, all levels are about equally frequent
            longest = md1_wait_s(load, 1) * load + load if load < 1 else math.inf
            left_behind = min(left_behind * places / _MAX_PLACES, longest)
            lost *= _MAX_PLACES / places
    number = left_behind * (1 - lost) + places * lost
    served = load * (1 - lost) if load < _OVERLOAD else 1.0
    return max(0.0, number / served - 1) / service


def smallest_capacity(load: float, loss: float) -> int | None:
    """Return the capacity of the smallest token bucket that rejects at most a share of Poisson traffic.

    Args:
        load: traffic divided by the refill rate.
        loss: the acceptable share of rejected requests, between 0 and 1.

    Returns:
        Tokens, or None if no bucket suffices (at a load above 1 at least 1 - 1/load is rejected), or only one
        of more than 100,000 tokens.

    >>> smallest_capacity(0.9, 0.01), smallest_capacity(1.2, 0.01)
    (13, None)
    """
    load = _non_negative(load, "load")
    if not 0 < loss < 1:
        raise InvalidLimit(f"loss is {loss}; give a share between 0 and 1, such as 0.01")
    if load > 1 and loss <= (1 - 1 / load) * (1 + 1e-12):
        return None
    inside = 0.0
    for capacity, weight in enumerate(_weights(load), 1):
        inside += weight
        if inside > _MAX_SUM:
            return capacity
        # The simple formula suffices to skip most capacities; md1c_loss decides near the boundary.
        rough = (1 - (1 - load) * inside) / (1 + load * inside)
        if rough <= loss * (1 + 1e-6) + 1e-9 and md1c_loss(load, capacity) <= loss:
            return capacity
        if capacity == _MAX_CAPACITY:
            return None
    return None


def _weights(load: float) -> Iterator[float]:
    # Steps up across level n: from state 0 with n+1 or more arrivals in a service time, from k with n-k+2 or
    # more. Steps down to n: from n+1 without an arrival. Both are equally frequent.
    if load > _SATURATED_LOAD:
        yield 1.0
        yield from repeat(math.inf)
    at_least = [-math.expm1(-load)]
    while at_least[-1] > _MIN_PROBABILITY:
        at_least.append(_poisson_at_least(load, len(at_least) + 1))
    none = math.exp(-load)
    weights = [1.0]
    yield 1.0
    for n in range(_CONSTANT_RATIO_FROM):
        up = at_least[n] if n < len(at_least) else 0.0
        max_step = min(n, len(at_least) - 1)
        for step in range(1, max_step + 1):
            up += weights[n + 1 - step] * at_least[step]
        weights.append(up / none)
        yield weights[-1]
    last, ratio = weights[-1], weights[-1] / weights[-2] if weights[-2] > _MIN_WEIGHT else 0.0
    while True:
        last *= ratio
        yield last


def _loss(load: float, inside: float, rest: Iterator[float]) -> float:
    outside = 1 - (1 - load) * inside
    if load < 1 and outside < 1e-3:
        # After some terms the weights fall by a constant factor, so the rest is a geometric series.
        tail = list(islice(rest, 65))
        ratio = tail[-1] / tail[-2] if tail[-2] > _MIN_WEIGHT else 0.0
        outside = (1 - load) * (sum(tail) + tail[-1] * ratio / (1 - ratio))
    return outside / (1 + load * inside)


def _log_poisson(mean: float, count: int) -> float:
    return count * math.log(mean) - mean - math.lgamma(count + 1)


def _poisson_at_least(mean: float, count: int) -> float:
    if count <= mean:
        return 1 - sum(math.exp(_log_poisson(mean, k)) for k in range(count))
    term = math.exp(_log_poisson(mean, count))
    total = 0.0
    while term > total * 1e-18:
        total += term
        count += 1
        term *= mean / count
    return total


def _non_negative(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InvalidLimit(f"{name} is {value!r}; give a finite number of at least 0")
    return float(value)


def _above_zero(value: object, name: str) -> float:
    number = _non_negative(value, name)
    if number == 0:
        raise InvalidLimit(f"{name} is 0; give a number above 0")
    return number


def _whole(value: object, name: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidLimit(f"{name} is {value!r}; give a whole number of at least {least}")
    return value
