"""Exported stick tables in a real HAProxy: each decision is predicted from the times of its own log.

The log has whole milliseconds of a clock that the only thread reads together with the one of the tables, but
rounds apart from it, and a window begins at an even one of the latter: its begin may be two milliseconds
earlier, or one later. A decision that hangs on it is not told apart.
"""

from __future__ import annotations

import os
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from hook_widgets.ratelimit import PerClient, SlidingCounter, simulate
from hook_widgets.ratelimit.configs import export_config
from tests.proxies.traffic import Server, drive, free_ports, patterns

CONFIGURATION = """
global
  nbthread 1
  log stdout format raw local0
defaults
  mode http
  log global
  timeout client 30s
"""
FRONTEND = """
frontend {name}
  bind 127.0.0.1:{port}
  log-format "{name} %[var(txn.key)] %[var(txn.at)] %ST"
  http-request set-var(txn.at) date(0,ms)
  http-request set-var(txn.key) req.hdr(X-Key)
  {lines}
  http-request return status 200
"""
# No stream pauses for two windows, after which they would begin at another millisecond.
LIMITS = {
    "second": PerClient("X-Key", SlidingCounter(20, 1, "lt", count_rejected=True, align="first")),
    "short": PerClient("X-Key", SlidingCounter(8, "0.6 s", "lt", count_rejected=True, align="first")),
    "by_ip": PerClient("ip", SlidingCounter(10, 1, "lt", count_rejected=True, align="first")),
}

Decisions = dict[tuple[str, str], list[tuple[int, bool]]]


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> Decisions:
    """For each limit and key the milliseconds of each request, and whether it was admitted."""
    folder: Path = tmp_path_factory.mktemp("haproxy")
    ports = dict(zip(LIMITS, free_ports(len(LIMITS)), strict=True))
    frontends = [
        FRONTEND.format(
            name=name, port=ports[name], lines=export_config(limit, "haproxy").text.replace("\n", "\n  ")
        )
        for name, limit in LIMITS.items()
    ]
    (folder / "haproxy.cfg").write_text(CONFIGURATION + "".join(frontends))
    requests = [
        (at, ports[name], pattern)
        for name, limit in LIMITS.items()
        for pattern, times in patterns(float(limit.limit.sustained_rate or 0), 12).items()
        if name != "by_ip" or pattern == "random"
        for at in times
    ]
    command = [os.environ.get("HAPROXY") or "haproxy", "-db", "-f", "haproxy.cfg"]
    with Server(command, folder, list(ports.values())):
        drive(requests)
    results: Decisions = defaultdict(list)
    for line in (folder / "out").read_text().splitlines():
        name, key, at_ms, status = line.split()
        if key != "-":  # the test's own look at the port
            results[name, key].append((int(at_ms), status == "200"))
    return {key: sorted(rows, key=lambda row: (row[0], not row[1])) for key, rows in results.items()}


def predicted(limit: PerClient, at_ms: list[int], off_ms: int) -> list[bool]:
    """The decisions of the limiter if the windows begin so many milliseconds later."""
    at = [Fraction(max(t - at_ms[0], off_ms) if i else off_ms, 1000) for i, t in enumerate(at_ms)]
    return simulate(limit, [t + 1 for t in at], clients={limit.key: "one"}).admitted


@pytest.mark.parametrize("name", LIMITS)
def test_every_decision_is_predicted(name: str, decisions: Decisions) -> None:
    limit, decided, unsure, rejected = LIMITS[name], 0, 0, 0
    for (limit_name, key), rows in decisions.items():
        if limit_name != name:
            continue
        at_ms = [t for t, _ in rows]
        expected = [predicted(limit, at_ms, off_ms) for off_ms in (-2, -1, 0, 1)]

        for i, (at, admitted) in enumerate(rows):
            assert admitted in {each[i] for each in expected}, (key, i, at)
            unsure += len({each[i] for each in expected}) > 1
            rejected += not admitted
        decided += len(rows)

    assert decided > 40
    assert rejected > 10
    assert unsure < decided / 10


def test_a_model_on_the_clock_is_found_out(decisions: Decisions) -> None:
    wrong = 0
    for (name, _), rows in decisions.items():
        limit = LIMITS[name].limit
        assert isinstance(limit, SlidingCounter)
        clock = PerClient("X-Key", SlidingCounter(limit.limit, limit.window_s, "lt", count_rejected=True))
        at = [Fraction(t, 1000) for t, _ in rows]
        admitted = simulate(clock, at, clients={"X-Key": "one"}).admitted
        wrong += sum(passes != row[1] for passes, row in zip(admitted, rows, strict=True))

    assert wrong > 3
