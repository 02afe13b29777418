"""Circuit breakers and adaptive throttles: attempts that are not sent because too many failed."""

# ruff: noqa: ARG002 (each guard uses some of the parameters)

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.clients.backoff import seconds
from hook_widgets.ratelimit.clients.guards import AttemptOutcome, Guard, RunningGuard
from hook_widgets.ratelimit.units import NS_PER_S, Duration, Number, Quantity, number, share, whole


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
        for name, value in (("calls", calls), ("min_calls", min_calls), ("trial_calls", trial_calls)):
            parsed = self.calls if value is None else whole(value, name)
            if not parsed:
                raise InvalidLimit("is zero; give at least 1", subject=name)
            object.__setattr__(self, name, parsed)
        object.__setattr__(self, "min_calls", min(self.min_calls, self.calls))
        object.__setattr__(self, "open_s", seconds(open_s, "open_s"))
        if not 0 < self.failure_share <= 1:
            raise InvalidLimit("must be above 0 and at most 100 %", subject="failure_share")

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
        object.__setattr__(self, "k", float(number(k, "k")))
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
