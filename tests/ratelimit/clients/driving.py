"""One client whose attempts all fail, or are all rejected: the waits that its policy makes."""

from __future__ import annotations

from itertools import pairwise

from hook_widgets.ratelimit import Arrivals, FixedWindow
from hook_widgets.ratelimit.clients import ClientWorkload, ServerModel, TimeSpan
from hook_widgets.ratelimit.clients.client_run import ClientRun
from hook_widgets.ratelimit.clients.event_loop import EventLoop

HOUR_S = 3600


def waits_of(policy, u=0.5, *, rejected=False, retry_after="none", calls=1, span_s=100 * HOUR_S):
    """Return the waits between the attempts of each call, with u for every random number."""
    run = lone_run(policy, u, rejected=rejected, retry_after=retry_after, calls=calls, span_s=span_s)
    times = iter(t for t, _ in run.attempts)
    rows = [[next(times) for _ in range(request.attempts)] for request in run.requests]
    return [[(b - a) / 1e9 for a, b in pairwise(row)] for row in rows]


def lone_run(policy, u=0.5, *, rejected=False, retry_after="none", calls=1, span_s=100 * HOUR_S) -> ClientRun:
    """Return the run of one client, whose calls begin one after the end of the other."""
    workload = ClientWorkload(
        Arrivals.from_times([k * span_s / calls for k in range(calls)]), span_s, clients=1
    )
    outage = None if rejected else TimeSpan(0, span_s)
    server = ServerModel(retry_after=retry_after, outage=outage)
    loop = EventLoop(FixedWindow(0, 1) if rejected else FixedWindow(1, 1), workload, policy, server, seed=0)
    loop.random = lambda: u
    return loop.run()
