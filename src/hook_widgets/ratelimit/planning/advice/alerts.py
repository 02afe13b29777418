"""The two recommended alerts, each with the value that the plan expects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit.formatting import percent
from hook_widgets.ratelimit.planning.metrics import Metric, Value

BUSY = Fraction(85, 100)
REJECTIONS = Fraction(5, 100)
_SOURCE = "Planning guidance: alert at 5% rejections of any client and at 85% of the limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert to set up.

    Attributes:
        name: the identifier.
        rule: the condition of the alert, as a sentence.
        threshold: a fraction of one; the alert is triggered above it.
        expected: the value that the plan expects, or None without steady traffic.
        source: the guidance behind the rule.
    """

    name: str
    rule: str
    threshold: Fraction
    expected: Value | None
    source: str = _SOURCE

    @property
    def goes_off(self) -> bool | None:
        """True if the traffic of the plan triggers the alert; None if that is unknown."""
        return None if self.expected is None else self.expected > self.threshold


def alerts_for(metrics: Mapping[str, Metric], *, rejects: bool) -> tuple[Alert, ...]:
    """Return the alerts with the values that these figures predict; none on rejections if there are none."""

    def expected(name: str) -> Value | None:
        return metrics[name].value if name in metrics else None

    rejections = Alert(
        name="rejections",
        rule=f"More than {percent(REJECTIONS)} of the requests of any client get 429.",
        threshold=REJECTIONS,
        expected=expected("client_rejected"),
    )
    utilisation = Alert(
        name="utilisation",
        rule=f"All clients together use more than {percent(BUSY)} of the limit.",
        threshold=BUSY,
        expected=expected("utilisation"),
    )
    return (rejections, utilisation) if rejects else (utilisation,)
