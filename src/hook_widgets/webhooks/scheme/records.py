"""What a provider signs and where it puts the signature: the records of a ``provider.toml``.

Everything a provider does differently is a value here. The records are strict: a key that is not
listed below is an error, so that a slip of the pen in a data file is found when it is read.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cached_property, partial
from typing import Annotated, Literal

from pydantic import Field

from hook_widgets.webhooks.keypair import KeyType, PublicForm
from hook_widgets.webhooks.scheme.derived import Derived, HeaderOf
from hook_widgets.webhooks.scheme.fields import SOURCES, Fields, Maker
from hook_widgets.webhooks.scheme.moments import TimestampUnit
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.secret import KeyForm, KeySpec
from hook_widgets.webhooks.signing import Algorithm
from hook_widgets.webhooks.text.template import Template

_Positive = Annotated[int, Field(gt=0)]


class Encoding(StrEnum):
    """How the bytes of a signature are written."""

    HEX = "hex"
    BASE64 = "base64"
    BASE64URL = "base64url"
    TEXT = "text"

    @property
    def write(self) -> Callable[[bytes], str]:
        """Makes a signature's text.

        Lower-case hex, padded base64, base64url without padding (RFC 7515), or the bytes as they are.
        """
        return _WRITERS[self]

    def read(self, text: str) -> bytes | None:
        """The bytes of a signature, or None when the text is not of this encoding.

        Hex is read in either case, as receivers do.
        """
        try:
            match self:
                case Encoding.HEX:
                    return None if any(map(str.isspace, text)) else bytes.fromhex(text)
                case Encoding.BASE64:
                    return base64.b64decode(text, validate=True)
                case Encoding.BASE64URL:
                    padded = text + "=" * (-len(text) % 4)
                    return base64.b64decode(padded, altchars=b"-_", validate=True)
                case Encoding.TEXT:
                    return text.encode()
        except (ValueError, binascii.Error):
            return None


_WRITERS: dict[Encoding, Callable[[bytes], str]] = {
    Encoding.HEX: bytes.hex,
    Encoding.BASE64: lambda raw: base64.b64encode(raw).decode(),
    Encoding.BASE64URL: lambda raw: base64.urlsafe_b64encode(raw).rstrip(b"=").decode(),
    Encoding.TEXT: bytes.decode,
}


class Signature(Record):
    """One signature of a request.

    Attributes:
        name: the template field it fills.
        algorithm: how it is made.
        message: the base string, a template.
        encoding: how its bytes are written.
    """

    algorithm: Algorithm
    message: str
    encoding: Encoding
    name: str = "signature"

    @cached_property
    def template(self) -> Template:
        """The base string as a `Template`."""
        return Template(self.message)


class HeaderValue(Record):
    """A header whose value is a list: elements divided by `list`, each of its own shape.

    White space around an element means nothing, nor does a space in a divider such as ``", "``.
    """

    value: str
    list: Annotated[str, Field(min_length=1)]

    @property
    def elements(self) -> tuple[Template, ...]:
        """The shape of each element."""
        return tuple(map(Template, self.divided(self.value)))

    def divided(self, text: str) -> tuple[str, ...]:
        """The elements of a value."""
        return tuple(part.strip() for part in text.split(self.list.strip() or self.list))


class BodyValue(Record):
    """A value inside the JSON body: a string, or a number."""

    value: str
    type: Literal["string", "number"] = "string"


class OlderHeader(Record):
    """The header that carries the signature by an older secret; ``{n}`` counts from 2."""

    header: str

    def name(self, n: int) -> str:
        """The header of the n-th signature."""
        return Template(self.header).render({"n": str(n)}).decode()


class Scheme(Record):
    """One way in which a provider signs requests.

    Attributes:
        headers: name to value template, in the order in which they are sent.
        query: parameters appended to the URL.
        body: dotted JSON path to the template of the value that stands there.
        form: form parameter to the template of its value.
        json_in: the form field that holds the JSON; "" when the body is the JSON.
        fields: template fields worked out from the request.
        signatures: the first is what a receiver checks; the others are sent beside it.
        rotation: where a second signature goes while a secret is rolled: one more element of the header's
            ``"list"``, or a header of its own.
        tolerance_s: how far a receiver lets the timestamp be from its clock, in seconds, on both sides.
        timestamp: unit of ``{timestamp}``; None when the request carries no time.
        content_type: the media type this scheme is for, when a provider has one scheme for each.
        sources: where the facts come from.
    """

    name: str
    signatures: Annotated[tuple[Signature, ...], Field(min_length=1)]
    headers: dict[str, str | HeaderValue]
    title: str = ""
    method: str = "POST"
    content_type: str | None = None
    tolerance_s: _Positive | None = None
    timestamp: TimestampUnit | None = None
    query: dict[str, str] = Field(default_factory=dict)
    body: dict[str, str | BodyValue] = Field(default_factory=dict)
    form: dict[str, str] = Field(default_factory=dict)
    json_in: str = ""
    fields: dict[str, Derived] = Field(default_factory=dict)
    rotation: Literal["list"] | OlderHeader | None = None
    sources: tuple[str, ...] = ()

    def makers(self, header: HeaderOf) -> dict[str, Maker]:
        """How the scheme's own fields are worked out.

        Args:
            header: finds the request's headers.
        """
        return {name: partial(_derive, spec, header, self.json_in) for name, spec in self.fields.items()}

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """These fields and all that they are worked out from."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += SOURCES.get(name, ())
                if name in self.fields:
                    waiting += self.fields[name].sources
                    waiting += self._signed_headers(self.fields[name].signed_headers)
        return frozenset(found)

    def _signed_headers(self, listing: str | None) -> Iterator[str]:
        """The fields in the headers that are signed because that header lists them."""
        listed = (
            {part.strip().lower() for part in self.header_template(listing).text.split(",")}
            if listing
            else ()
        )
        for name in self.headers:
            if name.lower() in listed:
                yield from self.header_template(name).names

    @cached_property
    def header_shapes(self) -> dict[str, tuple[Template, ...]]:
        """Header name to the shapes of its elements; one shape for a header that is no list."""
        return {
            name: value.elements if isinstance(value, HeaderValue) else (Template(value),)
            for name, value in self.headers.items()
        }

    def header_template(self, name: str) -> Template:
        """The whole value of one header as a template."""
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


