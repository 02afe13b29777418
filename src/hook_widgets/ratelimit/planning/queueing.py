"""Steady-state waiting times and losses, in closed form or by recurrences without subtraction.

``load`` is the arrival rate divided by the service rate (rho; lambda / mu, or offered erlangs). ``places``
include the request in service. Rates are requests per second, times are seconds or a `datetime.timedelta`.
Other arguments and all results are floats; the recurrences lose no digits, because nothing is subtracted.

Sources: Kleinrock, Queueing Systems vol. 1 (1975), chapters 3 and 5; Brun and Garcia, Analytical solution
of finite capacity M/D/1 queues, J. Appl. Probab. 37 (2000); ITU-D Teletraffic Engineering Handbook,
chapters on Erlang's loss and delay systems and on the single server.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice, repeat

from hook_widgets.errors import InvalidLimit

_MAX_SUM = 1e280  # a larger sum of weights no longer changes the loss in the last digit
_MIN_PROBABILITY = 1e-40  # less likely numbers of arrivals in one service time are ignored
_MIN_WEIGHT = 1e-290  # below this, quotients are no longer exact
_SATURATED_LOAD = 40  # above this load, even two places serve a share of 1/load to the last digit
_CONSTANT_RATIO_FROM = 256  # from this index on, the weights change by a constant factor to the last digit
_MAX_CAPACITY = 100_000
_MAX_PLACES = 1_000_000  # further places change a loss by less than 1e-6


def littles_law(rate_per_s: float, time_s: float | timedelta) -> float:
    """Return the mean number of requests inside: L = lambda W (Little 1961; holds for any queue).

    Args:
        rate_per_s: arriving requests per second.
        time_s: mean time of a request in the system, in seconds.

    >>> littles_law(20, 0.25)
    5.0
    """
    return _non_negative(rate_per_s, "rate_per_s") * _seconds(time_s, "time_s")


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


def mg1_wait_s(rate_per_s: float, mean_s: float | timedelta, variance_s2: float) -> float:
    """Return the mean wait before service of M/G/1: lambda E[S^2] / (2 (1 - rho)) (Pollaczek-Khinchine).

    Service times may have any distribution. The wait is infinite for rho >= 1.

    Args:
        rate_per_s: arriving requests per second (lambda).
        mean_s: mean service time (E[S]), in seconds.
        variance_s2: variance of the service time, in square seconds.
    """
    mean = _seconds(mean_s, "mean_s")
    load = _non_negative(rate_per_s, "rate_per_s") * mean
    second_moment = _non_negative(variance_s2, "variance_s2") + mean**2
    return math.inf if load >= 1 else rate_per_s * second_moment / (2 * (1 - load))


def mm1k_loss(load: float, places: int) -> float:
    """Return the share of requests rejected by M/M/1/K: (1 - rho) rho^K / (1 - rho^(K+1)).

    Computed as 1 / (1 + 1/rho + ... + 1/rho^K), which also holds at rho = 1.

    Args:
        load: arrival rate divided by service rate (rho).
        places: number of places, including the one in service (K).
    """
    load = _non_negative(load, "load")
    blocked = 1.0
    for _ in range(_whole(places, "places", least=1)):
        blocked = load * blocked / (1 + load * blocked)
    return blocked


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
    return max(0.0, number / (load * (1 - lost)) - 1) / service


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


def erlang_b(offered: float, servers: int) -> float:
    """Return the share of requests rejected by a number of servers without a queue (Erlang B, 1917).

    Args:
        offered: offered load in erlangs: the request rate times the mean service time.
        servers: maximum number of requests in flight, for example a concurrency limit.

    >>> round(erlang_b(7, 10), 7)
    0.0787409
    """
    offered = _non_negative(offered, "offered")
    blocked = 1.0
    for busy in range(1, _whole(servers, "servers", least=1) + 1):
        blocked = offered * blocked / (busy + offered * blocked)
    return blocked


def erlang_c(offered: float, servers: int) -> float:
    """Return the share of requests that must wait in M/M/c (Erlang C, 1917); 1 if the offered load is >= c.

    Args:
        offered: offered load in erlangs.
        servers: number of servers (c).

    >>> round(erlang_c(7, 10), 7)
    0.2217312
    """
    blocked = erlang_b(offered, servers)
    if offered >= servers:
        return 1.0
    return blocked / (1 - offered / servers * (1 - blocked))


def mmc_wait_s(rate_per_s: float, time_s: float | timedelta, servers: int) -> float:
    """Return the mean wait before service of M/M/c: C(c, a) / (c mu - lambda), infinite at full load.

    Args:
        rate_per_s: requests per second.
        time_s: mean service time in seconds.
        servers: maximum number of requests in flight.
    """
    offered = littles_law(rate_per_s, time_s)
    waiting = erlang_c(offered, servers)
    return math.inf if offered >= servers else waiting * _seconds(time_s, "time_s") / (servers - offered)


def fixed_window_loss(mean: float, limit: int) -> float:
    """Return the share of Poisson requests that a fixed window rejects: E[(N - L)+] / E[N].

    Args:
        mean: mean number of requests per window.
        limit: requests admitted per window.

    >>> round(fixed_window_loss(100, 100), 6)
    0.039861
    """
    mean = _above_zero(mean, "mean")
    limit = _whole(limit, "limit", least=0)
    excess = 0.0
    count = limit
    while True:
        count += 1
        term = (count - limit) * math.exp(_log_poisson(mean, count))
        excess += term
        if count > mean and term <= excess * 1e-17:
            return min(1.0, excess / mean)


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


def _seconds(value: object, name: str) -> float:
    return _non_negative(value.total_seconds() if isinstance(value, timedelta) else value, name)


def _above_zero(value: object, name: str) -> float:
    number = _non_negative(value, name)
    if number == 0:
        raise InvalidLimit(f"{name} is 0; give a number above 0")
    return number


def _whole(value: object, name: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidLimit(f"{name} is {value!r}; give a whole number of at least {least}")
    return value
