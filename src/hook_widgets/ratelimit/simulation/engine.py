"""Run a limiter on traffic."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import lcm
from typing import Any

from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import PerClient, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace
from hook_widgets.ratelimit.simulation import numba_backend
from hook_widgets.ratelimit.simulation.client_partition import by_client
from hook_widgets.ratelimit.simulation.record import SimulationRecord
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import (
    Duration,
    Quantity,
    all_nanoseconds,
    check_plausible,
    duration,
    nanoseconds,
    shown,
    whole,
)


def simulate(
    limiter: Limiter,
    arrivals_s: Arrivals | Iterable[Duration],
    costs: Iterable[Quantity] | None = None,
    *,
    service_s: Duration | Iterable[Duration] | None = None,
    clients: Mapping[str, Hashable | Iterable[Hashable]] | None = None,
) -> Run:
    """Decide requests one by one, exactly.

    Args:
        limiter: the limit, or several as `Layers`.
        arrivals_s: the traffic, or its times in seconds, non-decreasing; they are rounded to the nearest
            nanosecond. Requests at the same time are decided in their order.
        costs: the cost of each request, whole numbers of at least 1; default 1 each.
        service_s: how long each request is in flight, for `Concurrency`: one time for all, or one for each.
        clients: the clients by key, for `PerClient`: one for each request, or one string for all, such as
            ``{"user": ["ann", "bob"]}`` for ``PerClient("user", ...)``.

    Returns:
        The decisions, with methods that compute levels, waits and statistics from them.

    Raises:
        InvalidArrivals: times, costs or service times are invalid, a cost exceeds what the limiter can ever
            admit, or service times or clients are missing or not used by the limiter.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> run = simulate(TokenBucket(2, "10/s"), [0, 0, 0, 0.1])
    >>> run.admitted
    [True, True, False, True]
    """
    arrivals = arrivals_s if isinstance(arrivals_s, Arrivals) else Arrivals.from_times(arrivals_s)
    layers = limiter.layers
    count = len(arrivals)
    per_ns = lcm(*(layer._ticks_per_ns() for layer in layers))
    trace = Trace(
        arrivals=arrivals,
        ticks_per_ns=per_ns,
        explicit_costs=_costs(costs, count, limiter),
        services=[ns * per_ns for ns in _services(service_s, count, limiter)],
        clients=_clients(clients or {}, count, limiter),
    )
    states: tuple[LimiterState, ...]
    rejected_by: Sequence[int] | None = None
    if trace.clients:
        admitted, states, rejected_by = by_client(layers, trace)
    else:
        states = tuple(layer._initial_state(trace) for layer in layers)
        if len(states) == 1:
            admitted = _decide_single(states[0], trace)
        else:
            admitted, rejected_by = _decide_layers(states, trace)
    record = SimulationRecord(
        layers=layers, trace=trace, decisions=admitted, states=states, rejected_by=rejected_by
    )
    return Run(limiter, arrivals, record)


def _decide_single(state: LimiterState, trace: Trace) -> Any:
    """Decide all requests of a trace with one limiter. Return the decisions as a list, or as an array."""
    if numba_backend.supports(state, trace):
        return numba_backend.decide(state, trace)
    admitted = [True] * len(trace.arrivals)
    state.decide(trace, admitted)(0, len(admitted))
    return admitted


def _decide_layers(states: Sequence[LimiterState], trace: Trace) -> tuple[list[bool], list[int]]:
    """Admit each request that every layer admits; roll back the layers that do not count rejected requests.

    After eight admissions in a row, requests are decided in batches that grow with the number of admissions.
    If a batch contains a rejection, it is undone and its requests are decided one by one.

    Returns:
        The decisions, and for every request the index of the first layer that rejected it, -1 if none did.
    """
    count = len(trace.arrivals)
    admitted, rejected_by = [True] * count, [-1] * count
    in_order = [(k, state.decide(trace, admitted), state.values) for k, state in enumerate(states)]
    i = in_a_row = 0
    while i < count:
        if in_a_row >= 8:
            stop = min(i + in_a_row // 4, count)
            before = [values.copy() for _, _, values in in_order]
            for _, decide, _ in in_order:
                decide(i, stop)
            if all(admitted[i:stop]):
                in_a_row += stop - i
                i = stop
                continue
            admitted[i:stop] = [True] * (stop - i)
            for k, _, values in in_order:
                values[:] = before[k]
            in_a_row = 0
        before = []
        for k, decide, values in in_order:
            before.append(values.copy())
            decide(i, i + 1)
            if not admitted[i]:
                rejected_by[i] = k
                break
        in_a_row += 1
        if not admitted[i]:
            in_a_row = 0
            for k, decide, _ in in_order:
                if k < rejected_by[i] and not states[k].counts_rejected:
                    states[k].rollback(before[k], trace.costs[i])
                elif k > rejected_by[i] and states[k].counts_rejected:
                    decide(i, i + 1)
        i += 1
    return admitted, rejected_by


def _costs(costs: Iterable[Quantity] | None, count: int, limiter: Limiter) -> Sequence[int] | None:
    if costs is None:
        return None
    numbers = [
        cost if type(cost) is int and cost > 0 else whole(cost, f"costs[{i}]", error=InvalidArrivals)
        for i, cost in enumerate(costs)
    ]
    if len(numbers) != count:
        raise InvalidArrivals(
            f"there are {count} arrivals and {len(numbers)} costs; give one cost for each arrival"
        )
    bounds = [most for layer in limiter.layers if (most := layer._max_cost) is not None]
    if not bounds:
        raise InvalidArrivals(f"{limiter.label} counts requests, not their cost; leave costs out")
    for i, cost in enumerate(numbers):
        if cost == 0:
            raise InvalidArrivals(f"costs[{i}] is zero; give at least 1")
        if cost > min(bounds):
            raise InvalidArrivals(
                f"costs[{i}] is {shown(cost)}, but {limiter.label} never admits more than {min(bounds)} "
                "at once; lower the cost or raise the limit"
            )
    return numbers


def _clients(
    clients: Mapping[str, Hashable | Iterable[Hashable]], count: int, limiter: Limiter
) -> Mapping[str, Sequence[Hashable]]:
    labels = {layer.key: layer.label for layer in limiter.layers if isinstance(layer, PerClient)}
    for key in clients:
        if key not in labels:
            raise InvalidArrivals(f"{limiter.label} has no clients by {key!r}; {nearest(str(key), labels)}")
    by_request: dict[str, Sequence[Hashable]] = {}
    for key, label in labels.items():
        if key not in clients:
            raise InvalidArrivals(
                f"{label!r} is kept for each {key}; give clients={{{key!r}: ...}}, one for each request"
            )
        who = clients[key]
        if isinstance(who, str | bytes) or not isinstance(who, Iterable):
            by_request[key] = [who] * count
            continue
        by_request[key] = list(who)
        if len(by_request[key]) != count:
            raise InvalidArrivals(
                f"there are {count} arrivals and {len(by_request[key])} clients of {key!r}; "
                "give one for each arrival"
            )
        try:
            set(by_request[key])
        except TypeError:
            raise InvalidArrivals(
                f"a client of {key!r} is a list or another unhashable value; give texts or numbers"
            ) from None
    return by_request


def _services(service_s: Duration | Iterable[Duration] | None, count: int, limiter: Limiter) -> Sequence[int]:
    needed = any(isinstance(one_client(layer), Concurrency) for layer in limiter.layers)
    if service_s is None:
        if needed:
            raise InvalidArrivals(
                "a concurrency limit needs to know how long requests are in flight; give service_s"
            )
        return ()
    if not needed:
        raise InvalidArrivals(f"{limiter.label} does not depend on service times; leave service_s out")
    if isinstance(service_s, str) or not isinstance(service_s, Iterable):
        span = duration(service_s, "service_s", error=InvalidArrivals)
        check_plausible(span, service_s, "service_s", error=InvalidArrivals)
        return [nanoseconds(span)] * count
    times_ns = all_nanoseconds(service_s, "service time", error=InvalidArrivals)
    if len(times_ns) != count:
        raise InvalidArrivals(
            f"there are {count} arrivals and {len(times_ns)} service times; "
            "give one time, or one for each arrival"
        )
    return times_ns
