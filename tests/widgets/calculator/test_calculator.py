"""The calculator's kernel side, driven by a tab without a browser."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import hook_widgets
from hook_widgets.errors import (
    InvalidArgument,
    InvalidArrivals,
    InvalidLimit,
    LimitModelError,
    UnknownKeyword,
)
from hook_widgets.ratelimit import Arrivals, plan
from hook_widgets.ratelimit.configs import ExportTarget
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.presets import presets
from hook_widgets.ratelimit.planning.inputs import ScenarioInputs, inputs_of
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.traffic.workload import TrafficPattern
from hook_widgets.ratelimit.units import quota_and_window
from hook_widgets.widgets.calculator.widget import RateLimitCalculator
from tests.widgets.fake_tab import FakeTab

INPUTS = inputs_of(ScenarioInputs)
VIEW: dict[str, Any] = {
    "width": 640,
    "height": 360,
    "dpr": 1,
    "theme": "light",
    "quick": False,
    "scales": "",
}


@pytest.fixture
def tab():
    return FakeTab(RateLimitCalculator())


def inputs(tab: FakeTab, **changes: Any) -> dict[str, Any]:
    """All inputs, as a tab sends them."""
    return {name: getattr(tab.widget, name) for name in tab.widget.lockable} | changes


def frame(tab: FakeTab, view: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    reply = tab.ask("frame", inputs=inputs(tab, **changes), **(VIEW | (view or {})))
    assert reply["ok"], reply
    return reply["value"]


def picture(tab: FakeTab) -> Image.Image:
    """The picture of the last reply."""
    _, buffers = list(tab.replies.values())[-1]
    return Image.open(io.BytesIO(buffers[0]))


def test_the_widget_is_a_public_name_that_loads_on_use():
    assert RateLimitCalculator is hook_widgets.RateLimitCalculator


def test_a_frame_has_a_picture_of_the_size_that_was_asked_for(tab):
    shown = frame(tab, {"width": 700, "height": 300, "dpr": 2})

    assert {"width": 700, "height": 300, "quick": False} == {
        name: shown["picture"][name] for name in ("width", "height", "quick")
    }
    assert ((1400, 600), "PNG") == (picture(tab).size, picture(tab).format)
    assert "requests" in shown["picture"]["alt"]


def test_a_frame_says_the_same_as_the_scenario(tab):
    shown = frame(tab, burst_allowance="200")
    advice = shown["advice"]
    model = scenario(
        "100000/hour", burst_allowance=200, steady="18/s", burst=400, burst_every_s=60, clients=12,
        concurrency=4, latency_s="250 ms", timeout_s=30, seed=7,
    )  # fmt: skip

    planned = [each.text for each in model.plan.advice]
    assert advice["verdict"].startswith(f"{planned[0]} Sent without a throttle, 13.2% of the requests")
    assert planned[1 : 1 + len(advice["actions"])] == list(advice["actions"])
    assert planned[1 + len(advice["actions"]) :] == [text for text in advice["reasons"] if text in planned]
    refused = [card for card in shown["cards"] if card["title"] == "Rejected (429)"]
    assert [f"{model.summary.rejected} of {model.summary.offered:,} requests"] == [c["note"] for c in refused]
    assert [metric.title for metric in model.plan.metrics.values()] == [f["title"] for f in shown["metrics"]]


def test_a_frame_changes_no_input(tab):
    before = inputs(tab)
    frame(tab, burst_allowance="200", algorithm="sliding_log", compare=True)

    assert before == inputs(tab)


def test_a_quick_frame_has_the_picture_and_what_is_seen_at_a_glance(tab):
    frame(tab)
    shown = frame(tab, {"quick": True}, burst_allowance="200")

    assert {"error", "fields", "scales", "status", "cards", "picture"} == set(shown)
    assert (shown["picture"]["quick"], (640, 360)) == (True, picture(tab).size)


def test_the_code_of_a_frame_creates_the_same_calculator(tab):
    samples = {sample["title"]: sample["code"] for sample in frame(tab, burst_allowance="200")["code"]}
    again = eval(samples["This calculator in Python"], {"RateLimitCalculator": RateLimitCalculator})

    assert inputs(tab, burst_allowance="200") == {name: getattr(again, name) for name in inputs(tab)}
    assert "AsyncLimiter(" in samples["Throttle calls in Python (aiolimiter)"]


def test_a_frame_configures_each_target(tab):
    shown = frame(tab, limits=[["", "100/s per IP"]], burst_allowance="201")["configs"]
    configs = {config["target"]: config for config in shown}

    assert list(ExportTarget) == list(configs)
    assert "burst=200 nodelay" in configs["nginx"]["text"]
    assert 'limit-burst-multiplier: "2"' in configs["ingress-nginx"]["text"]
    assert configs["nginx"]["deviations"] == ("Times are whole milliseconds: 1 ms",)
    assert "kong has no token bucket; use a FixedWindow" == configs["kong"]["problem"]
    assert {"proxies", "gateways", "libraries"} == {config["kind"] for config in shown}
    assert all(bool(config["text"]) != bool(config["problem"]) for config in shown)


def test_comparing_shows_a_row_for_each_algorithm_and_names_the_one_of_the_rest(tab):
    shown = frame(tab, compare=True)
    single = [each["title"] for each in frame(tab)["headers"]]

    assert [algorithm.label for algorithm in LimitAlgorithm] == [row[0] for row in shown["table"]["rows"]]
    assert "state that an implementation stores for each key" in shown["table"]["note"]
    assert [f"Token bucket: {title}" for title in single] == [each["title"] for each in shown["headers"]]
    [note] = [card["note"] for card in shown["cards"] if card["title"] == "Rejected (429)"]
    assert note.startswith("Token bucket: ")


def test_everything_in_a_frame_can_travel(tab):
    assert json.dumps(frame(tab, compare=True, in_flight="3"), allow_nan=False)


@pytest.mark.parametrize("name", [name for name, entry in INPUTS.items() if not entry.initial])
def test_what_an_empty_field_shows_cannot_be_taken_for_a_value(name):
    empty, shown = (RateLimitCalculator("10/s", burst=20) for _ in range(2))
    setattr(empty, name, "")
    with suppress(LimitModelError):
        shown.set_state({name: INPUTS[name].placeholder})

    assert empty.plan is not None
    assert shown.plan is None or shown.plan.inputs == empty.plan.inputs


@pytest.mark.parametrize("field", INPUTS)
def test_a_bad_value_is_an_error_of_its_field_and_the_next_good_one_is_shown(tab, field):
    changes: dict[str, Any] = {field: "7 ?!"}
    wrong = frame(tab, **changes)

    assert field == wrong["error"]["field"]
    assert None is wrong["picture"]
    assert field not in wrong["error"]["text"].split(";")[0]
    assert (INPUTS[field].label if field != "weights" else "weight of '7'") in wrong["error"]["text"]
    assert [] == list(tab.replies.values())[-1][1]
    assert frame(tab)["picture"]


@pytest.mark.parametrize(
    ("limits", "field", "text"),
    [
        ([], "limits.0", "There is no limit; write one such as 1000/hour"),
        ([["", ""]], "limits.0", "Rate limit is empty"),
        ([["", "1000/fortnight"]], "limits.0", "no unit of time"),
        ([["a", "10/s"], ["b", "ten"]], "limits.1", "cannot be read"),
        ([["a", "10/s"], ["a", "9/s"]], "limits.1", "Two limits are called 'a'"),
    ],
)
def test_a_bad_limit_is_an_error_of_its_row(tab, limits, field, text):
    wrong = frame(tab, limits=limits)

    assert field == wrong["error"]["field"]
    assert text in wrong["error"]["text"]


def test_figures_and_formulas_say_a_rate_in_the_same_unit(tab):
    drawn = frame(tab, limits=[["", "100000/hour"]], clients="12")
    figures, formulas = dict(drawn["figures"]["rows"]), {row["title"]: row for row in drawn["metrics"]}

    assert "7,083/h" == figures["Budget of a client"] == formulas["Budget of a client"]["value"]
    assert all(figures[title] == row["value"] for title, row in formulas.items())


def test_numbers_out_of_any_range_are_an_error_and_very_large_ones_are_not(tab):
    assert "limits.0" == frame(tab, limits=[["", "1e400/s"]])["error"]["field"]
    assert "burst_allowance" == frame(tab, burst_allowance="1e300")["error"]["field"]
    assert None is frame(tab, burst_allowance="99999999999999")["error"]


def test_too_much_traffic_is_an_error_of_the_duration(tab):
    wrong = frame(tab, steady="1000000/s", duration_s="1 day")

    assert ("duration_s", True) == (wrong["error"]["field"], "shorten" in wrong["error"]["text"])


hostile = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


amounts = st.sampled_from(["0", "1", "7", "400", "1_0", "1_", "0.3", "1e9", "1e40", "1e-40", "-1"])
units = st.sampled_from(["", "/s", "/hour", " per 1.37 s", "/7 day", " %", " ns", " ms", " s", " day"])
nearly_right = st.fixed_dictionaries(
    {},
    optional={name: st.builds(str.__add__, amounts, units) for name in INPUTS}
    | {
        "limits": st.lists(st.tuples(st.text(max_size=3), st.builds(str.__add__, amounts, units)).map(list)),
        "algorithm": st.sampled_from(LimitAlgorithm).map(str),
        "pattern": st.sampled_from(TrafficPattern).map(str),
        "compare": st.booleans(),
    },
)


@given(
    args=st.fixed_dictionaries(
        {},
        optional={
            "inputs": nearly_right
            | st.dictionaries(st.sampled_from(RateLimitCalculator.lockable), hostile)
            | hostile,
            "width": hostile | st.just(10**400),
            "height": hostile,
            "dpr": hostile,
            "theme": hostile,
            "quick": st.booleans(),
            "scales": hostile,
        },
    )
)
def test_no_message_ends_the_conversation(args):
    tab = FakeTab(SHARED)
    reply = tab.ask("frame", **args)

    assert reply["ok"], reply


def test_sliders_get_their_steps_once_and_again_when_the_unit_changes(tab):
    first = frame(tab)["scales"]

    assert None is frame(tab, {"scales": first["id"]})["scales"]
    assert (
        "5000/min"
        in frame(tab, {"scales": first["id"]}, limits=[["", "70/min"]])["scales"]["steps"]["limits.0"]
    )


def test_a_slider_stands_at_the_step_nearest_to_its_text(tab):
    shown = frame(tab, cushion="12.4%", limits=[["", "1010/hour"]])
    steps = shown["scales"]["steps"]

    assert "12%" == steps["cushion"][shown["fields"]["cushion"]["index"]]
    assert "1000/hour" == steps["limits.0"][shown["fields"]["limits.0"]["index"]]
    assert None is shown["fields"]["seed"]["index"]


def test_an_empty_field_tells_what_is_planned_for_it(tab):
    shown = frame(tab)["fields"]

    # of the 15,000 that the window would leave, the burst needs 400, and the API admits 300 at once
    assert ("300", "2 min") == (shown["capacity"]["shown"], shown["duration_s"]["shown"])
    assert "100,000" == frame(tab, burst_allowance="")["fields"]["burst_allowance"]["shown"]


@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        ("latency_s", "250", "No unit: read as 4 min 10 s."),
        ("latency_s", "0.25", "No unit: read as 250 ms."),
        ("latency_s", "250 ms", ""),
        ("timeout_s", "1,000", "No unit: read as 16 min 40 s."),
        ("steady", "100", "No unit: read as 100/s."),
        ("steady", "100/min", ""),
        ("burst", "100", ""),
        ("burst_window_s", "0", ""),
        ("clients", "3", ""),
    ],
)
def test_a_time_or_a_rate_without_a_unit_tells_how_it_is_read(tab, name, text, note):
    assert note == frame(tab, **{name: text})["fields"][name]["note"]


def test_so_does_each_limit(tab):
    fields = frame(tab, limits=[["a", "100"], ["b", "2,000 per user"], ["c", "9/min"]])["fields"]

    notes = [fields[f"limits.{i}"]["note"] for i in range(3)]
    assert ["No unit: read as 100/s.", "No unit: read as 2,000/s.", ""] == notes


@pytest.mark.parametrize("limit", ["100000/hour", "3/day", "2.5M/s"])
def test_each_button_that_adds_an_input_sets_a_value_that_is_read(tab, limit):
    rows: dict[str, Any] = {
        "limits": [["", limit]],
        "burst_allowance": "",
        "burst": "",
        "timeout_s": "",
        "steady": "",
    }
    fields = frame(tab, **rows)["fields"]
    buttons = [each["name"] for each in tab.ask("catalog")["value"]["fields"] if each["add"]]
    suggested = {name: fields[name]["suggested"] for name in buttons}

    assert ["capacity", "timeout_s", "burst"] == buttons
    assert None is frame(tab, **(rows | suggested))["error"]


def test_a_suggested_burst_is_what_the_api_admits_at_once_as_far_as_that_is_quick(tab):
    assert "300" == frame(tab)["fields"]["burst"]["suggested"]
    assert "20000" == frame(tab, burst_allowance="")["fields"]["burst"]["suggested"]


@pytest.mark.parametrize("name", ["größe", "per\nuser"])
def test_a_limit_that_no_header_can_tell_has_a_picture_all_the_same(tab, name):
    shown = frame(tab, limits=[[name, "10/s"]])

    assert None is shown["error"]
    assert [0] * len(shown["headers"]) == [answer["status"] for answer in shown["headers"]]
    assert all("printable ASCII" in answer["body"] for answer in shown["headers"])


@pytest.mark.parametrize(("times_ns", "offered"), [((), "No requests"), ((0, 0), "No request is rejected")])
def test_traffic_of_ones_own_may_be_none_or_come_at_one_instant(times_ns, offered):
    shown = frame(FakeTab(RateLimitCalculator("10/s", steady="5/s", arrivals=Arrivals(times_ns))))

    assert (None, offered) == (shown["error"], shown["status"]["text"][: len(offered)])


def test_headers_show_the_sample_responses_to_clients(tab):
    headers = frame(tab)["headers"]

    assert [200, 429, 200, 503] == [answer["status"] for answer in headers]
    refusal = dict(headers[1]["lines"])
    assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= set(refusal)
    assert 429 == json.loads(headers[1]["body"])["status"]


@pytest.mark.parametrize("kind", ["png", "svg"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_can_be_saved(tab, kind, theme):
    reply = tab.ask("export", inputs=inputs(tab), format=kind, theme=theme)
    _, (data,) = list(tab.replies.values())[-1]

    assert f"rate-limit-token-bucket.{kind}" == reply["value"]["filename"]
    if kind == "png":
        assert "PNG" == Image.open(io.BytesIO(data)).format
    else:
        assert ElementTree.fromstring(data).tag.endswith("svg")


def test_the_values_of_the_picture_can_be_saved(tab):
    reply = tab.ask("export", inputs=inputs(tab), format="csv")
    _, (data,) = list(tab.replies.values())[-1]
    head, *rows = csv.reader(io.StringIO(bytes(data).decode()))

    assert ("rate-limit-token-bucket.csv", "text/csv") == tuple(reply["value"].values())
    assert ["time_s", "left", "admitted", "rejected", "queued"] == head
    assert 241 == len(rows)
    assert [float(cell) for cell in rows[-1]] >= [float(cell) for cell in rows[0]]


def test_the_comparison_can_be_saved(tab):
    reply = tab.ask("export", inputs=inputs(tab, compare=True), format="csv")
    _, (data,) = list(tab.replies.values())[-1]

    assert "rate-limit-comparison.csv" == reply["value"]["filename"]
    assert 6 == len(list(csv.reader(io.StringIO(bytes(data).decode()))))


def test_a_picture_of_bad_inputs_or_of_another_kind_is_not_saved(tab):
    assert "invalid_limit" == tab.ask("export", inputs=inputs(tab, steady="x"), format="png")["error"]["code"]
    assert "unknown_format" == tab.ask("export", inputs=inputs(tab), format="gif")["error"]["code"]


def test_the_catalog_names_every_input_with_its_label(tab):
    catalog = tab.ask("catalog")["value"]

    assert list(INPUTS) == [field["name"] for field in catalog["fields"]]
    assert [field["label"] for field in catalog["fields"]] == list(tab.widget.input_labels.values())
    assert {field["group"] for field in catalog["fields"]} == {group["id"] for group in catalog["groups"]}
    assert {"free", "github-user"} <= {preset["id"] for preset in catalog["presets"]}
    algorithms = {*(a.value for a in LimitAlgorithm), "token_bucket_wait", "unknown"}
    assert algorithms == {a["id"] for a in catalog["algorithms"]}


def test_every_algorithm_that_is_offered_has_a_picture_of_the_first_inputs(tab):
    for algorithm in tab.ask("catalog")["value"]["algorithms"]:
        assert frame(tab, algorithm=algorithm["id"], burst_allowance="")["error"] is None


def test_a_preset_stands_for_inputs_and_leaves_the_traffic_alone(tab):
    assert {
        "preset": "github-user",
        "limits": [["hourly", "5000/hour"], ["reads of one endpoint", "900/min"]],
        "algorithm": "fixed_window",
        "burst_allowance": "",
        "in_flight": "100",
    } == tab.ask("preset", name="github-user")["value"]["inputs"]
    assert {"preset": "enterprise"} == tab.ask("preset", name="enterprise")["value"]["inputs"]
    assert "nearest" not in (error := tab.ask("preset", name="git-hub")["error"])["text"]
    assert "invalid_limit" == error["code"]


@pytest.mark.parametrize("name", ["free", "github-user", "aws-api-gateway", "hubspot-professional"])
def test_a_preset_can_be_shown(tab, name):
    assert None is frame(tab, **tab.ask("preset", name=name)["value"]["inputs"])["error"]


# -- from Python ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, each in presets().items() if each.limits])
def test_every_preset_can_be_named_in_python(name):
    widget = RateLimitCalculator(name, latency_s="1 s")

    assert (name, list(map(list, presets()[name].limits.items()))) == (widget.preset, widget.limits)
    assert widget.plan is not None


@pytest.mark.parametrize("name", [name for name, each in presets().items() if each.limits])
def test_a_preset_has_the_same_result_as_in_the_core(name):
    """No latency is invented: GitHub publishes 100 requests at a time, and not how long one takes."""
    widget = RateLimitCalculator(name, steady="700/hour", burst=200)
    planned = scenario(name, steady="700/hour", burst=200)

    assert widget.plan is not None
    assert widget.run is not None
    assert planned.plan.advice == widget.plan.advice
    assert planned.run.summary().rejected == widget.run.summary().rejected
    facts = frame(FakeTab(widget))["preset"]["facts"]
    assert not [fact for fact in facts if fact["changed"] or "latency" in fact["text"]]


def test_a_latency_that_is_entered_counts_the_requests_in_flight_of_a_preset():
    widget = RateLimitCalculator("github-user", steady="700/hour", burst=200, latency_s="250 ms")
    tab = FakeTab(widget)

    assert "rejects at least 100" in frame(tab)["advice"]["verdict"]
    assert "not counted: enter the latency" in frame(tab, latency_s="")["advice"]["verdict"]
    assert "latency_s" == frame(tab, latency_s="", in_flight="50")["error"]["field"]


def test_arguments_may_be_numbers_or_text():
    widget = RateLimitCalculator(
        10, steady=8, latency_s=0.25, cushion=0.2, weights={"web": 3, "batch": 1}, burst=40, timeout_s="3 s"
    )

    assert (["", "10/s"], "8/s", "0.25 s", "0.2") == (
        widget.limits[0], widget.steady, widget.latency_s, widget.cushion,
    )  # fmt: skip
    expected = plan(
        10, steady=8, latency_s=0.25, cushion=0.2, weights={"web": 3, "batch": 1}, burst=40, timeout_s=3
    )
    assert widget.plan is not None
    assert expected.advice == widget.plan.advice


def test_the_name_of_a_preset_is_a_limit():
    widget = RateLimitCalculator("github-user", steady="1/s")

    assert ("github-user", [["hourly", "5000/hour"], ["reads of one endpoint", "900/min"]], "100") == (
        widget.preset, widget.limits, widget.in_flight,
    )  # fmt: skip


def test_a_limit_alone_begins_with_traffic_that_fits_it():
    widget = RateLimitCalculator({"short": "10/s", "daily": "86400/day"})

    assert widget.plan is not None
    assert 0.65 == float(widget.plan["utilisation"].value)
    assert ["65/s", "3250/hour", "0.65 per 2 s"] == [
        RateLimitCalculator(limit).steady for limit in ("100/s", "5000/hour", "0.5/s")
    ]


def test_fractions_are_taken_exactly():
    widget = RateLimitCalculator(Fraction(1, 3), steady=Fraction(1, 7), latency_s=Fraction(1, 4))

    assert widget.plan is not None
    assert (Fraction(1, 3), Fraction(1, 7), Fraction(1, 4)) == (
        widget.plan["limit_rate"].value,
        widget.plan.inputs.steady,
        widget.plan.inputs.latency_s,
    )


def test_code_reads_plan_run_and_figure():
    widget = RateLimitCalculator("10/s", burst=40, burst_allowance=30)

    assert widget.run is not None
    assert (30, 10) == (widget.run.admitted.count(True), widget.run.admitted.count(False))
    assert widget.figure.axes
    assert widget.scenario is widget.scenario


def test_an_input_that_is_set_in_python_counts_at_once():
    widget = RateLimitCalculator("10/s", burst=40, burst_allowance=30)
    widget.burst_allowance = 35

    assert "35" == widget.burst_allowance
    assert widget.run is not None
    assert 5 == widget.run.admitted.count(False)
    with pytest.raises(InvalidLimit, match="burst_allowance must be a number"):
        widget.burst_allowance = object()


def test_while_an_input_cannot_be_used_there_is_no_plan():
    widget = RateLimitCalculator("10/s")
    widget.set_state({"steady": "fast"})  # as a browser sets it

    assert (None, None, None) == (widget.plan, widget.run, widget.figure)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("steady", "fast", "steady cannot be read from 'fast'"),
        ("algorithm", "token bucket", "did you mean 'token_bucket'"),
        ("limits", [["", "1000/month"]], "write '1000/30 day'"),
        ("limit", "1000 per calendar day", "write '1000/day'"),
        ("weights", [3, -1], "weight 2 is negative"),
        ("weights", 5, "weights must be one number for each client"),
        ("limit", b"10/s", "limit must be a number or text such as '100/s', not bytes"),
        ("steady", True, "steady must be a number or text such as '100/s', not bool"),
    ],
)
def test_a_wrong_value_that_code_assigns_is_an_error_and_changes_nothing(name, value, text):
    widget = RateLimitCalculator("10/s", steady="7/s")
    before = getattr(widget, name)
    with pytest.raises(InvalidLimit, match=text):
        setattr(widget, name, value)

    assert before == getattr(widget, name)
    assert None is not widget.plan


def test_a_duration_may_be_a_timedelta():
    widget: Any = RateLimitCalculator("10/s", burst=5, latency_s=timedelta(milliseconds=250))
    widget.duration_s = timedelta(hours=1)

    assert ("0.25 s", "3600 s") == (widget.latency_s, widget.duration_s)


def test_inputs_can_be_assigned_as_they_are_passed():
    widget: Any = RateLimitCalculator("10/s", steady="7/s")
    widget.weights = {"web": 3, "batch": 1}
    widget.limits = ["10/s", "300/min"]

    assert ("web 3, batch 1", ["10/s", "300/min"]) == (widget.weights, widget.limit)


def test_an_error_that_a_browser_left_does_not_stop_other_assignments():
    widget = RateLimitCalculator("10/s", steady="7/s")
    widget.set_state({"steady": "fast"})
    widget.clients = 3

    assert ("3", None) == (widget.clients, widget.plan)
    widget.steady = "6/s"
    assert None is not widget.plan


def test_the_limit_can_be_assigned():
    widget = RateLimitCalculator("github-user", steady="700/hour")
    widget.limit = "500/hour"

    assert ("500/hour", "", [["", "500/hour"]]) == (widget.limit, widget.preset, widget.limits)
    assert "500" in str(widget.plan)
    widget.limit = {"a": "10/s", "b": "90/min"}
    assert {"a": "10/s", "b": "90/min"} == widget.limit
    with pytest.raises(InvalidLimit, match="cannot be read from '5 oranges'"):
        widget.limit = "5 oranges"
    assert {"a": "10/s", "b": "90/min"} == widget.limit


def test_a_tier_without_a_limit_says_that_the_values_before_count():
    tab = FakeTab(RateLimitCalculator("aws-api-gateway"))
    shown = frame(tab, preset="enterprise")

    (fact,) = shown["preset"]["facts"]
    assert "until you enter it, the values that were there before count" in fact["text"]


def test_a_preset_that_is_assigned_sets_its_limits():
    widget = RateLimitCalculator("1000/hour", steady="700/hour")
    widget.preset = "github-user"

    assert ([["hourly", "5000/hour"]], "github-user") == (widget.limits[:1], widget.limit)
    widget.preset = "shopify-rest"
    assert "40" == widget.burst_allowance
    widget.limit = "7/s"
    assert "" == widget.burst_allowance
    with pytest.raises(InvalidLimit, match="there is no preset 'github-usr'; did you mean 'github-user'"):
        widget.preset = "github-usr"
    assert "" == widget.preset


@pytest.mark.parametrize(
    ("preset", "changes", "expected"),
    [
        ("github-user", {}, []),
        ("github-user", {"steady": "1/s", "clients": "3", "burst_allowance": "7"}, []),
        ("github-user", {"in_flight": "50"}, ["Max concurrency (API) (published: 100)"]),
        ("github-user", {"in_flight": " 100"}, []),
        ("github-user", {"algorithm": "sliding_log"}, ["Algorithm (published: Fixed window)"]),
        ("github-user", {"algorithm": "unknown"}, ["Algorithm (published: Fixed window)"]),
        ("discord", {"algorithm": "sliding_log"}, []),
        ("aws-api-gateway", {"burst_allowance": ""}, ["Burst allowance (published: 5,000)"]),
        ("", {"in_flight": "50"}, []),
    ],
)
def test_a_frame_tells_what_differs_from_what_the_preset_publishes(preset, changes, expected):
    tab = FakeTab(RateLimitCalculator(preset or "1000/hour", latency_s=0.1))
    assert preset == tab.widget.preset

    shown = frame(tab, **changes)["preset"]

    assert preset == shown["id"]
    changed = [fact["text"] for fact in shown["facts"] if fact["changed"]]
    assert [f"Changed: {', '.join(expected)}."] * bool(expected) == changed


@pytest.mark.parametrize(
    ("preset", "changes", "expected"),
    [
        ("pro", {}, []),
        (
            "aws-api-gateway",
            {},
            [
                "Best effort; 2,500/s with a burst of 1,250 in some regions; can be raised.",
                (
                    "Published, read 2026-11-21: limits, algorithm (token bucket), burst allowance (5,000). "
                    "https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html"
                ),
            ],
        ),
        (
            "stripe-sandbox",
            {},
            [
                "Published, read 2026-11-21: limits. https://docs.stripe.com/rate-limits",
                "Published: algorithm (token bucket). https://stripe.com/blog/rate-limiters",
                "Not published, so assumed: burst allowance (25, the whole quota).",
            ],
        ),
        (
            "slack-tier-4",
            {"burst_allowance": "9"},
            [
                "The least that is allowed, for each method, workspace and app.",
                "Published, read 2026-11-21: limits. https://docs.slack.dev/apis/web-api/rate-limits",
                "Not published, so assumed: algorithm (any of the five), burst allowance (9).",
            ],
        ),
        (
            "slack-tier-4",
            {"algorithm": "sliding_log"},
            [
                "The least that is allowed, for each method, workspace and app.",
                "Published, read 2026-11-21: limits. https://docs.slack.dev/apis/web-api/rate-limits",
                "Not published, so assumed: algorithm (sliding log), burst allowance (100, the whole quota).",
            ],
        ),
    ],
)
def test_a_frame_tells_what_of_a_preset_is_published_where_and_what_is_assumed(preset, changes, expected):
    facts = frame(FakeTab(RateLimitCalculator(preset)), **changes)["preset"]["facts"]

    assert expected == [f"{fact['text']} {fact['source']}".strip() for fact in facts]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, ""),
        ({"compare": True}, "Token bucket: "),
        ({"algorithm": "unknown"}, "Strictest, fixed window: "),
    ],
)
def test_configurations_and_responses_name_the_algorithm_where_several_are_compared(changes, name):
    shown = frame(FakeTab(RateLimitCalculator("10/s", burst=40, burst_allowance=30)), **changes)

    assert f"{name}Enforce the limit" == shown["configs_title"]
    assert all(each["title"].startswith(name) for each in shown["headers"])


def test_what_a_browser_sends_for_a_preset_is_not_changed():
    widget = RateLimitCalculator("1000/hour", steady="700/hour")
    widget.set_state({"preset": "github-user", "limits": [["", "7/hour"]], "steady": "fast"})

    assert [["", "7/hour"]] == widget.limits
    assert None is widget.plan


def test_traffic_of_ones_own_takes_the_place_of_patterns():
    tab = FakeTab(RateLimitCalculator("2/s", burst_allowance=1, arrivals=Arrivals.from_times([0, 0.1, 5])))

    assert [] == tab.ask("catalog")["value"]["patterns"]
    assert [True, False, True] == tab.widget.run.admitted
    assert "1 of 3 requests" in [card["note"] for card in frame(tab)["cards"]]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"limit": "fast"}, InvalidLimit, "no preset 'fast'"),
        ({"limit": "enterprise"}, InvalidLimit, "agreed with each customer"),
        ({"steady": "-1/s"}, InvalidLimit, "steady is negative"),
        ({"steady": "1e6/s", "duration_s": "1 day"}, InvalidArrivals, "shorten the duration"),
        ({"stedy": "1/s"}, UnknownKeyword, "did you mean 'steady'"),
        ({"locked": ["everything"]}, UnknownKeyword, "no field 'everything'"),
        ({"algorithm": "token bucket"}, InvalidLimit, "did you mean 'token_bucket'"),
        ({"algorithm": "q"}, InvalidLimit, "token_bucket, token_bucket_wait, unknown"),
        ({"algorithm": "not known"}, InvalidLimit, "did you mean 'unknown'"),
        ({"preset": "pro"}, UnknownKeyword, r"RateLimitCalculator\('pro'\)"),
        ({"locked": "all"}, InvalidArgument, r"must be a list of names, such as \['preset'\]"),
        ({"locked": "seed"}, InvalidArgument, r"must be a list of names, such as \['seed'\]"),
        ({"limit": b"10/s"}, InvalidLimit, "limit must be a number or text such as '100/s', not bytes"),
        ({"limit": {1: "10/s"}}, InvalidLimit, "the name of a limit must be text, not int"),
        ({"steady": [1]}, InvalidLimit, "steady must be a number or text such as '100/s', not list"),
        ({"steady": True}, InvalidLimit, "steady must be a number or text such as '100/s', not bool"),
        ({"weights": 5}, InvalidLimit, "weights must be one number for each client"),
        ({"steady": timedelta(seconds=1)}, InvalidLimit, "steady must be a number or text"),
        ({"arrivals": [1, 2]}, InvalidArrivals, "arrivals must be Arrivals, .*, not list"),
    ],
)
def test_what_cannot_be_is_said_when_the_widget_is_made(arguments, error, text):
    with pytest.raises(error, match=text):
        RateLimitCalculator(**arguments)


def test_a_name_that_code_locks_later_is_checked_too():
    widget = RateLimitCalculator("10/s", locked=["seed"])
    with pytest.raises(UnknownKeyword, match="did you mean 'steady'"):
        widget.locked = ["stedy"]

    assert ["seed"] == widget.locked


def test_locked_inputs_stay_as_the_author_set_them():
    tab = FakeTab(
        RateLimitCalculator("10/s", burst=40, burst_allowance=30, locked=["burst_allowance", "limits"])
    )
    tab.widget.set_state({"burst_allowance": "1000", "burst": "50"})

    assert ("30", "50") == (tab.widget.burst_allowance, tab.widget.burst)
    assert "20 of 50 requests" in [card["note"] for card in frame(tab, burst_allowance="1000")["cards"]]


def test_the_widget_says_what_it_is():
    assert "RateLimitCalculator('10/s', algorithm='token_bucket', steady='6/s')" == repr(
        RateLimitCalculator("10/s", steady="6/s")
    )


SHARED = RateLimitCalculator("10/s", burst=40, burst_allowance=30)


def test_traffic_to_begin_with_does_not_depend_on_the_other_inputs():
    widget = RateLimitCalculator("100/s", clients=4)

    assert ("65/s", "4") == (widget.steady, widget.clients)
    assert "" == RateLimitCalculator("100/s", burst=5).steady


def test_the_limit_of_a_preset_keeps_its_name():
    tab = FakeTab(RateLimitCalculator("github-anonymous", burst=100, latency_s="1 s"))

    assert [["per IP address", "60/hour"]] == tab.widget.limits
    assert "per IP address" in frame(tab)["status"]["text"]


def test_a_frame_parses_the_text_of_each_limit_once(tab, monkeypatch):
    texts = []

    def parse(value: Any, *args: Any, **options: Any) -> tuple[Fraction, Fraction]:
        texts.append(value)
        return quota_and_window(value, *args, **options)

    for module in ("units", "planning.metrics"):
        monkeypatch.setattr(f"hook_widgets.ratelimit.{module}.quota_and_window", parse)
    limits = [["burst", "31/s"], ["", "997/min per user"]]
    changed = frame(tab, limits=limits, steady="7/s")
    assert None is changed["error"]
    frame(tab, limits=limits, steady="7/s")

    assert {"31/s": 1, "997/min": 1, "7/s": 1} == {
        text: texts.count(text) for text in ("31/s", "997/min", "7/s")
    }
