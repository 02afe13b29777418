"""A request as another scheme of its provider, or another signature of its scheme, takes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.diagnosis.evidence import BaseText, Change, Evidence
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.signing import Algorithm
from hook_widgets.webhooks.verifying import Reason

_COVERED = {"body": "the body", "url": "the URL", "timestamp": "the timestamp", "method": "the method"}


class Sibling(NamedTuple):
    """Another reading of the request.

    Attributes:
        mention: what it means when this one verifies.
        base: what would have been signed, and the signatures for it.
        algorithm: how it would have been signed.
        beside: whether the signature that should be verified is there, too.
    """

    mention: Mention
    base: BaseText
    algorithm: Algorithm
    beside: bool


def siblings(evidence: Evidence) -> Iterator[Sibling]:
    """The provider's other schemes, and the other signatures of this one.

    One that stands beside the signature that should be verified, and covers less, says only that the secret
    is right: what the other covers in addition is not what was signed.
    """
    provider, usual = evidence.provider, evidence.signature
    for scheme in provider.schemes:
        for signature in scheme.signatures:
            if signature is usual or signature.algorithm.key_type is not usual.algorithm.key_type:
                continue
            other = Evidence(provider, evidence.request, scheme)
            other.signature = signature
            base = other.base(Change())
            if base is None:
                continue
            named = f"{scheme.title or scheme.name} ({signature.algorithm})"
            beside = bool(evidence.texts)
            more = evidence.needed - scheme.closure(signature.template.names)
            lacking = [words for name, words in _COVERED.items() if name in more]
            mention = Mention("message-other-scheme", named)
            if beside and lacking:
                mention = Mention(
                    "signature-weaker", f"{named}, which does not cover {' and '.join(lacking)}"
                )
            elif beside:
                mention = Mention("signature-damaged", named)
            own = () if beside else evidence.candidates
            found = {candidate.raw: None for candidate in (*other.candidates, *own)}
            yield Sibling(mention, replace(base, presented=tuple(found)), signature.algorithm, beside)


def _words(fields: frozenset[str]) -> str:
    """Fields of a base string for people: the well-known ones, or all where there are none of these."""
    known = [words for name, words in _COVERED.items() if name in fields]
    return " and ".join(known or [f"the {name.replace('_', ' ')}" for name in sorted(fields)])


def retyped(evidence: Evidence) -> Iterator[Sibling]:
    """The request with the media type of another scheme, as if its ``Content-Type`` had been lost."""
    request, problem = evidence.request, evidence.problem
    if problem is not None and problem.reason == Reason.BODY_HASH_DIFFERS:
        return  # it says itself of which scheme it is
    rest = [(name, value) for name, value in request.headers.pairs if name.lower() != "content-type"]
    for scheme in evidence.provider.schemes:
        media = scheme.content_type
        if media is None or scheme is evidence.scheme:
            continue
        headers = Headers([*rest, ("Content-Type", media)])
        other = Evidence(evidence.provider, replace(request, headers=headers))
        if other.reading is None or other.scheme is not scheme:
            continue
        for job in other.reading.questions(evidence.provider.key.spec):
            base = BaseText(job.job.pieces, job.presented)
            yield Sibling(Mention("header-content-type", media), base, job.job.algorithm, beside=True)
