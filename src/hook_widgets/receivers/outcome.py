"""The outcome of a check, and the reasons why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a check.

    Attributes:
        status: the status of the check.
        observed: the behaviour of the receiver, or the reason of the status. It quotes nothing received.
        exchange: the exchange that decided.
    """

    status: Status
    observed: str
    exchange: Exchange | None = None


class NotDecided(Exception):
    """Raised if a check cannot be decided; the message is the reason."""

    def __init__(self, reason: str, exchange: Exchange | None = None) -> None:
        super().__init__(reason)
        self.exchange = exchange


class Unsendable(NotDecided):
    """Raised if HTTP cannot carry a request."""


class RateLimited(NotDecided):
    """Raised if the receiver limits requests: 429 tells nothing about the request."""

    @classmethod
    def unless_decided(cls, exchange: Exchange) -> Exchange:
        """Return an exchange whose response is about the request."""
        if exchange.status == 429:
            limited = f"it limits requests (429 for {exchange.label}); raise its limit for this run"
            raise cls(limited, exchange)
        return exchange


class NotApplicable(Exception):
    """Raised if the provider's scheme does not have what is checked; the message is the reason."""
