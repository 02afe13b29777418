"""A preset whose limiter makes requests wait: all that is shown is about waiting, and nothing is rejected."""

from __future__ import annotations

import csv
import io
import random
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from hook_widgets.errors import InvalidArrivals, InvalidLimit
from hook_widgets.ratelimit import Arrivals, describe_run, draw_run_svg, plan, scenario
from hook_widgets.ratelimit.formatting import percent, seconds, short
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.buckets import WaitingBucket
from hook_widgets.ratelimit.limiters.presets import preset
from hook_widgets.ratelimit.planning.input_parsing import limits_of
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.reporting.limit_sweep import sweep_limit
from hook_widgets.ratelimit.reporting.preset_facts import preset_facts
from hook_widgets.ratelimit.reporting.report import ReportStatus, report
from hook_widgets.ratelimit.reporting.target_configs import target_configs
from hook_widgets.ratelimit.reporting.time_samples import time_csv
from tests.ratelimit.waits import waits_of

WAITS = "This limiter makes requests wait instead of rejecting them"
TAKEN_AS_METER = "This limiter makes requests wait, but is simulated here as one that rejects them"


def random_scenario(seed: int) -> Scenario:
    rng = random.Random(seed)
    times_s = sorted(round(rng.uniform(0, 20), 2) for _ in range(rng.randrange(20, 250)))
    arrivals, other = Arrivals.from_times(times_s), rng.choice([1, 3, 40])
    if rng.random() < 0.5:
        return scenario("kubernetes-client", arrivals=arrivals)
    return scenario("kubernetes-client", arrivals=arrivals, burst_allowance=other)


def known_waits(model: Scenario) -> list[Fraction]:
    times_s = [Fraction(at, 10**9) for at in model.arrivals.times_ns]
    return waits_of(times_s, 5, model.inputs.burst_allowance or 0)


def rank(waits: Sequence[Fraction], per_cent: int) -> Fraction:
    """Return the smallest wait that so many per cent of the requests do not exceed."""
    return sorted(waits)[max(ceil(len(waits) * per_cent / 100), 1) - 1]


def all_texts(model: Scenario) -> str:
    shown = report(model)
    return " ".join([
        str(asdict(shown.status)), str(shown.cards), str(shown.table), str(shown.figures),
        *shown.advice.sentences, describe_run(shown.runs, queued=model.queue), time_csv(model),
        *re.findall(r">([^<]+)<", draw_run_svg(shown.runs, queued=model.queue)),
    ])  # fmt: skip


def test_all_that_is_shown_says_how_many_wait_and_how_long():
    model = scenario("kubernetes-client", burst=30)
    shown = report(model)

    # 10 tokens are there; the 11th call waits for one, 0.2 s, and the 30th for 20, 4 s.
    assert ReportStatus("warn", "66.7% of the requests wait, up to 4 s") == shown.status
    cards = {card.title: (card.value, card.note) for card in shown.cards}
    assert ("66.7%", "20 of 30 requests; none is rejected") == cards["Requests that wait"]
    assert ("3.8 s", "p50 1 s, longest 4 s, of all requests") == cards["Wait, p95"]
    assert ("20", "requests at most") == cards["Longest queue"]
    assert shown.advice.verdict.startswith(WAITS)
    assert "the limiter admits 10 at once and makes 20 wait" in shown.advice.verdict
    assert "66.7% of the requests in this run wait, up to 4 s" in shown.advice.verdict
    assert str(plan("kubernetes-client", burst=30)).startswith(WAITS)
    figures = {title: value for title, value in shown.figures.rows}  # noqa: C416 - rows are tuples of any length
    assert ("20 (66.7%)", "0 (0%)", "4 s") == (
        figures["Have to wait"], figures["Rejected (429)"], figures["Wait, longest"]
    )  # fmt: skip
    assert ("Sent at once", "Have to wait", "In the queue") == shown.table.columns[-3:]
    assert [("10", "20")] == [row[-3:-1] for row in shown.table.rows if row[-2] != "0"]
    words = describe_run(shown.runs, until_s=model.duration_s)
    last = (
        "20 of 30 requests (66.7%) wait, at 5 s; the queue holds at most 20, and nobody waits longer than 4 s"
    )
    assert words.endswith(f". {last}.")
    assert "No request waits" == report(scenario("kubernetes-client", burst=9)).status.text
    above = report(scenario("kubernetes-client", steady="8/s", seed=1)).status
    assert "bad" == above.level
    assert above.text.endswith("and ever longer: traffic is above the limit")


