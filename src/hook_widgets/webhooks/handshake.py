"""Handshakes: what a provider sends to prove that an endpoint is yours, and the answer that it wants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from pydantic import Field

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme import Event, Scheme, Signature
from hook_widgets.webhooks.scheme.derived import Derived
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.signing import LocalSigner, MatchJob, SigningJob
from hook_widgets.webhooks.text import places
from hook_widgets.webhooks.text.template import Template
from hook_widgets.webhooks.verdict import Reason, Step, Verdict

if TYPE_CHECKING:
    from hook_widgets.webhooks.keypair import KeyPair
    from hook_widgets.webhooks.provider import Provider
    from hook_widgets.webhooks.request import Draft
    from hook_widgets.webhooks.secret import KeySpec, Secret

_ALWAYS_SENT = ("user-agent", "content-type")


class Answer(Record):
    """The answer a receiver must give.

    Attributes:
        status: the HTTP status; any 2xx when not given.
        text: the whole body, a template; white space around it is forgiven.
        json_members: members of a JSON body, by path.
        headers: headers; of a media type only the part before ``;`` counts.
    """

    status: int | None = None
    text: str | None = None
    json_members: dict[str, str] = Field(default_factory=dict, alias="json")
    headers: dict[str, str] = Field(default_factory=dict)

    def wanted(self) -> Iterable[tuple[str, str]]:
        """Each place of the answer in words, and the template of what must stand there."""
        if self.text is not None:
            yield "the body", self.text
        for path, text in self.json_members.items():
            yield f"{path!r} of the JSON body", text
        for name, text in self.headers.items():
            yield f"the header {name}", text


class Handshake(Record):
    """One handshake of a provider.

    Attributes:
        name: what a user picks.
        event: the event whose body it sends; none for an empty body.
        signed: whether it carries the scheme's signature.
        bare: whether of the scheme's headers only User-Agent and Content-Type are sent.
        query: parameters appended to the URL.
        headers: added to the event's headers.
        fields: template fields worked out from the request.
        signature: what the receiver works out with the secret, for the answer.
        answer: what it must answer; several when it may choose.
        sources: where the facts come from.
    """

    name: str
    answer: Answer | tuple[Answer, ...]
    title: str = ""
    method: str = "POST"
    event: str = ""
    signed: bool = True
    bare: bool = False
    query: dict[str, str] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)
    fields: dict[str, Derived] = Field(default_factory=dict)
    signature: Signature | None = None
    sources: tuple[str, ...] = ()

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """The answers that will do."""
        return (self.answer,) if isinstance(self.answer, Answer) else self.answer

    def as_event(self, base: Event | None) -> Event:
        """The handshake as an event, so that it is drafted like one; `base` is that whose body it sends."""
        if base is None:
            return Event(name=self.name, category="handshake", title=self.title, file=NO_BODY)
        return Event.model_construct(
            **{**dict(base), "name": self.name, "category": "handshake", "type": base.type or base.name}
            | ({"title": self.title} if self.title else {})
            | ({} if base.file else {"file": base.body_file})
        )

    def applied(self, scheme: Scheme) -> Scheme:
        """The scheme as this handshake follows it: method, parameters, with or without a signature."""
        names = scheme.signature_names
        headers = {
            name: value
            for name, value in scheme.headers.items()
            if (self.signed or not scheme.header_template(name).names & names)
            and (not self.bare or name.lower() in _ALWAYS_SENT)
            and (self.event or name.lower() != "content-type")
        }
        return Scheme.model_construct(
            **dict(scheme)
            | {
                "method": self.method,
                "headers": headers | self.headers,
                "query": scheme.query | self.query,
                "fields": scheme.fields | self.fields,
                "signatures": scheme.signatures if self.signed else (),
                "body": scheme.body if self.event else {},
                "form": scheme.form if self.event else {},
            }
        )


#: The body file of a handshake without a body.
NO_BODY = "none"


class Answered(Protocol):
    """Anything with the status, headers and body of an answer, such as a `Delivery`."""

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
class AnswerCheck:
    """An answer that was read, with the questions only the holder of the key can answer."""

    provider: Provider
    title: str
    steps: tuple[Step, ...]
    jobs: tuple[MatchJob, ...]

    def conclude(self, matches: Sequence[int]) -> Verdict:
        """Whether the answer will do, given for each job 0 for a right signature or -1."""
        steps = list(self.steps)
        for job, match in zip(self.jobs, matches, strict=True):
            right = "is the one that the secret gives"
            wrong = (
                f"is not {job.job.algorithm} of {job.job.message.decode(errors='replace')!r} with this secret"
            )
            steps.append(Step("Answer's signature", ok=match >= 0, text=right if match >= 0 else wrong))
        bad = next((step for step in steps if not step.ok), None)
        if bad is None:
            text = f"the answer to the {self.title} is right: the endpoint counts as verified"
            return Verdict(ok=True, reason=Reason.VALID, detail=text, steps=tuple(steps))
        return Verdict(
            ok=False, reason=Reason.ANSWER_DIFFERS, detail=f"{bad.label}: {bad.text}", steps=tuple(steps)
        )


def read_answer(draft: Draft, answer: Answered) -> AnswerCheck:
    """Hold an answer against what the draft's handshake wants, without a key.

    Raises:
        InvalidRequest: the draft is of no handshake.
    """
    if draft.handshake is None:
        raise InvalidRequest("this request is no handshake, so any answer with status 2xx will do")
    checks = [_check(draft, draft.handshake, wanted, answer) for wanted in draft.handshake.answers]
    # Of several that will do, the one that the receiver came nearest to.
    return max(checks, key=lambda check: sum(step.ok for step in check.steps) - len(check.steps))


def check_answer(draft: Draft, answer: Answered, key: Secret | KeyPair) -> Verdict:
    """Whether a receiver's answer to a handshake is the one that the provider wants.

    Args:
        draft: of the handshake's request.
        answer: what came back, such as a `Delivery`.
        key: the secret that both know.

    Raises:
        InvalidRequest: the draft is of no handshake.
        InvalidSecret: the key is of the wrong kind for this provider.
    """
    check = read_answer(draft, answer)
    return check.conclude(LocalSigner(key).match(check.jobs))


def _check(draft: Draft, handshake: Handshake, wanted: Answer, answer: Answered) -> AnswerCheck:
    fields, spec = draft.fields, draft.provider.key.spec
    title = handshake.title or handshake.name
    steps = [_status(answer.status, wanted.status)]
    jobs: list[MatchJob] = []
    for place, text in wanted.wanted():
        found = _found(answer, place, wanted)
        try:
            expected = _halves(text, fields, handshake.signature)
            if found is None:
                steps.append(Step(place, ok=False, text=f"it is missing; it must be {'…'.join(expected)!r}"))
            elif len(expected) == 1 or handshake.signature is None:
                ok = found == expected[0]
                says = "as wanted" if ok else f"it is {_short(found)!r} and must be {_short(expected[0])!r}"
                steps.append(Step(place, ok=ok, text=says))
            else:
                _take_signature(handshake.signature, expected, found, fields, spec, place, steps, jobs)
        except InvalidRequest as error:  # the request was sent with a body of the user's own
            steps.append(Step(place, ok=False, text=f"no answer to this request can be right: {error}"))
    return AnswerCheck(draft.provider, title, tuple(steps), tuple(jobs))


def _status(found: int | None, wanted: int | None) -> Step:
    if found is None:
        return Step("Status", ok=False, text="there was no answer")
    if found == wanted or (wanted is None and 200 <= found < 300):
        return Step("Status", ok=True, text=f"it is {found}, as wanted")
    return Step("Status", ok=False, text=f"it is {found}; answer with {wanted or '2xx'}")


def _take_signature(
    signature: Signature,
    around: Sequence[str],
    found: str,
    fields: Mapping[str, bytes | str],
    spec: KeySpec,
    place: str,
    steps: list[Step],
    jobs: list[MatchJob],
) -> None:
    before, after = around
    inside = found[len(before) : len(found) - len(after)]
    raw = signature.encoding.read(inside)
    if not (found.startswith(before) and found.endswith(after)) or not raw:
        shape = f"{before}<{signature.encoding} of {signature.algorithm}>{after}"
        steps.append(Step(place, ok=False, text=f"it must be {shape}"))
        return
    job = SigningJob(signature.name, signature.algorithm, spec, signature.template.pieces(fields))
    steps.append(Step(place, ok=True, text="it has the right shape"))
    jobs.append(MatchJob(job, (raw,)))


def _halves(text: str, fields: Mapping[str, bytes | str], signature: Signature | None) -> list[str]:
    """What must stand there: one text, or what stands before and after the signature."""
    name = signature.name if signature else ""
    before, found, after = text.partition(f"{{{name}}}")
    return [Template(half).render(fields).decode() for half in ((before, after) if found else (before,))]


def _found(answer: Answered, place: str, wanted: Answer) -> str | None:
    """What stands at a place of the answer; None when nothing does."""
    if place == "the body":
        return answer.body.decode(errors="replace").strip()
    for path in wanted.json_members:
        if place == f"{path!r} of the JSON body":
            try:
                return places.written(answer.body, path)
            except InvalidRequest:
                return None
    name = place.removeprefix("the header ")
    value = answer.headers.get(name)
    return value.partition(";")[0].strip() if value and name.lower() == "content-type" else value


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
