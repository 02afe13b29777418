"""Reference implementations of the limiters: decide each request from the complete history.

Slow on purpose, in fractions, without state between requests, and in a different form than the loops.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from math import floor
from typing import NamedTuple

from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
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
    return [request.admitted for request in history]


@singledispatch
def fits(limiter: Limiter, history: list[Seen], t: Fraction, cost: int) -> bool:
    raise TypeError(limiter)


@fits.register
def _(limiter: TokenBucket, history, t, cost):
    """Compute the level of the bucket."""
    level = limiter.capacity if limiter.initial is None else limiter.initial
    now = Fraction(0)
    for request in [*history, Seen(t, 0, t, admitted=True)]:
        if limiter.refill_every_s is None:
            refilled = request.t - now
        else:
            steps = request.t // limiter.refill_every_s - now // limiter.refill_every_s
            refilled = steps * limiter.refill_every_s
        level = min(limiter.capacity, level + refilled * limiter.refill_rate)
        now = request.t
        level -= request.cost * request.admitted
    return level >= cost


@fits.register
def _(limiter: Gcra, history, t, cost):
    """Compute the theoretical arrival time, cell by cell, as in ITU-T I.371."""
    missing = (
        0
        if limiter.initial is None
        else 1 + limiter.tolerance_s / limiter.emission_interval_s - limiter.initial
    )
    expected = missing * limiter.emission_interval_s
    for request in history:
        for _ in range(request.cost * request.admitted):
            expected = max(expected, request.t) + limiter.emission_interval_s
    for _ in range(cost):
        if t < expected - limiter.tolerance_s:
            return False
        expected = max(expected, t) + limiter.emission_interval_s
    return True


@fits.register
def _(limiter: FixedWindow, history, t, cost):
    if limiter.align == "clock":
        same = [s for s in history if number_of(limiter, s.t) == number_of(limiter, t)]
    elif limiter.align == "renewed":  # the key expires when no request came for a window
        chain: list[Seen] = []
        for request in [*history, Seen(t, cost, Fraction(0), admitted=True)]:
            expired = not chain or request.t >= chain[-1].t + limiter.window_s
            chain = [request] if expired else [*chain, request]
        return sum(s.cost for s in chain) <= limiter.limit
    else:
        same = []
        for request in [s for s in history if s.admitted]:
            opened = same[0].t if same else None
            same = (
                [*same, request]
                if opened is not None and request.t < opened + limiter.window_s
                else [request]
            )
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
    if limiter.align == "clock":
        begin = number_of(limiter, t) * limiter.window_s + limiter.phase_s
    else:
        begin = first_window(limiter.window_s, counted, t)
    before = sum(s.cost for s in counted if begin - limiter.window_s <= s.t < begin)
    since = sum(s.cost for s in counted if begin <= s.t)
    estimate = before * (begin + limiter.window_s - t) / limiter.window_s + since
    if limiter.rule == "lt":
        return floor(estimate) + cost <= limiter.limit
    return estimate + cost <= limiter.limit


def number_of(limiter: FixedWindow | SlidingCounter, t: Fraction) -> int:
    """Return the number of a window on the clock."""
    return (t - limiter.phase_s) // limiter.window_s


def first_window(window_s: Fraction, counted: list[Seen], t: Fraction) -> Fraction:
    """Return when the window of `t` began, if requests begin windows."""
    begins: list[Fraction] = []
    for moment in [*(s.t for s in counted), t]:
        chain = [begins[-1] + k * window_s for k in range(2)] if begins else []
        begins.append(next((begin for begin in chain if begin <= moment < begin + window_s), moment))
    return begins[-1]


@fits.register
def _(limiter: HoldOff, history, t, cost):
    held_until = Fraction(0)
    for request in history:
        if not request.admitted and request.t >= held_until:
            held_until = request.t + limiter.hold_s
    return t >= held_until and fits(limiter.limit, history, t, cost)


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
        # Each request that leaves blocks the exit for one interval.
        departures = [d + 1 / limiter.drain_rate for d in departures]
        places = limiter.queue_size + 1
    else:
        places = limiter.queue_size
    return sum(d > t or (d == t and not gone_at_once) for d in departures) < places


def leaky_departures(limiter: LeakyBucket, arrivals: list[Fraction]) -> list[Fraction]:
    """Return when each admitted request leaves, computed one after the other."""
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
