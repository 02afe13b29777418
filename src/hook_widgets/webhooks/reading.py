"""Taking a received request apart by its provider's scheme: the inverse of drafting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hook_widgets.errors import InvalidJson, InvalidRequest
from hook_widgets.webhooks import forms, jsontext
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.request import Fields, sha256_hex
from hook_widgets.webhooks.scheme import Encoding, HeaderValue, Scheme, Signature, TimestampUnit
from hook_widgets.webhooks.secret import KeySpec
from hook_widgets.webhooks.signing import Algorithm, MatchJob, SigningJob
from hook_widgets.webhooks.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.catalog import Provider
    from hook_widgets.webhooks.verifying import Receivable

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_SIGNATURE_BYTES = {
    Algorithm.HMAC_SHA1: 20,
    Algorithm.HMAC_SHA256: 32,
    Algorithm.HMAC_SHA512: 64,
    Algorithm.ED25519: 64,
}


class Misread(Exception):
    """The request cannot be read by this scheme; becomes a verdict, never escapes.

    Attributes:
        reason: the value of a `hook_widgets.webhooks.verifying.Reason`.
        label: what was looked at.
    """

    def __init__(self, reason: str, label: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.label = label


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
    """

    scheme: Scheme
    carrier: str
    presented: tuple[bytes, ...]
    fields: Fields
    urls: tuple[str, ...]
    moment: datetime | None

    def questions(self, spec: KeySpec) -> Iterator[MatchJob]:
        """The authoritative signature, asked about each URL that may have been signed."""
        first = self.scheme.signatures[0]
        for url in self.urls:
            self.fields["url"] = url
            pieces = first.template.pieces(self.fields)
            yield MatchJob(SigningJob(first.name, first.algorithm, spec, pieces), self.presented)


def read(provider: Provider, request: Receivable) -> Reading:
    """Find signature, timestamp and the other signed fields of a request.

    Raises:
        Misread: something is missing or malformed.
    """
    headers = Headers(request.headers)
    scheme = choose_scheme(provider, headers)
    carried = _Carried(scheme, headers, request.body)
    first = scheme.signatures[0]
    presented = _signatures(first, carried)
    fields = Fields(
        {"body": request.body, "method": request.method, "url": request.url},
        lazy={
            "body_sha256": lambda: sha256_hex(request.body),
            "sorted_form": lambda: _sorted_form(request.body),
        },
    )
    needed = first.template.names
    for name in sorted(needed & carried.places.keys()):
        fields[name] = carried.one(name)
    moment = None
    if "timestamp" in needed and scheme.timestamp is not None:
        moment = _moment(str(fields["timestamp"]), scheme.timestamp, carried.places["timestamp"])
    urls: tuple[str, ...] = ("",)
    if "url" in needed:
        urls = _urls(request.url)
        _check_query(scheme, fields, request.url)
    if "sorted_form" in needed:
        fields.update(sorted_form=fields["sorted_form"])
    return Reading(scheme, carried.places[first.name], presented, fields, urls, moment)


def choose_scheme(provider: Provider, headers: Headers) -> Scheme:
    """The scheme whose media type and signature header the request has; the first when none fits."""
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    fitting = [s for s in provider.schemes if s.content_type in (None, media)] or list(provider.schemes)
    for scheme in fitting:
        signature = scheme.signatures[0].name
        for name, shapes in scheme.header_shapes.items():
            if name in headers and any(signature in shape.names for shape in shapes):
                return scheme
    return fitting[0]


class _Carried:
    """The template fields that a request carries, and the place of each, there or not."""

    def __init__(self, scheme: Scheme, headers: Headers, body: bytes) -> None:
        self.places: dict[str, str] = {}
        self._values: dict[str, list[str]] = {}
        self._shapes: dict[str, str] = {}
        self._there: set[str] = set()
        for name, shapes in scheme.header_shapes.items():
            spec = scheme.headers[name]
            for text in headers.all(name):
                self._there.add(name)
                for element in text.split(spec.list) if isinstance(spec, HeaderValue) else [text]:
                    self._take(element.strip(), shapes)
            self._place(name, shapes, scheme.header_template(name).text)
        for path, text in scheme.body.items():
            place = f"{path} in the body"
            if isinstance(value := _value_at(body, path), str):
                self._there.add(place)
                self._take(value, (Template(text),))
            self._place(place, (Template(text),), text)

    def all(self, field: str) -> list[str]:
        """Every value of the field.

        Raises:
            Misread: its place is missing, or has another shape.
        """
        if field in self._values:
            return self._values[field]
        place = self.places[field]
        if place not in self._there:
            hint = "" if " in the body" in place else "; was it renamed or dropped by a proxy or framework?"
            raise Misread(
                "missing_header", place, f"the request has no {place}, which carries the {field}{hint}"
            )
        shape = re.sub(r"\{(\w+)\}", r"<\1>", self._shapes[place])
        raise Misread(
            "malformed_header", place, f"{place} does not have the shape {shape}, so it holds no {field}"
        )

    def one(self, field: str) -> str:
        """The field's first value; see `all`."""
        return self.all(field)[0]

    def _take(self, text: str, shapes: tuple[Template, ...]) -> None:
        for shape in shapes:
            if (match := shape.match(text)) is not None:
                for field, value in match.items():
                    self._values.setdefault(field, []).append(value)
                return

    def _place(self, place: str, shapes: tuple[Template, ...], shape: str) -> None:
        self._shapes[place] = shape
        for field in frozenset[str]().union(*(s.names for s in shapes)):
            self.places.setdefault(field, place)


def _signatures(signature: Signature, carried: _Carried) -> tuple[bytes, ...]:
    """The signatures presented, decoded; those that cannot be right by form are left out."""
    texts, place = carried.all(signature.name), carried.places[signature.name]
    size = _SIGNATURE_BYTES.get(signature.algorithm)
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


def _moment(text: str, unit: TimestampUnit, place: str) -> datetime:
    """The time a timestamp stands for.

    Raises:
        Misread: it is not written in the provider's unit.
    """
    try:
        if unit is TimestampUnit.ISO8601:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
            return moment
        if not re.fullmatch(r"[0-9]{1,16}", text):
            raise ValueError
        scale = timedelta(seconds=1) if unit is TimestampUnit.SECONDS else timedelta(milliseconds=1)
        return _EPOCH + int(text) * scale
    except (ValueError, OverflowError):
        wanted = {"s": "whole Unix seconds", "ms": "whole Unix milliseconds"}.get(unit, "an ISO 8601 time")
        raise Misread("malformed_header", place, f"{place}: the timestamp is not {wanted}") from None


def _value_at(body: bytes, path: str) -> object | None:
    try:
        return jsontext.value_at(body, path)
    except InvalidJson as error:
        raise Misread(
            "malformed_body", "Body", f"the signature stands inside the JSON body, but {error}"
        ) from None


def _sorted_form(body: bytes) -> bytes:
    try:
        return forms.sorted_form(body)
    except InvalidRequest as error:
        raise Misread("malformed_body", "Body", f"the form body cannot be read: {error}") from None


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
