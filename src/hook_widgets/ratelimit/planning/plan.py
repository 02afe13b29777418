"""Plan what to configure for a published limit and the traffic that it has to serve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.planning.advice import advise
from hook_widgets.ratelimit.planning.alerts import Alert, alerts_for
from hook_widgets.ratelimit.planning.client_budgets import Share, shares_of
from hook_widgets.ratelimit.planning.inputs import Inputs, Limits, Weights, read_inputs
from hook_widgets.ratelimit.planning.metrics import Fact, Limit
from hook_widgets.ratelimit.planning.sizing import all_facts
from hook_widgets.ratelimit.units import Quantity


@dataclass(frozen=True, slots=True)
class Plan:
    """A recommended configuration with its reasons; look up a figure by ``plan["safe_rate"].value``.

    Attributes:
        inputs: the exact inputs.
        binding: the limit with the lowest sustained rate; all figures refer to it.
        facts: every figure by name, in display order.
        shares: the budget of each client.
        alerts: the alerts to set up.
        advice: sentences, the most urgent first.
    """

    inputs: Inputs
    binding: Limit
    facts: Mapping[str, Fact]
    shares: tuple[Share, ...]
    alerts: tuple[Alert, ...]
    advice: tuple[str, ...]

    def __getitem__(self, name: str) -> Fact:
        try:
            return self.facts[name]
        except KeyError:
            raise InvalidLimit(f"The plan has no figure {name!r}. {nearest(name, self.facts)}") from None

    def __str__(self) -> str:
        return "\n".join(self.advice)


def plan(
    limit: Limits,
    *,
    clients: Quantity | None = None,
    weights: Weights | None = None,
    cushion: Quantity = 0.15,
    steady: Quantity | None = None,
    burst: Quantity | None = None,
    burst_window_s: Quantity = 0,
    latency_s: Quantity | None = None,
    concurrency: Quantity | None = None,
    timeout_s: Quantity | None = None,
    retries: Quantity | None = None,
    capacity: Quantity | None = None,
) -> Plan:
    """Plan the configuration for a limit. Figures that depend on omitted inputs are left out.

    Args:
        limit: a limit such as ``"1000/hour"`` (a plain number means requests per second), the name of a
            preset (``"pro"``, ``"github-user"``), or several limits by name that all apply together.
        clients: number of clients that share the limit; 1 if omitted.
        weights: one number for each client instead of equal shares, such as ``{"web": 3, "batch": 1}``.
        cushion: safety margin below the limit; 0.1 to 0.2 is usual, and the advice points out other values.
        steady: steady traffic of all clients together, such as ``"700/hour"``.
        burst: requests of a burst on top of the steady traffic.
        burst_window_s: duration of the burst, as seconds or as text with a unit; all at once if omitted.
        latency_s: duration of a call.
        concurrency: maximum number of calls in flight per client.
        timeout_s: longest time that a client waits for a response.
        retries: number of further attempts of a client after a rejection.
        capacity: tokens of the bucket; if omitted, ten times the limit per second, or more if otherwise more
            than 1 % of steady traffic would be rejected.

    Raises:
        InvalidLimit: an input is invalid; the message names the input and a remedy.

    >>> print(plan("1000/hour", clients=12, steady="500/hour"))
    Steady traffic of 500/h uses 50 % of the limit of 1,000 per hour.
    Plan for 850/h, 15 % below the limit of 1,000 per hour.
    Give each of the 12 clients 70 requests per hour, one call every 50.9 s.
    If each of the 12 believes that the whole limit is its own, they send 10,200/h together and at least \
90.2 % is refused: share one budget.
    Refill the bucket at 850/h and let it hold 5 tokens.
    Of steady traffic at random times, a bucket of 5 refuses at most 1 %, one of 7 at most 0.1 %.
    Then at most 855 requests pass in any hour, within the limit of 1,000 per hour.
    """
    inputs = read_inputs(
        limit=limit,
        clients=clients,
        weights=weights,
        cushion=cushion,
        steady=steady,
        burst=burst,
        burst_window_s=burst_window_s,
        latency_s=latency_s,
        concurrency=concurrency,
        timeout_s=timeout_s,
        retries=retries,
        capacity=capacity,
    )
    facts = MappingProxyType({fact.name: fact for fact in all_facts(inputs)})
    shares = shares_of(inputs)
    return Plan(inputs, inputs.binding, facts, shares, alerts_for(facts), advise(inputs, facts, shares))
