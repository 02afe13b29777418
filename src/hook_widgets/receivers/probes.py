"""Signed requests as a receiver with one fault expects them, the likeliest fault of a scheme first.

Some faults share a request. If it is accepted, requests of the rarer ones tell which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import chain, islice
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from hook_widgets.errors import InvalidArgument, InvalidSecret
from hook_widgets.receivers.bodies import with_members
from hook_widgets.receivers.context import Context
from hook_widgets.receivers.forging import Signed, renamed_schemes, signature_headers, signs_time, with_fields
from hook_widgets.receivers.outcome import NotApplicable, NotDecided
from hook_widgets.receivers.sending import Exchange
from hook_widgets.webhooks.diagnosis.guesses import json_rewriting
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText, Layout
from hook_widgets.webhooks.diagnosis.key_edits import KeyEdit, edited
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant, spec_of
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import Encoding, Scheme, SharedSecretSpec
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, write_moment

MAX_PROBES: Final = 12

# No program writes JSON with these spaces, so a text with others is one that the receiver wrote itself.
_ODD: Final = Layout(" , ", " : ")
# JSON.stringify keeps what json_encode of PHP escapes.
_ESCAPED_BY_PHP: Final = '"hook_widgets_new":"é/"'.encode()
_CLOCK_S: Final = 5  # a smaller difference is the time to deliver
_HOUR_S: Final = 3600
_LOOPBACK: Final = {"127.0.0.1": "localhost", "[::1]": "localhost", "localhost": "127.0.0.1"}
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
        texts: the signatures of the request, if they are all that differs from a good one.
        others: requests of rarer faults with which a receiver accepts this request, too.
    """

    cause: str
    detail: str
    request: WebhookRequest
    texts: Mapping[str, str] | None = None
    others: tuple[Probe, ...] = ()


def probes(context: Context, rejected: Exchange) -> Iterator[Probe]:
    """Yield probes that take at most `MAX_PROBES` requests, with those that tell which fault it is."""
    draft = context.draft()
    plain = context.sign(draft).request()
    sent = {_essence(plain)}
    count = 0
    rows = chain(
        _guard(context, rejected),
        _clock(context, rejected),
        *(_made(make, context, draft) for make in _makers(context.scheme, rejected)),
    )
    for probe in rows:
        if _essence(probe.request) not in sent and count + len(probe.others) < MAX_PROBES:
            sent.add(_essence(probe.request))
            count += 1
            yield probe


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


