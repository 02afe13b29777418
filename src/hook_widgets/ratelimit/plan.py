"""From a published limit and one's own traffic to what to configure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.advice import advise
from hook_widgets.ratelimit.alerts import Alert, alerts_for
from hook_widgets.ratelimit.clients import Share, shares_of
from hook_widgets.ratelimit.facts import Fact, Limit
from hook_widgets.ratelimit.inputs import Inputs, Limits, Weights, read_inputs
from hook_widgets.ratelimit.quantity import Quantity
from hook_widgets.ratelimit.sizing import all_facts


@dataclass(frozen=True, slots=True)
class Plan:
    """What to configure, and why. Look a figure up by its name: ``plan["safe_rate"].value``.

    Attributes:
        inputs: the numbers put in, exactly.
        binding: the limit that allows the least in the long run; all figures are about it.
        facts: every figure by name, in reading order.
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
    """Plan for a limit. Whatever is not given is left out of the plan.

    Args:
        limit: such as ``"1000/hour"`` (a plain number is a second's), the name of a preset (``"pro"``,
            ``"github-user"``), or several limits by name that all hold at once.
        clients: how many share the limit; 1 when left out.
        weights: instead of equal shares one number for each client, such as ``{"web": 3, "batch": 1}``.
        cushion: how far to stay below the limit; 0.1 to 0.2 is usual, anything else is said.
        steady: steady traffic of all clients together, such as ``"700/hour"``.
        burst: requests that come on top of it.
        burst_window_s: the time within which they come, in seconds or text; all at once when left out.
        latency_s: how long a call takes.
        concurrency: calls that each client may have in flight.
        timeout_s: how long a client waits for its answer.
        retries: how often a client tries again after a refusal.
        capacity: tokens of the bucket; when left out ten times the limit per second, or more where losses of
            steady traffic would be above 1 %.

    Raises:
        InvalidLimit: a number that cannot be; says which and what to do.

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
    given = read_inputs(
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
    facts = MappingProxyType({fact.name: fact for fact in all_facts(given)})
    shares = shares_of(given)
    return Plan(given, given.binding, facts, shares, alerts_for(facts), advise(given, facts, shares))
