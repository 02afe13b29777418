"""Area H: the requests by which a provider checks that an endpoint is yours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from hook_widgets.receivers.bodies import with_value
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.forging import Signed
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.body import json_edit
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.handshake import Handshake
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.requests.response_check import read_response

_MARKUP: Final = "<svg onload=hook_widgets()>"
_FIELD: Final = re.compile(r"\{(\w+)\}")
_UNKNOWN: Final = "hook_widgets-unknown"


@dataclass(frozen=True, slots=True)
class _Result:
    """A handshake, what came back, and the label of the first part that is wrong, or ""."""

    handshake: Handshake
    exchange: Exchange
    wrong: str

    @property
    def title(self) -> str:
        return self.handshake.title or self.handshake.name

    @property
    def text(self) -> str:
        return f"{self.title}: {self.exchange.outcome}" + (f", wrong is {self.wrong}" if self.wrong else "")


def right_response(context: Context) -> Outcome:
    """H1: each handshake gets the response that the provider documents, in time."""
    results = [_sent(context, handshake) for handshake in _handshakes(context)]
    limit_s = context.provider.responses.within_s
    slow = [r for r in results if limit_s and r.exchange.delivery.elapsed_s > limit_s]
    wrong = [result for result in results if result.wrong]
    text = "; ".join(result.text for result in wrong or slow or results)
    shown = (wrong or slow or results)[0].exchange
    if wrong and all(_unknown_token(context, result.handshake) for result in wrong):
        raise NotDecided(f"{text}; {_give_token(wrong[0].handshake)}", shown)
    if wrong:
        context.ensure_good()  # a ban of this sender, say, would be no fault of the handshake
    if wrong and len(wrong) < len(results):  # they go to different endpoints
        return Outcome(Status.WARNED, text, shown)
    return Outcome(Status.FAILED if wrong or slow else Status.PASSED, text, shown)


def forged(context: Context) -> Outcome:
    """H2: a handshake with a wrong token or signature gets no response."""
    undecided: NotDecided | None = None
    exchanges: list[Exchange] = []
    for handshake in _handshakes(context):
        if not (handshake.token or handshake.signed):
            continue
        if _unknown_token(context, handshake):
            undecided = NotDecided(_give_token(handshake))
            continue
        right = _sent(context, handshake)
        if right.wrong:
            undecided = NotDecided(f"{right.text}; see H1", right.exchange)
            continue
        draft = _draft(context, handshake, parts={handshake.token: _UNKNOWN} if handshake.token else None)
        request = (context.sign(draft) if handshake.token else context.forge(draft)).request()
        label = f"the {right.title} with another {'token' if handshake.token else 'signature'}"
        exchange = context.send(label, request)
        if exchange.accepted:
            return Outcome(Status.FAILED, summary([exchange]), exchange)
        again = _sent(context, handshake)
        if again.wrong:
            raise NotDecided(f"{again.text}, after {label}; it may ban this sender", again.exchange)
        exchanges.append(exchange)
    if exchanges:
        crashed = [exchange for exchange in exchanges if exchange.crashed]
        return Outcome(Status.WARNED if crashed else Status.PASSED, summary(exchanges), exchanges[-1])
    raise undecided or NotApplicable(
        f"nothing in a handshake of {context.provider.title} is secret or signed"
    )


def markup(context: Context) -> Outcome:
    """H3: a challenge with markup does not come back as HTML."""
    undecided: NotDecided | None = None
    exchanges: list[Exchange] = []
    for handshake in _handshakes(context):
        draft = _with_markup(context, handshake)
        if draft is None:
            continue
        right = _sent(context, handshake)
        if right.wrong:
            token = f"; {_give_token(handshake)}" if _unknown_token(context, handshake) else "; see H1"
            undecided = NotDecided(f"{right.text}{token}", right.exchange)
            continue
        exchange = context.send(f"the {right.title} with markup", context.sign(draft).request())
        if exchange.is_html and _MARKUP.encode() in exchange.delivery.body:
            return Outcome(Status.FAILED, f"the markup comes back as HTML, for {exchange.label}", exchange)
        exchanges.append(exchange)
    if exchanges:
        return Outcome(Status.PASSED, f"it does not; {summary(exchanges)}", exchanges[-1])
    raise undecided or NotApplicable(f"no handshake of {context.provider.title} is echoed in a body")


def series(context: Context) -> Outcome:
    """H4: a series of good and forged handshakes gets the documented status each time."""
    expected = context.provider.responses.rejected_status
    handshakes = [handshake for handshake in _handshakes(context) if handshake.signed]
    if expected is None or not handshakes:
        raise NotApplicable(f"{context.provider.title} is not known to send forged handshakes")
    handshake = handshakes[0]
    exchanges: list[Exchange] = []
    for is_good in (True, False, True, False, False, True):
        if is_good:
            result = _sent(context, handshake)
            exchange, is_right = result.exchange, not result.wrong
        else:
            exchange = context.send("a forged one", context.forge(_draft(context, handshake)).request())
            is_right = exchange.status == expected
        exchanges.append(exchange)
        if not is_right:
            return Outcome(Status.FAILED, f"{summary([exchange])}, in a series of six", exchange)
    return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])


def single_use(context: Context) -> Outcome:
    """H6: a single-use challenge is answered once, and an event of an unknown subscription is rejected.

    If the receiver publishes the paths of its endpoints, the path of the URL must be among them.
    """
    rules = context.provider.deliveries
    handshakes = [handshake for handshake in context.provider.handshakes if handshake.single_use]
    if not (rules.subscription or rules.receivers_path or handshakes):
        raise NotApplicable(
            f"{context.provider.title} has neither single-use challenges nor named subscriptions"
        )
    outcomes: list[Outcome] = []
    if rules.subscription:
        draft = context.draft(headers={rules.subscription: _UNKNOWN})
        outcomes.append(context.rejects([("an unknown subscription", context.sign(draft).request())]))
    if rules.receivers_path:
        outcomes.append(_listed(context, rules.receivers_path))
    outcomes += (_answered_once(context, handshake) for handshake in handshakes)
    return next((outcome for outcome in outcomes if outcome.status is not Status.PASSED), outcomes[-1])


def _answered_once(context: Context, handshake: Handshake) -> Outcome:
    """Send a challenge, an exact copy, and the challenge in a new message.

    Raises:
        NotDecided: the first one is not answered.
    """
    signed = context.sign(_draft(context, handshake))
    first = _result(context, handshake, signed)
    if first.wrong:
        raise NotDecided(f"{first.text}; see H1", first.exchange)
    parts = {name: text for name, text in signed.draft.parts.items() if name in set(_placed(handshake))}
    again = context.sign(_draft(context, handshake, body=signed.draft.payload, parts=parts))
    second = first
    for other, label in ((signed, "the same"), (again, "in a new message the same")):
        second = _result(context, handshake, other)
        if not second.wrong:
            return Outcome(Status.FAILED, f"{label} {second.title} is answered twice", second.exchange)
    return Outcome(Status.PASSED, f"once; {second.exchange.outcome} the second time", second.exchange)


def _listed(context: Context, path: str) -> Outcome:
    """Return a failure if the receiver's document lists other endpoints only."""
    parts = urlsplit(context.url)
    url = parts._replace(path=path, query="").geturl()
    request = WebhookRequest(method="GET", url=url, headers=Headers(), body=b"")
    exchange = context.send("the document of the receivers", request)
    if not exchange.accepted:
        return Outcome(Status.PASSED, f"{summary([exchange])}: it lists none", exchange)
    try:
        content = json.loads(exchange.delivery.body)
        prefixes = [str(prefix).rstrip("/") for prefix in content["receivers"]]
    except (ValueError, RecursionError, TypeError, KeyError):
        prefixes = []
    if not any(f"{parts.path}/".startswith(f"{prefix}/") for prefix in prefixes):
        return Outcome(Status.FAILED, "its document of receivers does not list the URL", exchange)
    return Outcome(Status.PASSED, "its document of receivers lists the URL", exchange)


