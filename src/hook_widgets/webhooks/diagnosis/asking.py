"""Starting a diagnosis: with the key at hand, or for whoever holds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hook_widgets.errors import InvalidRequest, InvalidSecret
from hook_widgets.webhooks import catalog
from hook_widgets.webhooks.diagnosis import solver
from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.diagnosis.detecting import detect
from hook_widgets.webhooks.diagnosis.evidence import Evidence
from hook_widgets.webhooks.diagnosis.investigation import Investigation
from hook_widgets.webhooks.diagnosis.report import Diagnosis
from hook_widgets.webhooks.diagnosis.solver import Hypothesis, Limits
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keypair import KeyPair, PublicKey
from hook_widgets.webhooks.provider import Provider
from hook_widgets.webhooks.request import ReceivedRequest
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.signing import LocalSigner, MatchJob
from hook_widgets.webhooks.verifying import Reason, Receivable, Verdict, inspect

Key = Secret | PublicKey | KeyPair

_STRANGERS = 4  # readings by other providers' schemes


def investigate(
    provider: str | Provider | None,
    request: Receivable | None = None,
    *,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    body: bytes | None = None,
    url: str = "",
    method: str = "POST",
    now: datetime | None = None,
    tolerance_s: float | None = None,
    sent: bytes | None = None,
    limits: Limits | None = None,
) -> Investigation | Diagnosis:
    """Read a request without a key: questions for the holder of the key, or a diagnosis where there are none.

    Args:
        provider: a provider or its id; None to tell it by the headers.
        request: what was received; or give `headers`, `body`, `url` and `method` of it.
        headers: the headers as received.
        body: the raw body as the receiver has it.
        url: the full URL as the receiver has it.
        method: the HTTP method.
        now: the receiver's clock, with time zone; the current time when not given.
        tolerance_s: how far the timestamp may be off, in seconds; the provider's own when not given.
        sent: the body that was sent, where it is known.
        limits: how much work the questions may be; see `Limits`.

    Raises:
        UnknownName: there is no such provider.
        InvalidRequest: the arguments make no request.
    """
    received = _received(request, headers, body, url, method)
    if provider is None:
        found = detect(received.headers, received.body)
        if not found:
            return _unrecognised()
        chosen, detected = found[0], tuple(p.id for p in found)
    else:
        chosen = catalog.provider(provider) if isinstance(provider, str) else provider
        found, detected = (), ()
    clock = datetime.now(UTC) if now is None else now
    inspection = inspect(chosen, received, now=clock, tolerance_s=tolerance_s)
    evidence = Evidence(chosen, received)
    jobs = () if isinstance(inspection, Verdict) else inspection.jobs
    likely = found or detect(received.headers, received.body)
    strangers = _strangers(chosen, received, likely, jobs)
    own = tuple(solver.hypotheses(evidence, sent, limits or Limits()))
    # Headers that are not the provider's own say more than any slip with its secret or body.
    recognised = any(other.id == chosen.id for other in likely)
    hypotheses = own + strangers if recognised else strangers + own
    questions = (*(replace(job, lenient=True) for job in jobs), *(h.job for h in hypotheses))
    return Investigation(chosen, questions, inspection, hypotheses, evidence, detected, sent)


def _strangers(
    chosen: Provider, received: ReceivedRequest, others: Iterable[Provider], asked: Iterable[MatchJob]
) -> tuple[Hypothesis, ...]:
    """The request as one of other providers, as it is."""
    known = {_what(job) for job in asked}
    out: list[Hypothesis] = []
    for other in others:
        found = inspect(other, received)
        if other.key.type != chosen.key.type or isinstance(found, Verdict):
            continue
        mentions = (Mention("provider-other", other.title),)
        for job in found.jobs:
            if _what(job) not in known and len(out) < _STRANGERS:
                known.add(_what(job))
                out.append(Hypothesis(mentions, replace(job, lenient=True), (None,) * len(job.presented)))
    return tuple(out)


def _what(job: MatchJob) -> tuple[object, ...]:
    return job.job.algorithm, job.job.key, job.job.pieces, job.presented


def diagnose(
    provider: str | Provider | None,
    request: Receivable | None = None,
    secret: Key | Mapping[str, Key] | None = None,
    *,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    body: bytes | None = None,
    url: str = "",
    method: str = "POST",
    now: datetime | None = None,
    tolerance_s: float | None = None,
    sent: bytes | None = None,
) -> Diagnosis:
    r"""Why a request does not verify, and what to change in the receiver.

    Hypotheses about secret, body, timestamp, base string, algorithm, signature and URL are tested, alone and
    in pairs, until one verifies. The number is bounded by `Limits`, so that large bodies take no longer.

    Args:
        provider: a provider or its id; None to tell it by the headers.
        request: what was received; or give `headers`, `body`, `url` and `method` of it.
        secret: the `Secret`, or the `PublicKey` or `KeyPair` where the provider signs with a private key;
            or several by name, the one in use first.
        headers: the headers as received.
        body: the raw body as the receiver has it.
        url: the full URL as the receiver has it.
        method: the HTTP method.
        now: the receiver's clock, with time zone; the current time when not given.
        tolerance_s: how far the timestamp may be off, in seconds; the provider's own when not given.
        sent: the body that was sent, where it is known.

    Raises:
        UnknownName: there is no such provider.
        InvalidRequest: the arguments make no request, or there is no secret.

    >>> signed = catalog.provider("github").draft(body=b'{"zen":"Speak like a human."}').sign(Secret("s"))
    >>> found = diagnose("github", secret=Secret("s"), headers=signed.headers, body=signed.body + b"\n")
    >>> found.findings[0].cause
    'body-newline-added'
    """
    given = secret if isinstance(secret, Mapping) else {"": secret}
    keys = {label: key for label, key in given.items() if isinstance(key, Key)}
    if not keys or len(keys) < len(given):
        raise InvalidRequest("give the secret: diagnose(provider, request, Secret(...)), or several by name")
    investigation = investigate(
        provider,
        request,
        headers=headers,
        body=body,
        url=url,
        method=method,
        now=now,
        tolerance_s=tolerance_s,
        sent=sent,
    )
    if isinstance(investigation, Diagnosis):
        return investigation
    answers = {label: _answered(investigation.jobs, LocalSigner(key)) for label, key in keys.items()}
    best = min(answers, key=lambda label: _first_hit(answers[label]))
    in_use = next(iter(keys))
    if _first_hit(answers[in_use]) < len(investigation.jobs):
        best = in_use
    told = investigation.conclude(answers[best], label="" if best == in_use else best)
    unusable = "" if told.findings or told.verdict.ok else _unusable(investigation.jobs, keys[in_use])
    return replace(told, excluded=(unusable, *told.excluded)) if unusable else told


def _unusable(jobs: Sequence[MatchJob], key: Key) -> str:
    """Why a key is not of the form that the provider gives it, in words; "" when it is."""
    try:
        LocalSigner(key).match([replace(job, lenient=False) for job in jobs[:1]])
    except InvalidSecret as error:
        return str(error)
    return ""


def _answered(jobs: Sequence[MatchJob], signer: LocalSigner) -> list[int]:
    """The answers up to the first match; -1 for the rest."""
    answers = [-1] * len(jobs)
    for place, job in enumerate(jobs):
        answers[place] = signer.match([job])[0]
        if answers[place] >= 0:
            break
    return answers


def _first_hit(answers: Sequence[int]) -> int:
    return next((place for place, hit in enumerate(answers) if hit >= 0), len(answers))


def _received(
    request: Receivable | None,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] | None,
    body: bytes | None,
    url: str,
    method: str,
) -> ReceivedRequest:
    if request is not None:
        if headers is not None or body is not None:
            raise InvalidRequest("give either a request or headers= and body=, not both")
        return ReceivedRequest(Headers(request.headers), request.body, url or request.url, request.method)
    if headers is None or not isinstance(body, bytes):
        raise InvalidRequest("give a request, or headers= and body= (bytes) of one")
    return ReceivedRequest(Headers(headers), body, url, method)


def _unrecognised() -> Diagnosis:
    detail = (
        "no provider of the catalogue has its signature in these headers; pick the provider, or check "
        "whether a proxy dropped or renamed the signature's header"
    )
    return Diagnosis(Verdict(ok=False, reason=Reason.MISSING_HEADER, detail=detail), None, excluded=(detail,))
