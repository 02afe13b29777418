"""All the traffic goes to one nginx, at the same time; then the tests look at what it decided."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import pytest

from tests.nginx.limits import LIMITS, QUEUES, Limit
from tests.nginx.server import Decision, Nginx
from tests.nginx.traffic import FIRST, TOGETHER, Stream, drive, patterns


class Log:
    """The decisions of one nginx for every limit and pattern."""

    def __init__(self, decisions: list[Decision], streams: list[Stream]) -> None:
        zero = {decision.connection: decision.at_ms for decision in decisions if decision.path == TOGETHER}
        self._found: dict[tuple[str, str], list[tuple[Fraction, Decision]]] = {
            (stream.path, stream.key): [] for stream in streams
        }
        for decision in decisions:
            if decision.path not in {FIRST, TOGETHER}:
                at_s = Fraction(decision.at_ms - zero[decision.connection], 1000)
                self._found[decision.path, decision.key].append((at_s, decision))

    def of(self, limit: Limit, pattern: str) -> tuple[list[Fraction], list[Decision]]:
        """Return times in seconds on one clock, and the decisions, in order.

        Decisions about one connection have an order. Those about several in the same millisecond have none,
        and the requests are alike: so passed ones come before rejected ones, and shorter waits before longer.
        """

        def order(row: tuple[Fraction, Decision]) -> tuple[Fraction | int, ...]:
            at_s, decision = row
            if limit in QUEUES:
                return (at_s, decision.status, decision.took_ms)
            return (decision.number,)

        rows = sorted(self._found[limit.path, pattern], key=order)
        return [at_s for at_s, _ in rows], [decision for _, decision in rows]


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Every limit meets every pattern, each with a key of its own."""
    # As many connections for the queue as may wait, and some for the rejected ones meanwhile.
    streams = [
        Stream(limit.path, pattern, times, connections=limit.at_once + 4 if limit in QUEUES else 1)
        for limit in LIMITS
        for pattern, times in patterns(limit.pace, limit.at_once).items()
    ]
    nginx = Nginx(
        tmp_path_factory.mktemp("nginx"),
        [zone for limit in LIMITS for zone in limit.zones],
        {FIRST: "", TOGETHER: ""} | {limit.path: limit.directives for limit in LIMITS},
    )
    with nginx:
        asyncio.run(drive(nginx, streams))
    return Log(nginx.decisions(), streams)
