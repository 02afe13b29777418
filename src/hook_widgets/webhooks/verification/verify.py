"""Verify a received request, and report why it does not verify.

`inspect` parses the request into match jobs, the holder of the key runs them, and `Inspection.finish`
returns the verdict. `verify` does all three in one call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import registry
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicKey
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, MatchJob
from hook_widgets.webhooks.recordings.arguments import HeadersLike, RequestLike, received_of
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import Receivable
from hook_widgets.webhooks.scheme.secret_form import naming_form
from hook_widgets.webhooks.verdict import Reason, Step, Verdict
from hook_widgets.webhooks.verification.parsing import Reading, read
from hook_widgets.webhooks.verification.parsing.errors import ParseError

__all__ = ["Inspection", "Reason", "Step", "Verdict", "inspect", "verify", "with_notes"]

Key: TypeAlias = Secret | KeyPair | PublicKey

_MAX_TOLERANCE_S = 100 * 366 * 86_400.0


@dataclass(frozen=True, slots=True)
class Lateness:
    """A timestamp outside the tolerance.

    Attributes:
        age: the age of the request; negative for a time in the future.
        tolerance: the maximum difference.
    """

    age: timedelta
    tolerance: timedelta

    @property
    def summary(self) -> str:
        """The difference and the tolerance in words."""
        tense = "old" if self.age > timedelta(0) else "in the future"
        beyond = _span(abs(self.age) - self.tolerance)
        return f"{_span(abs(self.age))} {tense}, {beyond} more than the {_span(self.tolerance)} allowed"

    def __str__(self) -> str:
        hint = (
            "an old capture, a slow queue or a replay"
            if self.age > timedelta(0)
            else "compare the two clocks"
        )
        return f"{self.summary}; {hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """A parsed request, with the jobs that only the holder of the key can run.

    Attributes:
        provider: the provider that should have sent the request.
        reading: the parsed request.
        jobs: the jobs for the holder of the key.
        now: the receiver's clock.
        tolerance: the maximum difference of the timestamp from `now`; None for no limit.
    """

    provider: Provider
    reading: Reading
    jobs: tuple[MatchJob, ...]
    now: datetime
    tolerance: timedelta | None

    def finish(self, matches: Sequence[int]) -> Verdict:
        """Return the verdict.

        Args:
            matches: for each job the index of the signature that matches, or -1.
        """
        steps = [Step("Signature header", ok=True, text=f"{self.reading.carrier} is present and well-formed")]
        count = len(self.jobs[0].candidates)
        late = f"the timestamp is {self.lateness}" if self.lateness else ""
        if not any(hit >= 0 for hit in matches):
            key = self.provider.key.title.lower()
            mismatch = "the signature differs" if count == 1 else f"none of the {count} signatures matches"
            detail = (
                f"{mismatch}: either the {key} is not the one that signed it, or body, URL or timestamp are "
                "not byte for byte what was signed (usually the body was parsed and re-serialized)"
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
        steps.append(Step("Signature", ok=True, text="it matches these bytes and this key"))
        if late:
            steps.append(Step("Timestamp", ok=False, text=late))
            return Verdict(
                ok=False, reason=Reason.TIMESTAMP_OUTSIDE_TOLERANCE, detail=late, steps=tuple(steps)
            )
        if self.reading.moment is not None:
            steps.append(Step("Timestamp", ok=True, text=self._punctual(self.reading.moment)))
        detail = f"the {self.provider.title} signature is valid"
        return Verdict(ok=True, reason=Reason.VALID, detail=detail, steps=tuple(steps))

    @property
    def lateness(self) -> Lateness | None:
        """The difference of the timestamp from the receiver's clock, if it is outside the tolerance."""
        moment, tolerance = self.reading.moment, self.tolerance
        if moment is None or tolerance is None:
            return None
        age = max((self.now - at for at in (moment, *self.reading.others)), key=abs)
        return None if abs(age) <= tolerance else Lateness(age, tolerance)

    def _punctual(self, moment: datetime) -> str:
        age = self.now - moment
        age_text = f"{_span(age)} old" if age >= timedelta(0) else f"{_span(-age)} in the future"
        limit = f"within {_span(self.tolerance)}" if self.tolerance else "this provider sets no limit"
        return f"{age_text}, {limit}"


def inspect(
    provider: str | Provider,
    request: Receivable,
    *,
    now: datetime | None = None,
    tolerance_s: float | timedelta | None = None,
    parts: Mapping[str, str] | None = None,
) -> Inspection | Verdict:
    """Parse a request without a key.

    Args:
        provider: a provider or its id.
        request: the received request.
        now: the receiver's clock, with time zone; the current time by default.
        tolerance_s: the maximum difference between timestamp and `now`, in seconds or as a `timedelta`, in
            both directions (a difference of exactly this value is accepted); the provider's own by default.
        parts: signed fields that no request carries, such as the id of your subscription.

    Returns:
        The jobs for the holder of the key, or a verdict if the request cannot be parsed.

    Raises:
        UnknownName: there is no such provider.
        InvalidArgument: `now` has no time zone, or `tolerance_s` is negative, infinite or longer than
            a century.
    """
    sender = registry.provider(provider) if isinstance(provider, str) else provider
    clock = datetime.now(UTC) if now is None else now
    if not isinstance(clock, datetime):
        raise InvalidArgument(
            f"now= must be a datetime, not {type(clock).__name__}; write datetime.fromtimestamp(seconds, UTC)"
        )
    if clock.tzinfo is None:
        raise InvalidArgument("now= has no time zone; write datetime(..., tzinfo=UTC)")
    tolerance = None if tolerance_s is None else seconds(tolerance_s)
    if tolerance is not None and not 0 <= tolerance <= _MAX_TOLERANCE_S:
        raise InvalidArgument(
            "the tolerance must be a number of seconds, 0 or more and no more than a century",
            field="tolerance_s",
        )
    if not isinstance(request.body, bytes):
        raise InvalidArgument("the body of a request must be its raw bytes as received, before any parser")
    if not all(isinstance(text, str) for text in (request.url, request.method)):
        raise InvalidArgument("the URL and the method of a request must be text")
    if parts is not None and not _are_texts(parts):
        raise InvalidArgument("parts= must be texts by name, such as {'webhook_id': 'WH-1'}")
    try:
        reading = read(sender, request, parts)
    except ParseError as problem:
        detail = str(problem)
        return Verdict(
            ok=False,
            reason=Reason(problem.reason),
            detail=detail,
            steps=(Step(problem.label, ok=False, text=detail),),
        )
    allowed = reading.scheme.tolerance_s if tolerance is None else tolerance
    return Inspection(
        provider=sender,
        reading=reading,
        jobs=tuple(reading.questions(sender.key.spec)),
        now=clock,
        tolerance=None if allowed is None else timedelta(seconds=allowed),
    )