def no_event(context: Context) -> Outcome:
    """H7: a handshake is not counted as an event."""
    handshakes = list(_handshakes(context))
    counter = context.count()
    rows: list[tuple[_Result, int]] = []
    before = counter.settled()
    for handshake in handshakes:
        result = _sent(context, handshake)
        after = counter.settled()
        rows.append((result, after - before))
        before = after
    accepted = [(result, work) for result, work in rows if result.exchange.accepted]
    if not accepted:
        raise NotDecided(f"{rows[0][0].text}; see H1", rows[0][0].exchange)
    worked = [(result, work) for result, work in accepted if work]
    shown = worked or accepted
    observed = f"{work_done(sum(work for _, work in shown))} after {', '.join(r.title for r, _ in shown)}"
    if not worked:
        return Outcome(Status.PASSED, observed, accepted[-1][0].exchange)
    # They go to different endpoints; one that answers another rightly need not know this one.
    unknown = all(result.wrong for result, _ in worked) and not all(result.wrong for result, _ in rows)
    return Outcome(Status.WARNED if unknown else Status.FAILED, observed, worked[-1][0].exchange)


def _handshakes(context: Context) -> list[Handshake]:
    """Return the handshakes that can be repeated.

    Raises:
        NotApplicable: the provider has none.
        NotDecided: each gives the receiver a new secret.
    """
    handshakes = context.provider.handshakes
    if not handshakes:
        raise NotApplicable(f"no handshake of {context.provider.title} is known")
    repeatable = [handshake for handshake in handshakes if not handshake.brings_secret]
    if not repeatable:
        raise NotDecided(
            "the handshake gives the receiver a new secret, with which no other check would work; send it by "
            "hand to a receiver without one, and look at the response with check_response"
        )
    return repeatable


