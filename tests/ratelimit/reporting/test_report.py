"""The text beside the picture agrees with the run and the plan."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from hook_widgets.ratelimit.formatting import percent, short
from hook_widgets.ratelimit.http.responses import SampleResponse, sample_responses
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.planning.advice.claims import ClaimKind
from hook_widgets.ratelimit.planning.plan import plan
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.reporting.report import ReportStatus, report
from hook_widgets.ratelimit.reporting.time_samples import time_csv, time_samples
from hook_widgets.ratelimit.reporting.worst_window import most_served
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from tests.ratelimit.planning.advice.random_plans import random_arguments
from tests.support.extent import extent


@pytest.fixture
def refused():
    """A bucket of 30 meets a burst of 40: ten are refused."""
    return scenario("10/s", burst=40, burst_allowance=30, timeout_s=10)


def sentences(model):
    return " ".join(report(model).advice.sentences)


def rows(table):
    return {row[0]: row[1] for row in table.rows}


def test_the_status_tells_how_many_are_rejected_and_how_bad_that_is(refused):
    assert ReportStatus("bad", "25% of the requests get 429") == report(refused).status
    assert ReportStatus("ok", "No request is rejected") == report(scenario("10/s", burst=4)).status

    mild = scenario("10/s", burst=103, burst_allowance=100, cushion=0)
    assert ("warn", "2.91% of the requests get 429") == (
        report(mild).status.level,
        report(mild).status.text,
    )


def test_the_status_names_the_limit_that_rejects_most():
    model = scenario({"short": "60/s", "long": "1000/hour"}, burst=60, burst_allowance=40)
    assert report(model).status.text.endswith("get 429, by 'long'")

    # Each of 12 bursts of 15 loses 5 to the minute, and from the 11th on all to the hour.
    both = scenario(
        {"minute": "10/min", "hour": "100/hour"},
        algorithm="fixed_window",
        burst=15,
        burst_every_s=60,
        duration_s=720,
    )
    assert report(both).status.text.endswith("get 429, most of them by 'minute'")


def test_traffic_above_the_limit_is_not_called_well_because_the_run_is_short():
    model = scenario("100/s", steady="150/s", duration_s=2, burst_allowance=1000)

    assert not model.summary.rejected
    assert (
        ReportStatus("warn", "No request is rejected yet, but traffic is above the limit")
        == report(model).status
    )


def test_without_traffic_the_status_says_what_to_do():
    assert (
        ReportStatus("ok", "No requests: enter steady traffic or a burst") == report(scenario("1/s")).status
    )


def test_without_traffic_no_figure_is_called_simulated():
    model = report(scenario("100/min", clients=3))
    assert not [row for row in model.figures.rows if "imulated" in "".join(row) or "429" in row[0]]


def test_a_lower_bound_is_the_same_in_the_table_and_in_the_advice():
    model = report(scenario("100/min", clients=3))
    # 3 clients send 255/min, of which 100/min pass: 60.78 %.
    assert "at least 60.7% is rejected" in " ".join(model.advice.sentences)
    assert rows(model.figures)["Rejected then"] == "at least 60.7%"


def test_the_cards_agree_with_the_run_and_the_plan(refused):
    shown = {card.title: card for card in report(refused).cards}

    assert ("8.5/s", "15% below the limit") == (shown["Safe rate"].value, shown["Safe rate"].note)
    assert ("25%", "10 of 40 requests") == (shown["Rejected (429)"].value, shown["Rejected (429)"].note)
    assert short(refused.queue_summary.peak_depth) == shown["Longest queue"].value


def log_of_whole_seconds(folder, *, spread="even"):
    """Ten requests in each of ten seconds, as in the thread lua-resty-limit-traffic #11."""
    path = folder / "access.log"
    line = '192.0.2.7 - - [10/Oct/2026:13:55:3{} +0000] "GET / HTTP/1.1" 200 9 "-" "agent"\n'
    path.write_text("".join(line.format(second) for second in range(10) for _ in range(10)))
    return Arrivals.from_log(path, origin="first", spread=spread)


