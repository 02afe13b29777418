"""Validate the queue of a plan: compare theory, Little's law and simulation."""

from __future__ import annotations

from dataclasses import dataclass

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.buckets import LeakyBucket
from hook_widgets.ratelimit.planning.plan import Plan
from hook_widgets.ratelimit.simulation.engine import simulate
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import whole


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueCheck:
    """Mean waits of admitted requests until they are sent, in seconds, and shares of rejected requests.

    Attributes:
        theory_wait_s: mean wait in the finite queue under Poisson traffic (M/D/1/C).
        endless_wait_s: mean wait in a queue of unlimited length (M/D/1).
        little_wait_s: simulated mean number waiting divided by the rate of admitted requests (Little's law).
        simulated_wait_s: mean of the simulated waits.
        theory_rejected: share of rejected requests (M/D/1/C).
        simulated_rejected: share of rejected requests in the simulation.
        requests: number of simulated requests.
        seed: seed of the random traffic.
    """

    theory_wait_s: float
    endless_wait_s: float
    little_wait_s: float
    simulated_wait_s: float
    theory_rejected: float
    simulated_rejected: float
    requests: int
    seed: int


def check_queue(plan: Plan, *, requests: int = 20_000, seed: int = 0) -> QueueCheck:
    """Compare the queue of a plan with a simulation of random traffic at its steady rate.

    The simulation begins with an empty queue. At a load near or above 1 a long queue fills slowly, so many
    more requests than its length are needed before the initial state no longer matters.

    Args:
        plan: a plan with ``steady`` and ``timeout_s``.
        requests: approximate number of requests to simulate; with few, random deviations are large.
        seed: seed of the random traffic; equal seeds give equal results.

    Raises:
        InvalidLimit: the plan has no queue to check, or requests is not a positive number.

    >>> from hook_widgets.ratelimit.planning.plan import plan
    >>> check = check_queue(plan("100/s", steady="68/s", timeout_s=1))
    >>> round(check.theory_wait_s, 2), round(check.simulated_wait_s, 2)
    (0.02, 0.02)
    """
    inputs = plan.inputs
    if inputs.steady is None or inputs.timeout_s is None:
        raise InvalidLimit("the plan has no queue to check; give it steady and timeout_s")
    size = int(plan["queue_size"].value)
    if not size:
        raise InvalidLimit("the plan has no room for a queue; give a longer timeout_s")
    count = whole(requests, "requests")
    if not count:
        raise InvalidLimit("requests is zero; give at least 1")
    traffic = Arrivals.poisson(inputs.steady, count / inputs.steady, seed=seed)
    summary = simulate(LeakyBucket(size, inputs.usable_rate, "immediate"), traffic).summary()
    if not summary.admitted or not summary.admitted_per_s:
        raise InvalidLimit("no request was simulated with this seed; give more requests")
    return QueueCheck(
        theory_wait_s=float(plan["wait_queue_s"].value),
        endless_wait_s=float(plan["wait_md1_s"].value),
        little_wait_s=(summary.mean_depth or 0) / summary.admitted_per_s,
        simulated_wait_s=summary.wait_mean_s or 0,
        theory_rejected=float(plan["queue_rejected"].value),
        simulated_rejected=summary.rejected_fraction,
        requests=summary.offered,
        seed=seed,
    )
