"""Area D: failures, retries and events that come in another order."""

from __future__ import annotations

from collections.abc import Sequence

from hook_widgets.receivers.context import Context, NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.oracle import Counter, work_done
from hook_widgets.receivers.report import Status
from hook_widgets.receivers.sending import Exchange


def after_a_failure(context: Context) -> Outcome:
    """D2: after a failure of the receiver's own, the retry does the work, once."""
    counter = context.count()
    if context.setup.fail_next is None:
        raise NotDecided("give setup=Setup(fail_next=…), which makes the receiver fail at the next request")
    context.ensure_good()
    before = counter.settled()
    signed = context.signed()
    context.ask("fail_next")
    failed = context.send("the request at which it fails", signed.request())
    if not failed.crashed:
        raise NotDecided(f"fail_next did not make it fail ({failed.outcome})", failed)
    retry = context.send("the retry", signed.request())
    return _worked(counter, before, retry)


def retry_first(context: Context) -> Outcome:
    """D3: a retry whose first attempt never arrived is worked on."""
    headers = context.provider.deliveries.retry_headers
    if not headers:
        raise NotApplicable(f"no header is known by which {context.provider.title} marks a retry")
    counter, _ = context.count_one("a first attempt", context.signed().request())
    before = counter.settled()
    retry = context.send("a retry alone", context.signed(headers=headers).request())
    return _worked(counter, before, retry)


def _worked(counter: Counter, before: int, retry: Exchange) -> Outcome:
    """Return whether a retry was accepted, and the work done once since a count."""
    counter.wait_for(before + 1)
    times = counter.settled() - before
    if times != 1 or not retry.accepted:
        return Outcome(Status.FAILED, f"{work_done(times)}; {retry.outcome} for {retry.label}", retry)
    return Outcome(Status.PASSED, f"once; {retry.outcome} for {retry.label}", retry)


def update_before_create(context: Context) -> Outcome:
    """D4: an update that comes before its creation is not undone."""
    return _newest_kept(context, newest=1, late=0)


def older_after_newer(context: Context) -> Outcome:
    """D5: an older change that comes after a newer one is not applied."""
    return _newest_kept(context, newest=2, late=1)


def _newest_kept(context: Context, *, newest: int, late: int) -> Outcome:
    """Send versions of a new object up to a late one, and compare the state before and after that."""
    if context.setup.history is None or context.setup.state is None:
        raise NotDecided(
            "a count does not tell which version is kept; give setup=Setup(history=…, state=…), three bodies "
            "of one object and what the receiver keeps"
        )
    bodies = context.ask("history")
    if not isinstance(bodies, Sequence) or [bytes] * 3 != [type(body) for body in bodies]:
        raise NotDecided("history= must return three bodies as bytes: created, changed, changed again")
    empty = context.ask("state")
    sent = [*range(late), newest]
    exchanges = [_version(context, n, bodies[n]) for n in sent]
    newest_state = context.ask("state")
    if newest_state == empty:
        raise NotDecided("state= does not change with an accepted event", exchanges[-1])
    exchange = _version(context, late, bodies[late])
    if context.ask("state") != newest_state:
        return Outcome(Status.FAILED, "the late event replaced the newer state", exchange)
    return Outcome(
        Status.PASSED, f"the newest state is kept; {exchange.outcome} for the late event", exchange
    )


def _version(context: Context, number: int, body: bytes) -> Exchange:
    exchange = context.send(f"version {number + 1} of the object", context.signed(body=body).request())
    if not exchange.accepted and number == 0:
        raise NotDecided(f"the receiver does not accept it ({exchange.outcome})", exchange)
    return exchange
