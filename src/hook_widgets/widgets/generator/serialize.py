"""Convert records of the core to the form that the browser reads, without any webhook logic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms, json_edit
from hook_widgets.webhooks.body.stats import body_facts, visible
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.signing import Algorithm, MatchJob, SigningJob
from hook_widgets.webhooks.registry import Provider
from hook_widgets.webhooks.registry.popularity import popular
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.samples.generators import FORMS
from hook_widgets.webhooks.scheme import CredentialPlace, Scheme, Sender, credential_places
from hook_widgets.webhooks.scheme.fields import sha256_hex
from hook_widgets.webhooks.verification.faults import Fault
from hook_widgets.webhooks.verification.verify import Verdict

BODY_SHOWN = 64 * 1024  # bytes of a response's body
WEAKER = "sha1:"  # no name of a provider's signature has a colon
MASK = "••••••••"
_WORD = re.compile(r"[^\W_]+")


def listed_wire(source: Provider) -> dict[str, Any]:
    """Convert a provider to a list entry: the texts shown, and the words of its events for the search."""
    text = " ".join(f"{e.name} {e.category} {e.title}" for e in source.events).lower()
    return {
        "id": source.id,
        "title": source.title,
        "kind": source.kind,
        "confidence": asdict(source.confidence),
        "words": " ".join(sorted(set(_WORD.findall(text)))),
        "rank": popular().index(source.id) if source.id in popular() else None,
    }


def provider_wire(source: Provider) -> dict[str, Any]:
    """Convert the chosen provider, with all data that the browser needs."""
    key = {"example": None} | asdict(source.key)
    for name in ("mistaken", "other_secrets", "published"):  # for a diagnosis or a check only
        key.pop(name, None)
    return {
        "id": source.id,
        "title": source.title,
        "kind": source.kind,
        "within_s": source.responses.within_s,
        "confidence": asdict(source.confidence),
        "unconfirmed": source.unconfirmed,
        "docs": source.docs,
        "key": key,
        "schemes": [_scheme_wire(scheme) for scheme in source.schemes],
        "faults": _faults_wire(source),
        "events": [{"name": e.name, "category": e.category, "title": e.title} for e in source.all_events],
        "params": [
            {"name": name, "title": param.title or name, "kind": param.kind, "hint": FORMS[param.kind]}
            for name, param in source.params.items()
        ],
    }


def _faults_wire(source: Provider) -> list[dict[str, Any]]:
    """List the faults, with the reason if no scheme of the provider can have one."""
    rows = []
    for fault in Fault:
        reasons = [fault.inapplicable(scheme, source.deliveries) for scheme in source.schemes]
        expected = "4xx" if fault.must_be_rejected else "2xx"
        problem = reasons[0] if all(reasons) else ""
        rows.append({"name": fault.value, "title": fault.label, "expected": expected, "problem": problem})
    return rows


def pinned(scheme: Scheme) -> dict[str, Algorithm]:
    """Return the algorithm of each signature that a tab makes, by the name that a job gives.

    Beside an HMAC is the same by SHA-1, named `WEAKER` and its name: a receiver must reject it (check B14).
    The key signs the same messages by a stronger HMAC already, and neither tells anything about the key.
    """
    own = {signature.name: signature.algorithm for signature in scheme.signatures}
    strong = [name for name, algorithm in own.items() if algorithm.digest not in (None, "sha1")]
    return own | {WEAKER + name: Algorithm.HMAC_SHA1 for name in strong}


def _scheme_wire(scheme: Scheme) -> dict[str, Any]:
    """Convert a scheme; a tab pins it when the secret is typed, since a job contains only its name."""
    return {
        "name": scheme.name,
        "title": scheme.title or scheme.name,
        "signatures": [{"field": name, "algorithm": a} for name, a in pinned(scheme).items()],
        "credentials": [_place_wire(place) for place in credential_places(scheme)],
    }


def credentials_wire(sources: Iterable[Provider]) -> list[dict[str, str]]:
    """List every place of a credential in requests of these providers, without duplicates."""
    places = (place for source in sources for s in source.schemes for place in credential_places(s))
    return [_place_wire(place) for place in dict.fromkeys(places)]


def _place_wire(place: CredentialPlace) -> dict[str, str]:
    return {"in": place.part, "name": place.name, "template": place.template, "encoding": place.encoding}


def payload_wire(body: bytes, kind: str) -> dict[str, Any]:
    """Convert what is shown of a body: facts, problems and the parameters of a form."""
    return {
        "body": body_wire(body, kind),
        "problems": problems_wire(body, kind),
        "form": form_wire(body, kind),
    }


def body_wire(body: bytes, kind: str) -> dict[str, Any]:
    """Convert the facts about a body."""
    return {**asdict(body_facts(body)), "kind": kind}


def problems_wire(body: bytes, kind: str) -> list[dict[str, Any]]:
    """List the problems of a body that should be JSON, or a form."""
    if kind == "json":
        return [
            {"line": p.line, "column": p.column, "message": p.message, "level": p.level}
            for p in json_edit.problems(body)
        ]
    if kind == "form":
        try:
            forms.parse_form(body)
        except UnreadableMessage as error:
            return [{"line": 1, "column": 1, "message": str(error), "level": "error"}]
    return []


def body_error(body: bytes, kind: str) -> str:
    """Return position and message of the first error of a body; "" if there is none."""
    errors = (problem for problem in problems_wire(body, kind) if problem["level"] == "error")
    first = next(errors, None)
    return f"line {first['line']}, column {first['column']}: {first['message']}" if first else ""


def draft_kind(draft: Draft, body: bytes) -> str:
    """Choose the editor for the body of a draft."""
    return media_kind(draft.render_headers(dict.fromkeys(draft.scheme.signature_names, "")), body)


def json_error(draft: Draft, body: bytes) -> str:
    """Return position and message of the first error of a body that should be JSON; "" if there is none."""
    return body_error(body, "json") if draft_kind(draft, body) == "json" else ""


def form_wire(body: bytes, kind: str) -> list[list[str]] | None:
    """Return the parameters of a form body; None if there are none to edit."""
    if kind != "form":
        return None
    try:
        return [list(pair) for pair in forms.parse_form(body)]
    except UnreadableMessage:
        return None


def draft_wire(draft: Draft) -> dict[str, Any]:
    """Convert a draft: everything that can be shown before it is signed."""
    return {
        "url": draft.url,
        "method": draft.method,
        "headers": headers_wire(draft, draft.render_headers(masked(draft)) if draft.reveals_secret else None),
        "reveals_secret": draft.reveals_secret,
        "base_strings": [base_string_wire(job) for job in draft.jobs()],
        "at": draft.at.isoformat(timespec="seconds"),
        "warnings": list(destination.warnings(draft.url)),
    }


def base_string_wire(job: SigningJob) -> dict[str, Any]:
    """Convert a base string, with visible white space."""
    shown, cut = visible(job.message)
    return {
        "field": job.field,
        "algorithm": job.algorithm,
        "length": len(job.message),
        "sha256": sha256_hex(job.message),
        "shown": shown,
        "cut": cut,
    }


def headers_wire(draft: Draft, shown: Headers | None) -> list[dict[str, Any]]:
    """Convert the headers; if `shown` is None, headers that await a signature have no value."""
    signed = [draft.signs_header(name) for name, _ in draft.header_templates]
    if shown is None:
        pairs = [
            (name, None if waits else template.render(draft.fields).decode())
            for (name, template), waits in zip(draft.header_templates, signed, strict=True)
        ]
    else:
        pairs = [*shown.multi_items()]
    return [
        {
            "name": name,
            "value": value,
            "source": "yours" if name.lower() in draft.own_headers else "provider",
            "signed": waits,
        }
        for (name, value), waits in zip(pairs, signed, strict=True)
    ]


def masked(draft: Draft) -> dict[str, str]:
    """Return dots for every signature, for requests that contain the secret itself."""
    return dict.fromkeys(draft.scheme.signature_names, MASK)


def signed_wire(draft: Draft, request: WebhookRequest, signatures: list[bytes]) -> dict[str, Any]:
    """Convert the results of signing a draft; a secret inside the request stays hidden."""
    inside = any(not isinstance(piece, bytes) for piece in draft.body_segments)
    hidden = draft.reveals_secret
    return {
        "headers": headers_wire(draft, draft.render_headers(masked(draft)) if hidden else request.headers),
        "signatures": [
            {"field": s.name, "text": MASK if hidden else s.encoding.write(raw)}
            for s, raw in zip(draft.scheme.signatures, signatures, strict=True)
        ],
        "body_note": "the signature stands inside the body that is sent" if inside else None,
        "at": draft.at.isoformat(timespec="seconds"),
    }


def signed_body(draft: Draft, request: WebhookRequest) -> bytes:
    """Return the body as sent, without a secret inside it."""
    return draft.render_body(masked(draft)) if draft.reveals_secret else request.body


def is_askable(source: Sender, question: MatchJob) -> bool:
    """Return True if a tab can be asked: the key is named and the algorithm may be tried."""
    pinned = _pinned(source, question)
    return question.variant is not None and pinned.may_be(question.job.algorithm)


def match_wire(source: Sender, questions: Sequence[MatchJob]) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Convert match jobs, with names for keys and indices for bytes, since most guesses share bytes."""
    buffers: dict[bytes, int] = {}

    def places(pieces: Sequence[bytes]) -> list[int]:
        return [buffers.setdefault(piece, len(buffers)) for piece in pieces]

    jobs = [
        {
            "scheme": each.scheme,
            "field": each.job.field,
            "variant": each.variant,
            "algorithm": "" if each.job.algorithm is _pinned(source, each) else each.job.algorithm,
            "message": places(each.job.pieces),
            "presented": places(each.candidates),
        }
        for each in questions
    ]
    return jobs, list(buffers)


