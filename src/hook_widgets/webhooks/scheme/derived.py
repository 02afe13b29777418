"""Template fields worked out from a request: the records of ``[schemes.fields]`` and what they mean.

The same rules serve the sender, who knows the draft, and the receiver, who knows what arrived.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hook_widgets.errors import InvalidJson, InvalidRequest
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.scheme.moments import TimestampUnit, write_moment
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.text import places
from hook_widgets.webhooks.text.template import Template

HeaderOf = Callable[[str], str | None]
"""Finds a header's value by name."""


class Write(StrEnum):
    """How the bytes of a hash are written; ``decimal`` is one unsigned number."""

    HEX = "hex"
    BASE64 = "base64"
    BASE64URL = "base64url"
    DECIMAL = "decimal"

    def __call__(self, raw: bytes) -> str:
        """The text of a hash."""
        match self:
            case Write.HEX:
                return raw.hex()
            case Write.BASE64:
                return base64.b64encode(raw).decode()
            case Write.BASE64URL:
                return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
        return str(int.from_bytes(raw))


class NumberClaim(Record):
    """A claim that is a JSON number, such as a NumericDate (RFC 7519); `plus_s` is added to it."""

    number: str
    plus_s: int = 0


class Jwt(Record):
    """A JWS signing input (RFC 7515 section 5.1): header and claims, in the order given."""

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
        """``base64url(header).base64url(claims)``, both compact JSON."""
        header = {name: Template(text).render(fields).decode() for name, text in self.header.items()}
        claims: dict[str, str | int] = {}
        for name, claim in self.claims.items():
            text = self.templates[name].render(fields).decode()
            claims[name] = text if isinstance(claim, str) else int(text) + claim.plus_s
        return f"{_segment(header)}.{_segment(claims)}"


_OPERATIONS = ("json", "form", "lines", "hash", "time", "when_query", "signed_headers", "text", "jwt")


class Derived(Record):
    r"""One field and the one rule that makes it.

    Attributes:
        json_path: text of the JSON value at this path: strings decoded, everything else as written.
        missing: what stands for a value that is not there; without it, that is an error.
        form: a form parameter's value, decoded.
        lines: ``Name\nValue\n`` for each of these top-level members of the JSON body that is there.
        hash: this hash of the template `of`, written as `write` says.
        time: the request's time in this unit.
        when_query: this text when the URL has a query, else nothing.
        signed_headers: the headers named in this (comma-separated) header, as ``name:value`` joined by
            ``;``, names in lower case and sorted, values trimmed.
        text: a template.
        jwt: a token's signing input.
    """

    json_path: Annotated[str | None, Field(alias="json")] = None
    missing: str | None = None
    form: str | None = None
    lines: tuple[str, ...] | None = None
    hash: Literal["sha256", "sha1", "sha512", "md5", "crc32"] | None = None
    of: str = ""
    write: Write = Write.HEX
    time: TimestampUnit | None = None
    when_query: str | None = None
    signed_headers: str | None = None
    text: str | None = None
    jwt: Jwt | None = None

    @model_validator(mode="after")
    def _one_rule(self) -> Self:
        given = [name for name in _OPERATIONS if getattr(self, _ATTRIBUTES.get(name, name)) is not None]
        if len(given) != 1:
            raise ValueError(f"give exactly one of {', '.join(_OPERATIONS)}")
        return self

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates in it."""
        if self.jwt is not None:
            claims = (c if isinstance(c, str) else c.number for c in self.jwt.claims.values())
            return (*self.jwt.header.values(), *claims)
        return tuple(t for t in (self.text, self.of if self.hash else None) if t is not None)

    @cached_property
    def sources(self) -> frozenset[str]:
        """The fields that it is worked out from."""
        names = frozenset[str]().union(*(Template(text).names for text in self.templates))
        if self.json_path is not None or self.form is not None or self.lines is not None:
            return names | {"unsigned_body"}
        if self.time is not None:
            return names | {"timestamp"}
        if self.when_query is not None:
            return names | {"query"}
        return names

    def derive(self, fields: Fields, header: HeaderOf, json_in: str) -> bytes | str:
        """The field's value.

        Args:
            fields: the other fields.
            header: finds the request's headers.
            json_in: the form field in which the JSON stands; "" when the body is the JSON.

        Raises:
            InvalidRequest: the body or a header does not hold what is needed.
        """
        if self.json_path is not None:
            return self._json(places.json_text(fields.unsigned_body, json_in), self.json_path)
        if self.form is not None:
            return _parameter(fields.unsigned_body, self.form)
        if self.lines is not None:
            return _lines(places.json_text(fields.unsigned_body, json_in), self.lines)
        if self.hash is not None:
            return self.write(_digest(self.hash, Template(self.of).render(fields)))
        if self.time is not None:
            return write_moment(fields.moment, self.time)
        if self.when_query is not None:
            return self.when_query if fields.text("query") else ""
        if self.signed_headers is not None:
            return _canonical(self.signed_headers, header)
        if self.jwt is not None:
            return self.jwt.render(fields)
        return Template(self.text or "").render(fields)

    def _json(self, body: bytes, path: str) -> str:
        found = _written(body, path)
        if found is not None:
            return found
        if self.missing is not None:
            return self.missing
        raise InvalidRequest(f"the body has no {path!r}, which is part of what is signed", field="body")


_ATTRIBUTES = {"json": "json_path"}


def _segment(values: Mapping[str, str | int]) -> str:
    return Write.BASE64URL(json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode())


def _digest(name: str, data: bytes) -> bytes:
    if name == "crc32":
        return zlib.crc32(data).to_bytes(4)
    return hashlib.new(name, data, usedforsecurity=False).digest()


def _parameter(body: bytes, name: str) -> str:
    value = places.parameter(body, name)
    if value is not None:
        return value
    raise InvalidRequest(
        f"the form body has no parameter {name!r}, which is part of what is signed", field="body"
    )


def _lines(body: bytes, names: tuple[str, ...]) -> str:
    found = ((name, _written(body, name)) for name in names)
    return "".join(f"{name}\n{value}\n" for name, value in found if value is not None)


def _written(body: bytes, path: str) -> str | None:
    try:
        return places.written(body, path)
    except InvalidJson as error:
        raise InvalidRequest(f"the JSON body is needed for the signature: {error}", field="body") from None


def _canonical(listing: str, header: HeaderOf) -> str:
    """The canonical headers of a signed request."""
    listed = header(listing)
    if listed is None:
        raise InvalidRequest(f"there is no header {listing}, which lists the signed headers", field="headers")
    lines = []
    for name in sorted(part.strip().lower() for part in listed.split(",")):
        value = header(name)
        if value is None:
            raise InvalidRequest(f"{listing} lists {name!r}, and there is no such header", field="headers")
        lines.append(f"{name}:{value.strip()}")
    return ";".join(lines)
