"""Area C: copies that come later, ids that come again, and responses that mint credentials."""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.receivers.bodies import changed_byte, with_members
from hook_widgets.receivers.context import Context, NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.forging import signs_time
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.report import Status
from hook_widgets.receivers.sending import Exchange

_LATER_S: Final = 3 * 24 * 3600  # GitHub redelivers for three days, and the others stop before
# A response is a stranger's text: each repetition is bounded, so that the search takes linear time.
_CREDENTIAL: Final = re.compile(
    r"(?:token|secret|api_?key|password|session|credential|jwt)\w{0,20}[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"([\w.~+/-]{12,2000})",
    re.IGNORECASE,
)
_SEARCHED: Final = 64 * 1024  # bytes of a body


def late_copy(context: Context) -> Outcome:
    """C6: the work of an exact copy is not done again days later."""
    if signs_time(context.scheme):
        raise NotApplicable(
            f"{context.provider.title} signs a timestamp, so that an old copy is rejected (C1)"
        )
    counter = context.count()
    if context.setup.advance_s is None:
        raise NotDecided("give setup=Setup(advance_s=…), which moves the receiver's clock ahead by seconds")
    signed = context.signed()
    _, once = context.count_one("the first request", signed.request())
    context.ask("advance_s", _LATER_S)
    copy = context.send("an exact copy three days later", signed.request())
    times = counter.settled() - once + 1
    if times > 1:
        return Outcome(Status.FAILED, f"{work_done(times)} after {copy.label}", copy)
    if not copy.accepted:
        return Outcome(Status.WARNED, f"once, but the provider sends it again: {copy.outcome}", copy)
    return Outcome(Status.PASSED, f"once; {copy.outcome} for {copy.label}", copy)


def reused_id(context: Context) -> Outcome:
    """C11: an id that comes again with another body is no crash; the work is counted."""
    ids = [name for name, part in context.provider.parts.items() if part.make]
    if not ids:
        raise NotApplicable(f"a request of {context.provider.title} has no id of its own")
    counter = context.count()
    first = context.signed()
    other = context.draft().payload
    if other == first.draft.payload:
        other = (
            with_members(other, b'"hook_widgets_new":1') if other.startswith(b"{") else changed_byte(other)
        )
    _, once = context.count_one("the first request", first.request())
    second = context.send(
        "another body under the same id", context.signed(body=other, parts=first.draft.parts).request()
    )
    times = counter.settled() - once + 1
    if second.crashed:
        return Outcome(Status.FAILED, f"{second.outcome} for {second.label}", second)
    decides = "the id decides what is a copy" if times == 1 else "the id alone does not decide what is a copy"
    return Outcome(Status.PASSED, f"{work_done(times)}; {decides}; {second.outcome}", second)


def fresh_credential(context: Context) -> Outcome:
    """C12: a replayed request does not get a new credential."""
    signed = context.signed()
    first = context.send_good("the first request", signed.request())
    copy = context.send("an exact copy", signed.request())
    fresh = _credentials(copy) - _credentials(first)
    if fresh:
        return Outcome(Status.FAILED, "the response to a copy has a new token or key", copy)
    return Outcome(Status.PASSED, "no response to a copy has a new token or key", copy)


def _credentials(exchange: Exchange) -> set[str]:
    headers = "\n".join(f"{name}: {value}" for name, value in exchange.delivery.headers.multi_items())
    return set(_CREDENTIAL.findall(f"{headers}\n{exchange.delivery.beginning(_SEARCHED)}"))
