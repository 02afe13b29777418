"""Sentences on the clients that share a limit: a common throttle, and the budget of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from hook_widgets.ratelimit.formatting import count, percent, seconds, short
from hook_widgets.ratelimit.planning.advice.claims import Advice, ClaimKind, action, claim, reason
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.levels import LEVELS
from hook_widgets.ratelimit.planning.metrics import Value
from hook_widgets.ratelimit.planning.sizing import safe_capacity, smallest_slice, tightest

NOTABLE_LOSS = 0.01
"""Share of traffic from which a loss is worth a sentence."""
_LISTED_CLIENTS = 3


def client_sentences(
    inputs: PlanInputs,
    values: Mapping[str, Value],
    budgets: tuple[ClientBudget, ...],
    rate: Callable[[Value], str],
) -> Iterator[Advice]:
    """Yield what several clients lose without a common throttle, and their budgets; `rate` formats a rate."""
    if inputs.clients == 1:
        return
    number = short(inputs.clients)
    loss, together = values.get("uncoordinated_rejected", 0), values.get("uncoordinated_rate", 0)
    if loss:
        of_one = inputs.client_concurrency_rate
        capped = of_one is not None and of_one < inputs.safe_rate
        each = "all have all their calls in flight" if capped else f"each sends at {rate(inputs.safe_rate)}"
        yield action(
            f"Share one throttle among the {number} clients: if {each}, they send "
            f"{rate(together)} together and at least {percent(loss, down=True)} is rejected.",
            claim(ClaimKind.TOGETHER_REJECTED, rate_per_s=together, share=loss),
        )
    if inputs.binding.per:
        yield reason(
            f"What the {number} clients lose without a common throttle is not planned for a limit"
            f"{inputs.binding.level}: it depends on which of them are one {LEVELS[inputs.binding.per]}."
        )
    sliced = values.get("client_rejected", 0)
    if sliced > NOTABLE_LOSS and inputs.steady is not None and inputs.steady <= inputs.usable_rate:
        slice_size = smallest_slice(inputs, int(values["capacity"]))
        yield action(
            f"Do not split the throttle among the {number} clients: the smallest part admits "
            f"{count(slice_size, 'request')} at once and rejects {percent(sliced)} of that client's "
            "traffic if it comes at random times.",
            claim(ClaimKind.BUCKET_LOSS, capacity=slice_size, load=values["load"], share=sliced),
        )
    for client_budget in budgets[:_LISTED_CLIENTS]:
        client = (
            f"each of the {short(client_budget.count)} clients"
            if client_budget.count > 1
            else client_budget.name
        )
        budget = rate(client_budget.rate_per_s)
        yield reason(
            f"The budget of {client} is {budget}, one call every {seconds(client_budget.delay_s)}.",
            claim(ClaimKind.BUDGET_FITS, rate_per_s=client_budget.rate_per_s, count=client_budget.count),
        )
    if len(budgets) > _LISTED_CLIENTS:
        others = len(budgets) - _LISTED_CLIENTS
        yield reason(f"The budgets of the other {others} clients are in the table.")
    if inputs.clients > safe_capacity(inputs) and not tightest(inputs).per:
        yield reason(
            f"Budgets alone do not suffice: if the calls of all {number} clients coincide, more arrive "
            "at once than the API always admits.",
            claim(ClaimKind.TOO_MANY_AT_ONCE, capacity=inputs.clients, rate_per_s=inputs.usable_rate),
        )
