"""Records of the core in the shape the browser reads. No rule about webhooks lives here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.catalog import Provider
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.network import destination
from hook_widgets.webhooks.network.sending import Delivery
from hook_widgets.webhooks.request import Draft, WebhookRequest
from hook_widgets.webhooks.samples.making import FORMS
from hook_widgets.webhooks.scheme import PairKey
from hook_widgets.webhooks.scheme.fields import sha256_hex
from hook_widgets.webhooks.signing import MatchJob, SigningJob
from hook_widgets.webhooks.text import forms, jsontext
from hook_widgets.webhooks.text.bodyfacts import body_facts, visible
from hook_widgets.webhooks.verifying import Verdict

_BODY_SHOWN = 64 * 1024  # characters
_MASK = "••••••••"
_WORD = re.compile(r"[^\W_]+")


def listed_wire(source: Provider) -> dict[str, str]:
    """A provider as a list of a hundred needs it: what is shown, and the words of its events to search in."""
    said = " ".join(f"{e.name} {e.category} {e.title}" for e in source.events).lower()
    return {
        "id": source.id,
        "title": source.title,
        "kind": source.kind,
        "confidence": source.confidence,
        "words": " ".join(sorted(set(_WORD.findall(said)))),
    }


def provider_wire(source: Provider) -> dict[str, Any]:
    """All that the browser needs of the provider that is chosen."""
    key = source.key
    shared = {"title": key.title, "note": key.note}
    if isinstance(key, PairKey):
        about: dict[str, Any] = {
            "type": "key-pair",
            "algorithm": key.algorithm,
            "public_form": key.public_form,
            "example": None,
        }
    else:
        example = key.example
        about = {
            "type": "secret",
            "form": key.form,
            "strip_prefix": key.strip_prefix,
            "normalize": key.normalize,
            "digest": key.digest,
            "example": {"prefix": example.prefix, "alphabet": example.alphabet, "length": example.length},
        }
    return {
        "id": source.id,
        "title": source.title,
        "kind": source.kind,
        "confidence": source.confidence,
        "unconfirmed": source.unconfirmed,
        "docs": source.docs,
        "key": shared | about,
        "schemes": [{"name": s.name, "title": s.title or s.name} for s in source.schemes],
        "events": [{"name": e.name, "category": e.category, "title": e.title} for e in source.sendable],
        "params": [
            {"name": name, "title": param.title or name, "kind": param.kind, "hint": FORMS[param.kind]}
            for name, param in source.params.items()
        ],
    }


def body_wire(body: bytes, kind: str) -> dict[str, Any]:
    """The facts about a body."""
    facts = body_facts(body)
    return {
        "length": facts.length,
        "sha256": facts.sha256,
        "bom": facts.bom,
        "line_ends": facts.line_ends,
        "trailing_newline": facts.trailing_newline,
        "utf8": facts.utf8,
        "kind": kind,
    }


def problems_wire(body: bytes, kind: str) -> list[dict[str, Any]]:
    """What is wrong with a body that should be JSON, or a form."""
    if kind == "json":
        return [
            {"line": p.line, "column": p.column, "message": p.message, "level": p.level}
            for p in jsontext.problems(body)
        ]
    if kind == "form":
        try:
            forms.parse_form(body)
        except InvalidRequest as error:
            return [{"line": 1, "column": 1, "message": str(error), "level": "error"}]
    return []


def form_wire(body: bytes, kind: str) -> list[list[str]] | None:
    """The parameters of a form body, or None where there are none to edit."""
    if kind != "form":
        return None
    try:
        return [list(pair) for pair in forms.parse_form(body)]
    except InvalidRequest:
        return None


def draft_wire(draft: Draft) -> dict[str, Any]:
    """A draft: all that can be shown before it is signed."""
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
    """A base string with its white space made visible."""
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
    """The headers; without those to show, the ones that wait for a signature have no value."""
    signed = [draft.signs_header(name) for name, _ in draft.header_templates]
    if shown is None:
        pairs = [
            (name, None if waits else template.render(draft.fields).decode())
            for (name, template), waits in zip(draft.header_templates, signed, strict=True)
        ]
    else:
        pairs = list(shown.pairs)
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
    """Dots in the place of every signature, for requests that carry the secret itself."""
    return dict.fromkeys(draft.scheme.signature_names, _MASK)


def signed_wire(draft: Draft, request: WebhookRequest, signatures: list[bytes]) -> dict[str, Any]:
    """What signing added to a draft; a secret that stands in the request is not shown."""
    inside = any(not isinstance(piece, bytes) for piece in draft.body_segments)
    hidden = draft.reveals_secret
    return {
        "headers": headers_wire(draft, draft.render_headers(masked(draft)) if hidden else request.headers),
        "signatures": [
            {"field": s.name, "text": _MASK if hidden else s.encoding.write(raw)}
            for s, raw in zip(draft.scheme.signatures, signatures, strict=True)
        ],
        "body_note": "the signature stands inside the body that is sent" if inside else None,
        "at": draft.at.isoformat(timespec="seconds"),
    }


def signed_body(draft: Draft, request: WebhookRequest) -> bytes:
    """The body as it is sent, without a secret that stands in it."""
    return draft.render_body(masked(draft)) if draft.reveals_secret else request.body


def job_wire(job: SigningJob) -> dict[str, str]:
    """A job without its message, which travels as a buffer."""
    key = job.key
    return {
        "field": job.field,
        "algorithm": job.algorithm,
        "form": key.form,
        "strip_prefix": key.strip_prefix,
        "normalize": key.normalize,
        "digest": key.digest,
    }


def match_wire(questions: Sequence[MatchJob]) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Questions with indices in place of bytes, and each of those bytes once: most guesses share a body."""
    buffers: dict[bytes, int] = {}

    def places(pieces: Sequence[bytes]) -> list[int]:
        return [buffers.setdefault(piece, len(buffers)) for piece in pieces]

    jobs = [
        {
            **job_wire(each.job),
            "edit": each.job.key.edit,
            "lenient": each.lenient,
            "message": places(each.job.pieces),
            "presented": places(each.presented),
        }
        for each in questions
    ]
    return jobs, list(buffers)


