"""The hypotheses about one request: what may have been signed, and how; the simplest first.

What was signed (body, URL, timestamp, base string) and how (key, algorithm) are independent, so a hypothesis
is one of each, with two causes at most. Everything is bounded, see `Limits`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from hook_widgets.webhooks.diagnosis import bodies, keys, messages, presented, siblings, times, urls
from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.diagnosis.evidence import BaseText, Change, Evidence
from hook_widgets.webhooks.diagnosis.keys import Signing
from hook_widgets.webhooks.diagnosis.report import difference
from hook_widgets.webhooks.diagnosis.siblings import Sibling
from hook_widgets.webhooks.signing import Algorithm, MatchJob, SigningJob


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work the holder of the key may be given.

    A browser hashes some 100 MB/s and checks some hundred public-key signatures a second; the defaults keep
    it below a second for bodies of any length.

    Attributes:
        hashed: bytes to be hashed in all; SHA-512 and SHA-384 count four times (JavaScript has no 64-bit
            integers).
        sent: bytes of different messages, which travel to the browser once each.
        jobs: questions in all, for a shared secret.
        checks: signatures to be checked with a public key.
    """

    hashed: int = 32 << 20
    sent: int = 10 << 20
    jobs: int = 3000
    checks: int = 150


class Hypothesis(NamedTuple):
    """A question to the holder of the key, and what a match would mean.

    Attributes:
        mentions: the causes, none to two.
        job: the question.
        carried: for each presented signature, what is wrong with its place or form.
    """

    mentions: tuple[Mention, ...]
    job: MatchJob
    carried: tuple[Mention | None, ...]


_STAMPS = 4  # times that may have been put in front of a body
_OVERHEAD = 256  # bytes that a job costs besides its message


def hypotheses(evidence: Evidence, sent: bytes | None, limits: Limits) -> Iterator[Hypothesis]:
    """The questions about a request that was read, the simplest first.

    Args:
        evidence: the request.
        sent: the body that was sent, where it is known.
        limits: how much work they may be.
    """
    return _Solver(evidence, sent, limits).all()


class _Known(NamedTuple):
    """A base string that was worked out, and the causes that lead to it."""

    mentions: tuple[Mention, ...]
    base: BaseText
    size: int


