"""Attributes of a widget: those of its class can be assigned, others are an error."""

from __future__ import annotations

import pytest

from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator


@pytest.mark.parametrize(
    ("widget", "name", "hint"),
    [
        (RateLimitCalculator, "stedy", "did you mean 'steady'?"),
        (RateLimitCalculator, "lattency_s", "did you mean 'latency_s'?"),
        (VersionPlanner, "mnths", "did you mean 'months'?"),
        (lambda: WebhookGenerator("github"), "providr", "did you mean 'provider'?"),
    ],
)
def test_an_unknown_attribute_is_an_error_that_names_the_nearest(widget, name, hint):
    shown = widget()

    with pytest.raises(AttributeError) as caught:
        setattr(shown, name, 3)

    assert f"{type(shown).__name__} has no attribute {name!r}; {hint}" == str(caught.value)
    assert not hasattr(shown, name)


def test_inputs_and_attributes_of_every_widget_can_be_assigned():
    calculator = RateLimitCalculator("1000/min")

    calculator.steady = 3
    calculator.layout.width = "50%"
    setattr(calculator, "_tags", ["api"])  # noqa: B010 - type checkers do not know it

    assert ("3", "50%", ["api"]) == (calculator.steady, calculator.layout.width, vars(calculator)["_tags"])
