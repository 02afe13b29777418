"""When a person should look: two alerts, and what the plan expects of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit.facts import Fact, Value
from hook_widgets.ratelimit.wording import percent

BUSY = Fraction(85, 100)
_REJECTIONS = Fraction(5, 100)
_SOURCE = "Planning guidance: alert at 5 % rejections of any client and at 85 % of the limit"


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert to set up.

    Attributes:
        name: its name in code.
        rule: when it goes off, as a sentence.
        threshold: a share of one; the alert goes off above it.
        expected: what the plan expects, or None without steady traffic.
        source: who says so.
    """

    name: str
    rule: str
    threshold: Fraction
    expected: Value | None
    source: str = _SOURCE

    @property
    def goes_off(self) -> bool | None:
        """Whether it goes off with the traffic of the plan; None when that is not known."""
        return None if self.expected is None else self.expected > self.threshold


def alerts_for(facts: Mapping[str, Fact]) -> tuple[Alert, ...]:
    """The alerts, with what these figures expect of them."""

    def expected(name: str) -> Value | None:
        return facts[name].value if name in facts else None

    return (
        Alert(
            "rejections",
            f"More than {percent(_REJECTIONS)} of the requests of any client get 429.",
            _REJECTIONS,
            expected("refused"),
        ),
        Alert(
            "utilisation",
            f"All clients together use more than {percent(BUSY)} of the limit.",
            BUSY,
            expected("utilisation"),
        ),
    )
