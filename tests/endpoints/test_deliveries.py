"""Events through a receiver's limit: predicted, and sent to a real server."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from itertools import pairwise

import pytest

from hook_widgets.endpoints import (
    LimitedServer,
    Sender,
    VirtualClock,
    paced_send,
    simulate_deliveries,
    smallest_burst,
)
from hook_widgets.errors import DestinationBlocked, InvalidArgument, InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.webhooks import Secret, provider, providers
from tests.support.extent import in_turn
from tests.support.work import at_most_lines

SECRET = Secret("not-a-real-secret-0123456789abcdef")
LIMITERS = [
    TokenBucket(5, "4/s"),
    Gcra("0.3 s", "0.9 s"),
    FixedWindow(3, "0.7 s"),
    SlidingLog(3, "0.7 s"),
    SlidingCounter(3, "0.7 s"),
    Layers(TokenBucket(5, "4/s"), FixedWindow(20, "10 s")),
]


def signed(url):
    """Sign event after event for a receiver."""
    return lambda event, number: provider("generic").draft(url=f"{url}{event}/{number}").sign(SECRET)


def spread(seed: int, span_s: float, count: int) -> list[float]:
    """Return random times."""
    rng = random.Random(seed)
    return sorted(rng.uniform(0, span_s) for _ in range(count))


def statuses(deliveries):
    return [(attempt.event, attempt.number, attempt.status) for attempt in deliveries.attempts]


def test_svixs_schedule_delivers_a_full_bucket_with_each_retry():
    # 100 tokens at first, and again after each pause: eight attempts deliver 800 of 1,000.
    outcome = simulate_deliveries(TokenBucket(100, "50/s"), [0] * 1_000, Sender.of("svix"))

    assert (200, 900) == (len(outcome.lost), len(outcome.retried))
    assert [1_000, 900, 800, 700, 600, 500, 400, 300] == [
        sum(attempt.number == n for attempt in outcome.attempts) for n in range(8)
    ]
    assert outcome.summary == "1,000 events: 100 delivered at once, 700 after retries, 200 lost."


@pytest.mark.parametrize("limiter", LIMITERS, ids=repr)
def test_without_retries_the_delivered_events_are_those_that_simulate_admits(limiter: Limiter):
    times = spread(1, 20, 150)
    outcome = simulate_deliveries(limiter, times, Sender())

    assert simulate(limiter, times).admitted == [at_s is not None for at_s in outcome.delivered_s]


def test_a_response_after_the_time_limit_is_a_failure_and_its_retry_a_duplicate():
    # One leaves at once and one each second: the last of five waits 4 s, and the sender waits for 2 s.
    outcome = simulate_deliveries(
        LeakyBucket(10, "1/s", "immediate"), [0] * 5, Sender(["1 min"], timeout_s=2), service_s="0.5 s"
    )

    late = [attempt for attempt in outcome.attempts if attempt.status is None]
    assert (2, 3, 4) == tuple(attempt.event for attempt in late[:3])
    assert {Fraction(2)} == {attempt.ended_s - attempt.at_s for attempt in late}
    assert (2, 3, 4) == outcome.duplicates
    assert "3 handled more than once" in outcome.summary


def test_a_sender_in_order_lets_nothing_overtake():
    times = spread(2, 60, 200)
    outcome = simulate_deliveries(TokenBucket(3, "2/s"), times, Sender([5] * 20, in_order=True))

    events = [attempt.event for attempt in outcome.attempts]
    assert outcome.lost == ()
    assert events == sorted(events)
    assert simulate_deliveries(TokenBucket(3, "2/s"), times, Sender([5] * 20)).lost == ()


def test_the_endpoint_is_disabled_by_each_rule():
    never = FixedWindow(1, "1 week")

    def at(sender: Sender) -> Fraction | None:
        return simulate_deliveries(never, [0, 1, 2, 3, 100], sender).disabled_at_s

    assert at(Sender([10, 10])) is None
    assert at(Sender([10, 10], disabled_after=3)) == 3
    assert at(Sender([10, 10], disabled_after_lost=2)) == 22  # the second event: 2 s, and two pauses
    assert at(Sender([10, 10, 30], disabled_after_s="20 s")) == 21  # it fails since second 1
    assert simulate_deliveries(never, [0, 1, 2, 3, 100], Sender(disabled_after=3)).lost == (1, 2, 3, 4)


def test_a_final_status_ends_the_retries_of_an_event():
    outcome = simulate_deliveries(
        FixedWindow(1, "1 s"), [0, 0], Sender([5], final_statuses=[406]), status=406
    )

    assert ([(0, 0, 200), (1, 0, 406)], (1,)) == (statuses(outcome), outcome.lost)


@pytest.mark.parametrize(
    ("name", "limiter"),
    in_turn(["zoom", "slack", "adyen", "shopify", "mailgun"], [(limiter,) for limiter in LIMITERS], each=1),
)
def test_a_real_server_decides_each_attempt_as_predicted(name: str, limiter: Limiter):
    times = spread(3, 5, 30)
    sender, clock = Sender.of(name), VirtualClock()
    predicted = simulate_deliveries(limiter, times, sender)
    with LimitedServer(limiter, clock=clock) as server:
        sent = paced_send(signed(server.url), times, sender, clock=clock)

    assert predicted.attempts == sent.attempts
    assert (predicted.delivered_s, predicted.disabled_at_s) == (sent.delivered_s, sent.disabled_at_s)
    assert [attempt.at_s for attempt in sent.attempts] == [request.at_s for request in server.requests]


def test_on_the_real_clock_each_decision_is_that_of_the_limiter_at_its_time():
    limiter = TokenBucket(4, "10/s")
    sender = Sender(["0.2 s", "0.3 s"], timeout_s=10)
    with LimitedServer(limiter, status=503) as server:
        sent = paced_send(signed(server.url), [0] * 8 + [0.25] * 4, sender)

    running = limiter.begin()
    assert [bool(running.decide(request.at_s)) for request in server.requests] == [
        request.status == 200 for request in server.requests
    ]
    assert len(server.requests) == len(sent.attempts)
    assert sum(request.status == 200 for request in server.requests) == 12 - len(sent.lost)
    assert {attempt.status for attempt in sent.attempts} == {200, 503}
    by_event = {event: [a for a in sent.attempts if a.event == event] for event in range(12)}
    for attempts in by_event.values():
        for earlier, later in pairwise(attempts):
            assert later.at_s >= earlier.ended_s + sender.delays_s[earlier.number]


def test_sending_begins_when_all_times_are_read():
    clock = VirtualClock()

    def times():
        clock.advance(5)
        yield from (0, 1)

    with LimitedServer(TokenBucket(10, "1/s"), clock=clock) as server:
        sent = paced_send(signed(server.url), times(), Sender(), clock=clock)

    assert [0, 1] == [attempt.at_s for attempt in sent.attempts]


def test_a_slow_response_holds_up_no_other_attempt():
    with LimitedServer(LeakyBucket(10, "5/s")) as server:  # the fifth response comes after 0.8 s
        sent = paced_send(signed(server.url), [0] * 5 + [0.1], Sender(timeout_s=10))

    assert sent.lost == ()
    assert sent.attempts[-1].at_s < sent.attempts[4].ended_s


def test_an_answer_after_the_time_limit_is_no_delivery():
    with LimitedServer(LeakyBucket(10, "1/s", "immediate")) as server:
        sent = paced_send(signed(server.url), [0, 0], Sender(timeout_s="0.3 s"))

    assert ([200, None], 1) == (sorted((a.status for a in sent.attempts), key=str), len(sent.lost))


def test_traffic_goes_to_no_other_machine_unless_it_is_named():
    with pytest.raises(DestinationBlocked, match="allow_hosts"):
        paced_send(signed("https://example.com/"), [0, 0], Sender(), clock=VirtualClock())
    with pytest.raises(DestinationBlocked, match="allow_hosts"):
        paced_send(signed("https://example.com/"), [0, 0], Sender())


@pytest.mark.parametrize(
    ("limiter", "smallest"),
    [
        (TokenBucket(2, "1/s"), TokenBucket(12, "1/s")),
        (Gcra("1 s", "0 s"), Gcra("1 s", "11 s")),
        (LeakyBucket(0, "1/s", "immediate"), LeakyBucket(11, "1/s", "immediate")),
        (FixedWindow(2, "1 s"), FixedWindow(12, "1 s")),
        (SlidingLog(2, "1 s"), SlidingLog(12, "1 s")),
        (SlidingCounter(2, "1 s"), SlidingCounter(12, "1 s")),
        (Concurrency(1), Concurrency(12)),
    ],
    ids=repr,
)
def test_the_smallest_burst_of_a_dozen_at_once_is_a_dozen(limiter: Limiter, smallest: Limiter):
    times, sender = [0] * 12 + [60], Sender(["1 min"])
    limit = smallest_burst(limiter, times, sender, service_s="1 ms")

    assert limit == smallest
    assert simulate_deliveries(limiter, times, sender, service_s="1 ms").retried
    assert not simulate_deliveries(smallest, times, sender, service_s="1 ms").retried


def test_no_burst_is_enough_for_a_queue_that_is_slower_than_the_time_limit():
    assert smallest_burst(LeakyBucket(1, "1/s"), [0] * 12, Sender(timeout_s=5)) is None


def test_a_bucket_that_starts_empty_stays_one():
    assert smallest_burst(TokenBucket(2, "1/s", "empty"), [0, 60], Sender()) is None
    assert smallest_burst(TokenBucket(2, "1/s", "empty"), [60] * 5, Sender()) == TokenBucket(
        5, "1/s", "empty"
    )


def test_nothing_more_is_sent_after_an_error():
    asked = []

    def sign(event, number):
        asked.append(event)
        if event:
            time.sleep(0.05)
        raise RuntimeError("no key")

    with pytest.raises(RuntimeError, match="no key"):
        paced_send(sign, [0] * 2_000, Sender())
    assert len(asked) < 2_000


def test_the_summary_of_one_event_is_in_the_singular():
    assert simulate_deliveries(TokenBucket(1, 1), [0], Sender()).summary.startswith("1 event: 1 delivered")


def test_a_limit_without_one_burst_is_not_sized():
    with pytest.raises(InvalidLimit, match="give a single limit"):
        smallest_burst(Layers(TokenBucket(2, "1/s")), [0], Sender())


def test_the_sender_is_one_client():
    limit = PerClient("ip", FixedWindow(2, "1 min"))

    assert len(simulate_deliveries(limit, [0] * 3, Sender(), client={"ip": "192.0.2.1"}).lost) == 1
    with pytest.raises(InvalidArrivals, match="ip"):
        simulate_deliveries(limit, [0] * 3, Sender())


def test_every_published_schedule_is_a_sender_or_says_what_is_missing():
    published = {each.id: each.retries for each in providers() if each.retries.sources}
    without = {name for name, rules in published.items() if not rules.delays_s and rules.retries != 0}
    only_times = {name for name in without if published[name].period_s and not published[name].retries}
    no_times = {name for name in without if not published[name].period_s}

    assert {"stripe", "viber"} < only_times
    assert {"anthropic", "okta"} < no_times
    for name in sorted(published.keys() - only_times - no_times):
        assert Sender.of(name).timeout_s != 0
    for name in sorted(no_times):
        with pytest.raises(InvalidArgument, match="does not publish its pauses; give a Sender with delays_s"):
            Sender.of(name)
    for name in sorted(only_times):
        published_only = r"only that it retries for \d+ (d|h|min)( \d+ h)?; give retries="
        with pytest.raises(InvalidArgument, match=published_only):
            Sender.of(name)
        assert len(Sender.of(name, retries=3).delays_s) == 3
    assert Sender.of("github").delays_s == ()
    assert sum(Sender.of("shopify").delays_s) == 4 * 3600
    assert [28_800, 28_800] == [*Sender.of("adyen").delays_s[-2:]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sender(["soon"]), "delays_s"),
        (lambda: Sender([-1]), "delays_s"),
        (lambda: Sender([1] * 1_001), "at most 1,000"),
        (lambda: Sender(timeout_s=0), "timeout_s"),
        (lambda: Sender(accepted_statuses=[20]), "accepted_statuses has 20"),
        (lambda: Sender(disabled_after=0), "disabled_after is 0"),
        (lambda: Sender(disabled_after_lost=True), "disabled_after_lost is True"),
        (lambda: simulate_deliveries(TokenBucket(1, 1), [], Sender()), "no event"),
        (lambda: simulate_deliveries(TokenBucket(1, 1), [0], Sender(), status=204), "status is 204"),
        (lambda: simulate_deliveries(TokenBucket(1, 1), [0], Sender(), service_s=-1), "service_s"),
        (lambda: simulate_deliveries(TokenBucket(1, 1), [1, 0], Sender()), "sort the times"),
    ],
)
def test_a_wrong_argument_is_an_error_that_names_it(make, message):
    with pytest.raises(InvalidArrivals, match=message):
        make()


@pytest.mark.parametrize(
    ("name", "retries", "message"),
    [
        ("zoom", 3, "publishes its retries"),
        ("stripe", 0, "retries is 0"),
        ("stripe", 10**9, "retries is 1000000000"),
        ("crisp", None, "no retry schedule of Crisp is known"),
    ],
)
def test_a_sender_of_the_catalogue_says_what_it_lacks(name, retries, message):
    with pytest.raises(InvalidArgument, match=message):
        Sender.of(name, retries=retries)


def test_more_than_a_million_attempts_are_rejected(monkeypatch):
    monkeypatch.setattr("hook_widgets.endpoints.deliveries.MOST_ATTEMPTS", 1_000)
    with at_most_lines(1_000 * 1_000), pytest.raises(InvalidArrivals, match="more than 1,000 attempts"):
        simulate_deliveries(FixedWindow(1, "1 week"), [0] * 10, Sender([0] * 1_000))
