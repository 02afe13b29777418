"""Test sweeps: the decisions of `simulate`, by any executor, however the work is divided or interrupted."""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from itertools import islice
from typing import Any, cast
from unittest.mock import NonCallableMock

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import (
    Arrivals,
    Chunk,
    Concurrency,
    FixedWindow,
    HoldOff,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Replicas,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.limiters.base import max_cost
from hook_widgets.ratelimit.sweeping import Sweep, SweepPoint, sweep
from tests.ratelimit.random_traffic import SINGLE, any_of
from tests.support.extent import extent

numpy = pytest.importorskip("numpy")

TRAFFIC = Arrivals.poisson("40/s", "20 s", seed=3)
CANDIDATES = [
    Limiter.of(f"{rate}/s", kind)
    for kind in ("token_bucket", "leaky_bucket", "fixed_window", "sliding_log", "sliding_counter")
    for rate in (20, 30, 40, 50)
]


def any_traffic(rng: random.Random, limiter: Limiter, count: int) -> Chunk:
    """Times that hit boundaries, with pauses; costs and clients."""
    step, times, t = rng.choice([10**8, 10**9 // 3, 10**9]), [], 0
    for _ in range(count):
        t += rng.choice([0, 0, 0, 1, step - 1, step, step, step + 1]) + step * rng.choice([0] * 40 + [20])
        times.append(t)
    most = max_cost(limiter)
    costs = [rng.randint(1, most) for _ in times] if most and rng.random() < 0.5 else None
    clients = {"user": [rng.choice("abcdefgh") for _ in times], "ip": [rng.randrange(3) for _ in times]}
    return Chunk(Arrivals(tuple(times)), costs, clients)


def any_limiter(rng: random.Random) -> Limiter:
    keys = rng.choice([[""], [""], ["user"], ["user", "user"], ["", "user"], ["user", "ip"], ["", ""]])
    limits = [(key, any_of(rng, rng.choice([*SINGLE, "hold-off"]))) for key in keys]
    return Layers(*(PerClient(key, limit) if key else limit for key, limit in limits))


@pytest.mark.parametrize("seed", range(3))
def test_a_divided_sweep_decides_as_the_whole_traffic_or_is_rejected(seed):
    rng = random.Random(f"sweep {seed}")
    divided = refused = 0
    for _ in range(extent(40, 2000)):
        limiter = any_limiter(rng)
        chunk = any_traffic(rng, limiter, 120)
        keys = {layer.key for layer in limiter.layers if isinstance(layer, PerClient)}
        clients = {key: who for key, who in chunk.clients.items() if key in keys}
        run = simulate(limiter, chunk.arrivals, chunk.costs, clients=clients)
        summary, rejections = run.summary(), run.limited_by
        try:
            (point,) = sweep([limiter], chunk, parts=5)
            divided += 1
        except InvalidLimit:
            (point,) = sweep([limiter], chunk)
            refused += 1

        assert summary.admitted == point.admitted, limiter
        assert len(rejections) == point.offered
        assert summary.rejected_fraction == point.rejected_fraction
        assert (summary.wait_mean_s, summary.wait_max_s) == (point.wait_mean_s, point.wait_max_s)
    assert divided > extent(15, 900)
    assert refused > extent(0, 60)


def test_the_layers_that_rejected_are_distinguished():
    both = Layers(TokenBucket(1, 1, name="slow"), TokenBucket(2, 0.1, name="small"))

    (point,) = sweep([both], Arrivals.from_times([0, 0, 0, 1, 2]))

    assert (2, 1) == point.rejected_by
    assert (5, 2) == (point.offered, point.admitted)


def test_every_executor_returns_the_same_points():
    alone = sweep(CANDIDATES, TRAFFIC)

    with ThreadPoolExecutor(2) as threads:
        assert alone == sweep(CANDIDATES, TRAFFIC, executor=threads)
        assert threads.submit(int).result() == 0  # an executor that was given stays open
    assert alone == sweep(
        CANDIDATES,
        TRAFFIC,
        executor=partial(ProcessPoolExecutor, 2, multiprocessing.get_context("spawn")),
    )
    assert [simulate(limiter, TRAFFIC).summary().rejected for limiter in CANDIDATES] == [
        point.rejected for point in alone
    ]


def test_an_executor_needs_only_the_interface():
    class Immediate:
        def submit(self, function, /, *args):
            future = Future[Any]()
            future.set_result(function(*args))
            return future

    assert sweep(CANDIDATES, TRAFFIC) == sweep(CANDIDATES, TRAFFIC, executor=cast(Any, Immediate()))
    assert sweep(CANDIDATES, TRAFFIC) == sweep(CANDIDATES, TRAFFIC, executor=ThreadPoolExecutor)


def test_a_killed_worker_loses_nothing(tmp_path):
    pools = []

    def pool():
        pools.append(ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
        return pools[-1]

    def kill(done, total):
        if done == 2 and len(pools) == 1:
            for child in multiprocessing.active_children():
                child.kill()

    points = sweep(CANDIDATES[:8], TRAFFIC, executor=pool, progress=kill, checkpoint=tmp_path / "points")

    assert 2 == len(pools)
    assert sweep(CANDIDATES[:8], TRAFFIC) == points
    assert 8 == len(list(filter(None, (tmp_path / "points").read_text().split("\n"))))


@pytest.mark.parametrize("shared", [True, False])
def test_an_executor_that_breaks_again_and_again_is_an_error(shared):
    started = []

    class Broken(ThreadPoolExecutor):
        def __init__(self):
            super().__init__(1)
            started.append(self)

        def submit(self, fn, /, *args, **kwargs):
            raise BrokenExecutor

    with pytest.raises(BrokenExecutor):
        sweep(CANDIDATES[:2], TRAFFIC, executor=Broken() if shared else Broken)
    assert (1 if shared else 3) == len(started)


@pytest.mark.parametrize("failures", [1, 2])
def test_a_task_that_failed_is_tried_once_more(failures):
    """As dask does when a worker ends while its result is fetched; no test can end one at that moment."""
    tries = Counter[str]()

    class Forgetful(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            (task,) = args
            tries[task.digest] += 1
            if len(tries) == 2 and tries[task.digest] <= failures:
                return super().submit(int, "no result")
            return super().submit(fn, *args, **kwargs)

    with (
        Forgetful(1) as executor,
        nullcontext() if failures == 1 else pytest.raises(ValueError, match="no result"),
    ):
        assert sweep(CANDIDATES[:2], TRAFFIC) == sweep(CANDIDATES[:2], TRAFFIC, executor=executor)
    assert [1, 2] == list(tries.values())


def test_a_cancelled_sweep_goes_on_where_it_stopped(tmp_path):
    path, calls = tmp_path / "points.jsonl", []

    def stop(done, total):
        calls.append((done, total))
        if done == 3:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as one, pytest.raises(KeyboardInterrupt):
        sweep(CANDIDATES[:5], TRAFFIC, executor=one, checkpoint=path, progress=stop)
    path.write_text(path.read_text() + '\n{"task": "torn", "rejec')
    resumed = sweep(
        CANDIDATES[:5], TRAFFIC, checkpoint=path, progress=lambda done, total: calls.append((done, total))
    )

    assert [(k, 5) for k in (1, 2, 3, 4, 5)] == calls
    assert sweep(CANDIDATES[:5], TRAFFIC) == resumed


def test_other_traffic_does_not_go_on_from_a_checkpoint(tmp_path):
    path, other = tmp_path / "points.jsonl", Arrivals.poisson("80/s", "20 s")

    sweep(CANDIDATES[:2], TRAFFIC, checkpoint=path)

    assert sweep(CANDIDATES[:2], other) == sweep(CANDIDATES[:2], other, checkpoint=path)


def test_traffic_may_come_in_chunks_of_which_only_some_have_costs():
    times = [k * 10**8 for k in range(300)]
    users = [f"user {k * k % 7}" for k in range(300)]
    costs = [1] * 100 + [1 + k % 3 for k in range(200)]
    limiter = Layers(TokenBucket(9, "9/s"), PerClient("user", SlidingLog(5, 2)))

    def chunks():
        for begin in range(0, 300, 100):
            part = slice(begin, begin + 100)
            some = None if begin == 0 else costs[part]
            yield Chunk(Arrivals(tuple(times[part])), some, {"user": users[part]})
        yield Arrivals(())

    (point,) = sweep([limiter], chunks())

    run = simulate(limiter, Arrivals(tuple(times)), costs, clients={"user": users})
    assert 0 < run.summary().rejected == point.rejected


def test_replicas_route_the_requests_of_a_sweep_in_their_order():
    fleet = Replicas(3, TokenBucket(2, 1), "random", seed=5)

    assert simulate(fleet, TRAFFIC).summary().rejected == sweep([fleet], TRAFFIC).points[0].rejected


def test_replicas_may_be_routed_by_the_traffic_as_in_a_run():
    fleet = Replicas(2, TokenBucket(2, 1))
    servers = {"replica": [1] * len(TRAFFIC)}
    halves = [
        Chunk(TRAFFIC[half], clients={"replica": servers["replica"][half]})
        for half in (slice(0, 300), slice(300, None))
    ]

    (point,) = sweep([fleet], [Arrivals(()), *halves])

    assert simulate(fleet, TRAFFIC, clients=servers).summary().rejected == point.rejected
    assert simulate(fleet, TRAFFIC).summary().rejected != point.rejected
    mixed: list[list[Arrivals | Chunk]] = [[halves[0], halves[1].arrivals], [halves[0].arrivals, halves[1]]]
    for some in mixed:
        with pytest.raises(InvalidArrivals, match=r"'replica'.* one for each request"):
            sweep([fleet], some)


@pytest.mark.parametrize(
    "users",
    [
        "ann",
        7,
        numpy.array(["ann", "bob", "ann", "ann"]),
        numpy.array(["ann", None, "ann", "ann"], object),
        numpy.array([1.25, 1.75, 1.25, 1.25]),
        numpy.array([3, 2**63, 3, 3], numpy.uint64),
        numpy.array([True, False, True, True]),
    ],
    ids=["one for all", "one number", "texts", "objects", "fractions", "large numbers", "booleans"],
)
def test_clients_are_those_of_a_run(users):
    limit, arrivals = PerClient("user", FixedWindow(1, 10)), Arrivals((0, 0, 0, 10**10))

    (point,) = sweep([limit], Chunk(arrivals, clients={"user": users}))

    assert simulate(limit, arrivals, clients={"user": users}).summary().rejected == point.rejected


def test_several_kinds_of_traffic_have_names():
    points = sweep([TokenBucket(5, 5)], {"calm": Arrivals.steady("1/s", "9 s"), "wild": TRAFFIC})

    assert [("calm", 0), ("wild", 1)] == [(point.traffic, point.rejected > 0) for point in points]
    assert [("calm", "TokenBucket"), ("wild", "TokenBucket")] == list(points.curves())


def test_no_traffic_is_a_point_of_nothing():
    (point,) = sweep([LeakyBucket(2, 1)], Arrivals(()), parts=4)

    assert (0, 0, 0.0, None) == (point.offered, point.rejected, point.rejected_fraction, point.wait_max_s)


def point_of(size: int, rejected: int) -> SweepPoint:
    return SweepPoint(
        limiter=TokenBucket(size, 1),
        traffic="",
        offered=100,
        rejected_by=(rejected,),
        wait_mean_s=None,
        wait_max_s=None,
    )


@pytest.mark.parametrize(
    ("curve", "knee"),
    [
        ({1: 90, 2: 50, 3: 10, 4: 8, 10: 0}, 3),
        ({10: 0, 3: 10, 2: 50, 1: 90}, 3),  # in any order
        ({1: 90, 2: 60, 3: 30, 4: 0}, None),  # a straight line has none
        ({5: 10}, None),
    ],
)
def test_the_knee_is_farthest_below_the_chord(curve, knee):
    points = Sweep(tuple(point_of(size, rejected) for size, rejected in curve.items()))

    point = points.knee(lambda limiter: getattr(limiter, "capacity", None))

    assert knee == (point and getattr(point.limiter, "capacity", None))


def test_the_smallest_limit_with_few_rejections_is_that_of_a_search_over_all():
    def size(limiter):
        return getattr(limiter, "capacity", None)

    rng = random.Random("smallest")
    for _ in range(extent(300, 5000)):
        counts = [rng.choice([0, 1, 2, rng.randrange(100)]) for _ in range(rng.randint(1, 9))]
        by_size = [point_of(k + 1, rejected) for k, rejected in enumerate(counts)]
        most = 1 / by_size[0].offered
        enough = [p for k, p in enumerate(by_size) if all(c <= 1 for c in counts[k:])]
        points = Sweep(tuple(rng.sample(by_size, len(by_size))))

        assert (enough[0] if enough else None) == points.smallest(size, most)
        assert by_size[0] == points.smallest(size, "100%")


def test_a_knee_needs_one_curve_and_sizes():
    mixed = sweep(CANDIDATES, TRAFFIC)
    with pytest.raises(InvalidLimit, match="5 curves have these names; give traffic and name"):
        mixed.knee(lambda limiter: limiter.sustained_rate)
    with pytest.raises(InvalidLimit, match="no such size"):
        mixed.knee(lambda limiter: None, name="TokenBucket")


STEADY = Arrivals.steady("10/s", "5 s")
USERS = {"user": [str(k) for k in range(50)]}
EACH_USER = PerClient("user", TokenBucket(9, 1))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: sweep([], STEADY), "nothing to do"),
        (lambda: sweep(cast(Any, ["5/s"]), STEADY), "is no limiter"),
        (lambda: sweep([TokenBucket(1, 1)], STEADY, parts=0), "nothing to do"),
        (lambda: sweep([Concurrency(1)], STEADY), "cannot be simulated in chunks"),
        (lambda: sweep([TokenBucket(9, 1)], STEADY, parts=2), "shared by all, and there is no pause"),
        (lambda: sweep([Replicas(2, TokenBucket(9, 1))], STEADY, parts=2), "routes requests in their order"),
        (
            lambda: sweep(
                [Layers(PerClient("user", TokenBucket(9, 1)), PerClient("ip", SlidingLog(9, 9)))],
                Chunk(STEADY, clients={**USERS, "ip": [1] * 50}),
                parts=2,
            ),
            "clients by .'ip', 'user'.",
        ),
        (lambda: sweep([PerClient("user", TokenBucket(9, 1))], STEADY), "kept for each user; give Chunk"),
        (
            lambda: sweep([PerClient("user", TokenBucket(9, 1))], Chunk(STEADY, clients={"user": [1]})),
            "50 arrivals and 1 clients",
        ),
        (
            lambda: sweep([EACH_USER], Chunk(STEADY, clients={"user": cast(Any, [[]] * 50)})),
            "unhashable value",
        ),
        (
            lambda: sweep([EACH_USER], Chunk(STEADY, clients={"user": numpy.zeros((50, 1), int)})),
            "unhashable",
        ),
        (lambda: sweep(cast(Any, TokenBucket(9, 1)), STEADY), "several are a list; write sweep"),
        (lambda: sweep([TokenBucket(9, 1)], cast(Any, None)), "the traffic is None; give Arrivals"),
        (lambda: sweep([TokenBucket(9, 1)], STEADY, executor=cast(Any, 4)), "is 4, no executor; give"),
        (lambda: sweep([TokenBucket(9, 1)], STEADY, executor=cast(Any, "dask")), "is 'dask', no executor"),
        (
            lambda: sweep([TokenBucket(9, 1)], STEADY, executor=cast(Any, NonCallableMock(spec=["submit"]))),
            "executor returns .*Mock, no future of concurrent.futures; with dask",
        ),
        (lambda: sweep([FixedWindow(2**70, 1)], Chunk(STEADY, costs=[2**65] * 50)), "64 bits"),
        (lambda: sweep([TokenBucket(9, 1)], [STEADY, STEADY]), "begins before the end"),
        (lambda: sweep([TokenBucket(9, 1)], cast(Any, [1, 2])), "traffic is 1; give Arrivals"),
        (lambda: sweep([TokenBucket(9, 1)], Chunk(STEADY, costs=[10] * 50)), "never admits more than 9"),
        (
            lambda: sweep([TokenBucket(9, 1), LeakyBucket(9, 1)], Chunk(STEADY, costs=[1] * 50)),
            "counts requests",
        ),
        (lambda: sweep([TokenBucket(9, 1)], STEADY, folder="/nowhere"), "is no folder"),
        (
            lambda: sweep([TokenBucket(9, 1)], STEADY, checkpoint="/nowhere/points"),
            "cannot be a file of results",
        ),
        (lambda: sweep([TokenBucket(9, 1)], STEADY, checkpoint="/"), "cannot be a file of results"),
    ],
)
def test_a_sweep_that_cannot_be_is_rejected(call, complaint):
    with pytest.raises((InvalidArrivals, InvalidLimit), match=complaint):
        call()


@pytest.mark.parametrize(
    "text",
    [
        "time,client\n1,a\n",
        "[]",
        "1",
        '{"task": 1}',
        '{"task": "a", "rejected_by": "b", "offered": 1, "waited": 0, "longest": 0}',
        '{"task": "a", "rejected_by": [-1], "offered": 1, "waited": 0, "longest": 0}',
        '{"task": "a", "rejected_by": [0], "offered": null, "waited": 0, "longest": 0}',
        "[" * 100_000,
        "\ufffd",
    ],
)
def test_a_file_that_is_no_checkpoint_is_rejected_and_not_changed(tmp_path, text):
    file = tmp_path / "points"
    file.write_text(text)

    with pytest.raises(InvalidArrivals, match="has other text than results; give a new file"):
        sweep([TokenBucket(9, 1)], STEADY, checkpoint=file)
    assert text == file.read_text()


def test_a_path_that_no_system_can_have_is_not_taken_for_other_text():
    with pytest.raises(
        InvalidArrivals, match="cannot be a file of results: embedded null byte; check the path"
    ):
        sweep([TokenBucket(9, 1)], STEADY, checkpoint="a\0b")


def test_a_damaged_checkpoint_is_finished(tmp_path):
    file, other = tmp_path / "points", tmp_path / "other"
    points = sweep(CANDIDATES[:3], TRAFFIC, checkpoint=file)
    lines = [line for line in file.read_bytes().split(b"\n") if line]
    short = lines[1].replace(b'"rejected_by": [', b'"rejected_by": [0, ')
    foreign = b'{"task": "of another sweep", "rejected_by": [1], "offered": 9, "waited": 0, "longest": 0}'
    other.write_bytes(b"\n".join([lines[0][:40], lines[0], short, b"\0\0\0", foreign, lines[2][:9], b'{"ta']))

    assert points == sweep(CANDIDATES[:3], TRAFFIC, checkpoint=other)
    assert points == sweep(CANDIDATES[:3], TRAFFIC, checkpoint=other)


def test_a_bar_is_drawn_on_standard_error(capsys):
    sweep(CANDIDATES[:2], TRAFFIC, progress=True)

    assert ["#" * 20 + "." * 20 + " 1/2", "#" * 40 + " 2/2\n"] == capsys.readouterr().err.split("\r")[1:]


def test_windows_on_the_clock_are_divided_at_their_edges_without_a_pause():
    window, busy = FixedWindow(30, "1 s"), Arrivals.poisson("40/s", "60 s", seed=1)

    assert sweep([window], busy) == sweep([window], busy, parts=6)
    with pytest.raises(InvalidLimit, match="no pause"):
        sweep([HoldOff(window, "5 s")], busy, parts=6)


def test_a_generator_is_read_once_for_all_candidates():
    chunks = iter([STEADY])

    assert [0, 0] == [point.rejected for point in sweep([TokenBucket(9, 10), TokenBucket(9, 11)], chunks)]
    assert [] == list(islice(chunks, 1))
