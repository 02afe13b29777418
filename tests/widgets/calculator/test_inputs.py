"""An input of the calculator is declared once: everything else follows from its entry in the record."""

# ruff: noqa: RUF009 -- Input.field returns a dataclass field

from __future__ import annotations

import inspect
from dataclasses import dataclass
from fractions import Fraction
from typing import get_type_hints

import pytest
import traitlets

from hook_widgets import RateLimitCalculator
from hook_widgets.errors import InvalidLimit, UnknownKeyword
from hook_widgets.ratelimit import plan
from hook_widgets.ratelimit.planning.inputs import (
    Input,
    PlanArguments,
    PlanInputs,
    ScenarioArguments,
    ScenarioInputs,
    inputs_of,
    with_inputs,
)
from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.slider_scale import times
from hook_widgets.ratelimit.units import duration
from hook_widgets.widgets.calculator import form
from tests.widgets.fake_tab import FakeTab


@dataclass(frozen=True, slots=True, kw_only=True)
class WithPause(ScenarioInputs):
    """The inputs of the calculator and one more."""

    pause_s: Fraction | None = Input(
        "Pause before a retry", "clients", "s", duration, "Time from a rejection to the next attempt.",
        placeholder="none", scale=lambda _: times("1 s", "1 min"),
    ).field()  # fmt: skip


@with_inputs(WithPause)
class Calculator(RateLimitCalculator):
    """The calculator with one more input.

    Args:
        inputs: {inputs}
    """

    input_labels = traitlets.Dict(form.labels(WithPause)).tag(sync=True)
    vars().update(form.traits(WithPause))
    lockable = (*RateLimitCalculator.lockable, "pause_s")
    record = WithPause

    def __init__(self, limit="100/s", **inputs):
        super().__init__(limit, **inputs)


@pytest.fixture
def tab():
    return FakeTab(Calculator(pause_s=2.5, steady="60/s"))


def frame(tab, **inputs):
    reply = tab.ask("frame", inputs=inputs, width=320, height=200, quick=True, ladders="")
    assert reply["ok"], reply
    return reply["value"]


def test_a_new_input_is_a_keyword_argument_and_a_trait(tab):
    heard = []
    tab.widget.observe(lambda change: heard.append(change.new), "pause_s")
    tab.widget.pause_s = 4
    tab.widget.set_state({"pause_s": "5 s"})

    assert ["4", "5 s"] == heard
    assert 5 == tab.widget.scenario.inputs.pause_s
    assert tab.widget.trait_metadata("pause_s", "sync")
    with pytest.raises(UnknownKeyword, match="did you mean 'pause_s'"):
        Calculator(pauses_s=3)


def test_a_new_input_is_documented_where_it_can_be_passed():
    assert None is inspect.signature(Calculator).parameters["pause_s"].default
    assert "pause_s: Time from a rejection to the next attempt." in str(Calculator.__doc__)


def test_a_new_input_is_a_field_of_the_form_with_a_slider(tab):
    (field,) = [each for each in tab.ask("catalog")["value"]["fields"] if each["name"] == "pause_s"]
    shown = frame(tab)
    steps = shown["scales"]["steps"]["pause_s"]

    assert {
        "name": "pause_s",
        "label": "Pause before a retry",
        "group": "clients",
        "help": "Time from a rejection to the next attempt.",
        "placeholder": "none",
        "optional": True,
        "level": "",
        "add": "",
    } == field
    assert "2.5 s" == tab.widget.pause_s == steps[shown["fields"]["pause_s"]["index"]]
    assert "Pause before a retry" == tab.widget.input_labels["pause_s"]


def test_a_new_input_travels_and_can_be_locked(tab):
    assert None is frame(tab, pause_s="30 s")["error"]
    locked = FakeTab(Calculator(pause_s=1, locked=["pause_s"]))
    locked.widget.set_state({"pause_s": "9 s"})

    assert "1 s" == locked.widget.pause_s
    assert None is frame(locked, pause_s="not a time")["error"]


def test_an_error_of_a_new_input_has_its_label_in_the_form_and_its_name_in_python(tab):
    assert {
        "field": "pause_s",
        "text": "Pause before a retry is zero; give a number above zero",
    } == frame(tab, pause_s="0")["error"]
    with pytest.raises(InvalidLimit, match=r"^pause_s is zero; give a number above zero$"):
        Calculator(pause_s=0)


def test_a_label_does_not_depend_on_what_a_user_writes(tab):
    text = frame(tab, steady="latency_s")["error"]["text"]

    assert text.startswith("Steady traffic cannot be read from 'latency_s'; write a rate")


def test_a_new_input_is_in_the_static_form_and_in_its_python(tab):
    html = tab.widget._full_document().fragment()

    assert "Pause before a retry" in html
    assert "pause_s='2.5 s'" in html


@pytest.mark.parametrize(
    ("record", "arguments"), [(PlanInputs, PlanArguments), (ScenarioInputs, ScenarioArguments)]
)
def test_type_checkers_know_the_arguments_of_a_record(record, arguments):
    assert set(inputs_of(record)) == set(get_type_hints(arguments))


@pytest.mark.parametrize(
    ("function", "record"),
    [(plan, PlanInputs), (scenario, ScenarioInputs), (RateLimitCalculator, ScenarioInputs)],
)
def test_jupyter_and_help_know_the_arguments_of_a_record(function, record):
    assert set(inputs_of(record)) <= set(inspect.signature(function).parameters)
    assert all(f"    {name}: " in function.__doc__ for name in inputs_of(record))


def test_every_input_has_a_label_of_its_own_and_a_help_text():
    entries = inputs_of(ScenarioInputs).values()

    assert len(entries) == len({entry.label for entry in entries})
    assert all(entry.help.endswith(".") and entry.placeholder for entry in entries)
