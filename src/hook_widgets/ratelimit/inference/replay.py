"""Replay of observed requests by a limiter, and trials of requests to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hook_widgets.ratelimit.inference.evidence import Evidence
from hook_widgets.ratelimit.inference.families import Family
from hook_widgets.ratelimit.inference.probe_plan import ProbeStep
from hook_widgets.ratelimit.inference.samples import START_S, Sample
from hook_widgets.ratelimit.limiters.trace import Trace
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import NS_PER_S

_NOTHING: Final = Arrivals(())


class Replay:
    """A limiter after the observed requests, each decided in the middle of its interval.

    It runs the loops of `hook_widgets.ratelimit.limiters.algorithms`, as `simulate` does.
    """

    def __init__(self, sample: Sample, evidence: Evidence) -> None:
        self.family: Family = sample.family
        self._per_s = sample.limiter._ticks_per_ns() * NS_PER_S
        trace = Trace(arrivals=_NOTHING, ticks_per_ns=sample.limiter._ticks_per_ns(), growing=True)
        state = sample.limiter._initial_state(trace)
        self._loop, self._numbers, self._values = state.loop, state.numbers, state.values
        self._times: list[int] = []
        self._costs: list[int] = []
        self._admitted: list[bool] = []
        for low, high in zip(evidence.earliest_s, evidence.latest_s, strict=True):
            self._decide((low + high) / 2)

    def outcome(
        self, steps: Sequence[ProbeStep], begin_s: float, round_trip_s: float
    ) -> tuple[list[bool], float]:
        """Return the decisions about further requests, and the time after them; nothing is charged.

        Args:
            steps: the requests.
            begin_s: the time before them, in seconds from the first observed request.
            round_trip_s: seconds from a request to its response.
        """
        count, before = len(self._times), list(self._values)
        decisions, t = [], begin_s
        for step in steps:
            t += float(step.wait_s)
            for _ in range(step.requests):
                decisions.append(self._decide(t + round_trip_s / 2))
                t += round_trip_s
                if step.until_rejected and not decisions[-1]:
                    break
        self._values[:] = before
        for values in (self._times, self._costs, self._admitted):
            del values[count:]
        return decisions, t

    def _decide(self, t_s: float) -> bool:
        i = len(self._times)
        self._times.append(round((t_s + START_S) * self._per_s))
        self._costs.append(1)
        self._admitted.append(True)
        self._loop(self._times, self._costs, *self._numbers, self._values, 0, self._admitted, i, i + 1)
        return self._admitted[i]
