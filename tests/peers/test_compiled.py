"""The loops as machine code against the same loops in Python: every decision, wait and state, bit for bit."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest

from hook_widgets.ratelimit import (
    Arrivals,
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
from hook_widgets.ratelimit.simulation import numba_backend
from tests.ratelimit.traffic import SINGLE, any_of

DECISIONS = 60_000
"""For each limiter. Traces of one length, so that nothing is compiled twice."""


def any_arrivals(rng: random.Random, count: int) -> Arrivals:
    """Times on a grid that hits the boundaries, some a nanosecond beside it, at any pace."""
    step, times, t = rng.choice([10**7, 10**8, 10**9 // 3, 10**9]), [], 0
    for _ in range(count):
        t += rng.choice([0, 0, 0, 1, step - 1, step, step, step + 1, rng.randrange(4 * step)])
        times.append(t)
    return Arrivals(tuple(times))


def both(monkeypatch: pytest.MonkeyPatch, limiter: Limiter, arrivals: Arrivals, costs=None) -> Iterator[Run]:
    """The run in Python, and the run as machine code."""
    for long in (10**9, 0):
        monkeypatch.setattr(numba_backend, "LONG", long)
        yield simulate(limiter, arrivals, costs)


def was_compiled(run: Run) -> bool:
    return not isinstance(run.record.decisions, list)


@pytest.mark.parametrize("kind", SINGLE)
def test_millions_of_decisions_are_the_same(monkeypatch, kind):
    """Six kinds, 10 limiters each, 60,000 requests for each: 3.6 million decisions."""
    rng = random.Random(f"compiled {kind}")
    refused = 0
    for _ in range(10):
        limiter, arrivals = any_of(rng, kind), any_arrivals(rng, DECISIONS)

        plain, machine = both(monkeypatch, limiter, arrivals)

        assert [False, True] == [was_compiled(plain), was_compiled(machine)]
        assert plain.admitted == machine.admitted, limiter
        assert plain.record.waits == machine.record.waits
        assert plain.record.leaves == machine.record.leaves
        assert plain.record.states[0].values == machine.record.states[0].values
        refused += plain.admitted.count(False)
    assert refused > DECISIONS


@pytest.mark.parametrize("kind", [kind for kind in SINGLE if kind != "leaky bucket"])
def test_decisions_about_costs_are_the_same(monkeypatch, kind):
    rng = random.Random(f"compiled costs of {kind}")
    for _ in range(5):
        limiter, arrivals = any_of(rng, kind), any_arrivals(rng, 20_000)
        most = limiter.layers[0]._max_cost
        if not most:
            continue
        costs = [rng.randint(1, most) for _ in arrivals.times_ns]

        plain, machine = both(monkeypatch, limiter, arrivals, costs)

        assert [False, True] == [was_compiled(plain), was_compiled(machine)]
        assert plain.admitted == machine.admitted, limiter


def test_what_a_run_tells_is_the_same_and_of_the_same_types(monkeypatch):
    bucket = LeakyBucket(5, 7, "immediate")
    arrivals = any_arrivals(random.Random(4), 5_000)

    plain, machine = both(monkeypatch, bucket, arrivals)

    assert was_compiled(machine)
    assert plain.summary() == machine.summary()
    assert repr(plain.summary()) == repr(machine.summary())
    assert plain.wait_s == machine.wait_s
    assert plain.limited_by == machine.limited_by
    assert {bool} == {type(ok) for ok in machine.admitted}
    for t in (0, 1.5, Fraction(10, 3), 100):
        assert plain.tokens(t) == machine.tokens(t)
        assert plain.free_at(t) == machine.free_at(t)
        assert plain.queue_depth(t) == machine.queue_depth(t)


@pytest.mark.parametrize(
    "limiter",
    [
        TokenBucket(10, 10**9 + 7),  # as many ticks in a nanosecond
        LeakyBucket(10, 10**9 + 7),
        FixedWindow(10**19, 1),
        SlidingLog(10**19, 1),
        SlidingCounter(10**10, 1),
    ],
    ids=repr,
)
def test_numbers_that_do_not_fit_into_64_bits_are_left_to_python(monkeypatch, limiter):
    arrivals = Arrivals.steady(10, "1000 s")

    plain, machine = both(monkeypatch, limiter, arrivals)

    assert not was_compiled(machine)
    assert plain.admitted == machine.admitted


def test_ticks_finer_than_64_bits_are_left_to_python(monkeypatch):
    plain, machine = both(monkeypatch, TokenBucket(2, 10**29), Arrivals((0, 0, 0)))

    assert not was_compiled(machine)
    assert [True, True, False] == plain.admitted == machine.admitted


@pytest.mark.parametrize("kind", SINGLE)
def test_numbers_that_just_fit_do_not_overflow(monkeypatch, kind):
    """Late traces whose ticks come close to 2^63: the largest bound that is accepted, and many below it."""
    rng = random.Random(f"large {kind}")
    seen = 0
    for _ in range(200):
        limiter = any_of(rng, kind)
        begin = rng.randrange(2**62, 2**63) // limiter.layers[0]._ticks_per_ns()
        times = sorted(begin + rng.randrange(4 * 10**9) for _ in range(200))

        plain, machine = both(monkeypatch, limiter, Arrivals(tuple(times)))

        assert plain.admitted == machine.admitted, limiter
        assert plain.record.waits == machine.record.waits
        seen += was_compiled(machine)
    assert seen > 100


def test_layers_and_short_traces_stay_in_python(monkeypatch):
    arrivals = Arrivals.steady(10, "10 s")

    assert not was_compiled(simulate(TokenBucket(5, 5), arrivals))
    monkeypatch.setattr(numba_backend, "LONG", 0)
    assert was_compiled(simulate(Gcra(1, 1), arrivals))
    assert not was_compiled(simulate(Layers(Gcra(1, 1), TokenBucket(5, 5)), arrivals))


def test_a_short_trace_does_not_load_the_compiler():
    code = (
        "import sys\n"
        "from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate\n"
        "from hook_widgets.ratelimit.simulation.numba_backend import LONG\n"
        "short, long = Arrivals(tuple(range(LONG - 1))), Arrivals(tuple(range(LONG)))\n"
        "simulate(TokenBucket(5, 5), short)\n"
        "print('numba' in sys.modules, 'numpy' in sys.modules)\n"
        "simulate(TokenBucket(5, 5), long)\n"
        "print('numba' in sys.modules, 'numpy' in sys.modules)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ["False", "False", "True", "True"] == done.stdout.split()
