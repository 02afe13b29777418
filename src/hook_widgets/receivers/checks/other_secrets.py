"""Area B: secrets that are missing, of another endpoint, or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from hook_widgets.receivers.context import Context, NotApplicable, NotDecided, Outcome, Variant, summary
from hook_widgets.receivers.forging import signature_headers, without
from hook_widgets.receivers.report import Status
from hook_widgets.webhooks.scheme import AsymmetricKeySpec

_QUERY_NAMES: Final = ("token", "secret", "key")


def unconfigured(context: Context) -> Outcome:
    """B6: a receiver without its secret accepts nothing."""
    url = context.setup.unconfigured_url
    if not url:
        raise NotDecided(
            "start the receiver once more without its secret, and give setup=Setup(unconfigured_url=…)"
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
