"""Other people's rate limiters, asked one request after another at the times we say.

Each function returns whom the library lets through. Nothing here waits: the clocks stand still until they are
moved, and no background thread runs.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import aiolimiter
import limits
import pyrate_limiter as pyrate
from limits.storage import MemoryStorage

Decide = Callable[[Sequence[float], Sequence[int]], list[bool]]

EPOCH = 840 * 2**21
"""Clock time at our time 0: a date in 2025 (limits counts windows from 1970), and a whole number of
all windows from one second to eight."""


class Clock:
    """A clock that somebody else moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def time(self) -> float:
        return self.now


class _NeverRings:
    """In place of the timer that purges the storage every ten milliseconds of real time."""

    def __init__(self, *_: object) -> None: ...

    def start(self) -> None: ...

    def is_alive(self) -> bool:
        return True


@contextmanager
def frozen() -> Iterator[Clock]:
    """The storage of limits under a clock of ours."""
    clock = Clock()
    stand_in = SimpleNamespace(Timer=_NeverRings, RLock=threading.RLock)
    memory = "limits.storage.memory"
    with patch(f"{memory}.time", clock), patch(f"{memory}.threading", stand_in):
        yield clock


def of_limits(strategy: Any, amount: int, window_s: int, *, epoch: int = EPOCH) -> Decide:
    """A strategy of limits, on its storage in memory."""

    def decide(times: Sequence[float], costs: Sequence[int]) -> list[bool]:
        with frozen() as clock:
            limiter, item = strategy(MemoryStorage()), limits.RateLimitItemPerSecond(amount, window_s)
            admitted = []
            for t, cost in zip(times, costs, strict=True):
                clock.now = epoch + t
                admitted.append(limiter.hit(item, cost=cost))
            return admitted

    return decide


def of_pyrate(algorithm: Any, *rates: pyrate.Rate) -> Decide:
    """An algorithm of pyrate-limiter, on its bucket in memory. Its time is whole milliseconds."""

    def decide(times: Sequence[float], costs: Sequence[int]) -> list[bool]:
        kind = pyrate.StateBucket if isinstance(algorithm, pyrate.StateAlgorithm) else pyrate.InMemoryBucket
        bucket = kind(list(rates), algorithm=algorithm)
        return [
            bool(bucket.put(pyrate.RateItem("request", int(t * 1000), weight=cost)))
            for t, cost in zip(times, costs, strict=True)
        ]

    return decide


class _FrozenLoop(asyncio.SelectorEventLoop):
    now = 0.0

    def time(self) -> float:
        return self.now


def of_aiolimiter(max_rate: float, time_period: float) -> Decide:
    """aiolimiter, which lets wait instead of rejecting: here a request gives up when it would have to."""

    def decide(times: Sequence[float], costs: Sequence[int]) -> list[bool]:
        loop = _FrozenLoop()

        async def one_by_one() -> list[bool]:
            limiter = aiolimiter.AsyncLimiter(max_rate, time_period)
            admitted = []
            for t, cost in zip(times, costs, strict=True):
                loop.now = t
                admitted.append(limiter.has_capacity(cost))
                if admitted[-1]:
                    await limiter.acquire(cost)
            return admitted

        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            return runner.run(one_by_one())

    return decide