def _derive(spec: Derived, header: HeaderOf, json_in: str, fields: Fields) -> bytes | str:
    return spec.derive(fields, header, json_in)


class Example(Record):
    """The look of a provider's secret: prefix, then `length` characters of an alphabet.

    For ``base64`` the length counts random bytes before encoding.
    """

    alphabet: Literal["hex", "base62", "base64"]
    length: _Positive
    prefix: str = ""


class SecretKey(Record):
    """The key is a shared secret."""

    type: Literal["secret"]
    title: str
    example: Example
    form: KeyForm = KeyForm.UTF8
    strip_prefix: str = ""
    normalize: Literal["", "NFKC", "NFKD"] = ""
    digest: Literal["", "sha1", "sha256"] = ""
    note: str = ""

    @cached_property
    def spec(self) -> KeySpec:
        """How its text becomes key bytes."""
        return KeySpec(self.form, self.strip_prefix, self.normalize, self.digest)


class PairKey(Record):
    """The provider signs with a private key; the receiver holds the public one."""

    type: Literal["key-pair"]
    title: str
    algorithm: KeyType
    public_form: PublicForm
    note: str = ""

    @cached_property
    def spec(self) -> KeySpec:
        """A key pair needs no decoding."""
        return KeySpec()


class Part(Record):
    """A template field that a caller may give and that is made fresh otherwise."""

    make: Literal["uuid", "hex", "digits", "base62"] | None = None
    length: _Positive = 32
    prefix: str = ""
    upper: bool = False
    value: str | None = None


class Event(Record):
    """One event a provider sends.

    Attributes:
        name: what a user picks.
        category: the group it is listed in.
        file: its body below ``events/``.
        body: or its body itself, for a provider in a single file.
        type: what ``{event_type}`` stands for; the name when not given.
        scheme: the scheme it is sent with; the provider's first when not given.
        headers: templates added to the headers of that scheme, or put in their place; "" takes one away.
    """

    name: str
    category: str
    title: str = ""
    file: str = ""
    body: str | None = None
    type: str = ""
    scheme: str = ""
    headers: dict[str, str] = Field(default_factory=dict)

    @property
    def body_file(self) -> str:
        """The name of its body's file."""
        return self.file or re.sub(r"[^A-Za-z0-9._-]", "-", self.name) + ".json"
