"""Generate hypotheses about the signing of one request, the simplest first.

The signed content (body, URL, timestamp, base string) and the signing (key, algorithm) are independent, so a
hypothesis combines one of each, with two causes at most. The number of hypotheses is bounded, see `Limits`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from hook_widgets.errors import UnknownName, UnreadableMessage
from hook_widgets.webhooks.body.forms import encode_form
from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.diagnosis import alternate_schemes, signature_candidates
from hook_widgets.webhooks.diagnosis.alternate_schemes import AlternateReading
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.evidence import BaseText, Change, ReceivedEvidence
from hook_widgets.webhooks.diagnosis.guesses import base_strings, bodies, keys, timestamps, urls
from hook_widgets.webhooks.diagnosis.guesses.form_samples import like_samples
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess
from hook_widgets.webhooks.diagnosis.guesses.json_values import is_reordered
from hook_widgets.webhooks.diagnosis.guesses.keys import Signing
from hook_widgets.webhooks.diagnosis.guesses.wrapped import as_list
from hook_widgets.webhooks.diagnosis.report import difference
from hook_widgets.webhooks.keys.signing import Algorithm, MatchJob, SigningJob

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the work of the holder of the key.

    A browser hashes about 100 MB/s and checks a few hundred public-key signatures per second; the defaults
    keep the work below a second for bodies of any length.

    Attributes:
        hashed: total bytes to hash; SHA-512 and SHA-384 count four times (JavaScript has no 64-bit integers).
        sent: bytes of different messages, each of which is sent to the browser once.
        jobs: total number of jobs for a shared secret.
        checks: total number of signatures to check with a public key.
    """

    hashed: int = 32 << 20
    sent: int = 10 << 20
    jobs: int = 3000
    checks: int = 150


class Hypothesis(NamedTuple):
    """A job for the holder of the key, and the causes that a match would prove.

    Attributes:
        causes: the causes, two at most.
        job: the job.
        signature_causes: for each presented signature, the fault of its place or form, if any.
    """

    causes: tuple[CauseRef, ...]
    job: MatchJob
    signature_causes: tuple[CauseRef | None, ...]


class Remembered(Iterable[_T]):
    """Hypotheses or guesses that are generated when they are needed for the first time.

    Args:
        items: the generator.
    """

    def __init__(self, items: Iterator[_T]) -> None:
        self._rest = items
        self._known: list[_T] = []

    def __iter__(self) -> Iterator[_T]:
        """Yield the known items, then new ones; the iterators are used one after the other."""
        yield from self._known
        for item in self._rest:
            self._known.append(item)
            yield item


_MAX_TIMESTAMPS = 4  # times of the request that are tried as a part of the base string
_MAX_RARE_CHECKS = 30  # signatures checked with a public key over bodies of which few values were changed
_MAX_COMPARED = 100_000  # bytes of a body that is written with two changes and compared with the sent one
_MAX_KEPT = 4096  # bytes of a message in pieces that is kept as it is, to find it again
_OVERHEAD = 256  # cost of a job in bytes, in addition to its message


def hypotheses(
    evidence: ReceivedEvidence,
    sent: bytes | None,
    limits: Limits,
    others: Iterable[Hypothesis] = (),
) -> Iterator[Hypothesis]:
    """Yield the hypotheses about a parsed request, the simplest first.

    Args:
        evidence: the request.
        sent: the body that was sent, if known.
        limits: bounds on the work.
        others: further hypotheses, which say more than that a weaker signature verifies.
    """
    return _Generator(evidence, sent, limits).all(others)


class _Content(NamedTuple):
    """A base string, the causes that lead to it, and its size in bytes."""

    causes: tuple[CauseRef, ...]
    base: BaseText
    size: int


