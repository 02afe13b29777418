"""Areas A and G: the form of a response, and what it tells."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from hook_widgets.receivers.bodies import with_members
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.forging import signature_headers, without
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.scheme import SharedSecretSpec

_VARIABLE: Final = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:SECRET|KEY|TOKEN)\b")
_NOT_CONFIGURED: Final = re.compile(
    r"(?:secret|key|token)[^.\n]{0,30}\bnot (?:set|configured|defined)\b", re.IGNORECASE
)
# A response is a stranger's text: each repetition is bounded, so that the search takes linear time.
_TRACES: Final = re.compile(
    r"Traceback \(most recent call last\)"  # Python
    r"|File \"[^\"\n]{1,200}\", line \d"
    r"|\n[ \t]{1,40}at [^\n]{1,200}:\d+:\d+"  # JavaScript
    r"|\bat [\w.$]{1,200}\([\w.]{1,100}\.(?:java|kt|scala):\d+\)"
    r"|goroutine \d+ \["
    r"|\.rb:\d+:in "
    r"|(?:/usr|/home|/app|/var|/opt|/srv|[A-Z]:\\)[\w./\\-]{1,200}\.(?:py|js|ts|rb|php|go|java|cs)\b"
    r"|DEBUG = True|Werkzeug Debugger|node_modules/"
)
_SCRIPT: Final = b"<script>hook_widgets()</script>"
_VARYING: Final = re.compile(r"[0-9a-fA-F-]+")  # times and request ids, if a digit is among them


def accepted_as_documented(context: Context) -> Outcome:
    """A3: a good request gets the exact response that the provider demands."""
    rules = context.provider.responses
    if not (rules.accepted_statuses or rules.bare):
        raise NotApplicable(f"{context.provider.title} is content with any 2xx")
    context.ensure_good()
    exchange = context.good()
    delivery = exchange.delivery
    faults = [
        *(
            [f"{exchange.outcome} instead of {' or '.join(map(str, rules.accepted_statuses))}"]
            if rules.accepted_statuses and exchange.status not in rules.accepted_statuses
            else []
        ),
        *(["a body"] if rules.bare and delivery.body_length_seen else []),
        *(["a cookie"] if rules.bare and "Set-Cookie" in delivery.headers else []),
    ]
    return Outcome(
        Status.FAILED if faults else Status.PASSED, ", ".join(faults) or exchange.outcome, exchange
    )


def expected_signature(context: Context) -> Outcome:
    """G1: a rejection does not contain the right signature."""
    context.ensure_good()
    exchanges: list[Exchange] = []
    for label, malformed in (("another signature", False), ("a malformed signature", True)):
        signed = context.signed()
        if signed.draft.reveals_secret:
            raise NotApplicable(f"{context.provider.title} sends the secret itself; see G2")
        texts = signed.each(lambda _: "z") if malformed else context.forge(signed.draft).texts
        exchange = context.send(label, signed.request(texts))
        response = exchange.text
        spellings = {s for raw in signed.raw.values() for s in (raw.hex(), base64.b64encode(raw).decode())}
        if any(text in response for text in {*spellings, *signed.texts.values()}):
            again = context.send("the signature of the response", signed.request())
            proof = "is accepted" if again.accepted else "is rejected"
            return Outcome(
                Status.FAILED, f"the response has the right signature, which {proof} when sent back", exchange
            )
        exchanges.append(exchange)
    return context.down_after(exchanges) or Outcome(Status.PASSED, "it is in no rejection", exchanges[-1])


def secret_in_response(context: Context) -> Outcome:
    """G2: a rejection contains neither the secret nor the name of its variable."""
    exchanges = _rejections(context)
    for exchange in exchanges:
        text = exchange.text
        if context.redactor.leaks(text):
            return Outcome(Status.FAILED, f"the secret or its beginning, for {exchange.label}", exchange)
        if _VARIABLE.search(text) or _NOT_CONFIGURED.search(text):
            return Outcome(Status.FAILED, f"the name or state of the secret, for {exchange.label}", exchange)
    if isinstance(context.provider.key, SharedSecretSpec) and not context.redactor.has_secret:
        raise NotDecided(
            "the name and state of the secret are in no rejection, but the secret itself is not in this "
            "process, which therefore cannot search for it; run check_receiver where the secret is"
        )
    return context.down_after(exchanges) or Outcome(Status.PASSED, "neither is in a rejection", exchanges[-1])


def stack_trace(context: Context) -> Outcome:
    """G3: no response contains a stack trace."""
    exchanges = _rejections(context)
    body = context.draft().payload
    odd = {"a body that is cut off": body[: len(body) // 2], "an empty body": b""}
    for label, text in odd.items():
        try:
            exchanges.append(context.send(label, context.signed(body=text).request()))
        except NotApplicable:
            continue  # the provider puts values into the body
    for exchange in exchanges:
        if _TRACES.search(exchange.text):
            return Outcome(Status.FAILED, f"a stack trace, path or debugger, for {exchange.label}", exchange)
    return context.down_after(exchanges) or Outcome(Status.PASSED, "it is in no response", exchanges[-1])


def same_response(context: Context) -> Outcome:
    """G4: all rejections look the same."""
    exchanges = _rejections(context)
    if down := context.down_after(exchanges):
        return down
    forms = {(exchange.status, _VARYING.sub(_without_digits, exchange.body)) for exchange in exchanges}
    statuses = {exchange.status for exchange in exchanges}
    if len(forms) == 1:
        return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])
    if len(statuses) > 1:
        return Outcome(Status.WARNED, f"different statuses: {summary(exchanges)}", exchanges[-1])
    return Outcome(Status.WARNED, "different texts for different faults", exchanges[-1])


def documented_status(context: Context) -> Outcome:
    """G5: a rejection has the status that the provider tests."""
    expected = context.provider.responses.rejected_status
    if expected is None:
        raise NotApplicable(f"no status is known that {context.provider.title} demands for a rejection")
    outcome = context.rejects([("another secret", context.forge(context.draft()).request())])
    if outcome.exchange is None or outcome.exchange.status == expected:
        return outcome
    return Outcome(Status.FAILED, f"{outcome.exchange.outcome}, not {expected}", outcome.exchange)


def rejection_status(context: Context) -> Outcome:
    """G6: a rejection is neither a success, nor a redirect, nor the end of a subscription."""
    exchanges = _rejections(context)
    if gone := [e for e in exchanges if e.status == 410]:
        return Outcome(Status.FAILED, summary(gone), gone[0])
    accepted = [e for e in exchanges if e.accepted]
    if accepted and context.drops_silently:
        return Outcome(Status.FAILED, summary(accepted), accepted[0])
    if accepted:
        raise NotDecided(f"no rejection to look at: {summary(accepted)}; see B1 to C1", accepted[0])
    if down := context.down_after(exchanges):
        return down
    if redirected := [e for e in exchanges if e.redirected]:
        return Outcome(Status.WARNED, summary(redirected), redirected[0])
    return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])


def reflected(context: Context) -> Outcome:
    """G7: markup of the payload does not come back as HTML."""
    body = with_members(context.json_object(), b'"challenge":"' + _SCRIPT + b'"')
    texts = {key: _SCRIPT.decode() for key, value in json.loads(body).items() if isinstance(value, str)}
    every = json.dumps(json.loads(body) | texts).encode()
    signed = context.signed(body=body)
    context.ensure_good()
    exchanges = [
        context.send("markup in a field", signed.request()),
        context.send("markup in a forged request", context.forge(signed.draft).request()),
    ]
    with suppress(NotApplicable):  # the provider signs or sends one of these texts
        exchanges.append(context.send("markup in every field", context.signed(body=every).request()))
    for exchange in exchanges:
        if exchange.is_html and _SCRIPT in exchange.delivery.body:
            return Outcome(Status.FAILED, f"the markup comes back as HTML, for {exchange.label}", exchange)
    return Outcome(Status.PASSED, "it does not come back", exchanges[0])


def _rejections(context: Context) -> list[Exchange]:
    """Send requests that must be rejected, each for another reason."""

    def variants() -> Iterator[Variant]:
        signed = context.signed()
        names = signature_headers(signed.draft)
        if names:
            yield "no signature", signed.request(headers=without(*names))
        yield "a malformed signature", signed.request(signed.each(lambda text: "!" * len(text)))
        yield "another secret", context.forge(context.draft()).request()
        if "timestamp" in context.scheme.signed and context.scheme.tolerance_s is not None:
            old = context.signed(offset_s=-context.stale_s - 60)
            yield "an old request", old.request()

    context.ensure_good()
    return [context.send(*variant) for variant in variants()]


def _without_digits(match: re.Match[str]) -> str:
    return "" if any(map(str.isdigit, match[0])) else match[0]
