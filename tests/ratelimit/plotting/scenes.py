"""Runs for plots: typical ones and extreme ones."""

from __future__ import annotations

from functools import cache

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    Layers,
    LeakyBucket,
    Limiter,
    Run,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from tests.support.extent import extent


def bursts() -> Arrivals:
    """Return 18 requests a second for two minutes, and twice a burst of 400."""
    steady, burst = Arrivals.steady("18/s", 120), Arrivals.bursts(400, 60, 120, spread_s=3, seed=7)
    return Arrivals.from_times(sorted([*steady, *burst]))


def five() -> dict[str, Limiter]:
    """Return the five algorithms, with parameters at which each rejects some of `bursts`."""
    return {
        "Token bucket": TokenBucket(280, "100000/hour"),
        "Leaky bucket": LeakyBucket(280, "100000/hour"),
        "Fixed window": FixedWindow(800, "30 s"),
        "Sliding log": SlidingLog(800, "30 s"),
        "Sliding counter": SlidingCounter(800, "30 s"),
    }


def compared() -> dict[str, Run]:
    """Return runs of the five algorithms on the same arrivals."""
    arrivals = bursts()
    return {title: simulate(limiter, arrivals) for title, limiter in five().items()}


def three_limits(service_s: float = 0.25) -> Run:
    """Return a run of three limits over time and one on requests in flight."""
    layers = Layers(
        TokenBucket(40, "30/s", name="per second"),
        FixedWindow(1000, "1 min", name="per minute"),
        SlidingCounter(3000, "2 min", name="for each of our very many users"),
        Concurrency(80),
    )
    return simulate(layers, bursts(), service_s=service_s)


TYPICAL = (
    "token bucket",
    "leaky bucket",
    "queue and in flight",
    "three limits",
    "compared",
    "nothing comes",
    "a thousand million",
    "many windows",
)
"""One scene of each kind of picture: curve, queue, requests in flight, legend, several runs, extremes."""


def drawn() -> list[str]:
    """Return the scenes that matplotlib draws in full: one of each kind, in a long run all."""
    return list(extent(TYPICAL, tuple(scenes())))


@cache
def scenes() -> dict[str, Run | dict[str, Run]]:
    """Return every kind of plot, by its distinctive feature."""
    slow = Arrivals.steady("5/s", 60)
    return {
        **{title.lower(): run for title, run in compared().items()},
        "gcra": simulate(Gcra("100 ms", "900 ms"), bursts()),
        "in flight": simulate(
            Layers(TokenBucket(280, "100000/hour"), Concurrency(48)), bursts(), service_s=0.25
        ),
        "queue and in flight": simulate(Layers(LeakyBucket(30, 10), Concurrency(20)), slow, service_s=0.5),
        "only in flight": simulate(Concurrency(5), Arrivals.poisson(10, 30, seed=3), service_s=0.6),
        "three limits": three_limits(),
        "compared": dict(compared()),
        "compared, three limits": {"Short": three_limits(), "Long": three_limits(1.0)},
        "nothing comes": simulate(TokenBucket(10, 1), []),
        "one request": simulate(TokenBucket(10, 1), [5]),
        "one request at once": simulate(SlidingCounter(10, 60), [0]),
        "all at once": simulate(TokenBucket(100, 10), [0] * 150),
        "less than a token": simulate(TokenBucket(0.5, 1), slow),
        "no limit at all": simulate(FixedWindow(0, 60), slow),
        "locked out": simulate(SlidingLog(20, 10, count_rejected=True), slow),
        "a thousand million": simulate(TokenBucket(1e9, 1e6, 5e8), slow),
        "microseconds": simulate(TokenBucket(20, 2e6), Arrivals.steady("5000000/s", 40e-6)),
        "weeks": simulate(FixedWindow(100, "1 day"), Arrivals.poisson("7/h", "21 d", seed=1)),
        "many windows": simulate(FixedWindow(10, 1), Arrivals.poisson(12, 300, seed=1)),
    }
