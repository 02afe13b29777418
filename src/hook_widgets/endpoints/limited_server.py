"""A local HTTP server that enforces a limit, to test how clients react."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Final

from hook_widgets.endpoints.clocks import Clock, SystemClock
from hook_widgets.errors import InvalidArrivals, InvalidLimit, LimitModelError
from hook_widgets.ratelimit import Duration, Limiter, PerClient, Replicas
from hook_widgets.ratelimit.http import RateLimitResponse, RejectionCause, ResetDialect, policy_of
from hook_widgets.ratelimit.http.responses import respond
from hook_widgets.ratelimit.limiters.base import parse_enum
from hook_widgets.ratelimit.limiters.running import LimitDecision, RunningLimiter
from hook_widgets.ratelimit.simulation.engine import checked_limiter
from hook_widgets.ratelimit.units import duration
from hook_widgets.webhooks.delivery.local_server import LocalServer

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.responses import ReceiverResponse
    from hook_widgets.webhooks.requests.request import ReceivedRequest

_CAUSES: Final = {429: RejectionCause.QUOTA, 503: RejectionCause.CAPACITY}
_INSTEAD: Final = "decide requests with `limiter.begin()`, or run this server outside the browser"


class LimitField(StrEnum):
    """A part of a response that tells about limits."""

    RETRY_AFTER = "retry-after"
    """Retry-After, of RFC 9110."""
    RATELIMIT = "ratelimit"
    """RateLimit and RateLimit-Policy, of the IETF draft."""
    X_RATELIMIT = "x-ratelimit"
    """X-RateLimit-Limit, -Remaining and -Reset."""
    PROBLEM = "problem"
    """A body with problem details, of RFC 9457, if a request is rejected."""


_FIELD_NAMES: Final = {
    LimitField.RETRY_AFTER: {"retry-after"},
    LimitField.RATELIMIT: {"ratelimit", "ratelimit-policy"},
    LimitField.X_RATELIMIT: {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"},
    LimitField.PROBLEM: {"content-type"},
}
_USUAL: Final = (LimitField.RETRY_AFTER, LimitField.RATELIMIT, LimitField.PROBLEM)


@dataclass(frozen=True, slots=True)
class LimitedRequest:
    """A request that a `LimitedServer` decided.

    Attributes:
        at_s: the time of the decision by the clock of the server, in seconds.
        cost: the cost, or None if requests have none.
        decision: the decision, with the client by key.
        status: the status of the response.
    """

    at_s: Fraction
    cost: int | None
    decision: LimitDecision
    status: int


class LimitedServer(LocalServer):
    """An HTTP or HTTPS server on 127.0.0.1 that enforces a limit.

    It responds with 200 to an admitted request, after the time that the request waits in a queue and is in
    flight, and with 429 or 503 to a rejected one. Its decisions are those of `simulate` for the same times.

    Args:
        limiter: the limit, or several as `Layers`.
        tls: if true, serve HTTPS with a temporary certificate; clients must trust `ca`.
        clock: the clock; by default the system's. With a `VirtualClock` no response waits.
        fields: what responses tell about the limits, as values of `LimitField`.
        status: of a rejection, 429 or 503.
        x_reset: the dialect of X-RateLimit-Reset.
        client: function from a request to its client by key, for `PerClient`; by default each key is the name
            of a header, such as ``PerClient("X-Api-Key", ...)``, and requests without it are one client.
        cost: function from a request to its cost; by default requests have none.
        service_s: how long each request is in flight, for `Concurrency`.
        port: the port to listen on; 0 for a free one.

    Attributes:
        requests: the decided requests, in order. Each is appended before its response is sent.
        clock: the clock.

    Raises:
        InvalidLimit: the limiter never admits a request, or an option is invalid.
        InvalidArrivals: `service_s` is missing, or not used.
        InvalidHeader: a limit's name cannot be represented in a header.
    """

    def __init__(
        self,
        limiter: Limiter,
        *,
        tls: bool = False,
        clock: Clock | None = None,
        fields: Iterable[str] = _USUAL,
        status: int = 429,
        x_reset: ResetDialect | str = ResetDialect.DELTA,
        client: Callable[[ReceivedRequest], Mapping[str, Hashable]] | None = None,
        cost: Callable[[ReceivedRequest], int] | None = None,
        service_s: Duration | None = None,
        port: int = 0,
    ) -> None:
        for layer in checked_limiter(limiter).layers:
            policy_of(layer)
        keyed = {layer.key: layer for layer in limiter.layers if isinstance(layer, PerClient)}
        nobody: dict[str, Hashable] = dict.fromkeys(keyed, "")
        if limiter.begin().free_at(0, **nobody) is None:
            raise InvalidLimit("this limit never admits a request, so there is nothing to serve; raise it")
        service = None if service_s is None else duration(service_s, "service_s", error=InvalidArrivals)
        limiter.begin().decide(0, None, service, **nobody)  # service_s is given if it is needed
        if status not in _CAUSES:
            raise InvalidLimit(f"is {status}; give 429 or 503", subject="status")
        chosen = frozenset(parse_enum(LimitField, name, "fields") for name in fields)
        self.limiter = limiter
        self.clock: Clock = clock or SystemClock()
        self.requests: list[LimitedRequest] = []
        by_header = [key for key, layer in keyed.items() if not isinstance(layer, Replicas)]
        handler = _Handler(
            running=limiter.begin(),
            clock=self.clock,
            requests=self.requests,
            fields=chosen,
            cause=_CAUSES[status],
            x_reset=parse_enum(ResetDialect, x_reset, "x_reset")
            if LimitField.X_RATELIMIT in chosen
            else None,
            client=client or (lambda request: {key: request.headers.get(key) or "" for key in by_header}),
            cost=cost,
            service_s=service,
        )
        super().__init__(
            handler, "limited server", LimitModelError, _INSTEAD, tls=tls, explain=False, port=port
        )

    @property
    def url(self) -> str:
        """The URL to send to; every path below it is served, too.

        Raises:
            HookWidgetsError: the server is not running.
        """
        return f"{self._running().origin}/"

    def __repr__(self) -> str:
        state = self._server.origin if self._server else "stopped"
        return f"LimitedServer({self.limiter!r}, {state}, {len(self.requests)} requests)"


@dataclass(kw_only=True)
class _Handler:
    """Decides requests in the order in which they get the lock. It holds no reference to the server."""

    running: RunningLimiter
    clock: Clock
    requests: list[LimitedRequest]
    fields: frozenset[LimitField]
    cause: RejectionCause
    x_reset: ResetDialect | None
    client: Callable[[ReceivedRequest], Mapping[str, Hashable]]
    cost: Callable[[ReceivedRequest], int] | None
    service_s: Fraction | None
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def names(self) -> frozenset[str]:
        """The headers to send, in lower case."""
        return frozenset({"cache-control"}).union(*(_FIELD_NAMES[name] for name in self.fields))

    def __call__(self, request: ReceivedRequest) -> ReceiverResponse:
        """Return the response to a request, once it has waited."""
        from hook_widgets.webhooks.delivery.responses import ReceiverResponse

        try:
            response, wait_s = self._decide(request)
        except LimitModelError as error:  # such as a cost that is never admitted
            return ReceiverResponse(400, {"Content-Type": "text/plain; charset=utf-8"}, str(error).encode())
        if wait_s:
            self.clock.wait(wait_s)
        headers = {name: value for name, value in response.headers if name.lower() in self.names}
        body = response.body if LimitField.PROBLEM in self.fields else b""
        return ReceiverResponse(response.status, headers, body)

    def _decide(self, request: ReceivedRequest) -> tuple[RateLimitResponse, Fraction]:
        """Return the response, and how long to wait before it is sent."""
        cost = None if self.cost is None else self.cost(request)
        client = self.client(request)
        with self.lock:
            at_s = self.clock.now()
            decision = self.running.decide(at_s, cost, self.service_s, **client)
            response = respond(
                self.running,
                decision,
                at_s,
                cost,
                start_s=self.clock.epoch_s,
                x_reset=self.x_reset,
                cause=self.cause,
                client=dict(decision.client),
            )
            self.requests.append(LimitedRequest(at_s, cost, decision, response.status))
        wait_s = Fraction(0) if decision.wait_s is None else decision.wait_s + (self.service_s or 0)
        return response, wait_s
