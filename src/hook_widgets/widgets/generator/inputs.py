"""Inputs of the generator as one record, the draft for them, and the bodies of events."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hook_widgets.errors import InvalidArgument, WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import Draft
from hook_widgets.widgets._base import HookWidget
from hook_widgets.widgets._rpc import RpcError

Clock = Mapping[str, Any]
_MAX_CHAIN = 50


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

    def source(self) -> registry.Provider:
        """Return the provider.

        Raises:
            UnknownName: no provider with that id.
        """
        return registry.provider(self.provider)

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


class CheckedInputs(HookWidget):
    """A widget that converts and checks inputs which code assigns, as its constructor does.

    Those of a browser are not checked, and neither are those that `set_trait` sets.
    """

    #: Inputs of the request.
    input_names: Sequence[str] = ("provider", "event", "scheme", "url", "body", "headers", "clock")

    _by_code = False  # False in the constructor

    _inputs: Callable[[], Inputs]

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __setattr__(self, name: str, value: object) -> None:
            """Set an attribute; an input is checked first, so that the state stays valid."""
            super().__setattr__(name, _checked(self._inputs(), name, value) if self._by_code else value)


def _checked(inputs: Inputs, name: str, value: Any) -> Any:
    """Return an input as its trait holds it.

    Raises:
        WebhookError: it is invalid.
    """
    match name:
        case "provider":
            return registry.provider(value).id
        case "event":
            return inputs.source().event(value).name
        case "body":
            return value.encode() if isinstance(value, str) else value
        case "clock":
            return clock_of(value)
        case "headers":
            pairs = Headers(value).multi_items()
            _check_draft(inputs, replace(inputs, headers=tuple(pairs)))
            return [list(pair) for pair in pairs]
        case "scheme" | "url":
            _check_draft(inputs, replace(inputs, **{name: value}))
    return value


def _check_draft(before: Inputs, after: Inputs) -> None:
    """Raise the error of changed inputs, but not one that other inputs had before."""
    try:
        after.draft({})
    except WebhookError as error:
        try:
            before.draft({})
        except WebhookError as earlier:
            if str(earlier) == str(error):
                return
        raise


class EventBodies:
    """Edited bodies by provider and event, for as long as the widget lives."""

    def __init__(self) -> None:
        self._edited: dict[tuple[str, str], bytes] = {}

    def remember(self, provider: str, event: str, body: bytes) -> None:
        """Remember the body of an event; forget an earlier one if it is the sample again."""
        try:
            edited = body != registry.provider(provider).template(event)
        except WebhookError:  # a user's provider file has changed
            edited = True
        if edited:
            self._edited[provider, event] = body
        else:
            self._edited.pop((provider, event), None)

    def body(self, source: registry.Provider, event: str) -> bytes:
        """Return the edited body of an event, otherwise its sample.

        Raises:
            UnknownName: the provider has no such event.
        """
        edited = self._edited.get((source.id, event))
        return source.template(event) if edited is None else edited

    def inputs_of(
        self, args: Mapping[str, Any], current: Inputs, locked: Sequence[str], varied: Sequence[list[str]]
    ) -> Inputs:
        """Return the inputs with the ``event`` of a request in place of the selected one.

        Args:
            args: the arguments of the request; without ``event`` the current inputs are sent.
            current: the widget's inputs.
            locked: names of the inputs that its author has locked.
            varied: headers that belong to the current body alone.

        Raises:
            RpcError: the provider is another one by now, or the event is locked.
            UnknownName: the provider has no such event.
        """
        event = args.get("event")
        if event is None:
            return current
        if args.get("provider") != current.provider:
            raise RpcError("other_provider", "the provider was changed; select its events and send again")
        seed, chain = args.get("seed"), args.get("chain")
        if event == current.event and seed is None:
            return current
        if event != current.event and not {"event", "body"}.isdisjoint(locked):
            raise RpcError("locked", "event and payload are locked in this runbook")
        source = current.source()
        name = source.event(str(event)).name
        body = current.body if event == current.event else self.body(source, name)
        headers = [pair for pair in current.headers if list(pair) not in varied]
        if seed is not None and body == source.template(name) and "body" not in locked:
            sample = source.sample(name, values=_values(source, name, seed, chain))
            body = sample.body
            headers += sample.headers.items()
        return replace(current, event=name, body=body, headers=tuple(headers))


def _values(source: registry.Provider, event: str, seed: object, chain: object) -> dict[str, str]:
    """Return other values for the sample of an event.

    A value that the samples of all events of `chain` share is the same for the same seed: it is about the
    same thing, such as a customer. Others, such as the id of the event, differ from event to event.
    """
    if not isinstance(seed, int) or not isinstance(chain, list) or len(chain) > _MAX_CHAIN:
        raise RpcError("bad_values", "a seed must be a whole number, and a chain must be a list of events")
    samples = [
        {variable.name: variable.value for variable in source.variation(str(name)).variables}
        for name in chain
    ]
    variation = source.variation(event)
    shared = variation.drawn(seed, source.id)
    own = variation.drawn(seed, f"{source.id}:{event}")
    return {
        name: shared[name]
        if len(chain) > 1 and len({sample[name] for sample in samples if name in sample}) == 1
        else value
        for name, value in own.items()
    }
