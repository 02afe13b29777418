"""Bound what a limit rejects of a log whose times are whole seconds or minutes."""

from __future__ import annotations

from os import PathLike
from typing import Any

from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.simulation.engine import simulate
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import NS_PER_S


def rejected_bounds(limiter: Limiter, path: str | PathLike[str], **options: Any) -> tuple[float, float]:
    """Return the shares of a log that a limit rejects, with its requests spread evenly and all at once.

    A log with whole seconds does not say how requests lie within a second. If its times are finer, both
    shares are the same.

    Args:
        limiter: the limit.
        path: the log.
        options: those of `hook_widgets.ratelimit.Arrivals.from_log` except ``spread``.

    Returns:
        The lower and the higher share, from 0 to 1.

    Raises:
        InvalidArrivals: the log cannot be read.
    """
    shares = [
        simulate(limiter, Arrivals.from_log(path, spread=spread, **options)).summary().rejected_fraction
        for spread in ("even", "none")
    ]
    return min(shares), max(shares)


def all_at_once(arrivals: Arrivals) -> Arrivals | None:
    """Return the requests of a log, those of each second or minute at its begin.

    None unless its times were whole and spread evenly, without durations that were subtracted from them.
    """
    log = arrivals.log
    if log is None or log.spread != "even" or log.duration:
        return None
    unit_ns = (60 if log.whole_minutes else 1) * NS_PER_S
    first_ns = arrivals.times_ns[0]  # at the begin of its unit
    return Arrivals(tuple([t - (t - first_ns) % unit_ns for t in arrivals.times_ns]))