def test_of_a_log_with_whole_seconds_the_bounds_are_reported(tmp_path):
    # Evenly spread, a bucket of 5 at 10/s admits all; of ten at once, it admits 5 in each second.
    model = scenario("10/s", burst_allowance=5, arrivals=log_of_whole_seconds(tmp_path))

    status, cards = report(model).status, {card.title: card for card in report(model).cards}
    assert ("bad", "0% to 50% of the requests get 429: the log has whole seconds") == (
        status.level,
        status.text,
    )
    assert cards["Rejected (429)"].value == "0% to 50%"
    assert "depending on when in its second each request comes, 0% to 50% of them get 429" in sentences(model)


def test_whole_seconds_that_change_no_rejection_are_reported_without_bounds(tmp_path):
    model = scenario("100/s", arrivals=log_of_whole_seconds(tmp_path))

    assert ReportStatus("ok", "No request is rejected") == report(model).status
    assert "The log has whole seconds; its requests are spread over each (even)." in sentences(model)

    drawn = scenario("10/s", burst_allowance=5, arrivals=log_of_whole_seconds(tmp_path, spread="random"))
    assert "its requests are spread over each (random)" in sentences(drawn)


def test_of_a_log_with_whole_seconds_and_an_unknown_algorithm_the_bounds_are_of_all(tmp_path):
    arrivals = log_of_whole_seconds(tmp_path)
    model = scenario("10/s", burst_allowance=5, arrivals=arrivals, algorithm="unknown")
    together = scenario(
        "10/s",
        burst_allowance=5,
        arrivals=log_of_whole_seconds(tmp_path, spread="none"),
        algorithm="unknown",
    )

    assert model.rejected_of_log == (
        min(model.rejected_range[0], together.rejected_range[0]),
        max(model.rejected_range[1], together.rejected_range[1]),
    )


def test_rates_are_reported_in_the_unit_of_the_limit():
    shown = {card.title: card.value for card in report(scenario("1000/hour", clients=12)).cards}

    assert ("850/h", "70.8/h") == (shown["Safe rate"], shown["Per client"])


def test_with_weights_the_smallest_budget_is_on_the_card_and_all_are_in_the_table():
    model = scenario("100/s", cushion=0, weights="web 3, batch 1")

    assert ("Smallest budget, batch", "25/s") == (
        report(model).cards[1].title,
        report(model).cards[1].value,
    )
    assert "75/s, one call every 13.4 ms" == rows(report(model).figures)["Budget of web"]


def test_the_table_over_time_accounts_for_every_request(refused):
    model = scenario("10/s", steady="9/s", burst=40, burst_every_s=20, seed=3, duration_s=60)
    table = report(model).over_time
    admitted, denied = (sum(int(row[i].replace(",", "")) for row in table.rows) for i in (2, 3))

    assert (model.summary.admitted, model.summary.rejected) == (admitted, denied)
    assert all(len(table.columns) == len(row) for row in table.rows)


def test_the_table_over_time_shows_the_level_at_its_moments(refused):
    at = {
        row[0]: row[1]
        for row in report(scenario("1/s", burst=40, burst_allowance=30, duration_s=24)).over_time.rows
    }

    # The burst takes all 30 tokens after 6 s; one comes back each second.
    assert ("30", "0", "2", "18") == (at["4 s"], at["6 s"], at["8 s"], at["24 s"])


def test_with_several_limits_the_table_has_what_is_left_of_each_as_the_picture():
    limits = {"short": "10/s", "long": "100/min"}
    model = scenario(
        limits, algorithm="fixed_window", burst=8, duration_s=24, in_flight=9, latency_s=0.1, timeout_s=5
    )
    table = report(model).over_time
    at = {row[0]: row[1:3] for row in table.rows}

    assert ("Time", "Left of short", "Left of long", "Admitted") == table.columns[:4]
    assert (("10", "100"), ("2", "92"), ("10", "92")) == (at["4 s"], at["6 s"], at["8 s"])
    assert time_csv(model).startswith("time_s,left of short,left of long,admitted,rejected,queued")


def test_the_table_never_shows_less_than_nothing():
    model = scenario("1/min", algorithm="sliding_counter", steady="2/min")
    assert min(model.run.tokens(row.time_s) for row in time_samples(model, 12)) < 0
    assert min(row.left for row in time_samples(model, 12)) == (Fraction(0),)


def test_a_rate_to_send_at_is_rounded_down_and_a_limit_to_ask_for_up():
    # 1000/h less 15% for 6 clients is 141.7/h; 2/s needs 120/0.85 = 141.2 a minute
    (budget,) = (card.value for card in report(scenario("1000/hour", clients=6)).cards[1:2])
    assert "141/h" == budget
    assert "Slow down to 85/min or ask for a limit of 142/min." in sentences(
        scenario("100/min", steady="2/s")
    )


