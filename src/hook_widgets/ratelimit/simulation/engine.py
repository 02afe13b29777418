"""Run a limiter on traffic."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import islice
from math import lcm
from operator import sub
from typing import Any, cast

from hook_widgets._arguments import several, shown
from hook_widgets.errors import InvalidArrivals, InvalidLimit, nearest
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, checked_cost, max_cost
from hook_widgets.ratelimit.limiters.buckets import check_refundable
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.trace import LimiterState, Trace
from hook_widgets.ratelimit.simulation.client_partition import by_client
from hook_widgets.ratelimit.simulation.machine_code import compiled
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
    whole,
)


def simulate(
    limiter: Limiter,
    arrivals_s: Arrivals | Iterable[Duration],
    costs: Iterable[Quantity] | None = None,
    *,
    service_s: Duration | Iterable[Duration] | None = None,
    actual_costs: Iterable[Quantity] | None = None,
    clients: Mapping[str, Hashable | Iterable[Hashable]] | None = None,
) -> Run:
    """Decide requests one by one, exactly.

    Args:
        limiter: the limit, or several as `Layers`.
        arrivals_s: the traffic, or its times in seconds, non-decreasing; they are rounded to the nearest
            nanosecond. Requests at the same time are decided in their order.
        costs: the cost of each request, whole numbers of at least 1; default 1 each.
        service_s: how long each request is in flight, for `Concurrency` and actual costs: one time for all,
            or one for each; by default the durations of a log.
        actual_costs: what each request really costs, from 0 to its cost, where that is known at its end: a
            `TokenBucket` or `Gcra` then gets the difference back, as the points of a GraphQL API.
        clients: the clients by key, for `PerClient`: one for each request, or one string for all, such as
            ``{"user": ["ann", "bob"]}`` for ``PerClient("user", ...)``. Whole numbers from 0 in a NumPy array
            are the fastest.

    Returns:
        The decisions, with methods that compute levels, waits and statistics from them.

    Raises:
        InvalidLimit: the first argument is no limiter.
        InvalidArrivals: times, costs or service times are invalid, a cost exceeds what the limiter can ever
            admit, or service times or clients are missing or not used by the limiter.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> run = simulate(TokenBucket(2, "10/s"), [0, 0, 0, 0.1])
    >>> run.admitted
    [True, True, False, True]
    >>> points = TokenBucket(1000, "50/s")  # as of Shopify's GraphQL API
    >>> simulate(points, [0, 0.5], [600, 600], service_s=0.1, actual_costs=[100, 100]).admitted
    [True, True]
    """
    limiter = checked_limiter(limiter)
    arrivals = arrivals_s if isinstance(arrivals_s, Arrivals) else Arrivals.from_times(arrivals_s)
    layers = limiter.layers
    count = len(arrivals)
    per_ns = lcm(*(layer._ticks_per_ns() for layer in layers))
    explicit_costs = parse_costs(costs, count, limiter)
    refunds = _refunds(actual_costs, explicit_costs or [1] * count, limiter)
    services = _services(service_s, arrivals, limiter, refunds=actual_costs is not None)
    trace = Trace(
        arrivals=arrivals,
        ticks_per_ns=per_ns,
        explicit_costs=explicit_costs,
        services=[ns * per_ns for ns in services],
        refunds=refunds,
        clients=parse_clients(clients or {}, count, limiter),
    )
    decisions, rejections, states = _decide(layers, trace)
    record = SimulationRecord(
        layers=layers, trace=trace, decisions=decisions, states=states, rejections=rejections
    )
    return Run(limiter, arrivals, record)


def checked_limiter(value: object) -> Limiter:
    """Return a limiter unchanged.

    Raises:
        InvalidLimit: the value is no limiter; the message says how to write one.
    """
    if not isinstance(value, Limiter):
        raise _no_limiter(value)
    return value


def _no_limiter(value: object) -> InvalidLimit:
    """Return the error for a first argument that is no limiter."""
    if isinstance(value, str):
        return InvalidLimit(
            f"{shown(value)} is no limiter; write Limiter.of({shown(value)}), or TokenBucket(...)"
        )
    if isinstance(value, Arrivals):
        return InvalidLimit("the arrivals are the second argument; write simulate(limiter, arrivals)")
    if isinstance(value, list | tuple):
        return InvalidLimit("several limits are not a list; write Layers(first, second)")
    if isinstance(value, type) and issubclass(value, Limiter):
        return InvalidLimit(f"{value.__name__} is a kind of limiter; give one, such as {value.__name__}(...)")
    kind = type(value).__name__
    return InvalidLimit(f"the first argument is a limiter, not {kind}; write TokenBucket(...) or another one")


def _decide(layers: Sequence[SingleLimiter], trace: Trace) -> tuple[Any, Any, tuple[LimiterState, ...]]:
    """Decide all requests of a trace, in machine code if it is long enough.

    Returns:
        The decisions; for every request the index of the first layer that rejected it, or None if there is
        only one layer; lists or arrays; and the final states.
    """
    states = tuple(layer._initial_state(trace) for layer in layers)
    in_machine_code = not trace.refunds and compiled.supports(states, trace)
    if len(layers) == 1 and not trace.clients and not trace.refunds:
        if in_machine_code:
            return compiled.decide_single(states[0], trace), None, states
        admitted = [True] * len(trace.arrivals)
        states[0].decide(trace, admitted)(0, len(admitted))
        return admitted, None, states
    if in_machine_code:
        return *compiled.decide_layers(layers, states, trace), states
    if trace.clients or trace.refunds:
        admitted, states, rejected_by = by_client(layers, trace)
        return admitted, rejected_by, states
    return *_decide_layers(states, trace), states


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


def parse_costs(costs: Iterable[Quantity] | None, count: int, limiter: Limiter) -> Sequence[int] | None:
    """Return the cost of each request; None if each is 1.

    Raises:
        InvalidArrivals: their number is not `count`, or one is no cost of the limiter.
    """
    if costs is None:
        return None
    most = max_cost(limiter)
    if most is None:
        raise InvalidArrivals(f"{limiter.label} counts requests, not their cost; leave costs out")
    numbers = [
        cost if type(cost) is int and 0 < cost <= most else checked_cost(cost, f"costs[{i}]", most, limiter)
        for i, cost in enumerate(several(costs, "costs", InvalidArrivals))
    ]
    if len(numbers) != count:
        raise InvalidArrivals(
            f"there are {count} arrivals and {len(numbers)} costs; give one cost for each arrival"
        )
    return numbers


def _refunds(
    actual_costs: Iterable[Quantity] | None, costs: Sequence[int], limiter: Limiter
) -> Sequence[int]:
    """Return what each request gives back; empty if no actual costs are given."""
    if actual_costs is None:
        return ()
    check_refundable(limiter)
    several(actual_costs, "actual_costs", InvalidArrivals)
    actual = [whole(cost, f"actual_costs[{i}]", error=InvalidArrivals) for i, cost in enumerate(actual_costs)]
    if len(actual) != len(costs):
        raise InvalidArrivals(
            f"there are {len(costs)} arrivals and {len(actual)} actual costs; give one cost for each arrival"
        )
    for i, (cost, most) in enumerate(zip(actual, costs, strict=True)):
        if cost > most:
            raise InvalidArrivals(
                f"is {cost}, more than the {most} of costs[{i}]; give the larger one there",
                subject=f"actual_costs[{i}]",
            )
    return list(map(sub, costs, actual))


def parse_clients(
    clients: Mapping[str, Hashable | Iterable[Hashable]], count: int, limiter: Limiter
) -> Mapping[str, Sequence[Hashable]]:
    """Return the client of each request by key.

    Raises:
        InvalidArrivals: their number is not `count`, or they are missing or not used by the limiter.
    """
    keyed = {layer.key: layer for layer in limiter.layers if isinstance(layer, PerClient)}
    labels = {key: layer.label for key, layer in keyed.items()}
    for layer in limiter.layers:
        if isinstance(layer, Replicas) and not layer._routed_like(keyed[layer.key]):
            raise InvalidArrivals(
                f"requests to {layer.key!r} are routed in two ways; give one of the Replicas another key"
            )
    if not isinstance(clients, Mapping):
        raise InvalidArrivals(f"clients is {shown(clients)}; give them by key, such as {{'ip': [...]}}")
    for key in clients:
        if key not in labels:
            raise InvalidArrivals(f"{limiter.label} has no clients by {shown(key)}; {nearest(key, labels)}")
    by_request: dict[str, Sequence[Hashable]] = {}
    for key, label in labels.items():
        if key not in clients and isinstance(routed := keyed[key], Replicas):
            by_request[key] = list(islice(routed._route(), count))
            continue
        if key not in clients:
            raise InvalidArrivals(
                f"{label!r} is kept for each {key}; give clients={{{key!r}: ...}}, one for each request"
            )
        by_request[key] = one_for_each(clients[key], key, count)
    return by_request


def one_for_each(clients: Hashable | Iterable[Hashable], key: str, count: int) -> Sequence[Hashable]:
    """Return the client of each request; whole numbers in an array stay one.

    Raises:
        InvalidArrivals: their number is not `count`, or one cannot tell clients apart.
    """
    if isinstance(clients, str | bytes) or not isinstance(clients, Iterable):
        return [clients] * count
    small_numbers = (
        getattr(getattr(clients, "dtype", None), "kind", "") in ("i", "u")
        and getattr(clients, "ndim", 1) == 1
    )
    who = cast(Sequence[Hashable], clients) if small_numbers else list(clients)
    if len(who) != count:
        raise InvalidArrivals(
            f"there are {count} arrivals and {len(who)} clients of {key!r}; give one for each arrival"
        )
    try:
        set(() if small_numbers else who)
    except TypeError:
        raise InvalidArrivals(
            f"a client of {key!r} is a list or another unhashable value; give texts or numbers"
        ) from None
    return who


def _services(
    service_s: Duration | Iterable[Duration] | None, arrivals: Arrivals, limiter: Limiter, *, refunds: bool
) -> Sequence[int]:
    count = len(arrivals)
    needed = refunds or any(isinstance(one_client(layer), Concurrency) for layer in limiter.layers)
    if service_s is None:
        if needed and arrivals.durations_ns:
            return arrivals.durations_ns
        if needed:
            what = "an actual cost" if refunds else "a concurrency limit"
            raise InvalidArrivals(f"{what} needs to know how long requests are in flight; give service_s")
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
