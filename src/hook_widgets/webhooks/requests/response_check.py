"""Check a receiver's response to a handshake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hook_widgets.errors import InvalidArgument, UnreadableMessage
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, MatchJob, SigningJob
from hook_widgets.webhooks.requests.handshake import ExpectedResponse, Handshake, ResponsePart
from hook_widgets.webhooks.requests.request import Draft
from hook_widgets.webhooks.scheme import Sender, Signature
from hook_widgets.webhooks.verdict import Reason, Step, Verdict


class HttpResponse(Protocol):
    """Any object with the status, headers and body of a response, such as a `Delivery`."""

    @property
    def status(self) -> int | None:
        """The HTTP status."""

    @property
    def headers(self) -> Headers:
        """The headers."""

    @property
    def body(self) -> bytes:
        """The body."""


@dataclass(frozen=True, slots=True)
class ResponseCheck:
    """A checked response, with the jobs that only the holder of the key can run."""

    provider: Sender
    title: str
    steps: tuple[Step, ...]
    jobs: tuple[MatchJob, ...]

    def finish(self, matches: Sequence[int]) -> Verdict:
        """Return the verdict on the response.

        Args:
            matches: for each job 0 if the signature is correct, or -1.
        """
        steps = list(self.steps)
        for job, match in zip(self.jobs, matches, strict=True):
            right = "matches this secret"
            wrong = (
                f"is not {job.job.algorithm} of {job.job.message.decode(errors='replace')!r} with this secret"
            )
            steps.append(
                Step("Signature of the response", ok=match >= 0, text=right if match >= 0 else wrong)
            )
        bad = next((step for step in steps if not step.ok), None)
        if bad is None:
            text = f"the response to the {self.title} is correct: the endpoint counts as verified"
            return Verdict(ok=True, reason=Reason.VALID, detail=text, steps=tuple(steps))
        return Verdict(
            ok=False, reason=Reason.RESPONSE_DIFFERS, detail=f"{bad.label}: {bad.text}", steps=tuple(steps)
        )


def read_response(draft: Draft, response: HttpResponse) -> ResponseCheck:
    """Compare a response with the one that the draft's handshake expects, without a key.

    Raises:
        InvalidArgument: the draft is not of a handshake.
    """
    if draft.handshake is None:
        raise InvalidArgument("this request is no handshake, so any response with status 2xx will do")
    checks = [
        _check(draft, draft.handshake, expected, response) for expected in draft.handshake.expected_responses
    ]
    # Of several acceptable responses, report on the one with the fewest failed steps.
    return max(checks, key=lambda check: sum(step.ok for step in check.steps) - len(check.steps))


def check_response(draft: Draft, response: HttpResponse, key: Secret | KeyPair) -> Verdict:
    """Check that a receiver's response to a handshake is the one that the provider expects.

    Args:
        draft: the draft of the handshake's request.
        response: the response, such as a `Delivery`.
        key: the secret shared by provider and receiver.

    Raises:
        InvalidArgument: the draft is not of a handshake.
        InvalidSecret: the key is of the wrong kind for this provider.
    """
    check = read_response(draft, response)
    return check.finish(LocalSigner(key).match(check.jobs))


def _check(
    draft: Draft, handshake: Handshake, expected: ExpectedResponse, response: HttpResponse
) -> ResponseCheck:
    fields = draft.fields
    title = handshake.title or handshake.name
    steps = [_status(response.status, expected.status)]
    jobs: list[MatchJob] = []
    for part, template in expected.expected():
        place, actual = part.label, _value(response, part)
        try:
            texts = _halves(template, fields, handshake.signature)
            if actual is None:
                steps.append(Step(place, ok=False, text=f"it is missing; it must be {'…'.join(texts)!r}"))
            elif len(texts) == 1 or handshake.signature is None:
                ok = actual == texts[0]
                text = "as wanted" if ok else f"it is {_short(actual)!r} and must be {_short(texts[0])!r}"
                steps.append(Step(place, ok=ok, text=text))
            else:
                _take_signature(handshake.signature, texts, actual, draft, place, steps, jobs)
        except UnreadableMessage as error:  # the request was sent with the user's own body
            steps.append(Step(place, ok=False, text=f"no response to this request can be correct: {error}"))
    return ResponseCheck(draft.provider, title, tuple(steps), tuple(jobs))


def _status(actual: int | None, expected: int | None) -> Step:
    if actual is None:
        return Step("Status", ok=False, text="there was no response")
    if actual == expected or (expected is None and 200 <= actual < 300):
        return Step("Status", ok=True, text=f"it is {actual}, as wanted")
    return Step("Status", ok=False, text=f"it is {actual}; respond with {expected or '2xx'}")


def _take_signature(
    signature: Signature,
    around: Sequence[str],
    text: str,
    draft: Draft,
    place: str,
    steps: list[Step],
    jobs: list[MatchJob],
) -> None:
    before, after = around
    inside = text[len(before) : len(text) - len(after)]
    raw = signature.encoding.read(inside)
    if not (text.startswith(before) and text.endswith(after)) or not raw:
        shape = f"{before}<{signature.encoding} of {signature.algorithm}>{after}"
        steps.append(Step(place, ok=False, text=f"it must be {shape}"))
        return
    scheme = draft.provider.scheme(draft.scheme.name)  # that of a handshake may have no signature
    message = signature.template.pieces(draft.fields)
    job = SigningJob(scheme.signatures[0].name, signature.algorithm, draft.provider.key.spec, message)
    steps.append(Step(place, ok=True, text="it has the right shape"))
    jobs.append(MatchJob(job=job, candidates=(raw,), scheme=scheme.name))


def _halves(text: str, fields: Mapping[str, bytes | str], signature: Signature | None) -> list[str]:
    """Return the expected text, or the texts before and after the signature."""
    name = signature.name if signature else ""
    before, field, after = text.partition(f"{{{name}}}")
    return [Template(half).render(fields).decode() for half in ((before, after) if field else (before,))]


def _value(response: HttpResponse, part: ResponsePart) -> str | None:
    """Return the text of a part of the response; None if there is none."""
    if part.header:
        value = response.headers.get(part.header)
        return value.partition(";")[0].strip() if value and part.header.lower() == "content-type" else value
    if not part.path:
        return response.body.decode(errors="replace").strip()
    try:
        return locators.written(response.body, part.path)
    except UnreadableMessage:
        return None


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