def test_the_comparison_has_a_row_for_every_algorithm_with_its_own_worst_case():
    model = scenario("600/min", burst=100, burst_allowance=50)
    table = report(model).comparison

    assert [algorithm.label for algorithm in LimitAlgorithm] == [row[0] for row in table.rows]
    worst = {row[0]: row[5] for row in table.rows}
    assert ("649", "1,200", "600") == (worst["Token bucket"], worst["Fixed window"], worst["Sliding log"])
    assert ("Worst minute", "At most", "Memory per key") == table.columns[4:]
    waits = {row[0]: row[3] for row in table.rows}
    # 50 requests leave a leaky bucket one every 0.1 s: the 48th, which is the 95th percentile, after 4.8 s
    assert ("none", "4.8 s") == (waits["Token bucket"], waits["Leaky bucket"])
    rejected = {row[0]: row[2] for row in table.rows}
    assert ("50 (50%)", "0 (0%)") == (rejected["Token bucket"], rejected["Fixed window"])
    assert "the state that an implementation stores for each key" in table.note
    memory = {row[0]: row[6] for row in table.rows}
    assert ("16 B", "4,800 B", "24 B") == tuple(
        memory[name] for name in ("Token bucket", "Sliding log", "Sliding counter")
    )


def test_the_worst_window_counts_what_left_within_it():
    run = scenario("4/s", algorithm="leaky_bucket", arrivals=Arrivals.from_times([0, 0, 0, 0, 0.9])).run

    # One leaves every quarter of a second, the last after 1.25 s: four within less than a second.
    assert 4 == most_served(run, Fraction(1))
    assert 1 == most_served(run, Fraction(1, 4))
    assert 5 == most_served(run, Fraction(2))


@pytest.mark.parametrize("algorithm", LimitAlgorithm)
def test_without_a_burst_allowance_the_quota_may_pass_at_once_under_every_algorithm(algorithm):
    model = scenario("1000/hour", algorithm=algorithm, clients=12, steady="700/hour", burst=200)

    assert 0 == model.summary.rejected
    headers = [dict(sample.headers) for sample in sample_responses(model.run)]
    assert {"1000"} == {fields["X-RateLimit-Limit"] for fields in headers if "X-RateLimit-Limit" in fields}


def test_the_dates_of_sample_responses_follow_the_start_of_the_run():
    run = scenario("1/s", burst=3, burst_allowance=1).run

    def resets(samples: Iterable[SampleResponse]) -> list[str]:
        return [json.loads(sample.body)["limits"][0]["resets-at"] for sample in samples if sample.body]

    noon = datetime(2027, 3, 1, 12, tzinfo=UTC)
    assert ["2026-01-05T09:00:"] * 2 == [reset[:17] for reset in resets(sample_responses(run))]
    assert ["2027-03-01T12:00:"] * 2 == [reset[:17] for reset in resets(sample_responses(run, start=noon))]


def test_an_unknown_algorithm_gives_a_range_and_no_single_figure():
    model = scenario("1000/hour", algorithm="unknown", clients=12, steady="700/hour", burst=400)
    least, most = model.rejected_range
    shares = [run.summary().rejected_fraction for run in model.all_runs.values()]

    assert (min(shares), max(shares)) == (least, most)
    assert 0 == least < most
    expected = f"It depends on the algorithm: 0% to {percent(most)} of the requests get 429"
    assert expected == report(model).status.text
    cards = {card.title: card.value for card in report(model).cards}
    assert f"0% to {percent(most)}" == cards["Rejected (429)"]
    assert "results are the range over all five" in sentences(model)


def test_of_an_unknown_algorithm_the_picture_is_the_band_unless_all_are_compared():
    model = scenario("1000/hour", algorithm="unknown", steady="700/hour", burst=400)
    strictest = max(model.all_runs.values(), key=lambda run: run.summary().rejected)

    assert [strictest] == list(report(model).runs.values())
    assert list(model.all_runs.values()) == list(report(model, compare=True).runs.values())
    assert report(model).table == report(model, compare=True).table


