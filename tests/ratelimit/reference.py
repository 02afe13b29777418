"""The limiters a second time, said as what must hold: from what has happened, may this request pass?

Slow on purpose, in fractions, with no state between requests and in another form than the loops.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from itertools import groupby
from math import floor
from typing import NamedTuple

from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    Layers,
    LeakyBucket,
    Limiter,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
)


class Seen(NamedTuple):
    t: Fraction
    cost: int
    service: Fraction
    admitted: bool


def decide(limiter: Limiter, times, costs=None, services=None) -> list[bool]:
    costs = costs or [1] * len(times)
    services = services or [Fraction(0)] * len(times)
    history: list[Seen] = []
    for t, cost, service in zip(times, costs, services, strict=True):
        history.append(Seen(t, cost, service, fits(limiter, history, t, cost)))
    return [seen.admitted for seen in history]


@singledispatch
def fits(limiter: Limiter, history: list[Seen], t: Fraction, cost: int) -> bool:
    raise TypeError(limiter)


@fits.register
def _(limiter: TokenBucket, history, t, cost):
    """By the level."""
    level = limiter.capacity if limiter.initial is None else limiter.initial
    now = Fraction(0)
    for seen in [*history, Seen(t, 0, t, admitted=True)]:
        level = min(limiter.capacity, level + (seen.t - now) * limiter.refill_rate)
        now = seen.t
        level -= seen.cost * seen.admitted
    return level >= cost


@fits.register
def _(limiter: Gcra, history, t, cost):
    """By the theoretical arrival time, cell by cell, as ITU-T I.371 writes it."""
    expected = Fraction(0)
    for seen in history:
        for _ in range(seen.cost * seen.admitted):
            expected = max(expected, seen.t) + limiter.emission_interval_s
    for _ in range(cost):
        if t < expected - limiter.tolerance_s:
            return False
        expected = max(expected, t) + limiter.emission_interval_s
    return True


@fits.register
def _(limiter: FixedWindow, history, t, cost):
    if limiter.align == "clock":
        same = [s for s in history if s.t // limiter.window_s == t // limiter.window_s]
    else:
        same = []
        for seen in [s for s in history if s.admitted]:
            opened = same[0].t if same else None
            same = [*same, seen] if opened is not None and seen.t < opened + limiter.window_s else [seen]
        if same and t >= same[0].t + limiter.window_s:
            same = []
    return sum(s.cost for s in same if s.admitted) + cost <= limiter.limit


@fits.register
def _(limiter: SlidingLog, history, t, cost):
    old = t - limiter.window_s
    counted = [s for s in history if s.admitted or limiter.count_rejected]
    return sum(s.cost for s in counted if s.t > old or (limiter.edge == "closed" and s.t == old)) + cost <= (
        limiter.limit
    )


@fits.register
def _(limiter: SlidingCounter, history, t, cost):
    counted = [s for s in history if s.admitted or limiter.count_rejected]
    per_window = {
        k: sum(s.cost for s in window)
        for k, window in groupby(counted, key=lambda s: s.t // limiter.window_s)
    }
    now = t // limiter.window_s
    overlap = (now + 1) - t / limiter.window_s
    estimate = per_window.get(now - 1, 0) * overlap + per_window.get(now, 0)
    if limiter.rule == "lt":
        return floor(estimate) + cost <= limiter.limit
    return estimate + cost <= limiter.limit


@fits.register
def _(limiter: Concurrency, history, t, cost):
    return sum(s.admitted and s.t <= t < s.t + s.service for s in history) < limiter.limit


@fits.register
def _(limiter: Layers, history, t, cost):
    return all(fits(layer, history, t, cost) for layer in limiter.limits)


@fits.register
def _(limiter: LeakyBucket, history, t, cost):
    return leaky_fits(limiter, [s.t for s in history if s.admitted], t)


def leaky_fits(limiter: LeakyBucket, arrivals: list[Fraction], t: Fraction) -> bool:
    departures = leaky_departures(limiter, arrivals)
    gone_at_once = limiter.tie == "departure_first"
    if limiter.start == "immediate":
        # Each one that has passed keeps the way closed for an interval.
        departures = [d + 1 / limiter.drain_rate for d in departures]
        places = limiter.queue_size + 1
    else:
        places = limiter.queue_size
    return sum(d > t or (d == t and not gone_at_once) for d in departures) < places


def leaky_departures(limiter: LeakyBucket, arrivals: list[Fraction]) -> list[Fraction]:
    """When each admitted request goes on, told one after the other."""
    interval = 1 / limiter.drain_rate
    departures: list[Fraction] = []
    for t in arrivals:
        if limiter.start == "service":
            departures.append(max([t, *departures]) + interval)
        elif limiter.start == "immediate":
            departures.append(max([t, *(d + interval for d in departures)]))
        else:
            tick = Fraction(0)
            while tick in departures or tick < t or (tick == t and limiter.tie == "departure_first"):
                tick += interval
            departures.append(tick)
    return departures
