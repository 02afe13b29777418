"""A running diagnosis: the jobs for the holder of the key, and the conclusion from their results.

Every hypothesis asks whether a signature of the request belongs to a message. An HMAC of full length cannot
match by chance, so the hypothesis that matches is the cause. The key stays where it is: its holder does all
work with it, one `MatchJob` for each hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.diagnosis import report, timestamp_checks
from hook_widgets.webhooks.diagnosis.causes import CauseRef, Finding, finding
from hook_widgets.webhooks.diagnosis.evidence import Change, ReceivedEvidence
from hook_widgets.webhooks.diagnosis.hints import hints_of
from hook_widgets.webhooks.diagnosis.hypotheses import Hypothesis
from hook_widgets.webhooks.diagnosis.report import BaseString, Diagnosis
from hook_widgets.webhooks.diagnosis.signature_candidates import split_header
from hook_widgets.webhooks.keys.signing import MatchJob
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.scheme import AsymmetricKeySpec
from hook_widgets.webhooks.verification.verify import Inspection, Reason, Verdict

_BODILESS = ("GET", "HEAD")
_OTHER_KEYS = "(test and live, platform and connected account have their own)"
_CONFIDENTIAL = frozenset({"url-user-lost"})  # the signed text has a password


@dataclass(frozen=True, kw_only=True)
class Investigation:
    """A parsed request, with the jobs that only the holder of the key can run.

    Attributes:
        provider: the provider that is assumed to have sent the request.
    """

    provider: Provider
    _inspection: Inspection | Verdict
    _hypotheses: Iterable[Hypothesis]
    _evidence: ReceivedEvidence
    _detected: tuple[str, ...]
    _sent: bytes | None
    _notes: tuple[str, ...] = ()
    _likely: tuple[Provider, ...] = ()

    @cached_property
    def jobs(self) -> tuple[MatchJob, ...]:
        """The jobs, the simplest first; the holder of the key may stop at the first that matches."""
        return tuple(self.each_job())

    def each_job(self) -> Iterator[MatchJob]:
        """Yield the jobs one by one, which takes less time if one of the first matches."""
        yield from self._inspected_jobs
        for hypothesis in self._hypotheses:
            yield hypothesis.job

    @cached_property
    def _inspected_jobs(self) -> tuple[MatchJob, ...]:
        """The jobs for the request as it is."""
        jobs = () if isinstance(self._inspection, Verdict) else self._inspection.jobs
        return tuple(replace(job, lenient=True) for job in jobs)

    def finish(self, matches: Sequence[int]) -> Diagnosis:
        """Return the diagnosis that follows from the results of the jobs.

        Args:
            matches: for each job the index of the signature that matches, or -1; also -1 for jobs that were
                not run.

        Raises:
            InvalidArgument: the number of results is not the number of jobs.
        """
        if len(matches) != len(self.jobs):
            raise InvalidArgument(
                f"{len(self.jobs)} results are needed, not {len(matches)}; give one for each job"
            )
        return self.finish_first(matches)

    def finish_first(self, matches: Sequence[int], *, label: str = "") -> Diagnosis:
        """Return the diagnosis that follows from the results of the first jobs, up to one that matches.

        Args:
            matches: for each of these jobs the index of the signature that matches, or -1.
            label: the name of the secret, if it is not the one in use.
        """
        inspected = len(self._inspected_jobs)
        other = (CauseRef("secret-other", label),) if label else ()
        if any(hit >= 0 for hit in matches[:inspected]):
            causes = other + (self._lateness() or (() if label else self._warnings()))
            verdict = self._verdict([-1] * inspected if label else matches[:inspected])
            return self._diagnosis(verdict, causes, None)
        verdict = self._verdict(matches[:inspected])
        any_hit = max(matches[inspected:], default=-1) >= 0
        for hit, hypothesis in zip(matches[inspected:], self._hypotheses if any_hit else (), strict=False):
            if 0 <= hit < len(hypothesis.signature_causes):
                signature_cause = hypothesis.signature_causes[hit]
                own = () if signature_cause and signature_cause.id == "secret-shown" else hypothesis.causes
                causes = other + own + ((signature_cause,) if signature_cause else ())
                causes = (causes or self._parse_causes()) + self._lateness()
                return self._diagnosis(verdict, causes[:2], hypothesis)
        return self._diagnosis(verdict, self._missing_body(verdict), None, exhausted=True)

    def _verdict(self, matches: Sequence[int]) -> Verdict:
        if isinstance(self._inspection, Verdict):
            return self._inspection
        return self._inspection.finish(matches)

    def _diagnosis(
        self,
        verdict: Verdict,
        causes: tuple[CauseRef, ...],
        hypothesis: Hypothesis | None,
        *,
        exhausted: bool = False,
    ) -> Diagnosis:
        strings, difference = self._strings(hypothesis)
        excluded = (each.causes for each in self._hypotheses) if exhausted else ()
        return Diagnosis(
            verdict=verdict,
            provider=self.provider.id,
            detected=self._detected,
            findings=tuple(map(finding, causes)),
            hints=self._hints(verdict) if exhausted else (),
            excluded=report.tried(excluded, len(self._evidence.candidates)) if exhausted else (),
            not_excluded=self._not_excluded(verdict) if exhausted else _nothing_wrong(verdict, causes),
            strings=strings,
            difference=difference,
            notes=self._notes,
        )

    def _strings(self, hypothesis: Hypothesis | None) -> tuple[tuple[BaseString, ...], str]:
        """Return the known base strings, and the first difference between the first two."""
        known: list[tuple[str, bytes]] = []
        base = self._evidence.base(Change())
        if base is not None:
            known.append(("received", b"".join(base.pieces)))
        if self._sent is not None:
            sent = self._evidence.base(Change(body=self._sent))
            if sent is not None:
                known.append(("sent", b"".join(sent.pieces)))
        if hypothesis is not None and not any(ref.id in _CONFIDENTIAL for ref in hypothesis.causes):
            known.append(("signed", hypothesis.job.job.message))
        strings = tuple(BaseString.of(f"as {label}", message) for label, message in known)
        if len(known) < 2 or base is None:
            return strings, ""
        label, other = known[1]
        return strings, report.difference(known[0][1], other, other_is=label)

    # -- causes besides the match ---------------------------------------------------------------

    def _lateness(self) -> tuple[CauseRef, ...]:
        inspection = self._inspection
        return () if isinstance(inspection, Verdict) else timestamp_checks.lateness(inspection)

    def _parse_causes(self) -> tuple[CauseRef, ...]:
        """Return the cause why a request with a correct signature could not be parsed."""
        problem, evidence = self._evidence.problem, self._evidence
        if problem is None:
            return ()
        if problem.reason == Reason.BODY_HASH_DIFFERS:
            missing = CauseRef("body-missing", self.provider.title)
            return (CauseRef("body-unlike-hash") if evidence.request.body else missing,)
        if problem.label == "URL":
            other = evidence.request.url and problem.reason != Reason.MISSING_HEADER
            return (CauseRef("url-unlike-claim"),) if other else ()
        if problem.reason == Reason.MISSING_HEADER:
            return (CauseRef("header-lost", problem.label),)
        if "timestamp" not in evidence.needed:
            return ()
        return timestamp_checks.unreadable(evidence.timestamp, evidence.scheme.timestamp)

    def _missing_body(self, verdict: Verdict) -> tuple[CauseRef, ...]:
        """Return a cause if the provider signs the body and there is none; a missing header comes first."""
        evidence = self._evidence
        if evidence.request.body or not evidence.reads_body or evidence.request.method in _BODILESS:
            return ()
        inside = evidence.problem is not None and verdict.reason is Reason.MALFORMED_BODY
        return (CauseRef("body-missing", self.provider.title),) if inside or evidence.candidates else ()

    def _warnings(self) -> tuple[CauseRef, ...]:
        """Return a cause if a receiver may fail that compares texts, or reads one line of a header."""
        evidence = self._evidence
        signature, texts = evidence.signature, evidence.texts
        if signature.encoding == "hex" and texts and texts[0] != texts[0].lower():
            return (CauseRef("signature-upper"),)
        split = split_header(evidence.scheme, signature, evidence.request.headers)
        return (CauseRef("signature-split", split),) if split else ()

    def _hints(self, verdict: Verdict) -> tuple[Finding, ...]:
        """Return the hints; of the secret only if a whole signature differs."""
        refs = hints_of(self._evidence, self._likely)
        differs = verdict.reason is Reason.SIGNATURE_DIFFERS
        return tuple(finding(ref) for ref in refs if differs or ref.id != "secret-origin")

    def _not_excluded(self, verdict: Verdict) -> tuple[str, ...]:
        """Describe the causes that cannot be tested."""
        evidence = self._evidence
        if not evidence.candidates:
            return ("any cause: there is no candidate signature in the request",)
        if verdict.reason is not Reason.SIGNATURE_DIFFERS:
            return ("a value changed or lost in transit",)
        key = self.provider.key
        prefix = "" if isinstance(key, AsymmetricKeySpec) else key.example.prefix
        begins = f", all of which start with {prefix}" if prefix else ""
        causes = [
            f"the {key.title.lower()} of another endpoint, account or mode{begins} {_OTHER_KEYS}",
            "a value changed or lost in transit",
        ]
        if evidence.json_text is not None:
            causes.append("JSON keys reordered by a parser")
        if "url" in evidence.needed:
            causes.append("another URL than the one registered with the sender")
        return tuple(causes)


def _nothing_wrong(verdict: Verdict, causes: tuple[CauseRef, ...]) -> tuple[str, ...]:
    if not verdict.ok or causes:
        return ()
    text = "a receiver that checks other bytes, another secret or another header"
    return (f"{text}: with those given here, the request verifies",)
