"""Waiting and loss in steady state, in closed form or by recurrences that only add.

Words: ``load`` is what arrives divided by what can be served (rho; lambda / mu, or offered erlangs),
``places`` count the request in service. Rates are requests per second, times are seconds. Floats in and
out; the recurrences lose no digits, because nothing is subtracted.

Sources: Kleinrock, Queueing Systems vol. 1 (1975), chapters 3 and 5; Brun and Garcia, Analytical solution
of finite capacity M/D/1 queues, J. Appl. Probab. 37 (2000); ITU-D Teletraffic Engineering Handbook,
chapters on Erlang's loss and delay systems and on the single server.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice, repeat

from hook_widgets.errors import InvalidLimit

_ENOUGH = 1e280  # a sum of weights this large has decided the loss to the last digit
_NOTHING = 1e-40  # more arrivals in one service time than this likely do not count
_VANISHED = 1e-290  # below this, quotients are no longer exact
_FLOODED = 40  # at a load above this two places lose all but 1/load, to the last digit
_SETTLED = 256  # from here on the weights change by a constant factor, to the last digit
_LONGEST_SEARCH = 100_000
_FAR = 1_000_000  # places beyond these change a loss by less than 1e-6


def little(rate_per_s: float, time_s: float) -> float:
    """How many requests are inside on average: L = lambda W (Little 1961; holds for any queue).

    Args:
        rate_per_s: requests that come in a second.
        time_s: mean time that one stays, in seconds.

    >>> little(20, 0.25)
    5.0
    """
    return _positive(rate_per_s, "rate_per_s") * _positive(time_s, "time_s")


def mm1_wait_s(rate_per_s: float, service_rate_per_s: float) -> float:
    """Mean wait before service, random service times: Wq = rho / (mu - lambda); endless from rho = 1 on.

    Args:
        rate_per_s: requests that come in a second (lambda).
        service_rate_per_s: requests served in a second (mu).

    >>> mm1_wait_s(0.8, 1) == 2 * md1_wait_s(0.8, 1)
    True
    """
    return 2 * md1_wait_s(rate_per_s, service_rate_per_s)


def md1_wait_s(rate_per_s: float, service_rate_per_s: float) -> float:
    """Mean wait before service, service times all 1 / mu: Wq = rho / (2 mu (1 - rho)) (Pollaczek-Khinchine).

    This is a queue drained at a constant rate under Poisson arrivals; endless from rho = 1 on.

    Args:
        rate_per_s: requests that come in a second (lambda).
        service_rate_per_s: requests served in a second (mu).

    >>> round(md1_wait_s(9, 10), 9)
    0.45
    """
    service = _above_zero(service_rate_per_s, "service_rate_per_s")
    load = _positive(rate_per_s, "rate_per_s") / service
    return math.inf if load >= 1 else load / (2 * service * (1 - load))


def mg1_wait_s(rate_per_s: float, mean_s: float, variance_s2: float) -> float:
    """Mean wait before service, any service times: lambda E[S^2] / (2 (1 - rho)) (Pollaczek-Khinchine).

    Args:
        rate_per_s: requests that come in a second (lambda).
        mean_s: mean service time (E[S]), in seconds.
        variance_s2: variance of the service time, in square seconds.
    """
    load = _positive(rate_per_s, "rate_per_s") * _positive(mean_s, "mean_s")
    second_moment = _positive(variance_s2, "variance_s2") + mean_s**2
    return math.inf if load >= 1 else rate_per_s * second_moment / (2 * (1 - load))


def mm1k_loss(load: float, places: int) -> float:
    """Share of requests refused, random service times: (1 - rho) rho^K / (1 - rho^(K+1)).

    Computed as 1 / (1 + 1/rho + ... + 1/rho^K), which also holds at rho = 1.

    Args:
        load: what arrives divided by what can be served (rho).
        places: the one in service included (K).
    """
    load = _positive(load, "load")
    blocked = 1.0
    for _ in range(_whole(places, "places", least=1)):
        blocked = load * blocked / (1 + load * blocked)
    return blocked


def md1c_loss(load: float, places: int) -> float:
    """Share of requests refused by a queue of so many places with constant service times (M/D/1/C).

    The same as the share that a token bucket of this capacity refuses when requests arrive at random
    (Poisson) at `load` times its refill rate.

    Method: with q(n) the weight of n requests left behind by a departure, q(0) = 1, the loss is
    (1 - (1 - rho) S) / (1 + rho S), S = q(0) + ... + q(C - 1). The weights follow from the balance of
    steps up and down across each level, so all terms are positive. Where 1 - (1 - rho) S would cancel,
    the tail of the weights is summed instead.

    >>> round(md1c_loss(0.9, 10), 7), round(md1c_loss(2, 5), 6)
    (0.0166317, 0.500253)
    """
    load = _positive(load, "load")
    if load == 0:
        return 0.0
    weights = _weights(load)
    inside = 0.0
    for weight in islice(weights, min(_whole(places, "places", least=1), _FAR)):
        inside += weight
        if inside > _ENOUGH:
            return 1 - 1 / load
        if weight < _VANISHED:
            return 0.0
    return _loss(load, inside, weights)


def md1c_wait_s(rate_per_s: float, service_rate_per_s: float, places: int) -> float:
    """Mean wait before service of those that a queue of so many places admits (M/D/1/C).

    Little's law on the mean number inside, sum of n p(n), with the weights of `md1c_loss`.

    Args:
        rate_per_s: requests that come in a second (lambda).
        service_rate_per_s: requests served in a second (mu).
        places: the one in service included (C).

    >>> round(md1c_wait_s(0.8, 1, 5), 4), round(md1c_wait_s(0.8, 1, 500), 4)
    (1.2097, 2.0)
    """
    service = _above_zero(service_rate_per_s, "service_rate_per_s")
    load = _positive(rate_per_s, "rate_per_s") / service
    lost = md1c_loss(load, places)
    if load == 0:
        return 0.0
    inside = moment = 0.0
    left_behind = 0.0
    for n, weight in enumerate(islice(_weights(load), min(places, _FAR))):
        inside += weight
        moment += n * weight
        left_behind = moment / inside if inside < math.inf else n
        if inside > _ENOUGH:  # only the last few levels count, and they keep their distance from the top
            left_behind += places - 1 - n
            break
        if weight < _VANISHED:  # nobody ever gets that far
            break
    else:
        if places > _FAR:  # so near to full load, all levels are about as frequent
            longest = md1_wait_s(load, 1) * load + load if load < 1 else math.inf
            left_behind = min(left_behind * places / _FAR, longest)
            lost *= _FAR / places
    number = left_behind * (1 - lost) + places * lost
    return max(0.0, number / (load * (1 - lost)) - 1) / service


def smallest_capacity(load: float, loss: float) -> int | None:
    """The smallest token bucket that refuses at most this share of random (Poisson) traffic.

    Args:
        load: traffic divided by the refill rate.
        loss: the share that may be refused, between 0 and 1.

    Returns:
        Tokens, or None when no bucket does (at a load above 1 at least 1 - 1/load is refused), or only one
        of more than 100,000 tokens.

    >>> smallest_capacity(0.9, 0.01), smallest_capacity(1.2, 0.01)
    (13, None)
    """
    load = _positive(load, "load")
    if not 0 < loss < 1:
        raise InvalidLimit(f"loss is {loss}; give a share between 0 and 1, such as 0.01")
    if load > 1 and loss <= (1 - 1 / load) * (1 + 1e-12):
        return None
    inside = 0.0
    for capacity, weight in enumerate(_weights(load), 1):
        inside += weight
        if inside > _ENOUGH:
            return capacity
        # The plain difference decides here; only near a boundary does md1c_loss's care matter.
        rough = (1 - (1 - load) * inside) / (1 + load * inside)
        if rough <= loss * (1 + 1e-6) + 1e-9 and md1c_loss(load, capacity) <= loss:
            return capacity
        if capacity == _LONGEST_SEARCH:
            return None
    return None


def erlang_b(offered: float, servers: int) -> float:
    """Share of requests refused when each needs one of so many servers and none may wait (Erlang 1917).

    Args:
        offered: erlangs, the rate of requests times the mean time each takes.
        servers: how many may be in flight, for example a concurrency limit.

    >>> round(erlang_b(7, 10), 7)
    0.0787409
    """
    offered = _positive(offered, "offered")
    blocked = 1.0
    for busy in range(1, _whole(servers, "servers", least=1) + 1):
        blocked = offered * blocked / (busy + offered * blocked)
    return blocked


def erlang_c(offered: float, servers: int) -> float:
    """Share of requests that wait when all may (M/M/c); 1 from an offered load of c on (Erlang 1917).

    Args:
        offered: the offered load in erlangs.
        servers: how many there are (c).

    >>> round(erlang_c(7, 10), 7)
    0.2217312
    """
    blocked = erlang_b(offered, servers)
    if offered >= servers:
        return 1.0
    return blocked / (1 - offered / servers * (1 - blocked))


def mmc_wait_s(rate_per_s: float, time_s: float, servers: int) -> float:
    """Mean wait for one of so many servers (M/M/c): C(c, a) / (c mu - lambda); endless at full load.

    Args:
        rate_per_s: requests per second.
        time_s: mean time a request takes.
        servers: how many may be in flight.
    """
    offered = little(rate_per_s, time_s)
    waiting = erlang_c(offered, servers)
    return math.inf if offered >= servers else waiting * time_s / (servers - offered)


def fixed_window_loss(mean: float, limit: int) -> float:
    """Share of random (Poisson) requests that a fixed window refuses: E[(N - L)+] / E[N].

    Args:
        mean: requests a window on average.
        limit: requests a window admits.

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
    # Up from n: from state 0 by n+1 or more arrivals in a service time, from k by n-k+2 or more.
    # Down to n: from n+1 by no arrival. Both are equally frequent.
    if load > _FLOODED:
        yield 1.0
        yield from repeat(math.inf)
    at_least = [-math.expm1(-load)]
    while at_least[-1] > _NOTHING:
        at_least.append(_poisson_at_least(load, len(at_least) + 1))
    none = math.exp(-load)
    weights = [1.0]
    yield 1.0
    for n in range(_SETTLED):
        up = at_least[n] if n < len(at_least) else 0.0
        reach = min(n, len(at_least) - 1)
        for step in range(1, reach + 1):
            up += weights[n + 1 - step] * at_least[step]
        weights.append(up / none)
        yield weights[-1]
    last, ratio = weights[-1], weights[-1] / weights[-2] if weights[-2] > _VANISHED else 0.0
    while True:
        last *= ratio
        yield last


def _loss(load: float, inside: float, rest: Iterator[float]) -> float:
    outside = 1 - (1 - load) * inside
    if load < 1 and outside < 1e-3:
        # Some terms on, the weights fall by a constant factor and the rest is a geometric series.
        tail = list(islice(rest, 65))
        ratio = tail[-1] / tail[-2] if tail[-2] > _VANISHED else 0.0
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


def _positive(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InvalidLimit(f"{what} is {value!r}; give a finite number of at least 0")
    return float(value)


def _above_zero(value: object, what: str) -> float:
    found = _positive(value, what)
    if found == 0:
        raise InvalidLimit(f"{what} is 0; give a number above 0")
    return found


def _whole(value: object, what: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidLimit(f"{what} is {value!r}; give a whole number of at least {least}")
    return value
