"""Compute the figures of a plan from its inputs, exactly except for queueing formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from hook_widgets.ratelimit.planning import queueing
from hook_widgets.ratelimit.planning.formulas import metric
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.metrics import Metric, PublishedLimit
from hook_widgets.ratelimit.planning.queueing import md1_wait_s, mm1_wait_s
from hook_widgets.ratelimit.planning.worst_case import on_off_capacity, retry_amplification

# The sums of queueing theory dominate the run time, and most moves of a slider do not change their inputs.
_md1c_loss = lru_cache(maxsize=256)(queueing.md1c_loss)
_md1c_wait_s = lru_cache(maxsize=256)(queueing.md1c_wait_s)
_smallest_capacity = lru_cache(maxsize=256)(queueing.smallest_capacity)


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
    if inputs.steady is not None and inputs.retries is not None:
        utilisation = inputs.steady / inputs.binding.rate_per_s
        yield metric(
            "retry_factor",
            retry_amplification(utilisation, inputs.retries),
            utilisation=utilisation,
            retries=inputs.retries,
        )


def _rates(inputs: PlanInputs) -> Iterator[Metric]:
    limit = inputs.binding
    yield metric("limit_rate", limit.rate_per_s, quota=limit.quota, window_s=limit.window_s)
    yield metric("safe_rate", inputs.safe_rate, limit_rate=limit.rate_per_s, cushion=inputs.cushion)
    if inputs.steady is not None:
        yield metric(
            "utilisation", inputs.steady / limit.rate_per_s, steady=inputs.steady, limit_rate=limit.rate_per_s
        )
        yield metric(
            "load", inputs.steady / inputs.safe_rate, steady=inputs.steady, safe_rate=inputs.safe_rate
        )


def _clients(inputs: PlanInputs) -> Iterator[Metric]:
    safe, count, window = inputs.safe_rate, inputs.clients, inputs.binding.window_s
    if not inputs.weights:
        yield metric("per_client_rate", safe / count, safe_rate=safe, clients=count)
        quota = math.floor(safe * window / count)
        yield metric("per_client_quota", quota, safe_rate=safe, window_s=window, clients=count)
        yield metric("delay_s", count / safe, clients=count, safe_rate=safe)
    limit, together = inputs.binding.rate_per_s, count * safe
    yield metric("uncoordinated_rate", together, clients=count, safe_rate=safe)
    rejected = max(1 - limit / together, Fraction(0))
    yield metric("uncoordinated_rejected", rejected, limit_rate=limit, uncoordinated_rate=together)


def _burst(inputs: PlanInputs) -> Iterator[Metric]:
    burst, span, safe = inputs.burst or Fraction(0), inputs.burst_window_s, inputs.safe_rate
    steady = inputs.steady or Fraction(0)
    backlog = max(burst + (steady - safe) * span, Fraction(0))
    yield metric("burst_backlog", backlog, burst=burst, steady=steady, safe_rate=safe, burst_window_s=span)
    no_spare_rate = math.inf if backlog else 0
    recover = backlog / (safe - steady) if safe > steady else no_spare_rate
    yield metric("burst_recover_s", recover, burst_backlog=backlog, safe_rate=safe, steady=steady)
    yield metric("burst_wait_s", backlog / safe, burst_backlog=backlog, safe_rate=safe)
    needed = on_off_capacity(steady + burst / span, safe, span) if span else max(1, math.ceil(burst))
    yield metric("burst_capacity", needed, steady=steady, burst=burst, burst_window_s=span, safe_rate=safe)
    capacity = _capacity(inputs)
    rejected = max(0, math.ceil(backlog - capacity))
    yield metric("burst_rejected", rejected, burst_backlog=backlog, capacity=capacity)


def _queue(inputs: PlanInputs) -> Iterator[Metric]:
    safe, timeout, latency = (
        inputs.safe_rate,
        inputs.timeout_s or Fraction(0),
        inputs.latency_s or Fraction(0),
    )
    size = max(0, math.floor(safe * (timeout - latency)))
    yield metric("queue_size", size, safe_rate=safe, timeout_s=timeout, latency_s=latency)
    yield metric("queue_wait_s", size / safe, queue_size=size, safe_rate=safe)
    if inputs.steady is not None:
        load, steady = float(inputs.steady / safe), float(inputs.steady)
        yield metric("queue_rejected", _md1c_loss(load, size) if size else 1, load=load, queue_size=size)
        mean = _md1c_wait_s(steady, float(safe), size) if size else 0
        yield metric("wait_queue_s", mean, steady=steady, safe_rate=float(safe), queue_size=size)
        wait = md1_wait_s(steady, float(safe))
        yield metric("wait_md1_s", wait, steady=steady, safe_rate=float(safe))
        yield metric("wait_mm1_s", mm1_wait_s(steady, float(safe)), steady=steady, safe_rate=float(safe))
        yield metric("waiting", steady * wait, steady=steady, wait_md1_s=wait)


def _concurrency(inputs: PlanInputs) -> Iterator[Metric]:
    safe, latency, clients = inputs.safe_rate, inputs.latency_s or Fraction(0), inputs.clients
    in_flight = safe * latency
    yield metric("in_flight", in_flight, safe_rate=safe, latency_s=latency)
    yield metric("concurrency_needed", max(1, math.ceil(in_flight)), safe_rate=safe, latency_s=latency)
    per_client = max(1, math.ceil(in_flight / clients))
    yield metric("concurrency_each", per_client, safe_rate=safe, latency_s=latency, clients=clients)
    if inputs.concurrency is not None:
        allowed = clients * inputs.concurrency / latency
        yield metric(
            "concurrency_rate", allowed, clients=clients, concurrency=inputs.concurrency, latency_s=latency
        )
        yield metric("usable_rate", min(safe, allowed), safe_rate=safe, concurrency_rate=allowed)


def _bucket(inputs: PlanInputs) -> Iterator[Metric]:
    limit_rate, safe, tight = inputs.binding.rate_per_s, inputs.safe_rate, tightest(inputs)
    yield metric("capacity_guidance", _by_guidance(inputs), limit_rate=limit_rate)
    window = {"safe_rate": safe, "window_s": tight.window_s}
    yield metric("capacity_window", _max_capacity(inputs, tight), quota=tight.quota, **window)
    capacity = _capacity(inputs)
    if inputs.steady is not None:
        load = float(inputs.steady / safe)
        yield metric("capacity_1pct", _smallest_capacity(load, 0.01) or math.inf, load=load)
        yield metric("capacity_01pct", _smallest_capacity(load, 0.001) or math.inf, load=load)
    yield metric("capacity", capacity, capacity=capacity)
    max_requests = math.floor(capacity + safe * tight.window_s)
    yield metric("max_in_window", max_requests, capacity=capacity, **window)
    if inputs.steady is not None:
        yield metric("rejected", _md1c_loss(load, capacity), load=load, capacity=capacity)
        client_loss = _md1c_loss(load, max(1, capacity // inputs.clients))
        yield metric("client_rejected", client_loss, load=load, capacity=capacity, clients=inputs.clients)


def tightest(inputs: PlanInputs) -> PublishedLimit:
    """Return the limit that allows the smallest bucket."""
    return min(inputs.limits, key=lambda limit: _max_capacity(inputs, limit))


def _max_capacity(inputs: PlanInputs, limit: PublishedLimit) -> int:
    # The largest integer C with floor(C + r W) <= quota, for a window that includes both ends.
    return math.ceil(math.floor(limit.quota) + 1 - inputs.safe_rate * limit.window_s) - 1


def _by_guidance(inputs: PlanInputs) -> int:
    return max(1, math.ceil(10 * inputs.binding.rate_per_s))


def _capacity(inputs: PlanInputs) -> int:
    if inputs.capacity is not None:
        return inputs.capacity
    load = None if inputs.steady is None else float(inputs.steady / inputs.safe_rate)
    sufficient = None if load is None else _smallest_capacity(load, 0.01)
    return max(_by_guidance(inputs), sufficient or 1)
