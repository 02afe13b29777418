"""Infer which limiters explain the statuses of requests."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from math import inf

from hook_widgets._arguments import several
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.formatting import count
from hook_widgets.ratelimit.inference.candidates import Candidate, candidates_of
from hook_widgets.ratelimit.inference.classes import LimiterClass, classes_of
from hook_widgets.ratelimit.inference.evidence import Evidence, Observation, checked_observations, evidence_of
from hook_widgets.ratelimit.inference.header_limits import Headers, promised_waits, stated_limits
from hook_widgets.ratelimit.inference.next_probe import ProbePlan, plan_probe
from hook_widgets.ratelimit.units import Duration, duration, whole


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of `infer`."""

    headers: Headers | None
    rejected: Collection[int]
    clock_step_s: Duration


@dataclass(frozen=True, slots=True)
class Inference:
    """The limiters that explain observations.

    Attributes:
        classes: classes of limiters, each of which explains all observations; empty if none does, and as
            long as no request was rejected.
        requests: the number of observations.
        rejections: the number of rejected requests.
        contradiction: index of the first observation that no limiter explains; None if all can be explained.
        headers_contradict: True if observations and headers do not fit; then the classes disregard headers.
    """

    classes: tuple[LimiterClass, ...]
    requests: int
    rejections: int
    contradiction: int | None
    headers_contradict: bool
    _observations: tuple[Observation, ...] = field(repr=False)
    _options: _Options = field(repr=False)
    _evidence: Evidence = field(repr=False)
    _candidates: list[Candidate] = field(repr=False)

    def extend(self, observations: Iterable[Observation | tuple[object, ...]]) -> Inference:
        """Return what all observations tell, those of this inference and others that followed.

        It takes less time than to infer it from all of them again.

        Args:
            observations: the requests that were sent later, in the order of sending.

        Raises:
            InvalidArrivals: as raised by `infer`.
            InvalidHeader: as raised by `infer`.
        """
        known = self._candidates if self.classes and not self.headers_contradict else None
        return _inferred((*self._observations, *observations), self._options, known)

    def next_probe(
        self, *, max_requests: int = 50, max_rejections: int = 50, max_duration_s: Duration = 3600
    ) -> ProbePlan | None:
        """Return what to send next to tell the classes apart. Nothing is sent.

        Args:
            max_requests: the most requests to plan.
            max_rejections: the most rejections to plan.
            max_duration_s: the longest duration to plan.

        Returns:
            The plan; None if one class or none is left, or no requests within these bounds tell anything.

        Raises:
            InvalidArrivals: a bound is no number, or negative.
        """
        requests = whole(max_requests, "max_requests", error=InvalidArrivals)
        rejections = whole(max_rejections, "max_rejections", error=InvalidArrivals)
        longest = duration(max_duration_s, "max_duration_s", positive=False, error=InvalidArrivals)
        if self.contradiction is not None or (self.rejections and len(self.classes) == 1):
            return None
        return plan_probe(self._evidence, self._candidates, requests, rejections, float(longest))

    def __str__(self) -> str:
        """Return the result in sentences, one a line."""
        lines = [f"{count(self.requests, 'request')}, {count(self.rejections, 'rejection')}."]
        if self.contradiction is not None:
            lines.append(
                f"No limiter explains observation {self.contradiction} together with those before it: others "
                "may use the same key, requests may be missing, or several limits may apply."
            )
        elif not self.rejections:
            lines.append("No request was rejected, so no limit was reached.")
        if self.headers_contradict:
            lines.append("The headers state another limit; they were disregarded.")
        return "\n".join([*lines, *map(str, self.classes)])


def infer(
    observations: Iterable[Observation | tuple[object, ...]],
    headers: Headers | None = None,
    *,
    rejected: Collection[int] = (429,),
    clock_step_s: Duration = "1 ms",
) -> Inference:
    """Return the limiters that explain which requests an API admitted.

    Each request was decided at some time between sending and response. A limiter is excluded only if no
    such times explain the statuses, so the true one is never excluded, provided that

    - it is a single limit, one of the families of this package, of cost 1 per request and of one key,
    - the observations are all requests to that key, sent in this order, and the server decides in this order,
    - the limit was unused before them.

    Args:
        observations: the requests in the order of sending, as `Observation` or tuples: sent, answered,
            status, and headers if there are some.
        headers: header fields of any response. One of the limits that fields such as RateLimit-Policy or
            X-RateLimit-Limit state is then assumed to be this limit.
        rejected: the statuses of rejected requests.
        clock_step_s: resolution of the server's clock; many servers count milliseconds.

    Raises:
        InvalidArrivals: an observation is invalid, they are not in order, or there are too many.
        InvalidHeader: headers are not pairs of texts.

    >>> observations = [(0, 0.01, 200), (0.02, 0.03, 200), (0.04, 0.05, 429), (0.9, 0.91, 429)]
    >>> observations.append((1.02, 1.03, 200))
    >>> result = infer(observations, {"RateLimit-Policy": '"default";q=2;w=1'})
    >>> result.classes[0].example
    SlidingLog(limit=2, window_s=1)
    """
    return _inferred(
        observations,
        _Options(headers, frozenset(several(rejected, "rejected", InvalidArrivals)), clock_step_s),
    )


def _inferred(
    observations: Iterable[Observation | tuple[object, ...]],
    options: _Options,
    within: list[Candidate] | None = None,
) -> Inference:
    checked = checked_observations(observations)
    stated = stated_limits(options.headers, checked)
    evidence = evidence_of(checked, options.rejected, options.clock_step_s, promised_waits(checked))
    candidates, contradict = list[Candidate](), False
    if not all(evidence.admitted):
        candidates = candidates_of(evidence, stated, within)
        if not candidates and (stated or min(evidence.retry_s) < inf):
            evidence = evidence.without_headers()
            candidates = candidates_of(evidence)
            contradict = bool(candidates)
    return Inference(
        classes_of(candidates),
        len(checked),
        evidence.admitted.count(False),
        None if candidates or all(evidence.admitted) else _contradiction(evidence),
        headers_contradict=contradict,
        _observations=tuple(checked),
        _options=options,
        _evidence=evidence,
        _candidates=candidates,
    )


def _contradiction(evidence: Evidence) -> int:
    """Return the index of the first decision that no family explains together with those before it."""
    low, high = 0, len(evidence.admitted)  # so many decisions can, and cannot be explained
    while high - low > 1:
        middle = (low + high) // 2
        part = evidence.prefix(middle)
        if part.before_rejection is None or candidates_of(part):
            low = middle
        else:
            high = middle
    return high - 1
