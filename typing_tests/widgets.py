"""Uses of the calculator and the planner as users write them; mypy and pyright check the types.

A comment `type: ignore` is an error where the line is right, so it states that the line is wrong.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

from hook_widgets import RateLimitCalculator, VersionPlanner
from hook_widgets.ratelimit import Plan, Run, Scenario
from hook_widgets.versioning import Advisory, Api, TimelineRow

calc = RateLimitCalculator("1000/min", steady="10/s", burst=50, locked=["limits"])
assert_type(calc.steady, str)
assert_type(calc.preset, str)
assert_type(calc.limits, list[list[str]])
assert_type(calc.compare, bool)
calc.steady = "20/s"
calc.steady = 3
calc.latency_s = 0.25
calc.stedy = 3  # type: ignore[attr-defined]
calc.lattency_s  # type: ignore[attr-defined]  # noqa: B018
RateLimitCalculator("5/s", algorithm="token_bucket_wait", burst_allowance=10)
RateLimitCalculator("1000/min", stedy="10/s")  # type: ignore[call-arg]
assert_type(calc.scenario, Scenario | None)
assert_type(calc.plan, Plan | None)
assert_type(calc.run, Run | None)
assert_type(calc.export_html("limit.html"), Path)

planner = VersionPlanner([(1, "2026-03-02"), (2,)], zone="Europe/Berlin", months=9, locked=["months"])
assert_type(planner.zone, str)
assert_type(planner.versions, list[list[str]])
planner.months = 12
planner.at = datetime(2026, 11, 20, tzinfo=UTC)
planner.mnths = 12  # type: ignore[attr-defined]
assert_type(planner.api, Api | None)
assert_type(planner.timeline, tuple[TimelineRow, ...] | None)
assert_type(planner.advisories, tuple[Advisory, ...] | None)
