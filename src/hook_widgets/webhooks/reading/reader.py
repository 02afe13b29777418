"""Taking a received request apart by its provider's scheme: the inverse of drafting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hook_widgets.errors import InvalidRequest, UnknownName
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.reading import tokens
from hook_widgets.webhooks.reading.carried import Carried
from hook_widgets.webhooks.reading.choosing import choose_scheme
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.scheme import Encoding, Scheme, Signature
from hook_widgets.webhooks.scheme.fields import BUILT_IN, Fields
from hook_widgets.webhooks.scheme.moments import TimestampUnit, read_moment
from hook_widgets.webhooks.secret import KeySpec
from hook_widgets.webhooks.signing import MatchJob, SigningJob
from hook_widgets.webhooks.text.places import is_text
from hook_widgets.webhooks.text.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider
    from hook_widgets.webhooks.verifying import Receivable

_BLAME = {"headers": ("malformed_header", "Headers"), "url": ("malformed_header", "URL")}
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a request says about itself.

    Attributes:
        scheme: the scheme it follows.
        carrier: where its signature stands, in words.
        presented: the signatures it carries.
        fields: the template fields of the base string.
        urls: the URLs its sender may have signed.
        moment: the time it claims, if any.
        others: further times at which it says it was made; each has to be within the tolerance as well.
    """

    scheme: Scheme
    carrier: str
    presented: tuple[bytes, ...]
    fields: Fields
    urls: tuple[str, ...]
    moment: datetime | None
    others: tuple[datetime, ...] = ()

    def questions(self, spec: KeySpec) -> Iterator[MatchJob]:
        """The authoritative signature, asked about each URL that may have been signed."""
        first = self.scheme.signatures[0]
        for url in self.urls:
            fields = self.fields if url == self.fields["url"] else self.fields.changed(url=url)
            yield MatchJob(
                SigningJob(first.name, first.algorithm, spec, first.template.pieces(fields)), self.presented
            )


def read(provider: Provider, request: Receivable, parts: Mapping[str, str] | None = None) -> Reading:
    """Find signature, timestamp and the other signed fields of a request.

    Args:
        provider: whose scheme it follows.
        request: what was received.
        parts: fields that are signed and that no request carries, such as the id of a subscription.

    Raises:
        Misread: something is missing or malformed.
    """
    for label, text in (("URL", request.url), ("Method", request.method)):
        if not is_text(text):
            raise Misread(
                "malformed_header", label, f"the {label} holds half of a surrogate pair: no sender wrote that"
            )
    scheme = choose_scheme(provider, request)
    carried = Carried(scheme, _legible(request.headers), request.body)
    first = scheme.signatures[0]
    presented = _signatures(first, carried)
    fields = request_fields(provider, scheme, request, parts)
    needed = scheme.closure(first.template.names)
    for name in sorted((needed & carried.places.keys()) - _worked_out(scheme)):
        fields.know(name, carried.one(name))
    urls: tuple[str, ...] = (request.url,)
    if "url" in needed:
        urls = _urls(request.url)
        _check_query(scheme, fields, request.url)
    times: tuple[str, ...] = ()
    try:
        for name in sorted(needed & scheme.fields.keys()):
            spec = scheme.fields[name]
            if spec.jwt is not None:
                times += tokens.read(scheme, name, spec.jwt, fields, carried.places[first.name])
        moments = _claimed(scheme, times or _time(scheme, fields, needed, carried), carried)
        if moments:
            fields.claim(moments[0])
        first.template.pieces(fields)  # what a field is worked out from may be missing
    except InvalidRequest as error:
        reason, label = _BLAME.get(error.field, ("malformed_body", "Body"))
        raise Misread(reason, label, str(error)) from None
    except UnknownName as error:
        raise Misread(
            "missing_header", "Headers", f"the request lacks a part of what is signed: {error}"
        ) from None
    moment, *others = moments or (None,)
    return Reading(scheme, carried.places[first.name], presented, fields, urls, moment, tuple(others))


