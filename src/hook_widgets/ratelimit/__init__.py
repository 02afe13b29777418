"""Rate limits: compute exactly which requests are admitted and how long they wait.

Import names from this package, or from `clients`, `configs`, `http` and `inference` inside it: their modules
are internal and may change. A name is loaded on first access, so that importing the package loads neither
matplotlib nor numba.

>>> from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
>>> run = simulate(TokenBucket(10, "5/s"), Arrivals.steady("20/s", "2 s"))
>>> run.admitted.count(True), run.summary().rejected_fraction
(19, 0.525)
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__, figure_error="LimitModelError")
