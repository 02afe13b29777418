"""Limits for each user, IP address or endpoint: what is read, simulated and said of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import PerClient, PublishedLimit, plan, scenario
from hook_widgets.ratelimit.http.responses import sample_responses
from hook_widgets.ratelimit.planning.advice.claims import ClaimKind
from hook_widgets.ratelimit.planning.levels import burst_rejected, in_turn, split_level, together
from hook_widgets.ratelimit.reporting.report import report

ALGORITHMS = ["token_bucket", "leaky_bucket", "fixed_window", "sliding_log", "sliding_counter"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100/min per user", ("100/min", "user")),
        ("100/min per IP", ("100/min", "ip")),
        ("5 per minute per endpoint", ("5 per minute", "endpoint")),
        ("72k/hour/user", ("72k/hour", "user")),
        ("20 rps per User ", ("20 rps", "user")),
        ("1000/hour", ("1000/hour", "")),
        ("5/user/min", ("5 /min", "user")),
        ("100 requests per API key per minute", ("100 requests per minute", "user")),
        ("100 per minute per IP address", ("100 per minute", "ip")),
        ("100/min per route", ("100/min", "endpoint")),
        ("10 per second per planet", ("10 per second per planet", "")),
        ("10 per min", ("10 per min", "")),
        (" per user", ("", "user")),
    ],
)
def test_the_level_is_a_part_of_the_text_of_a_limit(text: str, expected: tuple[str, str]):
    assert expected == split_level(text)


@pytest.mark.parametrize("text", ["lots per user", " per user", "0/min per ip"])
def test_a_limit_without_a_rate_is_rejected(text: str):
    with pytest.raises(InvalidLimit):
        PublishedLimit.of("", text)


@given(
    st.integers(1, 300),
    st.integers(2, 9).flatmap(
        lambda keys: st.tuples(st.just(keys), st.fractions(Fraction(1, keys), 1, max_denominator=30))
    ),
    st.integers(0, 40),
    st.integers(1, 60),
)
def test_in_any_run_of_requests_no_key_has_more_than_the_share_of_the_busiest(
    count: int, spread: tuple[int, Fraction], begin: int, length: int
):
    keys, share = spread
    if share == 1:
        keys = 1
    run = list(in_turn(count, keys, share))[begin : begin + length]

    for key in range(keys):
        assert run.count(key) <= -(-len(run) * share // 1)
    assert all(0 <= key < keys for key in run)


@pytest.mark.parametrize(
    ("limit", "users", "usable"), [("100/min per user", 12, 1020), ("90/min per user", 4, 306)]
)
def test_the_usable_rate_is_that_of_all_users_together(limit: str, users: int, usable: int):
    assert Fraction(usable, 60) == plan(limit, users=users).inputs.usable_rate


def test_the_lowest_of_all_levels_binds():
    planned = plan(["1000/min", "100/min per user", "10/min per ip"], users=5, ips=40, cushion=0)

    assert "per IP" == planned.binding.name
    assert Fraction(400, 60) == planned["safe_rate"].value


def test_the_busiest_user_bounds_the_rate_of_all():
    assert (
        Fraction(200, 60)
        == plan("100/min per user", users=10, busiest_share="50%", cushion=0)["safe_rate"].value
    )


def test_users_and_ips_are_as_many_as_clients_and_the_busiest_client_is_the_busiest_user():
    planned = plan(["100/min per user", "50/s per ip", "9/s per endpoint"], weights={"web": 3, "batch": 1})

    assert [(2, Fraction(3, 4)), (2, Fraction(3, 4)), (1, 1)] == [
        (each.keys, each.share) for each in planned.inputs.limits
    ]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_user_has_a_limiter_of_its_own_in_the_simulation(algorithm: str):
    planned = scenario("60/min per user", algorithm=algorithm, users=5, burst=310, duration_s=10, cushion=0)

    assert isinstance(planned.limiter(), PerClient)
    assert set("12345") == set(planned.keys_of_requests["user"])
    # 5 users have 62 requests each, of which 60 pass.
    assert (310, 10) == (planned.summary.offered, planned.summary.rejected)


def test_advice_and_simulation_agree_on_the_burst_of_each_user():
    planned = scenario("60/min per user", users=5, burst=310, duration_s=10)

    assert 10 == planned.plan["burst_rejected_of_each"].value
    assert "at once for each user and rejects 10." in str(planned.plan)


def test_an_even_burst_over_time_is_counted_as_the_simulation_counts_it():
    for share in (Fraction(1, 4), Fraction(2, 5), Fraction(1)):
        keys = 1 if share == 1 else 4
        rejected = burst_rejected(500, Fraction(1, 100), Fraction(7), 20, keys, share)
        by_formula = burst_rejected(30_000, Fraction(1, 100), Fraction(7), 20, keys, share)

        planned = scenario(
            "420/min per user", users=keys, busiest_share=share, burst=500, burst_window_s=5,
            burst_allowance=20, duration_s=5, burst_every_s=10,
        )  # fmt: skip
        assert planned.plan["burst_rejected_of_each"].value == rejected
        assert by_formula > 0


def test_what_all_may_send_at_once_is_what_no_user_is_rejected_of():
    assert 37 == together(10, Fraction(1, 4))
    planned = scenario("10/min per user", users=4, burst=37, duration_s=10, cushion=0)
    assert 0 == planned.summary.rejected


def test_names_of_policies_and_sample_responses_say_the_level():
    planned = scenario(
        {"hourly": "1000/hour", "fair": "10/min per user"}, users=2, burst=60, duration_s="1 min"
    )
    headers = [dict(sample.headers) for sample in sample_responses(planned.run)]

    assert '"hourly";q=1000;w=3600, "fair per user";q=10;w=60' == headers[0]["RateLimit-Policy"]
    assert '"fair per user";q=10;w=60' == headers[1]["RateLimit-Policy"]


def test_limits_in_a_list_have_the_names_of_their_levels():
    names = [
        each.name for each in plan(["1000/min", "9/s per user", "2/s per ip", "60/min per ip"]).inputs.limits
    ]

    assert ["limit 1", "per user", "limit 3", "limit 4"] == names


def test_the_comparison_counts_the_worst_window_of_one_user():
    planned = scenario("60/min per user", users=5, burst=310, duration_s=10)
    table = report(planned).comparison

    assert "that of one user" in table.caption
    fixed = next(row for row in table.rows if row[0] == "Fixed window")
    assert ("60", "120") == fixed[4:6]


def test_a_share_below_an_even_part_is_rejected():
    with pytest.raises(InvalidLimit, match="less than an even part of 3") as caught:
        plan("100/min per user", users=3, busiest_share="20%")

    assert "busiest_share" == caught.value.field


def test_a_limit_knows_its_level():
    limit = PublishedLimit.of("", "100/min per endpoint")

    assert ("endpoint", " per endpoint") == (limit.per, limit.level)
    assert (1, Fraction(1)) == (limit.keys, limit.share)


def test_nothing_is_said_of_clients_that_use_the_full_limit_of_a_user():
    planned = plan("100/min per user", clients=12, steady="700/min")

    assert "uncoordinated_rate" not in planned.metrics
    assert "Share one throttle" not in str(planned)


def test_what_cannot_be_planned_at_a_level_is_said():
    planned = plan("100/min per user", clients=12, users=3, busiest_share=0.5, steady="700/min", retries=2)

    assert "What retries add is not planned per user" in str(planned)
    assert "What the 12 clients lose without a common throttle is not planned for a limit per user" in str(
        planned
    )
    assert "retry_factor" not in planned.metrics
    assert "retry_factor" in plan("100/min per user", users=3, steady="700/min", retries=2).metrics


def test_a_burst_that_is_too_large_to_count_is_about_right_and_no_claim():
    planned = plan("100/min per user", users=3, busiest_share=0.5, burst=50_000, burst_window_s=10)

    assert "at once for each user and rejects about 49,652" in str(planned)
    assert not any(
        claim.kind is ClaimKind.LEVEL_BURST_REJECTED for each in planned.advice for claim in each.claims
    )


def test_a_burst_is_counted_for_any_number_of_keys():
    """The busiest sends 20 of the 40, of which one passes within 40 s; each of the others sends one."""
    few, many = (
        burst_rejected(40, Fraction(1), Fraction(1, 60), 1, keys, Fraction(1, 2)) for keys in (100, 10**12)
    )

    assert few == many == 19
