"""Write the advice of a plan: sentences that name the binding limit, the most urgent first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit import formatting
from hook_widgets.ratelimit.formatting import count, percent, seconds, short, window
from hook_widgets.ratelimit.planning.alerts import BUSY
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.metrics import Metric, PublishedLimit, Value
from hook_widgets.ratelimit.planning.sizing import tightest

_USUAL_CUSHION = (Fraction(1, 10), Fraction(1, 5))
_LISTED_CLIENTS = 8


def advise(
    inputs: PlanInputs, metrics: Mapping[str, Metric], budgets: tuple[ClientBudget, ...]
) -> tuple[str, ...]:
    """Return the sentences for the available figures."""
    return tuple(
        _Adviser(inputs, {name: metric.value for name, metric in metrics.items()}, budgets).sentences()
    )


@dataclass(frozen=True, slots=True)
class _Adviser:
    inputs: PlanInputs
    values: Mapping[str, Value]
    budgets: tuple[ClientBudget, ...]

    def sentences(self) -> Iterator[str]:
        yield from self.traffic()
        yield from self.limits()
        yield from self.cushion()
        yield from self.clients()
        yield from self.burst()
        yield from self.queue()
        yield from self.concurrency()
        yield from self.bucket()

    def rate(self, per_s: Value) -> str:
        return formatting.rate(per_s, window_s=self.inputs.binding.window_s)

    def traffic(self) -> Iterator[str]:
        inputs, limit = self.inputs, self.inputs.binding
        if inputs.steady is None:
            return
        used = inputs.steady / limit.rate_per_s
        start = f"Steady traffic of {self.rate(inputs.steady)} uses {percent(used)} of {_named(limit)}"
        if used > 1:
            needed = inputs.steady / (1 - inputs.cushion)
            yield (
                f"{start}: in the long run at least {percent(1 - 1 / used)} of it gets 429, whatever is "
                "configured. "
                f"Slow down to {self.rate(inputs.safe_rate)} or ask for a limit of {self.rate(needed)}."
            )
            if inputs.retries:
                yield (
                    f"With up to {count(inputs.retries, 'retry', 'retries')} each, "
                    f"{short(self.values['retry_factor'])} times the limit arrives and no more gets through: "
                    "wait as long as Retry-After says, and spread the retries at random."
                )
        elif used > BUSY:
            alert = f"above the {percent(BUSY)} at which to raise an alert"
            yield f"{start}, {alert}: ask for more before traffic grows."
        elif inputs.steady > inputs.safe_rate:
            yield f"{start} and more than the safe rate: a smaller cushion or a higher limit is needed."
        else:
            yield f"{start}."

    def limits(self) -> Iterator[str]:
        inputs, limit = self.inputs, self.inputs.binding
        below = f"{percent(inputs.cushion)} below" if inputs.cushion else "the whole of"
        plan = f"Plan for {self.rate(inputs.safe_rate)}, {below} {_named(limit)}."
        others = [other for other in inputs.limits if other is not limit]
        if not others:
            yield plan
            return
        allowed = ", ".join(f"{other.name!r} {formatting.rate(other.rate_per_s)}" for other in others)
        yield f"{plan} It is the limit that binds in the long run; {allowed} would be allowed."
        shorter = [other for other in others if other.window_s < limit.window_s]
        if shorter:
            shortest = min(shorter, key=lambda other: other.window_s)
            quota = f"{count(shortest.quota, 'request')} {window(shortest.window_s)}"
            yield f"In a burst {shortest.name!r} binds first: {quota}."

    def cushion(self) -> Iterator[str]:
        low, high = _USUAL_CUSHION
        cushion, limit = self.inputs.cushion, self.inputs.binding
        if cushion < low:
            yield (
                f"A cushion of {percent(cushion)} is below the usual 10 to 20 %: clocks that differ a "
                "little, or another program with the same key, are enough for a 429."
            )
        elif cushion > high:
            unused = f"{short((cushion - high) * limit.quota)} more requests {window(limit.window_s)}"
            yield (
                f"A cushion of {percent(cushion)} is above the usual 10 to 20 %: it leaves {unused} unused "
                "than 20 % would."
            )

    def clients(self) -> Iterator[str]:
        inputs, span = self.inputs, window(self.inputs.binding.window_s)
        if inputs.clients == 1:
            yield f"Leave at least {seconds(1 / inputs.safe_rate)} between two calls."
            return
        for client_budget in self.budgets[:_LISTED_CLIENTS]:
            client = (
                f"each of the {short(client_budget.count)} clients"
                if client_budget.count > 1
                else client_budget.name
            )
            budget = f"{count(client_budget.quota, 'request')} {span}, " if client_budget.quota else ""
            yield f"Give {client} {budget}one call every {seconds(client_budget.delay_s)}."
        if len(self.budgets) > _LISTED_CLIENTS:
            yield f"The budgets of the other {len(self.budgets) - _LISTED_CLIENTS} clients are in the table."
        loss = self.values["uncoordinated_rejected"]
        if loss:
            yield (
                f"If all {short(inputs.clients)} use the full limit, they send "
                f"{self.rate(self.values['uncoordinated_rate'])} together and at least {percent(loss)} is "
                "rejected: share one budget."
            )

    def burst(self) -> Iterator[str]:
        inputs, values = self.inputs, self.values
        if inputs.burst is None:
            return
        span = f" within {seconds(inputs.burst_window_s)}" if inputs.burst_window_s else " at once"
        start = f"A burst of {short(inputs.burst)}{span}"
        backlog, recover = values["burst_backlog"], values["burst_recover_s"]
        if not backlog:
            yield f"{start} goes through at the safe rate without waiting."
            return
        waiting = f"{start} leaves {count(math.ceil(backlog), 'request')} waiting"
        if recover == math.inf:
            yield (f"{waiting} that never drain, because steady traffic leaves no room. Slow down first.")
            return
        yield f"{waiting}; draining takes {seconds(recover)}."
        even = ", as long as steady traffic comes evenly" if inputs.steady else ""
        rejected, bucket = (
            values["burst_rejected"],
            f"a token bucket of {short(values['capacity'])}, when full,",
        )
        if not rejected:
            yield f"Without a queue, {bucket} lets all pass{even}."
            return
        yield f"Without a queue, {bucket} rejects {short(rejected)} of them."
        needed, tight = values["burst_capacity"], tightest(inputs)
        if needed <= values["capacity_window"]:
            limit_kept = f"and still keeps {_named(tight)} in any window"
            yield f"A bucket of {short(needed)} lets all pass {limit_kept}{even}."
        else:
            yield (
                f"To let all pass it needs {count(needed, 'token')}, which can break {_named(tight)}: "
                "queue the burst, spread it, or ask for a higher limit."
            )

    def queue(self) -> Iterator[str]:
        values = self.values
        if self.inputs.timeout_s is None:
            return
        size, timeout, latency = values["queue_size"], seconds(self.inputs.timeout_s), self.inputs.latency_s
        if latency is not None and latency > self.inputs.timeout_s:
            yield (
                f"The latency of {seconds(latency)} is longer than the timeout of {timeout}: no client gets "
                "a response, even without a queue. Give clients a longer timeout."
            )
            return
        if not size:
            yield (
                f"No request can wait: within the timeout of {timeout} not one more is served. "
                "Reject at once instead of queueing, or give clients a longer timeout."
            )
            return
        yield (
            f"Let at most {count(size, 'request')} wait: the last of them then goes within "
            f"{seconds(values['queue_wait_s'])}, inside the client's timeout of {timeout}."
        )
        if "wait_md1_s" not in values:
            return
        yield (
            f"Of steady traffic at random times, the mean wait is {seconds(values['wait_queue_s'])} and the "
            f"full queue rejects {percent(values['queue_rejected'])}."
        )
        if values["wait_md1_s"] == math.inf:
            yield "At this load a longer queue only adds waiting."

    def concurrency(self) -> Iterator[str]:
        inputs, values = self.inputs, self.values
        if inputs.latency_s is None:
            return
        latency, scope = seconds(inputs.latency_s), " per client" if inputs.clients > 1 else ""
        number = values["concurrency_each"]
        needed = f"{count(number, 'call')} in flight{scope}"
        if inputs.concurrency is None:
            enough = "is enough" if number == 1 else "are enough"
            yield f"At {latency} a call, {needed} {enough} for the safe rate (Little's law)."
            return
        allowed = self.rate(values["concurrency_rate"])
        if values["concurrency_rate"] < inputs.safe_rate:
            calls = f"{count(inputs.concurrency, 'call')} in flight{scope} at {latency}"
            verb = "allows" if inputs.concurrency == 1 else "allow"
            yield (
                f"Concurrency binds before the limit: {calls} {verb} {allowed}. The safe rate needs {needed}."
            )
        else:
            yield (
                f"The limit binds, not concurrency: at {latency} a call, {needed} would do, and "
                f"{inputs.concurrency} could send {allowed}."
            )

    def bucket(self) -> Iterator[str]:
        values, tight = self.values, tightest(self.inputs)
        capacity, guidance, max_capacity = (
            values[name] for name in ("capacity", "capacity_guidance", "capacity_window")
        )
        reason = ", ten times the limit per second" if capacity == guidance else ""
        refill = self.rate(self.inputs.safe_rate)
        yield f"Refill the bucket at {refill}, capacity {short(capacity)}{reason}."
        if capacity < guidance:
            yield f"Guideline: at least {short(guidance)}, ten times the limit per second."
        if "capacity_1pct" in values and values["capacity_01pct"] != math.inf:
            yield (
                f"Of steady traffic at random times, a bucket of {short(values['capacity_1pct'])} rejects at "
                f"most 1 %, one of {short(values['capacity_01pct'])} at most 0.1 %."
            )
        verb = "passes" if values["max_in_window"] == 1 else "pass"
        passing = f"{count(values['max_in_window'], 'request')} {verb} {_any_window(tight)}"
        if capacity <= max_capacity:
            yield f"Then at most {passing}, within {_named(tight)}."
            return
        remedy = (
            f"only a bucket of at most {short(max_capacity)} never does that"
            if max_capacity
            else "only a larger cushion leaves room for a bucket"
        )
        yield f"With a full bucket up to {passing}, more than {_named(tight)}; {remedy}."


def _named(limit: PublishedLimit) -> str:
    name = f" {limit.name!r}" if limit.name else ""
    return f"the limit{name} of {short(limit.quota)} {window(limit.window_s)}"


def _any_window(limit: PublishedLimit) -> str:
    span = window(limit.window_s)
    return f"in any {span.removeprefix('per ').removeprefix('in ')}"
