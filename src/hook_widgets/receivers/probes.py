"""Signed requests as a receiver with one fault expects them, the likeliest fault first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import chain, islice
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from hook_widgets.errors import InvalidArgument, InvalidSecret
from hook_widgets.receivers.context import Context, NotApplicable, NotDecided
from hook_widgets.receivers.forging import Signed, renamed_schemes, signature_headers, signs_time, with_fields
from hook_widgets.receivers.sending import Exchange
from hook_widgets.webhooks.diagnosis.guesses import json_rewriting
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText, Layout
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant, spec_of
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import Encoding, SharedSecretSpec
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, write_moment

MAX_PROBES: Final = 12

# No program writes JSON with these spaces, so a text with others is one that the receiver wrote itself.
_ODD: Final = Layout(" , ", " : ")
_CLOCK_S: Final = 5  # a smaller difference is the time to deliver
# The receiver chooses the time of its response: a signature for a later time would be valid until then.
_MAX_AHEAD_S: Final = 86_400
_OTHER_KEYS: Final = {
    KeyForm.UTF8: (
        (KeyVariant.UNPREFIXED, "the text without its prefix"),
        (KeyVariant.UNPREFIXED_BASE64, "base64-decoded without its prefix"),
        (KeyVariant.AS_HEX, "hex-decoded"),
        (KeyVariant.AS_BASE64, "base64-decoded"),
    ),
    KeyForm.BASE64: (
        (KeyVariant.AS_TEXT, "the whole text"),
        (KeyVariant.UNPREFIXED_TEXT, "the text without its prefix"),
    ),
    KeyForm.HEX: (
        (KeyVariant.AS_TEXT, "the whole text"),
        (KeyVariant.AS_BASE64, "base64-decoded"),
    ),
}
_OTHER_ALGORITHMS: Final = {
    Algorithm.HMAC_SHA1: (Algorithm.HMAC_SHA256,),
    Algorithm.HMAC_SHA256: (Algorithm.HMAC_SHA1, Algorithm.HMAC_SHA512),
    Algorithm.HMAC_SHA384: (Algorithm.HMAC_SHA256,),
    Algorithm.HMAC_SHA512: (Algorithm.HMAC_SHA256,),
}
_OTHER_ENCODINGS: Final = {
    Encoding.HEX: Encoding.BASE64,
    Encoding.BASE64: Encoding.HEX,
    Encoding.BASE64URL: Encoding.BASE64,
}
_OTHER_UNITS: Final = {
    TimestampUnit.SECONDS: ("milliseconds", TimestampUnit.MILLISECONDS),
    TimestampUnit.MILLISECONDS: ("seconds", TimestampUnit.SECONDS),
}


class Probe(NamedTuple):
    """A request that a receiver with one fault accepts.

    Attributes:
        cause: the id of the fault in ``rejections.toml``.
        detail: the variant of the fault, in words, or empty.
        request: the request.
    """

    cause: str
    detail: str
    request: WebhookRequest


def probes(context: Context, rejected: Exchange) -> Iterator[Probe]:
    """Yield at most `MAX_PROBES` requests, each signed as one fault expects it."""
    draft = context.draft()
    plain = context.sign(draft).request()
    sent = {_essence(plain)}
    count = 0
    rows = chain(
        _guard(context, rejected),
        _clock(context, rejected),
        *(_made(make, context, draft) for make in _MAKERS),
    )
    for probe in rows:
        if _essence(probe.request) not in sent:
            sent.add(_essence(probe.request))
            count += 1
            yield probe
            if count == MAX_PROBES:
                return


def _essence(request: WebhookRequest) -> tuple[str, tuple[tuple[str, str], ...], bytes]:
    return request.url, tuple(request.headers.multi_items()), request.body


Maker = Callable[[Context, Draft], Iterator[Probe]]


def _made(make: Maker, context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield the probes of one maker; none if the provider's scheme or the signer does not allow them."""
    try:
        yield from make(context, draft)
    except (NotApplicable, NotDecided, InvalidArgument):
        return


def _signed(context: Context, draft: Draft, **changes: Any) -> Signed | None:
    """Sign a draft with these changes of its jobs; None if the secret has no such form."""
    try:
        raw = context.signer.sign([replace(job, **changes) for job in draft.jobs()])
    except InvalidSecret:
        return None
    signed = Signed.of(draft, raw)
    context.redactor.add_signature(*signed.texts.values())
    return signed


