"""Parse a received request by its provider's scheme: the inverse of drafting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hook_widgets.errors import UnknownName, UnreadableMessage
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.secret import KeySpec
from hook_widgets.webhooks.keys.signing import MatchJob, SigningJob
from hook_widgets.webhooks.scheme import Encoding, Scheme, Signature
from hook_widgets.webhooks.scheme.fields import BUILT_IN, Fields
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, read_moment
from hook_widgets.webhooks.verification.parsing import tokens
from hook_widgets.webhooks.verification.parsing.errors import ParseError, malformed, unexpected
from hook_widgets.webhooks.verification.parsing.parsed_request import ParsedRequest
from hook_widgets.webhooks.verification.parsing.scheme_selection import choose_scheme

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider
    from hook_widgets.webhooks.requests.request import Receivable

_REASONS = {"headers": ("malformed_header", "Headers"), "url": ("malformed_header", "URL")}
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The facts that a request states about itself.

    Attributes:
        scheme: the scheme it follows.
        carrier: the place of its signature, in words.
        candidates: the signatures it carries.
        fields: the template fields of the base string.
        urls: the URLs that its sender may have signed.
        moment: the time it claims, if any.
        others: further times at which it claims to have been made; each must be within the tolerance, too.
    """

    scheme: Scheme
    carrier: str
    candidates: tuple[bytes, ...]
    fields: Fields
    urls: tuple[str, ...]
    moment: datetime | None
    others: tuple[datetime, ...] = ()

    def questions(self, spec: KeySpec) -> Iterator[MatchJob]:
        """Yield a job for the authoritative signature with each URL that may have been signed."""
        first = self.scheme.signatures[0]
        for url in self.urls:
            fields = self.fields if url == self.fields["url"] else self.fields.changed(url=url)
            job = SigningJob(first.name, first.algorithm, spec, first.template.pieces(fields))
            yield MatchJob(job=job, candidates=self.candidates, scheme=self.scheme.name)


def read(provider: Provider, request: Receivable, parts: Mapping[str, str] | None = None) -> Reading:
    """Find the signature, the timestamp and the other signed fields of a request.

    Args:
        provider: the provider whose scheme it follows.
        request: the received request.
        parts: signed fields that no request carries, such as the id of a subscription.

    Raises:
        ParseError: something is missing or malformed.
    """
    for label, text in (("URL", request.url), ("Method", request.method)):
        if not is_text(text):
            raise malformed(label, f"the {label} holds half of a surrogate pair: no sender wrote that")
    scheme = choose_scheme(provider, request)
    parsed = ParsedRequest(scheme, legible(request.headers), request.body)
    first = scheme.signatures[0]
    candidates = _signatures(first, parsed)
    fields = request_fields(provider, scheme, request, parts)
    needed = scheme.signed
    _check_absent(scheme, request)
    for name in sorted((needed & parsed.places.keys()) - _computed(scheme)):
        fields.set(name, parsed.one(name))
    urls: tuple[str, ...] = (request.url,)
    if "url" in needed:
        urls = _urls(request.url)
    times: tuple[str, ...] = ()
    try:
        _check_query(scheme, fields, request.url)
        for name in sorted(needed & scheme.fields.keys()):
            spec = scheme.fields[name]
            if spec.jwt is not None:
                times += tokens.read(scheme, name, spec.jwt, fields, parsed.places[first.name])
        moments = _claimed_times(scheme, times or _time(scheme, fields, needed, parsed), parsed)
        if moments:
            fields.claim(moments[0])
        first.template.pieces(fields)  # raises if the source of a computed field is missing
    except UnreadableMessage as error:
        reason, label = _REASONS.get(error.field, ("malformed_body", "Body"))
        raise ParseError(reason, label, str(error)) from None
    except UnknownName as error:
        raise ParseError(
            "missing_header", "Headers", f"the request lacks a part of what is signed: {error}"
        ) from None
    moment, *others = moments or (None,)
    return Reading(
        scheme=scheme,
        carrier=parsed.places[first.name],
        candidates=candidates,
        fields=fields,
        urls=urls,
        moment=moment,
        others=tuple(others),
    )


def _computed(scheme: Scheme) -> frozenset[str]:
    """Return the fields that are never taken from a header, which may repeat an earlier request's value."""
    rules = (name for name, spec in scheme.fields.items() if spec.jwt is None and spec.time is None)
    return frozenset({"body", "url", "method", *BUILT_IN, *rules})


def request_fields(
    provider: Provider, scheme: Scheme, request: Receivable, parts: Mapping[str, str] | None = None
) -> Fields:
    """Return the fields of a request that need no header of the scheme: body, method and URL."""
    fixed = {name: part.value for name, part in provider.parts.items() if part.value is not None}
    headers = legible(request.headers)

    def joined(name: str) -> str | None:
        """Return all lines of a header as one value (RFC 9110 section 5.2)."""
        return ", ".join(headers.get_list(name)) if name in headers else None

    return Fields(
        {**fixed, **(parts or {}), "body": request.body, "method": request.method, "url": request.url},
        {**BUILT_IN, **scheme.makers(joined)},
    )


