"""Write the advice of a plan: a verdict, at most three actions by their effect, and reasons; eight in all."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from hook_widgets.ratelimit import formatting
from hook_widgets.ratelimit.formatting import any_window, count, percent, seconds, short, window
from hook_widgets.ratelimit.planning.advice.alerts import BUSY
from hook_widgets.ratelimit.planning.advice.claims import (
    Advice,
    AdviceRole,
    Claim,
    ClaimKind,
    action,
    claim,
    reason,
    verdict,
)
from hook_widgets.ratelimit.planning.advice.client_sentences import NOTABLE_LOSS, client_sentences
from hook_widgets.ratelimit.planning.advice.level_sentences import level_claim, level_reasons, named
from hook_widgets.ratelimit.planning.advice.throttle_sentences import exceeded
from hook_widgets.ratelimit.planning.advice.waiting_sentences import enforcement, ever_longer
from hook_widgets.ratelimit.planning.client_budgets import ClientBudget
from hook_widgets.ratelimit.planning.in_flight import (
    burst_claim_in_flight,
    burst_rejected_in_flight,
    cap,
    concurrency_sentences,
    if_quick,
    most_in_flight,
    shortest_latency_s,
)
from hook_widgets.ratelimit.planning.inputs import PlanInputs
from hook_widgets.ratelimit.planning.levels import LEVELS, MAX_COUNTED
from hook_widgets.ratelimit.planning.metrics import Metric, PublishedLimit, Value
from hook_widgets.ratelimit.planning.sizing import (
    api_allowance,
    burst_rejected_by_api,
    is_bucket,
    safe_capacity,
    strictest_on_burst,
    tightest,
    window_capacity,
)

_USUAL_CUSHION = (Fraction(1, 10), Fraction(1, 5))
_MAX_ACTIONS = 3
_MAX_SENTENCES = 8


def advise(
    inputs: PlanInputs, metrics: Mapping[str, Metric], budgets: tuple[ClientBudget, ...]
) -> tuple[Advice, ...]:
    """Return the sentences for the available figures: the verdict, the actions, the reasons."""
    values = {name: metric.value for name, metric in metrics.items()}
    sentences = list(_Adviser(inputs, values, budgets).sentences())
    actions = [each for each in sentences if each.role is AdviceRole.ACTION]
    less_urgent = [replace(each, role=AdviceRole.REASON) for each in actions[_MAX_ACTIONS:]]
    verdicts = [each for each in sentences if each.role is AdviceRole.VERDICT]
    verdicts = [replace(each, text=enforcement(inputs) + each.text) for each in verdicts]
    if uncounted := inputs.uncounted_in_flight:
        limit = f"The limit of {count(uncounted, 'request')} in flight"
        more = f" {limit} is not counted: enter the latency of a call."
        verdicts = [replace(each, text=each.text + more) for each in verdicts]
    ordered = (
        *verdicts,
        *actions[:_MAX_ACTIONS],
        *less_urgent,
        *(each for each in sentences if each.role is AdviceRole.REASON),
    )
    return ordered[:_MAX_SENTENCES]  # the table has the figures of the others


@dataclass(frozen=True, slots=True)
class _Adviser:
    inputs: PlanInputs
    values: Mapping[str, Value]
    budgets: tuple[ClientBudget, ...]

    def sentences(self) -> Iterator[Advice]:
        """Yield the sentences; the actions in order of their effect."""
        yield from self.timeout()
        yield from self.traffic()
        yield from concurrency_sentences(self.inputs, self.rate)
        yield from client_sentences(self.inputs, self.values, self.budgets, self.rate)
        yield from self.throttle()
        yield from self.burst()
        yield from self.queue()
        yield from self.limits()
        yield from self.cushion()
        yield from self.bucket()

    def rate(self, per_s: Value, *, rounding: Callable[[Fraction], int] = math.floor) -> str:
        return formatting.rate(per_s, window_s=self.inputs.binding.window_s, rounding=rounding)

    @property
    def is_too_slow(self) -> bool:
        latency, timeout = self.inputs.latency_s, self.inputs.timeout_s
        return latency is not None and timeout is not None and latency > timeout

    def timeout(self) -> Iterator[Advice]:
        if self.is_too_slow:
            latency, timeout = seconds(self.inputs.latency_s or 0), seconds(self.inputs.timeout_s or 0)
            yield action(
                f"Give clients a longer timeout: the latency of {latency} is longer than {timeout}, so no "
                "client gets a response, even without a queue."
            )

    def traffic(self) -> Iterator[Advice]:
        inputs, limit, usable = self.inputs, self.inputs.binding, self.inputs.usable_rate
        steady = inputs.steady
        if steady is None:
            yield self.with_burst(f"Send at most {self.rate(usable)}, {self.below()}", self.fits(usable))
            return
        sent = inputs.sent_rate or steady
        used = sent / limit.rate_per_s
        start = f"Steady traffic of {self.rate(steady, rounding=round)}"
        if sent < steady:
            start += f" is more than concurrency allows: at most {self.rate(sent)} is sent, which"
        start += f" uses {percent(used)} of {named(limit)}"
        if used > 1:
            share = limit.rejected(sent)
            rejected = verdict(
                f"{start}: in the long run at least {percent(share, down=True)} of it gets 429 if sent as it "
                "comes.",
                claim(ClaimKind.LONG_RUN_REJECTED, steady_per_s=sent, share=share),
            )
            yield ever_longer(start, inputs, sent) if inputs.queued else rejected
            needed = sent * limit.share / (1 - inputs.cushion)
            yield action(
                f"Slow down to {self.rate(usable)} or ask for a limit of "
                f"{self.rate(needed, rounding=math.ceil)}{limit.level}.",
                self.fits(usable),
                claim(ClaimKind.LIMIT_SUFFICES, limit_per_s=needed, steady_per_s=sent),
            )
            if inputs.retries and "retry_factor" not in self.values and not inputs.queued:
                yield reason(
                    f"What retries add is not planned{limit.level} while the busiest sends more than others."
                )
            elif inputs.retries and not inputs.queued:
                yield reason(
                    f"With up to {count(inputs.retries, 'retry', 'retries')} each, "
                    f"{short(self.values['retry_factor'])} times the limit arrives if traffic comes at "
                    "random times, and no more gets through: "
                    "wait as long as Retry-After says, and spread the retries at random.",
                    claim(
                        ClaimKind.RETRIES_ADD,
                        steady_per_s=sent,
                        retries=inputs.retries,
                        factor=self.values["retry_factor"],
                    ),
                )
            return
        busy = f"{percent(used)} is above the {percent(BUSY)} at which to raise an alert"
        if steady > usable:
            cause = "the safe rate" if usable == inputs.safe_rate else "what concurrency allows"
            but = f", but {self.rate(usable)} is {cause}" if sent > usable else ""
            yield verdict(
                f"{start}{but}: a queue would only grow.",
                claim(ClaimKind.QUEUE_GROWS, steady_per_s=steady, rate_per_s=usable),
            )
            if usable == inputs.safe_rate:
                why = f": {busy}" if used > BUSY else ""
                start = "Use a smaller cushion, slow down," if window_capacity(inputs) >= 1 else "Slow down"
                yield action(f"{start} or ask for a higher limit{why}.", self.fits(usable))
        else:
            in_long_run = "" if window_capacity(inputs) >= 1 else " in the long run"
            yield self.with_burst(f"{start}; it fits{in_long_run}", self.fits(steady))
        if used > BUSY and steady <= inputs.safe_rate:
            yield action(f"Ask for a higher limit before traffic grows: {busy}.")

    def fits(self, rate_per_s: Value) -> Claim:
        """Return the claim that even traffic is admitted: always, where an even throttle is sure to be."""
        always = window_capacity(self.inputs) >= 1
        kind = ClaimKind.STEADY_FITS if always else ClaimKind.FITS_IN_LONG_RUN
        return claim(kind, rate_per_s=rate_per_s)

    def with_burst(self, sentence: str, steady_fits: Claim) -> Advice:
        """Return a verdict that fits steady traffic, with whether the burst passes, too."""
        inputs, values = self.inputs, self.values
        if inputs.burst is None:
            return verdict(f"{sentence}.", steady_fits)
        limit, capacity = strictest_on_burst(inputs), int(values["capacity"])
        allowance, over = api_allowance(inputs, limit), burst_rejected_by_api(inputs, limit)
        by_api, in_flight = self.burst_claim(limit, allowance, over), burst_rejected_in_flight(inputs)
        by_concurrency = burst_claim_in_flight(inputs, in_flight)
        by_throttle = claim(
            ClaimKind.BURST_REJECTED,
            capacity=capacity,
            rate_per_s=inputs.usable_rate,
            requests=values["burst_rejected"],
        )
        burst = f"the burst of {short(inputs.burst)}{self.burst_span()}"
        start = f"{sentence}, but {burst} does not fit"
        if in_flight > over:
            at_least = "at least " if inputs.steady else ""
            return verdict(
                f"{start}: the API works on {short(inputs.in_flight or 0)} at a time and rejects {at_least}"
                f"{short(in_flight)}{self.of_mixed()}.",
                steady_fits,
                *by_concurrency,
            )
        if over:
            of_each = f" for each {LEVELS[limit.per]}" if limit.per else ""
            # Steady traffic may have spent a part of what the API admits at once.
            more = inputs.steady or (inputs.queued and inputs.burst_window_s)
            number = f"{'about ' if not by_api else 'at least ' if more else ''}{short(over)}"
            stops = f"makes {number} wait" if inputs.queued else f"rejects {number}"
            limiter = "limiter" if inputs.queued else "API"
            return verdict(
                f"{start}: the {limiter} admits {short(allowance)} at once{of_each} and {stops}"
                f"{self.of_mixed()}.",
                steady_fits,
                *by_api,
            )
        if values["burst_rejected"] and not inputs.queued:
            return verdict(
                f"{start} the advised throttle: its capacity of {short(capacity)} rejects "
                f"{short(values['burst_rejected'])}{self.of_mixed()} without a queue.",
                steady_fits,
                by_throttle,
            )
        return verdict(f"{sentence}, and {burst} passes.", steady_fits, *by_api, *by_concurrency, by_throttle)

    def burst_claim(self, limit: PublishedLimit, allowance: int, over: int) -> tuple[Claim, ...]:
        """Return what is claimed of the burst at the API's limit; nothing of a number that is about right."""
        inputs = self.inputs
        if not limit.per:
            setting: dict[str, Value] = {"capacity": allowance, "rate_per_s": limit.rate_per_s}
            kind = ClaimKind.BURST_WAITS if inputs.queued else ClaimKind.BURST_REJECTED
            return (claim(kind, requests=over, **setting),)
        if inputs.burst_window_s and inputs.burst_requests > MAX_COUNTED:
            return ()
        return (
            claim(
                ClaimKind.LEVEL_BURST_REJECTED,
                allowance=allowance,
                one_per_s=limit.rate_of_one_per_s,
                keys=limit.keys,
                share=limit.share,
                requests=over,
            ),
        )

    def burst_span(self) -> str:
        span_s = self.inputs.burst_window_s
        return f" within {seconds(span_s)}" if span_s else " at once"

    def of_mixed(self) -> str:
        """Return of which requests a part is rejected, if they are more than the burst; empty otherwise."""
        inputs = self.inputs
        return f" of the {self.mixed()}" if inputs.steady and inputs.burst_window_s else ""

    def mixed(self) -> str:
        """Return the requests that arrive during the burst, in words."""
        total = count(self.inputs.burst_requests, "request")
        return f"{total} during the burst (steady traffic included)"

    @property
    def even(self) -> str:
        return ", as long as steady traffic comes evenly" if self.inputs.steady else ""

    def below(self) -> str:
        inputs = self.inputs
        if inputs.usable_rate < inputs.safe_rate:
            return "which is what concurrency allows"
        below = f"{percent(inputs.cushion)} below" if inputs.cushion else "the whole of"
        return f"{below} {named(inputs.binding)}"

    def limits(self) -> Iterator[Advice]:
        inputs, limit = self.inputs, self.inputs.binding
        of_api = inputs.api_concurrency_rate
        if inputs.steady is not None and (
            of_api is None or of_api >= inputs.safe_rate
        ):  # else an action says it
            usable = inputs.usable_rate
            yield reason(f"Plan for {self.rate(usable)}, {self.below()}.", self.fits(usable))
        yield from level_reasons(inputs.limits, self.rate)
        others = [other for other in inputs.limits if other is not limit]
        if not others:
            return
        allowed = ", ".join(f"{other.name!r} would allow {self.rate(other.rate_per_s)}" for other in others)
        yield reason(
            f"The limit {limit.name!r} binds in the long run; {allowed}.",
            *(level_claim(each) for each in inputs.limits),
        )
        shorter = [
            other
            for other in others
            if other.window_s < limit.window_s and other.whole_quota < limit.whole_quota
        ]
        if shorter:
            shortest = min(shorter, key=lambda other: other.window_s)
            quota = f"{count(shortest.quota, 'request')} {window(shortest.window_s)}{shortest.level}"
            yield reason(
                f"In a burst {shortest.name!r} binds first: {quota}.",
                claim(
                    ClaimKind.BURST_EXCEEDS,
                    at_once=math.ceil((math.floor(shortest.quota) + 1) / shortest.share),
                    quota=shortest.quota,
                    window_s=shortest.window_s,
                ),
            )

    def cushion(self) -> Iterator[Advice]:
        low, high = _USUAL_CUSHION
        cushion, limit = self.inputs.cushion, self.inputs.binding
        if cushion < low:
            enough = "to make requests wait" if self.inputs.queued else "for a 429"
            yield reason(
                f"A cushion of {percent(cushion)} is below the usual 10 to 20%: clocks that differ a "
                f"little, or another program with the same key, are enough {enough}."
            )
        elif cushion > high:
            unused = f"{short((cushion - high) * limit.whole_quota)} more requests {window(limit.window_s)}"
            yield reason(
                f"A cushion of {percent(cushion)} is above the usual 10 to 20%: it leaves {unused} unused "
                "than 20% would."
            )

    def throttle(self) -> Iterator[Advice]:
        inputs, values = self.inputs, self.values
        usable, capacity, largest = inputs.usable_rate, int(values["capacity"]), safe_capacity(inputs)
        setting: dict[str, Value] = {"capacity": capacity, "rate_per_s": usable}
        wait = f", one call every {seconds(1 / usable)}" if inputs.clients == 1 else ""
        start = f"Throttle {'the clients' if inputs.clients > 1 else 'calls'} at {self.rate(usable)}{wait}"
        if capacity <= largest:
            kind, admits = ClaimKind.NEVER_REJECTED, "the API then rejects nothing, whatever its algorithm"
            if is_bucket(inputs, tightest(inputs)):
                allowance = short(api_allowance(inputs, inputs.binding))
                kind = ClaimKind.BUCKET_ADMITS
                admits = f"the API's published bucket of {allowance} then rejects nothing"
            if inputs.queued:
                admits = "this limiter then makes no call wait"
            yield action(
                f"{start}, capacity {short(capacity)}: {admits}{self.conditions(capacity)}",
                claim(kind, **setting),
            )
            return
        if capacity <= window_capacity(inputs):
            calls = most_in_flight(inputs, capacity)
            yield action(
                f"{start}, but a throttle of capacity {short(capacity)} can exceed what the API admits "
                f"({count(calls, 'call')} in flight at a time): use at most {short(largest)}.",
                claim(ClaimKind.MOST_IN_FLIGHT, calls=calls, latency_s=shortest_latency_s(inputs), **setting),
            )
            return
        tight, most = tightest(inputs), values["max_in_window"]
        if inputs.capacity is None:
            yield action(
                f"{start}, capacity 1, and enlarge the cushion: at this rate no throttle is sure to keep "
                f"{named(tight)} under every algorithm.",
                claim(ClaimKind.MOST_IN_WINDOW, requests=most, window_s=tight.window_s, **setting),
            )
            return
        remedy = (
            f"use at most {short(largest)}"
            if largest > 0
            else "only a larger cushion leaves room for a throttle"
        )
        excess, exceeds = exceeded(inputs, capacity, most)
        yield action(f"{start}, but a throttle of capacity {short(capacity)} {excess}: {remedy}.", exceeds)

    def conditions(self, capacity: int) -> str:
        """Return the end of a sentence: the conditions on keys and latency, and what holds without them."""
        shares = {LEVELS[limit.per]: percent(limit.share) for limit in self.inputs.limits if limit.keys > 1}
        parts = [f"no {level} sends more than {share}" for level, share in shares.items()]
        parts[-1:] = [f"{part} of any stretch of the traffic" for part in parts[-1:]]
        parts += if_quick(self.inputs, capacity)
        return f"{', as long as ' if parts else ''}{' and '.join(parts)}.{cap(self.inputs)}"

    def burst(self) -> Iterator[Advice]:
        inputs, values = self.inputs, self.values
        if inputs.burst is None:
            return
        start, usable = f"A burst of {short(inputs.burst)}{self.burst_span()}", inputs.usable_rate
        backlog, recover = values["burst_backlog"], values["burst_recover_s"]
        capacity, rejected = int(values["capacity"]), values["burst_rejected"]
        by_bucket = claim(ClaimKind.BURST_REJECTED, capacity=capacity, rate_per_s=usable, requests=rejected)
        if rejected and not inputs.queued:
            largest = safe_capacity(inputs)
            better = min(int(values["burst_capacity"]), largest)
            spread = "Queue or spread" if values.get("queue_size", math.inf) else "Spread"
            remedy = "Shrink" if recover == math.inf else spread
            more = f" A capacity of {short(better)} lets more pass." if better > capacity else ""
            yield action(
                f"{remedy} the burst, or ask for a higher limit: a throttle of capacity {short(capacity)} "
                f"without a queue rejects {short(rejected)}"
                f"{self.of_mixed() or f' of {short(inputs.burst)}'}{self.even}.{more}",
                by_bucket,
            )
        elif backlog and not rejected:
            yield reason(
                f"{start} passes a full throttle of capacity {short(capacity)} without a queue{self.even}.",
                by_bucket,
            )
        waits = claim(ClaimKind.BURST_WAITING, rate_per_s=usable, requests=backlog)
        if not backlog:
            yield reason(f"{start} goes through at the usable rate without waiting{self.even}.", waits)
            return
        queue = f"a queue that sends at {self.rate(usable)}, in place of a throttle"
        waiting = (
            f"In {queue}, {start[0].lower()}{start[1:]} leaves {count(math.ceil(backlog), 'request')} waiting"
        )
        if recover == math.inf:
            yield reason(f"{waiting}, which never drains: steady traffic leaves no room.", waits)
            return
        yield reason(
            f"{waiting}; draining takes {seconds(recover)}.",
            waits,
            claim(ClaimKind.BURST_DRAINED, rate_per_s=usable, after_s=recover),
        )

    def queue(self) -> Iterator[Advice]:
        inputs, values, usable = self.inputs, self.values, self.inputs.usable_rate
        if inputs.timeout_s is None or self.is_too_slow:
            return
        size, timeout, latency = int(values["queue_size"]), seconds(inputs.timeout_s), inputs.latency_s
        if not size:
            yield action(
                f"Reject at once instead of queueing, or give clients a longer timeout: within {timeout} not "
                "one more request is served.",
                claim(ClaimKind.QUEUE_TOO_SLOW, rate_per_s=usable, timeout_s=inputs.timeout_s),
            )
            return
        unset = "" if latency is not None else " The latency is not set and counts as 0 s."
        yield action(
            f"Let at most {count(size, 'request')} wait: the last of them then goes within "
            f"{seconds(values['queue_wait_s'])}, inside the client's timeout of {timeout}.{unset}",
            claim(ClaimKind.QUEUE_WAIT, places=size, rate_per_s=usable, wait_s=values["queue_wait_s"]),
        )
        lost = values.get("burst_not_queued", 0)
        if inputs.burst is not None and lost:
            requests = self.mixed() if self.of_mixed() else f"burst of {short(inputs.burst)}"
            yield reason(
                f"Of the {requests} that queue, without a throttle before it, rejects "
                f"{short(lost)}{self.even}.",
                claim(ClaimKind.BURST_NOT_QUEUED, places=size, rate_per_s=usable, requests=lost),
            )
        if inputs.steady is None:
            return
        mean, rejected = values["wait_queue_s"], values["queue_rejected"]
        yield reason(
            f"Of steady traffic at random times, the mean wait is {seconds(mean)} and the full queue rejects "
            f"{percent(rejected)}.",
            claim(ClaimKind.QUEUE_LOSS, places=size, rate_per_s=usable, share=rejected, mean_s=mean),
        )
        least = 1 - usable / inputs.steady  # what a queue of any length rejects in the long run
        if least > 0 and rejected - least < NOTABLE_LOSS:
            yield reason(
                "At this load a longer queue only adds waiting.",
                claim(ClaimKind.LONGER_QUEUE, places=size, rate_per_s=usable, share=rejected),
            )

    def bucket(self) -> Iterator[Advice]:
        inputs, values, tight = self.inputs, self.values, tightest(self.inputs)
        capacity = values["capacity"]
        guidance = values.get("capacity_guidance", values.get("capacity_guidance_of_each", 0))
        setting: dict[str, Value] = {"capacity": capacity, "rate_per_s": inputs.usable_rate}
        most = values["max_in_window"]
        verb = "passes" if most == 1 else "pass"
        passing = f"at most {count(most, 'request')} {verb} {any_window(tight.window_s)}"
        of_one = math.ceil(most * tight.share)
        relation = f"{'within' if of_one <= math.floor(tight.quota) else 'more than'} {named(tight)}"
        if is_bucket(inputs, tight) and int(capacity) <= safe_capacity(inputs):
            owner = "limiter's own" if inputs.queued else "published"
            relation = f"which the {owner} bucket admits"
        claims = [claim(ClaimKind.MOST_IN_WINDOW, requests=most, window_s=tight.window_s, **setting)]
        if tight.keys > 1:
            passing += f", at most {short(of_one)} of one {LEVELS[tight.per]}"
            keys: dict[str, Value] = {"keys": tight.keys, "share": tight.share}
            claims.append(claim(ClaimKind.MOST_OF_ONE, requests=most, of_one=of_one, **keys))
        yield reason(f"With that throttle {passing}, {relation}.", *claims)
        if inputs.burst_allowance is None:
            yield reason("No burst allowance is given, so the API is taken to admit its whole quota at once.")
        if "capacity_1pct" in values and values["capacity_01pct"] != math.inf:
            one, tenth = values["capacity_1pct"], values["capacity_01pct"]
            yield reason(
                f"Of steady traffic at random times, a throttle of capacity {short(one)} without a queue "
                f"rejects at most 1%, one of {short(tenth)} at most 0.1%.",
                claim(ClaimKind.BUCKET_LOSS, capacity=one, load=values["load"], share=0.01),
                claim(ClaimKind.BUCKET_LOSS, capacity=tenth, load=values["load"], share=0.001),
            )
        yield reason(
            f"Guideline for an API's own bucket{inputs.binding.level}: at least {short(guidance)}, ten times "
            "its limit per second."
        )