def test_a_comparison_says_which_algorithm_its_status_is_about():
    model = scenario("10/s", burst=40, burst_allowance=40)

    assert "Token bucket: No request is rejected" == report(model, compare=True).status.text
    notes = {card.title: card.note for card in report(model, compare=True).cards}
    assert "Token bucket: 0 of 40 requests" == notes["Rejected (429)"]
    assert "Token bucket: simulation and plan" == report(model).figures.caption
    unknown = scenario("10/s", burst=40, burst_allowance=40, algorithm="unknown")
    assert "Strictest, fixed window: simulation and plan" == report(unknown).figures.caption


def test_the_advice_is_that_of_the_plan_with_what_was_simulated_as_the_first_reason(refused):
    said = report(refused).advice
    planned = [each.text for each in refused.plan.advice]

    assert said.reasons[0].endswith("the token bucket admits 30 of 40 requests; 10 get 429.")
    assert planned[1 : 1 + len(said.actions)] == list(said.actions)
    simulated = "Sent without a throttle, 25% of the requests in this run get 429 from the token bucket."
    assert f"{planned[0]} {simulated}" == said.verdict
    assert planned[1:] == [text for text in said.sentences if text in planned]


def test_the_worst_case_is_said_beside_the_limit():
    said = sentences(scenario("600/min", algorithm="fixed_window", burst=10))

    assert "Worst case: 1,200 requests in any minute, twice the limit of 600." in said
    assert "Worst case" not in sentences(scenario("600/min", algorithm="sliding_log", burst=10))


def test_one_request_is_not_many():
    assert "admits the only request." in report(scenario("1/s", burst=1)).advice.reasons[0]


@pytest.mark.parametrize(
    ("every", "expected"),
    [
        ("40 s", None),  # 5 + 100/40 is 7.5/s
        ("25 s", "traffic is 9/s on average, above the safe rate of 8.5/s: a queue"),
        ("10 s", "traffic is 15/s on average, above the limit: in the long run at least 33.3% of it"),
    ],
)
def test_bursts_that_leave_no_time_to_work_them_off_are_said(every, expected):
    said = sentences(scenario("10/s", steady="5/s", burst=100, burst_every_s=every))

    assert (expected is not None) == ("on average, above" in said)
    assert expected is None or expected in said


@pytest.mark.parametrize("steady", [None, "30/min"])
def test_bursts_that_repeat_above_the_limit_are_never_called_well(steady):
    model = scenario("100/min", steady=steady, burst=5, burst_every_s=2)
    said, mean_per_min = report(model), 150 + (30 if steady else 0)

    assert said.status.level != "ok"
    assert f"traffic is {mean_per_min}/min on average, above the limit" in said.advice.verdict
    assert f"goes off: {mean_per_min}% expected" in rows(said.figures).values()
    # only a short run can admit all of it, and then the status says so
    short_run = scenario("100/min", steady=steady, burst=5, burst_every_s=2, duration_s=4)
    assert report(short_run).status.text == "No request is rejected yet, but traffic is above the limit"


def test_what_bursts_above_the_limit_lose_in_the_long_run_is_a_lower_bound_for_every_algorithm():
    model = scenario("100/min", steady="30/min", burst=5, burst_every_s=2, duration_s=3600)
    assert "at least 44.4% of it gets 429" in report(model).advice.verdict  # 1 - 100/180
    for algorithm, run in model.all_runs.items():
        # what a full bucket or the first window admits at once counts little after an hour
        assert run.summary().rejected_fraction > 0.444 - 200 / (180 * 60), algorithm


def test_a_burst_that_is_too_large_to_simulate_says_so():
    """No duration helps: a run with the burst has more requests than a simulation may have."""
    model = scenario("100000/hour", steady="18/s", burst=10**12, burst_every_s="1 min")

    assert report(model).status == ReportStatus(
        "warn", "No requests in this run: a burst of 1,000,000,000,000 is too large to simulate"
    )


def test_a_run_that_ends_before_the_first_burst_says_so():
    short_run = scenario("100/s", burst=50, burst_every_s="1 h", duration_s=60)

    assert ReportStatus("warn", "No requests in this run: watch for longer") == report(short_run).status
    assert (
        "No burst comes in this run of 1 min: the first would after 30 min."
        == report(short_run).advice.reasons[0]
    )


