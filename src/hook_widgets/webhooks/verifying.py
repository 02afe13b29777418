"""Verifying a received request, and saying why it does not verify.

`inspect` reads the request and asks its questions as match jobs; whoever holds the key answers them, and
`Inspection.conclude` gives the verdict. `verify` does all three in one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks import catalog
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keypair import KeyPair, PublicKey
from hook_widgets.webhooks.provider import Provider
from hook_widgets.webhooks.reading import Reading, read
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.request import ReceivedRequest
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.signing import LocalSigner, MatchJob
from hook_widgets.webhooks.verdict import Reason, Step, Verdict

__all__ = ["Inspection", "Reason", "Receivable", "Step", "Verdict", "inspect", "verify"]


_LONGEST_S = 100 * 366 * 86_400.0


class Receivable(Protocol):
    """Anything with headers, body, URL and method, such as a `WebhookRequest`."""

    @property
    def method(self) -> str:
        """The HTTP method."""

    @property
    def url(self) -> str:
        """The full URL."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""

    @property
    def body(self) -> bytes:
        """The raw body."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """A request that was read, with the questions only the holder of the key can answer."""

    provider: Provider
    reading: Reading
    jobs: tuple[MatchJob, ...]
    now: datetime
    tolerance: timedelta | None

    def conclude(self, matches: Sequence[int]) -> Verdict:
        """The verdict, given for each job the index of the right signature or -1."""
        steps = [Step("Signature header", ok=True, text=f"{self.reading.carrier} is there and well formed")]
        count = len(self.jobs[0].presented)
        late = self._lateness()
        if not any(hit >= 0 for hit in matches):
            key = self.provider.key.title.lower()
            which = "the signature differs" if count == 1 else f"none of the {count} signatures matches"
            detail = (
                f"{which}: either this is not the {key} that signed it, or body, URL or timestamp are not "
                "byte for byte what was signed (a parsed and re-written body is the usual cause)"
            )
            steps.append(Step("Signature", ok=False, text=detail))
            if late:
                steps.append(Step("Timestamp", ok=False, text=late))
            return Verdict(
                ok=False,
                reason=Reason.SIGNATURE_DIFFERS,
                detail=f"{self.reading.carrier}: {detail}",
                steps=tuple(steps),
            )
        steps.append(Step("Signature", ok=True, text="it belongs to these bytes and this key"))
        if late:
            steps.append(Step("Timestamp", ok=False, text=late))
            return Verdict(
                ok=False, reason=Reason.TIMESTAMP_OUTSIDE_TOLERANCE, detail=late, steps=tuple(steps)
            )
        if self.reading.moment is not None:
            steps.append(Step("Timestamp", ok=True, text=self._punctual(self.reading.moment)))
        detail = f"the {self.provider.title} signature is right"
        return Verdict(ok=True, reason=Reason.VALID, detail=detail, steps=tuple(steps))

    def _lateness(self) -> str:
        moment, tolerance = self.reading.moment, self.tolerance
        if moment is None or tolerance is None:
            return ""
        age = max((self.now - at for at in (moment, *self.reading.others)), key=abs)
        if abs(age) <= tolerance:
            return ""
        beyond = _span(abs(age) - tolerance)
        if age > timedelta(0):
            return (
                f"the timestamp is {_span(age)} old, {beyond} more than the {_span(tolerance)} allowed; "
                "an old capture, a slow queue or a replay"
            )
        return (
            f"the timestamp is {_span(-age)} in the future, "
            f"{beyond} more than the {_span(tolerance)} allowed; "
            "compare the two clocks"
        )

    def _punctual(self, moment: datetime) -> str:
        age = self.now - moment
        when = f"{_span(age)} old" if age >= timedelta(0) else f"{_span(-age)} in the future"
        limit = f"within {_span(self.tolerance)}" if self.tolerance else "this provider sets no limit"
        return f"{when}, {limit}"


def inspect(
    provider: str | Provider,
    request: Receivable,
    *,
    now: datetime | None = None,
    tolerance_s: float | None = None,
    parts: Mapping[str, str] | None = None,
) -> Inspection | Verdict:
    """Read a request without a key: either questions for the holder of the key, or already a verdict.

    Args:
        provider: a provider or its id.
        request: what was received.
        now: the receiver's clock, with time zone; the current time when not given.
        tolerance_s: how far the timestamp may be off in seconds, on both sides (a difference of exactly
            that much is accepted); the provider's own when not given.
        parts: fields that are signed and that no request carries, such as the id of your subscription.

    Raises:
        UnknownName: there is no such provider.
        InvalidRequest: `now` has no time zone, or `tolerance_s` is negative.
    """
    known = catalog.provider(provider) if isinstance(provider, str) else provider
    clock = datetime.now(UTC) if now is None else now
    if clock.tzinfo is None:
        raise InvalidRequest("now= has no time zone; write datetime(..., tzinfo=UTC)")
    if tolerance_s is not None and not 0 <= tolerance_s <= _LONGEST_S:
        raise InvalidRequest("tolerance_s= is a number of seconds, 0 or more and no more than a century")
    if not isinstance(request.body, bytes):
        raise InvalidRequest("the body of a request is its raw bytes as received, before any parser")
    if not all(isinstance(text, str) for text in (request.url, request.method)):
        raise InvalidRequest("the URL and the method of a request are text")
    try:
        reading = read(known, request, parts)
    except Misread as problem:
        detail = str(problem)
        return Verdict(
            ok=False,
            reason=Reason(problem.reason),
            detail=detail,
            steps=(Step(problem.label, ok=False, text=detail),),
        )
    allowed = reading.scheme.tolerance_s if tolerance_s is None else tolerance_s
    return Inspection(
        known,
        reading,
        tuple(reading.questions(known.key.spec)),
        clock,
        None if allowed is None else timedelta(seconds=allowed),
    )


def verify(
    provider: str | Provider,
    request: Receivable | None = None,
    secret: Secret | KeyPair | PublicKey | None = None,
    *,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    body: bytes | None = None,
    url: str = "",
    method: str = "POST",
    now: datetime | None = None,
    tolerance_s: float | None = None,
    parts: Mapping[str, str] | None = None,
) -> Verdict:
    """Whether a request was signed with this secret, and if not, why.

    Give either a request or its `headers` and raw `body` (and `url` where the provider signs it).

    Args:
        provider: a provider or its id.
        request: a `WebhookRequest`, a `ReceivedRequest` or anything with their attributes.
        secret: the `Secret`, or the `PublicKey` or `KeyPair` where the provider signs with a private key.
        headers: the headers as received.
        body: the raw body, before any parser.
        url: the full URL as the sender wrote it.
        method: the HTTP method.
        now: the receiver's clock, with time zone; the current time when not given.
        tolerance_s: how far the timestamp may be off, in seconds; the provider's own when not given.
        parts: fields that are signed and that no request carries, such as the id of your subscription.

    Returns:
        The verdict; a bad request never raises.

    Raises:
        UnknownName: there is no such provider.
        InvalidSecret: the secret is malformed or of the wrong kind.
        InvalidRequest: the arguments make no request.
    """
    if request is None:
        if headers is None or body is None:
            raise InvalidRequest("give a request, or headers= and body= of one")
        if not isinstance(body, bytes):
            raise InvalidRequest("body= is the raw bytes as received, before any parser")
        request = ReceivedRequest(_headers(headers), body, url, method)
    elif headers is not None or body is not None:
        raise InvalidRequest("give either a request or headers= and body=, not both")
    if not isinstance(secret, Secret | KeyPair | PublicKey):
        raise InvalidRequest("give the secret: verify(provider, request, Secret(...)) or secret=Secret(...)")
    found = inspect(provider, request, now=now, tolerance_s=tolerance_s, parts=parts)
    if isinstance(found, Verdict):
        return found
    return found.conclude(LocalSigner(secret).match(found.jobs))


def _headers(given: Mapping[str, str] | Iterable[tuple[str, str]]) -> Headers:
    try:
        headers = Headers(given)
        if all(isinstance(text, str) for pair in headers.pairs for text in pair):
            return headers
    except (TypeError, ValueError):
        pass
    raise InvalidRequest(
        "headers= is a mapping, or pairs of name and value, all text; decode bytes as Latin-1 first"
    )


def _span(delta: timedelta | None) -> str:
    """A length of time in words, two units at most."""
    seconds = abs(delta or timedelta(0)).total_seconds()
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds == int(seconds) else f"{seconds:.1f} s"
    whole = round(seconds)
    units = [("d", whole // 86400), ("h", whole // 3600 % 24), ("min", whole // 60 % 60), ("s", whole % 60)]
    first = next(i for i, (_, n) in enumerate(units) if n)
    return " ".join(f"{n} {unit}" for unit, n in units[first : first + 2] if n)
