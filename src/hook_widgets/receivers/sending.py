"""Send the requests of a run, within its time, until it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.requests.request import WebhookRequest

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection

_UNREACHABLE: Final = frozenset({"dns", "refused", "unreachable", "tls", "protocol"})
_HUNG_UP: Final = frozenset({"closed", "reset"})
_PIECE_S: Final = 0.2
_PATIENCE: Final = 3  # requests without a response; afterwards waiting as long for each would take minutes
_IMPATIENT_S: Final = 1.0
_MAX_LABELS: Final = 6
_SEARCHED: Final = 64 * 1024  # bytes of a body


class Transport(Protocol):
    """A function that sends one request, such as `hook_widgets.webhooks.send`."""

    def __call__(self, request: WebhookRequest, *, timeout_s: float) -> Delivery:
        """Send a request and return the outcome; failures of the network are in its ``error``."""


class Connector(Protocol):
    """A function that returns a connection, such as `hook_widgets.webhooks.delivery.connect`."""

    def __call__(self, url: str, *, timeout_s: float) -> Connection:
        """Return a connection to a URL; `timeout_s` limits each of its steps."""


class RunEnded(Exception):
    """Raised to end a run early; the message is the reason.

    Attributes:
        explanation: the reason, and what to do.
    """

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.explanation: str = f"{reason}. {advice}" if advice else reason


class Unreachable(RunEnded):
    """Raised if nothing listens at the URL, or what listens there is no web server."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that was sent, and what came back.

    Attributes:
        label: what is special about the request.
        request: the request.
        delivery: the outcome.
        written: True if it was written byte by byte, as neither `send` nor curl does.
    """

    label: str
    request: WebhookRequest
    delivery: Delivery
    written: bool = False

    @property
    def status(self) -> int | None:
        """The HTTP status; None without a complete response."""
        return self.delivery.status if self.delivery.error is None else None

    @property
    def accepted(self) -> bool:
        """True for 2xx."""
        return self.delivery.ok

    @property
    def rejected(self) -> bool:
        """True for 4xx."""
        return self.status is not None and 400 <= self.status < 500

    @property
    def redirected(self) -> bool:
        """True for 3xx."""
        return self.status is not None and 300 <= self.status < 400

    @property
    def crashed(self) -> bool:
        """True for 5xx, and if no complete response came."""
        return self.status is None or self.status >= 500

    @property
    def hung_up(self) -> bool:
        """True if the connection was closed or reset instead of a complete response."""
        return self.delivery.error is not None and self.delivery.error.code in _HUNG_UP

    @property
    def is_html(self) -> bool:
        """True if a browser may show the response as HTML: it says so, or does not say what it is."""
        media_type = self.delivery.headers.get("Content-Type", "").lower()
        return "html" in media_type or not media_type

    @property
    def outcome(self) -> str:
        """The status, or the code of the error."""
        error = self.delivery.error
        return f"no response ({error.code})" if error else str(self.delivery.status)

    @property
    def body(self) -> str:
        """The body of the response as text, or the beginning of a long one."""
        return self.delivery.beginning(_SEARCHED)

    @property
    def text(self) -> str:
        """The headers and the body of the response."""
        headers = "\n".join(f"{name}: {value}" for name, value in self.delivery.headers.multi_items())
        return f"{headers}\n\n{self.body}"


class Session:
    """Sends requests until the time of the run is over.

    Args:
        transport: sends one request.
        timeout_s: the time limit for one request, in seconds.
        budget_s: the time limit for all, in seconds from now.
        stop: asked before each request; True ends the run.
        connector: makes connections; None if there are none.

    Attributes:
        connector: as given.
        count: the number of requests sent.
        labels: the method and label of each request that the transport sent.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        timeout_s: float,
        budget_s: float,
        stop: Callable[[], bool] | None,
        connector: Connector | None,
    ) -> None:
        self._transport = transport
        self.connector = connector
        self._timeout_s = timeout_s
        self._budget_s = budget_s
        self._end = time.monotonic() + budget_s
        self._stop = stop
        self.count: int = 0
        self.labels: list[str] = []
        self._timeouts = 0
        self._slowest_s = 0.0

    def check(self) -> None:
        """Raise if the run is over.

        Raises:
            RunEnded: the time is over, or `stop` said so.
        """
        if self._stop is not None and self._stop():
            raise RunEnded("it was stopped")
        if time.monotonic() >= self._end:
            raise RunEnded(f"its {self._budget_s:g} s are over; give a larger budget_s, or fewer checks")

    def count_request(self) -> None:
        """Count a request, unless the run is over.

        Raises:
            RunEnded: the run is over.
        """
        self.check()
        self.count += 1

    def send(self, label: str, request: WebhookRequest) -> Exchange:
        """Send one request.

        Raises:
            RunEnded: the run is over, or the receiver cannot be reached.
        """
        self.count_request()
        self.labels.append(f"{request.method} {label}")
        delivery = self._transport(request, timeout_s=self._limit_s)
        if delivery.error is not None:
            if delivery.error.code in _UNREACHABLE:
                reason = f"the receiver cannot be reached ({delivery.error.code})"
                raise Unreachable(reason, delivery.error.cause)
            if delivery.error.code == "timeout":
                self.check()  # the time of the run may have ended the request
                self._timeouts += 1
        else:
            self._slowest_s = max(self._slowest_s, delivery.elapsed_s)
        return Exchange(label, request, delivery)

    def connect(self, url: str, requests: int) -> Connection | None:
        """Return a connection, or None if this run has none.

        Args:
            url: the URL of the receiver.
            requests: the number of requests that will be written.

        Raises:
            RunEnded: the run is over.
        """
        self.check()
        if self.connector is None:
            return None
        self.count += requests
        return self.connector(url, timeout_s=self._limit_s)

    def pause(self, duration_s: float) -> None:
        """Wait, in short pieces between which the run may end.

        Raises:
            RunEnded: the run is over.
        """
        end = time.monotonic() + duration_s
        self.check()
        while (remaining_s := end - time.monotonic()) > 0:
            time.sleep(min(remaining_s, _PIECE_S))
            self.check()

    @property
    def _limit_s(self) -> float:
        """The time limit for the next request: no longer than the run."""
        limit_s = self._timeout_s
        if self._timeouts >= _PATIENCE:
            limit_s = min(limit_s, max(_IMPATIENT_S, 5 * self._slowest_s))
        return min(limit_s, max(self._end - time.monotonic(), 0.05))


def summary(exchanges: Iterable[Exchange]) -> str:
    """Return the statuses with what led to them, such as ``401 for no signature``."""
    labels: dict[str, list[str]] = {}
    for exchange in exchanges:
        labels.setdefault(exchange.outcome, []).append(exchange.label)
    return "; ".join(f"{outcome} for {_listing(names)}" for outcome, names in labels.items())


def _listing(names: list[str]) -> str:
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - _MAX_LABELS} more" if len(unique) > _MAX_LABELS else ""
    return ", ".join(unique[:_MAX_LABELS]) + more