def _hour_behind(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield a request of an hour ago, as local time without its zone makes it."""
    del draft
    if signs_time(context.scheme):
        request = context.signed(offset_s=-_HOUR_S).request()
        yield Probe("clock", f"{_HOUR_S} s behind", request)


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


def _rewritten(context: Context, draft: Draft, cause: str) -> Iterator[Probe]:
    """Yield a body with odd white space, signed as if a program had read and written it."""
    text = _json(context, draft)
    yield from _written(context, draft, text, cause, dict(_programs(text)))


def _javascript(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield a body signed as JSON.stringify writes it, and as other programs do if its keys are sorted.

    JSON.stringify escapes neither ``/`` nor what is not ASCII, and keeps the order of keys. If the body shows
    no difference, a request with one tells the programs apart.
    """
    text = _json(context, draft)
    ordered = text.sorted
    programs = dict(_programs(text))
    others: list[Probe] = []
    if ordered is not None and ordered.write(COMPACT) != text.write(COMPACT):
        in_order = dict(_programs(ordered))
        if in_order.pop("body-sorted", "") == in_order["body-javascript"]:
            others += _written(context, draft, text, "body-sorted", programs)
            text, programs = ordered, in_order
    if context.body is None and programs["body-php"] == programs["body-javascript"]:
        more = JsonText(with_members(draft.payload, _ESCAPED_BY_PHP).decode())
        others += _written(context, draft, more, "body-php", dict(_programs(more)))
    for probe in _written(context, draft, text, "body-javascript", programs):
        yield probe._replace(others=tuple(others))


def _python(context: Context, draft: Draft) -> Iterator[Probe]:
    """Yield a body signed as json.dumps writes it, with ``sort_keys=True`` or not if its keys are sorted."""
    text = _json(context, draft)
    ordered = text.sorted
    others: tuple[Probe, ...] = ()
    if ordered is not None and ordered.write(COMPACT) != text.write(COMPACT):
        spaced = dict(_programs(ordered))["body-python"]
        request = _signed_as(context, draft, spaced.encode()).request(body=text.write(_ODD).encode())
        text, others = ordered, (Probe("body-sorted", "as json.dumps writes it", request),)
    for probe in _written(context, draft, text, "body-python", dict(_programs(text))):
        yield probe._replace(others=others)


def _json(context: Context, draft: Draft) -> JsonText:
    """Return the body as JSON.

    Raises:
        NotApplicable: it is no JSON object, or not signed.
    """
    context.require_json_object()
    text = JsonText.read(draft.payload)
    if text is None or "body" not in context.scheme.signed:
        raise NotApplicable("no JSON is signed")
    return text


def _written(
    context: Context, draft: Draft, text: JsonText, cause: str, programs: Mapping[str, str]
) -> Iterator[Probe]:
    """Yield a body with odd white space, signed as one program writes it; none if an earlier one does."""
    rewritten = programs.get(cause)
    same = [other for other in programs if programs[other] == rewritten]
    if rewritten is None or same[0] != cause:
        return
    names = " and ".join(_PROGRAMS[other] for other in same[1:])
    detail = f"{names} would write the same" if names else ""
    request = _signed_as(context, draft, rewritten.encode()).request(body=text.write(_ODD).encode())
    yield Probe(cause, detail, request)


_PROGRAMS: Final = {
    "body-javascript": "JSON.stringify",
    "body-python": "json.dumps",
    "body-php": "json_encode",
    "body-sorted": "a writer that sorts keys",
}


def _programs(text: JsonText) -> Iterator[tuple[str, str]]:
    """Yield the JSON as programs write it after they have read it, by the cause."""
    plain = JsonText(json_rewriting.slashes_unescaped(json_rewriting.unescaped(text.text)))
    shortest = plain.with_numbers(json_rewriting.as_shortest)
    compact = plain.write(COMPACT)
    yield "body-javascript", shortest.write(COMPACT)
    yield "body-python", json_rewriting.ascii_escaped(plain.write(SPACED))
    yield "body-php", json_rewriting.slashes_escaped(json_rewriting.ascii_escaped(compact))
    if plain.sorted is not None:
        yield "body-sorted", plain.sorted.write(COMPACT)


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
    if signed is not None and "body" in context.scheme.signed and not context.scheme.absent.body:
        yield Probe("body-only", "", signed.request())


# --- the secret ---------------------------------------------------------------------------------------------


def _edited(context: Context, draft: Draft, cause: str, edit: KeyEdit, detail: str = "") -> Iterator[Probe]:
    """Yield a signature by the secret with a change of its text."""
    if isinstance(context.provider.key, SharedSecretSpec):
        yield from _by_key(context, draft, cause, edited(context.provider.key.spec, edit), detail)


def _decoding(context: Context, draft: Draft, place: int) -> Iterator[Probe]:
    """Yield a signature by another key that the secret gives; two places if its prefix may be part of it."""
    key = context.provider.key
    if not isinstance(key, SharedSecretSpec) or draft.reveals_secret or (place and not key.prefix):
        return
    specs = ((spec_of(key, variant), detail) for variant, detail in _OTHER_KEYS[key.form])
    rows = (
        probe
        for spec, detail in specs
        if spec is not None
        for probe in _by_key(context, draft, "secret-decoding", spec, detail)
    )
    yield from islice(rows, place, place + 1)


def _by_key(context: Context, draft: Draft, cause: str, spec: KeySpec, detail: str) -> Iterator[Probe]:
    """Yield a signature by another key of the secret; none if the secret has no such form."""
    if signed := _signed(context, draft, key=spec):
        yield Probe(cause, detail, signed.request(), signed.texts)


def _empty(context: Context, draft: Draft) -> Iterator[Probe]:
    if isinstance(context.provider.key, SharedSecretSpec) and not draft.reveals_secret:
        signed = context.forge(draft, b"")
        yield Probe("secret-empty", "", signed.request(), signed.texts)


# --- the signature ------------------------------------------------------------------------------------------


def _algorithm(context: Context, draft: Draft, position: int) -> Iterator[Probe]:
    """Yield a signature by another algorithm, the one at this position of the list."""
    others = _OTHER_ALGORITHMS.get(context.scheme.signatures[0].algorithm, ())
    for other in others[position : position + 1]:
        if signed := _signed(context, draft, algorithm=other):
            yield Probe("algorithm", other.value.upper(), signed.request(), signed.texts)


def _encoding(context: Context, draft: Draft) -> Iterator[Probe]:
    first = context.scheme.signatures[0]
    other = _OTHER_ENCODINGS.get(first.encoding)
    if other is not None:
        signed = context.sign(draft)
        text = other.write(signed.raw[first.name])
        context.redactor.add_signature(text)
        texts = signed.texts | {first.name: text}
        yield Probe("encoding", other.value, signed.request(texts), texts)


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
    """Yield the signature of the URL as a receiver behind a proxy, on another port or host, sees it."""
    if "url" not in context.scheme.signed or context.scheme.query:
        return
    parts = urlsplit(context.url)
    scheme = "http" if parts.scheme == "https" else "https"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    other = _LOOPBACK.get(host) or (host.removeprefix("www.") if host.startswith("www.") else f"www.{host}")
    changed = (
        parts._replace(scheme=scheme),
        parts._replace(scheme=scheme, netloc=host),
        parts._replace(netloc=host),
        parts._replace(netloc=other + port),
        parts._replace(scheme=scheme, netloc=other),
    )
    for url in map(urlunsplit, changed):
        yield Probe("url", url, context.sign(with_fields(draft, url=url)).request())


# --- the order ----------------------------------------------------------------------------------------------


def _together(context: Context, draft: Draft, makers: tuple[Maker, ...]) -> Iterator[Probe]:
    """Yield one request that carries the signatures of several faults; the first one is the commonest."""
    rows = [row for maker in makers for row in _made(maker, context, draft)]
    if rows:
        first, *rest = rows
        texts = [row.texts for row in rows if row.texts is not None]
        yield first._replace(request=context.sign(draft).request(*texts), others=tuple(rest))


_newline: Final = partial(_edited, cause="secret-newline", edit=KeyEdit.ADD_NEWLINE)
_quotes: Final = partial(_edited, cause="secret-quotes", edit=KeyEdit.QUOTE, detail="double quotes")
_single_quotes: Final = partial(
    _edited, cause="secret-quotes", edit=KeyEdit.SINGLE_QUOTE, detail="single quotes"
)
_crlf: Final = partial(_edited, cause="secret-crlf", edit=KeyEdit.ADD_CRLF)
_other_decoding: Final = partial(_decoding, place=1)
_space: Final = partial(_edited, cause="secret-space", edit=KeyEdit.ADD_SPACE)
_php: Final = partial(_rewritten, cause="body-php")
_algorithm_1: Final = partial(_algorithm, position=0)
_header_with_x: Final = partial(_header, is_prefixed=False)


def _makers(scheme: Scheme, rejected: Exchange) -> tuple[Maker, ...]:
    """Return the makers of probes for a scheme, the commonest fault first.

    A maker whose part of the request the scheme does not sign yields nothing. The clock is guessed only if
    the response does not show it. A header with a list carries the signatures of several rare faults.
    """
    first: tuple[Maker, ...] = (
        _url,
        _names,
        _newline,
        _javascript,
        _python,
        _quotes,
        partial(_decoding, place=0),
        _lost_body,
        _body_alone,
    )
    clock: tuple[Maker, ...] = (_hour_behind,) if _date(rejected) is None else ()
    middle: tuple[Maker, ...]
    if scheme.rotation == "list":
        secrets = (_single_quotes, _crlf, _space, _empty)
        forms = (_encoding, _algorithm_1, _other_decoding)
        middle = (
            partial(_together, makers=secrets),
            partial(_together, makers=forms),
            _php,
            _header_with_x,
            _unit,
        )
    else:
        middle = (_empty, _encoding, _unit, _php, _single_quotes, _algorithm_1)
    last: tuple[Maker, ...] = (
        _literal,
        _other_decoding,
        _crlf,
        _space,
        partial(_rewritten, cause="body-sorted"),
        _header_with_x,
        partial(_header, is_prefixed=True),
        partial(_algorithm, position=1),
    )
    return first + clock + middle + last
