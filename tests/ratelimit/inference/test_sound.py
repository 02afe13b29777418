"""The true limiter is never excluded, whatever the family, its numbers and the jitter."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from hook_widgets.ratelimit import TokenBucket
from hook_widgets.ratelimit.inference import infer
from tests.ratelimit.inference.hidden_limiters import BUCKET, at_random, keeps, probed, windows
from tests.support.extent import extent

NAMES = [BUCKET, *windows(1, 1, Fraction(0))]
ROUND_TRIPS_S = [Fraction(0), Fraction(1, 1000), Fraction(5, 1000), Fraction(20, 1000)]
#: of the goal; the sample of a short run are those with small limits, which take little time
GOAL = [
    "sliding log",
    "sliding log that counts rejected requests",
    "fixed window by the clock",
    "fixed window from the first request",
    'sliding counter by the clock with rule "le_plus_one"',
    'sliding counter from the first request with rule "lt" that counts rejected requests',  # HAProxy
    BUCKET,
]


def hidden(name, chance, most):
    """Return a limiter of a family, with a limit up to `most`, small ones as likely as large ones."""
    limit, window_s = round(most ** chance.random()), chance.choice([1, 10, 60])
    if name == BUCKET:
        return TokenBucket(chance.choice([limit, 2 * limit, 1]), Fraction(limit, window_s))
    return windows(limit, window_s, Fraction(chance.randrange(window_s * 1000), 1000))[name]


@pytest.mark.parametrize("name", NAMES)
def test_random_requests_keep_the_truth(name):
    rejections = 0
    for seed in range(extent(2, 100)):
        chance = random.Random(f"{name} {seed}")
        limiter = hidden(name, chance, 7)
        round_trip_s = ROUND_TRIPS_S[(seed + NAMES.index(name)) % len(ROUND_TRIPS_S)]
        result = infer(at_random(limiter, chance, round_trip_s, 40))
        rejections += result.rejections
        assert result.contradiction is None, (limiter, round_trip_s)
        assert not result.rejections or keeps(result, name, limiter), (limiter, round_trip_s, str(result))
    assert rejections


def test_probes_find_the_class_of_hidden_limiters():
    preserved, unique, number = 0, 0, extent(3, 200)
    for seed in range(number):
        chance = random.Random(seed)
        name, round_trip_s = GOAL[seed % len(GOAL)], chance.choice(ROUND_TRIPS_S)
        limiter = hidden(name, chance, extent(6, 20))
        while limiter.sustained_rate * round_trip_s > Fraction(1, 2):  # no client could exhaust it
            limiter = hidden(name, chance, extent(6, 20))
        result = probed(limiter, chance, round_trip_s, 150)
        preserved += keeps(result, name, limiter)
        unique += len(result.classes) == 1
    assert preserved == number
    assert unique >= 0.95 * number, (unique, number)