# --- a guard before the receiver ----------------------------------------------------------------------------


def _guard(context: Context, rejected: Exchange) -> Iterator[Probe]:
    """Yield a request with the cookie and header by which Django recognizes its own forms.

    Such a guard rejects browsers, with a page. It takes the place of the last probe, which a receiver that
    rejects with JSON keeps.
    """
    if rejected.status == 403 and rejected.is_html:
        token = f"{context.random.getrandbits(128):032x}"
        pairs = [("Cookie", f"csrftoken={token}"), ("X-CSRFToken", token)]
        yield Probe("csrf", "", context.signed().request(headers=lambda known: [*known, *pairs]))


# --- the receiver's clock and timestamps --------------------------------------------------------------------


def _clock(context: Context, rejected: Exchange) -> Iterator[Probe]:
    if not signs_time(context.scheme):
        return
    theirs = _date(rejected)
    if theirs is None or theirs.year < 1970:  # no timestamp is earlier
        return
    offset_s = (theirs - context.now()).total_seconds()
    if abs(offset_s) > _CLOCK_S and offset_s <= _MAX_AHEAD_S:
        direction = "ahead" if offset_s > 0 else "behind"
        yield Probe(
            "clock",
            f"{abs(offset_s):.0f} s {direction}",
            context.signed(offset_s=offset_s).request(),
        )


def _date(exchange: Exchange) -> datetime | None:
    """Return the time of the response's Date header; None if it has no such header."""
    try:
        date = parsedate_to_datetime(exchange.delivery.headers.get("Date", ""))
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else None


def _unit(context: Context, draft: Draft) -> Iterator[Probe]:
    unit = context.scheme.timestamp
    if unit in _OTHER_UNITS and signs_time(context.scheme):
        cause, other = _OTHER_UNITS[unit]
        changed = with_fields(draft, timestamp=write_moment(draft.at, other))
        yield Probe(cause, "", context.sign(changed).request())


# --- the body -----------------------------------------------------------------------------------------------


def _rewritten(context: Context, draft: Draft, causes: tuple[str, ...]) -> Iterator[Probe]:
    """Yield a body with odd white space, signed as if programs had read and written it."""
    context.require_json_object()
    text = JsonText.read(draft.payload)
    if text is None:
        return
    body = text.write(_ODD).encode()
    writers: dict[str, list[tuple[str, str]]] = {}
    for cause, program, rewritten in _programs(text):
        writers.setdefault(rewritten, []).append((cause, program))
    for rewritten, ((cause, _), *others) in writers.items():
        if cause not in causes:
            continue
        detail = f"{' and '.join(program for _, program in others)} would write the same" if others else ""
        yield Probe(cause, detail, _signed_as(context, draft, rewritten.encode()).request(body=body))


def _programs(text: JsonText) -> Iterator[tuple[str, str, str]]:
    """Yield the JSON as programs write it after they have read it: the cause, the program and the text."""
    plain = JsonText(json_rewriting.slashes_unescaped(json_rewriting.unescaped(text.text)))
    shortest = plain.with_numbers(json_rewriting.as_shortest)
    compact = plain.write(COMPACT)
    yield "body-javascript", "JSON.stringify", shortest.write(COMPACT)
    yield "body-python", "json.dumps", json_rewriting.ascii_escaped(plain.write(SPACED))
    yield "body-php", "json_encode", json_rewriting.slashes_escaped(json_rewriting.ascii_escaped(compact))
    if plain.sorted is not None:
        yield "body-sorted", "a writer that sorts keys", plain.sorted.write(COMPACT)


def _signed_as(context: Context, draft: Draft, body: bytes) -> Signed:
    """Sign a draft as if it had another body.

    Raises:
        NotApplicable: the signature is inside the body.
    """
    if draft.signed_inside:
        raise NotApplicable("the signature is inside the body")
    return context.sign(with_fields(draft, body=body))


