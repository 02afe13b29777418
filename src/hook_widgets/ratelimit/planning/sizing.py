"""Compute the figures of a plan from its inputs, exactly except for queueing formulas."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from hook_widgets.ratelimit.planning import queueing
from hook_widgets.ratelimit.planning.in_flight import burst_rejected_in_flight, capacity_in_flight
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.levels import burst_rejected, together
from hook_widgets.ratelimit.planning.metrics import Metric, PublishedLimit, Value
from hook_widgets.ratelimit.planning.queueing import md1_wait_s, mm1_wait_s
from hook_widgets.ratelimit.planning.worst_case import on_off_capacity, on_off_rejected, retry_amplification

# The sums of queueing theory dominate the run time, and most moves of a slider do not change their inputs.
_md1c_loss = lru_cache(maxsize=256)(queueing.md1c_loss)
_md1c_wait_s = lru_cache(maxsize=256)(queueing.md1c_wait_s)
_smallest_capacity = lru_cache(maxsize=256)(queueing.smallest_capacity)
_keyed_rejected = lru_cache(maxsize=64)(burst_rejected)


FORMULAS: Final[dict[str, dict[str, str]]] = json.loads(
    (files(__package__) / "formulas.json").read_text(encoding="utf-8")
)
"""Title, unit, formula and source of each figure, by its name.

