"""Handle the browser's requests to verify and diagnose a signature; the holder of the key matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.diagnosis import Diagnosis, Investigation, investigate
from hook_widgets.webhooks.keys.key_pair import PublicKey
from hook_widgets.webhooks.keys.signing import LocalSigner
from hook_widgets.webhooks.recordings.arguments import Received, headers_argument
from hook_widgets.webhooks.recordings.exchange import RecordedRequest
from hook_widgets.webhooks.requests.request import ReceivedRequest, WebhookRequest
from hook_widgets.webhooks.scheme import AsymmetricKeySpec
from hook_widgets.webhooks.verification.verify import Inspection, Verdict, inspect, with_notes
from hook_widgets.widgets._rpc import Buffers, Deferred
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.inputs import moment_of, tolerance_of
from hook_widgets.widgets.generator.signing_broker import TIMEOUT_S, SigningBroker

_TIMEOUT_S = 30.0  # a tab has many jobs to match, possibly on a slow machine


def on_verify(
    args: Mapping[str, Any], buffers: Buffers, provider: str, keys: SigningBroker
) -> Mapping[str, Any] | Deferred:
    """Handle the op ``verify``.

    Args:
        args: arguments of the browser's request.
        buffers: the raw body.
        provider: the id of the provider that counts if the arguments name none.
        keys: matches with the key.

    Raises:
        UnknownName: no such provider.
        InvalidArgument: the pasted headers or the time cannot be parsed.
    """
    source = registry.provider(str(args.get("provider") or provider))
    received, notes = _received(args, buffers)
    outcome = inspect(source, received, now=_now(args), tolerance_s=tolerance_of(args))

    def wired(verdict: Verdict) -> dict[str, Any]:
        return wire.verdict_wire(with_notes(verdict, notes))

    if isinstance(outcome, Verdict):
        return wired(outcome)
    return _matched(outcome, args, keys, lambda matches: wired(outcome.finish(matches)))


def on_diagnose(
    args: Mapping[str, Any], buffers: Buffers, keys: SigningBroker, requests: Iterable[WebhookRequest] = ()
) -> Mapping[str, Any] | Deferred:
    """Handle the op ``diagnose``; its arguments are those of ``verify``, with provider ``""`` to detect it.

    Args:
        args: arguments of the browser's request.
        buffers: the raw body, then the body as it was sent if the browser has it.
        keys: signs and matches with the key.
        requests: requests of this widget, whose bodies as sent are known.

    Raises:
        UnknownName: no such provider.
        InvalidArgument: the pasted headers or the time cannot be parsed.
    """
    received, notes = _received(args, buffers)
    outcome = investigate(
        str(args.get("provider") or "") or None,
        received,
        now=_now(args),
        tolerance_s=tolerance_of(args),
        sent=bytes(buffers[1]) if len(buffers) > 1 else _sent(received, requests),
    )

    def wired(diagnosis: Diagnosis) -> dict[str, Any]:
        return diagnosis_wire(diagnosis, notes)

    if isinstance(outcome, Diagnosis):
        return wired(outcome)
    return _matched(outcome, args, keys, lambda matches: wired(outcome.finish(matches)), timeout_s=_TIMEOUT_S)


def _now(args: Mapping[str, Any]) -> datetime | None:
    at = args.get("now")
    return moment_of({"mode": "fixed", "at": at}) if at else None


def _matched(
    asked: Inspection | Investigation,
    args: Mapping[str, Any],
    keys: SigningBroker,
    concluded: Callable[[list[int]], dict[str, Any]],
    *,
    timeout_s: float = TIMEOUT_S,
) -> dict[str, Any] | Deferred:
    """Match with the public key of the request if it has one, else with the holder of the key."""
    public, spec = args.get("public_key"), asked.provider.key
    if public and isinstance(spec, AsymmetricKeySpec):
        signer = LocalSigner(PublicKey(str(public), spec.algorithm))
        return concluded(signer.match(asked.jobs))
    later = Deferred()

    def done(matches: list[int]) -> None:
        later.answer(concluded(matches))

    keys.match(asked.provider, asked.jobs, done, later.fail, timeout_s=timeout_s)
    return later


def _received(args: Mapping[str, Any], buffers: Buffers) -> Received:
    """Read the request from the fields; what they leave empty is taken from the text of the headers."""
    text = str(args.get("headers_text") or "")
    try:
        recorded = headers_argument(text) if text.strip() else RecordedRequest()
    except InvalidArgument as error:
        raise InvalidArgument(str(error), field="headers") from None  # also a command's URL is in that text
    body, notes = bytes(buffers[0]) if buffers else b"", recorded.notes
    if body and recorded.body:
        notes = (*notes, "the field of the body was used, and not the body in the text of the headers")
    return Received(
        ReceivedRequest(
            recorded.headers,
            body or recorded.body or b"",
            str(args.get("url") or "") or recorded.url,
            recorded.method or str(args.get("method") or "POST"),
        ),
        notes,
    )


def _sent(received: ReceivedRequest, requests: Iterable[WebhookRequest]) -> bytes | None:
    """Return the body of the request with the same signature; None if there is none."""
    values = {value.strip() for value in received.headers.values()}
    for request in requests:
        if request.draft is None:
            continue
        signed = [value for name, value in request.headers.multi_items() if request.draft.signs_header(name)]
        if signed and all(value in values for value in signed):
            return request.body
    return None


def diagnosis_wire(diagnosis: Diagnosis, notes: Sequence[str] = ()) -> dict[str, Any]:
    """Convert a diagnosis to the form that the browser reads."""
    return {
        "verdict": wire.verdict_wire(with_notes(diagnosis.verdict, notes)),
        "provider": diagnosis.provider or "",
        "detected": [{"id": name, "title": registry.provider(name).title} for name in diagnosis.detected],
        "findings": [asdict(finding) for finding in diagnosis.findings],
        "hints": [asdict(hint) for hint in diagnosis.hints],
        "excluded": list(diagnosis.excluded),
        "not_excluded": list(diagnosis.not_excluded),
        "strings": [asdict(string) for string in diagnosis.strings],
        "difference": diagnosis.difference,
    }
