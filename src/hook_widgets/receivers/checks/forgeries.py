"""Area B: requests that are not signed, signed with another key or changed, and secrets in wrong places."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

from hook_widgets.errors import InvalidSecret
from hook_widgets.receivers.bodies import changed_byte, respelled, with_invalid_byte
from hook_widgets.receivers.context import Context, Variant
from hook_widgets.receivers.forging import (
    carrier_of,
    headers_of_fields,
    signature_headers,
    signs_time,
    with_fields,
    without,
    without_field,
)
from hook_widgets.receivers.oracle import OracleFailed, work_done
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, summary
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, SharedSecretSpec
from hook_widgets.webhooks.scheme.timestamps import write_moment

WELL_KNOWN: Final = (
    "secret",
    "changeme",
    "test",
    "password",
    "whsec_test",
    "whsec_secret",
    "your_webhook_secret",
    "webhook_secret",
    "undefined",
    "null",
    "None",
)
"""Secrets that programs fall back to, or that stand in examples."""
_QUERY_NAMES: Final = ("token", "secret", "key")


def unsigned(context: Context) -> Outcome:
    """B1: a request without a signature is rejected."""
    signed = context.signed()
    names = signature_headers(signed.draft)
    texts = signed.each(lambda _: "") if signed.draft.signed_inside else None
    bare = signed.request(texts, headers=without(*names))
    local = [*bare.headers.multi_items(), ("X-Forwarded-For", "127.0.0.1")]
    request = replace(bare, headers=Headers(local))
    outcome = _also(
        context,
        context.rejects([("no signature", bare)]),
        [("one from 127.0.0.1 by X-Forwarded-For", request)],
    )
    return (
        outcome
        if outcome.status is Status.FAILED
        else _without_work(context, ("no signature", bare), outcome)
    )


def missing_header(context: Context) -> Outcome:
    """B2: a request without one of the headers that are needed does not crash the receiver."""
    draft = context.draft()
    names = [*signature_headers(draft), *headers_of_fields(draft, context.scheme.signed)]
    if not names:
        raise NotApplicable(f"{context.provider.title} has neither signature nor signed values in headers")
    groups = {f"no {name}": (name,) for name in names} | {"none of these headers": tuple(names)}
    return context.survives(
        (label, context.signed().request(headers=without(*group))) for label, group in groups.items()
    )


def other_secret(context: Context) -> Outcome:
    """B3: a request that is signed with another key is rejected."""
    forged = context.forge(context.draft())
    pairs = without("Content-Type")(forged.request().headers.multi_items())
    plain = replace(forged.request(), headers=Headers([*pairs, ("Content-Type", "text/plain")]))
    outcome = _also(
        context,
        context.rejects([("another secret", forged.request())]),
        [("another secret as text/plain", plain)],
    )
    if outcome.status is Status.FAILED or context.forged_work is None:
        return outcome
    return _worked(outcome, *context.forged_work)


def empty_secret(context: Context) -> Outcome:
    """B4: a request that is signed with an empty key is rejected."""
    spec = _shared_key(context)
    keys = {"an empty secret": b""}
    if spec:
        keys[f"the {spec} of an empty secret"] = hashlib.new(spec, b"", usedforsecurity=False).digest()
    return context.rejects(
        (label, context.forge(context.draft(), key).request()) for label, key in keys.items()
    )


def well_known_secret(context: Context) -> Outcome:
    """B5: a request that is signed with a well-known secret is rejected."""
    _shared_key(context)
    key_spec = context.provider.key
    published = key_spec.published if isinstance(key_spec, SharedSecretSpec) else ()
    spec = key_spec.spec

    keys: dict[bytes, str] = {}
    for text in (*published, *WELL_KNOWN):
        keys.setdefault(text.encode(), text)
        with suppress(
            InvalidSecret
        ):  # no secret of this provider, but a key of a receiver that decodes nothing
            keys.setdefault(spec.decode(text), text)
    return context.rejects(
        (f"the secret {text}", context.forge(context.draft(), key).request()) for key, text in keys.items()
    )


def other_request(context: Context) -> Outcome:
    """B16: a signature that was accepted with one body is rejected with another."""
    first = context.signed()
    other = context.draft().payload
    body = other if other != first.request().body else changed_byte(other)
    variants = list(
        context.forgeries(first, [("the signature of the request before", first.request(body=body))])
    )
    context.send_good("the request whose signature is used again", first.request())
    return context.rejects(variants)


def _also(context: Context, outcome: Outcome, variants: Iterable[Variant]) -> Outcome:
    """Return an outcome, or that of more requests to reject; a crash is the matter of another check."""
    if outcome.status is not Status.PASSED:
        return outcome
    try:
        more = context.rejects(variants, crash=Status.PASSED)
    except NotApplicable:  # there are none
        return outcome
    observed = f"{outcome.observed}; {more.observed}"
    return replace(more, observed=observed) if more.status is Status.PASSED else more


def _without_work(context: Context, variant: Variant, outcome: Outcome) -> Outcome:
    """Return an outcome, or a failure if the oracle counts work for the request, whatever the response."""
    try:
        counter = context.count()
        before = counter.settled()
        exchange = context.send(*variant)
        work = counter.settled() - before
        if work and counter.settled(always=True) - before != work:  # it counts what others do, too
            return outcome
    except (NotDecided, OracleFailed):  # the checks that need it say so
        return outcome
    return _worked(outcome, exchange, work)


def _worked(outcome: Outcome, exchange: Exchange, work: int) -> Outcome:
    """Return an outcome, or a failure if work was done for a request."""
    if not work:
        return outcome
    observed = f"{work_done(work)} for {exchange.label}, although the response is {exchange.outcome}"
    return Outcome(Status.FAILED, observed, exchange)


def _shared_key(context: Context) -> str:
    """Return the hash that makes the key of the secret, or "".

    Raises:
        NotApplicable: the provider signs with a private key.
    """
    key = context.provider.key
    if isinstance(key, AsymmetricKeySpec):
        raise NotApplicable(f"{context.provider.title} signs with a private key")
    return key.digest


def unconfigured(context: Context) -> Outcome:
    """B6: a receiver without its secret accepts nothing."""
    url = context.setup.unconfigured_url
    if not url:
        raise NotDecided(
            "start the receiver once more without its secret, and give setup=Setup(unconfigured_url=…), in a "
            "shell --unconfigured-url"
        )
    signed = context.forge(context.draft(url=url))
    variants = [("no signature", signed.request(headers=without(*signature_headers(signed.draft))))]
    variants.append(("another secret", signed.request()))
    if not isinstance(context.provider.key, AsymmetricKeySpec):
        for label, key in (("an empty secret", b""), ("undefined", b"undefined"), ("None", b"None")):
            variants.append((label, context.forge(context.draft(url=url), key).request()))
    exchanges = [context.send(*variant) for variant in variants]
    if accepted := [exchange for exchange in exchanges if exchange.accepted]:
        return Outcome(Status.FAILED, f"accepted without a secret: {summary(accepted)}", accepted[0])
    return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])


def other_endpoint(context: Context) -> Outcome:
    """B15: a request that is signed for another endpoint is rejected."""
    meaning = "the secret of another endpoint"
    return context.rejects([(meaning, context.sign_with("other_secret", meaning).request())])


def misplaced_token(context: Context) -> Outcome:
    """B18: a token is accepted only where the provider sends it, and only as it is."""
    if not context.draft().reveals_secret:
        raise NotApplicable(f"{context.provider.title} signs, and sends no token")

    def variants() -> Iterator[Variant]:
        signed = context.signed()
        carriers = signature_headers(signed.draft)
        text = next(iter(signed.texts.values()))
        changes = {
            "the token in other case": text.swapcase(),
            "the token with one more character": f"{text}x",
        }
        context.redactor.add_signature(*changes.values(), quote(text, safe=""))
        for label, changed in changes.items():
            request = signed.request(signed.each(lambda _, other=changed: other))  # type: ignore[misc]
            yield from context.forgeries(signed, [(label, request)] if changed != text else [])
        if not carriers:
            return
        for name in (*carriers[:1], *_QUERY_NAMES):
            bare = signed.request(headers=without(*carriers))
            mark = "&" if "?" in bare.url else "?"
            request = replace(bare, url=f"{bare.url}{mark}{quote(name, safe='')}={quote(text, safe='')}")
            yield from context.forgeries(signed, [(f"the token as the parameter {name}", request)])

    return context.rejects(variants())


def changed_body(context: Context) -> Outcome:
    """B7: a changed, longer or shorter body is rejected."""

    def variants() -> Iterator[Variant]:
        for label, change in (
            ("one byte changed", changed_byte),
            ("one byte appended", lambda body: body + b"x"),
            ("a NUL and a byte appended", lambda body: body + b"\0x"),
            ("the last byte missing", lambda body: body[:-1]),
        ):
            signed = context.signed()
            body = signed.request().body
            yield from context.forgeries(signed, [(label, signed.request(body=change(body)))])

    return context.rejects(variants())


def respelled_body(context: Context) -> Outcome:
    """B8: a body with the same content in other bytes is rejected."""

    def variants() -> Iterator[Variant]:
        signed = context.signed(body=context.json_object())
        for label, body in respelled(signed.request().body):
            yield from context.forgeries(signed, [(label, signed.request(body=body))])

    def invalid() -> Iterator[Variant]:
        signed = context.signed(body=context.json_object())
        request = signed.request(body=with_invalid_byte(signed.request().body))
        yield from context.forgeries(signed, [("a byte that is no UTF-8 in a text", request)])

    return _also(context, context.rejects(variants()), invalid())


def changed_time(context: Context) -> Outcome:
    """B9: a changed timestamp is rejected."""
    unit = context.scheme.timestamp
    if unit is None or not signs_time(context.scheme):
        raise NotApplicable(f"{context.provider.title} signs no timestamp")

    def variants() -> Iterator[Variant]:
        for seconds in (-30, 30):
            signed = context.signed()
            text = write_moment(signed.draft.at + timedelta(seconds=seconds), unit)
            request = signed.with_fields(timestamp=text).request()
            yield from context.forgeries(signed, [(f"a timestamp changed by {seconds} s", request)])

    def without_time() -> Iterator[Variant]:
        for name in headers_of_fields(context.draft(), ("timestamp",)):
            signed = context.signed()
            request = signed.request(headers=partial(without_field, context.scheme, name, "timestamp"))
            yield from context.forgeries(signed, [(f"no timestamp in {name}", request)])

    return _also(context, context.rejects(variants()), without_time())


def changed_id(context: Context) -> Outcome:
    """B10: a changed id that is signed is rejected."""
    names = [
        name for name, part in context.provider.parts.items() if part.make and name in context.scheme.signed
    ]
    if not names:
        raise NotApplicable(f"{context.provider.title} signs no id of its own")

    def variants() -> Iterator[Variant]:
        for name in names:
            signed = context.signed()
            request = signed.with_fields(**{name: context.draft().parts[name]}).request()
            yield from context.forgeries(signed, [(f"another {carrier_of(signed.draft, name)}", request)])

    def without_id() -> Iterator[Variant]:
        for name in headers_of_fields(context.draft(), names):
            signed = context.signed()
            yield from context.forgeries(signed, [(f"no {name}", signed.request(headers=without(name)))])

    return _also(context, context.rejects(variants()), without_id())


def changed_url(context: Context) -> Outcome:
    """B17: a signature for another URL is rejected, if the URL is signed."""
    if "url" not in context.scheme.signed:
        raise NotApplicable(f"{context.provider.title} does not sign the URL")

    def variants() -> Iterator[Variant]:
        for label, change in _URLS.items():
            signed = context.signed()
            parts = urlsplit(signed.draft.url)
            other = change(parts).geturl()
            texts = context.sign(with_fields(signed.draft, url=other)).texts
            yield from context.forgeries(signed, [(f"the signature for {label}", signed.request(texts))])

    return context.rejects(variants())


def _other_order(parts: SplitResult) -> SplitResult:
    pairs = parts.query.split("&")
    return parts._replace(query="&".join([*pairs[1:], *pairs[:1]]))


_URLS: Final[dict[str, Callable[[SplitResult], SplitResult]]] = {
    "another host": lambda parts: parts._replace(netloc="hooks.example.com"),
    "the other scheme": lambda parts: parts._replace(scheme="http" if parts.scheme == "https" else "https"),
    "another path": lambda parts: parts._replace(path=f"{parts.path}x"),
    "another slash at the end": lambda parts: parts._replace(
        path=parts.path[:-1] if parts.path.endswith("/") else f"{parts.path}/"
    ),
    "one more parameter": lambda parts: parts._replace(query=f"{parts.query}&x=1" if parts.query else "x=1"),
    "another order of parameters": _other_order,
}
