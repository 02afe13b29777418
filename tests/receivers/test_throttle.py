"""The code of a plan for Go, and what is shown of a limiter in Go: golang.org/x/time/rate, run."""

from __future__ import annotations

import math
import os
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from hook_widgets.ratelimit import Arrivals, Scenario, TokenBucket, scenario, simulate
from hook_widgets.ratelimit.formatting import percent, seconds
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.reporting.client_code import throttle_codes
from hook_widgets.ratelimit.reporting.report import report
from hook_widgets.ratelimit.units import NS_PER_S
from tests.receivers.runtimes import DRIVERS, GoRuntime

# Debian's package golang-golang-x-time-dev puts the library here.
GOCODE = Path(os.environ.get("GOCODE", "/usr/share/gocode"))
LIBRARY = GOCODE / "src/golang.org/x/time/rate/rate.go"
MISSING = GoRuntime.missing() or ("" if LIBRARY.exists() else "golang.org/x/time")
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no {MISSING} on this machine")

PLANS = [
    ("100/s", {"burst": 15}),
    ("600/min", {"burst": 40}),
    ("60/s", {"clients": 3, "burst": 50}),
    ("1000/hour", {"clients": 12, "steady": "700/hour", "burst": 200}),
]
SOON_S = 1e-6  # a token is a float in Go: it may come a moment earlier than the exact one


def built(planned: Scenario, folder: Path) -> list[str]:
    """Build the code of a plan with the driver, and return the command that runs it."""
    (code,) = (each.code for each in throttle_codes(planned) if "x/time/rate" in each.title)
    (folder / "throttle.go").write_text(f"package main\n\n{code}")
    shutil.copy(DRIVERS / "throttle.go", folder / "main.go")
    gofmt = [str(Path(GoRuntime.path("go")).with_name("gofmt")), "-l", "."]
    assert "" == subprocess.run(gofmt, cwd=folder, check=True, capture_output=True, text=True).stdout
    return compiled(folder)


def compiled(folder: Path) -> list[str]:
    """Compile what is in a folder, and return the command that runs it."""
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(GOCODE), "GOFLAGS": ""}
    build = [GoRuntime.path("go"), "build", "-o", "throttle", "."]
    subprocess.run(build, cwd=folder, check=True, env=environment)
    return [str(folder / "throttle")]


@pytest.mark.parametrize(("limit", "more"), PLANS)
def test_the_limiter_in_go_admits_the_numbers_of_the_plan_and_the_api_rejects_none(limit, more, tmp_path):
    planned = scenario(limit, **more)
    capacity, rate_per_s = int(planned.planned["capacity"]), planned.plan.inputs.usable_rate
    rng, span_ns = random.Random(capacity), int(4 * (capacity + 40) / rate_per_s * NS_PER_S)
    at_ns = [0] * 2 * capacity + sorted(rng.randrange(span_ns) for _ in range(8 * (capacity + 40)))

    output = subprocess.run(
        built(planned, tmp_path), input="\n".join(map(str, at_ns)), check=True, capture_output=True, text=True
    ).stdout
    admitted = [line == "true" for line in output.split()]
    passed = [at for at, ok in zip(at_ns, admitted, strict=True) if ok]

    # The rate in the code has six significant digits: the token of a request at its very moment may be late.
    expected = simulate(TokenBucket(capacity, rate_per_s), Arrivals(tuple(at_ns))).admitted
    assert [True] * capacity + [False] * capacity == admitted[: 2 * capacity]
    assert abs(sum(expected) - len(passed)) <= 1
    for algorithm in LimitAlgorithm:
        assert 0 == simulate(planned.limiter(algorithm), Arrivals(tuple(passed))).summary().rejected


def test_calls_in_go_wait_for_the_rate_of_the_plan(tmp_path):
    planned = scenario("100/s", burst=15)
    capacity, rate_per_s = int(planned.planned["capacity"]), planned.plan.inputs.usable_rate
    calls = 4 * capacity

    command = [*built(planned, tmp_path), str(calls)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    sent_s = sorted(Fraction(int(line), NS_PER_S) for line in output.split())

    assert calls == len(sent_s)
    late_s = [at - max(n - capacity, 0) / rate_per_s for n, at in enumerate(sent_s, 1)]
    assert min(late_s) >= -SOON_S
    assert sorted(late_s)[calls // 2] < 0.1


@pytest.mark.parametrize("more", [{"burst": 30}, {"burst": 25, "steady": "4.5/s"}, {"steady": "8/s"}])
def test_the_waits_that_are_shown_of_kubernetes_client_are_those_of_its_limiter(more, tmp_path):
    """client-go keeps a limiter of 5 a second and a burst of 10; its `Wait` sleeps as long as this says."""
    model = scenario("kubernetes-client", **more)
    shutil.copy(DRIVERS / "waits.go", tmp_path / "main.go")
    times = "\n".join(map(str, model.arrivals.times_ns))

    output = subprocess.run(
        [*compiled(tmp_path), "5", "10"], input=times, check=True, capture_output=True, text=True
    ).stdout
    waits_s = sorted(int(line) / NS_PER_S for line in output.split())

    cards = {card.title: card for card in report(model).cards}
    waiting = sum(wait > SOON_S for wait in waits_s)
    assert sorted(wait or 0 for wait in model.run.wait_s) == pytest.approx(waits_s, abs=SOON_S)
    assert (waiting, percent(waiting / len(waits_s))) == (
        model.run.at_once.count(False), cards["Requests that wait"].value
    )  # fmt: skip
    assert seconds(waits_s[math.ceil(len(waits_s) * 0.95) - 1]) == cards["Wait, p95"].value
    assert f"longest {seconds(waits_s[-1])}" in cards["Wait, p95"].note
