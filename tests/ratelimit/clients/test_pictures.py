"""Test pictures and the table of closed-loop simulations."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit import LeakyBucket, TokenBucket
from hook_widgets.ratelimit.clients import (
    Backoff,
    ClientPolicy,
    ClientWorkload,
    TimeSpan,
    clients_table,
    plot_clients,
    plot_demand,
    simulate_clients,
    sweep_demand,
)

SVG = "{http://www.w3.org/2000/svg}"
LIMIT = TokenBucket(5, "5/s")
SURGED = ClientWorkload("4/s", 40, surge=TimeSpan(10, 5), surge_per_s="10/s")


def texts(figure) -> set[str]:
    svg = figure.to_file("svg")
    return {"".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")}


def data(drawn: Any) -> tuple[Any, Any]:
    return drawn.get_data()


def line(ax, label) -> tuple[Any, Any]:
    (single,) = (each for each in ax.get_lines() if each.get_label() == label)
    return data(single)


@pytest.fixture(scope="module")
def study():
    return simulate_clients(LIMIT, SURGED, "full-jitter", seeds=range(3))


def test_the_lines_are_means_over_the_runs(study):
    figure = plot_clients(study)
    rates, backlog = figure.axes

    times, attempts = line(rates, "attempts")
    width_s = 40 / 120
    expected = [sum(run.attempts_in(width_s)[60] for run in study.runs) / 3 / width_s]
    assert (60.5 * width_s, expected) == (times[60], [attempts[60]])
    assert sum(line(rates, "successes")[1]) * width_s * 3 == pytest.approx(
        sum(run.served for run in study.runs)
    )
    at, unfinished = data(backlog.get_lines()[0])
    k = 300
    counts = [
        sum(r.start_ns <= at[k] * 1e9 and (r.end_ns is None or r.end_ns > at[k] * 1e9) for r in run.requests)
        for run in study.runs
    ]
    assert unfinished[k] == pytest.approx(sum(counts) / 3)
    assert (0, 40) == rates.get_xlim()


def test_words_stay_words_and_the_same_study_gives_the_same_file(study):
    figure = plot_clients({"jitter": study, "again": study}, theme="dark")

    assert {"jitter: per second", "again: per second", "attempts", "successes", "40 s"} <= texts(figure)
    assert figure.to_file("svg") == plot_clients({"jitter": study, "again": study}, theme="dark").to_file(
        "svg"
    )
    assert figure.to_file("png").startswith(b"\x89PNG")
    assert figure.description.startswith("jitter: demand 5")
    assert ". again: demand" in figure.description


def test_a_single_run_and_an_empty_one_are_drawn():
    for workload in (SURGED, ClientWorkload(0, 10)):
        single = simulate_clients(LIMIT, workload, "none", seeds=[0])
        assert texts(plot_clients(single))
        assert texts(plot_demand([single]))


def test_demand_is_drawn_against_goodput_and_attempts():
    curves = {
        name: sweep_demand(LIMIT, SURGED, name, [2, 4, 8], seeds=range(2)) for name in ("none", "full-jitter")
    }
    figure = plot_demand(curves)
    goodput, attempts = figure.axes

    demand, served = line(goodput, "none")
    assert [study.demand_per_s.mean for study in curves["none"]] == list(demand)
    assert [study.goodput_per_s.mean for study in curves["none"]] == list(served)
    assert [study.attempts_per_s.mean for study in curves["full-jitter"]] == list(
        line(attempts, "full-jitter")[1]
    )
    assert {"none", "full-jitter", "demand", "Demand, requests/s"} <= texts(figure)


def test_the_table_states_what_the_picture_shows(study):
    table = clients_table({"jitter": study})

    (row,) = table.rows
    assert len(table.columns) == len(row)
    assert "jitter" == row[0]
    assert row[2].startswith(f"{study.goodput_per_s.mean:.3g} ± ")
    assert "Means of 3 runs, and intervals of 95% confidence" == table.caption
    assert "full-jitter" == clients_table(study).rows[0][0]


def test_the_table_states_whether_the_clients_recover():
    """A queue longer than the clients wait: after a surge, retries keep it full."""
    queue, surge = LeakyBucket(50, "10/s"), TimeSpan(10, 10)
    workload = ClientWorkload("8/s", 60, surge=surge, surge_per_s="12/s")
    impatient = ClientPolicy(Backoff("200 ms"), timeout_s=2)
    alone = ClientPolicy(timeout_s=2, max_retries=0)
    studies = {
        name: simulate_clients(queue, workload, policy, seeds=range(3))
        for name, policy in {"storm": impatient, "calm": alone}.items()
    }
    studies["steady"] = simulate_clients(queue, ClientWorkload("8/s", 10), alone, seeds=[0])

    recovery = {row[0]: row[-1] for row in clients_table(studies).rows}

    assert "in no run" == recovery["storm"]
    assert recovery["calm"].endswith(" s")
    assert "no disturbance" == recovery["steady"]
    assert "recovery" in str(studies["storm"])


@pytest.mark.parametrize(
    "draw",
    [
        lambda study: plot_clients({}),
        lambda study: plot_clients({str(k): study for k in range(9)}),
        lambda study: plot_clients(study, theme="sepia"),
        lambda study: plot_clients({"a": study, "b": simulate_clients(LIMIT, ClientWorkload(1, 5), "none")}),
        lambda study: plot_demand({}),
        lambda study: plot_demand([]),
        lambda study: plot_demand({"a": []}),
        lambda study: clients_table({}),
    ],
)
def test_impossible_pictures_are_errors(study, draw: Any):
    with pytest.raises(LimitModelError):
        draw(study)
