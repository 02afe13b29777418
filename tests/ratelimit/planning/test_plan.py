"""A plan: every figure follows from its own formula, and moves the way it should."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.presets import preset
from hook_widgets.ratelimit.planning import levels, queueing, worst_case
from hook_widgets.ratelimit.planning.metrics import Metric
from hook_widgets.ratelimit.planning.plan import Plan, plan
from hook_widgets.ratelimit.planning.sizing import FORMULAS
from tests.support.work import grows_linearly

EVERYTHING: dict[str, Any] = {
    "limit": "1000/hour",
    "clients": 12,
    "steady": "700/hour",
    "burst": 200,
    "burst_window_s": 10,
    "latency_s": "250 ms",
    "concurrency": 4,
    "timeout_s": 30,
    "retries": 3,
    "in_flight": 40,
}
# The same at a limit that is kept for each user.
OF_EACH = EVERYTHING | {"limit": "1000/hour per user", "users": 3, "busiest_share": 0.6}
# What a formula may use, beside the numbers put in.
TOOLS = {
    "ceil": math.ceil, "floor": math.floor, "inf": math.inf, "max": max, "min": min,
    "md1_wait_s": queueing.md1_wait_s, "md1c_loss": queueing.md1c_loss, "mm1_wait_s": queueing.mm1_wait_s,
    "md1c_wait_s": queueing.md1c_wait_s,
    "on_off_capacity": worst_case.on_off_capacity, "on_off_rejected": worst_case.on_off_rejected,
    "retry_amplification": worst_case.retry_amplification,
    "smallest_capacity": queueing.smallest_capacity,
    "burst_rejected": levels.burst_rejected, "together": levels.together,
    "rejected_in_flight": lambda requests, cycle, places: sum(k % cycle >= places for k in range(requests)),
}  # fmt: skip

# What more room makes smaller.
FEWER = [
    "utilisation", "delay_s", "burst_backlog", "burst_recover_s", "burst_wait_s", "burst_capacity",
    "wait_md1_s", "retry_factor", "capacity_1pct", "capacity_01pct",
]  # fmt: skip

rates = st.fractions(Fraction(1, 100), 1000, max_denominator=100)
spans = st.fractions(Fraction(1, 100), 100, max_denominator=100)
inputs = st.fixed_dictionaries(
    {"limit": rates | st.sampled_from(["1000/hour", "pro", "stripe-live", "hubspot-professional"])},
    optional={
        "clients": st.integers(1, 50),
        "cushion": st.fractions(0, Fraction(9, 10), max_denominator=100),
        "steady": rates,
        "burst": st.integers(1, 1000),
        "burst_window_s": spans | st.just(0),
        "latency_s": spans,
        "timeout_s": spans,
        "retries": st.integers(0, 10),
        "capacity": st.integers(1, 500),
    },
)


def evaluated(figure: Metric) -> Any:
    return eval(figure.formula, {"__builtins__": {}}, TOOLS | dict(figure.inputs))


def value(planned: Plan, name: str) -> Any:
    return planned[name].value


@given(inputs)
def test_every_figure_is_what_its_formula_makes_of_the_numbers_put_in(arguments: dict[str, Any]) -> None:
    planned = plan(**arguments)

    for figure in planned.metrics.values():
        assert figure.value == evaluated(figure), figure.name
        assert all((figure.title, figure.unit, figure.source, figure.text))


def test_with_everything_given_no_figure_is_missing_and_each_input_of_one_is_another() -> None:
    waiting = plan("kubernetes-client", burst=30)
    plans = plan(**EVERYTHING), plan(**OF_EACH), plan("shopify-rest"), waiting

    assert set(FORMULAS) == {name for planned in plans for name in planned.metrics}
    for planned in plans:
        for figure in planned.metrics.values():
            for name, number in figure.inputs.items():
                if name in planned.metrics and name != figure.name:
                    assert number == pytest.approx(float(value(planned, name)))


@pytest.mark.parametrize(
    "more", [{}, {"burst_window_s": 0}, {"burst_allowance": 30}, {"busiest_share": None}]
)
def test_every_figure_of_a_limit_per_user_is_what_its_formula_makes_of_its_inputs(
    more: dict[str, Any],
) -> None:
    planned = plan(**OF_EACH | more)

    assert {"whole_quota", "burst_rejected_of_each", "capacity_window_of_each"} <= set(planned.metrics)
    for figure in planned.metrics.values():
        assert figure.value == evaluated(figure), figure.name


def test_the_plan_of_the_manual_is_right_by_hand() -> None:
    planned = plan(**EVERYTHING)
    expected = {
        "safe_rate": Fraction(850, 3600),
        "utilisation": Fraction(7, 10),
        "per_client_quota": 70,  # 850 / 12 = 70.8
        "delay_s": Fraction(12 * 3600, 850),
        "uncoordinated_rate": Fraction(12 * 850, 3600),
        "uncoordinated_rejected": 1 - Fraction(1000, 12 * 850),
        "burst_backlog": 200 - Fraction(150 * 10, 3600),  # 150 an hour are to spare
        "burst_recover_s": (200 - Fraction(150 * 10, 3600)) * 3600 / 150,
        "queue_size": 7,  # 29.75 s at 850 an hour are 7.02
        "concurrency_needed": 1,
        "concurrency_rate": 192,  # 12 clients x 4 in flight / 0.25 s
        "capacity_guidance": 3,  # 10 x 0.278
        "capacity_window": 150,  # 850 + 150 = 1000
        "capacity_1pct": 9,
        "capacity_in_flight": 40,  # as many as the API works on; the first is refilled after 4.2 s
        "capacity": 40,
        "burst_rejected": 160,  # 0.2 of the 200 are refilled within 10 s times 200 / 10 s; 199.6 are needed
        "max_in_window": 890,
    }

    assert expected == {name: value(planned, name) for name in expected}
    assert 3600 / 850 * (70 / 85) / (2 * (1 - 70 / 85)) == pytest.approx(value(planned, "wait_md1_s"))


def test_what_is_not_given_is_left_out() -> None:
    assert {
        "limit_rate", "safe_rate", "usable_rate", "per_client_rate", "per_client_quota", "delay_s",
        "uncoordinated_rate",
        "uncoordinated_rejected", "capacity_guidance", "capacity_window", "capacity", "max_in_window",
    } == set(plan("100/s").metrics)  # fmt: skip


@given(inputs)
def test_the_budgets_of_all_clients_together_keep_the_safe_rate(arguments: dict[str, Any]) -> None:
    planned = plan(**arguments)
    safe = value(planned, "safe_rate")

    assert safe == sum(share.count * share.rate_per_s for share in planned.budgets)
    assert sum(share.count * share.quota for share in planned.budgets) <= safe * planned.binding.window_s
    assert all(share.delay_s * share.rate_per_s == 1 for share in planned.budgets)


@given(st.lists(st.integers(1, 20), min_size=2, max_size=6))
def test_weights_share_the_safe_rate_in_proportion(weights: list[int]) -> None:
    planned = plan("100/s", weights=weights)

    assert len(weights) == planned.inputs.clients
    assert [Fraction(85 * weight, sum(weights)) for weight in weights] == [
        s.rate_per_s for s in planned.budgets
    ]


def test_the_work_of_a_plan_grows_linearly_with_the_weights() -> None:
    grows_linearly(lambda clients: plan("8/s", weights=[3] * clients, latency_s=1, concurrency=2), 100)


def test_weighted_clients_have_names() -> None:
    assert ["web", "batch"] == [share.name for share in plan("8/s", weights={"web": 3, "batch": 1}).budgets]
    assert ["client 1", "client 2"] == [share.name for share in plan("8/s", weights=[3, 1]).budgets]


@pytest.mark.parametrize(
    "text",
    [
        "web 3, batch 1",
        "web=3, batch=1",
        "web:3,batch:1",
        "web: 3; batch: 1",
        "web 75%, batch 25 %",
        "web 3\nbatch 1",
    ],
)
def test_weights_are_read_as_people_write_them(text: str) -> None:
    budgets = plan("8/s", weights=text).budgets

    assert [("web", Fraction(51, 10)), ("batch", Fraction(17, 10))] == [
        (each.name, each.rate_per_s) for each in budgets
    ]


@given(inputs, st.fractions(1, 3, max_denominator=10))
def test_more_limit_never_makes_anything_worse(arguments: dict[str, Any], factor: Fraction) -> None:
    arguments = {key: value for key, value in arguments.items() if key not in ("limit", "capacity")}
    small, large = plan(Fraction(10), **arguments), plan(10 * factor, **arguments)

    for name in ("safe_rate", "per_client_rate", "queue_size", "capacity_guidance"):
        assert name not in small.metrics or value(small, name) <= value(large, name)
    for name in FEWER:
        assert name not in small.metrics or value(small, name) >= value(large, name)


@given(inputs, st.integers(1, 3))
def test_more_traffic_never_makes_anything_better(arguments: dict[str, Any], factor: int) -> None:
    few = plan(**(arguments | {"steady": Fraction(5), "burst": 20}))
    many = plan(**(arguments | {"steady": 5 * factor, "burst": 20 * factor}))

    for name in ("utilisation", "burst_backlog", "burst_recover_s", "burst_capacity", "retry_factor"):
        assert name not in few.metrics or value(few, name) <= value(many, name)


@given(inputs)
def test_a_wider_cushion_slows_down_and_leaves_room_for_a_larger_bucket(arguments: dict[str, Any]) -> None:
    narrow, wide = (plan(**(arguments | {"cushion": cushion})) for cushion in (0.1, 0.2))

    assert value(wide, "safe_rate") < value(narrow, "safe_rate")
    assert value(wide, "capacity_window") >= value(narrow, "capacity_window")


@given(inputs)
def test_the_largest_safe_bucket_keeps_every_limit_and_one_token_more_breaks_one(
    arguments: dict[str, Any],
) -> None:
    planned = plan(**arguments)
    safe, largest = value(planned, "safe_rate"), value(planned, "capacity_window")

    def within_quota(capacity: int) -> bool:
        return all(
            math.floor(capacity + safe * limit.window_s) <= limit.quota for limit in planned.inputs.limits
        )

    assert within_quota(largest)
    assert not within_quota(largest + 1)


@given(inputs)
def test_whoever_waits_in_the_queue_is_served_before_the_timeout(arguments: dict[str, Any]) -> None:
    planned = plan(**(arguments | {"timeout_s": 20, "latency_s": 5}))
    safe, size = value(planned, "safe_rate"), value(planned, "queue_size")

    assert size / safe + 5 <= 20 < (size + 1) / safe + 5


@given(inputs)
def test_calls_in_flight_carry_the_safe_rate_and_one_less_does_not(arguments: dict[str, Any]) -> None:
    planned = plan(**(arguments | {"latency_s": Fraction(1, 3)}))
    needed = value(planned, "concurrency_needed")

    assert needed * 3 >= value(planned, "safe_rate")
    assert needed == 1 or (needed - 1) * 3 < value(planned, "safe_rate")


def test_the_lowest_of_several_limits_binds() -> None:
    planned = plan({"burst": "20/s", "hourly": "10000/hour"}, steady="2/s")

    assert "hourly" == planned.binding.name
    assert Fraction(85, 36) == value(planned, "safe_rate")
    assert 18 == value(planned, "capacity_window")  # 18 + 2.36 are 20 whole requests in a second


def test_no_traffic_and_no_burst_are_the_same_as_none() -> None:
    assert plan("1000/hour").inputs == plan("1000/hour", steady=0, burst="0", clients=None).inputs


def test_an_unknown_argument_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(TypeError, match=r"no argument 'cliens'; did you mean 'clients'"):
        plan("1000/hour", cliens=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["pro", " pro ", preset("pro")])
def test_a_preset_is_a_limit(name: Any) -> None:
    assert Fraction(100_000, 3600) == value(plan(name), "limit_rate")


@pytest.mark.parametrize(
    ("steady", "expected"),
    [
        (None, (None, None)),
        ("500/hour", (False, False)),
        ("900/hour", (True, True)),
        ("850/hour", (False, False)),
    ],
)
def test_the_alerts_go_off_above_five_per_cent_rejections_and_85_per_cent_of_the_limit(
    steady: str | None, expected: tuple[bool | None, bool | None]
) -> None:
    rejections, utilisation = plan("1000/hour", steady=steady, capacity=None if steady is None else 20).alerts

    assert (Fraction(1, 20), Fraction(17, 20)) == (rejections.threshold, utilisation.threshold)
    assert expected == (rejections.goes_off, utilisation.goes_off)
    assert "More than 5% of the requests of any client get 429." == rejections.rule


def test_a_figure_that_the_plan_does_not_have_is_rejected_with_the_nearest_name() -> None:
    with pytest.raises(InvalidLimit, match=r"(?i)no figure 'safe_rat'; did you mean 'safe_rate'"):
        plan("100/s")["safe_rat"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"limit": "0/s"}, "limit is zero"),
        ({"limit": "fast"}, "there is no preset 'fast', and a rate is written as '100/s'; "),
        ({"limit": "100/fortnight"}, "'fortnight' is no unit of time"),
        ({"limit": ""}, "limit is empty"),
        ({"limit": {}}, "there is no limit; give at least one"),
        ({"limit": {"hourly": -1}}, "the limit 'hourly' is negative"),
        ({"limit": "enterprise"}, "the limit of Enterprise tier is agreed with each customer"),
        ({"limit": None}, "limit must be a number"),
        ({"clients": 0}, "clients is zero; give at least 1"),
        ({"clients": 2.5}, "clients must be a whole number"),
        ({"clients": 3, "weights": [1, 2]}, "weights must be one number for each of the 3 clients, not 2"),
        ({"weights": []}, "weights is empty"),
        ({"weights": 12}, "weights must be one number for each client"),
        ({"weights": "web"}, "weight 1 cannot be read from 'web'"),
        ({"weights": 3}, "weights must be one number for each client"),
        ({"weights": "3 1"}, "weights is '3 1', which may be two weights; write them with a comma: '3, 1'"),
        ({"weights": "3:1"}, "weights is '3:1', which may be two weights; write them with a comma: '3, 1'"),
        ({"weights": [1, 0]}, "weight 2 is zero"),
        ({"weights": {"web": -1}}, "the weight of 'web' is negative"),
        ({"cushion": 1}, "cushion is 1, which leaves nothing"),
        ({"cushion": "100%"}, "which leaves nothing"),
        ({"cushion": -0.1}, "cushion is negative"),
        ({"cushion": "some %"}, "cushion cannot be read"),
        ({"steady": float("nan")}, "steady is nan"),
        ({"burst": 2.5}, "burst must be a whole number"),
        ({"burst": 1, "burst_window_s": -1}, "burst_window_s is negative"),
        ({"latency_s": 0}, "latency_s is zero"),
        ({"timeout_s": "soon"}, "timeout_s cannot be read"),
        ({"concurrency": 4}, "latency_s is missing, but what concurrency allows depends on it; give it too"),
        ({"concurrency": 0, "latency_s": 1}, "concurrency is zero"),
        ({"retries": -1}, "retries is negative"),
        ({"capacity": 0}, "capacity is zero"),
    ],
)
def test_a_number_that_cannot_be_is_rejected(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidLimit) as caught:
        plan(**({"limit": "1000/hour"} | arguments))

    assert problem in str(caught.value)


def test_weights_of_another_number_than_the_clients_are_the_invalid_input() -> None:
    with pytest.raises(InvalidLimit) as caught:
        plan("1000/hour", clients=3, weights=[1, 2])

    assert "weights" == caught.value.field
