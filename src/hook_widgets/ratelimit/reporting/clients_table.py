"""A table of closed-loop simulations."""

from __future__ import annotations

import math
from collections.abc import Mapping

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.clients.estimate import Estimate
from hook_widgets.ratelimit.clients.study import ClientStudy, named_studies
from hook_widgets.ratelimit.formatting import percent, seconds
from hook_widgets.ratelimit.reporting.report import ReportTable


def clients_table(studies: ClientStudy | Mapping[str, ClientStudy]) -> ReportTable:
    """Return a table of one or several closed-loop simulations, with confidence intervals.

    Args:
        studies: one study, or several by title.

    Raises:
        LimitModelError: there is no study.
    """
    title = studies.policy.name if isinstance(studies, ClientStudy) else ""
    named = named_studies(title, studies)
    if not named:
        raise LimitModelError("there are no studies; use simulate_clients")
    first = next(iter(named.values()))
    caption = f"Means of {len(first.runs)} runs, and intervals of {percent(first.confidence)} confidence"
    columns = (
        "Clients",
        "Demand/s",
        "Goodput/s",
        "Attempts per request",
        "Fairness",
        "Time to success",
        "Time to recover",
    )
    rows = tuple(
        (
            title or study.policy.name or "clients",
            _shown(study.demand_per_s),
            _shown(study.goodput_per_s),
            _shown(study.amplification),
            _shown(study.fairness),
            "none" if (times := study.time_to_success_s) is None else seconds(times.mean),
            _recovery(study),
        )
        for title, study in named.items()
    )
    return ReportTable(
        caption, columns, rows, "Fairness is Jain's index: 1 if all clients get the same share."
    )


def _shown(estimate: Estimate) -> str:
    half = estimate.high - estimate.mean
    return f"{estimate.mean:.3g}" + (f" ± {half:.2g}" if math.isfinite(half) else "")


def _recovery(study: ClientStudy) -> str:
    if study.recovered_share is None:
        return "no disturbance"
    if study.recovery_s is None:
        return (
            f"only in {percent(study.recovered_share)} of the runs" if study.recovered_share else "in no run"
        )
    return seconds(study.recovery_s.mean)