class _Solver:
    def __init__(self, evidence: Evidence, sent: bytes | None, limits: Limits) -> None:
        self._evidence = evidence
        self._sent = sent
        self._limits = limits
        self._seen: set[bytes] = set()
        self._pieces: set[bytes] = set()
        self._hashed = self._travelled = self._count = 0
        signature = evidence.signature
        self._usual = Signing((), signature.algorithm, evidence.provider.key.spec)
        self._public = signature.algorithm.key_type is not None

    def all(self) -> Iterator[Hypothesis]:
        """Singles before pairs; within both, what is likelier first."""
        evidence = self._evidence
        key, algorithm = evidence.provider.key, evidence.signature.algorithm
        plain = list(self._known([Change(), *self._urls_as_read()]))
        # A body or URL that is not the one repeated in a hash or claim: which one it was says more than that.
        unlike = evidence.bound and evidence.problem is not None
        if not unlike:
            yield from self._asked(plain, [self._usual])
        others = list(siblings.siblings(evidence))
        yield from self._as_siblings(siblings.retyped(evidence))
        once: list[_Known] = []
        yield from self._noted(self._contents(), once)
        if unlike:
            yield from self._asked(plain, [self._usual])
        ways = list(keys.signings(key, algorithm))
        yield from self._asked(plain, ways)
        yield from self._noted(self._messages(), once)
        yield from self._as_siblings(s for s in others if not s.beside)
        pairs = list(keys.signing_pairs(key, algorithm))
        for known in once:
            yield from self._asked([known], ways)
        yield from self._asked(plain, pairs)
        for known in self._known(self._pairs()):
            yield from self._asked([known], [self._usual])
        yield from self._as_siblings(s for s in others if s.beside)

    def _as_siblings(self, others: Iterable[Sibling]) -> Iterator[Hypothesis]:
        """The questions about the provider's other schemes and signatures."""
        for other in others:
            known = _Known((other.mention,), other.base, sum(map(len, other.base.pieces)))
            way = Signing((), other.algorithm, self._evidence.provider.key.spec)
            yield from self._asked([known], [way])

    def _noted(self, changes: Iterable[Change], once: list[_Known]) -> Iterator[Hypothesis]:
        """The questions about single changes, which are kept for the pairs."""
        for known in self._known(changes):
            once.append(known)
            yield from self._asked([known], [self._usual])

    # -- what was signed ------------------------------------------------------------------------

    def _urls_as_read(self) -> Iterator[Change]:
        found = self._evidence.reading
        return (Change(url=url) for url in (found.urls[1:] if found else ()))

    def _bodies(self) -> Iterator[Change]:
        if not self._evidence.reads_body:
            return
        body = self._evidence.request.body
        for mentions, other in bodies.bodies(body):
            if not self._has_room(body):
                break
            if other != body:
                yield Change(mentions, body=other)
        if self._sent is not None and self._sent != body:
            yield Change(
                (Mention("body-changed", difference(body, self._sent, other_is="sent")),), body=self._sent
            )

    def _places(self) -> Iterator[Change]:
        """Other timestamps and URLs."""
        evidence, request = self._evidence, self._evidence.request
        if "timestamp" in evidence.needed:
            for mentions, text in times.times(evidence.timestamp, request.headers, request.body):
                yield Change(mentions, timestamp=text)
        if "url" in evidence.needed and request.url:
            for mentions, url in urls.urls(request.url, request.headers):
                yield Change(mentions, url=url)

    def _messages(self) -> Iterator[Change]:
        evidence = self._evidence
        if "method" in evidence.needed:
            for method in ("POST", "GET", "PUT", "PATCH", evidence.request.method.lower()):
                yield Change((Mention("message-method", method),), method=method)
        own = evidence.timestamp
        stamps = [] if own else list(times.places_of_time(evidence.request.headers, evidence.request.body))
        for mentions, template in messages.messages(evidence.signature.template, timestamps=bool(stamps)):
            if own or "timestamp" not in template.names:
                yield Change(mentions, template=template)
                continue
            for _place, stamp in stamps[:_STAMPS]:
                yield Change(mentions, timestamp=stamp, template=template)

    def _contents(self) -> Iterator[Change]:
        by_url = "url" in self._evidence.needed
        first, second = (self._places, self._bodies) if by_url else (self._bodies, self._places)
        return chain(first(), second())

    def _pairs(self) -> Iterator[Change]:
        evidence, request = self._evidence, self._evidence.request
        others = [*self._places(), *self._messages()]
        if evidence.reads_body:
            for mentions, other in bodies.body_pairs(request.body) if self._has_room(request.body) else ():
                yield Change(mentions, body=other)
                if not self._has_room(request.body):
                    break
            for change in self._bodies():
                yield from change.with_each(others)
        if "url" in evidence.needed and request.url:
            for mentions, url in urls.urls(request.url, request.headers):
                for more, further in urls.urls(url, request.headers):
                    yield Change(mentions + more, url=further)
        for place, change in enumerate(others):
            yield from change.with_each(others[place + 1 :])

    def _known(self, changes: Iterable[Change]) -> Iterator[_Known]:
        """The base strings that were not met before, while there is room for them."""
        for change in changes:
            if self._count >= self._most:
                return
            base = self._evidence.base(change)
            if base is None:
                continue
            travels = sum(len(piece) for piece in base.pieces if piece not in self._pieces)
            full = self._pieces and self._travelled + travels > self._limits.sent
            if full and change.body is not self._sent:
                continue
            if self._is_new(base):
                self._travelled += travels
                self._pieces.update(base.pieces)
                yield _Known(change.mentions, base, sum(map(len, base.pieces)))

    def _has_room(self, body: bytes) -> bool:
        """Whether another body of about this length may travel. To write one again takes time, too."""
        return self._travelled + len(body) <= self._limits.sent and self._count < self._most

    def _is_new(self, base: BaseText) -> bool:
        digest = hashlib.blake2b(digest_size=16)
        for piece in base.pieces:
            digest.update(piece)
        for raw in base.presented or ():
            digest.update(raw)
        key = digest.digest()
        new = key not in self._seen
        self._seen.add(key)
        return new

    # -- how it was signed ----------------------------------------------------------------------

    @property
    def _most(self) -> int:
        return self._limits.checks if self._public else self._limits.jobs

    def _asked(self, known: Sequence[_Known], ways: Sequence[Signing]) -> Iterator[Hypothesis]:
        """The questions that there is room for."""
        for mentions, base, size in known:
            for way in ways:
                causes = mentions + way.mentions
                carried = self._carried(way.algorithm, base, len(causes))
                cost = (size + _OVERHEAD) * (4 if way.algorithm in _SLOW else 1)
                full = self._count and self._hashed + cost > self._limits.hashed
                if not carried or full or self._count >= self._most:
                    continue
                self._hashed += cost
                self._count += len(carried) if self._public else 1
                job = SigningJob(self._evidence.signature.name, way.algorithm, way.key, base.pieces)
                yield Hypothesis(
                    causes,
                    MatchJob(job, tuple(c.raw for c in carried), lenient=True),
                    tuple(c.mention for c in carried),
                )

    def _carried(self, algorithm: Algorithm, base: BaseText, causes: int) -> list[presented.Candidate]:
        """The signatures that such a question is about; those in a wrong place count as a cause."""
        if base.presented is not None:
            found: Iterable[presented.Candidate] = map(presented.Candidate, base.presented)
        elif algorithm is Algorithm.TOKEN and self._usual.algorithm is not Algorithm.TOKEN:
            found = self._tokens if causes == 1 else ()
        else:
            found = self._evidence.candidates
        size = algorithm.size
        strict = causes > (0 if self._public else 1)
        fitting = [c for c in found if size in (None, len(c.raw)) and not (strict and c.mention)]
        return list(islice(fitting, 16)) if self._public else fitting

    @property
    def _tokens(self) -> tuple[presented.Candidate, ...]:
        evidence = self._evidence
        return presented.tokens(evidence.scheme, evidence.signature, evidence.texts, evidence.request.headers)


_SLOW = (Algorithm.HMAC_SHA384, Algorithm.HMAC_SHA512)
