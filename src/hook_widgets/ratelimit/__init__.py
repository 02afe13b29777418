"""Rate limits: compute exactly which requests are admitted and how long they wait.

>>> from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
>>> run = simulate(TokenBucket(10, "5/s"), Arrivals.steady("20/s", "2 s"))
>>> run.admitted.count(True), run.summary().rejected_fraction
(19, 0.525)
"""

from hook_widgets.ratelimit.http.observed import Observed, observe
from hook_widgets.ratelimit.http.rejection import reject
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import Gcra, LeakyBucket, TokenBucket
from hook_widgets.ratelimit.limiters.keyed import Per
from hook_widgets.ratelimit.limiters.layers import Concurrency, Layers
from hook_widgets.ratelimit.limiters.presets import Preset, preset, presets
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.planning.plan import Plan, plan
from hook_widgets.ratelimit.simulation.engine import simulate
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.simulation.summary import Summary
from hook_widgets.ratelimit.traffic.arrivals import Arrivals

__all__ = [
    "Arrivals",
    "Concurrency",
    "FixedWindow",
    "Gcra",
    "Layers",
    "LeakyBucket",
    "Limiter",
    "Observed",
    "Per",
    "Plan",
    "Preset",
    "Run",
    "SlidingCounter",
    "SlidingLog",
    "Summary",
    "TokenBucket",
    "observe",
    "plan",
    "preset",
    "presets",
    "reject",
    "simulate",
]
