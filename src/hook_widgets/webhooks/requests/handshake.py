"""Handshakes: requests by which a provider checks that an endpoint is yours, and the expected responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from pydantic import Field

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.signing import LocalSigner, MatchJob, SigningJob
from hook_widgets.webhooks.scheme import Event, Scheme, Signature
from hook_widgets.webhooks.scheme.computed_fields import Derived
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.verdict import Reason, Step, Verdict

if TYPE_CHECKING:
    from hook_widgets.webhooks.keys.key_pair import KeyPair
    from hook_widgets.webhooks.keys.secret import Secret
    from hook_widgets.webhooks.requests.provider import Provider
    from hook_widgets.webhooks.requests.request import Draft

_ALWAYS_SENT = ("user-agent", "content-type")


class Answer(Record):
    """The response that a receiver must return.

    Attributes:
        status: the HTTP status; any 2xx if None.
        text: the template of the whole body; white space around it is ignored.
        json_members: the templates of members of a JSON body, by path.
        headers: the templates of headers; of a media type only the part before ``;`` is compared.
    """

    status: int | None = None
    text: str | None = None
    json_members: dict[str, str] = Field(default_factory=dict, alias="json")
    headers: dict[str, str] = Field(default_factory=dict)

    def wanted(self) -> Iterable[tuple[str, str]]:
        """Yield each checked place of the response in words, and the template of its value."""
        if self.text is not None:
            yield "the body", self.text
        for path, text in self.json_members.items():
            yield f"{path!r} of the JSON body", text
        for name, text in self.headers.items():
            yield f"the header {name}", text


class Handshake(Record):
    """One handshake of a provider.

    Attributes:
        name: the name by which users select it.
        answer: the response that the receiver must return; several if it may choose.
        title: its name for people.
        method: the HTTP method.
        event: the event whose body it sends; "" for an empty body.
        signed: True if it carries the scheme's signature.
        bare: True if it sends only User-Agent and Content-Type of the scheme's headers.
        query: parameters appended to the URL.
        headers: headers added to the event's headers.
        fields: template fields computed from the request.
        signature: the signature that the receiver computes for its response.
        sources: URLs of the sources of these facts.
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
        """The acceptable responses."""
        return (self.answer,) if isinstance(self.answer, Answer) else self.answer

    def as_event(self, base: Event | None) -> Event:
        """Return the handshake as an event that can be drafted; `base` is the event whose body it sends."""
        if base is None:
            return Event(name=self.name, category="handshake", title=self.title, file=NO_BODY)
        return Event.model_construct(
            **{**dict(base), "name": self.name, "category": "handshake", "type": base.type or base.name}
            | ({"title": self.title} if self.title else {})
            | ({} if base.file else {"file": base.body_file})
        )

    def applied(self, scheme: Scheme) -> Scheme:
        """Return the scheme with this handshake's method, parameters, headers and signatures."""
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
class AnswerCheck:
    """A checked response, with the jobs that only the holder of the key can run.

    Attributes:
        provider: the provider of the handshake.
        title: the name of the handshake for people.
        steps: the steps that needed no key.
        jobs: the jobs for the holder of the key.
    """

    provider: Provider
    title: str
    steps: tuple[Step, ...]
    jobs: tuple[MatchJob, ...]

    def conclude(self, matches: Sequence[int]) -> Verdict:
        """Return the verdict on the response.

        Args:
            matches: for each job 0 if the signature is correct, or -1.
        """
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
    """Compare a response with the one that the draft's handshake expects, without a key.

    Raises:
        InvalidRequest: the draft is not of a handshake.
    """
    if draft.handshake is None:
        raise InvalidRequest("this request is no handshake, so any answer with status 2xx will do")
    checks = [_check(draft, draft.handshake, expected, answer) for expected in draft.handshake.answers]
    # Of several acceptable responses, report on the one with the fewest failed steps.
    return max(checks, key=lambda check: sum(step.ok for step in check.steps) - len(check.steps))


def check_answer(draft: Draft, answer: Answered, key: Secret | KeyPair) -> Verdict:
    """Check that a receiver's response to a handshake is the one that the provider expects.

    Args:
        draft: the draft of the handshake's request.
        answer: the response, such as a `Delivery`.
        key: the secret shared by provider and receiver.

    Raises:
        InvalidRequest: the draft is not of a handshake.
        InvalidSecret: the key is of the wrong kind for this provider.
    """
    check = read_answer(draft, answer)
    return check.conclude(LocalSigner(key).match(check.jobs))


def _check(draft: Draft, handshake: Handshake, expected: Answer, answer: Answered) -> AnswerCheck:
    fields = draft.fields
    title = handshake.title or handshake.name
    steps = [_status(answer.status, expected.status)]
    jobs: list[MatchJob] = []
    for place, template in expected.wanted():
        actual = _value(answer, place, expected)
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
        except InvalidRequest as error:  # the request was sent with the user's own body
            steps.append(Step(place, ok=False, text=f"no answer to this request can be right: {error}"))
    return AnswerCheck(draft.provider, title, tuple(steps), tuple(jobs))


def _status(actual: int | None, expected: int | None) -> Step:
    if actual is None:
        return Step("Status", ok=False, text="there was no answer")
    if actual == expected or (expected is None and 200 <= actual < 300):
        return Step("Status", ok=True, text=f"it is {actual}, as wanted")
    return Step("Status", ok=False, text=f"it is {actual}; answer with {expected or '2xx'}")


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
    jobs.append(MatchJob(job, (raw,), scheme.name))


def _halves(text: str, fields: Mapping[str, bytes | str], signature: Signature | None) -> list[str]:
    """Return the expected text, or the texts before and after the signature."""
    name = signature.name if signature else ""
    before, field, after = text.partition(f"{{{name}}}")
    return [Template(half).render(fields).decode() for half in ((before, after) if field else (before,))]


def _value(answer: Answered, place: str, expected: Answer) -> str | None:
    """Return the text at a place of the response; None if there is none."""
    if place == "the body":
        return answer.body.decode(errors="replace").strip()
    for path in expected.json_members:
        if place == f"{path!r} of the JSON body":
            try:
                return locators.written(answer.body, path)
            except InvalidRequest:
                return None
    name = place.removeprefix("the header ")
    value = answer.headers.get(name)
    return value.partition(";")[0].strip() if value and name.lower() == "content-type" else value


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
