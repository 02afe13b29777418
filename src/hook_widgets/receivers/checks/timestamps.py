"""Area C: timestamps outside the tolerance, texts that are no timestamps, and two timestamps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

from hook_widgets.errors import HookWidgetsError
from hook_widgets.receivers.context import Context, NotApplicable, NotDecided, Outcome, Variant
from hook_widgets.receivers.forging import headers_of_fields, with_fields
from hook_widgets.receivers.report import Status
from hook_widgets.webhooks.scheme import HeaderValue
from hook_widgets.webhooks.scheme.timestamps import write_moment

_NO_TIMES: Final = ("", "1e9", "-1", "123abc")
# Read leniently, these are times far in the future, which C2 checks: they must not crash the receiver.
_FAR: Final = ("9" * 20, "Infinity")
_MARGIN_S: Final = 2  # for the fraction that a timestamp lacks, and for the time to deliver


def too_old(context: Context) -> Outcome:
    """C1: a request just older than the tolerance is rejected."""
    outcome = _rejects_age(context, context.tolerance_s + _MARGIN_S)
    if outcome.status is not Status.FAILED or context.stale_s == context.tolerance_s:
        return outcome
    stale = _rejects_age(context, context.stale_s + _MARGIN_S)
    status = Status.FAILED if stale.status is Status.FAILED else Status.WARNED
    return Outcome(status, f"{outcome.observed}; {stale.observed}", outcome.exchange)


def _rejects_age(context: Context, age_s: int) -> Outcome:
    return context.rejects([(f"{age_s} s old", context.signed(offset_s=-age_s).request())])


def too_early(context: Context) -> Outcome:
    """C2: a request from later than the tolerance is rejected."""
    lead_s = context.tolerance_s + _MARGIN_S + 1
    outcome = context.rejects([(f"{lead_s} s ahead", context.signed(offset_s=lead_s).request())])
    if outcome.status is Status.FAILED:  # the libraries of some providers accept it
        return Outcome(Status.WARNED, outcome.observed, outcome.exchange)
    return outcome


def no_time(context: Context) -> Outcome:
    """C3: a signed text that is no time is rejected, without a crash."""
    _require_other_texts(context)
    outcome = context.rejects(_signed_texts(context, _NO_TIMES), crash=Status.FAILED)
    if outcome.status is not Status.PASSED:
        return outcome
    far = context.survives(_signed_texts(context, _FAR))
    if far.status is not Status.PASSED:
        return far
    number = context.rejects(_signed_texts(context, ("NaN",)), crash=Status.FAILED)
    if number.exchange is not None and number.exchange.accepted:  # the library of Stripe for Node accepts it
        return replace(number, status=Status.WARNED)
    return outcome if number.status is Status.PASSED else number


def two_timestamps(context: Context) -> Outcome:
    """C4: an old request is not taken for a fresh one because a second timestamp was added."""
    age_s = context.stale_s + _MARGIN_S
    unit = context.scheme.timestamp
    carriers = headers_of_fields(context.draft(), ("timestamp",))
    if unit is None or not carriers:
        raise NotApplicable(f"{context.provider.title} sends no timestamp in a header")

    context.ensure_good()
    old = context.send("an old request", context.signed(offset_s=-age_s).request())
    if old.accepted:
        raise NotDecided(
            f"an old request is accepted without a second timestamp, too ({old.outcome}); see C1", old
        )

    def variants() -> Iterator[Variant]:
        for name in carriers:
            for is_first in (True, False):
                signed = context.signed(offset_s=-age_s)
                fresh = write_moment(signed.draft.at + timedelta(seconds=age_s), unit)
                headers = partial(_with_second, context, name, fresh, is_first=is_first)
                label = f"a fresh timestamp {'before' if is_first else 'after'} the old one"
                yield from context.forgeries(signed, [(label, signed.request(headers=headers))])

    return context.rejects(variants())


def _with_second(
    context: Context,
    name: str,
    fresh: str,
    pairs: list[tuple[str, str]],
    *,
    is_first: bool,
) -> Iterator[tuple[str, str]]:
    """Yield the headers with a second timestamp: in the list, or in a header of the same name."""
    spec = context.scheme.headers.get(name)
    for header, value in pairs:
        if header != name:
            yield header, value
        elif isinstance(spec, HeaderValue):
            element = next(e.text for e in spec.elements if "timestamp" in e.names)
            second = element.replace("{timestamp}", fresh)
            yield header, spec.list.join([second, value] if is_first else [value, second])
        else:
            texts = [fresh, value] if is_first else [value, fresh]
            yield from ((header, text) for text in texts)


def _require_other_texts(context: Context) -> None:
    """Check that a draft can be signed with another text as its timestamp.

    Raises:
        NotApplicable: it cannot, or requests have no timestamp with a tolerance.
    """
    unit = context.scheme.timestamp
    if context.tolerance_s and unit is not None:
        draft = context.draft()
        other = with_fields(draft, timestamp=write_moment(draft.at - timedelta(seconds=2), unit))
        if context.genuine(context.sign(other).request(), other):
            return
    raise NotApplicable(f"a request of {context.provider.title} with another timestamp cannot be signed here")


def _signed_texts(context: Context, texts: tuple[str, ...]) -> Iterator[Variant]:
    for text in texts:
        try:
            signed = context.sign(with_fields(context.draft(), timestamp=text))
            yield f"the timestamp {text or '(empty)'}", signed.request()
        except (HookWidgetsError, ValueError):  # a token, say, whose claim must be a number
            raise NotApplicable(f"{context.provider.title} cannot send a timestamp that is none") from None
