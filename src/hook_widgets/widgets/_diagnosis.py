"""The browser's question why a request does not verify: read here, answered by whoever holds the key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hook_widgets.webhooks import catalog
from hook_widgets.webhooks.diagnosis import BaseString, Diagnosis, Finding, investigate
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keypair import PublicKey
from hook_widgets.webhooks.request import ReceivedRequest, WebhookRequest
from hook_widgets.webhooks.scheme import PairKey
from hook_widgets.webhooks.signing import LocalSigner
from hook_widgets.widgets import _wire as wire
from hook_widgets.widgets._inputs import moment_of
from hook_widgets.widgets._keyholder import KeyHolder
from hook_widgets.widgets._rpc import Buffers, Later


def on_diagnose(
    args: Mapping[str, Any], buffers: Buffers, keys: KeyHolder, made: Iterable[WebhookRequest] = ()
) -> Mapping[str, Any] | Later:
    """Answer the op ``diagnose``; its arguments are those of ``verify``, with provider ``""`` to detect it.

    Args:
        args: what the browser asks.
        buffers: the raw body, and the body as it was sent where the browser was given that, too.
        keys: answers what only the holder of the key can.
        made: requests of this widget: the body that was sent is known for one of these.

    Raises:
        UnknownName: there is no such provider.
        InvalidRequest: the pasted headers or the time cannot be read.
    """
    received = ReceivedRequest(
        Headers.from_text(str(args.get("headers_text") or "")),
        bytes(buffers[0]) if buffers else b"",
        str(args.get("url") or ""),
        str(args.get("method") or "POST"),
    )
    at = args.get("now")
    found = investigate(
        str(args.get("provider") or "") or None,
        received,
        now=moment_of({"mode": "fixed", "at": at}) if at else None,
        sent=bytes(buffers[1]) if len(buffers) > 1 else _sent(received, made),
    )
    if isinstance(found, Diagnosis):
        return diagnosis_wire(found)
    public = args.get("public_key")
    if public and isinstance(found.provider.key, PairKey):
        signer = LocalSigner(PublicKey(str(public), found.provider.key.algorithm))
        return diagnosis_wire(found.conclude(signer.match(found.jobs)))
    later = Later()
    keys.match(found, lambda told: later.answer(diagnosis_wire(told)), later.fail, first=True)
    return later


def _sent(received: ReceivedRequest, made: Iterable[WebhookRequest]) -> bytes | None:
    """The body of the request that was made with the same signature; None when there is none."""
    given = {value.strip() for value in received.headers.values()}
    for request in made:
        if request.draft is None:
            continue
        signed = [value for name, value in request.headers.pairs if request.draft.signs_header(name)]
        if signed and all(value in given for value in signed):
            return request.body
    return None


def diagnosis_wire(told: Diagnosis) -> dict[str, Any]:
    """A diagnosis in the shape the browser reads."""
    return {
        "verdict": wire.verdict_wire(told.verdict),
        "provider": told.provider or "",
        "detected": [{"id": name, "title": catalog.provider(name).title} for name in told.detected],
        "findings": [_finding_wire(found) for found in told.findings],
        "excluded": list(told.excluded),
        "strings": [_string_wire(string) for string in told.strings],
        "difference": told.difference,
    }


def _finding_wire(found: Finding) -> dict[str, Any]:
    return {
        "cause": found.cause,
        "title": found.title,
        "change": found.change,
        "frameworks": [list(call) for call in found.frameworks],
    }


def _string_wire(string: BaseString) -> dict[str, Any]:
    return {
        "label": string.label,
        "length": string.length,
        "sha256": string.sha256,
        "shown": string.shown,
    }