A formula is an expression in the names of its inputs; the tests evaluate each one and compare the result.
"""


def metric(name: str, value: Value, **inputs: Value) -> Metric:
    """Return the figure of this name with its value and the inputs of its formula."""
    return Metric(name=name, value=value, inputs=MappingProxyType(inputs), **FORMULAS[name])


def all_metrics(inputs: PlanInputs) -> Iterator[Metric]:
    """Yield every figure that the inputs determine, in display order."""
    yield from _rates(inputs)
    yield from _clients(inputs)
    if inputs.burst is not None:
        yield from _burst(inputs)
    if inputs.timeout_s is not None:
        yield from _queue(inputs)
    if inputs.latency_s is not None:
        yield from _concurrency(inputs)
    yield from _bucket(inputs)
    rejects = inputs.binding.is_even and not inputs.queued
    if inputs.steady is not None and inputs.retries is not None and rejects:
        limit, of_one = inputs.binding.rate_per_s, inputs.client_concurrency_rate
        utilisation = (inputs.sent_rate or 0) / limit
        most = math.inf if of_one is None else inputs.clients * of_one / limit
        yield metric(
            "retry_factor",
            min(retry_amplification(utilisation, inputs.retries), most),
            utilisation=utilisation,
            retries=inputs.retries,
            most=most,
        )


def _rates(inputs: PlanInputs) -> Iterator[Metric]:
    limit, usable = inputs.binding, inputs.usable_rate
    if limit.per:
        yield metric("whole_quota", limit.whole_quota, quota=limit.quota, busiest_share=limit.share)
    yield metric("limit_rate", limit.rate_per_s, quota=limit.whole_quota, window_s=limit.window_s)
    yield metric("safe_rate", inputs.safe_rate, limit_rate=limit.rate_per_s, cushion=inputs.cushion)
    rates: dict[str, Value] = {"concurrency_rate": math.inf, "api_concurrency_rate": math.inf}
    if inputs.concurrency_rate is not None:
        allowed = rates["concurrency_rate"] = inputs.concurrency_rate
        yield metric("concurrency_rate", allowed, **_seconds_of(inputs), concurrency=inputs.concurrency or 0)
    if inputs.api_concurrency_rate is not None:
        allowed = rates["api_concurrency_rate"] = inputs.api_concurrency_rate
        latency_s = inputs.latency_s or Fraction(0)
        yield metric(
            "api_concurrency_rate", allowed, max_in_flight=inputs.in_flight or 0, latency_s=latency_s
        )
    yield metric("usable_rate", usable, safe_rate=inputs.safe_rate, **rates)
    if inputs.steady is not None and inputs.sent_rate is not None:
        sent = inputs.sent_rate
        yield metric("utilisation", sent / limit.rate_per_s, sent_rate=sent, limit_rate=limit.rate_per_s)
        yield metric("load", inputs.steady / usable, steady=inputs.steady, usable_rate=usable)


def _clients(inputs: PlanInputs) -> Iterator[Metric]:
    usable, count, window = inputs.usable_rate, inputs.clients, inputs.binding.window_s
    if not inputs.weights:
        yield metric("per_client_rate", usable / count, usable_rate=usable, clients=count)
        quota = math.floor(usable * window / count)
        yield metric("per_client_quota", quota, usable_rate=usable, window_s=window, clients=count)
        yield metric("delay_s", count / usable, clients=count, usable_rate=usable)
    if inputs.binding.per:  # no client can take what is for each user for the whole
        return
    limit, of_one = inputs.binding.rate_per_s, inputs.client_concurrency_rate
    all_rates = count * (inputs.safe_rate if of_one is None else min(inputs.safe_rate, of_one))
    yield metric(
        "uncoordinated_rate",
        all_rates,
        clients=count,
        safe_rate=inputs.safe_rate,
        client_concurrency_rate=math.inf if of_one is None else of_one,
    )
    if not inputs.queued:
        rejected = max(1 - limit / all_rates, Fraction(0))
        yield metric("uncoordinated_rejected", rejected, limit_rate=limit, uncoordinated_rate=all_rates)


def _burst(inputs: PlanInputs) -> Iterator[Metric]:
    burst, span, usable = Fraction(inputs.burst or 0), inputs.burst_window_s, inputs.usable_rate
    steady = inputs.steady or Fraction(0)
    backlog = max(burst + (steady - usable) * span, Fraction(0))
    rates: dict[str, Value] = {"steady": steady, "usable_rate": usable}
    yield metric("burst_backlog", backlog, burst=burst, burst_window_s=span, **rates)
    no_spare_rate = math.inf if backlog else 0
    recover = backlog / (usable - steady) if usable > steady else no_spare_rate
    yield metric("burst_recover_s", recover, burst_backlog=backlog, **rates)
    yield metric("burst_wait_s", backlog / usable, burst_backlog=backlog, usable_rate=usable)
    shape: dict[str, Value] = {"burst": burst, "burst_window_s": span, **rates}
    yield metric("burst_capacity", _burst_capacity(inputs), **shape)
    capacity = _capacity(inputs)
    yield metric("burst_rejected", _burst_rejected(inputs, usable, capacity), capacity=capacity, **shape)
    strictest = strictest_on_burst(inputs)
    by_api: dict[str, Value] = {
        "burst": burst,
        "burst_window_s": span,
        "steady": steady,
        "burst_allowance": api_allowance(inputs, strictest),
    }
    rejected, rate_per_s = burst_rejected_by_api(inputs, strictest), strictest.rate_of_one_per_s
    if strictest.per:
        of_each: dict[str, Value] = {"keys": strictest.keys, "busiest_share": strictest.share}
        yield metric("burst_rejected_of_each", rejected, rate_of_one=rate_per_s, **of_each, **by_api)
    else:
        name = "burst_waits" if inputs.queued else "burst_rejected_by_api"
        yield metric(name, rejected, limit_rate=rate_per_s, **by_api)
    if inputs.in_flight is not None:
        yield metric(
            "burst_rejected_in_flight",
            burst_rejected_in_flight(inputs),
            burst=burst,
            burst_window_s=span,
            steady=steady,
            max_in_flight=inputs.in_flight,
            latency_s=inputs.latency_s or 0,
        )


def _queue(inputs: PlanInputs) -> Iterator[Metric]:
    usable, timeout = inputs.usable_rate, inputs.timeout_s or Fraction(0)
    latency = inputs.latency_s or Fraction(0)
    size = max(0, math.floor(usable * (timeout - latency)))
    yield metric("queue_size", size, usable_rate=usable, timeout_s=timeout, latency_s=latency)
    yield metric("queue_wait_s", size / usable, queue_size=size, usable_rate=usable)
    if inputs.burst is not None:
        shape: dict[str, Value] = {
            "burst": inputs.burst,
            "burst_window_s": inputs.burst_window_s,
            "usable_rate": usable,
        }
        rejected = _burst_rejected(inputs, usable, size + 1)  # one is sent at once
        yield metric("burst_not_queued", rejected, steady=inputs.steady or 0, queue_size=size, **shape)
    if inputs.steady is not None:
        load, steady = float(inputs.steady / usable), float(inputs.steady)
        rates = {"steady": steady, "usable_rate": float(usable)}
        yield metric("queue_rejected", _md1c_loss(load, size + 1), load=load, queue_size=size)
        mean = _md1c_wait_s(steady, float(usable), size + 1)
        yield metric("wait_queue_s", mean, queue_size=size, **rates)
        wait = md1_wait_s(steady, float(usable))
        yield metric("wait_md1_s", wait, **rates)
        yield metric("wait_mm1_s", mm1_wait_s(steady, float(usable)), **rates)
        yield metric("waiting", steady * wait, steady=steady, wait_md1_s=wait)


def _concurrency(inputs: PlanInputs) -> Iterator[Metric]:
    safe, latency = inputs.safe_rate, inputs.latency_s or Fraction(0)
    in_flight = safe * latency
    yield metric("in_flight", in_flight, safe_rate=safe, latency_s=latency)
    yield metric("concurrency_needed", max(1, math.ceil(in_flight)), safe_rate=safe, latency_s=latency)
    per_client = max(1, math.ceil(in_flight * inputs.largest_share))
    yield metric("concurrency_each", per_client, safe_rate=safe, **_seconds_of(inputs))


def _bucket(inputs: PlanInputs) -> Iterator[Metric]:
    limit_rate, usable, tight = inputs.binding.rate_of_one_per_s, inputs.usable_rate, tightest(inputs)
    guidance = max(1, math.ceil(10 * limit_rate))
    if inputs.binding.per:
        yield metric("capacity_guidance_of_each", guidance, rate_of_one=limit_rate)
    else:
        yield metric("capacity_guidance", guidance, limit_rate=limit_rate)
    window = {"usable_rate": usable, "window_s": tight.window_s}
    if tight.per:
        admitted: dict[str, Value] = {
            "quota": math.floor(tight.quota),
            "burst_allowance": api_allowance(inputs, tight),
            "busiest_share": tight.share,
        }
        yield metric("capacity_window_of_each", window_capacity(inputs), **admitted, **window)
    elif is_bucket(inputs, tight):
        yield metric("capacity_bucket", window_capacity(inputs), burst_allowance=_allowance(inputs, tight))
    else:
        admitted = {"quota": tight.quota, "burst_allowance": _allowance(inputs, tight)}
        yield metric("capacity_window", window_capacity(inputs), **admitted, **window)
    if inputs.in_flight is not None:
        calls: dict[str, Value] = {"max_in_flight": inputs.in_flight, "latency_s": inputs.latency_s or 0}
        yield metric("capacity_in_flight", capacity_in_flight(inputs), usable_rate=usable, **calls)
    capacity = _capacity(inputs)
    if inputs.steady is not None:
        load = float(inputs.steady / usable)
        yield metric("capacity_1pct", _smallest_capacity(load, 0.01) or math.inf, load=load)
        yield metric("capacity_01pct", _smallest_capacity(load, 0.001) or math.inf, load=load)
    yield metric("capacity", capacity, capacity=capacity)
    max_requests = math.floor(capacity + usable * tight.window_s)
    yield metric("max_in_window", max_requests, capacity=capacity, **window)
    if inputs.steady is not None:
        yield metric("rejected", _md1c_loss(load, capacity), load=load, capacity=capacity)
        smallest = inputs.smallest_share
        client_loss = _md1c_loss(load, smallest_slice(inputs, capacity))
        yield metric("client_rejected", client_loss, load=load, capacity=capacity, smallest_share=smallest)


def smallest_slice(inputs: PlanInputs, capacity: int) -> int:
    """Return the capacity of the client with the smallest share, if the clients split the throttle."""
    return max(1, math.floor(capacity * inputs.smallest_share))


def tightest(inputs: PlanInputs) -> PublishedLimit:
    """Return the limit that allows the smallest bucket."""
    return min(inputs.limits, key=lambda limit: _max_capacity(inputs, limit))


def safe_capacity(inputs: PlanInputs) -> int:
    """Return the largest throttle of whose output the API rejects nothing; may be below 1."""
    return int(min(window_capacity(inputs), capacity_in_flight(inputs)))


def window_capacity(inputs: PlanInputs) -> int:
    """Return the largest throttle whose output no algorithm of the API's limits rejects; may be below 1."""
    return _max_capacity(inputs, tightest(inputs))


