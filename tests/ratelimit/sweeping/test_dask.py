"""Test a sweep on the executor of dask: two workers, of which one is killed in the middle."""

from __future__ import annotations

import os
import signal

from distributed import Client, LocalCluster

from hook_widgets.ratelimit import Arrivals, Limiter
from hook_widgets.ratelimit.sweeping import sweep


def test_dask_returns_the_same_points_even_if_a_worker_is_killed():
    candidates = [Limiter.of(f"{rate}/s", "leaky_bucket") for rate in range(20, 60, 2)]
    traffic, killed = Arrivals.poisson("40/s", "50 s", seed=3), list[int]()
    options = {"dashboard_address": ":0", "worker_dashboard_address": ":0", "silence_logs": "CRITICAL"}

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
        Client(cluster) as client,
    ):

        def kill(done: int, total: int) -> None:
            if done == 5:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        points = sweep(candidates, traffic, executor=client.get_executor(), progress=kill)

    assert 1 == len(killed)
    assert sweep(candidates, traffic) == points
