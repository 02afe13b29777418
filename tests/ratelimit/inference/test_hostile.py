"""Hostile observations give a clear error, or the first observation that no limiter explains, in time."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import TokenBucket, simulate
from hook_widgets.ratelimit.inference import candidates
from hook_widgets.ratelimit.inference.api import infer
from tests.support.extent import extent
from tests.support.work import at_most_lines


@pytest.mark.parametrize(
    ("observations", "message"),
    [
        ([(0, 0, 200), (5, 5, 200), (4, 6, 429)], "observation 2 was sent before the previous one"),
        ([(1, 0, 200)], "observation 0 was answered before it was sent"),
        ([(float("nan"), 1, 200)], "sent_s of observation 0 is nan"),
        ([(0, float("inf"), 200)], "answered_s of observation 0 is inf"),
        ([(-1, 0, 200)], "sent_s of observation 0 is negative"),
        ([(0, "soon", 200)], "answered_s of observation 0 cannot be read"),
        ([(0, None, 200)], "answered_s of observation 0 must be a number"),
        ([(datetime(2026, 1, 1, tzinfo=UTC), 1, 200)], "sent_s of observation 0 is a date"),
        ([(0, 1e300, 200)], "span more than"),
        ([(0, 0, 200), (10**7, 10**7 + 1, 200)], "span more than"),
        ([(0, 10**2000, 200)], "out of range"),
        ([(0, 0, 700)], "status of observation 0 is 700"),
        ([(0, 0, True)], "status of observation 0 is True"),
        ([(0, 0, "429")], "status of observation 0 is '429'"),
        ([(0, 0, [429])], r"status of observation 0 is \[429\]"),
        ([(0, 0)], "observation 0 is"),
        ([5], "observation 0 is 5"),
        ([(0, 0, 200)] * 1001, "more than 1,000 observations"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_observation_is_an_error(observations, message):
    with pytest.raises(InvalidArrivals, match=message):
        infer(observations)


@pytest.mark.parametrize("step", [-1, float("nan"), "often"])
def test_the_clock_step_is_checked(step):
    with pytest.raises(InvalidArrivals, match="clock_step_s"):
        infer([], clock_step_s=step)


@pytest.mark.parametrize(
    ("observations", "index"),
    [
        ([(0, 0, 429)], 0),  # nothing was admitted before
        # The limit is one request in more than a second. Two may pass at the end of a window, not three.
        ([(0, 0, 200), (1, 1, 429), (1.1, 1.1, 200), (1.2, 1.2, 429), *[(50, 50, 200)] * 3], 6),
    ],
)
def test_the_first_observation_that_contradicts_is_reported(observations, index):
    result = infer(observations)
    assert result.classes == ()
    assert result.contradiction == index
    assert result.next_probe() is None
    assert f"observation {index} " in str(result)
    assert result.extend([(9000, 9000, 200)]).contradiction == index


def test_traffic_of_others_on_the_same_key_shows():
    chance = random.Random(3)
    times = sorted(Fraction(chance.randrange(60_000), 1000) for _ in range(200))
    ours = [chance.random() < 0.5 for _ in times]
    admitted = simulate(TokenBucket(5, "1/s"), times).admitted
    everything = infer([(t, t, 200 if ok else 429) for t, ok in zip(times, admitted, strict=True)])
    part = infer(
        [(t, t, 200 if ok else 429) for t, ok, our in zip(times, admitted, ours, strict=True) if our]
    )
    assert everything.classes[0].example == TokenBucket(5, "1/s")
    assert part.contradiction is not None


@pytest.mark.parametrize("kind", ["alternating", "instant", "late rejection", "random", "wide"])
def test_the_budget_bounds_the_work_for_any_observations(kind, monkeypatch):
    monkeypatch.setattr(candidates, "_MAX_STEPS", 1_000)
    chance, number = random.Random(1), extent(24, 100)
    statuses = {
        "random": lambda i: chance.choice([200, 429]) if i else 200,
        "alternating": lambda i: 429 if i % 2 else 200,
        "instant": lambda i: 200 if i < number // 2 else 429,
        "late rejection": lambda i: 429 if i == number - 9 else 200,
        "wide": lambda i: 429 if i % 7 == 6 else 200,
    }[kind]
    width = {"wide": 500.0, "random": 0.5}.get(kind, 0.0)
    gap = 0 if kind == "instant" else 0.1
    observations = [(i * gap, i * gap + width, statuses(i)) for i in range(number)]
    with at_most_lines(500 * 1_000 + 100 * number**2):
        result = infer(observations)
    result.next_probe()
    assert result.requests == number
