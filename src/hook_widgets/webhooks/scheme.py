"""What a provider signs and where it puts the signature: the records of a ``provider.toml``.

Everything a provider does differently is a value here. The records are strict: a key that is not
listed below is an error, so that a slip of the pen in a data file is found when it is read.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from hook_widgets.webhooks.keypair import Curve
from hook_widgets.webhooks.secret import KeyForm, KeySpec
from hook_widgets.webhooks.signing import Algorithm
from hook_widgets.webhooks.template import Template

_Positive = Annotated[int, Field(gt=0)]


class Record(BaseModel):
    """A strict, frozen record read from TOML."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Encoding(StrEnum):
    """How the bytes of a signature are written."""

    HEX = "hex"
    BASE64 = "base64"

    @property
    def write(self) -> Callable[[bytes], str]:
        """Makes a signature's text: lower-case hex, or padded standard base64."""
        return bytes.hex if self is Encoding.HEX else _base64

    def read(self, text: str) -> bytes | None:
        """The bytes of a signature, or None when the text is not of this encoding.

        Hex is read in either case, as receivers do.
        """
        try:
            return bytes.fromhex(text) if self is Encoding.HEX else base64.b64decode(text, validate=True)
        except (ValueError, binascii.Error):
            return None


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


class TimestampUnit(StrEnum):
    """How ``{timestamp}`` is written."""

    SECONDS = "s"
    MILLISECONDS = "ms"
    ISO8601 = "iso8601"


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
    """A header whose value is a list: elements divided by `list`, each of its own shape."""

    value: str
    list: str

    @property
    def elements(self) -> tuple[Template, ...]:
        """The shape of each element."""
        return tuple(Template(part) for part in self.value.split(self.list))


class Scheme(Record):
    """One way in which a provider signs requests.

    Attributes:
        headers: name to value template, in the order in which they are sent.
        query: parameters appended to the URL.
        body: dotted JSON path to the template of the string that stands there.
        signatures: the first is what a receiver checks; the others are sent beside it.
        tolerance_s: how far a receiver lets the timestamp be from its clock, in seconds, on both sides.
        timestamp: unit of ``{timestamp}``; None when the request carries no signed time.
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
    body: dict[str, str] = Field(default_factory=dict)
    sources: tuple[str, ...] = ()

    @cached_property
    def header_shapes(self) -> dict[str, tuple[Template, ...]]:
        """Header name to the shapes of its elements; one shape for a header that is no list."""
        return {
            name: value.elements if isinstance(value, HeaderValue) else (Template(value),)
            for name, value in self.headers.items()
        }

    def header_template(self, name: str) -> Template:
        """The whole value of one header as a template."""
        value = self.headers[name]
        return Template(value.value if isinstance(value, HeaderValue) else value)

    @cached_property
    def signature_names(self) -> frozenset[str]:
        """The template fields that carry signatures."""
        return frozenset(signature.name for signature in self.signatures)


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
    note: str = ""

    @cached_property
    def spec(self) -> KeySpec:
        """How its text becomes key bytes."""
        return KeySpec(self.form, self.strip_prefix)


class PairKey(Record):
    """The provider signs with a private key; the receiver holds the public one."""

    type: Literal["key-pair"]
    title: str
    algorithm: Curve
    public_form: Literal["hex", "base64-spki"]
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
        type: what ``{event_type}`` stands for; the name when not given.
        scheme: the scheme it is sent with; the provider's first when not given.
        headers: templates added to the headers of that scheme, or put in their place.
    """

    name: str
    category: str
    title: str = ""
    file: str = ""
    type: str = ""
    scheme: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
