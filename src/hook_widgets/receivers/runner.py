"""Run the checks of a receiver, one after another."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Final, Literal

from hook_widgets.errors import InvalidArgument, UnknownName, nearest
from hook_widgets.receivers.check_catalogue import Check, catalogue, sources_of
from hook_widgets.receivers.checks.table import CHECKS
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.oracle import Oracle, OracleFailed
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.preparation import prepare
from hook_widgets.receivers.reporting.redaction import mask_query
from hook_widgets.receivers.reporting.report import CheckResult, Report, Status
from hook_widgets.receivers.sending import Connector, Exchange, RunEnded, Transport
from hook_widgets.receivers.setup import Setup
from hook_widgets.webhooks._durations import seconds
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.client import Delivery
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import Signer
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.verification.verify import verify

SUITES: Final = ("standard", "full")
_MAX_REQUESTS: Final = {"standard": 250, "full": 1600}


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run, after each check.

    Attributes:
        done: the number of checks that are done.
        total: the number of checks of the run.
        result: the result of the last check.
        exchange: the request that decided it and its response, exactly as sent: with signatures, and with the
            token of a provider that sends one. Not for a report.
    """

    done: int
    total: int
    result: CheckResult
    exchange: Exchange | None = field(default=None, repr=False)


def check_receiver(
    provider: str | Provider,
    url: str,
    secret: Secret | KeyPair | Signer,
    *,
    suite: Literal["standard", "full"] = "standard",
    only: Iterable[str] | None = None,
    skip: Iterable[str] = (),
    oracle: Oracle | None = None,
    setup: Setup | None = None,
    allow_hosts: Iterable[str] | None = None,
    allow_load: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
    stop: Callable[[], bool] | None = None,
    event: str | None = None,
    body: bytes | None = None,
    timeout_s: float | timedelta = 10.0,
    budget_s: float | timedelta = 120.0,
    settle_s: float | timedelta = 0.1,
    slow_s: float | timedelta = 30.0,
    transport: Transport | None = None,
    connect: Connector | None = None,
    ca: str | os.PathLike[str] | None = None,
    now: Callable[[], datetime] | None = None,
    random: Random | None = None,
) -> Report:
    """Send good, changed and forged requests to a receiver, and report which it handles rightly.

    A standard run sends up to 250 requests, a full one up to 1600. A request that must be rejected is sent
    between two good ones; if the receiver does not accept these, the check is not decided. Whether the work
    was done once is asked of the `oracle`; without one, these checks are not decided.

    Args:
        provider: the provider that the receiver serves, or its id.
        url: the URL of the receiver.
        secret: the receiver's `Secret`, the `KeyPair` whose public key it has, or another holder of the key.
        suite: ``"full"`` adds checks of load and hygiene.
        only: the ids of the checks to run, such as ``"B3"``, or areas, such as ``"B"``; of any suite.
        skip: the ids or areas of checks to leave out.
        oracle: a count of what the receiver did: a function, an http(s) URL or a shell command that prints a
            number. It is asked before and after a request.
        setup: what only the owner of the receiver can give, such as the secret of another endpoint.
        allow_hosts: the hosts other than this machine to which requests may be sent; see `send`.
        allow_load: if true, another machine also gets the checks that look like an attack: many requests at
            once, slow and large ones. This machine always does.
        on_progress: called after each check. An exception that it raises ends the run and is passed on.
        stop: called before each request; if it returns True, the run ends, and the report has the results
            so far.
        event: the event to send; by default the provider's first.
        body: the body of good requests; by default the event's sample with other ids each time.
        timeout_s: the time limit for one request: in seconds, or a `timedelta`.
        budget_s: the time limit for the run; the report has the results so far.
        settle_s: the time to wait for work that should not be done, before the oracle is asked.
        slow_s: the time for which F14 goes on sending slowly.
        transport: sends one request; by default `send`.
        connect: makes a connection for requests that `send` does not write; by default
            `hook_widgets.webhooks.delivery.connect`. Give it together with `transport`.
        ca: path of a PEM file with the certificates to trust instead of the system's; not with `transport`.
        now: the clock; by default the system clock.
        random: the source of ids, bodies and throw-away keys; seed one to repeat a run.

    Returns:
        The report. A receiver that cannot be reached is reported, too.

    Raises:
        UnknownName: there is no such provider, event or check.
        DestinationBlocked: the URL names another machine that is not in `allow_hosts`; nothing was sent.
        InvalidArgument: an argument is invalid; nothing was sent.
        InvalidSecret: the secret does not have the provider's form; nothing was sent.

    >>> from hook_widgets.webhooks import Receiver, Secret
    >>> secret = Secret("an example secret")
    >>> with Receiver("generic", secret) as receiver:
    ...     check_receiver("generic", receiver.url, secret, only=["B1"]).checks[0].observed
    '401 for no signature; 401 for one from 127.0.0.1 by X-Forwarded-For'
    """
    rows = select_checks(suite, only, skip)
    limit_s, total_s, wait_s, slowly_s = map(seconds, (timeout_s, budget_s, settle_s, slow_s))
    if not (limit_s > 0 and total_s > 0 and wait_s >= 0 and slowly_s > 0):
        raise InvalidArgument(
            "timeout_s=, budget_s=, settle_s= and slow_s= must be numbers of seconds above 0"
        )
    context = prepare(
        provider,
        url,
        secret,
        requests=requests_text(rows),
        allow_hosts=allow_hosts,
        timeout_s=limit_s,
        budget_s=total_s,
        stop=stop,
        event=event,
        body=body,
        transport=transport,
        now=now,
        random=random,
        oracle=oracle,
        settle_s=wait_s,
        setup=setup,
        connect=connect,
        ca=ca,
        slow_s=slowly_s,
    )
    load = allow_load or destination.is_loopback(url)
    started = time.monotonic()
    results, stopped = _run(rows, context, on_progress, load=load)
    return Report(
        provider=context.provider.id,
        url=context.redactor.mask(mask_query(url)),
        suite=suite,
        event=context.event.name,
        checks=tuple(results),
        stopped=stopped,
        elapsed_s=time.monotonic() - started,
        requests=context.session.count,
    )


