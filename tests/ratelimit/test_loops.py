"""Test the loops: the bounds of their numbers, and that they can be stopped and resumed anywhere."""

from __future__ import annotations

import random
from math import lcm

import pytest

from hook_widgets.ratelimit import Arrivals, FixedWindow, Layers, Per, SlidingLog, TokenBucket, simulate
from hook_widgets.ratelimit.limiters.trace import Trace
from hook_widgets.ratelimit.units import nanoseconds
from tests.ratelimit.traffic import SINGLE, any_of, any_times


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
    return Trace(Arrivals(tuple(map(nanoseconds, at))), limiter._resolution(), costs)


@pytest.mark.parametrize("kind", SINGLE)
def test_no_number_in_a_loop_is_larger_than_its_gate_says(kind):
    """The bound decides if 64 bits are enough; it must not be much larger than necessary."""
    rng = random.Random(f"bound of {kind}")
    closest = 0.0
    for _ in range(400):
        limiter, at = any_of(rng, kind), any_times(rng, 40)
        most = limiter._largest_cost
        costs = [rng.randint(1, most) for _ in at] if most and rng.random() < 0.5 else None
        trace = trace_of(limiter, at, costs)
        gate = limiter._gate(trace)
        column = [0] * len(at) if gate.writes else list(map(watched, trace.costs))
        state = list(map(watched, gate.state))
        Watched.largest = 0

        gate.loop(
            list(map(watched, trace.times)),
            column,
            *[n if isinstance(n, bool) else watched(n) for n in gate.numbers],
            state,
            [True] * len(at),
            0,
            len(at),
        )

        assert Watched.largest <= gate.bound, (limiter, at)
        if at:
            closest = max(closest, Watched.largest / gate.bound)
    assert closest > 0.4


@pytest.mark.parametrize("kind", SINGLE)
def test_a_trace_judged_piece_by_piece_is_judged_as_at_once(kind):
    rng = random.Random(f"pieces for {kind}")
    for _ in range(200):
        limiter, at = any_of(rng, kind), any_times(rng, 40)
        trace, admitted, first = trace_of(limiter, at), [True] * len(at), 0
        judge = limiter._gate(trace).judge(trace, admitted)

        while first < len(at):
            stop = rng.randint(first, len(at))
            judge(first, stop)
            first = stop

        assert simulate(limiter, at).admitted == admitted, (limiter, at)


def one_by_one(limiter, trace: Trace) -> tuple[list[bool], list[int]]:
    """Decide layers in the simplest way: ask every gate for every request, and roll back if one rejects."""
    admitted, refused_by = [True] * len(trace.arrivals), []
    gates = [layer._gate(trace) for layer in limiter.layers]
    judges = [gate.judge(trace, admitted) for gate in gates]
    for i in range(len(admitted)):
        before, refusing = [gate.state.copy() for gate in gates], []
        for k, judge in enumerate(judges):
            admitted[i] = True
            judge(i, i + 1)
            if not admitted[i]:
                refusing.append(k)
        admitted[i] = not refusing
        refused_by.append(refusing[0] if refusing else -1)
        for gate, state in zip(gates, before, strict=True):
            if refusing and not gate.counts_refused:
                gate.state[:] = state
    return admitted, refused_by


def test_layers_that_are_judged_in_leaps_decide_as_one_by_one():
    rng = random.Random("leaps")
    refused = passed = 0
    for _ in range(150):
        limiter = Layers(any_of(rng, "layers"), TokenBucket(rng.choice([3, 30]), 5))
        t, times = 0, []
        for _ in range(400):
            t += rng.choice([0, 10**8, 3 * 10**8, 10**9, 10**10])
            times.append(t)
        trace = Trace(Arrivals(tuple(times)), lcm(*(layer._resolution() for layer in limiter.layers)))

        run = simulate(limiter, trace.arrivals)

        assert one_by_one(limiter, trace) == (run.admitted, run.books.refused_by), limiter
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


@pytest.mark.parametrize("log", [SlidingLog(40, 1), Per("user", SlidingLog(40, 1))])
def test_what_a_log_has_forgotten_stays_forgotten_when_another_limit_refuses(log, monkeypatch):
    """Otherwise every rejection would scan again from the first request."""
    monkeypatch.setattr(Trace, "times", property(lambda trace: Read(trace.arrivals.times_ns)))
    Read.looks = 0
    who = {"user": "ann"} if isinstance(log, Per) else {}
    nearly_all_refused = Layers(log, FixedWindow(100, 3600))

    run = simulate(nearly_all_refused, Arrivals.steady(20, 200), **who)

    assert 100 == sum(run.admitted)
    assert Read.looks < 10 * len(run.admitted)


@pytest.mark.parametrize("log", [SlidingLog(10, 60), Per("user", SlidingLog(10, 60))])
def test_a_log_is_given_back_all_that_a_request_cost_which_another_limit_refused(log):
    who = {"user": "ann"} if isinstance(log, Per) else {}
    run = simulate(Layers(log, FixedWindow(6, 1, name="second")), [0, 0, 1, 2], [5, 5, 5, 1], **who)

    assert [None, "second", None, log.label] == run.limited_by
