"""Find out from outside why a receiver rejects good requests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from random import Random

from hook_widgets.errors import InvalidArgument
from hook_widgets.receivers.check_catalogue import Fix, fixes_of, read
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.outcome import Unsendable
from hook_widgets.receivers.preparation import prepare
from hook_widgets.receivers.probes import MAX_PROBES, Probe, probes
from hook_widgets.receivers.reporting.redaction import mask_query
from hook_widgets.receivers.reporting.report import SentRequest, SentResponse
from hook_widgets.receivers.sending import Exchange, RunEnded, Transport
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import Signer
from hook_widgets.webhooks.requests.provider import Provider

# Responses that come before any verification, or instead of it.
_CAUSE_OF_STATUS = {404: "no-route", 405: "no-route", 501: "no-route", 413: "body-limit", 415: "media-type"}
_OTHER_REASONS = {
    403: "a firewall, or a guard against forged forms (CSRF)",
    422: "a model of the body or headers that is checked before the signature",
}
_MORE_REQUESTS = 3  # the good one, and two after a probe was accepted


class Conclusion(StrEnum):
    """The result of a search for the cause of a rejection.

    ``accepted``: nothing is rejected. ``explained``: one change makes the receiver accept. ``not_explained``:
    none of the changes does. ``not_decided``: the run ended early, or the receiver accepts forged requests.
    """

    ACCEPTED = "accepted"
    EXPLAINED = "explained"
    NOT_EXPLAINED = "not_explained"
    NOT_DECIDED = "not_decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectionCause:
    """A fault of a receiver that makes it reject good requests.

    Attributes:
        id: a stable id such as ``"body-javascript"``.
        title: the fault, in words.
        evidence: the behaviour that showed it.
        detail: the variant of the fault, such as ``"json_encode would write the same"``, or empty.
        fix: the change to make in the receiver.
    """

    id: str
    title: str
    evidence: str
    detail: str
    fix: Fix = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """A request that was sent, and whether the receiver accepted it.

    Attributes:
        title: the fault that this request assumes, in words.
        accepted: True for a 2xx.
        observed: the status, or the reason why there is none.
        request: the request as sent; the signature is masked.
        response: the response to it.
    """

    title: str
    accepted: bool
    observed: str
    request: SentRequest = field(repr=False)
    response: SentResponse = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """The explanation of a rejection.

    Attributes:
        provider: the id of the provider.
        url: the URL of the receiver; the values of its query are masked.
        conclusion: the result.
        reason: the conclusion in words.
        cause: the cause, if the rejection is explained.
        probes: the requests that were sent, in order.
    """

    provider: str
    url: str
    conclusion: Conclusion
    reason: str
    cause: RejectionCause | None
    probes: tuple[ProbeResult, ...] = field(repr=False)

    def to_json(self) -> str:
        """Return the explanation as JSON; it contains nothing that was received."""
        cause = self.cause
        return json.dumps(
            {
                "provider": self.provider,
                "url": self.url,
                "conclusion": str(self.conclusion),
                "reason": self.reason,
                "cause": None
                if cause is None
                else {
                    "id": cause.id,
                    "title": cause.title,
                    "evidence": cause.evidence,
                    "detail": cause.detail,
                    "fix": {"change": cause.fix.change, "frameworks": dict(cause.fix.frameworks)},
                },
                "probes": [
                    {"title": probe.title, "accepted": probe.accepted, "observed": probe.observed}
                    for probe in self.probes
                ],
            },
            indent=2,
            ensure_ascii=False,
        )


def why_rejected(
    provider: str | Provider,
    url: str,
    secret: Secret | KeyPair | Signer,
    *,
    allow_hosts: Iterable[str] | None = None,
    stop: Callable[[], bool] | None = None,
    event: str | None = None,
    body: bytes | None = None,
    timeout_s: float | timedelta = 10.0,
    budget_s: float | timedelta = 60.0,
    transport: Transport | None = None,
    ca: str | os.PathLike[str] | None = None,
    now: Callable[[], datetime] | None = None,
    random: Random | None = None,
) -> Rejection:
    """Find out why a receiver rejects a good request; no log of the receiver is needed.

    Each of up to twelve requests is signed as a receiver with one fault expects it: for a re-serialized body,
    a secret with a line feed, another clock, the URL behind a proxy, and others, the commonest faults of the
    provider's scheme first. The one that is accepted names the fault. Rare faults share a request, such as a
    header with several signatures; if it is accepted, up to three more of the twelve tell them apart. A
    forged request must then be rejected, or nothing is concluded. The requests are valid for a receiver with
    that fault, which therefore does the work of one of them, or of two.

    Args:
        provider: the provider that the receiver serves, or its id.
        url: the URL of the receiver.
        secret: the receiver's `Secret`, the `KeyPair` whose public key it has, or another holder of the key.
        allow_hosts: the hosts other than this machine to which requests may be sent; see `send`.
        stop: called before each request; if it returns True, the run ends.
        event: the event to send; by default the provider's first.
        body: the body to send; by default the event's sample.
        timeout_s: the time limit for one request: in seconds, or a `timedelta`.
        budget_s: the time limit for the run.
        transport: sends one request; by default `send`.
        ca: path of a PEM file with the certificates to trust instead of the system's; not with `transport`.
        now: the clock; by default the system clock.
        random: the source of ids, bodies and throw-away keys; seed one to repeat a run.

    Raises:
        UnknownName: there is no such provider or event.
        DestinationBlocked: the URL names another machine that is not in `allow_hosts`; nothing was sent.
        InvalidArgument: an argument is invalid; nothing was sent.
        InvalidSecret: the secret does not have the provider's form; nothing was sent.

    >>> from hook_widgets.webhooks import Receiver, Secret
    >>> with Receiver("generic", Secret("an example secret" + chr(10))) as receiver:
    ...     why_rejected("generic", receiver.url, Secret("an example secret")).cause.title
    'Its secret ends in a line feed'
    """
    limit_s, total_s = seconds(timeout_s), seconds(budget_s)
    if not (limit_s > 0 and total_s > 0):
        raise InvalidArgument("timeout_s= and budget_s= must be numbers of seconds above 0")
    context = prepare(
        provider,
        url,
        secret,
        requests=f"up to {MAX_PROBES + _MORE_REQUESTS} requests",
        allow_hosts=allow_hosts,
        timeout_s=limit_s,
        budget_s=total_s,
        stop=stop,
        event=event,
        body=body,
        transport=transport,
        ca=ca,
        now=now,
        random=random,
    )
    results: list[ProbeResult] = []
    try:
        conclusion, reason, cause = _search(context, results)
    except RunEnded as end:
        reason = f"not searched to its end: {end.explanation}"
        conclusion, cause = Conclusion.NOT_DECIDED, None
    return Rejection(
        provider=context.provider.id,
        url=context.redactor.mask(mask_query(url)),
        conclusion=conclusion,
        reason=reason,
        cause=cause,
        probes=tuple(results),
    )


def _search(context: Context, results: list[ProbeResult]) -> tuple[Conclusion, str, RejectionCause | None]:
    """Send the good request and the probes, until one is accepted.

    Raises:
        RunEnded: the run is over, or the receiver cannot be reached.
    """
    good = context.good()
    results.append(_result(context, "A good request", good))
    if good.accepted:
        return Conclusion.ACCEPTED, "the receiver accepts a good request; nothing is to be explained", None
    early = (
        "redirect"
        if good.redirected
        else _CAUSE_OF_STATUS.get(good.status or 0, "crash" if good.crashed else None)
    )
    if early:
        cause = _causes()[early]
        return Conclusion.EXPLAINED, cause.title, cause
    for probe, exchange in _sent(context, probes(context, good)):
        cause = replace(_causes()[probe.cause], detail=probe.detail)
        results.append(_result(context, cause.title, exchange))
        if exchange.accepted:
            return _confirmed(context, _narrowed(context, probe, cause, results), results)
    changes = len(results) - 1
    other = _OTHER_REASONS.get(good.status or 0, "an address that it does not know")
    url = ", or verify the public URL of a proxy, by which it must then be called" * (
        "url" in context.scheme.signed
    )
    reason = (
        f"none of {changes} changes makes the receiver accept; it may have another secret, more than one "
        f"fault{url}, or reject for another reason, such as {other}"
    )
    return Conclusion.NOT_EXPLAINED, reason, None


def _sent(context: Context, rows: Iterator[Probe]) -> Iterator[tuple[Probe, Exchange]]:
    """Send the probes that HTTP can carry: a header with a token cannot end in a line feed."""
    for probe in rows:
        with suppress(Unsendable):
            yield probe, context.send(probe.detail or probe.cause, probe.request)


def _narrowed(
    context: Context, probe: Probe, cause: RejectionCause, results: list[ProbeResult]
) -> RejectionCause:
    """Return the fault of an accepted request: one of the rarer ones, if its own request is accepted, too.

    Raises:
        RunEnded: the run is over, or the receiver cannot be reached.
    """
    for other, exchange in _sent(context, iter(probe.others)):
        rarer = replace(_causes()[other.cause], detail=other.detail)
        results.append(_result(context, rarer.title, exchange))
        if exchange.accepted:
            return rarer
    return cause


def _confirmed(
    context: Context, cause: RejectionCause, results: list[ProbeResult]
) -> tuple[Conclusion, str, RejectionCause | None]:
    """Return the cause, if the receiver still rejects forged requests and good ones.

    Raises:
        RunEnded: the run is over, or the receiver cannot be reached.
    """
    forged = context.send("a forged request", context.forge(context.draft()).request())
    results.append(_result(context, "A forged request", forged))
    if forged.accepted:
        return (
            Conclusion.NOT_DECIDED,
            "the receiver accepts a forged request, too, so it verifies nothing",
            None,
        )
    good = context.good()
    results.append(_result(context, "A good request again", good))
    if good.accepted:
        return Conclusion.NOT_DECIDED, "the receiver accepts a good request now; it rejects only some", None
    return Conclusion.EXPLAINED, cause.title, cause


def _result(context: Context, title: str, exchange: Exchange) -> ProbeResult:
    redactor = context.redactor
    return ProbeResult(
        title=title,
        accepted=exchange.accepted,
        observed=exchange.outcome,
        request=redactor.request(exchange),
        response=redactor.response(exchange),
    )


@cache
def _causes() -> dict[str, RejectionCause]:
    fixes = fixes_of("checks.toml") | fixes_of("rejections.toml")
    return {
        name: RejectionCause(id=name, detail="", **row | {"fix": fixes[row["fix"]]})
        for name, row in read("rejections.toml")["causes"].items()
    }
