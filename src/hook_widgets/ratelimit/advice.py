"""The plan in sentences that a person would say, the binding limit named, the most urgent first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.ratelimit import wording
from hook_widgets.ratelimit.alerts import BUSY
from hook_widgets.ratelimit.clients import Share
from hook_widgets.ratelimit.facts import Fact, Limit, Value
from hook_widgets.ratelimit.inputs import Inputs
from hook_widgets.ratelimit.sizing import tightest
from hook_widgets.ratelimit.wording import count, percent, seconds, short, window

_USUAL_CUSHION = (Fraction(1, 10), Fraction(1, 5))
_LISTED_CLIENTS = 8


def advise(given: Inputs, facts: Mapping[str, Fact], shares: tuple[Share, ...]) -> tuple[str, ...]:
    """Sentences for the figures there are."""
    return tuple(_Adviser(given, {name: fact.value for name, fact in facts.items()}, shares).sentences())


@dataclass(frozen=True, slots=True)
class _Adviser:
    given: Inputs
    values: Mapping[str, Value]
    shares: tuple[Share, ...]

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
        return wording.rate(per_s, window_s=self.given.binding.window_s)

    def traffic(self) -> Iterator[str]:
        given, limit = self.given, self.given.binding
        if given.steady is None:
            return
        used = given.steady / limit.rate_per_s
        start = f"Steady traffic of {self.rate(given.steady)} uses {percent(used)} of {_named(limit)}"
        if used > 1:
            needed = given.steady / (1 - given.cushion)
            yield (
                f"{start}: in the long run at least {percent(1 - 1 / used)} of it gets 429, whatever is "
                "configured. "
                f"Slow down to {self.rate(given.safe_rate)} or ask for a limit of {self.rate(needed)}."
            )
            if given.retries:
                yield (
                    f"With up to {count(given.retries, 'retry', 'retries')} each, "
                    f"{short(self.values['retry_factor'])} times the limit arrives and no more gets through: "
                    "wait as long as Retry-After says, and spread the retries at random."
                )
        elif used > BUSY:
            alert = f"above the {percent(BUSY)} at which to raise an alert"
            yield f"{start}, {alert}: ask for more before traffic grows."
        elif given.steady > given.safe_rate:
            yield f"{start} and more than the safe rate: a smaller cushion or a higher limit is needed."
        else:
            yield f"{start}."

    def limits(self) -> Iterator[str]:
        given, limit = self.given, self.given.binding
        below = f"{percent(given.cushion)} below" if given.cushion else "the whole of"
        plan = f"Plan for {self.rate(given.safe_rate)}, {below} {_named(limit)}."
        others = [other for other in given.limits if other is not limit]
        if not others:
            yield plan
            return
        allowed = ", ".join(f"{other.name!r} {wording.rate(other.rate_per_s)}" for other in others)
        yield f"{plan} It is the limit that binds in the long run; {allowed} would be allowed."
        shorter = [other for other in others if other.window_s < limit.window_s]
        if shorter:
            quick = min(shorter, key=lambda other: other.window_s)
            most = f"{count(quick.quota, 'request')} {window(quick.window_s)}"
            yield f"In a burst {quick.name!r} binds first: {most}."

    def cushion(self) -> Iterator[str]:
        low, high = _USUAL_CUSHION
        cushion, limit = self.given.cushion, self.given.binding
        if cushion < low:
            yield (
                f"A cushion of {percent(cushion)} is below the usual 10 to 20 %: clocks that differ a "
                "little, or another program with the same key, are enough for a 429."
            )
        elif cushion > high:
            lost = f"{short((cushion - high) * limit.quota)} more requests {window(limit.window_s)}"
            yield (
                f"A cushion of {percent(cushion)} is above the usual 10 to 20 %: it leaves {lost} unused "
                "than 20 % would."
            )

    def clients(self) -> Iterator[str]:
        given, span = self.given, window(self.given.binding.window_s)
        if given.clients == 1:
            yield f"Leave at least {seconds(1 / given.safe_rate)} between two calls."
            return
        for share in self.shares[:_LISTED_CLIENTS]:
            who = f"each of the {short(share.count)} clients" if share.count > 1 else share.name
            budget = f"{count(share.quota, 'request')} {span}, " if share.quota else ""
            yield f"Give {who} {budget}one call every {seconds(share.delay_s)}."
        if len(self.shares) > _LISTED_CLIENTS:
            yield f"The budgets of the other {len(self.shares) - _LISTED_CLIENTS} clients are in the table."
        refused = self.values["uncoordinated_refused"]
        if refused:
            yield (
                f"If each of the {short(given.clients)} believes that the whole limit is its own, they send "
                f"{self.rate(self.values['uncoordinated_rate'])} together and at least {percent(refused)} is "
                "refused: share one budget."
            )

    def burst(self) -> Iterator[str]:
        given, values = self.given, self.values
        if given.burst is None:
            return
        span = f" within {seconds(given.burst_window_s)}" if given.burst_window_s else " at once"
        start = f"A burst of {short(given.burst)}{span}"
        backlog, recover = values["burst_backlog"], values["burst_recover_s"]
        if not backlog:
            yield f"{start} goes through at the safe rate without waiting."
            return
        left = f"{start} leaves {count(math.ceil(backlog), 'request')} waiting"
        if recover == math.inf:
            yield f"{left} that are never worked off, because steady traffic leaves no room. Slow down first."
            return
        yield f"{left}; working them off takes {seconds(recover)}."
        even = ", as long as steady traffic comes evenly" if given.steady else ""
        refused, bucket = (
            values["burst_refused"],
            f"a token bucket of {short(values['capacity'])}, when full,",
        )
        if not refused:
            yield f"If none may wait, {bucket} lets all pass{even}."
            return
        yield f"If none may wait, {bucket} refuses {short(refused)} of them."
        needed, tight = values["burst_capacity"], tightest(given)
        if needed <= values["capacity_window"]:
            keeps = f"and still keeps {_named(tight)} in any window"
            yield f"A bucket of {short(needed)} lets all pass {keeps}{even}."
        else:
            yield (
                f"To let all pass it needs {count(needed, 'token')}, which can break {_named(tight)}: "
                "queue the burst, spread it, or ask for a higher limit."
            )

    def queue(self) -> Iterator[str]:
        values = self.values
        if self.given.timeout_s is None:
            return
        size, timeout, latency = values["queue_size"], seconds(self.given.timeout_s), self.given.latency_s
        if latency is not None and latency > self.given.timeout_s:
            yield (
                f"A call takes {seconds(latency)}, longer than the timeout of {timeout}: no client waits for "
                "its answer, even without a queue. Give clients a longer timeout."
            )
            return
        if not size:
            yield (
                f"No request can wait for its turn: within the timeout of {timeout} not one more is served. "
                "Refuse at once instead of queueing, or give clients a longer timeout."
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
            f"full queue refuses {percent(values['queue_refused'])}."
        )
        if values["wait_md1_s"] == math.inf:
            yield "At this load a longer queue only adds waiting."

    def concurrency(self) -> Iterator[str]:
        given, values = self.given, self.values
        if given.latency_s is None:
            return
        latency, who = seconds(given.latency_s), " per client" if given.clients > 1 else ""
        each = values["concurrency_each"]
        needed = f"{count(each, 'call')} in flight{who}"
        if given.concurrency is None:
            enough = "is enough" if each == 1 else "are enough"
            yield f"At {latency} a call, {needed} {enough} for the safe rate (Little's law)."
            return
        allowed = self.rate(values["concurrency_rate"])
        if values["concurrency_rate"] < given.safe_rate:
            has = f"{count(given.concurrency, 'call')} in flight{who} at {latency}"
            verb = "allows" if given.concurrency == 1 else "allow"
            yield f"Concurrency binds before the limit: {has} {verb} {allowed}. The safe rate needs {needed}."
        else:
            yield (
                f"The limit binds, not concurrency: at {latency} a call, {needed} would do, and "
                f"{given.concurrency} could send {allowed}."
            )

    def bucket(self) -> Iterator[str]:
        values, tight = self.values, tightest(self.given)
        capacity, guidance, keeps = (
            values[name] for name in ("capacity", "capacity_guidance", "capacity_window")
        )
        why = ", ten times the limit per second" if capacity == guidance else ""
        refill = self.rate(self.given.safe_rate)
        yield f"Refill the bucket at {refill} and let it hold {count(capacity, 'token')}{why}."
        if capacity < guidance:
            yield f"The guidance is more, {short(guidance)}: ten times the limit per second."
        if "capacity_1pct" in values and values["capacity_01pct"] != math.inf:
            yield (
                f"Of steady traffic at random times, a bucket of {short(values['capacity_1pct'])} refuses at "
                f"most 1 %, one of {short(values['capacity_01pct'])} at most 0.1 %."
            )
        verb = "passes" if values["most_in_window"] == 1 else "pass"
        most = f"{count(values['most_in_window'], 'request')} {verb} {_any(tight)}"
        if capacity <= keeps:
            yield f"Then at most {most}, within {_named(tight)}."
            return
        room = (
            f"only a bucket of at most {short(keeps)} never does that"
            if keeps
            else "only a larger cushion leaves room for a bucket"
        )
        yield f"With a full bucket up to {most}, more than {_named(tight)}; {room}."


def _named(limit: Limit) -> str:
    name = f" {limit.name!r}" if limit.name else ""
    return f"the limit{name} of {short(limit.quota)} {window(limit.window_s)}"


def _any(limit: Limit) -> str:
    span = window(limit.window_s)
    return f"in any {span.removeprefix('per ').removeprefix('in ')}"
