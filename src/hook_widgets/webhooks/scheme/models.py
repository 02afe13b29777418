"""Records of a ``provider.toml``: the signed content of a request, and the place of the signature.

Every difference between providers is a value of these records. The records are strict: an unknown key is an
error, so that typing mistakes in a data file are reported when it is loaded.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, partial
from typing import Annotated, Literal

from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme.computed_fields import Derived, HeaderOf
from hook_widgets.webhooks.scheme.fields import SOURCES, Maker
from hook_widgets.webhooks.scheme.record import Limit, Record
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit

_Positive = Annotated[int, Limit(gt=0)]


class Encoding(StrEnum):
    """The text encoding of the bytes of a signature."""

    HEX = "hex"
    BASE64 = "base64"
    BASE64URL = "base64url"
    TEXT = "text"

    @property
    def write(self) -> Callable[[bytes], str]:
        """The function that encodes a signature.

        It returns lower-case hex, padded base64, base64url without padding (RFC 7515), or the bytes as text.
        """
        return _WRITERS[self]

    def read(self, text: str) -> bytes | None:
        """Decode a signature; None if the text does not have this encoding.

        Hex is accepted in either case, as by receivers. Base64 is accepted only as `write` encodes it:
        base64url has no padding (RFC 7515 section 2), and unused bits at the end are zero (RFC 4648 section
        3.5).
        """
        try:
            match self:
                case Encoding.HEX:
                    return None if any(map(str.isspace, text)) else bytes.fromhex(text)
                case Encoding.BASE64:
                    return self._exact(base64.b64decode(text, validate=True), text)
                case Encoding.BASE64URL:
                    padded = text + "=" * (-len(text) % 4)
                    return self._exact(base64.b64decode(padded, altchars=b"-_", validate=True), text)
                case Encoding.TEXT:
                    return text.encode()
        except (ValueError, binascii.Error):
            return None

    def _exact(self, raw: bytes, text: str) -> bytes | None:
        return raw if self.write(raw) == text else None


_WRITERS: dict[Encoding, Callable[[bytes], str]] = {
    Encoding.HEX: bytes.hex,
    Encoding.BASE64: lambda raw: base64.b64encode(raw).decode(),
    Encoding.BASE64URL: lambda raw: base64.urlsafe_b64encode(raw).rstrip(b"=").decode(),
    Encoding.TEXT: bytes.decode,
}


@dataclass(frozen=True, kw_only=True)
class Signature(Record):
    """One signature of a request.

    Attributes:
        algorithm: the signature algorithm.
        message: the template of the base string.
        encoding: the encoding of its bytes.
        name: the template field that holds it.
    """

    algorithm: Algorithm
    message: str
    encoding: Encoding
    name: str = "signature"

    @cached_property
    def template(self) -> Template:
        """The base string as a `Template`."""
        return Template(self.message)


@dataclass(frozen=True, kw_only=True)
class HeaderValue(Record):
    """A header whose value is a list: elements separated by `list`, each with its own shape.

    White space around an element is ignored, as is a space in a separator such as ``", "``.
    """

    value: str
    list: Annotated[str, Limit(min_length=1)]

    @property
    def elements(self) -> tuple[Template, ...]:
        """The shape of each element."""
        return tuple(Template(part.strip()) for part in self.value.split(self.list.strip() or self.list))


@dataclass(frozen=True, kw_only=True)
class BodyValue(Record):
    """A value inside the JSON body.

    Attributes:
        value: its template.
        type: how JSON writes it, ``"string"`` or ``"number"``.
    """

    value: str
    type: Literal["string", "number"] = "string"


@dataclass(frozen=True, kw_only=True)
class OlderHeader(Record):
    """The header that carries the signature by a previous secret; ``{n}`` counts from 2."""

    header: str

    def name(self, n: int) -> str:
        """Return the name of the header of the n-th signature."""
        return Template(self.header).render({"n": str(n)}).decode()


@dataclass(frozen=True, kw_only=True)
class Absent(Record):
    """Parts that a request of a scheme never has; a request with one of them is rejected.

    They distinguish a scheme that signs the body from a scheme of the same provider without body. Otherwise
    an attacker could remove the body to select the scheme that does not check it.

    Attributes:
        body: True if requests have no body.
        query: parameters of the URL, such as the hash of a body.
        claims: claims of the token, such as the hash of a body.
    """

    body: bool = False
    query: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scheme(Record):
    """A signature scheme of a provider.

    Attributes:
        name: its name in code.
        signatures: the signatures; a receiver checks the first, the others are sent in addition.
        headers: header name to the template of its value, in sending order.
        title: its name for people.
        method: the HTTP method.
        content_type: the media type of its requests, if the provider has one scheme per media type.
        tolerance_s: the maximum difference between the timestamp and a receiver's clock, in seconds, in both
            directions.
        timestamp: the unit of ``{timestamp}``; None if the request carries no time.
        query: parameters appended to the URL.
        body: dotted JSON path to the template of the value there.
        form: form parameter to the template of its value.
        json_in: the form field that holds the JSON; "" if the body is the JSON.
        fields: template fields computed from the request.
        rotation: the place of a second signature while a secret is rotated: another element of the header's
            ``"list"``, or a header of its own.
        absent: the parts that its requests never have.
        sources: URLs of the sources of these facts.
    """

    name: str
    signatures: Annotated[tuple[Signature, ...], Limit(min_length=1)]
    headers: dict[str, str | HeaderValue]
    title: str = ""
    method: str = "POST"
    content_type: str | None = None
    tolerance_s: _Positive | None = None
    timestamp: TimestampUnit | None = None
    query: dict[str, str] = field(default_factory=dict)
    body: dict[str, str | BodyValue] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    json_in: str = ""
    fields: dict[str, Derived] = field(default_factory=dict)
    rotation: Literal["list"] | OlderHeader | None = None
    absent: Absent = Absent()
    sources: tuple[str, ...] = ()

    @property
    def reveals_secret(self) -> bool:
        """True if requests carry the secret itself (a plain token, Basic) instead of a signature."""
        return any(signature.algorithm.reveals_secret for signature in self.signatures)

    def makers(self, header: HeaderOf) -> dict[str, Maker]:
        """Return the functions that compute the scheme's own fields.

        Args:
            header: looks up the request's headers.
        """
        return {
            name: partial(spec.derive, header=header, json_in=self.json_in)
            for name, spec in self.fields.items()
        }

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """Return the fields of these names and all fields from which they are computed."""
        closure: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in closure:
                closure.add(name)
                waiting += SOURCES.get(name, ())
                if name in self.fields:
                    waiting += self.fields[name].sources
                    waiting += self._signed_headers(self.fields[name].signed_headers)
        return frozenset(closure)

    def _signed_headers(self, listing: str | None) -> Iterator[str]:
        """Yield the fields in the headers that are signed because that header lists them."""
        listed = (
            {part.strip().lower() for part in self.header_template(listing).text.split(",")}
            if listing
            else ()
        )
        for name in self.headers:
            if name.lower() in listed:
                yield from self.header_template(name).names

    @cached_property
    def signed(self) -> frozenset[str]:
        """The fields that the first signature covers."""
        return self.closure(self.signatures[0].template.names)

    @cached_property
    def covers_body(self) -> bool:
        """True if the body is signed, directly or through a signed URL."""
        signed = self.signed
        if "url" in signed:
            signed |= self.closure(name for text in self.query.values() for name in Template(text).names)
        return "unsigned_body" in signed

    @cached_property
    def bound_query(self) -> dict[str, str]:
        """The URL's parameters that a receiver compares with the request.

        They repeat a signed value, or bind the body to a signed URL, as its hash does.
        """
        names = {name: Template(text).names for name, text in self.query.items()}
        return {
            name: text
            for name, text in self.query.items()
            if names[name] & self.signed or ("url" in self.signed and "body" in self.closure(names[name]))
        }

    def separator(self, header: str) -> str:
        """Return the separator of the elements of a header; "" if it is not a list.

        A header that is repeated for the signature by a previous secret is a list (RFC 9110 section 5.3).
        """
        spec = self.headers[header]
        if isinstance(spec, HeaderValue):
            return spec.list.strip() or spec.list
        repeated = isinstance(self.rotation, OlderHeader) and self.rotation.header.lower() == header.lower()
        return "," if repeated else ""

    @cached_property
    def header_shapes(self) -> dict[str, tuple[Template, ...]]:
        """Header name to the shapes of its elements; one shape for a header that is not a list."""
        return {
            name: value.elements if isinstance(value, HeaderValue) else (Template(value),)
            for name, value in self.headers.items()
        }

    def carriers(self, fields: Set[str]) -> list[str]:
        """Return the names of the headers in whose elements one of these fields is."""
        shapes = self.header_shapes.items()
        return [name for name, elements in shapes if any(element.names & fields for element in elements)]

    def header_template(self, name: str) -> Template:
        """Return the template of the entire value of the header of that name."""
        return self._header_templates[name]

    @cached_property
    def _header_templates(self) -> dict[str, Template]:
        return {
            name: Template(value.value if isinstance(value, HeaderValue) else value)
            for name, value in self.headers.items()
        }

    @cached_property
    def body_templates(self) -> dict[str, Template]:
        """JSON path to the template of the value there."""
        return {
            path: Template(value if isinstance(value, str) else value.value)
            for path, value in self.body.items()
        }

    @cached_property
    def signature_names(self) -> frozenset[str]:
        """The template fields that carry signatures."""
        return frozenset(signature.name for signature in self.signatures)


@dataclass(frozen=True, kw_only=True)
class Part(Record):
    """A template field that a caller may set, and that is generated by default.

    Attributes:
        make: the generator of the default; ``"uuid"`` is a random UUID (version 4); ``"uuid1"`` (a UUID of
            version 1), ``"ksuid"`` and ``"ulid"`` have the time of the request in them; ``"base32"`` draws
            from the alphabet of RFC 4648 in lower case; ``"base64"`` encodes random bytes, with padding.
        length: the number of characters that it draws from an alphabet, or of bytes for base64.
        prefix: literal text before them.
        upper: whether hexadecimal digits are in upper case.
        value: a constant default instead of a generated one.
        others: constants that the sender also uses, each with the requests that have it.
    """

    make: Literal["uuid", "uuid1", "hex", "digits", "base62", "base32", "base64", "ksuid", "ulid"] | None = (
        None
    )
    length: _Positive = 32
    prefix: str = ""
    upper: bool = False
    value: str | None = None
    others: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ResponseRules(Record):
    """The response that a provider demands of every receiver.

    Attributes:
        within_s: the time limit for the whole response, in seconds; None if it is not known.
        accepted_statuses: the only statuses that mean "accepted"; any 2xx if there is none.
        bare: True if a response must have no body and set no cookie.
        rejected_status: the status of the response to a wrong signature, if the provider sends one on
            purpose and checks it.
        signs_before_gzip: True if the provider can compress bodies with gzip, and signs them before.
        sources: URLs of the sources of these facts.
    """

    within_s: _Positive | None = None
    accepted_statuses: tuple[int, ...] = ()
    bare: bool = False
    rejected_status: _Positive | None = None
    signs_before_gzip: bool = False
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Serializer(Record):
    """The serializer with which a provider writes the JSON of its bodies.

    Attributes:
        style: what it writes.
        others: the events that another sender writes, by name, each with what that one writes.
        sources: the lines of the sender's source code, or URLs, that say so.
    """

    style: JsonStyle
    others: dict[str, JsonStyle] = field(default_factory=dict)
    sources: Annotated[tuple[str, ...], Limit(min_length=1)]

    def style_of(self, event: str) -> JsonStyle:
        """Return how the body of the event of that name is written."""
        return self.others.get(event, self.style)


@dataclass(frozen=True, kw_only=True)
class DeliveryRules(Record):
    """The meaning of what a provider sends beside the event itself.

    Attributes:
        id_header: the header with the id of an event, which is the same in each copy of it.
        id_path: the JSON path, or the form field, of that id.
        without_id: the names of the events whose bodies carry no id of their own there: none, or only that
            of an object, which the next event about it has, too.
        retry_headers: the headers that a first retry has in addition.
        account: the JSON path of the account to which an event belongs.
        live: the JSON path of a boolean that is true in live mode and false in test mode.
        key_header: the header with the URL of the certificate or key to verify with.
        key_path: the JSON path of that URL.
        subscription: the header with the id of the subscription for which an event is sent.
        receivers_path: the path at which a receiver may list the paths of its endpoints, as a JSON object
            with the member ``receivers``.
        max_body_bytes: the size of the largest body that the provider sends; None if it is not published.
        sources: URLs of the sources of these facts.
        searched: where a source was looked for in vain; the facts are not confirmed then.
    """

    id_header: str = ""
    id_path: str = ""
    without_id: tuple[str, ...] = ()
    retry_headers: dict[str, str] = field(default_factory=dict)
    account: str = ""
    live: str = ""
    key_header: str = ""
    key_path: str = ""
    subscription: str = ""
    receivers_path: str = ""
    max_body_bytes: _Positive | None = None
    sources: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Event(Record):
    """An event that a provider sends.

    Attributes:
        name: the name by which users select it.
        category: the group in which it is listed.
        title: its name for people.
        file: the file of its body below ``events/``.
        body: the body itself, for a provider in a single file.
        type: the value of ``{event_type}``; the name by default.
        scheme: the scheme with which it is sent; the provider's first by default.
        headers: templates that add to or replace the headers of that scheme; "" removes one.
    """

    name: str
    category: str
    title: str = ""
    file: str = ""
    body: str | None = None
    type: str = ""
    scheme: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def body_file(self) -> str:
        """The name of the file of its body."""
        return self.file or re.sub(r"[^A-Za-z0-9._-]", "-", self.name) + ".json"