def legible(headers: Mapping[str, str]) -> Headers:
    """Drop the headers that some framework could not decode, as no signature can cover them."""
    return Headers(pair for pair in Headers(headers).multi_items() if is_text(pair[1]))


def _time(scheme: Scheme, fields: Fields, needed: frozenset[str], parsed: ParsedRequest) -> tuple[str, ...]:
    """Return the time that the request claims, if it is signed."""
    if scheme.timestamp is None:
        return ()
    if "timestamp" in parsed.inside and "unsigned_body" in needed:
        return (parsed.inside["timestamp"],)  # a header that repeats it is not signed
    return (fields.text("timestamp"),) if "timestamp" in fields and "timestamp" in needed else ()


def _claimed_times(scheme: Scheme, texts: tuple[str, ...], parsed: ParsedRequest) -> tuple[datetime, ...]:
    unit = scheme.timestamp or TimestampUnit.SECONDS
    place = parsed.places.get("timestamp", "Token")
    try:
        return tuple(read_moment(text, unit) for text in texts)
    except ValueError:
        raise malformed(place, f"{place}: the timestamp is not {unit.described}") from None


def _signatures(signature: Signature, parsed: ParsedRequest) -> tuple[bytes, ...]:
    """Return the signatures of the request, decoded, without those that have a wrong form."""
    texts, place = parsed.all(signature.name), parsed.places[signature.name]
    size = signature.algorithm.size
    raw = [signature.encoding.read(text) for text in texts]
    well_formed = tuple(s for s in raw if s is not None and (size is None or len(s) == size))
    if well_formed:
        return well_formed
    expected = f"{signature.encoding} of {size} bytes" if size else f"{signature.encoding}"
    actual = "is not" if raw[0] is None else f"has {len(raw[0])}"
    digits = f" ({len(texts[0])} character{'' if len(texts[0]) == 1 else 's'})"
    hint = ""
    if signature.encoding is Encoding.HEX and raw[0] is None and Encoding.BASE64.read(texts[0]):
        hint = "; it looks like base64"
    elif size == 32 and raw[0] is not None and len(raw[0]) == 20:
        hint = "; it looks like SHA-1"
    raise malformed(
        place,
        f"{place}: the signature must be {expected}, this one {actual}{digits}{hint}",
    )


def _urls(url: str) -> tuple[str, ...]:
    """Return the URL as given, and with its default port added or removed, as senders differ in that."""
    if not url:
        raise ParseError(
            "missing_header", "URL", "this provider signs the URL; give the full URL the sender called"
        )
    try:
        parts = urlsplit(url)
        port, default = parts.port, _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return (url,)
    if default is None or not parts.hostname:
        return (url,)
    host = parts.netloc
    if port is None:
        other = f"{host.rstrip(':')}:{default}"
    elif port == default:
        other = host.rpartition(":")[0]
    else:
        return (url,)
    return (url, url.replace(host, other, 1))


def _query_of(url: str) -> list[tuple[str, str]]:
    return parse_qsl(url.partition("#")[0].partition("?")[2], keep_blank_values=True)


def _check_absent(scheme: Scheme, request: Receivable) -> None:
    """Reject values that no request of the scheme has; `tokens.read` checks the claims."""
    if scheme.absent.body and request.body:
        raise ParseError(
            "malformed_body",
            "Body",
            f"a request of this kind ({scheme.title or scheme.name}) has no body, and this one is unsigned; "
            "it was added on the way",
        )
    parameters = {name for name, _ in _query_of(request.url)}
    for name in parameters.intersection(scheme.absent.query):
        raise unexpected(scheme, f"the URL has {name!r}")


def _check_query(scheme: Scheme, fields: Fields, url: str) -> None:
    """Check that signed values in the URL, and values that bind the body to it, fit this request."""
    if scheme.bound_query and not url:
        raise ParseError("missing_header", "URL", "the URL carries what is signed; give the URL as called")
    query = _query_of(url)
    for name, text in scheme.bound_query.items():
        values = [value for key, value in query if key == name]
        if not values:
            raise ParseError(
                "missing_header", "URL", f"the URL has no {name!r}; give the URL as called, with its query"
            )
        if len(values) > 1:
            raise malformed(
                "URL",
                f"the URL has {name!r} twice, and receivers differ in which one they take",
            )
        if values[0].encode(errors="surrogatepass") == Template(text).render(fields):
            continue
        if "body" in scheme.closure(Template(text).names):
            raise ParseError(
                "body_hash_differs",
                "Body",
                f"the body's SHA-256 is not the {name!r} of the URL: the body was changed",
            )
        raise malformed("URL", f"the {name!r} of the URL is not that of this request: one was changed")
