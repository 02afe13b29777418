"""Test the loops: the bounds of their numbers, and that they can be stopped and resumed anywhere."""

from __future__ import annotations

import random
from math import lcm

import pytest

from hook_widgets.ratelimit import Arrivals, FixedWindow, Layers, PerClient, SlidingLog, TokenBucket, simulate
from hook_widgets.ratelimit.limiters.trace import Trace
from hook_widgets.ratelimit.units import nanoseconds
from tests.ratelimit.random_traffic import SINGLE, any_of, any_times


class Watched(int):
    """An integer that records the largest result ever computed with it."""

    largest = 0

    def __add__(self, other):
        return watched(int(self) + int(other))

    def __sub__(self, other):
        return watched(int(self) - int(other))

    def __mul__(self, other):
        return watched(int(self) * int(other))

    def __floordiv__(self, other):
        return watched(int(self) // int(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return watched(int(other) - int(self))


def watched(value: int) -> Watched:
    Watched.largest = max(Watched.largest, abs(value))
    return Watched(value)


def trace_of(limiter, at, costs=None) -> Trace:
    return Trace(
        arrivals=Arrivals(tuple(map(nanoseconds, at))),
        ticks_per_ns=limiter._ticks_per_ns(),
        explicit_costs=costs,
    )


@pytest.mark.parametrize("kind", SINGLE)
def test_no_number_in_a_loop_is_larger_than_its_bound(kind):
    """The bound decides if 64 bits are enough; it must not be much larger than necessary."""
    rng = random.Random(f"bound of {kind}")
    closest = 0.0
    for _ in range(400):
        limiter, at = any_of(rng, kind), any_times(rng, 40)
        most = limiter._max_cost
        costs = [rng.randint(1, most) for _ in at] if most and rng.random() < 0.5 else None
        trace = trace_of(limiter, at, costs)
        state = limiter._initial_state(trace)
        column = [0] * len(at) if state.writes else list(map(watched, trace.costs))
        values = list(map(watched, state.values))
        Watched.largest = 0

        state.loop(
            list(map(watched, trace.times)),
            column,
            *[n if isinstance(n, bool) else watched(n) for n in state.numbers],
            values,
            0,
            [True] * len(at),
            0,
            len(at),
        )

        assert Watched.largest <= state.bound, (limiter, at)
        if at:
            closest = max(closest, Watched.largest / state.bound)
    assert closest > 0.4


@pytest.mark.parametrize("kind", SINGLE)
def test_a_trace_judged_piece_by_piece_is_judged_as_at_once(kind):
    rng = random.Random(f"pieces for {kind}")
    for _ in range(200):
        limiter, at = any_of(rng, kind), any_times(rng, 40)
        trace, admitted, first = trace_of(limiter, at), [True] * len(at), 0
        decide = limiter._initial_state(trace).decide(trace, admitted)

        while first < len(at):
            stop = rng.randint(first, len(at))
            decide(first, stop)
            first = stop

        assert simulate(limiter, at).admitted == admitted, (limiter, at)


def one_by_one(limiter, trace: Trace) -> tuple[list[bool], list[int]]:
    """Decide layers in the simplest way: ask every layer for every request, and roll back if one rejects."""
    admitted, rejected_by = [True] * len(trace.arrivals), []
    states = [layer._initial_state(trace) for layer in limiter.layers]
    deciders = [state.decide(trace, admitted) for state in states]
    for i in range(len(admitted)):
        before, refusing = [state.values.copy() for state in states], []
        for k, decide in enumerate(deciders):
            admitted[i] = True
            decide(i, i + 1)
            if not admitted[i]:
                refusing.append(k)
        admitted[i] = not refusing
        rejected_by.append(refusing[0] if refusing else -1)
        for state, values in zip(states, before, strict=True):
            if refusing and not state.counts_rejected:
                state.values[:] = values
    return admitted, rejected_by


def test_layers_that_are_judged_in_leaps_decide_as_one_by_one():
    rng = random.Random("leaps")
    refused = passed = 0
    for _ in range(150):
        limiter = Layers(any_of(rng, "layers"), TokenBucket(rng.choice([3, 30]), 5))
        t, times = 0, []
        for _ in range(400):
            t += rng.choice([0, 10**8, 3 * 10**8, 10**9, 10**10])
            times.append(t)
        trace = Trace(
            arrivals=Arrivals(tuple(times)),
            ticks_per_ns=lcm(*(layer._ticks_per_ns() for layer in limiter.layers)),
        )

        run = simulate(limiter, trace.arrivals)

        assert one_by_one(limiter, trace) == (run.admitted, run.record.rejected_by), limiter
        passed += run.admitted.count(True)
        refused += run.admitted.count(False)
    assert min(passed, refused) > 10_000


class Read(tuple[int, ...]):
    """Times that count how often any of them is read."""

    __slots__ = ()
    looks = 0

    def __getitem__(self, index):
        Read.looks += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("log", [SlidingLog(40, 1), PerClient("user", SlidingLog(40, 1))])
def test_what_a_log_has_forgotten_stays_forgotten_when_another_limit_rejects(log, monkeypatch):
    """Otherwise every rejection would scan again from the first request."""
    monkeypatch.setattr(Trace, "times", property(lambda trace: Read(trace.arrivals.times_ns)))
    Read.looks = 0
    who = {"user": "ann"} if isinstance(log, PerClient) else {}
    nearly_all_rejected = Layers(log, FixedWindow(100, 3600))

    run = simulate(nearly_all_rejected, Arrivals.steady(20, 200), clients=who)

    assert 100 == sum(run.admitted)
    assert Read.looks < 10 * len(run.admitted)


@pytest.mark.parametrize("log", [SlidingLog(10, 60), PerClient("user", SlidingLog(10, 60))])
def test_a_log_is_given_back_all_that_a_request_cost_which_another_limit_rejected(log):
    who = {"user": "ann"} if isinstance(log, PerClient) else {}
    run = simulate(Layers(log, FixedWindow(6, 1, name="second")), [0, 0, 1, 2], [5, 5, 5, 1], clients=who)

    assert [None, "second", None, log.label] == run.limited_by
