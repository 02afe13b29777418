"""Run a limiter on traffic."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import lcm
from typing import Any

from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import Per, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.trace import Gate, Trace
from hook_widgets.ratelimit.simulation import numba_backend
from hook_widgets.ratelimit.simulation.client_partition import by_client
from hook_widgets.ratelimit.simulation.record import Books
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import (
    Quantity,
    all_nanoseconds,
    duration,
    nanoseconds,
    shown,
    usual,
    whole,
)


def simulate(
    limiter: Limiter,
    arrivals_s: Arrivals | Iterable[Quantity],
    costs: Iterable[Quantity] | None = None,
    *,
    service_s: Quantity | Iterable[Quantity] | None = None,
    **client: Hashable | Iterable[Hashable],
) -> Run:
    """Decide requests one by one, exactly.

    Args:
        limiter: the limit, or several as `Layers`.
        arrivals_s: the traffic, or its times in seconds, non-decreasing; they are rounded to the nearest
            nanosecond. Requests at the same time are decided in their order.
        costs: the cost of each request, whole numbers of at least 1; default 1 each.
        service_s: how long each request is in flight, for `Concurrency`: one time for all, or one for each.
        client: the client of each request, for `Per`: one for each, or one string for all, such as
            ``user=["ann", "bob"]`` for ``Per("user", ...)``.

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
    per_ns = lcm(*(layer._resolution() for layer in layers))
    trace = Trace(
        arrivals,
        per_ns,
        _costs(costs, count, limiter),
        [ns * per_ns for ns in _services(service_s, count, limiter)],
        _clients(client, count, limiter),
    )
    if trace.clients:
        return Run(limiter, arrivals, Books(layers, trace, *by_client(layers, trace)))
    gates = tuple(layer._gate(trace) for layer in layers)
    if len(gates) == 1:
        return Run(limiter, arrivals, Books(layers, trace, _decide_single(gates[0], trace), gates, None))
    admitted, refused_by = _decide_layers(gates, trace)
    return Run(limiter, arrivals, Books(layers, trace, admitted, gates, refused_by))


def _decide_single(gate: Gate, trace: Trace) -> Any:
    """Decide all requests of a trace with one gate. Return the decisions as a list, or as an array."""
    if numba_backend.supports(gate, trace):
        return numba_backend.decide(gate, trace)
    admitted = [True] * len(trace.arrivals)
    gate.judge(trace, admitted)(0, len(admitted))
    return admitted


def _decide_layers(gates: Sequence[Gate], trace: Trace) -> tuple[list[bool], list[int]]:
    """Admit each request that every gate admits; roll back the gates that do not count rejected requests.

    After eight admissions in a row, requests are decided in batches that grow with the number of admissions.
    If a batch contains a rejection, it is undone and its requests are decided one by one.

    Returns:
        The decisions, and for every request the index of the first gate that rejected it, -1 if none did.
    """
    count = len(trace.arrivals)
    admitted, refused_by = [True] * count, [-1] * count
    in_order = [(k, gate.judge(trace, admitted), gate.state) for k, gate in enumerate(gates)]
    i = in_a_row = 0
    while i < count:
        if in_a_row >= 8:
            stop = min(i + in_a_row // 4, count)
            before = [state.copy() for _, _, state in in_order]
            for _, judge, _ in in_order:
                judge(i, stop)
            if all(admitted[i:stop]):
                in_a_row += stop - i
                i = stop
                continue
            admitted[i:stop] = [True] * (stop - i)
            for k, _, state in in_order:
                state[:] = before[k]
            in_a_row = 0
        before = []
        for k, judge, state in in_order:
            before.append(state.copy())
            judge(i, i + 1)
            if not admitted[i]:
                refused_by[i] = k
                break
        in_a_row += 1
        if not admitted[i]:
            in_a_row = 0
            for k, judge, _ in in_order:
                if k < refused_by[i] and not gates[k].counts_refused:
                    gates[k].take_back(before[k], trace.costs[i])
                elif k > refused_by[i] and gates[k].counts_refused:
                    judge(i, i + 1)
        i += 1
    return admitted, refused_by


def _costs(costs: Iterable[Quantity] | None, count: int, limiter: Limiter) -> Sequence[int] | None:
    if costs is None:
        return None
    numbers = [
        cost if type(cost) is int and cost > 0 else whole(cost, f"costs[{i}]", error=InvalidArrivals)
        for i, cost in enumerate(costs)
    ]
    if len(numbers) != count:
        raise InvalidArrivals(
            f"There are {count} arrivals and {len(numbers)} costs. Give one cost for each arrival."
        )
    bounds = [most for layer in limiter.layers if (most := layer._largest_cost) is not None]
    if not bounds:
        raise InvalidArrivals(f"{limiter.label} counts requests, not their cost. Leave costs out.")
    for i, cost in enumerate(numbers):
        if cost == 0:
            raise InvalidArrivals(f"costs[{i}] is zero. A request costs at least 1.")
        if cost > min(bounds):
            raise InvalidArrivals(
                f"costs[{i}] is {shown(cost)}, but {limiter.label} never admits more than {min(bounds)} "
                "at once. Lower the cost or raise the limit."
            )
    return numbers


def _clients(
    client: Mapping[str, Hashable | Iterable[Hashable]], count: int, limiter: Limiter
) -> Mapping[str, Sequence[Hashable]]:
    labels = {layer.key: layer.label for layer in limiter.layers if isinstance(layer, Per)}
    for key in client:
        if key not in labels:
            raise InvalidArrivals(f"{limiter.label} does not ask for {key}. {nearest(key, labels)}")
    clients: dict[str, Sequence[Hashable]] = {}
    for key, label in labels.items():
        if key not in client:
            raise InvalidArrivals(f"{label!r} is kept for each {key}. Give {key}=, one for each request.")
        who = client[key]
        if isinstance(who, str | bytes) or not isinstance(who, Iterable):
            clients[key] = [who] * count
            continue
        clients[key] = list(who)
        if len(clients[key]) != count:
            raise InvalidArrivals(
                f"There are {count} arrivals, and {key} has {len(clients[key])}. Give one for each arrival."
            )
        try:
            set(clients[key])
        except TypeError:
            raise InvalidArrivals(
                f"{key} holds a list or the like, which cannot be told from others. Give texts or numbers."
            ) from None
    return clients


def _services(service_s: Quantity | Iterable[Quantity] | None, count: int, limiter: Limiter) -> Sequence[int]:
    needed = any(isinstance(one_client(layer), Concurrency) for layer in limiter.layers)
    if service_s is None:
        if needed:
            raise InvalidArrivals(
                "A concurrency limit needs to know how long requests are in flight. Give service_s."
            )
        return ()
    if not needed:
        raise InvalidArrivals(f"{limiter.label} does not ask how long requests take. Leave service_s out.")
    if isinstance(service_s, str) or not isinstance(service_s, Iterable):
        span = duration(service_s, "service_s", error=InvalidArrivals)
        usual(span, service_s, "service_s", error=InvalidArrivals)
        return [nanoseconds(span)] * count
    times_ns = all_nanoseconds(service_s, "Service time", error=InvalidArrivals)
    if len(times_ns) != count:
        raise InvalidArrivals(
            f"There are {count} arrivals and {len(times_ns)} service times. "
            "Give one time, or one for each arrival."
        )
    return times_ns
