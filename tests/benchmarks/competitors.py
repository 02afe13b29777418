"""Rate limiters and simulators that users have today, each called at its fastest entrance.

Their clocks are replaced by a variable, so that nothing sleeps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import ciw
import simpy
from aiolimiter import AsyncLimiter
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, SlidingWindowCounterRateLimiter
from pyrate_limiter import GCRA, FixedWindow, InMemoryBucket, Rate, RateItem, StateBucket

from hook_widgets.ratelimit import Arrivals
from tests.benchmarks.baselines import BURST, LIMIT, RATE, WINDOW_S, Candidate


def of_limits(strategy: Any, arrivals: Arrivals) -> Candidate:
    def candidate() -> int:
        clock = SimpleNamespace(now=0.0)
        clock.time = lambda: clock.now
        with patch("limits.storage.memory.time", clock):
            limiter, item = strategy(MemoryStorage()), RateLimitItemPerSecond(LIMIT, WINDOW_S)
            count, hit = 0, limiter.hit
            for clock.now in arrivals.times_s:
                count += hit(item, "key")
            return count

    return candidate


def of_pyrate(make: Callable[[], InMemoryBucket | StateBucket], arrivals: Arrivals) -> Candidate:
    """Its time is whole milliseconds."""
    milliseconds = [ns // 1_000_000 for ns in arrivals.times_ns]

    def candidate() -> int:
        put, count = make().put, 0
        for ms in milliseconds:
            count += bool(put(RateItem("key", ms)))
        return count

    return candidate


def of_aiolimiter(arrivals: Arrivals) -> Candidate:
    """Asks, and takes what `acquire` would take without waiting."""

    def candidate() -> int:
        clock: Any = SimpleNamespace(now=0.0, is_closed=lambda: False)
        clock.time = lambda: clock.now
        limiter, count = AsyncLimiter(BURST, BURST / RATE), 0
        limiter._event_loop = clock
        for clock.now in arrivals.times_s:
            if limiter.has_capacity():
                limiter._level += 1
                count += 1
        return count

    return candidate


def of_simpy_token(arrivals: Arrivals) -> Candidate:
    """A process of arrivals, and a bucket that is filled when one comes."""

    def candidate() -> int:
        env, count = simpy.Environment(), 0

        def source() -> Generator[simpy.Event, Any, None]:
            nonlocal count
            level = float(BURST)
            last = 0.0
            for t in arrivals.times_s:
                yield env.timeout(t - last)
                level = min(BURST, level + (t - last) * RATE)
                last = t
                if level >= 1:
                    level -= 1
                    count += 1

        env.process(source())
        env.run()
        return count

    return candidate


def of_simpy_queue(arrivals: Arrivals) -> Candidate:
    """A server with a queue, and a process for each request that finds room."""

    def candidate() -> int:
        env, count = simpy.Environment(), 0
        server = simpy.Resource(env)

        def request() -> Generator[simpy.Event, Any, None]:
            with server.request() as turn:
                yield turn
                yield env.timeout(1 / RATE)

        def source() -> Generator[simpy.Event, Any, None]:
            nonlocal count
            last = 0.0
            for t in arrivals.times_s:
                yield env.timeout(t - last)
                last = t
                if server.count + len(server.queue) < BURST:
                    env.process(request())
                    count += 1

        env.process(source())
        env.run()
        return count

    return candidate


def of_ciw(load: float, arrivals: Arrivals) -> Candidate:
    """An M/D/1 queue of limited size with Poisson arrivals of its own, as many in the mean."""

    def candidate() -> int:
        ciw.seed(42)
        network = ciw.create_network(
            arrival_distributions=[ciw.dists.Exponential(load * RATE)],
            service_distributions=[ciw.dists.Deterministic(1 / RATE)],
            number_of_servers=[1],
            queue_capacities=[BURST - 1],
        )
        simulation = ciw.Simulation(network)
        simulation.simulate_until_max_customers(len(arrivals), method="Arrive")
        return len(simulation.get_all_records(only=["service"]))

    return candidate


def libraries(algorithm: str, load: float, arrivals: Arrivals) -> dict[str, Candidate]:
    """The libraries that have this algorithm."""
    per_second = [Rate(LIMIT, WINDOW_S * 1000)]
    match algorithm:
        case "token bucket":
            rate = [Rate(RATE, 1000, burst=BURST)]
            return {
                "aiolimiter": of_aiolimiter(arrivals),
                "pyrate-limiter": of_pyrate(lambda: StateBucket(rate, GCRA()), arrivals),
                "SimPy": of_simpy_token(arrivals),
            }
        case "leaky bucket":
            return {"SimPy": of_simpy_queue(arrivals), "Ciw": of_ciw(load, arrivals)}
        case "fixed window":
            return {
                "limits": of_limits(FixedWindowRateLimiter, arrivals),
                "pyrate-limiter": of_pyrate(lambda: InMemoryBucket(per_second, FixedWindow()), arrivals),
            }
        case "sliding log":
            return {
                "limits": of_limits(MovingWindowRateLimiter, arrivals),
                "pyrate-limiter": of_pyrate(lambda: InMemoryBucket(per_second), arrivals),
            }
    return {"limits": of_limits(SlidingWindowCounterRateLimiter, arrivals)}