@pytest.mark.parametrize("arguments", [{"burst": 30}, {"burst": 3}, {"steady": "8/s"}, {"steady": "4/s"}, {}])
def test_nothing_that_is_shown_says_that_this_limiter_rejects(arguments):
    text = all_texts(scenario("kubernetes-client", **arguments))

    for denied in ("none is rejected", "'Rejected (429)', '0 (0%)'"):
        text = text.replace(denied, "")
    assert not re.findall(r"[^.]*(?:429| rejected|if queued|would wait)[^.]*", text), text
    assert "preview" not in text, "the queue is the limiter's own"


@pytest.mark.parametrize("limit", ["stripe-sandbox", "5/s", "pro"])
def test_the_verdict_on_a_limiter_that_rejects_names_no_wait(limit):
    model = scenario(limit, burst=40, burst_allowance=10)

    assert WAITS not in " ".join(report(model).advice.sentences)
    assert "wait" not in report(model).status.text
    assert model.summary.rejected


def test_limits_of_ones_own_do_not_wait():
    assert not PlanInputs.of(limits_of("kubernetes-client"), {}).waits
    assert PlanInputs.read("kubernetes-client", {"burst_allowance": 99}).waits


@pytest.mark.parametrize("seed", range(20))
def test_the_numbers_are_those_of_the_limiter_of_client_go(seed):
    model = random_scenario(seed)
    shown, waits = report(model), known_waits(model)

    assert [float(wait) for wait in waits] == pytest.approx(model.run.wait_s, abs=1e-9)
    waiting, share = sum(map(bool, waits)), percent(sum(map(bool, waits)) / len(waits))
    cards = {card.title: card for card in shown.cards}
    assert share == cards["Requests that wait"].value
    assert cards["Requests that wait"].note.startswith(f"{short(waiting)} of ")
    assert seconds(rank(waits, 95)) == cards["Wait, p95"].value
    assert f"p50 {seconds(rank(waits, 50))}, longest {seconds(max(waits))}" in cards["Wait, p95"].note
    starts = [Fraction(at, 10**9) for at in model.arrivals.times_ns]
    ends = [at + wait for at, wait in zip(starts, waits, strict=True)]
    depths = [sum(a <= at < b for a, b in zip(starts, ends, strict=True)) for at in starts]
    assert short(max(depths)) == cards["Longest queue"].value
    assert 0 == model.summary.rejected
    for row in csv.DictReader(io.StringIO(time_csv(model, intervals=40))):
        at = Fraction(row["time_s"])
        inside = sum(a <= at < b for a, b in zip(starts, ends, strict=True))
        came = [wait for start, wait in zip(starts, waits, strict=True) if start <= at]
        assert inside == int(row["queued"])
        assert (sum(not wait for wait in came), sum(map(bool, came))) == (
            int(row["at_once"]), int(row["waiting"])
        )  # fmt: skip


def test_it_is_said_how_many_wait_longer_than_the_client():
    """The 21st to 30th call wait 2.2 s to 4 s; with 1 s of latency the 16th to 20th get no response, too."""
    model = scenario("kubernetes-client", burst=30, timeout_s=2)
    slow = scenario("kubernetes-client", burst=30, timeout_s=2, latency_s=1)

    assert "10 of them get no response within the client's timeout of 2 s." in report(model).advice.reasons
    assert "15 of them get no response within the client's timeout of 2 s." in report(slow).advice.reasons


