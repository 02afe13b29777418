"""Handshakes: what a provider sends to prove that an endpoint is yours, and the answer that it wants."""

from __future__ import annotations

from pydantic import Field

from hook_widgets.webhooks.derived import Derived
from hook_widgets.webhooks.record import Record
from hook_widgets.webhooks.scheme import Signature


class Answer(Record):
    """The answer a receiver must give: status, and text, JSON members or headers."""

    status: int = 200
    text: str | None = None
    json_members: dict[str, str] = Field(default_factory=dict, alias="json")
    headers: dict[str, str] = Field(default_factory=dict)


class Handshake(Record):
    """One handshake of a provider.

    Attributes:
        name: what a user picks.
        event: the event whose body it sends; none for an empty body.
        signed: whether it carries the scheme's signature.
        query: parameters appended to the URL.
        headers: added to the event's headers.
        bare: whether of the scheme's headers only User-Agent and Content-Type are sent.
        fields: template fields worked out from the request.
        signature: what the receiver works out with the secret, for the answer.
        answer: what it must answer.
        sources: where the facts come from.
    """

    name: str
    answer: Answer
    title: str = ""
    method: str = "POST"
    event: str = ""
    signed: bool = True
    bare: bool = False
    query: dict[str, str] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)
    fields: dict[str, Derived] = Field(default_factory=dict)
    signature: Signature | None = None
    sources: tuple[str, ...] = ()
