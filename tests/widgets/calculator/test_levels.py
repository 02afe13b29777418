"""Limits for each user, IP address or endpoint in the calculator."""

from __future__ import annotations

from hook_widgets import RateLimitCalculator
from hook_widgets.widgets.static_html.limit import python_of
from tests.widgets.fake_tab import FakeTab


def test_a_limit_for_each_user_is_one_text():
    widget = RateLimitCalculator("100/min per user", users=12, steady="700/min")

    assert [["", "100/min per user"]] == widget.limits
    assert widget.plan is not None
    assert widget.run is not None
    assert "user" == widget.plan.binding.per
    assert {"1"} <= set(widget.run.record.trace.clients["user"])


def test_several_limits_can_be_listed():
    widget = RateLimitCalculator(["1000/min", "100/min per user"], users=12, steady="700/min")

    assert [["", "1000/min"], ["", "100/min per user"]] == widget.limits
    assert widget.plan is not None
    assert ["limit 1", "per user"] == [limit.name for limit in widget.plan.inputs.limits]


def test_the_code_of_a_widget_makes_the_same_limits():
    widget = RateLimitCalculator(["1000/min", "100/min per user"], users=12, steady="700/min")
    code = python_of(widget._values(), widget.trait_defaults(), {})

    assert "['1000/min', '100/min per user']" in code.replace('"', "'")
    again = eval(code, {"RateLimitCalculator": RateLimitCalculator})
    assert widget.limits == again.limits
    assert widget.users == again.users


def test_the_form_says_the_levels_and_which_inputs_belong_to_them():
    tab = FakeTab(RateLimitCalculator("100/min per user", users=12, steady="700/min"))
    catalog = tab.ask("catalog")["value"]

    assert ["ip", "user", "endpoint"] == [level["id"] for level in catalog["levels"]]
    levels = {field["name"]: field["level"] for field in catalog["fields"] if field["level"]}
    assert {"users": "user", "ips": "ip", "endpoints": "endpoint", "busiest_share": "any"} == levels
