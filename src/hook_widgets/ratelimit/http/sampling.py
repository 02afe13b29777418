"""Sample HTTP responses from a run: first request, first rejection, first admission after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

from hook_widgets.errors import InvalidHeader, InvalidLimit
from hook_widgets.ratelimit.formatting import seconds
from hook_widgets.ratelimit.http.problem_details import RejectionCause
from hook_widgets.ratelimit.http.rejection import ExceededLimit, reject
from hook_widgets.ratelimit.http.responses import RateLimitResponse, build_response, policy_of
from hook_widgets.ratelimit.http.x_ratelimit_headers import ResetDialect
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.units import Number

_RUN_START: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)  # fixed, so that equal runs give equal responses


@dataclass(frozen=True, slots=True)
class SampleResponse:
    """One sample response.

    Attributes:
        title: the situation, such as the first rejection, and its time.
        status: 200, 429 or 503; 0 if no header can represent the response.
        headers: names and values in order.
        body: the body of a rejection, or the reason why there is no response.
    """

    title: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: str


def sample_responses(run: Run, *, start: datetime | Number = _RUN_START) -> tuple[SampleResponse, ...]:
    """Return sample responses to the first request, the first rejected one and the next admitted one.

    The last sample is the response of an overloaded API. Situations that do not occur in the run are omitted.

    Args:
        run: the run with its decisions.
        start: when the run begins, from which the dates in the bodies follow (epoch seconds or an aware
            datetime); by default 9:00 UTC on Monday, 5 January 2026.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> [sample.status for sample in sample_responses(simulate(TokenBucket(1, "1/s"), [0, 0, 1]))]
    [200, 429, 200, 503]
    """
    samples = [
        _sample(
            f"{title}, after {seconds(run.arrivals.times_s[i])}",
            partial(build_response, run, i, start=start, x_reset=ResetDialect.DELTA),
        )
        for title, i in _situations(run)
    ]
    overloaded = _sample(
        "When the API is overloaded, within the limit or not", partial(_overloaded, run, start)
    )
    return (*samples, overloaded)


def _situations(run: Run) -> Iterator[tuple[str, int]]:
    admitted = run.admitted
    if admitted and admitted[0]:
        yield "The first request", 0
    if False in admitted:
        rejected = admitted.index(False)
        yield "The first rejected request", rejected
        if True in admitted[rejected:]:
            yield "The next one that passes", admitted.index(True, rejected)


def _overloaded(run: Run, start: datetime | Number) -> RateLimitResponse:
    """Return the response that every client receives while the API is overloaded."""
    policy = policy_of(run.limiter.layers[0])
    rejection = reject([ExceededLimit(policy, retry_s=5)], now=start, cause=RejectionCause.CAPACITY)
    return RateLimitResponse(rejection.status, rejection.headers, rejection.body)


def _sample(title: str, respond: Callable[[], RateLimitResponse]) -> SampleResponse:
    try:
        response = respond()
    except (InvalidHeader, InvalidLimit) as error:  # for example a limit's name that is not ASCII
        return SampleResponse(title, 0, (), str(error))
    return SampleResponse(title, response.status, response.headers, response.body.decode())
