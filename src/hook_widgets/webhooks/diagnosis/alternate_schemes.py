"""Verify a request by another scheme of its provider, or by another signature of its scheme."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from hook_widgets.errors import UnknownName, UnreadableMessage
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.evidence import BaseText, Change, ReceivedEvidence
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme import Signature
from hook_widgets.webhooks.verification.parsing.parser import request_fields
from hook_widgets.webhooks.verification.verify import Reason

_COVERED = {"body": "the body", "url": "the URL", "timestamp": "the timestamp", "method": "the method"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternateReading:
    """The request as parsed by another scheme.

    Attributes:
        cause: the cause to report if this one verifies.
        base: the base string, and the signatures for it.
        scheme: the scheme's name.
        signature: the definition of its signature.
        expected_present: True if the request also carries the signature that should be verified.
    """

    cause: CauseRef
    base: BaseText
    scheme: str
    signature: Signature
    expected_present: bool


def alternate_readings(evidence: ReceivedEvidence) -> Iterator[AlternateReading]:
    """Yield the provider's other schemes, and the other signatures of this scheme.

    If the request also carries the signature that should be verified, and the other signature covers less,
    then a match of the other proves only the secret: the data that it does not cover is not what was signed.
    """
    provider, expected = evidence.provider, evidence.signature
    for scheme in provider.schemes:
        for signature in scheme.signatures:
            if signature is expected or signature.algorithm.key_type is not expected.algorithm.key_type:
                continue
            other = ReceivedEvidence(provider, evidence.request, scheme, evidence.parts)
            other.signature = signature
            base = other.base(Change())
            if base is None:
                continue
            title = f"{scheme.title or scheme.name} ({signature.algorithm})"
            if signature is not scheme.signatures[0]:
                title = f"{', '.join(scheme.carriers({signature.name}))} beside {title}"
            # One text in the place of both was not damaged: it is the other signature.
            expected_present = bool(evidence.texts) and set(evidence.texts) != set(other.texts)
            uncovered = evidence.needed - scheme.closure(signature.template.names)
            lacking = [words for name, words in _COVERED.items() if name in uncovered]
            cause = CauseRef("message-other-scheme", title)
            if expected_present and lacking:
                cause = CauseRef("signature-weaker", f"{title}, which does not cover {' and '.join(lacking)}")
            elif expected_present:
                cause = CauseRef("signature-damaged", title)
            own = () if expected_present else evidence.candidates
            signatures = {candidate.raw: None for candidate in (*other.candidates, *own)}
            base = base._replace(presented=tuple(signatures))
            yield AlternateReading(
                cause=cause,
                base=base,
                scheme=scheme.name,
                signature=signature,
                expected_present=expected_present,
            )


def readings_with_query(evidence: ReceivedEvidence) -> Iterator[AlternateReading]:
    """Yield the request with the parameters of the URL that a scheme checks and that were lost."""
    provider, request, url = evidence.provider, evidence.request, evidence.request.url
    present = {part.partition("=")[0] for part in url.partition("?")[2].split("&")}
    for scheme in provider.schemes if url else ():
        lost = {name: text for name, text in scheme.bound_query.items() if name not in present}
        fields = request_fields(provider, scheme, request, evidence.parts)
        try:
            query = urlencode({name: Template(text).render(fields) for name, text in lost.items()})
        except (UnknownName, UnreadableMessage, ValueError):
            continue
        if lost:
            called = replace(request, url=f"{url}{'&' if '?' in url else '?'}{query}")
            other = ReceivedEvidence(provider, called, parts=evidence.parts)
            yield from _questions(evidence, other, CauseRef("url-parameter-lost", ", ".join(lost)))


def _questions(
    evidence: ReceivedEvidence, other: ReceivedEvidence, cause: CauseRef
) -> Iterator[AlternateReading]:
    """Yield what a receiver checks in a changed request."""
    for job in other.reading.questions(evidence.provider.key.spec) if other.reading else ():
        yield AlternateReading(
            cause=cause,
            base=BaseText(job.job.pieces, job.candidates),
            scheme=other.scheme.name,
            signature=other.signature,
            expected_present=True,
        )


def readings_of_appended(evidence: ReceivedEvidence) -> Iterator[AlternateReading]:
    """Yield what follows the signed data in a signature: an HMAC of an empty message (Sum of Go)."""
    base = evidence.base(Change())
    message = b"".join(base.pieces) if base else b""
    ends = [c.raw[len(message) :] for c in evidence.candidates if message and c.raw.startswith(message)]
    if ends:
        yield AlternateReading(
            cause=CauseRef("signature-appended"),
            base=BaseText((b"",), tuple(ends)),
            scheme=evidence.scheme.name,
            signature=evidence.signature,
            expected_present=True,
        )


def readings_by_media_type(evidence: ReceivedEvidence) -> Iterator[AlternateReading]:
    """Yield the request with the media type of each other scheme, as if ``Content-Type`` had been lost."""
    request, problem = evidence.request, evidence.problem
    if problem is not None and problem.reason == Reason.BODY_HASH_DIFFERS:
        return  # the repeated body hash already identifies the scheme
    rest = [(name, value) for name, value in request.headers.multi_items() if name.lower() != "content-type"]
    for scheme in evidence.provider.schemes:
        media = scheme.content_type
        if media is None or scheme is evidence.scheme:
            continue
        headers = Headers([*rest, ("Content-Type", media)])
        other = ReceivedEvidence(evidence.provider, replace(request, headers=headers), parts=evidence.parts)
        if other.scheme is scheme:
            yield from _questions(evidence, other, CauseRef("header-content-type", media))