def test_a_limit_in_flight_that_allows_less_than_the_plan_is_said():
    tight, wide = (sentences(scenario("100/s", in_flight=n, latency_s=0.25, steady="10/s")) for n in (10, 30))

    assert "limit of 10 requests in flight allows at most 40/s at 250 ms a call." in tight
    assert "requests in flight allows" not in wide


def test_an_alert_goes_off_by_what_the_simulation_shows(refused):
    metrics = rows(report(refused).figures)

    assert "goes off: 25% simulated" == metrics["Alert: More than 5% of the requests of any client get 429."]
    said = "Alert that goes off (25% simulated): More than 5% of the requests of any client get 429."
    assert said in sentences(refused)
    assert percent(refused.summary.rejected_fraction) in metrics["Rejected (429)"]


def test_a_formula_shows_the_numbers_put_in():
    formulas = {each.title: each for each in report(scenario("1000/hour", cushion="15%")).formulas}

    assert "limit_rate = 0.277778, cushion = 0.15" == formulas["Safe rate"].inputs


def test_the_verdict_speaks_of_what_the_run_rejects_though_the_mean_rate_fits():
    spiky = report(scenario("100/s", steady="80/s", burst_allowance=1, seed=7)).advice.verdict
    calm = report(scenario("1000/hour", steady="500/hour")).advice.verdict
    unknown = report(scenario("10/s", burst=40, burst_allowance=30, algorithm="unknown")).advice.verdict

    assert "it fits. Sent without a throttle, " in spiky
    assert calm.endswith("; it fits.")
    assert unknown.endswith(
        "Sent without a throttle, up to 75%, depending on the algorithm, of the requests in this run get 429."
    )


def test_the_verdict_says_why_a_window_admits_a_burst_above_the_allowance():
    def verdict(burst: int) -> str:
        return report(
            scenario("1000/hour", algorithm="sliding_log", steady="360/h", burst=burst, burst_allowance=30)
        ).advice.verdict

    said = "The simulated sliding log has no burst allowance and admits this whole run."
    assert verdict(40).endswith(f"the API admits 30 at once and rejects at least 10. {said}")
    assert said not in verdict(20)
    # 20 at once at 10/s and 0.5/s: the log admits 10 of the burst, a bucket of the allowance 1
    partly = scenario("10/s", algorithm="sliding_log", steady="0.5/s", burst=20, burst_allowance=1)
    assert report(partly).advice.verdict.endswith(
        "the API admits 1 at once and rejects at least 19. The simulated sliding log has no burst allowance: "
        "sent without a throttle, 36.7% of the requests in this run get 429."
    )


def test_the_verdict_names_the_limit_that_rejects():
    at_once, steady = [0] * 20, [1 + k / 5 for k in range(100)]
    limits = {"second": "10/s", "minute": "60/min"}
    both = scenario(limits, arrivals=Arrivals.from_times([*at_once, *steady]))
    verdicts = {
        " get 429 from the token bucket.": scenario("100/s", burst=60, burst_allowance=40),
        " get 429, by 'in flight'.": scenario("100/s", burst=60, in_flight=10, latency_s="2 s"),
        " get 429, most of them by 'minute'.": both,
    }

    assert all(report(model).advice.verdict.endswith(text) for text, model in verdicts.items())
    assert "by 'minute'" in report(both).status.text


@pytest.mark.parametrize(
    ("burst", "latency_s", "status"),
    [
        (100, None, ("ok", "No request is rejected")),
        (101, None, ("warn", "No request is rejected, but requests in flight are not counted")),
        (101, "1 s", ("warn", "0.99% of the requests get 429, by 'in flight'")),
    ],
)
def test_the_status_is_no_all_clear_for_a_burst_above_the_requests_in_flight(burst, latency_s, status):
    """GitHub admits 100 at a time."""
    shown = report(scenario("github-user", burst=burst, latency_s=latency_s)).status

    assert status == (shown.level, shown.text)


def test_advice_and_table_say_of_which_case_an_alert_is():
    model = scenario("100/s", clients=1000, steady="50/s")
    rule = "More than 5% of the requests of any client get 429."

    assert f"Alert that goes off (37% expected if the clients split the throttle): {rule}" in sentences(model)
    assert (
        "stays quiet: 0% simulated; goes off: 37% expected if the clients split the throttle"
        == (rows(report(model).figures)[f"Alert: {rule}"])
    )