class _Generator:
    def __init__(self, evidence: ReceivedEvidence, sent: bytes | None, limits: Limits) -> None:
        self._evidence = evidence
        self._sent = sent
        self._limits = limits
        self._seen: set[tuple[bytes, tuple[bytes, ...] | None]] = set()
        self._pieces: set[bytes] = set()
        self._bodies_tried: set[bytes] = set()
        self._presented: dict[
            tuple[Algorithm, tuple[bytes, ...] | None, int],
            tuple[tuple[bytes, ...], tuple[CauseRef | None, ...]],
        ] = {}
        self._hashed = self._bytes_sent = self._bytes_tried = self._count = 0
        signature = evidence.signature
        self._expected = Signing((), signature.algorithm, evidence.provider.key.spec)
        self._public = signature.algorithm.key_type is not None
        self._max_count = limits.checks if self._public else limits.jobs

    def all(self, further: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
        """Yield all hypotheses: single causes before pairs, and in both groups the likelier ones first."""
        evidence = self._evidence
        key, algorithm = evidence.provider.key, evidence.signature.algorithm
        urls_read = evidence.reading.urls if evidence.reading else ()
        unchanged = list(self._new_contents([Change(), *(Change(url=url) for url in urls_read[1:])]))
        # If a hash or claim in the request contradicts its body or URL, the cause of the change tells more
        # than the fact that the signature fits, so changes of values are tested first.
        contradicted = evidence.bound and evidence.problem is not None
        if not contradicted:
            yield from self._combined(unchanged, [self._expected])
        others = list(alternate_schemes.alternate_readings(evidence))
        yield from self._alternates(alternate_schemes.readings_by_media_type(evidence))
        yield from self._alternates(alternate_schemes.readings_with_query(evidence))
        yield from self._alternates(alternate_schemes.readings_of_appended(evidence))
        single: list[_Content] = []
        yield from self._single_changes(self._values(), single)
        body_pairs, unusual = self._body_pairs(), self._unusual()
        if contradicted:
            yield from body_pairs
            yield from unusual
            yield from self._combined(unchanged, [self._expected])
        signings = list(keys.signings(key, algorithm))
        yield from self._combined(unchanged, signings)
        yield from self._alternates(other for other in others if not other.expected_present)
        yield from self._single_changes(self._base_strings(), single)
        keys_first, values_first = self._first_pairs(single, len(signings))
        key_pairs = self._key_pairs(unchanged, single, signings)
        if keys_first:
            yield from key_pairs
        yield from body_pairs
        value_pairs = self._single_changes(self._pairs() if self._may_match else (), [])
        if values_first:
            yield from value_pairs
        rare = keys.rare_signings(key, algorithm)
        yield from self._combined(unchanged, list(rare))
        yield from unusual
        yield from key_pairs
        yield from value_pairs
        yield from self._changed(self._rare)
        yield from further
        yield from self._alternates(other for other in others if other.expected_present)

    def _first_pairs(self, contents: Iterable[_Content], signings: int) -> tuple[bool, bool]:
        """Return which pairs of causes come before unusual values: those with a key, and those of values.

        They are likelier, but pairs of long bodies would use up the limits.
        """
        if self._public:
            return False, False
        limits = self._limits
        hashed = signings * sum(content.size + _OVERHEAD for content in contents)
        short = len(self._evidence.request.body) * limits.jobs <= limits.sent
        return hashed + limits.sent <= limits.hashed, short

    def _key_pairs(
        self, unchanged: Sequence[_Content], single: Sequence[_Content], signings: Sequence[Signing]
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses about a key or algorithm and another cause."""
        for content in single:
            yield from self._combined([content], signings)
        pairs = keys.signing_pairs(self._evidence.provider.key, self._expected.algorithm)
        yield from self._combined(unchanged, list(pairs))

    def _body_pairs(self) -> Iterator[Hypothesis]:
        """Yield the hypotheses about two changes of the body."""
        yield from self._changed(bodies.body_pairs(self._evidence.json_text))

    def _unusual(self) -> Iterator[Hypothesis]:
        """Yield the hypotheses about values that are not combined with other causes."""
        if not self._may_match:
            return
        evidence = self._evidence
        yield from self._single_changes(self._uncommon_values(), [])
        yield from self._changed(bodies.uncommon(evidence.request.body, evidence.json_text, self._style))
        if not evidence.bound:  # a list has none of the members that carry signed fields
            yield from self._changed(as_list(evidence.request.body))
        if evidence.json_text is None:
            yield from self._changed(like_samples(evidence.request.body, self._sample_forms))
        if self._public:  # few checks are left: those of the likeliest values come before pairs of causes
            yield from self._changed(self._rare, _MAX_RARE_CHECKS)

    def _changed(self, guesses: Iterable[BodyGuess], count: int | None = None) -> Iterator[Hypothesis]:
        """Yield the hypotheses about other bodies, or about the first of them."""
        if self._may_match:
            yield from self._single_changes(islice(self._changed_bodies(guesses), count), [])

    @cached_property
    def _may_match(self) -> bool:
        """True if the request carries a signature of the size that the expected algorithm makes."""
        return self._evidence.bound or bool(self._candidates(self._expected.algorithm, None, 1)[0])

    @property
    def _rare(self) -> Iterator[BodyGuess]:
        return bodies.rare(self._evidence.request.body, self._evidence.json_text, self._style)

    @property
    def _style(self) -> JsonStyle | None:
        """The serializer of the provider, if it is known."""
        serializer = self._evidence.provider.serializer
        return serializer.style if serializer else None

    @property
    def _sample_forms(self) -> Iterator[bytes]:
        """The forms among the sample bodies of the provider."""
        provider = self._evidence.provider
        for event in provider.all_events:
            if event.body_file.endswith(".form"):
                yield provider.template(event.name)

    def _alternates(self, others: Iterable[AlternateReading]) -> Iterator[Hypothesis]:
        """Yield the hypotheses about the provider's other schemes and signatures."""
        for other in others:
            content = _Content((other.cause,), other.base, sum(map(len, other.base.pieces)))
            signing = Signing((), other.signature.algorithm, self._evidence.provider.key.spec)
            yield from self._combined([content], [signing], other)

    def _single_changes(self, changes: Iterable[Change], single: list[_Content]) -> Iterator[Hypothesis]:
        """Yield the hypotheses about single changes, and append their contents to `single`."""
        for content in self._new_contents(changes):
            single.append(content)
            yield from self._combined([content], [self._expected])

    # -- signed content -------------------------------------------------------------------------

    def _bodies(self) -> Iterator[Change]:
        evidence = self._evidence
        if not evidence.reads_body:
            return
        body, json_text, field = evidence.request.body, evidence.json_text, evidence.scheme.json_in
        yield from self._changed_bodies(self._common)
        if field and json_text is not None:
            form = encode_form([(field, json_text.text)])
            yield Change(causes=(CauseRef("body-form-field", field),), body=form)
        if self._sent is not None and self._sent != body:
            pairs = bodies.body_pairs(json_text if len(body) <= _MAX_COMPARED else None)
            missing = CauseRef("body-missing", self._evidence.provider.title)
            changed = (
                CauseRef("body-reordered")
                if is_reordered(body, self._sent)
                else CauseRef("body-changed", difference(body, self._sent, other_is="sent"))
            )
            twice = next((causes for causes, other in pairs if other == self._sent), None)
            yield Change(causes=twice or (changed if body else missing,), body=self._sent)

    @cached_property
    def _common(self) -> Iterable[BodyGuess]:
        """The likeliest bodies, which are combined with other changes, too."""
        return Remembered(bodies.bodies(self._evidence.request.body, self._evidence.json_text))

    def _changed_bodies(self, guesses: Iterable[BodyGuess]) -> Iterator[Change]:
        """Yield the bodies of these guesses while the limits allow it."""
        body, each = self._evidence.request.body, iter(guesses)
        while self._evidence.reads_body and self._has_capacity(body):
            following = next(each, None)
            if following is None:
                return
            causes, other = following
            if other != body:
                yield Change(causes=causes, body=other)

    def _timestamps_and_urls(self) -> Iterator[Change]:
        evidence, request = self._evidence, self._evidence.request
        if "timestamp" in evidence.needed:
            for causes, text in timestamps.times(evidence.timestamp, request.headers, request.body):
                yield Change(causes=causes, timestamp=text)
        if "url" in evidence.needed and request.url:
            for causes, url in urls.urls(request.url, request.headers):
                yield Change(causes=causes, url=url)

    def _uncommon_values(self) -> Iterator[Change]:
        """Yield other orders of the query, and other spellings of signed fields."""
        evidence = self._evidence
        if "url" in evidence.needed and evidence.request.url:
            for causes, url in urls.uncommon(evidence.request.url, evidence.request.headers):
                yield Change(causes=causes, url=url)
        for name, part in evidence.provider.parts.items():
            for value, meaning in part.others.items():
                yield Change(causes=(CauseRef("part-other", meaning),), field=(name, value))
        for name in evidence.signature.template.order:
            if name in _OWN_GUESSES or name not in evidence.fields:
                continue
            try:
                text = evidence.fields.text(name)
            except (UnknownName, UnreadableMessage, ValueError):
                continue
            for cause, other in base_strings.spellings(evidence.signature.template, text[:_MAX_FIELD]):
                if other != text and len(text) < _MAX_FIELD:
                    yield Change(causes=(CauseRef(cause, name),), field=(name, other))

    def _base_strings(self) -> Iterator[Change]:
        evidence = self._evidence
        if "method" in evidence.needed:
            for method in ("POST", "GET", "PUT", "PATCH", evidence.request.method.lower()):
                yield Change(causes=(CauseRef("message-method", method),), method=method)
        own = evidence.timestamp
        stamps = (
            [] if own else list(timestamps.places_of_time(evidence.request.headers, evidence.request.body))
        )
        for causes, template in base_strings.messages(evidence.signature.template, timestamps=bool(stamps)):
            if own or "timestamp" not in template.names:
                yield Change(causes=causes, template=template)
                continue
            for _place, stamp in stamps[:_MAX_TIMESTAMPS]:
                yield Change(causes=causes, timestamp=stamp, template=template)

    def _values(self) -> Iterator[Change]:
        """Yield other bodies, timestamps and URLs; bodies last if the URL is signed."""
        if "url" in self._evidence.needed:
            return chain(self._timestamps_and_urls(), self._bodies())
        return chain(self._bodies(), self._timestamps_and_urls())

    def _pairs(self) -> Iterator[Change]:
        evidence, request = self._evidence, self._evidence.request
        others = [*self._timestamps_and_urls(), *self._base_strings()]
        if evidence.reads_body:
            for change in self._bodies():
                yield from change.with_each(others)
        if "url" in evidence.needed and request.url:
            for first_causes, first_url in urls.urls(request.url, request.headers):
                for second_causes, second_url in urls.urls(first_url, request.headers):
                    yield Change(causes=first_causes + second_causes, url=second_url)
        for index, change in enumerate(others):
            yield from change.with_each(others[index + 1 :])

    def _new_contents(self, changes: Iterable[Change]) -> Iterator[_Content]:
        """Yield the base strings that are new, within the limits."""
        for change in changes:
            if self._count >= self._max_count:
                return
            if change.body is not None and change.body not in self._bodies_tried:
                self._bodies_tried.add(change.body)
                self._bytes_tried += len(change.body)
            base = self._evidence.base(change)
            if base is None:
                continue
            new_bytes = sum([len(piece) for piece in base.pieces if piece not in self._pieces])
            full = self._pieces and self._bytes_sent + new_bytes > self._limits.sent
            if full and change.body is not self._sent:
                continue
            if self._is_new(base):
                self._bytes_sent += new_bytes
                self._pieces.update(base.pieces)
                yield _Content(change.causes, base, sum(map(len, base.pieces)))

    def _has_capacity(self, body: bytes) -> bool:
        """Return True if the limits allow to write and parse another body of about this length."""
        used = max(self._bytes_sent, self._bytes_tried)
        return used + len(body) <= self._limits.sent and self._count < self._max_count

    def _is_new(self, base: BaseText) -> bool:
        message = b"".join(base.pieces)
        if len(base.pieces) > 1 and len(message) > _MAX_KEPT:
            message = hashlib.sha256(message).digest()
        count = len(self._seen)
        self._seen.add((message, base.presented))
        return len(self._seen) > count

    # -- signing --------------------------------------------------------------------------------

    def _combined(
        self, contents: Sequence[_Content], signings: Sequence[Signing], other: AlternateReading | None = None
    ) -> Iterator[Hypothesis]:
        """Yield every content combined with every signing, within the limits."""
        scheme = other.scheme if other else self._evidence.scheme.name
        field = other.signature.name if other else self._evidence.signature.name
        for content_causes, (pieces, own), size in contents:
            for signing_causes, algorithm, key, variant in signings:
                if self._count >= self._max_count:
                    return
                causes = content_causes + signing_causes
                kind = algorithm, own, len(causes)
                known = self._presented.get(kind)
                if known is None:
                    known = self._presented[kind] = self._candidates(*kind)
                presented, signature_causes = known
                if not presented:
                    continue
                cost = (size + _OVERHEAD) * (4 if algorithm in _SLOW else 1)
                if self._count and self._hashed + cost > self._limits.hashed:
                    continue
                self._hashed += cost
                self._count += len(presented) if self._public else 1
                job = MatchJob(
                    job=SigningJob(field, algorithm, key, pieces),
                    candidates=presented,
                    scheme=scheme,
                    variant=variant,
                    lenient=True,
                )
                yield Hypothesis(causes, job, signature_causes)

    def _candidates(
        self, algorithm: Algorithm, presented: tuple[bytes, ...] | None, causes: int
    ) -> tuple[tuple[bytes, ...], tuple[CauseRef | None, ...]]:
        """Return the signatures to test with this many causes; a wrong place or form counts as one more."""
        if presented is not None:
            candidates: Iterable[signature_candidates.Candidate] = map(
                signature_candidates.Candidate, presented
            )
        elif algorithm is Algorithm.TOKEN and self._expected.algorithm is not Algorithm.TOKEN:
            candidates = self._tokens if causes == 1 else ()
        else:
            candidates = self._evidence.candidates
        size = algorithm.size
        strict = causes > (0 if self._public else 1)
        fitting = [c for c in candidates if size in (None, len(c.raw)) and not (strict and c.cause)]
        chosen = fitting[:16] if self._public else fitting
        return tuple(c.raw for c in chosen), tuple(c.cause for c in chosen)

    @property
    def _tokens(self) -> tuple[signature_candidates.Candidate, ...]:
        evidence = self._evidence
        return signature_candidates.tokens(
            evidence.scheme, evidence.signature, evidence.texts, evidence.request
        )


_OWN_GUESSES = frozenset({"body", "url", "timestamp", "method", "sorted_form", "body_sha256"})
_MAX_FIELD = 4096  # characters; longer fields are bodies in another form
_SLOW = (Algorithm.HMAC_SHA384, Algorithm.HMAC_SHA512)
