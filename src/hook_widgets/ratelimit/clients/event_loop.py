"""The event loop of a closed-loop simulation: one run of all clients against a running limiter.

Times are whole nanoseconds. Events at the same time are processed in the order in which they were scheduled.
Random numbers come from one generator, so a seed gives the same run everywhere.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit.clients.backoff import RetryAfterUse
from hook_widgets.ratelimit.clients.client_run import ClientRun, RequestRecord
from hook_widgets.ratelimit.clients.client_workload import ClientWorkload
from hook_widgets.ratelimit.clients.guards import AttemptOutcome, RunningGuard
from hook_widgets.ratelimit.clients.policy import ClientPolicy, ClientThrottle
from hook_widgets.ratelimit.clients.server_model import LatencyShape, RetryAfterField, ServerModel
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas, one_client
from hook_widgets.ratelimit.limiters.layers import Concurrency
from hook_widgets.ratelimit.limiters.running import RunningLimiter
from hook_widgets.ratelimit.units import NS_PER_S

MAX_ATTEMPTS: Final = 2_000_000
"""Upper bound of the requests of a run, and of its attempts, against retries without waits."""

_SERVED, _REJECTED, _FAILED = AttemptOutcome.SERVED, AttemptOutcome.REJECTED, AttemptOutcome.FAILED
_TIMED_OUT, _BLOCKED = AttemptOutcome.TIMED_OUT, AttemptOutcome.BLOCKED


@dataclass(slots=True, eq=False, kw_only=True)
class Client:
    """The state of one client.

    Attributes:
        keys: the client by key, for limits that are kept for each client.
        guards: the states of its guards.
        active: requests that it works on.
        waiting: requests that wait for one of those to end.
        full_at: time in nanoseconds at which the bucket of its throttle is full.
    """

    keys: dict[str, Hashable]
    guards: list[RunningGuard]
    active: int = 0
    waiting: deque[Request] = field(default_factory=deque)
    full_at: int = 0

    def reserve(self, t: int, throttle: ClientThrottle) -> int:
        """Take a token of the throttle, and return the time at which it is there."""
        interval = math.ceil(NS_PER_S / throttle.rate_per_s)
        self.full_at = max(self.full_at, t) + interval
        return max(t, self.full_at - throttle.burst * interval)


@dataclass(slots=True, eq=False)
class Request:
    """The state of one fresh request and its attempts. Times are in nanoseconds.

    Attributes:
        index: its index among all requests.
        client: its client.
        start: time at which it arose.
        begun: time of its first attempt.
        ended: time of its end, or None.
        sent: attempts that were sent.
        retries: attempts that were planned after the first.
        outstanding: attempts without an outcome, planned ones included.
        wait_s: the last backoff in seconds.
        last: outcome of the last attempt, or None.
        done: True if the client has a response or gave up.
    """

    index: int
    client: Client
    start: int
    begun: int = 0
    ended: int | None = None
    sent: int = 0
    retries: int = 0
    outstanding: int = 0
    wait_s: float = 0.0
    last: AttemptOutcome | None = None
    done: bool = False


class EventLoop:
    """One run of all clients. Used once."""

    def __init__(
        self, limiter: Limiter, workload: ClientWorkload, policy: ClientPolicy, server: ServerModel, seed: int
    ) -> None:
        """Prepare a run; see `simulate_clients`."""
        self.policy: ClientPolicy = policy
        self.server: ServerModel = server
        self.workload: ClientWorkload = workload
        self.seed: int = seed
        self.running: RunningLimiter = limiter.begin()
        self.ticks_per_ns: int = self.running._trace.ticks_per_ns
        # Requests and policies have streams of their own: the same seed gives each policy the same requests.
        self.random: Callable[[], float] = random.Random(f"policy {seed}").random
        self.end: int = int(workload.duration_s * NS_PER_S)
        self.events: list[tuple[int, int, Callable[..., None], Request, Any]] = []
        self.scheduled: int = 0
        self.attempts: list[tuple[int, AttemptOutcome]] = []
        self.admitted: int = 0
        self.wasted: int = 0
        self.blocked: int = 0
        layers = limiter.layers
        self.in_flight: bool = any(isinstance(one_client(layer), Concurrency) for layer in layers)
        keyed = [
            layer for layer in layers if isinstance(layer, PerClient) and not isinstance(layer, Replicas)
        ]
        self.clients: list[Client] = [
            Client(
                keys={layer.key: number for layer in keyed}, guards=[guard.begin() for guard in policy.guards]
            )
            for number in range(workload.clients)
        ]
        rule, outage = policy.retry_after, server.outage
        self.asks_retry_after: bool = (
            server.retry_after is not RetryAfterField.NONE
            and (rule.required or rule.use is not RetryAfterUse.IGNORED)
            and policy.max_retries > 0
            and policy.hedge is None
        )
        self.outage: tuple[int, int] = (0, 0) if outage is None else (_ns(outage.start_s), _ns(outage.end_s))
        self.timeout: int | None = None if policy.timeout_s is None else _ns(policy.timeout_s)
        self.rejection: int = _ns(server.rejection_s)

    def run(self) -> ClientRun:
        """Process all events until the end of the run.

        Raises:
            InvalidArrivals: there are too many requests or attempts.
        """
        times_ns = self.workload.arrivals(self.seed).times_ns
        if len(times_ns) > MAX_ATTEMPTS:
            raise InvalidArrivals(f"there are more than {MAX_ATTEMPTS:,} requests; give fewer")
        senders = self.workload.senders(len(times_ns), random.Random(f"senders {self.seed}"))
        requests = [
            Request(i, self.clients[who], t) for i, (t, who) in enumerate(zip(times_ns, senders, strict=True))
        ]
        for request in requests:  # in order of time, and so a heap
            self.events.append((request.start, self.scheduled, self.arrive, request, None))
            self.scheduled += 1
        events = self.events
        while events:
            t, _, action, request, detail = heappop(events)
            if t >= self.end:
                break
            action(t, request, detail)
        return self.result(requests, senders)

    def result(self, requests: list[Request], senders: list[int]) -> ClientRun:
        """Return what happened."""
        offered = [request for request in requests if request.start < self.end]
        return ClientRun(
            seed=self.seed,
            duration_s=self.end / NS_PER_S,
            clients=self.workload.clients,
            requests=tuple(
                RequestRecord(
                    client=senders[request.index],
                    start_ns=request.start,
                    end_ns=request.ended,
                    attempts=request.sent,
                    served=request.done and request.last is _SERVED,
                )
                for request in offered
            ),
            attempts=tuple(self.attempts),
            admitted=self.admitted,
            blocked=self.blocked,
            wasted=self.wasted,
            disturbance_s=self.disturbance_s(),
        )

    def disturbance_s(self) -> tuple[float, float] | None:
        """Return start and end of outage and surge together, or None."""
        spans = [span for span in (self.server.outage, self.workload.surge) if span is not None]
        return (min(s.start_s for s in spans), max(s.end_s for s in spans)) if spans else None

    def schedule(self, t: int, action: Callable[..., None], request: Request, detail: Any = None) -> None:
        """Schedule an action."""
        heappush(self.events, (t, self.scheduled, action, request, detail))
        self.scheduled += 1

    def arrive(self, t: int, request: Request, _: None) -> None:
        """Take a fresh request, or let it wait for one before it."""
        client = request.client
        most = self.policy.max_in_flight
        if most is not None and client.active >= most:
            client.waiting.append(request)
        else:
            client.active += 1
            self.begin(t, request, None)

    def begin(self, t: int, request: Request, _: None) -> None:
        """Make the first attempt of a request."""
        request.begun = t
        for guard in request.client.guards:
            guard.begin_request(t)
        self.attempt(t, request, None)
        if self.policy.hedge is not None:
            self.schedule(t + _ns(self.policy.hedge.delay_s), self.hedge, request, 0)

    def attempt(self, t: int, request: Request, _: None) -> None:
        """Send an attempt as soon as the client's throttle has a token."""
        if request.done:
            return
        request.outstanding += 1
        throttle = self.policy.throttle
        at = t if throttle is None else request.client.reserve(t, throttle)
        if at > t:
            self.schedule(at, self.send, request)
        else:
            self.send(t, request, None)

    def send(self, t: int, request: Request, _: None) -> None:
        """Send an attempt, unless a guard of the client prevents it."""
        if request.done:
            return
        guards = request.client.guards
        for i, guard in enumerate(guards):
            if not guard.allows_attempt(t, self.random()):
                for earlier in guards[:i]:
                    earlier.cancel_attempt()
                request.outstanding -= 1
                self.blocked += 1
                self.check_count(t)
                self.fail(t, request, _BLOCKED, None)
                return
        request.sent += 1
        outcome, after, retry_after_s = self.ask(t, request)
        if self.timeout is not None and after > self.timeout:
            self.wasted += outcome is _SERVED
            outcome, after, retry_after_s = _TIMED_OUT, self.timeout, None
        self.attempts.append((t, outcome))
        self.check_count(t)
        self.schedule(t + after, self.respond, request, (outcome, retry_after_s))

    def check_count(self, t: int) -> None:
        """Raise InvalidArrivals if there are too many attempts, sent and blocked."""
        if len(self.attempts) + self.blocked > MAX_ATTEMPTS:
            raise InvalidArrivals(
                f"the clients made more than {MAX_ATTEMPTS:,} attempts in {t / NS_PER_S:g} s; give longer "
                "waits, fewer retries or less traffic"
            )

    def ask(self, t: int, request: Request) -> tuple[AttemptOutcome, int, float | None]:
        """Return the outcome at the server, the time until its response, and its Retry-After."""
        if self.outage[0] <= t < self.outage[1]:
            return _FAILED, self.rejection, None
        latency_s = self.server.latency_s
        if self.server.latency is LatencyShape.EXPONENTIAL:
            latency_s *= -math.log(1.0 - self.random())
        keys = self.running._by_key(request.client.keys, route=True)
        service = _ns(latency_s) * self.ticks_per_ns if self.in_flight else 0
        decision = self.running._decide(t * self.ticks_per_ns, 1, service, keys)
        if not decision.admitted:
            return (
                _REJECTED,
                self.rejection,
                self.retry_after_s(t, decision.client) if self.asks_retry_after else None,
            )
        self.admitted += 1
        after = int(decision.wait_s * NS_PER_S) + _ns(latency_s)  # type: ignore[operator]
        return (_FAILED if request.index in self.workload.poisoned else _SERVED), after, None

    def retry_after_s(self, t: int, keys: Mapping[str, Hashable]) -> float | None:
        """Return the Retry-After of a rejection."""
        if self.server.retry_after is RetryAfterField.SECONDS:
            whole = self.running._free_after(t * self.ticks_per_ns, NS_PER_S * self.ticks_per_ns, keys)
            return None if whole is None else float(whole)
        free_at = self.running.free_at(t / NS_PER_S, **keys)
        return None if free_at is None else math.ceil(free_at * NS_PER_S - t) / NS_PER_S

    def respond(self, t: int, request: Request, response: tuple[AttemptOutcome, float | None]) -> None:
        """Take the outcome of an attempt."""
        outcome, retry_after_s = response
        request.outstanding -= 1
        for guard in request.client.guards:
            guard.record(t, outcome, request.last)
        if request.done:
            self.wasted += outcome is _SERVED
        elif outcome is _SERVED:
            self.finish(t, request, outcome)
        else:
            self.fail(t, request, outcome, retry_after_s)

    def fail(self, t: int, request: Request, outcome: AttemptOutcome, retry_after_s: float | None) -> None:
        """Retry or hedge after a failure, or give up."""
        if self.policy.hedge is not None:
            request.last = outcome
            if outcome in self.policy.retry_on and self.send_hedge(t, request, outcome):
                return
            if not request.outstanding:
                self.finish(t, request, outcome)
            return
        wait_s = self.wait_s(t, request, outcome, retry_after_s)
        request.last = outcome
        if wait_s is None or not all(guard.allows_retry(t, outcome) for guard in request.client.guards):
            self.finish(t, request, outcome)
            return
        request.retries += 1
        self.schedule(t + _ns(wait_s), self.attempt, request)

    def wait_s(
        self, t: int, request: Request, outcome: AttemptOutcome, retry_after_s: float | None
    ) -> float | None:
        """Return the wait before the next retry; None if there is none."""
        policy = self.policy
        if request.retries >= policy.max_retries or outcome not in policy.retry_on:
            return None
        backoff_s = policy.wait_rule(outcome).wait_s(request.retries, self.random(), request.wait_s)
        wait_s: float | None = backoff_s
        if outcome is _REJECTED:
            wait_s = policy.retry_after.wait_s(retry_after_s, backoff_s, self.random())
        request.wait_s = backoff_s
        passed_s = (t - request.begun) / NS_PER_S
        if policy.stop_after_s is not None and passed_s >= policy.stop_after_s:
            return None
        if (
            policy.stop_before_s is not None
            and wait_s is not None
            and passed_s + wait_s > policy.stop_before_s
        ):
            return None
        return wait_s

    def hedge(self, t: int, request: Request, planned: int) -> None:
        """Send another attempt while the response is awaited, unless a failure has caused one already."""
        if not request.done and request.retries == planned:
            self.send_hedge(t, request, _TIMED_OUT)

    def send_hedge(self, t: int, request: Request, outcome: AttemptOutcome) -> bool:
        """Send another attempt of a request, and plan the next. Return False if none may be sent."""
        hedge = self.policy.hedge
        if hedge is None or request.retries + 1 >= hedge.max_attempts:
            return False
        if not all(guard.allows_retry(t, outcome) for guard in request.client.guards):
            return False
        request.retries += 1
        self.schedule(t + _ns(hedge.delay_s), self.hedge, request, request.retries)
        self.schedule(t, self.attempt, request)
        return True

    def finish(self, t: int, request: Request, outcome: AttemptOutcome) -> None:
        """End a request, and begin the next one that waits for it."""
        request.done, request.last, request.ended = True, outcome, t
        client = request.client
        if client.waiting:
            self.schedule(t, self.begin, client.waiting.popleft())
        else:
            client.active -= 1


def _ns(seconds: float) -> int:
    return round(seconds * NS_PER_S)
