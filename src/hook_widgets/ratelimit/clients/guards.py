"""Guards of a client, which see the outcomes of its attempts: retry budgets, breakers and throttles."""

# ruff: noqa: ARG002 (each guard uses some of the parameters)

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from enum import StrEnum

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients.backoff import seconds
from hook_widgets.ratelimit.units import (
    NS_PER_S,
    Duration,
    Number,
    Quantity,
    check_plausible,
    rate,
    real,
    share,
    whole,
)


class AttemptOutcome(StrEnum):
    """Outcome of an attempt, as its client sees it."""

    SERVED = "served"
    """A successful response in time."""
    REJECTED = "rejected"
    """Rejected by the limiter: 429 Too Many Requests."""
    FAILED = "failed"
    """The server was down, or the request is one that always fails: 503 or 500."""
    TIMED_OUT = "timed_out"
    """No response within the timeout; the server may have done the work."""
    BLOCKED = "blocked"
    """Not sent: the client's circuit breaker or throttle rejected it."""


class RunningGuard:
    """The state of a guard of one client in one run. The base class allows everything."""

    def begin_request(self, t: int) -> None:
        """Record a fresh request.

        Args:
            t: the time in nanoseconds, as in the other methods.
        """

    def allows_attempt(self, t: int, u: float) -> bool:
        """Return True if an attempt may be sent now, and record it.

        Args:
            t: the time in nanoseconds.
            u: a random number, uniform from 0 (included) to 1 (excluded).
        """
        return True

    def cancel_attempt(self) -> None:
        """Undo the last `allows_attempt`: another guard did not allow the attempt."""

    def allows_retry(self, t: int, outcome: AttemptOutcome) -> bool:
        """Return True if a failed attempt may be repeated, and charge it.

        Args:
            t: the time in nanoseconds.
            outcome: the outcome of the failed attempt.
        """
        return True

    def record(self, t: int, outcome: AttemptOutcome, before: AttemptOutcome | None) -> None:
        """Record the outcome of an attempt that was sent.

        Args:
            t: the time in nanoseconds.
            outcome: the outcome.
            before: the outcome of the attempt before it; None for the first.
        """


class Guard(ABC):
    """A retry budget, a circuit breaker or a throttle of a client. Each client has its own state."""

    __slots__ = ()

    @abstractmethod
    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""


@dataclass(frozen=True, slots=True, init=False)
class RetryRatio(Guard):
    """A retry budget as in Finagle: retries are at most a share of the recent requests, plus a minimum.

    Each request deposits 1 and each retry withdraws 1 / ratio; both expire after `window_s`. (Finagle rounds
    the window to tenths of it.)

    Attributes:
        ratio: retries per request.
        min_per_s: retries per second that are always allowed, on average over the window.
        window_s: lifetime of deposits and withdrawals.

    Source: finagle-core, com.twitter.finagle.service.RetryBudget.
    """

    ratio: float
    min_per_s: float
    window_s: float

    def __init__(self, ratio: Quantity = "20%", *, min_per_s: Quantity = 10, window_s: Duration = 10) -> None:
        """Create a budget.

        Raises:
            InvalidLimit: a number is invalid, or both ratio and minimum are zero.
        """
        object.__setattr__(self, "ratio", float(share(ratio, "ratio")))
        per_s = rate(min_per_s, "min_per_s", positive=False)
        check_plausible(per_s, min_per_s, "min_per_s")
        object.__setattr__(self, "min_per_s", float(per_s))
        object.__setattr__(self, "window_s", seconds(window_s, "window_s", positive=True))
        if not self.ratio and not self.min_per_s:
            raise InvalidLimit(
                "is zero, as is min_per_s; leave the budget out and set max_retries=0", subject="ratio"
            )

    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""
        return _RunningRatio(self)


class _RunningRatio(RunningGuard):
    def __init__(self, budget: RetryRatio) -> None:
        self._window = round(budget.window_s * NS_PER_S)
        # Amounts are retries, so that a withdrawal is 1.
        self._deposit = budget.ratio
        self._reserve = budget.min_per_s * budget.window_s + 1e-9  # a sum of tenths may be short of 1
        self._entries: deque[tuple[int, float]] = deque()
        self._sum = 0.0

    def begin_request(self, t: int) -> None:
        self._add(t, self._deposit)

    def allows_retry(self, t: int, outcome: AttemptOutcome) -> bool:
        while self._entries and self._entries[0][0] <= t - self._window:
            self._sum -= self._entries.popleft()[1]
        if self._reserve + self._sum < 1:
            return False
        self._add(t, -1.0)
        return True

    def _add(self, t: int, amount: float) -> None:
        self._entries.append((t, amount))
        self._sum += amount


