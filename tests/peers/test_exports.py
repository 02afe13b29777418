"""Exported code, run: the library with that code lets the same requests through as the limiter."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import subprocess
from fractions import Fraction
from typing import Any

import pyrate_limiter as pyrate
import pytest

from hook_widgets.ratelimit import (
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    Limiter,
    PerClient,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.configs import export_config, import_config
from tests.peers.peer_adapters import EPOCH, _FrozenLoop, frozen
from tests.sdk.reference_verifiers.node import FOLDER

# Times are eighths of a second, which floats and milliseconds hold exactly.
CASES: list[tuple[str, Limiter]] = [
    ("limits", FixedWindow(3, 2, "first")),
    ("limits", SlidingLog(3, 2, "closed")),
    ("limits", SlidingCounter(3, 2)),
    ("pyrate-limiter", SlidingLog(3, 2, "closed")),
    ("pyrate-limiter", Layers(SlidingLog(2, 1, "closed"), SlidingLog(5, 8, "closed"))),
    ("pyrate-limiter", FixedWindow(3, 2)),
    ("pyrate-limiter", TokenBucket(4, "2/s")),
    ("pyrate-limiter", Gcra("0.5 s", "1 s")),
    ("aiolimiter", TokenBucket(4, 2)),
    ("aiolimiter", TokenBucket(1, 8)),
]


def by_limits(code: str, at: list[Fraction]) -> list[bool]:
    with frozen() as clock:
        names = run(code)
        admitted = []
        for t in at:
            clock.now = EPOCH + float(t)
            admitted.append(names["limiter"].hit(names["rate"]))
        return admitted


def by_pyrate(code: str, at: list[Fraction]) -> list[bool]:
    bucket = run(code)["bucket"]
    return [bool(bucket.put(pyrate.RateItem("request", int(t * 1000)))) for t in at]


def by_aiolimiter(code: str, at: list[Fraction]) -> list[bool]:
    loop = _FrozenLoop()

    async def one_by_one() -> list[bool]:
        limiter, admitted = run(code)["limiter"], []
        for t in at:
            loop.now = float(t)
            admitted.append(limiter.has_capacity())
            if admitted[-1]:
                await limiter.acquire()
        return admitted

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(one_by_one())


RUN = {"limits": by_limits, "pyrate-limiter": by_pyrate, "aiolimiter": by_aiolimiter}


def run(code: str) -> dict[str, Any]:
    """Return the names that exported code defines."""
    names: dict[str, Any] = {}
    exec(code, names)
    return names


@pytest.mark.parametrize(("target", "limiter"), CASES, ids=str)
def test_exported_code_lets_the_same_requests_through(target: str, limiter: Limiter) -> None:
    rng, code = random.Random(f"{target} {limiter}"), export_config(limiter, target).text
    rejected = 0
    for _ in range(60):
        at = sorted(Fraction(rng.randrange(80), 8) for _ in range(40))

        expected = RUN[target](code, at)

        assert expected == simulate(limiter, at).admitted
        rejected += expected.count(False)
    assert 100 < rejected < 2200


def test_a_token_of_pyrate_takes_the_microseconds_that_the_deviation_tells() -> None:
    bucket = TokenBucket(3, "7/s")
    config = export_config(bucket, "pyrate-limiter")

    (enforced,) = [d.exported for d in config.deviations if d.limiter == bucket.refill_rate]

    assert Fraction(10**6, 142_858) == enforced
    at = [Fraction(k, 1000) for k in range(0, 60_000, 143)]
    slower = TokenBucket(3, enforced)
    assert by_pyrate(config.text, at) == simulate(slower, at).admitted
    assert import_config(export_config(TokenBucket(3, 7), "envoy").text, "envoy") == bucket


NPM: list[tuple[str, Limiter]] = [
    ("express-rate-limit", PerClient("ip", FixedWindow(3, 2, "first"))),
    ("express-rate-limit", PerClient("X-Api-Key", FixedWindow(1, "0.25 s", "first"))),
    ("express-rate-limit", FixedWindow(9, "1 min", "first")),
    ("rate-limiter-flexible", FixedWindow(3, 2, "first")),
    ("rate-limiter-flexible", FixedWindow(7, 5, "first")),
    ("rate-limiter-flexible", HoldOff(FixedWindow(3, 2, "first"), 4)),
]


def by_npm(runs: list[tuple[str, str, list[int]]]) -> list[list[bool]]:
    """The decisions of npm packages, for target, code and milliseconds."""
    node = os.environ.get("NODE") or shutil.which("node")
    assert node is not None, "no Node: `make test-sdk` brings it"
    text = json.dumps([{"target": target, "code": code, "at": at} for target, code, at in runs])
    ran = subprocess.run(
        [node, "limits.mjs"], cwd=FOLDER, input=text.encode(), stdout=subprocess.PIPE, check=True
    )
    decisions: list[list[bool]] = json.loads(ran.stdout)
    return decisions


def test_exported_javascript_lets_the_same_requests_through() -> None:
    rng = random.Random(6)
    runs = []
    for target, limiter in NPM:
        for _ in range(20):
            at = sorted(rng.randrange(1, 20_000) for _ in range(60))
            runs.append((target, limiter, at))

    decisions = by_npm([(target, export_config(limiter, target).text, at) for target, limiter, at in runs])

    for (target, limiter, at), admitted in zip(runs, decisions, strict=True):
        keys = {layer.key: "one" for layer in limiter.layers if isinstance(layer, PerClient)}
        expected = simulate(limiter, [Fraction(t, 1000) for t in at], clients=keys).admitted
        assert expected == admitted, (target, limiter)
    rejected = [admitted.count(False) for admitted in decisions]
    assert 1500 < sum(rejected) < 5500