def test_nothing_on_the_page_contradicts_anything_else_on_it():
    """Of random inputs: status, cards, tables, advice and formulas have the same numbers."""
    for number in [*range(extent(40, 2_000)), 82]:  # and a burst that the API's concurrency rejects
        arguments = random_arguments(number)
        planned = plan(**arguments)
        per_s = float(max(planned.binding.rate_per_s, planned.inputs.steady or 0))
        model = scenario(
            **arguments,
            algorithm=random.Random(number).choice(["", "unknown", *LimitAlgorithm]),
            duration_s=min(300 / per_s, 30 * 86_400),
        )
        summary, metrics = model.summary, model.plan.metrics
        cards = {card.title: card for card in report(model).cards}
        figures = rows(report(model).figures)
        compared = {row[0]: row for row in report(model).comparison.rows}
        said = report(model).advice
        name = next(each.label for each, run in model.all_runs.items() if run is model.run)

        queued = model.inputs.queued
        stopped = model.run.at_once.count(False) if queued else summary.rejected
        share = percent(stopped / summary.offered if stopped else 0)
        words = ("Sent at once", "Have to wait", "Requests that wait", "requests wait") if queued else (
            "Admitted", "Rejected (429)", "Rejected (429)", "get 429")  # fmt: skip
        rejected = f"{short(summary.rejected)} ({percent(summary.rejected_fraction)})"
        assert (rejected, short(summary.admitted)) == (compared[name][2], compared[name][1]), arguments
        if summary.offered:
            assert rejected == figures["Rejected (429)"]
            assert f"{short(stopped)} ({share})".removesuffix(" (0%)" if queued else "") == figures[words[1]]
            assert short(summary.offered - stopped) == figures[words[0]]
        over_time = [int(row[-2].replace(",", "")) for row in report(model).over_time.rows]
        assert stopped == sum(over_time), arguments
        assert share in cards[words[2]].value, arguments
        assert bool(stopped) == (words[3] in report(model).status.text), arguments
        assert ("wait" in said.verdict.partition(". ")[2] if queued else "429" in said.verdict) or not stopped
        assert {figures[each.title] for each in metrics.values()} == {
            each.value for each in report(model).formulas
        }, arguments
        assert figures["Safe rate"] == cards["Safe rate"].value, arguments
        alerts = {title: state for title, state in figures.items() if title.startswith("Alert: ")}
        warnings = [sentence for sentence in said.sentences if sentence.startswith("Alert that goes off")]
        assert sorted(title for title, state in alerts.items() if "goes off" in state) == sorted(
            f"Alert: {sentence.partition('): ')[2]}" for sentence in warnings
        ), arguments
        claimed = {
            (key, value) for each in model.plan.advice for claim in each.claims
            for key, value in claim.values.items() if key in ("capacity", "places", "requests", "after_s")
            and claim.kind is not ClaimKind.BUCKET_LOSS
        }  # fmt: skip
        known = {value for each in metrics.values() for value in (each.value, *each.inputs.values())}
        assert set() == {(key, value) for key, value in claimed if value not in known}, arguments


def test_of_random_traffic_its_mean_decides_whether_it_is_called_well():
    """Also of bursts that repeat, whatever the length of the run."""
    for seed in range(extent(60, 1_000)):
        rng = random.Random(seed)
        limit_per_s, window_s = rng.choice([0.5, 2, 10]), rng.choice([1, 60])
        steady, burst = limit_per_s * rng.uniform(0, 1.2), rng.randint(1, 40)
        model = scenario(
            f"{limit_per_s * window_s:g}/{window_s} s" if limit_per_s * window_s >= 1 else "30/min",
            steady=steady,
            burst=burst,
            burst_every_s=burst / limit_per_s * rng.uniform(0.5, 4),
            algorithm=rng.choice(list(LimitAlgorithm)),
            duration_s=rng.choice([None, 2, 20]),
        )
        said, mean = report(model), steady + burst / float(model.burst_every_s or 0)
        limit = float(model.plan.binding.rate_per_s)
        states = [state for title, state in said.figures.rows if "more than 85% of the limit" in title]
        if mean > 1.001 * limit:
            assert said.status.level != "ok", seed
            assert "above the limit" in said.advice.verdict or "in the long run" in said.advice.verdict, seed
        if abs(mean / limit - 0.85) > 0.01:
            assert states[0].startswith("goes off" if mean > 0.85 * limit else "stays quiet"), seed