def _lost_body(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield a body that is signed as empty."""
    if not context.scheme.absent.body:
        body = context.sign(draft).request().body
        yield Probe("body-empty", "", _signed_as(context, draft, b"").request(body=body))


def _literal(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield a body that is signed as Python's text of its bytes."""
    body = context.sign(draft).request().body
    yield Probe("body-repr", "", _signed_as(context, draft, repr(body).encode()).request(body=body))


def _body_alone(context: Context, draft: Draft) -> Iterator[Probe]:
    body = context.sign(draft).request().body
    signed = _signed(context, draft, pieces=(body,))
    if signed is not None and not context.scheme.absent.body:
        yield Probe("body-only", "", signed.request())


# --- the secret ---------------------------------------------------------------------------------------------


def _decoding(context: Context, draft: Draft) -> Iterator[Probe]:
    key = context.provider.key
    if isinstance(key, SharedSecretSpec) and not draft.reveals_secret:
        yield from _other_keys(context, draft, "secret-decoding", _OTHER_KEYS[key.form])


def _other_keys(
    context: Context, draft: Draft, cause: str, variants: tuple[tuple[KeyVariant, str], ...]
) -> Iterator[Probe]:
    """Yield a signature by another key that the secret gives, or two if its prefix may be part of the key."""
    key = context.provider.key
    if not isinstance(key, SharedSecretSpec):
        return
    specs = ((spec_of(key, variant), detail) for variant, detail in variants)
    signed = ((_signed(context, draft, key=spec), detail) for spec, detail in specs if spec is not None)
    rows = ((each, detail) for each, detail in signed if each is not None)
    for each, detail in islice(rows, 2 if key.prefix else 1):
        yield Probe(cause, detail, each.request())


def _empty(context: Context, draft: Draft) -> Iterator[Probe]:
    if isinstance(context.provider.key, SharedSecretSpec) and not draft.reveals_secret:
        yield Probe("secret-empty", "", context.forge(draft, b"").request())


# --- the signature ------------------------------------------------------------------------------------------


def _algorithm(context: Context, draft: Draft, position: int) -> Iterator[Probe]:
    """Yield a signature by another algorithm, the one at this position of the list."""
    others = _OTHER_ALGORITHMS.get(context.scheme.signatures[0].algorithm, ())
    for other in others[position : position + 1]:
        if signed := _signed(context, draft, algorithm=other):
            yield Probe("algorithm", other.value.upper(), signed.request())


def _encoding(context: Context, draft: Draft) -> Iterator[Probe]:
    first = context.scheme.signatures[0]
    other = _OTHER_ENCODINGS.get(first.encoding)
    if other is not None:
        signed = context.sign(draft)
        text = other.write(signed.raw[first.name])
        context.redactor.add_signature(text)
        yield Probe("encoding", other.value, signed.request(signed.texts | {first.name: text}))


def _header(context: Context, draft: Draft, *, is_prefixed: bool) -> Iterator[Probe]:
    """Yield a request with the signature in a header with and without ``X-``, too.

    Leaving out an ``X-`` is rarer than adding it, so that both have a place of their own.
    """
    name = next(iter(signature_headers(draft)), "")
    if not name or name.lower().startswith("x-") is not is_prefixed:
        return
    other = name[2:] if is_prefixed else f"X-{name}"

    def twice(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return pairs + [(other, value) for header, value in pairs if header == name]

    yield Probe("header-name", other, context.sign(draft).request(headers=twice))


def _names(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield a request with the provider's other header names, such as Svix's ``webhook-signature``."""
    del draft
    for name in renamed_schemes(context.provider, context.scheme):
        request = context.signed(scheme=name).request()
        yield Probe("header-name", f"as in the scheme {name}", request)


def _url(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield the signature of the URL as a receiver behind a proxy, or on another port, sees it."""
    if "url" not in context.scheme.signed or context.scheme.query:
        return
    parts = urlsplit(context.url)
    scheme = "http" if parts.scheme == "https" else "https"
    host = parts.hostname or ""
    for other in (
        parts._replace(scheme=scheme),
        parts._replace(scheme=scheme, netloc=host),
        parts._replace(netloc=host),
    ):
        url = urlunsplit(other)
        yield Probe("url", url, context.sign(with_fields(draft, url=url)).request())


_MAKERS: Final[tuple[Maker, ...]] = (
    _url,
    _names,
    partial(_other_keys, cause="secret-newline", variants=((KeyVariant.NEWLINE_ADDED, ""),)),
    partial(_rewritten, causes=("body-javascript", "body-python")),
    partial(_other_keys, cause="secret-quotes", variants=((KeyVariant.QUOTED, ""),)),
    _decoding,
    _lost_body,
    _body_alone,
    _empty,
    _encoding,
    _unit,
    partial(_header, is_prefixed=False),
    partial(_algorithm, position=0),
    partial(_rewritten, causes=("body-php",)),
    _literal,
    partial(_rewritten, causes=("body-sorted",)),
    partial(_header, is_prefixed=True),
    partial(_algorithm, position=1),
)
