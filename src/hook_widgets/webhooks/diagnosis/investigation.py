"""Why a request does not verify: what is asked of the holder of the key, and what its answers mean.

Every hypothesis is a question whether a signature that came with the request belongs to a message. An HMAC of
full length cannot match by chance, so what matches is the cause. The key stays where it is: all work with it
is done by whoever holds it, one `MatchJob` for each hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.diagnosis import clocks, report
from hook_widgets.webhooks.diagnosis.causes import Mention, finding
from hook_widgets.webhooks.diagnosis.evidence import Change, Evidence
from hook_widgets.webhooks.diagnosis.report import BaseString, Diagnosis
from hook_widgets.webhooks.diagnosis.solver import Hypothesis
from hook_widgets.webhooks.provider import Provider
from hook_widgets.webhooks.scheme import PairKey
from hook_widgets.webhooks.signing import MatchJob
from hook_widgets.webhooks.verifying import Inspection, Reason, Verdict


@dataclass(frozen=True)
class Investigation:
    """A request that was read, with the questions that only the holder of the key can answer.

    Attributes:
        provider: whose request it is taken for.
        jobs: the questions, the simplest first: who answers them may stop at the first that matches.
    """

    provider: Provider
    jobs: tuple[MatchJob, ...]
    _inspection: Inspection | Verdict
    _hypotheses: tuple[Hypothesis, ...]
    _evidence: Evidence
    _detected: tuple[str, ...]
    _sent: bytes | None

    def conclude(self, matches: Sequence[int], *, label: str = "") -> Diagnosis:
        """The diagnosis, given for each job the index of the right signature, or -1.

        Args:
            matches: one answer for each job; -1 too for those that were not looked at.
            label: the name of the secret, when it is another than the one in use.

        Raises:
            InvalidRequest: there are not as many answers as jobs.
        """
        if len(matches) != len(self.jobs):
            raise InvalidRequest(f"{len(self.jobs)} answers are needed, {len(matches)} were given")
        asked = 0 if isinstance(self._inspection, Verdict) else len(self._inspection.jobs)
        other = (Mention("secret-other", label),) if label else ()
        if any(hit >= 0 for hit in matches[:asked]):
            mentions = other + (self._lateness() or (() if label else self._spelling()))
            verdict = self._verdict([-1] * asked if label else matches[:asked])
            return self._told(verdict, mentions, None)
        verdict = self._verdict(matches[:asked])
        for hypothesis, hit in zip(self._hypotheses, matches[asked:], strict=True):
            if 0 <= hit < len(hypothesis.carried):
                carried = hypothesis.carried[hit]
                found = other + hypothesis.mentions + ((carried,) if carried else ())
                found = (found or self._unreadable()) + self._lateness()
                return self._told(verdict, found[:2], hypothesis)
        return self._told(verdict, (), None, exhausted=True)

    def _verdict(self, matches: Sequence[int]) -> Verdict:
        if isinstance(self._inspection, Verdict):
            return self._inspection
        return self._inspection.conclude(matches)

    def _told(
        self,
        verdict: Verdict,
        mentions: tuple[Mention, ...],
        hypothesis: Hypothesis | None,
        *,
        exhausted: bool = False,
    ) -> Diagnosis:
        strings, difference = self._strings(hypothesis)
        return Diagnosis(
            verdict,
            self.provider.id,
            self._detected,
            tuple(map(finding, mentions)),
            self._excluded() if exhausted else _nothing_wrong(verdict, mentions),
            strings,
            difference,
        )

    def _strings(self, hypothesis: Hypothesis | None) -> tuple[tuple[BaseString, ...], str]:
        """The base strings that are known, and where the first two differ."""
        known: list[tuple[str, bytes]] = []
        base = self._evidence.base(Change())
        if base is not None:
            known.append(("as received", b"".join(base.pieces)))
        if self._sent is not None:
            sent = self._evidence.base(Change(body=self._sent))
            if sent is not None:
                known.append(("as sent", b"".join(sent.pieces)))
        if hypothesis is not None:
            known.append(("as signed", hypothesis.job.job.message))
        strings = tuple(BaseString.of(label, message) for label, message in known)
        if len(known) < 2 or base is None:
            return strings, ""
        which = known[1][0].removeprefix("as ")
        return strings, report.difference(known[0][1], known[1][1], other_is=which)

    # -- what a match does not say --------------------------------------------------------------

    def _lateness(self) -> tuple[Mention, ...]:
        inspection = self._inspection
        return () if isinstance(inspection, Verdict) else clocks.lateness(inspection)

    def _unreadable(self) -> tuple[Mention, ...]:
        """Why a request could not be read although its signature is right."""
        problem, evidence = self._evidence.problem, self._evidence
        if problem is None:
            return ()
        if problem.reason == Reason.BODY_HASH_DIFFERS:
            return (Mention("body-unlike-hash"),)
        if problem.label == "URL":
            return (Mention("url-unlike-claim"),) if evidence.request.url else ()
        if problem.reason == Reason.MISSING_HEADER:
            return (Mention("header-lost", problem.label),)
        if "timestamp" not in evidence.needed:
            return ()
        return clocks.unwritten(evidence.timestamp, evidence.scheme.timestamp)

    def _spelling(self) -> tuple[Mention, ...]:
        """What a receiver that compares texts would stumble on."""
        texts = self._evidence.texts
        upper = self._evidence.signature.encoding == "hex" and texts and texts[0] != texts[0].lower()
        return (Mention("signature-upper"),) if upper else ()

    def _excluded(self) -> tuple[str, ...]:
        """What was tried, and what cannot be tried."""
        evidence = self._evidence
        lines = list(report.tried((h.mentions for h in self._hypotheses), len(evidence.candidates)))
        if not evidence.candidates:
            lines.append("there is no text in the headers that could be a signature")
        if "body" in evidence.needed and not evidence.request.body:
            lines.append(
                "the body is empty: if the sender sent one, it was read by something else before "
                "(a body parser, a middleware) and nothing can be tried without it"
            )
        key = self.provider.key
        prefix = "" if isinstance(key, PairKey) else key.example.prefix
        begins = f", all of which begin with {prefix}" if prefix else ""
        lines.append(
            f"not to be known from here: the {key.title.lower()} of another endpoint, account or mode"
            f"{begins} (test and live, platform and connected account each have their own), a value that was "
            "changed or lost on the way, and the order of keys that a parser changed"
        )
        return tuple(lines)


def _nothing_wrong(verdict: Verdict, mentions: tuple[Mention, ...]) -> tuple[str, ...]:
    if not verdict.ok or mentions:
        return ()
    text = (
        "the request verifies as it is: a receiver that refuses it verifies other bytes, another secret or "
        "another header than those given here"
    )
    return (text,)
