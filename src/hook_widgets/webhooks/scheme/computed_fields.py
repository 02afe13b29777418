"""Template fields computed from a request: the records of ``[schemes.fields]`` and their meaning.

The same rules apply to the sender's draft and to the received request.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from hook_widgets.errors import InvalidJson, UnreadableMessage
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.scheme.record import Record, file_name
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit, write_moment

HeaderOf = Callable[[str], str | None]
"""A function that returns a header's value by name, or None."""


class HashEncoding(StrEnum):
    """The text encoding of the bytes of a hash; ``decimal`` is one unsigned number."""

    HEX = "hex"
    BASE64 = "base64"
    BASE64URL = "base64url"
    DECIMAL = "decimal"

    def __call__(self, raw: bytes) -> str:
        """Return the text of a hash."""
        match self:
            case HashEncoding.HEX:
                return raw.hex()
            case HashEncoding.BASE64:
                return base64.b64encode(raw).decode()
            case HashEncoding.BASE64URL:
                return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
        return str(int.from_bytes(raw))


@dataclass(frozen=True, kw_only=True)
class NumberClaim(Record):
    """A claim that is a JSON number, such as a NumericDate (RFC 7519), to which `plus_s` is added."""

    number: str
    plus_s: int = 0


@dataclass(frozen=True, kw_only=True)
class Jwt(Record):
    """A JWS signing input (RFC 7515 section 5.1): header and claims, in the given order."""

    header: dict[str, str]
    claims: dict[str, str | NumberClaim]

    @cached_property
    def templates(self) -> dict[str, Template]:
        """Claim name to the template of its value."""
        return {
            name: Template(claim if isinstance(claim, str) else claim.number)
            for name, claim in self.claims.items()
        }

    def render(self, fields: Mapping[str, bytes | str]) -> str:
        """Return ``base64url(header).base64url(claims)``, both compact JSON, with the values of `fields`."""
        header = {name: Template(text).render(fields).decode() for name, text in self.header.items()}
        claims: dict[str, str | int] = {}
        for name, claim in self.claims.items():
            text = self.templates[name].render(fields).decode()
            claims[name] = text if isinstance(claim, str) else int(text) + claim.plus_s
        return f"{_segment(header)}.{_segment(claims)}"


_RULES = ("json_path", "form", "lines", "hash", "time", "when_query", "signed_headers", "text", "jwt")


@dataclass(frozen=True, kw_only=True)
class Derived(Record):
    r"""A computed field, with exactly one rule for its value.

    Attributes:
        json_path: the path of a JSON value (``json`` in a provider file): strings are decoded, other
            values stay as written.
        missing: the text for a missing JSON value; without it, a missing value is an error.
        form: the name of a form parameter, whose value is decoded.
        lines: names of top-level members of the JSON body; the value is ``Name\nValue\n`` for each present.
        hash: the hash function applied to the template `of`.
        of: the template of the hashed text.
        write: the encoding of the hash.
        time: the unit in which the request's time is written.
        when_query: the text of the field if the URL has a query; else the field is empty.
        and_form: True if the field is also empty when the body has no parameters.
        signed_headers: the name of a (comma-separated) header that lists headers; the value is their
            ``name:value`` joined by ``;``, names in lower case and sorted, values trimmed.
        text: a template.
        jwt: a token's signing input.
    """

    json_path: str | None = None
    missing: str | None = None
    form: str | None = None
    lines: tuple[str, ...] | None = None
    hash: Literal["sha256", "sha1", "sha512", "md5", "crc32"] | None = None
    of: str = ""
    write: HashEncoding = HashEncoding.HEX
    time: TimestampUnit | None = None
    when_query: str | None = None
    and_form: bool = False
    signed_headers: str | None = None
    text: str | None = None
    jwt: Jwt | None = None

    def __post_init__(self) -> None:
        if sum(getattr(self, name) is not None for name in _RULES) != 1:
            raise ValueError(f"give exactly one of {', '.join(map(file_name, _RULES))}")

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates in it."""
        if self.jwt is not None:
            claims = (c if isinstance(c, str) else c.number for c in self.jwt.claims.values())
            return (*self.jwt.header.values(), *claims)
        return tuple(t for t in (self.text, self.of if self.hash else None) if t is not None)

    @cached_property
    def sources(self) -> frozenset[str]:
        """The fields from which it is computed."""
        names = frozenset[str]().union(*(Template(text).names for text in self.templates))
        if self.json_path is not None or self.form is not None or self.lines is not None:
            return names | {"unsigned_body"}
        if self.time is not None:
            return names | {"timestamp"}
        if self.when_query is not None:
            return names | {"query"} | ({"sorted_form"} if self.and_form else set())
        return names

    def derive(self, fields: Fields, header: HeaderOf, json_in: str) -> bytes | str:
        """Compute the field's value.

        Args:
            fields: the other fields.
            header: looks up the request's headers.
            json_in: the form field that holds the JSON; "" if the body is the JSON.

        Raises:
            UnreadableMessage: the body or a header lacks a value that is needed.
        """
        if self.json_path is not None:
            return self._json(locators.json_text(fields.unsigned_body, json_in), self.json_path)
        if self.form is not None:
            return _parameter(fields.unsigned_body, self.form)
        if self.lines is not None:
            return _lines(locators.json_text(fields.unsigned_body, json_in), self.lines)
        if self.hash is not None:
            return self.write(_digest(self.hash, Template(self.of).render(fields)))
        if self.time is not None:
            return write_moment(fields.moment, self.time)
        if self.when_query is not None:
            is_there = fields.text("query") and (not self.and_form or fields.text("sorted_form"))
            return self.when_query if is_there else ""
        if self.signed_headers is not None:
            return _canonical(self.signed_headers, header)
        if self.jwt is not None:
            return self.jwt.render(fields)
        return Template(self.text or "").render(fields)

    def _json(self, body: bytes, path: str) -> str:
        value = _written(body, path)
        if value is not None:
            return value
        if self.missing is not None:
            return self.missing
        raise UnreadableMessage(f"the body has no {path!r}, which is part of what is signed", field="body")


def _segment(values: Mapping[str, str | int]) -> str:
    return HashEncoding.BASE64URL(json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode())


def _digest(name: str, data: bytes) -> bytes:
    if name == "crc32":
        return zlib.crc32(data).to_bytes(4)
    return hashlib.new(name, data, usedforsecurity=False).digest()


def _parameter(body: bytes, name: str) -> str:
    value = locators.parameter(body, name)
    if value is not None:
        return value
    raise UnreadableMessage(
        f"the form body has no parameter {name!r}, which is part of what is signed", field="body"
    )


def _lines(body: bytes, names: tuple[str, ...]) -> str:
    values = ((name, _written(body, name)) for name in names)
    return "".join(f"{name}\n{value}\n" for name, value in values if value is not None)


def _written(body: bytes, path: str) -> str | None:
    try:
        return locators.written(body, path)
    except InvalidJson as error:
        raise UnreadableMessage(f"the JSON body is needed for the signature: {error}", field="body") from None


def _canonical(listing: str, header: HeaderOf) -> str:
    """Return the canonical headers of a signed request."""
    names = header(listing)
    if names is None:
        raise UnreadableMessage(
            f"there is no header {listing}, which lists the signed headers", field="headers"
        )
    lines = []
    for name in sorted(part.strip().lower() for part in names.split(",")):
        value = header(name)
        if value is None:
            raise UnreadableMessage(f"{listing} lists {name!r}, and there is no such header", field="headers")
        lines.append(f"{name}:{value.strip()}")
    return ";".join(lines)
