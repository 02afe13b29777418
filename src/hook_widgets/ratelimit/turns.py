"""What clients are told at the turns of a run: when it begins, when it refuses, when it admits again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from hook_widgets.errors import InvalidHeader, InvalidLimit
from hook_widgets.ratelimit.answers import Answer, answer, policy_of
from hook_widgets.ratelimit.problem import Cause
from hook_widgets.ratelimit.rejection import Exceeded, reject
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.wording import seconds
from hook_widgets.ratelimit.xheaders import Reset


@dataclass(frozen=True, slots=True)
class Turn:
    """One of these answers.

    Attributes:
        title: when it is given.
        status: 200, 429 or 503; 0 when no header can carry it.
        headers: names and values in order.
        body: the body of a refusal, or why there is no answer.
    """

    title: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: str


def turns(run: Run) -> tuple[Turn, ...]:
    """The first request, the first refusal, the first that passes again; and an API that is overloaded.

    >>> from hook_widgets.ratelimit import TokenBucket, simulate
    >>> [turn.status for turn in turns(simulate(TokenBucket(1, "1/s"), [0, 0, 1]))]
    [200, 429, 200, 503]
    """
    told = [
        _turn(
            f"{title}, after {seconds(run.arrivals.times_s[i])}",
            partial(answer, run, i, x_reset=Reset.DELTA),
        )
        for title, i in _moments(run)
    ]
    return (*told, _turn("When the API is overloaded, within the limit or not", partial(_overloaded, run)))


def _moments(run: Run) -> Iterator[tuple[str, int]]:
    admitted = run.admitted
    if admitted and admitted[0]:
        yield "The first request", 0
    if False in admitted:
        refused = admitted.index(False)
        yield "The first refusal", refused
        if True in admitted[refused:]:
            yield "The next one that passes", admitted.index(True, refused)


def _overloaded(run: Run) -> Answer:
    """What any client is told while the API itself cannot keep up, whoever asks."""
    policy = policy_of(run.limiter.layers[0])
    refusal = reject([Exceeded(policy, retry_s=5)], now=0, cause=Cause.CAPACITY)
    return Answer(refusal.status, refusal.headers, refusal.body)


def _turn(title: str, told: Callable[[], Answer]) -> Turn:
    try:
        found = told()
    except (InvalidHeader, InvalidLimit) as error:  # such as a limit's name in letters that no header has
        return Turn(title, 0, (), str(error))
    return Turn(title, found.status, found.headers, found.body.decode())