def verdict_wire(verdict: Verdict) -> dict[str, Any]:
    """A verdict with its steps."""
    return {
        "ok": verdict.ok,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "steps": [{"label": s.label, "ok": s.ok, "text": s.text} for s in verdict.steps],
    }


def delivery_wire(
    number: int, request: WebhookRequest, delivery: Delivery, at: datetime, answer: Verdict | None
) -> dict[str, Any]:
    """One delivery: what was sent, what came back as text, and of a handshake whether that will do."""
    error = delivery.error
    draft = request.draft
    return {
        "n": number,
        "at": at.astimezone(UTC).isoformat(timespec="seconds"),
        "url": request.url,
        "method": request.method,
        "status": delivery.status,
        "reason": delivery.reason,
        "advice": delivery.advice,
        "level": _level(delivery),
        "elapsed_s": delivery.elapsed_s,
        "headers": [list(pair) for pair in delivery.headers.pairs],
        "body_text": delivery.text[:_BODY_SHOWN],
        "body_length": delivery.body_length_seen,
        "body_truncated": delivery.body_truncated or len(delivery.text) > _BODY_SHOWN,
        "sent_sha256": delivery.sent_sha256 or "",
        "equal_to_payload": delivery.sent_sha256 == sha256_hex(request.body),
        "error": None if error is None else {"code": error.code, "text": error.text},
        "answer": None if answer is None else verdict_wire(answer),
        "provider": draft.provider.id if draft else "",
        "event": draft.event if draft else "",
    }


def _level(delivery: Delivery) -> str:
    if delivery.error is not None or delivery.status is None or delivery.status >= 500:
        return "bad"
    return "ok" if delivery.ok and not delivery.slow else "warn"


def media_kind(headers: Headers | Mapping[str, str], body: bytes) -> str:
    """Whether a body is to be edited as JSON, as a form, or as plain text."""
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media == "application/x-www-form-urlencoded":
        return "form"
    if media.endswith("json") or body.lstrip()[:1] in (b"{", b"["):
        return "json"
    return "text"