def _pinned(source: Sender, question: MatchJob) -> Algorithm:
    """Return the algorithm of the signature that a job names."""
    return next(
        s.algorithm for s in source.scheme(question.scheme).signatures if s.name == question.job.field
    )


def verdict_wire(verdict: Verdict) -> dict[str, Any]:
    """Convert a verdict with its steps."""
    return {
        "ok": verdict.ok,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "steps": [{"label": s.label, "ok": s.ok, "text": s.text} for s in verdict.steps],
    }


def delivery_wire(
    number: int,
    request: WebhookRequest,
    delivery: Delivery,
    text: str,
    at: datetime,
    answer: Verdict | None,
    revision: str,
) -> dict[str, Any]:
    """Convert one delivery: the request, the response and, for a handshake, the verdict on it.

    Args:
        number: number of the delivery, from 1.
        request: request as sent.
        delivery: result of sending.
        text: beginning of the response's body, `BODY_SHOWN` bytes.
        at: time of the response.
        answer: verdict on a handshake's response; None for other requests.
        revision: revision of the inputs that were sent; empty for those of an earlier delivery.
    """
    error = delivery.error
    draft = request.draft
    own = [] if draft is None or (delivery.status or 0) < 400 else own_causes(draft, request, at)
    return {
        "n": number,
        "at": at.astimezone(UTC).isoformat(timespec="seconds"),
        "url": request.url,
        "method": request.method,
        "status": delivery.status,
        "reason": delivery.reason,
        "advice": "" if own else delivery.advice,
        "outcome": delivery.outcome,
        "level": _level(delivery),
        "elapsed_s": delivery.elapsed_s,
        "within_s": delivery.within_s,
        "headers": [list(pair) for pair in delivery.headers.multi_items()],
        "body_text": text,
        "body_length": delivery.body_length_seen,
        "body_truncated": delivery.body_truncated or len(delivery.body) > BODY_SHOWN,
        "sent_sha256": delivery.sent_sha256 or "",
        "equal_to_payload": delivery.sent_sha256 == sha256_hex(request.body),
        "error": None if error is None else {"code": error.code, "text": error.text, "cause": error.cause},
        "answer": None if answer is None else verdict_wire(answer),
        "quote": delivery.excerpt if delivery.rejected else "",
        "own": own,
        # A request with a token has no signature that could be wrong, and shows the secret.
        "verifiable": delivery.rejected and draft is not None and not draft.reveals_secret,
        "provider": draft.provider.id if draft else "",
        "title": draft.provider.title if draft else "",
        "event": draft.event if draft else "",
        "revision": revision,
        "imported": False,
        "reveals_secret": draft is None or draft.reveals_secret,
    }


