"""One request, read as far as it can be read: what it carries, and what would have been signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidRequest, UnknownName
from hook_widgets.webhooks.diagnosis import presented
from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.reading import Reading, read, request_fields
from hook_widgets.webhooks.reading.carried import Carried
from hook_widgets.webhooks.reading.choosing import choose_scheme
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.request import ReceivedRequest
from hook_widgets.webhooks.scheme import Scheme, Signature
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.text.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider


@dataclass(frozen=True, slots=True)
class Change:
    """What is assumed to have been otherwise when the request was signed; None for what was not.

    Attributes:
        mentions: the causes that would explain it.
    """

    mentions: tuple[Mention, ...] = ()
    body: bytes | None = None
    url: str | None = None
    timestamp: str | None = None
    method: str | None = None
    template: Template | None = None

    def with_each(self, others: Iterable[Change]) -> Iterator[Change]:
        """Both changes, for each of the others that is about another thing."""
        mine = [getattr(self, axis) for axis in _AXES]
        for other in others:
            theirs = [getattr(other, axis) for axis in _AXES]
            if not any(a is not None and b is not None for a, b in zip(mine, theirs, strict=True)):
                chosen = (b if a is None else a for a, b in zip(mine, theirs, strict=True))
                yield Change(self.mentions + other.mentions, *chosen)


_LONG = 1 << 12  # bytes from which a second copy is worth avoiding
_AXES = ("body", "url", "timestamp", "method", "template")


@dataclass(frozen=True, slots=True)
class BaseText:
    """What would have been signed, and the signatures that stand for it."""

    pieces: tuple[bytes, ...]
    presented: tuple[bytes, ...] | None = None  # None: those of the evidence


class Evidence:
    """A request as one scheme of a provider reads it.

    Args:
        provider: whose request it is taken for.
        request: what was received.
        scheme: one of the provider's schemes; the one that fits when not given.
    """

    def __init__(self, provider: Provider, request: ReceivedRequest, scheme: Scheme | None = None) -> None:
        fitting = choose_scheme(provider, request)
        self.provider = provider
        self.request = request
        self.scheme = scheme or fitting
        self.signature: Signature = self.scheme.signatures[0]
        self.reading: Reading | None = None
        self.problem: Misread | None = None
        self._readings: dict[tuple[bytes, str], Reading | None] = {}
        if self.scheme is fitting:
            try:
                self.reading = read(provider, request)
            except Misread as problem:
                self.problem = problem

    @cached_property
    def needed(self) -> frozenset[str]:
        """The fields of the base string, with all that they are worked out from."""
        return self.scheme.closure(self.signature.template.names)

    @cached_property
    def bound(self) -> bool:
        """Whether signature or signed fields stand in the body or the URL, or a token repeats them.

        A changed body or URL then has to be read again.
        """
        scheme = self.scheme
        jwt = any(spec.jwt is not None for spec in scheme.fields.values())
        return bool(scheme.body or scheme.form or scheme.query or jwt)

    @cached_property
    def reads_body(self) -> bool:
        """Whether another body could make a difference."""
        return "body" in self.needed or (self.bound and self.reading is None)

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """The texts that stand in the request, by field."""
        try:
            return Carried(self.scheme, self.request.headers, self.request.body).values
        except Misread:
            return {}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What stands in the signature's own place."""
        return tuple(self._values.get(self.signature.name, ()))

    @cached_property
    def candidates(self) -> tuple[presented.Candidate, ...]:
        """The signatures that may be meant."""
        return presented.candidates(self.scheme, self.signature, self.texts, self.request.headers)

    @cached_property
    def fields(self) -> Fields:
        """The fields of the base string, those that are known."""
        if self.reading is not None:
            return self.reading.fields
        fields = request_fields(self.provider, self.scheme, self.request)
        for name, values in self._values.items():
            fields.know(name, values[0])
        return fields

    @cached_property
    def timestamp(self) -> str:
        """The timestamp as the request carries it; "" when there is none."""
        return self.fields.text("timestamp") if "timestamp" in self.fields else ""

    def base(self, change: Change) -> BaseText | None:
        """What would have been signed; None when it cannot be known, or contradicts the request."""
        if self.bound and (change.body is not None or change.url is not None):
            return self._read_again(change)
        values = {axis: getattr(change, axis) for axis in _AXES[:-1]}
        known = {axis: value for axis, value in values.items() if value is not None}
        return self._rendered(self.fields.changed(**known) if known else self.fields, change.template)

    def _read_again(self, change: Change) -> BaseText | None:
        body = self.request.body if change.body is None else change.body
        url = self.request.url if change.url is None else change.url
        if (body, url) not in self._readings:
            self._readings[body, url] = self._read(replace(self.request, body=body, url=url))
        found = self._readings[body, url]
        if found is None:
            return None
        fields = (
            found.fields if change.timestamp is None else found.fields.changed(timestamp=change.timestamp)
        )
        base = self._rendered(fields, change.template)
        return base and replace(base, presented=found.presented)

    def _read(self, request: ReceivedRequest) -> Reading | None:
        try:
            found = read(self.provider, request)
        except Misread:
            return None
        # Another body may choose a scheme that is not about the body: that would prove nothing.
        return found if found.scheme is self.scheme or _about_body(found.scheme) else None

    def _rendered(self, fields: Fields, template: Template | None) -> BaseText | None:
        try:
            pieces = (template or self.signature.template).pieces(fields)
        except (UnknownName, InvalidRequest, KeyError, ValueError):
            return None
        return BaseText(tuple(part for piece in pieces for part in _parts(piece, self.request.body)))


def _about_body(scheme: Scheme) -> bool:
    """Whether a request of this scheme carries something that only its own body fits."""
    signed = scheme.closure(scheme.signatures[0].template.names)
    return "body" in signed or bool(scheme.body or scheme.form or scheme.query)


def _parts(piece: bytes, body: bytes) -> tuple[bytes, ...]:
    """A long piece in parts of which one is the body itself, where it is in there: that travels once."""
    if len(body) >= _LONG and len(piece) > len(body):
        if piece.startswith(body):
            return body, piece[len(body) :]
        if piece.endswith(body):
            return piece[: -len(body)], body
    return (piece,)