def verify(
    provider: str | Provider,
    request: RequestLike | None = None,
    secret: Key | Sequence[Key] | None = None,
    *,
    headers: HeadersLike | None = None,
    body: bytes | None = None,
    url: str = "",
    method: str = "POST",
    now: datetime | None = None,
    tolerance_s: float | timedelta | None = None,
    parts: Mapping[str, str] | None = None,
) -> Verdict:
    """Verify that a request was signed with this secret, and report why if it was not.

    If the provider has several schemes, the one that the request follows is used; if the request has the
    headers of several signatures, the strongest decides. A header that carries the signature or a signed
    value may occur only once, unless it is a list.

    Give either a request or its `headers` and raw `body` (and its `url` if the provider signs it).

    Args:
        provider: a provider or its id.
        request: a `WebhookRequest`, a `ReceivedRequest` or any object with their attributes; a recorded
            request; an event of AWS Lambda or a similar mapping; or the text of a request in any form that
            `read_recording` reads. If the form is unusual, the verdict's first step says what was read.
        secret: the `Secret`, or the `PublicKey` or `KeyPair` if the provider signs with a private key. During
            a rotation a sequence of them, newest first: the request verifies if one matches, and the
            verdict's `key_index` tells which.
        headers: the headers as received: a mapping or pairs of text or bytes, also with lists as values, a
            CGI or WSGI environment, or a text.
        body: the raw body, before any parser.
        url: the full URL as the sender wrote it.
        method: the HTTP method.
        now: the receiver's clock, with time zone; the current time by default.
        tolerance_s: the maximum difference between timestamp and `now`, in seconds or as a `timedelta`; the
            provider's by default.
        parts: signed fields that no request carries, such as the id of your subscription.

    Returns:
        The verdict; a bad request never raises.

    Raises:
        UnknownName: there is no such provider.
        InvalidSecret: a secret is malformed or of the wrong kind.
        InvalidArgument: the arguments do not form a request.

    >>> request = registry.provider("github").draft(body=b"{}").sign(Secret("old"))
    >>> verify("github", request, [Secret("new"), Secret("old")]).raise_for_failure().key_index
    1
    """
    received, notes = received_of(request, headers=headers, body=body, url=url, method=method)
    keys = _keys(secret)
    inspection = inspect(provider, received, now=now, tolerance_s=tolerance_s, parts=parts)
    if isinstance(inspection, Verdict):
        return with_notes(inspection, notes)
    # Every key is tried, so that the time does not tell which one is in use.
    with naming_form(inspection.provider.key):
        verdicts = [inspection.finish(LocalSigner(key).match(inspection.jobs)) for key in keys]
    matching = (i for i, verdict in enumerate(verdicts) if verdict.reason is not Reason.SIGNATURE_DIFFERS)
    index = next(matching, None)
    verdict = verdicts[0] if index is None else replace(verdicts[index], key_index=index)
    return with_notes(verdict, notes)


def with_notes(verdict: Verdict, notes: Sequence[str]) -> Verdict:
    """Put sentences about the form of the request in front of the steps."""
    if not notes:
        return verdict
    return replace(verdict, steps=(Step("Request", ok=True, text="; ".join(notes)), *verdict.steps))


def _are_texts(parts: object) -> bool:
    return isinstance(parts, Mapping) and all(
        isinstance(text, str) for pair in parts.items() for text in pair
    )


def _keys(argument: object) -> list[Key]:
    keys = argument if isinstance(argument, list | tuple) else [argument]
    if not keys or not all(isinstance(key, Key) for key in keys):
        raise InvalidArgument(
            "there is no secret; write verify(provider, request, Secret(...)) or secret=Secret(...), "
            "during a rotation with a list of secrets, newest first"
        )
    return list(keys)


def _span(delta: timedelta | None) -> str:
    """Format a duration with two units at most."""
    exact = abs(delta or timedelta(0)).total_seconds()
    if exact < 60:
        return f"{exact:.0f} s" if exact == int(exact) else f"{exact:.1f} s"
    total = round(exact)
    units = [("d", total // 86400), ("h", total // 3600 % 24), ("min", total // 60 % 60), ("s", total % 60)]
    first = next(i for i, (_, n) in enumerate(units) if n)
    return " ".join(f"{n} {unit}" for unit, n in units[first : first + 2] if n)
