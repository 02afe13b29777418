"""Negative tests of a receiver: requests with one fault each, and what a receiver should answer.

A fault changes one thing of a request that is valid otherwise. Only the faults that keep the signature or
sign again need the key of the receiver; the others are signed with a throw-away key.
"""

from __future__ import annotations

import re
import secrets
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import KeyForm, Secret
from hook_widgets.webhooks.requests.provider import DEFAULT_URL, Provider
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import Scheme
from hook_widgets.webhooks.scheme.models import DeliveryRules
from hook_widgets.webhooks.verdict import Reason, Verdict
from hook_widgets.webhooks.verification.verify import inspect

# A rejection for another reason than the request: a timeout, and too many requests.
_UNDECIDED = frozenset({408, 429})
# Positions tried in a body of which only some values are signed.
_MAX_POSITIONS = 2_000


class Fault(StrEnum):
    """One thing that is wrong with a request.

    ``wrong_signature`` is signed with another key (or carries another token), ``no_signature`` lacks the
    headers with the signature, ``changed_body`` differs in one byte from what was signed,
    ``expired_timestamp`` was signed one second longer ago than the provider's tolerance, ``sent_twice`` is a
    valid request, byte for byte as it was sent before, and ``duplicate_id`` is a valid request that was
    signed again, with a new timestamp, for an event of the id that was sent before.
    """

    WRONG_SIGNATURE = "wrong_signature"
    NO_SIGNATURE = "no_signature"
    CHANGED_BODY = "changed_body"
    EXPIRED_TIMESTAMP = "expired_timestamp"
    SENT_TWICE = "sent_twice"
    DUPLICATE_ID = "duplicate_id"

    @property
    def label(self) -> str:
        """The fault in a few words for people."""
        return _LABELS[self]

    @property
    def must_be_rejected(self) -> bool:
        """True if a receiver should reject the request; a duplicate is accepted and not processed again."""
        return self not in (Fault.SENT_TWICE, Fault.DUPLICATE_ID)

    @property
    def uses_key(self) -> bool:
        """True if the request is signed with the key that the receiver trusts."""
        return self not in (Fault.WRONG_SIGNATURE, Fault.NO_SIGNATURE)

    def inapplicable(self, scheme: Scheme, deliveries: DeliveryRules) -> str:
        """Return the reason why requests of a scheme cannot have this fault; "" if they can.

        Args:
            scheme: one of a provider's schemes.
            deliveries: the place of an event's id in that provider's requests.
        """
        match self:
            case Fault.NO_SIGNATURE if not _in_headers_only(scheme):
                return "the signature is in the body"
            case Fault.CHANGED_BODY if not scheme.covers_body:
                return "the body is not signed"
            case Fault.EXPIRED_TIMESTAMP | Fault.DUPLICATE_ID if (
                scheme.timestamp is None or "timestamp" not in scheme.signed
            ):
                return "no time is signed"
            case Fault.EXPIRED_TIMESTAMP if scheme.tolerance_s is None:
                return "the provider names no tolerance"
            case Fault.DUPLICATE_ID if not (deliveries.id_path or _id_fields(scheme, deliveries)):
                return "requests have no known id"
        return ""

    def drafted_at(self, scheme: Scheme, now: datetime | None = None) -> datetime | None:
        """Return the time that a request with this fault has to claim; None for any.

        Args:
            scheme: its scheme.
            now: the receiver's clock; the current time by default.
        """
        if self is not Fault.EXPIRED_TIMESTAMP or scheme.tolerance_s is None:
            return None
        return (now or datetime.now(UTC)) - timedelta(seconds=scheme.tolerance_s + 1)


_LABELS: Mapping[Fault, str] = {
    Fault.WRONG_SIGNATURE: "Wrong signature",
    Fault.NO_SIGNATURE: "No signature header",
    Fault.CHANGED_BODY: "Changed body",
    Fault.EXPIRED_TIMESTAMP: "Expired timestamp",
    Fault.SENT_TWICE: "Sent twice",
    Fault.DUPLICATE_ID: "Duplicate id",
}


@dataclass(frozen=True, slots=True)
class Assessment:
    """The assessment on the response of a receiver.

    Attributes:
        ok: True if it is as expected, None if it decides nothing.
        text: the assessment in words, with the status.
    """

    ok: bool | None
    text: str


