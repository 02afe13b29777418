"""Requests with one fault, beside the valid delivery of which they are a variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.registry import Provider
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.verification.faults import Fault, assess_response, forge, id_parts, spoil
from hook_widgets.widgets._rpc import RpcError
from hook_widgets.widgets.generator.history import Entry, History
from hook_widgets.widgets.generator.inputs import Inputs


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A fault, and the valid delivery of which the request with this fault is a variant."""

    fault: Fault
    inputs: Inputs
    valid: Entry

    def draft(self, parts: Callable[[Provider], Mapping[str, str]]) -> Draft:
        """Return the draft to sign; that of the valid request if it is sent twice.

        Raises:
            RpcError: requests of this scheme cannot have the fault.
            WebhookError: the inputs cannot be sent.
        """
        sent = self.valid.request
        if self.fault is Fault.SENT_TWICE and sent is not None and sent.draft is not None:
            return sent.draft
        source = self.inputs.source()
        draft = self.inputs.draft(parts(source))
        if reason := self.fault.inapplicable(draft.scheme, source.deliveries):
            raise RpcError("not_applicable", f"does not apply: {reason}")
        if self.fault is Fault.DUPLICATE_ID and sent is not None and sent.draft is not None:
            later = max(draft.at, sent.draft.at + timedelta(seconds=1))  # else it may be the same request
            return self.inputs.draft({**parts(source), **id_parts(sent.draft, source.deliveries)}, at=later)
        at = self.fault.drafted_at(draft.scheme)
        return draft if at is None else self.inputs.draft(parts(source), at=at)

    def unsigned(self, draft: Draft, secret: Secret | None) -> WebhookRequest | None:
        """Return the request if it needs no signature by the holder of the key; otherwise None."""
        if not self.fault.uses_key:
            return forge(draft, self.fault, like=secret)
        # A request with a token of a tab is kept with dots in its place.
        if self.fault is Fault.SENT_TWICE and (secret is not None or not draft.reveals_secret):
            return self.valid.request
        return None

    def finish(self, request: WebhookRequest) -> WebhookRequest:
        """Return the signed request with the fault."""
        return spoil(request, self.fault) if self.fault.uses_key else request


def variant_of(args: Mapping[str, Any], history: History) -> Variant | None:
    """Return the variant that a request of the browser asks for; None for a valid request.

    Raises:
        RpcError: no such fault, or no valid delivery with that number.
    """
    name = args.get("fault")
    if name is None:
        return None
    if name not in list(Fault):
        raise RpcError("no_such_fault", "there is no such fault; reload the page")
    entry = history.entry(args.get("of"))
    if entry.inputs is None or entry.request is None or entry.fault is not None:
        raise RpcError("no_such_delivery", "a fault needs a valid delivery; send the event first")
    return Variant(fault=Fault(name), inputs=entry.inputs, valid=entry)


def assessment_wire(delivery: Delivery, variant: Variant | None) -> dict[str, Any]:
    """Convert the assessment of a response, and the fault of its request."""
    valid = variant.valid.delivery if variant else None
    assessment = assess_response(
        delivery.status if delivery.error is None else None,
        variant.fault if variant else None,
        valid_accepted=valid is None or valid.ok,
    )
    return {
        "fault": variant.fault.label if variant else "",
        "assessment": {"ok": assessment.ok, "text": assessment.text},
    }
