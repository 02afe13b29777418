"""Inputs of the generator as one record, and the draft for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hook_widgets.errors import InvalidArgument, WebhookError
from hook_widgets.webhooks.registry import Provider, provider
from hook_widgets.webhooks.requests.request import Draft

Clock = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Snapshot of the generator's inputs."""

    provider: str
    event: str
    scheme: str
    url: str
    body: bytes
    headers: tuple[tuple[str, str], ...]
    clock: tuple[tuple[str, Any], ...]

    def source(self) -> Provider:
        """Return the provider.

        Raises:
            UnknownName: no provider with that id.
        """
        return provider(self.provider)

    @property
    def is_sample(self) -> bool:
        """True if the body is the event's sample."""
        try:
            return self.body == self.source().template(self.event)
        except WebhookError:  # no such provider or event
            return False

    def draft(self, parts: Mapping[str, str], *, at: datetime | None = None) -> Draft:
        """Return the draft for these inputs.

        Raises:
            WebhookError: an input is invalid.
        """
        return self.source().draft(
            event=self.event,
            url=self.url,
            body=self.body,
            headers=self.headers,
            at=at or moment_of(dict(self.clock)),
            scheme=self.scheme or None,
            parts=parts,
        )


def clock_of(clock: str | datetime | timedelta | Clock) -> dict[str, Any]:
    """Convert ``"now"``, a fixed time or an offset from now to the value of the clock trait.

    Raises:
        InvalidArgument: the clock is none of these.
    """
    if clock == "now":
        return {"mode": "now"}
    if isinstance(clock, datetime):
        if clock.tzinfo is None:
            raise InvalidArgument("clock= has no time zone; write datetime(..., tzinfo=UTC)", field="clock")
        return {"mode": "fixed", "at": clock.isoformat()}
    if isinstance(clock, timedelta):
        return {"mode": "offset", "offset_s": clock.total_seconds()}
    if isinstance(clock, Mapping):
        moment_of(clock)
        return dict(clock)
    raise InvalidArgument(
        'clock= must be "now", a datetime with time zone, or a timedelta from now', field="clock"
    )


def tolerance_of(args: Mapping[str, Any]) -> float | None:
    """Return the tolerance of a request to verify, in seconds; None for the provider's own.

    Raises:
        InvalidArgument: it is not a number.
    """
    tolerance_s = args.get("tolerance_s")
    if tolerance_s is None:
        return None
    if isinstance(tolerance_s, bool) or not isinstance(tolerance_s, int | float):
        raise InvalidArgument(
            "the tolerance must be a number of seconds; leave it empty for the provider's own",
            field="tolerance_s",
        )
    return float(tolerance_s)


def moment_of(clock: Clock) -> datetime | None:
    """Return the time of a clock; None for the current time.

    Raises:
        InvalidArgument: the clock is invalid.
    """
    mode = clock.get("mode")
    if mode == "now":
        return None
    if mode == "fixed":
        try:
            moment = datetime.fromisoformat(str(clock.get("at", "")))
        except ValueError:
            raise InvalidArgument(
                "the fixed time is not a date and time; write one such as 2026-09-30T12:00:00Z", field="clock"
            ) from None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if mode == "offset":
        offset = clock.get("offset_s")
        if isinstance(offset, bool) or not isinstance(offset, int | float) or not math.isfinite(offset):
            raise InvalidArgument("the offset must be a number of seconds, such as -301", field="clock")
        try:
            return datetime.now(UTC) + timedelta(seconds=offset)
        except OverflowError:
            raise InvalidArgument(
                "the offset leads beyond the calendar; use a smaller one", field="clock"
            ) from None
    raise InvalidArgument("the clock must be 'now', 'fixed' or 'offset'", field="clock")
