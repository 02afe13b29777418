"""Handshakes: requests by which a provider checks that an endpoint is yours, and the expected responses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from hook_widgets.webhooks.scheme import Event, Scheme, Signature
from hook_widgets.webhooks.scheme.computed_fields import Derived
from hook_widgets.webhooks.scheme.record import Record

_ALWAYS_SENT = ("user-agent", "content-type")


class ResponsePart(NamedTuple):
    """A part of a response: a header, a member of its JSON body, or the whole body.

    Attributes:
        label: its description.
        header: the name of the header, or empty.
        path: the path of the member, or empty.
    """

    label: str
    header: str = ""
    path: str = ""


@dataclass(frozen=True, kw_only=True)
class ExpectedResponse(Record):
    """The response that a receiver must return.

    Attributes:
        status: the HTTP status; any 2xx if None.
        text: the template of the whole body; white space around it is ignored.
        json_members: the templates of members of a JSON body, by path; ``json`` in a provider file.
        headers: the templates of headers; of a media type only the part before ``;`` is compared.
    """

    status: int | None = None
    text: str | None = None
    json_members: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def expected(self) -> Iterable[tuple[ResponsePart, str]]:
        """Yield each checked part of the response, and the template of its value."""
        if self.text is not None:
            yield ResponsePart("the body"), self.text
        for path, text in self.json_members.items():
            yield ResponsePart(f"{path!r} of the JSON body", path=path), text
        for name, text in self.headers.items():
            yield ResponsePart(f"the header {name}", header=name), text


@dataclass(frozen=True, kw_only=True)
class Handshake(Record):
    """One handshake of a provider.

    Attributes:
        name: the name by which users select it.
        response: the response that the receiver must return; several if it may choose.
        title: its name for people.
        method: the HTTP method.
        event: the event whose body it sends; "" for an empty body.
        signed: True if it carries the scheme's signature.
        bare: True if it sends only User-Agent and Content-Type of the scheme's headers.
        query: parameters appended to the URL.
        headers: headers added to the event's headers.
        fields: template fields computed from the request.
        signature: the signature that the receiver computes for its response.
        recognized_by: JSON path to the text there by which a receiver recognizes it; "" for any text. Method,
            parameters and headers are compared, too.
        token: the part that only the provider and the receiver know.
        brings_secret: True if it gives the receiver a new secret.
        visits: the JSON path of a URL that the receiver may open.
        single_use: True if a challenge may be answered only once.
        sources: URLs of the sources of these facts.
    """

    name: str
    response: ExpectedResponse | tuple[ExpectedResponse, ...]
    title: str = ""
    method: str = "POST"
    event: str = ""
    signed: bool = True
    bare: bool = False
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Derived] = field(default_factory=dict)
    signature: Signature | None = None
    recognized_by: dict[str, str] = field(default_factory=dict)
    token: str = ""
    brings_secret: bool = False
    visits: str = ""
    single_use: bool = False
    sources: tuple[str, ...] = ()

    @cached_property
    def expected_responses(self) -> tuple[ExpectedResponse, ...]:
        """The acceptable responses."""
        return (self.response,) if isinstance(self.response, ExpectedResponse) else self.response

    def as_event(self, base: Event | None) -> Event:
        """Return the handshake as an event that can be drafted; `base` is the event whose body it sends."""
        if base is None:
            return Event(name=self.name, category="handshake", title=self.title, file=NO_BODY)
        return replace(
            base,
            name=self.name,
            category="handshake",
            type=base.type or base.name,
            title=self.title or base.title,
            file=base.body_file,
        )

    def applied(self, scheme: Scheme) -> Scheme:
        """Return the scheme with this handshake's method, parameters, headers and signatures."""
        names = scheme.signature_names
        headers = {
            name: value
            for name, value in scheme.headers.items()
            if (self.signed or not scheme.header_template(name).names & names)
            and (not self.bare or name.lower() in _ALWAYS_SENT)
            and (self.event or name.lower() != "content-type")
        }
        return replace(
            scheme,
            method=self.method,
            headers={**headers, **self.headers},
            query=scheme.query | self.query,
            fields=scheme.fields | self.fields,
            signatures=scheme.signatures if self.signed else (),
            body=scheme.body if self.event else {},
            form=scheme.form if self.event else {},
        )


#: The body file of a handshake without a body.
NO_BODY = "none"
