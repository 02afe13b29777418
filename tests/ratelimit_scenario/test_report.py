"""What stands beside the picture says what the run and the plan say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hook_widgets.ratelimit.formatting import percent, short
from hook_widgets.ratelimit.http.sample_responses import sample_responses
from hook_widgets.ratelimit.planning.scenario import Algorithm, scenario
from hook_widgets.ratelimit.reporting import report
from hook_widgets.ratelimit.traffic.arrivals import Arrivals


@pytest.fixture
def refused():
    """A bucket of 30 meets a burst of 40: ten are refused."""
    return scenario("10/s", burst=40, burst_allowance=30, timeout_s=10)


def sentences(found):
    return " ".join(report.report_advice(found).sentences)


def rows(table):
    return {row[0]: row[1] for row in table.rows}


def test_the_status_tells_how_many_are_refused_and_how_bad_that_is(refused):
    assert report.ReportStatus("bad", "25 % of the requests get 429") == report.report_status(refused)
    assert report.ReportStatus("ok", "No request is rejected") == report.report_status(
        scenario("10/s", burst=4)
    )

    mild = scenario("10/s", burst=103, burst_allowance=100, cushion=0)
    assert ("warn", "2.91 % of the requests get 429") == (
        report.report_status(mild).level,
        report.report_status(mild).text,
    )


def test_the_status_names_the_limit_that_refuses_most():
    found = scenario({"short": "60/s", "long": "1000/hour"}, burst=60, burst_allowance=40)
    assert report.report_status(found).text.endswith("get 429, by 'long'")

    # Each of 12 bursts of 15 loses 5 to the minute, and from the 11th on all to the hour.
    both = scenario(
        {"minute": "10/min", "hour": "100/hour"},
        algorithm="fixed_window",
        burst=15,
        burst_every_s=60,
        duration_s=720,
    )
    assert report.report_status(both).text.endswith("get 429, most of them by 'minute'")


def test_traffic_above_the_limit_is_not_called_well_because_the_run_is_short():
    found = scenario("100/s", steady="150/s", duration_s=2, burst_allowance=1000)

    assert not found.summary.rejected
    assert report.ReportStatus(
        "warn", "No request is rejected yet, but traffic is above the limit"
    ) == report.report_status(found)


def test_without_traffic_the_status_says_what_to_do():
    assert report.ReportStatus("ok", "No requests: enter steady traffic or a burst") == report.report_status(
        scenario("1/s")
    )


def test_the_cards_agree_with_the_run_and_the_plan(refused):
    shown = {card.title: card for card in report.report_cards(refused)}

    assert ("8.5/s", "15 % below the limit") == (shown["Safe rate"].value, shown["Safe rate"].note)
    assert ("25 %", "10 of 40 requests") == (shown["Rejected (429)"].value, shown["Rejected (429)"].note)
    assert short(refused.queue_summary.peak_depth) == shown["Longest queue"].value


def test_rates_are_told_in_the_unit_of_the_limit():
    shown = {card.title: card.value for card in report.report_cards(scenario("1000/hour", clients=12))}

    assert ("850/h", "70.8/h") == (shown["Safe rate"], shown["Per client"])


def test_with_weights_the_smallest_budget_is_on_the_card_and_all_are_in_the_table():
    found = scenario("100/s", cushion=0, weights="web 3, batch 1")

    assert ("Smallest budget, batch", "25/s") == (
        report.report_cards(found)[1].title,
        report.report_cards(found)[1].value,
    )
    assert "75/s, one call every 0.0134 s" == rows(report.metrics_table(found))["Budget of web"]


def test_the_table_over_time_accounts_for_every_request(refused):
    found = scenario("10/s", steady="9/s", burst=40, burst_every_s=20, seed=3, duration_s=60)
    table = report.time_table(found)
    admitted, denied = (sum(int(row[i].replace(",", "")) for row in table.rows) for i in (2, 3))

    assert (found.summary.admitted, found.summary.rejected) == (admitted, denied)
    assert all(len(table.columns) == len(row) for row in table.rows)


def test_the_table_over_time_shows_the_level_at_its_moments(refused):
    at = {
        row[0]: row[1]
        for row in report.time_table(scenario("1/s", burst=40, burst_allowance=30, duration_s=24)).rows
    }

    # The burst takes all 30 tokens after 6 s; one comes back each second.
    assert ("30", "0", "2", "18") == (at["4 s"], at["6 s"], at["8 s"], at["24 s"])


def test_the_comparison_has_a_row_for_every_algorithm_with_its_own_worst_case():
    found = scenario("600/min", burst=100, burst_allowance=50)
    table = report.comparison_table(found)

    assert [algorithm.label for algorithm in Algorithm] == [row[0] for row in table.rows]
    worst = {row[0]: row[5] for row in table.rows}
    assert ("649", "1,200", "600") == (worst["Token bucket"], worst["Fixed window"], worst["Sliding log"])
    assert ("Worst minute", "At most", "Memory per key") == table.columns[4:]
    waits = {row[0]: row[3] for row in table.rows}
    # 50 requests leave a leaky bucket one every 0.1 s: the 48th, which is the 95th percentile, after 4.8 s
    assert ("none", "4.8 s") == (waits["Token bucket"], waits["Leaky bucket"])
    rejected = {row[0]: row[2] for row in table.rows}
    assert ("50 (50 %)", "0 (0 %)") == (rejected["Token bucket"], rejected["Fixed window"])
    memory = {row[0]: row[6] for row in table.rows}
    assert ("16 B", "4,800 B", "24 B") == tuple(
        memory[name] for name in ("Token bucket", "Sliding log", "Sliding counter")
    )


def test_the_worst_window_counts_what_left_within_it():
    run = scenario("4/s", algorithm="leaky_bucket", arrivals=Arrivals.from_times([0, 0, 0, 0, 0.9])).run

    # One leaves every quarter of a second, the last after 1.25 s: four within less than a second.
    assert 4 == report.most_served(run, Fraction(1))
    assert 1 == report.most_served(run, Fraction(1, 4))
    assert 5 == report.most_served(run, Fraction(2))


@pytest.mark.parametrize("algorithm", Algorithm)
def test_without_a_burst_allowance_the_quota_may_pass_at_once_under_every_algorithm(algorithm):
    found = scenario("1000/hour", algorithm=algorithm, clients=12, steady="700/hour", burst=200)

    assert 0 == found.summary.rejected
    headers = [dict(sample.headers) for sample in sample_responses(found.run)]
    assert {"1000"} == {told["X-RateLimit-Limit"] for told in headers if "X-RateLimit-Limit" in told}


def test_an_unknown_algorithm_gives_a_range_and_no_single_figure():
    found = scenario("1000/hour", algorithm="unknown", clients=12, steady="700/hour", burst=400)
    least, most = found.rejected_range
    shares = [run.summary().rejected_fraction for run in found.all_runs.values()]

    assert (min(shares), max(shares)) == (least, most)
    assert 0 == least < most
    expected = f"It depends on the algorithm: 0 % to {percent(most)} of the requests get 429"
    assert expected == report.report_status(found).text
    cards = {card.title: card.value for card in report.report_cards(found)}
    assert f"0 % to {percent(most)}" == cards["Rejected (429)"]
    assert "results are the range over all five" in sentences(found)


def test_a_comparison_says_which_algorithm_its_status_is_about():
    found = scenario("10/s", burst=40, burst_allowance=40)

    assert "Token bucket: No request is rejected" == report.report_status(found, compare=True).text


def test_the_advice_is_that_of_the_plan_with_what_was_simulated_as_the_first_reason(refused):
    said = report.report_advice(refused)
    planned = [each.text for each in refused.plan.advice]

    assert said.reasons[0].endswith("the token bucket admits 30 of 40 requests; 10 get 429.")
    assert planned[: 1 + len(said.actions)] == [said.verdict, *said.actions]
    assert planned == [text for text in said.sentences if text in planned]


def test_the_worst_case_is_said_beside_the_limit():
    said = sentences(scenario("600/min", algorithm="fixed_window", burst=10))

    assert "Worst case: 1,200 requests in any minute, twice the limit of 600." in said
    assert "Worst case" not in sentences(scenario("600/min", algorithm="sliding_log", burst=10))


def test_one_request_is_not_many():
    assert "admits the only request." in report.report_advice(scenario("1/s", burst=1)).reasons[0]


@pytest.mark.parametrize(
    ("every", "expected"),
    [
        ("40 s", None),  # 5 + 100/40 is 7.5/s
        ("25 s", "traffic is 9/s on average, above the safe rate of 8.5/s: a queue"),
        ("10 s", "traffic is 15/s on average, above the limit: a queue"),
    ],
)
def test_bursts_that_leave_no_time_to_work_them_off_are_said(every, expected):
    said = sentences(scenario("10/s", steady="5/s", burst=100, burst_every_s=every))

    assert (expected is not None) == ("on average, above" in said)
    assert expected is None or expected in said


def test_a_run_that_ends_before_the_first_burst_says_so():
    short_run = scenario("100/s", burst=50, burst_every_s="1 h", duration_s=60)

    assert report.ReportStatus("warn", "No requests in this run: watch for longer") == report.report_status(
        short_run
    )
    assert (
        "No burst comes in this run of 1 min: the first would after 30 min."
        == report.report_advice(short_run).reasons[0]
    )


def test_a_limit_in_flight_that_allows_less_than_the_plan_is_said():
    tight, wide = (sentences(scenario("100/s", in_flight=n, latency_s=0.25, steady="10/s")) for n in (10, 30))

    assert "limit of 10 requests in flight allows at most 40/s at 0.25 s a call." in tight
    assert "requests in flight allows" not in wide


def test_an_alert_goes_off_by_what_the_simulation_shows(refused):
    metrics = rows(report.metrics_table(refused))

    assert (
        "goes off: 25 % simulated" == metrics["Alert: More than 5 % of the requests of any client get 429."]
    )
    assert percent(refused.summary.rejected_fraction) in metrics["Rejected (429)"]


def test_a_formula_shows_the_numbers_put_in():
    found = scenario("1000/hour", cushion="15 %").plan["safe_rate"]

    assert "limit_rate = 0.277778, cushion = 0.15" == report.format_formula_inputs(found)