@dataclass(frozen=True, slots=True, init=False)
class RetryTokens(Guard):
    """A retry quota as in the AWS SDKs: each retry takes tokens, and successes give them back.

    A request that succeeds after a retry gives back what its last retry took, another one `refund`.

    Attributes:
        capacity: tokens at the start, and at most.
        rejected_cost: tokens that a retry after a rejection takes.
        failed_cost: tokens that a retry after any other failure takes.
        refund: tokens that a request which succeeds at once gives back.

    Source: botocore, retries/quota.py and retries/standard.py (RetryQuotaChecker).
    """

    capacity: int
    rejected_cost: int
    failed_cost: int
    refund: int

    def __init__(
        self,
        capacity: Quantity = 500,
        *,
        rejected_cost: Quantity = 5,
        failed_cost: Quantity = 14,
        refund: Quantity = 1,
    ) -> None:
        """Create a quota.

        Raises:
            InvalidLimit: a number is invalid.
        """
        object.__setattr__(self, "capacity", whole(capacity, "capacity"))
        object.__setattr__(self, "rejected_cost", whole(rejected_cost, "rejected_cost"))
        object.__setattr__(self, "failed_cost", whole(failed_cost, "failed_cost"))
        object.__setattr__(self, "refund", whole(refund, "refund"))

    def cost(self, outcome: AttemptOutcome) -> int:
        """Return the tokens that a retry after this outcome takes."""
        return self.rejected_cost if outcome is AttemptOutcome.REJECTED else self.failed_cost

    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""
        return _RunningTokens(self)


class _RunningTokens(RunningGuard):
    def __init__(self, quota: RetryTokens) -> None:
        self._quota = quota
        self._tokens = quota.capacity

    def allows_retry(self, t: int, outcome: AttemptOutcome) -> bool:
        cost = self._quota.cost(outcome)
        if cost > self._tokens:
            return False
        self._tokens -= cost
        return True

    def record(self, t: int, outcome: AttemptOutcome, before: AttemptOutcome | None) -> None:
        if outcome is AttemptOutcome.SERVED:
            refund = self._quota.refund if before is None else self._quota.cost(before)
            self._tokens = min(self._tokens + refund, self._quota.capacity)


@dataclass(frozen=True, slots=True, init=False)
class RetryThrottling(Guard):
    """The retry throttling of gRPC: no retries and hedges while too many attempts fail.

    A failure takes a token, a success gives back `token_ratio`; retries are allowed while there are more than
    half of `max_tokens`.

    Attributes:
        max_tokens: tokens at the start, and at most.
        token_ratio: tokens that a success gives back, to three decimal places.

    Source: gRPC proposal A6, "Throttling Retry Attempts and Hedged RPCs".
    """

    max_tokens: float
    token_ratio: float

    def __init__(self, max_tokens: Number = 10, token_ratio: Number = 0.1) -> None:
        """Create a throttling rule.

        Raises:
            InvalidLimit: a number is invalid.
        """
        object.__setattr__(self, "max_tokens", real(max_tokens, "max_tokens", positive=True))
        object.__setattr__(self, "token_ratio", real(token_ratio, "token_ratio", positive=True))

    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""
        return _RunningThrottling(self)


class _RunningThrottling(RunningGuard):
    def __init__(self, rule: RetryThrottling) -> None:
        # In thousandths, so that ten successes of 0.1 are exactly one token.
        self._most = round(rule.max_tokens * 1000)
        self._refund = round(rule.token_ratio * 1000)
        self._tokens = self._most

    def allows_retry(self, t: int, outcome: AttemptOutcome) -> bool:
        return 2 * self._tokens > self._most

    def record(self, t: int, outcome: AttemptOutcome, before: AttemptOutcome | None) -> None:
        if outcome is AttemptOutcome.SERVED:
            self._tokens = min(self._tokens + self._refund, self._most)
        else:
            self._tokens = max(self._tokens - 1000, 0)


