"""Entry points: `diagnose` (key available) and `investigate` (key held elsewhere)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain, islice

from hook_widgets.errors import InvalidArgument, InvalidSecret
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.diagnosis import hypotheses
from hook_widgets.webhooks.diagnosis.causes import CauseRef, finding
from hook_widgets.webhooks.diagnosis.detection import MAX_PROVIDERS, ranked
from hook_widgets.webhooks.diagnosis.evidence import ReceivedEvidence
from hook_widgets.webhooks.diagnosis.hints import secret_hints
from hook_widgets.webhooks.diagnosis.hypotheses import Hypothesis, Limits, Remembered
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant, spec_of, variants_of
from hook_widgets.webhooks.diagnosis.report import Diagnosis
from hook_widgets.webhooks.diagnosis.session import Investigation
from hook_widgets.webhooks.diagnosis.signature_candidates import common_name
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicKey
from hook_widgets.webhooks.keys.secret import KeySpec, Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, MatchJob
from hook_widgets.webhooks.recordings.arguments import HeadersLike, RequestLike, received_of
from hook_widgets.webhooks.recordings.pasted.characters import visible_headers
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.scheme import SharedSecretSpec
from hook_widgets.webhooks.scheme.secret_form import naming_form
from hook_widgets.webhooks.verification.verify import Inspection, Reason, Verdict, inspect

Key = Secret | PublicKey | KeyPair

_MARKS = re.compile("^[bB](?=['\"])|[\"'\\[\\]]")  # of a printed text or list
_MAX_OTHER_PROVIDERS = 4  # jobs by schemes of other providers


def investigate(
    provider: str | Provider | None,
    request: RequestLike | None = None,
    *,
    headers: HeadersLike | None = None,
    body: bytes | None = None,
    url: str = "",
    method: str = "POST",
    now: datetime | None = None,
    tolerance_s: float | timedelta | None = None,
    sent: bytes | None = None,
    parts: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Investigation | Diagnosis:
    """Parse a request without a key, and collect the jobs for the holder of the key.

    The arguments are those of `diagnose` without the secret, and `limits` on the work of the jobs.

    Returns:
        The investigation with its jobs, or a diagnosis if no provider is recognised.

    Raises:
        UnknownName: there is no such provider.
        InvalidArgument: the arguments do not form a request.
    """
    received, notes = received_of(request, headers=headers, body=body, url=url, method=method)
    fitting = ranked(received.headers, received.body)
    likely = fitting[:MAX_PROVIDERS]
    if provider is None:
        detected = likely
        if not detected:
            return replace(_unrecognised(), notes=notes)
        selected, ids = detected[0], tuple(p.id for p in detected)
    else:
        selected = registry.provider(provider) if isinstance(provider, str) else provider
        detected, ids = (), ()
    clock = datetime.now(UTC) if now is None else now
    inspection = inspect(selected, received, now=clock, tolerance_s=tolerance_s, parts=parts)
    evidence = ReceivedEvidence(selected, received, parts=parts)
    jobs = () if isinstance(inspection, Verdict) else inspection.jobs
    others = _other_providers(selected, received, likely, jobs)
    damaged = _damaged_headers(selected, received)
    own = chain(
        _renamed_headers(selected, received),
        hypotheses.hypotheses(evidence, sent, limits or Limits(), damaged),
    )
    # Headers of another provider are stronger evidence than any mistake with the secret or body.
    recognised = any(other.id == selected.id for other in fitting)
    return Investigation(
        provider=selected,
        _inspection=inspection,
        _hypotheses=Remembered(chain(own, others) if recognised else chain(others, own)),
        _evidence=evidence,
        _detected=ids,
        _sent=sent,
        _notes=notes,
        _likely=fitting,
    )


def _other_providers(
    selected: Provider, received: ReceivedRequest, others: Iterable[Provider], jobs: Iterable[MatchJob]
) -> tuple[Hypothesis, ...]:
    """Return the hypotheses that one of these other providers sent the request, without other changes."""
    known = {_identity(job) for job in jobs}
    out: list[Hypothesis] = []
    readings = 0
    for other in others:
        inspection = inspect(other, received)
        if other.key.type != selected.key.type or isinstance(inspection, Verdict):
            continue
        causes = (CauseRef("provider-other", other.title),)
        for job in inspection.jobs:
            if readings == _MAX_OTHER_PROVIDERS:
                break
            new = [own for own in _for_key_of(selected, job) if _identity(own) not in known]
            known.update(map(_identity, new))
            readings += bool(new)
            out += [Hypothesis(causes, own, (None,) * len(job.candidates)) for own in new]
    return tuple(out)


def _damaged_headers(selected: Provider, received: ReceivedRequest) -> Iterator[Hypothesis]:
    """Yield the hypotheses that headers have quotes, other white space or characters that cannot be seen."""
    visible, changed = visible_headers(received.headers)
    bare = Headers((name, _MARKS.sub("", value)) for name, value in visible.multi_items())
    if changed:
        yield from _with_headers(
            selected, received, visible, CauseRef("header-invisible", ", ".join(changed))
        )
    if bare != visible:
        yield from _with_headers(selected, received, bare, CauseRef("header-quotes"))
    yield from _respaced(selected, received)


def _respaced(selected: Provider, received: ReceivedRequest) -> Iterator[Hypothesis]:
    """Yield the hypothesis that a header has other spaces after its commas than the provider writes."""
    spaced = {
        name.lower(): text
        for name, value in received.headers.multi_items()
        if "," in value and (text := ", ".join(part.strip(" \t") for part in value.split(","))) != value
    }
    changed = [
        name
        for scheme in selected.schemes
        for name in scheme.headers
        if name.lower() in spaced and ", " in scheme.header_template(name).described
    ]
    if changed:
        own = {name.lower() for name in changed}
        pairs = received.headers.multi_items()
        headers = Headers((n, spaced[n.lower()] if n.lower() in own else value) for n, value in pairs)
        cause = CauseRef("header-spaces", ", ".join(dict.fromkeys(changed)))
        yield from _with_headers(selected, received, headers, cause)


def _renamed_headers(selected: Provider, received: ReceivedRequest) -> Iterator[Hypothesis]:
    """Yield the hypotheses that a framework renamed headers of the provider (``X_HUB_SIGNATURE_256``)."""
    own = {_letters(common_name(name)): name for scheme in selected.schemes for name in scheme.headers}
    carriers = {
        name
        for scheme in selected.schemes
        for name in scheme.carriers(scheme.signed | scheme.signature_names)
    }
    suffixes = {f"-{known.lower()}": known for known in carriers if "-" in known}
    pairs = [
        (own.get(_letters(common_name(name))) or _behind_prefix(name, suffixes), name, value)
        for name, value in received.headers.multi_items()
    ]
    renamed = [name for known, name, _ in pairs if known in carriers and known.lower() != name.lower()]
    if renamed:
        headers = Headers((known, value) for known, _, value in pairs)
        cause = CauseRef("signature-header-renamed", ", ".join(renamed))
        yield from _with_headers(selected, received, headers, cause)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name))


def _behind_prefix(name: str, suffixes: Mapping[str, str]) -> str:
    """Return the known header that a queue or gateway put a prefix before; else the name itself."""
    lower = name.lower()
    return next((known for suffix, known in suffixes.items() if lower.endswith(suffix)), name)


def _with_headers(
    selected: Provider, received: ReceivedRequest, headers: Headers, cause: CauseRef
) -> Iterator[Hypothesis]:
    inspection = inspect(selected, replace(received, headers=headers))
    for job in inspection.jobs if isinstance(inspection, Inspection) else ():
        yield Hypothesis((cause,), replace(job, lenient=True), (None,) * len(job.candidates))


def _for_key_of(selected: Provider, match_job: MatchJob) -> Iterator[MatchJob]:
    """Express another provider's job in terms of this one's key, so that the tab that holds it can run it."""
    scheme = selected.schemes[0]
    job, field, key = match_job.job, scheme.signatures[0].name, selected.key
    specs: dict[KeyVariant | None, KeySpec] = {KeyVariant.PLAIN: job.key}
    if isinstance(key, SharedSecretSpec):
        variants = variants_of(key.spec, key.prefix, job.key)
        specs = {v: spec_of(key, v) or key.spec for v in variants} or {None: job.key}
    for variant, spec in specs.items():
        renamed = replace(job, field=field, key=spec)
        yield replace(match_job, job=renamed, scheme=scheme.name, variant=variant, lenient=True)


def _identity(job: MatchJob) -> tuple[object, ...]:
    return job.job.algorithm, job.job.key, job.job.pieces, job.candidates


def diagnose(
    provider: str | Provider | None,
    request: RequestLike | None = None,
    secret: Key | Mapping[str, Key] | None = None,
    *,
    headers: HeadersLike | None = None,
    body: bytes | None = None,
    url: str = "",
    method: str = "POST",
    now: datetime | None = None,
    tolerance_s: float | timedelta | None = None,
    sent: bytes | None = None,
    parts: Mapping[str, str] | None = None,
) -> Diagnosis:
    r"""Find out why a request does not verify, and what to change in the receiver.

    Test hypotheses about secret, body, timestamp, base string, algorithm, signature and URL, alone and in
    pairs, until one verifies. `Limits` bounds their number, so large bodies take no longer.

    Args:
        provider: a provider or its id; None to detect it by the headers.
        request: the received request in any form that `verify` takes; or give its `headers`, `body`, `url`
            and `method`.
        secret: the `Secret`, or the `PublicKey` or `KeyPair` if the provider signs with a private key; or
            several by name, the one in use first.
        headers: the headers as received.
        body: the raw body as the receiver has it.
        url: the full URL as the receiver has it.
        method: the HTTP method.
        now: the receiver's clock, with time zone; the current time by default.
        tolerance_s: the maximum age of the timestamp, past or future, in seconds or as a `timedelta`; the
            provider's by default.
        sent: the body that was sent, if known.
        parts: signed fields that no request carries, such as the id of your subscription.

    Raises:
        UnknownName: there is no such provider.
        InvalidArgument: the arguments do not form a request, or there is no secret.

    >>> signed = registry.provider("github").draft(body=b'{"zen":"Speak like a human."}').sign(Secret("s"))
    >>> diagnosis = diagnose("github", secret=Secret("s"), headers=signed.headers, body=signed.body + b"\n")
    >>> diagnosis.findings[0].cause
    'body-newline-added'
    """
    secrets = secret if isinstance(secret, Mapping) else {"": secret}
    keys = {label: key for label, key in secrets.items() if isinstance(key, Key)}
    if not keys or len(keys) < len(secrets):
        raise InvalidArgument(
            "there is no secret; write diagnose(provider, request, Secret(...)), or give several by name"
        )
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
        parts=parts,
    )
    if isinstance(investigation, Diagnosis):
        return investigation
    matches = {label: _matches(investigation.each_job(), LocalSigner(key)) for label, key in keys.items()}
    in_use = next(iter(keys))
    hits = {label: len(results) for label, results in matches.items() if results and results[-1] >= 0}
    best = in_use if in_use in hits or not hits else min(hits, key=hits.__getitem__)
    diagnosis = investigation.finish_first(matches[best], label="" if best == in_use else best)
    if diagnosis.findings or diagnosis.verdict.ok:
        return diagnosis
    hints = tuple(map(finding, secret_hints(keys[in_use], investigation.provider.key)))
    # A secret that is none of the provider's says more than where the right one may come from.
    others = (hint for hint in diagnosis.hints if not (hints and hint.cause == "secret-origin"))
    diagnosis = replace(diagnosis, hints=(*hints, *others))
    malformed = _key_problem(investigation, keys[in_use])
    if not malformed:
        return diagnosis
    return replace(diagnosis, not_excluded=(malformed, *diagnosis.not_excluded))


def _key_problem(investigation: Investigation, key: Key) -> str:
    """Describe why a key does not have the provider's form; "" if it does."""
    first = islice(investigation.each_job(), 1)
    try:
        with naming_form(investigation.provider.key):
            LocalSigner(key).match([replace(job, lenient=False) for job in first])
    except InvalidSecret as error:
        return str(error)
    return ""


def _matches(jobs: Iterable[MatchJob], signer: LocalSigner) -> list[int]:
    """Run the jobs up to the first that matches."""
    matches: list[int] = []
    for job in jobs:
        matches += signer.match([job])
        if matches[-1] >= 0:
            break
    return matches


def _unrecognised() -> Diagnosis:
    detail = (
        "no known provider sends its signature in these headers; select the provider, or check "
        "whether a proxy dropped or renamed the signature's header"
    )
    return Diagnosis(
        verdict=Verdict(ok=False, reason=Reason.MISSING_HEADER, detail=detail),
        provider=None,
    )