def faulty_request(
    source: str | Provider,
    fault: Fault | str,
    secret: Secret | KeyPair,
    *,
    event: str | None = None,
    url: str = DEFAULT_URL,
    body: bytes | str | None = None,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    scheme: str | None = None,
    parts: Mapping[str, str] | None = None,
) -> WebhookRequest:
    """Return a request with one fault, to test that a receiver rejects it.

    Args:
        source: a provider or its id.
        fault: a `Fault` or its name.
        secret: the key that the receiver trusts.
        event: as for `Provider.draft`, like all that follow.
        url: the URL to send it to.
        body: the bytes to send.
        headers: your own headers.
        scheme: the name of one of the provider's schemes.
        parts: the provider's own fields.

    Raises:
        UnknownName: there is no such provider, event, scheme or part.
        InvalidArgument: the provider's requests cannot have this fault, or an argument is invalid.
        InvalidSecret: the secret is malformed or of the wrong kind.

    >>> from hook_widgets.webhooks import verify
    >>> secret = Secret("It's a Secret to Everybody")
    >>> verify("github", faulty_request("github", "changed_body", secret), secret).reason.value
    'signature_differs'
    """
    sender = registry.provider(source) if isinstance(source, str) else source
    wrong = Fault(fault)

    def draft(at: datetime | None = None) -> Draft:
        return sender.draft(
            event=event, url=url, body=body, headers=headers, at=at, scheme=scheme, parts=parts
        )

    valid = draft()
    if reason := wrong.inapplicable(valid.scheme, sender.deliveries):
        raise InvalidArgument(f"{sender.title} requests cannot have the fault {wrong.value}: {reason}")
    if not wrong.uses_key:
        return forge(valid, wrong, like=secret if isinstance(secret, Secret) else None)
    at = wrong.drafted_at(valid.scheme)
    return spoil((valid if at is None else draft(at)).sign(secret), wrong)


def forge(draft: Draft, fault: Fault, *, like: Secret | None = None) -> WebhookRequest:
    """Return the draft with a fault that needs no key; it is signed with a throw-away key.

    Args:
        draft: the draft of a valid request.
        fault: ``wrong_signature`` or ``no_signature``.
        like: the receiver's secret, if it is known: a wrong token then has its length.

    Raises:
        InvalidArgument: the fault needs the receiver's key.
        UnreadableMessage: the body lacks a value that is signed or sent.
    """
    if fault.uses_key:
        raise InvalidArgument(f"the fault {fault.value} needs a signed request; use spoil")
    request = draft.sign(_throw_away(draft, like))
    if fault is Fault.WRONG_SIGNATURE:
        return request
    headers = request.headers.multi_items()
    return replace(request, headers=Headers((n, v) for n, v in headers if not draft.signs_header(n)))


def spoil(request: WebhookRequest, fault: Fault) -> WebhookRequest:
    """Return a signed request with a fault that keeps its signature.

    A request with an expired timestamp is drafted with `Fault.drafted_at`, one with a duplicate id with the
    `id_parts` of the request before it, and a duplicate is the request itself: these are returned as they
    are.

    Raises:
        InvalidArgument: no byte of its body is signed, or the fault needs no key.
    """
    if not fault.uses_key:
        raise InvalidArgument(f"the fault {fault.value} is made from a draft; use forge")
    if fault is Fault.EXPIRED_TIMESTAMP and not _expired(request):
        raise InvalidArgument(
            "the request is not too old; draft it at Fault.drafted_at, without a timestamp header of your own"
        )
    if fault is not Fault.CHANGED_BODY:
        return request
    signed = _signed_messages(request)
    unreadable: WebhookRequest | None = None
    for body in _changed_bodies(request, signed):
        changed = replace(request, body=body)
        messages = _signed_messages(changed)
        if messages is None:
            unreadable = unreadable or changed
        elif messages != signed:
            return changed
    if unreadable is not None:
        return unreadable
    raise InvalidArgument("no byte of this body is signed; choose another fault or event")


def assess_response(
    status: int | None, fault: Fault | None = None, *, valid_accepted: bool = True
) -> Assessment:
    """Compare the response to a request with the expected one.

    Args:
        status: its HTTP status; None if there was no response.
        fault: the fault of the request; None for a valid one.
        valid_accepted: whether the receiver accepted the same request without a fault. A receiver that
            rejects everything proves nothing.
    """
    rejects = fault is not None and fault.must_be_rejected
    should = "reject this with a 4xx" if rejects else "accept this"
    if status is None:
        return Assessment(ok=False, text=f"No response: the receiver should {should}")
    if 200 <= status < 300:
        if rejects:
            return Assessment(ok=False, text=f"Accepted: the receiver should reject this ({status})")
        return Assessment(ok=True, text=f"Accepted, as it should be ({status})")
    if status in _UNDECIDED:
        return Assessment(ok=None, text=f"Not decided: the receiver was too busy ({status})")
    if rejects and 400 <= status < 500:
        if valid_accepted:
            return Assessment(ok=True, text=f"Rejected, as it should be ({status})")
        return Assessment(ok=None, text=f"Not decided: the valid request was not accepted either ({status})")
    word = "Rejected" if 400 <= status < 500 else "Failed" if status >= 500 else "Redirected"
    return Assessment(ok=False, text=f"{word}: the receiver should {should} ({status})")


