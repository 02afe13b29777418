"""Bodies of a provider's events: the sample, or what the user made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.widgets._rpc import RpcError
from hook_widgets.widgets.generator.inputs import Inputs

_MAX_CHAIN = 50


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