def _worked_out(scheme: Scheme) -> frozenset[str]:
    """The fields that are never taken from a header that says them: it may say what was signed once."""
    rules = (name for name, spec in scheme.fields.items() if spec.jwt is None and spec.time is None)
    return frozenset({"body", "url", "method", *BUILT_IN, *rules})


def request_fields(
    provider: Provider, scheme: Scheme, request: Receivable, parts: Mapping[str, str] | None = None
) -> Fields:
    """The fields of a received request that need no header of the scheme: body, method and URL."""
    fixed = {name: part.value for name, part in provider.parts.items() if part.value is not None}
    return Fields(
        {**fixed, **(parts or {}), "body": request.body, "method": request.method, "url": request.url},
        {**BUILT_IN, **scheme.makers(_legible(request.headers).get)},
    )


def _legible(headers: Mapping[str, str]) -> Headers:
    """The headers without those that some framework could not decode: nothing can be signed with them."""
    return Headers(pair for pair in Headers(headers).pairs if is_text(pair[1]))


def _time(scheme: Scheme, fields: Fields, needed: frozenset[str], carried: Carried) -> tuple[str, ...]:
    """The time that the request claims, if that is signed."""
    if scheme.timestamp is None:
        return ()
    if "timestamp" in carried.inside and "unsigned_body" in needed:
        return (carried.inside["timestamp"],)  # a header that says the same is not signed
    return (fields.text("timestamp"),) if "timestamp" in fields and "timestamp" in needed else ()


def _claimed(scheme: Scheme, texts: tuple[str, ...], carried: Carried) -> tuple[datetime, ...]:
    unit = scheme.timestamp or TimestampUnit.SECONDS
    place = carried.places.get("timestamp", "Token")
    try:
        return tuple(read_moment(text, unit) for text in texts)
    except ValueError:
        raise Misread("malformed_header", place, f"{place}: the timestamp is not {unit.described}") from None


def _signatures(signature: Signature, carried: Carried) -> tuple[bytes, ...]:
    """The signatures presented, decoded; those that cannot be right by form are left out."""
    texts, place = carried.all(signature.name), carried.places[signature.name]
    size = signature.algorithm.size
    raw = [signature.encoding.read(text) for text in texts]
    right = tuple(s for s in raw if s is not None and (size is None or len(s) == size))
    if right:
        return right
    want = f"{signature.encoding} of {size} bytes" if size else f"{signature.encoding}"
    got = "is not" if raw[0] is None else f"is of {len(raw[0])} bytes"
    digits = f" ({len(texts[0])} characters)"
    hint = ""
    if signature.encoding is Encoding.HEX and raw[0] is None and Encoding.BASE64.read(texts[0]):
        hint = "; it looks like base64"
    elif size == 32 and raw[0] is not None and len(raw[0]) == 20:
        hint = "; it looks like SHA-1"
    raise Misread(
        "malformed_header", place, f"{place}: the signature must be {want}, this one {got}{digits}{hint}"
    )


def _urls(url: str) -> tuple[str, ...]:
    """The URL as given, and with its default port added or taken away: senders differ in that."""
    if not url:
        raise Misread(
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


def _check_query(scheme: Scheme, fields: Fields, url: str) -> None:
    """A value the scheme puts into the URL, such as the body's hash, must be that of this request."""
    query = dict(parse_qsl(url.partition("#")[0].partition("?")[2], keep_blank_values=True))
    for name, text in scheme.query.items():
        if "body" not in scheme.closure(Template(text).names):
            continue  # the signature over the URL covers it
        given = query.get(name)
        if given is None:
            raise Misread(
                "missing_header", "URL", f"the URL has no {name!r}; give the URL as called, with its query"
            )
        if given.encode() != Template(text).render(fields):
            raise Misread(
                "body_hash_differs",
                "Body",
                f"the body's SHA-256 is not the {name!r} of the URL: the body was changed",
            )
