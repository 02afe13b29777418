"""Area B: signed requests that were changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Final
from urllib.parse import SplitResult, urlsplit

from hook_widgets.receivers.bodies import changed_byte, respelled
from hook_widgets.receivers.context import Context, NotApplicable, Outcome, Variant
from hook_widgets.receivers.forging import carrier_of, signs_time, with_fields
from hook_widgets.webhooks.scheme.timestamps import write_moment


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

    return context.rejects(variants())


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

    return context.rejects(variants())


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

    return context.rejects(variants())


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
