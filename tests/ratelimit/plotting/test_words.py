"""Test the descriptions of plots in words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Layers,
    LeakyBucket,
    PerClient,
    SlidingCounter,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.plotting.view_model.labels import share
from hook_widgets.ratelimit.plotting.view_model.words import describe_run

SLOW = Arrivals.steady("1/s", 20)

# The numbers can be counted on one's fingers.
SAID = [
    (
        simulate(TokenBucket(40, "0.001/s"), SLOW),
        (
            "Tokens left over 20 s: starts full at 40, falls to 20 at 19 s, ends at 20. "
            "All 20 requests are admitted; nobody waits."
        ),
    ),
    (
        simulate(FixedWindow(4, 10), SLOW),
        (
            "Requests left in each 10 s over 20 s: starts full at 4, falls to 0 at 3 s, ends full. "
            "12 of 20 requests (60%) are rejected, from 4 s to 9 s and from 14 s to 19 s; nobody waits."
        ),
    ),
    (
        simulate(LeakyBucket(8, "0.4/s"), [0, 1, 2]),
        (
            "Free queue slots over 3 s: starts full at 8, falls to 5 at 2 s, ends at 6. "
            "All 3 requests are admitted; the queue holds at most 3 of 8."
        ),
    ),
    (
        simulate(TokenBucket(1, 1), []),
        "Tokens left over 1.5 s: full at 1 all the time. No requests come; nobody waits.",
    ),
    (
        simulate(TokenBucket(1, 1), [0]),
        (
            "Tokens left over 1.5 s: starts full at 1, falls to 0 at 0 s, ends full. "
            "The only request is admitted; nobody waits."
        ),
    ),
    (
        simulate(FixedWindow(0, 60), SLOW),
        (
            "Requests left in each minute over 20 s: full at 0 all the time. "
            "All 20 requests are rejected; nobody waits."
        ),
    ),
    (
        simulate(
            Layers(FixedWindow(100, 60, name="a"), SlidingCounter(1000, 60, name="b"), Concurrency(1)),
            SLOW,
            service_s=1.5,
        ),
        (
            "What is left of 2 limits over 20 s. a: starts full at 100, falls to 90 at 18 s, ends at 90; "
            "b: starts full at 1,000, falls to 990 at 18 s, ends at 990. 10 of 20 requests (50%) "
            "are rejected, 10 times from 1 s to 19 s; in flight are at most 1 of 1."
        ),
    ),
]


@pytest.mark.parametrize(("run", "words"), SAID)
def test_what_is_seen_is_said(run, words):
    assert words == describe_run(run)


def test_the_end_of_the_axis_may_be_a_timedelta():
    run = simulate(TokenBucket(40, 1), SLOW)

    assert (
        describe_run(run, until_s=60) == describe_run(run, until_s=timedelta(minutes=1)) != describe_run(run)
    )


def test_compared_runs_are_described_one_after_another():
    runs = {"A": simulate(FixedWindow(4, 10), SLOW), "B": simulate(TokenBucket(40, 1), SLOW)}

    assert (
        "2 runs compared over 20 s. "
        "A: 12 of 20 requests (60%) are rejected, from 4 s to 9 s and from 14 s to 19 s. "
        "B: all 20 requests are admitted."
    ) == describe_run(runs)


def test_a_share_is_never_rounded_to_nothing_or_everything():
    shares = [share(part, 100_000) for part in (0, 1, 6_230, 50_000, 99_999, 100_000)]

    assert ["0%", "under 0.1%", "6.2%", "50%", "over 99.9%", "100%"] == shares


def test_a_queue_that_the_requests_could_wait_in_is_named_where_nobody_waits_otherwise():
    burst = [0] * 5
    queued = simulate(LeakyBucket(9, "1/s", name="queue at half the rate"), burst)

    rejected = describe_run(simulate(TokenBucket(2, "2/s"), burst), queued=queued)
    assert rejected.endswith("are rejected, at 0 s; a queue at half the rate would hold at most 5.")
    assert "would" not in describe_run(simulate(LeakyBucket(3, "2/s"), burst), queued=queued)


def test_a_level_of_next_to_nothing_needs_no_exponent():
    run = simulate(TokenBucket(1, "1/s"), [0, "0.00004"])
    assert "ends at nearly 0." in describe_run(run, until_s="0.00004")


def test_a_limit_of_each_client_is_described_for_the_busiest():
    run = simulate(
        PerClient("user", TokenBucket(3, "0.1/s")), [0, 1, 2], clients={"user": ["bob", "ann", "ann"]}
    )

    assert describe_run(run, until_s=4).startswith("Tokens left over 4 s: starts full at 3, falls to 1")
    assert run.plot().axes


def test_a_band_is_described_by_its_lowest_shares_and_by_the_strictest_run():
    loose, strict = simulate(TokenBucket(4, 1), [0, 0]), simulate(TokenBucket(1, 1), [0, 0])

    assert (
        "Range over all algorithms over 10 s: at the lowest, 0% to 50% of the limit is left, depending on "
        "the algorithm. Under the strictest algorithm: 1 of 2 requests (50%) is rejected, at 0 s; nobody "
        "waits." == describe_run(strict, until_s=10, possible=[loose, strict])
    )
