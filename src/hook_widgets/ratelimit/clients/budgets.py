"""Retry budgets: retries are a share of the requests, or are paid for by successes."""

# ruff: noqa: ARG002 (each guard uses some of the parameters)

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients.backoff import seconds
from hook_widgets.ratelimit.clients.guards import AttemptOutcome, Guard, RunningGuard
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Number, Quantity, number, rate, share, whole


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
        object.__setattr__(self, "min_per_s", float(rate(min_per_s, "min_per_s", positive=False)))
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
        object.__setattr__(self, "max_tokens", float(number(max_tokens, "max_tokens", positive=True)))
        object.__setattr__(self, "token_ratio", float(number(token_ratio, "token_ratio", positive=True)))

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