def is_bucket(inputs: PlanInputs, limit: PublishedLimit) -> bool:
    """Return True if the API publishes that a bucket enforces a limit, so that no window counts."""
    return inputs.bucket and limit is inputs.binding and not limit.per


def strictest_on_burst(inputs: PlanInputs) -> PublishedLimit:
    """Return the limit that rejects most of the burst if it is sent as it comes; the first of equals."""
    return max(inputs.limits, key=lambda limit: burst_rejected_by_api(inputs, limit))


def api_allowance(inputs: PlanInputs, limit: PublishedLimit) -> int:
    """Return what the API admits at once under this limit: the burst allowance, or the whole quota."""
    allowance = _allowance(inputs, limit)
    return math.floor(limit.quota if allowance == math.inf else allowance)


def burst_rejected_by_api(inputs: PlanInputs, limit: PublishedLimit) -> int:
    """Return how many requests of the burst, with steady traffic in it, the limit's bucket rejects."""
    allowance, peak = api_allowance(inputs, limit), inputs.peak_rate
    if not limit.per:
        return _burst_rejected(inputs, limit.rate_per_s, allowance)
    step_s, one_per_s = 1 / peak if peak else Fraction(0), limit.rate_of_one_per_s
    return _keyed_rejected(inputs.burst_requests, step_s, one_per_s, allowance, limit.keys, limit.share)


