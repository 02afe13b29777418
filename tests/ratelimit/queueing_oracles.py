"""Textbook queues with another service than the product's, as oracles of its formulas and simulations.

Sources: Kleinrock, Queueing Systems vol. 1 (1975), chapters 3 and 5; ITU-D Teletraffic Engineering Handbook.
"""

from __future__ import annotations

import math


def mg1_wait_s(rate_per_s: float, mean_s: float, variance_s2: float) -> float:
    """Mean wait of M/G/1 (Pollaczek-Khinchine): lambda E[S^2] / (2 (1 - rho))."""
    load = rate_per_s * mean_s
    return math.inf if load >= 1 else rate_per_s * (variance_s2 + mean_s**2) / (2 * (1 - load))


def mm1k_loss(load: float, places: int) -> float:
    """Share rejected by M/M/1/K: 1 / (1 + 1/rho + ... + 1/rho^K), which also holds at rho = 1."""
    blocked = 1.0
    for _ in range(places):
        blocked = load * blocked / (1 + load * blocked)
    return blocked


def erlang_b(offered: float, servers: int) -> float:
    """Share rejected by a number of servers without a queue."""
    blocked = 1.0
    for busy in range(1, servers + 1):
        blocked = offered * blocked / (busy + offered * blocked)
    return blocked


def erlang_c(offered: float, servers: int) -> float:
    """Share that must wait in M/M/c."""
    blocked = erlang_b(offered, servers)
    return 1.0 if offered >= servers else blocked / (1 - offered / servers * (1 - blocked))


def mmc_wait_s(rate_per_s: float, time_s: float, servers: int) -> float:
    """Mean wait of M/M/c."""
    offered = rate_per_s * time_s
    waiting = erlang_c(offered, servers)
    return math.inf if offered >= servers else waiting * time_s / (servers - offered)
