"""Plan what to configure for a published limit and the traffic that it has to serve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Unpack

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.planning.advice.alerts import Alert, alerts_for
from hook_widgets.ratelimit.planning.advice.claims import Advice
from hook_widgets.ratelimit.planning.advice.sentences import advise
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget, client_budgets
from hook_widgets.ratelimit.planning.input_parsing import Limits
from hook_widgets.ratelimit.planning.inputs import PlanArguments, PlanInputs, with_inputs
from hook_widgets.ratelimit.planning.metrics import Metric, PublishedLimit
from hook_widgets.ratelimit.planning.sizing import all_metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A recommended configuration with its reasons; look up a figure by ``plan["safe_rate"].value``.

    Attributes:
        inputs: the exact inputs.
        metrics: every figure by name, in display order.
        budgets: the budget of each client.
        alerts: the alerts to set up.
        advice: the verdict, at most three actions in order of their effect, and the reasons.
    """

    inputs: PlanInputs
    metrics: Mapping[str, Metric]
    budgets: tuple[ClientBudget, ...]
    alerts: tuple[Alert, ...]
    advice: tuple[Advice, ...]

    @classmethod
    def of(cls, inputs: PlanInputs) -> Plan:
        """Return the plan for these inputs."""
        metrics = MappingProxyType({metric.name: metric for metric in all_metrics(inputs)})
        budgets = client_budgets(inputs)
        return cls(
            inputs=inputs,
            metrics=metrics,
            budgets=budgets,
            alerts=alerts_for(metrics, rejects=not inputs.queued),
            advice=advise(inputs, metrics, budgets),
        )

    @property
    def binding(self) -> PublishedLimit:
        """The limit with the lowest sustained rate; all figures refer to it."""
        return self.inputs.binding

    def __getitem__(self, name: str) -> Metric:
        try:
            return self.metrics[name]
        except KeyError:
            raise InvalidLimit(f"the plan has no figure {name!r}; {nearest(name, self.metrics)}") from None

    def __str__(self) -> str:
        return "\n".join(map(str, self.advice))


@with_inputs(PlanInputs)
def plan(limit: Limits, **inputs: Unpack[PlanArguments]) -> Plan:
    """Plan the configuration for a limit. Figures that depend on omitted inputs are left out.

    Quantities are numbers (rates per second, durations in seconds) or text with a unit.

    Args:
        limit: a limit such as ``"1000/hour"`` (a plain number means requests per second), the name of a
            preset (``"pro"``, ``"github-user"``), or several limits that all apply together: a list, or a
            mapping with their names. ``"100/min per user"`` is a limit for each user; so ``per IP`` and
            ``per endpoint``.
        inputs: {inputs}

    Raises:
        InvalidLimit: an input is invalid; the message names the input and a remedy.

    >>> print(plan("1000/hour", clients=12, steady="500/hour"))
    Steady traffic of 500/h uses 50% of the limit of 1,000 per hour; it fits.
    Share one throttle among the 12 clients: if each sends at 850/h, they send 10,200/h together and at \
least 90.1% is rejected.
    Do not split the throttle among the 12 clients: the smallest part admits 1 request at once and \
rejects 37% of that client's traffic if it comes at random times.
    Throttle the clients at 850/h, capacity 5: the API then rejects nothing, whatever its algorithm.
    The budget of each of the 12 clients is 70.8/h, one call every 50.9 s.
    Plan for 850/h, 15% below the limit of 1,000 per hour.
    With that throttle at most 855 requests pass in any hour, within the limit of 1,000 per hour.
    No burst allowance is given, so the API is taken to admit its whole quota at once.
    """
    return Plan.of(PlanInputs.read(limit, inputs))
