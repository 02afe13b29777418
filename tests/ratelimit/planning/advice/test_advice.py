"""The advice: what a person would say, and only when it is so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hook_widgets.ratelimit.planning.advice.claims import AdviceRole
from hook_widgets.ratelimit.planning.plan import plan


def advice(limit: Any = "1000/hour", **arguments: Any) -> str:
    return str(plan(limit, **arguments))


@pytest.mark.parametrize(
    ("cushion", "expected"),
    [
        (0, "Send at most 1,000/h, the whole of the limit of 1,000 per hour."),
        (0.05, "A cushion of 5% is below the usual 10 to 20%"),
        (
            "30%",
            "is above the usual 10 to 20%: it leaves 100 more requests per hour unused than 20% would.",
        ),
    ],
)
def test_an_unusual_cushion_is_said(cushion: Any, expected: str) -> None:
    assert expected in advice(cushion=cushion)


@pytest.mark.parametrize("cushion", [0.1, 0.15, "20%"])
def test_a_usual_cushion_is_not(cushion: Any) -> None:
    assert "A cushion" not in advice(cushion=cushion)


@pytest.mark.parametrize(
    ("steady", "expected"),
    [
        ("700/hour", "Steady traffic of 700/h uses 70% of the limit of 1,000 per hour; it fits.\n"),
        ("900/hour", "uses 90% of the limit of 1,000 per hour, but 850/h is the safe rate: a queue would"),
        ("900/hour", "90% is above the 85% at which to raise an alert"),
        (
            "1250/hour",
            "1,000 per hour: in the long run at least 20% of it gets 429 if sent as it comes.",
        ),
        ("1250/hour", "Slow down to 850/h or ask for a limit of 1,471/h."),
    ],
)
def test_the_traffic_is_held_against_the_limit_first(steady: str, expected: str) -> None:
    assert expected in advice(steady=steady)
    assert advice(steady=steady).startswith("Steady traffic")


def test_traffic_between_the_safe_rate_and_the_alert_needs_another_cushion() -> None:
    said = advice(steady="820/hour", cushion=0.2)

    assert "but 800/h is the safe rate: a queue would only grow." in said
    assert "Use a smaller cushion, slow down, or ask for a higher limit." in said


def test_retries_against_a_limit_that_is_too_low_are_counted() -> None:
    # the published table: 3 retries at twice the limit make 6.29 times the limit
    assert "With up to 3 retries each, 6.29 times the limit arrives" in advice(steady="2000/hour", retries=3)
    assert "retries each" not in advice(steady="500/hour", retries=3)


def test_the_binding_limit_of_several_is_named_and_the_one_that_binds_in_a_burst() -> None:
    said = advice({"per second": "20/s", "hourly": "10000/hour"})

    assert "15% below the limit 'hourly' of 10,000 per hour." in said
    assert "The limit 'hourly' binds in the long run; 'per second' would allow 72,000/h." in said
    assert "In a burst 'per second' binds first: 20 requests per second." in said


def test_equal_clients_get_one_sentence_and_many_weighted_ones_are_cut() -> None:
    each = "The budget of each of the 12 clients is"
    assert f"{each} 70.8/h, one call every 50.9 s." in advice(clients=12)
    # not 1 request per second: a budget is a rate, not the whole requests of a window
    assert f"{each} 1.77/s, one call every 565 ms." in advice("25/s", clients=12)
    assert f"{each} 0.354/s, one call every 2.83 s." in advice("5/s", clients=12)
    assert "The budgets of the other 17 clients are in the table." in advice(weights=[1] * 20)


def test_workers_that_each_believe_the_limit_is_theirs_are_warned_of() -> None:
    assert "if each sends at 850/h, they send 10,200/h together and at least 90.1% is rejected." in advice(
        clients=12
    )
    assert "Share one throttle" not in advice(clients=1)
    assert "Throttle calls at 850/h, one call every 4.24 s, capacity 1" in advice(clients=1)


def test_traffic_is_named_as_it_was_given_and_not_rounded_down() -> None:
    """1/hour is 0.01666.../min; only what a client may send is rounded down."""
    assert "Steady traffic of 0.0167/min uses 0.167% of" in advice("10/min", steady="1/hour")
    assert "The budget of each of the 6 clients is 0.283/min" in advice("2/min", clients=6)


def test_the_rate_to_plan_for_is_said_once() -> None:
    said = advice("60/min", in_flight=2, latency_s=3, steady="30/min")

    assert "Plan for 40/min: the API's limit of 2 requests in flight" in said
    assert 1 == said.count("Plan for ")


def test_unthrottled_clients_send_what_their_concurrency_allows() -> None:
    """Three clients with 10 calls of 2 s in flight: at most 900 a minute."""
    few = plan("1000/min", clients=3, latency_s=2, concurrency=10)
    many = plan("1000/min", clients=3, latency_s=2, concurrency=20)

    assert (15, 0) == (few["uncoordinated_rate"].value, few["uncoordinated_rejected"].value)
    assert "Share one throttle" not in str(few)
    assert "if all have all their calls in flight, they send 1,800/min together" in str(many)


def test_steady_traffic_is_planned_as_the_clients_can_send_it() -> None:
    """20/s of each of three clients with 10 calls of 2 s in flight: 5/s of each is sent."""
    few = plan("1000/min", clients=3, latency_s=2, concurrency=10, steady="60/s")
    many = plan("1000/min", clients=3, latency_s=2, concurrency=20, steady="60/s", retries=3)

    assert str(few).startswith(
        "Steady traffic of 3,600/min is more than concurrency allows: at most 900/min is sent, which "
        "uses 90% of the limit of 1,000 per minute, but 850/min is the safe rate"
    )
    assert "429" not in str(few)
    assert Fraction(9, 5) == many["utilisation"].value == many["retry_factor"].value
    assert "at least 44.4% of it gets 429" in str(many)


def test_retries_do_not_exceed_the_calls_in_flight() -> None:
    """1.5 times the limit with 5 retries is 6 times without a bound; 60 calls of 2 s are 1.8 times."""
    shared: dict[str, Any] = {"steady": "1500/min", "retries": 5, "clients": 3, "latency_s": 2}

    assert Fraction(9, 5) == plan("1000/min", concurrency=20, **shared)["retry_factor"].value
    assert 5 < plan("1000/min", concurrency=500, **shared)["retry_factor"].value < 9


def test_clients_with_weights_send_less_as_soon_as_the_largest_has_all_its_calls_in_flight() -> None:
    """Of 17/s the largest would send 10.2/s, but can send 5/s; the others send 3.4/s each."""
    planned = plan("1000/min", weights="a 3, b 1, c 1", latency_s=2, concurrency=10, steady="17/s")

    assert planned["utilisation"].value == pytest.approx((5 + 3.4 + 3.4) * 60 / 1000)


@pytest.mark.parametrize(
    "arguments",
    [
        {"steady": "600/min", "burst": 200, "clients": 3, "latency_s": 2, "concurrency": 10, "timeout_s": 30},
        {
            "steady": "2000/min",
            "burst": 500,
            "weights": [1] * 20,
            "retries": 3,
            "timeout_s": 1,
            "cushion": 0.5,
        },
    ],
)
def test_a_plan_has_at_most_eight_sentences(arguments: dict[str, Any]) -> None:
    assert len(plan("1000/min", **arguments).advice) <= 8


def test_at_most_is_rounded_down() -> None:
    assert "Send at most 21.8/min" in str(plan("3/7 s", cushion=0.15))  # 21.857


def test_what_clients_lose_when_each_has_its_part_of_the_throttle_is_said() -> None:
    said = advice("100/s", clients=1000, steady="50/s")

    assert "the smallest part admits 1 request at once and rejects 37% of that client's traffic" in said
    assert (
        "if the calls of all 1,000 clients coincide, more arrive at once than the API always admits" in said
    )


def test_the_alert_expects_what_the_advice_gives_to_each_client() -> None:
    rejections, _ = plan("100/s", clients=1000, steady="50/s").alerts

    assert (True, 0.37) == (rejections.goes_off, round(float(rejections.expected or 0), 2))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"burst": 200, "steady": "700/hour"},
            "of a throttle, a burst of 200 at once leaves 200 requests waiting; draining takes 1 h 20 min.",
        ),
        (
            {"burst": 200, "steady": "700/hour"},
            "a throttle of capacity 150 without a queue rejects 50 of 200",
        ),
        (
            {"burst": 200, "steady": "700/hour"},
            "Queue or spread the burst, or ask for a higher limit: a throttle",
        ),
        (
            {"burst": 100},
            "A burst of 100 at once passes a full throttle of capacity 100 without a queue.",
        ),
        (
            {"burst": 100, "capacity": 120},
            "A burst of 100 at once passes a full throttle of capacity 120 without a queue.",
        ),
        (
            {"burst": 2, "burst_window_s": 60},
            "A burst of 2 within 1 min goes through at the usable rate without waiting.",
        ),
        ({"burst": 5, "steady": "900/hour"}, "waiting, which never drains"),
        (
            {"burst": 30, "timeout_s": 30},
            "Of the burst of 30 that queue, without a throttle before it, rejects 22.",
        ),
        (  # 240 come in 2 s; a bucket of one token admits every second of them
            {
                "limit": "100/s",
                "cushion": 0,
                "steady": "95/s",
                "burst": 50,
                "burst_window_s": 2,
                "capacity": 1,
            },
            "rejects 120 of the 240 requests during the burst (steady traffic included), as long as",
        ),
        (
            {"limit": "60/min", "steady": "50/min", "burst": 20, "burst_window_s": 30, "capacity": 1},
            "rejects 22 of the 45 requests during the burst (steady traffic included) without a queue.",
        ),
    ],
)
def test_a_burst_is_followed_to_its_end(arguments: dict[str, Any], expected: str) -> None:
    assert expected in advice(**arguments)


def test_a_burst_is_not_to_be_queued_where_no_request_may_wait() -> None:
    said = advice(burst=200, timeout_s=3)

    assert "Spread the burst, or ask for a higher limit: a throttle of capacity 150" in said
    assert "Reject at once instead of queueing" in said
    assert "Spread the burst" in advice(burst=200, timeout_s=3, latency_s=4), "no response in time"
    assert "Queue or spread the burst" in advice(burst=200, timeout_s=30)


def test_steady_traffic_that_fits_is_not_advised_to_slow_down() -> None:
    passing, rejected = (advice(steady="850/hour", burst=burst) for burst in (2, 200))

    assert "it fits, and the burst of 2 at once passes." in passing
    assert "Slow down" not in passing + rejected
    # Nothing is left for the requests of a queue.
    assert "Shrink the burst, or ask for a higher limit: a throttle of capacity" in rejected
    for said in (passing, rejected):
        assert "waiting, which never drains: steady traffic leaves no room." in said


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"timeout_s": 30}, "Let at most 7 requests wait: the last of them then goes within 29.7 s"),
        (
            {"timeout_s": 3},
            "Reject at once instead of queueing, or give clients a longer timeout: within 3 s",
        ),
        (
            {"timeout_s": 30, "steady": "700/hour"},
            "the mean wait is 7.79 s and the full queue rejects 1.18%.",
        ),
        (
            {"timeout_s": 0.1, "latency_s": 0.25},
            "the latency of 250 ms is longer than 100 ms, so no client gets a response",
        ),
        ({"timeout_s": 30, "steady": "2000/hour"}, "At this load a longer queue only adds waiting."),
    ],
)
def test_a_queue_is_as_long_as_the_client_is_patient(arguments: dict[str, Any], expected: str) -> None:
    assert expected in advice(**arguments)


def test_a_short_queue_that_is_hardly_overloaded_is_not_called_long_enough():
    """Simulated: 7 places reject 9.2%, 14 places 6.7%, and no queue less than 5.6%."""
    assert "longer queue only adds waiting" not in advice(timeout_s=30, steady="900/hour")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "At 250 ms a call, 22 calls in flight are enough for the safe rate (Little's law)."),
        (
            {"concurrency": 4},
            "Allow 22 calls in flight: concurrency binds before the limit, and 4 calls in flight",
        ),
        ({"concurrency": 1}, "1 call in flight at 250 ms allows 4/s."),
        (
            {"concurrency": 40},
            "The limit binds, not concurrency: at 250 ms a call, 22 calls in flight would do",
        ),
        ({"clients": 11}, "2 calls in flight per client are enough"),
    ],
)
def test_what_binds_is_named_when_calls_take_time(arguments: dict[str, Any], expected: str) -> None:
    assert expected in advice("100/s", latency_s=0.25, **arguments)


@pytest.mark.parametrize(
    ("limit", "arguments", "expected"),
    [
        ("100/s", {}, "Throttle calls at 85/s, one call every 11.8 ms, capacity 1: the API then"),
        ("100/s", {"capacity": 1000}, "can exceed the 100 that the API admits at once: use at most 15."),
        (
            "100/s",
            {"capacity": 50},
            "can exceed the limit of 100 per second (135 requests in any second): use at most 15.",
        ),
        (
            "1000/hour",
            {"capacity": 60, "burst_allowance": 50},
            "can exceed the 50 that the API admits at once: use at most 50.",
        ),
        (
            "60/min per user",
            {"capacity": 100, "users": 2},
            "is not sure to keep the limit of 60 per minute per user (202 requests in any minute): use at",
        ),
        ("100/s", {}, "Guideline for an API's own bucket: at least 1,000, ten times its limit per second."),
        ("100/s", {"capacity": 15}, "at most 100 requests pass in any second, within the limit of 100"),
        (
            "1/min",
            {"cushion": 0.2},
            "at most 1 request passes in any minute, within the limit of 1 per minute.",
        ),
        (
            "190/10 s",
            {"cushion": 0},
            "at most 191 requests pass in any 10 s, more than the limit of 190 in 10 s",
        ),
        (
            "190/10 s",
            {"cushion": 0},
            "enlarge the cushion: at this rate no throttle is sure to keep the limit",
        ),
        (
            "1000/hour",
            {"steady": "700/hour"},
            "capacity 9 without a queue rejects at most 1%, one of 15 at most 0.1%.",
        ),
    ],
)
def test_the_bucket_is_held_against_the_limit(limit: str, arguments: dict[str, Any], expected: str) -> None:
    assert expected in advice(limit, **arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"steady": "500/hour", "burst": 1500},
            "the burst of 1,500 at once does not fit: the API admits 1,000 at once and rejects at least 500.",
        ),
        ({"burst": 1500}, "does not fit: the API admits 1,000 at once and rejects 500."),
        (
            {"steady": "500/hour", "burst": 200},
            "200 at once does not fit the advised throttle: its capacity of 150 rejects 50 without a queue.",
        ),
        ({"steady": "500/hour", "burst": 100}, "it fits, and the burst of 100 at once passes."),
        ({"burst": 100, "burst_window_s": 60}, "per hour, and the burst of 100 within 1 min passes."),
        ({"steady": "500/hour"}, "it fits."),
    ],
)
def test_the_verdict_says_whether_the_burst_fits_too(arguments: dict[str, Any], expected: str) -> None:
    assert plan("1000/hour", **arguments).advice[0].text.endswith(expected)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"burst": 500}, "does not fit: the API works on 20 at a time and rejects 480."),
        (
            {"burst": 500},
            "capacity 9: the API then rejects nothing, whatever its algorithm, as long as no call",
        ),
        (
            {"burst": 500, "clients": 4},
            "In case some take longer, also cap the calls in flight at 20 (5 per client).",
        ),
        ({"capacity": 150}, "(161 calls in flight at a time): use at most 9."),
        ({"burst": 20}, "does not fit the advised throttle: its capacity of 9 rejects 11 without a queue."),
    ],
)
def test_the_concurrency_of_the_api_bounds_throttle_and_burst(
    arguments: dict[str, Any], expected: str
) -> None:
    assert expected in advice("1000/min", in_flight=20, latency_s="800 ms", **arguments)


def test_no_more_calls_in_flight_are_advised_than_the_api_works_on() -> None:
    """85/min would need 5 calls of 3 s; the API works on 2 at a time."""

    def said(**own: Any) -> str:
        return advice("100/min", in_flight=2, latency_s=3, **own)

    assert "At 3 s a call, 2 calls in flight are enough for that rate (Little's law)." in said()
    assert "Allow 2 calls in flight: concurrency binds before the limit" in said(concurrency=1)
    assert "5 calls in flight" not in said() + said(concurrency=1) + said(concurrency=8)
    assert "The limit binds" not in said(concurrency=8)


def test_a_latency_above_the_timeout_comes_first_because_nothing_else_helps() -> None:
    planned = plan("100/min", steady="30/min", clients=3, concurrency=2, latency_s=5, timeout_s=3)
    first = next(each for each in planned.advice if each.role is AdviceRole.ACTION)
    assert first.text.startswith("Give clients a longer timeout: the latency of 5 s is longer than 3 s")


def test_a_higher_limit_is_asked_for_once() -> None:
    above_safe = plan("100/min", steady="90/min", clients=10)
    assert 1 == str(above_safe).count("higher limit")
    within_safe = plan("100/min", steady="88/min", cushion="10%")
    assert "Ask for a higher limit before traffic grows: 88% is above" in str(within_safe)