def test_what_is_left_is_never_below_nothing():
    model = scenario("kubernetes-client", burst=30)

    assert {row[1] for row in report(model).over_time.rows} >= {"0", "10"}
    assert min(float(row["left"]) for row in csv.DictReader(io.StringIO(time_csv(model)))) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"in_flight": 2, "latency_s": 1},
        *({"algorithm": each} for each in ["unknown", *LimitAlgorithm]),
    ],
)
def test_another_limiter_rejects_and_the_verdict_says_so(arguments):
    """Only a token bucket whose requests wait is simulated as one, without a limit of requests in flight."""
    model = scenario("kubernetes-client", burst=30, **arguments)

    assert model.summary.rejected
    assert "get 429" in report(model).status.text
    assert report(model).advice.verdict.startswith(TAKEN_AS_METER)
    changed = [fact.text for fact in preset_facts(preset("kubernetes-client"), model) if fact.changed]
    assert "simulated as rejecting requests (published: they wait)" in " ".join(changed)


def test_the_preset_is_a_limit_and_an_algorithm_that_can_be_given_without_it():
    arguments: dict[str, Any] = {"burst": 30, "burst_allowance": 10, "timeout_s": 2}
    preset_model = scenario("kubernetes-client", **arguments)
    own = scenario({"client": "5/s"}, algorithm="token_bucket_wait", **arguments)

    assert report(preset_model) == replace(report(own), scenario=preset_model)
    assert (preset_model.run.limiter, preset_model.run.wait_s) == (own.run.limiter, own.run.wait_s)


def test_a_limit_of_ones_own_waits_if_its_algorithm_says_so():
    """The 3rd to 6th call of 6 at once wait for one to four tokens of 0.1 s."""
    model = scenario("10/s", burst=6, burst_allowance=2, algorithm="token_bucket_wait")

    assert WaitingBucket(2, "10/s", name="default") == model.run.limiter
    assert [0, 0, 0.1, 0.2, 0.3, 0.4] == model.run.wait_s
    assert report(model).advice.verdict.startswith(WAITS)
    with pytest.raises(InvalidLimit, match="token_bucket_wait"):
        scenario("10/s", algorithm="token_bucket_waits")


def test_without_a_burst_allowance_the_whole_quota_passes_at_once_before_requests_wait():
    """As the help text says: 10 of 10/s at once; the 11th to 13th call wait for one to three tokens."""
    model = scenario("10/s", burst=13, algorithm="token_bucket_wait")

    assert [0] * 10 + [0.1, 0.2, 0.3] == model.run.wait_s
    assert 10 == model.plan["capacity"].value
    assert "admits 10 at once and makes 3 wait" in report(model).advice.verdict


def test_a_preset_that_rejects_is_changed_if_its_requests_are_to_wait():
    arguments: dict[str, Any] = {"algorithm": "token_bucket_wait", "latency_s": 1}
    changed = {
        name: [fact.text for fact in preset_facts(preset(name), scenario(name, **arguments)) if fact.changed]
        for name in ("shopify-rest", "github-user", "kubernetes-client")
    }

    assert ["Changed: requests wait instead of being rejected."] == changed["shopify-rest"]
    # With a limit of requests in flight it rejects, as is published.
    assert ["Changed: Algorithm (published: Fixed window)."] == changed["github-user"]
    assert [] == changed["kubernetes-client"]


def test_its_algorithms_are_not_compared():
    model = scenario("kubernetes-client", burst=30)

    assert report(model, compare=True) == report(model)
    assert [LimitAlgorithm.TOKEN_BUCKET] == list(model.all_runs)


def test_there_is_no_sweep_of_what_rejects_nothing():
    with pytest.raises(InvalidArrivals, match="this limiter rejects no request; it makes requests wait"):
        sweep_limit(scenario("kubernetes-client", burst=30))


def test_only_libraries_that_wait_are_configured_without_a_word_on_it():
    configs = target_configs(scenario("kubernetes-client", burst=30))
    without = {
        each.target for each in configs if each.text and "instead of waiting" not in str(each.deviations)
    }

    assert {"aiolimiter", "x/time/rate"} == without
    assert "Wait(" in next(each.text for each in configs if each.target == "x/time/rate")
