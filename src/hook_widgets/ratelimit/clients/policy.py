"""Retry policies of clients, and those of well-known libraries by name, from ``libraries.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.clients.backoff import MAX_RETRIES, Backoff, RetryAfterRule, WaitRule, seconds
from hook_widgets.ratelimit.clients.guards import (
    AttemptOutcome,
    Guard,
    RetryRatio,
    RetryThrottling,
    RetryTokens,
)
from hook_widgets.ratelimit.limiters.base import parse_enum, set_fields
from hook_widgets.ratelimit.units import Duration, Quantity, check_plausible, rate, whole

RETRYABLE: Final = (AttemptOutcome.REJECTED, AttemptOutcome.FAILED, AttemptOutcome.TIMED_OUT)
"""Outcomes that are retried unless a policy says otherwise."""

_GUARDS: Final[dict[str, Callable[..., Guard]]] = {
    "RetryRatio": RetryRatio,
    "RetryThrottling": RetryThrottling,
    "RetryTokens": RetryTokens,
}


@dataclass(frozen=True, slots=True, init=False)
class ClientThrottle:
    """A token bucket of a client, in which attempts wait for their token, first come first served.

    Attributes:
        rate_per_s: tokens per second.
        burst: tokens of the full bucket, which it is at the start.
    """

    rate_per_s: Fraction
    burst: int

    def __init__(self, rate_per_s: Quantity, burst: Quantity = 1) -> None:
        """Create a throttle.

        Raises:
            InvalidLimit: the rate is no positive rate, or the burst no whole number of at least 1.
        """
        object.__setattr__(self, "rate_per_s", rate(rate_per_s, "rate_per_s"))
        object.__setattr__(self, "burst", whole(burst, "burst"))
        check_plausible(self.rate_per_s, rate_per_s, "rate_per_s")
        if not self.burst:
            raise InvalidLimit("is zero; give at least 1", subject="burst")


@dataclass(frozen=True, slots=True, init=False)
class Hedge:
    """Hedging: send a request again while its response is awaited, and take the first success.

    Another attempt is sent after each `delay_s` without success, and at once after a failure, as in gRPC.
    When a success arrives, the other attempts are cancelled; the server has done their work nevertheless.

    Attributes:
        delay_s: time between two attempts.
        max_attempts: attempts in all, with the first.

    Source: gRPC proposal A6, "Hedging Policy".
    """

    delay_s: float
    max_attempts: int

    def __init__(self, delay_s: Duration, max_attempts: Quantity = 2) -> None:
        """Create a hedging rule.

        Raises:
            InvalidLimit: a number is invalid.
        """
        object.__setattr__(self, "delay_s", seconds(delay_s, "delay_s"))
        object.__setattr__(self, "max_attempts", whole(max_attempts, "max_attempts"))
        if not 2 <= self.max_attempts <= MAX_RETRIES:
            raise InvalidLimit(
                f"is {self.max_attempts}; give 2 to {MAX_RETRIES}, or no hedge", subject="max_attempts"
            )


@dataclass(frozen=True, slots=True, init=False)
class ClientPolicy:
    """Behaviour of a client after an attempt failed.

    Attributes:
        name: display name.
        backoff: wait before each retry; by default full jitter up to 1, 2, 4 s and so on, at most 60 s.
        failure_backoff: wait before a retry after any failure but a rejection; None for that of `backoff`.
        max_retries: largest number of retries of a request; 0 for none.
        retry_on: outcomes that are retried, of `AttemptOutcome`.
        retry_after: treatment of the Retry-After field of a rejection; by default it is honoured, without
            jitter.
        timeout_s: longest wait for a response; None for no limit.
        stop_after_s: no retry is planned once this time has passed since the first attempt; None for never.
            The last wait may exceed it.
        stop_before_s: no retry is sent later than this after the first attempt; None for any time.
        guards: retry budgets, circuit breakers and throttles; each client has its own.
        throttle: token bucket in which attempts wait; None for none.
        hedge: hedging instead of retries; None for none.
        max_in_flight: requests that a client works on at once, waits between attempts included; the next
            ones wait in order. 1 is head of line: one failing request holds up all others. None for any
            number, in parallel.
        source: where the policy is documented, or the lines of the library that define it.
        note: what differs from the library, or empty.

    >>> ClientPolicy(Backoff("1 s", max_s=60), max_retries=5).max_retries
    5
    """

    name: str
    backoff: WaitRule
    failure_backoff: WaitRule | None
    max_retries: int
    retry_on: frozenset[AttemptOutcome]
    retry_after: RetryAfterRule
    timeout_s: float | None
    stop_after_s: float | None
    stop_before_s: float | None
    guards: tuple[Guard, ...]
    throttle: ClientThrottle | None
    hedge: Hedge | None
    max_in_flight: int | None
    source: str = field(compare=False)
    note: str = field(compare=False)

    def __init__(
        self,
        backoff: WaitRule | None = None,
        *,
        name: str = "",
        failure_backoff: WaitRule | None = None,
        max_retries: Quantity = 3,
        retry_on: Iterable[str] = RETRYABLE,
        retry_after: RetryAfterRule | None = None,
        timeout_s: Duration | None = None,
        stop_after_s: Duration | None = None,
        stop_before_s: Duration | None = None,
        guards: Iterable[Guard] = (),
        throttle: ClientThrottle | None = None,
        hedge: Hedge | None = None,
        max_in_flight: Quantity | None = None,
        source: str = "",
        note: str = "",
    ) -> None:
        """Create a policy.

        Raises:
            InvalidLimit: an argument is invalid.
        """
        set_fields(
            self,
            name=str(name),
            backoff=_typed(backoff or Backoff(1, max_s=60), WaitRule, "backoff"),
            failure_backoff=_typed(failure_backoff, WaitRule, "failure_backoff", optional=True),
            max_retries=whole(max_retries, "max_retries"),
            retry_on=_outcomes(retry_on),
            retry_after=_typed(retry_after or RetryAfterRule(), RetryAfterRule, "retry_after"),
            timeout_s=None if timeout_s is None else seconds(timeout_s, "timeout_s", positive=True),
            stop_after_s=None if stop_after_s is None else seconds(stop_after_s, "stop_after_s"),
            stop_before_s=None if stop_before_s is None else seconds(stop_before_s, "stop_before_s"),
            guards=tuple(_typed(guard, Guard, "guards") for guard in _listed(guards)),
            throttle=_typed(throttle, ClientThrottle, "throttle", optional=True),
            hedge=_typed(hedge, Hedge, "hedge", optional=True),
            max_in_flight=None if max_in_flight is None else whole(max_in_flight, "max_in_flight"),
            source=str(source),
            note=str(note),
        )
        if self.max_retries > MAX_RETRIES:
            raise InvalidLimit(f"is {self.max_retries}; give at most {MAX_RETRIES}", subject="max_retries")
        if self.max_in_flight == 0:
            raise InvalidLimit("is zero; give at least 1", subject="max_in_flight")

    def wait_rule(self, outcome: AttemptOutcome) -> WaitRule:
        """Return the rule for the wait after an outcome."""
        if outcome is AttemptOutcome.REJECTED or self.failure_backoff is None:
            return self.backoff
        return self.failure_backoff


def _typed(value: object, kind: type, name: str, *, optional: bool = False) -> object:
    if not (isinstance(value, kind) or (optional and value is None)):
        raise InvalidLimit(f"must be a {kind.__name__}, not {shown(value)}", subject=name)
    return value


def _listed(guards: Iterable[Guard]) -> Iterable[Guard]:
    if not isinstance(guards, Iterable):
        raise InvalidLimit("must be a list; write guards=[...]", subject="guards")
    return guards


def _outcomes(retry_on: Iterable[str]) -> frozenset[AttemptOutcome]:
    if isinstance(retry_on, str) or not isinstance(retry_on, Iterable):
        raise InvalidLimit(f"must be a list of outcomes, not {shown(retry_on)}", subject="retry_on")
    outcomes = frozenset(parse_enum(AttemptOutcome, outcome, "retry_on") for outcome in retry_on)
    if AttemptOutcome.SERVED in outcomes:
        raise InvalidLimit("has 'served', which is no failure; leave it out", subject="retry_on")
    return outcomes


def client_policy(name: str) -> ClientPolicy:
    """Return the policy with this name.

    Args:
        name: the name, such as ``"urllib3"``.

    Raises:
        InvalidLimit: there is no such policy; the message names the nearest one.

    >>> client_policy("stamina").stop_after_s
    45.0
    """
    try:
        return client_policies()[name]
    except (KeyError, TypeError):
        raise InvalidLimit(f"there is no policy {shown(name)}; {nearest(name, client_policies())}") from None


@cache
def client_policies() -> Mapping[str, ClientPolicy]:
    """Return all named policies: textbook ones first, then those of libraries with their default settings.

    >>> list(client_policies())[:4]
    ['none', 'immediate', 'fixed', 'exponential']
    """
    rows = tomllib.loads((files(__package__) / "libraries.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _policy(name, row) for name, row in rows.items()})


def _policy(name: str, row: dict[str, Any]) -> ClientPolicy:
    row["backoff"] = Backoff(**row["backoff"]) if "backoff" in row else None
    if "failure_backoff" in row:
        row["failure_backoff"] = Backoff(**row["failure_backoff"])
    if "retry_after" in row:
        row["retry_after"] = RetryAfterRule(**row["retry_after"])
    row["guards"] = [_GUARDS[guard.pop("kind")](**guard) for guard in row.get("guards", ())]
    return ClientPolicy(name=name, **row)  # an unknown key is an error