def _draft(
    context: Context, handshake: Handshake, *, body: bytes | None = None, parts: dict[str, str] | None = None
) -> Draft:
    template = context.provider.template(handshake.name)
    return context.draft(event=handshake.name, body=template if body is None else body, parts=parts)


def _sent(context: Context, handshake: Handshake) -> _Result:
    return _result(context, handshake, context.sign(_draft(context, handshake)))


def _result(context: Context, handshake: Handshake, signed: Signed) -> _Result:
    exchange = context.send(handshake.title or handshake.name, signed.request())
    check = read_response(signed.draft, exchange.delivery)
    verdict = check.finish(context.signer.match(check.jobs))
    wrong = next((step.label for step in verdict.steps if not step.ok), "")
    return _Result(handshake, exchange, wrong[:1].lower() + wrong[1:])


def _with_markup(context: Context, handshake: Handshake) -> Draft | None:
    """Return a handshake whose echoed value is markup; None if no value is echoed in a body."""
    names = {
        name
        for response in handshake.expected_responses
        for template in (response.text or "", *response.json_members.values())
        for name in _FIELD.findall(template)
    }
    for name in names & context.provider.parts.keys() & set(_placed(handshake)):
        return _draft(context, handshake, parts={name: _MARKUP})
    for name in names & handshake.fields.keys():
        body = context.provider.template(handshake.name)
        path = handshake.fields[name].json_path or ""
        if json_edit.span(body, path) is not None:
            return _draft(context, handshake, body=with_value(body, path, json.dumps(_MARKUP).encode()))
    return None


def _placed(handshake: Handshake) -> Iterator[str]:
    """Yield the fields in the parameters and headers of a handshake."""
    templates: Iterable[str] = (*handshake.query.values(), *handshake.headers.values())
    for template in templates:
        yield from _FIELD.findall(template)


def _unknown_token(context: Context, handshake: Handshake) -> bool:
    return bool(handshake.token) and handshake.token not in context.setup.parts


def _give_token(handshake: Handshake) -> str:
    return (
        f"give the receiver's own token, setup=Setup(parts={{{handshake.token!r}: …}}), in a shell "
        f"--part-env {handshake.token}=NAME"
    )
