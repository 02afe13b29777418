"""The figures of a plan, computed from its inputs. Exact wherever no queueing formula is in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from hook_widgets.ratelimit import queues
from hook_widgets.ratelimit.bounds import on_off_capacity, retry_amplification
from hook_widgets.ratelimit.facts import Fact, Limit
from hook_widgets.ratelimit.formulas import fact
from hook_widgets.ratelimit.inputs import Inputs
from hook_widgets.ratelimit.queues import md1_wait_s, mm1_wait_s

# The sums of queueing theory are most of a plan's work, and most moves of a slider leave them as they are.
md1c_loss = lru_cache(maxsize=256)(queues.md1c_loss)
md1c_wait_s = lru_cache(maxsize=256)(queues.md1c_wait_s)
smallest_capacity = lru_cache(maxsize=256)(queues.smallest_capacity)


def all_facts(given: Inputs) -> Iterator[Fact]:
    """Every figure that the inputs allow, in reading order."""
    yield from _rates(given)
    yield from _clients(given)
    if given.burst is not None:
        yield from _burst(given)
    if given.timeout_s is not None:
        yield from _queue(given)
    if given.latency_s is not None:
        yield from _concurrency(given)
    yield from _bucket(given)
    if given.steady is not None and given.retries is not None:
        utilisation = given.steady / given.binding.rate_per_s
        yield fact(
            "retry_factor",
            retry_amplification(utilisation, given.retries),
            utilisation=utilisation,
            retries=given.retries,
        )


def _rates(given: Inputs) -> Iterator[Fact]:
    limit = given.binding
    yield fact("limit_rate", limit.rate_per_s, quota=limit.quota, window_s=limit.window_s)
    yield fact("safe_rate", given.safe_rate, limit_rate=limit.rate_per_s, cushion=given.cushion)
    if given.steady is not None:
        yield fact(
            "utilisation", given.steady / limit.rate_per_s, steady=given.steady, limit_rate=limit.rate_per_s
        )
        yield fact("load", given.steady / given.safe_rate, steady=given.steady, safe_rate=given.safe_rate)


def _clients(given: Inputs) -> Iterator[Fact]:
    safe, count, window = given.safe_rate, given.clients, given.binding.window_s
    if not given.weights:
        yield fact("per_client_rate", safe / count, safe_rate=safe, clients=count)
        quota = math.floor(safe * window / count)
        yield fact("per_client_quota", quota, safe_rate=safe, window_s=window, clients=count)
        yield fact("delay_s", count / safe, clients=count, safe_rate=safe)
    limit, together = given.binding.rate_per_s, count * safe
    yield fact("uncoordinated_rate", together, clients=count, safe_rate=safe)
    refused = max(1 - limit / together, Fraction(0))
    yield fact("uncoordinated_refused", refused, limit_rate=limit, uncoordinated_rate=together)


def _burst(given: Inputs) -> Iterator[Fact]:
    burst, span, safe = given.burst or Fraction(0), given.burst_window_s, given.safe_rate
    steady = given.steady or Fraction(0)
    backlog = max(burst + (steady - safe) * span, Fraction(0))
    yield fact("burst_backlog", backlog, burst=burst, steady=steady, safe_rate=safe, burst_window_s=span)
    endless = math.inf if backlog else 0
    recover = backlog / (safe - steady) if safe > steady else endless
    yield fact("burst_recover_s", recover, burst_backlog=backlog, safe_rate=safe, steady=steady)
    yield fact("burst_wait_s", backlog / safe, burst_backlog=backlog, safe_rate=safe)
    needed = on_off_capacity(steady + burst / span, safe, span) if span else max(1, math.ceil(burst))
    yield fact("burst_capacity", needed, steady=steady, burst=burst, burst_window_s=span, safe_rate=safe)
    capacity = _capacity(given)
    refused = max(0, math.ceil(backlog - capacity))
    yield fact("burst_refused", refused, burst_backlog=backlog, capacity=capacity)


def _queue(given: Inputs) -> Iterator[Fact]:
    safe, timeout, latency = given.safe_rate, given.timeout_s or Fraction(0), given.latency_s or Fraction(0)
    size = max(0, math.floor(safe * (timeout - latency)))
    yield fact("queue_size", size, safe_rate=safe, timeout_s=timeout, latency_s=latency)
    yield fact("queue_wait_s", size / safe, queue_size=size, safe_rate=safe)
    if given.steady is not None:
        load, steady = float(given.steady / safe), float(given.steady)
        yield fact("queue_refused", md1c_loss(load, size) if size else 1, load=load, queue_size=size)
        mean = md1c_wait_s(steady, float(safe), size) if size else 0
        yield fact("wait_queue_s", mean, steady=steady, safe_rate=float(safe), queue_size=size)
        wait = md1_wait_s(steady, float(safe))
        yield fact("wait_md1_s", wait, steady=steady, safe_rate=float(safe))
        yield fact("wait_mm1_s", mm1_wait_s(steady, float(safe)), steady=steady, safe_rate=float(safe))
        yield fact("waiting", steady * wait, steady=steady, wait_md1_s=wait)


def _concurrency(given: Inputs) -> Iterator[Fact]:
    safe, latency, clients = given.safe_rate, given.latency_s or Fraction(0), given.clients
    inside = safe * latency
    yield fact("in_flight", inside, safe_rate=safe, latency_s=latency)
    yield fact("concurrency_needed", max(1, math.ceil(inside)), safe_rate=safe, latency_s=latency)
    each = max(1, math.ceil(inside / clients))
    yield fact("concurrency_each", each, safe_rate=safe, latency_s=latency, clients=clients)
    if given.concurrency is not None:
        allowed = clients * given.concurrency / latency
        yield fact(
            "concurrency_rate", allowed, clients=clients, concurrency=given.concurrency, latency_s=latency
        )
        yield fact("usable_rate", min(safe, allowed), safe_rate=safe, concurrency_rate=allowed)


def _bucket(given: Inputs) -> Iterator[Fact]:
    limit_rate, safe, tight = given.binding.rate_per_s, given.safe_rate, tightest(given)
    yield fact("capacity_guidance", _by_guidance(given), limit_rate=limit_rate)
    window = {"safe_rate": safe, "window_s": tight.window_s}
    yield fact("capacity_window", _keeps(given, tight), quota=tight.quota, **window)
    capacity = _capacity(given)
    if given.steady is not None:
        load = float(given.steady / safe)
        yield fact("capacity_1pct", smallest_capacity(load, 0.01) or math.inf, load=load)
        yield fact("capacity_01pct", smallest_capacity(load, 0.001) or math.inf, load=load)
    yield fact("capacity", capacity, capacity=capacity)
    most = math.floor(capacity + safe * tight.window_s)
    yield fact("most_in_window", most, capacity=capacity, **window)
    if given.steady is not None:
        yield fact("refused", md1c_loss(load, capacity), load=load, capacity=capacity)
        each = md1c_loss(load, max(1, capacity // given.clients))
        yield fact("client_refused", each, load=load, capacity=capacity, clients=given.clients)


def tightest(given: Inputs) -> Limit:
    """The limit that leaves the least room for a bucket."""
    return min(given.limits, key=lambda limit: _keeps(given, limit))


def _keeps(given: Inputs, limit: Limit) -> int:
    # The largest whole C with floor(C + r W) <= quota, for a window with both its ends.
    return math.ceil(math.floor(limit.quota) + 1 - given.safe_rate * limit.window_s) - 1


def _by_guidance(given: Inputs) -> int:
    return max(1, math.ceil(10 * given.binding.rate_per_s))


def _capacity(given: Inputs) -> int:
    if given.capacity is not None:
        return given.capacity
    load = None if given.steady is None else float(given.steady / given.safe_rate)
    enough = None if load is None else smallest_capacity(load, 0.01)
    return max(_by_guidance(given), enough or 1)
