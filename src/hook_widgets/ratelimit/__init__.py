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
    "Run",
    "SlidingCounter",
    "SlidingLog",
    "Summary",
    "TokenBucket",
    "simulate",
]
