"""Plans of further requests: those that tell the remaining candidates apart at the lowest cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Final

from hook_widgets.ratelimit.formatting import count, seconds
from hook_widgets.ratelimit.inference.candidates import Candidate
from hook_widgets.ratelimit.inference.evidence import Evidence
from hook_widgets.ratelimit.inference.families import Family
from hook_widgets.ratelimit.inference.samples import START_S, Sample, samples_of
from hook_widgets.ratelimit.limiters.buckets import TokenBucket
from hook_widgets.ratelimit.limiters.trace import Trace
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import NS_PER_S


@dataclass(frozen=True, slots=True)
class ProbeStep:
    """Requests one after the other, each sent when the previous one is answered.

    Attributes:
        wait_s: seconds to wait before the first.
        requests: the number of requests.
        until_rejected: stop after the first rejection.
    """

    wait_s: Fraction
    requests: int
    until_rejected: bool = True


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """Requests to send next, with one key, and their cost. Nothing is sent by making a plan.

    Attributes:
        steps: the requests, in order.
        requests: the most requests that are sent.
        rejections: the most rejections (429) among them.
        duration_s: the longest duration, in seconds.
    """

    steps: tuple[ProbeStep, ...]
    requests: int
    rejections: int
    duration_s: float

    def __str__(self) -> str:
        """Return the plan in words."""
        parts = []
        for step in self.steps:
            wait = f"wait {seconds(step.wait_s)}, " if step.wait_s else ""
            stop = ", until one is rejected" if step.until_rejected and step.requests > 1 else ""
            most = "up to " if stop else ""
            parts.append(f"{wait}send {most}{count(step.requests, 'request')}{stop}")
        return (
            f"{'; '.join(parts)}. At most {count(self.requests, 'request')}, "
            f"{count(self.rejections, 'rejection')} and {seconds(Fraction(self.duration_s))}."
        )


_MIN_ROUND_TRIP_S: Final = 1e-3
_PARAMETERS: Final = 0.3  # worth of a bit about parameters, in bits about the family
_PER_SECOND: Final = 0.05  # cost of a second, in requests
_OVERHEAD: Final = 2.0  # cost of any block of requests, in requests
_FACTORS: Final = (0.3, 0.55, 0.8, 1.05, 1.5, 2.1)  # of a window
_REFILLS: Final = (0.6, 1.3, 2.5, 8.0)  # of a refill interval
_SPREADS: Final = ((0.5, 0.6), (0.3, 0.8), (0.8, 0.3))  # of a window: waits between three groups of requests
_MOST_WINDOWS: Final = 6


def plan_probe(
    evidence: Evidence, candidates: list[Candidate], requests: int, rejections: int, duration_s: float
) -> ProbePlan | None:
    """Return the requests that promise most, or None if no permitted ones tell anything.

    Until the first rejection, requests follow one another. Until the next admission, waits double. Then
    a few limiters of each candidate are simulated, and those requests are taken whose outcome tells most per
    cost.
    """
    if requests < 1 or rejections < 1:
        return None
    if (first := evidence.before_rejection) is None:
        return ProbePlan((ProbeStep(Fraction(0), requests),), requests, 1, duration_s)
    if not any(evidence.admitted[first:]):
        wait = max(evidence.latest_s[-1], _MIN_ROUND_TRIP_S)
        step = ProbeStep(_milliseconds(wait), 1)
        return ProbePlan((step,), 1, 1, wait) if wait <= duration_s else None
    return _best(evidence, samples_of(candidates), requests, rejections, duration_s)


def _best(
    evidence: Evidence, samples: list[Sample], requests: int, rejections: int, duration_s: float
) -> ProbePlan | None:
    round_trip = _round_trip(evidence)
    replays = [Replay(sample, evidence) for sample in samples]
    sizes = Counter(sample.family for sample in samples)
    begin, best, best_value = evidence.latest_s[-1], None, 0.0
    for steps in _blocks(samples):
        if sum(float(step.wait_s) for step in steps) > duration_s:
            continue
        all_outcomes: Counter[tuple[bool, ...]] = Counter()
        by_family: defaultdict[Family, Counter[tuple[bool, ...]]] = defaultdict(Counter)
        cost, most, rejected, longest = _OVERHEAD, 0, 0, 0.0
        for replay in replays:
            decisions, end = replay.outcome(steps, begin, round_trip)
            weight = 1 / sizes[replay.family] / len(sizes)
            all_outcomes[tuple(decisions)] += weight  # type: ignore[assignment]
            by_family[replay.family][tuple(decisions)] += weight  # type: ignore[assignment]
            cost += weight * (len(decisions) + (end - begin) * _PER_SECOND)
            most, rejected = max(most, len(decisions)), max(rejected, decisions.count(False))
            longest = max(longest, end - begin)
            if most > requests or rejected > rejections or longest > duration_s:
                break
        else:
            bits = _entropy(all_outcomes)
            about_family = bits - sum(_entropy(outcomes) for outcomes in by_family.values()) / len(sizes)
            value = (about_family + _PARAMETERS * bits) / cost**0.5
            if value > best_value + 1e-9:
                best, best_value = ProbePlan(steps, most, rejected, longest), value
    return best


def _blocks(samples: Sequence[Sample]) -> Iterator[tuple[ProbeStep, ...]]:
    """Yield the blocks of requests from which one is chosen."""
    buckets = [limiter for sample in samples if isinstance(limiter := sample.limiter, TokenBucket)]
    windows = sorted({float(getattr(sample.limiter, "window_s", 0)) for sample in samples} - {0.0})
    windows = _spread(windows, _MOST_WINDOWS)
    intervals = _spread(sorted({float(1 / bucket.refill_rate) for bucket in buckets}), 3)
    limits = [int(getattr(sample.limiter, "limit", 0)) for sample in samples]
    limit = max([*limits, *(int(bucket.capacity) for bucket in buckets)])
    half = max(1, limit // 2)
    waits = {_milliseconds(window * factor) for window in windows for factor in _FACTORS}
    waits |= {_milliseconds(interval * factor) for interval in intervals for factor in _REFILLS}
    for wait in sorted(waits):
        for requests in sorted({1, 3, half, limit + 1}):
            yield (ProbeStep(wait, requests),)
    for window in windows:
        for renewed in (1.05, 2.1):
            for second, third in _SPREADS:
                yield _steps((renewed * window, 1), (second * window, limit), (third * window, 2))
                yield _steps((renewed * window, half), (second * window, limit), (third * window, half + 1))
                yield _steps(
                    (renewed * window, half), (second * window, limit), (third * window, 1), (0.3 * window, 2)
                )
            yield _steps((renewed * window, 1), (0.95 * window, limit), (0.15 * window, limit))


def _steps(*pairs: tuple[float, int]) -> tuple[ProbeStep, ...]:
    return tuple(ProbeStep(_milliseconds(wait), count) for wait, count in pairs)


def _spread(values: list[float], most: int) -> list[float]:
    """Return up to so many of the values, from the lowest to the highest."""
    if len(values) <= most:
        return values
    return [values[i * (len(values) - 1) // (most - 1)] for i in range(most)]


def _round_trip(evidence: Evidence) -> float:
    """Return the median of the round trips, at least a millisecond."""
    trips = sorted(high - low for low, high in zip(evidence.earliest_s, evidence.latest_s, strict=True))
    return max(trips[len(trips) // 2], _MIN_ROUND_TRIP_S)


def _milliseconds(seconds: float) -> Fraction:
    return Fraction(max(1, round(seconds * 1000)), 1000)


def _entropy(outcomes: Counter[tuple[bool, ...]]) -> float:
    total = sum(outcomes.values())
    return -sum(weight / total * log2(weight / total) for weight in outcomes.values())


class Replay:
    """A limiter after the observed requests, each decided in the middle of its interval.

    It runs the loops of `hook_widgets.ratelimit.limiters.algorithms`, as `simulate` does.
    """

    def __init__(self, sample: Sample, evidence: Evidence) -> None:
        self.family: Family = sample.family
        self._per_s = sample.limiter._ticks_per_ns() * NS_PER_S
        trace = Trace(arrivals=Arrivals(()), ticks_per_ns=sample.limiter._ticks_per_ns(), growing=True)
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
