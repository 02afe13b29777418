"""The sweep of a scenario: it decides as the limit would that a person enters, and says what it found."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals, LimitAlgorithm, simulate
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.reporting import limit_sweep
from hook_widgets.ratelimit.reporting.limit_sweep import candidate_quotas, sweep_limit

pytest.importorskip("numpy")

STEADY = scenario("240/min", steady="4/s")


@pytest.mark.parametrize(
    ("suffix", "inputs"),
    [
        ("/min", {"steady": "5/s", "burst": 100, "burst_allowance": 30}),
        ("/min", {"steady": "5/s", "algorithm": "fixed_window"}),
        (" per 10 s", {"steady": "20/s", "algorithm": "sliding_counter"}),
        ("/min per user", {"steady": "20/s", "users": 7, "busiest_share": "40%"}),
    ],
)
def test_each_candidate_rejects_what_the_limit_rejects_if_it_is_entered(suffix: str, inputs: dict):
    swept = sweep_limit(scenario(f"200{suffix}", duration_s=100, **inputs))

    for point in swept.points:
        entered = scenario(f"{swept.sizes[point.limiter]}{suffix}", duration_s=100, **inputs)
        assert entered.summary.rejected == point.rejected
    assert 20 < len(swept.points) <= 24
    assert Fraction(200) in swept.sizes.values()


def test_of_several_limits_the_binding_one_varies_and_requests_in_flight_are_free():
    shown = scenario({"burst": "10/s", "hourly": "5000/hour"}, steady="2/s", in_flight=1, latency_s=1)
    swept = sweep_limit(shown)

    assert {("burst", "hourly")} == {tuple(layer.name for layer in p.limiter.layers) for p in swept.points}
    assert {10} == {p.limiter.layers[0].sustained_rate for p in swept.points}
    assert len(swept.sizes) == len({p.limiter.layers[1].sustained_rate for p in swept.points})
    assert "Limit 'hourly', requests per hour" == swept.table.columns[0]
    assert "Requests in flight are not limited here, only in the chart of the run." == swept.table.note


def test_candidates_lie_around_the_limit_and_what_the_requests_need():
    def ends(limit: str, count: int, step_s: float, allowance: int | None = None) -> tuple[float, float]:
        arrivals = Arrivals.from_times([k * step_s for k in range(count + 1)])
        quotas = candidate_quotas(scenario(limit, arrivals=arrivals, burst_allowance=allowance))
        return float(quotas[0]), float(quotas[-1])

    assert (15, 960) == ends("240/min", 59, 1)
    assert (60, 960) == ends("240/min", 240, 0.25)
    assert (30, 960) == ends("240/min", 120, 0.5)
    assert (15, 960) == ends("240/min", 59, 0.25)
    assert (60, 980) == ends("240/min", 59, 0.25, allowance=9)
    assert (1, 4) == ends("1/min", 0, 1)
    assert (60, 960) == ends("240/min", -1, 1)


def test_a_quota_of_half_a_request_is_not_a_second_candidate():
    quotas = candidate_quotas(scenario("2.5/s", steady="1/s"))

    assert Fraction(5, 2) in quotas
    assert 2 not in quotas


def test_the_sentence_names_the_end_of_rejections_and_the_knee():
    swept = sweep_limit(STEADY)
    (row,) = [row for row in swept.table.rows if row[0].endswith("(now)")]

    assert "At most 0.1% is rejected from 170 per minute on" == swept.sentence
    assert ("240 (now)", "0 (0%)") == row
    assert f"{swept.sentence}: 502 requests under each limit" == swept.table.caption
    capped = scenario("100/min", steady="1/s", burst=50, burst_allowance=10, burst_every_s=60)
    sentence = sweep_limit(capped).sentence
    assert sentence.startswith("Even 470 per minute rejects 34%; above 83 per minute (")
    assert sentence.endswith(" rejected) a larger limit helps less")


@pytest.mark.parametrize("unknown", [True, False])
def test_with_several_algorithms_each_has_a_column_and_the_sentence_the_range(unknown: bool):
    shown = scenario("240/min", steady="3/s", algorithm="unknown" if unknown else "fixed_window")
    swept = sweep_limit(shown, compare=not unknown)

    assert tuple(each.label for each in LimitAlgorithm) == swept.table.columns[1:]
    assert swept.sentence.endswith(", depending on the algorithm")
    for point, algorithm in zip(
        swept.points, [a for a in LimitAlgorithm for _ in swept.table.rows], strict=True
    ):
        assert algorithm.label == point.limiter.name
        assert simulate(point.limiter, shown.arrivals).summary().rejected == point.rejected


def test_more_requests_have_fewer_candidates_and_too_many_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limit_sweep, "MAX_DECISIONS", 20_000)  # a smaller number is counted in the same way
    ten = scenario("9/s", arrivals=Arrivals.from_times([k // 10 for k in range(2_000)]))
    many = scenario("9/s", arrivals=Arrivals.from_times([k // 10 for k in range(4_000)]))

    assert 10 >= len(sweep_limit(ten).points) >= 9  # two may be rounded to the same number
    with pytest.raises(InvalidArrivals, match="are more than 20,000 decisions; sweep them in Python"):
        sweep_limit(many)
    with pytest.raises(InvalidArrivals, match="no requests"):
        sweep_limit(scenario("9/s", arrivals=Arrivals.from_times([])))
