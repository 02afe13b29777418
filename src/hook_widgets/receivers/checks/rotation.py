"""Area E: several signatures in one request, and secrets that were replaced."""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.receivers.context import Context
from hook_widgets.receivers.forging import Signed, renamed_schemes
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import summary
from hook_widgets.webhooks.scheme import HeaderValue

_CANDIDATES: Final = 1000
_QUICK_S: Final = 1.0
_VERSION: Final = re.compile(r"v\d+")


def second_signature(context: Context) -> Outcome:
    """E1: a good signature after one by another secret is accepted."""
    signed = _rotating(context)
    other = context.forge(signed.draft).texts
    request = signed.request(other, signed.texts)
    if not context.genuine(request, signed.draft):
        raise NotApplicable(f"{context.provider.title} puts the current signature first")
    return context.accepts([("the good signature second", request)])


def unknown_versions(context: Context) -> Outcome:
    """E2: signatures of unknown versions beside the good one are ignored."""
    signed = _rotating(context)
    name, spec = _list(context)
    first = context.scheme.signatures[0]
    element = next(e for e in spec.elements if first.name in e.names).text
    if not _VERSION.search(element):
        raise NotApplicable(f"the signatures of {context.provider.title} have no version")
    text = element.replace(f"{{{first.name}}}", context.forge(signed.draft).texts[first.name])
    more = [_VERSION.sub(version, text, count=1) for version in ("v9", "v1a")]
    request = signed.request(
        headers=lambda pairs: [(n, spec.list.join([v, *more]) if n == name else v) for n, v in pairs]
    )
    if not context.genuine(request, signed.draft):
        raise NotApplicable(f"{context.provider.title} documents no such list")
    return context.accepts([("v9 and v1a after the good signature", request)])


def other_names(context: Context) -> Outcome:
    """E6: the same signature under the provider's other header names is accepted."""
    others = renamed_schemes(context.provider, context.scheme)
    if not others:
        raise NotApplicable(f"{context.provider.title} has one set of header names")
    return context.accepts(
        (f"the names of the scheme {name}", context.signed(scheme=name).request()) for name in others
    )


def previous_secret(context: Context) -> Outcome:
    """E3: during a rotation, requests signed with the previous secret alone are accepted, too."""
    old = context.sign_with("previous_secret", "if the receiver still accepts one")
    return context.accepts(
        [("the previous secret alone", old.request()), ("the new secret alone", context.signed().request())]
    )


def retired_secret(context: Context) -> Outcome:
    """E4: after a rotation, requests signed with the old secret are rejected."""
    old = context.sign_with("retired_secret", "one that the receiver no longer accepts")
    if context.genuine(old.request(), old.draft):
        raise NotDecided("retired_secret= is the current secret")
    return context.rejects([("a retired secret", old.request())])


def many_signatures(context: Context) -> Outcome:
    """E5: a thousand forged signatures are rejected quickly."""
    signed = _rotating(context)
    _list(context)
    first = context.scheme.signatures[0]
    size = len(signed.raw[first.name])

    def forged() -> dict[str, str]:
        return signed.texts | {first.name: first.encoding.write(context.random.randbytes(size))}

    context.ensure_good()
    request = signed.request(forged(), *(forged() for _ in range(_CANDIDATES - 1)))
    exchange = context.send(f"{_CANDIDATES} forged signatures", request)
    elapsed_s = exchange.delivery.elapsed_s
    observed = f"{summary([exchange])} after {elapsed_s:.2f} s"
    closed = exchange.delivery.error is not None and exchange.delivery.error.code in ("closed", "reset")
    if not (exchange.rejected or closed) or elapsed_s > _QUICK_S:
        return Outcome(Status.FAILED, observed, exchange)
    return context.down_after([exchange]) or Outcome(Status.PASSED, observed, exchange)


def _rotating(context: Context) -> Signed:
    if context.scheme.rotation is None:
        raise NotApplicable(f"{context.provider.title} sends one signature only")
    return context.signed()


def _list(context: Context) -> tuple[str, HeaderValue]:
    first = context.scheme.signatures[0].name
    for name, value in context.scheme.headers.items():
        if isinstance(value, HeaderValue) and first in context.scheme.header_template(name).names:
            return name, value
    raise NotApplicable(f"{context.provider.title} sends no list of signatures in one header")
