"""Test decisions: against the reference, at boundaries, and by the identities between limiters."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import accumulate
from math import floor

import pytest
from hypothesis import given

from hook_widgets.ratelimit import (
    Arrivals,
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from tests.ratelimit import reference
from tests.ratelimit.random_traffic import GRID, KINDS, RATES, any_of, any_times, limiters, times
from tests.support.extent import extent

TICKS = [k / 10 for k in range(31)]
"""0.0, 0.1, 0.2, ... as floats, which are not multiples of 0.1."""


def admitted(limiter, *args, **kwargs) -> list[bool]:
    return simulate(limiter, *args, **kwargs).admitted


# --- the reference ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_limiter_decides_as_the_reference_does_on_thousands_of_traces(kind):
    rng = random.Random(kind)
    refused = 0
    for _ in range(extent(150, 1500)):
        limiter, at = any_of(rng, kind), any_times(rng)
        services = [rng.choice([0, GRID, 1]) for _ in at] if isinstance(limiter, Concurrency) else None

        expected = reference.decide(limiter, at, services=services)

        assert expected == admitted(limiter, at, service_s=services), (limiter, at)
        refused += expected.count(False)
    assert refused > extent(150, 1500)


@pytest.mark.parametrize(
    "kind", ["token bucket", "gcra", "fixed window", "sliding log", "sliding counter", "layers"]
)
def test_costs_are_all_or_nothing_as_in_the_reference(kind):
    rng = random.Random(f"costs of {kind}")
    refused = 0
    for _ in range(extent(100, 1000)):
        limiter, at = any_of(rng, kind), any_times(rng)
        bounds = [most for layer in limiter.layers if (most := layer._max_cost) is not None]
        if not bounds or min(bounds) < 1:
            continue
        costs = [rng.randint(1, min(bounds)) for _ in at]

        expected = reference.decide(limiter, at, costs)

        assert expected == admitted(limiter, at, costs), (limiter, at, costs)
        refused += expected.count(False)
    assert refused > extent(80, 800)


@given(limiters(*KINDS[:-2], "layers"), times())
def test_every_limiter_decides_as_the_reference_does(limiter, at):
    assert reference.decide(limiter, at) == admitted(limiter, at)


@given(limiters("leaky bucket"), times())
def test_a_leaky_bucket_tells_the_wait_of_the_reference(bucket, at):
    run = simulate(bucket, at)
    entered = [t for t, was_admitted in zip(at, run.admitted, strict=True) if was_admitted]

    early = bucket.undelayed / bucket.drain_rate
    departures = reference.leaky_departures(bucket, entered)

    expected = [max(d - early - t, 0) for t, d in zip(entered, departures, strict=True)]

    assert list(map(float, expected)) == [wait for wait in run.wait_s if wait is not None]


# --- boundaries ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limiter",
    [
        TokenBucket(1, 10),
        Gcra(0.1, 0),
        LeakyBucket(1, 10),
        LeakyBucket(0, 10, "immediate"),
        LeakyBucket(1, 10, "clock"),
        FixedWindow(1, 0.1),
        FixedWindow(1, 0.1, "first"),
        SlidingLog(1, 0.1),
    ],
    ids=repr,
)
def test_one_request_every_tenth_of_a_second_passes_a_limit_of_ten_per_second(limiter):
    assert [True] * 31 == admitted(limiter, TICKS)


@pytest.mark.parametrize(
    "limiter",
    [TokenBucket(1, 10), Gcra(0.1, 0), LeakyBucket(1, 10), FixedWindow(1, 0.1), SlidingLog(1, 0.1)],
    ids=repr,
)
def test_one_nanosecond_early_is_too_early(limiter):
    assert [True, False, True] == admitted(limiter, [0, Fraction("0.099999999"), 0.1])


def test_times_that_were_added_up_in_floats_still_hit_their_boundaries():
    added_up, t = [], 0.0
    for _ in range(1000):
        added_up.append(t)
        t += 0.1
    assert added_up[3] != 0.3

    assert [True] * 1000 == admitted(SlidingLog(1, 0.1), added_up)


def test_a_request_exactly_one_window_old_counts_only_with_a_closed_edge():
    at = [0, 1, 2, 3]

    assert [True, True, True, True] == admitted(SlidingLog(1, 1), at)
    assert [True, False, True, False] == admitted(SlidingLog(1, 1, edge="closed"), at)


def test_a_request_at_the_boundary_belongs_to_the_new_window():
    assert [True, False, True] == admitted(FixedWindow(1, 1), [0.5, 0.999999999, 1])
    assert [True, False, True] == admitted(FixedWindow(1, 1, "first"), [0.5, 1.499999999, 1.5])


def test_windows_from_the_first_request_move_with_it():
    at = [0.9, 1.0, 1.9, 2.0]

    assert [True, True, False, True] == admitted(FixedWindow(1, 1), at)
    assert [True, False, True, False] == admitted(FixedWindow(1, 1, "first"), at)


def test_a_renewed_window_ends_only_after_a_pause():
    at = [0, 0.5, 1.4, 2.3, 3.3]  # each puts off the end, a rejected one too, until a whole second passes

    assert [True, True, False, False, True] == admitted(FixedWindow(2, 1, "renewed"), at)
    assert [True, False, False, True] == admitted(FixedWindow(2, 1, "renewed"), [0, 0, 0, 1], [1, 2, 1, 2])


def test_a_sliding_counter_rejects_an_estimate_equal_to_the_limit():
    at = [0, 0, 0, 0, 1.5, 1.5, 1.5]

    assert [True] * 4 + [True, True, False] == admitted(SlidingCounter(4, 1), at)


def test_le_plus_one_rejects_on_a_fraction_where_lt_does_not():
    at = [0, 0, 0, 1.5, 1.5]  # the estimate is 1.5, then 2.5

    assert [True, True, True, True, True] == admitted(SlidingCounter(3, 1), at)
    assert [True, True, True, True, False] == admitted(SlidingCounter(3, 1, "le_plus_one"), at)


def test_counting_rejected_requests_locks_a_persistent_client_out():
    at = [k / 20 for k in range(400)]  # 20/s for 20 s against 10/s

    assert 200 == sum(admitted(SlidingLog(10, 1), at))
    assert 10 == sum(admitted(SlidingLog(10, 1, count_rejected=True), at))
    assert 10 == sum(admitted(SlidingCounter(10, 1, count_rejected=True), at))


def test_a_bucket_below_one_token_admits_nothing():
    assert [False, False] == admitted(TokenBucket(0.999, 1000), [0, 1000])


def test_a_bucket_of_two_and_a_half_admits_two_and_the_third_half_a_token_later():
    assert [True, True, False, False, True] == admitted(TokenBucket(2.5, 1), [0, 0, 0, 0.499999999, 0.5])


def test_a_bucket_that_starts_empty_has_no_burst():
    assert [False, False, True, False] == admitted(TokenBucket(5, 1, initial=0), [0, 0.9, 1, 1])


def test_a_bucket_that_was_full_for_a_nanosecond_has_not_saved_it_up():
    full_for_1_ns = Fraction("1.000000001")

    assert [True, True, False, True] == admitted(TokenBucket(1, 1), [0, full_for_1_ns, 2, 1 + full_for_1_ns])


def test_a_rate_that_is_no_whole_number_of_nanoseconds_is_kept_exactly():
    """From empty at 7/s, token k is available at k/7 s, between two nanoseconds except for every seventh."""
    before = [(k * 10**9 - 1) // 7 for k in range(1, 8)]
    at = Arrivals(tuple(t + step for t in before for step in (0, 1)))

    assert [False, True] * 7 == admitted(TokenBucket(3, 7, initial=0), at)


def test_a_rejected_large_request_leaves_room_for_a_small_one():
    assert [True, False, True] == admitted(TokenBucket(5, 1), [0, 0, 0], [3, 3, 2])


def test_a_place_given_up_at_the_same_instant_is_free_unless_arrivals_come_first():
    at = [0, 1]

    assert [True, True] == admitted(LeakyBucket(1, 1), at)
    assert [True, False] == admitted(LeakyBucket(1, 1, tie="arrival_first"), at)


@pytest.mark.parametrize(
    ("start", "waits"),
    [("service", [1.0, 1.6, 1.5]), ("immediate", [0.0, 0.6, 0.5]), ("clock", [1.0, 1.6, 1.5])],
)
def test_the_first_of_an_empty_bucket_leaves_after_its_service_at_once_or_with_the_clock(start, waits):
    assert waits == simulate(LeakyBucket(2, 1, start), [0, 0.4, 1.5]).wait_s


def test_a_free_running_clock_ticks_whoever_is_there():
    assert [0.3, 0.2, 1.0] == simulate(LeakyBucket(2, 1, "clock"), [0.7, 1.8, 2.0]).wait_s
    assert [0.0] == simulate(LeakyBucket(2, 1, "clock", "arrival_first"), [2]).wait_s


def test_one_that_ends_now_makes_room_under_a_concurrency_limit():
    assert [True, False, True] == admitted(Concurrency(1), [0, 0.5, 1], service_s=1)


def test_a_request_is_charged_to_all_layers_or_to_none():
    both = Layers(TokenBucket(1, 1, name="slow"), TokenBucket(2, 0.1, name="small"))

    run = simulate(both, [0, 0, 0, 1, 2])

    assert [True, False, False, True, False] == run.admitted
    assert [None, "slow", "slow", None, "small"] == run.limited_by


def test_a_layer_that_counts_rejected_requests_counts_those_of_other_layers():
    gentle = Layers(TokenBucket(1, 1), SlidingLog(3, 10))
    harsh = Layers(TokenBucket(1, 1), SlidingLog(3, 10, count_rejected=True))
    at = [0, 0, 0, 1]

    assert [True, False, False, True] == admitted(gentle, at)
    assert [True, False, False, False] == admitted(harsh, at)


# --- identities ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 2, 5])
@given(at=times(40))
def test_a_leaky_queue_admits_what_a_token_bucket_of_its_size_admits(size, at):
    for rate in RATES:
        assert admitted(TokenBucket(size, rate), at) == admitted(LeakyBucket(size, rate), at)


@pytest.mark.parametrize("size", [0, 1, 2, 5])
@given(at=times(40))
def test_a_leaky_queue_that_lets_the_first_pass_admits_what_a_token_bucket_of_one_more_admits(size, at):
    for rate in RATES:
        assert admitted(TokenBucket(size + 1, rate), at) == admitted(LeakyBucket(size, rate, "immediate"), at)


@given(limiters("gcra"), times(40))
def test_gcra_admits_what_its_token_bucket_admits(gcra, at):
    bucket = gcra.as_token_bucket()

    assert reference.decide(bucket, at) == admitted(gcra, at)


@pytest.mark.parametrize(("limit", "window"), [(1, 1), (3, 1), (4, Fraction(3, 2))])
@given(at=times(40))
def test_three_ways_to_write_the_sliding_counter_agree_for_requests_of_cost_one(limit, window, at):
    counter = SlidingCounter(limit, window)
    history: list[tuple[Fraction, bool]] = []
    for t, passed in zip(at, admitted(counter, at), strict=True):
        now, part = divmod(t, window)
        previous = sum(ok for s, ok in history if s // window == now - 1) * (1 - part / window)
        current = sum(ok for s, ok in history if s // window == now)
        history.append((t, passed))

        assert passed == (previous + current < limit)
        assert passed == (floor(previous + current) + 1 <= limit)
        assert passed == (floor(previous) + current + 1 <= limit)


def nginx_delays(burst: int, rate: int, at_ms: list[int], delay: int = 0) -> list[int | None]:
    """Decide as ngx_http_limit_req_module: rate and excess in thousandths, time in milliseconds.

    The result is the delay of each request, in milliseconds; None if it is rejected.
    """
    delays: list[int | None] = []
    excess, last = None, 0
    for now in at_ms:
        needed = 0 if excess is None else max(0, excess - rate * (now - last) // 1000 + 1000)
        if needed > burst * 1000:
            delays.append(None)
            continue
        delays.append(max(0, (needed - delay * 1000) * 1000 // rate))
        excess, last = needed, now
    return delays


def nginx_limit_req(burst: int, rate: int, at_ms: list[int]) -> list[bool]:
    return [delay is not None for delay in nginx_delays(burst, rate, at_ms)]


@pytest.mark.parametrize("rate_per_s", [1, 3, 7, 10, 1000])
def test_nginx_with_a_burst_admits_what_a_token_bucket_of_one_more_admits(rate_per_s):
    rng = random.Random(rate_per_s)
    for _ in range(extent(50, 500)):
        burst = rng.choice([0, 1, 2, 5])
        at_ms = sorted(rng.randint(0, 8000 // rate_per_s) for _ in range(30))
        at = [Fraction(ms, 1000) for ms in at_ms]

        assert nginx_limit_req(burst, rate_per_s * 1000, at_ms) == admitted(
            TokenBucket(burst + 1, rate_per_s), at
        )


@pytest.mark.parametrize("rate_per_s", [1, 5, 10, 1000])
def test_the_delay_of_nginx_is_a_queue_whose_first_places_do_not_wait(rate_per_s):
    """ngx_http_limit_req_account: an excess of at most `delay` passes, a larger one waits for the rest."""
    rng = random.Random(rate_per_s)
    soft = 0
    for _ in range(extent(50, 500)):
        burst, delay = rng.choice([1, 3, 8]), rng.choice([0, 1, 2, 9])
        at_ms = sorted(rng.randint(0, 8000 // rate_per_s) for _ in range(30))
        queue = LeakyBucket(burst, rate_per_s, "immediate", undelayed=delay)

        run = simulate(queue, [Fraction(ms, 1000) for ms in at_ms])

        expected = nginx_delays(burst, rate_per_s * 1000, at_ms, delay)
        assert expected == [None if wait is None else round(wait * 1000) for wait in run.wait_s]
        soft += sum(wait not in {None, 0} for wait in expected) if 0 < delay < burst else 0
    assert soft > 50


def haproxy_rates(period_ms: int, at_ms: list[int]) -> list[int]:
    """Count as src/freq_ctr.c: http_req_rate of a key at each of its requests, which are counted first."""
    rates, begin, previous, current = [], 0, 0, 0
    for now in at_ms:
        if now - begin >= period_ms:
            previous, current, begin = current, 0, begin + period_ms
            if now - begin >= period_ms:
                previous, begin = 0, now
            begin -= begin % 2  # the lowest bit is its lock
        current += 1
        rates.append(current + previous * (begin + period_ms - now) // period_ms)
    return rates


@pytest.mark.parametrize("period_ms", [100, 1000, 60_000])
def test_haproxys_rate_is_a_sliding_counter_from_the_first_request_that_counts_the_rejected(period_ms):
    rng = random.Random(period_ms)
    on_the_clock = 0
    for _ in range(extent(60, 600)):
        limit, start = rng.randint(1, 6), 2 * rng.randrange(10**6)
        gaps = [
            rng.choice([0, 0, period_ms // 10, period_ms // 3, period_ms, 2 * period_ms]) for _ in range(40)
        ]
        at_ms = [start + ms - ms % 2 for ms in accumulate(gaps)]
        at = [Fraction(ms, 1000) for ms in at_ms]
        window = Fraction(period_ms, 1000)

        # Times of a key that is new, as its counter is all zero.
        expected = [rate <= limit for rate in haproxy_rates(period_ms, [10**9 + ms for ms in at_ms])]

        assert expected == admitted(SlidingCounter(limit, window, "lt", True, align="first"), at)
        on_the_clock += expected != admitted(SlidingCounter(limit, window, "lt", True), at)
    assert on_the_clock > extent(20, 200)


def flexible(points: int, duration_ms: int, block_ms: int, at_ms: list[int]) -> list[bool]:
    """Decide as rate-limiter-flexible with `blockDuration`: the excess prolongs the life of the counter."""
    passed, count, ends = [], 0, 0
    for now in at_ms:
        if now >= ends:
            count, ends = 0, now + duration_ms
        count += 1
        if count == points + 1:
            ends = now + block_ms
        passed.append(count <= points)
    return passed


def test_a_hold_off_is_the_block_duration_of_rate_limiter_flexible():
    rng = random.Random("block")
    held = 0
    for _ in range(extent(200, 2000)):
        points, duration_ms = rng.randint(1, 4), rng.choice([100, 300])
        block_ms = duration_ms * rng.randint(1, 4)  # shorter ones let the old window go on here
        at_ms = sorted(50 * rng.randrange(60) for _ in range(30))
        plain = FixedWindow(points, Fraction(duration_ms, 1000), "first")

        at = [Fraction(ms, 1000) for ms in at_ms]
        decisions = admitted(HoldOff(plain, Fraction(block_ms, 1000)), at)

        assert flexible(points, duration_ms, block_ms, at_ms) == decisions
        held += admitted(plain, at) != decisions
    assert held > extent(100, 1000)


def bucket4j(capacity: int, tokens: int, period: int, at: list[int]) -> list[bool]:
    """Decide as BucketState64BitsInteger.refill of Bucket4j with refillIntervally, in its integers."""
    passed, level, last = [], capacity, 0
    for now in at:
        periods = (now - last) // period
        last += periods * period
        level = min(capacity, level + periods * tokens)
        passed.append(level >= 1)
        level -= passed[-1]
    return passed


def test_a_refill_in_steps_is_the_refill_intervally_of_bucket4j():
    rng = random.Random("steps")
    stepped = 0
    for _ in range(extent(100, 1000)):
        capacity, tokens, period_ms = rng.randint(1, 6), rng.randint(1, 6), rng.choice([100, 250, 1000])
        at_ms = sorted(rng.randrange(5000) // 50 * 50 for _ in range(40))
        rate = Fraction(tokens * 1000, period_ms)
        bucket = TokenBucket(capacity, rate, refill_every_s=Fraction(period_ms, 1000))

        at = [Fraction(ms, 1000) for ms in at_ms]

        assert bucket4j(capacity, tokens, period_ms, at_ms) == admitted(bucket, at)
        stepped += admitted(TokenBucket(capacity, rate), at) != admitted(bucket, at)
    assert stepped > extent(50, 500)


@pytest.mark.parametrize(
    ("start", "tie", "waits"),
    [
        # Two come when nobody is there, at a tick of the clock; one a tick later; two at the next.
        ("service", "departure_first", [1.0, 2.0, 2.0, 2.0, None]),
        ("service", "arrival_first", [1.0, 2.0, None, 1.0, None]),
        ("immediate", "departure_first", [0.0, 1.0, 1.0, 1.0, 2.0]),
        ("immediate", "arrival_first", [0.0, 1.0, 1.0, 1.0, None]),
        ("clock", "departure_first", [1.0, 2.0, 2.0, 2.0, None]),
        ("clock", "arrival_first", [0.0, 1.0, 1.0, 1.0, None]),
    ],
)
def test_each_order_at_one_instant_means_something_for_each_start(start, tie, waits):
    assert waits == simulate(LeakyBucket(2, 1, start, tie), [5, 5, 6, 7, 7]).wait_s


@pytest.mark.parametrize("empty", [TokenBucket(3, 1, "empty"), Gcra(1, 2, "empty")], ids=repr)
def test_a_bucket_that_starts_empty_admits_no_burst_at_the_start(empty):
    assert [False, True, False, True, True, True] == admitted(empty, [0, 1, 1, 9, 9, 9])


def test_windows_on_the_clock_can_begin_later_than_on_its_multiples():
    at = [0.2, 0.4, 0.5, 0.9, 1.3, 1.5]

    assert [True, False, True, False, False, True] == admitted(FixedWindow(1, 1, phase_s=0.5), at)
    assert [True, False, False, False, True, False] == admitted(FixedWindow(1, 1), at)


def test_ten_per_minute_is_a_little_less_in_nginx_which_keeps_thousandths_per_second():
    at_ms = [6000 * k for k in range(20)]
    at = [ms / 1000 for ms in at_ms]

    refused = nginx_limit_req(0, 10 * 1000 // 60, at_ms)

    assert refused == admitted(TokenBucket(1, "0.166/s"), at)
    assert False in refused
    assert [True] * 20 == admitted(TokenBucket(1, "10/min"), at)
