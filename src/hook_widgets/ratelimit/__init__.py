"""Rate limits: decide exactly who gets through, and how long they wait.

>>> from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
>>> run = simulate(TokenBucket(10, "5/s"), Arrivals.steady("20/s", "2 s"))
>>> run.admitted.count(True), run.summary().rejected_fraction
(19, 0.525)
"""

from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.buckets import Gcra, LeakyBucket, TokenBucket
from hook_widgets.ratelimit.layers import Concurrency, Layers
from hook_widgets.ratelimit.limiter import Limiter
from hook_widgets.ratelimit.observed import Observed, observe
from hook_widgets.ratelimit.per import Per
from hook_widgets.ratelimit.plan import Plan, plan
from hook_widgets.ratelimit.presets import Preset, preset, presets
from hook_widgets.ratelimit.rejection import reject
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.simulate import simulate
from hook_widgets.ratelimit.summary import Summary
from hook_widgets.ratelimit.windows import FixedWindow, SlidingCounter, SlidingLog

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
