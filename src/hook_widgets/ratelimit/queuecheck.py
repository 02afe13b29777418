"""The queue of a plan three ways: by theory, by Little's law, and by simulation."""

from __future__ import annotations

from dataclasses import dataclass

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.buckets import LeakyBucket
from hook_widgets.ratelimit.plan import Plan
from hook_widgets.ratelimit.quantity import whole
from hook_widgets.ratelimit.simulate import simulate


@dataclass(frozen=True, slots=True)
class QueueCheck:
    """Mean waits before service of admitted requests, in seconds, and shares refused.

    Attributes:
        theory_wait_s: of the finite queue under random (Poisson) traffic, M/D/1/C.
        endless_wait_s: of a queue without end, M/D/1.
        little_wait_s: mean number inside divided by the rate of those admitted, in the simulation.
        simulated_wait_s: measured request by request in the simulation.
        theory_refused: share refused, M/D/1/C.
        simulated_refused: share refused in the simulation.
        requests: how many were simulated.
        seed: which random traffic it was.
    """

    theory_wait_s: float
    endless_wait_s: float
    little_wait_s: float
    simulated_wait_s: float
    theory_refused: float
    simulated_refused: float
    requests: int
    seed: int


def check_queue(made: Plan, *, requests: int = 20_000, seed: int = 0) -> QueueCheck:
    """Hold the queue of a plan against a simulation of random traffic at its steady rate.

    The simulation begins with an empty queue. At a load near or above 1 a long queue takes its time to fill,
    so that many more requests than its length are needed to forget the beginning.

    Args:
        made: a plan with ``steady`` and ``timeout_s``.
        requests: about how many to simulate; with few, chance is large.
        seed: which random traffic; the same seed gives the same numbers.

    Raises:
        InvalidLimit: the plan has no queue to check, or requests is no number above zero.

    >>> from hook_widgets.ratelimit.plan import plan
    >>> check = check_queue(plan("100/s", steady="68/s", timeout_s=1))
    >>> round(check.theory_wait_s, 2), round(check.simulated_wait_s, 2)
    (0.02, 0.02)
    """
    given = made.inputs
    if given.steady is None or given.timeout_s is None:
        raise InvalidLimit("The plan has no queue to check. Give it steady and timeout_s.")
    size = int(made["queue_size"].value)
    if not size:
        raise InvalidLimit("The plan has no room for a queue. Give a longer timeout_s.")
    wanted = whole(requests, "requests")
    if not wanted:
        raise InvalidLimit("requests is zero. Give at least 1.")
    traffic = Arrivals.poisson(given.steady, wanted / given.steady, seed=seed)
    summary = simulate(LeakyBucket(size, given.safe_rate), traffic).summary()
    if not summary.admitted or not summary.admitted_per_s:
        raise InvalidLimit("So few requests were none at all with this seed. Simulate more.")
    service = float(1 / given.safe_rate)
    return QueueCheck(
        theory_wait_s=float(made["wait_queue_s"].value),
        endless_wait_s=float(made["wait_md1_s"].value),
        little_wait_s=(summary.mean_depth or 0) / summary.admitted_per_s - service,
        simulated_wait_s=(summary.wait_mean_s or 0) - service,
        theory_refused=float(made["queue_refused"].value),
        simulated_refused=summary.rejected_fraction,
        requests=summary.offered,
        seed=seed,
    )