@dataclass(frozen=True, slots=True, init=False)
class CircuitBreaker(Guard):
    """A circuit breaker: closed, open after too many failures, half open for some trial attempts.

    The defaults are those of resilience4j's CircuitBreakerConfig with a count-based window. Outcomes of
    attempts count in the state in which they arrive; while the breaker is open they are ignored.

    Attributes:
        failure_share: share of failures from which the breaker opens, above 0 and at most 1.
        calls: number of the last attempts that are counted.
        min_calls: attempts before the share is computed, by default `calls`.
        open_s: time for which the breaker stays open.
        trial_calls: attempts that are sent when it is half open.

    Source: https://resilience4j.readme.io/docs/circuitbreaker.
    """

    failure_share: float
    calls: int
    min_calls: int
    open_s: float
    trial_calls: int

    def __init__(
        self,
        failure_share: Quantity = "50%",
        *,
        calls: Quantity = 100,
        min_calls: Quantity | None = None,
        open_s: Duration = 60,
        trial_calls: Quantity = 10,
    ) -> None:
        """Create a circuit breaker.

        Raises:
            InvalidLimit: a number is invalid.
        """
        object.__setattr__(self, "failure_share", float(share(failure_share, "failure_share")))
        least = calls if min_calls is None else min_calls
        for name, value in (("calls", calls), ("min_calls", least), ("trial_calls", trial_calls)):
            parsed = whole(value, name)
            check_plausible(parsed, value, name)
            if not parsed:
                raise InvalidLimit("is zero; give at least 1", subject=name)
            object.__setattr__(self, name, parsed)
        object.__setattr__(self, "min_calls", min(self.min_calls, self.calls))
        object.__setattr__(self, "open_s", seconds(open_s, "open_s"))
        if not 0 < self.failure_share <= 1:
            raise InvalidLimit("must be above 0 and at most 100%", subject="failure_share")

    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""
        return _RunningBreaker(self)


class _RunningBreaker(RunningGuard):
    def __init__(self, breaker: CircuitBreaker) -> None:
        self._breaker = breaker
        self._open_ns = round(breaker.open_s * NS_PER_S)
        self._failures: deque[bool] = deque(maxlen=breaker.calls)
        self._open_until: int | None = None
        self._trials_left: int | None = None  # None unless half open

    def allows_attempt(self, t: int, u: float) -> bool:
        if self._open_until is not None:
            if t < self._open_until:
                return False
            self._open_until = None
            self._begin_window(trials=self._breaker.trial_calls)
        if self._trials_left is None:
            return True
        if not self._trials_left:
            return False
        self._trials_left -= 1
        return True

    def cancel_attempt(self) -> None:
        if self._trials_left is not None:
            self._trials_left += 1

    def record(self, t: int, outcome: AttemptOutcome, before: AttemptOutcome | None) -> None:
        if self._open_until is not None:
            return
        self._failures.append(outcome is not AttemptOutcome.SERVED)
        half_open = self._trials_left is not None
        if len(self._failures) < (self._breaker.trial_calls if half_open else self._breaker.min_calls):
            return
        if sum(self._failures) >= self._breaker.failure_share * len(self._failures):
            self._open_until = t + self._open_ns
        elif half_open:
            self._begin_window(trials=None)

    def _begin_window(self, *, trials: int | None) -> None:
        self._trials_left = trials
        self._failures = deque(maxlen=trials or self._breaker.calls)


@dataclass(frozen=True, slots=True, init=False)
class AdaptiveThrottle(Guard):
    """The client-side throttling of Google's SRE book.

    An attempt is not sent with probability max(0, (requests - k * accepts) / (requests + 1)), where requests
    are all attempts of the window, also those that were not sent, and accepts those that the server served.
    Under lasting overload the server then gets about k times what it serves.

    Attributes:
        k: attempts per served attempt that the server shall get.
        window_s: the window.

    Source: Site Reliability Engineering, chapter 21 "Handling Overload", equation 21-1.
    """

    k: float
    window_s: float

    def __init__(self, k: Number = 2, *, window_s: Duration = 120) -> None:
        """Create a throttle.

        Raises:
            InvalidLimit: a number is invalid, or k is less than 1.
        """
        object.__setattr__(self, "k", real(k, "k"))
        object.__setattr__(self, "window_s", seconds(window_s, "window_s", positive=True))
        if self.k < 1:
            raise InvalidLimit("must be at least 1; otherwise nothing is sent after a while", subject="k")

    def begin(self) -> RunningGuard:
        """Return the initial state of one client."""
        return _RunningAdaptive(self)


class _RunningAdaptive(RunningGuard):
    def __init__(self, throttle: AdaptiveThrottle) -> None:
        self._k = throttle.k
        self._window = round(throttle.window_s * NS_PER_S)
        self._requests: deque[int] = deque()
        self._accepts: deque[int] = deque()

    def allows_attempt(self, t: int, u: float) -> bool:
        for times in (self._requests, self._accepts):
            while times and times[0] <= t - self._window:
                times.popleft()
        requests = len(self._requests)
        self._requests.append(t)
        return u >= (requests - self._k * len(self._accepts)) / (requests + 1)

    def record(self, t: int, outcome: AttemptOutcome, before: AttemptOutcome | None) -> None:
        if outcome is AttemptOutcome.SERVED:
            self._accepts.append(t)