def _run(
    rows: Sequence[Check],
    context: Context,
    on_progress: Callable[[Progress], object] | None,
    *,
    load: bool,
) -> tuple[list[CheckResult], str]:
    results: list[CheckResult] = []
    stopped = ""
    if context.counter is not None and any(check.oracle for check in rows):
        context.counter.begin()
    for check in rows:
        start = time.monotonic()
        try:
            if stopped:
                raise NotDecided(f"not run: {stopped}")
            if check.load and not load:
                raise NotDecided(
                    "to another machine this looks like an attack; give allow_load=True, in a shell "
                    "--allow-load, if its owner agrees"
                )
            context.session.check()
            outcome = CHECKS[check.id](context)
        except RunEnded as end:
            stopped = str(end)
            outcome = Outcome(Status.NOT_DECIDED, f"not run to its end: {end.explanation}")
        except (NotDecided, OracleFailed) as reason:
            outcome = Outcome(Status.NOT_DECIDED, str(reason), getattr(reason, "exchange", None))
        except NotApplicable as reason:
            outcome = Outcome(Status.NOT_APPLICABLE, str(reason))
        redactor, exchange = context.redactor, outcome.exchange
        result = CheckResult.of(
            check,
            sources=sources_of(check, context.provider),
            status=outcome.status,
            observed=redactor.mask(outcome.observed),
            elapsed_s=time.monotonic() - start,
            request=None if exchange is None else redactor.request(exchange),
            response=None if exchange is None else redactor.response(exchange),
        )
        results.append(result)
        if on_progress is not None:
            on_progress(Progress(len(results), len(rows), result, outcome.exchange))
    return results, stopped


def select_checks(suite: str, only: Iterable[str] | None, skip: Iterable[str]) -> list[Check]:
    """Return the checks to run, in the order of the catalogue.

    Raises:
        InvalidArgument: there is no such suite, or nothing is left.
        UnknownName: there is no such check.
    """
    if suite not in SUITES:
        raise InvalidArgument(f"suite={suite!r} is no suite; choose standard or full")
    if isinstance(only, str) or isinstance(skip, str):
        raise InvalidArgument('only= and skip= are lists of ids, such as ["B1", "C"]')
    rows = catalogue()
    chosen = None if only is None else _ids(only)
    skipped = _ids(skip)
    selected = [
        check
        for name, check in rows.items()
        if name not in skipped
        and (name in chosen if chosen is not None else suite == "full" or check.suite == suite)
    ]
    if not selected:
        raise InvalidArgument("only= and skip= leave no check; leave one of them out")
    return selected


def requests_text(checks: Sequence[Check]) -> str:
    """Return the largest number of requests of a run, in words."""
    count = _MAX_REQUESTS["standard" if all(check.suite == "standard" for check in checks) else "full"]
    return f"up to {count} requests, many of them forged"


def planned_requests(
    provider: Provider, url: str, checks: Sequence[Check], event: str | None = None
) -> Iterator[list[str]]:
    """Yield the methods and labels of the requests of each check; nothing is sent.

    They are those that a right receiver gets without an oracle. Requests that are written byte by byte, and
    those that depend on them, are not known.

    Raises:
        UnknownName: there is no such event.
        DestinationBlocked: the URL may not be sent to.
    """
    key = provider.example_secret()

    def deliver(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        del timeout_s
        return Delivery(status=200 if verify(provider, request, key).ok else 401, elapsed_s=0.0)

    context = prepare(
        provider,
        url,
        key,
        requests=requests_text(checks),
        allow_hosts=[destination.check(url).authority],
        timeout_s=1.0,
        budget_s=60.0,
        stop=None,
        event=event,
        body=None,
        transport=deliver,
        ca=None,
        now=None,
        random=None,
    )
    for check in checks:
        first = len(context.session.labels)
        with suppress(NotDecided, NotApplicable, RunEnded):
            CHECKS[check.id](context)
        yield context.session.labels[first:]


def _ids(names: Iterable[str]) -> set[str]:
    ids: set[str] = set()
    for name in names:
        matching = {check for check in catalogue() if name in (check, check[0])}
        if not matching:
            raise UnknownName(f"there is no check {name!r}; {nearest(name, catalogue())}")
        ids |= matching
    return ids