def _max_capacity(inputs: PlanInputs, limit: PublishedLimit) -> int:
    # The largest integer C with floor(C + r W) <= quota, for a window that includes both ends. A sliding
    # counter weighs the previous window with at most C + r W, too. A bucket of the API holds the allowance.
    quota, allowance = _quota_and_allowance(inputs, limit)
    if is_bucket(inputs, limit):
        return api_allowance(inputs, limit)  # it is refilled at least as fast as the throttle
    by_window = math.ceil(math.floor(quota) + 1 - inputs.usable_rate * limit.window_s) - 1
    return int(min(by_window, allowance))


def _quota_and_allowance(inputs: PlanInputs, limit: PublishedLimit) -> tuple[Value, Value]:
    """Return the quota and the allowance of all requests, of which none of a level has more than its own."""
    if not limit.per:
        return limit.quota, _allowance(inputs, limit)
    return (
        together(math.floor(limit.quota), limit.share),
        together(api_allowance(inputs, limit), limit.share),
    )


def _allowance(inputs: PlanInputs, limit: PublishedLimit) -> Value:
    allowance = inputs.burst_allowance
    return allowance if allowance is not None and limit is inputs.binding else math.inf


def _burst_capacity(inputs: PlanInputs) -> int:
    if inputs.peak_rate is None:
        return max(1, inputs.burst or 0)
    return on_off_capacity(inputs.peak_rate, inputs.usable_rate, inputs.burst_window_s)


def _burst_rejected(inputs: PlanInputs, rate_per_s: Fraction, capacity: int) -> int:
    if inputs.peak_rate is None:
        return max(0, (inputs.burst or 0) - capacity)
    return on_off_rejected(inputs.peak_rate, rate_per_s, inputs.burst_window_s, capacity)


def _capacity(inputs: PlanInputs) -> int:
    if inputs.capacity is not None:
        return inputs.capacity
    load = None if inputs.steady is None else float(inputs.steady / inputs.usable_rate)
    sufficient = None if load is None else _smallest_capacity(load, 0.01)
    needed = _burst_capacity(inputs) if inputs.burst else 1
    return max(1, min(max(sufficient or 1, needed), safe_capacity(inputs)))


def _seconds_of(inputs: PlanInputs) -> dict[str, Value]:
    return {"latency_s": inputs.latency_s or Fraction(0), "largest_share": inputs.largest_share}
