"""Requests that limits, pyrate-limiter and aiolimiter decide otherwise than we do, each with the reason.

In every test `theirs` is what the library answers and `ours` what we answer to the same requests.
"""

from __future__ import annotations

from fractions import Fraction

import pyrate_limiter as pyrate
import pytest
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import (
    FixedWindowRateLimiter,
    MovingWindowRateLimiter,
    SlidingWindowCounterRateLimiter,
)

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import FixedWindow, SlidingCounter, SlidingLog, TokenBucket, simulate
from tests.peers.peer_adapters import frozen, of_aiolimiter, of_limits, of_pyrate

TENTHS = [k / 10 for k in range(31)]
"""Every 0.1 s for three seconds."""

# --- what a rule means --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "library",
    [of_limits(MovingWindowRateLimiter, 1, 1), of_pyrate(pyrate.SlidingWindowLog(), pyrate.Rate(1, 1000))],
    ids=["limits", "pyrate-limiter"],
)
def test_a_request_exactly_one_window_old_still_counts_in_their_logs_and_no_longer_in_ours(library):
    """One request a second is then too much for one per second: every second one is rejected."""
    times = [0, 1, 2, 3]

    theirs = library(times, [1] * 4)

    assert [True, False, True, False] == theirs
    assert [True, True, True, True] == simulate(SlidingLog(1, 1), times).admitted
    assert theirs == simulate(SlidingLog(1, 1, edge="closed"), times).admitted


def test_limits_lets_the_edge_of_a_moving_window_depend_on_when_its_purge_ran():
    """The decision keeps a hit that is exactly one window old, the purge in the background drops it."""
    item = RateLimitItemPerSecond(1)
    answers = {}
    for purged in (False, True):
        with frozen() as clock:
            storage = MemoryStorage()
            limiter = MovingWindowRateLimiter(storage)
            assert limiter.hit(item)
            clock.now = 1.0
            if purged:
                getattr(storage, f"_{MemoryStorage.__name__}__expire_events")()
            answers[purged] = limiter.hit(item)

    assert {False: False, True: True} == answers


def test_a_fixed_window_of_limits_counts_what_it_rejects():
    """One rejected request of cost 2 uses up what smaller ones could have had."""
    times, costs = [0, 0, 0], [2, 2, 1]

    theirs = of_limits(FixedWindowRateLimiter, 3, 1)(times, costs)

    assert [True, False, False] == theirs
    assert [True, False, True] == simulate(FixedWindow(3, 1, align="first"), times, costs).admitted


def test_fixed_windows_of_limits_begin_with_a_request_and_those_of_pyrate_limiter_and_ours_on_the_clock():
    times = [0.5, 1.0, 1.5]

    from_the_request = of_limits(FixedWindowRateLimiter, 1, 1)(times, [1] * 3)
    on_the_clock = of_pyrate(pyrate.FixedWindow(), pyrate.Rate(1, 1000))(times, [1] * 3)

    assert [True, False, True] == from_the_request
    assert from_the_request == simulate(FixedWindow(1, 1, align="first"), times).admitted
    assert [True, True, False] == on_the_clock
    assert on_the_clock == simulate(FixedWindow(1, 1), times).admitted


@pytest.mark.parametrize(
    ("ours", "library"),
    [
        (SlidingLog(2, 1), of_limits(MovingWindowRateLimiter, 2, 1)),
        (SlidingCounter(2, 1), of_limits(SlidingWindowCounterRateLimiter, 2, 1)),
        (SlidingLog(2, 1), of_pyrate(pyrate.SlidingWindowLog(), pyrate.Rate(2, 1000))),
        (TokenBucket(2, 2), of_pyrate(pyrate.TokenBucket(), pyrate.Rate(2, 1000))),
        (TokenBucket(2, 2), of_aiolimiter(2, 1)),
    ],
    ids=["limits log", "limits counter", "pyrate log", "pyrate bucket", "aiolimiter"],
)
def test_a_cost_that_can_never_pass_is_rejected_by_them_and_is_an_error_to_us(ours, library):
    assert [False] == library([0], [3])
    with pytest.raises(InvalidArrivals, match="never admits more than 2"):
        simulate(ours, [0], [3])


# --- what a number means ------------------------------------------------------------------------------------


def test_pyrate_limiter_rounds_the_interval_of_a_bucket_up_to_microseconds():
    """Three per second are 333,334 microseconds apart: three at once every second are too many."""
    times, costs = [0, 1, 2], [3, 3, 3]

    theirs = of_pyrate(pyrate.TokenBucket(), pyrate.Rate(3, 1000))(times, costs)

    assert [True, False, True] == theirs
    assert [True, True, True] == simulate(TokenBucket(3, 3), times, costs).admitted
    assert theirs == simulate(TokenBucket(3, Fraction(10**6, 333_334)), times, costs).admitted


def test_pyrate_limiter_sees_whole_milliseconds():
    """Hits 1.0008 s apart are 1.000 s apart to it, which is one window: the second is rejected."""
    times = [0.0001, 1.0009]

    assert [True, False] == of_pyrate(pyrate.SlidingWindowLog(), pyrate.Rate(1, 1000))(times, [1, 1])
    assert [True, True] == simulate(SlidingLog(1, 1, edge="closed"), times).admitted


# --- floats -------------------------------------------------------------------------------------------------


def test_aiolimiter_rejects_some_requests_that_come_exactly_at_its_rate():
    """Ten per second, one every 0.1 s: what leaks away in between is now and then a little less than one."""
    theirs = of_aiolimiter(1, 0.1)(TENTHS, [1] * 31)

    assert theirs[0]
    assert False in theirs
    assert [True] * 31 == simulate(TokenBucket(1, 10), TENTHS).admitted


def test_a_moving_window_of_limits_forgets_some_hits_that_are_exactly_one_window_old():
    """1.3 - 1 is a little more than 0.3: the hit at 0.3 is then older than the window."""
    first = [k / 10 for k in range(10)]
    answers = [of_limits(MovingWindowRateLimiter, 1, 1, epoch=0)([t, t + 1], [1, 1]) for t in first]

    assert 1 + 0.3 - 1 > 0.3
    assert [True, True] == answers[3]
    assert [True, False] in answers
    closed = SlidingLog(1, 1, edge="closed")
    assert [[True, False]] * 10 == [simulate(closed, [t, t + 1]).admitted for t in first]


def test_a_sliding_counter_of_limits_takes_some_whole_estimates_for_less():
    """Ten early in a window of 5 s: at 5.5 s exactly nine are in view, to it a rounding error less."""
    theirs, ours = [], []
    for t in (5.5, 6, 6.5, 7):
        times = [0.0] * 10 + [t] * 10
        theirs.append(sum(of_limits(SlidingWindowCounterRateLimiter, 10, 5)(times, [1] * 20)) - 10)
        ours.append(sum(simulate(SlidingCounter(10, 5), times).admitted) - 10)

    assert [2, 2, 4, 4] == theirs
    assert [1, 2, 3, 4] == ours
