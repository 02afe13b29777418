"""The loops as machine code against the same loops in Python: every decision, wait and state, bit for bit."""

from __future__ import annotations

import inspect
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import pytest

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Run,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.limiters import algorithms
from hook_widgets.ratelimit.limiters.base import max_cost
from hook_widgets.ratelimit.simulation.machine_code import compiled, numba_backend
from tests.ratelimit.random_traffic import SINGLE, any_of
from tests.support.extent import extent

DECISIONS = 60_000
"""For each limiter. Traces of one length, so that nothing is compiled twice."""


def any_arrivals(rng: random.Random, count: int) -> Arrivals:
    """Times on a grid that hits the boundaries, some a nanosecond beside it, at any pace."""
    step, times, t = rng.choice([10**7, 10**8, 10**9 // 3, 10**9]), [], 0
    for _ in range(count):
        t += rng.choice([0, 0, 0, 1, step - 1, step, step, step + 1, rng.randrange(4 * step)])
        times.append(t)
    return Arrivals(tuple(times))


def both(
    monkeypatch: pytest.MonkeyPatch, limiter: Limiter, arrivals: Arrivals, costs=None, clients=None
) -> Iterator[Run]:
    """The run in Python, and the run as machine code."""
    for fast in (False, True):
        monkeypatch.setattr(compiled, "pays", lambda *_, fast=fast: fast)
        yield simulate(limiter, arrivals, costs, clients=clients)


def was_compiled(run: Run) -> bool:
    return not isinstance(run.record.decisions, list)


@pytest.mark.parametrize("kind", [*SINGLE, "hold-off"])
def test_millions_of_decisions_are_the_same(monkeypatch, kind):
    """Seven kinds, 10 limiters each, 60,000 requests for each: 4.2 million decisions."""
    rng = random.Random(f"compiled {kind}")
    rejected = 0
    for _ in range(10):
        limiter, arrivals = any_of(rng, kind), any_arrivals(rng, DECISIONS)

        plain, machine = both(monkeypatch, limiter, arrivals)

        assert [False, True] == [was_compiled(plain), was_compiled(machine)]
        assert plain.admitted == machine.admitted, limiter
        assert plain.record.waits == machine.record.waits
        assert plain.record.leaves == machine.record.leaves
        assert plain.record.states[0].values == machine.record.states[0].values
        rejected += plain.admitted.count(False)
    assert rejected > DECISIONS


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
    plain, machine = both(monkeypatch, TokenBucket(2, 10**13 + Fraction(1, 10**14)), Arrivals((0, 0, 0)))

    assert not was_compiled(machine)
    assert [True, True, False] == plain.admitted == machine.admitted


@pytest.mark.parametrize("kind", SINGLE)
def test_numbers_that_just_fit_do_not_overflow(monkeypatch, kind):
    """Late traces whose ticks come close to 2^63: the largest bound that is accepted, and many below it."""
    rng = random.Random(f"large {kind}")
    compared = 0
    for _ in range(200):
        limiter = any_of(rng, kind)
        begin = rng.randrange(2**62, 2**63) // limiter.layers[0]._ticks_per_ns()
        times = sorted(begin + rng.randrange(4 * 10**9) for _ in range(200))

        plain, machine = both(monkeypatch, limiter, Arrivals(tuple(times)))

        assert plain.admitted == machine.admitted, limiter
        assert plain.record.waits == machine.record.waits
        compared += was_compiled(machine)
    assert compared > 100


def any_layers(rng: random.Random) -> tuple[Limiter, dict[str, list[object]]]:
    """Layers of one to three limits, for all or per client, and the clients of 1,500 requests."""
    limits: list[Limiter] = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        limit, key = any_of(rng, rng.choice([*SINGLE, "hold-off"])), rng.choice(["", "user", "ip"])
        limits.append(PerClient(key, limit) if key else limit)
    everyone: dict[str, list[object]] = {
        "user": [rng.choice("abcdefgh") for _ in range(1_500)],
        "ip": [rng.randrange(3) for _ in range(1_500)],
    }
    keys = {limit.key for limit in limits if isinstance(limit, PerClient)}
    return Layers(*limits), {key: everyone[key] for key in keys}


@pytest.mark.parametrize("seed", range(4))
def test_layers_and_clients_are_decided_the_same(monkeypatch, seed):
    rng = random.Random(f"compiled layers {seed}")
    rejected = 0
    for _ in range(extent(15, 400)):
        limiter, clients = any_layers(rng)
        arrivals, most = any_arrivals(rng, 1_500), max_cost(limiter)
        costs = [rng.randint(1, most) for _ in range(1_500)] if most and rng.random() < 0.5 else None

        plain, machine = both(monkeypatch, limiter, arrivals, costs, clients)

        assert [False, True] == [was_compiled(plain), was_compiled(machine)]
        assert plain.admitted == machine.admitted, limiter
        assert plain.limited_by == machine.limited_by
        assert plain.record.waits == machine.record.waits
        assert plain.record.leaves == machine.record.leaves
        for layer, ours, theirs in zip(
            limiter.layers, plain.record.states, machine.record.states, strict=True
        ):
            assert isinstance(layer, PerClient) or ours.values == theirs.values
        rejected += plain.admitted.count(False)
    assert rejected > 5_000


def test_what_a_run_of_layers_tells_is_the_same_and_of_the_same_types(monkeypatch):
    rng = random.Random(8)
    limiter = Layers(FixedWindow(5, 1), PerClient("user", Layers(LeakyBucket(2, 1), SlidingLog(3, 4))))
    bob = {"user": "b"}
    clients = {"user": [rng.choice("abc") for _ in range(2_000)]}

    plain, machine = both(monkeypatch, limiter, any_arrivals(rng, 2_000), None, clients)

    assert repr(plain.summary()) == repr(machine.summary())
    assert plain.wait_s == machine.wait_s
    assert plain.record.rejected_by == machine.record.rejected_by
    assert {bool} == {type(ok) for ok in machine.admitted}
    assert {int} == set(map(type, machine.record.rejected_by or ()))
    for t in (0, 1.5, Fraction(10, 3), 100):
        assert plain.tokens_by_layer(t, client=bob) == machine.tokens_by_layer(t, client=bob)
        assert plain.free_at(t, client=bob) == machine.free_at(t, client=bob)


@pytest.mark.parametrize("kind", SINGLE)
def test_layers_whose_numbers_just_fit_do_not_overflow(monkeypatch, kind):
    rng = random.Random(f"large layers {kind}")
    compared = 0
    for _ in range(60):
        limiter = Layers(any_of(rng, kind), PerClient("user", any_of(rng, kind)))
        begin = rng.randrange(2**62, 2**63) // lcm(*(layer._ticks_per_ns() for layer in limiter.layers))
        times = sorted(begin + rng.randrange(4 * 10**9) for _ in range(200))
        clients = {"user": [rng.randrange(3) for _ in times]}

        plain, machine = both(monkeypatch, limiter, Arrivals(tuple(times)), None, clients)

        assert plain.limited_by == machine.limited_by, limiter
        compared += was_compiled(machine)
    assert compared > 20


@pytest.mark.parametrize(
    "users",
    [
        lambda numpy: numpy.arange(500) % 7,
        lambda numpy: numpy.arange(500, dtype=numpy.uint8) % 7,
        lambda numpy: numpy.arange(500) % 7 - 3,
        lambda numpy: (numpy.arange(500) % 7) * 2**40,
    ],
    ids=["few", "bytes", "negative", "large"],
)
def test_clients_may_be_an_array_of_whole_numbers(monkeypatch, users):
    numpy = pytest.importorskip("numpy")
    limiter = Layers(PerClient("user", TokenBucket(2, 1)), PerClient("user", SlidingLog(5, 10)))
    arrivals, who = any_arrivals(random.Random(3), 500), users(numpy)

    plain, machine = both(monkeypatch, limiter, arrivals, None, {"user": who})

    assert was_compiled(machine)
    assert plain.limited_by == machine.limited_by
    assert simulate(limiter, arrivals, clients={"user": who.tolist()}).limited_by == machine.limited_by
    assert {"user": int(who[9])} == machine.client(9)
    assert int is type(machine.client(9)["user"])


def test_concurrency_limits_and_short_traces_stay_in_python(monkeypatch):
    arrivals = Arrivals.steady(10, "10 s")

    assert not was_compiled(simulate(TokenBucket(5, 5), arrivals))
    monkeypatch.setattr(compiled, "pays", lambda *_: True)
    assert was_compiled(simulate(Gcra(1, 1), arrivals))
    assert was_compiled(simulate(Layers(Gcra(1, 1), TokenBucket(5, 5)), arrivals))
    assert not was_compiled(simulate(Layers(Gcra(1, 1), Concurrency(2)), arrivals, service_s=1))


def test_machine_code_is_found_again_by_the_next_process_unless_an_algorithm_has_changed(tmp_path):
    """Numba counts what it took from its cache on disk, whose files have the names of the functions.

    The other loops take seconds to compile, so only their names are compared.
    """
    code = (
        "from hook_widgets.ratelimit import Arrivals, FixedWindow, simulate\n"
        "from hook_widgets.ratelimit.limiters import algorithms\n"
        "from hook_widgets.ratelimit.simulation.machine_code import compiled, numba_backend\n"
        "compiled.pays = lambda *_: True\n"
        "simulate(FixedWindow(5, 1), Arrivals((0, 0)))\n"
        "single = numba_backend.single_loop(algorithms.fixed_window)\n"
        "others = numba_backend.client_loop(), numba_backend.layer_loop(general=False)\n"
        "print(sum(single.stats.cache_hits.values()), *(loop.py_func.__qualname__ for loop in others))\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    changed = (
        "import inspect\n"
        "source = inspect.getsource\n"
        "inspect.getsource = lambda loops: source(loops) + '# changed'\n"
    )
    hits, *names = zip(
        *(
            subprocess.run(
                [sys.executable, "-c", before + code],
                capture_output=True,
                text=True,
                check=True,
                env=environment,
            ).stdout.split()
            for before in ("", "", changed)
        ),
        strict=True,
    )

    assert ("0", "1", "0") == hits
    assert 2 == len(names)
    assert [(True, False)] * 2 == [(first == again, first == other) for first, again, other in names]


def test_without_the_source_the_loops_are_compiled_as_they_are(monkeypatch):
    def none(_loop):
        raise OSError("could not get source code")

    monkeypatch.setattr(inspect, "getsource", none)
    numba_backend.single_loop.cache_clear()
    try:
        plain, machine = both(monkeypatch, FixedWindow(2, 1), Arrivals((0, 0, 0)))
    finally:
        numba_backend.single_loop.cache_clear()

    assert was_compiled(machine)
    assert plain.admitted == machine.admitted


@pytest.mark.parametrize(
    ("loop", "numbers", "state"),
    [
        (algorithms.token_bucket, (5, 10), [0]),
        (algorithms.stepped_token_bucket, (5, 10, 5), [0]),
        (algorithms.fixed_window, (2, 5, True, 0), [5, 2]),
        (algorithms.sliding_log, (2, 5, False), [0, 0]),
        (algorithms.leaky_bucket, (5, 5, 0, False), [0, 0]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_machine_code_writes_both_decisions(loop, numbers, state):
    """An admission, too, although it is the decision on entry: a single write needs no branch."""
    times, column, admitted = [0] * 4, [1] * 4, [False] * 4

    numba_backend.deciding_both(loop)(times, column, *numbers, state, 0, admitted, 0, 4)

    assert [True, True, False, False] == admitted


def test_without_a_writable_directory_machine_code_is_compiled_each_time(monkeypatch):
    def nowhere(self, function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr("numba.core.caching.FunctionCache.__init__", nowhere)
    numba_backend.single_loop.cache_clear()
    try:
        plain, machine = both(monkeypatch, FixedWindow(2, 1), Arrivals((0, 0, 0)))
    finally:
        numba_backend.single_loop.cache_clear()

    assert was_compiled(machine)
    assert plain.admitted == machine.admitted


def test_a_short_trace_does_not_load_the_compiler():
    code = (
        "import sys\n"
        "from hook_widgets.ratelimit import Arrivals, PerClient, TokenBucket, simulate\n"
        "arrivals, bucket = Arrivals(tuple(range(500_000))), TokenBucket(5, 5)\n"
        "simulate(bucket, arrivals)\n"
        "simulate(PerClient('user', bucket), arrivals[:100_000], clients={'user': 'ann'})\n"
        "print('numba' in sys.modules, 'numpy' in sys.modules)\n"
        "simulate(PerClient('user', bucket), arrivals, clients={'user': 'ann'})\n"
        "print('numba' in sys.modules, 'numpy' in sys.modules)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ["False", "False", "True", "True"] == done.stdout.split()