def own_causes(draft: Draft, request: WebhookRequest, now: datetime) -> list[str]:
    """Return the reasons in a request alone why a receiver may reject it."""
    causes = []
    offset_s, tolerance_s = (draft.at - now).total_seconds(), draft.scheme.tolerance_s
    if "timestamp" in draft.scheme.signed and tolerance_s is not None and abs(offset_s) > tolerance_s:
        side = "ahead" if offset_s > 0 else "behind"
        causes.append(
            f"The clock of this widget was {abs(offset_s):,.0f} s {side}; the tolerance is {tolerance_s:,} s."
        )
    if error := body_error(request.body, media_kind(request.headers, request.body)):
        causes.append(f"The payload is not valid, {error}.")
    return causes


def _level(delivery: Delivery) -> str:
    if delivery.error is not None and delivery.error.code == "stopped":
        return "warn"
    if delivery.error is not None or delivery.status is None or delivery.status >= 500 or delivery.late:
        return "bad"
    return "ok" if delivery.ok and not delivery.slow else "warn"


def media_kind(headers: Headers | Mapping[str, str], body: bytes) -> str:
    """Choose the editor for a body: JSON, form or plain text."""
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media == "application/x-www-form-urlencoded":
        return "form"
    if media.endswith("json") or body.lstrip()[:1] in (b"{", b"["):
        return "json"
    return "text"
