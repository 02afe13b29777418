"""Title, unit, formula and source of every figure of a plan.

A formula is an expression in the names of its inputs; the tests evaluate each formula and compare the result.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from hook_widgets.ratelimit.planning.metrics import Metric, Value

_GUIDANCE = "Planning guidance: stay 10 to 20% below the published limit"
_BUCKET_GUIDANCE = "Planning guidance: a bucket of at least ten times the limit per second"
_LITTLE = "Little 1961: L = lambda W"
_FLUID = "Conservation: what arrives and is not served waits (fluid queue)"
_CALCULUS = "Le Boudec and Thiran, Network Calculus 2001, section 1.4"
_MD1 = "Pollaczek-Khinchine for constant service (M/D/1)"
_LOSS = "Poisson into a token bucket is M/D/1/C: Brun and Garcia, J. Appl. Probab. 37 (2000)"
_SHARES = "Budgets add up to the safe rate"


class Formula(NamedTuple):
    """Title, unit, formula and source of one figure."""

    title: str
    unit: str
    formula: str
    source: str


_IN_TURN = "In any run of requests the busiest has its share, and the others take the rest in turn"

FORMULAS = {
    "whole_quota": Formula(
        "Requests of all that use up the quota of the busiest", "requests", "quota / busiest_share", _IN_TURN
    ),
    "limit_rate": Formula("Published limit", "1/s", "quota / window_s", "The published limit"),
    "safe_rate": Formula("Safe rate", "1/s", "limit_rate * (1 - cushion)", _GUIDANCE),
    "utilisation": Formula("Utilisation of the limit", "share", "steady / limit_rate", "Definition"),
    "load": Formula("Load on the usable rate", "share", "steady / usable_rate", "Definition"),
    "per_client_rate": Formula("Budget of a client", "1/s", "usable_rate / clients", _SHARES),
    "per_client_quota": Formula(
        "Budget of a client in the window", "requests", "floor(usable_rate * window_s / clients)", _SHARES
    ),
    "delay_s": Formula("Time between the calls of a client", "s", "clients / usable_rate", _SHARES),
    "uncoordinated_rate": Formula(
        "Together, if all use the full limit",
        "1/s",
        "clients * min(safe_rate, client_concurrency_rate)",
        "Addition; no client sends more than its calls in flight allow (Little's law)",
    ),
    "uncoordinated_rejected": Formula(
        "Rejected then, at least", "share", "max(0, 1 - limit_rate / uncoordinated_rate)", _FLUID
    ),
    "burst_backlog": Formula(
        "Waiting when the burst ends",
        "requests",
        "max(0, burst + (steady - usable_rate) * burst_window_s)",
        _FLUID,
    ),
    "burst_recover_s": Formula(
        "Time to drain the burst",
        "s",
        "burst_backlog / (usable_rate - steady) if usable_rate > steady else inf if burst_backlog else 0",
        _FLUID,
    ),
    "burst_wait_s": Formula(
        "Longest wait in the burst",
        "s",
        "burst_backlog / usable_rate",
        f"{_CALCULUS}: delay = backlog / rate",
    ),
    "burst_capacity": Formula(
        "Bucket that lets the burst pass",
        "tokens",
        "on_off_capacity(steady + burst / burst_window_s, usable_rate, burst_window_s)"
        " if burst_window_s else max(1, ceil(burst))",
        f"{_CALCULUS}: C = (p - r) T + r / p",
    ),
    "burst_rejected": Formula(
        "Rejected of the burst without a queue",
        "requests",
        "on_off_rejected(steady + burst / burst_window_s, usable_rate, burst_window_s, capacity)"
        " if burst_window_s else max(0, burst - capacity)",
        _CALCULUS,
    ),
    "burst_rejected_by_api": Formula(
        "Rejected of the burst by a bucket of the burst allowance",
        "requests",
        "on_off_rejected(steady + burst / burst_window_s, limit_rate, burst_window_s, burst_allowance)"
        " if burst_window_s else max(0, burst - burst_allowance)",
        _CALCULUS,
    ),
    "burst_rejected_of_each": Formula(
        "Rejected of the burst by a bucket of the burst allowance for each",
        "requests",
        "burst_rejected(ceil((steady + burst / burst_window_s) * burst_window_s),"
        " 1 / (steady + burst / burst_window_s), rate_of_one, burst_allowance, keys, busiest_share)"
        " if burst_window_s else burst_rejected(burst, 0, rate_of_one, burst_allowance, keys, busiest_share)",
        f"{_IN_TURN}; counted request by request",
    ),
    "burst_not_queued": Formula(
        "Rejected of the burst by that queue",
        "requests",
        "on_off_rejected(steady + burst / burst_window_s, usable_rate, burst_window_s, queue_size)"
        " if burst_window_s else max(0, burst - queue_size)",
        f"{_CALCULUS}; a queue of Q places admits what a bucket of Q tokens admits",
    ),
    "queue_size": Formula(
        "Queue for the client's timeout",
        "requests",
        "max(0, floor(usable_rate * (timeout_s - latency_s)))",
        f"{_LITTLE}; the last of Q waits Q / r",
    ),
    "queue_wait_s": Formula("Longest wait in that queue", "s", "queue_size / usable_rate", _LITTLE),
    "queue_rejected": Formula(
        "Rejected by that queue, of steady traffic",
        "share",
        "md1c_loss(load, queue_size) if queue_size else 1",
        _LOSS,
    ),
    "wait_md1_s": Formula("Mean wait, constant drain", "s", "md1_wait_s(steady, usable_rate)", _MD1),
    "wait_mm1_s": Formula(
        "Mean wait, random drain", "s", "mm1_wait_s(steady, usable_rate)", "Kleinrock 1975, M/M/1"
    ),
    "wait_queue_s": Formula(
        "Mean wait in that queue, of steady traffic",
        "s",
        "md1c_wait_s(steady, usable_rate, queue_size) if queue_size else 0",
        f"{_LITTLE}, on M/D/1/C: Brun and Garcia, J. Appl. Probab. 37 (2000)",
    ),
    "waiting": Formula("Waiting on average", "requests", "steady * wait_md1_s", _LITTLE),
    "in_flight": Formula("In flight at the safe rate", "requests", "safe_rate * latency_s", _LITTLE),
    "concurrency_needed": Formula(
        "Calls in flight needed", "requests", "max(1, ceil(safe_rate * latency_s))", _LITTLE
    ),
    "concurrency_each": Formula(
        "Calls in flight needed by the largest client",
        "requests",
        "max(1, ceil(safe_rate * latency_s * largest_share))",
        _LITTLE,
    ),
    "concurrency_rate": Formula(
        "Rate that our calls in flight allow", "1/s", "concurrency / latency_s / largest_share", _LITTLE
    ),
    "api_concurrency_rate": Formula(
        "Rate that the API's concurrency allows", "1/s", "max_in_flight / latency_s", _LITTLE
    ),
    "usable_rate": Formula(
        "Usable rate",
        "1/s",
        "min(safe_rate, concurrency_rate, api_concurrency_rate)",
        "The smallest one binds",
    ),
    "capacity_guidance": Formula(
        "Bucket by the guidance", "tokens", "max(1, ceil(10 * limit_rate))", _BUCKET_GUIDANCE
    ),
    "capacity_guidance_of_each": Formula(
        "Bucket of each by the guidance", "tokens", "max(1, ceil(10 * rate_of_one))", _BUCKET_GUIDANCE
    ),
    "capacity_in_flight": Formula(
        "Largest throttle that the API's concurrency never rejects",
        "tokens",
        "max_in_flight + 1 - ceil(usable_rate * latency_s)",
        f"{_CALCULUS}: a bucket admits less than C + r t in less than t",
    ),
    "capacity_window_of_each": Formula(
        "Largest throttle that the API's limit never rejects",
        "tokens",
        "min(ceil(together(quota, busiest_share) + 1 - usable_rate * window_s) - 1,"
        " together(burst_allowance, busiest_share))",
        f"{_CALCULUS}, for the busiest: k of its requests need floor((k - 1) / busiest_share) + 1 of all",
    ),
    "capacity_window": Formula(
        "Largest throttle that the API's limit never rejects",
        "tokens",
        "min(ceil(floor(quota) + 1 - usable_rate * window_s) - 1, burst_allowance)",
        f"{_CALCULUS}: a bucket admits at most C + r t in t",
    ),
    "capacity_bucket": Formula(
        "Largest throttle that the API's limit never rejects",
        "tokens",
        "floor(burst_allowance)",
        f"{_CALCULUS}: a bucket admits all that one of the same size and a lower rate lets pass",
    ),
    "capacity_1pct": Formula(
        "Smallest bucket for losses of 1%", "tokens", "smallest_capacity(load, 0.01) or inf", _LOSS
    ),
    "capacity_01pct": Formula(
        "Smallest bucket for losses of 0.1%", "tokens", "smallest_capacity(load, 0.001) or inf", _LOSS
    ),
    "capacity": Formula(
        "Throttle of this plan",
        "tokens",
        "capacity",
        "Given, or else what traffic needs and the API never rejects",
    ),
    "max_in_window": Formula(
        "Most that the throttle lets pass in any window",
        "requests",
        "floor(capacity + usable_rate * window_s)",
        f"{_CALCULUS}: a bucket admits at most C + r t in t",
    ),
    "rejected": Formula(
        "Rejected by that bucket, of steady traffic", "share", "md1c_loss(load, capacity)", _LOSS
    ),
    "client_rejected": Formula(
        "Rejected of it if each client has its own part of the throttle",
        "share",
        "md1c_loss(load, max(1, floor(capacity * smallest_share)))",
        _LOSS,
    ),
    "retry_factor": Formula(
        "Traffic with retries, of the limit",
        "times",
        "retry_amplification(utilisation, retries)",
        "Fixed point of p = (1 - 1/load)^(1/(n+1))",
    ),
}


def metric(name: str, value: Value, **inputs: Value) -> Metric:
    """Return the figure of this name with its value and the inputs of its formula."""
    return Metric(name=name, value=value, inputs=MappingProxyType(inputs), **FORMULAS[name]._asdict())