def id_parts(draft: Draft, deliveries: DeliveryRules) -> dict[str, str]:
    """Return the parts of a draft in the header with the event's id; an id in the body is no part."""
    names = _id_fields(draft.scheme, deliveries)
    return {name: value for name, value in draft.parts.items() if name in names}


def _id_fields(scheme: Scheme, deliveries: DeliveryRules) -> frozenset[str]:
    """Return the fields in the header with the event's id; none if the scheme has no such header."""
    known = (name for name in scheme.headers if name.lower() == deliveries.id_header.lower())
    return frozenset[str]().union(*(scheme.header_template(name).names for name in known))


def _in_headers_only(scheme: Scheme) -> bool:
    """Return True if all signatures are in headers, so that a request without them has none."""
    in_body = (*scheme.body_templates.values(), *map(Template, scheme.form.values()))
    return not any(template.names & scheme.signature_names for template in in_body)


def _throw_away(draft: Draft, like: Secret | None) -> Secret | KeyPair:
    """Return a new key in the provider's form; for a token as long as the known one."""
    key = registry.provider(draft.provider.id).example_secret()
    if like is None or not draft.reveals_secret or draft.provider.key.spec.form is not KeyForm.UTF8:
        return key
    size = len(like.key_bytes(draft.provider.key.spec))
    alphabet = string.ascii_letters + string.digits
    return Secret("".join(secrets.choice(alphabet) for _ in range(size)))


def _signed_messages(request: WebhookRequest) -> tuple[bytes, ...] | Reason | None:
    """Return what a receiver checks; None if it cannot read the request, so that it checks no signature."""
    outcome = inspect(_provider_of(request), request)
    if isinstance(outcome, Verdict):
        return outcome.reason if outcome.reason is Reason.BODY_HASH_DIFFERS else None
    return tuple(job.job.message for job in outcome.jobs)


def _expired(request: WebhookRequest) -> bool:
    outcome = inspect(_provider_of(request), request)
    if isinstance(outcome, Verdict):
        return True
    return outcome.lateness is not None and outcome.lateness.age > timedelta(0)


def _provider_of(request: WebhookRequest) -> Provider:
    if request.draft is None:
        raise InvalidArgument("only a request made by Draft.sign can be given this fault")
    return registry.provider(request.draft.provider.id)


def _changed_bodies(request: WebhookRequest, signed: tuple[bytes, ...] | Reason | None) -> Iterator[bytes]:
    """Yield the body with one byte changed: first where it repeats what is signed, then anywhere."""
    body = request.body
    if not body:
        yield b"\n"
        return
    known = signed if isinstance(signed, tuple) else ()
    for position in _positions(body, known):
        yield body[:position] + _other(body[position : position + 1]) + body[position + 1 :]


def _positions(body: bytes, signed: tuple[bytes, ...]) -> Iterator[int]:
    """Yield positions of letters and digits whose change leaves JSON and forms readable."""
    message = b"\n".join(signed)
    if body in message:
        # The whole body is signed: any byte will do.
        for kind in (rb"[0-9]", rb"[A-Za-z]"):
            yield from (match.start() for match in re.finditer(kind, body))
        yield 0
        return
    values = sorted(set(re.findall(rb"[0-9A-Za-z]{2,}", message)), key=len, reverse=True)
    for value in values[:_MAX_POSITIONS]:
        yield from (match.end() - 1 for match in re.finditer(re.escape(value), body))
    everywhere = [match.start() for match in re.finditer(rb"[0-9A-Za-z]", body)]
    yield from everywhere[:: max(1, len(everywhere) // _MAX_POSITIONS)]


def _other(byte: bytes) -> bytes:
    """Return another byte of the same kind; never a zero, which may not begin a number."""
    if byte.isdigit():
        return b"2" if byte == b"1" else b"1"
    if byte.isalpha():
        return b"b" if byte in b"aA" else b"a"
    return b"\n" if byte == b" " else b" "
