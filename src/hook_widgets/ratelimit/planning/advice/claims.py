"""Claims: what a sentence of advice says, as data that a simulation can confirm or refute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from hook_widgets.ratelimit.planning.metrics import Value


class ClaimKind(StrEnum):
    """Subject of a claim, with the names of its numbers."""

    LONG_RUN_REJECTED = "long_run_rejected"
    """Steady traffic of `steady_per_s` has at least `share` rejected by the limit in the long run."""
    STEADY_FITS = "steady_fits"
    """Even traffic of `rate_per_s` is never rejected: by any algorithm, or by the published bucket."""
    FITS_IN_LONG_RUN = "fits_in_long_run"
    """Even traffic of `rate_per_s` is not rejected by buckets that have room for what comes unevenly."""
    LIMIT_SUFFICES = "limit_suffices"
    """A limit of `limit_per_s` admits even traffic of `steady_per_s` with the cushion to spare."""
    QUEUE_GROWS = "queue_grows"
    """A queue that sends at `rate_per_s` grows without end if `steady_per_s` arrives."""
    RETRIES_ADD = "retries_add"
    """Of `steady_per_s` with up to `retries` of each, `factor` times the limit arrives."""
    BUDGET_FITS = "budget_fits"
    """If all `count` clients of this budget send evenly at `rate_per_s`, they stay within the usable rate."""
    NEVER_REJECTED = "never_rejected"
    """The API rejects nothing that a throttle of `capacity` and `rate_per_s` lets pass, by any algorithm."""
    BUCKET_ADMITS = "bucket_admits"
    """The published bucket rejects nothing that a throttle of `capacity` and `rate_per_s` lets pass."""
    MOST_IN_WINDOW = "most_in_window"
    """A throttle of `capacity` and `rate_per_s` lets at most `requests` pass in any `window_s`."""
    BURST_REJECTED = "burst_rejected"
    """A full token bucket of `capacity` and `rate_per_s` rejects `requests` of the burst."""
    BURST_WAITS = "burst_waits"
    """A bucket of `capacity` and `rate_per_s` makes at least `requests` of the burst wait; none if 0."""
    BURST_IN_FLIGHT = "burst_in_flight"
    """A limit of `calls` in flight, each of `latency_s`, rejects `requests` of the burst."""
    MOST_IN_FLIGHT = "most_in_flight"
    """A throttle of `capacity` and `rate_per_s` has at most `calls` of `latency_s` in flight."""
    BURST_NOT_QUEUED = "burst_not_queued"
    """A queue of `places` that sends at `rate_per_s` rejects `requests` of the burst."""
    BURST_EXCEEDS = "burst_exceeds"
    """Of `at_once` requests the limit of `quota` in `window_s` rejects some, the one that binds fewer."""
    TOO_MANY_AT_ONCE = "too_many_at_once"
    """Of what a throttle of `capacity` and `rate_per_s` lets pass, one algorithm rejects some."""
    BURST_WAITING = "burst_waiting"
    """After the burst `requests` wait in a queue that sends at `rate_per_s`."""
    BURST_DRAINED = "burst_drained"
    """A queue that sends at `rate_per_s` is empty `after_s` after the begin of the burst's drain."""
    QUEUE_WAIT = "queue_wait"
    """In a queue of `places` that sends at `rate_per_s` no request waits longer than `wait_s`."""
    QUEUE_TOO_SLOW = "queue_too_slow"
    """A request that waits for one other at `rate_per_s` is served later than `timeout_s`."""
    QUEUE_LOSS = "queue_loss"
    """Of Poisson traffic a queue of `places` at `rate_per_s` rejects `share`; the others wait `mean_s`."""
    LONGER_QUEUE = "longer_queue"
    """Of Poisson traffic a queue of twice the `places` at `rate_per_s` rejects `share`, too."""
    BUCKET_LOSS = "bucket_loss"
    """Of Poisson traffic a bucket of `capacity` rejects at most `share`, at `load` times its refill rate."""
    CONCURRENCY_ENOUGH = "concurrency_enough"
    """A client that sends evenly at `rate_per_s` never has more than `calls` of `latency_s` in flight."""
    CONCURRENCY_SHORT = "concurrency_short"
    """A client with `calls` of `latency_s` in flight cannot send at `rate_per_s`."""
    LEVEL_ADMITS = "level_admits"
    """A limit of `one_per_s` for each of `keys` admits even traffic of `rate_per_s`, and no more."""
    MOST_OF_ONE = "most_of_one"
    """Of any `requests` in a row that `keys` send in turn, the busiest has at most `of_one`."""
    LEVEL_BURST_REJECTED = "level_burst_rejected"
    """A full bucket of `allowance` and `one_per_s` for each of `keys` rejects `requests` of the burst."""
    TOGETHER_REJECTED = "together_rejected"
    """Of `rate_per_s` the limit rejects at least `share` in the long run."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim.

    Attributes:
        kind: what it is about.
        values: its numbers, by the names that `ClaimKind` tells.
    """

    kind: ClaimKind
    values: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))


class AdviceRole(StrEnum):
    """Place of a sentence of advice."""

    VERDICT = "verdict"
    ACTION = "action"
    REASON = "reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One sentence of advice.

    Attributes:
        text: the sentence, or two that belong together.
        role: the verdict, one of at most three actions in order of their effect, or a reason.
        claims: what the sentence says, for a simulation to confirm.
    """

    text: str
    role: AdviceRole
    claims: tuple[Claim, ...] = ()

    def __str__(self) -> str:
        return self.text


def verdict(text: str, *claims: Claim) -> Advice:
    """Return the sentence that sums up a plan."""
    return Advice(text=text, role=AdviceRole.VERDICT, claims=claims)


def action(text: str, *claims: Claim) -> Advice:
    """Return a sentence on what to do."""
    return Advice(text=text, role=AdviceRole.ACTION, claims=claims)


def reason(text: str, *claims: Claim) -> Advice:
    """Return a sentence on why, or on what follows."""
    return Advice(text=text, role=AdviceRole.REASON, claims=claims)


def claim(kind: ClaimKind, **values: Value) -> Claim:
    """Return a claim with these numbers."""
    return Claim(kind, MappingProxyType(values))
